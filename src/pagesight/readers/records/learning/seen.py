"""What a model sees on a page that it has not learned from, and what of it is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.clues import record_clues
from pagesight.readers.records.details import chosen_name, detail_clues, detail_of
from pagesight.readers.records.kinds import page_features
from pagesight.readers.records.learning.examples import RecordsPage
from pagesight.readers.records.learning.measure import PRICE
from pagesight.readers.records.model import RecordsModel, scored_lists
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
    records = price = name = None
    if page.records and lists:
        scored = best_list(page.sight, lists)
        counted = ~page.is_ignored(scored.group)
        clues = record_clues(page.sight, lists, scored)
        right = page.matched(scored.group) >= 0
        kept = {what: column[counted] for what, column in clues.items()}
        records = Verdicts(kept, right[counted]) if counted.any() else None
    if page.kind is Kind.DETAIL and page.stated_amounts and (value := detail.value(PRICE)):
        price = _one(detail_clues(detail, PRICE), right=page.judge_detail("price", value))
    if page.kind is Kind.DETAIL and page.stated_names:
        chosen = chosen_name(model, page.sight)
        if chosen.value:
            name = _one(chosen.clues, right=page.is_named(chosen.value.text))
    features = page_features(page.sight, lists, detail)
    return Seen(page, features, records, price, name)


def _one(clues: Mapping[str, float], *, right: bool) -> Verdicts:
    columns = {what: np.array([clue]) for what, clue in clues.items()}
    return Verdicts(columns, np.array([right]))
