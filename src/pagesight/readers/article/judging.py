"""Whether a page is an article at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.lexicon import DOI, YEAR
from pagesight.readers.article.reading import Author
from pagesight.readers.article.values import LabelledZones

Floats = NDArray[np.float64]

EVIDENCE = (
    "bias", "title", "authors", "author share", "affiliations", "abstract words",
    "abstract heading", "references", "reference years", "reference heading", "doi", "keywords",
    "section headings", "words", "confidence",
)  # fmt: skip


def evidence(labelled: LabelledZones, authors: Sequence[Author]) -> Floats:
    """What speaks for an article and against it, as numbers between 0 and about 1."""
    texts = labelled.zones.texts
    if not texts:
        return np.array([1.0] + [0.0] * (len(EVIDENCE) - 1))
    of = labelled.of
    kinds = labelled.zones.kinds
    references, abstract, titles = of("reference"), of("abstract"), of("title")
    dated = sum(bool(YEAR.search(texts[zone])) for zone in references)
    confidence = labelled.confidence
    sections = {kind for found in kinds for kind in found}
    return np.array(
        [
            1.0,
            float(confidence[titles].max()) if titles else 0.0,
            min(np.log1p(len(authors)) / 2, 1.0),
            float(confidence[of("author")].mean()) if of("author") else 0.0,
            min(len(of("affiliation")) / 3, 1.0),
            min(int(labelled.zones.words[abstract].sum()) / 150, 1.0),
            float("abstract" in sections),
            min(np.log1p(len(references)) / 4, 1.0),
            dated / max(len(references), 1),
            float("references" in sections),
            float(any(DOI.search(text) for text in texts)),
            float(bool(of("keywords"))),
            min(sum("body" in found for found in kinds) / 4, 1.0),
            min(np.log1p(int(labelled.zones.words.sum())) / 10, 1.2),
            float(confidence.mean()),
        ]
    )


def is_article(
    labelled: LabelledZones, authors: Sequence[Author], weights: Floats
) -> tuple[bool, float]:
    """The verdict, and how likely it is that the page is an article."""
    score = float(evidence(labelled, authors) @ weights)
    probability = 1 / (1 + float(np.exp(-np.clip(score, -30, 30))))
    return probability >= 0.5, probability


def fit(rows: Floats, answers: NDArray[np.bool_], *, penalty: float = 0.1) -> Floats:
    """Weights by logistic regression, both answers counting the same in total."""
    share = np.where(answers, 0.5 / max(answers.mean(), 1e-9), 0.5 / max(1 - answers.mean(), 1e-9))
    weights = np.zeros(rows.shape[1])
    for _ in range(50):  # Newton's method; converges in a dozen steps
        probability = 1 / (1 + np.exp(-rows @ weights))
        gradient = rows.T @ (share * (probability - answers)) + penalty * weights
        curvature = (rows * (share * probability * (1 - probability))[:, None]).T @ rows
        weights = weights - np.linalg.solve(curvature + penalty * np.eye(len(weights)), gradient)
    return weights
