"""Transforms and animations that the engine supports.

It has transforms in the plane, and no animations. After a matrix that cannot be inverted, it stops
painting altogether, so things are scaled to nearly nothing instead of zero.
"""

from __future__ import annotations

import re

from pagesight.markup.css import INNER, PARENTHESES, listed

NEARLY_NOTHING = "0.0001"
_FUNCTION = re.compile(
    rf"(?<![-\w])(translate|scale|rotate|perspective|matrix)(3d|x|y|z)?\(({INNER})\)",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\s*+[-+]?0*+\.?0*+%?\s*+")
_ZERO_SCALE = re.compile(r"(--[\w-]*scale[\w-]*\s*+:\s*+)0(?=\s*+[;}])", re.IGNORECASE)
_OWN_PROPERTY = re.compile(
    r"(?<![-\w.#:])(translate|scale)\s*+:\s*+([^;{}!:]++)(?=[;}!]|$)", re.IGNORECASE
)
_KEYFRAMES = re.compile(
    r"@(?:-webkit-)?keyframes\s++([\w-]++)\s*+\{((?:[^{}]*+\{[^{}]*+\})*+)\s*+\}", re.IGNORECASE
)
_END = re.compile(r"(?:^|[\s,}])(?:to|100%)\s*+(?:,[^{}]*+)?\{([^{}]*+)\}", re.IGNORECASE)
_ANIMATED = re.compile(r"\{([^{}]*?animation[^{}]*+)\}", re.IGNORECASE)
_SHOWING = re.compile(r"(?:^|;)\s*+((?:opacity|visibility|transform)\s*+:[^;]++)", re.IGNORECASE)
_WORD = re.compile(r"[\w-]+")
_VALUE = re.compile(rf"(?:[^\s()]|{PARENTHESES})+")


def in_the_plane(css: str) -> str:
    """A stylesheet whose transforms are of the plane, and can all be inverted."""
    lower = css.lower()
    if "translate" in lower or "scale" in lower:
        css = _OWN_PROPERTY.sub(_own_property, css)
        css = _ZERO_SCALE.sub(rf"\g<1>{NEARLY_NOTHING}", css)
    if "transform" in css.lower():
        css = _FUNCTION.sub(_function, css)
    return css


def ended(css: str) -> str:
    """A stylesheet in which animations that keep their last state have reached it."""
    if "keyframes" not in css.lower():
        return css
    ends = {name: shows for name, frames in _KEYFRAMES.findall(css) if (shows := _end(frames))}
    return _ANIMATED.sub(lambda rule: _with_end(rule, ends), css) if ends else css


def _end(frames: str) -> str:
    """What the last state of an animation declares about visibility and place."""
    last_states = _END.findall(frames)
    return ";".join(_SHOWING.findall(last_states[-1])) if last_states else ""


def _with_end(rule: re.Match[str], ends: dict[str, str]) -> str:
    words = set(_WORD.findall(rule[1]))
    if not words & {"forwards", "both"} or words & {"infinite", "reverse"}:
        return rule[0]
    shown = ";".join(ends[name] for name in ends if name in words)
    return f"{{{rule[1]};{shown}}}" if shown else rule[0]


def _own_property(match: re.Match[str]) -> str:
    """`translate` and `scale` as transforms, where they change what is seen."""
    name, value = match[1].lower(), match[2].strip()
    if name == "scale":
        return f"transform:scale({NEARLY_NOTHING})" if _ZERO.fullmatch(value) else match[0]
    parts = _VALUE.findall(value)
    return f"transform:translate({', '.join(parts[:2])})" if parts != ["none"] else match[0]


def _function(match: re.Match[str]) -> str:
    name, kind, inner = match[1].lower(), (match[2] or "").lower(), match[3]
    arguments = listed(inner)
    if name == "matrix":
        return match[0] if kind or not _is_singular(arguments) else f"scale({NEARLY_NOTHING})"
    if name == "perspective" or (kind == "z" and name != "rotate"):
        return "translate(0)"
    if name == "scale":
        axis = "" if kind == "3d" else match[2] or ""
        scales = (NEARLY_NOTHING if _ZERO.fullmatch(scale) else scale for scale in arguments[:2])
        return f"scale{axis}({', '.join(scales)})"
    if name == "rotate" and kind:
        return f"rotate({arguments[-1] if kind == 'z' and arguments else '0deg'})"
    return f"translate({', '.join(arguments[:2])})" if kind == "3d" else match[0]


def _is_singular(arguments: list[str]) -> bool:
    try:
        a, b, c, d = map(float, arguments[:4])
    except ValueError:
        return False
    return abs(a * d - b * c) < 1e-9
