"""The abstract with its sections: below its heading, as labelled, or by its look."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from pagesight.readers.article.cues import CUES, SHORT_PIECES
from pagesight.readers.article.fields.headed import (
    before_sections,
    before_text,
    headed_abstract,
    without_tail,
)
from pagesight.readers.article.headings import heading_kinds
from pagesight.readers.article.labelling.labelled import LabelledZones
from pagesight.readers.article.labelling.labels import AFFILIATIONS
from pagesight.readers.article.names.reviews import NEAR_TITLE
from pagesight.readers.article.reading import Abstract, Section
from pagesight.readers.article.text import is_other_script
from pagesight.readers.article.zones import Zones

FRONT = ("title", "author", "affiliation", "dates", "correspondence")
LONGEST_ABSTRACT = 420  # words, but for sections with headings
FEWEST_BEFORE = 40  # words of an abstract by whose look it is told from the text
MOST_ALIKE = 4  # paragraphs that are looked at
OTHER_SIZE = 0.015  # by which the text of a PDF is larger or smaller than its abstract
_ABSTRACT = re.compile(
    rf"(?:{CUES['abstract'].pattern}|a\ b\ s\ t\ r\ a\ c\ t)\s*[:：.—–-]*\s*(?=[^\W_]|[“(\[])",
    re.IGNORECASE | re.VERBOSE,
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
        found, text = inline_heading(without_tail(_unheaded(texts[zone])))
        if not heading and not found and sections:
            last = sections.pop()
            sections.append(Section(heading=last.heading, text=f"{last.text}\n{text}"))
        else:
            sections.append(Section(heading=heading or found, text=text))
    text = "\n".join(_section_text(section) for section in sections)
    return Abstract(**labelled.value(text, best), sections=tuple(sections))


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
    own = _with_sections(texts, _trimmed(labelled, _likeliest_run(labelled)))
    last = max(labelled.of(*FRONT), default=start - 1)
    return own or before_text(texts, last + 1) or _by_look(labelled, start)


def _likeliest_run(labelled: LabelledZones) -> list[int]:
    """Of the runs that are labelled so one below a heading; of several the longest and surest."""
    runs: list[list[int]] = []
    for zone in before_sections(labelled.zones.texts, labelled.of("abstract")):
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


def _with_sections(texts: Sequence[str], own: list[int]) -> list[int]:
    """An abstract whose sections begin with headings, with those that follow it."""
    while own and own[-1] + 1 < len(texts) and inline_heading(texts[own[-1]])[0]:
        if not inline_heading(texts[own[-1] + 1])[0]:
            break
        own = [*own, own[-1] + 1]
    return own


def _headed(texts: Sequence[str], start: int, *, own: bool) -> list[int]:
    """The abstract that has a heading; if `own`, first that in the letters of the title."""
    same = [text if is_other_script(text) else "" for text in texts] if own else []
    return headed_abstract(same, start) or headed_abstract(texts, start)


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
