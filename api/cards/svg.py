"""SVG as text: the few elements that cards are drawn with, and the card that holds them."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr  # nosec B406 # it writes; nothing is parsed

#: The size of a card in its own units; pictures scale to any size.
WIDTH, HEIGHT = 250, 350
#: A card's paper, and the line around it.
GROUND, EDGE = "#fffdf7", "#b9b2a3"
#: What a picture's letters are set in. Nothing is loaded, so each viewer takes its own.
SERIF, SANS = "Georgia, serif", "system-ui, sans-serif"

Number = int | float


def card(title: str, *parts: str) -> str:
    """A whole card. `title` is what it is called, for those who hear it instead of seeing it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label={quoteattr(title)}>'
        f"<title>{escape(title)}</title>"
        + rect(1.5, 1.5, WIDTH - 3, HEIGHT - 3, r=18, fill=GROUND, stroke=EDGE, stroke_width=3)
        + "".join(parts)
        + "</svg>\n"
    )


def element(name: str, content: str = "", /, **attributes: str | Number | None) -> str:
    """An element; underscores in names of attributes stand for hyphens, None for none."""
    written = "".join(
        f" {key.replace('_', '-')}={quoteattr(_text(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def rect(
    x: Number,
    y: Number,
    width: Number,
    height: Number,
    *,
    r: Number | None = None,
    **paint: str | Number,
) -> str:
    """A rectangle with corners of radius `r`."""
    return element("rect", x=x, y=y, width=width, height=height, rx=r, **paint)


def circle(x: Number, y: Number, r: Number, **paint: str | Number) -> str:
    """A circle about a point."""
    return element("circle", cx=x, cy=y, r=r, **paint)


def path(d: str, **paint: str | Number) -> str:
    """A shape in SVG's own notation."""
    return element("path", d=d, **paint)


def line(d: str, width: Number, colour: str) -> str:
    """A path drawn as with a round pen."""
    return path(
        d,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def text(words: str, x: Number, y: Number, size: Number, **paint: str | Number) -> str:
    """A line of text whose middle is at `x`."""
    paint = {"font_family": SERIF, **paint}
    return element("text", escape(words), x=x, y=y, font_size=size, text_anchor="middle", **paint)


def placed(
    content: str, x: Number, y: Number, scale: Number = 1, turn: Number = 0, **paint: str | Number
) -> str:
    """What is drawn about the origin, at another place, in another size, turned by degrees."""
    moves = f"translate({_text(x)} {_text(y)})"
    if turn:
        moves += f" rotate({_text(turn)})"
    if scale != 1:
        moves += f" scale({_text(scale)})"
    return element("g", content, transform=moves, **paint)


def twice(content: str) -> str:
    """As drawn, and again upside down, so that a card can be read from both sides."""
    return content + element("g", content, transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")


def _text(value: str | Number) -> str:
    return value if isinstance(value, str) else f"{value:.5g}"
