"""How well records are read: by the measures of the paper, page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.scores import Prf
from pagesight.learning.task import Measured
from pagesight.readers.records.details import Detail, detail_of
from pagesight.readers.records.kinds import kind_of, page_features
from pagesight.readers.records.learning.examples import NEITHER_WAY, RIGHT, RecordsPage, products
from pagesight.readers.records.model import ATTRIBUTES, RecordsModel, ScoredList, scored_lists
from pagesight.readers.records.reader import Attributes, attributes_of
from pagesight.readers.records.reading import Kind

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
RECORD, WHOLE, KIND, PRICE = "record", "whole records", "kind", "detail price"


@dataclass(frozen=True, kw_only=True)
class ReadRecords(Measured):
    """How well a model has read one page that it had not seen."""

    group: str
    brand: str
    rates: Mapping[str, Prf] = field(default_factory=dict)
    """By attribute and for `RECORD` and `WHOLE`: a record is whole if all of it is right."""


class _Tally:
    """What was read on a page, and what of it is right."""

    def __init__(self) -> None:
        self.rates: dict[str, Prf] = {}
        self.judged: dict[str, list[tuple[float, bool]]] = defaultdict(list)


def measure(model: RecordsModel, page: RecordsPage) -> ReadRecords:
    """What a model reads on a page."""
    lists = scored_lists(model, page.sight, page.groups)
    detail = detail_of(model, page.sight)
    kind, chance = kind_of(model, page_features(page.sight, lists, detail.features))
    tally = _Tally()
    tally.judged[KIND].append((chance, kind is page.kind))
    if page.records and lists:
        _measure_list(model, page, max(lists, key=lambda scored: scored.score), tally)
    if page.kind is Kind.DETAIL and page.stated_amounts:
        _measure_price(page, detail, tally)
    return ReadRecords(
        name=page.name,
        scores={name: rate.f for name, rate in tally.rates.items()}
        | {KIND: float(kind is page.kind)},
        judged=dict(tally.judged),
        group=page.group,
        brand=page.brand,
        rates=tally.rates,
    )


def _measure_price(page: RecordsPage, detail: Detail, tally: _Tally) -> None:
    """Whether the price of a product is right."""
    value = detail.value(PRICE)
    right = value is not None and page.judge_detail("price", value)
    tally.rates[PRICE] = Prf.of(wanted=1, found=value is not None, right=right)
    if value is not None:
        tally.judged[PRICE].append((detail.chosen[PRICE].chance, right))


def _measure_list(
    model: RecordsModel, page: RecordsPage, scored: ScoredList, tally: _Tally
) -> None:
    """Whether the records of a list are right, and their attributes where these are known."""
    match, counted = page.matched(scored.group), ~page.is_ignored(scored.group)
    right, found = match >= 0, int(counted.sum())
    tally.rates[RECORD] = Prf.of(wanted=len(page.seen), found=found, right=int(right.sum()))
    pairs = zip(scored.chances[counted].tolist(), right[counted].tolist(), strict=True)
    tally.judged[RECORD] += pairs
    if not products([page]):
        return
    attributes = attributes_of(model, page.sight, scored.group)
    for name in ATTRIBUTES:
        right &= _measure_attribute(page, attributes, name, match, counted, tally)
    tally.rates[WHOLE] = Prf.of(wanted=len(page.seen), found=found, right=int(right.sum()))


def _measure_attribute(
    page: RecordsPage, attributes: Attributes, name: str, match: Ints, counted: Flags, tally: _Tally
) -> Flags:
    """Counts the values of an attribute; which records have the right one, or rightly none."""
    wanted = sum(name in record.values for record in page.seen)
    found = right = 0
    fine = np.ones(len(match), dtype=np.bool_)
    for at, choice in enumerate(attributes.chosen[name]):
        record = page.seen[match[at]] if match[at] >= 0 else None
        if choice.candidate < 0:
            fine[at] = record is None or name not in record.values
            continue
        value = attributes.values[choice.candidate]
        verdict = page.judge(name, value, record) if record else int(not counted[at]) * NEITHER_WAY
        if verdict == NEITHER_WAY:
            wanted -= record is not None and name in record.values
            continue
        fine[at] = verdict == RIGHT
        found, right = found + 1, right + (verdict == RIGHT)
        tally.judged[name].append((choice.chance, verdict == RIGHT))
    tally.rates[name] = Prf.of(wanted=wanted, found=found, right=right)
    return fine
