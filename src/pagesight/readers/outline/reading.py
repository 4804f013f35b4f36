"""The outline of a page: which text blocks are headings, and on which level.

By sight alone, or with the tags of the page for evidence. Tags that agree with the look are left
as they are; tags that contradict it are corrected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import ModelError
from pagesight.models.logistic import Platt, sigmoid
from pagesight.models.ranking import Ranker
from pagesight.models.softmax import Softmax, log_softmax
from pagesight.models.weights import HINT, load_weights
from pagesight.page import Page
from pagesight.readers.outline.claims import EVIDENCE_NAMES, SURE, TRUST_NAMES, Claims, Weighed
from pagesight.readers.outline.features import VERSION, BlockSight, features
from pagesight.readers.outline.heading import Heading, OutlineReading
from pagesight.readers.outline.levels import (
    LEAST_ALIKE,
    SAME_SIZE,
    HeadingLooks,
    LevelModel,
    heading_levels,
    settled,
)
from pagesight.readers.papers import article_of_pdf
from pagesight.segment.blocks import TextBlocks, text_blocks, text_of
from pagesight.segment.nodes import inside, links_of, with_attribute

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

TASK = "outline"
LONGEST = 200  # characters; nobody writes longer headings
LEAST_ODDS = -0.9  # log odds from which a block is taken for a heading; misses cost more
IMPLIED_ODDS = 1.0  # of what is a heading because others are
TERM_ODDS = 2.0  # log odds that what looks like a term needs more to be a heading
TERM_SIZE = 0.12  # of the logarithm: terms are hardly larger than the body text
FEWEST_TERMS = 3  # of one look on a page
INDENTED = 0.5  # font sizes of the body text that a description is further to the right
ALWAYS = 0.95  # of the blocks of one look
LIKES_WEIGH = 0.75  # log odds for each e-fold of headings that look alike: few of them are wrong
HALF = 0.5  # of the characters: what has more of them in links leads to a heading
APART = frozenset({"author", "affiliation", "dates", "correspondence", "reference"})
"""Parts of an article that are not headings."""
_TO_TOP = re.compile(
    r"\W*(?:(?:(?:go |return )?(?:back )?to )?(?:the )?top(?: of (?:the |this )?page)?|"
    r"(?:zurück )?nach oben|(?:retour )?(?:en )?haut(?: de (?:la )?page)?|"
    r"(?:volver )?arriba|наверх)\W*",
    re.IGNORECASE,
)
_EMPTY_BRACKETS = re.compile(r"\s*(?:\[\s*\]|\(\s*\))$")
LEAST_TRUST = -1.5  # log odds from which tags are believed: a good page is not to be changed
LEAST_WHOLE = -2.5  # log odds from which no heading is taken to lack its tag


class Tags(StrEnum):
    """What h1 to h6 are to a reader."""

    AUTO = "auto"  # evidence: believed as far as they agree with what is seen
    IGNORE = "ignore"


class Basis(StrEnum):
    """What headings were found by; each has confidences of its own."""

    SIGHT = "headings by sight"
    TAGS = "headings as tagged"
    BOTH = "headings despite their tags"


@dataclass(frozen=True)
class OutlineModel:
    """What is learned."""

    judge: Ranker
    """Which blocks are headings, by sight: trees whose sum is the log odds."""

    levels: LevelModel

    trust: Softmax
    """Whether the tags of a page are wrong or right."""

    whole: Ranker
    """Whether all headings of a page are tagged: trees whose sum is the log odds."""

    evidence: Softmax
    """Whether a block is a heading, by sight and by tags that may be wrong."""

    curves: Mapping[str, Platt] = field(default_factory=dict)
    """From probabilities to confidences, by basis."""

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        names = ("judge", "levels", "trust", "whole", "evidence")
        curves = {basis: [curve.slope, curve.offset] for basis, curve in self.curves.items()}
        return {"curves": curves} | {name: getattr(self, name).to_json() for name in names}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> OutlineModel:
        """What `to_json` made; raises `ModelError` if it is for other features."""
        try:
            trust, evidence = (Softmax.from_json(fields[name]) for name in ("trust", "evidence"))
            whole = Ranker.from_json(fields["whole"])
            named = (tuple(whole.features), trust.features, evidence.features)
            if named != (TRUST_NAMES, TRUST_NAMES, EVIDENCE_NAMES):
                raise ValueError("it has other features")
            return cls(
                Ranker.from_json(fields["judge"]),
                LevelModel.from_json(fields["levels"]),
                trust,
                whole,
                evidence,
                {basis: Platt(*map(float, line)) for basis, line in fields["curves"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"the weights of {TASK!r} do not fit ({error})", hint=HINT) from error


@cache
def shipped_model() -> OutlineModel:
    """The model that comes with the package."""
    return OutlineModel.from_json(load_weights(TASK, VERSION).model)


def read_outline(
    page: Page,
    *,
    tags: Tags | str = Tags.AUTO,
    keep_gaps: bool = False,
    model: OutlineModel | None = None,
) -> OutlineReading:
    """Which texts of a page are headings, and on which level.

    With `tags` "auto", h1 to h6 are believed where they agree with what is seen, and corrected
    where they do not; with "ignore", only what is seen counts. No heading is more than one level
    below the heading before it, unless `keep_gaps`. The model is the shipped one unless given.
    """
    blocks, model = text_blocks(page), model or shipped_model()
    claims = Claims.of(blocks) if Tags(tags) is Tags.AUTO else None
    barred = np.flatnonzero(_in_article(blocks))
    seen = Seen.of(blocks)
    found = find_headings(seen, model, claims, barred=barred, keep_gaps=keep_gaps)
    confidence = model.curves.get(found.basis, Platt()).confidence(found.chance)
    return OutlineReading(tuple(_headings(seen.sight, found, confidence, claims)))


def _in_article(blocks: TextBlocks) -> Flags:
    """Which blocks of a PDF are authors, references and the like, however large they are."""
    article = article_of_pdf(blocks.page)
    known = {zone.text for zone in article.zones if zone.label in APART} if article else set()
    return np.array([string in known for string in blocks.strings], dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Found:
    """The headings among the text blocks of a page: which, on which level, and how probable."""

    blocks: Ints
    levels: Ints
    chance: Floats
    basis: Basis


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

    def odds(self, judge: Ranker) -> Floats:
        """Of each block the log odds of being a heading, by sight."""
        sight = self.sight
        short = np.flatnonzero((sight.blocks.lengths <= LONGEST) & ~sight.initials)
        odds = np.full(len(self.rows), -np.inf)
        scores, look = judge.scores_of(self.rows[short]), sight.group[short]
        count = np.maximum(np.bincount(look, minlength=1), 1)
        usual = np.bincount(look, scores, minlength=1) / count
        odds[short] = (scores + usual[look]) / 2  # what looks alike is alike
        return odds

    def completed(self, odds: Floats) -> Floats:
        """The same odds, less of terms, with what the headings of a page imply among them."""
        return self._titled(self._numbered(odds - TERM_ODDS * self.terms))

    @property
    def terms(self) -> Flags:
        """What is in a font for code, about as large as text, above an indented description.

        Such are the options, fields and constants of documentation. Numbered parts are none.
        """
        sight, column = self.sight, list(self.names).index
        indented = self.rows[:, column("next_indent")] > INDENTED
        count = np.maximum(np.bincount(sight.group, minlength=1), 1)
        share = np.bincount(sight.group, indented, minlength=1) / count
        usual = (count >= FEWEST_TERMS) & (share >= ALWAYS)
        may_be = (sight.size <= TERM_SIZE) & (sight.numbering == 0)
        return np.asarray(usual[sight.group] & may_be & (self.rows[:, column("code_font")] > 0))

    def _titled(self, odds: Floats) -> Floats:
        """What says the title of the window in larger letters than all headings is the title."""
        size, result = self.sight.size, odds.copy()
        larger = size > size[likely(odds)].max(initial=0)
        says = np.flatnonzero(larger & (self.sight.like_title >= LEAST_ALIKE) & np.isfinite(odds))
        result[says[size[says].argmax()] if len(says) else says] = IMPLIED_ODDS
        return result

    def _numbered(self, odds: Floats) -> Floats:
        """What is numbered below a heading, as "2.1" is below "2", is one if it stands out."""
        sight, result = self.sight, odds.copy()
        stands_out = (sight.bold | (sight.size > SAME_SIZE)) & (sight.link_share < HALF)
        may_be = stands_out & np.isfinite(odds)
        known: set[str] = set()
        for block in np.flatnonzero(sight.numbering).tolist():
            outer = sight.numbers[block].rpartition(".")[0]
            if outer in known and may_be[block]:
                result[block] = max(result[block], IMPLIED_ODDS)
            if result[block] > LEAST_ODDS:
                known.add(sight.numbers[block])
        return result

    def weighed(self, claims: Claims, odds: Floats) -> Weighed:
        return Weighed(claims, odds, self.sight.group, self.looks(claims.blocks))


def _headings(
    sight: BlockSight, found: Found, confidence: Floats, claims: Claims | None
) -> Iterator[Heading]:
    """One heading for all blocks in one h1 to h6."""
    blocks = sight.blocks
    nodes = blocks.element[found.blocks]
    if claims is not None:
        tagged = claims.heading[found.blocks]
        nodes = np.where(tagged >= 0, tagged, nodes)
    starts = np.flatnonzero(np.diff(nodes, prepend=-1))
    end = blocks.page.end
    linked, local = inside(links_of(blocks.page), end), inside(_local_links(blocks.page), end)
    for start, stop in pairwise([*starts.tolist(), len(nodes)]):
        text = _said(blocks, found.blocks[start:stop], linked, local)
        level, sure = found.levels[start:stop].min(), confidence[start:stop].max()
        node = blocks.page[int(nodes[start])]
        yield Heading.of(node, text, level=int(level), confidence=float(sure))


def _local_links(page: Page) -> Ints:
    """The links to places on the page."""
    nodes, addresses = with_attribute(page, "href")
    return np.asarray(nodes[[address[:1] == "#" for address in addresses]])


def _said(blocks: TextBlocks, parts: Ints, linked: Flags, local: Flags) -> str:
    """What these blocks, which are one heading, say; `linked` and `local` are by node.

    Links in smaller type ("All news" beside "News", "[edit]"), signs that are links ("¶") and links
    to the top of the page are added to a heading and say nothing; nor do brackets around them.
    """
    page = blocks.page
    texts = [blocks.texts[blocks.first[part] : blocks.first[part + 1]] for part in parts.tolist()]
    every, whole = np.concatenate(texts), " ".join(blocks.strings[part] for part in parts.tolist())
    if not linked[every].any():
        return whole
    fonts = np.log(np.maximum(page.columns["font_size"][every], 1.0))
    small = fonts < fonts.max() - SAME_SIZE
    strings = [page.strings[text] for text in page.columns["text"][every].tolist()]
    sign = np.array([not any(map(str.isalnum, string)) for string in strings])
    upwards = np.array([_TO_TOP.fullmatch(string) is not None for string in strings])
    added = linked[every] & (small | sign) | local[every] & upwards
    added |= small & sign & added.any()
    if added.all() or not added.any():
        return whole
    kept = every[~added]
    said = (text_of(page, part[np.isin(part, kept)]) for part in texts)
    return _EMPTY_BRACKETS.sub("", " ".join(filter(None, said)))


def find_headings(
    seen: Seen,
    model: OutlineModel,
    claims: Claims | None = None,
    *,
    barred: Ints | tuple[()] = (),
    keep_gaps: bool = False,
) -> Found:
    """Which blocks are headings, and on which level; by sight alone if nothing is claimed.

    Blocks that are `barred` look like headings at most.
    """
    odds, basis = seen.odds(model.judge), Basis.SIGHT
    odds[np.asarray(barred, np.int64)] = -np.inf
    if claims is not None and len(claims.blocks):
        weighed = seen.weighed(claims, odds)
        row = weighed.trust_row(model.levels)[None]
        trust = log_odds(model.trust, row)
        if trust[0] > LEAST_TRUST and model.whole.scores_of(row)[0] > LEAST_WHOLE:
            return _as_claimed(claims, seen, odds, trust, keep_gaps=keep_gaps)
        odds = np.where(np.isfinite(odds), log_odds(model.evidence, weighed.evidence()), odds)
        basis = Basis.BOTH
    odds = seen.completed(odds)
    blocks = likely(odds)
    blocks = blocks[~_lone_numbers(seen.looks(blocks))]
    levels = heading_levels(seen.looks(blocks), model.levels)
    by_sight = basis is Basis.SIGHT
    chance = chances(odds[blocks], seen.sight.group[blocks]) if by_sight else sigmoid(odds[blocks])
    return Found(blocks, levels if keep_gaps else settled(levels), chance, basis)


def chances(odds: Floats, look: Ints) -> Floats:
    """How probable headings are by sight: the more look alike, the surer than their log odds."""
    return sigmoid(odds + LIKES_WEIGH * np.log(np.bincount(look, minlength=1)[look]))


def likely(odds: Floats) -> Ints:
    """The blocks that these log odds make headings."""
    return np.flatnonzero(odds > LEAST_ODDS)


def _lone_numbers(looks: HeadingLooks) -> Flags:
    """Numbers that look like no other heading: a price, a rating, a count; not the title "404"."""
    lone = looks.column("no_letters") > 0
    lone &= np.bincount(looks.number, minlength=1)[looks.number] == 1
    if lone.any() and looks.title >= 0:
        lone[looks.title] = False
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


def _as_claimed(
    claims: Claims, seen: Seen, odds: Floats, trust: Floats, *, keep_gaps: bool
) -> Found:
    """The headings that tags claim, as sure as tags or look are."""
    titled = _with_title(claims, seen, odds)
    levels, blocks = (titled if keep_gaps else titled.closed()).levels, titled.blocks
    believed = sigmoid(trust) * (claims.levels[blocks] > 0)
    chance = 1 - (1 - believed) * (1 - sigmoid(odds[blocks]))
    return Found(blocks, levels[blocks], chance, Basis.TAGS)


def log_odds(model: Softmax, rows: Floats) -> Floats:
    """Of each row the log odds of the second of two labels."""
    chances = log_softmax(model.scores(rows))
    return np.asarray(chances[:, 1] - chances[:, 0])
