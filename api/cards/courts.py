"""Jack, Queen and King: half a figure, and again upside down."""

from __future__ import annotations

from api.cards.svg import circle, element, line, path, placed, rect, twice

GOLD, PALE, SKIN, INK = "#d9a02b", "#f7ecd2", "#f3d9bd", "#1c2733"
#: Of a colour: the robe, and what is drawn on it.
_ROBES = {"#c3272b": ("#c3272b", "#8f1d22"), "#1c2733": ("#27508a", "#1b3763")}
_HAIR = {"J": "#b8752f", "Q": "#7a4a24", "K": "#8a8f98"}
_FRAME = (66, 34, 118, 282)


def court(rank: str, sign: str, colour: str) -> str:
    """The picture in the middle of a court card; `sign` is the suit's, about the origin."""
    robe, dark = _ROBES[colour]
    x, y, width, height = _FRAME
    figure = _robe(robe, dark) + _HEADS[rank](robe, dark) + placed(sign, 82, 53, 0.25)
    half = element("g", figure, clip_path="url(#half)")
    return (
        f'<clipPath id="half"><path d="M{x} {y}H{x + width}V128L{x} 222Z"/></clipPath>'
        + rect(x, y, width, height, r=6, fill=PALE)
        + twice(half)
        + line(f"M{x} 222L{x + width} 128", 3, GOLD)
        + rect(x, y, width, height, r=6, fill="none", stroke=colour, stroke_width=3)
    )


def _robe(robe: str, dark: str) -> str:
    return (
        path("M66 240V176C78 150 100 140 125 140S172 150 184 176V240Z", fill=robe)
        + path(
            "M66 240V176C74 160 84 152 96 147L106 240ZM184 240V176"
            "C176 160 166 152 154 147L144 240Z",
            fill=dark,
        )
        + path("M103 143C110 158 140 158 147 143L160 150C152 178 98 178 90 150Z", fill=GOLD)
        + "".join(
            circle(x, y, 2.6, fill=PALE)
            for x, y in ((100, 157), (112, 164), (125, 166), (138, 164), (150, 157))
        )
    )


def _face() -> str:
    return (
        rect(115, 118, 20, 30, r=8, fill="#e4c3a1")
        + path(
            "M101 92C101 80 149 80 149 92V106C149 126 137 136 125 136S101 126 101 106Z", fill=SKIN
        )
        + line("M109 100Q114 97 118 100M132 100Q136 97 141 100", 2.4, INK)
        + circle(114, 105, 2.4, fill=INK)
        + circle(136, 105, 2.4, fill=INK)
        + line("M125 104V114H121", 2, "#b98a62")
    )


def _jack(robe: str, dark: str) -> str:
    hair = _HAIR["J"]
    return (
        path(
            "M94 84C92 110 94 128 99 134H110V90ZM156 84C158 110 156 128 151 134H140V90Z", fill=hair
        )
        + _face()
        + line("M119 123Q125 127 131 123", 2.4, "#a3402f")
        + path("M92 88C88 58 112 50 132 54 152 56 164 70 158 88 140 80 110 80 92 88Z", fill=robe)
        + path("M91 90C110 79 140 79 159 90L157 80C140 70 110 70 93 80Z", fill=GOLD)
        + line("M148 76C160 68 168 54 164 42", 5, PALE)
        + path(
            "M146 78C164 74 176 58 166 38 152 50 146 62 146 78Z",
            fill=GOLD,
            stroke=dark,
            stroke_width=1.5,
        )
        + line("M149 75C156 66 162 56 164 46", 1.5, dark)
    )


def _queen(robe: str, dark: str) -> str:
    hair = _HAIR["Q"]
    return (
        path(
            "M92 88C84 116 84 146 92 156 98 162 106 158 108 150L106 92ZM158 88"
            "C166 116 166 146 158 156 152 162 144 158 142 150L144 92Z",
            fill=hair,
        )
        + _face()
        + path(
            "M99 104C101 88 112 84 125 84S149 88 151 104C156 84 146 74 125 74S94 84 99 104Z",
            fill=hair,
        )
        + path(
            "M118 122C121 120 123 121 125 122 127 121 129 120 132 122 129 127 121 127 118 122Z",
            fill="#b8322f",
        )
        + path("M96 80L94 55 109 66 125 46 141 66 156 55 154 80C140 73 110 73 96 80Z", fill=GOLD)
        + line("M97 76C112 70 138 70 153 76", 4, robe)
        + "".join(
            circle(x, y, 4.6, fill=PALE, stroke=GOLD, stroke_width=2)
            for x, y in ((94, 54), (125, 45), (156, 54))
        )
    )


def _king(robe: str, dark: str) -> str:
    hair = _HAIR["K"]
    return (
        path(
            "M95 86C90 104 92 124 97 130H108V90ZM155 86C160 104 158 124 153 130H142V90Z", fill=hair
        )
        + _face()
        + path(
            "M100 104C103 114 110 117 117 116 121 113 129 113 133 116 140 117 "
            "147 114 150 104 154 132 142 156 125 158 108 156 96 132 100 104Z",
            fill=hair,
        )
        + line("M119 124Q125 127 131 124", 2.6, "#a3402f")
        + path(
            "M95 82L91 58 106 66 112 52H138L144 66 159 58 155 82C140 75 110 75 95 82Z", fill=GOLD
        )
        + line("M96 77C112 71 138 71 154 77", 5, robe)
        + line("M125 52V38M118 44H132", 4.5, GOLD)
        + circle(125, 62, 4, fill=robe)
    )


_HEADS = {"J": _jack, "Q": _queen, "K": _king}
