"""Languages to write pages in: texts, names and places that read like theirs and mean nothing."""

from __future__ import annotations

import random
import re
import tomllib
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.vocabulary import LANGUAGES, listed

_TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "written.toml").read_text(encoding="utf-8")
)
_GENERAL = _TABLE.pop("general")
CLASSES = {role: listed(names) for role, names in _GENERAL.pop("classes").items()}
"""By role of an element the class names that say it."""
GENERAL: dict[str, list[str]] = {
    key: listed(value) if isinstance(value, str) else value for key, value in _GENERAL.items()
}
FOREIGN = tuple(name for name in _TABLE if name != "en")
NOBODYS = 0.25  # the share of foreign pages whose headings nobody knows, either
ENGLISH = 0.45  # the share of pages in English
UNKNOWN = 0.2  # the share of names that are in no list
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CIPHER = str.maketrans("aeioubcdfglmnprst", "eaoiudctvpnmlsrnz")
_CYRILLIC = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопкрстувшксз", strict=True))
_SMALL = _TABLE["en"]["small"].split()


class Tongue:
    """How a page is written: in English, another language, or one that nobody speaks."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        known = chance.random() < ENGLISH
        self.code = "en" if known else chance.choice(FOREIGN)
        self.block = _TABLE[self.code]
        self.script = self.block.get("script", "latin")
        self.strange = self.code != "en" and chance.random() < NOBODYS
        self._small = dict(zip(_SMALL, self.block["small"].split(), strict=False))

    @property
    def unspaced(self) -> bool:
        """Whether words are written without spaces between them."""
        return self.script in ("han", "japanese")

    # Words

    def said(self, english: str) -> str:
        """An English text in this language, or rather in none."""
        if self.code == "en":
            return english
        text = _WORD.sub(lambda word: self._word(word[0]), english)
        if not self.unspaced:
            return text
        for sign, own in ((". ", "。"), (", ", "，"), (" ", "")):
            text = text.replace(sign, own)
        return re.sub(r"\.$", "。", text)

    def _word(self, word: str) -> str:
        lowered = word.lower()
        if lowered in self._small:
            small: str = self._small[lowered]
            return small.capitalize() if word[0].isupper() else small
        if word.isupper() and self.script == "latin":
            return word
        return _capital_like(word, self._spelled(lowered))

    def _spelled(self, word: str) -> str:
        number = zlib.crc32(word.encode())
        if self.script == "cyrillic":
            return "".join(_CYRILLIC.get(letter, "ь") for letter in word)
        if self.script == "hangul":
            return "".join(chr(0xAC00 + (number >> 5 * at) % 11172) for at in range(2))
        if self.unspaced:
            return self._characters(number, 1 + len(word) // 5)
        letters = self.block.get("letters", "")
        text = word.translate(_CIPHER)
        if letters and number % 3 == 0 and len(text) > 3:
            at = 1 + number % (len(text) - 2)
            text = text[:at] + letters[number % len(letters)] + text[at + 1 :]
        return text

    def _characters(self, number: int, count: int) -> str:
        kinds = GENERAL["han"][0] + (2 * GENERAL["kana"][0] if self.script == "japanese" else "")
        return "".join(kinds[(number >> 4 * at) % len(kinds)] for at in range(count))

    # Names and places

    def named(self, name: Name) -> Name:
        """A name as people have them here."""
        chance, script = self.chance, self.script
        if script == "latin":
            family = name.family
            if self.code in ("es", "pt") and chance.random() < 0.5 and " " not in family:
                family = f"{family} {_capital_like('A', family[::-1].lower())}"
            if chance.random() < UNKNOWN:
                family = " ".join(part.translate(_CIPHER).title() for part in family.split())
            return Name(name.given, family)
        if script == "cyrillic":
            given, family = (self._spelled_name(part) for part in (name.given, name.family))
            return Name(given, family)
        families = LANGUAGES[self.code]["families"]
        own = listed(families) if script == "japanese" else list("".join(families.split()))
        given = "".join(
            chr(0xAC00 + chance.randrange(11172))
            if script == "hangul"
            else chance.choice(GENERAL["han"][0][:200])
            for _ in range(chance.choice((1, 2, 2)))
        )
        return Name(given, chance.choice(own))

    def _spelled_name(self, text: str) -> str:
        return " ".join(_capital_like(part, self._spelled(part.lower())) for part in text.split())

    def whole(self, name: Name) -> str:
        """Given and family name in the order in which they are said."""
        if self.script in ("latin", "cyrillic"):
            return name.whole
        return f"{name.family}{name.given}"

    def place(self, english: str) -> str:
        """Where somebody works; some in English as it is printed."""
        chance = self.chance
        if chance.random() < (0.7 if self.code == "en" else 0.15):
            return english
        towns = listed(self.block["towns"])
        town = chance.choice(towns)
        fields = [self.said(field) for field in GENERAL["fields"]]
        names = chance.sample(listed(self.block["at"]), min(chance.choice((1, 1, 2, 2, 3)), 4))
        fill = [town.split(",")[0].split(" ")[0], *fields]
        called = [name.replace("{}", chance.choice(fill)) for name in names]
        if self.unspaced:
            return f"{''.join(called)}{chance.choice(('，', ' ', ', '))}{town}"
        if chance.random() < 0.2:
            called.append(str(chance.randint(1000, 99999)) + " " + town)
        else:
            called.append(town)
        return ", ".join(called if chance.random() < 0.85 else called[:-1])

    # Captions

    def heading(self, kind: str) -> str:
        """What the heading of a part is called."""
        own = listed(LANGUAGES[self.code].get("headings", {}).get(kind, ""))
        if self.code == "en" or not own:
            own = listed(_TABLE["en"]["headings"][kind])
        return self._caption(own, capital=True)

    def sections(self) -> list[str]:
        """The headings of the text, in no order."""
        names = dict.fromkeys(self.heading("body") for _ in range(5))
        return sorted(names, key=lambda _: self.chance.random())

    def caption(self, kind: str) -> str:
        """A caption, or what is in a menu."""
        return self._caption(listed(self.block["captions"][kind]))

    def _caption(self, texts: Sequence[str], *, capital: bool = False) -> str:
        text = self.chance.choice(list(texts))
        if self.strange:
            text = _WORD.sub(lambda word: self._spelled_name(word[0]), text)
        return text[:1].upper() + text[1:] if capital else text


def _capital_like(word: str, text: str) -> str:
    return text[:1].upper() + text[1:] if word[:1].isupper() else text
