"""What is seen around the prices of a page about one product, which has one of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.page.words import Searched
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.pieces import pieces_of
from pagesight.readers.records.prices import CART, CART_BEGUN, SAID, amount_of, spans, unit_of
from pagesight.readers.records.sight import DEEPEST, Sight, sight_of
from pagesight.segment.nodes import named
from pagesight.segment.text import folded, says
from pagesight.segment.units import units_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Features = dict[str, Floats]
AGAINST = ("old", "less", "beside", "part", "untaxed")
"""What is said of prices that are not the price."""

GENERAL = frozenset({
    "size", "bold", "struck", "link", "has link", "heading", "button", "part", "is price",
    "currency", "order", "pieces before", "top", "size of most", "size of prices",
    "rank of price", "prices",
    "prices after", "prices in record", "times", "than before", "than after", "pieces after name",
    "size beside name", "right of name", "below name", "link around", "said old", "said now",
    "said other", "named name", "named price", "named old", "named description", "named noise",
})  # fmt: skip
"""The features of all candidates that tell prices apart: with others, pages are learnt by heart."""

BEFORE, LEFT, AFTER = "before", "left", "after"
LONGEST_SAID = 60  # characters beside a price
MOST_SAID = 2  # texts beside it
FARTHEST_LEFT = 400.0  # px to a label on the same line
CLUSTER = 12  # pieces from one price to the next that is seen with it
NAMED = 8  # pieces in front of a price, in which a name is looked for
LONGEST_NAME = 300  # characters of a text that may be a name
_WORD = re.compile(r"\w{2,}")  # words of names, without short ones
_NOTHING = frozenset[str]()
_SHARE = re.compile(r"\d\s?%\s?\w+")  # as in "16% off", which is no amount
_OFF = re.compile(r"(?<![\d.,])(\d{1,2})\s?%|(?<![\d.,])(\d(?:\.\d)?)\s?折")
NEAR_SHARE = 8  # pieces from a price to how much it is less
ROUNDED = 0.01
_CENTS = re.compile(r"[.,]\d{2}(?!\d)")
STEEPEST = 3.0  # how many times more the price before is
LARGE = 0.9  # of the largest text: as large as a headline
LEAST_SHARED = 0.35  # of the words of a title and of the text that repeats it
FIRST = frozenset({"h1"})
FIRST_HEADING = 0.6  # what an h1 counts more
MOST_NEAR = 6.0  # prices in a cluster, counted
CENT = 0.011
BESIDE = 3  # pieces from a price to the same one with its cents
FAR = 8.0  # the logarithm of a distance to what is not there
PLACES = (BEFORE, LEFT, AFTER)
HABITS = tuple(tuple(f"said {kind} {place}" for kind in SAID) for place in PLACES)
"""Features that hold on many sites and on others do not."""

CLUES = frozenset(name for habit in HABITS for name in habit) | {
    "minus", "prices near", "lowest near", "highest near", "of highest near", "minuend", "rest",
    "saving", "cents elsewhere", "px to picture", "free", "title before", "said against",
    "after name", "after name, fit", "pieces to cart", "pieces to button", "px to cart",
    "paths alike", "classes alike", "px to name", "shared with name", "cards alike",
    "card picture", "largest near", "of pair", "per unit",
    "less a share", "before a share",
}  # fmt: skip
"""The features that `price_clues` makes."""


@once_per_page
def headline_of(page: Page) -> int:
    """The unit that names what a page is about: what is most like its title, or a headline.

    -1 where nothing is written. The reading of titles knows better, and takes much longer.
    """
    sight = sight_of(page)
    pieces = sight.pieces
    if not pieces.characters.any():
        return -1
    first = headings_of(page, FIRST)
    titled = _like_title(sight, first)
    if titled >= 0:
        return int(sight.units.of_node[sight.units.content.nodes[titled]])
    if first:
        return first[0]
    size = np.where((pieces.characters > 3) & ~pieces.priced, pieces.size, 0)
    piece = int(np.argmax(size >= LARGE * size.max()))
    return int(sight.units.of_node[sight.units.content.nodes[piece]])


def headings_of(page: Page, tags: Collection[str]) -> list[int]:
    """The units that are headings, whatever is around the same content."""
    units = units_of(page).of_node[np.flatnonzero(named(page, tags))]
    return list(np.unique(units[units >= 0]).tolist())


def _like_title(sight: Sight, first: Sequence[int]) -> int:
    """The piece whose words are those of the title of the document, or -1."""
    pieces = sight.pieces
    wanted = words_of(sight.units.page.head.title or "")
    shared = np.zeros(len(pieces.texts))
    for piece, said in enumerate(words_by_piece(sight)):
        if not wanted.isdisjoint(said):
            shared[piece] = len(wanted & said) / math.sqrt(len(wanted) * len(said))
    largest = pieces.size[pieces.characters > 0].max()
    look = 1 + 0.3 * (pieces.size / largest + pieces.heading) - 0.2 * pieces.link
    for unit in first:
        look[sight.units.first[unit] : sight.units.last[unit]] += FIRST_HEADING
    best = int(np.argmax(shared * look))
    return best if shared[best] >= LEAST_SHARED else -1


def price_clues(sight: Sight, values: Sequence[Candidate], headline: int) -> Features:
    """Features of the candidates that are prices; `headline` is the unit of the name, or -1."""
    where = [at for at, value in enumerate(values) if value.is_price]
    if not where:
        return {name: np.zeros(len(values)) for name in CLUES}
    title = sight.text(headline) if headline >= 0 else ""
    named = int(sight.units.last[headline]) if headline >= 0 else -1
    units = np.array([values[at].unit for at in where], dtype=np.int64)
    first, last = sight.units.first[units], sight.units.last[units]
    amounts = np.array([amount_of(values[at].text).amount or 0.0 for at in where])
    table = {
        **_said(sight, [values[at] for at in where], first, last),
        **_in_cluster(amounts, first),
        "cents elsewhere": _has_cents_elsewhere([values[at].text for at in where], amounts, first),
        "of pair": _of_pair(amounts, first),
        **_less_a_share(sight, amounts, first),
        **_from_there(sight, first, last),
        **_repeated(sight, units),
        **_beside_name(sight, units, headline),
        "largest near": _largest(sight.pieces.size[first], first),
        "free": (amounts == 0).astype(np.float64),
        "title before": _title_before(sight, title, first),
    }
    against = _against(table) + sight.pieces.struck[first]
    behind = (first >= named) & (named >= 0)
    table["said against"] = against
    table["after name"] = _rank(first, behind)
    table["after name, fit"] = _rank(first, behind & (against == 0))
    return {name: _spread(column, where, len(values)) for name, column in table.items()}


def of_prices(features: Mapping[str, Floats]) -> Features:
    """The features that prices of one product are judged by."""
    return {name: column for name, column in features.items() if name in GENERAL | CLUES}


def _against(table: Features) -> Floats:
    """How much says that a price is not what the product costs."""
    said = [
        np.maximum(table[f"said {kind} {BEFORE}"], table[f"said {kind} {LEFT}"]) for kind in AGAINST
    ]
    total: Floats = np.sum([*said, table["minus"], table["free"], table["minuend"]], axis=0)
    return total


def _rank(first: Ints, counted: NDArray[np.bool_]) -> Floats:
    """The logarithm of how many of the prices that count are in front of each; -1 for others."""
    ahead = (first[:, None] > first[counted]).sum(axis=1)
    return np.where(counted, np.log1p(ahead), -1.0)


def _spread(column: Floats, where: Sequence[int], count: int) -> Floats:
    whole = np.zeros(count)
    whole[np.array(where, dtype=np.int64)] = column
    return whole


def _said(sight: Sight, values: Sequence[Candidate], first: Ints, last: Ints) -> Features:
    """What is said of each price: in front of it, to its left, and behind it."""
    lines = _Lines(sight)
    texts = {place: list[str]() for place in PLACES}
    for value, start, stop in zip(values, first.tolist(), last.tolist(), strict=True):
        own, _, rest = sight.text(value.unit).partition(value.text) if value.part else ("", "", "")
        texts[BEFORE].append(said_before(sight, own, start))
        texts[AFTER].append(_near(sight, rest, range(stop, len(sight.pieces.texts))))
        texts[LEFT].append(lines.left_of(start))
    said = {place: [_SHARE.sub("", text) for text in texts[place]] for place in PLACES}
    return {
        f"said {kind} {place}": np.array(
            [says(text, pattern) for text in said[place]], dtype=np.float64
        )
        for place in PLACES
        for kind, pattern in SAID.items()
    } | {
        "minus": np.array([text.rstrip()[-1:] in ("-", "−", "–") for text in texts[BEFORE]], float),
        "per unit": np.array([unit_of("", text) is not None for text in texts[AFTER]], float),
    }


def said_before(sight: Sight, own: str, piece: int) -> str:
    """What is written in front of a price, in its own piece and before that."""
    return _near(sight, own, range(piece - 1, -1, -1))


def _near(sight: Sight, own: str, pieces: range) -> str:
    """What is written in the unit of a price itself, and in the next pieces without a price."""
    texts = [own]
    for piece in pieces:
        text = sight.pieces.texts[piece]
        if len(texts) > MOST_SAID or len(text) > LONGEST_SAID or spans(text):
            break
        if text:
            texts.append(text)
        if text[-1:] == ":" and pieces.step < 0:  # a label, and what is before it is of another
            break
    return " ".join(texts if pieces.step > 0 else reversed(texts))


class _Lines:
    """The texts of a page by where they are, to find what is on the same line."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._texts = np.flatnonzero(sight.pieces.characters > 0)
        self._corners = sight.corners[self._texts]

    def left_of(self, piece: int) -> str:
        """The nearest text to the left on the same line, unless it is far away."""
        left, top, _, bottom = self._sight.corners[piece].tolist()
        middle = (top + bottom) / 2
        box = self._corners
        gap = left - box[:, 2]
        beside = (box[:, 1] <= middle) & (box[:, 3] >= middle) & (gap >= -1) & (gap < FARTHEST_LEFT)
        if not beside.any():
            return ""
        nearest = int(self._texts[np.argmin(np.where(beside, gap, np.inf))])
        text = self._sight.pieces.texts[nearest]
        return "" if len(text) > LONGEST_SAID or spans(text) else text


