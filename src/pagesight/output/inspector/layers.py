"""Layers for the inspector: what the readings of a page mark on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import TYPE_CHECKING, Any

import numpy as np

from pagesight.lazy import imported
from pagesight.output.inspector.report import LONGEST_TEXT, Layer, Mark
from pagesight.page import Box, Page
from pagesight.page.style import hex_color
from pagesight.readers.registry import readings
from pagesight.readers.value import Value
from pagesight.segment.tree import ZoneTree

if TYPE_CHECKING:
    from pagesight.readers.article.reading import ArticleReading
    from pagesight.readers.outline.heading import OutlineReading
    from pagesight.readers.records.reading import Record, RecordsReading
    from pagesight.readers.zones.reading import ZonesReading

ATTRIBUTES = ("name", "image", "price", "old price", "description")  # of records


def page_layers(page: Page, result_of: Callable[[str], Any]) -> list[Layer]:
    """All layers of a page; `result_of` returns the result of the reading of this name."""
    return [
        Layer(
            layer.name,
            layer.title,
            list(imported(layer.marks)(page, result_of(reading.name))),
            layer.table,
        )
        for reading in readings()
        for layer in reading.layers
    ]


def part_marks(page: Page, reading: ZonesReading) -> Iterator[Mark]:
    """Zones side by side, each with its kind."""
    styles = TextStyles(page)
    for zone in reading.zones:
        yield Mark(zone.id, zone, zone.kind or "", details=styles.of(zone.box))


def xycut_marks(page: Page, _: ZonesReading) -> Iterator[Mark]:
    """The tree that divides a page at gaps."""
    from pagesight.segment.xycut import zone_tree

    return zone_marks(zone_tree(page))


def vips_marks(page: Page, _: ZonesReading) -> Iterator[Mark]:
    """The tree that divides a page by coherence."""
    from pagesight.segment.vips import vision_tree

    return zone_marks(vision_tree(page))


def heading_marks(page: Page, reading: OutlineReading) -> Iterator[Mark]:
    """Headings with their levels, each below the one that it belongs to."""
    styles = TextStyles(page)
    around: list[tuple[int, int]] = []  # levels and ids of the headings that are still open
    for number, heading in enumerate(reading.headings):
        while around and around[-1][0] >= heading.level:
            around.pop()
        parent = around[-1][1] if around else None
        details = styles.of(heading.box) | {"tag": heading.tag}
        yield Mark(number, heading, f"h{heading.level}", parent, details)
        around.append((heading.level, number))


def article_marks(page: Page, reading: ArticleReading) -> Iterator[Mark]:
    """The zones of an article with their labels; none where the page is not an article."""
    styles = TextStyles(page)
    for number, zone in enumerate(reading.zones if reading.is_article else ()):
        if zone.box:
            yield Mark(number, zone, zone.label, details=styles.of(zone.box))


def record_marks(_: Page, reading: RecordsReading) -> Iterator[Mark]:
    """Records with their attributes inside, those of the main list first."""
    numbers = count()
    for record in reading.records:
        yield from _record_marks(record, "record", numbers)
    for region in reading.regions:
        whole = Value(text="", confidence=region.confidence, place=region.place, box=region.box)
        if region.box:
            yield (mark := Mark(next(numbers), whole, "other list"))
            for record in region.records:
                yield from _record_marks(record, "other record", numbers, mark.id)


def _record_marks(
    record: Record, label: str, numbers: Iterator[int], parent: int | None = None
) -> Iterator[Mark]:
    attributes = {name: getattr(record, name.replace(" ", "_")) for name in ATTRIBUTES}
    found = {name: value for name, value in attributes.items() if value and value.box}
    text = record.name.text if record.name else " ".join(cell.text for cell in record.cells)
    whole = Value(text=text, confidence=record.confidence, place=record.place, box=record.box)
    if record.box is None:
        return
    yield (mark := Mark(next(numbers), whole, label, parent, _details(record, found)))
    for name, value in found.items():
        yield Mark(next(numbers), value, name, mark.id)


def _details(record: Record, found: Mapping[str, Value]) -> dict[str, str]:
    """What is known of a record; its cells, if nothing has a name."""
    details = {name: value.text for name, value in found.items()}
    if record.image:
        details["image"] = record.image.src
    details |= {"url": record.url} if record.url else {}
    if record.name is None:
        details |= {f"column {cell.column}": cell.text for cell in record.cells if cell.text}
    return details


def zone_marks(tree: ZoneTree) -> Iterator[Mark]:
    """The zones of a tree."""
    styles = TextStyles(tree.page)
    for zone, text, above in zip(tree, _texts(tree), tree.parent.tolist(), strict=True):
        value = Value(text=text, confidence=None, place=zone, box=zone.box)
        details = styles.of(zone.box) | _stated(tree, zone.id)
        yield Mark(zone.id, value, parent=above if above >= 0 else None, details=details)


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


def _stated(tree: ZoneTree, zone: int) -> dict[str, str]:
    """What the segmentation states about a zone; False, 0, -1 and NaN are left out."""
    values = {name: column[zone].item() for name, column in tree.marks.items()}
    return {
        name.replace("_", " "): written
        for name, value in values.items()
        if (written := _written(value)) not in ("False", "0", "-1", "nan")
    }


def _written(value: object) -> str:
    if value is True:
        return "yes"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class TextStyles:
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

    def of(self, box: Box | None) -> dict[str, str]:
        """The style that most letters in a box have; empty where there are none."""
        if box is None:
            return {}
        first, last = np.searchsorted(self._middles[:, 1], (box.y, box.bottom))
        x = self._middles[first:last, 0]
        inside = np.flatnonzero((x >= box.x) & (x <= box.right)) + first
        if not len(inside):
            return {}
        weights = np.bincount(self._style_of[inside], self._lengths[inside])
        return self._described(self._styles[weights.argmax()].tolist())

    def _described(self, style: list[float]) -> dict[str, str]:
        family, size, weight, italic, color, background = style
        slant = " italic" if italic else ""
        return {
            "font": self._page.strings[int(family)] if family >= 0 else "",
            "size": f"{size:.4g} px",
            "weight": f"{weight:g}{slant}",
            "colour": hex_color(int(color)),
            "background": hex_color(int(background)),
        }
