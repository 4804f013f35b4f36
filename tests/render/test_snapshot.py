"""From a snapshot to a Page, with real snapshots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html as lxml_html  # type: ignore[import-untyped]

from pagesight.page import Box, Decoration, Display, Float, Node, NodeKind, Page, Visibility
from pagesight.render import AnyRenderer
from pagesight.sources import load

pytestmark = pytest.mark.browser
See = Callable[[str], Page]


def node_of(page: Page, text: str) -> Node:
    """The text node that holds just this text."""
    return next(node for node in page if node.kind is NodeKind.TEXT and node.own_text == text)


def test_a_small_page(see: See) -> None:
    page = see(
        "<!doctype html><title>Tea</title><body style='margin:0'>"
        "<p style='margin:10px 20px;width:200px;height:30px;border:solid;"
        "border-width:1px 1px 1px 5px'>"
        "<b>Good</b> <i>morning</i>"
    )
    paragraph = page.find("p")[0]

    assert page.complete
    assert page.info.renderer == "chromium"
    assert page.info.size == (1280, 800)
    assert page.head.title == "Tea"
    assert page.root.text == "Good morning"
    assert paragraph.box == Box(20, 10, 206, 32)
    assert paragraph.style.border == (1, 1, 1, 5)
    assert paragraph.style.display is Display.BLOCK
    assert page.find("b")[0].style.bold
    assert page.find("b")[0].children[0].style.bold
    assert page.find("i")[0].style.italic
    assert [run.text for run in paragraph.runs] == ["Good", " ", "morning"]


def test_styles_of_a_text_are_those_of_its_element_but_for_the_box(see: See) -> None:
    page = see(
        "<p style='color:#123456;background:#fed;font:italic 700 20px monospace;float:right;"
        "text-decoration:underline;border:3px solid;opacity:.5;position:relative'>tea"
    )
    element, text = page.find("p")[0].style, node_of(page, "tea").style

    assert element.color == text.color == "#123456"
    assert element.background == text.background == "#ffeedd"
    assert element.font_size == text.font_size == 20
    assert element.font_family == text.font_family == "monospace"
    assert element.decoration == text.decoration == Decoration.UNDERLINE
    assert element.floats is Float.RIGHT
    assert (text.own_background, text.floats, text.border, text.opacity, text.display) == (
        "#00000000",
        Float.NONE,
        (0, 0, 0, 0),
        1,
        Display.INLINE,
    )


def test_shadow_trees(see: See) -> None:
    page = see(
        "<div id=host><template shadowrootmode=open><p>In <slot></slot></p><b>there</b></template>"
        "<i>light</i></div><p>after"
    )
    host = page.find("div")[0]
    (root,) = host.children

    assert root.kind is NodeKind.SHADOW
    assert root.box == host.box
    assert root.visible
    assert [child.tag for child in root.children] == ["p", "b"]
    assert host.text == "In light\nthere"
    assert page.find("b")[0].xpath == "/html/body/div >> /b"
    assert page.find("b")[0].css == "#host >> b:not(* > *)"
    assert page.root.text.endswith("after")


def test_frames_stand_where_their_frame_element_stands(see: See) -> None:
    page = see(
        "<body style='margin:0'><iframe style='position:absolute;left:100px;top:50px;"
        "border:7px solid' srcdoc='<body style=margin:0><p style=margin:3px>inner"
        "<iframe style=position:absolute;left:30px;top:40px;border:0 "
        'srcdoc="<body style=margin:0><p style=margin:0>deep"></iframe>\'></iframe><p>outer'
    )
    inner, deep = node_of(page, "inner"), node_of(page, "deep")

    assert page.root.text == "inner\ndeep\nouter"
    assert inner.parent is not None
    assert inner.parent.box[:2] == (110, 60)
    assert deep.parent is not None
    assert deep.parent.box[:2] == (137, 97)
    assert inner.runs[0].box.x == 110
    assert inner.xpath == "/html/body/iframe >> /html/body/p/text()"
    assert deep.xpath.startswith("/html/body/iframe >> /html/body/p/iframe >> /html/body/p")
    assert page.find("iframe")[0].children[0].kind is NodeKind.DOCUMENT


def test_frames_from_files(chromium: AnyRenderer, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.html").write_text("<p>secret")
    (tmp_path / "in/frame.html").write_text("<link rel=stylesheet href=a.css><p>framed")
    (tmp_path / "in/a.css").write_text("p { color: #010203 }")
    (tmp_path / "in/page.html").write_text(
        "<iframe src=frame.html></iframe><iframe src=../secret.html></iframe>"
        "<object data=../secret.html></object><embed src=../secret.html><p>page"
    )
    page = chromium.render(load(tmp_path / "in/page.html"))

    assert node_of(page, "framed").style.color == "#010203"
    assert "secret" not in page.root.text
    assert [(note.kind, note.detail) for note in page.info.notes] == [("blocked", "../secret.html")]


def test_generated_content(see: See) -> None:
    page = see(
        "<style>b{display:block;width:40px}b::before{content:'one two ' attr(class) ' four'}"
        "b::after{content:''}</style><b class=three></b><ol><li>first<li>second</ol>"
    )
    pseudo = [node for node in page if node.kind is NodeKind.PSEUDO]

    assert [node.tag for node in pseudo] == ["::before", "::after", "::marker", "::marker"]
    assert [node.own_text for node in pseudo] == ["one two three four", "", "1. ", "2. "]
    assert [run.text.strip() for run in pseudo[0].runs] == ["one", "two", "three", "four"]
    assert page.root.text == "first\nsecond"


def test_what_controls_hold(see: See) -> None:
    page = see(
        "<input value=typed><input type=checkbox checked><input type=radio>"
        "<textarea>two\nlines</textarea>"
        "<select><option value=a>A<option value=b selected>B</select><button>Go</button>"
    )
    typed, checkbox, radio = page.find("input")

    assert typed.value == "typed"
    assert ":checked" in checkbox.attributes
    assert ":checked" not in radio.attributes
    assert page.find("textarea")[0].value == "two\nlines"
    assert [":selected" in option.attributes for option in page.find("option")] == [False, True]
    assert page.root.text == "Go"
    assert typed.children == []


def test_the_picture_that_is_shown(see: See) -> None:
    page = see(
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'
        f'<img src="data:image/png;base64,{"A" * 9999}"><img alt=none>'
    )
    first, long, none = page.find("img")

    assert first.target == "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    assert long.target == "data:image/png;base64,…"
    assert none.target is None
    assert none.attributes["alt"] == "none"


@pytest.mark.parametrize(
    "text",
    [
        "Tea 🍵🍵 and cake 🍰 and more 🫖 of it all",
        "🍵🍵🍵🍵🍵🍵🍵🍵",
        "🍵🍵🍵 abc",
        "👩‍👩‍👧‍👦 family 👩‍👩‍👧‍👦 again",
        "שלום עולם וברוכים הבאים אל האתר",
        "مرحبا بكم في موقع الشاي abc def 123",
        "日本語のお茶はとてもおいしいです",
        "e\u0301a\u0301 combined e\u0301a\u0301",
    ],
)
def test_runs_make_up_the_text(see: See, text: str) -> None:
    page = see(f"<meta charset=utf-8><p style='width:30px' dir=auto>{text}")
    node = node_of(page, text)
    runs = [run.text for run in node.runs]

    assert len(runs) > 1
    if text[0] not in "שم":  # those are in visual order
        assert "".join(runs).replace(" ", "") == text.replace(" ", "")
    assert sorted("".join(runs).replace(" ", "")) == sorted(text.replace(" ", ""))
    assert page.root.text == text


@pytest.mark.parametrize(
    ("style", "text", "shown"),
    [
        ("text-transform: uppercase", "Straße nach Berlin", "STRASSE NACH BERLIN"),
        (
            "text-transform: uppercase; width: 90px",
            "Große süße Füße, Maß",
            "GROSSE SÜSSE FÜSSE, MASS",
        ),
        ("text-transform: lowercase", "HELLO İzmir", "hello i\u0307zmir"),
        ("text-transform: uppercase", "straße 🎉 ok", "STRASSE 🎉 OK"),
    ],
)
def test_letters_that_become_more(see: See, style: str, text: str, shown: str) -> None:
    runs = see(f"<p style='{style}'>{text}</p><p>after ß</p>").root.runs
    joined = "".join(run.text for run in runs)
    assert "".join(joined.split()) == "".join(f"{shown}after ß".split())


def test_offsets_of_runs_count_utf_16(see: See) -> None:
    page = see("<pre>🍵🍵🍵🍵\nc</pre>")
    assert [run.text.strip() for run in page.find("pre")[0].runs if run.text.strip()] == [
        "🍵🍵🍵🍵",
        "c",
    ]


def test_display_contents(see: See) -> None:
    page = see("<body style='margin:0'><div style='display:contents'>a<p style='margin:0'>b</div>")
    div = page.find("div")[0]

    assert div.style.display is Display.CONTENTS
    assert div.visible
    assert div.box.x == 0
    assert div.box.bottom == page.find("p")[0].box.bottom
    assert div.text == "a\nb"


def test_names(see: See) -> None:
    page = see(
        "<DIV><svg viewBox='0 0 9 9'><linearGradient/><foreignObject><P>q</P></foreignObject></svg>"
        "<x-Y>z</x-Y><h1>h</h1><o:p>o</o:p></DIV>"
    )
    names = [node.tag for node in page if node.kind is NodeKind.ELEMENT][3:]

    assert names == ["div", "svg", "linearGradient", "foreignObject", "p", "x-y", "h1", "o:p"]


def test_a_formula_is_one_line(see: See) -> None:
    page = see("<p>If <math><mi>x</mi><mo>=</mo><mn>2</mn></math> then")
    assert page.root.text == "If x=2 then"


def test_scripts_and_styles_have_no_text_but_linked_data_has(see: See) -> None:
    page = see(
        "<script>let secret</script><style>p { color: red }</style>"
        '<script type=" Application/LD+JSON">{"@type": "Tea"}</script>'
        "<template><p>not yet</template><noscript>no scripts</noscript><p>tea"
    )

    assert page.head.linked_data == ({"@type": "Tea"},)
    assert not any("secret" in string or "color: red" in string for string in page.strings)
    assert page.find("template")[0].children == []
    assert page.root.text == "no scripts\ntea"


def test_attributes_are_kept_that_say_something(see: See) -> None:
    page = see("<a id=x class='b c' href=/d title='' style='color:red' onclick=x data-x=1>e")
    assert page.find("a")[0].attributes == {"id": "x", "class": "b c", "href": "/d", "title": ""}


def test_line_breaks(see: See) -> None:
    page = see(
        "<p>a<br>b<br style='display:none'>c</p><div>d<div><img></div>e</div>"
        "<p>f <img style='float:left'>g</p><ul><li>h<li>i</ul><table><td>j<td>k</table>"
    )
    assert page.root.text == "a\nbc\nd\ne\nf g\nh\ni\nj\nk"


def test_a_long_page(see: See) -> None:
    page = see("<body style='margin:0'><div style='height:3000px;width:2000px'></div><p>end")
    assert page.info.size[0] == 2000
    assert page.info.size[1] > 3000
    assert node_of(page, "end").visible


def test_no_page_at_all(see: See) -> None:
    page = see("<!doctype html>")
    assert [node.tag for node in page] == ["#document", "html", "head", "body"]
    assert page.root.text == ""
    assert page.root.runs == []


def test_lone_surrogates_and_controls(see: See) -> None:
    page = see("<p>a&#xD83C;b&#0;c\x01d")
    assert page == Page.from_bytes(page.to_bytes())
    assert page.find("p")[0].text.startswith("a\ufffdb")


def test_paths_agree_with_another_parser(see: See) -> None:
    html = (
        "<!DOCTYPE html><html><head><title>T</title></head><body class='x'><h1>A<i>b</i>c</h1>"
        "<table><thead><tr><th>d</th></tr></thead><tbody><tr><td>e</td><td>f</td></tr></tbody>"
        "</table><ul>\n <li>g</li>\n <li>h <b>i</b> j <b>k</b></li>\n</ul><div><p>l</p><p>m</p>"
        "</div><p>n</p></body></html>"
    )
    page = see(html)
    other = lxml_html.document_fromstring(html).getroottree()
    elements = [node for node in page if node.kind is NodeKind.ELEMENT]

    assert [node.xpath for node in elements] == [other.getpath(one) for one in other.iter()]
    for node in page:
        if node.kind is NodeKind.TEXT:
            assert [str(found) for found in other.xpath(node.xpath)] == [node.own_text]


def test_what_is_painted_later_lies_on_top(see: See) -> None:
    page = see(
        "<div style='position:relative;z-index:2'>over</div><div style='position:relative'>under"
    )
    over, under = page.find("div")
    assert over.paint_order > under.paint_order


def test_a_saved_page_is_the_same(see: See) -> None:
    page = see("<p>tea 🍵 <b hidden>x</b><svg><g/></svg><iframe srcdoc=y></iframe>")
    assert Page.from_bytes(page.to_bytes()) == page
    assert page.find("b")[0].visibility is Visibility.NOT_RENDERED


def test_a_page_from_right_to_left_that_is_wider_than_its_window(see: See) -> None:
    page = see(
        "<!doctype html><html dir=rtl><body style='margin:0'><p>right</p>"
        "<div style='width:1800px;text-align:left'><b>left</b></div>"
    )
    assert page.info.size == (1800, 800)
    assert page.root.text == "right\nleft"  # one can scroll there
    assert page.find("div")[0].box.x == 0
    assert page.find("p")[0].box == Box(520, 16, 1280, 18)
    assert page.find("b")[0].box.x == 0


@pytest.mark.parametrize(
    ("page", "x"),
    [
        ("<html dir=rtl><body style=margin:0><p>a<img style='width:1700px;margin:0 50px'>", 520),
        ("<html><body dir=rtl style='margin:0'><p>a</p><div style='width:1800px'>b</div>", 520),
        ("<html dir=rtl><body dir=ltr style='margin:0'><p>a</p><div style='width:1800px'>b", 0),
        ("<body style='margin:0'><p>a</p><i style='position:absolute;left:-520px'>b</i>"
         "<img style='width:1700px;margin:0 50px'>", 0),
    ],
)  # fmt: skip
def test_the_window_is_at_the_end_where_the_page_begins(see: See, page: str, x: float) -> None:
    found = see(f"<!doctype html>{page}")
    assert found.info.size[0] == 1800
    assert found.find("p")[0].box.x == x


def test_a_page_in_columns_from_right_to_left(see: See) -> None:
    page = see("<body style='margin:0;writing-mode:vertical-rl'><p>a</p><p style='width:1800px'>b")
    assert page.info.size[0] > 1800
    assert all(paragraph.box.x >= 0 for paragraph in page.find("p"))


def test_a_page_from_left_to_right_that_is_wider_than_its_window(see: See) -> None:
    page = see(
        "<!doctype html><body style='margin:0'><b style='position:absolute;left:-520px'>no</b>"
        "<div style='width:1800px'>yes</div>"
    )
    assert page.info.size == (1800, 800)
    assert page.root.text == "yes"
    assert page.find("div")[0].box.x == 0