def _in_cluster(amounts: Floats, first: Ints) -> Features:
    """How a price compares with those that are seen with it: list price, saving, price."""
    table = np.zeros((7, len(amounts)))
    for inside in _clusters(first):
        some = amounts[inside]
        paid = some[some > 0]
        if not len(paid):
            continue
        distinct = np.unique(paid)
        table[0, inside] = np.minimum(MOST_NEAR, len(distinct))
        table[1, inside] = some <= distinct[0]
        table[2, inside] = some >= distinct[-1]
        table[3, inside] = np.log(np.maximum(some, CENT) / distinct[-1])
        for at, role in _roles(distinct):
            table[3 + role, inside] = np.maximum(table[3 + role, inside], some == distinct[at])
    names = ("prices near", "lowest near", "highest near", "of highest near",
             "minuend", "rest", "saving")  # fmt: skip
    return dict(zip(names, table, strict=True))


def _clusters(first: Ints) -> Iterator[slice]:
    """Runs of prices with few other pieces between them."""
    steps = [at for at, (one, other) in enumerate(pairwise(first.tolist()), 1)
             if not 0 <= other - one <= CLUSTER]  # fmt: skip
    for start, stop in pairwise([0, *steps, len(first)]):
        if stop > start:
            yield slice(start, stop)


