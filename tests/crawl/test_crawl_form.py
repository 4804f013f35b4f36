from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagesight.crawl.form import heading_levels, is_coherent, is_strict, is_well_formed

HTML = "<!DOCTYPE html><title>Tea</title>"
XHTML = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">'
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tea</title></head><body>%s</body></html>'
)


@pytest.mark.parametrize(
    ("levels", "coherent", "strict"),
    [
        ("123", True, True),
        ("1223123", True, True),
        ("23", True, False),
        ("213", True, False),
        ("132", True, False),  # h2 is there, in the wrong place
        ("523", False, False),  # the example of the paper
        ("13", False, False),
        ("1", False, False),
        ("222", False, False),
        ("", False, False),
        ("56", True, False),
    ],
)
def test_levels(levels: str, coherent: bool, strict: bool) -> None:
    assert is_coherent(levels) == coherent
    assert is_strict(levels) == strict


@given(st.text("123456"))
def test_levels_as_the_paper_writes_them(levels: str) -> None:
    used = {int(level) for level in levels}
    exists = any(
        used == set(range(j, j + n + 1)) for j in range(1, 7) for n in range(1, 7) if j + n <= 6
    )
    assert is_coherent(levels) == exists


@pytest.mark.parametrize(
    ("text", "good"),
    [
        (HTML + "<p>One<p>Two<ul><li>a<li>b</ul>", True),
        (HTML + "<div><p>One</div>", True),
        (HTML + "<div><img src=a><br></div><svg><path d=''/></svg>", True),
        (HTML + "<script>'</div>'</script><!-- </b> -->", True),
        (HTML + "<DIV></div>", True),
        (HTML + "<div><span></div></span>", False),
        (HTML + "<div>", False),
        (HTML + "</div>", False),
        (HTML + "<b>One", False),
        ("<title>Tea</title><p>One", False),  # no doctype
    ],
)
def test_markup(text: str, good: bool) -> None:
    assert is_well_formed(text) == good


def test_only_xhtml() -> None:
    assert is_well_formed(XHTML % "<p>One<br /></p>", xhtml=True)
    assert not is_well_formed(XHTML % "<p>One</b></p>", xhtml=True)
    assert not is_well_formed(HTML + "<p>One", xhtml=True)


def test_headings_that_say_nothing_do_not_count() -> None:
    html = "<h1>A</h1><h3> </h3><h2><b>B</b></h2><h4></h4>"
    assert heading_levels(LexborHTMLParser(html)) == "12"


def test_deep_trees() -> None:
    deep = "<div>" * 50_000 + "</div>" * 50_000
    assert is_well_formed(HTML + deep)
