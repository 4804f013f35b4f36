"""What each rule of the article reader is worth, with the weights as shipped.

    python benchmarks/rules.py

Every page of the corpus, see `PAGESIGHT_CORPORA`, and every article in the manner of a platform
among the tests, each of which is a publisher of its own, is read with all rules; those on which a
rule says something are read again without it. A rule helps a publisher if the score of its pages is
lower without it, and hurts it if the score is higher. Zones and the scores of the model are
computed once per page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from pagesight.learning.corpora import Corpora, rendered
from pagesight.learning.tables import show, table
from pagesight.page import Page
from pagesight.readers.article.labelling.labels import Floats
from pagesight.readers.article.labelling.weights import CALIBRATED, ArticleWeights, shipped_weights
from pagesight.readers.article.learning.alignment import align
from pagesight.readers.article.learning.corpus import ArticlePage, article_pages
from pagesight.readers.article.learning.scoring import ArticleScores, score, texts_of
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import name_of
from pagesight.readers.article.reader import decided, model_scores, reading_of
from pagesight.readers.article.reading import ArticleReading
from pagesight.readers.article.zones import article_zones
from pagesight.sources import Request

Function = Callable[..., Any]
PACKAGE = "pagesight.readers.article"
PLATFORMS = Path(__file__).parents[1] / "tests/readers/article/platforms"
LEAST = 1e-6  # change of a score that counts
_DETAILS = attrgetter("text", "given", "family", "orcid", "email", "corresponding", "affiliations")


class ReaderRule(NamedTuple):
    """A function that decides what the model does not, and the one that takes its place."""

    name: str  # "fields.abstract._trimmed"
    function: Function
    neutral: Function


_NEUTRAL: dict[Function, str] = {
    lambda *_: []: """fields.abstract._only_paragraph fields.abstract._unlabelled
        fields.affiliations.pointed_at fields.affiliations.unseen_places
        fields.affiliations.signed_zones fields.authors._citing_zone
        fields.linking._located fields.references._headed_list
        fields.references._numbered_list""",
    lambda *_: False: """fields.abstract._is_short_piece fields.authors.identify
        fields.linking.is_editors fields.linking.is_letter fields.references._is_short_list
        labelling.judging._is_unsigned_article
        names.places._in_one_entry names.places._continues names.scripts.are_japanese
        zones._is_drawn_late""",
    lambda *_: True: "names.places._may_be_place",
    lambda *_: None: """fields.affiliations.add_places_below_names fields.authors._roster
        fields.linking._called fields.linking._spelled reader._continue_title reader._end_title""",
    lambda *_: 0.0: "labelling.scripts.by_script reader.by_captions",
    lambda *_: set(): "fields.affiliations._below_headings fields.linking._asked_for",
    lambda first, *_: first: """fields.abstract._unheaded fields.linking.unaddressed
        fields.references._printed_once names.persons.between_names names.persons._without_notes
        names.scripts.listed_han reader.gated""",
    lambda *given: given[-1]: """fields.abstract._trimmed fields.authors._above_abstract
        fields.authors._with_alike fields.authors._with_mixed fields.authors._without_entries
        fields.publication._below_keywords names.places._with_addresses""",
    lambda *given: [[zone] for zone in given[-1]]: """fields.references._by_structure
        fields.references._by_lines""",
    lambda people, *_: [
        [] for _ in people
    ]: "fields.linking.links_by_name fields.linking._by_order",
    lambda _zones, labelled, sure, *_: labelled | sure: "fields.affiliations._places_alike",
    lambda zones, zone: zones.texts[zone]: "fields.publication._without_badges",
    lambda place: [place]: "names.places.cut",
}
"""What returns what rules would if they did not exist, and the names of these rules."""


def _rule(name: str, neutral: Function) -> ReaderRule:
    module, _, function = name.rpartition(".")
    return ReaderRule(name, getattr(import_module(f"{PACKAGE}.{module}"), function), neutral)


RULES = {
    name: _rule(name, neutral) for neutral, names in _NEUTRAL.items() for name in names.split()
}


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
    pages: Sequence[ArticlePage], rules: Iterable[ReaderRule] = tuple(RULES.values())
) -> Iterator[Effect]:
    """What each rule does on these pages, in the order of the rules."""
    weights, rules = shipped_weights(), tuple(rules)
    scored = [(page, model_scores(page.zones, weights)) for page in pages]
    before, speaking = [], []
    for page, scores in scored:
        rules_of_page: set[str] = set()
        with ExitStack() as stack:
            for rule in rules:
                stack.enter_context(replaced(rule.function, _noted(rule, rules_of_page)))
            before.append(_outcome(page, scores, weights))
        speaking.append(rules_of_page)
    for rule in rules:
        with replaced(rule.function, rule.neutral):
            after = [
                _outcome(*page, weights) if rule.name in spoken else outcome
                for page, outcome, spoken in zip(scored, before, speaking, strict=True)
            ]
        yield _effect(rule.name, [page.house for page in pages], before, after)


def _noted(rule: ReaderRule, speaking: set[str]) -> Function:
    """The function of a rule, noting if it says something, or may change what it is given."""

    def noted(*given: Any, **options: Any) -> Any:
        answer = rule.function(*given, **options)
        if rule.name not in speaking:
            other = rule.neutral(*given, **options)
            if other is None or not np.array_equal(answer, other):
                speaking.add(rule.name)
        return answer

    return noted


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
    for house, page_scores in zip(houses, scores, strict=True):
        totals[house] = totals.get(house, ArticleScores()) + page_scores
    return totals


@contextmanager
def replaced(function: Function, other: Function) -> Iterator[None]:
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


def _put(function: Function, places: Sequence[tuple[ModuleType, str]]) -> None:
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


def platform_pages() -> Iterator[ArticlePage]:
    """The articles among the pages in the manner of platforms, each of a publisher of its own."""
    pages = [(path.stem, path.read_text(encoding="utf-8")) for path in PLATFORMS.glob("*.html")]
    split = [(name, *text.removeprefix("<!--").split("-->", 1)) for name, text in sorted(pages)]
    labelled = [(name, json.loads(labels), html) for name, labels, html in split]
    articles = [page for page in labelled if page[1].get("is_article", True)]
    results = rendered([Request(source=html.encode()) for *_, html in articles])
    for (name, labels, _), page in zip(articles, results, strict=True):
        truth = Truth(
            titles=(labels["title"],),
            authors=tuple(map(name_of, labels["authors"])),
            affiliations=tuple(labels["affiliations"]),
        )
        if isinstance(page, Page):
            zones = article_zones(page)
            yield ArticlePage(name, name, "platform", zones, align(zones, truth))


if __name__ == "__main__":
    show(effects_table(effects([*article_pages(Corpora()), *platform_pages()])))
