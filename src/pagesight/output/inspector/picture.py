"""The picture of a page: the one taken, as a report holds it, or one drawn from the Page.

Drawn are backgrounds, pictures as panels, and the text.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from pagesight.page import Box, Page
from pagesight.page.style import NodeKind, hex_color
from pagesight.render import Picture

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

HIGHEST = 16_000  # CSS pixels; WebP ends at 16,383, and so do the textures of many browsers
WIDEST = 4_000  # of a drawing: some pages keep things far to the right
MOST_BYTES = 5_000_000
QUALITY = 82  # of WebP; letters of 11 px stay sharp
_SMALLER = 0.8  # per attempt to stay below MOST_BYTES
MOST_SHAPES = 40_000  # more of them take a browser seconds to paint
LARGEST_LETTERS = 400  # px; a page may ask for any size
PANEL = "#e3e5e9"
LINE = "#c3c7cf"
_PICTURES = ("img", "svg", "video", "canvas", "iframe", "object", "embed")
_CONTROLS = ("input", "select", "textarea", "button")
_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML
_SPACE = re.compile(r"\s+")
_FACES = (("serif", ("serif", "roman", "times", "georgia", "garamond", "palatino", "minion")),
          ("monospace", ("mono", "courier", "consolas", "menlo")))  # fmt: skip
_FILES = {"serif": "LiberationSerif", "monospace": "LiberationMono", "sans-serif": "LiberationSans"}


def fitted(picture: Picture) -> Picture:
    """The picture as a report holds it: cut off at `HIGHEST`, and of `MOST_BYTES` at most."""
    if picture.height <= HIGHEST and len(picture.data) <= MOST_BYTES:
        return picture
    image = opened(picture)
    height = min(picture.height, HIGHEST)
    image = image.crop((0, 0, image.width, math.ceil(image.height * height / picture.height)))
    data = _webp(image)
    while len(data) > MOST_BYTES:
        image = image.resize((int(image.width * _SMALLER), int(image.height * _SMALLER)))
        data = _webp(image)
    return Picture(data, picture.width, height)


def opened(picture: Picture) -> Image:
    """The picture for drawing on it."""
    from PIL import Image

    with warnings.catch_warnings():  # of its many pixels: we have painted them ourselves
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(BytesIO(picture.data)).convert("RGB")


def _webp(image: Image) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=2)
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class Panel:
    """A filled or framed rectangle."""

    box: Box
    fill: str | None
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """A piece of text on one line."""

    box: Box
    text: str
    size: float
    color: str
    bold: bool
    italic: bool
    family: str


def wireframe(page: Page) -> Picture:
    """The drawing as SVG."""
    width, height = extent(page)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}"><style>text{{white-space:pre}}</style>',
        '<rect width="100%" height="100%" fill="#fff"/>',
        *(_svg(shape) for shape in shapes(page)),
        "</svg>",
    ]
    return Picture("".join(parts).encode("utf-8", "replace"), width, height)


def wireframe_image(page: Page) -> Image:
    """The drawing in pixels, cut off at `WIDEST` and `HIGHEST`."""
    from PIL import Image, ImageDraw

    width, height = extent(page)
    image = Image.new("RGB", (min(width, WIDEST), min(height, HIGHEST)), "#fff")
    draw = ImageDraw.Draw(image, "RGBA")
    whole = Box(0, 0, *image.size)
    for shape in shapes(page):
        if shape.box.intersection(whole):
            _paint(draw, shape)
    return image


def extent(page: Page) -> tuple[int, int]:
    """The size of a page in whole pixels; of one that does not say, what its text takes."""
    width, height = page.info.size
    runs = page.columns["run_box"]
    if len(runs) and not (width and height):
        width, height = (runs[:, :2] + runs[:, 2:]).max(axis=0).tolist()
    return max(1, round(width)), max(1, round(height))


def shapes(page: Page) -> Iterator[Panel | Writing]:
    """What there is to draw, the lowest first."""
    columns = page.columns
    seen = page.visible & (columns["box"][:, 2:] > 0).all(axis=1)
    seen &= np.isfinite(columns["box"]).all(axis=1)
    elements = np.flatnonzero(seen & (columns["kind"] != NodeKind.TEXT))
    panels = [(node, panel) for node in elements.tolist() if (panel := _panel(page, node))]
    drawable = page.visible[columns["run_node"]] & np.isfinite(columns["run_box"]).all(axis=1)
    runs = np.flatnonzero(drawable).tolist()
    texts = [(int(columns["run_node"][run]), run) for run in runs]
    order = columns["paint"].tolist()
    drawn: list[tuple[int, int, Panel | int]] = [
        *((order[node], node, panel) for node, panel in panels),
        *((order[node], node, run) for node, run in texts),
    ]
    drawn.sort(key=lambda entry: entry[:2])
    for _, _, shape in drawn[:MOST_SHAPES]:
        yield shape if isinstance(shape, Panel) else _writing(page, shape)


def _panel(page: Page, node: int) -> Panel | None:
    columns = page.columns
    box = Box(*columns["box"][node].tolist())
    tag = page.name(node)
    if page.is_foreign(node) and tag != "svg":
        return None
    if tag in _PICTURES:
        return Panel(box, PANEL, LINE)
    color = int(columns["own_background"][node])
    fill = hex_color(color) if color & 0xFF else None
    if columns["background_image"][node] and not fill:
        fill = PANEL + "66"
    framed = tag in _CONTROLS or (columns["border"][node] > 0).all()
    return Panel(box, fill, LINE if framed else None) if fill or framed else None


def _writing(page: Page, run: int) -> Writing:
    columns = page.columns
    node = int(columns["run_node"][run])
    family = int(columns["font_family"][node])
    return Writing(
        box=Box(*columns["run_box"][run].tolist()),
        text=_writable(page.strings[columns["run_text"][run]]),
        size=float(columns["font_size"][node]) or 16.0,
        color=hex_color(int(columns["color"][node])),
        bold=bool(columns["font_weight"][node] >= 600),
        italic=bool(columns["italic"][node]),
        family=_face(page.strings[family] if family >= 0 else ""),
    )


def _writable(text: str) -> str:
    """Text on one line that XML can hold: one character too many, and nothing would be drawn."""
    return _INVALID.sub("\N{REPLACEMENT CHARACTER}", _SPACE.sub(" ", text))


def _face(family: str) -> str:
    """The sort of a typeface, from its name."""
    names = family.lower().replace("sans-serif", "").replace("sans serif", "")
    for face, words in _FACES:
        if any(word in names for word in words):
            return face
    return "sans-serif"


def _svg(shape: Panel | Writing) -> str:
    x, y, width, height = (f"{value:g}" for value in map(_rounded, shape.box))
    if isinstance(shape, Panel):
        line = f' stroke="{shape.line}"' if shape.line else ""
        place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
        return f'<rect {place} fill="{shape.fill or "none"}"{line}/>'
    style = ' font-weight="700"' * shape.bold + ' font-style="italic"' * shape.italic
    # The baseline of a box of one line is at about four fifths of its height.
    baseline = _rounded(shape.box.y + shape.box.height / 2 + shape.size * 0.34)
    return (
        f'<text x="{x}" y="{baseline:g}" font-size="{shape.size:g}" fill="{shape.color}"'
        f' font-family="{shape.family}"{style} textLength="{width}"'
        f' lengthAdjust="spacingAndGlyphs">{escape(shape.text)}</text>'
    )


def _rounded(value: float) -> float:
    return round(float(value), 1)


def _paint(draw: ImageDraw, shape: Panel | Writing) -> None:
    box = shape.box
    if isinstance(shape, Panel):
        corners = (round(box.x), round(box.y), round(box.right) - 1, round(box.bottom) - 1)
        if corners[0] <= corners[2] and corners[1] <= corners[3]:
            draw.rectangle(corners, fill=shape.fill, outline=shape.line)
        return
    middle = box.y + box.height / 2
    letters = font(shape.size, bold=shape.bold, italic=shape.italic, family=shape.family)
    draw.text((box.x, middle), shape.text, shape.color, letters, "lm")


@cache
def font(size: float, *, bold: bool, italic: bool, family: str) -> FreeTypeFont:
    """One of the typefaces that come with Pagesight."""
    from PIL import ImageFont

    style = ("Bold" * bold + "Italic" * italic) or "Regular"
    data = (files("pagesight.render.embedded") / f"fonts/{_FILES[family]}-{style}.ttf").read_bytes()
    return ImageFont.truetype(BytesIO(data), round(min(size, LARGEST_LETTERS)))
