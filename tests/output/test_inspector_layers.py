"""Layers of the inspector, and what is drawn of a page, on pages of a few nodes."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from listed import JOBS, SHOP, jobs, shop
from pagesight.output.inspector import Layer, Mark, overlay_png
from pagesight.output.inspector.layers import TextStyles, article_marks, heading_marks, record_marks
from pagesight.output.inspector.overlay import SIGNATURE
from pagesight.output.inspector.picture import (
    LINE,
    PANEL,
    Panel,
    Writing,
    extent,
    shapes,
    wireframe,
)
from pagesight.output.inspector.report import report_data
from pagesight.page import Box, Node, NodeKind, Page, PageInfo
from pagesight.readers.article import ArticleReading, LabelledZone
from pagesight.readers.outline import OutlineReading
from pagesight.readers.outline.heading import Heading
from pagesight.readers.records import Kind, Record, RecordsReading
from pagesight.readers.value import Value

INFO = PageInfo(renderer="by hand", renderer_version="1", url="", size=(300.0, 200.0))


def page_of(*elements: dict[str, Any]) -> Page:
    """A page of elements; those with a `text` have a text node of one line, as large as they."""
    strings: dict[str, int] = {"#document": 0, "#text": 1}
    rows: list[dict[str, Any]] = [{"name": 0, "parent": -1, "kind": NodeKind.DOCUMENT}]
    runs: list[tuple[int, Any, int]] = []
    for fields in elements:
        columns = {"kind": NodeKind.ELEMENT, "parent": 0, **fields}
        text = columns.pop("text", None)
        for name in ("name", "font_family"):
            if name in columns:
                columns[name] = strings.setdefault(columns[name], len(strings))
        rows.append(columns)
        if text is not None:
            number = strings.setdefault(text, len(strings))
            runs.append((len(rows), columns["box"], number))
            inner = {"name": 1, "parent": len(rows) - 1, "kind": NodeKind.TEXT, "text": number}
            rows.append({**columns, "own_background": 0, **inner})
    defaults = {
        "text": -1, "font_family": -1, "font_size": 16, "font_weight": 400, "color": 0xFF,
        "box": (0, 0, 300, 200), "own_background": 0, "border": (0, 0, 0, 0), "italic": False,
        "background_image": False, "paint": 0, "name": 0, "parent": 0, "kind": 1,
    }  # fmt: skip
    columns = {name: [row.get(name, default) for row in rows] for name, default in defaults.items()}
    columns["run_node"] = [node for node, _, _ in runs]
    columns["run_box"] = np.array([box for _, box, _ in runs], np.float32).reshape(-1, 4)
    columns["run_text"] = [number for _, _, number in runs]
    return Page(columns, list(strings), INFO)


def drawn(**fields: Any) -> list[Panel | Writing]:
    return list(shapes(page_of({"name": "p", "box": (10, 10, 100, 20), **fields})))


def test_most_letters_in_a_box_decide_on_its_style() -> None:
    small = {"name": "p", "box": (0, 0, 100, 20), "text": "a long green tea", "font_size": 12}
    large = {"name": "p", "box": (0, 30, 100, 20), "text": "tea", "font_size": 24}
    styles = TextStyles(page_of(small, {**large, "font_weight": 700, "italic": True}))
    assert styles.of(Box(0, 0, 100, 60))["size"] == "12 px"
    assert styles.of(Box(0, 30, 100, 20))["size"] == "24 px"
    assert styles.of(Box(0, 30, 100, 20))["weight"] == "700 italic"
    assert styles.of(Box(0, 100, 100, 20)) == {}
    assert styles.of(Box(200, 0, 50, 60)) == {}


def test_a_style_is_stated_in_full() -> None:
    fields = {"name": "p", "box": (0, 0, 100, 20), "text": "tea", "color": 0x00AA00FF}
    styles = TextStyles(page_of({**fields, "font_family": "Georgia"}))
    assert styles.of(Box(0, 0, 100, 20)) == {
        "font": "Georgia",
        "size": "16 px",
        "weight": "400",
        "colour": "#00aa00",
        "background": "#ffffff",
    }


def test_a_page_without_text_has_no_styles() -> None:
    assert TextStyles(page_of({"name": "p"})).of(Box(0, 0, 999, 999)) == {}


@pytest.mark.parametrize(
    ("levels", "parents"),
    [
        ([1, 2, 3, 2], [None, 0, 1, 0]),
        ([2, 2, 1], [None, None, None]),
        ([1, 4, 3, 4], [None, 0, 0, 2]),
        ([], []),
    ],
)
def test_headings_are_below_those_that_they_belong_to(
    levels: list[int], parents: list[int | None]
) -> None:
    places = [{"name": "div", "box": (0, 30 * row, 90, 20)} for row in range(len(levels))]
    page = page_of(*places)
    headings = tuple(
        Heading.of(Node(page, node), f"No. {node}", level=level, confidence=0.5)
        for node, level in enumerate(levels, start=1)
    )
    marks = list(heading_marks(page, OutlineReading(headings)))
    assert [mark.parent for mark in marks] == parents
    assert [mark.label for mark in marks] == [f"h{level}" for level in levels]
    assert all(mark.details["tag"] == "div" for mark in marks)


def test_a_mark_has_what_is_known_of_its_value_and_the_style_of_its_letters() -> None:
    page = page_of({"name": "p", "box": (0, 0, 100, 20), "text": "tea"})
    zone = LabelledZone(
        label="title", text="tea", confidence=0.75, place=Node(page, 1), box=Box(0, 0, 100, 20)
    )
    reading = ArticleReading(is_article=True, confidence=0.9, zones=(zone,))
    (mark,) = article_marks(page, reading)
    assert (mark.id, mark.label, mark.value, mark.box) == (0, "title", zone, zone.box)
    assert mark.details["weight"] == "400"
    (fields,) = report_data(page, wireframe(page), [Layer("a", "A", [mark])], source="")["layers"]
    (written,) = fields["marks"]
    assert (written["text"], written["confidence"]) == ("tea", 0.75)
    assert (written["xpath"], written["css"]) == (Node(page, 1).xpath, Node(page, 1).css)


def test_a_page_that_is_not_an_article_has_no_marks_and_unseen_zones_have_none() -> None:
    page = page_of({"name": "p", "box": (0, 0, 100, 20), "text": "tea"})
    zones = (
        LabelledZone(label="title", text="tea", confidence=0.9, box=Box(0, 0, 100, 20)),
        LabelledZone(label="doi", text="10.1/tea", confidence=0.9),
    )
    article = ArticleReading(is_article=True, confidence=0.9, zones=zones)
    other = ArticleReading(is_article=False, confidence=0.9, zones=zones)
    assert [mark.label for mark in article_marks(page, article)] == ["title"]
    assert list(article_marks(page, other)) == []


@pytest.mark.parametrize(
    ("fields", "panel"),
    [
        ({"own_background": 0x112233FF}, ("#112233", None)),
        ({"own_background": 0x11223380}, ("#11223380", None)),
        ({"background_image": True}, (PANEL + "66", None)),
        ({"border": (1, 1, 1, 1)}, (None, LINE)),
        ({"name": "img"}, (PANEL, LINE)),
        ({"name": "input"}, (None, LINE)),
    ],
)
def test_what_is_seen_of_an_element_is_a_panel(
    fields: dict[str, Any], panel: tuple[str | None, str | None]
) -> None:
    (shape,) = drawn(**fields)
    assert shape == Panel(Box(10, 10, 100, 20), *panel)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"own_background": 0x11223300},  # transparent
        {"border": (1, 0, 0, 0)},  # a line is not a frame
        {"name": "img", "box": (10, 10, 0, 20)},
        {"name": "img", "box": (10, float("nan"), 100, 20)},
    ],
)
def test_what_leaves_no_trace_is_not_drawn(fields: dict[str, Any]) -> None:
    assert drawn(**fields) == []


@pytest.mark.parametrize(
    ("family", "face"),
    [
        ("Georgia", "serif"),
        ("Times New Roman, sans-serif", "serif"),
        ("Open Sans, sans-serif", "sans-serif"),
        ("Microsoft Sans Serif", "sans-serif"),
        ("DejaVu Sans Mono", "monospace"),
        ("", "sans-serif"),
    ],
)
def test_typefaces_are_of_three_sorts(family: str, face: str) -> None:
    (writing,) = drawn(text="tea", font_family=family)
    assert isinstance(writing, Writing)
    assert writing.family == face


def test_text_is_drawn_as_it_looks_on_one_line() -> None:
    (writing,) = drawn(text="green\n\ttea\x00", font_weight=600, font_size=0, color=0xFF0000FF)
    assert isinstance(writing, Writing)
    assert writing.text == "green tea\ufffd"
    assert (writing.bold, writing.italic, writing.size) == (True, False, 16.0)
    assert writing.color == "#ff0000"


def test_what_is_painted_later_is_drawn_above() -> None:
    lower = {"name": "div", "own_background": 0xFF0000FF, "paint": 2}
    upper = {"name": "div", "own_background": 0x00FF00FF, "paint": 1}
    fills = [shape.fill for shape in shapes(page_of(lower, upper)) if isinstance(shape, Panel)]
    assert fills == ["#00ff00", "#ff0000"]


def test_a_drawing_is_as_large_as_the_page_and_escapes_its_text() -> None:
    picture = wireframe(page_of({"name": "p", "box": (0, 0, 50, 20), "text": "<b>&"}))
    assert (picture.width, picture.height) == (300, 200)
    assert b">&lt;b&gt;&amp;</text>" in picture.data
    assert extent(page_of()) == (300, 200)


def mark_at(box: Box, label: str, number: int = 0) -> Mark:
    return Mark(number, Value(text="", confidence=None, box=box), label)


def test_an_overlay_states_who_made_it_and_ignores_what_is_outside() -> None:
    page = page_of()
    outside = Layer("a", "A", [mark_at(Box(900, 900, 10, 10), "tea")])
    image = Image.open(BytesIO(overlay_png(page, None, outside)))
    assert image.info["Software"] == SIGNATURE
    assert image.convert("RGB").getcolors() == [(300 * 200, (255, 255, 255))]


def test_a_label_that_would_hide_another_one_is_left_out() -> None:
    apart, same = Box(20, 120, 200, 60), Box(20, 20, 200, 60)
    marks = [mark_at(same, "tea"), mark_at(same, "milk", 1), mark_at(apart, "milk", 2)]
    layer = Layer("a", "A", marks)
    image = Image.open(BytesIO(overlay_png(page_of(), None, layer))).convert("RGB")
    tea, milk = (tuple(bytes.fromhex(layer.colors[label][1:])) for label in ("tea", "milk"))
    assert tea != milk
    assert image.getpixel((217, 23)) == tea  # the corner of the box, inside of its frame
    assert image.getpixel((217, 123)) == milk


def test_records_have_their_attributes_inside(lay_out: Callable[[str], Page]) -> None:
    page = lay_out(SHOP)
    marks = list(record_marks(page, shop(page)))
    labels = [mark.label for mark in marks]
    assert labels[:5] == ["record", "name", "image", "price", "description"]
    assert labels.count("record") == 3
    assert labels.count("old price") == 1
    assert labels[-3:] == ["other list", "other record", "other record"]
    parents = {mark.id: mark.parent for mark in marks}
    assert [parents[mark.id] for mark in marks[:3]] == [None, 0, 0]
    assert [mark.parent for mark in marks[-2:]] == [marks[-3].id] * 2
    assert [mark.id for mark in marks] == list(range(len(marks)))
    assert marks[0].details["price"] == "€38.00"
    assert marks[0].details["url"] == "/harrow"
    assert marks[0].details["image"] == "harrow.png"


def test_the_columns_of_records_without_names_are_details(lay_out: Callable[[str], Page]) -> None:
    page = lay_out(JOBS)
    first = next(record_marks(page, jobs(page)))
    assert first.details == {"column 1": "Baker", "column 2": "Osterby"}


def test_a_record_that_is_not_seen_has_no_mark() -> None:
    reading = RecordsReading(kind=Kind.LIST, confidence=1, records=(Record(),))
    assert list(record_marks(page_of(), reading)) == []
