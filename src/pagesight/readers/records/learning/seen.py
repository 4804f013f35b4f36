"""What a model sees on a page that it has not learned from, and what of it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.clues import record_clues
from pagesight.readers.records.details import Detail, chosen_name, detail_clues, detail_of
from pagesight.readers.records.kinds import page_features
from pagesight.readers.records.learning.examples import RecordsPage
from pagesight.readers.records.learning.measure import PRICE
from pagesight.readers.records.model import RecordsModel, ScoredList, scored_lists
from pagesight.readers.records.parts import best_list
from pagesight.readers.records.reading import Kind


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Values of a page: what tells whether they are right, by name, and whether they are."""

    clues: Mapping[str, NDArray[np.float64]]
    right: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Seen:
    """What was seen on a page; None where nothing was chosen, or nobody knows what is right."""

    page: RecordsPage
    kind: Mapping[str, float]
    """The features of the page."""

    records: Verdicts | None
    price: Verdicts | None
    name: Verdicts | None


def seen_on(model: RecordsModel, page: RecordsPage) -> Seen:
    """What a model sees on a page."""
    lists = scored_lists(model, page.sight, page.groups)
    detail = detail_of(model, page.sight)
    product = page.kind is Kind.DETAIL
    return Seen(
        page=page,
        kind=page_features(page.sight, lists, detail),
        records=_records(model, page, lists) if page.records and lists else None,
        price=_price(page, detail) if product and page.stated_amounts else None,
        name=_name(model, page) if product and page.stated_names else None,
    )


def _records(
    model: RecordsModel, page: RecordsPage, lists: Sequence[ScoredList]
) -> Verdicts | None:
    scored = best_list(model, page.sight, lists)
    counted = ~page.is_ignored(scored.group)
    clues = record_clues(lists, scored)
    kept = {what: column[counted] for what, column in clues.items()}
    right = (page.matched(scored.group) >= 0)[counted]
    return Verdicts(kept, right) if counted.any() else None


def _price(page: RecordsPage, detail: Detail) -> Verdicts | None:
    value = detail.value(PRICE)
    if value is None:
        return None
    return _one(detail_clues(detail, PRICE), right=page.judge_detail("price", value))


def _name(model: RecordsModel, page: RecordsPage) -> Verdicts | None:
    value, clues = chosen_name(model, page.sight)
    return _one(clues, right=page.is_named(value.text)) if value else None


def _one(clues: Mapping[str, float], *, right: bool) -> Verdicts:
    columns = {what: np.array([clue]) for what, clue in clues.items()}
    return Verdicts(columns, np.array([right]))
