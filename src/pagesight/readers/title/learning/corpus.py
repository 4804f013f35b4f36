"""The corpus of titles: pages with their titles, as cases to learn from and to be judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.readers.title.address import PageAddress, registered_domain
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.reader import Case
from pagesight.readers.title.seen import SeenTexts, clues_of_page
from pagesight.readers.title.text import similarity

CORPUS = "titles"
Choice = Callable[[Sequence[Row]], Sequence[Row]]


@dataclass(frozen=True, slots=True)
class TitledPage:
    """A page of the corpus with its right title."""

    name: str
    kind: str
    title: str
    site: str
    case: Case

    @property
    def likenesses(self) -> list[float]:
        """How similar each candidate is to the right title."""
        return [similarity(candidate.text, self.title) for candidate in self.case.candidates]


def parsed_pages(
    corpora: Corpora, *, addressed: bool = True, take: Choice = lambda listed: listed
) -> Iterator[TitledPage]:
    """The pages of the corpus, only parsed; `take` chooses from its lines.

    Those that are not `addressed` are as if nobody knew their addresses, not even they themselves.
    A page forgets its document when the next one is asked for: there are too many to keep.
    """
    folder = corpora.folder_of(CORPUS)
    for row in corpora.worked_on(take(rows(folder))):
        data = (folder / row["file"]).read_bytes()
        titled = _titled(row, _known(clues_of_markup(data, row["url"]), addressed))
        yield titled
        titled.case.clues.forget()


def rendered_pages(
    corpora: Corpora, *, addressed: bool = True, take: Choice = lambda listed: listed
) -> Iterator[TitledPage]:
    """The pages of the corpus, rendered; those that cannot be are left out."""
    folder = corpora.folder_of(CORPUS)
    for row, page in corpora.pages(folder, take(rows(folder))):
        looks = SeenTexts.of(page)
        titled = _titled(row, _known(clues_of_page(page, looks), addressed), looks)
        titled.case.clues.forget()
        yield titled


def _known(clues: Clues, addressed: bool) -> Clues:
    return clues if addressed else replace(clues, address=PageAddress(None))


def _titled(row: Row, clues: Clues, looks: SeenTexts | None = None) -> TitledPage:
    site = registered_domain(PageAddress(row["url"]).host)
    return TitledPage(row["file"], row["kind"], row["title"], site, Case.of(clues, looks))
