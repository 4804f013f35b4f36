"""Browser defaults that the layout engine does not have.

Where the engine differs from Chromium, a style in front of all others says what Chromium does. One
default depends on the page: Chromium shrinks text to 13/16 where its font becomes the generic
`monospace`, unless the size is an absolute one. An author's rule that names another font for `pre`
or `code` undoes that. So it is said for the elements for which the page's stylesheets leave it so.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from pagesight.render.embedded.colors import known_colors
from pagesight.render.embedded.conditions import decided
from pagesight.render.embedded.lengths import without_percentages
from pagesight.render.embedded.motion import ended, in_the_plane
from pagesight.render.embedded.nesting import flattened
from pagesight.render.embedded.pictures import backdrop, placeholder

_MONOSPACED = ("pre", "code", "kbd", "samp", "tt", "listing", "xmp", "plaintext")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*+)\}")
_FAMILY = re.compile(r"(?:^|[;\s])font(?:-family)?\s*:\s*([^;]+)", re.IGNORECASE)
_SIZE = re.compile(
    r"(?:^|[;\s])font(?:-size)?\s*:[^;]*?[\d.](?:px|pt|mm|cm|in|pc)\b", re.IGNORECASE
)
_SUBJECT = re.compile(r"^(\*|:root|[a-z][\w-]*)?", re.IGNORECASE)
_KEYWORD = re.compile(
    r"(font-size\s*:\s*)(x{0,2}-?(?:small|large)|medium)(?=\s*(?:[;}!]|$))", re.IGNORECASE
)
_KEYWORDS = {
    "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24,
    "xx-large": 32,
}  # fmt: skip
_FONT_SIZES = {"1": 10, "2": 13, "3": 16, "4": 18, "5": 24, "6": 32, "7": 48, "+1": 18, "+2": 24,
               "+3": 32, "+4": 48, "-1": 13, "-2": 10}  # fmt: skip
_ALWAYS = " ".join(
    (
        "h1 { font-size: 2em }",
        "button, input, select, textarea { font-family: Arial; font-size: 13.3333px }",
        *(f'font[size="{size}"] {{ font-size: {px}px }}' for size, px in _FONT_SIZES.items()),
        'table[align="center"], center > table, [align="center"] > table '
        "{ margin-left: auto; margin-right: auto }",
        'table[align="left"] { float: left } table[align="right"] { float: right }',
        "[popover] { display: none } rt { font-size: 50% }",
    )
)
_GRADIENT = re.compile(
    r"(?:-(?:webkit|moz|o|ms)-)?(?:repeating-)?(?:linear|radial|conic)-gradient"
    r"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)",
    re.IGNORECASE,
)
_COLOR = re.compile(
    r"(#[\da-f]{3,8}|(?:rgb|hsl)a?\([^()]*+\)|\b(?!to\b|left|right|top|bottom|at\b|circle|ellipse)"
    r"(?<!-)[a-z]{3,}+(?![-\w(]))(?![^()]*+\()",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"""url\(\s*+(?:"(data:[^"]*+)"|'(data:[^']*+)'|(data:[^)"'(]*+))\s*+\)""", re.IGNORECASE
)
# Words that the engine does not know, each with what is looked for first, as that is quick
_WORDS = (
    ("v", re.compile(r"(\d)[dls]v([hw]|min|max)\b", re.IGNORECASE), r"\1v\2"),
    ("overflow", re.compile(r"(overflow\s*+:\s*+)clip\b", re.IGNORECASE), r"\1hidden"),
    ("flow-root", re.compile(r"display\s*+:\s*+flow-root\b", re.IGNORECASE),
     "display:block;overflow:hidden"),
    ("content-visibility", re.compile(r"content-visibility\s*+:\s*+hidden", re.IGNORECASE),
     "visibility:hidden"),
    ("place-", re.compile(r"place-(content|items|self)\s*+:\s*+([\w-]++)(?:\s++([\w-]++))?",
                          re.IGNORECASE),
     lambda found: f"align-{found[1]}:{found[2]};justify-{found[1]}:{found[3] or found[2]}"),
    ("clip-path", re.compile(
        r"clip-path\s*+:\s*+(?:inset\(\s*+(?:50|100)%\s*+\)|circle\(\s*+0(?:px|%)?+\s*+\)"
        r"|polygon\(\s*+0(?:px|%)?+\s++0(?:px|%)?+(?:\s*+,\s*+0(?:px|%)?+\s++0(?:px|%)?+)*+\s*+\))",
        re.IGNORECASE), "opacity:0"),
)  # fmt: skip
_LAYER = r"""(?:[^;{}(),"'!]|\((?:[^()"']|"[^"]*+"|'[^']*+'|\([^()]*+\))*+\))++"""
_LAYERS = re.compile(rf"(background(?:-image)?)\s*+:\s*+((?:{_LAYER},)++)({_LAYER})", re.IGNORECASE)
_ADDRESS = re.compile(r"""url\((?:[^()"']|"[^"]*+"|'[^']*+')*+\)""", re.IGNORECASE)
_BEHIND = re.compile(
    r"""(background(?:-image)?\s*+:[^;{}"'()]*?url\(\s*+)"""
    r"""(?:"(?!data:)([^"\n]++)"|'(?!data:)([^'\n]++)'|(?!data:)([^"')\s]++))""",
    re.IGNORECASE,
)
BEHIND = "#behind"
_SCROLLS = re.compile(r"(overflow\s*+:\s*+)(?:auto|scroll)\b", re.IGNORECASE)
# What is as high as it says, and what holds floats anyway
_LIMITED = re.compile(
    r"(?<![-\w])(?:max-)?(?:height|block-size)\s*+:\s*+(?!auto|none)|white-space"
    r"|(?<![-\w])(?:flex(?:-\w+)?|float|position)\s*+:\s*+(?!none|static|relative|sticky)"
    r"|display\s*+:\s*+[\w-]*(?:flex|grid)",
    re.IGNORECASE,
)
_PREFORMATTED = re.compile(r"(?<![-\w])(?:pre|code)\b(?!-)", re.IGNORECASE)
LONGEST = 2_000_000  # characters of CSS that are looked at


