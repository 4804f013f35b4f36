"""What there is to see on a page, and how it flows.

Seen are texts, pictures, controls, rules and coloured boxes. They flow in lines of text, or are in
boxes of their own: by the computed `display` where the page has style, and by the names of elements
where it has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, Float, NodeKind, Page, Position, Visibility
from pagesight.page.columns import Array, among, nearest
from pagesight.page.derived import once_per_page
from pagesight.segment.nodes import before, framed, inside, named

PICTURES = frozenset({"img", "svg", "video", "canvas", "object", "embed", "iframe"})
CONTROLS = frozenset({"input", "select", "textarea", "progress", "meter", "audio"})
RULES = frozenset({"hr"})
REPLACED = frozenset({"object", "video", "audio", "canvas", "embed"})
WHOLE = frozenset({"svg", "video", "canvas", "object", "audio", "select", "textarea"})

INLINE_TAGS = frozenset(
    """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark
    nobr q rp rt ruby s samp select small span strike strong sub sup svg time tt u var wbr
    """.split()
)
_FLOWING = (Display.NONE, Display.INLINE, Display.CONTENTS, Display.OTHER)
BOXES_IN_LINES = tuple(display for display in Display if display.name.startswith("INLINE_"))
_WIDEST_SPACE = 4.0  # font sizes; what is farther apart is not a line of text
_SMALLEST_PICTURE = 3.0  # px; what is smaller keeps a distance or counts visits
_GROUNDS_LOOKED_AT = 64  # the largest ones; no page that is not hostile has so many
_SMALLEST_BACKDROP = 12.0  # px; a smaller background image is an ornament


@dataclass(frozen=True, eq=False)
class Content:
    """The nodes that are seen by themselves, in document order; arrays by piece of content."""

    nodes: NDArray[np.int64]
    box: NDArray[np.float32]
    font_size: NDArray[np.float32]
    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    picture: NDArray[np.bool_]

    blanks: NDArray[np.int64]
    """The texts that only hold white space: not content, but they separate words."""

    @property
    def runs_on(self) -> NDArray[np.bool_]:
        """Which texts take several lines."""
        tall: NDArray[np.bool_] = self.box[:, 3] > 2.2 * self.font_size + 1
        return tall & (self.characters > 0)


@once_per_page
def content_of(page: Page) -> Content:
    """What a person sees on a page."""
    columns = page.columns
    box, generated = columns["box"], _generated(page)
    words, characters, is_text = _texts(page)
    elements = page.is_element & page.visible
    large = (box[:, 2] >= _SMALLEST_PICTURE) & (box[:, 3] >= _SMALLEST_PICTURE)
    opened = named(page, {"iframe"}) & (page.end - np.arange(len(page)) > 1)  # seen through
    opened |= _falls_back(page)
    pictures = elements & named(page, PICTURES) & large & ~opened
    shown = ((characters > 0) & page.visible) | pictures
    shown |= elements & named(page, CONTROLS | RULES)
    hidden = _hidden_inside(page)
    shown &= ~hidden
    shown |= _lone_ornaments(page, is_text & page.visible & generated, shown)
    panels, images = _empty_panels(page, elements & large & ~hidden, shown)
    shown |= panels
    nodes = np.flatnonzero(shown)
    blank = is_text & (characters == 0) & page.is_text
    return Content(
        nodes=nodes,
        box=box[nodes],
        font_size=columns["font_size"][nodes],
        words=words[nodes],
        characters=characters[nodes],
        picture=(pictures | images)[nodes],
        blanks=np.flatnonzero(blank),
    )


def _texts(page: Page) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """By node: words, characters other than white space, and whether it is a text to look at.

    Generated content is seen, but nobody wrote it: it counts no words.
    """
    text = page.columns["text"]
    words, characters = np.zeros((2, len(page)), dtype=np.int64)
    laid_out = page.visible | among(page.columns["visibility"], (Visibility.ZERO_SIZE,))
    texts: NDArray[np.bool_] = (text >= 0) & laid_out
    nodes = np.flatnonzero(texts & page.is_text)
    words[nodes], characters[nodes] = (sizes[text[nodes]] for sizes in page.text_sizes)
    texts &= ~(_generated(page) & page.blank[text])
    return words, characters, texts


def _generated(page: Page) -> NDArray[np.bool_]:
    """Which nodes are generated content."""
    return among(page.columns["kind"], (NodeKind.PSEUDO,))


def _hidden_inside(page: Page) -> NDArray[np.bool_]:
    """What belongs to a picture or a control, and is not seen by itself."""
    whole = np.flatnonzero(named(page, WHOLE) & ~_falls_back(page))
    hidden = inside(whole, page.end)
    hidden[whole] = hidden[page.columns["parent"][whole]] if len(whole) else False
    return hidden


def _falls_back(page: Page) -> NDArray[np.bool_]:
    """Which elements show what is in them, since what they stand for cannot be shown."""
    shown = np.concatenate(([0], np.cumsum(page.visible)))
    inner: NDArray[np.bool_] = shown[page.end] > shown[np.arange(len(page)) + 1]
    return inner & named(page, REPLACED)


def _lone_ornaments(
    page: Page, generated: NDArray[np.bool_], shown: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Generated content that is all there is to see of its element, such as an icon.

    Bullets and the like belong to what they mark, and do not move it.
    """
    count = before(shown)
    above = page.columns["parent"]
    return np.asarray(generated & (count[page.end[above]] == count[above]))


