"""The abstract with its sections: below its heading, or as labelled."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from pagesight.readers.article.labelling.labels import AFFILIATIONS, LabelledZones
from pagesight.readers.article.reading import Abstract, Section
from pagesight.readers.article.rules import rule
from pagesight.readers.article.text import is_other_script, size_in_words, words
from pagesight.readers.article.vocabulary import CUES, SHORT_PIECES, heading_kinds
from pagesight.readers.article.zones import Zones

FRONT = ("title", "author", "affiliation", "dates", "correspondence")
LONGEST_ABSTRACT = 420  # words, except where sections have headings
NEAR_TITLE = 8  # zones above the end of the title that may state the kind of article
FEWEST_BEFORE = 40  # words of an abstract by whose look it is told from the text
MOST_ALIKE = 4  # paragraphs that are looked at
OTHER_SIZE = 0.015  # by which the text of a PDF is larger or smaller than its abstract
_ABSTRACT = re.compile(
    rf"(?:{CUES['abstract'].pattern}|a b s t r a c t)\s*[:：.—–-]*\s*(?=[^\W_]|[“(\[])",
    re.IGNORECASE,
)
_INLINE_HEADING = re.compile(r"([A-Z][\w/&’' -]{2,45}?)\s*[:.—–]\s+(?=\S)")


def abstract(labelled: LabelledZones) -> Abstract | None:
    """The abstract with its sections."""
    best = _main_abstract(labelled)
    if not best:
        return None
    texts = labelled.zones.texts
    sections: list[Section] = []
    for zone in best:
        heading = _heading_before(labelled, zone)
        found, text = inline_heading(_unheaded(texts[zone]))
        if not heading and not found and sections:
            last = sections.pop()
            sections.append(Section(heading=last.heading, text=f"{last.text}\n{text}"))
        else:
            sections.append(Section(heading=heading or found, text=text))
    text = "\n".join(_section_text(section) for section in sections)
    return Abstract(**labelled.value(text, best), sections=tuple(sections))  # type: ignore[arg-type]


def _main_abstract(labelled: LabelledZones) -> list[int]:
    """The zones of the abstract: below its heading, if it has one; otherwise as labelled.

    Where an abstract ends is told better by the next heading than by the labels.
    """
    texts, titles = labelled.zones.texts, labelled.of("title")
    start = titles[-1] + 1 if titles else 0
    if headed := _headed(texts, start, own=bool(titles) and is_other_script(texts[titles[0]])):
        return headed
    if any(SHORT_PIECES.match(text) for text in texts[max(start - NEAR_TITLE, 0) : start + 2]):
        return []
    own = _trimmed(labelled, _likeliest_run(labelled))
    last = max(labelled.of(*FRONT), default=start - 1)
    return own or before_text(texts, last + 1) or _by_look(labelled, start)


def _likeliest_run(labelled: LabelledZones) -> list[int]:
    """Of the runs that are labelled so one below a heading; of several the longest and surest."""
    runs: list[list[int]] = []
    for zone in labelled.of("abstract"):
        between = labelled.labels[runs[-1][-1] + 1 : zone] if runs else ["none"]
        if all(label == "abstract heading" for label in between):
            runs[-1].append(zone)
        else:
            runs.append([zone])
    texts, labels = labelled.zones.texts, labelled.labels

    def weight(run: list[int]) -> tuple[bool, float]:
        headed = run[0] > 0 and labels[run[0] - 1] == "abstract heading"
        return headed, float(sum(labelled.confidence[zone] * len(texts[zone]) for zone in run))

    return max(runs, key=weight, default=[])


@rule(lambda *_, **__: [])
def _headed(texts: Sequence[str], start: int, *, own: bool) -> list[int]:
    """The abstract that has a heading; if `own`, first that in the letters of the title."""
    same = [text if is_other_script(text) else "" for text in texts] if own else []
    return headed_abstract(same, start) or headed_abstract(texts, start)


@rule(lambda _labelled, run: run)
def _trimmed(labelled: LabelledZones, run: list[int]) -> list[int]:
    """An abstract without the paragraphs that make it longer than abstracts are."""
    kept: list[int] = []
    total = 0
    for zone in _in_one_look(labelled.zones, run):
        total += len(labelled.zones.texts[zone].split())
        if kept and total > LONGEST_ABSTRACT and not _heading_before(labelled, zone):
            break
        kept.append(zone)
    return kept


@rule(lambda *_: [])
def _by_look(labelled: LabelledZones, start: int) -> list[int]:
    """The first paragraph of a PDF, if it looks otherwise than those that follow it."""
    zones = labelled.zones
    if zones.page.info.media != "pdf":
        return []
    others = {*labelled.of("author", "reference", *AFFILIATIONS, "correspondence")}
    long = np.flatnonzero(zones.words >= FEWEST_BEFORE).tolist()
    wordy = [zone for zone in long if zone >= start and zone not in others]
    first = _in_one_look(zones, wordy[:MOST_ALIKE])
    size = zones.words[first].sum()
    return first if len(first) < len(wordy[:MOST_ALIKE]) and size <= LONGEST_ABSTRACT else []


@rule(lambda _zones, run: run)
def _in_one_look(zones: Zones, run: list[int]) -> list[int]:
    """Zones up to where a PDF goes on otherwise than its abstract: in another size, not bold."""
    if zones.page.info.media != "pdf" or not run or zones.words[run[0]] < FEWEST_BEFORE:
        return run
    first = run[0]
    size = zones.font_size
    others = (
        rank
        for rank, zone in enumerate(run)
        if zones.words[zone] >= FEWEST_BEFORE
        and (
            zones.bold[zone] != zones.bold[first]
            or zones.italic[zone] != zones.italic[first]
            or abs(size[zone] - size[first]) > OTHER_SIZE * size[first]
        )
    )
    return run[: next(others, len(run))]


def _section_text(section: Section) -> str:
    return f"{section.heading}: {section.text}" if section.heading else section.text


def _heading_before(labelled: LabelledZones, zone: int) -> str:
    """The heading of a section, if one stands in front of the zone."""
    if zone and labelled.labels[zone - 1] == "abstract heading":
        text = labelled.zones.texts[zone - 1]
        if "abstract" not in heading_kinds(text):
            return text.strip(" :.[]")
    return ""


@rule(lambda text: text)
def _unheaded(text: str) -> str:
    """An abstract without ``Abstract`` in the same zone."""
    found = _ABSTRACT.match(text)
    return text[found.end() :] if found else text


def inline_heading(text: str) -> tuple[str, str]:
    """The heading that a paragraph begins with, if it is that of a section; and the rest."""
    found = _INLINE_HEADING.match(text)
    if found and "abstract part" in heading_kinds(found[1]):
        return found[1], text[found.end() :]
    return "", text


# By its heading: what follows ``Abstract``, up to a heading of another kind

PARAGRAPH = 12  # words
FEWEST_WORDS = 20
MOST_WORDS = 900  # more than that is no abstract
LONGEST_PART = 5  # words of the heading of a section
LONGEST_LEAD = 100  # characters in which such a heading ends
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


@rule(lambda *_: False)
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


@rule(lambda *_: [])
def before_text(texts: Sequence[str], start: int) -> list[int]:
    """The paragraphs from `start` on up to the heading of the text: an abstract without heading."""
    found: list[int] = []
    for zone in range(start, len(texts)):
        kinds = heading_kinds(texts[zone])
        if "body" in kinds:
            size = sum(size_in_words(texts[each]) for each in found)
            return found if FEWEST_WORDS <= size <= LONGEST_ABSTRACT else []
        if kinds and "abstract part" not in kinds:
            return []
        if _is_text(texts[zone], headed=False, broken=False) and not _NOTICE.search(texts[zone]):
            found.append(zone)
    return []


_NOTICE = re.compile(r"copyright|©|licen[sc]e|creative commons|correspond|@", re.IGNORECASE)
