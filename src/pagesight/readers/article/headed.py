"""The abstract by its heading: what follows ``Abstract``, up to a heading of another kind."""

from __future__ import annotations

from collections.abc import Sequence

from pagesight.readers.article.lexicon import CUES, heading_kinds

PARAGRAPH = 12  # words
FEWEST_WORDS = 20
MOST_WORDS = 900  # more than that is no abstract


def headed_abstract(texts: Sequence[str], start: int) -> list[int]:
    """The zones of the first abstract after `start` that has a heading, if there is one."""
    for zone in range(start, len(texts) - 1):
        following = sum(len(text.split()) for text in texts[zone + 1 : zone + 4])
        if "abstract" in heading_kinds(texts[zone]) and following >= FEWEST_WORDS:
            return _paragraphs(texts, zone + 1)
        if CUES["abstract"].match(texts[zone]) and len(texts[zone].split()) > FEWEST_WORDS:
            return _paragraphs(texts, zone)
    return []


def _paragraphs(texts: Sequence[str], zone: int) -> list[int]:
    found: list[int] = []
    while zone < len(texts):
        text = texts[zone]
        words = text.split()
        sentence = len(words) >= 4 and text.endswith(".")
        kinds = heading_kinds(text)
        if (len(words) >= PARAGRAPH or (sentence and found)) and not says_otherwise(text):
            found.append(zone)
        elif not any(char.isalnum() for char in text):
            pass  # a colon, say
        elif "abstract part" not in kinds or (found and "introduction" in text.lower()):
            break
        zone += 1
    size = sum(len(texts[zone].split()) for zone in found)
    return found if size < MOST_WORDS else found[:1]


def says_otherwise(text: str) -> bool:
    """Whether a text says of itself that it is no part of an abstract."""
    cues = ("keywords", "citation", "editor", "dates", "correspondence")
    return any(CUES[cue].match(text) for cue in cues)
