"""Scrapling's adaptive relocation on the parts of `pagesight evaluate components`.

    python benchmarks/relocation.py [--every 20]

It takes seconds for an element, so that only one part in some is asked for. The trees that it
sees are those of the rendered pages, with the attributes that a Page keeps.
"""

from __future__ import annotations

import argparse
import logging
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from pagesight.learning.corpora import Corpora
from pagesight.page import NodeKind, Page
from pagesight.page.derived import once_per_page
from pagesight.watch.components.learning.corpus import pairs
from pagesight.watch.components.learning.evaluation import Outcome, judged, outcome_table
from pagesight.watch.components.learning.methods import Answer, Parts
from pagesight.watch.components.sight import sight_of

PERCENTAGE = 40  # of likeness, from which on Scrapling takes an element; its own default
_took: list[float] = []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=20, help="ask for one part in so many")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    found: list[Outcome] = []
    count = 0
    for turn, pair in enumerate(pairs(Corpora())):
        chosen = [part for at, part in enumerate(pair.parts) if (count + at) % options.every == 0]
        count += len(pair.parts)
        if chosen:
            found += judged(replace(pair, parts=tuple(chosen)), {"Scrapling": relocated}, turn)
    print(outcome_table(found, ["Scrapling"], f"One part in {options.every}; right / wrong"))
    print(f"\n{statistics.median(_took):.2f} s for an element (median)")


def relocated(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
    selector: Any = import_module("scrapling.parser").Selector
    _, elements = tree(pages[-1])
    root, nodes = tree(page)
    node_of = {element: node for node, element in nodes.items()}
    answers: list[Answer] = []
    for part in parts:
        answer = []
        for node in part:
            start = time.perf_counter()
            best = selector(root=root).relocate(elements[node], PERCENTAGE)
            _took.append(time.perf_counter() - start)
            answer += [node_of[element] for element in best[:1]]
        shown = [node for node in answer if sight_of(page).units.of_node[node] >= 0]
        answers.append((1.0, shown) if len(shown) == len(part) else (0.0, []))
    return answers


@once_per_page
def tree(page: Page) -> tuple[Any, dict[int, Any]]:
    """The elements of a page as lxml has them, and by node."""
    html: Any = import_module("lxml.html")
    parent, kind = page.columns["parent"].tolist(), page.columns["kind"].tolist()
    elements: dict[int, Any] = {}
    last: dict[int, Any] = {}
    for node in range(len(page)):
        above = elements.get(parent[node])
        if kind[node] == NodeKind.ELEMENT and (above is not None or not elements):
            attributes = {n: v for n, v in page.attributes(node).items() if n.isidentifier()}
            element = html.Element(page.name(node).replace(":", "-"), attributes)
            elements[node] = element
            if above is not None:
                above.append(element)
                last[parent[node]] = element
        elif kind[node] == NodeKind.TEXT and above is not None:
            text = page.own_text(node).replace("\x00", "")
            if (before := last.get(parent[node])) is not None:
                before.tail = (before.tail or "") + text
            else:
                above.text = (above.text or "") + text
    return next(iter(elements.values())), elements


if __name__ == "__main__":
    main()
