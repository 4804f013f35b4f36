"""How often both renderers lead to the same fields of articles, with the weights as shipped.

    python benchmarks/fields.py

The pages come from the corpora, see `PAGESIGHT_CORPORA`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pagesight.learning.corpora import Corpora, rows
from pagesight.learning.tables import show, table
from pagesight.readers.article.labelling.weights import CALIBRATED
from pagesight.readers.article.learning.corpus import CORPUS, INDEX
from pagesight.readers.article.learning.scoring import (
    count_persons,
    count_texts,
    names_of,
    texts_of,
)
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.reading import ArticleReading
from pagesight.segment.text import dice

SAME = 0.95  # Dice of texts, and F1 of lists, from which two readings say the same


def compared(corpora: Corpora) -> tuple[str, str]:
    """How often both renderers lead to the same fields, and the pages where they do not."""
    folder = corpora.folder_of(CORPUS)
    listed = rows(folder, INDEX)
    one, other = (
        {
            row["file"]: read_article(page, metadata="ignore")
            for row, page in Corpora(corpora.folder, name).pages(folder, listed)
        }
        for name in ("chromium", "embedded")
    )
    both = [row for row in listed if row["file"] in one and row["file"] in other]
    same = {row["file"]: agreement(one[row["file"]], other[row["file"]]) for row in both}
    shares = []
    for split in ("train", "dev"):
        verdicts = np.array([same[row["file"]] for row in both if row["split"] == split])
        if len(verdicts):
            shares.append([split, *verdicts.mean(axis=0).tolist(), verdicts.all(axis=1).mean()])
    title = f"Both renderers: {len(both)} of {len(listed)} pages, with the weights as shipped"
    return table(["same fields", *CALIBRATED, "all"], shares, title=title), _different(same)


def _different(same: Mapping[str, Sequence[bool]]) -> str:
    """The pages on which two renderers lead to different fields, and these."""
    return "\n".join(
        f"  {file}: {', '.join(wrong)}"
        for file, verdicts in same.items()
        if (wrong := [name for name, right in zip(CALIBRATED, verdicts, strict=True) if not right])
    )


def agreement(one: ArticleReading, other: ArticleReading) -> list[bool]:
    """For each field whether two readings say the same, as far as the measures see."""
    texts = [
        [value.text if value else "" for value in (reading.title, reading.abstract)]
        for reading in (one, other)
    ]
    title, abstract = (dice(*pair) for pair in zip(*texts, strict=True))
    likeness = (
        title,
        count_persons(names_of(one), names_of(other)).f,
        count_texts(texts_of(one.affiliations), texts_of(other.affiliations)).f,
        abstract,
        count_texts(texts_of(one.references), texts_of(other.references)).f,
    )
    return [alike >= SAME for alike in likeness]


if __name__ == "__main__":
    show(*compared(Corpora()))
