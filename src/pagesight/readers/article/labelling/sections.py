"""What follows the headings of abstracts: a feature, and where labels to learn from come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pagesight.readers.article.vocabulary import CUES, GENERAL, heading_kinds, listed
from pagesight.segment.text import size_in_words, words

PARAGRAPH = 12  # words
FEWEST_WORDS = 20
MOST_WORDS = 900  # more than that is not an abstract
LONGEST_UNHEADED = 420  # words of an abstract without heading
LONGEST_PART = 5  # words of the heading of a section
LONGEST_LEAD = 100  # characters in which such a heading ends
INTRODUCTIONS = ("introdu", "einleitung")  # begin the text, unless they begin the abstract
PLAIN = frozenset(listed(GENERAL["plain_abstracts"]))
MOST_SKIPPED = 5  # zones between the heading and the text: links to a picture, say

Beyond = Callable[[int, int], int]
"""The first zone after the innermost element around two zones."""

Kinds = Sequence[frozenset[str]]
"""Which headings each zone may be."""


def headed_abstract(
    texts: Sequence[str], start: int, beyond: Beyond | None = None, kinds: Kinds | None = None
) -> list[int]:
    """The zones of the abstract after `start` that has a heading, if there is one."""
    return main_run(texts, headed_runs(texts, start, beyond, kinds))


def main_run(texts: Sequence[str], runs: Sequence[tuple[int, list[int]]]) -> list[int]:
    """Of several abstracts the first whose heading is just ``Abstract``.

    Others are called graphical, structured, or a summary. What comes first in another language is
    in that of the article.
    """
    plain = (run for heading, run in runs if words(texts[heading])[0] in PLAIN)
    return next(plain, runs[0][1] if runs else [])


def headed_runs(
    texts: Sequence[str],
    start: int = 0,
    beyond: Beyond | None = None,
    kinds: Kinds | None = None,
) -> list[tuple[int, list[int]]]:
    """The headings of abstracts, and the zones below each of them that go with it.

    An abstract ends with the element around its heading and its first paragraph, unless a heading
    of its own begins another section. Which headings there are is seen by the texts alone if it is
    not said by `kinds`.
    """
    kinds = kinds or list(map(heading_kinds, texts))
    runs = []
    for zone in range(start, len(texts)):
        if "abstract" in kinds[zone]:
            run = _paragraphs(texts, kinds, zone + 1)
        elif _is_introduced(texts[zone]):
            run = _paragraphs(texts, kinds, zone)
        else:
            continue
        if beyond and run and run[0] > zone:  # what begins with its heading has no box of its own
            end = beyond(zone, run[0])
            run = [at for at in run if at < end or "abstract part" in kinds[at - 1]]
        if sum(size_in_words(texts[at]) for at in run) >= FEWEST_WORDS:
            runs.append((zone, run))
    return runs


def _is_introduced(text: str) -> bool:
    """Whether a text is an abstract, and begins by saying so."""
    if len(text) <= 2 * FEWEST_WORDS or not CUES["abstract"].match(text):
        return False
    return size_in_words(text) > FEWEST_WORDS


def unheaded_abstract(texts: Sequence[str], kinds: Kinds) -> list[int]:
    """The paragraphs right before the first heading of the text, no more than an abstract has."""
    end = next((zone for zone, kinds_of_zone in enumerate(kinds) if "body" in kinds_of_zone), 0)
    run: list[int] = []
    size = 0
    for zone in range(end - 1, -1, -1):
        size += size_in_words(texts[zone])
        if kinds[zone] or size > LONGEST_UNHEADED:
            break
        if is_paragraph(texts[zone]):
            run.insert(0, zone)
    return run


def is_paragraph(text: str) -> bool:
    """Whether a text may be a paragraph of an abstract, by itself."""
    return size_in_words(text) >= PARAGRAPH and not says_otherwise(text)


def _paragraphs(texts: Sequence[str], kinds: Kinds, start: int) -> list[int]:
    run: list[int] = []
    heading = ""  # that comes right before
    seen: set[str] = set()  # headings: the second "Background" is that of the text
    for zone in range(start, len(texts)):
        text = texts[zone]
        broken = bool(run) and is_broken(texts[run[-1]])
        if _is_text(text, headed=bool(heading), broken=broken):
            run.append(zone)
            heading = ""
            seen.add(_inline_heading(text))
        elif (
            _is_part(text, kinds[zone], begun=bool(run)) and not heading and _key(text) not in seen
        ):
            heading = text
            seen.add(_key(text))
        elif any(char.isalnum() for char in text) and (
            run or kinds[zone] or zone - start >= MOST_SKIPPED
        ):
            break
    size = sum(size_in_words(texts[zone]) for zone in run)
    return run if size < MOST_WORDS else run[:1]


def is_broken(text: str) -> bool:
    """Whether a text ends in the midst of a sentence."""
    return not text.endswith((".", "?", "!", ")", "]", "。"))


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


def _is_part(text: str, kinds: frozenset[str], *, begun: bool) -> bool:
    """Whether a text is the heading of a section of an abstract, of which some is `begun`."""
    if begun and any(word.startswith(INTRODUCTIONS) for word in words(text)):
        return False
    return "abstract part" in kinds or (begun and words(text) == ["summary"])


def says_otherwise(text: str) -> bool:
    """Whether a text says of itself that it is not a part of an abstract."""
    cues = ("keywords", "citation", "editor", "dates", "correspondence")
    return any(CUES[cue].match(text) for cue in cues)
