"""How far two renderings of a page agree on its blocks of text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Box, NodeKind, Page

PAIRS = 4000  # of blocks that are compared for "above" and "left of"


@dataclass(frozen=True)
class Agreement:
    """Shares in [0, 1]; NaN where a page has nothing to compare."""

    coverage: float
    above: float
    left_of: float
    font_size: float
    bold: float
    visibility: float


@dataclass(frozen=True)
class _Text:
    length: int
    visible: bool
    box: Box
    size: float
    bold: bool
    block: int


def agreement(reference: Page, other: Page, seed: int = 0) -> Agreement:
    """Compare the texts of `other` with those of `reference`, found by their XPaths."""
    expected, found = _texts(reference), _texts(other)
    seen = {path: text for path, text in expected.items() if text.visible}
    common = {path for path in seen if path in found and found[path].visible}
    blocks = _blocks(seen)
    covered = [paths for paths in blocks if any(path in common for path in paths)]
    size = [_first(paths, common, expected).size for paths in covered]
    other_size = [_first(paths, common, found).size for paths in covered]
    bold = [_first(paths, common, expected).bold for paths in covered]
    other_bold = [_first(paths, common, found).bold for paths in covered]
    both = [path for path in expected if path in found]
    relations = _relations(
        np.array([_union(paths, common, expected) for paths in covered]),
        np.array([_union(paths, common, found) for paths in covered]),
        np.random.default_rng(seed),
    )
    return Agreement(
        coverage=len(covered) / len(blocks) if blocks else float("nan"),
        above=relations[0],
        left_of=relations[1],
        font_size=_share(abs(a - b) <= 0.05 * a for a, b in zip(size, other_size, strict=True)),
        bold=_share(a == b for a, b in zip(bold, other_bold, strict=True)),
        visibility=_share(expected[path].visible == found[path].visible for path in both),
    )


def _texts(page: Page) -> dict[str, _Text]:
    """Every text that holds more than white space, by its XPath."""
    texts = {}
    for node in np.flatnonzero(page.columns["kind"] == NodeKind.TEXT).tolist():
        view = page[node]
        content = view.own_text.strip()
        if content:
            style, box = view.style, view.box
            texts[view.xpath] = _Text(
                len(content), view.visible, box, style.font_size, style.bold,
                page.block_of[node],
            )  # fmt: skip
    return texts


def _blocks(seen: dict[str, _Text]) -> list[list[str]]:
    blocks: dict[int, list[str]] = {}
    for path, text in seen.items():
        blocks.setdefault(text.block, []).append(path)
    return list(blocks.values())


def _first(paths: list[str], common: set[str], texts: dict[str, _Text]) -> _Text:
    """The longest text of a block stands for its style."""
    return max((texts[path] for path in paths if path in common), key=lambda text: text.length)


def _union(paths: list[str], common: set[str], texts: dict[str, _Text]) -> list[float]:
    boxes = np.array([texts[path].box for path in paths if path in common])
    left, top = boxes[:, 0].min(), boxes[:, 1].min()
    return [left, top, (boxes[:, 0] + boxes[:, 2]).max(), (boxes[:, 1] + boxes[:, 3]).max()]


def _relations(
    one: NDArray[np.float64], other: NDArray[np.float64], random: np.random.Generator
) -> tuple[float, float]:
    """On how many pairs of blocks the renderings agree that one is above, or left of, the other."""
    if len(one) < 2:
        return float("nan"), float("nan")
    first = random.integers(0, len(one), PAIRS)
    second = random.integers(0, len(one), PAIRS)
    first, second = first[first != second], second[first != second]
    agree = []
    for low, high in ((1, 3), (0, 2)):
        before = [boxes[first, high] <= boxes[second, low] + 1 for boxes in (one, other)]
        agree.append(float((before[0] == before[1]).mean()))
    return agree[0], agree[1]


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else float("nan")
