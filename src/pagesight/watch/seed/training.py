"""The training phase: from samples of a page to its page index.

CV, CCV and ICV are the paper's: the content of a component in one sample, what all samples of it
have, and what is left of that without what all components have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import and_

from pagesight.page import Page
from pagesight.segment.index_tree import DEFAULT_SIZE, LAYOUT_TAGS, Fragment, IndexTree, index_tree
from pagesight.watch.seed.page_index import Component, Neighbours, PageIndex, Sample
from pagesight.watch.seed.vectors import ContentVector, Holders, content_vectors


def learn_index(
    pages: Sequence[Page],
    *,
    size: int = DEFAULT_SIZE,
    tags: Collection[str] = LAYOUT_TAGS,
    nodes: Sequence[int] | None = None,
) -> PageIndex:
    """The page index of a page that was fetched several times, oldest first.

    The components are those of the last sample; samples whose components have other IDs are
    rejected. `nodes` are nodes of the last sample that are asked for: each stands for the component
    that contains it, or for all components inside of it. Without them, all components are.
    """
    if not pages:
        raise ValueError("there is nothing to learn from")
    trees = [tree_of(page, tags) for page in pages]
    fetched = [tree.fragments(size) for tree in trees]
    last = fetched[-1]
    kept = [_ids(fragments) == _ids(last) for fragments in fetched]
    taught = [place for place, keep in enumerate(kept) if keep]
    samples = [content_vectors(pages[place], fetched[place]) for place in taught]
    return PageIndex(
        size=size,
        tags=tuple(sorted(tags)),
        structure=trees[-1].structure,
        samples=tuple(map(Sample, map(len, fetched), kept)),
        components=tuple(_components(last, identifying(constant(samples)))),
        wanted=tuple(_wanted(pages[-1], last, nodes)),
    )


def tree_of(page: Page, tags: Collection[str]) -> IndexTree:
    """The index tree; that of the usual tags is worked out once."""
    return index_tree(page) if frozenset(tags) == LAYOUT_TAGS else index_tree(page, tags)


def constant(samples: Sequence[Sequence[ContentVector]]) -> list[ContentVector]:
    """The CCVs: by component, what all of its CVs have. `samples` are CVs by sample, component."""
    return [reduce(and_, instances) for instances in zip(*samples, strict=True)]


def identifying(vectors: Sequence[ContentVector]) -> list[ContentVector]:
    """The ICVs: CCVs without what all of them have. A single component keeps what it has."""
    if len(vectors) < 2:
        return list(vectors)
    common = reduce(and_, vectors)
    return [vector - common for vector in vectors]


def weak(vectors: Sequence[ContentVector]) -> list[bool]:
    """Which ICVs identify nothing: they are empty, or all of them is in another one."""
    holders = Holders(vectors)
    return [
        not len(vector) or any(other != place for other in holders.holding(vector))
        for place, vector in enumerate(vectors)
    ]


def series(weak: Sequence[bool]) -> Iterator[Neighbours | None]:
    """The identifiers of weak components; None for the others.

    False, True, True gives None, (0, None, 0), (0, None, 1).
    """
    strong = [place for place, is_weak in enumerate(weak) if not is_weak]
    previous, following = None, iter([*strong, None])
    after = next(following)
    for place, is_weak in enumerate(weak):
        if is_weak:
            first = 0 if previous is None else previous + 1
            yield Neighbours(previous, after, place - first)
        else:
            yield None
            previous, after = place, next(following)


def _components(
    fragments: Sequence[Fragment], vectors: Sequence[ContentVector]
) -> Iterator[Component]:
    identifiers = series(weak(vectors))
    for fragment, vector, identifier in zip(fragments, vectors, identifiers, strict=True):
        yield Component(fragment.id, vector, fragment.text, fragment.pictures, identifier)


def _ids(fragments: Sequence[Fragment]) -> list[str]:
    return [fragment.id for fragment in fragments]


def _wanted(
    page: Page, fragments: Sequence[Fragment], nodes: Sequence[int] | None
) -> Iterator[tuple[int, ...]]:
    if nodes is None:
        yield from ((place,) for place in range(len(fragments)))
        return
    for node in nodes:
        around = [place for place, fragment in enumerate(fragments)
                  if any(root <= node < page.end[root] for root in fragment.nodes)]  # fmt: skip
        within = [place for place, fragment in enumerate(fragments)
                  if any(node <= root < page.end[node] for root in fragment.nodes)]  # fmt: skip
        yield tuple(around or within)
