"""What an element's tag does for its look."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.looks import Cascade, Declaration, StyleRule, declarations, rules


def kept(before: str, after: str, sheet: str = "", *, quirky: bool = False) -> str:
    """What makes the element #x of a document look as it did in the one before."""
    old, new = LexborHTMLParser(before), LexborHTMLParser(after)
    one, other = (parser.css("#x")[0].mem_id for parser in (old, new))
    return Cascade(rules([sheet]), quirky).kept(old, new, {one: other})[one]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("", []),
        ("color: red", ["color:red"]),
        ("COLOR:Red;margin:0 !important", ["color:Red", "margin:0!important"]),
        ("color: red /* ; */ ; /* x */", ["color:red"]),
        ("background: url(a;b:c.png)", ["background:url(a;b:c.png)"]),
        ("filter: progid:X.Y(a=b)", ["filter:progid:X.Y(a=b)"]),
        ("color: red\nmargin: 0; top: 1px", ["top:1px"]),  # it runs into the next
        ("color", []),
        ("p { color: red", ["color:red"]),
    ],
)
def test_declarations_of_a_block(style: str, expected: list[str]) -> None:
    assert [str(declaration) for declaration in declarations(style)] == expected


@pytest.mark.parametrize(
    ("name", "family"),
    [("margin-block", "margin"), ("font-size", "font"), ("line-height", "font"),
     ("border-bottom-color", "border"), ("color", "color")],
)  # fmt: skip
def test_names_that_set_one_another_are_a_family(name: str, family: str) -> None:
    assert Declaration(name, "0", important=False).family == family


@pytest.mark.parametrize(
    ("sheet", "selectors"),
    [
        ("p, :is(a, b) { x: y }", ["p", ":is(a, b)"]),
        ("p { } q { x: y }", ["q"]),
        ("@media screen { p { x: y } } @media print { q { x: y } }", ["p"]),
        ("@media amzn-kf8 { p { x: y } @supports (a: b) { q { x: y } } } r { x: y }", ["r"]),
        ("@MEDIA(min-width: 1px){ p { x: y } }", ["p"]),
        ("@layer a { p { x: y } } @supports (-moz-x: y) { q { x: y } }", ["p"]),
        ("@font-face { src: url(a) } @keyframes k { to { x: y } } p { x: y }", ["p"]),
        ("a:hover, p::before, q { x: y }", ["q"]),
        ("} p { x: y }", ["p"]),
    ],
)
def test_rules_that_hold(sheet: str, selectors: list[str]) -> None:
    assert [rule.selector for rule in rules([sheet])] == selectors


def test_rules_of_all_sheets_are_counted() -> None:
    assert [rule.order for rule in rules(["p { x: y }", "q, r { x: y }"])] == [0, 1, 2]


@pytest.mark.parametrize(
    ("weak", "strong"),
    [("p", "p p"), ("p p p", ".a"), (".a .b", "#a"), ("p", "p"), (":where(#a) p", "p.a"),
     (":not(p)", ":not(.a)"), ("p", "p[a]"), ("p", "p:first-child")],
)  # fmt: skip
def test_the_stronger_selector_wins(weak: str, strong: str) -> None:
    assert StyleRule(weak, (), 0).rank < StyleRule(strong, (), 1).rank


@pytest.mark.parametrize(
    ("selector", "subject"),
    [("p", {"p"}), ("div > P.a#b", {"p", ".a", "#b"}), ("a:not(.b)", {"a"}), ("*", set()),
     ("p[a='b c']:nth-child(2n + 1)", {"p"})],
)  # fmt: skip
def test_a_rule_is_about_its_last_part(selector: str, subject: set[str]) -> None:
    assert StyleRule(selector, (), 0).subject == subject


def test_what_only_the_browser_does_is_kept() -> None:
    assert kept("<p id=x>", "<h2 id=x>") == (
        "font-size:inherit;font-weight:inherit;margin-block:1em;margin-inline:0"
    )


def test_nothing_is_kept_where_nothing_changes() -> None:
    assert kept("<p id=x>", "<p id=x>", "p { color: red }") == ""


def test_rules_by_tag_are_kept_and_those_of_the_new_tag_undone() -> None:
    sheet = "p { color: red } h2 { padding: 9px } #x { top: 0 }"
    found = kept("<p id=x>", "<h2 id=x>", sheet).split(";")
    assert "color:red" in found
    assert "padding:unset" in found
    assert not [declaration for declaration in found if declaration.startswith("top")]


def test_what_is_important_in_the_new_rules_is_so_in_what_is_kept() -> None:
    sheet = "p { color: red } h2 { color: blue !important }"
    assert "color:red!important" in kept("<p id=x>", "<h2 id=x>", sheet)


def test_margins_at_the_edge_of_a_quirky_page_are_flat() -> None:
    assert "margin-block-start:0;margin-block-end:0" in kept("<p id=x>", "<h2 id=x>", quirky=True)


def test_selectors_that_the_parser_does_not_know_are_left_out() -> None:
    assert "color" not in kept("<p id=x>", "<h2 id=x>", "p:::x { color: red }")
