"""The embedded renderer and the browser see the same texts at the same addresses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import NodeKind, Page
from pagesight.render import AnyRenderer
from pagesight.sources import load

pytestmark = pytest.mark.browser

TRICKY = {
    "misnested": "<b><p>x</b>y</p><i>a<b>b</i>c</b>",
    "foster parents": "<table>a<tr>b<td>c</td>d</tr>e</table>f",
    "unclosed items": "<ul><li>a<li>b<ul><li>c</ul>d<li>e</ul><dl><dt>f<dd>g<dt>h</dl>",
    "unclosed cells": "<table><tr><td>a<td>b<th>c<tr><td>d<tfoot><tr><td>e</table>",
    "paragraphs": "<p>a<p>b<div>c<p>d</div>e</p>f",
    "quirks": "<p>a<table><tr><td>b</table>c",
    "form in a table": "<table><form><tr><td>a<input></form><tr><td>b</table>",
    "forms in forms": "<form>a<form>b</form>c</form>d",
    "links in links": "<a href=x>a<a href=y>b</a>c</a>d",
    "headings": "<h1>a<h2>b</h1>c</h2>d",
    "custom elements": "<my-card>a<my-title>b</my-title>c</my-card><x:y>d</x:y>",
    "comments": "<p>a<!-- 1 -->b<!-- 2 --><b>c</b>d<!-- 3 --> e",
    "scripts between texts": "<p>a<script>1</script>b<style>i{}</style>c<template>d</template>e",
    "drawings": "<p>a<svg width=9 height=9><rect /></svg>b<math></math>c",
    "buttons": "<button>a<p>b</button><select><option>c</select><textarea>d</textarea>e",
    "entities": "<p>&lt;b&gt; &amp;amp; &copy; &notit; &#x41;&#0;</p>",
    "after the end": "<body><p>a</body></html>b<p>c",
    "noscript": "<noscript>a<p>b</p></noscript>c",
    "noscript in head": "<head><noscript><style>p{color:red}</style></noscript></head><p>a",
    "line breaks": "<pre>\n\na\n b</pre><p>c<br>d<wbr>e",
    "raw texts": "<xmp><b>a</b></xmp><listing>\nb</listing>",
    "details": "<details>a<summary>b</summary>c</details><details open>d<summary>e</summary>",
    "lists without items": "<ul>a<b>b</b></ul><li>c",
    "options": "<p hidden>a</p><p style='display:none'>b</p><p style='visibility:hidden'>c</p>d",
    "definitions in tables": "<table><caption>a<tr><td><table><tr><td>b</table>c</table>",
    "ruby": "<ruby>a<rt>b<rp>c</ruby>d",
    "plain text": "a<plaintext><b>c",
}


def texts(page: Page) -> set[tuple[str, str]]:
    """Visible texts by their address."""
    return {
        (node.xpath, node.own_text)
        for node in page
        if node.kind is NodeKind.TEXT and node.visible and node.own_text.strip()
    }


@pytest.mark.parametrize("name", TRICKY)
@pytest.mark.parametrize("doctype", ["<!doctype html>", ""], ids=["standard", "quirks"])
def test_texts_and_addresses(
    name: str, doctype: str, embedded: AnyRenderer, see: Callable[[str], Page]
) -> None:
    html = doctype + TRICKY[name]

    assert texts(embedded.render(load(html.encode()))) == texts(see(html))
