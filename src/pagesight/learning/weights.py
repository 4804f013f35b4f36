"""Writing the weights that a training run has found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pagesight.learning.corpora import corpus_folder, digest
from pagesight.models.weights import Weights, shipped_path

DIGITS = 4  # of scores


def write_weights(
    task: str,
    model: Mapping[str, Any],
    *,
    version: int,
    labels: tuple[str, ...],
    scores: Mapping[str, float],
    corpus: str,
    index: str = "dev.jsonl",
    corpora: Path | None = None,
    output: Path | None = None,
    digits: int = DIGITS,
) -> None:
    """Write weights where they are shipped, or to `output`, with what they were trained on."""
    weights = Weights(
        task=task,
        features=version,
        corpus=digest(corpus_folder(corpus, corpora), index),
        command=f"pagesight train {task}",
        labels=labels,
        scores={name: round(float(score), digits) for name, score in scores.items()},
        model=model,
    )
    (output or shipped_path(task)).write_bytes(weights.to_bytes())
