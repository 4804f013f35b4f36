"""The abstract by its heading: what follows ``Abstract``, up to a heading of another kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagesight.readers.article.cues import CUES
from pagesight.readers.article.headings import heading_kinds
from pagesight.readers.article.text import size_in_words, words

PARAGRAPH = 12  # words
FEWEST_WORDS = 20
MOST_WORDS = 900  # more than that is no abstract
LONGEST_PART = 5  # words of the heading of a section
LONGEST_UNHEADED = 420  # words of an abstract without heading
LONGEST_LEAD = 100  # characters in which such a heading ends
FEWEST_SECTIONS = 3  # of an abstract that has some
INTRODUCTIONS = ("introdu", "einleitung")  # begin the text, unless they begin the abstract
OWN = frozenset(  # what abstracts are called, and nothing else is
    """
    abstract zusammenfassung resume resumen resumo riassunto samenvatting sammanfattning
    streszczenie
    """.split()
)
MOST_SKIPPED = 5  # zones between the heading and the text: links to a picture, say


def headed_abstract(texts: Sequence[str], start: int) -> list[int]:
    """The zones of the abstract after `start` that has a heading, if there is one.

    Of several the first whose heading is just ``Abstract``: others are called graphical,
    structured, or a summary. What comes first in another language is in that of the article.
    """
    found: list[list[int]] = []
    for zone in range(start, len(texts)):
        if "abstract" in heading_kinds(texts[zone]):
            own = _paragraphs(texts, zone + 1)
        elif CUES["abstract"].match(texts[zone]) and size_in_words(texts[zone]) > FEWEST_WORDS:
            own = _paragraphs(texts, zone)
        else:
            continue
        if sum(size_in_words(texts[each]) for each in own) >= FEWEST_WORDS:
            found.append(own)
            if words(texts[zone])[0] in OWN:
                return own
    return found[0] if found else []


def _paragraphs(texts: Sequence[str], start: int) -> list[int]:
    found: list[int] = []
    heading = ""  # that comes right before
    seen: set[str] = set()  # headings: the second "Background" is that of the text
    for zone in range(start, len(texts)):
        text = texts[zone]
        kinds = heading_kinds(text)
        broken = bool(found) and not texts[found[-1]].endswith((".", "?", "!", ")", "]", "。"))
        if _is_text(text, headed=bool(heading), broken=broken):
            found.append(zone)
            heading = ""
            seen.add(_inline_heading(text))
        elif _is_part(text, kinds, found=bool(found)) and not heading and _key(text) not in seen:
            heading = text
            seen.add(_key(text))
        elif any(char.isalnum() for char in text) and (
            found or kinds or zone - start >= MOST_SKIPPED
        ):
            break
    size = sum(size_in_words(texts[zone]) for zone in found)
    return found if size < MOST_WORDS else found[:1]


def _key(text: str) -> str:
    return " ".join(words(text))


def _inline_heading(text: str) -> str:
    """What a paragraph begins with, up to a colon, if that is a heading; folded."""
    head, colon, _ = text[:LONGEST_LEAD].partition(":")
    return _key(head) if colon and heading_kinds(head) else ""


def _is_text(text: str, *, headed: bool, broken: bool) -> bool:
    """Whether a text is a paragraph of an abstract, or the rest of one."""
    if says_otherwise(text):
        return False
    size = size_in_words(text)
    short = size >= 4 and text.endswith((".", "。")) and (headed or _begins_part(text))
    return size >= PARAGRAPH or short or (broken and text[:1].islower())


def _begins_part(text: str) -> bool:
    """Whether a paragraph begins with the heading of a section: ``Design A cohort study``."""
    parts = text.split()
    return any(
        "abstract part" in heading_kinds(" ".join(parts[:size])) and not parts[size][:1].islower()
        for size in range(1, min(len(parts), LONGEST_PART + 1))
    )


def _is_part(text: str, kinds: frozenset[str], *, found: bool) -> bool:
    """Whether a text is the heading of a section of an abstract, of which some is `found`."""
    if found and any(word.startswith(INTRODUCTIONS) for word in words(text)):
        return False
    return "abstract part" in kinds or (found and words(text) == ["summary"])


def says_otherwise(text: str) -> bool:
    """Whether a text says of itself that it is no part of an abstract."""
    cues = ("keywords", "citation", "editor", "dates", "correspondence")
    return any(CUES[cue].match(text) for cue in cues)


def before_text(texts: Sequence[str], start: int) -> list[int]:
    """The paragraphs from `start` on up to the heading of the text: an abstract without heading."""
    found: list[int] = []
    for zone in range(start, len(texts)):
        kinds = heading_kinds(texts[zone])
        if "body" in kinds:
            size = sum(size_in_words(texts[each]) for each in found)
            return found if FEWEST_WORDS <= size <= LONGEST_UNHEADED else []
        if kinds and "abstract part" not in kinds:
            return []
        if _is_text(texts[zone], headed=False, broken=False) and not _NOTICE.search(texts[zone]):
            found.append(zone)
    return []


def before_sections(texts: Sequence[str], zones: list[int]) -> list[int]:
    """Of zones that may be an abstract without heading those before the sections of the text.

    Some abstracts have such sections, which are short and several, or begin with one.
    """
    if (
        not zones
        or _begins_section(texts[zones[0]])
        or _begins_section(texts[max(zones[0] - 1, 0)])
        or _inline_heading(texts[zones[0]])
    ):
        return zones
    span = range(zones[0] + 1, zones[-1] + 1)
    sections = [zone for zone in span if _begins_section(texts[zone])]
    size = sum(size_in_words(texts[zone]) for zone in zones)
    if not sections or (len(sections) >= FEWEST_SECTIONS and size <= LONGEST_UNHEADED):
        return zones
    return [zone for zone in zones if zone < sections[0]]


def _begins_section(text: str) -> bool:
    """Whether a text is the heading of a section, or begins with one that stands out."""
    if "body" in heading_kinds(text):
        return True
    parts = text[:LONGEST_LEAD].split()
    for size in range(1, min(len(parts), LONGEST_PART + 1)):
        head = " ".join(parts[:size])
        stands_out = head.endswith((".", ":", "—", "–")) or head.isupper()
        if stands_out and "body" in heading_kinds(head) and not parts[size][:1].islower():
            return True
    return False


def without_tail(text: str) -> str:
    """A paragraph of an abstract without the abbreviations and keywords that end it."""
    found = _TAIL.search(text)
    return text[: found.start()].rstrip() if found else text


_TAIL = re.compile(r"(?<=[.!?)])\s+(?:Abbreviations?|Key\s?words?|Index terms)\s?[:=—–]")
_NOTICE = re.compile(r"copyright|©|licen[sc]e|creative commons|correspond|@", re.IGNORECASE)
