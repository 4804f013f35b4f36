"""Pages as another stylesheet might show them, so that looks are not learned by heart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.readers.outline.features import BlockSight
from pagesight.segment.blocks import TextBlocks

Flags = NDArray[np.bool_]
Changes = Mapping[str, Callable[[Array], Array]]
"""By column of the page: what becomes of its values."""

CHANGED = 0.3  # how often headings lose or get one of the things that make them headings
EMPHASISED = 0.5  # how often a look of other texts gets some of them
SHORT = 60  # characters of a text that could be a heading
FEWEST = 3  # blocks of a look that is emphasised
NORMAL, BOLD = 400, 700


def restyled(sight: BlockSight, headings: Flags, seed: int) -> TextBlocks:
    """The same blocks: headings more or less unlike the text, some other short texts more so."""
    blocks, page, random = sight.blocks, sight.blocks.page, np.random.default_rng(seed)
    columns = dict(page.columns)
    looks = [(headings, _of_headings(sight, random))]
    looks += [(look, _of_others(sight, random)) for look in _others(sight, headings, random)]
    for look, changes in looks:
        texts = blocks.texts[look[blocks.block_of_text]]
        for name, change in changes.items():
            columns[name] = columns[name].copy()
            columns[name][texts] = change(columns[name][texts])
    shown = Page(columns, page.strings, page.info)
    return TextBlocks(shown, blocks.texts, blocks.first, blocks.text_holders)


def _of_headings(sight: BlockSight, random: np.random.Generator) -> Changes:
    body = sight.blocks.body_style
    power, weight = random.uniform(0.25, 1.4), random.choice((NORMAL, BOLD))
    color = random.choice((int(body("color")), int(random.integers(2**24)) << 8 | 0xFF))
    changes: Changes = {
        "font_size": lambda sizes: sight.body_size * (sizes / sight.body_size) ** power,
        "font_weight": lambda weights: np.full_like(weights, weight),
        "color": lambda colors: np.full_like(colors, color),
        "font_family": lambda names: np.full_like(names, int(body("font_family"))),
    }
    return {name: change for name, change in changes.items() if random.random() < CHANGED}


def _others(sight: BlockSight, headings: Flags, random: np.random.Generator) -> Iterator[Flags]:
    """Looks that are not the body text's, and none of whose blocks are headings."""
    blocks, group = sight.blocks, sight.group
    if not len(group):
        return
    short = blocks.lengths <= SHORT
    known = {*group[headings].tolist(), int(group[blocks.lengths.argmax()])}
    counts = np.bincount(group, short)
    for look in np.flatnonzero(counts >= FEWEST).tolist():
        if look not in known and random.random() < EMPHASISED:
            yield (group == look) & short


def _of_others(sight: BlockSight, random: np.random.Generator) -> Changes:
    scale, family = random.uniform(0.95, 1.25), int(sight.blocks.body_style("font_family"))
    changes: Mapping[str, tuple[float, Callable[[Array], Array]]] = {
        "font_size": (0.6, lambda sizes: sizes * scale),
        "font_weight": (0.5, lambda weights: np.full_like(weights, BOLD)),
        "font_family": (0.3, lambda names: np.full_like(names, family)),
    }
    return {name: change for name, (often, change) in changes.items() if random.random() < often}
