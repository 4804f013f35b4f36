"""Ways to find a part again; each answers with elements of the page, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pagesight.page import Page
from pagesight.watch.components.finding import find
from pagesight.watch.components.learn import learn
from pagesight.watch.components.learning.corpus import word_likeness
from pagesight.watch.components.model import ComponentsModel
from pagesight.watch.components.reading import Component, Signs
from pagesight.watch.components.sight import Sight, sight_of
from pagesight.watch.seed import learn_index, update

Parts = Sequence[Sequence[int]]


class Answer(NamedTuple):
    """How sure a method is, and the elements that it takes for the part; none if it is not."""

    sure: float
    nodes: list[int]
    signs: Signs = ()


Method = Callable[[Sequence[Page], Parts, Page], list[Answer]]
"""From snapshots, the parts on the last of them, and a page of another day."""

NEAREST = 0.5  # of the words of two texts that must be the same


def ours(model: ComponentsModel) -> Method:
    """Pagesight."""

    def answers(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
        nodes = [node for part in parts for node in part]
        index = learn(pages, nodes=nodes, model=model)
        sight = sight_of(pages[-1])
        units = list(dict.fromkeys(int(sight.units.of_node[node]) for node in nodes))
        found = dict(zip(units, find(index, page, model=model).components, strict=True))
        return [_joined([found[int(sight.units.of_node[node])] for node in part]) for part in parts]

    return answers


def _joined(found: Sequence[Component]) -> Answer:
    """The answer to a part of several elements; as sure as the least sure of them."""
    nodes = [node for component in found for node in component.nodes]
    least = min(found, key=lambda component: component.confidence if component.nodes else 0.0)
    if least.place is None:
        return Answer(0.0, nodes)
    return Answer(least.confidence, nodes, least.place.signs)


def published(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
    """The published method."""
    answers: list[Answer] = []
    for part in parts:
        found = update(learn_index(pages, nodes=list(part)), page)
        nodes = [node for component in found for node in component.nodes or ()]
        answers.append(Answer(min((component.score for component in found), default=0.0), nodes))
    return answers


def old_xpath(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
    """The XPaths of the elements on the last snapshot."""
    return _by_address(pages, parts, page, "xpath")


def old_css(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
    """The CSS selectors that Pagesight writes for these elements."""
    return _by_address(pages, parts, page, "css")


def _by_address(pages: Sequence[Page], parts: Parts, page: Page, kind: str) -> list[Answer]:
    shown = sight_of(page).units.of_node >= 0
    node_of = {getattr(page[node], kind): node for node in np.flatnonzero(shown).tolist()}
    answers: list[Answer] = []
    for part in parts:
        nodes = [node_of.get(getattr(pages[-1][node], kind), -1) for node in part]
        answers.append(Answer(1.0, nodes) if min(nodes) >= 0 else Answer(0.0, []))
    return answers


def nearest_text(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
    """The elements whose words are most like those of the part."""
    before, after = sight_of(pages[-1]), sight_of(page)
    answers: list[Answer] = []
    for part in parts:
        found = [_nearest(before, node, after) for node in part]
        nodes = [node for _, node in found]
        sure = min(likeness for likeness, _ in found)
        answers.append(Answer(sure, nodes) if sure >= NEAREST else Answer(0.0, []))
    return answers


def _nearest(before: Sight, node: int, after: Sight) -> tuple[float, int]:
    """The element with the highest Dice's coefficient of distinct words, and that."""
    likeness = word_likeness(before, node, after)
    likeness[~after.is_element] = 0
    likeness[0] = 0
    best = int(likeness.argmax())
    return float(likeness[best]), int(after.units.node[best])


BASELINES: dict[str, Method] = {
    "old XPath": old_xpath,
    "old CSS selector": old_css,
    "nearest text": nearest_text,
    "published method": published,
}
