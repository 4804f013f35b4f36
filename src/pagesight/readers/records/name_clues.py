"""What is seen of the texts of a page that may be the name of its product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.readers.records.attributes import (
    WORDS,
    flow_features,
    most_of_each,
    named_features,
)
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.pieces import HEADINGS
from pagesight.readers.records.price_clues import (
    FIRST,
    FIRST_HEADING,
    LONGEST_NAME,
    apart,
    cards_around,
    carts_of,
    headings_of,
    headline_of,
    steps,
    words_by_piece,
    words_of,
)
from pagesight.readers.records.prices import is_price
from pagesight.readers.records.sight import Sight, sight_of
from pagesight.readers.zones.features import HINTS
from pagesight.segment.text import folded

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Features = dict[str, Floats]
MOST_NAMES = 60  # texts of a page that are looked at
MOST_TEXTS = 12  # pieces of text of a name
LEAST_NAME = 2  # characters of a name
_SEPARATOR = "\n"  # in no text
_AROUND = ("header", "navigation", "main", "aside", "footer")
HABITS = (
    ("h1", "heading", "whole heading"),
    ("pieces", "blocks", "styles"),
    tuple(f"named {kind}" for kind in WORDS),
    ("size", "size of most", "bold"),
    ("shared", "of title", "in title", "begins title", "title comes from", "title goes on"),
    ("px to picture", "called", "pictures called"),
    ("in address", "of address"),
    tuple(f"in {name}" for name in _AROUND),
    ("pieces to cart", "pieces to price", "px to price"),
)
"""Features that hold on many sites and on others do not."""


def name_candidates(sight: Sight) -> tuple[list[Candidate], Features]:
    """The texts that may name the product of a page, and their features."""
    return _candidates_on(sight.units.page)


@once_per_page
def _candidates_on(page: Page) -> tuple[list[Candidate], Features]:
    sight = sight_of(page)
    units, shared = _promising(sight)
    values = [Candidate(0, unit, sight.text(unit), 0, 0) for unit in units]
    return values, _features(sight, values, shared)


def _promising(sight: Sight) -> tuple[list[int], Floats]:
    """The texts that look most like names, in reading order; and how much of the title they are.

    Of units with the same text, one in the other, the outer one counts.
    """
    known = sight.listed
    title = words_of(sight.units.page.head.title or "")
    taken, shares, worth = list[int](), list[float](), list[float]()
    texts: dict[int, str] = {}
    largest = max(1.0, float(sight.pieces.size.max(initial=0.0)))
    in_h1 = _inside_h1(sight)
    for unit in range(len(sight.tags)):
        written = known.characters[unit]
        if not LEAST_NAME <= written <= LONGEST_NAME or known.texts[unit] > MOST_TEXTS:
            continue
        texts[unit] = text = sight.text(unit)
        if texts.get(known.parent[unit]) == text or is_price(text):
            continue
        words = words_of(text)
        shared = len(words & title) / np.sqrt(max(1, len(words) * len(title)))
        first = known.first[unit]
        look = sight.pieces.size[first] / largest + sight.pieces.heading[first]
        taken.append(unit)
        shares.append(shared)
        worth.append(2 * shared + look + FIRST_HEADING * (unit in in_h1))
    best = np.sort(np.argsort(-np.array(worth), kind="stable")[:MOST_NAMES])
    return [taken[at] for at in best.tolist()], np.array(shares)[best]


def _inside_h1(sight: Sight) -> set[int]:
    """The units that are a first heading, or in one."""
    return {
        inner
        for unit in headings_of(sight.units.page, FIRST)
        for inner in range(unit, int(sight.units.end[unit]))
    }


def _features(sight: Sight, values: Sequence[Candidate], shared: Floats) -> Features:
    units = np.array([value.unit for value in values], dtype=np.int64)
    first, last = sight.units.first[units], sight.units.last[units]
    texts = [value.text for value in values]
    return {
        "shared": shared,
        **_of_texts(sight, texts, first, last),
        **_of_look(sight, units, first, last),
        **flow_features(sight, units, first, last),
        **named_features(sight, values),
        **_of_place(sight, units, first, last),
        **_of_neighbours(sight, texts, first, last),
        "cards alike": cards_around(sight, units)["cards alike"],
    }


def _of_neighbours(sight: Sight, texts: Sequence[str], first: Ints, last: Ints) -> Features:
    """How the next texts before and behind compare: a brand stands above a name as large as it."""
    title = sight.units.page.head.title or ""
    wanted, letters = words_of(title), _letters(title)
    written = np.flatnonzero(sight.pieces.characters > 0)
    said, size = words_by_piece(sight), np.append(sight.pieces.size, 0.0)
    before = np.append(written, -1)[np.searchsorted(written, first) - 1]
    behind = np.append(written, -1)[np.searchsorted(written, last)]
    features = {}
    for side, beside in (("before", before), ("behind", behind)):
        features[f"size {side}"] = size[beside] / np.maximum(1.0, size[first])
        features[f"in title {side}"] = np.array(
            [len(wanted & said[at]) / max(1, len(said[at])) if at >= 0 else 0.0
             for at in beside.tolist()]
        )  # fmt: skip
    said_there = ["", *sight.pieces.texts]
    own = [_letters(text) for text in texts]
    for name, beside, pattern in (
        ("title comes from", before, "{1}{0}"), ("title goes on", behind, "{0}{1}"),
    ):  # fmt: skip
        others = [_letters(said_there[at + 1]) for at in beside.tolist()]
        pairs = zip(own, others, strict=True)
        features[name] = np.array(
            [bool(other) and pattern.format(text, other) in letters for text, other in pairs], float
        )
    return features


def _letters(text: str) -> str:
    """The letters and digits of a text, to find it in a title whatever is between the words."""
    return "".join(filter(str.isalnum, folded(text)))


def _of_texts(sight: Sight, texts: Sequence[str], first: Ints, last: Ints) -> Features:
    """How texts compare with the title of the document, and how often they are written."""
    title = folded(sight.units.page.head.title or "")
    wanted = words_of(title)
    ends = zip(first.tolist(), last.tolist(), strict=True)
    pieces = words_by_piece(sight)  # words of different pieces may have nothing between them
    said = [frozenset[str]().union(*pieces[start:stop]) for start, stop in ends]
    flat = [folded(text) for text in texts]
    times = Counter(_flat(sight))
    called, address = _called(sight), _address(sight.units.page)
    pictures, written = (_SEPARATOR.join(some) for some in (_captions(sight), _flat(sight)))
    table = [
        (
            len(wanted & words) / max(1, len(wanted)),
            len(wanted & words) / max(1, len(words)),
            title.startswith(text) - float(text == title),
            float(text == title),
            np.log1p(times[text]),
            text in called,
            np.log1p(pictures.count(text)),
            np.log1p(written.count(text) - times[text]),
            len(address & words) / max(1, len(words)),
            len(address & words) / max(1, len(address)),
            np.log1p(len(text)),
            np.log1p(len(words)),
            sum(map(str.isdigit, text)) / max(1, len(text)),
            text[-1:] in ".!?…:",
        )
        for words, text in zip(said, flat, strict=True)
    ]
    names = ("of title", "in title", "begins title", "is title", "times", "called",
             "pictures called", "within others", "in address", "of address", "length", "words",
             "digits", "ends")  # fmt: skip
    columns = np.array(table, dtype=np.float64).reshape(-1, len(names)).T
    return dict(zip(names, columns, strict=True))


def _flat(sight: Sight) -> list[str]:
    """The texts of a page, folded, without long ones."""
    return [folded(text) if len(text) <= LONGEST_NAME else "" for text in sight.pieces.texts]


def _captions(sight: Sight) -> list[str]:
    """What the pictures of a page are called: those of its product often have its name."""
    page, content = sight.units.page, sight.units.content
    nodes = content.nodes[content.picture].tolist()
    return [folded(page.attribute(node, "alt") or "") for node in nodes]


def _address(page: Page) -> frozenset[str]:
    """The words in the address of a page, in which shops write the name of a product."""
    try:
        path = urlsplit(page.head.canonical or page.url or "").path
    except ValueError:
        return frozenset()
    said = words_of(unquote(path).replace("_", " "))
    return frozenset(word for word in said if not word.isdecimal())


def _called(sight: Sight) -> set[str]:
    """What the largest picture is called."""
    area = np.where(sight.pieces.picture, sight.pieces.area, 0.0)
    if not area.any():
        return set()
    node = int(sight.units.content.nodes[int(np.argmax(area))])
    attributes = sight.units.page.attributes(node)
    return {folded(attributes.get(name, "")) for name in ("alt", "title")} - {""}


def _of_look(sight: Sight, units: Ints, first: Ints, last: Ints) -> Features:
    pieces = sight.pieces
    size = most_of_each(pieces.size, first, last)
    count = np.maximum(1, pieces.total("pieces", first, last))
    in_h1, headings = _inside_h1(sight), set(headings_of(sight.units.page, HEADINGS))
    return {
        "size": size / sight.font_size,
        "size of most": size / max(1.0, float(size.max(initial=0.0))),
        "bold": pieces.total("bold", first, last) / count,
        "link": pieces.total("links", first, last) / count,
        "button": pieces.total("buttons", first, last) / count,
        "heading": pieces.total("headings", first, last) / count,
        "h1": np.array([unit in in_h1 for unit in units.tolist()], dtype=np.float64),
        "whole heading": np.array([unit in headings for unit in units.tolist()], float),
        "pieces": np.log(count),
        **_of_headline(sight, units, first, last),
        "pictures": pieces.total("pictures", first, last),
        "priced": pieces.total("prices", first, last),
    }


def _of_headline(sight: Sight, units: Ints, first: Ints, last: Ints) -> Features:
    """Which texts are what a page seems to be about, around it, or in it."""
    headline = headline_of(sight.units.page)
    if headline < 0:
        return dict.fromkeys(("headline", "around headline", "in headline"), np.zeros(len(units)))
    start, stop = sight.units.first[headline], sight.units.last[headline]
    same = (first == start) & (last == stop)
    around = (first <= start) & (last >= stop) & ~same
    inside = (first >= start) & (last <= stop) & ~same
    return {
        "headline": same.astype(np.float64),
        "around headline": around.astype(np.float64),
        "in headline": inside.astype(np.float64),
    }


def _of_place(sight: Sight, units: Ints, first: Ints, last: Ints) -> Features:
    """Where texts are: on the page, and beside its largest picture, its prices and its cart."""
    box = sight.boxes(first, last) if len(first) else np.zeros((0, 4))
    pieces = sight.pieces
    priced = np.flatnonzero(pieces.priced)
    area = np.where(pieces.picture, pieces.area, 0.0)
    largest = sight.corners[int(np.argmax(area))][None] if area.any() else np.zeros((0, 4))
    bits = sight.around(units)
    return {
        "top": box[:, 1] / sight.height,
        "top px": np.log1p(np.maximum(0.0, box[:, 1])),
        "left": box[:, 0] / sight.width,
        "order": first / max(1, len(pieces.texts)),
        "pieces to price": steps(first, priced),
        "px to price": apart(box, sight.corners[priced]),
        "pieces to cart": steps(first, carts_of(sight)),
        "px to picture": apart(box, largest),
        **{f"in {name}": (bits >> HINTS.index(name) & 1).astype(np.float64) for name in _AROUND},
    }