def _roles(amounts: Floats) -> Iterator[tuple[int, int]]:
    """Which of some amounts, in order, is the sum of two others (1), and which are these (2, 3)."""
    most = min(len(amounts), 12)
    for total in range(2, most):
        for low in range(total):
            for high in range(low + 1, total):
                if abs(amounts[low] + amounts[high] - amounts[total]) < CENT:
                    yield total, 1
                    yield high, 2
                    yield low, 3


def _has_cents_elsewhere(texts: Sequence[str], amounts: Floats, first: Ints) -> Floats:
    """Whether a price without cents is beside one with cents: $249 where $249.99 is meant.

    Raised cents that are not known as such make a price of $24999.
    """
    bare = np.array([not _CENTS.search(text) for text in texts], dtype=np.bool_)
    whole = np.floor(amounts)
    beside = (np.abs(first[:, None] - first) <= BESIDE) & (amounts > whole)
    same = (whole[:, None] == whole) | np.isclose(whole[:, None], 100 * amounts)
    return np.asarray(bare & (same & beside).any(axis=1), dtype=np.float64)


def _of_pair(amounts: Floats, first: Ints) -> Floats:
    """The logarithm of how much more a price is than the next one that differs, if that is near."""
    share = np.zeros(len(amounts))
    for at, amount in enumerate(amounts.tolist()):
        apart = np.abs(first - first[at])
        others = np.flatnonzero((apart <= BESIDE) & (amounts != amount) & (amounts > 0))
        if len(others) and amount > 0:
            ratio = amount / amounts[others[np.argmin(apart[others])]]
            share[at] = np.log(ratio) if 1 / STEEPEST <= ratio <= STEEPEST else 0.0
    return share


