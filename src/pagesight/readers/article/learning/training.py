"""Training: the weights of the field that labels zones, from pages that label themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.calibration import spaced
from pagesight.learning.corpora import Corpora
from pagesight.learning.task import Measured, Task
from pagesight.models import crf
from pagesight.models.boosting import Boosting, Logistic, boost_several
from pagesight.models.crf import LabelledSequence
from pagesight.models.logistic import fit_logistic
from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.labelling import judging
from pagesight.readers.article.labelling.confidence import CLUES, StatedValue
from pagesight.readers.article.labelling.features import VERSION, features
from pagesight.readers.article.labelling.labels import (
    FIELDS,
    LABELS,
    Floats,
    LabelledZones,
    field_of,
    shares_of_orders,
)
from pagesight.readers.article.labelling.weights import CALIBRATED, TASK, ArticleWeights
from pagesight.readers.article.learning import citations
from pagesight.readers.article.learning.alignment import Labelling
from pagesight.readers.article.learning.corpus import (
    CORPUS,
    INDEX,
    ArticlePage,
    article_pages,
    laid_out,
    other_pages,
)
from pagesight.readers.article.learning.scoring import ArticleScores, judged, score
from pagesight.readers.article.learning.stock import stock_of
from pagesight.readers.article.learning.written import SPLIT, look_alikes, written_articles
from pagesight.readers.article.reader import label_zones, reading_of
from pagesight.readers.article.reading import ArticleReading
from pagesight.readers.article.seed import model as seed_model
from pagesight.readers.article.text import YEAR
from pagesight.readers.article.vocabulary import names_institution
from pagesight.readers.article.zones import Zones
from pagesight.readers.value import ValueFields

PENALTY = 1.0  # found on the train publishers, each left out in turn
STEPS = 150
WRITTEN = 0.5  # how much a written page counts
FOLDS = 3
TREES = Boosting(trees=60, depth=2, ridge=3.0, least=1.0)
SEVERAL = 2
HOUSES = 0.7  # the share of publishers that a tree sees
UNDECIDED = Tree((LEAF,), (0.0,))
TRUST_PENALTY = 1.0
TRUST_WRITTEN = 0.3  # how much a value of a written page counts
MOST_VALUES = 20  # of a field on a page, that confidences are learned from
NOT_JUDGED = np.zeros(len(judging.EVIDENCE))
REPORTED = {
    "title Dice": "title",
    "abstract Dice": "abstract",
    "authors F1": "authors",
    "affiliations F1": "affiliations",
    "references F1": "references",
}
"""The scores that are kept with the weights, and their fields."""

EDGE = 12  # zones of a long stretch that are all learned from, at either end
STRIDE = 4  # of the others, every so many
_NUMBER = {label: number for number, label in enumerate(LABELS)}
_NEAR = 25  # zones after the title, in which an abstract without heading may be


def examples(pages: Sequence[ArticlePage]) -> list[LabelledSequence]:
    """Sequences with the labels that each zone may have."""
    sequences = []
    for page in pages:
        kept = _telling(page.labelling.labels)
        allowed = allowed_labels(page.labelling, page.zones.texts)
        weight = WRITTEN if page.split == SPLIT else 1.0
        sequences.append(LabelledSequence(page.features[kept], allowed[kept], weight))
    return sequences


def _telling(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Which zones to learn from: of long stretches of one kind, the ends and a part between."""
    kept = np.ones(len(labels), dtype=np.bool_)
    kinds = ["reference" if label == "reference part" else label for label in labels]
    at = 0
    for _, run in groupby(kinds):
        size = len(list(run))
        middle = np.arange(at + EDGE, max(at + size - EDGE, at + EDGE))
        kept[middle[middle % STRIDE > 0]] = False
        at += size
    return kept


def allowed_labels(labelling: Labelling, texts: Sequence[str]) -> NDArray[np.bool_]:
    """For each zone which labels it may have: its own; and those of fields that are not known."""
    labels = labelling.labels
    allowed = np.zeros((len(labels), len(LABELS)), dtype=np.bool_)
    allowed[np.arange(len(labels)), [_NUMBER[label] for label in labels]] = True
    title = labels.index("title") if "title" in labels else 0
    for zone, (label, text) in enumerate(zip(labels, texts, strict=True)):
        for field in _possible(label, text, zone - title):
            if field_of(field) not in labelling.known:
                allowed[zone, _NUMBER[field]] = True
    for zone in labelling.repeated:
        allowed[zone, _NUMBER["author"]] = True
    return allowed


