"""The training phase: constant and identifying vectors, weak components, and the page index."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_portals import block, portal

from pagesight.errors import ModelError
from pagesight.page import Page, Visibility
from pagesight.segment.index_tree import TABLES
from pagesight.watch.seed import PageIndex, figures, learn_index
from pagesight.watch.seed.page_index import Neighbours
from pagesight.watch.seed.training import constant, identifying, series, weak
from pagesight.watch.seed.vectors import ContentVector
from small_pages import el, text

TERMS = st.frozensets(st.sampled_from("abcd"), max_size=4)
VECTORS = st.lists(st.builds(ContentVector, TERMS, TERMS), min_size=1, max_size=8)
BLOCKS = st.lists(st.lists(st.sampled_from("ab bc cd de ef".split()), max_size=4), max_size=6)


def vector(words: str, pictures: str = "") -> ContentVector:
    return ContentVector(frozenset(words.split()), frozenset(pictures.split()))


def days(*news: str) -> list[Page]:
    """A page with a heading, a menu and these news, one after the other."""
    return [portal(block("Tea", "News", day), block("Tea", "Menu", "Home"), block("Tea"))
            for day in news]  # fmt: skip


# From CV to CCV to ICV


def test_constant_is_what_all_samples_of_a_component_have() -> None:
    samples = [[vector("a b", "x y"), vector("c")], [vector("b d", "y"), vector("c e")]]
    assert constant(samples) == [vector("b", "y"), vector("c")]


def test_identifying_is_what_not_all_components_have() -> None:
    assert identifying([vector("a b c", "x"), vector("a c"), vector("a", "x")]) == [
        vector("b c", "x"), vector("c"), vector("", "x"),
    ]  # fmt: skip


def test_a_single_component_keeps_what_it_has() -> None:
    assert identifying([vector("a b")]) == [vector("a b")]


@given(VECTORS)
def test_weak_is_what_is_contained_in_another(vectors: list[ContentVector]) -> None:
    assert weak(vectors) == [
        not len(one) or any(one <= other for at, other in enumerate(vectors) if at != place)
        for place, one in enumerate(vectors)
    ]


@given(VECTORS)
def test_strong_vectors_have_one_holder_among_the_constant_ones(
    vectors: list[ContentVector],
) -> None:
    identified = identifying(vectors)
    for place, is_weak in enumerate(weak(identified)):
        holders = [at for at, other in enumerate(vectors) if identified[place] <= other]
        assert is_weak or holders == [place]


@given(st.lists(st.booleans(), max_size=12))
def test_a_series_is_between_the_nearest_strong_components(flags: list[bool]) -> None:
    strong = [place for place, flag in enumerate(flags) if not flag]
    for place, identifier in enumerate(series(flags)):
        if not flags[place]:
            assert identifier is None
            continue
        previous = max((one for one in strong if one < place), default=None)
        following = min((one for one in strong if one > place), default=None)
        first = 0 if previous is None else previous + 1
        assert identifier == Neighbours(previous, following, place - first)


# The page index


def test_training_keeps_what_stays_and_what_is_special() -> None:
    index = learn_index(days("rain", "snow", "sun"))
    assert [component.id for component in index.components] == ["1-1", "1-2", "1-3"]
    assert [component.vector.words for component in index.components] == [
        {"news"}, {"menu", "home"}, frozenset(),
    ]  # fmt: skip
    assert [component.weak for component in index.components] == [False, False, True]
    assert index.components[2].neighbours == Neighbours(1, None, 0)
    assert index.components[2].text == len("Tea")


def test_one_sample_is_enough_to_learn_from() -> None:
    (component, *_) = learn_index(days("rain")).components
    assert component.vector.words == {"news", "rain"}


def test_a_sample_of_another_structure_is_rejected() -> None:
    other = portal(block("Other"), *(block("Page") for _ in range(5)))
    pages = days("rain", "rain")
    index = learn_index([pages[0], other, pages[1]])
    assert [sample.kept for sample in index.samples] == [True, False, True]
    assert [sample.components for sample in index.samples] == [3, 6, 3]
    assert index.components == learn_index(pages).components


def test_as_many_components_in_other_places_are_another_structure() -> None:
    nested = portal(el("div", block("Tea", "News"), block("Tea", "Menu")), block("Tea"))
    index = learn_index([nested, *days("rain")])
    assert [sample.kept for sample in index.samples] == [False, True]


@given(st.lists(BLOCKS, min_size=1, max_size=4))
def test_only_samples_like_the_last_one_teach(samples: list[list[list[str]]]) -> None:
    pages = [portal(*(block(*words) for words in blocks)) for blocks in samples]
    index = learn_index(pages)
    kept = [page for page, sample in zip(pages, index.samples, strict=True) if sample.kept]
    assert index.samples[-1].kept
    assert learn_index(kept).components == index.components


def test_there_must_be_a_page() -> None:
    with pytest.raises(ValueError, match="nothing to learn from"):
        learn_index([])


def test_tables_alone_divide_a_page_if_asked_for() -> None:
    page = portal(block("a" * 50), block("b" * 50, tag="table"), block("c" * 50, tag="table"))
    assert learn_index([page], tags=TABLES).ids == ["1-0", "1-1", "1-2"]


# What is asked for


def test_a_node_stands_for_the_component_around_it_or_those_inside() -> None:
    column = el("div", block("Tea", "x" * 50), block("Milk", "y" * 50))
    unseen = el("div", text("hidden", visibility=Visibility.HIDDEN))
    page = portal(block("News"), column, unseen)
    paragraph, around, hidden = (page.find("p")[1].id, page.find("div")[1].id,
                                 page.find("div")[4].id)  # fmt: skip
    index = learn_index([page], nodes=[paragraph, around, hidden])
    assert index.ids == ["1-1", "1-2-1", "1-2-2"]
    assert index.wanted == ((1,), (1, 2), ())


def test_without_nodes_all_components_are_asked_for() -> None:
    assert learn_index(days("rain")).wanted == ((0,), (1,), (2,))


# As JSON


@given(st.lists(BLOCKS, min_size=1, max_size=3))
def test_an_index_is_the_same_after_json(samples: list[list[list[str]]]) -> None:
    pages = [portal(*(block(*words, pictures=words[:1]) for words in blocks)) for blocks in samples]
    index = learn_index(pages)
    assert PageIndex.from_json(json.loads(json.dumps(index.to_json()))) == index


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 99},
        {"wanted": [[7]]},
        {"components": [{"id": "1"}]},
        {"samples": [{"pages": 1}]},
        {"size": "large"},
    ],
)
def test_a_damaged_index_is_an_error(changes: dict[str, Any]) -> None:
    value = learn_index(days("rain")).to_json()
    with pytest.raises(ModelError, match="page index is damaged"):
        PageIndex.from_json({**value, **changes})


def test_an_id_that_is_not_a_path_is_an_error() -> None:
    value = learn_index(days("rain")).to_json()
    value["components"][0]["id"] = "first"
    with pytest.raises(ModelError, match="'first' is not an ID"):
        PageIndex.from_json(value)


def test_a_component_without_signature_is_an_error() -> None:
    value = learn_index(days("rain")).to_json()
    value["components"][2]["neighbours"] = None
    with pytest.raises(ModelError, match="no signature"):
        PageIndex.from_json(value)


# Figures


def test_figures_are_those_of_the_paper() -> None:
    numbers = figures(learn_index([*days("rain", "snow"), portal(block("x")), *days("sun")]))
    assert numbers.components == (3, 3, 1, 3)
    assert (numbers.usual, numbers.kept) == (3, 3)
    assert numbers.icv_words == (1, 2, 0)
    assert numbers.icv_pictures == (0, 0, 0)
    assert (numbers.strong, numbers.weak, numbers.empty) == (2, 1, 1)