def may_cost(features: Mapping[str, Floats], prices: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which prices may be that of a product: with cents, and neither struck out nor free."""
    whole = prices & (features["cents elsewhere"] == 0)
    for against in ("struck", "free"):
        if (whole & (features[against] == 0)).any():
            whole &= features[against] == 0
    return np.asarray(whole)


def _less_a_share(sight: Sight, amounts: Floats, first: Ints) -> Features:
    """Which prices are the one beside them less a share that is written there, and which that is.

    As 270 is in "-50% 270 540", whatever they look like.
    """
    shares = [
        (piece, int(percent) / 100 if percent else 1 - float(left) / 10)
        for piece, text in enumerate(sight.pieces.texts)
        if ("%" in text or "折" in text) and len(text) <= LONGEST_NAME
        for percent, left in _OFF.findall(text)
    ]
    less, before = np.zeros((2, len(amounts)))
    at = np.array([piece for piece, _ in shares], dtype=np.int64)
    for one in range(len(amounts)):
        for other in range(one + 1, min(one + 3, len(amounts))):
            low, high = sorted((one, other), key=lambda price: float(amounts[price]))
            if not (0 < amounts[low] < amounts[high] and first[other] - first[one] <= CLUSTER):
                continue
            start, stop = np.searchsorted(at, (first[one] - NEAR_SHARE, first[other] + NEAR_SHARE))
            off = 1 - amounts[low] / amounts[high]
            if any(abs(off - share) <= ROUNDED for _, share in shares[start:stop]):
                less[low] = before[high] = 1
    return {"less a share": less, "before a share": before}


def _from_there(sight: Sight, first: Ints, last: Ints) -> Features:
    """How far prices are from the next button to buy something, and from the largest picture."""
    pieces, box = sight.pieces, sight.boxes(first, last) if len(first) else np.zeros((0, 4))
    cart = carts_of(sight)
    button = np.flatnonzero(pieces.button)
    area = np.where(pieces.picture, pieces.area, 0.0)
    largest = sight.corners[int(np.argmax(area))][None] if area.any() else np.zeros((0, 4))
    return {
        "pieces to cart": steps(first, cart),
        "pieces to button": steps(first, button),
        "px to cart": apart(box, sight.corners[cart]),
        "px to picture": apart(box, largest),
    }


def carts_of(sight: Sight) -> Ints:
    """The pieces that say how to buy something."""
    return _carts_on(sight.units.page)


@once_per_page
def _carts_on(page: Page) -> Ints:
    texts = [text if len(text) <= LONGEST_SAID else "" for text in pieces_of(page).texts]
    begun = np.flatnonzero(Searched(texts).holding(CART_BEGUN)).tolist()
    return np.array([at for at in begun if CART.search(texts[at].lower())], dtype=np.int64)


def steps(first: Ints, marks: Ints) -> Floats:
    """The logarithm of how many pieces the next mark behind is away; negative in front."""
    if not len(marks):
        return np.full(len(first), FAR)
    at = np.searchsorted(marks, first)
    behind = np.where(at < len(marks), marks[np.minimum(at, len(marks) - 1)] - first, np.inf)
    ahead = np.where(at > 0, first - marks[np.maximum(at - 1, 0)], np.inf)
    return np.where(behind <= ahead, np.log1p(behind), -np.log1p(np.minimum(ahead, 1e4)))


def apart(box: Floats, others: Floats) -> Floats:
    """The logarithm of how many pixels boxes are away from the nearest of others."""
    if not len(others):
        return np.full(len(box), FAR)
    across, down = (
        np.maximum(0, np.maximum(others[None, :, low] - box[:, None, high],
                                 box[:, None, low] - others[None, :, high]))
        for low, high in ((0, 2), (1, 3))
    )  # fmt: skip
    nearest: Floats = np.log1p(np.hypot(across, down).min(axis=1))
    return nearest


def _repeated(sight: Sight, units: Ints) -> Features:
    """How many prices are in places like that of each: those of related products are."""
    paths = sight.paths[DEEPEST, units].tolist()
    classes = [(sight.tags[unit], sight.classes[unit]) for unit in units.tolist()]
    by_path, by_class = Counter(paths), Counter(classes)
    return {
        "paths alike": np.log([by_path[path] for path in paths]) if paths else np.zeros(0),
        "classes alike": np.log([by_class[name] for name in classes]) if classes else np.zeros(0),
    }


def _beside_name(sight: Sight, units: Ints, headline: int) -> Features:
    """How far prices are from the name, and what the part of the page is that has one but not both.

    A product that is offered as well has a part of its own, with a link and a picture, among others
    like it; what the product of the page costs is in a part with its name.
    """
    away = np.full(len(units), FAR)
    if headline >= 0 and len(units):
        away = apart(sight.units.corners[units], sight.units.corners[headline][None])
    return {"px to name": away, **cards_around(sight, units, headline)}


def cards_around(sight: Sight, units: Ints, headline: int = -1) -> Features:
    """Of what is around units, without the name: how many parts of the page are like it."""
    cards = _Cards(sight)
    table = np.zeros((3, len(units)))
    parent, end = sight.listed.parent, sight.units.end
    first, last = sight.listed.first, sight.listed.last
    for at, unit in enumerate(units.tolist()):
        alike = 1
        while parent[unit] >= 0 and not unit <= headline < end[unit]:
            card, unit = unit, parent[unit]
            count = cards.like(card)
            if count > alike:
                alike = count
                table[1:, at] = np.log(count), cards.has_picture(card)
        table[0, at] = np.log1p(last[unit] - first[unit])
    return dict(zip(("shared with name", "cards alike", "card picture"), table, strict=True))


class _Cards:
    """Parts of a page that have a price and a link, and how many of them are alike."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        first, last = sight.units.first, sight.units.last
        total = sight.pieces.total
        self._is_card = (total("prices", first, last) > 0) & (total("links", first, last) > 0)
        self._pictures = total("pictures", first, last) > 0
        self._counts: dict[int, Counter[tuple[str, str]]] = {}

    def like(self, unit: int) -> int:
        """How many cards beside a unit have its tag and class; 0 if it is not a card."""
        if not self._is_card[unit]:
            return 0
        around = self._sight.listed.parent[unit]
        if around not in self._counts:
            beside = (other for other in self._sight.units.children[around] if self._is_card[other])
            self._counts[around] = Counter(map(self._kind, beside))
        return self._counts[around][self._kind(unit)]

    def has_picture(self, unit: int) -> bool:
        return bool(self._pictures[unit])

    def _kind(self, unit: int) -> tuple[str, str]:
        return self._sight.tags[unit], self._sight.classes[unit]


def _largest(size: Floats, first: Ints) -> Floats:
    """How large prices are beside the largest that is seen with them."""
    share = np.zeros(len(size))
    for inside in _clusters(first):
        share[inside] = size[inside] / max(1.0, float(size[inside].max()))
    return share


def _title_before(sight: Sight, title: str, first: Ints) -> Floats:
    """How much of the words of a title is in the texts in front of each price."""
    wanted = words_of(title)
    if not wanted:
        return np.zeros(len(first))
    share = np.array([len(wanted & said) / len(wanted) for said in words_by_piece(sight)])
    return np.array([share[max(0, at - NAMED) : at + 1].max() for at in first.tolist()])


def words_by_piece(sight: Sight) -> list[frozenset[str]]:
    """The words that are written in each piece, unless it is long."""
    return _words_on(sight.units.page)


@once_per_page
def _words_on(page: Page) -> list[frozenset[str]]:
    find = _WORD.findall
    flat = [
        "" if len(text) > LONGEST_NAME else text.casefold() if text.isascii() else folded(text)
        for text in pieces_of(page).texts
    ]
    return [frozenset(find(text)) if text else _NOTHING for text in flat]


def words_of(text: str) -> frozenset[str]:
    """The words of a name, without short ones."""
    return frozenset(_WORD.findall(folded(text)))
