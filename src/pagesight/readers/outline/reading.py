"""The outline of a page: which text blocks are headings, and on which level.

By sight alone, or with the tags of the page for evidence. Tags that agree with the look are left
as they are; tags that contradict it are corrected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import ModelError
from pagesight.models.softmax import Softmax, log_softmax
from pagesight.models.weights import HINT, load_weights
from pagesight.page import Page
from pagesight.readers.outline.claims import EVIDENCE_NAMES, SURE, TRUST_NAMES, Claims, Weighed
from pagesight.readers.outline.features import VERSION, BlockSight, features
from pagesight.readers.outline.heading import Heading, OutlineReading
from pagesight.readers.outline.judging import Judge
from pagesight.readers.outline.levels import (
    MOST_LEVELS,
    SAME_SIZE,
    HeadingLooks,
    LevelModel,
    heading_levels,
    settled,
)
from pagesight.segment.blocks import TextBlocks, text_blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TASK = "outline"
LONGEST = 200  # characters; nobody writes longer headings
LEAST_ODDS = -0.7  # log odds from which a block is taken for a heading; misses cost more
LEAST_LARGEST = -3.0  # the same for a text that is larger than all headings found
LEAST_EMPTY = 0.3  # the same for a look that never has anything under it
LEAST_TRUST = -1.5  # log odds from which tags are believed: a good page is not to be changed


class Tags(StrEnum):
    """What h1 to h6 are to a reader."""

    AUTO = "auto"  # evidence: believed as far as they agree with what is seen
    IGNORE = "ignore"


@dataclass(frozen=True)
class OutlineModel:
    """What is learned."""

    judge: Judge
    """Which blocks are headings, by sight."""

    levels: LevelModel

    trust: Softmax
    """Whether the tags of a page are wrong or right."""

    evidence: Softmax
    """Whether a block is a heading, by sight and by tags that may be wrong."""

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        names = ("judge", "levels", "trust", "evidence")
        return {name: getattr(self, name).to_json() for name in names}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> OutlineModel:
        """What `to_json` made; raises `ModelError` if it is for other features."""
        try:
            return cls(
                Judge.from_json(fields["judge"], fields["judge"]["features"]),
                LevelModel.from_json(fields["levels"]),
                _in_order(Softmax.from_json(fields["trust"]), TRUST_NAMES),
                _in_order(Softmax.from_json(fields["evidence"]), EVIDENCE_NAMES),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"the weights of {TASK!r} do not fit ({error})", hint=HINT) from error


def _in_order(model: Softmax, names: Sequence[str]) -> Softmax:
    """The model with its features in the order of `names`; files sort them."""
    if sorted(model.features) != sorted(names):
        raise ValueError("it has other features")
    order = [model.features.index(name) for name in names]
    return Softmax(
        features=tuple(names),
        labels=model.labels,
        mean=model.mean[order],
        scale=model.scale[order],
        bias=model.bias,
        weights=model.weights[order],
    )


@cache
def shipped_model() -> OutlineModel:
    """The model that comes with the package."""
    return OutlineModel.from_json(load_weights(TASK, VERSION).model)


def read_outline(
    page: Page, *, tags: Tags | str = Tags.AUTO, keep_gaps: bool = False
) -> OutlineReading:
    """Which texts of a page are headings, and on which level.

    With `tags` "auto", h1 to h6 are believed where they agree with what is seen, and corrected
    where they do not; with "ignore", only what is seen counts. No heading is more than one level
    below the heading before it, unless `keep_gaps`.
    """
    return OutlineReading(tuple(outline(page, shipped_model(), tags=tags, keep_gaps=keep_gaps)))


@dataclass(frozen=True, eq=False)
class Found:
    """The headings among the text blocks of a page: which, on which level, and how surely."""

    blocks: Ints
    levels: Ints
    confidence: Floats


@dataclass(frozen=True, eq=False)
class Seen:
    """A page's blocks with their features, measured once."""

    sight: BlockSight
    names: Sequence[str]
    rows: Floats

    @classmethod
    def of(cls, blocks: TextBlocks) -> Seen:
        sight = BlockSight(blocks)
        return cls(sight, *features(sight))

    def looks(self, blocks: Ints) -> HeadingLooks:
        return HeadingLooks(self.sight, blocks, self.names, self.rows[blocks])

    def odds(self, judge: Judge) -> Floats:
        """Of each block the log odds of being a heading, by sight."""
        sight = self.sight
        short = np.flatnonzero((sight.blocks.lengths <= LONGEST) & ~sight.initials)
        odds = np.full(len(self.rows), -np.inf)
        scores, look = judge.log_odds(self.rows[short]), sight.group[short]
        count = np.maximum(np.bincount(look, minlength=1), 1)
        usual = np.bincount(look, scores, minlength=1) / count
        odds[short] = (scores + usual[look]) / 2  # what looks alike is alike
        return odds

    def likely(self, odds: Floats) -> Ints:
        """The blocks that these odds make headings; what is larger than all others is a title."""
        likely, size = odds > LEAST_ODDS, self.sight.size
        larger = size > size[likely].max(initial=-np.inf) + SAME_SIZE
        larger &= odds > LEAST_LARGEST
        if likely.any() and larger.any():
            likely[np.where(larger, odds, -np.inf).argmax()] = True
        return np.flatnonzero(likely)

    def weighed(self, claims: Claims, odds: Floats) -> Weighed:
        return Weighed(claims, odds, self.sight.group, self.looks(claims.blocks))


