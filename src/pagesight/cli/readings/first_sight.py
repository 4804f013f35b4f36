"""What the eye falls on first: the largest text on the first screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.text import Text

from pagesight.cli.output import printable
from pagesight.cli.readings import LABEL
from pagesight.page import Box, Node, Page
from pagesight.segment.blocks import block_elements
from pagesight.segment.nodes import BOLD

MOST = 3
GAP = 2  # columns between a label and its text
SAME_WORD = 1.0  # px between two pieces of text that belong together


@dataclass(slots=True)
class LargeText:
    """The text that stands directly in one block, as far as it is on the first screen."""

    node: Node
    size: float = 0.0
    weight: int = 0
    pieces: list[str] = field(default_factory=list)
    _last: Box | None = None

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    def add(self, text: str, box: Box, size: float, weight: int) -> None:
        """Take one more piece of text; pieces that do not touch are words apart."""
        if self._last and not _touch(self._last, box):
            self.pieces.append(" ")
        self.pieces.append(text)
        self.size, self.weight = max((self.size, self.weight), (size, weight))
        self._last = box


def first_sights(page: Page, most: int = MOST) -> list[LargeText]:
    """The blocks with the largest text on the first screen, the largest first."""
    sights: dict[int, LargeText] = {}
    columns, block_of = page.columns, block_elements(page).tolist()
    for row, node in enumerate(columns["run_node"].tolist()):
        box = Box(*columns["run_box"][row].tolist())
        if not page.visible[node] or not _on_first_screen(page, box):
            continue
        block = block_of[node]
        text = page.strings[columns["run_text"][row]]
        sight = sights.setdefault(block, LargeText(page[block]))
        sight.add(text, box, float(columns["font_size"][node]), int(columns["font_weight"][node]))
    # Sorting is stable: what is equally large stays in the order of the page.
    found = [sight for sight in sights.values() if sight.text]
    return sorted(found, key=lambda sight: (-sight.size, -sight.weight))[:most]


def lines(page: Page, width: int | None) -> Iterator[Text]:
    """Each sight with its size, and with its XPath below."""
    sights = first_sights(page)
    if not sights:
        return
    yield Text()
    yield Text("Largest text on the first screen", style="bold")
    labels = [_label(sight) for sight in sights]
    column = max(LABEL, *(len(label) + GAP for label in labels))
    for label, sight in zip(labels, sights, strict=True):
        yield Text.assemble((f"{label:<{column}}", "dim"), printable(sight.text))
        path = printable(sight.node.xpath)
        yield Text(" " * column + _end_of(path, width and width - column), style="dim")


def _label(sight: LargeText) -> str:
    bold = " bold" if sight.weight >= BOLD else ""
    return f"{round(sight.size, 1):.10g} px{bold}"


def _on_first_screen(page: Page, box: Box) -> bool:
    width, height = page.info.viewport
    return box.right > 0 and box.bottom > 0 and box.x < width and box.y < height


def _touch(before: Box, box: Box) -> bool:
    same_line = before.y < box.bottom and box.y < before.bottom
    return same_line and abs(box.x - before.right) <= SAME_WORD


def _end_of(path: str, room: int | None) -> str:
    """The end of an XPath says more than its beginning."""
    return path if room is None or len(path) <= room else "…" + path[1 - room :]
