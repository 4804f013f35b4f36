"""The weights of the field that labels the tokens of citations, as they are shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import ModelError
from pagesight.models.chain import Chain
from pagesight.models.logistic import Platt
from pagesight.models.weights import HINT, load_weights
from pagesight.readers.article.citations.labels import STATES
from pagesight.readers.article.citations.tokens import Vocabulary

TASK = "citations"
VERSION = 1
DIGITS = 2  # after the point; more change no label
PARTS = ("authors", "title", "container", "volume", "issue", "pages", "year", "doi")
CALIBRATED = (*PARTS, "own journal", "own volume", "own issue", "own pages")


@dataclass(frozen=True, eq=False)
class CitationWeights:
    """What was learned about citations."""

    vocabulary: Vocabulary
    emission: NDArray[np.float64]  # features × states
    chain: Chain
    calibration: Mapping[str, Platt]  # by part, the curve of its confidences

    def to_json(self) -> dict[str, Any]:
        """All weights as plain lists; features that say nothing are left out."""
        rounded = np.round(self.emission, DIGITS)
        telling = np.flatnonzero(rounded.any(axis=1))
        links = (self.chain.transition, self.chain.start, self.chain.stop)
        curves = {name: [curve.slope, curve.offset] for name, curve in self.calibration.items()}
        return {
            "words": list(self.vocabulary.words),
            "gaps": list(self.vocabulary.gaps),
            "features": telling.tolist(),
            "emission": np.round(rounded[telling] * 10**DIGITS).astype(int).tolist(),
            "chain": [np.round(part, DIGITS).tolist() for part in links],
            "calibration": curves,
        }

    @classmethod
    def from_json(cls, model: Mapping[str, Any]) -> CitationWeights:
        """What `to_json` made; `ModelError` where something is missing."""
        try:
            vocabulary = Vocabulary(model["words"], model["gaps"])
            emission = np.zeros((sum(vocabulary.sizes.values()), len(STATES)))
            emission[model["features"]] = np.array(model["emission"]) / 10**DIGITS
            chain = Chain(*(np.array(part, dtype=np.float64) for part in model["chain"]))
            curves = {name: Platt.from_json(model["calibration"][name]) for name in CALIBRATED}
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise ModelError(f"the weights of {TASK!r} are damaged ({error})", hint=HINT) from error
        return cls(vocabulary, emission, chain, curves)


@cache
def shipped_weights() -> CitationWeights:
    """The weights that come with the package."""
    return CitationWeights.from_json(load_weights(TASK, VERSION).model)
