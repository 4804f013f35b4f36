"""The levels of headings, decided for all looks of a page together.

Headings of one look have one level; the one that may be the title has a look of its own. Which
level a look has is judged by itself, and how each two looks compare (above, equal, below) by size,
weight, order and numbering; then the levels of all looks are sought that fit these judgements best,
skip no level on the way down and leave one title.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.models.ranking import Ranker
from pagesight.readers.outline.features import BlockSight
from pagesight.segment.nodes import numbered

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_LEVELS = 6
MOST_LOOKS = 24  # of one page; rarer ones are taken for the most similar of these
BEAM = 100  # ways to give levels that are kept while looks are added one by one
SKIP_COST = 0.5  # of a level that is skipped once; n times cost the square root of n
TITLES_COST = 4.5  # of more than one heading on the first level: six pages in seven have one
SAME_SIZE = 0.03  # of the logarithm; nobody sees a smaller difference
NUMBERS_WEIGH = 10.0  # what it costs to contradict numbers: more than looks can say
_LOOK = (
    "size bold italic centered border_below background capitals in_main contrast above below "
    "from_left length depth links other_family underline cell list_item border_above like_title "
    "from_top"
).split()  # fmt: skip
_KEY = ("bold", "border_below", "centered", "background", "italic", "in_main")
_EVEN = ("size", "bold", "contrast", "from_left", "depth", "in_main", "other_family")
LEAST_ALIKE = 0.6  # of the words of a title and a heading


@dataclass(frozen=True, eq=False)
class HeadingLooks:
    """The headings of a page by look. Arrays are by heading, unless stated otherwise."""

    sight: BlockSight
    blocks: Ints
    """The text blocks that are headings, in document order."""

    names: Sequence[str]
    rows: Floats
    """The features of these blocks."""

    def column(self, name: str) -> Floats:
        return self.rows[:, self._place[name]]

    @cached_property
    def _place(self) -> dict[str, int]:
        """By name the column of each feature."""
        return {name: at for at, name in enumerate(self.names)}

    @cached_property
    def number(self) -> Ints:
        """The look of each heading, numbered by how many headings have it, most first."""
        if not len(self.blocks):
            return np.zeros(0, np.int64)
        is_title = np.arange(len(self.blocks)) == self.title
        look = numbered(*self._keys.T, is_title)
        rank = np.argsort(np.argsort(-np.bincount(look), kind="stable"), kind="stable")
        return self._merged(rank[look])

    @cached_property
    def _keys(self) -> Floats:
        """What is the same for headings of one look, a row for each."""
        keys = [np.round(self.column("size") * 20), self.sight.numbering[self.blocks]]
        return np.column_stack([*keys, *(self.column(name) for name in _KEY)])

    @cached_property
    def title(self) -> int:
        """Which heading may be the title: the first of the largest; -1 if that is one of several.

        One that looks like others is their title if it says more than they do what the title of
        the window says. Before "1." and "2." there is a title that looks like them, or none.
        """
        size, numbering = self.column("size"), self.sight.numbering[self.blocks]
        largest = np.flatnonzero(size > size.max() - SAME_SIZE)
        first, *others = numbering[largest].tolist()
        title = int(largest[0])
        return -1 if (first and first in others) or self._is_one_of_several(title) else title

    def _is_one_of_several(self, heading: int) -> bool:
        """Whether others look like a heading, say something else and fit the title as well."""
        texts = [self.sight.texts[block] for block in self.blocks.tolist()]
        other = np.array([text != texts[heading] for text in texts])
        like = (self._keys == self._keys[heading]).all(axis=1) & other
        if not like.any():
            return False
        fits = self.column("like_title")
        return bool(fits[heading] < LEAST_ALIKE or fits[heading] <= fits[like].max())

    def _is_title(self, look: Ints) -> Floats:
        """Of looks, 1 for that of the title."""
        return np.asarray((look == self.number[self.title]) & (self.title >= 0), np.float64)

    def _merged(self, look: Ints) -> Ints:
        """Looks beyond the most frequent ones become the one that is nearest in size."""
        size = self.column("size")
        usual = np.bincount(look, size) / np.bincount(look)
        nearest = np.abs(usual[:, None] - usual[:MOST_LOOKS]).argmin(axis=1)
        return np.where(look < MOST_LOOKS, look, nearest[look])

    @cached_property
    def count(self) -> int:
        return int(self.number.max(initial=-1)) + 1

    @cached_property
    def _counts(self) -> Floats:
        return np.bincount(self.number).astype(np.float64)

    @cached_property
    def _first(self) -> Ints:
        """The first heading of each look."""
        return np.unique(self.number, return_index=True)[1]

    def counted(self, levels: Ints) -> Ints:
        """How many headings of each look are on each level, (looks, levels); given by block."""
        table = np.zeros((self.count, MOST_LEVELS + 1), np.int64)
        np.add.at(table, (self.number, levels[self.blocks]), 1)
        return table

    def _usual(self, values: Floats) -> Floats:
        """The mean over the headings of each look."""
        return np.asarray(np.bincount(self.number, values) / self._counts)

    @cached_property
    def _usual_looks(self) -> dict[str, Floats]:
        return {name: self._usual(self.column(name)) for name in _LOOK}

    @cached_property
    def _depth(self) -> Floats:
        """How many parts the numbers of each look have, 0 if there are none."""
        return self._usual(self.sight.numbering[self.blocks].astype(np.float64))

    def described(self) -> Floats:
        """What each look shows by itself: a row of `LOOK_NAMES` per look."""
        usual = self._usual_looks
        size, main = usual["size"], usual["in_main"] > 0.5
        first, once, numbering = self._first, self._counts == 1, self._depth
        larger = size[None, :] > size[:, None] + SAME_SIZE
        sizes, which = np.unique(np.round(size, 2), return_inverse=True)
        has_size = np.eye(len(sizes), dtype=np.int64)[which]
        ranks, main_ranks = (
            np.count_nonzero(others @ has_size, axis=1) for others in (larger, larger & main)
        )
        share_larger = (larger * self._counts).sum(axis=1) / len(self.number)
        rows = (
            *usual.values(), numbering, numbering > 0, np.log(self._counts), once, first == 0,
            np.minimum(np.argsort(np.argsort(first)), 6), first / len(self.number),
            np.minimum(ranks, 6), ranks == 0, share_larger,
            np.minimum(main_ranks, 6), main_ranks == 0, main & (main_ranks == 0),
            once & (main_ranks == 0), self._is_title(np.arange(self.count)),
            np.full(self.count, min(self.count, 10)), size.max() - size,
        )  # fmt: skip
        return np.column_stack([np.asarray(row, np.float64) for row in rows])

    def pairs(self) -> tuple[Ints, Floats]:
        """All ordered pairs of looks, and how the first compares to the second."""
        pairs = np.argwhere(~np.eye(self.count, dtype=np.bool_))
        return pairs, np.column_stack(list(self._compared(pairs[:, 0], pairs[:, 1]).values()))

    def _compared(self, one: Ints, other: Ints) -> dict[str, Floats]:
        count, depth = self._counts, self._depth
        table = {name: usual[one] - usual[other] for name, usual in self._usual_looks.items()}
        table["larger"] = np.sign(table["size"]) * (np.abs(table["size"]) > SAME_SIZE)
        both = (depth[one] > 0) & (depth[other] > 0)
        table["number_depth"] = both * (depth[one] - depth[other])
        table["numbered"] = np.sign(depth[one]) - np.sign(depth[other])
        table["same_numbering"] = (depth[one] == depth[other]).astype(np.float64)
        rarity = np.log(count[one] / count[other])
        earlier = np.where(self._first[one] < self._first[other], 1.0, -1.0)
        table["rarity"], table["rarer"] = np.clip(rarity, -3, 3), np.sign(rarity)
        table["earlier"] = earlier
        table["title"] = self._is_title(one) - self._is_title(other)
        table["one_and_first"] = earlier * (count[np.where(earlier > 0, one, other)] == 1)
        followed, touching = self._followed
        for name, matrix in (("followed", followed), ("touching", touching)):
            there, back = matrix[one, other], matrix[other, one]
            table[name] = there / count[one] - back / count[other]
            table[f"{name}_by_most"] = there / count[other] - back / count[one]
        for name in _EVEN:
            table[f"{name}_apart"] = np.abs(table[name])
        table["same_size"] = (np.abs(table["size"]) < SAME_SIZE).astype(np.float64)
        table["rarity_apart"] = np.abs(rarity)
        table["once"] = (np.minimum(count[one], count[other]) == 1).astype(np.float64)
        return table

    def above_by_number(self) -> NDArray[np.bool_]:
        """Whether numbers say that a look is above another, not larger one: "2.1" is below "2"."""
        below = np.zeros((self.count, self.count))
        last: dict[str, int] = {}  # by number the look of the last heading that has it
        for block, look in zip(self.blocks.tolist(), self.number.tolist(), strict=True):
            number = self.sight.numbers[block]
            outer = last.get(number.rpartition(".")[0])
            if outer is not None:
                below[outer, look] += 1
            if number:
                last[number] = look
        size = self._usual_looks["size"]
        above = (below > self._counts / 2) & (size[:, None] > size - SAME_SIZE)
        return np.asarray(above & ~np.eye(self.count, dtype=np.bool_))

    @cached_property
    def _followed(self) -> tuple[Floats, Floats]:
        """How often each look is followed by each other one, and so without a text between."""
        followed, touching = np.zeros((2, self.count, self.count))
        order = self.number[:-1], self.number[1:]
        np.add.at(followed, order, 1)
        np.add.at(touching, order, np.diff(self.blocks) == 1)
        return followed, touching

    def steps(self) -> Floats:
        """How often each look is followed by each other; the last row is the start of the page."""
        return np.vstack((self._followed[0], np.eye(self.count)[self.number[0]]))


LOOK_NAMES = (
    *_LOOK, "number_depth", "numbered", "count", "once", "first", "place", "place_share", "rank",
    "largest", "share_larger", "main_rank", "largest_in_main", "main_and_largest",
    "once_and_largest", "title", "looks", "below_largest",
)  # fmt: skip
STOP_NAMES = (*LOOK_NAMES, "level")  # the level that the question is about
PAIR_NAMES = (
    *_LOOK, "larger", "number_depth", "numbered", "same_numbering", "rarity", "rarer", "earlier",
    "title", "one_and_first", "followed", "followed_by_most", "touching", "touching_by_most",
    *(f"{name}_apart" for name in _EVEN), "same_size", "rarity_apart", "once",
)  # fmt: skip


@dataclass(frozen=True)
class LevelModel:
    """What is learned of levels: trees whose sums are the log odds of a yes."""

    stops: Ranker
    """Whether a look that is not above a level is on it."""

    equal: Ranker
    """Whether two looks are on one level."""

    above: Ranker
    """Of two looks that are not, whether the first is above the second."""

    def alone(self, looks: HeadingLooks) -> Floats:
        """Log probabilities of the levels of each look by itself, (looks, levels)."""
        asked = with_levels(looks.described(), MOST_LEVELS - 1)
        odds = self.stops.scores_of(asked).reshape(looks.count, MOST_LEVELS - 1)
        passed = np.cumsum(_log_chance(-odds), axis=1)
        alone = np.zeros((looks.count, MOST_LEVELS))
        alone[:, 1:] = passed
        alone[:, :-1] += _log_chance(odds)
        return alone

    def compared(self, looks: HeadingLooks) -> Floats:
        """Log probabilities that a look is above, equal to, and below each other one."""
        fits = np.zeros((looks.count, looks.count, 3))
        if looks.count > 1:
            pairs, rows = looks.pairs()
            equal, above = self.equal.scores_of(rows), self.above.scores_of(rows)
            other = _log_chance(-equal)
            fits[pairs[:, 0], pairs[:, 1]] = np.column_stack(
                (other + _log_chance(above), _log_chance(equal), other + _log_chance(-above))
            )
        return np.asarray((fits + fits.transpose(1, 0, 2)[:, :, ::-1]) / 2)

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        return {name: getattr(self, name).to_json() for name in ("stops", "equal", "above")}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> LevelModel:
        """What `to_json` made; raises `ValueError` or `KeyError` for anything else."""
        trees = {name: Ranker.from_json(fields[name]) for name in ("stops", "equal", "above")}
        if [of.features for of in trees.values()] != [STOP_NAMES, PAIR_NAMES, PAIR_NAMES]:
            raise ValueError("it has other features")
        return cls(**trees)


def with_levels(rows: Floats, levels: int) -> Floats:
    """Each row once with each level, 0 first, in a column of its own."""
    level = np.tile(np.arange(levels, dtype=np.float64), len(rows))
    return np.column_stack((np.repeat(rows, levels, axis=0), level))


def _log_chance(odds: Floats) -> Floats:
    return np.asarray(-np.logaddexp(0, -odds))


def heading_levels(looks: HeadingLooks, model: LevelModel) -> Ints:
    """The level of each heading, 1 the highest, the same for all of one look."""
    if not len(looks.blocks):
        return np.zeros(0, np.int64)
    fits, above = model.compared(looks), looks.above_by_number()
    fits[above, 1:] -= NUMBERS_WEIGH
    fits[above.T, :2] -= NUMBERS_WEIGH
    best = best_levels(model.alone(looks), fits, looks.steps())
    levels = 1 + best[looks.number]
    if looks.title < 0:
        levels += 1 - levels.min()
    return below_name(levels, looks.column("like_title"), looks.column("size"))


def below_name(levels: Ints, fits: Floats, size: Floats) -> Ints:
    """Levels on which the title of a page is as high as the name of the site or book above it.

    `fits` says how well headings match the title of the window. The title does so, and no worse
    than the name, which is in larger type and alone on the first level. Nothing after the title
    is on its level.

    >>> levels, fits = np.array([1, 3, 2, 3, 3]), np.array([0.5, 0, 1, 0, 0])
    >>> below_name(levels, fits, np.array([0.9, 0.1, 0.6, 0.3, 0.3])).tolist()
    [1, 2, 1, 2, 2]
    """
    names, titles = (np.flatnonzero(levels == level) for level in (1, 2))
    if len(names) != 1 or not len(titles) or titles[-1] < names[0]:
        return levels
    name, title = names[0], titles[-1]
    matches = fits[title] >= max(LEAST_ALIKE, fits[name], fits[titles].max())
    smaller = size[title] < size[name] - SAME_SIZE
    return np.asarray(np.maximum(levels - 1, 1)) if matches and smaller else levels


def best_levels(alone: Floats, fits: Floats, steps: Floats) -> Ints:
    """The level of each item, 0 first, that fits best.

    `alone[a]` are the log probabilities of a's levels, `fits[a, b]` those that a is above b,
    equal to it, and below it; `steps[a, b]` is how often b comes next after a, and the last row
    how often b comes first. What comes more than once, or with others, on level 0 costs something.
    """
    counts = steps.sum(axis=0)
    costs, levels = SKIP_COST * np.sqrt(steps), np.arange(alone.shape[1])
    ways, values = np.zeros((1, 0), np.int64), np.zeros(1)
    for item in range(len(alone)):
        above = ways[:, :, None] - levels  # (ways, items so far, levels): below 0 if above
        before = np.arange(item)[:, None]
        fit = fits[before, item, 1 + np.sign(above)]
        fit = fit - costs[:item, item, None] * np.maximum(-above - 1, 0)
        fit -= costs[item, :item, None] * np.maximum(above - 1, 0)
        totals = values[:, None] + alone[item] - costs[-1, item] * levels + fit.sum(axis=1)
        titles = (ways == 0) @ counts[:item]
        totals[:, 0] -= TITLES_COST * ((titles <= 1) & (titles + counts[item] > 1))
        kept = np.argsort(-totals, axis=None, kind="stable")[:BEAM]
        ways = np.column_stack((ways[kept // len(levels)], levels[kept % len(levels)]))
        values = totals.ravel()[kept]
    return np.asarray(ways[0])


def settled(levels: ArrayLike) -> Ints:
    """Levels that skip none on the way down; if none is a 1, the first of the highest becomes it.

    A title may look like the headings below it. It need not be the first heading: what is in a
    sidebar before it has the level that it has.
    """
    result = np.array(levels, dtype=np.int64)
    if len(result) and result.min() > 1:
        result -= result.min() - 2
        result[result.argmin()] = 1
    return without_skips(result)


def without_skips(levels: ArrayLike) -> Ints:
    """Levels that skip none on the way down, the highest a 1; siblings stay siblings."""
    given = np.asarray(levels, dtype=np.int64)
    return _nested(given - given.min(initial=MOST_LEVELS) + 1)


def without_gaps(levels: ArrayLike) -> Ints:
    """How deep each heading is: levels that begin with 1; siblings stay siblings."""
    return _nested(np.asarray(levels, dtype=np.int64), outermost=1)


def _nested(levels: Ints, outermost: int | None = None) -> Ints:
    """Levels one below that of the heading around; headings in no other keep theirs or get one."""
    around: list[tuple[int, int]] = []  # the headings that are still open: levels before and after
    result = []
    for level in levels.tolist():
        while around and around[-1][0] >= level:
            around.pop()
        result.append(around[-1][1] + 1 if around else outermost or level)
        around.append((level, result[-1]))
    return np.array(result, dtype=np.int64)
