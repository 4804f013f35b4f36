"""How the texts of records compare: in order and look, with their like in other records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.attributes import (
    SIDES,
    differing,
    folded_text,
    is_whole,
    numbered,
)
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.prices import unit_of
from pagesight.readers.records.sight import Sight

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Features = dict[str, Floats]
NOT_THE_PRICE = re.compile(
    r"\W{0,3}(?:off\b|saved?\b|savings|discount|rabatt|gespart|sparen|shipping|delivery|versand|"
    r"(?:per|a|/)\s*mo(?:nth)?\b|coupon|credit|back\b|de réduction|de descuento|скидк)",
    re.IGNORECASE,
)  # behind an amount
LEAST_CLAIM = 4  # characters of what a picture or a link is called
NAMES = ("alt", "title", "aria-label")  # attributes that say what something is called
MOST_CLAIMS = 100  # of one record; more are the whole page
ALIGNED = 2.0  # px; edges that are no farther apart
FARTHEST = 10.0  # font sizes between two texts
BESIDE = ("size", "bold", "length", "dark", "link", "is price", "differs")


def card_features(
    sight: Sight, values: Sequence[Candidate], features: Mapping[str, Floats], records: int
) -> Features:
    """The features of candidates beside the other candidates of lists."""
    dark = _darkness(sight, values)
    known = {**features, "dark": dark}
    record = np.array([value.record for value in values], dtype=np.int64)
    return {
        "dark": dark,
        "children alike": _alike_inside(sight, values),
        **_among_texts(sight, values, known, record),
        **_of_kind(values, record, records),
        **_called(sight, values, records),
        **_said_after(sight, values),
        "no source": np.array([float(value.picture and not value.text) for value in values]),
    }


def _darkness(sight: Sight, values: Sequence[Candidate]) -> Floats:
    """How dark the first text of each candidate is: 1 is black."""
    color = sight.pieces.color
    light = ((color >> 24 & 255) * 0.3 + (color >> 16 & 255) * 0.6 + (color >> 8 & 255) * 0.1) / 255
    units = np.array([value.unit for value in values], dtype=np.int64)
    return np.asarray(1 - light[sight.units.first[units]])


def _alike_inside(sight: Sight, values: Sequence[Candidate]) -> Floats:
    """The share of the units directly inside of each candidate that are of the most usual kind."""
    shares: dict[int, float] = {}
    for unit in {value.unit for value in values}:
        below = sight.units.children[unit]
        if len(below) > 1:
            kinds = Counter([(sight.tags[child], sight.classes[child]) for child in below])
            shares[unit] = max(kinds.values()) / len(below)
    return np.array([shares.get(value.unit, 0.0) for value in values])


def _among_texts(
    sight: Sight, values: Sequence[Candidate], features: Mapping[str, Floats], record: Ints
) -> Features:
    """The place of texts among the whole texts of their record, and how those beside them look."""
    whole = np.flatnonzero(is_whole(features) & (features["blocks around"] != 1))
    names = ("rank", "ranks after", *(f"{name} {side}" for side in SIDES for name in _COMPARED))
    table: Features = {f"text {name}": np.zeros(len(values)) for name in names}
    if not len(whole):
        return table
    units = np.array([value.unit for value in values], dtype=np.int64)
    box = sight.units.corners[units]
    starts = np.searchsorted(record[whole], record)  # of the texts of the same record
    stops = np.searchsorted(record[whole], record, side="right")
    first, last = sight.units.first[units], sight.units.last[units]
    ahead = np.searchsorted(last[whole], first, side="right")  # texts that end before each
    behind = np.searchsorted(first[whole], last)
    table["text rank"] = np.minimum(9, ahead - starts).astype(np.float64)
    table["text ranks after"] = np.minimum(9, stops - behind).astype(np.float64)
    for side, other, known in (
        ("before", ahead - 1, ahead - 1 >= starts),
        ("after", behind, behind < stops),
    ):
        at = whole[np.clip(other, 0, len(whole) - 1)]
        for name in BESIDE:
            table[f"text {name} {side}"] = np.where(known, features[name] - features[name][at], 0)
        above, below = (box[at], box) if side == "before" else (box, box[at])
        gap = (below[:, 1] - above[:, 3]) / np.maximum(1, features["size"] * sight.font_size)
        table[f"text gap {side}"] = np.where(known, np.clip(gap, -FARTHEST, FARTHEST), FARTHEST)
        level = np.abs(box[at][:, 0] - box[:, 0]) < ALIGNED
        table[f"text left {side}"] = (known & level).astype(np.float64)
        table[f"text price {side}"] = known * features["is price"][at]
    return table


_COMPARED = (*BESIDE, "gap", "left", "price")


def _of_kind(values: Sequence[Candidate], record: Ints, records: int) -> Features:
    """How many records have texts of the same tag, class and look, and how different these are."""
    kind = np.array([value.kind for value in values], dtype=np.int64)
    _, at = np.unique(kind, return_inverse=True)
    sizes = np.bincount(at)
    within = np.bincount(np.unique(at * (records + 1) + record) // (records + 1))
    return {
        "kind in records": (within / records)[at],
        "kind times": np.log(sizes / np.maximum(1, within))[at],
        "kind differs": differing(at, numbered(value.text for value in values))[at],
    }


def _said_after(sight: Sight, values: Sequence[Candidate]) -> Features:
    """Whether the text behind an amount says that it is no price, or that it is for a unit."""
    off, per = np.zeros((2, len(values)))
    for at, value in enumerate(values):
        if value.is_price:
            after = _text_after(sight, value)
            off[at] = bool(NOT_THE_PRICE.match(after))
            per[at] = unit_of("", after) is not None
    return {"said off": off, "per unit": per}


def _text_after(sight: Sight, value: Candidate) -> str:
    """What follows a price: in its own unit, or in the next piece of the same line."""
    own = sight.text(value.unit).partition(value.text)[2].strip() if value.part else ""
    after = int(sight.units.last[value.unit])
    if own or after >= len(sight.block) or sight.block[after] != sight.block[after - 1]:
        return own
    return sight.pieces.texts[after]


def _called(sight: Sight, values: Sequence[Candidate], records: int) -> Features:
    """How much of what links and pictures are called each text is, and where in that it is."""
    claims = _claims(sight, values, records)
    begins, ends, share, called = np.zeros((4, len(values)))
    for at, value in enumerate(values):
        among = claims[value.record]
        text = folded_text(value.text) if among and not value.picture else ""
        if len(text) < LEAST_CLAIM or len(among) > MOST_CLAIMS:
            continue
        longer = [claim for claim in among if text in claim]
        begins[at] = any(claim.startswith(text) and claim != text for claim in longer)
        ends[at] = any(claim.endswith(text) and claim != text for claim in longer)
        share[at] = max((len(text) / len(claim) for claim in longer), default=0.0)
        called[at] = any(claim in text for claim in among)
    return {"begins claim": begins, "ends claim": ends, "of claim": share, "has claim": called}


def _claims(sight: Sight, values: Sequence[Candidate], records: int) -> list[set[str]]:
    """By record: what its links and pictures are called."""
    nodes: list[set[int]] = [set() for _ in range(records)]
    for value in values:
        nodes[value.record].add(sight.links[value.unit])
        if value.picture:
            nodes[value.record].add(int(sight.units.inner[value.unit]))
    said = [
        [sight.attribute(name)[node] for node in some - {-1} for name in NAMES] for some in nodes
    ]
    return [
        {claim for text in some if len(claim := folded_text(text)) >= LEAST_CLAIM} for some in said
    ]
