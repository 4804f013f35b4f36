"""Whether what methods say about parts is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.watch.components.learning.corpus import Pair, brand_of, pairs
from pagesight.watch.components.learning.examples import are_right, page_without
from pagesight.watch.components.learning.methods import Answer, Method, ours
from pagesight.watch.components.model import ComponentsModel
from pagesight.watch.components.reading import Signs
from pagesight.watch.components.sight import sight_of

GONE = "part not there"
OURS = "Pagesight"


@dataclass(frozen=True)
class Outcome:
    """What a method said about one part."""

    method: str
    brand: str
    setting: str
    name: str
    sure: float
    answered: bool
    right: bool
    signs: Signs = ()

    @property
    def wrong(self) -> bool:
        return self.answered and not self.right


def outcomes(
    corpora: Corpora,
    model_of: Mapping[str, ComponentsModel],
    peers: Mapping[str, Method],
    *,
    samples: int,
) -> Iterator[Outcome]:
    """What all methods say about all parts, and about pages without them."""
    for turn, pair in enumerate(pairs(corpora, samples)):
        model = model_of.get(brand_of(pair.site))
        if model is not None and pair.parts:
            yield from judged(pair, {**peers, OURS: ours(model)}, turn)


def judged(pair: Pair, methods: Mapping[str, Method], turn: int) -> Iterator[Outcome]:
    """What methods say about the parts of a pair, and about one of them that is taken away."""
    *before, after = pair.pages
    brand = brand_of(pair.site)
    parts = [part[-2] for part in pair.parts]
    wanted = [part[-1] for part in pair.parts]
    lost = turn % len(parts)
    rest = page_without(after, wanted[lost])
    for name, method in methods.items():
        for answer, nodes in zip(method(before, parts, after), wanted, strict=True):
            yield _judged(name, pair, answer, after, nodes)
        if rest is not None:
            sure, found, signs = method(before, [parts[lost]], rest)[0]
            yield Outcome(name, brand, GONE, pair.name, sure, bool(found), False, signs)


def _judged(method: str, pair: Pair, answer: Answer, page: Page, wanted: Sequence[int]) -> Outcome:
    sure, nodes, signs = answer
    sight = sight_of(page)
    units = [int(sight.units.of_node[node]) for node in nodes]
    shown = [unit for unit in units if unit >= 0]
    true = [int(sight.units.of_node[node]) for node in wanted]
    right = bool(shown) and are_right(sight, true, shown)
    brand = brand_of(pair.site)
    return Outcome(method, brand, pair.setting, pair.name, sure, bool(shown), right, signs)
