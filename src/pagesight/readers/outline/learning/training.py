"""`pagesight train outline`: weights, with what they reach on pages that were left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from pagesight.learning import corpora as corpora_
from pagesight.models.weights import Weights, shipped_path
from pagesight.readers.outline.features import VERSION
from pagesight.readers.outline.heading import HEADINGS
from pagesight.readers.outline.learning import metrics
from pagesight.readers.outline.learning.corpus import CORPUS
from pagesight.readers.outline.learning.fitting import load_examples, train_outline
from pagesight.readers.outline.learning.scoring import OurTallies, score_ours
from pagesight.readers.outline.reading import TASK

COMMAND = "pagesight train outline"
DIGITS = 3


def train(
    corpora: Path | None = None,
    *,
    output: Path | None = None,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Learn from all pages; write the weights where they are shipped, or to `output`."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    examples = load_examples(folder, renderer=renderer, advance=advance)
    trained = Weights(
        task=TASK,
        features=VERSION,
        corpus=corpora_.digest(folder),
        command=COMMAND,
        labels=HEADINGS,
        scores=_scores(score_ours(examples)),
        model=train_outline(examples).to_json(),
    )
    (output or shipped_path(TASK)).write_bytes(trained.to_bytes())


def _scores(tallies: OurTallies) -> dict[str, float]:
    """What `pagesight evaluate outline` prints."""
    shares = tallies.blind.shares()
    scores = {
        "identification F": metrics.mean(tallies.blind.identification).f,
        "hierarchy F": metrics.mean(tallies.blind.hierarchy).f,
        "exact level": shares.exact,
        "exact level by page": shares.exact_by_page,
        "exact level up to a constant": shares.shifted,
        "hierarchy F, shuffled tags": metrics.mean(tallies.shuffled.hierarchy).f,
        "pages whose outline is as tagged": float(np.mean(tallies.left_alone)),
    }
    return {name: round(score, DIGITS) for name, score in scores.items()}
