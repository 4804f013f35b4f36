"""The tree of a document, and the two documents that the engine gets."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagesight.errors import PageTooComplex
from pagesight.page import NodeKind, Page
from pagesight.render import AnyRenderer
from pagesight.render.embedded.dom import DEEPEST, Dom, parse
from pagesight.render.embedded.numbering import node_of
from pagesight.sources import load

MANY = 400_000
Shape = tuple[str, tuple["Shape", ...]]  # a tag with its children, or a text without any
Made = tuple[str, list["Made"]]
UNPAINTED = {"script", "template", "noembed", "noframes", "iframe", "audio"}


def tree(html: str) -> list[str]:
    """All elements and texts of a document, by their depth: ``..p``, ``...'tea'``."""
    dom = parse(html, MANY)
    depth = [0] * len(dom.parent)
    lines = []
    for node in range(1, len(dom.parent)):
        depth[node] = depth[dom.parent[node]] + 1
        text = dom.text[node]
        lines.append("." * depth[node] + (repr(dom.strings[text]) if text >= 0 else dom.tags[node]))
    return lines


def attributes(dom: Dom, tag: str) -> dict[str, str]:
    node = dom.tags.index(tag)
    rows = range(dom.attr_first[node], dom.attr_first[node + 1])
    return {dom.strings[dom.attr_name[row]]: dom.strings[dom.attr_value[row]] for row in rows}


def parsed_shape(html: str) -> Shape:
    """What a parser makes of a document; neighbouring texts are one."""
    root = LexborHTMLParser(html).root
    assert root is not None
    return frozen(_parsed(root))


def _parsed(node: Any) -> Made:
    if node.is_text_node:
        return (repr(node.text_content), [])
    children: list[Made] = []
    child = node.first_child
    while child is not None:
        if child.is_text_node or child.is_element_node:
            _add(children, _parsed(child))
        child = child.next
    return (node.tag, children)


WRITTEN = {"noscript": "span", "object": "span", "xmp": "pre", "math": "span", "mi": "span"}


def painted_shape(dom: Dom) -> Shape:
    """The tree as the engine is to get it."""
    made: list[Made | None] = [("#document", [])]
    for node in range(1, len(dom.parent)):
        tag, above = dom.tags[node], made[dom.parent[node]]
        this: Made | None = None
        if above is not None and tag not in UNPAINTED and above[0] != "svg":
            text = repr(dom.strings[dom.text[node]]) if dom.kind[node] == NodeKind.TEXT else ""
            this = (text or WRITTEN.get(tag, tag), [])
            if this[0] == "span" and above[0] == "head":
                this = above  # only what it holds is written
            else:
                _add(above[1], this)
        made.append(this)
    document = made[0]
    assert document is not None
    return frozen(document)[1][0]


def _add(children: list[Made], child: Made) -> None:
    """Append, but join a text with the text before it."""
    quoted = ("'", '"')
    if children and child[0].startswith(quoted) and children[-1][0].startswith(quoted):
        joined = repr(_string(children[-1][0]) + _string(child[0]))
        children[-1] = (joined, [])
    else:
        children.append(child)


def _string(literal: str) -> str:
    import ast

    return str(ast.literal_eval(literal))


def frozen(made: Made) -> Shape:
    return (made[0], tuple(frozen(child) for child in made[1]))


def unstyled(shape: Shape) -> Shape:
    """Without style elements: their text is told apart elsewhere."""
    return (shape[0], tuple(unstyled(child) for child in shape[1] if child[0] != "style"))


def test_the_tree_is_that_of_a_browser() -> None:
    assert tree("<!doctype html><title>T</title><p>a<p>b<table><tr><td>c") == [
        ".html", "..head", "...title", "....'T'", "..body", "...p", "....'a'", "...p", "....'b'",
        "...table", "....tbody", ".....tr", "......td", ".......'c'",
    ]  # fmt: skip


def test_an_empty_document_has_its_three_elements() -> None:
    assert tree("") == [".html", "..head", "..body"]


def test_comments_are_no_nodes() -> None:
    assert tree("<p>a<!-- x -->b")[-3:] == ["...p", "....'a'", "....'b'"]


def test_noscript_is_markup_in_body_and_head() -> None:
    lines = tree("<head><noscript><link rel=a></noscript></head><noscript><p>x</p></noscript>")

    assert lines == [
        ".html", "..head", "...noscript", "....link", "..body", "...noscript", "....p", ".....'x'",
    ]  # fmt: skip


def test_noscript_in_the_head_does_not_end_the_head() -> None:
    html = "<head><noscript><link rel=a></noscript><title>T</title></head><body><p>x"

    document = parse(html, MANY).with_defaults("")

    assert [tag for tag, _ in parsed_shape(document)[1][0][1]] == ["link", "title"]


def test_what_is_in_a_template_or_a_script_is_no_content() -> None:
    lines = tree("<template><p>a</p></template><script>b()</script><style>c{}</style>")

    assert lines == [".html", "..head", "...template", "...script", "...style", "..body"]


def test_only_the_summary_of_closed_details_is_written() -> None:
    html = "<details>a<summary>b</summary><p>c</p><summary>d</summary></details>"
    dom = parse(html, MANY)

    assert {"'a'", "'b'", "'c'", "'d'"} <= {line.lstrip(".") for line in tree(html)}
    assert re.findall(r">(\w)<", dom.document) == ["b"]


def test_what_stands_in_for_a_film_is_not_written() -> None:
    dom = parse("<video>a</video><progress>b</progress><meter>c</meter><canvas>d</canvas>", MANY)

    assert re.findall(r">(\w)<", dom.document) == ["d"]  # without scripts, browsers show this


def test_linked_data_stays() -> None:
    dom = parse('<script type=" Application/LD+json">{"a": "<b>"}</script>', MANY)

    assert '{"a": "<b>"}' in dom.strings
    assert dom.scripts == 0
    assert "<b>" not in dom.document
    assert "&lt;b" not in dom.document


@pytest.mark.parametrize(
    ("html", "scripts", "frames"),
    [
        ("<script>1</script><script src=x></script>", 2, 0),
        ("<script type=application/ld+json>{}</script>", 0, 0),
        ("<iframe src=x></iframe><object data=y></object>", 0, 2),
        ("<frameset><frame src=x><frame src=y></frameset>", 0, 2),
    ],
)
def test_what_the_engine_lacks_is_counted(html: str, scripts: int, frames: int) -> None:
    dom = parse(html, MANY)

    assert (dom.scripts, dom.frames) == (scripts, frames)


@pytest.mark.parametrize(
    ("html", "grid"),
    [
        ("<style>p { display : inline-grid }</style>", True),
        ("<p style='DISPLAY:grid'>", True),
        ("<style>.grid { display: block }</style>", False),
    ],
)
def test_grids_are_noticed(html: str, grid: bool) -> None:
    assert parse(html, MANY).uses_grid is grid


def test_attributes_that_say_something_are_kept() -> None:
    dom = parse("<p id=i class='a b' onclick=x() style='color:red' data-x=1 lang=de hidden>", MANY)

    assert attributes(dom, "p") == {"id": "i", "class": "a b", "lang": "de", "hidden": ""}
    assert attributes(dom, "html") == {}


def test_data_addresses_of_pictures_are_shortened_and_drawn() -> None:
    address = "data:image/gif;base64," + b64encode(b"GIF89a\x05\0\x07\0" + b"A" * 900).decode()
    dom = parse(f"<img src='{address}'>", MANY)

    assert attributes(dom, "img")["src"] == "data:image/gif;base64,…"
    assert address not in dom.document
    drawn = dom.document.partition("data:image/svg+xml;base64,")[2].partition('"')[0]
    assert b'width="5" height="7"' in b64decode(drawn)


def test_what_is_nested_too_deeply_becomes_a_sibling() -> None:
    dom = parse("<div>" * 600 + "x", MANY)
    depth = [0] * len(dom.parent)
    for node in range(1, len(depth)):
        depth[node] = depth[dom.parent[node]] + 1

    assert max(depth) == DEEPEST + 1  # the text
    assert len([tag for tag in dom.tags if tag == "div"]) == 600
    assert dom.document.count("</div>") == 600


def test_texts_of_an_element_that_is_too_deep_are_one() -> None:
    levels = DEEPEST - 2  # html and body are above
    lines = tree("<div>" * levels + "a<b>c<i>d</i>e</b>f<u>g</u>")[levels + 3 :]

    assert [line.lstrip(".") for line in lines] == [
        "'af'", "b", "'ce'", "i", "'d'", "u", "'g'",
    ]  # fmt: skip


def test_depth_is_no_matter_of_the_stack() -> None:
    dom = parse("<div>" * 15_000, MANY)  # lexbor itself takes time that grows with the square

    assert len(dom.parent) == 15_000 + 4
    assert dom.document.count("</div>") == 15_000


@pytest.mark.browser
@pytest.mark.parametrize("levels", [509, 510, 511, 512, 520])
def test_depth_ends_where_that_of_the_browser_ends(
    levels: int, see: Callable[[str], Page], embedded: AnyRenderer
) -> None:
    html = "<!doctype html><body>" + "<div>" * levels + "a<b>c<i>d</i>e</b>f<u>g</u>"

    def outline(page: Page) -> list[tuple[int, str, str]]:
        parents = page.columns["parent"].tolist()
        return [(parents[node.id], node.tag, node.own_text) for node in page]

    assert outline(embedded.render(load(html.encode()))) == outline(see(html))


def test_too_many_nodes() -> None:
    assert len(parse("<p>a", 6).parent) == 6
    with pytest.raises(PageTooComplex, match="more than 5 nodes"):
        parse("<p>a", 5)


ROUND_TRIPS = [
    "",
    "just text",
    "<!doctype html><title>a &amp; b</title><p>1 &lt; 2 &amp;amp; 3",
    "<p>a<p>b<div>c<p>d</div>e",
    "<b><p>x</b>y</p>",
    "<table>x<tr><td>a<td>b<tr><td>c</table>",
    "<table><form><tr><td><input name=a></form></table>",
    "<ul><li>a<li>b<ul><li>c</ul></ul>",
    "<select><option>a<option>b</select><textarea>\n\n c <b> </textarea>",
    "<pre>\n\nkeeps its first empty line</pre>",
    "<pre>\nhas none</pre><listing>\n\nx</listing>",
    "<xmp><b>not bold</b></xmp>",
    "<noscript><p>a</p>b</noscript>",
    "<script>a<b</script><template><p>x</template><iframe>y</iframe><object><p>z</object>",
    "<svg viewBox='0 0 1 1'><text>t</text></svg><math><mi>x</math>after",
    "<custom-element a=1><x:y>t</x:y></custom-element>",
    "a<br>b<wbr>c<hr><img src=a alt='\"'><input value='<'><p title='&quot;&lt;'>",
    "<p>a<!-- - -->b<!---->c",
    "<head><meta charset=utf-8><base href=/x/><link rel=stylesheet href=a.css></head>",
    "<body class=a><p>b</body><p>c</html>d",
    "<dl><dt>a<dd>b<dt>c</dl><ruby>a<rt>b</ruby>",
    "<button><p>a</button><a href=x>b<a href=y>c",
    "<details open><summary>a</summary>b</details>",
    "<frameset><frame src=a></frameset>",
]


@pytest.mark.parametrize("html", ROUND_TRIPS)
@pytest.mark.parametrize("numbered", [True, False])
def test_the_document_has_the_shape_of_the_tree(html: str, numbered: bool) -> None:
    dom = parse(html, MANY, numbered=numbered)

    assert unstyled(parsed_shape(dom.with_defaults(""))) == unstyled(painted_shape(dom))


@pytest.mark.parametrize(
    ("html", "doctype"),
    [
        ("<!-- <!doctype no> -->\n<!DOCTYPE html ><p>", "<!DOCTYPE html >"),
        ("<?xml version='1.0'?><!doctype html PUBLIC '-//X'>", "<!doctype html PUBLIC '-//X'>"),
        ("<p><!doctype html>", ""),
        ("<!-- a -->" * 1000 + "b", ""),
        ("<!-- <!doctype html>", ""),
    ],
)
def test_only_a_doctype_in_front_of_all_is_one(html: str, doctype: str) -> None:
    assert parse(html, MANY).document.partition("<html")[0] == doctype


def test_a_table_in_a_paragraph_stays_there_in_quirks_mode() -> None:
    dom = parse("<p>a<table><tr><td>b", MANY)

    assert dom.tags[dom.parent[dom.tags.index("table")]] == "p"
    assert parsed_shape(dom.document) == painted_shape(dom)


@pytest.mark.parametrize("html", ["", "<p>x", "a\0b", "<!doctype html\0><p>\0", "<p title='\0'>"])
def test_defaults_come_first_and_leave_no_mark(html: str) -> None:
    document = parse(html, MANY).with_defaults("p { color: red }")

    assert "\0" not in document
    assert document.count("<style>p { color: red }</style>") == 1
    head = LexborHTMLParser(document).css_first("head > style")
    assert head is not None
    assert head.text() == "p { color: red }"


def numbers(document: str) -> list[int]:
    """The numbers that a parser finds, element by element."""
    styles = [node.attributes.get("style") or "" for node in LexborHTMLParser(document).css("*")]
    colors = [re.findall(r"color:#(\w{6})!important", style) for style in styles]
    return [node_of(int(color, 16)) for found in colors for color in set(found)]


def test_every_element_has_its_number() -> None:
    dom = parse("<p>a<b>c</b>", MANY)

    assert dom.tags == ["#document", "html", "head", "body", "p", "#text", "b", "#text"]
    assert numbers(dom.document) == [1, 2, 3, 4, 6]
    assert numbers(parse("<p>a", MANY, numbered=False).document) == []


@pytest.mark.parametrize(
    "style",
    [
        "color: red",
        "color: red !important",
        "color: red !IMPORTANT; background: url(x) ! important",
        "font-family: 'unclosed",
        "background: url(unclosed",
        "font-family: &quot;A&quot;, 'B'",
        "color: red; }",
        "{{{",
        "/* unclosed",
        "font-family: 'unclosed ! important",
        "background: (unclosed !important",
        ";;;",
    ],
)
def test_no_style_of_the_author_hides_the_number(style: str, embedded: AnyRenderer) -> None:
    page = embedded.render(
        load(
            f'<!doctype html><p>one</p><div style="{style}">two <i>three</i></div><p>four'.encode()
        )
    )

    assert page.root.text == "one\ntwo three\nfour"
    assert all(node.visible for node in page if node.own_text.strip())


def test_styles_keep_their_quotes() -> None:
    dom = parse("""<p style='font-family: "A&B", Arial'>""", MANY)
    node = LexborHTMLParser(dom.document).css_first("p")

    assert node is not None
    assert str(node.attributes["style"]).endswith(';font-family: "A&B", Arial')


def test_a_style_element_cannot_be_left() -> None:
    dom = parse("<style>p::after { content: '<b>' }</style><svg><style></style ></svg>", MANY)

    assert dom.styles == ["p::after { content: '<b>' }"]
    assert "content: '<b>'" in dom.document


def test_stylesheets_and_base() -> None:
    dom = parse(
        "<base href='/shop/'><base href='/no/'><link rel='alternate StyleSheet' href=' a.css '>"
        "<link rel=icon href=b.ico><body style='margin:0'>",
        MANY,
    )

    assert dom.base.endswith("/shop/")
    assert dom.stylesheets == ["a.css"]
    assert "a.css" in dom.document
    assert dom.styles == ["body{margin:0}"]


def test_stylesheets_that_nobody_has_chosen() -> None:
    dom = parse(
        "<link rel=stylesheet href=a.css disabled><link rel='stylesheet alternate' title=x href=b>"
        "<link rel=stylesheet title=y href=c.css>",
        MANY,
    )

    assert dom.stylesheets == ["c.css"]
    assert dom.document.count("<link") == 1
    assert dom.tags.count("link") == 3
