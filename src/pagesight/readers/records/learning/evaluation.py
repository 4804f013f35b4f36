"""What `pagesight evaluate records` prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from pagesight.learning.calibration import Judged, auroc, merged
from pagesight.learning.corpora import Corpora
from pagesight.learning.scores import Prf
from pagesight.learning.tables import show, table
from pagesight.learning.task import calibration_tables, worst_pages
from pagesight.readers.records.learning.bound import bound_table
from pagesight.readers.records.learning.corpus import OTHERS, PRODUCTS
from pagesight.readers.records.learning.measure import (
    EXACT_NAME,
    KIND,
    MARKED_NAME,
    MARKED_PRICE,
    NAME,
    PRICE,
    SEEN,
    WHOLE,
    ReadRecords,
)
from pagesight.readers.records.learning.table3 import table_3
from pagesight.readers.records.learning.training import RECORDS
from pagesight.readers.records.model import ATTRIBUTES, RECORD


def evaluate(
    corpora: Corpora,
    *,
    worst: int = 0,
    folds: int | None = None,
    bound: bool = False,
    paper: bool = False,
) -> None:
    """Print how well records are read by models of other brands.

    With `bound` instead how much of them the vision tree can express, with `paper` the table of the
    published model.
    """
    if bound or paper:
        show(bound_table(corpora) if bound else table_3(corpora))
        return
    task = replace(RECORDS, folds=folds) if folds else RECORDS
    examples = list(task.examples(corpora))
    measured = task.calibrated(examples, task.held_out(examples))
    show(
        task.heading(corpora, len(examples)),
        lists_table(measured),
        brands_table(measured),
        details_table(measured),
        kinds_table(measured),
        *calibration_tables(measured),
        order_table(measured),
        worst_pages([page for page in measured if RECORD in page.rates], worst),
    )


def total(pages: Iterable[ReadRecords], name: str) -> Prf:
    """What was read of an attribute on several pages."""
    return sum((page.rates[name] for page in pages if name in page.rates), Prf())


def lists_table(pages: Sequence[ReadRecords]) -> str:
    """Precision, recall and F1 of records and attributes on lists."""
    rows = []
    for group, names in ((PRODUCTS, (RECORD, *ATTRIBUTES, WHOLE)), (OTHERS, (RECORD,))):
        some = [page for page in pages if page.group == group]
        for name in names:
            rate = total(some, name)
            mean = _mean([page.rates[name].f for page in some if name in page.rates])
            rows.append([f"{group} {name}", rate.precision, rate.recall, rate.f, mean])
    average = _mean([total(pages, name).f for name in ATTRIBUTES])
    title = f"Lists; AVG_F1 of the attributes {average:.3f}"
    return table(["", "P", "R", "F1", "F1 by page"], rows, title=title)


def brands_table(pages: Sequence[ReadRecords]) -> str:
    """F1 by brand, of lists of products."""
    products = [page for page in pages if page.group == PRODUCTS]
    names = (RECORD, *ATTRIBUTES, WHOLE)
    rows = []
    for brand in sorted({page.brand for page in products}):
        some = [page for page in products if page.brand == brand]
        rows.append([brand, len(some), *(_f(total(some, name)) for name in names)])
    return table(["brand", "pages", *names], rows)


def details_table(pages: Sequence[ReadRecords]) -> str:
    """How often what is read of a product is right, where its markup is hidden and where not.

    The first rows are of how many pages show the price at all.
    """
    names = (SEEN, PRICE, NAME, EXACT_NAME, MARKED_PRICE, MARKED_NAME)
    rows = []
    for name in names:
        for group in sorted({page.group for page in pages if name in page.rates}):
            rate = total([page for page in pages if page.group == group], name)
            rows.append([name, group, int(rate.wanted), rate.precision, rate.recall, rate.f])
    return table(["", "group", "pages", "P", "R", "F1"], rows, title="Pages of single products")


def kinds_table(pages: Sequence[ReadRecords]) -> str:
    """How often the kind of a page is right."""
    groups = sorted({page.group for page in pages})
    rows = [
        [group, len(some), _mean([page.scores[KIND] for page in some])]
        for group in groups
        if (some := [page for page in pages if page.group == group])
    ]
    rows.append(["all", len(pages), _mean([page.scores[KIND] for page in pages])])
    return table(["kind of page", "pages", "right"], rows)


def order_table(pages: Sequence[ReadRecords]) -> str:
    """How often a right value is surer than a wrong one: on lists, of single products, of both."""
    judged = merged(page.judged for page in pages)
    rows: list[list[object]] = []
    for name in (RECORD, *ATTRIBUTES):
        of_list, of_detail = judged.get(name, []), judged.get(f"detail {name}", [])
        groups = (of_list, of_detail, [*of_list, *of_detail])
        wrong = sum(not right for _, right in groups[-1])
        rows.append([name, len(groups[-1]), wrong, *map(_order, groups)])
    columns = ["", "values", "wrong", "on lists", "of single products", "of both together"]
    return table(columns, rows, title="AUROC of right against wrong, by attribute", digits=2)


def _order(judged: Judged) -> float | None:
    """The AUROC of right values against wrong ones; None where there are not both."""
    order = auroc([sure for sure, _ in judged], [right for _, right in judged])
    return None if np.isnan(order) else order


def _f(rate: Prf) -> float | None:
    """F1; None where there was nothing to read, and nothing was."""
    return rate.f if rate.wanted or rate.found else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
