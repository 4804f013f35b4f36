"""Which element painted what: its number is in the colour of lines that change no layout.

A line runs along every text, and a hair-thin outline around every box, in colours that are numbers
of elements. The page's own colours stay as they are, so one painting tells both whose a thing is
and how it looks. The lines along texts are those of `text-decoration`: where the page wants none,
its stylesheets are rewritten to want one over the text.
"""

from __future__ import annotations

import re
from importlib.resources import files
from string import Template

HAIR = 0.25  # px; the width of our outlines. No page has borders like that.
_FIRST = 0x5B0000  # far from the colours that pages like
_MANY = 1 << 20  # nodes; hardly any page has more
GROUND = _FIRST  # under everything, and a dot above; no element has its number
_NOBODY = 0xFFFFFF  # the colour of things that belong to no element

DEFAULTS = "html { text-decoration-line: overline }"
_STYLE = Template((files(__package__) / "numbered.css").read_text("utf-8"))
STYLE = _STYLE.substitute(hair=HAIR, nobody=f"#{_NOBODY:06x}", ground=f"#{GROUND:06x}")
# What remains of a page whose own lines could not all be made ours: no lines of its own.
STRICT_STYLE = STYLE + "* { text-decoration-line: overline !important }"
# What remains of a page that could not be painted to its end: no transforms.
FLAT_STYLE = STRICT_STYLE + "* { transform: none !important }"
# What remains of a page that takes too long: no tables in tables, each as wide as all its cells.
_CELLS = "table, caption, colgroup, thead, tbody, tfoot, tr, td, th"
SIMPLE_STYLE = FLAT_STYLE + f"{_CELLS} {{ display: block !important }}"
_DECORATION = re.compile(
    r"""(?<![-\w"'])(?:text-decoration(?:-line)?|all)\s*+:\s*+([^;{}!"')*/]*+)""", re.IGNORECASE
)
_TRANSPARENT = re.compile(r"(?<![-\w])color\s*+:\s*+transparent", re.IGNORECASE)
FAINTEST = 1 / 255


def numbered_style(style: str, node: int) -> str:
    """The style of an element with its number."""
    number = f"#{_FIRST + node:06x}!important"
    mark = f"text-decoration-color:{number};outline-color:{number}"
    # Ours must come last to win over another "!important", and first where the author's style
    # may be so broken that it swallows what follows.
    return f"{mark};{style};{mark}" if "!" in style else f"{mark};{style}"


def node_of(color: int | None) -> int:
    """The element with a colour as its number; it may be none of the page, or negative."""
    return -1 if color is None or color == _NOBODY else color - _FIRST


def is_ours(color: int) -> bool:
    """Whether a colour is likely the number of an element rather than one of the page."""
    return 0 < color - _FIRST < _MANY


def lined(css: str) -> str:
    """A stylesheet with a line along all texts. Transparent text must be painted to be found."""
    lower = css.lower()
    if "text-decoration" in lower or "all" in lower:
        css = _DECORATION.sub(_with_line, css)
    if "transparent" in lower:
        css = _TRANSPARENT.sub(f"color:rgba(0,0,0,{FAINTEST:.4f})", css)
    return css


def _with_line(match: re.Match[str]) -> str:
    words = match[1].lower().split()
    lines = [word for word in words if word in ("underline", "line-through", "inherit")]
    line = f"text-decoration-line:{' '.join(lines) or 'overline'}"
    return f"{match[0]};{line}" if match[0][:3].lower() == "all" else line
