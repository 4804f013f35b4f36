"""Conditions of stylesheets that the engine does not know, decided as Chromium decides them.

For the engine, a media feature that it has not heard of is false, and so is every `@supports`. But
there are sites that put everything into `@media (prefers-color-scheme: light)`. So such features
become others that are always true, or always false: of a screen with a mouse, light, with one dot a
pixel, and no scripts.
"""

from __future__ import annotations

import re

IMPORT = re.compile(
    r"""@import\s++(?:url\(\s*)?["']?([^"')\s;]++)["']?\s*+\)?([^;]*+);""", re.IGNORECASE
)
_TRUE, _FALSE = "(min-width: 0)", "(max-width: 0)"
_VALUES = {
    "any-hover": "hover", "any-pointer": "fine", "color-gamut": "srgb", "display-mode": "browser",
    "dynamic-range": "standard", "forced-colors": "none", "grid": "0", "hover": "hover",
    "inverted-colors": "none", "monochrome": "0", "overflow-block": "scroll",
    "overflow-inline": "scroll", "pointer": "fine", "prefers-color-scheme": "light",
    "prefers-contrast": "no-preference", "prefers-reduced-data": "no-preference",
    "prefers-reduced-motion": "no-preference", "prefers-reduced-transparency": "no-preference",
    "scripting": "none", "update": "fast",
}  # fmt: skip
_MEDIA = re.compile(r"@media[^{;]*+", re.IGNORECASE)
_EM = re.compile(r"(?<![\d.])([\d.]{1,12})\s?r?em\b", re.IGNORECASE)
_FEATURE = re.compile(r"\(\s*+([a-z-]++)\s*+(?::([^()]*+))?\)", re.IGNORECASE)
_RANGE = re.compile(
    r"\(\s*+(?:([\d.]{1,12}+\w{0,5}+)\s*+([<>]=?|=)\s*+)?(width|height)\s*+"
    r"(?:([<>]=?|=)\s*+([\d.]{1,12}+\w{0,5}+)\s*+)?\)",
    re.IGNORECASE,
)
_BOUNDS = {"<": ("max",), "<=": ("max",), ">": ("min",), ">=": ("min",), "=": ("min", "max")}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_DENSITY = re.compile(r"(?:-webkit-)?(min|max)-(?:-moz-)?(?:device-pixel-ratio|resolution)")
_DEVICE = re.compile(r"\b(min|max)-device-(width|height)", re.IGNORECASE)
_DOTS = {"dpi": 1 / 96, "dpcm": 2.54 / 96}
_SUPPORTS = re.compile(r"@supports\b([^{;]*+)", re.IGNORECASE)
_UNSUPPORTED = re.compile(r"grid|-moz-|-ms-|-webkit-touch-callout")  # the engine lacks grids
_IMPORT_LAYER = re.compile(r"^\s*+layer\b(?:\([^()]*+\))?", re.IGNORECASE)
_IMPORT_SUPPORTS = re.compile(r"\s*+supports\(((?:[^()]|\([^()]*+\))*+)\)", re.IGNORECASE)
_LAYER = re.compile(r"@layer\b[^{;@]*+(?=\{)", re.IGNORECASE)


def decided(css: str) -> str:
    """A stylesheet with conditions that the engine knows."""
    lower = css.lower()
    if "@import" in lower:
        css = IMPORT.sub(_imported, css)
    if "@media" in lower:
        css = _MEDIA.sub(lambda found: decided_query(found[0]), css)
    if "@supports" in lower:
        css = _SUPPORTS.sub(_supported, css)
    if "@layer" in lower:
        css = _LAYER.sub(f"@media {_TRUE}", css)
    return css


def decided_query(query: str) -> str:
    """A media query that the engine knows. It would compute `em` by the page's font."""
    query = _RANGE.sub(_limits, _EM.sub(_em_in_pixels, query))
    return _FEATURE.sub(_feature, _DEVICE.sub(r"\1-\2", query))


def _imported(found: re.Match[str]) -> str:
    """An import for its media; it has no layer, and is none where its condition does not hold."""
    rest = _IMPORT_LAYER.sub("", found[2], count=1)
    if supports := _IMPORT_SUPPORTS.match(rest):
        if not _holds(supports[1]):
            return ""
        rest = rest[supports.end() :]
    return f'@import url("{found[1]}") {decided_query(rest.strip())};'


def _feature(found: re.Match[str]) -> str:
    name, value = found[1].lower(), (found[2] or "").strip().lower()
    if name in _VALUES:
        off = _VALUES[name] in ("none", "no-preference", "0")
        return _TRUE if (value == _VALUES[name] if value else not off) else _FALSE
    if (density := _DENSITY.fullmatch(name)) and value:
        dots = _dots(value)
        return _TRUE if (dots <= 1 if density[1] == "min" else dots >= 1) else _FALSE
    if name == "resolution" and value:
        return _TRUE if _dots(value) == 1 else _FALSE
    return _TRUE if name in ("color", "min-color") else found[0]


def _dots(value: str) -> float:
    """A density in dots a pixel."""
    found = re.match(r"([\d.]+)\s*(?:/\s*([\d.]+))?\s*(\w*)", value)
    try:
        dots = float(found[1]) / float(found[2] or 1) if found else 1.0
    except (ValueError, ZeroDivisionError):
        return 1.0
    return dots * _DOTS.get(found[3] if found else "", 1.0)


def _limits(found: re.Match[str]) -> str:
    """`(400px <= width < 800px)` in the words of older queries."""
    low, low_sign, name, sign, high = found.groups()
    parts = [(low, bound) for bound in _BOUNDS[_TURNED[low_sign]]] if low is not None else []
    parts += [(high, bound) for bound in _BOUNDS[sign]] if high is not None else []
    return " and ".join(f"({bound}-{name}: {value})" for value, bound in parts) or found[0]


def _em_in_pixels(found: re.Match[str]) -> str:
    try:
        return f"{float(found[1]) * 16:g}px"
    except ValueError:
        return found[0]


def _supported(found: re.Match[str]) -> str:
    return f"@media {_TRUE if _holds(found[1]) else _FALSE} "


def _holds(condition: str) -> bool:
    """Chromium knows what pages ask for, but not what they ask of other browsers."""
    condition = condition.strip().lower()
    negated = condition.lstrip("( ").startswith("not")
    return negated == bool(_UNSUPPORTED.search(condition))
