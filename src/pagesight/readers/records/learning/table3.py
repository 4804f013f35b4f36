"""Table 3 of the published model: its variants and the methods that it was compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pagesight.learning.corpora import Corpora
from pagesight.learning.folds import folds, others
from pagesight.learning.tables import table
from pagesight.readers.records.learning.corpus import (
    ATTRIBUTES,
    PRODUCTS,
    ListPage,
    detail_pages,
    list_pages,
)
from pagesight.readers.records.learning.examples import LISTED, RecordsPage
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.seed.details import (
    PLACED,
    MainBlock,
    detail_page,
    tally_detail,
)
from pagesight.readers.records.seed.elements import vision_of
from pagesight.readers.records.seed.grids import Gridded, depta_records
from pagesight.readers.records.seed.labels import marked_tree
from pagesight.readers.records.seed.methods import (
    Detector,
    Found,
    Joint,
    Method,
    SeedPage,
    Separate,
)
from pagesight.readers.records.seed.scores import ALL, RECORDS, Tally, tally_page

FOLDS = 4
MOST_OF_BRAND = 4  # details of a brand that teach
Tallies = dict[str, Tally]


def list_methods() -> dict[str, Method]:
    """The columns of the table for lists; both methods in two steps find records once."""
    detector = Detector()
    return {
        "HCRF_SNG": Separate(detector, shared=False),
        "HCRF_S": Separate(detector),
        "HCRF_NG": Joint(shared=False),
        "HCRF": Joint(),
        "DEPTA+2D": Gridded(depta_records),
        "DEPTA+2D_G": Gridded(depta_records, shared=True),
    }


class DetailGrid:
    """The main block of a page, and its elements in a grid."""

    def __init__(self) -> None:
        self.block = MainBlock()
        self.grid = Gridded(self.block.find)

    def learn(self, pages: Sequence[SeedPage]) -> None:
        self.block.learn(pages)
        self.grid.learn(pages)

    def read(self, page: SeedPage) -> Found:
        return self.grid.read(page)


def seed_page(page: ListPage) -> SeedPage:
    """A page with its records as zones."""
    vision = vision_of(page.page)
    return SeedPage(page.page, page.brand, marked_tree(vision, page.records, page.ignored))


def on_lists(
    pages: Sequence[SeedPage],
    count: int = FOLDS,
    methods: Callable[[], Mapping[str, Method]] = list_methods,
) -> Tallies:
    """What each method finds on pages of brands that it has not seen."""
    tallies: Tallies = {name: Tally() for name in methods()}
    for part in folds([page.brand for page in pages], count):
        known = [pages[at] for at in others(part, len(pages))]
        for name, method in methods().items():
            method.learn(known)
            for at in part:
                tally_page(tallies[name], method.read(pages[at]), pages[at].marked, ATTRIBUTES)
    return tallies


def on_details(
    lists: Sequence[SeedPage], train: Sequence[SeedPage], dev: Sequence[SeedPage]
) -> Tallies:
    """What is found on pages of single products; the field learns from lists as well."""
    brands = {page.brand for page in dev}
    tree: Method = Joint(shared=False)
    grid: Method = DetailGrid()
    tree.learn([*(page for page in lists if page.brand not in brands), *train])
    grid.learn(train)
    tallies = {"HCRF": Tally(), "2D": Tally()}
    for page in dev:
        for method, tally in zip((tree, grid), tallies.values(), strict=True):
            tally_detail(tally, method.read(page), page.marked)
    return tallies


def placed_details(corpora: Corpora) -> tuple[list[SeedPage], list[SeedPage]]:
    """The products whose name and price are seen: those that teach, and those of other brands."""
    train: list[SeedPage] = []
    dev: list[SeedPage] = []
    used: Counter[str] = Counter()
    for example in _details(corpora):
        teaches = example.split == "train"
        if teaches and used[example.brand] >= MOST_OF_BRAND:
            continue
        if page := detail_page(example):
            used[example.brand] += 1
            (train if teaches else dev).append(page)
    return train, dev


def _details(corpora: Corpora) -> Iterator[RecordsPage]:
    for page in detail_pages(corpora):
        if page.group != LISTED:
            yield RecordsPage(
                page.name, page.brand, page.group, page.split, Kind.DETAIL, page.page,
                truth=page.truth,
            )  # fmt: skip


def table_3(
    corpora: Corpora, count: int = FOLDS, reader: Mapping[str, Mapping[str, int]] | None = None
) -> str:
    """Both parts of the table; `reader` are the counts of our own reader on the same lists."""
    lists = [seed_page(page) for page in list_pages(corpora, (PRODUCTS,))]
    listed = on_lists(lists, count)
    if reader:
        listed["reader"] = Tally()
        listed["reader"].add_all(reader)
    train, dev = placed_details(corpora)
    parts = [written(listed, list_title(lists, count), (RECORDS, *ATTRIBUTES))]
    if train and dev:
        title = (
            f"Table 3, details: names and prices that are seen on {len(dev)} pages of brands that"
            f" {len(train)} others, at most {MOST_OF_BRAND} of a brand, do not show"
        )
        parts.append(written(on_details(lists, train, dev), title, PLACED))
    return "\n\n".join(parts)


def list_title(pages: Sequence[SeedPage], count: int) -> str:
    brands = len({page.brand for page in pages})
    records = sum(len(page.marked.records) for page in pages)
    return (
        f"Table 3, lists: {records} records of {len(pages)} pages of products, {brands} brands in"
        f" {count} folds; elements of the vision tree"
    )


def written(tallies: Tallies, title: str, names: Sequence[str]) -> str:
    """A table with a line for each measure and a column for each method."""
    measures: list[tuple[str, Callable[[Tally, str], float]]] = [
        ("precision", Tally.precision),
        ("recall", Tally.recall),
        ("F1", Tally.f1),
    ]
    rows: list[list[object]] = [
        [f"{name} {label}", *(measure(tally, name) for tally in tallies.values())]
        for name in names
        for label, measure in measures
    ]
    attributes = [name for name in names if name != RECORDS]
    rows.append(["AVG_F1", *(tally.mean_f1(attributes) for tally in tallies.values())])
    rows.append(["BLK_IA", *(tally.recall(ALL) for tally in tallies.values())])
    return table(["", *tallies], rows, title=title)


def summed(pages: Iterable[Mapping[str, Mapping[str, int]]]) -> Mapping[str, Mapping[str, int]]:
    """The counts of many pages together, such as those of our own reader."""
    total = Tally()
    for counts in pages:
        total.add_all(counts)
    return total.counts
