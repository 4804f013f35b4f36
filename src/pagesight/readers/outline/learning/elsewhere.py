"""Pages of other corpora that are tagged as carefully as those of the corpus of outlines.

Documentation and templates show few menus, cards, products and pieces of news; other pages do, and
most of them have tags that nobody took care of. Some have one h1 and skip no level.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora
from pagesight.readers.outline.learning.corpus import LabelledPage, OutlineExample
from pagesight.readers.zones.learning.landmarks import few_of_each_site, site_of

SOURCES = ("records", "titles", "snapshots")
KNOWN = "documentation"  # pages of the generators that the corpus of outlines is from
LEAST_HEADINGS, MOST_HEADINGS = 4, 150


def coherent_examples(corpora: Corpora) -> Iterator[OutlineExample]:
    """Pages of sites, a few of each, of the corpora that are there; their family is the site."""
    for corpus in SOURCES:
        try:
            folder = corpora.folder_of(corpus)
        except CorpusNotFound:
            continue
        listed = [row for row in few_of_each_site(corpora, corpus) if row.get("kind") != KNOWN]
        for row, page in corpora.pages(folder, listed):
            example = OutlineExample.of(f"{corpus}/{row['file']}", site_of(row), page)
            if is_coherent(example.page):
                yield example


def is_coherent(page: LabelledPage) -> bool:
    """Whether one heading is on the first level, and no level is skipped on the way down.

    Headings in front of the first level, such as those of a sidebar, may be on any other.
    """
    begins = np.flatnonzero(np.diff(page.heading, prepend=-1) * (page.heading >= 0))
    levels = page.levels[begins]
    return bool(
        LEAST_HEADINGS <= len(levels) <= MOST_HEADINGS
        and np.count_nonzero(levels == 1) == 1
        and levels.max() > 1
        and np.diff(levels).max(initial=0) <= 1
    )
