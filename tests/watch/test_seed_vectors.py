"""Content vectors, and which of them hold others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_portals import block, portal

from pagesight.segment.index_tree import index_tree
from pagesight.watch.seed.vectors import ContentVector, Holders, content_vectors, file_name
from small_pages import el

TERMS = st.frozensets(st.sampled_from("abcd"), max_size=4)
VECTORS = st.builds(ContentVector, TERMS, TERMS)


def test_a_vector_has_the_words_and_the_file_names_of_the_pictures() -> None:
    page = portal(block("Green", "tea,", "green!", pictures=["/img/cup.png?w=20", "b/pot.jpg"]),
                  block("Milk"))  # fmt: skip
    assert content_vectors(page, index_tree(page).fragments()) == [
        ContentVector(frozenset({"green", "tea"}), frozenset({"cup.png", "pot.jpg"})),
        ContentVector(frozenset({"milk"})),
    ]


@pytest.mark.parametrize("before", ["data:image/gif,x", "/blank.gif"])
def test_a_picture_that_is_loaded_later_has_the_name_of_the_real_one(before: str) -> None:
    later = el("img", attributes={"src": before, "data-src": "/tea.png"})
    never = el("img", attributes={"src": "data:image/gif,x"})
    page = portal(el("div", later, never))
    (vector,) = content_vectors(page, index_tree(page).fragments())
    assert vector.pictures == {"tea.png"}


def test_words_of_all_nodes_of_a_component_count() -> None:
    page = portal(
        el("div", el("p", "tea"), el("div", "x" * 20), el("p", "hot"), el("div", "y" * 20))
    )
    vectors = content_vectors(page, index_tree(page).fragments(100))
    assert vectors[0].words == {"tea", "hot"}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://tea.example/a/cup.png?w=1#x", "cup.png"),
        ("cup%20of.png", "cup of.png"),
        ("/cups/", "cups"),
        ("", ""),
        ("https://[tea", "https://[tea"),
    ],
)
def test_the_file_name_of_an_address(address: str, name: str) -> None:
    assert file_name(address) == name


@given(st.lists(VECTORS, max_size=8), VECTORS)
def test_holders_are_those_that_have_all_of_it(
    vectors: list[ContentVector], held: ContentVector
) -> None:
    expected = [place for place, vector in enumerate(vectors)
                if held.words <= vector.words and held.pictures <= vector.pictures]  # fmt: skip
    assert list(Holders(vectors).holding(held)) == expected


@given(VECTORS, VECTORS)
def test_vectors_are_pairs_of_sets(one: ContentVector, other: ContentVector) -> None:
    assert one & other <= one
    assert len(one) == len(one & other) + len(one - other)
    assert len(set(one.terms)) == len(one)
