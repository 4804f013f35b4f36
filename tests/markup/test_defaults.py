"""What browsers do by themselves for headings and paragraphs."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.defaults import DEFAULTS, default_style, flat_edges, is_quirky
from pagesight.markup.tree import HEADINGS
from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.sources import load


@pytest.mark.parametrize(
    ("doctype", "quirky"),
    [
        ("<!DOCTYPE html>", False),
        ("<!doctype HTML >", False),
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">', False),
        ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', False),
        ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">', True),
        ("", True),
    ],
)
def test_a_page_without_a_doctype_of_the_standard_is_quirky(doctype: str, quirky: bool) -> None:
    assert is_quirky(doctype) is quirky


@pytest.mark.parametrize(
    ("html", "edges"),
    [
        ("<p>x</p>", ["start", "end"]),
        ("text<p>x</p>", ["end"]),
        ("<div><p>x</p></div>text", ["start"]),
        ("<script></script> <!-- x --><p>x</p><b>y</b>", ["start"]),
        ("<table><td>text<td><p>x</p></table>text", ["start", "end"]),
    ],
)
def test_margins_are_flat_at_the_edge_of_a_body_or_cell(html: str, edges: list[str]) -> None:
    node = LexborHTMLParser(html).css_first("p")
    assert flat_edges(node, quirky=True) == edges
    assert flat_edges(node, quirky=False) == []


def test_other_elements_have_the_style_of_a_block() -> None:
    node = LexborHTMLParser("<div>x</div>").css_first("div")
    assert default_style(node, quirky=False).startswith("display:block;font-size:inherit")
    assert default_style(node, quirky=True).endswith("margin-block-start:0;margin-block-end:0")


@pytest.mark.browser
@pytest.mark.parametrize("doctype", ["<!doctype html>", ""])
def test_the_defaults_are_those_of_chromium(chromium: AnyRenderer, doctype: str) -> None:
    """Elements that have no style of their own look the same with the defaults written down."""

    def looks(html: str) -> list[object]:
        page: Page = chromium.render(load(html.encode()))
        texts = [node for node in page if node.tag == "#text" and node.visible]
        return [(node.own_text, node.box, node.style) for node in texts]

    tags = (*HEADINGS, "p")
    plain = "".join(f"<{tag}>Tea {tag}</{tag}>" for tag in tags)
    written = plain
    for node in LexborHTMLParser(doctype + plain).css(",".join(tags)):
        style = default_style(node, quirky=not doctype)
        written = written.replace(f"<{node.tag}>", f'<x-y style="{style}">')
        written = written.replace(f"</{node.tag}>", "</x-y>")
    assert looks(doctype + written) == looks(doctype + plain)
    assert set(DEFAULTS) == set(tags)
