"""What may be the name, the picture, the price or the description of a record, in numbers.

Candidates are the units of a record, at all levels; prices are parts of their texts. What is in the
same place of other records is the same column: it has the same attribute, or none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.features import Seen
from pagesight.readers.records.groups import Group
from pagesight.readers.records.prices import spans
from pagesight.segment.nodes import range_unions
from pagesight.segment.text import folded

Floats = NDArray[np.float64]
LONGEST = 600  # characters of a value
LONGEST_PRICED = 80  # characters of a text that is searched for prices
WORDS = {
    "name": re.compile(r"name|title|heading|headline|product|item", re.I),
    "price": re.compile(r"price|cost|amount|preis|prix|precio", re.I),
    "old": re.compile(r"old|was|regular|list|before|strike|original|msrp|rrp|save", re.I),
    "description": re.compile(
        r"desc|sub|blurb|detail|summary|text|info|excerpt|by|author|brand", re.I
    ),
    "noise": re.compile(
        r"review|rating|star|ship|badge|button|btn|cart|count|date|label|compare", re.I
    ),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a record, or a price in it."""

    record: int
    unit: int
    text: str
    key: int
    """Of its column: where it is in the record."""

    picture: bool = False
    start: int = 0
    stop: int = 0
    """Where a price is in the text of the unit."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """What may be attributes of the records of a group, and their features."""

    values: list[Candidate]
    columns: dict[str, Floats] = field(default_factory=dict)


def member_units(seen: Seen, group: Group, member: int) -> Iterable[int]:
    """The units of one record, itself among them."""
    units = seen.units
    first, last, head = int(group.first[member]), int(group.last[member]), int(group.heads[member])
    unit = head
    while unit < len(units.node) and units.first[unit] < last:
        if units.first[unit] >= first and units.last[unit] <= last:
            yield unit
        unit += 1


def source_of(seen: Seen, unit: int) -> str:
    """Where the picture of a unit comes from; pages that load it later say so in other attributes."""
    attributes = seen.units.page.attributes(int(seen.units.inner[unit]))
    names = ("data-src", "data-original", "data-lazy-src", "data-srcset", "srcset", "src", ":src")
    found = [attributes[name] for name in names if attributes.get(name)]
    later = [value for value in found if not value.startswith("data:")]
    return (later or found or [""])[0].split(" ", 1)[0]


def _keys(seen: Seen, group: Group, member: int, inside: list[int]) -> dict[int, int]:
    """A number for where each unit is in its record: the tags and classes above, and which it is of these."""
    units = seen.units
    keys: dict[int, int] = {}
    taken: Counter[int] = Counter()
    for unit in inside:
        above = keys.get(int(units.parent[unit]), 0)
        token = seen.looks[unit].split(" ", 1)[0]
        key = hash((above, seen.tag[unit], token))
        taken[key] += 1
        keys[unit] = (
            hash((key, taken[key])) if seen.tag[unit][0] != "#" else hash((key, taken[key]))
        )
    return keys


def candidates(seen: Seen, group: Group) -> Candidates:
    """All that may be attributes of the records of a group."""
    values: list[Candidate] = []
    for member in range(len(group)):
        inside = list(member_units(seen, group, member))
        keys = _keys(seen, group, member, inside)
        for unit in inside:
            values += _of_unit(seen, member, unit, keys[unit])
    return Candidates(values)


def _of_unit(seen: Seen, member: int, unit: int, key: int) -> Iterable[Candidate]:
    pieces, units = seen.pieces, seen.units
    first, last = int(units.first[unit]), int(units.last[unit])
    if last == first + 1 and pieces.picture[first]:
        yield Candidate(member, unit, source_of(seen, unit), key, picture=True)
        return
    characters = pieces.total("characters", units.first[unit], units.last[unit])
    if (
        not 0 < characters <= LONGEST
        or pieces.total("texts", units.first[unit], units.last[unit]) > 12
    ):
        return
    text = seen.text(unit)
    yield Candidate(member, unit, text, key)
    if len(text) > LONGEST_PRICED:
        return
    found = spans(text)
    if len(found) == 1 and text[found[0][0] : found[0][1]] == text:
        return
    inner = [seen.text(child) for child in units.children[unit]]
    for rank, (start, stop) in enumerate(found):
        price = text[start:stop]
        if not any(price in below for below in inner):
            yield Candidate(member, unit, price, hash((key, rank)), start=start, stop=stop)


def features(seen: Seen, group: Group, values: list[Candidate]) -> dict[str, Floats]:
    """The features of candidates, by name."""
    pieces, units = seen.pieces, seen.units
    unit = np.array([value.unit for value in values], dtype=np.int64)
    record = np.array([value.record for value in values], dtype=np.int64)
    key = np.array([value.key for value in values], dtype=np.int64)
    first, last = units.first[unit], units.last[unit]
    box = range_unions(seen.corners, first, last)
    frame = range_unions(seen.corners, group.first, group.last)[record]
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    frame_width, frame_height = (
        np.maximum(1, frame[:, 2] - frame[:, 0]),
        np.maximum(1, frame[:, 3] - frame[:, 1]),
    )
    said = [value.text for value in values]
    texts = ["" if value.picture else value.text for value in values]
    length = np.array([len(text) for text in texts], dtype=np.float64)
    words = np.array([text.count(" ") + 1 for text in texts], dtype=np.float64)
    digits = np.array([sum(map(str.isdigit, text)) for text in texts]) / np.maximum(1, length)
    upper = np.array([sum(map(str.isupper, text)) for text in texts]) / np.maximum(1, length)
    prices = np.array(
        [len(spans(text)) if len(text) <= LONGEST_PRICED else 0 for text in texts], dtype=np.float64
    )
    size = np.array(
        [
            _largest(pieces.size, pieces.characters, a, b)
            for a, b in zip(first.tolist(), last.tolist(), strict=True)
        ]
    )
    bold = np.array(
        [pieces.bold[a:b].any() for a, b in zip(first.tolist(), last.tolist(), strict=True)],
        dtype=np.float64,
    )
    struck = np.array(
        [pieces.struck[a:b].all() for a, b in zip(first.tolist(), last.tolist(), strict=True)],
        dtype=np.float64,
    )
    picture = np.array([value.picture for value in values])
    part = np.array([value.stop > 0 for value in values], dtype=np.float64)
    count = np.maximum(1, pieces.total("pieces", first, last))
    whole = np.array([text_is_price(text) for text in texts], dtype=np.float64)
    columns = {
        "length": np.log1p(length),
        "words": np.log(words),
        "digits": digits,
        "upper": upper,
        "prices": prices,
        "is price": whole,
        "part": part,
        "picture": picture.astype(np.float64),
        "size": size / seen.page.size,
        "bold": bold,
        "struck": struck,
        "link": pieces.total("links", first, last) / count,
        "heading": pieces.total("headings", first, last) / count,
        "button": pieces.total("buttons", first, last) / count,
        "pieces": np.log(count),
        "pictures": pieces.total("pictures", first, last),
        "width": width / frame_width,
        "height": height / frame_height,
        "px high": np.log1p(height),
        "px wide": np.log1p(width),
        "area": np.log1p(width * height),
        "top": (box[:, 1] - frame[:, 1]) / frame_height,
        "left": (box[:, 0] - frame[:, 0]) / frame_width,
        "bottom": (frame[:, 3] - box[:, 3]) / frame_height,
        "lines": np.round(height / np.maximum(1, size * 1.2)),
        "ends": np.array([text[-1:] in ".!?…" for text in texts], dtype=np.float64),
        "colon": np.array([":" in text for text in texts], dtype=np.float64),
        "currency": np.array(
            [any(sign in text for sign in "$€£¥₹") for text in texts], dtype=np.float64
        ),
        "leaf": (units.end[unit] == unit + 1).astype(np.float64),
        "order": (first - group.first[record])
        / np.maximum(1, group.last[record] - group.first[record]),
        "pieces before": np.log1p(first - group.first[record]),
        "has link": (pieces.total("links", first, last) > 0).astype(np.float64),
    }
    columns |= _of_flow(seen, first, last)
    above = np.maximum(0, units.parent[unit])
    outer = _of_flow(seen, units.first[above], units.last[above])
    columns["blocks around"] = np.minimum(9, outer["blocks"])
    columns["styles around"] = np.minimum(9, outer["styles"])
    columns["of around"] = length / np.maximum(
        1, pieces.total("characters", units.first[above], units.last[above])
    )
    columns["link around"] = pieces.total(
        "links", units.first[above], units.last[above]
    ) / np.maximum(1, pieces.total("texts", units.first[above], units.last[above]))
    columns |= _of_names(seen, values)
    columns |= _in_record(columns, record, len(group), picture)
    columns |= _in_column(columns, said, record, key, len(group))
    columns |= _claimed(seen, values, record, len(group))
    columns["records"] = np.full(len(values), np.log(len(group)))
    return columns


def _of_flow(seen: Seen, first: NDArray[np.int64], last: NDArray[np.int64]) -> dict[str, Floats]:
    """How many lines and looks are in each candidate, and how much of its line it is."""
    written = seen.pieces.characters > 0
    blocks, styles, shares = [], [], []
    for start, stop in zip(first.tolist(), last.tolist(), strict=True):
        if stop == start + 1:
            blocks.append(1)
            styles.append(1)
        else:
            some = written[start:stop]
            blocks.append(len(set(seen.block[start:stop][some].tolist())))
            styles.append(len(set(seen.style[start:stop][some].tolist())))
        shares.append(seen.pieces.sums["characters"][stop] - seen.pieces.sums["characters"][start])
    around = np.maximum(1, seen.in_block[first])
    return {
        "blocks": np.array(blocks, dtype=np.float64),
        "styles": np.array(styles, dtype=np.float64),
        "of block": np.minimum(2, np.array(shares) / around),
    }


def is_whole(columns: dict[str, Floats]) -> NDArray[np.bool_]:
    """Which candidates are whole: a flow of text, or a link in it, and not a part of either."""
    one = columns["blocks"] == 1
    inner = columns["blocks around"] == 1
    part = inner & ((columns["link around"] == 1) | (columns["link"] < 1))
    return np.asarray(one & ~part & (columns["picture"] == 0) & (columns["part"] == 0))


def text_is_price(text: str) -> bool:
    """Whether a text is nothing but a price."""
    found = spans(text) if len(text) <= 40 else []
    return len(found) == 1 and found[0][1] - found[0][0] >= len(text.strip()) - 1


def _largest(size: Floats, characters: NDArray[np.int64], first: int, last: int) -> float:
    written = size[first:last][characters[first:last] > 0]
    return float(written.max()) if len(written) else 0.0


def _of_names(seen: Seen, values: list[Candidate]) -> dict[str, Floats]:
    """What the classes and identifiers around a candidate suggest, up to two levels above."""
    page = seen.units.page
    names: list[str] = []
    memo: dict[int, str] = {}
    for value in values:
        if value.unit not in memo:
            node, parts = int(seen.units.inner[value.unit]), []
            stop = int(seen.units.node[value.unit])
            while node >= stop:
                attributes = page.attributes(node)
                parts += [attributes.get("class", ""), attributes.get("id", "")]
                node = int(page.columns["parent"][node])
            parts.append(page.attributes(node).get("class", "") if node >= 0 else "")
            memo[value.unit] = " ".join(parts)
        names.append(memo[value.unit])
    return {
        f"named {kind}": np.array([bool(pattern.search(name)) for name in names], dtype=np.float64)
        for kind, pattern in WORDS.items()
    }


def _in_record(
    columns: dict[str, Floats], record: NDArray[np.int64], count: int, picture: NDArray[np.bool_]
) -> dict[str, Floats]:
    """How a candidate compares with the others of its record."""
    text = ~picture
    result: dict[str, Floats] = {}
    for name, among in (("size", text), ("length", text), ("area", picture), ("area", text)):
        values = np.where(among, columns[name], -np.inf)
        most = np.full(count, -np.inf)
        np.maximum.at(most, record, values)
        most = np.where(np.isfinite(most), most, 0)
        label = f"{name} of most" + (" pictures" if among is picture else "")
        result[label] = columns[name] / np.maximum(1e-6, most[record])
    for name, flag in (
        ("prices in record", columns["is price"] > 0),
        ("pictures in record", picture),
    ):
        result[name] = np.bincount(record, flag, count)[record].astype(np.float64)
    sized = np.where(columns["is price"] > 0, columns["size"], 0)
    largest = np.zeros(count)
    np.maximum.at(largest, record, sized)
    result["size of prices"] = np.where(
        largest[record] > 0, columns["size"] / np.maximum(1e-6, largest[record]), 0
    )
    rank = np.zeros(len(record))
    seen_prices = np.zeros(count)
    for at in np.flatnonzero(columns["is price"] > 0).tolist():
        rank[at] = seen_prices[record[at]]
        seen_prices[record[at]] += 1
    result["rank of price"] = rank
    result["prices after"] = np.where(columns["is price"] > 0, seen_prices[record] - rank, 0)
    return result


def _in_column(
    columns: dict[str, Floats],
    texts: list[str],
    record: NDArray[np.int64],
    key: NDArray[np.int64],
    count: int,
) -> dict[str, Floats]:
    """How usual a candidate is among the records, and how much it differs from record to record."""
    _, column = np.unique(key, return_inverse=True)
    sizes = np.bincount(column)
    distinct: dict[int, set[str]] = defaultdict(set)
    for at, text in zip(column.tolist(), texts, strict=True):
        distinct[at].add(text)
    differs = np.array([len(distinct[at]) / sizes[at] for at in range(len(sizes))])
    result = {"in records": sizes[column] / count, "differs": differs[column]}
    for name in ("length", "digits", "is price", "size", "area", "struck", "words"):
        mean = np.bincount(column, columns[name]) / sizes
        result[f"mean {name}"] = mean[column]
    said = Counter(texts)
    result["said elsewhere"] = np.array(
        [(said[text] - 1) / count if text else 0.0 for text in texts]
    )
    return result


def _claimed(
    seen: Seen, values: list[Candidate], record: NDArray[np.int64], count: int
) -> dict[str, Floats]:
    """Whether a text is what a picture of the record is called, and whether it leads where the picture does."""
    page = seen.units.page
    claims: list[set[str]] = [set() for _ in range(count)]
    targets: list[set[str]] = [set() for _ in range(count)]
    for value in values:
        if value.picture:
            attributes = page.attributes(int(seen.units.inner[value.unit]))
            claims[value.record] |= {folded(attributes.get(name, "")) for name in ("alt", "title")}
            if target := _target(seen, value.unit):
                targets[value.record].add(target)
    said = [
        folded(value.text) if 3 < len(value.text) < 200 and not value.picture else ""
        for value in values
    ]
    leads = [_target(seen, value.unit) for value in values]
    return {
        "claimed": np.array(
            [
                float(bool(text) and text in claims[value.record])
                for text, value in zip(said, values, strict=True)
            ]
        ),
        "partly claimed": np.array(
            [
                float(
                    len(text) > 3
                    and any(
                        text in claim or (len(claim) > 3 and claim in text)
                        for claim in claims[value.record]
                    )
                )
                for text, value in zip(said, values, strict=True)
            ]
        ),
        "leads along": np.array(
            [
                float(bool(target) and target in targets[value.record])
                for target, value in zip(leads, values, strict=True)
            ]
        ),
    }


def _target(seen: Seen, unit: int) -> str:
    """Where the link leads that a unit is, or that it is directly in."""
    page, node = seen.units.page, int(seen.units.inner[unit])
    for _ in range(6):
        if node < 0:
            return ""
        if page.name(node) == "a":
            return page.attributes(node).get("href", "")
        node = int(page.columns["parent"][node])
    return ""


def beside(
    seen: Seen,
    values: list[Candidate],
    columns: dict[str, Floats],
    chosen: dict[int, int],
    what: str,
) -> dict[str, Floats]:
    """How candidates stand to the one that was chosen as the name, for example, of their record."""
    units, pieces = seen.units, seen.pieces
    names = (
        f"{what} known",
        f"pieces after {what}",
        f"size beside {what}",
        f"left of {what}",
        f"below {what}",
        f"length beside {what}",
        f"in {what}",
        f"around {what}",
    )
    table = np.zeros((len(values), len(names)))
    box = units.corners
    for at, value in enumerate(values):
        if value.record not in chosen:
            continue
        other = values[chosen[value.record]]
        a, b, c, d = (
            units.first[value.unit],
            units.last[value.unit],
            units.first[other.unit],
            units.last[other.unit],
        )
        after = a - d if a >= d else (b - c if b <= c else 0)
        size = max(1.0, columns["size"][chosen[value.record]])
        table[at] = (
            1, np.sign(after) * np.log1p(abs(after)) + (0.3 if a >= d else 0),
            columns["size"][at] / size,
            np.clip((box[value.unit, 0] - box[other.unit, 0]) / 20, -5, 5),
            np.clip((box[value.unit, 1] - box[other.unit, 3]) / 10, -10, 10),
            columns["length"][at] - columns["length"][chosen[value.record]],
            float(c <= a and b <= d), float(a <= c and d <= b),
        )  # fmt: skip
    return dict(zip(names, table.T, strict=True))
