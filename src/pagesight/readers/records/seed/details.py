"""Pages of one product: where what is known of it is, and the block around it.

Nobody has marked the places. A name is where a text begins like it, the largest of them; a price is
where the amount is shown, first after the name. Pictures and descriptions are not known: what may
be one counts neither way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import fit_logistic
from pagesight.readers.records.learning.examples import RecordsPage, is_alike
from pagesight.readers.records.pieces import pieces_of
from pagesight.readers.records.prices import amount_of, spans
from pagesight.readers.records.seed.elements import Vision, vision_of
from pagesight.readers.records.seed.labels import MarkedTree, smallest_around
from pagesight.readers.records.seed.methods import Found, SeedPage
from pagesight.readers.records.seed.scores import ALL, Tally
from pagesight.segment.text import folded

Floats = NDArray[np.float64]
PLACED = ("name", "price")
LONG = 60  # characters of a text that may describe a product
SMALLEST = 80.0  # px of a picture of it


def detail_tree(
    vision: Vision, names: Sequence[str], amounts: set[float | None]
) -> MarkedTree | None:
    """The name and the price of a product in the tree of its page; None unless both are there."""
    named = [at for at, text in enumerate(vision.texts) if _is_name(text, names)]
    priced = [
        at
        for at, text in enumerate(vision.texts)
        if len(spans(text)) == 1 and amount_of(text).amount in amounts and at not in named
    ]
    if not named or not priced:
        return None
    name = max(named, key=lambda at: (_size(vision, at), -at))
    price = min(priced, key=lambda at: (at < name, abs(at - name)))
    known = {"name": _leaves(vision, [name]), "price": _leaves(vision, [price])}
    others = {"name": _leaves(vision, named), "price": _leaves(vision, priced), **_maybe(vision)}
    top = smallest_around(vision, known["name"] | known["price"])
    leaves = frozenset(vision.leaves_of(top).tolist())
    return MarkedTree((leaves,), (top,), (known,), (others,), frozenset())


def _is_name(text: str, names: Sequence[str]) -> bool:
    return any(is_alike(folded(text), folded(name)) for name in names)


def _leaves(vision: Vision, ranks: Sequence[int]) -> frozenset[int]:
    return frozenset(vision.leaves[ranks].tolist())


def _size(vision: Vision, rank: int) -> float:
    """The font size of a leaf."""
    size = pieces_of(vision.page).size
    return max((float(size[at]) for at in vision.pieces[rank]), default=0.0)


def _maybe(vision: Vision) -> dict[str, frozenset[int]]:
    """The leaves that may be pictures or descriptions of a product."""
    large = vision.tree.box[vision.leaves, 2:].min(axis=1) >= SMALLEST
    pictures = [at for at, picture in enumerate(vision.pictures) if picture is not None]
    long = [at for at, text in enumerate(vision.texts) if len(text) >= LONG]
    return {
        "image": _leaves(vision, [at for at in pictures if large[at]]),
        "description": _leaves(vision, long),
    }


def detail_page(example: RecordsPage) -> SeedPage | None:
    """A page with a product whose name and price are seen."""
    vision = vision_of(example.page)
    marked = detail_tree(vision, example.stated_names, example.stated_amounts)
    return SeedPage(example.page, example.brand, marked) if marked else None


@dataclass
class MainBlock:
    """Finds the block of a page that is about its product: one by its look, after learning."""

    weights: Floats | None = None

    def learn(self, pages: Sequence[SeedPage]) -> None:
        rows = np.concatenate([page.blocks[~page.vision.tree.is_leaf] for page in pages])
        tops = [np.isin(np.flatnonzero(~page.vision.tree.is_leaf), page.marked.tops)
                for page in pages]  # fmt: skip
        self.weights = fit_logistic(rows, np.concatenate(tops).astype(np.float64), penalty=1.0)

    def find(self, page: SeedPage) -> list[frozenset[int]]:
        """The leaves of the likeliest block."""
        assert self.weights is not None
        inner = np.flatnonzero(~page.vision.tree.is_leaf)
        best = int(inner[(page.blocks[inner] @ self.weights).argmax()])
        return [frozenset(page.vision.leaves_of(best).tolist())]


def tally_detail(tally: Tally, found: Found, marked: MarkedTree) -> None:
    """Count the name and the price of a product: of several values the most certain one."""
    right = {name: _is_right(name, found, marked) for name in PLACED}
    for name, verdict in right.items():
        tally.add(name, right=verdict is True, read=verdict is not None, marked=1)
    tally.add(ALL, right=all(right.values()), read=1, marked=1)


def _is_right(name: str, found: Found, marked: MarkedTree) -> bool | None:
    values = {leaf: value for leaf, value in found.values.items() if value.attribute == name}
    if not values:
        return None
    best = max(values, key=lambda leaf: values[leaf].chance)
    return best in marked.values[0][name] | marked.others[0][name]