def default_style(stylesheets: Iterable[str]) -> str:
    """The rules that make up for what the engine lacks on a page with these stylesheets."""
    named, absolute = _examine(stylesheets)
    tags = [tag for tag in _MONOSPACED if tag not in named]
    if absolute or not tags:
        return _ALWAYS
    nested = ", ".join(f"{outer} {tag}" for outer in tags for tag in tags if outer == "pre")
    shrink = f"{', '.join(tags)} {{ font-size: 0.8125em }}"
    return f"{_ALWAYS} {shrink}" + (f" {nested} {{ font-size: 1em }}" if nested else "")


def adapted(css: str, *, for_people: bool = False) -> str:
    """A stylesheet in terms that the engine takes as browsers do.

    It computes keyword sizes by another table, and does not know all words and conditions. It
    paints no gradients: a gradient becomes a picture. Pictures in the stylesheet become drawings.
    A background has one layer; that its picture lies behind something is said in its address.
    For people to look at, a gradient has its first colour.
    """
    css = flattened(css)
    lower = css.lower()
    if "gradient(" in lower:
        css = _GRADIENT.sub(_first_color if for_people else _BACKDROP, css)
    if "url(" in lower and "data:" in lower:
        css = _DATA.sub(_drawn, css)
    if "font-size" in lower:
        css = _KEYWORD.sub(_keyword_in_pixels, css)
    if "background" in lower:
        css = _BEHIND.sub(_behind, _LAYERS.sub(_one_layer, css))
    for word, pattern, known in _WORDS:
        if word in lower:
            css = pattern.sub(known, css)
    if "overflow" in lower:
        css = _SCROLLS.sub(_all_shown, css)
    if "(" in lower:
        css = without_percentages(known_colors(css))
    return decided(in_the_plane(ended(css)))


