from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree  # type: ignore[import-untyped]
from selectolax.lexbor import LexborHTMLParser

from pagesight.page import NodeKind, Page
from small_pages import El, document, el, make_page, pseudo, shadow

TAGS = st.sampled_from(["div", "section", "b", "x-y", "article"])
CHARACTERS = st.characters(codec="utf-8", min_codepoint=0x21, exclude_categories=("Cc", "Cs"))
ODD_IDS = ["1", "-", "--", "-1", "a:b", "a.b", 'q"q', "q'q", "ü", "😀", "\\", "a]", "#", "\xa0"]
IDS = st.text(CHARACTERS, min_size=1, max_size=4) | st.sampled_from(ODD_IDS)


def elements(children: st.SearchStrategy[El | str]) -> st.SearchStrategy[El]:
    return st.builds(
        lambda tag, inner, name: el(
            tag, *_apart(inner), attributes={} if name is None else {"id": name}
        ),
        TAGS,
        st.lists(children, max_size=5),
        st.none() | IDS,
    )


def _apart(children: list[El | str]) -> list[El | str]:
    """Without neighbouring texts, which a parser would join."""
    return [
        child
        for position, child in enumerate(children)
        if isinstance(child, El) or position == 0 or isinstance(children[position - 1], El)
    ]


TREES = st.recursive(
    st.just("text") | st.builds(el, TAGS), lambda inner: elements(inner), max_leaves=25
)


def page_of(tree: El | str) -> Page:
    return make_page(el("html", el("head"), el("body", tree)))


def as_lxml(page: Page) -> list[Any]:
    """The page as lxml elements, by node id; a text is its holder and its rank there."""
    nodes: list[Any] = []
    texts: dict[int, int] = {}
    for node in page:
        parent: Any = nodes[node.parent.id] if node.parent else None
        if node.kind is NodeKind.DOCUMENT:
            nodes.append(None)
        elif node.kind is NodeKind.TEXT:
            assert node.parent is not None
            if len(parent):
                parent[-1].tail = node.own_text
            else:
                parent.text = node.own_text
            rank = texts[node.parent.id] = texts.get(node.parent.id, -1) + 1
            nodes.append((parent, rank))
        else:
            new = etree.Element(node.tag)
            if parent is not None:
                parent.append(new)
            nodes.append(new)
    return nodes


@given(TREES)
def test_every_xpath_finds_exactly_its_node(tree: El | str) -> None:
    page = page_of(tree)
    nodes = as_lxml(page)
    whole = nodes[1].getroottree()
    for node in list(page)[1:]:
        found = whole.xpath(node.xpath)
        expected = nodes[node.id]
        assert len(found) == 1
        if node.kind is NodeKind.TEXT:
            holder, rank = expected
            assert holder.xpath("text()")[rank].getparent() is found[0].getparent()
            assert found[0].is_tail == holder.xpath("text()")[rank].is_tail
        else:
            assert found[0] is expected
            assert whole.getpath(found[0]) == node.xpath


def as_html(page: Page, node: int = 1) -> str:
    one = page[node]
    if one.kind is NodeKind.TEXT:
        return one.own_text
    inner = "".join(as_html(page, child.id) for child in one.children)
    identifier = one.attributes.get("id", "").replace("&", "&amp;").replace('"', "&quot;")
    given = f' id="{identifier}"' if identifier else ""
    return f'<{one.tag}{given} class="n{node}">{inner}</{one.tag}>'


@given(TREES)
def test_every_selector_finds_exactly_its_element(tree: El | str) -> None:
    page = page_of(tree)
    parsed = LexborHTMLParser("<!doctype html>" + as_html(page))
    for node in list(page)[1:]:
        if node.kind is NodeKind.ELEMENT:
            found = parsed.css(node.css)
            assert [one.attributes["class"] for one in found] == [f"n{node.id}"]
        else:
            assert node.parent is not None
            assert node.css == node.parent.css


