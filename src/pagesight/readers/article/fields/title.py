"""The title: the zones that are labelled so."""

from __future__ import annotations

import re

from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.reading import ArticleValue

_FOOTNOTE = re.compile(r"[\s]*[*†‡§¶#☆★✩∗]+$")


def title(labelled: LabelledZones) -> ArticleValue | None:
    """The title: of several places the most confident, without the marks of footnotes."""
    runs = labelled.runs("title")
    if not runs:
        return None
    best = max(runs, key=lambda run: (labelled.confidence[run].mean(), -run[0]))
    text = " ".join(labelled.zones.texts[zone] for zone in best)
    return ArticleValue(**labelled.value(_FOOTNOTE.sub("", text), best))
