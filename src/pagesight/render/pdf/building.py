"""Sheets, stacked into a Page: `/pdf/sheet[2]/line[17]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import PageTooComplex
from pagesight.page import Display, NodeKind, Page, PageInfo, Visibility
from pagesight.page.columns import SCHEMA, Array, subtree_ends
from pagesight.page.visibility import VisibilityEvidence, effective_backgrounds, mark
from pagesight.render.columns import compact, default_columns
from pagesight.render.geometry import Rect
from pagesight.render.pdf.characters import Look
from pagesight.render.pdf.lines import Shift, StyledRun, TextLine
from pagesight.render.pdf.sheets import Link, PdfSheet

_MARKS = {Shift.RAISED: "sup", Shift.LOWERED: "sub"}
Style = tuple[float, float, float, float, float]  # size, weight, italic, family, color
_NOWHERE: Rect = (0.0, 0.0, 0.0, 0.0)


class PageBuilder:
    """Takes one sheet after another, and makes a Page of them."""

    def __init__(self, metadata: Mapping[str, str], language: str, max_nodes: int) -> None:
        self.max_nodes = max_nodes
        self.height = 0.0
        self.width = 0.0
        self.first_height = 0.0
        self.sheets = 0
        self.texts = 0
        self._rows: list[tuple[int, ...]] = []  # parent, kind, name, text, sheet, display
        self._boxes: list[Rect] = []
        self._styles: list[Style] = []
        self._style: Style = (0.0, 400.0, 0.0, -1.0, 255.0)
        self._style_of: tuple[float, Look] | None = None
        self._attributes: list[tuple[int, int, int]] = []  # node, name, value
        self._strings: dict[str, int] = {}
        self._grounds = np.zeros((0, 4))  # what texts of this sheet may be on
        self._runs: list[int] = []
        self._grounded: list[int] = []  # texts that are visible because of what is behind them
        self._unseen: list[int] = []  # texts without ink that nothing is behind
        self._outside: list[int] = []
        self._document = self._node(-1, NodeKind.DOCUMENT, "#document", _NOWHERE, Display.BLOCK)
        self._root = self._element(self._document, "pdf", _NOWHERE)
        if language:
            self._attribute(self._root, "lang", language)
        self._add_head(metadata)
        self._first_seen = len(self._rows)  # nodes after the head

    def add(self, sheet: PdfSheet) -> None:
        """Put a sheet below the ones before it."""
        width, height = sheet.size
        self.sheets += 1
        node = self._element(self._root, "sheet", (0.0, 0.0, width, height))
        targets = _targets(sheet)
        self._grounds = np.array([*sheet.pictures, *sheet.panels]).reshape(-1, 4)
        for picture, link in zip(sheet.pictures, targets, strict=True):
            self._add_picture(node, picture, link)
        for line in sheet.lines:
            self._add_line(node, line, sheet)
        for link in _bare_links(sheet, targets):
            self._add_link(node, link.href, link.extent)
        self.width = max(self.width, width)
        self.first_height = self.first_height or height
        self.height += height

    def page(self, info: PageInfo) -> Page:
        """The Page of all sheets so far."""
        whole = (0.0, 0.0, self.width, self.height)
        self._boxes[self._document] = self._boxes[self._root] = whole
        columns = self._columns()
        end = subtree_ends(columns["parent"])
        columns["background"] = effective_backgrounds(columns["own_background"], end)
        columns["visibility"] = self._visibility(columns, end)
        strings = compact(columns, list(self._strings))
        return Page(columns, strings, info)

    def _add_head(self, metadata: Mapping[str, str]) -> None:
        head = self._element(self._root, "head", _NOWHERE, Display.NONE)
        for name, value in metadata.items():
            if name == "title":
                title = self._element(head, "title", _NOWHERE, Display.NONE)
                self._node(title, NodeKind.TEXT, "#text", _NOWHERE, Display.INLINE, value)
            else:
                meta = self._element(head, "meta", _NOWHERE, Display.NONE)
                self._attribute(meta, "name", name)
                self._attribute(meta, "content", value)

    def _add_picture(self, parent: int, extent: Rect, link: Link | None) -> None:
        if link:
            parent = self._add_link(parent, link.href, extent)
        self._element(parent, "img", extent)

    def _add_link(
        self, parent: int, href: str, extent: Rect, display: Display = Display.BLOCK
    ) -> int:
        node = self._element(parent, "a", extent, display)
        self._attribute(node, "href", href)
        return node

    def _add_line(self, parent: int, line: TextLine, sheet: PdfSheet) -> None:
        self._set_style(line.main)
        node = self._element(parent, "line", line.extent)
        for run in line.runs:
            self._set_style(run)
            self._add_run(node, run, sheet, alone=len(line.runs) == 1)

    def _add_run(self, parent: int, run: StyledRun, sheet: PdfSheet, *, alone: bool) -> None:
        if run.link >= 0:
            href = sheet.links[run.link].href
            parent = self._add_link(parent, href, run.extent, Display.INLINE)
        if name := _MARKS.get(run.shift, "" if alone or run.link >= 0 else "span"):
            parent = self._element(parent, name, run.extent, Display.INLINE)
        node = self._node(parent, NodeKind.TEXT, "#text", run.extent, Display.INLINE, run.text)
        self._runs.append(node)
        self.texts += 1
        self._observe(node, run, sheet)

    def _observe(self, node: int, run: StyledRun, sheet: PdfSheet) -> None:
        """Record what may make a text invisible."""
        if not _overlap(run.extent, (0.0, 0.0, *sheet.size)):
            self._outside.append(node)
        elif run.look.needs_ground:
            if _hold(self._grounds, run.extent):
                self._grounded.append(node)
            elif run.look.unseen:
                self._unseen.append(node)

    def _set_style(self, run: StyledRun) -> None:
        size, look = run.size, run.look
        if self._style_of is None or look is not self._style_of[1] or size != self._style_of[0]:
            face = look.face
            family = self._string(face.family) if face.family else -1
            self._style = (size, face.weight, face.italic, family, look.color)
            self._style_of = size, look

    def _element(
        self, parent: int, name: str, extent: Rect, display: Display = Display.BLOCK
    ) -> int:
        return self._node(parent, NodeKind.ELEMENT, name, extent, display)

    def _node(
        self,
        parent: int,
        kind: NodeKind,
        name: str,
        extent: Rect,
        display: Display,
        text: str | None = None,
    ) -> int:
        node, strings = len(self._rows), self._strings
        if node >= self.max_nodes:
            raise PageTooComplex(f"more than {self.max_nodes} nodes")
        left, top, right, bottom = extent
        string = -1 if text is None else strings.setdefault(text, len(strings))
        called = strings.setdefault(name, len(strings))
        self._rows.append((parent, kind, called, string, self.sheets, display))
        self._boxes.append((left, top + self.height, right - left, bottom - top))
        self._styles.append(self._style)
        return node

    def _attribute(self, node: int, name: str, value: str) -> None:
        self._attributes.append((node, self._string(name), self._string(value)))

    def _string(self, value: str) -> int:
        return self._strings.setdefault(value, len(self._strings))

    def _columns(self) -> dict[str, Array]:
        names = ("parent", "kind", "name", "text", "sheet", "display")
        columns = _split(self._rows, names)
        columns |= _split(
            self._styles, ("font_size", "font_weight", "italic", "font_family", "color")
        )
        columns["box"] = _table(self._boxes, 4).astype(np.float32)
        unused = ("own_background", "position", "opacity", "background_image")
        columns |= default_columns(unused, len(self._rows))
        columns["run_node"] = np.array(self._runs, dtype=np.int32)
        columns["run_box"] = columns["box"][columns["run_node"]]
        columns["run_text"] = columns["text"][columns["run_node"]]
        return columns | self._attribute_columns()

    def _attribute_columns(self) -> dict[str, Array]:
        table = np.array(self._attributes, dtype=np.int32).reshape(-1, 3)
        counts = np.bincount(table[:, 0], minlength=len(self._rows))
        return {
            "attr_first": np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
            "attr_name": table[:, 1],
            "attr_value": table[:, 2],
        }

    def _visibility(self, columns: Mapping[str, Array], end: Array) -> NDArray[np.uint8]:
        hidden = np.zeros(len(self._rows), dtype=np.bool_)
        rendered = ~hidden
        rendered[self._root + 1 : self._first_seen] = False
        hidden[self._unseen] = True
        evidence = VisibilityEvidence(rendered=rendered, hidden=hidden)
        marks = mark(columns, end, (self.width, self.height), evidence)
        # Recognised text represents the picture behind it, and pale text is legible on a panel.
        marks[self._grounded] = Visibility.VISIBLE
        marks[self._outside] = Visibility.OFF_SCREEN
        return marks


def _split(rows: Sequence[tuple[float, ...]], names: Sequence[str]) -> dict[str, Array]:
    """Rows as columns of these names."""
    table = _table(rows, len(names))
    return {name: table[:, place].astype(SCHEMA[name].dtype) for place, name in enumerate(names)}


def _table(rows: Sequence[tuple[float, ...]], width: int) -> NDArray[np.float64]:
    """Rows as an array: one number after the other, in half the time that numpy takes for rows."""
    numbers = np.fromiter(chain.from_iterable(rows), np.float64, count=len(rows) * width)
    return numbers.reshape(-1, width)


def _targets(sheet: PdfSheet) -> list[Link | None]:
    """The link over each picture, if there is one."""
    return [
        next((link for link in sheet.links if _holds(link.extent, picture)), None)
        for picture in sheet.pictures
    ]


def _bare_links(sheet: PdfSheet, targets: Sequence[Link | None]) -> list[Link]:
    """The links over neither text nor picture: drawn icons, such as ORCID's."""
    used = {id(sheet.links[run.link]) for line in sheet.lines for run in line.runs if run.link >= 0}
    used |= {id(link) for link in targets if link}
    whole = (0.0, 0.0, *sheet.size)
    return [link for link in sheet.links if id(link) not in used and _overlap(link.extent, whole)]


def _holds(outer: Rect, inner: Rect) -> bool:
    """Whether the middle of `inner` is inside `outer`."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _hold(outer: NDArray[np.float64], inner: Rect) -> bool:
    """Whether the middle of `inner` is inside one of `outer`."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    left, top, right, bottom = outer.T
    return bool(((left <= x) & (x <= right) & (top <= y) & (y <= bottom)).any())


def _overlap(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