def _possible(label: str, text: str, after_title: int) -> list[str]:
    """The fields that a zone may belong to, if these are not known."""
    words = len(text.split())
    fields = []
    if label in ("front", "correspondence"):
        fields += ["author", "affiliation"]
    if label in ("after", "body") and words <= 60 and names_institution(text):
        fields.append("late affiliation" if label == "body" else "last affiliation")
    if label in ("front", "body") and words >= 20 and 0 < after_title <= _NEAR:
        fields.append("abstract")
    if label in ("body", "after", "citing") and words >= 6 and YEAR.search(text):
        fields.append("reference")
    return fields


def train(corpora: Corpora, *, output: Path | None = None) -> None:
    """Learn from all but the dev publishers; write to where weights are shipped, or `output`."""
    pages = list(article_pages(corpora))
    learned = lessons(corpora, pages)
    articles = learned.articles
    answers = [
        answered(weights, articles[index])
        for part, weights in ARTICLE.models_by_fold(articles)
        for index in part
    ]
    weights = replace(weights_of(articles), judges=judges_of(answers))
    weights = with_judgement(weights, learned)
    dev = [measure(weights, page).fields for page in pages if page.split == "dev"]
    total = sum(dev, ArticleScores())
    scores = {name: total.of(field) for name, field in REPORTED.items()}
    ARTICLE.write(weights.to_json(), scores, corpora, output)
    citations.train(articles, corpora, output and output.with_name("citations.json"))


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """What there is to learn from."""

    articles: Sequence[ArticlePage]  # of the corpus, and written ones
    others: Sequence[Zones]  # pages that are no articles
    look_alikes: Sequence[Zones] = ()  # written ones that hold parts of some
    laid_out: Sequence[Zones] = ()  # articles in layouts of ours
    laid_out_otherwise: Sequence[Zones] = ()  # and pages that are none


def lessons(corpora: Corpora, pages: Sequence[ArticlePage]) -> Lessons:
    """What there is to learn from, without the dev publishers."""
    corpus = [page for page in pages if page.split != "dev"]
    stock, by_hand = stock_of(corpus), list(laid_out(corpora))
    return Lessons(
        articles=[*corpus, *written_articles(corpora, stock)],
        others=[zones for is_learned, zones in other_pages(corpora) if is_learned],
        look_alikes=list(look_alikes(corpora, stock)),
        laid_out=[zones for is_article, zones in by_hand if is_article],
        laid_out_otherwise=[zones for is_article, zones in by_hand if not is_article],
    )


# Confidences

Answers = Mapping[str, Sequence[tuple[Floats, bool]]]
"""By field the values that were read on a page: the clues to each, and whether it is right."""


class AnsweredPage(NamedTuple):
    """What a model has read that knows neither the publisher nor the kind of a page."""

    house: str
    is_written: bool
    answers: Answers


def answered(weights: ArticleWeights, page: ArticlePage) -> AnsweredPage:
    """What these weights read on a page."""
    return answers_of(label_zones(page.zones, model="ours", weights=weights), page)


def answers_of(labelled: LabelledZones, page: ArticlePage) -> AnsweredPage:
    """What is read of labelled zones."""
    recorder = _Recorder(labelled.zones, labelled.labels, labelled.chances)
    values = judged(reading_of(recorder, NOT_JUDGED), page.truth)
    answers = {
        field: [(recorder.rows[int(at)], right) for at, right in spaced(of_field, MOST_VALUES)]
        for field, of_field in values.items()
    }
    return AnsweredPage(page.house, page.split == SPLIT, answers)


class _Recorder(LabelledZones):
    """Remembers what is read: confidences are numbers of rows of clues."""

    def values(self, label: str, stated: Sequence[StatedValue]) -> list[ValueFields]:
        first = len(self.rows)
        self.rows.extend(self.clues(label, stated) if stated else ())
        return [
            self.placed(value.text, list(value.zones), float(at))
            for at, value in enumerate(stated, first)
        ]

    @cached_property
    def rows(self) -> list[Floats]:
        return []


