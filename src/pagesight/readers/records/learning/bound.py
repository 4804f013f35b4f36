"""How much of what people marked the vision tree can express: a bound for every model on it.

A record can be found if some zone shows just what the record shows, and a value if some leaf does,
or several leaves together, such as those of a price whose cents are raised.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pagesight.learning.corpora import Corpora
from pagesight.learning.tables import table
from pagesight.readers.records.learning.corpus import OTHERS, ListPage, list_pages
from pagesight.readers.records.learning.places import Content, Places
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips import vision_tree

TREES = {
    "8": (8, False), "8 for records": (8, True), "10": (10, False), "10 for records": (10, True),
}  # fmt: skip


def expressed(page: ListPage, places: Places, tree: ZoneTree) -> Iterator[tuple[str, bool]]:
    """For each record and value that is seen what it is, and whether the tree has it."""
    for record in page.records:
        if places.is_seen(record.node):
            yield "record", places.zone(record.node) is not None
        values = [(name, value.node) for name, value in record.values.items()]
        values += [("cell", cell.node) for cell in record.cells if cell.node is not None]
        for name, node in values:
            if places.is_seen(node):
                zone = places.zone(node)
                yield name, zone is not None and bool(tree.is_leaf[zone])
                yield f"{name}, joined", places.is_whole(node)


def bound(pages: Iterable[ListPage]) -> dict[str, dict[str, float]]:
    """The shares of what was marked that each of `TREES` can express, and its `number`.

    By name: `record`, `name`, `name, joined` of several leaves, and so on; those of lists that are
    not of products begin with `other`.
    """
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for page in pages:
        content = Content(page.page)
        prefix = "other " if page.group == OTHERS else ""
        for label, (degree, for_records) in TREES.items():
            tree = vision_tree(page.page, degree, for_records=for_records)
            for name, has in expressed(page, Places(content, tree), tree):
                found[prefix + name][label].append(has)
    return {
        name: {"number": len(trees["8"]), **{tree: _mean(has) for tree, has in trees.items()}}
        for name, trees in sorted(found.items())
    }


def _mean(flags: list[bool]) -> float:
    return sum(flags) / len(flags)


def bound_table(corpora: Corpora) -> str:
    """The shares as a table."""
    lines = [[name, *shares.values()] for name, shares in bound(list_pages(corpora)).items()]
    title = "Records that are zones of the vision tree, and values that are leaves, by degree"
    return table(["", "number", *TREES], lines, title=title)
