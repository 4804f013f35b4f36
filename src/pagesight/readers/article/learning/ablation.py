"""`pagesight evaluate article --ablate`: what each rule of the reader is worth.

Every page is read with the weights as shipped, first with all rules and then without each of them.
A rule helps a publisher if the score of its pages is lower without it, and hurts it if the score is
higher. Zones and the scores of the model are computed once per page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import ModuleType
from typing import Any, NamedTuple

from pagesight.learning.tables import table
from pagesight.readers.article.labelling import scripts as _zones  # noqa: F401 - its rules
from pagesight.readers.article.labelling.labels import Floats
from pagesight.readers.article.labelling.weights import CALIBRATED, ArticleWeights, shipped_weights
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.learning.scoring import ArticleScores, score, texts_of
from pagesight.readers.article.names import scripts as _names  # noqa: F401 - its rules
from pagesight.readers.article.reader import decided, model_scores, reading_of
from pagesight.readers.article.reading import ArticleReading
from pagesight.readers.article.rules import RULES, ReaderRule

PACKAGE = "pagesight.readers.article"
LEAST = 1e-6  # change of a score that counts
_DETAILS = attrgetter("text", "given", "family", "orcid", "email", "corresponding", "affiliations")


class PageOutcome(NamedTuple):
    """What was read from a page, in a form that can be compared, and how well."""

    reading: tuple[object, ...]
    scores: ArticleScores


@dataclass(frozen=True)
class Effect:
    """What changes when a rule is switched off."""

    rule: str
    pages: int
    publishers: int  # of these pages
    helps: int  # publishers whose pages are read worse without it
    hurts: int
    change: dict[str, float]  # by field, of the score over all pages: negative where it helps


def _outcome(page: ArticlePage, scores: Floats, weights: ArticleWeights) -> PageOutcome:
    """What is read from a page, and how well; `scores` are those of the model."""
    reading = reading_of(decided(page.zones, scores, weights), weights.judgement)
    return PageOutcome(_comparable(reading), score(reading, page.labelling.truth))


def _comparable(reading: ArticleReading) -> tuple[object, ...]:
    """All that is read, without confidences and places."""
    values = (reading.title, reading.abstract, reading.doi, reading.year)
    lists = (reading.affiliations, reading.keywords, reading.references)
    texts = (value and value.text for value in values)
    return (reading.is_article, *texts, *map(texts_of, lists), *map(_DETAILS, reading.authors))


def effects(
    pages: Sequence[ArticlePage],
    *,
    rules: Iterable[ReaderRule] | None = None,
    weights: ArticleWeights | None = None,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[Effect]:
    """What each rule does on these pages, in the order of the rules."""
    weights = weights or shipped_weights()
    scored = [(page, model_scores(page.zones, weights)) for page in pages]
    before = [_outcome(page, scores, weights) for page, scores in scored]
    for rule in RULES.values() if rules is None else rules:
        with switched_off(rule):
            after = [_outcome(page, scores, weights) for page, scores in scored]
        yield _effect(rule.name, [page.house for page in pages], before, after)
        advance()


def _effect(
    rule: str, houses: Sequence[str], before: Sequence[PageOutcome], after: Sequence[PageOutcome]
) -> Effect:
    changed = [one.reading != other.reading for one, other in zip(before, after, strict=True)]
    touched = {house for house, is_changed in zip(houses, changed, strict=True) if is_changed}
    totals = [_by_house(houses, [page.scores for page in side]) for side in (before, after)]
    gains = [totals[1][house].mean - totals[0][house].mean for house in touched]
    every = [sum(side.values(), ArticleScores()) for side in totals]
    return Effect(
        rule,
        sum(changed),
        len(touched),
        sum(gain < -LEAST for gain in gains),
        sum(gain > LEAST for gain in gains),
        {name: every[1].of(name) - every[0].of(name) for name in CALIBRATED},
    )


def _by_house(houses: Sequence[str], scores: Sequence[ArticleScores]) -> dict[str, ArticleScores]:
    totals: dict[str, ArticleScores] = {}
    for house, each in zip(houses, scores, strict=True):
        totals[house] = totals.get(house, ArticleScores()) + each
    return totals


def switched_off(rule: ReaderRule) -> AbstractContextManager[None]:
    """Within this, the modules of the reader have the neutral function in place of the rule's."""
    return replaced(rule.function, rule.neutral)


@contextmanager
def replaced(function: Callable[..., Any], other: Callable[..., Any]) -> Iterator[None]:
    """Within this, the modules of the reader have another function in place of one."""
    _remembering()  # before anything is replaced
    places = [
        (module, name)
        for module in _modules()
        for name, value in vars(module).items()
        if value is function
    ]
    _put(other, places)
    try:
        yield
    finally:
        _put(function, places)


def _modules() -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.startswith(f"{PACKAGE}.")]


def _put(function: Callable[..., Any], places: Sequence[tuple[ModuleType, str]]) -> None:
    """Put a function in these places, and forget what was remembered with the one before."""
    for module, name in places:
        setattr(module, name, function)
    for remembering in _remembering():
        remembering.cache_clear()


@cache
def _remembering() -> tuple[Any, ...]:
    """The functions that remember what they answered; tables that are loaded once are not meant."""
    values = {id(value): value for module in _modules() for value in vars(module).values()}
    remembering = [value for value in values.values() if hasattr(value, "cache_parameters")]
    return tuple(value for value in remembering if value.cache_parameters()["maxsize"])


def effects_table(found: Iterable[Effect]) -> str:
    """A line for each rule; scores in points, of what is lost without it."""
    return table(
        ["without", "pages", "houses", "helps", "hurts", *CALIBRATED],
        [
            [
                *(effect.rule, effect.pages, effect.publishers, effect.helps, effect.hurts),
                *(f"{100 * change:+.2f}" for change in effect.change.values()),
            ]
            for effect in found
        ],
    )
