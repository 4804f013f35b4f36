"""Training: the weights of the field that labels zones, from pages that label themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import corpus_folder, digest
from pagesight.models import crf
from pagesight.models import weights as shipping
from pagesight.models.crf import Crf
from pagesight.models.crf import FieldWeights as Weights
from pagesight.models.crf import LabelledSequence as Example
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.identifiers import YEAR
from pagesight.readers.article.labelling import calibration, chains, judging
from pagesight.readers.article.labelling.features import VERSION
from pagesight.readers.article.labelling.judging import Floats
from pagesight.readers.article.labelling.labels import LABELS, field_of
from pagesight.readers.article.labelling.weights import DIGITS, TASK, ArticleWeights
from pagesight.readers.article.learning.alignment import Labelling
from pagesight.readers.article.learning.corpus import (
    CORPUS,
    INDEX,
    ArticlePage,
    article_pages,
    folds,
    other_pages,
)
from pagesight.readers.article.learning.scoring import Scores, judged, score
from pagesight.readers.article.reader import label_zones, reading_of
from pagesight.readers.article.seed import model as seed_model
from pagesight.readers.article.vocabulary import INSTITUTION
from pagesight.readers.article.zones import Zones

PENALTY = 1.0  # found on the train publishers, each left out in turn
STEPS = 120
CALIBRATION_FOLDS = 3
EDGE = 12  # zones of a long stretch that are all learned from, at either end
STRIDE = 4  # of the others, every so many
_NUMBER = {label: number for number, label in enumerate(LABELS)}
_NEAR = 25  # zones after the title, in which an abstract without heading may stand


def examples(pages: Sequence[ArticlePage]) -> list[Example]:
    """Sequences with the labels that each zone may have."""
    found = []
    for page in pages:
        if page.usable:
            kept = _telling(page.labelling.labels)
            allowed = allowed_labels(page.labelling, page.texts)
            found.append(Example(page.features[kept], allowed[kept]))
    return found


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
    """For each zone which labels it may have: its own; and those of fields that nobody told."""
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
    found = []
    if label in ("front", "correspondence"):
        found += ["author", "affiliation"]
    if label in ("after", "body") and words <= 60 and INSTITUTION.search(text):
        found.append("late affiliation" if label == "body" else "last affiliation")
    if label in ("front", "body") and words >= 20 and 0 < after_title <= _NEAR:
        found.append("abstract")
    if label in ("body", "after", "citing") and words >= 6 and YEAR.search(text):
        found.append("reference")
    return found


def train(
    corpora: Path | None = None,
    *,
    output: Path | None = None,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Learn from all but the dev publishers; write to where weights are shipped, or `output`."""
    pages = list(article_pages(corpora, renderer=renderer, advance=advance))
    others = other_pages(corpora, renderer=renderer, advance=advance)
    learned = [page for page in pages if page.split != "dev"]
    strangers = [zones for is_learned, zones in others if is_learned]
    weights = replace(weights_of(learned, strangers), calibration=calibration_of(learned))
    trained = shipping.Weights(
        task=TASK,
        features=VERSION,
        corpus=digest(corpus_folder(CORPUS, corpora), INDEX),
        command=f"pagesight train {TASK}",
        labels=LABELS,
        scores=_scores([page for page in pages if page.split == "dev"], weights),
        model=weights.to_json(),
    )
    (output or shipping.shipped_path(TASK)).write_bytes(trained.to_bytes())


def _scores(pages: Sequence[ArticlePage], weights: ArticleWeights) -> dict[str, float]:
    """What is reached on these pages, to be told with the weights."""
    total = Scores()
    for page in pages:
        labelled = label_zones(page.zones, model="ours", weights=weights)
        total += score(reading_of(labelled, weights.judgement), page.labelling.truth)
    lists = {
        "authors F1": total.authors,
        "affiliations F1": total.affiliations,
        "references F1": total.references,
    }
    return {
        "title Dice": round(float(np.mean(total.title)), DIGITS),
        "abstract Dice": round(float(np.mean(total.abstract)), DIGITS),
        **{name: round(counts.f1, DIGITS) for name, counts in lists.items()},
    }


def weights_of(pages: Sequence[ArticlePage], others: Sequence[Zones] = ()) -> ArticleWeights:
    """What these articles teach, and these other pages, that are none."""
    usable = [page for page in pages if page.usable]
    seed = seed_model.fit(
        [(seed_model.geometry(page.zones), page.labelling.labels) for page in usable]
    )
    orders = chains.priors([page.labelling.labels for page in usable])
    unjudged = np.zeros(len(judging.EVIDENCE))
    weights = ArticleWeights(Crf(fit(usable)), orders, seed, unjudged, calibration.AS_IT_IS)
    if not others:
        return weights
    articles = np.stack([evidence_of(page.zones, weights) for page in pages])
    articles = np.concatenate((articles, judging.shortened(articles)))
    strangers = np.stack([evidence_of(zones, weights) for zones in others])
    strangers = np.concatenate((strangers, judging.with_references(strangers)))
    rows = np.concatenate((articles, strangers))
    answers = np.arange(len(rows)) < len(articles)
    return replace(weights, judgement=judging.fit(rows, answers))


def calibration_of(pages: Sequence[ArticlePage]) -> Floats:
    """How sure to be of values, by pages that are read by what other publishers teach."""
    found = []
    for group in filter(None, folds(pages, CALIBRATION_FOLDS)):
        own = {page.name for page in group}
        weights = weights_of([page for page in pages if page.name not in own])
        for page in group:
            labelled = label_zones(page.zones, model="ours", weights=weights)
            found.append(judged(reading_of(labelled, weights.judgement), page.labelling.truth))
    return calibration.fit(found)


def evidence_of(zones: Zones, weights: ArticleWeights) -> Floats:
    """What speaks for an article on a page."""
    labelled = label_zones(zones, model="ours", weights=weights)
    authors, _ = authors_and_affiliations(labelled)
    return judging.evidence(labelled, authors)


def fit(pages: Sequence[ArticlePage], *, penalty: float = PENALTY, steps: int = STEPS) -> Weights:
    """The weights for these pages, in whatever order their parts stand."""
    return crf.train(examples(pages), penalty=penalty, steps=steps)
