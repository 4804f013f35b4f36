"""The pseudo-document of Waszak, de Loupy and Bellot (section 2.1): key tags with visibility tags.

The paper reads stylesheets; here the computed style of a rendered page replaces them. What it
says is turned into visibility tags where it differs from the body text, as a stylesheet would say
it: fonts into ``<B>``, ``<I>``, ``<FONT SIZE=+2>``, ``<FONT COLOR=…>``, an indentation into
``&nbsp;``, each margin and border into ``<BR/>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Align, Decoration, Page
from pagesight.segment.blocks import TextBlocks, element_depths, text_blocks
from pagesight.segment.nodes import BOLD, most_common

SIZE_STEP = 1.1  # a size is so many steps larger than the body text
MOST_STEPS = 9  # up or down: 19 sizes
COLOR_BITS = (3, 3, 2)  # of red, green, blue: 256 colours
SMALLEST_MARGIN = 0.5  # of the body text's size
SMALLEST_INDENT = 0.5

Tags = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Association:
    """A key tag with its visibility tags, and where it is in the page."""

    key: str
    tags: Tags
    blocks: NDArray[np.int64]
    """The text blocks that it delimits."""

    depth: int
    """In the tree of the page: the median of its blocks."""

    @property
    def frequency(self) -> int:
        return len(self.blocks)


@dataclass(frozen=True, eq=False)
class PseudoDocument:
    """The associations of a page, in the order in which they first appear."""

    blocks: TextBlocks
    associations: tuple[Association, ...]
    deepest: int
    """The depth of the page's tree."""

    def relative_depth(self, association: Association) -> float:
        return association.depth / max(self.deepest, 1)


def pseudo_document(page: Page) -> PseudoDocument:
    """Turn the styles that a page shows into associations of key tags and visibility tags."""
    blocks = text_blocks(page)
    looks = list(_looks(blocks))
    styled = has_stylesheet(page)
    # Without a stylesheet, what the document itself says of looks becomes arbitrary key tags.
    names = [page.name(element) if styled else "" for element in blocks.element.tolist()]
    groups: dict[tuple[str, Tags], list[int]] = {}
    for block, key in enumerate(zip(names, looks, strict=True)):
        groups.setdefault(key, []).append(block)
    margins = _margins(blocks)
    associations = []
    for number, ((name, tags), members) in enumerate(groups.items(), start=1):
        held = np.array(members, dtype=np.int64)
        depth = int(np.median(blocks.depth[held]))
        tag = f"<{name.upper() or f'T{number}'}>"
        associations.append(Association(tag, tags + _spaces(margins[held]), held, depth))
    return PseudoDocument(blocks, tuple(associations), int(element_depths(page).max(initial=0)))


def has_stylesheet(page: Page) -> bool:
    """Whether the document says how it looks elsewhere than in its tags."""
    links = (link.attributes.get("rel", "").lower().split() for link in page.find("link"))
    return bool(page.find("style")) or any("stylesheet" in words for words in links)


def size_steps(size: float, body: float) -> int:
    """How much larger than the body text, rounded to one of 19 sizes."""
    steps = round(float(np.log(max(size, 1e-3) / max(body, 1e-3)) / np.log(SIZE_STEP)))
    return max(-MOST_STEPS, min(MOST_STEPS, steps))


def rounded_color(rgba: int) -> str:
    """One of 256 colours, as three digits of octal, octal and quaternary."""
    channels = (rgba >> 24 & 0xFF, rgba >> 16 & 0xFF, rgba >> 8 & 0xFF)
    return "".join(
        str(channel >> 8 - bits) for channel, bits in zip(channels, COLOR_BITS, strict=True)
    )


def _looks(blocks: TextBlocks) -> Iterator[Tags]:
    """The visibility tags of each block's own style, without the space around it."""
    body_size = blocks.body_style("font_size")
    body_color = rounded_color(int(blocks.body_style("color")))
    own = {name: blocks.page.columns[name][blocks.element] for name in ("align", "border")}
    columns = ("font_size", "font_weight", "italic", "color", "decoration")
    styles = [blocks.style(column).tolist() for column in columns]
    bordered: list[bool] = np.any(own["border"] > 0, axis=1).tolist()
    rows = zip(*styles, own["align"].tolist(), bordered, strict=True)
    for size, weight, italic, rgba, decoration, align, has_border in rows:
        steps, color = size_steps(size, body_size), rounded_color(rgba)
        visible = {
            "<B>": weight >= BOLD,
            f"<FONT SIZE={steps:+d}>": steps != 0,
            f"<FONT COLOR={color}>": color != body_color,
            "<I>": italic,
            "<U>": bool(decoration & Decoration.UNDERLINE),
            "<S>": bool(decoration & Decoration.LINE_THROUGH),
            "<CENTER>": align == Align.CENTER,
            "<RIGHT>": align in (Align.RIGHT, Align.END),
            "<BR/>": has_border,
        }
        yield tuple(tag for tag, holds in visible.items() if holds)


def _margins(blocks: TextBlocks) -> NDArray[np.float64]:
    """Indentation, space above and space below of each block, in sizes of the body text.

    Space is measured to the block before and after where one is above the other.
    """
    box, size = blocks.box, max(blocks.body_style("font_size"), 1.0)
    if not len(box):
        return np.zeros((0, 3))
    edge = most_common(np.round(box[:, 0]), blocks.lengths)
    stacked = (box[1:, 0] < box[:-1, 2]) & (box[:-1, 0] < box[1:, 2]) & (box[1:, 1] >= box[:-1, 1])
    gaps = np.where(stacked, box[1:, 1] - box[:-1, 3], np.nan)
    above, below = np.append(np.nan, gaps), np.append(gaps, np.nan)
    return np.column_stack((box[:, 0] - edge, above, below)) / size


def _spaces(margins: NDArray[np.float64]) -> Tags:
    """The visibility tags of the space around the blocks of one look: what most of them have."""
    indented = np.mean(margins[:, 0] >= SMALLEST_INDENT) > 0.5
    tags: Tags = ("&nbsp;",) if indented else ()
    for side in (1, 2):
        known = margins[~np.isnan(margins[:, side]), side]
        if len(known) and np.median(known) >= SMALLEST_MARGIN:
            tags += ("<BR/>",)
    return tags
