"""A document and its painting, put together into a Page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.markup.media import Screen
from pagesight.page import Decoration, NodeKind, Note, Page, PageInfo
from pagesight.page.columns import Array, subtree_ends
from pagesight.page.head import join
from pagesight.page.visibility import (
    SMALLEST_SIGHT,
    VisibilityEvidence,
    effective_backgrounds,
    mark,
)
from pagesight.render.columns import compact, default_columns, tree_columns
from pagesight.render.embedded.defaults import default_style
from pagesight.render.embedded.display import displays, usual_displays
from pagesight.render.embedded.dom import Dom, parse
from pagesight.render.embedded.layout import Engine, version
from pagesight.render.embedded.letters import is_garbled, is_short, restored
from pagesight.render.embedded.matching import Match, match
from pagesight.render.embedded.numbering import (
    DEFAULTS,
    FLAT_STYLE,
    GROUND,
    SIMPLE_STYLE,
    STRICT_STYLE,
    STYLE,
    node_of,
)
from pagesight.render.embedded.paint import read_painting
from pagesight.render.embedded.painted import Outline, PaintedBox, PaintedText, Painting
from pagesight.render.embedded.pictures import PICTURE
from pagesight.render.geometry import Rect, hull, intersect
from pagesight.render.resources import Loads, Neighbourhood

_PICTURES = frozenset({"img", "video", "canvas", "svg", "object", "embed"})
_TEXT_IS_VALUE = frozenset({"input", "textarea", "select", "option", "img", "video"})
_THICKEST_BORDER = 40.0
BELOW = 100_000.0  # px below the window that are looked at, where a box may be scrolled
MUCH_MORE, MOST_IN_DRAWERS = 1.2, 300  # letters; drawers wait below the window
_FIXED = re.compile(r"position\s*+:\s*+fixed\b", re.IGNORECASE)
_FONT = ("font_size", "font_weight", "italic", "font_family", "color")
_ROOT = 1  # the html element
_OVERLINE = int(Decoration.OVERLINE)
_SIDES = [1, 2, 3, 0]  # top, right, bottom and left, of left, top, right and bottom
_NOWHERE: Rect = (0.0, 0.0, 0.0, 0.0)
Edge = tuple[str, float, float, float]  # which of four, from where to where, and how far in


def page_from_html(
    text: str,
    *,
    url: str | None,
    path: Path | None,
    root: Path | None,
    viewport: tuple[int, int],
    max_nodes: int,
    simple: bool = False,
) -> Page:
    """Lay out a document and build its Page; a `simple` one if it takes too long else."""
    dom = parse(text, max_nodes, screen=Screen(*viewport), simple=simple)
    engine = Engine(viewport, Neighbourhood(path, root), Loads(), simple=simple)
    engine.pictures = frozenset(join(dom.base, address) or "" for address in dom.pictures)
    defaults = f"{default_style(engine.stylesheets(dom))} {DEFAULTS}"
    engine_version = version()
    # What does not need the painting is done while the engine lays out.
    with ThreadPoolExecutor(1) as beside:
        document = dom.with_defaults(defaults)
        laying_out = beside.submit(engine.lay_out, document, SIMPLE_STYLE if simple else STYLE)
        assembly = _Assembly(dom)
        sheet = laying_out.result()
    size = (max(sheet.width, float(viewport[0])), max(sheet.height, float(viewport[1])))
    painting = read_painting(sheet.pdf)
    if not simple:
        painting = _complete(painting, engine, document)
    if not simple and sheet.height <= viewport[1] and _has_fixed(document, engine, dom):
        # The document ends with the window, but a fixed box that is scrolled need not.
        deeper = read_painting(engine.lay_out(document, below=BELOW).pdf)
        if _letters(deeper) > MUCH_MORE * _letters(painting) + MOST_IN_DRAWERS:
            painting = deeper
            size = (size[0], max(size[1], *(text.baseline for text in deeper.texts)))
    columns = assembly.columns(painting, size)
    strings = compact(columns, assembly.strings)
    info = PageInfo(
        renderer="embedded", renderer_version=engine_version, url=url, viewport=viewport, size=size,
        notes=(*engine.loads.notes(), *_notes(dom, engine)),
    )  # fmt: skip
    return Page(columns, strings, info)


def _complete(painting: Painting, engine: Engine, document: str) -> Painting:
    """The painting, or another one if the styles of the page have spoilt it."""
    if any(text.line_color is None and text.width and text.text.strip() for text in painting.texts):
        # Styles that we did not see have taken the line from a text, and with it its number.
        painting = read_painting(engine.lay_out(document, STRICT_STYLE).pdf)
    if sum(box.color == GROUND for box in painting.boxes) < 2:
        # What is painted last is missing: a matrix that cannot be inverted was the end of it.
        painting = read_painting(engine.lay_out(document, FLAT_STYLE).pdf)
    return painting


def _has_fixed(document: str, engine: Engine, dom: Dom) -> bool:
    """Whether anything stays where it is when the page is scrolled."""
    return any(map(_FIXED.search, (document, *engine.stylesheets(dom))))


def _letters(painting: Painting) -> int:
    return sum(len(text.text) for text in painting.texts)


def picture_of_html(
    text: str, *, path: Path | None, root: Path | None, viewport: tuple[int, int], max_nodes: int
) -> bytes:
    """A document as it looks in this engine, as a PNG."""
    dom = parse(text, max_nodes, numbered=False, screen=Screen(*viewport))
    engine = Engine(viewport, Neighbourhood(path, root), Loads(), for_people=True)
    return engine.draw(dom.with_defaults(default_style(engine.stylesheets(dom))))


def _notes(dom: Dom, engine: Engine) -> Iterable[Note]:
    """What the engine does not have, where the page needs it."""
    if engine.simple:
        yield Note("simplified", "without its layout, tables as blocks: the engine failed with it")
    if dom.scripts:
        yield Note("scripts", "not run", dom.scripts)
    if dom.frames:
        yield Note("frames", "not rendered", dom.frames)
    if dom.shadows:
        yield Note("unsupported", "shadow trees are left out", dom.shadows)
    if dom.drawn_texts:
        yield Note("unsupported", "text in drawings is left out", dom.drawn_texts)
    if dom.uses_grid or engine.uses_grid:
        yield Note("unsupported", "CSS grid is laid out as blocks")


class _Assembly:
    """Fills the columns of a page step by step."""

    def __init__(self, dom: Dom) -> None:
        self.dom = dom
        self.count = len(dom.parent)
        self.strings = list(dom.strings)
        self.index = {string: place for place, string in enumerate(self.strings)}
        self.cols = tree_columns(dom) | default_columns(
            (*_FONT, "own_background", "background_image", "decoration", "border", "opacity",
             "position"), self.count,
        )  # fmt: skip
        # Plain lists where single values are set one by one: numpy is slow at that.
        self.rects: list[Rect | None] = [None] * self.count
        self.orders = [-1] * self.count
        self.clipped = [False] * self.count
        self.typical: dict[int, PaintedText] = {}  # the longest piece of a text: no initial of it
        self.widths = [0.0] * self.count  # of all the text in each node, in one line
        self.end = subtree_ends(self.cols["parent"])
        self.usual = usual_displays(dom.tags)
        self.breaks = np.array([tag == "br" for tag in dom.tags])
        self.pictures = np.array([tag in _PICTURES for tag in dom.tags])
        self.blank = self._blank_texts()
        self.texts = self._texts_by_element()

    def columns(self, painting: Painting, size: tuple[float, float]) -> dict[str, Array]:
        outlines = self._outlines(painting.outlines)
        for node, rect, order in outlines:
            self._extend(node, rect, order)
        self._place_texts(painting.texts)
        painted = np.array([rect is not None for rect in self.rects])
        self._spread_upwards()
        self._spread_fonts(painted)
        self._add_backgrounds(painting.boxes, outlines, size)
        self._order_upwards()
        rendered = np.array([rect is not None for rect in self.rects])
        edges = np.array([rect or _NOWHERE for rect in self.rects])
        self.cols["box"] = np.column_stack((edges[:, :2], edges[:, 2:] - edges[:, :2]))
        self.cols["paint"] = np.array(self.orders, dtype=np.int32)
        # White space and line breaks are there, even if nothing is painted.
        rendered |= (self.blank | self.breaks) & rendered[np.maximum(self.cols["parent"], 0)]
        usual, in_lines = self.usual, self._in_lines(outlines)
        widths = np.array(self.widths)
        self.cols["display"] = displays(usual, self.breaks, self.cols, rendered, widths, in_lines)
        self.cols["background"] = effective_backgrounds(self.cols["own_background"], self.end)
        evidence = VisibilityEvidence(
            rendered=rendered, clipped_away=np.array(self.clipped), pictures=self.pictures
        )
        self.cols["visibility"] = mark(self.cols, self.end, size, evidence)
        return self.cols

    def _blank_texts(self) -> NDArray[np.bool_]:
        blank = np.array([not string.strip() for string in self.strings])
        text = self.cols["text"]
        is_blank: NDArray[np.bool_] = blank[np.maximum(text, 0)] & (text >= 0)
        return is_blank

    def _outlines(self, lines: list[Outline]) -> list[tuple[int, Rect, int]]:
        """Element, box and order of all outlines, outer elements before inner ones."""
        outlines = [(node_of(line.color), line.rect, line.order) for line in lines]
        return sorted(outline for outline in outlines if 0 <= outline[0] < self.count)

    def _in_lines(self, outlines: list[tuple[int, Rect, int]]) -> NDArray[np.bool_]:
        """Elements that are broken into several boxes, as only those in lines of text are."""
        return np.bincount([node for node, _, _ in outlines], minlength=self.count) > 1

    def _extend(self, node: int, rect: Rect, order: int) -> None:
        known = self.rects[node]
        if known is None:
            self.orders[node] = order
        self.rects[node] = rect if known is None else hull((known, rect))

    # texts

    def _place_texts(self, painted: list[PaintedText]) -> None:
        pieces: dict[int, list[PaintedText]] = {}
        for piece in painted:
            pieces.setdefault(node_of(piece.line_color), []).append(piece)
        rows: list[tuple[int, Rect, str]] = []
        for element, shown in pieces.items():
            nodes = self.texts.get(element)
            if not nodes or self.dom.tags[element] in _TEXT_IS_VALUE:
                continue
            # At the ends of columns, lines are painted twice, and cut away once.
            uncut = [piece for piece in shown if not _is_cut(_text_rect(piece), piece.clip)]
            for piece, matches in self._matched(nodes, uncut or shown):
                for matched in matches:
                    part = _part(piece, matched.start, matched.end)
                    rows.append(self._place_text(nodes[matched.text], part))
        for node, piece in self.typical.items():
            self._style(node, piece)
        rows.sort(key=lambda row: row[0])
        self._restore(rows)
        self.cols["run_node"] = np.array([row[0] for row in rows], dtype="<i4")
        boxes = np.array([row[1] for row in rows], dtype="<f4").reshape(-1, 4)
        boxes[:, 2:] -= boxes[:, :2]
        self.cols["run_box"] = boxes
        self.cols["run_text"] = np.array([self._string(row[2]) for row in rows], dtype="<i4")

    def _restore(self, rows: list[tuple[int, Rect, str]]) -> None:
        """Give texts whose letters were not painted as the document has them those letters."""
        of_node: dict[int, list[int]] = {}
        for row, (node, _, _) in enumerate(rows):
            if not self.strings[self.dom.text[node]].isascii():
                of_node.setdefault(node, []).append(row)
        for node, numbers in of_node.items():
            document, painted = self.strings[self.dom.text[node]], [rows[row][2] for row in numbers]
            if any(map(is_garbled, painted)) or is_short(document, painted):
                for row, text in zip(numbers, restored(document, painted), strict=True):
                    rows[row] = (node, rows[row][1], text)

    def _texts_by_element(self) -> dict[int, list[int]]:
        texts: dict[int, list[int]] = {}
        for node, kind in enumerate(self.dom.kind):
            if kind == NodeKind.TEXT:
                texts.setdefault(self.dom.parent[node], []).append(node)
        return texts

    def _matched(
        self, nodes: list[int], pieces: list[PaintedText]
    ) -> Iterable[tuple[PaintedText, list[Match]]]:
        if len(nodes) == 1:
            return ((piece, [Match(0)]) for piece in pieces)
        strings = [self.strings[self.dom.text[node]] for node in nodes]
        return zip(pieces, match(strings, [piece.text for piece in pieces]), strict=True)

    def _place_text(self, node: int, piece: PaintedText) -> tuple[int, Rect, str]:
        rect = _text_rect(piece)
        typical = self.typical.get(node)
        self._extend(node, rect, piece.order)
        self.widths[node] += piece.width
        hidden = _is_cut(rect, piece.clip)
        self.clipped[node] = hidden and (typical is None or self.clipped[node])
        if typical is None or len(typical.text) < len(piece.text):
            self.typical[node] = piece
        return node, rect, piece.text

    def _style(self, node: int, piece: PaintedText) -> None:
        font = piece.font
        self.cols["font_size"][node] = piece.size
        self.cols["font_weight"][node] = 700 if font.bold else 400
        self.cols["italic"][node] = font.italic
        self.cols["font_family"][node] = self._string(font.family)
        self.cols["color"][node] = piece.color << 8 | round(255 * piece.alpha)
        # The line over the text is not the page's.
        self.cols["decoration"][node] = piece.lines & ~_OVERLINE

    def _string(self, value: str) -> int:
        place = self.index.get(value)
        if place is None:
            place = self.index[value] = len(self.strings)
            self.strings.append(value)
        return place

    # from texts to their elements

    def _spread_upwards(self) -> None:
        """Elements that paint nothing themselves are as large as what they hold."""
        painted = [rect is not None for rect in self.rects]
        parents, rects, widths = self.dom.parent, self.rects, self.widths
        for node in range(self.count - 1, 0, -1):
            above, rect = parents[node], rects[node]
            widths[above] += widths[node]
            if rect is not None and not painted[above]:
                held = rects[above]
                rects[above] = rect if held is None else hull((held, rect))

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
        for name in _FONT:
            self.cols[name][known] = self.cols[name][source]

    # backgrounds and borders

    def _add_backgrounds(
        self,
        boxes: list[PaintedBox],
        outlines: list[tuple[int, Rect, int]],
        size: tuple[float, float],
    ) -> None:
        owners: dict[Rect, int] = {}
        innermost: dict[Rect, int] = {}
        for node, within, _ in outlines:
            rect = _rounded(within)
            innermost[rect] = node
            # Of elements that fill each other the inner one has the background: rows and groups
            # of a table are painted cell by cell.
            if self.dom.parent[node] == owners.setdefault(rect, node):
                owners[rect] = node
        # The background of the root element fills the page, even where the element does not.
        for width, height in (size, map(ceil, size)):
            owners.setdefault(_rounded((0.0, 0.0, width, height)), _ROOT)
        sides: dict[Edge, tuple[int, int]] | None = None  # which few pages need
        for box in boxes:
            if box.alpha <= 0 or box.color == GROUND:
                continue
            rect = _known(box.rect, owners)
            owner = owners.get(rect)
            if box.color is None or box.color == PICTURE:
                owner = owner or owners.get(_rounded(box.clip))
                if owner is not None:
                    self.cols["background_image"][owner] = self.dom.tags[owner] not in _PICTURES
            elif box.inner is not None:
                owner = innermost.get(rect)
                if owner is not None:
                    self.cols["border"][owner] = np.abs(np.subtract(box.inner, box.rect))[_SIDES]
            elif owner is not None:
                self.cols["own_background"][owner] = box.color << 8 | round(255 * box.alpha)
            elif edges := _thin(rect):
                sides = _sides(innermost) if sides is None else sides
                if side := next((sides[edge] for edge in edges if edge in sides), None):
                    left, top, right, bottom = box.rect
                    self.cols["border"][side] = min(right - left, bottom - top)
            if owner is not None:
                self.orders[owner] = min(self.orders[owner], box.order)

    def _order_upwards(self) -> None:
        """Elements come before their content, although their outlines are painted late."""
        parents, orders = self.dom.parent, self.orders
        for node in range(self.count - 1, 0, -1):
            if orders[node] >= 0 <= orders[parents[node]]:
                orders[parents[node]] = min(orders[parents[node]], orders[node])


def _sides(owners: dict[Rect, int]) -> dict[Edge, tuple[int, int]]:
    """The four edges of every box, to find borders that are painted one by one.

    Of several boxes with one edge, the innermost has the border: others hold theirs around it.
    """
    sides: dict[Edge, tuple[int, int]] = {}
    for (left, top, right, bottom), node in owners.items():
        sides["h", left, right, top] = (node, 0)
        sides["v", top, bottom, right] = (node, 1)
        sides["H", left, right, bottom] = (node, 2)
        sides["V", top, bottom, left] = (node, 3)
    return sides


def _thin(rect: Rect) -> tuple[Edge, ...]:
    """The edges that a thin box may be painted along."""
    left, top, right, bottom = rect
    if min(right - left, bottom - top) > _THICKEST_BORDER:
        return ()
    if bottom - top <= right - left:
        return ("h", left, right, top), ("H", left, right, bottom)
    return ("V", top, bottom, left), ("v", top, bottom, right)


def _part(piece: PaintedText, start: int, end: int | None) -> PaintedText:
    """Some letters of a piece: from where its text begins up to where another one does."""
    if start == 0 and end is None:
        return piece
    left = piece.advance(start)
    right = piece.width if end is None else piece.advance(end)
    return replace(piece, x=piece.x + left, width=right - left, text=piece.text[start:end])


def _text_rect(piece: PaintedText) -> Rect:
    """The box of a text: as wide as its letters reach, as high as its font, in whole pixels."""
    top = piece.baseline - round(piece.font.ascent * piece.size)
    bottom = piece.baseline + round(piece.font.descent * piece.size)
    return piece.x, top, piece.x + piece.width, bottom


def _is_cut(rect: Rect, clip: Rect) -> bool:
    left, top, right, bottom = intersect(rect, clip)
    wide, high = min(SMALLEST_SIGHT, rect[2] - rect[0]), min(SMALLEST_SIGHT, rect[3] - rect[1])
    return right - left < wide or bottom - top < high


def _known(rect: Rect, owners: dict[Rect, int]) -> Rect:
    """A painted box as it is among the outlines: its far corner was rounded in another way."""
    left, top, right, bottom = rect
    tries = (_rounded((left, top, right + by, bottom + by)) for by in (0.0, 0.01, -0.01))
    return next((known for known in tries if known in owners), _rounded(rect))


def _rounded(rect: Rect) -> Rect:
    """A box to be found again: in quarters of a pixel, separated where sizes seldom lie.

    Numbers in a PDF are rounded; thirds, tenths and 64ths of a pixel are not near a border.
    """
    left, top, right, bottom = (round(4 * edge + 0.03) / 4 for edge in rect)
    return left, top, right, bottom