def judges_of(pages: Sequence[AnsweredPage]) -> dict[str, Ranker]:
    """By label how likely a value is right, by its clues."""
    numbers = {house: number for number, house in enumerate(dict.fromkeys(p.house for p in pages))}
    judges = {}
    for label, field in zip(FIELDS, CALIBRATED, strict=True):
        cases = [
            (row, right, numbers[page.house], page.is_written)
            for page in pages
            for row, right in page.answers.get(field, ())
        ]
        judges[label] = _judge(cases) if cases else Ranker(CLUES, (UNDECIDED,))
    return judges


def _judge(cases: Sequence[tuple[Floats, bool, int, bool]]) -> Ranker:
    """The trees of one field, by clues to values, whether each is right, its house, and if written.

    How often values of written pages are wrong is not how often others are: they have a bias of
    their own, which is left out.
    """
    rows, right, house, is_written = (np.array(column) for column in zip(*cases, strict=True))
    counts = np.where(is_written, TRUST_WRITTEN, 1.0)
    loss = Logistic(right, counts, house, HOUSES)
    trees = boost_several(CLUES, rows, loss, TREES, SEVERAL)
    scores = np.stack((trees.scores_of(rows), np.ones(len(rows)), is_written), axis=1)
    slope, offset, _ = fit_logistic(
        scores, right, penalty=TRUST_PENALTY, weights=counts, prior=(1.0, 0.0, 0.0)
    ).tolist()
    return trees.scaled(slope, offset)


def weights_of(pages: Sequence[ArticlePage]) -> ArticleWeights:
    """What these articles teach about labels; values are trusted as the labels are."""
    usable = [page for page in pages if page.usable]
    labels = [page.labelling.labels for page in usable]
    printed = [page for page in usable if page.split != SPLIT]  # the paper's model knows no others
    geometry = [(seed_model.geometry(page.zones), page.labelling.labels) for page in printed]
    field = crf.train(examples(usable), penalty=PENALTY, steps=STEPS)
    return ArticleWeights(
        features=tuple(features(usable[0].zones)),
        emission=field.emission,
        chain=field.chain,
        orders=shares_of_orders(labels),
        seed=seed_model.fit(geometry),
        judgement=np.zeros(len(judging.EVIDENCE)),
        judges={},
    )


def with_judgement(weights: ArticleWeights, learned: Lessons) -> ArticleWeights:
    """The weights with what distinguishes these articles from these other pages.

    Written articles are short already, and pages that look like articles cite as they do.
    """
    printed, by_chance = (
        [page.zones for page in learned.articles if (page.split == SPLIT) == wanted]
        for wanted in (False, True)
    )
    kinds = (printed, by_chance, learned.laid_out)
    other_kinds = (learned.others, learned.look_alikes, learned.laid_out_otherwise)
    corpus, written, right, others, look_alikes, wrong = (
        np.array([evidence_of(zones, weights) for zones in pages]).reshape(
            -1, len(judging.EVIDENCE)
        )
        for pages in (*kinds, *other_kinds)
    )
    judgement = judging.fit(
        (corpus, judging.shortened(corpus), written, right),
        (others, judging.with_references(others), look_alikes, wrong),
    )
    return replace(weights, judgement=judgement)


@dataclass(frozen=True, kw_only=True)
class ReadArticle(Measured):
    """What a model has read on a page, and how well."""

    page: ArticlePage
    labels: Sequence[str]
    reading: ArticleReading
    fields: ArticleScores


def measure(weights: ArticleWeights, page: ArticlePage, model: str = "ours") -> ReadArticle:
    """How well a model reads a page; nothing but its zones is looked at."""
    labelled = label_zones(page.zones, model=model, weights=weights)
    reading = reading_of(labelled, weights.judgement)
    fields = score(reading, page.truth)
    return ReadArticle(
        name=page.name,
        scores={"mean": fields.mean, **fields.known},
        judged=judged(reading, page.truth),
        page=page,
        labels=labelled.labels,
        reading=reading,
        fields=fields,
    )


ARTICLE = Task(
    name=TASK,
    version=VERSION,
    labels=LABELS,
    corpus=CORPUS,
    index=INDEX,
    examples=article_pages,
    group=lambda page: page.house,
    grouped_by="publisher",
    folds=FOLDS,
    fit=weights_of,
    measure=measure,
    to_json=ArticleWeights.to_json,
)


def evidence_of(zones: Zones, weights: ArticleWeights) -> Floats:
    """What speaks for an article on a page."""
    labelled = label_zones(zones, model="ours", weights=weights)
    authors, _ = authors_and_affiliations(labelled)
    return judging.evidence(labelled, authors)
