"""A DOMSnapshot of the DevTools protocol, turned into a Page.

The snapshot lists several documents (frames), each as parallel lists by node, and separately what
was laid out. Here they become one tree in document order: a frame's document is below its frame
element, a shadow tree below a node of its own in the host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.markup.attributes import KEPT, LINKED_DATA, TEXTLESS, shorten
from pagesight.page import Display, NodeKind, Page, PageInfo, Position
from pagesight.page.columns import Array, subtree_ends
from pagesight.page.head import join
from pagesight.page.visibility import VisibilityEvidence, effective_backgrounds, mark
from pagesight.render.chromium.styles import (
    ASKED,
    OF_WINDOW,
    PARSERS,
    Overflow,
    scrolls_left,
)
from pagesight.render.columns import compact, default_columns, tree_columns
from pagesight.render.resources import SITE, relative

CAPTURE = {"computedStyles": list(ASKED), "includePaintOrder": True}

_ELEMENT, _TEXT, _CDATA, _DOCUMENT = 1, 3, 4, 9  # DOM node types
_KINDS = {_ELEMENT: NodeKind.ELEMENT, _TEXT: NodeKind.TEXT, _CDATA: NodeKind.TEXT,
          _DOCUMENT: NodeKind.DOCUMENT}  # fmt: skip
_SPAN = ("layoutIndex", "start", "length")  # of a text box
_FRAMES = frozenset({"iframe", "frame", "object", "embed"})
_PICTURES = frozenset({"img", "video", "canvas", "svg", "object", "embed"})
_COLUMN_OF = {
    **{name: name for name in ("display", "position", "float", "color", "opacity")},
    "font-size": "font_size", "font-weight": "font_weight", "font-style": "italic",
    "background-color": "own_background", "background-image": "background_image",
    "text-align": "align", "text-decoration-line": "decoration", "border-width": "border",
}  # fmt: skip
_OF_TEXT = frozenset(  # what a text takes from its element; the rest belongs to the element's box
    {"font-size", "font-weight", "font-style", "color", "text-align", "text-decoration-line",
     "visibility"}
)  # fmt: skip


def page_from_snapshot(snapshot: Mapping[str, Any], info: PageInfo) -> Page:
    """Build a Page from the answer to `DOMSnapshot.captureSnapshot`."""
    documents = snapshot["documents"]
    tree = _Tree(documents, snapshot["strings"], info.url or "")
    tree.add(0, -1)
    columns = tree_columns(tree)
    layout = _Layout(tree, columns)
    end = subtree_ends(columns["parent"])
    _open_contents(columns, layout.rendered, end)
    size = (float(documents[0]["contentWidth"]), float(documents[0]["contentHeight"]))
    columns["background"] = effective_backgrounds(columns["own_background"], end)
    columns["visibility"] = mark(columns, end, size, layout.evidence())
    strings = compact(columns, tree.strings)
    return Page(columns, strings, replace(info, size=size))


class _Tree:
    """All documents of a snapshot as one tree, in document order."""

    def __init__(self, documents: list[Mapping[str, Any]], strings: list[str], url: str) -> None:
        self.documents = documents
        self.url = url
        self.strings = strings.copy()
        self.kept_names = {index for index, name in enumerate(strings) if name in KEPT}
        self.parent: list[int] = []
        self.kind: list[int] = []
        self.name: list[int] = []
        self.text: list[int] = []
        self.attr_first: list[int] = [0]
        self.attr_name: list[int] = []
        self.attr_value: list[int] = []
        self.ids: dict[int, list[int]] = {}  # document → node of the snapshot → node id
        self.frames: list[tuple[int, int]] = []  # (document, its frame element), outer ones first
        self._lowered: dict[int, int] = {}
        self._added: dict[str, int] = {}

    def add(self, document: int, frame: int) -> None:
        """Append a document below its frame element, with the documents of its own frames."""
        nodes = self.documents[document]["nodes"]
        inner, shadow = (
            _pairs(nodes.get(key)) for key in ("contentDocumentIndex", "shadowRootType")
        )
        types, values, names = nodes["nodeType"], nodes["nodeValue"], nodes["nodeName"]
        attributes, extra = nodes["attributes"], self._current_values(nodes)
        ids = self.ids[document] = [-1] * len(types)
        self.frames.append((document, frame))
        for index, above in enumerate(nodes["parentIndex"]):
            kind = _KINDS.get(types[index])
            parent = ids[above] if above >= 0 else frame
            if kind is None or (above >= 0 and parent < 0):
                continue
            if index in shadow:
                if self.strings[shadow[index]] == "user-agent":
                    # The inside of a control. What is slotted into it belongs to the control.
                    ids[index] = parent if kind is NodeKind.ELEMENT else -1
                    continue
                if above not in shadow:
                    parent = self._shadow_root(parent)
            if kind is not NodeKind.TEXT:
                ids[index] = self._append(parent, kind, names[index])
            elif not self._is_textless(parent):
                ids[index] = self._append(parent, kind, names[index], values[index])
            else:
                continue
            self._append_attributes(attributes[index], extra.get(index, ()))
            if index in inner:
                self.add(inner[index], ids[index])

    def string(self, value: str) -> int:
        """The index of a string that may not be in the snapshot."""
        index = self._added.get(value)
        if index is None:
            index = self._added[value] = len(self.strings)
            self.strings.append(value)
        return index

    def _append(self, parent: int, kind: NodeKind, name: int, text: int = -1) -> int:
        name = self._lower(name)
        self.parent.append(parent)
        self.kind.append(NodeKind.PSEUDO if self.strings[name].startswith("::") else kind)
        self.name.append(name)
        self.text.append(text)
        self.attr_first.append(len(self.attr_name))
        return len(self.parent) - 1

    def _append_attributes(self, given: list[int], extra: Sequence[tuple[str, int]]) -> None:
        for position in range(0, len(given), 2):
            if given[position] in self.kept_names:
                self._append_attribute(given[position], given[position + 1])
        for name, value in extra:
            self._append_attribute(self.string(name), value)
        self.attr_first[-1] = len(self.attr_name)

    def _append_attribute(self, name: int, value: int) -> None:
        value = self._real_address(value)
        content = self.strings[value] if value >= 0 else ""
        if value < 0:
            value = self.string("")
        elif (short := shorten(content)) != content:
            value = self.string(short)
        self.attr_name.append(name)
        self.attr_value.append(value)

    def _current_values(self, nodes: Mapping[str, Any]) -> dict[int, list[tuple[str, int]]]:
        """The current values of controls, and which picture is shown, by node."""
        extra: dict[int, list[tuple[str, int]]] = {}
        for key, name in (("inputValue", ":value"), ("textValue", ":value"),
                          ("currentSourceURL", ":src")):  # fmt: skip
            for index, value in _pairs(nodes.get(key)).items():
                extra.setdefault(index, []).append((name, value))
        empty = self.string("")
        for key, name in (("inputChecked", ":checked"), ("optionSelected", ":selected")):
            for index in (nodes.get(key) or {}).get("index", ()):
                extra.setdefault(index, []).append((name, empty))
        return extra

    def _real_address(self, value: int) -> int:
        """An address without the made-up site that pages from files are rendered at.

        The browser uses that site in the addresses of pictures and of frames.
        """
        address = self.strings[value] if value >= 0 else ""
        if not address.startswith(SITE):
            return value
        shown = relative(address)
        return self.string(join(self.url, shown) or shown)

    def _lower(self, name: int) -> int:
        """HTML element names are in capitals; SVG names keep their case."""
        lowered = self._lowered.get(name)
        if lowered is None:
            string = self.strings[name]
            lowered = self.string(string.lower()) if string.isupper() else name
            self._lowered[name] = lowered
        return lowered

    def _shadow_root(self, host: int) -> int:
        last = len(self.parent) - 1
        while last > host and self.parent[last] != host:
            last = self.parent[last]
        if last > host and self.kind[last] == NodeKind.SHADOW:
            return last
        return self._append(host, NodeKind.SHADOW, self.string("#shadow-root"))

    def _is_textless(self, parent: int) -> bool:
        if self.strings[self.name[parent]] not in TEXTLESS:
            return False
        rows = range(self.attr_first[parent], self.attr_first[parent + 1])
        return not any(
            self.strings[self.attr_name[row]] == "type"
            and self.strings[self.attr_value[row]].strip().lower() == LINKED_DATA
            for row in rows
        )


def _pairs(sparse: Mapping[str, list[int]] | None) -> dict[int, int]:
    """The sparse lists of the protocol as a dictionary."""
    return dict(zip(sparse["index"], sparse["value"], strict=True)) if sparse else {}


class _Layout:
    """What was laid out, written into the columns of a tree."""

    def __init__(self, tree: _Tree, columns: dict[str, Array]) -> None:
        self.tree = tree
        self.columns = columns
        self.rendered: NDArray[np.bool_] = np.zeros(len(tree.parent), dtype=np.bool_)
        self.flags = {
            name: np.zeros(len(tree.parent), dtype=np.uint8)
            for name in ("visibility", "overflow", "clip", "clip-path")
        }
        names = ("box", "paint", *_COLUMN_OF.values(), "font_family")
        columns |= default_columns(names, len(tree.parent))
        runs = [
            self._add(document, self._offset(document, frame))
            for document, frame in tree.frames
            if frame < 0 or self.rendered[frame]
        ]
        columns["run_node"] = np.concatenate([run[0] for run in runs])
        columns["run_box"] = np.concatenate([run[1] for run in runs])
        columns["run_text"] = np.array([text for run in runs for text in run[2]], dtype=np.int32)
        self._finish_boxless()

    def evidence(self) -> VisibilityEvidence:
        position, pictures = self.columns["position"], self._named(_PICTURES)
        # Overflow of html and body belongs to the window, and a window scrolls. An inline box has
        # no overflow, and `clip` is for boxes that are positioned.
        inline = np.isin(self.columns["display"], (Display.INLINE, Display.CONTENTS)) & ~pictures
        overflow = self.flags["overflow"] * ~(self._named({"html", "body"}) | inline)
        positioned = (position == Position.ABSOLUTE) | (position == Position.FIXED)
        clip: NDArray[np.bool_] = (self.flags["clip"] > 0) & positioned
        return VisibilityEvidence(
            rendered=self.rendered,
            hidden=self.flags["visibility"] > 0,
            clips=overflow == Overflow.CLIPS,
            clipped_away=clip | (self.flags["clip-path"] > 0),
            pictures=pictures,
            scrolls=(overflow == Overflow.SCROLLS) | self._named(_FRAMES),
        )

    def _named(self, names: Set[str]) -> NDArray[np.bool_]:
        indices = [i for i, name in enumerate(self.tree.strings) if name in names]
        return np.isin(self.columns["name"], indices)

    def _offset(self, document: int, frame: int) -> Array:
        if frame < 0:
            return np.array([self._left_of_window(), 0.0])
        scrolled = self.tree.documents[document]
        scroll = np.array([scrolled["scrollOffsetX"], scrolled["scrollOffsetY"]])
        border = self.columns["border"][frame]
        offset: Array = self.columns["box"][frame, :2] + border[[3, 0]] - scroll
        return offset

    def _left_of_window(self) -> float:
        """How far a right-to-left page can be scrolled to the left.

        Such a page is wider than its window, and extends beyond its left edge.
        """
        document = self.tree.documents[0]
        bounds = document["layout"]["bounds"]
        beyond = document["contentWidth"] - bounds[0][2] if bounds else 0.0  # of the window
        return float(beyond) if beyond >= 1 and scrolls_left(*self._of_window()) else 0.0

    def _of_window(self) -> list[str]:
        """The styles that the window takes from the body, or from the root if there is none."""
        nodes, layout = self.tree.documents[0]["nodes"], self.tree.documents[0]["layout"]
        inherited: list[int] = []
        for node, styles in zip(layout["nodeIndex"], layout["styles"], strict=True):
            inherited = inherited or styles  # the first with styles is the root
            if self.tree.strings[nodes["nodeName"][node]].lower() == "body":
                inherited = styles
                break
        return [self.tree.strings[value] for value in inherited[-len(OF_WINDOW) :]] or ["", ""]

    def _add(self, document: int, offset: Array) -> tuple[Array, Array, list[int]]:
        layout = self.tree.documents[document]["layout"]
        ids = np.array(self.tree.ids[document])
        nodes = ids[np.array(layout["nodeIndex"], dtype=np.int64)]
        bounds = np.array(layout["bounds"], dtype=np.float64).reshape(-1, 4)
        bounds[:, :2] += offset
        # Generated content has a row for its box and one for each part inside; the box is first.
        laid_out, rows = np.unique(nodes, return_index=True)
        laid_out, rows = laid_out[laid_out >= 0], rows[laid_out >= 0]
        self.rendered[laid_out] = True
        self.columns["box"][laid_out] = bounds[rows]
        self.columns["paint"][laid_out] = np.array(layout["paintOrders"])[rows]
        self._add_styles(laid_out, rows, layout["styles"])
        return self._runs(document, nodes, offset)

    def _add_styles(self, laid_out: Array, rows: Array, styles: list[list[int]]) -> None:
        kinds = self.columns["kind"][laid_out]
        styled = kinds != NodeKind.DOCUMENT
        nodes, rows = laid_out[styled], rows[styled]
        if len(nodes) == 0:
            return
        values = np.array([styles[row] for row in rows.tolist()], dtype=np.int64)
        is_box = kinds[styled] != NodeKind.TEXT
        for position, prop in enumerate(ASKED):
            chosen = slice(None) if prop in _OF_TEXT or prop == "font-family" else is_box
            target, column = nodes[chosen], values[chosen, position]
            if prop == "font-family":
                self.columns["font_family"][target] = column
            elif len(target) and prop in PARSERS:
                self._look_up(prop, target, column)
        self.columns["display"][nodes[~is_box]] = Display.INLINE

    def _look_up(self, prop: str, nodes: Array, values: Array) -> None:
        distinct, inverse = np.unique(values, return_inverse=True)
        parse = PARSERS[prop]
        parsed = np.array([parse(self.tree.strings[value]) for value in distinct.tolist()])
        into = self.columns[_COLUMN_OF[prop]] if prop in _COLUMN_OF else self.flags[prop]
        into[nodes] = parsed[inverse]

    def _runs(self, document: int, nodes: Array, offset: Array) -> tuple[Array, Array, list[int]]:
        boxes = self.tree.documents[document]["textBoxes"]
        rows = np.array(boxes["layoutIndex"], dtype=np.int64)
        bounds = np.array(boxes["bounds"], dtype=np.float64).reshape(-1, 4)
        bounds[:, :2] += offset
        known = nodes[rows] >= 0
        texts = list(self._run_texts(document, boxes, known.tolist()))
        owners = nodes[rows][known]
        generated = self.columns["kind"][owners] == NodeKind.PSEUDO
        self._add_generated(document, nodes, np.unique(rows[known][generated]).tolist())
        return owners, bounds[known], texts

    def _add_generated(self, document: int, nodes: Array, rows: list[int]) -> None:
        """The texts of generated content, each from all its parts."""
        texts = self.tree.documents[document]["layout"]["text"]
        contents: dict[int, str] = {}
        for row in rows:
            node = int(nodes[row])
            if texts[row] >= 0:
                contents[node] = contents.get(node, "") + self.tree.strings[texts[row]]
        for node, text in contents.items():
            self.columns["text"][node] = self.tree.string(text)

    def _run_texts(
        self, document: int, boxes: Mapping[str, list[int]], known: list[bool]
    ) -> Iterator[int]:
        texts = self.tree.documents[document]["layout"]["text"]
        spans = zip(boxes["layoutIndex"], _starts(boxes), boxes["length"], known, strict=True)
        for row, start, length, is_known in spans:
            if not is_known:
                continue
            text = self.tree.strings[texts[row]] if texts[row] >= 0 else ""
            part = _utf16_slice(text, start, start + length)
            yield texts[row] if part == text and text else self.tree.string(part)

    def _finish_boxless(self) -> None:
        """Shadow roots are not laid out themselves: they take the place of their host."""
        kind, parent = self.columns["kind"], self.columns["parent"]
        roots = np.flatnonzero(kind == NodeKind.SHADOW)
        for column in ("box", "paint", "font_size", "font_weight", "color", "font_family"):
            self.columns[column][roots] = self.columns[column][parent[roots]]
        self.columns["display"][roots] = Display.CONTENTS
        self.rendered[roots] = self.rendered[parent[roots]]
        documents = kind == NodeKind.DOCUMENT
        self.columns["display"][documents & self.rendered] = Display.BLOCK


def _starts(boxes: Mapping[str, list[int]]) -> list[int]:
    """Where text boxes begin in texts as they are laid out.

    The browser counts in the text of the document, which differs after letters that are laid out
    as several: ß in capitals is SS. Then boxes overlap, and later ones have to be moved.
    """
    row, start, length = (np.array(boxes[name], np.int64) for name in _SPAN)
    order = np.lexsort((start, row))
    row, end = row[order], (start + length)[order]
    overlap = (row[1:] == row[:-1]) & (start[order][1:] < end[:-1])
    if not overlap.any():
        return boxes["start"]
    moved: list[int] = start.tolist()
    last, stop, shift = -1, 0, 0
    for index in order.tolist():
        if boxes["layoutIndex"][index] != last:
            last, stop, shift = boxes["layoutIndex"][index], 0, 0
        shift = max(shift, stop - moved[index])
        moved[index] += shift
        stop = moved[index] + boxes["length"][index]
    return moved


def _utf16_slice(text: str, start: int, end: int) -> str:
    """A part of a text by the offsets of JavaScript, which counts UTF-16 units."""
    if text.isascii() or max(text) <= "\uffff":
        return text[start:end]
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start : 2 * end].decode("utf-16-le", "replace")


def _open_contents(columns: dict[str, Array], rendered: NDArray[np.bool_], end: Array) -> None:
    """Elements that show their children without a box of their own (`display: contents`)."""
    before = np.concatenate(([0], np.cumsum(rendered)))
    holds = before[end] - before[:-1] > 0
    for node in np.flatnonzero(~rendered & holds)[::-1].tolist():
        inside = slice(node + 1, int(end[node]))
        boxes = columns["box"][inside][rendered[inside]]
        corner = boxes[:, :2].min(axis=0)
        far = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
        columns["box"][node] = (*corner, *(far - corner))
        columns["display"][node] = Display.CONTENTS
        rendered[node] = True
