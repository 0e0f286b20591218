"""What Card Keeper's cards show on their shields. Each charge is drawn about the origin, some 120
high, in one colour; `cut` is the colour of the ground, for lines cut into it."""

from __future__ import annotations

from collections.abc import Callable

from api.cards.svg import circle, line, path, placed, rect

Charge = Callable[[str, str], str]


def banner(ink: str, cut: str) -> str:
    """A forked flag on a pole."""
    return (
        line("M-38-56V58", 8, ink)
        + circle(-38, -58, 7, fill=ink)
        + path("M-34-48C-14-58 6-38 44-48L30-22 44 6C8 14-14-6-34 4Z", fill=ink)
        + line("M-22-24C-8-30 4-18 20-22", 5, cut)
    )


def jester(ink: str, cut: str) -> str:
    """A cap with bells."""
    return (
        path(
            "M-34 34C-36 4-44-14-58-12-58-36-34-44-20-24-16-44-8-54 0-60 8-54 "
            "16-44 20-24 34-44 58-36 58-12 44-14 36 4 34 34Z",
            fill=ink,
        )
        + line("M-34 22C-12 30 12 30 34 22", 6, cut)
        + line("M-20-22C-12-8-10 6-10 18M20-22C12-8 10 6 10 18", 4, cut)
        + "".join(
            circle(x, y, 8, fill=ink, stroke=cut, stroke_width=3)
            for x, y in ((-56, -8), (0, -60), (56, -8))
        )
        + path("M-36 36H36L24 56 12 40 0 58-12 40-24 56Z", fill=ink)
    )


def herald(ink: str, cut: str) -> str:
    """A trumpet with a cloth hanging from it."""
    horn = (
        line("M-60-22H30", 8, ink)
        + path("M22-27C36-28 48-34 58-44V0C48-10 36-16 22-17Z", fill=ink)
        + line("M-62-30V-14", 8, ink)
        + path("M-40-18H16V46L2 34-12 46-26 34-40 46Z", fill=ink)
        + path("M-12-4L-4 6-12 16-20 6Z", fill=cut)
    )
    return placed(horn, 0, 6, 1, -14)


def guard(ink: str, cut: str) -> str:
    """A closed helmet."""
    return (
        path("M-34 50C-40 10-40-50 0-54 40-50 40 10 34 50 14 60-14 60-34 50Z", fill=ink)
        + line("M0-50V50", 5, cut)
        + line("M-28-8H-8M28-8H8", 8, cut)
        + "".join(circle(x, y, 3.4, fill=cut) for x in (-20, 20) for y in (14, 27, 40))
        + path("M-5-52C-18-64-8-74 8-66 0-64 4-58 6-52Z", fill=ink)
    )


def tower(ink: str, cut: str) -> str:
    """A tower with battlements."""
    return (
        path(
            "M-38-56H-22V-42H-8V-56H8V-42H22V-56H38V-22L28-12V38H40V58H-40V38H-28V-12L-38-22Z",
            fill=ink,
        )
        + path("M-12 58V30A12 12 0 0 1 12 30V58Z", fill=cut)
        + line("M0-6V6", 8, cut)
        + line("M-30-20H30", 4, cut)
    )


def bishop(ink: str, cut: str) -> str:
    """A mitre."""
    return (
        path("M-36 34C-42-8-28-42 0-62 28-42 42-8 36 34Z", fill=ink)
        + path("M-36 40H36V56H-36Z", fill=ink)
        + line("M0-40V24M-18-8H18", 7, cut)
    )


def knight(ink: str, cut: str) -> str:
    """A horse's head."""
    return (
        path(
            "M-34 56C-36 20-8 12-10-6-22 2-30 10-42 8-52 "
            "6-54-4-46-12-36-24-34-38-14-44L-10-60 4-46C36-40 46-4 40 56Z",
            fill=ink,
        )
        + circle(-12, -26, 4.5, fill=cut)
        + line("M10-34C24-22 28 0 26 24", 5, cut)
        + line("M-34 44H38", 5, cut)
        + circle(-42, -4, 2.6, fill=cut)
    )