@pytest.mark.parametrize(
    ("identifier", "selector"),
    [
        ("main", "#main"),
        ("1st", r"#\31 st"),
        ("-1", r"#-\31 "),
        ("-", r"#\-"),
        ("--a", "#--a"),
        ("a:b.c", r"#a\:b\.c"),
        ("tea🍵", "#tea🍵"),
        ("grün", "#grün"),
        ('"', r"#\""),
        ("a b", "html > body > div"),  # no id by the rules of HTML
        ("a\n", "html > body > div"),
        ("", "html > body > div"),
    ],
)
def test_ids(identifier: str, selector: str) -> None:
    assert page_of(el("div", attributes={"id": identifier}))[4].css == selector


def test_an_id_that_occurs_twice_is_no_address() -> None:
    twice = {"id": "x"}
    page = page_of(el("div", el("b", attributes=twice), el("b", attributes=twice)))
    assert page[5].css == "html > body > div > b:nth-of-type(1)"


def test_a_path_begins_at_the_nearest_id() -> None:
    page = page_of(el("div", el("p", el("b"), el("b")), attributes={"id": "x"}))
    assert page[7].css == "#x > p > b:nth-of-type(2)"


def test_pictures_and_formulas() -> None:
    page = page_of(
        el(
            "div",
            el("svg", el("linearGradient"), el("g"), el("g", el("text", "a"))),
            el("math", el("mi", "x")),
            el("svg", el("foreignObject", el("p", el("svg")))),
        )
    )

    assert page.find("text")[0].xpath == (
        "/html/body/div/*[local-name()='svg'][1]/*[local-name()='g'][2]/*[local-name()='text']"
    )
    assert page.find("linearGradient")[0].css.endswith("svg:nth-of-type(1) > linearGradient")
    assert page.find("mi")[0].xpath == "/html/body/div/*[local-name()='math']/*[local-name()='mi']"
    assert page.find("p")[0].xpath == (
        "/html/body/div/*[local-name()='svg'][2]/*[local-name()='foreignObject']/p"
    )
    assert page.find("p")[0].children[0].xpath.endswith("/p/*[local-name()='svg']")


@pytest.mark.parametrize(
    ("tag", "step", "selector"),
    [
        ("o:p", "*[name()='o:p']", r"o\:p"),
        ("a'b", '*[name()="a\'b"]', r"a\'b"),
        ("a'\"b", "*[name()=concat('a', \"'\", '\"b')]", r"a\'\"b"),
        ("x-ü", "*[name()='x-ü']", "x-ü"),
    ],
)
def test_names_that_are_no_xpath_names(tag: str, step: str, selector: str) -> None:
    node = page_of(el(tag))[4]
    assert node.xpath == f"/html/body/{step}"
    assert node.css == f"html > body > {selector}"


def test_paths_into_frames_and_shadow_trees() -> None:
    page = make_page(
        el(
            "html",
            el("iframe", document(el("html", el("p", "a")))),
            el("x-y", shadow(el("div", el("p"), attributes={"id": "in"}), el("div", "b"))),
            el("x-y", shadow(el("p"))),
        )
    )
    framed, inner, last = page.find("p")

    assert framed.xpath == "/html/iframe >> /html/p"
    assert framed.children[0].xpath == "/html/iframe >> /html/p/text()"
    assert framed.css == "html > iframe >> html > p"
    assert inner.xpath == "/html/x-y[1] >> /div[1]/p"
    assert inner.css == "html > x-y:nth-of-type(1) >> #in > p"
    assert page.find("div")[1].css == ("html > x-y:nth-of-type(1) >> div:not(* > *):nth-of-type(2)")
    assert last.css == "html > x-y:nth-of-type(2) >> p:not(* > *)"


def test_generated_content() -> None:
    page = page_of(el("p", pseudo("::before", "«")))
    assert page[5].xpath == "/html/body/p::before"
    assert page[5].css == "html > body > p::before"


def test_the_document() -> None:
    page = page_of("a")
    assert page.root.xpath == "/"
    assert page.root.css == ""
