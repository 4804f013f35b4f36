"""When and under which DOI an article was published, by what the front matter says."""

from __future__ import annotations

import re

from pagesight.readers.article.cues import JOURNAL
from pagesight.readers.article.identifiers import DOI, YEAR
from pagesight.readers.article.labelling.labelled import LabelledZones

_PUBLISHED = re.compile(r"publish|online|issue|volume|vol\.|©|copyright", re.IGNORECASE)


def doi(labelled: LabelledZones) -> str | None:
    """The DOI that the front matter shows most often."""
    end = min(labelled.of("body", "reference"), default=len(labelled.labels))
    start = max(end - 400, 0)
    found = [mail for zone in range(start, end) for mail in DOI.findall(labelled.zones.texts[zone])]
    return max(found, key=found.count) if found else None


def year(labelled: LabelledZones) -> str | None:
    """The year in which the front matter says that the article was published."""
    front = labelled.of("dates", "front", "before")
    said = [labelled.zones.texts[zone] for zone in front]
    published = [text for text in said if _PUBLISHED.search(text) or JOURNAL.search(text)]
    years = [found[:4] for text in published for found in YEAR.findall(text)]
    return max(years, key=years.count) if years else None
