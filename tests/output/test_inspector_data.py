"""What goes into a report, and the drawing, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

from pagesight.output.inspector import Layer, Mark, inspector_html, overlay_png, zone_marks
from pagesight.output.inspector.layers import article_marks
from pagesight.output.inspector.picture import (
    HIGHEST,
    MOST_BYTES,
    WIDEST,
    extent,
    fitted,
    wireframe,
    wireframe_image,
)
from pagesight.output.inspector.report import (
    LEVELS,
    LONGEST_TEXT,
    PALETTE,
    label_colors,
    level_color,
)
from pagesight.page import Box, NodeKind, Note, Page, PageInfo
from pagesight.readers.article import ArticleReading, LabelledZone
from pagesight.readers.value import Value
from pagesight.render import Picture
from pagesight.segment import ZoneTree

STRINGS = ["#document", "html", "p", "#text", "Green tea ", "and\nblack", "Georgia", "img"]


def tea_page(size: tuple[float, float] = (400.0, 300.0)) -> Page:
    """Two paragraphs, the second one bold and blue, and a picture."""
    return Page(
        {
            "parent": [-1, 0, 1, 2, 1, 4, 1],
            "kind": [NodeKind.DOCUMENT, 1, 1, NodeKind.TEXT, 1, NodeKind.TEXT, 1],
            "name": [0, 1, 2, 3, 2, 3, 7],
            "text": [-1, -1, -1, 4, -1, 5, -1],
            "box": [[0, 0, 400, 300]] * 2
            + [[20, 20, 200, 30]] * 2
            + [[20, 100, 200, 30]] * 2
            + [[250, 20, 100, 100]],
            "font_size": [16, 16, 16, 16, 24, 24, 16],
            "font_weight": [400, 400, 400, 400, 700, 700, 400],
            "font_family": [6] * 7,
            "color": [0xFF] * 4 + [0x0000EEFF] * 2 + [0xFF],
            "own_background": [0, 0, 0xFF0000FF, 0, 0, 0, 0],
            "run_node": [3, 5],
            "run_box": [[20, 22, 90, 20], [20, 102, 90, 26]],
            "run_text": [4, 5],
        },
        STRINGS,
        PageInfo(
            renderer="chromium",
            renderer_version="1",
            url="https://tea.example/",
            size=size,
            notes=(Note("missing", "a.png", 2),),
        ),
    )


def tea_tree() -> ZoneTree:
    return ZoneTree(
        tea_page(),
        parent=np.array([-1, 0, 0], dtype=np.int32),
        box=np.array([[20, 20, 200, 110], [20, 20, 200, 30], [20, 100, 200, 30]], dtype=np.float32),
        node_first=np.array([0, 0, 1, 2], dtype=np.int32),
        nodes=np.array([2, 4], dtype=np.int32),
        marks={"degree_of_coherence": np.array([3.0, np.nan, 9.5]), "trivial": np.array([0, 1, 0])},
    )


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def png_of(width: int, height: int, *, noise: bool = False) -> Picture:
    pixels = np.full((height, width, 3), 255, dtype=np.uint8)
    if noise:
        pixels[:] = np.random.default_rng(1).integers(0, 255, pixels.shape)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return Picture(file.getvalue(), width, height)


class At(NamedTuple):
    """An element by its addresses."""

    xpath: str
    css: str


def seen(text: str, place: At | None = None) -> Value:
    return Value(text=text, confidence=None, place=place, box=Box(0, 0, 1, 1))


def test_the_data_of_a_report() -> None:
    *others, last = zone_marks(tea_tree())
    last = replace(last, label="list", value=replace(last.value, confidence=0.87654321))
    layer = Layer("xycut", "X-Y cut", [*others, last])
    plain = {"font": "Georgia", "size": "16 px", "weight": "400", "colour": "#000000",
             "background": "#ffffff"}  # fmt: skip
    bold = {**plain, "size": "24 px", "weight": "700", "colour": "#0000ee"}
    assert data_of(inspector_html(tea_page(), None, [layer], source="tea.html")) == {
        "title": "tea.html",
        "source": "tea.html",
        "url": "https://tea.example/",
        "renderer": "chromium 1",
        "nodes": 7,
        "size": [400, 300],
        "picture": {"width": 400, "height": 300, "drawn": True},
        "notes": ["missing: a.png (2)"],
        "levels": list(LEVELS),
        "layers": [
            {
                "name": "xycut",
                "title": "X-Y cut",
                "colors": {"list": "#8035d0"},
                "marks": [
                    {
                        "id": 0,
                        "box": [20, 20, 200, 110],
                        "text": "Green tea\nand black",
                        "xpath": "/html",
                        "css": "html",
                        "details": {**plain, "degree of coherence": "3"},
                    },
                    {
                        "id": 1,
                        "parent": 0,
                        "box": [20, 20, 200, 30],
                        "text": "Green tea",
                        "xpath": "/html/p[1]",
                        "css": "html > p:nth-of-type(1)",
                        "details": {**plain, "trivial": "1"},
                    },
                    {
                        "id": 2,
                        "parent": 0,
                        "box": [20, 100, 200, 30],
                        "label": "list",
                        "text": "and black",
                        "xpath": "/html/p[2]",
                        "css": "html > p:nth-of-type(2)",
                        "confidence": 0.8765,
                        "details": {**bold, "degree of coherence": "9.5"},
                    },
                ],
            }
        ],
    }


def test_nothing_in_the_data_ends_the_script() -> None:
    text = "</script><!--<script>&amp;{{title}}"
    mark = Mark(1, seen(text, At(text, text)), text)
    html = inspector_html(tea_page(), None, [Layer("a", "A", [mark])], source=text)
    (given,) = data_of(html)["layers"][0]["marks"]
    assert given["text"] == given["label"] == given["xpath"] == text
    assert html.count("</script>") == 2
    assert "<!--" not in html


def test_long_texts_are_cut() -> None:
    mark = Mark(1, seen("x" * 99_999))
    data = data_of(inspector_html(tea_page(), None, [Layer("a", "A", [mark])], source=""))
    text = data["layers"][0]["marks"][0]["text"]
    assert len(text) == LONGEST_TEXT
    assert text.endswith("…")


@pytest.mark.parametrize(
    ("parents", "levels"),
    [([None, 0, 1, 0], [0, 1, 2, 1]), ([None, None], [0, 0]), ([None, 99], [0, 0]), ([], [])],
)
def test_levels(parents: list[int | None], levels: list[int]) -> None:
    marks = [Mark(number, seen(""), parent=above) for number, above in enumerate(parents)]
    assert Layer("a", "A", marks).levels == levels


def test_colors() -> None:
    labels = ["header", "main", "sky", "sea", "main", ""]
    colors = label_colors(labels)
    assert list(colors) == ["header", "main", "sky", "sea"]
    assert len(set(colors.values())) == 4
    assert label_colors(map(str, range(40))).keys() == set(map(str, range(40)))
    assert label_colors(["main"])["main"] == label_colors(labels)["main"]
    assert len(set(PALETTE)) == len(PALETTE) == 12
    assert [level_color(level) for level in range(10)] == [*LEVELS, LEVELS[1]]


def test_a_wireframe_shows_texts_and_panels() -> None:
    picture = wireframe(tea_page())
    svg = picture.data.decode()
    assert (picture.width, picture.height, picture.media_type) == (400, 300, "image/svg+xml")
    assert '<rect x="20" y="20" width="200" height="30" fill="#ff0000"/>' in svg
    assert 'font-weight="700"' in svg
    assert ">and black</text>" in svg
    assert ">Green tea </text>" in svg  # as wide as it is
    assert svg.index("#ff0000") < svg.index("Green tea")


def test_a_page_of_unknown_size_is_as_large_as_its_text() -> None:
    assert extent(tea_page(size=(0.0, 0.0))) == (110, 128)


def test_an_overlay_has_boxes_and_labels() -> None:
    *others, last = zone_marks(tea_tree())
    layer = Layer("a", "A", [*others, replace(last, label="list")])
    image = Image.open(BytesIO(overlay_png(tea_page(), None, layer)))
    assert (image.format, image.size) == ("PNG", (400, 300))
    rgb = image.convert("RGB")
    assert rgb.getpixel((20, 60)) == _rgb(LEVELS[0])
    assert rgb.getpixel((21, 110)) == _rgb("#8035d0")
    assert rgb.getpixel((217, 103)) == _rgb("#8035d0")  # the label, in its corner
    assert rgb.getpixel((60, 28)) != (255, 255, 255)  # the page below
    assert rgb.getpixel((390, 290)) == (255, 255, 255)


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color[1:]))


def test_an_overlay_on_a_picture_of_other_density() -> None:
    large = png_of(800, 600)
    picture = Picture(large.data, 400, 300)
    image = Image.open(BytesIO(overlay_png(tea_page(), picture, Layer("a", "A", []))))
    assert image.size == (400, 300)


def test_a_picture_that_fits_is_kept() -> None:
    picture = png_of(100, 100)
    assert fitted(picture) is picture
    assert picture.media_type == "image/png"


def test_a_high_picture_is_cut() -> None:
    picture = fitted(png_of(40, HIGHEST + 1000))
    assert (picture.width, picture.height) == (40, HIGHEST)
    assert picture.media_type == "image/webp"
    assert Image.open(BytesIO(picture.data)).size == (40, HIGHEST)


def test_a_large_picture_is_made_smaller() -> None:
    given = png_of(2000, 1500, noise=True)
    assert len(given.data) > MOST_BYTES
    picture = fitted(given)
    assert len(picture.data) <= MOST_BYTES
    assert (picture.width, picture.height) == (2000, 1500)


def test_a_drawing_is_cut_like_a_picture() -> None:
    assert wireframe_image(tea_page(size=(99_999.0, 10.0))).size == (WIDEST, 10)
    assert wireframe_image(tea_page(size=(10.0, 99_999.0))).size == (10, HIGHEST)


def test_the_labels_of_an_article_are_a_layer() -> None:
    zones = tuple(
        LabelledZone(label=label, text="Tea", confidence=0.9, box=box)
        for label, box in (("title", Box(20, 20, 200, 30)), ("author", Box(20, 100, 200, 30)))
    )
    reading = ArticleReading(is_article=True, confidence=1.0, zones=zones)
    layer = Layer("article", "Article", [*article_marks(tea_page(), reading)])
    assert [(mark.label, mark.value.confidence) for mark in layer.marks] == [
        ("title", 0.9),
        ("author", 0.9),
    ]
    assert layer.marks[1].details["weight"] == "700"
    assert len(set(layer.colors.values())) == 2
    other = ArticleReading(is_article=False, confidence=0.0, zones=zones)
    assert not [*article_marks(tea_page(), other)]


def test_labels_of_articles_that_stand_together_have_colours_of_their_own() -> None:
    labels = (
        "title", "author", "affiliation", "abstract heading", "abstract", "keywords", "dates",
        "correspondence", "reference heading", "reference", "citing", "reference part",
    )  # fmt: skip
    assert len(set(label_colors(labels).values())) == len(labels)
