"""Figures 4 and 5 of the paper as tables, for the corpus of snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.learning.tables import table
from pagesight.watch.seed.figures import Figures, figures
from pagesight.watch.seed.page_index import PageIndex
from pagesight.watch.seed.training import learn_index

CORPUS = "snapshots"
FETCHES = 10  # as many as in the paper, the last ones


def figure_tables(corpora: Corpora, kinds: Sequence[str] = ("home", "gov")) -> list[str]:
    """Figures 4 and 5 as tables, for the pages of these kinds in the corpus of snapshots."""
    numbers = {site: figures(index) for site, index in _indices(corpora, kinds)}
    return [_figure_4(numbers), _figure_5(numbers)]


def _indices(corpora: Corpora, kinds: Sequence[str]) -> Iterator[tuple[str, PageIndex]]:
    """The page index of the last fetches of each page. A file that is listed twice is one fetch."""
    folder = corpora.folder_of(CORPUS)
    fetches: dict[str, dict[str, Row]] = {}
    for row in sorted(rows(folder), key=lambda row: row["time"]):
        if row["kind"] in kinds:
            fetches.setdefault(row["site"], {}).setdefault(row["file"], row)
    for site, listed in fetches.items():
        pages = [page for _, page in corpora.pages(folder, list(listed.values())[-FETCHES:])]
        if pages:
            yield site, learn_index(pages)


def _figure_4(numbers: Mapping[str, Figures]) -> str:
    listed = [(site, " ".join(map(str, one.components)), one.usual, one.kept)
              for site, one in numbers.items()]  # fmt: skip
    header = ("", "components by fetch", "as many as most", "kept")
    return table(header, listed, title="Figure 4: number of web components")


def _figure_5(numbers: Mapping[str, Figures]) -> str:
    listed = [
        (site, one.strong, one.weak, one.empty, float(median(one.icv_words)), max(one.icv_words),
         sum(one.icv_words), sum(one.icv_pictures))
        for site, one in numbers.items()
    ]  # fmt: skip
    header = ("", "strong", "weak", "of these empty", "words, median", "most", "all", "pictures")
    title = "Figure 5: components and the sizes of their ICVs"
    return table(header, listed, title=title, digits=1)
