"""Which zones name the authors."""

from __future__ import annotations

import re

from pagesight.readers.article.cues import CUES
from pagesight.readers.article.headings import heading_kinds
from pagesight.readers.article.labelling.labelled import LabelledZones
from pagesight.readers.article.names.persons import bare_name, is_name, is_sure_name
from pagesight.readers.article.names.places import says_it_is_place
from pagesight.readers.article.names.reviews import is_review, reviewers
from pagesight.readers.article.names.roles import is_editors, is_letter
from pagesight.readers.article.text import in_own_letters
from pagesight.readers.article.zones import Zones

SURE = 0.5  # the confidence from which a label is believed
LONGEST_BETWEEN = 60  # words of a zone between names
NEAR = 40  # zones around an author in which others may stand
SURE_GROUP = re.compile(
    r"(?:the )?(?-i:[A-Z][\w-]*)(?: [\w&-]+){0,8} (?:collaborations?|consortium|investigators|"
    r"(?:study|working|research|trial) group|task force|trialists|collaborators)", re.IGNORECASE
)  # fmt: skip


def author_zones(labelled: LabelledZones) -> list[int]:
    """The author zones that belong together: those next to the title, if the model is sure."""
    texts, title = labelled.zones.texts, max(labelled.of("title"), default=-1)
    reviewing = reviewers(texts, title + 1)
    if reviewing and is_review(texts, title):
        return reviewing
    runs = labelled.runs("author", gap=30) or _first_name(labelled)
    if not runs:
        return reviewing
    sure = [run for run in runs if labelled.confidence[run].max() >= SURE]
    found = in_own_letters(texts, _with_alike(labelled, (sure or runs)[0]))
    kept = [
        zone
        for zone in found
        if not is_editors(texts, zone)
        and not says_it_is_place(texts[zone])
        and not is_letter(texts, zone)
    ]
    named = [zone for zone in kept if not CUES["correspondence"].match(texts[zone])]
    return named or kept or reviewing


def _first_name(labelled: LabelledZones) -> list[list[int]]:
    """Where no zone is labelled so: the first after the title that can hardly be but a name."""
    texts, last = labelled.zones.unmarked, max(labelled.of("title"), default=len(labelled.labels))
    for zone in range(last + 1, min(last + NEAR, len(texts))):
        name = bare_name(texts[zone])
        if is_sure_name(name) or SURE_GROUP.fullmatch(name):
            return [[zone]]
    return []


def _with_alike(labelled: LabelledZones, authors: list[int]) -> list[int]:
    """The author zones, and names near them in elements like theirs: a list repeats itself."""
    zones = labelled.zones
    if zones.page.info.media == "pdf":
        return authors
    kinds = {zones.kind_of(zones.nodes_of(zone)[0]) for zone in authors}
    found, at, last = set(authors), max(authors[0] - NEAR, 0), authors[-1]
    while at < min(last + NEAR, len(zones)) and (at <= authors[-1] or not _ends_names(zones, at)):
        if (
            labelled.labels[at] not in ("title", "reference")
            and zones.kind_of(zones.nodes_of(at)[0]) in kinds
            and is_name(bare_name(zones.unmarked[at]))
        ):
            found.add(at)
            last = max(last, at)
        at += 1
    return sorted(found)


def _ends_names(zones: Zones, zone: int) -> bool:
    """Whether no list of authors goes on behind a zone: names below are those of other articles."""
    text = zones.texts[zone]
    return bool(heading_kinds(text)) or len(text.split()) > LONGEST_BETWEEN
