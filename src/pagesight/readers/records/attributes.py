"""What is seen of the candidates for attributes, in numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.candidates import LONGEST_PRICED, Candidate
from pagesight.readers.records.groups import Group
from pagesight.readers.records.pieces import Numbering, count_digits_and_capitals
from pagesight.readers.records.prices import amount_of, spans
from pagesight.readers.records.sight import Sight
from pagesight.segment.text import folded, says

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Features = dict[str, Floats]
LINE = 1.2  # font sizes from line to line
SIGNS = frozenset("$€£¥₹")
LEAST_CLAIM = 4  # characters of what a picture is called
MOST_CLAIMS = 100  # what pictures of one record are called; more are the whole page
CLAIMS = ("claimed", "partly claimed")
MOST = 9.0  # blocks or styles around a candidate that are counted
WORDS = {
    "name": "name title heading headline product item".split(),
    "price": "price cost amount preis prix precio".split(),
    "old": "old was regular list before strike original msrp rrp save".split(),
    "description": "desc sub blurb detail summary text info excerpt author brand".split(),
    "noise": "review rating star ship badge button btn cart count date compare".split(),
}
"""What classes and identifiers suggest."""

SAID = {
    "old": re.compile(
        r"list|was\b|regular|reg\.|retail|msrp|rrp|\bold\b|before|statt|uvp|früher|ancien|au lieu|"
        r"antes|listino|вместо|стар",
        re.IGNORECASE,
    ),
    "now": re.compile(
        r"\bour\b|now|sale|price|your|today|special|only|jetzt|\bnur\b|preis|prix|precio|prezzo|"
        r"цена|buy",
        re.IGNORECASE,
    ),
    "other": re.compile(
        r"ship|deliver|save|tax|month|from|each|\bper\b|gift|coupon|point|over|versand|spar|"
        r"livraison|économ|env[ií]o|ahorr|доставк|used|refurb|warranty",
        re.IGNORECASE,
    ),
}
"""What is written in front of prices."""

LONGEST_SAID = 60  # characters in front of a price
MOST_SAID = 2  # texts in front of it
STEEPEST = 3.0  # logarithm of the ratio of two prices

SIDES = ("before", "after")

HABITS = (
    ("link", "has link", "leads along", "link around"),
    ("heading",),
    tuple(f"named {kind}" for kind in WORDS),
    ("claimed", "partly claimed", "begins claim", "ends claim", "of claim", "has claim"),
    ("size", "bold", "size of most", "size of prices", "mean size", "dark"),
    ("order", "pieces before", "top", "bottom", "text rank", "text ranks after"),
    tuple(f"text {name} {side}" for name in ("size", "bold", "dark") for side in SIDES),
    tuple(f"text {name} {side}" for name in ("gap", "left", "price") for side in SIDES),
    tuple(f"text {name} {side}" for name in ("length", "link", "differs") for side in SIDES),
    (*(f"said {kind}" for kind in SAID), "said off"),
)
"""Features that hold on many sites and on others do not: no attribute may need all of them."""


def attribute_features(
    sight: Sight,
    group: Group,
    values: Sequence[Candidate],
    wanted: Container[str] | None = None,
) -> Features:
    """The features of candidates, by name; those that take long only if they are `wanted`."""
    unit, record, column = (
        np.array(numbers, dtype=np.int64)
        for numbers in (
            [value.unit for value in values],
            [value.record for value in values],
            [value.column for value in values],
        )
    )
    first, last = sight.units.first[unit], sight.units.last[unit]
    features = {
        **_of_text(values),
        **_of_pieces(sight, first, last),
        **_of_box(sight, group, record, first, last),
        **flow_features(sight, unit, first, last),
        **named_features(sight, values),
        "leaf": (sight.units.end[unit] == unit + 1).astype(np.float64),
        "records": np.full(len(values), np.log(len(group))),
    }
    features["lines"] = np.round(
        np.expm1(features["px high"]) / np.maximum(1, features["size"] * sight.font_size * LINE)
    )
    features |= _of_prices(sight, values, record, first)
    features |= _in_record(features, record, len(group))
    features |= _in_column(features, values, column, len(group))
    features["leads along"] = _leads_along(sight, values, len(group))
    if wanted is None or any(name in wanted for name in CLAIMS):
        features |= _claimed(sight, values, len(group))
    return features


def is_whole(features: Mapping[str, Floats]) -> NDArray[np.bool_]:
    """Which candidates are a flow of text, or a link in one, and not a part of either."""
    inner = features["blocks around"] == 1
    part = inner & ((features["link around"] == 1) | (features["link"] < 1))
    text = (features["picture"] == 0) & (features["part"] == 0)
    return np.asarray((features["blocks"] == 1) & ~part & text)


def _of_text(values: Sequence[Candidate]) -> Features:
    texts = ["" if value.picture else value.text for value in values]
    length = np.array([len(text) for text in texts], dtype=np.float64)
    digits, capitals = count_digits_and_capitals(texts)
    whole = "".join(texts)
    signs = [sign for sign in SIGNS if sign in whole]

    def numbers(values: Sequence[float]) -> Floats:
        return np.array(values, dtype=np.float64)

    return {
        "length": np.log1p(length),
        "words": np.log(numbers([text.count(" ") + 1 for text in texts])),
        "digits": digits / np.maximum(1, length),
        "upper": capitals / np.maximum(1, length),
        "prices": numbers(
            [len(spans(text)) if len(text) <= LONGEST_PRICED else 0 for text in texts]
        ),
        "is price": np.array([value.bare for value in values], dtype=np.float64),
        "ends": numbers([text[-1:] in ".!?…" for text in texts]),
        "colon": numbers([":" in text for text in texts]),
        "currency": numbers([any(sign in text for sign in signs) for text in texts]),
        "part": np.array([value.part for value in values], dtype=np.float64),
        "picture": np.array([value.picture for value in values], dtype=np.float64),
    }


def _of_pieces(sight: Sight, first: Ints, last: Ints) -> Features:
    pieces = sight.pieces
    count = np.maximum(1, pieces.total("pieces", first, last))
    texts = np.maximum(1, pieces.total("texts", first, last))
    size = np.where(pieces.characters > 0, pieces.size, 0.0)
    links = pieces.total("links", first, last)
    return {
        "size": most_of_each(size, first, last) / sight.font_size,
        "bold": (pieces.total("bold", first, last) > 0).astype(np.float64),
        "struck": (pieces.total("struck", first, last) >= texts).astype(np.float64),
        "link": links / count,
        "has link": (links > 0).astype(np.float64),
        "heading": pieces.total("headings", first, last) / count,
        "button": pieces.total("buttons", first, last) / count,
        "pieces": np.log(count),
        "pictures": pieces.total("pictures", first, last),
    }


def most_of_each(values: Floats, first: Ints, last: Ints) -> Floats:
    """The highest value of each range, none of which is empty."""
    ends = np.stack((first, last), axis=1).ravel()
    most = np.maximum.reduceat(np.append(values, 0), ends) if len(ends) else np.zeros(0)
    return np.asarray(most[::2])


def _of_box(sight: Sight, group: Group, record: Ints, first: Ints, last: Ints) -> Features:
    """Where candidates are in their records, and how large."""
    box, frame = sight.boxes(first, last), sight.boxes(group.first, group.last)[record]
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    across = np.maximum(1, frame[:, 2] - frame[:, 0])
    down = np.maximum(1, frame[:, 3] - frame[:, 1])
    ahead = first - group.first[record]
    return {
        "width": width / across,
        "height": height / down,
        "px high": np.log1p(height),
        "px wide": np.log1p(width),
        "area": np.log1p(width * height),
        "top": (box[:, 1] - frame[:, 1]) / down,
        "left": (box[:, 0] - frame[:, 0]) / across,
        "bottom": (frame[:, 3] - box[:, 3]) / down,
        "order": ahead / np.maximum(1, group.last[record] - group.first[record]),
        "pieces before": np.log1p(ahead),
    }


def flow_features(sight: Sight, unit: Ints, first: Ints, last: Ints) -> Features:
    """How many lines and looks are in candidates and around them, and how much of one they are."""
    around = np.maximum(0, sight.units.parent[unit])
    start, stop = sight.units.first[around], sight.units.last[around]
    total = sight.pieces.total
    written = total("characters", first, last)
    return {
        "blocks": sight.blocks[unit],
        "styles": sight.styles[unit],
        "of block": np.minimum(2, written / np.maximum(1, sight.in_block[first])),
        "blocks around": np.minimum(MOST, sight.blocks[around]),
        "styles around": np.minimum(MOST, sight.styles[around]),
        "of around": written / np.maximum(1, total("characters", start, stop)),
        "link around": total("links", start, stop) / np.maximum(1, total("texts", start, stop)),
    }


def named_features(sight: Sight, values: Sequence[Candidate]) -> Features:
    """What classes and identifiers suggest, of the elements of a candidate and the one around."""
    suggested = sight.suggested
    for unit in {value.unit for value in values} - suggested.keys():
        suggested[unit] = _suggested(sight, unit)
    bits = np.array([suggested[value.unit] for value in values], dtype=np.int64)
    return {f"named {kind}": (bits >> bit & 1).astype(np.float64) for bit, kind in enumerate(WORDS)}


def _suggested(sight: Sight, unit: int) -> int:
    parents, classes, ids = sight.parents, sight.attribute("class"), sight.attribute("id")
    node, outer, bits = sight.listed.inner[unit], int(sight.units.node[unit]), 0
    while node >= outer:
        bits |= _meaning(classes[node]) | _meaning(ids[node])
        node = parents[node]
    return bits | _meaning(classes[node]) if node >= 0 else bits


@lru_cache(1 << 12)
def _meaning(name: str) -> int:
    """Which `WORDS` are in a class or an identifier, as bits."""
    is_in = name.lower().__contains__
    return sum(any(map(is_in, words)) << bit for bit, words in enumerate(WORDS.values()))


def _in_record(features: Features, record: Ints, count: int) -> Features:
    """How candidates compare with the others of their record."""
    picture, price = features["picture"] > 0, features["is price"] > 0

    def of_most(name: str, among: NDArray[np.bool_]) -> Floats:
        most = np.zeros(count)
        np.maximum.at(most, record, np.where(among, features[name], 0))
        return np.where(most[record] > 0, features[name] / np.maximum(1e-6, most[record]), 0.0)

    prices = np.bincount(record, price, count)
    rank = np.zeros(len(record))
    where = np.flatnonzero(price)
    rank[where] = np.arange(len(where)) - np.searchsorted(record[where], record[where])
    return {
        "size of most": of_most("size", ~picture),
        "length of most": of_most("length", ~picture),
        "area of most": of_most("area", ~picture),
        "area of most pictures": of_most("area", picture),
        "size of prices": of_most("size", price),
        "prices in record": prices[record].astype(np.float64),
        "pictures in record": np.bincount(record, picture, count)[record].astype(np.float64),
        "rank of price": rank,
        "prices after": np.where(price, prices[record] - rank, 0),
    }


def _of_prices(sight: Sight, values: Sequence[Candidate], record: Ints, first: Ints) -> Features:
    """What is written in front of prices, and how they compare with those before and after."""
    where = [at for at, value in enumerate(values) if value.is_price]
    amounts = {at: amount_of(values[at].text).amount or 0.0 for at in where}
    times = Counter((values[at].record, amounts[at]) for at in where)
    names = (*(f"said {kind}" for kind in SAID), "times", "than before", "than after")
    features = {name: np.zeros(len(values)) for name in names}
    for rank, at in enumerate(where):
        said = _said_before(sight, values[at], int(first[at]))
        for kind, pattern in SAID.items():
            features[f"said {kind}"][at] = says(said, pattern)
        features["times"][at] = np.log(times[values[at].record, amounts[at]])
        for name, beside in (("than before", rank - 1), ("than after", rank + 1)):
            other = where[beside] if 0 <= beside < len(where) else at
            if record[other] == record[at] and amounts[other] > 0 < amounts[at]:
                ratio = np.log(amounts[at] / amounts[other])
                features[name][at] = np.clip(ratio, -STEEPEST, STEEPEST)
    return features


def _said_before(sight: Sight, value: Candidate, first: int) -> str:
    """The text in front of a price: in its own unit, and before that."""
    own = sight.text(value.unit).partition(value.text)[0] if value.part else ""
    texts = [own]
    for piece in range(first - 1, max(-1, first - 1 - MOST_SAID), -1):
        text = sight.pieces.texts[piece]
        if len(text) > LONGEST_SAID or spans(text):
            break
        texts.append(text)
    return " ".join(texts)


_AVERAGED = ("length", "digits", "is price", "size", "area", "struck", "words")


def _in_column(
    features: Features, values: Sequence[Candidate], column: Ints, count: int
) -> Features:
    """How usual a column is among the records, and how much it differs from one to the next."""
    text = numbered(value.text for value in values)
    if count == 1:  # and no two candidates are in one column
        one = np.ones(len(values))
        means = {f"mean {name}": features[name] for name in _AVERAGED}
        said = (np.bincount(text)[text] - 1).astype(np.float64)
        return {"in records": one, "differs": one, "said elsewhere": said, **means}
    _, at = np.unique(column, return_inverse=True)
    sizes = np.bincount(at)
    means = {f"mean {name}": (np.bincount(at, features[name]) / sizes)[at] for name in _AVERAGED}
    return {
        "in records": sizes[at] / count,
        "differs": differing(at, text)[at],
        "said elsewhere": (np.bincount(text)[text] - 1) / count,
        **means,
    }


def numbered(answers: Iterable[Hashable]) -> Ints:
    """The same number for the same answer: 0, 1, 0 for "red", "blue", "red"."""
    numbers = Numbering[Hashable]()
    return np.array([numbers[answer] for answer in answers], np.int64)


def differing(place: Ints, text: Ints) -> Floats:
    """By place: how many different texts it has, as a share of all. Both are `numbered`."""
    most = len(text)
    texts = np.bincount(np.unique(place * most + text) // max(most, 1))
    return np.asarray(texts / np.bincount(place))


def _claimed(sight: Sight, values: Sequence[Candidate], count: int) -> Features:
    """Whether a text is what a picture of the record is called."""
    claims: list[set[str]] = [set() for _ in range(count)]
    for value in values:
        if value.picture:
            node = sight.listed.inner[value.unit]
            called = (folded_text(sight.attribute(name)[node]) for name in ("alt", "title"))
            claims[value.record] |= {claim for claim in called if len(claim) >= LEAST_CLAIM}
    claimed, partly = np.zeros((2, len(values)))
    for at, value in enumerate(values):
        text = "" if value.picture else folded_text(value.text)
        if len(text) >= LEAST_CLAIM:
            claimed[at] = text in claims[value.record]
            some = claims[value.record] if len(claims[value.record]) <= MOST_CLAIMS else ()
            partly[at] = any(text in claim or claim in text for claim in some)
    return dict(zip(CLAIMS, (claimed, partly), strict=True))


def _leads_along(sight: Sight, values: Sequence[Candidate], count: int) -> Floats:
    """Whether each candidate leads where a picture of its record does."""
    leads = [sight.targets[value.unit] for value in values]
    targets: list[set[str]] = [set() for _ in range(count)]
    for value, target in zip(values, leads, strict=True):
        if value.picture:
            targets[value.record].add(target)
    along = [
        target != "" and target in targets[value.record]
        for value, target in zip(values, leads, strict=True)
    ]
    return np.array(along, dtype=np.float64)


@lru_cache(1 << 12)
def folded_text(text: str) -> str:
    """A text folded, as it is compared."""
    return folded(text)


def beside(
    sight: Sight, values: Sequence[Candidate], features: Features, chosen: Mapping[int, int]
) -> Features:
    """How candidates stand to the one that was chosen as the name of their record."""
    at = np.array([chosen.get(value.record, -1) for value in values], dtype=np.int64)
    units = np.array([value.unit for value in values], dtype=np.int64)
    box, name = sight.units.corners[units], sight.units.corners[units][at]
    first, last = sight.units.first[units], sight.units.last[units]
    after = np.where(first >= last[at], first - last[at] + 1, np.minimum(0, last - first[at] - 1))
    known = at >= 0
    table = {
        "pieces after name": np.sign(after) * np.log1p(np.abs(after)),
        "size beside name": features["size"] / np.maximum(0.1, features["size"][at]),
        "right of name": np.clip((box[:, 0] - name[:, 0]) / 20, -5, 5),
        "below name": np.clip((box[:, 1] - name[:, 3]) / 10, -10, 10),
        "length beside name": features["length"] - features["length"][at],
        "in name": ((first >= first[at]) & (last <= last[at])).astype(np.float64),
        "around name": ((first <= first[at]) & (last >= last[at])).astype(np.float64),
    }
    return {key: np.where(known, column, 0) for key, column in table.items()}