def queen(ink: str, cut: str) -> str:
    """A crown with pearls."""
    return (
        path("M-40 30L-54-26-26-4 0-44 26-4 54-26 40 30Z", fill=ink)
        + path("M-40 38H40V54H-40Z", fill=ink)
        + "".join(circle(x, y, 8, fill=ink) for x, y in ((-54, -32), (0, -52), (54, -32)))
        + "".join(circle(x, y, 4.5, fill=cut) for x, y in ((-22, 16), (0, 12), (22, 16)))
    )


def king(ink: str, cut: str) -> str:
    """A crown with a cross."""
    return (
        line("M0-64V-36M-11-54H11", 8, ink)
        + path(
            "M-40 32C-62-2-50-28-26-26-14-26-4-20 0-10 4-20 14-26 26-26 50-28 62-2 40 32Z", fill=ink
        )
        + path("M-44 38H44V56H-44Z", fill=ink)
        + circle(0, -32, 8, fill=ink)
        + line("M-26 20C-38 0-32-12-22-12M26 20C38 0 32-12 22-12M0 20V2", 5, cut)
        + "".join(circle(x, 47, 4, fill=cut) for x in (-24, 0, 24))
    )


def reverse(ink: str, cut: str) -> str:
    """Two arrows that turn round."""
    arrow = line("M-44-6A44 44 0 0 1 32-32", 13, ink) + path("M48-56L52-12 12-24Z", fill=ink)
    return placed(arrow, 0, 0) + placed(arrow, 0, 0, 1, 180)


def portcullis(ink: str, cut: str) -> str:
    """The gate that falls behind a captive."""
    bars = "".join(
        line(f"M{x}-46V40", 8, ink) + path(f"M{x - 8} 36L{x} 58 {x + 8} 36Z", fill=ink)
        for x in (-40, -13.5, 13.5, 40)
    )
    return bars + line("M-48-46H48M-48-16H48M-48 14H48", 8, ink)


def wild(ink: str, cut: str) -> str:
    """A star of eight points."""
    quarter = path("M0 0L22-12 60 0 22 12 42 42 12 22Z", fill=ink)
    star = "".join(placed(quarter, 0, 0, 1, turn) for turn in range(0, 360, 90))
    return star + circle(0, 0, 9, fill=cut)


def chaos(ink: str, cut: str) -> str:
    """Eight arrows that fly apart."""
    arrow = line("M0-14V-44", 8, ink) + path("M0-64L13-38H-13Z", fill=ink)
    return "".join(placed(arrow, 0, 0, 1, turn) for turn in range(0, 360, 45)) + circle(
        0, 0, 12, fill=ink
    )


def draw(ink: str, cut: str) -> str:
    """Three cards, fanned out."""
    sheet = rect(-22, -86, 44, 66, r=6, fill=ink, stroke=cut, stroke_width=5)
    return "".join(placed(sheet, 0, 66, 1.22, turn) for turn in (-26, 26, 0))


def shield(ink: str, cut: str) -> str:
    """A round shield with a boss."""
    return (
        circle(0, 0, 54, fill=ink)
        + circle(0, 0, 40, fill="none", stroke=cut, stroke_width=4)
        + circle(0, 0, 14, fill=cut)
        + circle(0, 0, 7, fill=ink)
        + "".join(placed(circle(0, -47, 3, fill=cut), 0, 0, 1, turn) for turn in range(0, 360, 45))
    )


def swap(ink: str, cut: str) -> str:
    """Two arrows that pass each other."""
    arrow = line("M-46-22H26", 13, ink) + path("M22-46L58-22 22 2Z", fill=ink)
    return arrow + placed(arrow, 0, 0, 1, 180)
