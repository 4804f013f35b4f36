"""What a page is made of, and what each subtree holds of it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.segment.nodes import common_ancestors
from pagesight.segment.units import units_of
from pagesight.watch.components.sight import sight_of
from pagesight.watch.components.tokens import AllTokens, address_of, section_of, tokens_of
from pagesight.watch.components.windows import likeness
from small_pages import El, el, make_page, text

WORDS = ("tea", "milk", "cup", "pot", "leaf")
trees = st.recursive(
    st.sampled_from(WORDS).map(lambda word: el("p", word)),
    lambda inner: st.lists(inner, min_size=1, max_size=4).map(lambda below: el("div", *below)),
    max_leaves=25,
)


def page_of(tree: El) -> Page:
    return make_page(el("html", el("body", tree)))


def ancestors(page: Page, node: int) -> list[int]:
    """The node and all around it, from the inside."""
    return [node, *(above.id for above in page[node].ancestors)]


@given(trees)
def test_the_innermost_node_around_two_is_the_first_that_both_are_in(tree: El) -> None:
    page = page_of(tree)
    one, other = np.triu_indices(len(page))
    found = common_ancestors(page, one, other)
    for first, second, node in zip(one.tolist(), other.tolist(), found.tolist(), strict=True):
        around = set(ancestors(page, second))
        assert node == next(above for above in ancestors(page, first) if above in around)


@given(trees)
def test_a_subtree_holds_each_of_its_words_once(tree: El) -> None:
    page = page_of(tree)
    tokens = tokens_of(page)["word"]
    weights = np.array([len(word) + 0.5 for word in tokens.strings])
    held = tokens.held(np.arange(len(weights)), weights)
    some = tokens.among(["tea", "cup", "coffee"])
    held_of_some = tokens.held(some, weights[some])
    units = units_of(page)
    for unit, node in enumerate(units.node.tolist()):
        words = set(page.text(node).split())
        assert abs(held[unit] - sum(len(word) + 0.5 for word in words)) < 1e-9
        expected = sum(len(word) + 0.5 for word in words & {"tea", "cup"})
        assert abs(held_of_some[unit] - expected) < 1e-9
        assert tokens.inside(node).keys() == set(page.text(node).split())


def test_an_address_is_compared_without_what_copies_of_a_page_change() -> None:
    assert address_of("https://www.tea.example/Green/Leaf/#top") == "/green/leaf"
    assert address_of("../leaf.html?size=2") == "../leaf.html?size=2"
    assert address_of("https://www.tea.example/") == "tea.example"
    assert address_of("javascript:void(0)") == address_of("http://[") == ""


def test_a_section_is_the_folder_of_an_address() -> None:
    assert section_of("/news/2024/05/a.html") == "/news/0/0"
    assert section_of("/sport") == "/sport"


def test_what_is_not_seen_is_not_held() -> None:
    hidden = el("div", text("secret", visibility=1), visibility=1)
    page = make_page(el("html", el("body", el("p", "plain"), hidden)))
    assert tokens_of(page)["word"].strings == ["plain"]


@given(trees, st.lists(st.sampled_from((*WORDS, "jug")), max_size=4))
def test_short_texts_of_all_units_are_compared_as_two_are(tree: El, known: list[str]) -> None:
    sight = sight_of(page_of(tree))
    units = np.arange(len(sight.units))
    for name, windows in sight.windows.items():
        found = windows.likeness(known, units)
        for unit in units.tolist():
            words = getattr(sight, name)(unit)
            same_first = words[:1] == tuple(known[:1])
            expected = likeness(frozenset(words), frozenset(known), same_first=same_first)
            assert abs(found[unit] - expected) < 1e-9


def test_tokens_of_several_kinds_are_summed_as_those_of_each() -> None:
    page = page_of(el("div", el("p", "tea and milk", attributes={"class": "a b"}), el("p", "tea")))
    kinds = tokens_of(page)
    both = AllTokens((kinds["word"], kinds["name"]))
    (mass,) = both.held(np.arange(both.start[-1]), both.rarity)
    for tokens, sums in zip(both.kinds, mass, strict=True):
        assert np.array_equal(sums, tokens.held(np.arange(len(tokens.index)), tokens.rarity))
    assert np.array_equal(mass, both.mass)
