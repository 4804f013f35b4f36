"""A document and its two paintings, put together into a Page."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Decoration, NodeKind, Note, Page, PageInfo
from pagesight.page.columns import SCHEMA, Array, subtree_ends
from pagesight.page.visibility import (
    SMALLEST_SIGHT,
    Evidence,
    effective_backgrounds,
    mark,
)
from pagesight.render.embedded.defaults import default_style
from pagesight.render.embedded.display import displays
from pagesight.render.embedded.dom import NOBODY, Dom, parse
from pagesight.render.embedded.layout import NUMBERED_STYLE, PLAIN_STYLE, Engine, version
from pagesight.render.embedded.matching import Match, match
from pagesight.render.embedded.paint import PaintedBox, PaintedText, Painting, Rect, read_painting
from pagesight.render.embedded.pictures import PICTURE
from pagesight.render.resources import Loads, Neighbourhood, join
from pagesight.render.strings import compact

_PICTURES = frozenset({"img", "video", "canvas", "svg", "object", "embed"})
_TEXT_IS_VALUE = frozenset({"input", "textarea", "select", "option", "img", "video"})
_THICKEST_BORDER = 40.0
_NOWHERE: Rect = (0.0, 0.0, 0.0, 0.0)


def page_from_html(
    text: str,
    *,
    url: str | None,
    path: Path | None,
    root: Path | None,
    viewport: tuple[int, int],
    max_nodes: int,
) -> Page:
    """Lay out a document and build its Page."""
    dom = parse(text, max_nodes)
    engine = Engine(viewport, Neighbourhood(path, root), Loads())
    engine.pictures = frozenset(join(dom.base, address) or "" for address in dom.pictures)
    documents = dom.with_defaults(default_style(engine.stylesheets(dom)))
    numbered = engine.lay_out(documents[0], NUMBERED_STYLE)
    # The engine is at the second document while the first painting is read here; it does two
    # things at a time no more than we do.
    with ThreadPoolExecutor(1) as beside:
        laying_out = beside.submit(engine.lay_out, documents[1], PLAIN_STYLE)
        numbers = read_painting(numbered.pdf)
        looks = read_painting(laying_out.result().pdf)
    size = (max(numbered.width, float(viewport[0])), max(numbered.height, float(viewport[1])))
    assembly = _Assembly(dom, numbers, looks)
    columns = assembly.columns(size)
    strings = compact(columns, assembly.strings)
    info = PageInfo(
        renderer="embedded", renderer_version=version(), url=url, viewport=viewport, size=size,
        notes=(*engine.loads.notes(), *_notes(dom, engine.uses_grid)),
    )  # fmt: skip
    return Page(columns, strings, info)


def picture_of_html(
    text: str, *, path: Path | None, root: Path | None, viewport: tuple[int, int], max_nodes: int
) -> bytes:
    """A document as it looks in this engine, as a PNG."""
    dom = parse(text, max_nodes)
    engine = Engine(viewport, Neighbourhood(path, root), Loads(), draws_pictures=True)
    return engine.draw(dom.with_defaults(default_style(engine.stylesheets(dom)))[1])


def _notes(dom: Dom, uses_grid: bool) -> Iterable[Note]:
    """What the engine does not have, where the page needs it."""
    if dom.scripts:
        yield Note("scripts", "not run", dom.scripts)
    if dom.frames:
        yield Note("frames", "not rendered", dom.frames)
    if dom.uses_grid or uses_grid:
        yield Note("unsupported", "CSS grid is laid out as blocks")


class _Assembly:
    """Fills the columns of a page step by step."""

    def __init__(self, dom: Dom, numbers: Painting, looks: Painting) -> None:
        self.dom = dom
        self.numbers = numbers
        self.looks = looks
        self.count = len(dom.parent)
        self.strings = list(dom.strings)
        self.index = {string: place for place, string in enumerate(self.strings)}
        self.cols: dict[str, Array] = {
            name: np.array(getattr(dom, name), dtype=SCHEMA[name].dtype)
            for name in ("parent", "kind", "name", "text", "attr_first", "attr_name", "attr_value")
        }
        for name in ("font_size", "font_weight", "italic", "font_family", "color",
                     "own_background", "background_image", "decoration", "border", "opacity",
                     "position"):  # fmt: skip
            column = SCHEMA[name]
            shape = (self.count, 4) if column.width == 4 else self.count
            self.cols[name] = np.full(shape, column.default, dtype=column.dtype)
        # Plain lists where single values are set one by one: numpy is slow at that.
        self.rects: list[Rect | None] = [None] * self.count
        self.orders = [-1] * self.count
        self.clipped = [False] * self.count
        self.widths = [0.0] * self.count  # of the widest line of text below each node

    def columns(self, size: tuple[float, float]) -> dict[str, Array]:
        end = subtree_ends(self.cols["parent"])
        self._place_boxes()
        self._place_texts()
        painted = np.array([rect is not None for rect in self.rects])
        self._spread_upwards()
        self._spread_fonts(painted)
        self._add_backgrounds()
        rendered = np.array([rect is not None for rect in self.rects])
        edges = np.array([rect or _NOWHERE for rect in self.rects])
        self.cols["box"] = np.column_stack((edges[:, :2], edges[:, 2:] - edges[:, :2]))
        self.cols["paint"] = np.array(self.orders, dtype=np.int32)
        rendered |= self._blank_texts(rendered)
        widths = np.array(self.widths)
        self.cols["display"] = displays(self.dom.tags, self.cols, rendered, widths)
        self.cols["background"] = effective_backgrounds(self.cols["own_background"], end)
        self.cols["visibility"] = mark(self.cols, end, size, self._evidence(rendered))
        return self.cols

    def _evidence(self, rendered: NDArray[np.bool_]) -> Evidence:
        nothing = np.zeros(self.count, dtype=np.bool_)
        return Evidence(
            rendered=rendered,
            hidden=nothing,
            clips=nothing,
            clipped_away=np.array(self.clipped),
            pictures=np.array([tag in _PICTURES for tag in self.dom.tags]),
        )

    def _blank_texts(self, rendered: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """White space and line breaks are there, even if nothing is painted."""
        blank = {place for place, string in enumerate(self.strings) if not string.strip()}
        is_blank = np.isin(self.cols["text"], list(blank)) & (self.cols["text"] >= 0)
        is_blank |= np.array([tag == "br" for tag in self.dom.tags])
        above: NDArray[np.bool_] = rendered[np.maximum(self.cols["parent"], 0)]
        return is_blank & above

    def _place_boxes(self) -> None:
        for box in self.numbers.boxes:
            node = box.color
            if node is None or node >= self.count or node == NOBODY:
                continue
            self._extend(node, box.rect, box.order)

    def _extend(self, node: int, rect: Rect, order: int) -> None:
        known = self.rects[node]
        if known is None:
            self.orders[node] = order
        self.rects[node] = rect if known is None else _union(known, rect)

    # texts

    def _place_texts(self) -> None:
        pieces: dict[int, list[PaintedText]] = {}
        for piece in _joined(self.numbers.texts):
            if piece.color < self.count:
                pieces.setdefault(piece.color, []).append(piece)
        looks = _Looks(self.looks.texts)
        lines = _Lines(self.looks.boxes)
        texts = self._texts_by_element()
        rows: list[tuple[int, Rect, str]] = []
        for element, own in pieces.items():
            nodes = texts.get(element)
            if not nodes or self.dom.tags[element] in _TEXT_IS_VALUE:
                continue
            for piece, matches in zip(own, self._matches(nodes, own), strict=True):
                for matched in matches:
                    shown = _part(piece, matched.start, matched.end)
                    look = looks.at(shown)
                    rows.append(self._place_text(nodes[matched.text], shown, look, lines))
        rows.sort(key=lambda row: row[0])
        self.cols["run_node"] = np.array([row[0] for row in rows], dtype="<i4")
        boxes = np.array([row[1] for row in rows], dtype="<f4").reshape(-1, 4)
        boxes[:, 2:] -= boxes[:, :2]
        self.cols["run_box"] = boxes
        self.cols["run_text"] = np.array([self._string(row[2]) for row in rows], dtype="<i4")

    def _texts_by_element(self) -> dict[int, list[int]]:
        texts: dict[int, list[int]] = {}
        for node, kind in enumerate(self.dom.kind):
            if kind == NodeKind.TEXT:
                texts.setdefault(self.dom.parent[node], []).append(node)
        return texts

    def _matches(self, nodes: list[int], own: list[PaintedText]) -> list[list[Match]]:
        strings = [self.strings[self.dom.text[node]] for node in nodes]
        if len(nodes) == 1 and self.dom.tags[self.dom.parent[nodes[0]]] not in ("li", "summary"):
            return [[Match(0)]] * len(own)
        return match(strings, [piece.text for piece in own])

    def _place_text(
        self, node: int, piece: PaintedText, look: PaintedText | None, lines: _Lines
    ) -> tuple[int, Rect, str]:
        rect = _text_rect(piece)
        first = self.rects[node] is None
        self._extend(node, rect, piece.order)
        self.widths[node] = max(self.widths[node], piece.width)
        hidden = _is_cut(rect, piece.clip)
        if first:
            self._style(node, piece, look)
            self.cols["decoration"][node] = lines.through(piece)
            self.clipped[node] = hidden
        elif not hidden:
            self.clipped[node] = False
        return node, rect, piece.text

    def _style(self, node: int, piece: PaintedText, look: PaintedText | None) -> None:
        font = piece.font
        self.cols["font_size"][node] = piece.size
        self.cols["font_weight"][node] = 700 if font.bold else 400
        self.cols["italic"][node] = font.italic
        self.cols["font_family"][node] = self._string(font.family)
        # What is painted in numbers but not in its own colour has a transparent one.
        opacity = round(255 * look.alpha) if look else 0
        self.cols["color"][node] = (look.color << 8 | opacity) if look else 0

    def _string(self, value: str) -> int:
        place = self.index.get(value)
        if place is None:
            place = self.index[value] = len(self.strings)
            self.strings.append(value)
        return place

    # from texts to their elements

    def _spread_upwards(self) -> None:
        """Elements that paint nothing themselves are as large as what they hold."""
        own = [rect is not None for rect in self.rects]
        parents, rects, widths = self.dom.parent, self.rects, self.widths
        for node in range(self.count - 1, 0, -1):
            above, rect = parents[node], rects[node]
            widths[above] = max(widths[above], widths[node])
            if rect is not None and not own[above]:
                held = rects[above]
                rects[above] = rect if held is None else _union(held, rect)

    def _spread_fonts(self, painted: NDArray[np.bool_]) -> None:
        """Elements have the font of their first text; those without any, of their parent."""
        donor = np.where(painted & (self.cols["kind"] == NodeKind.TEXT), np.arange(self.count), -1)
        donors, parents = donor.tolist(), self.dom.parent
        for node in range(self.count - 1, 0, -1):
            if donors[node] >= 0:
                donors[parents[node]] = donors[node]
        for node in range(1, self.count):
            if donors[node] < 0:
                donors[node] = donors[parents[node]]
        known = np.array(donors) >= 0
        source = np.array(donors)[known]
        for name in ("font_size", "font_weight", "italic", "font_family", "color"):
            self.cols[name][known] = self.cols[name][source]

    # backgrounds and borders

    def _add_backgrounds(self) -> None:
        owners: dict[Rect, int] = {}
        innermost: dict[Rect, int] = {}
        for box in self.numbers.boxes:
            node = box.color
            if node is not None and node < self.count:
                rect = _rounded(box.rect)
                innermost[rect] = node
                # Of elements that fill each other the inner one has the background: rows and
                # groups of a table are painted cell by cell.
                if self.dom.parent[node] == owners.setdefault(rect, node):
                    owners[rect] = node
        sides = _sides(innermost)
        for box in self.looks.boxes:
            if box.alpha <= 0:
                continue
            rect = _rounded(box.rect)
            owner = owners.get(rect)
            if box.color is None or box.color == PICTURE:
                self._add_picture(owner or owners.get(_rounded(box.clip)))
            elif box.inner is not None:
                self._add_frame(innermost.get(rect), box)
            elif owner is not None:
                self._add_background(owner, box)
            elif side := next((sides[edge] for edge in _thin(rect) if edge in sides), None):
                node, place = side
                self.cols["border"][node, place] = min(rect[2] - rect[0], rect[3] - rect[1])

    def _add_picture(self, node: int | None) -> None:
        if node is not None:
            self.cols["background_image"][node] = self.dom.tags[node] not in _PICTURES

    def _add_background(self, node: int, box: PaintedBox) -> None:
        if box.color is not None:
            self.cols["own_background"][node] = box.color << 8 | round(255 * box.alpha)

    def _add_frame(self, node: int | None, box: PaintedBox) -> None:
        if node is not None and box.inner is not None:
            outer, hole = box.rect, box.inner
            self.cols["border"][node] = (
                hole[1] - outer[1], outer[2] - hole[2], outer[3] - hole[3], hole[0] - outer[0],
            )  # fmt: skip


def _sides(owners: dict[Rect, int]) -> dict[tuple[str, float, float, float], tuple[int, int]]:
    """The four edges of every box, to find borders that are painted one by one.

    Of several boxes with one edge, the innermost has the border: others hold theirs around it.
    """
    sides: dict[tuple[str, float, float, float], tuple[int, int]] = {}
    for (left, top, right, bottom), node in owners.items():
        sides["h", left, right, top] = (node, 0)
        sides["v", top, bottom, right] = (node, 1)
        sides["H", left, right, bottom] = (node, 2)
        sides["V", top, bottom, left] = (node, 3)
    return sides


def _thin(rect: Rect) -> tuple[tuple[str, float, float, float], ...]:
    """The edges that a thin box may be painted along."""
    left, top, right, bottom = rect
    if min(right - left, bottom - top) > _THICKEST_BORDER:
        return ()
    if bottom - top <= right - left:
        return ("h", left, right, top), ("H", left, right, bottom)
    return ("V", top, bottom, left), ("v", top, bottom, right)


class _Looks:
    """The texts in their true colours, by place. Neighbours of one colour are painted as one."""

    def __init__(self, pieces: list[PaintedText]) -> None:
        self.by_baseline: dict[int, list[PaintedText]] = {}
        for piece in sorted(pieces, key=lambda piece: piece.x):
            self.by_baseline.setdefault(round(piece.baseline * 8), []).append(piece)

    def at(self, piece: PaintedText) -> PaintedText | None:
        """The text that is painted where `piece` is, on top if there are several."""
        same = self.by_baseline.get(round(piece.baseline * 8), ())
        place = piece.x + min(0.5, piece.width / 2)
        found = [look for look in same if look.x - 0.5 <= place <= look.x + look.width + 0.5]
        return max(found, key=lambda look: (look.size == piece.size, look.order), default=None)


class _Lines:
    """Thin horizontal boxes: the lines of text decorations."""

    def __init__(self, boxes: list[PaintedBox]) -> None:
        self.by_height: dict[int, list[Rect]] = {}
        for box in boxes:
            left, top, right, bottom = box.rect
            if 0 < bottom - top <= 4 and right - left > 2:
                self.by_height.setdefault(int(top), []).append(box.rect)

    def through(self, piece: PaintedText) -> int:
        """The decorations of a piece of text."""
        found = Decoration.NONE
        middle, end = piece.x + piece.width / 2, piece.x + piece.width + 2 * piece.size
        heights = range(
            int(piece.baseline - piece.size / 2), int(piece.baseline + piece.size / 4) + 1
        )
        for height in heights:
            for left, top, right, _ in self.by_height.get(height, ()):
                if left - 1 <= piece.x and middle <= right <= end:
                    above = piece.baseline - top
                    found |= Decoration.UNDERLINE if above <= 1 else Decoration.LINE_THROUGH
        return int(found)


def _joined(pieces: list[PaintedText]) -> Iterable[PaintedText]:
    """Pieces of one line that were painted apart, because letters came from another font."""
    last: PaintedText | None = None
    for piece in pieces:
        if last is not None and _continues(last, piece):
            last = last._replace(
                width=piece.x + piece.width - last.x,
                text=last.text + piece.text,
                operand=last.operand + piece.operand,
            )
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


def _continues(last: PaintedText, piece: PaintedText) -> bool:
    return (
        piece.color == last.color
        and piece.order == last.order + 1
        and abs(piece.baseline - last.baseline) < 0.01
        and abs(piece.x - last.x - last.width) < 0.1
        and piece.size == last.size
    )


def _part(piece: PaintedText, start: int, end: int | None) -> PaintedText:
    """Some letters of a piece: without a list marker, or up to where another text begins."""
    if start == 0 and end is None:
        return piece
    left = piece.advance(start)
    right = piece.width if end is None else piece.advance(end)
    return piece._replace(x=piece.x + left, width=right - left, text=piece.text[start:end])


def _text_rect(piece: PaintedText) -> Rect:
    """The box of a text: as wide as its letters reach, as high as its font, in whole pixels."""
    top = piece.baseline - round(piece.font.ascent * piece.size)
    bottom = piece.baseline + round(piece.font.descent * piece.size)
    return piece.x, top, piece.x + piece.width, bottom


def _union(one: Rect, other: Rect) -> Rect:
    return (
        min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
    )  # fmt: skip


def _is_cut(rect: Rect, clip: Rect) -> bool:
    width = min(rect[2], clip[2]) - max(rect[0], clip[0])
    height = min(rect[3], clip[3]) - max(rect[1], clip[1])
    return width < min(SMALLEST_SIGHT, rect[2] - rect[0]) or height < SMALLEST_SIGHT


def _rounded(rect: Rect) -> Rect:
    left, top, right, bottom = rect
    return round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)
