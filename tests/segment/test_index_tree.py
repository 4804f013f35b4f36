"""The index tree and its fragmentation, held against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page, Visibility
from pagesight.page.page import Node
from pagesight.segment.index_tree import LAYOUT_TAGS, TABLES, IndexTree, index_tree
from pagesight.segment.nodes import seen_texts
from small_pages import El, el, make_page, text

HIDDEN = Visibility.NOT_RENDERED
SIZES = st.sampled_from((0, 20, 100, 300, 700, 1000))
LEAVES = st.one_of(
    st.sampled_from(("tea", "green tea ", "  ", "a longer text about many teas")),
    st.sampled_from(("white", "black")).map(lambda word: text(word, visibility=HIDDEN)),
    st.just(el("img", attributes={"src": "cup.png"})),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda tag, children: el(tag, *children),
        st.sampled_from(("div", "p", "table", "a", "ul", "span")),
        st.lists(inner, max_size=5),
    ),
    max_leaves=30,
)
PAGES = st.lists(TREES, max_size=6).map(lambda parts: make_page(el("body", *parts)))


# Definitions


def index_children(node: Node) -> list[Node]:
    """The nearest nodes below that lay out the page and show something."""
    found: list[Node] = []
    for child in node.children:
        indexed = child.tag in LAYOUT_TAGS and shown(child)
        found += [child] if indexed else index_children(child)
    return found


def shown(node: Node) -> bool:
    inside = [node, *node.descendants]
    return any(below.tag == "img" or (below.visible and below.own_text.strip()) for below in inside)


def length(node: Node) -> int:
    texts = (below.own_text for below in [node, *node.descendants] if below.visible)
    return sum(len(" ".join(string.split())) for string in texts)


def components(node: Node, path: str, size: int, whole: int) -> dict[str, list[int]]:
    """The nodes of the components below an index node, by ID."""
    inner = index_children(node)
    beside = length(node) - sum(map(length, inner))
    if not inner or length(node) * 1000 <= size * whole or 2 * beside > length(node):
        return {path: [node.id]}
    found: dict[str, list[int]] = {}
    if left := rest(node):
        found[f"{path}-0"] = left
    for place, child in enumerate(inner, start=1):
        found |= components(child, f"{path}-{place}", size, whole)
    return found


def rest(node: Node) -> list[int]:
    """The largest subtrees that show something and have no index node."""
    found: list[int] = []
    for child in node.children:
        if child.tag in LAYOUT_TAGS and shown(child):
            continue
        if index_children(child):
            found += rest(child)
        elif shown(child):
            found.append(child.id)
    return found


# The tree


@given(PAGES)
def test_the_tree_and_its_measures_are_those_of_the_definitions(page: Page) -> None:
    tree = index_tree(page)
    for place, node in enumerate(tree.nodes.tolist()):
        below = [page[node], *page[node].descendants]
        assert tree.nodes[tree.parent == place].tolist() == [
            child.id for child in index_children(page[node])
        ]
        assert tree.text[place] == length(page[node])
        assert tree.pictures[place] == sum(one.tag == "img" for one in below)
        assert tree.links[place] == sum("href" in one.attributes for one in below)
        assert tree.find(tree.id_of(place)) == place


def test_only_tables_count_where_nothing_else_is_asked_for() -> None:
    inner = el("table", "hot", el("img"), el("a", "more", attributes={"href": "/"}))
    page = make_page(el("body", el("div", "head"), el("table", "tea", inner), el("table", "foot")))
    tree = index_tree(page, TABLES)
    assert [tree.id_of(node) for node in range(len(tree))] == ["1", "1-1", "1-1-1", "1-2"]
    assert tree.text.tolist() == [18, 10, 7, 4]
    assert tree.links.tolist() == [1, 1, 1, 0]
    assert tree.pictures.tolist() == [1, 1, 1, 0]
    assert len(index_tree(page)) == 5


@pytest.mark.parametrize(
    ("part", "written"),
    [
        (el("div", "tea"), "<div>tea</div>"),
        (el("div", " a\n b ", el("br")), "<div> a\n b <br></div>"),
        (el("div", "x", attributes={"id": "tea", "class": ""}), '<div id="tea" class="">x</div>'),
        (el("div", el("input", attributes={":value": "x"}), "x"), "<div><input>x</div>"),
        (el("div", "x", el("p", text("no", visibility=HIDDEN))), "<div>x<p>no</p></div>"),
    ],
)
def test_text_with_tags_is_as_long_as_what_one_would_write(part: El, written: str) -> None:
    assert index_tree(make_page(part)).markup[1] == len(written)


def test_what_shows_nothing_is_not_in_the_tree() -> None:
    unseen = el("div", text("hidden", visibility=HIDDEN), el("div", "  "))
    page = make_page(el("body", unseen, el("div", "tea")))
    assert index_tree(page).nodes.tolist() == [0, page.find("div")[2].id]


def test_a_picture_that_was_not_loaded_is_one() -> None:
    page = make_page(el("div", el("img", visibility=Visibility.ZERO_SIZE)),
                     el("div", el("img", visibility=HIDDEN)))  # fmt: skip
    assert index_tree(page).pictures.tolist() == [1, 1]


def test_the_structure_knows_nothing_of_the_content() -> None:
    def structure(*parts: Any) -> str:
        return index_tree(make_page(*parts)).structure

    one = structure(el("div", "tea"), el("div", "milk"))
    assert one == structure(el("div", "coffee"), el("section", "a lot of sugar", el("img")))
    assert one != structure(el("div", "tea"))
    assert one != structure(el("div", el("div", "tea")))


def test_an_empty_page_has_a_tree_of_one_node_and_one_component() -> None:
    tree = index_tree(make_page())
    assert [fragment.id for fragment in tree.fragments()] == ["1"]


# Fragmentation


@given(PAGES, SIZES)
def test_fragments_are_those_of_the_definition(page: Page, size: int) -> None:
    expected = components(page.root, "1", size, length(page.root))
    found = index_tree(page).fragments(size)
    assert {fragment.id: list(fragment.nodes) for fragment in found} == expected


@given(PAGES, SIZES)
def test_everything_that_is_seen_is_in_one_fragment(page: Page, size: int) -> None:
    tree = index_tree(page)
    count = np.zeros(len(page), dtype=np.int64)
    for fragment in tree.fragments(size):
        for node in fragment.nodes:
            count[node : page.end[node]] += 1
    assert (count[seen_texts(page)] == 1).all()
    assert (count[page.elements("img")] == 1).all()
    assert (count <= 1).all()


@given(PAGES, SIZES)
def test_sizes_of_fragments_add_up(page: Page, size: int) -> None:
    tree = index_tree(page)
    found = tree.fragments(size)
    assert sum(fragment.text for fragment in found) == tree.text[0]
    assert sum(fragment.pictures for fragment in found) == tree.pictures[0]


@given(PAGES)
def test_a_smaller_size_never_gives_fewer_components(page: Page) -> None:
    counts = [len(index_tree(page).fragments(size)) for size in (1000, 500, 200, 50, 0)]
    assert counts == sorted(counts)


@given(PAGES, SIZES)
def test_a_component_is_found_by_its_id_in_every_fragmentation(page: Page, size: int) -> None:
    tree = index_tree(page)
    assert [tree.fragment(fragment.id) for fragment in tree.fragments(size)] == tree.fragments(size)


@pytest.mark.parametrize("unknown", ["2", "1-3", "1-1-1", "1-3-0", "1-1-1-0", "1-2-0"])
def test_an_id_that_is_not_there(unknown: str) -> None:
    page = make_page(el("div", "tea"), el("div", el("div", "milk")))
    assert index_tree(page).fragment(unknown) is None


def ids(tree: IndexTree, size: int) -> list[str]:
    return [fragment.id for fragment in tree.fragments(size)]


def test_large_nodes_are_divided_and_small_ones_are_not() -> None:
    large = el("div", el("div", "x" * 60), el("div", "x" * 20))
    tree = index_tree(make_page(el("body", large, el("div", el("div", "x" * 10), el("div", "y")))))
    assert ids(tree, 1000) == ["1"]
    assert ids(tree, 900) == ["1-1", "1-2"]
    assert ids(tree, 200) == ["1-1-1", "1-1-2", "1-2"]
    assert ids(tree, 100) == ["1-1-1", "1-1-2", "1-2-1", "1-2-2"]


def test_an_article_with_a_box_in_it_stays_whole() -> None:
    article = el("article", el("p", "x" * 60), el("aside", "y" * 20), el("p", "x" * 60))
    page = make_page(el("body", article, el("div", "z" * 50)))
    assert ids(index_tree(page), 100) == ["1-1", "1-2"]


def test_what_is_beside_the_parts_of_a_divided_node_is_a_component() -> None:
    beside = el("p", "is ", el("b", "hot"))
    part = el("div", "Tea", beside, el("span", el("div", "x" * 30), "end"), el("div", "y" * 30))
    page = make_page(el("body", part, el("div", "z")))
    found = {one.id: one for one in index_tree(page).fragments(100)}
    assert list(found) == ["1-1-0", "1-1-1", "1-1-2", "1-2"]
    assert page.text_of(found["1-1-0"].nodes).split() == ["Tea", "is", "hot", "end"]
    assert [page[node].tag for node in found["1-1-0"].nodes] == ["#text", "p", "#text"]
    assert found["1-1-0"].markup == len("Tea<p>is <b>hot</b></p>end")
