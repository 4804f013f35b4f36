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

from pagesight.render.embedded.conditions import decided
from pagesight.render.embedded.pictures import drawing, placeholder

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
    )
)
_GRADIENT = re.compile(
    r"(?:-(?:webkit|moz|o|ms)-)?(?:repeating-)?(?:linear|radial|conic)-gradient"
    r"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)",
    re.IGNORECASE,
)
_ONE_PIXEL = f'url("data:image/svg+xml;base64,{b64encode(drawing(1, 1)).decode()}")'
_DATA = re.compile(
    r"""url\(\s*+(?:"(data:[^"]*+)"|'(data:[^']*+)'|(data:[^)"'(]*+))\s*+\)""", re.IGNORECASE
)
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


def adapted(css: str) -> str:
    """A stylesheet in terms that the engine takes as browsers do.

    It computes keyword sizes by another table, and does not know all conditions. It paints no
    gradients: a gradient becomes a picture. Pictures in the stylesheet become drawings.
    """
    lower = css.lower()
    if "gradient(" in lower:
        css = _GRADIENT.sub(_ONE_PIXEL, css)
    if "url(" in lower and "data:" in lower:
        css = _DATA.sub(_drawn, css)
    if "font-size" in lower:
        css = _KEYWORD.sub(_keyword_in_pixels, css)
    return decided(css)


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
