"""The abstract with its sections: below its heading, or as labelled."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from pagesight.readers.article.labelling.labels import FIELDS, LabelledZones
from pagesight.readers.article.labelling.sections import (
    headed_abstract,
    headed_runs,
    is_broken,
    says_otherwise,
    unheaded_abstract,
)
from pagesight.readers.article.reading import Abstract, Section
from pagesight.readers.article.vocabulary import CUES, SHORT_PIECES, heading_kinds
from pagesight.segment.text import rejoined

NEAR_TITLE = 8  # zones above the end of the title that may state the kind of article
FEWEST_IN_RECORD = 40  # words of the only paragraph of a record, if it is its abstract
LONGEST_ABSTRACT = 420  # words of one without a heading
_ABSTRACT = re.compile(
    rf"(?:{CUES['abstract'].pattern}|a b s t r a c t)\s*[:：.—–-]*\s*(?=[^\W_]|[“(\[])",
    re.IGNORECASE,
)
_NOTICE = re.compile(r"copyright|©|licen[sc]e|creative commons|correspond|@", re.IGNORECASE)
_LICENCE = re.compile(
    r"creative commons|all rights reserved|under the terms of|©\s*(?:the|\d)", re.IGNORECASE
)
_INLINE_HEADING = re.compile(r"([A-Z][\w/&’' -]{2,45}?)\s*[:.—–]\s+(?=\S)")


def abstract(labelled: LabelledZones) -> Abstract | None:
    """The abstract with its sections."""
    best = _trimmed(labelled, _likeliest_run(labelled) or _unlabelled(labelled))
    if not best or (_is_short_piece(labelled) and not _is_headed(labelled, best)):
        return None  # letters and the like have one only if a heading says so
    texts = labelled.zones.texts
    sections: list[Section] = []
    for zone in best:
        heading = _heading_before(labelled, zone)
        inline, text = inline_heading(_unheaded(texts[zone]))
        if not heading and not inline and sections:
            last = sections.pop()
            sections.append(replace(last, text=_joined(last.text, text)))
        else:
            sections.append(Section(heading=heading or inline, text=text))
    texts = [f"{part.heading}: {part.text}" if part.heading else part.text for part in sections]
    text = "\n".join(texts)
    return Abstract(**labelled.value(text, best, "abstract"), sections=tuple(sections))


def _joined(above: str, below: str) -> str:
    """Two paragraphs, or one that the end of a column or sheet has divided."""
    if is_broken(above) and below[:1].islower():
        return rejoined(f"{above} {below}")
    return f"{above}\n{below}"


def _unlabelled(labelled: LabelledZones) -> list[int]:
    """Where no zone is labelled so: the abstract by its heading, or by that of the text below."""
    zones, titles = labelled.zones, labelled.of("title")
    start = titles[-1] + 1 if titles else 0
    others = {*labelled.of(*FIELDS), *range(start)}
    others |= {zone for zone, text in enumerate(zones.texts) if _NOTICE.search(text)}
    above = unheaded_abstract(zones.texts, zones.kinds)
    headed = headed_abstract(zones.texts, start, zones.beyond, zones.kinds)
    unheaded = [zone for zone in above if zone not in others]
    return headed or unheaded or _only_paragraph(labelled, others)


def _only_paragraph(labelled: LabelledZones, others: set[int]) -> list[int]:
    """The one long paragraph of a record, which has no text below its abstract."""
    long = np.flatnonzero(labelled.zones.words >= FEWEST_IN_RECORD).tolist()
    paragraphs = [zone for zone in long if not says_otherwise(labelled.zones.texts[zone])]
    return [zone for zone in paragraphs if len(paragraphs) == 1 and zone not in others]


def _is_short_piece(labelled: LabelledZones) -> bool:
    """Whether the title, or a line near it, says that it is a letter, a correction or the like."""
    end = max(labelled.of("title"), default=-1) + 1
    near = labelled.zones.texts[max(end - NEAR_TITLE, 0) : end + 2]
    return any(map(SHORT_PIECES.match, near))


def _is_headed(labelled: LabelledZones, run: list[int]) -> bool:
    labelled_so = labelled.labels[run[0] - 1 : run[0]] == ["abstract heading"]
    return labelled_so or _is_named(labelled, run)


def _is_named(labelled: LabelledZones, run: list[int]) -> bool:
    """Whether a heading, or the text itself, says that it is the abstract."""
    above = labelled.zones.kinds[run[0] - 1] if run[0] else frozenset()
    return "abstract" in above or "abstract" in labelled.zones.cues[run[0]]


def _likeliest_run(labelled: LabelledZones) -> list[int]:
    """Of the runs that are labelled so one below a heading; of several the longest and surest."""
    runs: list[list[int]] = []
    for zone in labelled.of("abstract"):
        between = labelled.labels[runs[-1][-1] + 1 : zone] if runs else ["none"]
        if all(label == "abstract heading" for label in between):
            runs[-1].append(zone)
        else:
            runs.append([zone])
    texts = labelled.zones.texts

    def weight(run: list[int]) -> tuple[bool, bool, float]:
        sizes = (labelled.confidence[zone] * len(texts[zone]) for zone in run)
        return _is_named(labelled, run), _is_headed(labelled, run), float(sum(sizes))

    return max(runs, key=weight, default=[])


def _trimmed(labelled: LabelledZones, run: list[int]) -> list[int]:
    """An abstract without what does not go with its heading, or makes it longer than abstracts.

    One without heading ends before the first heading of the text; none continues below a licence,
    unless that is in the midst of a sentence, at the foot of a sheet.
    """
    zones = labelled.zones
    licences = [zone for zone in run[1:] if _LICENCE.search(zones.texts[zone])]
    ends = (zone for zone in licences if not is_broken(zones.texts[zone - 1]))
    end = next(ends, len(zones))
    run = [zone for zone in run if zone < end and zone not in licences]
    headed = headed_runs(zones.texts, beyond=zones.beyond, kinds=zones.kinds)
    for whole in (*(below for _, below in headed), unheaded_abstract(zones.texts, zones.kinds)):
        if kept := [zone for zone in run if zone in whole]:
            return kept
    sizes = np.cumsum(zones.words[run])
    return run[: max(int(np.searchsorted(sizes, LONGEST_ABSTRACT, side="right")), 1)]


def _heading_before(labelled: LabelledZones, zone: int) -> str:
    """The heading of a section, if there is one right before the zone."""
    if zone and labelled.labels[zone - 1] == "abstract heading":
        text, kinds = labelled.zones.texts[zone - 1], labelled.zones.kinds[zone - 1]
        if not kinds or "abstract part" in kinds:
            return text.strip(" :.[]")
    return ""


def _unheaded(text: str) -> str:
    """An abstract without ``Abstract`` in the same zone."""
    heading = _ABSTRACT.match(text)
    return text[heading.end() :] if heading else text


def inline_heading(text: str) -> tuple[str, str]:
    """The heading that a paragraph begins with, if it is that of a section; and the rest."""
    heading = _INLINE_HEADING.match(text)
    if heading and "abstract part" in heading_kinds(heading[1]):
        return heading[1], text[heading.end() :]
    return "", text
