"""Names in Chinese, Japanese and Korean: the family name first, most of them without a space."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagesight.readers.article.text import HAN, has_han
from pagesight.readers.article.vocabulary import LANGUAGES, heading_kinds, listed

_CHINESE, _JAPANESE, _KOREAN = (LANGUAGES[name] for name in ("zh", "ja", "ko"))
_FAMILIES = frozenset("".join(_CHINESE["families"].split()))
_DOUBLE = tuple(listed(f"{_CHINESE['double_families']};{_KOREAN['double_families']}"))
_JAPANESE_FAMILIES = tuple(sorted(listed(_JAPANESE["families"]), key=len, reverse=True))
_NOT_NAMES = frozenset(listed(f"{_CHINESE['not_names']};{_KOREAN['not_names']}"))
LONGEST_GIVEN = 2  # characters
KANA = 0.1  # of the Chinese characters of a Japanese page; it has many more
_NAME = re.compile(rf"[{HAN}]{{2,5}}")
_SPACED_NAME = re.compile(rf"[{HAN}]{{1,3}} [{HAN}]{{1,3}}")
_HANGUL_NAME = re.compile(
    rf"(?:{'|'.join(listed(_KOREAN['double_families']))}|[{_KOREAN['families']}])\s?[가-힣]{{1,2}}"
)
_COMMA = re.compile(r"\s*[，、；]\s*")
_SPREAD = re.compile(rf"(?<![{HAN}])([{HAN}])\s+([{HAN}])(?![{HAN}])")  # 李 伟
_GAP = re.compile(rf"(?<=[{HAN}\d*])\s+(?=[{HAN}])")
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")


def is_eastern_name(text: str) -> bool:
    """Whether a text may be the name of a person in Chinese, Korean or Japanese: 山田 太郎."""
    if text in _NOT_NAMES:
        return False
    if not has_han(text):
        return bool(_HANGUL_NAME.fullmatch(text))
    if _SPACED_NAME.fullmatch(text):
        return not heading_kinds(text.split()[0])
    family = _family(text) if _NAME.fullmatch(text) else ""
    return bool(family) and len(text) - len(family) <= LONGEST_GIVEN


def divide_han(name: str, *, japanese: bool = False) -> tuple[str, str]:
    """Given and family name; some names may be Chinese and Japanese: 田中华, 田中健."""
    family = name.split()[0] if " " in name else _family(name, japanese=japanese) or name[:1]
    return name[len(family) :].strip(), family


def are_japanese(names: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether the names of a page are Japanese: one of them cannot be Chinese, or its text is."""
    if any(_family(name) in _JAPANESE_FAMILIES for name in names if _NAME.fullmatch(name)):
        return True
    other = [text for text in texts if not text.isascii()]
    kana, han = (sum(len(script.findall(text)) for text in other) for script in (_KANA, _HAN))
    return kana > KANA * han


def listed_han(text: str) -> str:
    """A list of names with semicolons for the commas and spaces between them."""
    text = _SPREAD.sub(r"\1\2", _COMMA.sub(";", text))
    parts = [re.sub(rf"[^{HAN}]", "", part) for part in _GAP.split(text)]
    names = [name for part in parts for name in part.split(";")]
    return _GAP.sub(";", text) if all(map(is_eastern_name, filter(None, names))) else text


def _family(name: str, *, japanese: bool = False) -> str:
    """The family name that a name begins with: a Japanese one if it has to be."""
    single = name[0] if name[0] in _FAMILIES else ""
    chinese = name[:2] if name[:2] in _DOUBLE and len(name) > 2 else single
    other = next(
        (family for family in _JAPANESE_FAMILIES if name.startswith(family) and name != family), ""
    )
    has_to = japanese or not chinese or len(name) - len(chinese) > LONGEST_GIVEN
    return other if other and has_to else chinese
