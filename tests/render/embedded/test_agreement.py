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
    "scaled to nothing": "<p style='transform:scale(0)'>a</p><p style='position:relative'>b</p>"
    "<p style='transform:translate(9px,9px)'>c</p><p style='scale:0'>d</p>e",
    "moved away": "<p style='transform:translate3d(-2000px,0,0)'>a</p>"
    "<p style='translate:-2000px'>b</p><p style='transform:translateX(-2000px) translateZ(0)'>c</p>"
    "<p style='transform:translate3d(5px,0,0) rotateZ(0deg)'>d</p>e",
    "after an animation": "<style>@keyframes in{from{opacity:0}to{opacity:1}}"
    "@keyframes out{100%{opacity:0}}.a{opacity:0;animation:in 9s forwards}"
    ".b{animation:out 9s both}.c{opacity:0;animation:in 9s}.d{animation:out 9s}</style>"
    "<p class=a>a<p class=b>b<p class=c>c<p class=d>d",
    "scrollers": "<div style='overflow:auto;height:30px'>a<br>b<br>c</div>"
    "<div style='overflow:scroll;max-height:30px'>d<br>e<br>f</div><div style='height:99px'>g</div>"
    "<pre style='overflow:auto;white-space:pre;width:90px'>h<b>" + "i" * 50 + "</b><i>j</i></pre>"
    "<div style='overflow:hidden;height:30px'>k<br>l<br>m<br>n</div>",
    "rules in rules": "<style>.a{p{display:none}.b &{opacity:0}> i{visibility:hidden}"
    "@media(min-width:9px){& u{display:none}}}</style><div class=a>1<p>2</p><i>3</i><b><i>4</i></b>"
    "<u>5</u></div><div class=b>6<div class=a>7</div></div>",
    "clipped away": "<p style='clip-path:inset(50%)'>a<p style='clip-path:circle(0)'>b"
    "<p style='clip-path:polygon(0 0,0 0,0px 0%)'>c<p style='clip-path:inset(1px)'>d",
    "not to be seen": "<div popover>a</div><p style='content-visibility:hidden'>b</p>"
    "<p style='overflow:clip;height:0'>c</p><p style='font-size:1px'>d</p>"
    "<p style='background:oklch(20% 0.05 250);color:#fff'>e</p>",
    "formulas": "a<math><mi>b</mi><mo>=</mo><msup><mn>2</mn><mi>c</mi></msup></math>"
    "<math><semantics><mrow><mi>d</mi></mrow><annotation>e</annotation></semantics></math>f",
    "names between words from right to left": "<p dir=rtl>עברית <b>מודגש</b> 123 abc</p>",
    "spaces without width": "<p>a<b>b</b> […\u200b]; <b>c</b>&zwj;d&lrm; e<i>f</i>\ufeffg",
    "borders of three sides": "<p style='border:1px solid red;border-right:0;color:red'>a"
    "<p style='border:3px double red;color:red'>b<p style='border-top:1px solid;border-left:2px "
    "solid'>c",
    "a body that scrolls": "<style>html,body{height:100%}body{overflow:hidden}</style>"
    "<p style='height:2000px'>a<p>b",
    "fixed to the window": "<div style='position:fixed;bottom:0;left:0'>a</div>"
    "<div style='position:fixed;bottom:-90px'>b</div>",
    "white on pictures": "<body style='background:url(no.jpg) no-repeat;color:#fff'>a"
    "<p style='background:linear-gradient(red,blue) no-repeat,#123'>b"
    "<p style='background:linear-gradient(red, blue), url(\"no pic.png\") #000'>c",
    "grids on large screens": "<style>p{display:none}@media(min-width:9px){p{display:grid}}"
    "@supports(display:grid){i{color:red}}</style><p>a<i>b</i>",
    "text in columns": "<div style='column-count:2;width:300px'>one two three four five six seven "
    "eight nine ten eleven<h3 style='column-span:all'>a</h3>twelve thirteen</div>",
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
