"""How well records are read: by the measures of the paper, page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.scores import Prf
from pagesight.learning.task import Measured
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.details import Detail, chance_of, detail_of, detail_record
from pagesight.readers.records.kinds import kind_of, page_features
from pagesight.readers.records.learning.examples import (
    NEITHER_WAY,
    RIGHT,
    WRONG,
    RecordsPage,
    products,
)
from pagesight.readers.records.model import (
    ATTRIBUTES,
    DETAIL_NAME,
    DETAIL_PRICE,
    RECORD,
    RecordsModel,
    ScoredList,
    allowed,
    scored_lists,
)
from pagesight.readers.records.parts import main_list
from pagesight.readers.records.reader import Attributes, attributes_of
from pagesight.readers.records.reading import Kind, Record
from pagesight.readers.records.stated import stated_product
from pagesight.segment.text import folded

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
PRICE, NAME = DETAIL_PRICE, DETAIL_NAME
WHOLE, KIND = "whole records", "kind"
SEEN, EXACT_NAME = "detail price seen", "detail name to the letter"
MARKED_PRICE, MARKED_NAME = "detail price with markup", "detail name with markup"


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
    kind, chance = kind_of(model, page_features(page.sight, lists, detail))
    tally = _Tally()
    tally.judged[KIND].append((chance, kind is page.kind))
    if page.records and lists:
        _measure_list(model, page, lists, tally)
    if page.kind is Kind.DETAIL and page.stated_amounts:
        _measure_price(model, page, detail, tally)
    if page.kind is Kind.DETAIL:
        _measure_names(model, page, detail, tally)
        _measure_marked(model, page, detail, tally)
    return ReadRecords(
        name=page.name,
        scores={name: rate.f for name, rate in tally.rates.items()}
        | {KIND: float(kind is page.kind)},
        judged=dict(tally.judged),
        group=page.group,
        brand=page.brand,
        rates=tally.rates,
    )


def _measure_price(model: RecordsModel, page: RecordsPage, detail: Detail, tally: _Tally) -> None:
    """Whether the price of a product is right."""
    value = detail.value(PRICE)
    right = value is not None and page.judge_detail("price", value)
    tally.rates[PRICE] = Prf.of(wanted=1, found=value is not None, right=right)
    seen = int(any(page.judge_detail("price", other) for other in _prices(detail)))
    tally.rates[SEEN] = Prf.of(wanted=1, found=seen, right=seen)
    if value is not None:
        tally.judged[PRICE].append((chance_of(model, detail, PRICE), right))


def _prices(detail: Detail) -> Iterator[Candidate]:
    """All that may be the price of a product."""
    for at in np.flatnonzero(allowed("price", detail.columns)).tolist():
        yield detail.values[at]


def _product(model: RecordsModel, detail: Detail, metadata: str) -> Record:
    """The product of a page; nothing is known of it where the page shows nothing."""
    shows = len(detail.sight.units.content.nodes) > 0
    return detail_record(model, detail, metadata) if shows else Record()


def _measure_names(model: RecordsModel, page: RecordsPage, detail: Detail, tally: _Tally) -> None:
    """Whether the name of a product is right: alike, and to the letter."""
    wanted = [folded(name) for name in page.stated_names]
    if not wanted:
        return
    name = _product(model, detail, "ignore").name
    text = name.text if name else ""
    verdicts = {NAME: page.is_named(text), EXACT_NAME: folded(text) in wanted}
    for what, right in verdicts.items():
        tally.rates[what] = Prf.of(wanted=1, found=bool(text), right=right)
    if name and name.confidence is not None:
        tally.judged[NAME].append((name.confidence, verdicts[NAME]))


def _measure_marked(model: RecordsModel, page: RecordsPage, detail: Detail, tally: _Tally) -> None:
    """Whether the price and the name are right where the markup of the page states them."""
    stated = stated_product(page.page)
    if stated is None:
        return
    record = _product(model, detail, "auto")
    if stated.amount is not None and page.told_amounts:
        right = record.price is not None and page.is_told(record.price.amount)
        tally.rates[MARKED_PRICE] = Prf.of(wanted=1, found=record.price is not None, right=right)
    if stated.name and page.stated_names:
        name = record.name.text if record.name else ""
        right = page.is_named(name)
        tally.rates[MARKED_NAME] = Prf.of(wanted=1, found=bool(name), right=right)


def _measure_list(
    model: RecordsModel, page: RecordsPage, lists: Sequence[ScoredList], tally: _Tally
) -> None:
    """Whether the records of a list are right, and their attributes where these are known."""
    scored = main_list(model, page.sight, lists)
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
    verdicts = verdicts_on(page, attributes, name, match, counted)
    for at, (choice, verdict) in enumerate(zip(attributes.chosen[name], verdicts, strict=True)):
        has = match[at] >= 0 and name in page.seen[match[at]].values
        if verdict is None:
            fine[at] = not has
        elif verdict == NEITHER_WAY:
            wanted -= has
        else:
            fine[at] = verdict == RIGHT
            found, right = found + 1, right + (verdict == RIGHT)
            tally.judged[name].append((choice.chance, verdict == RIGHT))
    tally.rates[name] = Prf.of(wanted=wanted, found=found, right=right)
    return fine


def verdicts_on(
    page: RecordsPage, attributes: Attributes, name: str, match: Ints, counted: Flags
) -> list[int | None]:
    """By record whether what was read as an attribute is right; None where nothing was."""
    verdicts: list[int | None] = []
    for at, choice in enumerate(attributes.chosen[name]):
        if choice.candidate < 0:
            verdicts.append(None)
        elif match[at] < 0:
            verdicts.append(WRONG if counted[at] else NEITHER_WAY)
        else:
            value = attributes.values[choice.candidate]
            verdicts.append(page.judge(name, value, page.seen[match[at]]))
    return verdicts
