"""The inspector as a plain picture: boxes and labels drawn over the page."""

from __future__ import annotations

from collections import defaultdict
from io import BytesIO
from typing import TYPE_CHECKING

from pagesight.output.inspector.picture import fitted, font, opened, wireframe_image
from pagesight.output.inspector.report import Layer, Mark, level_color
from pagesight.page import Box, Page
from pagesight.render import Picture

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SIGNATURE = "pagesight inspect"  # in the file, so that it is known as ours
FILLED = "1c"  # of 255: a tint that leaves the page readable
LETTERS = 12  # px
_PADDING = 5


def overlay_png(page: Page, picture: Picture | None, layer: Layer) -> bytes:
    """The picture of a page, or a drawing of it, with the boxes of a layer, as PNG."""
    from PIL import ImageDraw
    from PIL.PngImagePlugin import PngInfo

    image = _photograph(picture) if picture else wireframe_image(page)
    draw = ImageDraw.Draw(image, "RGBA")
    colors = layer.colors
    drawn = [
        (mark, colors.get(mark.label) or level_color(level))
        for mark, level in zip(layer.marks, layer.levels, strict=True)
        if mark.box.intersection(Box(0, 0, *image.size))
    ]
    for mark, color in drawn:
        _draw_box(draw, mark, color)
    _draw_labels(draw, drawn)
    info = PngInfo()
    info.add_text("Software", SIGNATURE)
    file = BytesIO()
    image.save(file, "PNG", pnginfo=info)
    return file.getvalue()


def _photograph(picture: Picture) -> Image:
    """The picture in CSS pixels."""
    shown = fitted(picture)
    image = opened(shown)
    size = (shown.width, shown.height)
    return image if image.size == size else image.resize(size)


def _draw_box(draw: ImageDraw, mark: Mark, color: str) -> None:
    box = mark.box
    corners = (round(box.x), round(box.y), round(box.right) - 1, round(box.bottom) - 1)
    if corners[0] < corners[2] and corners[1] < corners[3]:
        draw.rectangle(
            corners,
            fill=color + FILLED if mark.label else None,
            outline=color,
            width=2 if mark.label else 1,
        )


def _draw_labels(draw: ImageDraw, drawn: list[tuple[Mark, str]]) -> None:
    """Each label in the top right corner of its box, unless it would hide another label."""
    letters = font(LETTERS, bold=True, italic=False, family="sans-serif")
    height = LETTERS + _PADDING
    taken: dict[int, list[Box]] = defaultdict(list)  # by the row of the picture
    for mark, color in drawn:
        width = round(letters.getlength(mark.label)) + 2 * _PADDING
        place = Box(max(0, mark.box.right - width), max(0, mark.box.y), width, height)
        rows = [int(place.y // height), int(place.bottom // height)]
        if not mark.label or any(place.intersection(box) for row in rows for box in taken[row]):
            continue
        for row in rows:
            taken[row].append(place)
        draw.rectangle((place.x, place.y, place.right - 1, place.bottom - 1), fill=color)
        middle = place.y + height / 2
        draw.text((place.x + _PADDING, middle), mark.label, "#fff", letters, "lm")