def _first_color(found: re.Match[str]) -> str:
    color = _COLOR.search(found[0].partition("(")[2])
    return _address(backdrop(color[0])) if color else "none"


def _address(picture: bytes) -> str:
    return f'url("data:image/svg+xml;base64,{b64encode(picture).decode()}")'


_BACKDROP = _address(backdrop())


def _one_layer(found: re.Match[str]) -> str:
    """The lowest layer of a background, which alone may have a colour, with some picture."""
    name, upper, lowest = found.groups()
    picture = None if _ADDRESS.search(lowest) else _ADDRESS.search(upper)
    if picture is None:
        return f"{name}:{lowest}"
    return (
        f"{name}:{picture[0]}"
        if name.lower().endswith("image")
        else f"{name}:{picture[0]} {lowest}"
    )


def _behind(found: re.Match[str]) -> str:
    return f'{found[1]}"{found[2] or found[3] or found[4]}{BEHIND}"'


def _all_shown(found: re.Match[str]) -> str:
    """A box that is scrolled shows all of its content, where that may be longer than the box."""
    css = found.string
    start, end = css.rfind("{", 0, found.start()) + 1, css.find("}", found.end())
    block = css[start : end if end >= 0 else None]
    selector = css[css.rfind("}", 0, start) + 1 : start] if start else ""
    shown = _LIMITED.search(block) or _PREFORMATTED.search(selector)
    return f"{found[1]}visible" if shown else found[0]


def drawn_address(address: str) -> str:
    """A data: address of a picture as one of a drawing; any other as it is."""
    if not address[:11].lower().startswith("data:image/"):
        return address
    data, _ = decode_data_address(address)
    drawn = placeholder(data) or b""
    return "data:image/svg+xml;base64," + b64encode(drawn).decode()


def decode_data_address(address: str) -> tuple[bytes, str]:
    """The data of a data: address, and its media type."""
    head, _, body = address[5:].partition(",")
    media_type = head.partition(";")[0].strip().lower() or "text/plain"
    data = unquote_to_bytes(body)
    if head.rstrip().lower().endswith(";base64"):
        try:
            data = b64decode(data + b"=" * (-len(data) % 4))
        except ValueError:
            data = b""
    return data, media_type


def _drawn(found: re.Match[str]) -> str:
    address = next(part for part in found.groups() if part is not None)
    return f'url("{drawn_address(address.strip())}")'


def _keyword_in_pixels(found: re.Match[str]) -> str:
    pixels = _KEYWORDS.get(found[2].lower())
    return f"{found[1]}{pixels}px" if pixels else found[0]


def _examine(stylesheets: Iterable[str]) -> tuple[set[str], bool]:
    """Which elements get a font by name, and whether the page's text has an absolute size."""
    named: set[str] = set()
    absolute = False
    for css in stylesheets:
        for selectors, declarations in _RULE.findall(_COMMENT.sub("", css[:LONGEST])):
            if "font" not in declarations.lower():
                continue
            subjects = {_subject(selector) for selector in selectors.split(",")}
            if _names_font(declarations):
                named |= set(_MONOSPACED) if "*" in subjects else subjects & set(_MONOSPACED)
            if subjects & {"html", "body", ":root", "*"} and _SIZE.search(declarations):
                absolute = True
    return named, absolute


def _subject(selector: str) -> str:
    """The tag of the element that a selector is about, "" where it names none."""
    last = re.split(r"[\s>+~]+", selector.strip())[-1]
    found = _SUBJECT.match(last)
    return (found[1] or "").lower() if found else ""


def _names_font(declarations: str) -> bool:
    return any(
        family.replace("!important", "").strip().lower() not in ("monospace", "inherit")
        for family in _FAMILY.findall(declarations)
        if not re.fullmatch(r"[\d.]+\w*%?", family.strip())
    )
