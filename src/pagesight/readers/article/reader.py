"""Reading an article: zones, labels, values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pagesight.page import Page
from pagesight.readers.article import seed_model, values
from pagesight.readers.article.features import features
from pagesight.readers.article.judging import Floats, is_article
from pagesight.readers.article.labels import LABELS
from pagesight.readers.article.lexicon import CUES, heading_kinds
from pagesight.readers.article.reading import ArticleReading
from pagesight.readers.article.values import LabelledZones
from pagesight.readers.article.weights import ArticleWeights, shipped_weights
from pagesight.readers.article.zones import Zones, article_zones

MODELS = ("ours", "seed")
MARGIN = 2.0  # log-odds that a title may look less like one than the zone that does most
MOST_LINES = 3  # of a title, besides the first
MOST_WORDS = 50  # of a title
NEVER = -50.0  # the score of a label that a zone cannot have


def read_article(
    page: Page, *, model: str = "ours", weights: ArticleWeights | None = None
) -> ArticleReading:
    """What a page says about the article that it shows.

    `model` is ``ours`` or ``seed``, the model of the layout paper. The head of the page, with its
    citation tags, is not looked at.
    """
    weights = weights or shipped_weights()
    labelled = label_zones(article_zones(page), model=model, weights=weights)
    return reading_of(labelled, weights.judgement)


def label_zones(zones: Zones, *, model: str, weights: ArticleWeights) -> LabelledZones:
    """The zones with the labels that a model gives them."""
    if model == "seed":
        labels, confidence = seed_model.label(zones, weights.seed)
        return LabelledZones(zones, labels, confidence)
    field = weights.field
    scores = _gated(field.scores(features(zones)), zones.texts)
    numbers = field.decode(scores)
    posterior, _ = field.posterior(scores)
    confidence = posterior[range(len(numbers)), numbers]
    return LabelledZones(zones, [LABELS[number] for number in numbers.tolist()], confidence)


def _gated(scores: Floats, texts: Sequence[str]) -> Floats:
    """Scores by which only zones that look like titles may be one, or go on from one.

    Otherwise, where much navigation follows a title, the chain puts the title behind it.
    """
    if not len(scores):
        return scores
    title = LABELS.index("title")
    others = np.logaddexp.reduce(np.delete(scores, title, axis=1), axis=1)
    odds = np.where([_may_be_title(text) for text in texts], scores[:, title] - others, NEVER)
    likely = odds > odds.max() - MARGIN
    for _ in range(MOST_LINES):
        likely[1:] |= likely[:-1] & (odds[1:] > odds.max() - 2 * MARGIN)
    gated = scores.copy()
    gated[~likely, title] = NEVER
    return gated


def _may_be_title(text: str) -> bool:
    words = len(text.split())
    return 1 <= words <= MOST_WORDS and not heading_kinds(text) and not CUES["figure"].match(text)


def reading_of(labelled: LabelledZones, judgement: Floats) -> ArticleReading:
    """The values of labelled zones; `judgement` weighs the evidence for an article."""
    authors, affiliations = values.authors_and_affiliations(labelled)
    verdict, confidence = is_article(labelled, authors, judgement)
    return ArticleReading(
        is_article=verdict,
        confidence=confidence,
        title=values.title(labelled),
        authors=authors,
        affiliations=affiliations,
        abstract=values.abstract(labelled),
        keywords=tuple(values.keywords(labelled)),
        references=values.references(labelled),
        doi=values.doi(labelled),
        year=values.year(labelled),
        url=labelled.zones.page.url,
        zones=values.labelled_zones(labelled),
    )
