"""Layers for the inspector, from what the stages before find on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate

import numpy as np

from pagesight.output.inspector.report import LONGEST_TEXT, Layer, Mark
from pagesight.page import Box, Node, Page
from pagesight.page.style import hex_color
from pagesight.readers.article import ArticleReading
from pagesight.readers.article.reader import read_article
from pagesight.readers.outline import Heading, read_outline
from pagesight.readers.zones import Block, read_zones
from pagesight.segment import ZoneTree
from pagesight.segment.vips import vision_tree
from pagesight.segment.xycut import zone_tree

TITLES = {
    "blocks": "Blocks",
    "xycut": "X-Y cut",
    "vips": "VIPS",
    "headings": "Headings",
    "article": "Article",
}
"""The layers that there are, by name, in the order in which they are shown."""


def page_layers(page: Page) -> list[Layer]:
    """All layers of a page."""
    trees: dict[str, Callable[[Page], ZoneTree]] = {"xycut": zone_tree, "vips": vision_tree}
    layers = [zone_layer(name, TITLES[name], make(page)) for name, make in trees.items()]
    blocks = block_layer(page, read_zones(page).zones)
    headings = heading_layer(page, read_outline(page).headings)
    return [blocks, *layers, headings, article_layer(page, read_article(page))]


def block_layer(page: Page, zones: Iterable[Block]) -> Layer:
    """Zones side by side, each with its kind."""
    looks = Looks(page)
    marks = [
        Mark(
            id=zone.id,
            parent=None,
            box=zone.box,
            label=zone.kind,
            text=zone.text,
            xpath=zone.xpath,
            css=zone.css,
            confidence=zone.confidence,
            details=looks.of(zone.box),
        )
        for zone in zones
    ]
    return Layer("blocks", TITLES["blocks"], marks)


def heading_layer(page: Page, headings: Iterable[Heading]) -> Layer:
    """Headings with their levels, each below the one that it belongs to."""
    looks = Looks(page)
    marks: list[Mark] = []
    around: list[tuple[int, int]] = []  # levels and ids of the headings that are still open
    for number, heading in enumerate(headings):
        while around and around[-1][0] >= heading.level:
            around.pop()
        mark = Mark(
            id=number,
            parent=around[-1][1] if around else None,
            box=heading.box,
            label=f"h{heading.level}",
            text=heading.text,
            xpath=heading.xpath,
            css=heading.css,
            confidence=heading.confidence,
            details=looks.of(heading.box) | {"tag": heading.tag},
        )
        marks.append(mark)
        around.append((heading.level, number))
    return Layer("headings", TITLES["headings"], marks)


def article_layer(page: Page, reading: ArticleReading) -> Layer:
    """The zones of an article with their labels; none where the page is no article."""
    looks = Looks(page)
    marks = [
        Mark(
            id=number,
            parent=None,
            box=zone.box,
            label=zone.label,
            text=zone.text,
            xpath=zone.xpath,
            css=zone.css,
            confidence=zone.confidence,
            details=looks.of(zone.box),
        )
        for number, zone in enumerate(reading.zones if reading.is_article else ())
        if zone.box
    ]
    return Layer("article", TITLES["article"], marks)


def zone_layer(
    name: str,
    title: str,
    tree: ZoneTree,
    labels: Mapping[int, str] | None = None,
    confidences: Mapping[int, float] | None = None,
) -> Layer:
    """A tree of zones as a layer; labels and confidences are by zone."""
    texts = _texts(tree)
    looks = Looks(tree.page)
    address = cache(_address)  # many zones share an element
    marks = []
    for zone in tree:
        above = int(tree.parent[zone.id])
        xpath, css = address(zone.element)
        mark = Mark(
            id=zone.id,
            parent=above if above >= 0 else None,
            box=zone.box,
            label=(labels or {}).get(zone.id, ""),
            text=texts[zone.id],
            xpath=xpath,
            css=css,
            confidence=(confidences or {}).get(zone.id),
            details=looks.of(zone.box) | _said(tree, zone.id),
        )
        marks.append(mark)
    return Layer(name, title, marks)


def _address(element: Node) -> tuple[str, str]:
    return element.xpath, element.css


def _texts(tree: ZoneTree) -> list[str]:
    """The text of each zone; each leaf is read once, and outer zones only as far as is shown."""
    nodes = tree.nodes.tolist()
    first = tree.node_first.tolist()
    leaves = np.flatnonzero(tree.is_leaf).tolist()
    texts = [tree.page.text_of(nodes[first[leaf] : first[leaf + 1]]) for leaf in leaves]
    before = [0, *accumulate(tree.is_leaf.tolist())]  # leaves before each zone
    return [_joined(texts, before[zone], before[end]) for zone, end in enumerate(tree.end.tolist())]


def _joined(texts: Sequence[str], first: int, last: int) -> str:
    parts: list[str] = []
    length = 0
    for text in texts[first:last]:
        if length > LONGEST_TEXT:
            break
        if text:
            parts.append(text)
            length += len(text) + 1
    return "\n".join(parts)


def _said(tree: ZoneTree, zone: int) -> dict[str, str]:
    """What the segmentation says of a zone; False, 0, -1 and NaN say nothing."""
    values = {name: column[zone].item() for name, column in tree.marks.items()}
    return {
        name.replace("_", " "): said
        for name, value in values.items()
        if (said := _written(value)) not in ("False", "0", "-1", "nan")
    }


def _written(value: object) -> str:
    if value is True:
        return "yes"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Looks:
    """How the text in a box looks: font, size, weight and colours of most of its letters."""

    def __init__(self, page: Page) -> None:
        columns = page.columns
        runs = np.flatnonzero(page.visible[columns["run_node"]])
        middles = columns["run_box"][runs, :2] + columns["run_box"][runs, 2:] / 2
        order = np.argsort(middles[:, 1], kind="stable")  # so that a box needs to search a few only
        runs, self._middles = runs[order], middles[order]
        nodes = columns["run_node"][runs]
        lengths = [len(page.strings[text]) for text in columns["run_text"][runs].tolist()]
        self._lengths = np.array(lengths, dtype=np.float64)
        names = ("font_family", "font_size", "font_weight", "italic", "color", "background")
        styles = np.stack([columns[name][nodes].astype(np.float64) for name in names], axis=1)
        self._styles, style_of = np.unique(styles, axis=0, return_inverse=True)
        self._style_of = style_of.reshape(-1)
        self._page = page

    def of(self, box: Box) -> dict[str, str]:
        """The style that most letters in a box have; empty where there are none."""
        first, last = np.searchsorted(self._middles[:, 1], (box.y, box.bottom))
        x = self._middles[first:last, 0]
        inside = np.flatnonzero((x >= box.x) & (x <= box.right)) + first
        if not len(inside):
            return {}
        weights = np.bincount(self._style_of[inside], self._lengths[inside])
        return self._said(self._styles[weights.argmax()].tolist())

    def _said(self, style: list[float]) -> dict[str, str]:
        family, size, weight, italic, color, background = style
        slant = " italic" if italic else ""
        return {
            "font": self._page.strings[int(family)] if family >= 0 else "",
            "size": f"{size:.4g} px",
            "weight": f"{weight:g}{slant}",
            "colour": hex_color(int(color)),
            "background": hex_color(int(background)),
        }
