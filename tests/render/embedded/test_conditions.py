"""Conditions of stylesheets are decided as Chromium decides them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.render import AnyRenderer
from pagesight.sources import load

QUERIES = [
    "screen", "print", "all", "(min-width:500px)", "(max-width:500px)", "(min-width:10em)",
    "(prefers-color-scheme:light)", "(prefers-color-scheme: dark)", "(prefers-color-scheme)",
    "(prefers-reduced-motion: no-preference)", "(prefers-reduced-motion:reduce)",
    "(prefers-reduced-motion)", "(hover:hover)", "(hover)", "(hover:none)", "(pointer: coarse)",
    "(any-pointer:fine)", "(min-resolution:1dppx)", "(min-resolution: 192dpi)",
    "(-webkit-min-device-pixel-ratio: 1.5)", "(min-resolution:96dpi)", "(max-resolution:1dppx)",
    "(width>=600px)", "(width < 600px)", "(400px <= width <= 5000px)", "(400px > width)", "(color)",
    "(display-mode:browser)", "(scripting:none)", "(forced-colors: active)", "not print",
    "(min-device-width:100px)", "only print, only all and (prefers-color-scheme: light)",
    "screen and (min-width:100px) and (hover:hover)", "not all and (hover:none)",
    "(width = 1280px)", "(1000px = width)", "(width=600px)", "(grid:0)", "(grid)", "(grid: 1)",
    "(monochrome)", "(monochrome:0)", "(resolution:1dppx)", "(resolution: 2x)",
]  # fmt: skip
RULES = [
    "@supports (display:flex) { p { display:block } }",
    "@supports not (display:flex) { p { display:block } }",
    "@supports ((-o-object-fit:cover) or (object-fit:cover)) { p { display:block } }",
    "@supports (-moz-appearance:none) { p { display:block } }",
    "@supports (-webkit-touch-callout:none) { p { display:block } }",
    "@supports (not (display:flex)) { p { display:block } }",
    "@layer base { p { display:block } }",
    "@layer a, b; p { display:block }",
    "@layer { @media (hover:hover) { p { display:block } } }",
    *(f"@media {query} {{ p {{ display:block }} }}" for query in QUERIES),
]


def is_shown(renderer: AnyRenderer, html: str) -> bool:
    return "yes" in renderer.render(load(html.encode())).root.text


@pytest.mark.browser
@pytest.mark.parametrize("css", RULES)
def test_a_rule_holds_where_it_does_in_chromium(
    css: str, chromium: AnyRenderer, embedded: AnyRenderer
) -> None:
    hidden = "@layer first { p { display:none } }"
    html = f"<!doctype html><style>{hidden} {css}</style><p>yes</p><div>always</div>"

    assert is_shown(embedded, html) is is_shown(chromium, html)


@pytest.mark.browser
@pytest.mark.parametrize("query", QUERIES)
def test_a_stylesheet_is_for_the_same_media(
    query: str, chromium: AnyRenderer, embedded: AnyRenderer
) -> None:
    html = (
        "<!doctype html><style>p { display:none }</style>"
        f'<style media="{query}">p {{ display:block }}</style><p>yes</p><div>always</div>'
    )

    assert is_shown(embedded, html) is is_shown(chromium, html)


@pytest.mark.browser
@pytest.mark.parametrize(
    "conditions",
    [
        "", "screen", "print", "(hover:hover)", "(hover:none)", "layer", "layer(base)",
        "layer(base) screen", "layer(base) (hover:none)", "supports(display:flex)",
        "supports(not (display:flex))", "layer(a) supports(display:flex) print",
    ],
)  # fmt: skip
@pytest.mark.parametrize("inline", [True, False])
def test_an_import_is_for_the_same_media(
    inline: bool, conditions: str, chromium: AnyRenderer, embedded: AnyRenderer, tmp_path: Path
) -> None:
    (tmp_path / "shown.css").write_text("p { visibility: visible !important; display: block }")
    (tmp_path / "all.css").write_text(f"@import 'shown.css' {conditions};")
    style = f"<style>@import url(shown.css) {conditions};</style>"
    page = tmp_path / "page.html"
    page.write_text(
        f"<!doctype html>{style if inline else '<link rel=stylesheet href=all.css>'}"
        "<style>p { visibility: hidden }</style><p>yes</p><div>always</div>"
    )
    shown = [renderer.render(load(page)).find("p")[0].visible for renderer in (chromium, embedded)]

    assert shown[0] is shown[1]


def test_a_grid_that_the_engine_lacks_is_not_supported(embedded: AnyRenderer) -> None:
    html = "<style>p { display:none } @supports (display:grid) { p { display:block } }</style>"

    assert not is_shown(embedded, html + "<p>yes</p>")
    assert is_shown(embedded, html.replace("(display", "not (display") + "<p>yes</p>")


@pytest.mark.parametrize(
    "css",
    [
        "@media (a:" + " " * 20_000, "@media (" + "1" * 20_000, "@media " + "1" * 20_000 + "x",
        "@layer " * 100_000, "@supports " * 100_000, "x" * 100_000, "/*" * 100_000,
        "url(data:" * 100_000, "@import " + "x" * 20_000, "@media (((((" * 20_000,
        "text-decoration:" * 100_000,
    ],
)  # fmt: skip
def test_no_stylesheet_takes_long(css: str, embedded: AnyRenderer) -> None:
    page = embedded.render(load(f"<!doctype html><p>yes</p><style>{css}</style>".encode()))

    assert "yes" in page.root.text