def outline(
    page: Page, model: OutlineModel, *, tags: Tags | str = Tags.AUTO, keep_gaps: bool = False
) -> list[Heading]:
    """The headings of a page in document order."""
    blocks = text_blocks(page)
    claims = Claims.of(blocks) if Tags(tags) is Tags.AUTO else None
    headings = find_headings(Seen.of(blocks), model, claims, keep_gaps=keep_gaps)
    return list(_headings(blocks, headings, claims))


def _headings(blocks: TextBlocks, headings: Found, claims: Claims | None) -> Iterator[Heading]:
    """One heading for all blocks in one h1 to h6."""
    nodes = blocks.element[headings.blocks]
    if claims is not None:
        tagged = claims.heading[headings.blocks]
        nodes = np.where(tagged >= 0, tagged, nodes)
    starts = np.flatnonzero(np.diff(nodes, prepend=-1))
    for start, stop in pairwise([*starts.tolist(), len(nodes)]):
        text = " ".join(blocks.strings[block] for block in headings.blocks[start:stop].tolist())
        level, sure = headings.levels[start:stop].min(), headings.confidence[start:stop].max()
        node = blocks.page[int(nodes[start])]
        yield Heading.of(node, text, level=int(level), confidence=float(sure))


def find_headings(
    seen: Seen, model: OutlineModel, claims: Claims | None = None, *, keep_gaps: bool = False
) -> Found:
    """Which blocks are headings, and on which level; by sight alone if nothing is claimed."""
    odds = seen.odds(model.judge)
    if claims is None or not len(claims.blocks):
        return _as_seen(seen, model, odds, keep_gaps=keep_gaps)
    weighed = seen.weighed(claims, odds)
    trust = log_odds(model.trust, weighed.trust_row(model.levels)[None])
    if trust[0] > LEAST_TRUST:
        believed = np.where(claims.levels > 0, trust, -np.inf)
        claims = _with_title(claims, seen, odds)
        return _as_claimed(claims if keep_gaps else claims.closed(), odds, believed)
    evident = np.where(np.isfinite(odds), log_odds(model.evidence, weighed.evidence()), odds)
    return _as_seen(seen, model, evident, claims.title, keep_gaps=keep_gaps)


def _as_seen(
    seen: Seen, model: OutlineModel, odds: Floats, title: Ints | None = None, *, keep_gaps: bool
) -> Found:
    """The headings by these odds; their levels are those of their looks, below the title."""
    blocks = seen.likely(odds)
    while True:
        looks = seen.looks(blocks)
        levels = heading_levels(looks, model.levels)
        doubtful = _without_content(looks, levels, len(odds)) & (odds[blocks] < LEAST_EMPTY)
        doubtful |= _lone_numbers(looks)
        if not doubtful.any():
            break
        blocks = blocks[~doubtful]
    if title is not None:
        levels = _below_title(looks, levels, np.isin(blocks, title))
    return Found(blocks, levels if keep_gaps else settled(levels), _chance(odds[blocks]))


def _below_title(looks: HeadingLooks, levels: Ints, title: NDArray[np.bool_]) -> Ints:
    """The levels with the title alone on the first, if no other heading is as large."""
    size, others = looks.column("size"), levels[~title]
    if title.all() or not size[title].max(initial=-np.inf) > size[~title].max() + SAME_SIZE:
        return levels
    lower = np.unique(others, return_inverse=True)[1] + 2 if 1 in others else others
    result = np.ones_like(levels)
    result[~title] = np.minimum(lower, MOST_LEVELS)
    return result


def _without_content(looks: HeadingLooks, levels: Ints, count: int) -> NDArray[np.bool_]:
    """Headings of looks that never have anything under them, neither text nor lower headings."""
    ends = np.diff(looks.blocks, append=count) == 1
    higher = np.diff(levels, append=0) <= 0
    filled = np.bincount(looks.number, ~(ends & higher), looks.count) > 0
    return ~filled[looks.number]


def _lone_numbers(looks: HeadingLooks) -> NDArray[np.bool_]:
    """Numbers that look like no other heading: a price, a rating, a count. The first is a title."""
    lone = looks.column("no_letters") > 0
    lone &= np.bincount(looks.number, minlength=1)[looks.number] == 1
    lone[:1] = False
    return lone


def _with_title(claims: Claims, seen: Seen, odds: Floats) -> Claims:
    """The claims with the title of a page without any h1: before what is tagged, and larger."""
    if (claims.node_levels == 1).any():
        return claims
    sight, claimed = seen.sight, claims.blocks
    before = np.arange(claimed[0])
    larger = sight.size[before] > sight.size[claimed].max() + SAME_SIZE
    titles = before[larger & (odds[before] > SURE)].tolist()
    if len(titles) != 1:
        return claims
    return claims.with_title(titles[0], int(sight.blocks.element[titles[0]]))


def _as_claimed(claims: Claims, odds: Floats, trust: Floats) -> Found:
    """The headings that tags claim, as sure as tags or look are."""
    blocks = claims.blocks
    doubt = (1 - _chance(trust[blocks])) * (1 - _chance(odds[blocks]))
    return Found(blocks, claims.levels[blocks], 1 - doubt)


def log_odds(model: Softmax, rows: Floats) -> Floats:
    """Of each row the log odds of the second of two labels."""
    chances = log_softmax(model.scores(rows))
    return np.asarray(chances[:, 1] - chances[:, 0])


def _chance(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))
