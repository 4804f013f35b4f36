"""The weights of the article models, as they are shipped."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from pagesight.errors import ModelError
from pagesight.models.crf import Crf, Weights
from pagesight.readers.article.features import VERSION, feature_names
from pagesight.readers.article.judging import EVIDENCE, Floats
from pagesight.readers.article.labels import LABELS
from pagesight.readers.article.seed_model import STATES, SeedWeights

FILE = "article.npz"


@dataclass(frozen=True, eq=False)
class ArticleWeights:
    """What the reader has learned."""

    field: Crf
    seed: SeedWeights
    judgement: Floats  # by evidence

    def save(self, path: Path) -> None:
        """Write all weights into one file; the same weights give the same bytes."""
        field, seed = self.field.weights, self.seed
        np.savez_compressed(
            path,
            version=np.array(VERSION),
            emission=field.emission.astype(np.float32),
            transition=field.transition.astype(np.float32),
            start=field.start.astype(np.float32),
            stop=field.stop.astype(np.float32),
            seed_mean=seed.mean,
            seed_deviation=seed.deviation,
            seed_transition=seed.transition,
            judgement=self.judgement,
        )

    @classmethod
    def load(cls, data: bytes) -> ArticleWeights:
        """The weights in a file; `ModelError` where they fit other features than these."""
        with np.load(io.BytesIO(data)) as arrays:
            found = {name: arrays[name].astype(np.float64) for name in arrays.files}
        names = ("emission", "transition", "start", "stop")
        weights = Weights(*(found[name] for name in names))
        seed = SeedWeights(found["seed_mean"], found["seed_deviation"], found["seed_transition"])
        shapes = (
            weights.emission.shape == (len(feature_names()), len(LABELS)),
            seed.transition.shape == 2 * (len(STATES),),
            found["judgement"].shape == (len(EVIDENCE),),
            int(found["version"]) == VERSION,
        )
        if not all(shapes):
            raise ModelError("the article weights fit other features", hint="train them again")
        return cls(Crf(weights), seed, found["judgement"])


@cache
def shipped_weights() -> ArticleWeights:
    """The weights that come with the package."""
    return ArticleWeights.load((files("pagesight") / "data" / FILE).read_bytes())
