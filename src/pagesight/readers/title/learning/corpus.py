"""The titles corpus: pages with their titles, as cases to learn from and to be judged by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pagesight.errors import PagesightError
from pagesight.readers import corpora as corpora_
from pagesight.readers.title.address import PageAddress, registered_domain
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.reader import Case
from pagesight.readers.title.seen import SeenTexts, clues_of_page
from pagesight.readers.title.text import similarity

CORPUS = "titles"
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page of the corpus with its right title."""

    name: str
    kind: str
    title: str
    fold: int
    case: Case

    @property
    def likenesses(self) -> list[float]:
        """How like the right title each candidate is."""
        return [similarity(candidate.text, self.title) for candidate in self.case.candidates]


def fold_of(url: str) -> int:
    """Pages of one registered domain are in one fold."""
    domain = registered_domain(PageAddress(url).host)
    return int(hashlib.sha256(domain.encode()).hexdigest(), 16) % FOLDS


def parsed_pages(
    corpora: Path | None = None,
    *,
    addressed: bool = True,
    take: Callable[[Sequence[corpora_.Row]], Sequence[corpora_.Row]] = lambda rows: rows,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[Labelled]:
    """The pages of the corpus, only parsed; `take` chooses from its lines.

    Those that are not `addressed` are as if nobody knew their addresses, themselves neither.
    A page forgets its document when the next one is asked for: there are too many to keep.
    """
    folder = corpora_.corpus_folder(CORPUS, corpora)
    for row in take(corpora_.rows(folder)):
        data = (folder / row["file"]).read_bytes()
        labelled = _labelled(row, _known(clues_of_markup(data, row["url"]), addressed))
        yield labelled
        labelled.case.clues.forget()
        advance()


def rendered_pages(
    corpora: Path | None = None,
    *,
    addressed: bool = True,
    renderer: str = "auto",
    take: Callable[[Sequence[corpora_.Row]], Sequence[corpora_.Row]] = lambda rows: rows,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[Labelled]:
    """The pages of the corpus, rendered; those that cannot be are left out."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    rows = take(corpora_.rows(folder))
    requests = [corpora_.request_of(folder, row) for row in rows]
    pages = corpora_.rendered(requests, renderer=renderer, advance=advance)
    for row, page in zip(rows, pages, strict=True):
        if not isinstance(page, PagesightError):
            looks = SeenTexts.of(page)
            labelled = _labelled(row, _known(clues_of_page(page, looks), addressed), looks)
            labelled.case.clues.forget()
            yield labelled


def _known(clues: Clues, addressed: bool) -> Clues:
    return clues if addressed else replace(clues, address=PageAddress(None))


def _labelled(row: corpora_.Row, clues: Clues, looks: SeenTexts | None = None) -> Labelled:
    case = Case.of(clues, looks)
    return Labelled(row["file"], row["kind"], row["title"], fold_of(row["url"]), case)
