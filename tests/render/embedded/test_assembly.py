"""From HTML to a Page with the embedded renderer."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesight.errors import PageTooComplex, RenderCrash
from pagesight.page import Box, Decoration, Node, NodeKind, Note, Page, Visibility
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.embedded import layout
from pagesight.render.embedded.assembly import page_from_html
from pagesight.render.worker.renderer import WorkerRenderer
from pagesight.sources import load

Lay = Callable[[str], Page]
LINE = 18  # px, the height of a line of 16 px


@pytest.fixture
def lay(embedded: AnyRenderer) -> Lay:
    """Lay out a piece of HTML without margins."""
    head = "<!doctype html><style>body { margin: 0 } p { margin: 0 }</style>"
    return lambda html: embedded.render(load((head + html).encode()))


def text_of(page: Page, text: str) -> Node:
    """The text node that holds just this text."""
    return next(
        node for node in page if node.kind is NodeKind.TEXT and node.own_text.strip() == text
    )


def near(box: Box, *expected: float, slack: float = 1.0) -> bool:
    return all(abs(a - b) <= slack for a, b in zip(box, expected, strict=True))


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        size, check = struct.pack(">I", len(data)), struct.pack(">I", zlib.crc32(kind + data))
        return size + kind + data + check

    rows = zlib.compress((b"\0" + b"\0" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    picture = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + picture


# where things stand


def test_the_page_as_a_whole(lay: Lay) -> None:
    page = lay("<title>Tea</title><p>Good <b>morning</b></p>")

    assert page.info.renderer == "embedded"
    assert page.info.renderer_version.startswith("PlutoBook")
    assert page.info.size == (1280, 800)
    assert page.complete
    assert page.head.title == "Tea"
    assert page.root.text == "Good morning"


def test_a_narrow_text_has_two_lines(lay: Lay) -> None:
    page = lay("<p style='width:80px'>good morning everyone</p>")
    runs = page.find("p")[0].runs

    assert [run.text for run in runs] == ["good", "morning", "everyone"]
    assert all(near(run.box, 0, LINE * row, run.box.width, 17) for row, run in enumerate(runs))
    assert near(page.find("p")[0].box, 0, 0, 80, 3 * LINE)
    assert near(text_of(page, "good morning everyone").box, 0, 0, 58, 53)


def test_empty_elements_have_boxes(lay: Lay) -> None:
    page = lay(
        "<div style='width:50px;height:20px;background:#eee'></div><hr style='margin:5px 0'>"
        "<div style='width:30px;height:10px'></div>"
    )

    assert page.find("div")[0].box == Box(0, 0, 50, 20)
    assert page.find("hr")[0].box == Box(0, 25, 1280, 2)
    assert page.find("div")[1].box == Box(0, 32, 30, 10)
    assert all(node.visible for node in page.find("div", "hr"))


def test_columns_of_floats(lay: Lay) -> None:
    page = lay(
        "<div style='float:left;width:200px'>menu</div><div style='float:right;width:100px'>ads"
        "</div><div style='margin:0 120px 0 220px'>article</div>"
    )

    assert near(page.find("div")[0].box, 0, 0, 200, LINE)
    assert near(page.find("div")[1].box, 1180, 0, 100, LINE)
    assert near(page.find("div")[2].box, 220, 0, 940, LINE)
    assert near(text_of(page, "article").box, 220, 0, 40, 17)


def test_flexible_boxes(lay: Lay) -> None:
    page = lay(
        "<section style='display:flex;width:300px'><div style='flex:1'>a</div>"
        "<div style='flex:2'>b</div></section>"
    )

    assert near(page.find("div")[0].box, 0, 0, 100, LINE)
    assert near(page.find("div")[1].box, 100, 0, 200, LINE)


def test_tables(lay: Lay) -> None:
    page = lay(
        "<table cellspacing=0 cellpadding=5><tr><td width=50>a<td width=70>b<tr><td colspan=2>c"
        "</table>"
    )

    assert [cell.box for cell in page.find("td")] == [
        Box(0, 0, 60, 28), Box(60, 0, 80, 28), Box(0, 28, 140, 28),
    ]  # fmt: skip
    assert page.find("tr")[1].box == Box(0, 28, 140, 28)


def test_a_long_page_is_high(lay: Lay) -> None:
    page = lay("<div style='height:5000px'></div><p>end")

    assert page.info.size == (1280, 5000 + LINE)
    assert text_of(page, "end").visible


def test_what_is_painted_later_lies_on_top(lay: Lay) -> None:
    page = lay(
        "<p style='position:absolute;z-index:2;top:0'>above</p><p>below</p><p>last</p>"
    )  # fmt: skip
    above, below, last = page.find("p")

    assert below.paint_order < last.paint_order < above.paint_order


# how things look


def test_borders(lay: Lay) -> None:
    page = lay(
        "<p style='border:2px solid red'>a</p><p style='border-top:3px solid'>b</p>"
        "<p style='border-right:4px solid'>c</p><p style='border-bottom:5px solid'>d</p>"
        "<p style='border-left:6px solid'>e</p>"
        "<p style='border:solid;border-width:1px 2px 3px 4px'>f</p>"
        "<p style='border:1px solid;border-radius:4px'>g</p><p>h</p>"
        "<p style='border:3px solid transparent'>i</p><hr>"
    )

    assert [node.style.border for node in page.find("p")] == [
        (2, 2, 2, 2), (3, 0, 0, 0), (0, 4, 0, 0), (0, 0, 5, 0), (0, 0, 0, 6), (1, 2, 3, 4),
        (1, 1, 1, 1), (0, 0, 0, 0), (0, 0, 0, 0),
    ]  # fmt: skip
    assert page.find("hr")[0].style.border == (1, 1, 1, 1)


def test_backgrounds(lay: Lay) -> None:
    page = lay(
        "<body style='background:#eeeeff'><p style='background:#00f;padding:3px'>a"
        "<b style='background:rgba(255,0,0,.5)'>b</b></p><p>c</p>"
    )

    assert page.find("body")[0].style.own_background == "#eeeeff"
    assert text_of(page, "a").style.background == "#0000ff"
    assert page.find("b")[0].style.own_background == "#ff000080"
    assert text_of(page, "b").style.background == "#80007f"
    assert text_of(page, "c").style.background == "#eeeeff"
    assert text_of(page, "c").style.own_background == "#00000000"
    assert not any(node.style.has_background_image for node in page)


def test_colours_of_texts(lay: Lay) -> None:
    page = lay(
        "<p style='color:#123456'>a <b style='color:rgba(255,0,0,.5)'>b</b></p>"
        "<p style='opacity:.5'>c <i style='opacity:.5'>d</i></p><a href=x>e</a>"
        "<p style='color:#eee;background:#111'>f</p>"
    )

    colors = {text: text_of(page, text).style.color for text in "abcdef"}
    assert colors == {
        "a": "#123456", "b": "#ff000080", "c": "#00000080", "d": "#00000040", "e": "#0000ee",
        "f": "#eeeeee",
    }  # fmt: skip


def test_colours_that_look_like_numbers_of_nodes(lay: Lay) -> None:
    rules = "".join(f".c{n} {{ color: #{n:06x}; background: #{n + 1:06x} }}" for n in range(20))
    page = lay(
        f"<style>{rules} li::marker {{ color: #000009 !important }}"
        "p::before { content: 'x'; color: #00000a !important; background: #00000b }"
        "* { outline: 1px solid #00000c !important }</style>"
        + "".join(f"<p class=c{n}>text {n}</p>" for n in range(20))
        + "<ul><li>item</ul><div style='columns:2;column-rule:3px solid #000008'>a b</div>"
    )

    for n, node in enumerate(page.find("p")):
        assert [run.text for run in page.runs(node.id)] == []  # nearly its background's colour
        assert text_of(page, f"text {n}").visibility is Visibility.SAME_COLOR
        assert node.box == Box(0, n * LINE, 1280, LINE)
        assert node.style.own_background == f"#{n + 1:06x}"
        assert text_of(page, f"text {n}").style.color == f"#{n:06x}"
    assert page.root.text == "item\na b"


def test_lines_of_decoration(lay: Lay) -> None:
    page = lay(
        "<p>a <u>under</u> b <s>through</s> c <a href=x>link</a> "
        "<u>one <span>two</span> three</u></p><p style='border-bottom:1px solid'>d</p>"
        "<p style='text-decoration:underline;width:60px'>two lines of</p>"
        "<p style='font-size:40px'><u>large</u></p>"
    )

    found = {node.own_text.strip(): node.style.decoration for node in page if node.own_text.strip()}
    lined = {text for text, decoration in found.items() if decoration == Decoration.UNDERLINE}
    assert found["through"] == Decoration.LINE_THROUGH
    assert lined == {"under", "link", "one", "two", "three", "two lines of", "large"}
    assert not any(found[text] for text in "abcd")


def test_fonts(lay: Lay) -> None:
    page = lay(
        "<p>a <b>b</b> <i>c</i> <strong><em>d</em></strong> <tt>e</tt> "
        "<span style='font-family:Arial'>f</span> <span style='font-weight:600'>g</span>"
    )
    styles = {text: text_of(page, text).style for text in "abcdefg"}

    assert [text for text in styles if styles[text].bold] == ["b", "d", "g"]
    assert [text for text in styles if styles[text].italic] == ["c", "d"]
    assert styles["a"].font_family == "LiberationSerif"
    assert styles["e"].font_family.endswith("Mono")
    assert styles["f"].font_family == "LiberationSans"


@pytest.mark.parametrize(
    ("html", "size"),
    [
        ("<p style='font-size:2em'>x</p>", 32),
        ("<p style='font-size:20px'><b style='font-size:50%'>x</b></p>", 10),
        ("<p style='font-size:x-large'>x</p>", 24),
        ("<p style='font-size:Small'>x</p>", 13),
        ("<small>x</small>", 13.333),
        ("<h1>x</h1>", 32),
        ("<section><h1>x</h1></section>", 32),
        ("<h2>x</h2>", 24),
        ("<font size=5>x</font>", 24),
        ("<pre>x</pre>", 13),
        ("<pre><code>x</code></pre>", 13),
        ("<code style='font-size:20px'>x</code>", 20),
        ("<style>code { font-family: Arial }</style><code>x</code>", 16),
        ("<style>body { font-size: 20px }</style><code>x</code>", 20),
        ("<button>x</button>", 13.333),
        ("<style>@media (min-width: 60em) { p { font-size: 30px } }</style><p>x</p>", 30),
        ("<style>@media (min-width: 90em) { p { font-size: 30px } }</style><p>x</p>", 16),
        ("<style>@media print { p { font-size: 30px } }</style><p>x</p>", 16),
    ],
)
def test_font_sizes(lay: Lay, html: str, size: float) -> None:
    assert text_of(lay(html), "x").style.font_size == pytest.approx(size, abs=0.01)


# what is seen


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "color:transparent",
        "color:#fff",
        "color:#fefefe",
        "text-indent:-9999px",
        "position:absolute;left:-9999px",
        "position:absolute;clip:rect(0 0 0 0)",
        "width:1px;height:1px;overflow:hidden",
        "height:0;overflow:hidden",
        "font-size:0",
    ],
)
def test_hidden_texts(lay: Lay, style: str) -> None:
    page = lay(f"<p>before</p><p style='{style}'>hidden</p><p>after</p>")

    assert not text_of(page, "hidden").visible
    assert page.root.text == "before\nafter"


def test_white_on_white_is_told_from_other_reasons(lay: Lay) -> None:
    page = lay("<p style='color:white'>a</p><p style='color:white;background:#000'>b</p>")

    assert text_of(page, "a").visibility is Visibility.SAME_COLOR
    assert text_of(page, "b").visible


def test_what_is_no_text(lay: Lay) -> None:
    page = lay(
        "<input value=value placeholder=hold><textarea>area</textarea><select><option>option"
        "</select><img alt=alternative src=none.png><video>film</video><progress>0</progress>"
        "<script>script()</script><template>template</template><button>push</button>"
    )

    assert page.root.text == "push"
    assert page.find("input")[0].value == "value"


def test_noscript_is_shown(lay: Lay) -> None:
    page = lay("<body><noscript><p>no <b>script</b></p></noscript>")

    assert page.root.text == "no script"
    assert text_of(page, "script").xpath == "/html/body/noscript/p/b/text()"


def test_closed_details(lay: Lay) -> None:
    page = lay("<details>a<summary>b</summary></details><details open>c<summary>d</summary>")

    assert [node.visible for node in map(text_of, [page] * 4, "abcd")] == [False, True, True, True]


# which text is which


def test_list_markers_are_no_part_of_texts(lay: Lay) -> None:
    page = lay(
        "<ul><li>one<li><p>two</p></ul><ol><li>three</ol>"
        "<ol style='list-style-position:inside'><li>four<li><b>five</b></ol>"
    )

    assert [run.text for run in page.root.runs] == ["one", "two", "three", "four", "five"]
    assert [round(text_of(page, text).box.x) for text in ("one", "three", "four", "five")] == [
        40, 40, 56, 56,
    ]  # fmt: skip


MARKED = ["1. one", "• dot", "i", "iv. four", "a", "(c) x", "①", "أولاً", "א. ראשון"]


@pytest.mark.parametrize("place", ["inside", "outside"])
@pytest.mark.parametrize(
    "marker", ["disc", "none", "decimal", "lower-alpha", "lower-roman", "arabic-indic", "hebrew",
               "'• '", "'1. '"],
)  # fmt: skip
def test_texts_that_begin_like_a_list_marker(lay: Lay, marker: str, place: str) -> None:
    items, backwards = ("".join(f"<li>{each}" for each in texts) for texts in (MARKED, MARKED[-2:]))
    style = f'style="list-style:{marker} {place}"'
    page = lay(f"<ol {style}>{items}</ol><ol dir=rtl {style}>{backwards}</ol>")

    assert ["".join(run.text for run in item.runs) for item in page.find("li")] == [
        *MARKED, *MARKED[-2:],
    ]  # fmt: skip


def test_generated_content_is_no_part_of_texts(lay: Lay) -> None:
    page = lay(
        "<style>p::before { content: 'pre ' } p::after { content: ' post'; color: red }</style>"
        "<p>tea</p><q>quote</q><p style='counter-increment:x'><b>b</b> c</p>"
    )

    assert [run.text.strip() for run in page.root.runs] == ["tea", "quote", "b", "c"]
    assert text_of(page, "tea").box.x > 20


def test_texts_with_nothing_but_a_comment_between_them(lay: Lay) -> None:
    page = lay("<p>Price: <!-- -->12<!-- --> €<script>1</script> net</p>")
    price, amount, euro, net = (text_of(page, text) for text in ("Price:", "12", "€", "net"))

    assert page.root.text == "Price: 12 € net"
    assert all(node.visible for node in (price, amount, euro, net))
    assert price.box.right <= amount.box.x + 0.1
    assert amount.box.right <= euro.box.x + 4.1
    assert near(amount.box, price.box.right, 0, 16, 17, slack=4.5)


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p style='text-transform:uppercase'>straße <b>fine</b> x", ["STRASSE", "FINE", "X"]),
        ("<p>office <b>b</b> affine", ["office", "b", "affine"]),
        ("<p style='width:60px'>nation&shy;alizing <b>b</b> x", ["nation", "alizing", "b", "x"]),
        ("<p>a&nbsp;b <b>c</b> d", ["a\xa0b", "c", "d"]),
        ("<p>1 &lt; 2 &amp;amp; <b>3</b> &gt;", ["1 < 2 &amp;", "3", ">"]),
        ("<pre>a\n  b<b>c</b></pre>", ["a", "b", "c"]),
    ],
)  # fmt: skip
def test_texts_as_they_are_painted(lay: Lay, html: str, texts: list[str]) -> None:
    page = lay(html)
    painted = "".join(run.text for run in page.root.runs)

    assert "".join(painted.split()) == "".join("".join(texts).split())
    assert all(
        node.visible for node in page if node.kind is NodeKind.TEXT and node.own_text.strip()
    )


@pytest.mark.parametrize("text", ["\U000f0000", "\U000f0000\U000f0001", "①\U000f0000 b"])
def test_letters_that_leave_no_ink(lay: Lay, text: str) -> None:
    page = lay(
        f"<p>Ա</p><h2>{text}</h2><p>a<br>{text}<br>{text}</p><p><i>b</i> {text} <i>c</i></p>"
        "<p><u> </u><i>d</i> <i>e</i></p>"
    )
    found = [node for node in page if node.own_text.strip() == text]
    heading, second, third, last = found

    assert all(node.visible and [run.text.strip() for run in node.runs] == [text] for node in found)
    assert heading.style.font_size == 24
    assert second.box.y + 10 < third.box.y
    assert text_of(page, "b").box.right <= last.box.x + 1 < text_of(page, "c").box.x
    assert text_of(page, "a").style.decoration == 0


def test_an_initial_is_not_typical(lay: Lay) -> None:
    page = lay("<style>p::first-letter { font-size: 40px; color: red }</style><p>Once upon a time")
    text = text_of(page, "Once upon a time")

    assert (text.style.font_size, text.style.color) == (16, "#000000")


def test_a_matrix_that_cannot_be_inverted(lay: Lay) -> None:
    page = lay(
        "<style>:root { --s: 0 } i { transform: scale(var(--s)); display: block }</style>"
        "<i>a</i><p style='position:relative'>b</p>"
    )

    assert text_of(page, "b").visible


def test_borders_of_some_sides(lay: Lay) -> None:
    page = lay(
        "<p style='border:solid #f00;border-width:1px 0 5px 2px;background:#eee'>a</p>"
        "<p style='border:3px double #f00'>b</p>"
    )
    one, other = (node.style for node in page.find("p"))

    assert (one.border, one.own_background) == ((1, 0, 5, 2), "#eeeeee")
    assert (other.border, other.own_background) == ((3, 3, 3, 3), "#00000000")


def test_lengths_of_percentages(lay: Lay) -> None:
    page = lay(
        "<div style='width:960px'><p style='float:left;width:calc(50% - 20px);margin:0 20px 0 0'>a"
        "</p><p style='float:left;width:calc(50% - 20px);margin:0'>b</p></div>"
    )
    one, other = page.find("p")

    assert near(one.box, 0, 0, 460, LINE)
    assert near(other.box, 480, 0, 460, LINE)


def test_text_from_right_to_left(lay: Lay) -> None:
    page = lay("<p dir=rtl>שלום <b>עולם</b> טוב</p>")

    assert all(node.visible for node in page if node.own_text.strip())
    assert page.root.text == "שלום עולם טוב"
    assert "".join(run.text for run in page.root.runs) == "שלום עולם טוב"
    assert text_of(page, "שלום").box.right == pytest.approx(1280, abs=1)
    assert text_of(page, "שלום").box.x > text_of(page, "עולם").box.x > text_of(page, "טוב").box.x


def test_letters_that_no_font_has(lay: Lay) -> None:
    page = lay("<p>茶 tea</p><p>茶道 <b>茶道</b> x</p><p>😀 <i>y</i></p><p>\U000f0000 x</p>")

    assert page.root.text == "茶 tea\n茶道 茶道 x\n😀 y\n\U000f0000 x"
    painted = [run.text.strip() for run in page.root.runs]
    assert painted == ["茶 tea", "茶道", "茶道", "x", "😀", "y", "\U000f0000 x"]
    assert all(node.visible for node in page if node.own_text.strip())


# what is loaded


def test_files_beside_the_page(embedded: AnyRenderer, tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "site" / "pages"
    folder.mkdir(parents=True)
    (folder / "a.css").write_text("p { margin-left: 10px }")
    (site / "b.css").write_text("@import 'pages/c.css'; p { color: #f00 }")
    (folder / "c.css").write_text("p { font-size: 20px }")
    (site / "d.css").write_text("p { font-weight: bold }")
    (folder / "tea cup.png").write_bytes(png(40, 30))
    (folder / "page.html").write_text(
        "<!doctype html><link rel=stylesheet href=a.css><link rel=stylesheet href=../b.css>"
        "<link rel=stylesheet href=/d.css><body style='margin:0'><p>tea</p>"
        "<img src='tea%20cup.png'><img src='tea cup.png' width=80><img src=none.png width=7>"
        "<img src='https://example.org/x.png'><div style='background:url(\"tea cup.png\")'>a</div>"
    )
    with_root = embedded.render(load(folder / "page.html", root=site))
    without = embedded.render(load(folder / "page.html"))
    style = text_of(with_root, "tea").style

    assert (style.color, style.font_size, style.bold) == ("#ff0000", 20, True)
    assert text_of(with_root, "tea").box.x == 10
    sizes = [(node.box.width, node.box.height) for node in with_root.find("img")[:2]]
    assert sizes == [(40, 30), (80, 60)]
    assert [node.tag for node in with_root if node.style.has_background_image] == ["div"]
    assert set(with_root.info.notes) == {
        Note("missing", "none.png"), Note("blocked", "https://example.org/x.png"),
    }  # fmt: skip
    assert not text_of(without, "tea").style.bold
    assert Note("blocked", "/d.css", 2) in without.info.notes


def test_pictures_in_the_page_itself(lay: Lay) -> None:
    from base64 import b64encode

    data = b64encode(png(12, 8)).decode()
    page = lay(f"<img src='data:image/png;base64,{data}'><svg width=30 height=20></svg>")

    assert [(n.box.width, n.box.height) for n in page.find("img", "svg")] == [(12, 8), (30, 20)]
    assert page.complete


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252", "utf-16"])
def test_charsets(embedded: AnyRenderer, charset: str) -> None:
    html = f"<!doctype html><meta charset={charset}><p>Grüße, Café"

    assert embedded.render(load(html.encode(charset))).root.text == "Grüße, Café"


def test_notes_say_what_is_missing(lay: Lay) -> None:
    page = lay(
        "<script>1</script><script src=x></script><iframe src=y></iframe>"
        "<div style='display:grid'>a</div><link rel=stylesheet href=none.css><img src=none.png>"
    )

    assert {(note.kind, note.count) for note in page.info.notes} == {
        ("scripts", 2), ("frames", 1), ("unsupported", 1), ("blocked", 2),
    }  # fmt: skip


def test_texts_that_are_left_out_are_noted(lay: Lay) -> None:
    page = lay(
        "<p>light</p><my-card><template shadowrootmode=open><h2>shadow</h2></template></my-card>"
        "<template>nobody sees this</template>"
        "<svg><text>drawn</text><g><text>drawn, too</text><text> </text></g></svg>"
    )

    assert page.root.text == "light"
    assert {(note.kind, note.detail, note.count) for note in page.info.notes} == {
        ("unsupported", "shadow trees are left out", 1),
        ("unsupported", "text in drawings is left out", 2),
    }
    assert lay("<text>no drawing</text><svg><path d='M0 0L9 9'/></svg>").complete


# always the same


def test_two_renderings_are_equal(lay: Lay) -> None:
    html = "<ul><li>one <b>two</b></ul><table><tr><td>a<td style='background:red'>b</table>" * 20

    assert lay(html) == lay(html)


def test_the_limit_of_nodes() -> None:
    with open_renderer("embedded", RenderOptions(max_nodes=10)) as renderer:
        assert len(renderer.render(load(b"<p>a"))) == 6
        with pytest.raises(PageTooComplex, match="more than 10 nodes"):
            renderer.render(load(b"<p>a" * 10))


def test_the_viewport_is_the_width(tmp_path: Path) -> None:
    with open_renderer("embedded", RenderOptions(viewport=(400, 300))) as renderer:
        page = renderer.render(load(b"<!doctype html><body style='margin:0'><p>a"))

    assert page.info.size == (400, 300)
    assert page.find("p")[0].box.width == 400


SAMPLE = (
    "<!doctype html><body style='margin:0'><p>Hamburgefonstiv 0123 &amp; ÄÖÜ</p>"
    "<p style='font-family:sans-serif;font-weight:bold'>Hamburgefonstiv</p>"
    "<p style='font-family:Unheard Of,Arial'>Hamburgefonstiv <tt>mono</tt></p>"
    "<p style='font-family:monospace;font-size:20px'>Hamburgefonstiv</p>"
)


def widths(page: Page) -> list[float]:
    return [run.box.width for run in page.root.runs]


@pytest.fixture
def fontless(tmp_path: Path) -> list[float]:
    """The widths of the sample's texts on a machine that has no fonts of its own."""
    fonts = Path(layout.__file__).parent / "fonts"
    conf = (fonts / "fonts.conf").read_text()
    include = next(line for line in conf.splitlines() if "<include" in line)
    (tmp_path / "fonts.conf").write_text(conf.replace(include, ""))
    for font in fonts.glob("*.ttf"):
        (tmp_path / font.name).symlink_to(font)
    program = (
        "import json, sys\n"
        "from pagesight.render.embedded.assembly import page_from_html\n"
        "page = page_from_html(sys.argv[1], url=None, path=None, root=None,\n"
        "                      viewport=(1280, 800), max_nodes=1000)\n"
        "print(json.dumps([run.box.width for run in page.root.runs]))"
    )
    environment = {
        **os.environ,
        "FONTCONFIG_FILE": str(tmp_path / "fonts.conf"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        [sys.executable, "-c", program, SAMPLE],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[float] = json.loads(done.stdout)
    return found


def test_a_machine_without_fonts(fontless: list[float], embedded: AnyRenderer) -> None:
    assert fontless == pytest.approx(widths(embedded.render(load(SAMPLE.encode()))), rel=0.02)


@pytest.mark.browser
def test_widths_are_those_of_the_browser(fontless: list[float], see: Lay) -> None:
    assert fontless == pytest.approx(widths(see(SAMPLE)), rel=0.02)


APPLICATION = """<style>
  .box { position: fixed; display: flex; flex-direction: column; height: 100%; width: 100% }
  .text { overflow-y: auto; flex: 1 1 auto } p { height: 300px }
</style><div class=box><header>Head</header><div class=text>"""


def test_text_in_a_fixed_box_that_scrolls_is_seen(lay_out: Callable[[str], Page]) -> None:
    page = lay_out(APPLICATION + f"<p>{'Green tea is good. ' * 9}" * 6)
    assert len(page.root.text.split()) == 1 + 6 * 36
    assert page.info.size[1] > page.find("p")[-1].box.y


def test_a_drawer_below_the_window_is_not_seen(lay_out: Callable[[str], Page]) -> None:
    drawer = "<div style='position:fixed;top:100%'>Drawer</div>"
    assert lay_out(f"<p>Green tea is good.{drawer}").root.text == "Green tea is good."


NESTED = "<table><tr><td>" * 60 + "Deep tea" + "</table>" * 60
HEAVY = (
    "<style>p { columns: 99999999999; color: red } i { display: none }</style><p>Tea <i>x</i>leaf"
)


@pytest.mark.parametrize(("html", "text"), [(NESTED, "Deep tea"), (HEAVY, "Tea leaf")])
def test_what_is_too_much_for_the_engine_is_laid_out_simply(html: str, text: str) -> None:
    page = page_from_html(
        html, url=None, path=None, root=None, viewport=(1280, 800), max_nodes=9999, simple=True
    )
    assert page.root.text == text
    assert [note.kind for note in page.info.notes] == ["simplified"]


@pytest.mark.parametrize("error", [TimeoutError("late"), RenderCrash("died")])
def test_a_page_that_fails_is_tried_again_in_a_simple_way(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    ask = WorkerRenderer._ask_one

    def fail_at_first(self: WorkerRenderer, worker: Any, name: str, *rest: Any) -> Any:
        if rest[0]["simple"]:
            return ask(self, worker, name, *rest)
        self._give_back(worker, reusable=True)
        raise error

    monkeypatch.setattr(WorkerRenderer, "_ask_one", fail_at_first)
    with open_renderer("embedded") as renderer:
        page = renderer.render(load(b"<p>Tea"))
    assert page.root.text == "Tea"
    assert [note.kind for note in page.info.notes] == ["simplified"]
