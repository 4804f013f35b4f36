"""The grammar of stylesheets: what is found in them, and that nothing of them is lost."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.markup.css import (
    ARGUMENT,
    PARENTHESES,
    Ending,
    SheetReference,
    imports,
    listed,
    replace_references,
    segments,
    without_comments,
)

SHEETS = st.lists(
    st.sampled_from(
        ["a", " ", "{", "}", ";", ":", "/*", "*/", '"', "'", "\\", "url(", "(", ")", "u", "curl(",
         "@import", "@media", "h1", ",", "[", "]", "\n", "é", "-url(", "URL("]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@given(st.one_of(SHEETS, st.text(max_size=40)))
def test_the_segments_of_a_sheet_are_the_sheet(sheet: str) -> None:
    assert "".join(part.text + part.ending.value for part in segments(sheet)) == sheet


@given(st.one_of(SHEETS, st.text(max_size=40)))
def test_rewriting_without_a_change_changes_nothing(sheet: str) -> None:
    assert replace_references(sheet, lambda _: None) == sheet


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("p{a:b}", [("p", Ending.BLOCK), ("a:b", Ending.CLOSE)]),
        ("a:b;c:d", [("a:b", Ending.DECLARATION), ("c:d", Ending.NOTHING)]),
        ("/* { */ p {", [("p", Ending.BLOCK)]),
        ("p/* x */q{", [("pq", Ending.BLOCK)]),
        ('a:"{;}";', [('a:"{;}"', Ending.DECLARATION)]),
        (r'a:"\"{";', [(r'a:"\"{"', Ending.DECLARATION)]),
        ("a:'\n{", [("a:'", Ending.BLOCK)]),  # a string ends with its line
        ("a:url(x;y{z)}", [("a:url(x;y{z)", Ending.CLOSE)]),
        ("a:curl(x;y)", [("a:curl(x", Ending.DECLARATION), ("y)", Ending.NOTHING)]),
        (r".a\{b{", [(r".a\{b", Ending.BLOCK)]),
        ("/* never closed {", [("", Ending.NOTHING)]),
    ],
)
def test_a_sheet_is_cut_at_its_braces_and_semicolons(
    sheet: str, expected: list[tuple[str, Ending]]
) -> None:
    assert [(part.code, part.ending) for part in segments(sheet)] == expected


@pytest.mark.parametrize(
    ("sheet", "selects"),
    [("p{", True), ("/* @ */p{", True), ("@media x{", False), ("/* x */ @media x{", False),
     ("p;", False), ("p", False)],
)  # fmt: skip
def test_a_rule_begins_with_selectors(sheet: str, selects: bool) -> None:
    (segment,) = segments(sheet)
    assert segment.is_selector is selects


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ('@import "a.css";', [SheetReference("a.css", "")]),
        ("@import 'a.css' screen;", [SheetReference("a.css", " screen")]),
        ("@IMPORT url( a.css ) layer(x) print;", [SheetReference("a.css", " layer(x) print")]),
        (
            '@import url("a b.css");@import"c";',
            [SheetReference("a b.css", ""), SheetReference("c", "")],
        ),
        ("@import 'a;b.css';", [SheetReference("a;b.css", "")]),
        ("@import url(a.css)", [SheetReference("a.css", "")]),
        ("/* @import 'a'; */ p { content: \"@import 'b';\" }", []),
        ("@import a.css;", []),  # without quotes, this is not an address
        ("@import '';", []),
        ("p { background: url(a.png) }", []),
    ],
)
def test_imports_are_found_with_their_conditions(
    sheet: str, expected: list[SheetReference]
) -> None:
    assert imports(sheet) == expected


def test_addresses_are_replaced_where_they_are_meant() -> None:
    sheet = """@import 'a.css' screen; p { background: url(b.png) url("c d.png") }
    /* url(e.png) */ q { content: "url(f.png)"; mask: url(#g); x: curl(h.png) }"""

    def replacement(reference: SheetReference) -> str | None:
        if reference.address.startswith("#"):
            return None
        return str(SheetReference(f"/{reference.address}", reference.conditions))

    assert replace_references(sheet, replacement) == (
        """@import url("/a.css") screen; p { background: url("/b.png") url("/c d.png") }
    /* url(e.png) */ q { content: "url(f.png)"; mask: url(#g); x: curl(h.png) }"""
    )


def test_an_import_goes_with_its_semicolon() -> None:
    assert replace_references("@import 'a';p{}", lambda _: "") == "p{}"


def test_a_quote_in_an_address_does_not_end_it() -> None:
    written = str(SheetReference('a"b.css', ""))
    assert written == '@import url("a%22b.css");'
    assert imports(written) == [SheetReference("a%22b.css", "")]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", []),
        ("a, b", ["a", "b"]),
        (":is(a, b), [c='d,e'], f(g(h,i),j)", [":is(a, b)", "[c='d,e']", "f(g(h,i),j)"]),
        ("a(b, c", ["a(b", "c"]),  # never closed
    ],
)
def test_a_list_is_split_at_its_own_commas(text: str, items: list[str]) -> None:
    assert listed(text) == items


def test_comments_go() -> None:
    assert without_comments("a/* b */c/* d") == "ac"
    assert without_comments("a / b") == "a / b"


@pytest.mark.parametrize(
    ("text", "whole"),
    [("()", True), ("(a(b(c(d))))", True), ("(a", False), ("(a))", False), ("(a{b)", False)],
)
def test_parentheses_are_balanced(text: str, whole: bool) -> None:
    assert bool(re.fullmatch(PARENTHESES, text)) is whole
    assert bool(re.fullmatch(f"f{PARENTHESES}", f"f{text}")) is whole
    assert bool(re.fullmatch(ARGUMENT, f"f{text} 1px")) is whole


@pytest.mark.parametrize(
    "sheet",
    ["{" * 50_000, "(" * 50_000, "[" * 50_000, "url(" * 50_000, "/*" * 50_000, "'" * 50_000,
     "u" * 50_000, "@import " * 50_000, "\\" * 50_000, "," * 50_000],
)  # fmt: skip
def test_no_sheet_takes_long(sheet: str) -> None:
    start = time.process_time()
    list(segments(sheet))
    imports(sheet)
    listed(sheet)
    assert time.process_time() - start < 5