def _empty_panels(
    page: Page, elements: NDArray[np.bool_], shown: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Boxes without content that are seen for their border or colour, and those with a picture."""
    columns = page.columns
    count = before(shown)
    empty = elements & (count[page.end] == count[:-1])
    behind = columns["background"][columns["parent"]]
    coloured = (columns["own_background"] & 0xFF > 0) & (columns["background"] != behind)
    _, _, width, height = columns["box"].T
    large = (width >= _SMALLEST_BACKDROP) & (height >= _SMALLEST_BACKDROP)
    image = columns["background_image"] & large
    panels = empty & (coloured | image | framed(page))
    nodes = np.flatnonzero(panels)
    panels[nodes] = ~inside(nodes, page.end)[columns["parent"][nodes]]  # the outermost
    panels[_grounds(columns["box"], np.flatnonzero(panels), np.flatnonzero(shown))] = False
    return panels, panels & image


def _grounds(box: Array, panels: Array, shown: Array) -> list[int]:
    """The large panels that something else is on: they are behind the page, not on it."""
    x, y = (box[shown, axis] + box[shown, axis + 2] / 2 for axis in (0, 1))
    area = box[panels, 2] * box[panels, 3]
    grounds = []
    for panel in panels[np.argsort(-area, kind="stable")[:_GROUNDS_LOOKED_AT]].tolist():
        left, top, width, height = box[panel].tolist()
        holds = (x > left) & (x < left + width) & (y > top) & (y < top + height)
        if holds.any():
            grounds.append(panel)
    return grounds


@dataclass(frozen=True, eq=False)
class Flow:
    """How the nodes of a page flow; arrays by node."""

    parts: NDArray[np.bool_]
    """Boxes that separate the text before them from the text after them."""

    holder: NDArray[np.int64]
    """The innermost box around each node that is not part of a line, or the node itself."""


def flow_of(page: Page, content: Content) -> Flow:
    """Which nodes are in boxes, and which in lines."""
    columns = page.columns
    display = columns["display"]
    elements = page.is_element
    if display.any():
        lifted = among(columns["position"], (Position.ABSOLUTE, Position.FIXED))
        lifted |= ~among(columns["float"], (Float.NONE,))
        boxed = ~among(display, _FLOWING) | (lifted & ~among(display, (Display.NONE,)))
        boxes = elements & boxed & ~_inside_lines(page, content)
        parts = boxes & ~lifted & ~among(columns["visibility"], (Visibility.NOT_RENDERED,))
    else:
        boxes = parts = elements & ~named(page, INLINE_TAGS)
    boxes = boxes | among(columns["kind"], (NodeKind.DOCUMENT,))
    return Flow(parts, nearest(boxes, columns["parent"]))


def _inside_lines(page: Page, content: Content) -> NDArray[np.bool_]:
    """Boxes in a line of text, such as badges and buttons, and all that they hold.

    They may hold blocks, as long as everything that they show is on one line.
    """
    boxes = np.flatnonzero(among(page.columns["display"], BOXES_IN_LINES))
    first = np.searchsorted(content.nodes, boxes)
    last = np.searchsorted(content.nodes, page.end[boxes])
    tall, turns = before(content.runs_on), before(_turns(content))
    some = last > first
    boxes, first, last = boxes[some], first[some], last[some]
    one_line = (tall[last] == tall[first]) & (turns[last - 1] == turns[first])
    return inside(boxes[one_line], page.end)


def _turns(content: Content) -> NDArray[np.bool_]:
    """For each piece of content whether the next one is on another line, or far away."""
    left, top, width, height = content.box.T
    right, bottom = left + width, top + height
    apart = np.maximum(left[1:] - right[:-1], left[:-1] - right[1:])
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    return np.asarray((shared <= 0) | (apart > _WIDEST_SPACE * content.font_size[1:]))
