"""Reading the records of a page: the list that it shows, or the product that it is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import sigmoid
from pagesight.page import Box, Node, Page
from pagesight.page.head import join
from pagesight.readers.records.attributes import attribute_features, beside
from pagesight.readers.records.candidates import Candidate, candidates, units_of_members
from pagesight.readers.records.details import STATED, detail_of, detail_record
from pagesight.readers.records.groups import Group, groups_of, overlap
from pagesight.readers.records.kinds import kind_of, page_features
from pagesight.readers.records.members import header_cells
from pagesight.readers.records.model import (
    ATTRIBUTES,
    DETAIL_PRICE,
    RECORD,
    Choice,
    RecordsModel,
    ScoredList,
    allowed,
    scored_lists,
    shipped_model,
)
from pagesight.readers.records.pieces import divided
from pagesight.readers.records.reading import (
    Cell,
    Kind,
    Price,
    Record,
    RecordsReading,
    Region,
)
from pagesight.readers.records.sight import Sight, sight_of
from pagesight.readers.records.stated import stated_product
from pagesight.readers.records.values import (
    boxes_around,
    boxes_of,
    cells_of,
    name_of,
    picture_of,
    price_of,
    value_of,
)

Floats = NDArray[np.float64]
MOST_REGIONS = 8
LEAST_REGION = 3  # records of a list beside the main one
LEAST_MAIN = -2.0  # the score of a list, below which one thing with a price is more of a record
LESS = 5.0  # how much lower its score may be


def read_records(
    page: Page, *, metadata: str = "auto", model: RecordsModel | None = None
) -> RecordsReading:
    """The records of a page; `metadata` that is ignored is what the page says about its product."""
    model = model or shipped_model()
    sight = sight_of(page)
    if not len(sight.units.content.nodes):
        return RecordsReading(kind=Kind.OTHER, confidence=1.0)
    lists = scored_lists(model, sight, groups_of(sight))
    detail = detail_of(model, sight)
    kind, confidence = kind_of(model, page_features(sight, lists, detail))
    if kind is Kind.OTHER and metadata == "auto" and _states_a_price(page):
        kind, confidence = Kind.DETAIL, STATED
    records: tuple[Record, ...] = ()
    others = sorted(lists, key=lambda scored: -scored.score)
    alone = not others or (others[0].score < LEAST_MAIN and detail.value(DETAIL_PRICE) is not None)
    if kind is Kind.DETAIL or (kind is Kind.LIST and alone):  # a list may have one record
        records = (detail_record(model, detail, metadata),)
    elif kind is Kind.LIST:
        from pagesight.readers.records.parts import main_list  # most pages are not lists

        main = main_list(model, sight, lists)
        records = records_of(model, sight, main)
        others = [scored for scored in others if not overlap(scored.group, main.group)]
    return RecordsReading(
        kind=kind,
        confidence=confidence,
        records=records,
        regions=_regions(model, sight, others, named=kind is not Kind.OTHER),
    )


def _states_a_price(page: Page) -> bool:
    """Whether the markup of a page says what its product costs."""
    stated = stated_product(page)
    return stated is not None and stated.amount is not None


def _regions(
    model: RecordsModel, sight: Sight, lists: Sequence[ScoredList], *, named: bool
) -> tuple[Region, ...]:
    """The other lists of a page, in reading order; none overlaps another.

    On pages that show neither a list nor a product, what lists have is not worth naming.
    """
    taken: list[ScoredList] = []
    for scored in lists[: MOST_REGIONS * 4]:
        enough = len(scored.group) >= LEAST_REGION and scored.score >= lists[0].score - LESS
        if enough and not any(overlap(scored.group, other.group) for other in taken):
            taken.append(scored)
    taken = sorted(taken[:MOST_REGIONS], key=lambda scored: int(scored.group.first[0]))
    ends = [(scored.group.first[0], scored.group.last[-1]) for scored in taken]
    boxes = boxes_around(sight, *np.array(ends, dtype=np.int64).reshape(-1, 2).T)
    return tuple(
        _region(model, sight, scored, box, named=named)
        for scored, box in zip(_alone(model, taken), boxes, strict=True)
    )


def _region(
    model: RecordsModel, sight: Sight, scored: ScoredList, box: Box, *, named: bool
) -> Region:
    """A list of a page; it is as sure as its records are on average."""
    records = records_of(model, sight, scored, named=named)
    return Region(
        records=records,
        confidence=float(np.array([record.confidence for record in records]).mean()),
        place=sight.units.element(scored.group.around),
        box=box,
    )


def _alone(model: RecordsModel, lists: Sequence[ScoredList]) -> list[ScoredList]:
    """Lists with the chances of their records, whatever other lists there are."""
    if not lists:
        return []
    from pagesight.readers.records.clues import clues_alone

    chances = model.judged(RECORD, clues_alone(lists))
    parts = divided(chances, (len(scored.group) for scored in lists))
    return [scored._replace(chances=some) for scored, some in zip(lists, parts, strict=True)]


@dataclass(frozen=True, eq=False)
class Attributes:
    """What was chosen as the attributes of the records of a group."""

    values: list[Candidate]
    features: Mapping[str, Floats]
    chosen: Mapping[str, list[Choice]]

    @cached_property
    def struck(self) -> Mapping[int, list[int]]:
        """By record: the prices that are struck out."""
        found: dict[int, list[int]] = defaultdict(list)
        for at in np.flatnonzero(self.features["struck"] * self.features["is price"]).tolist():
            found[self.values[at].record].append(at)
        return found


def attributes_of(model: RecordsModel, sight: Sight, group: Group) -> Attributes:
    """The attributes of all records of a group."""
    from pagesight.readers.records.cards import card_features

    values = candidates(sight, group)
    features = attribute_features(sight, group, values)
    features |= card_features(sight, values, features, len(group))
    chosen: dict[str, list[Choice]] = {}
    for attribute in (*ATTRIBUTES, *model.own):
        may_be = allowed(attribute, features)
        chosen[attribute] = model.choose(attribute, features, values, may_be, len(group))
        if attribute == "name":
            names = {at: choice.candidate for at, choice in enumerate(chosen["name"])}
            features |= beside(sight, values, features, names)
    return Attributes(values, features, {name: _sure(values, chosen[name]) for name in chosen})


def _sure(values: Sequence[Candidate], choices: Sequence[Choice]) -> list[Choice]:
    """What was chosen, as probable as it is beside the other records."""
    from pagesight.readers.records.clues import value_odds

    chances = iter(sigmoid(value_odds(values, choices)).tolist())
    return [
        choice if choice.candidate < 0 else choice._replace(chance=next(chances))
        for choice in choices
    ]


def records_of(
    model: RecordsModel, sight: Sight, scored: ScoredList, *, named: bool = True
) -> tuple[Record, ...]:
    """The records of a list, with the names of their attributes or only with cells."""
    scored = _without_headers(sight, scored)
    group = scored.group
    parts = zip(
        cells_of(sight, group),
        units_of_members(sight, group),
        boxes_of(sight, group),
        scored.chances.tolist(),
        strict=True,
    )
    plain = [_plain_record(model, sight, *part) for part in parts]
    if not named:
        return tuple(plain)
    from pagesight.readers.records.extras import with_extras

    attributes = attributes_of(model, sight, group)
    records = [
        _named_record(model, sight, attributes, at, *pair)
        for at, pair in enumerate(zip(plain, units_of_members(sight, group), strict=True))
    ]
    return with_extras(sight, group, records)


def _without_headers(sight: Sight, scored: ScoredList) -> ScoredList:
    """A list without rows of header cells, if others are not."""
    if "th" not in sight.units.page.nodes_by_name:  # as on most pages
        return scored
    rows = header_cells(sight, scored.group.heads) < 1
    if 2 * rows.sum() <= len(rows):
        return scored
    return scored._replace(group=scored.group.only(rows), chances=scored.chances[rows])


def _plain_record(
    model: RecordsModel,
    sight: Sight,
    cells: tuple[Cell, ...],
    units: range,
    box: Box,
    chance: float,
) -> Record:
    """A record with its cells, and without attributes."""
    return Record(
        url=_address(sight, units),
        cells=cells,
        confidence=model.confidence(RECORD, chance),
        place=Node(sight.units.page, sight.listed.outer[units.start]),
        box=box,
    )


def _named_record(
    model: RecordsModel, sight: Sight, attributes: Attributes, at: int, plain: Record, units: range
) -> Record:
    """A record of a group with its attributes; `at` is which one it is."""
    found = {
        name: (attributes.values[choice.candidate], model.confidence(name, choice.chance))
        for name, choices in attributes.chosen.items()
        if (choice := choices[at]).candidate >= 0
    }
    price = price_of(sight, *found["price"]) if "price" in found else None
    linked = [found[name][0].unit for name in ("name", "image") if name in found]
    return Record(
        name=name_of(sight, *found["name"], units) if "name" in found else None,
        image=picture_of(sight, *found["image"]) if "image" in found else None,
        price=price,
        description=value_of(sight, *found["description"]) if "description" in found else None,
        url=_address(sight, linked) or plain.url,
        old_price=_old_price(sight, attributes, at, price),
        values={name: value_of(sight, *found[name]) for name in model.own if name in found},
        cells=plain.cells,
        confidence=plain.confidence,
        place=plain.place,
        box=plain.box,
    )


def _old_price(
    sight: Sight, attributes: Attributes, record: int, price: Price | None
) -> Price | None:
    """A higher price of the record that is struck out."""
    if price is None or price.amount is None:
        return None
    for at in attributes.struck.get(record, ()):
        old = price_of(sight, attributes.values[at], None)
        if old.amount is not None and old.amount > price.amount:
            return old
    return None


def _address(sight: Sight, units: Iterable[int]) -> str | None:
    """Where the first of these units that is a link leads."""
    targets = sight.targets
    for unit in units:
        if (target := targets[unit]) and not target.lower().startswith("javascript:"):
            return join(sight.units.page.head.base, target) or target
    return None
