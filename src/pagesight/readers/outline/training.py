"""Training of the outline model, and what it finds on pages that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.models import softmax
from pagesight.models.ranking import Ranker
from pagesight.models.softmax import Softmax
from pagesight.models.weights import Weights, shipped_path
from pagesight.readers import corpora as corpora_
from pagesight.readers.outline import metrics
from pagesight.readers.outline.corpus import CORPUS, LabelledPage, folds, labelled_pages
from pagesight.readers.outline.features import VERSION
from pagesight.readers.outline.heading import HEADINGS
from pagesight.readers.outline.judging import LONGEST, train_judge
from pagesight.readers.outline.levels import LOOK_NAMES, MOST_LEVELS, RELATIONS, pair_names
from pagesight.readers.outline.reading import TASK, OutlineModel, Seen, find_headings

Ints = NDArray[np.int64]

COMMAND = "pagesight train outline"
RIDGE = 2.0
DIGITS = 3


def train(
    corpora: Path | None = None,
    *,
    output: Path | None = None,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Learn from all blind pages; write the weights where they are shipped, or to `output`."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    pages = list(labelled_pages(folder, renderer=renderer, advance=advance))
    seen = [Seen.of(page.blocks) for page in pages]
    trained = Weights(
        task=TASK,
        features=VERSION,
        corpus=corpora_.digest(folder),
        command=COMMAND,
        labels=HEADINGS,
        scores=_scores(pages, cross_validated(pages, seen)),
        model=train_outline(pages, seen).to_json(),
    )
    (output or shipped_path(TASK)).write_bytes(trained.to_bytes())


def cross_validated(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> list[Ints]:
    """By page the level of each text block, upwards, as a model of the other folds has it."""
    found: list[Ints] = [np.zeros(0, np.int64)] * len(pages)
    for part in folds(pages):
        for index, levels in zip(part, held_out(pages, seen, part), strict=True):
            found[index] = levels
    return found


def held_out(
    pages: Sequence[LabelledPage], seen: Sequence[Seen], part: Sequence[int]
) -> list[Ints]:
    """The levels that a model of all other pages gives to the pages of a part."""
    rest = sorted(set(range(len(pages))) - set(part))
    model = train_outline([pages[i] for i in rest], [seen[i] for i in rest])
    return [levels_upwards(seen[index], model) for index in part]


def levels_upwards(seen: Seen, model: OutlineModel) -> Ints:
    """The level of each text block of a page: 0 is no heading, 1 the lowest level found."""
    found = find_headings(seen, model)
    upwards = np.zeros(len(seen.sight.blocks), np.int64)
    upwards[found.blocks] = found.levels.max(initial=0) + 1 - found.levels
    return upwards


def _scores(pages: Sequence[LabelledPage], found: Sequence[Ints]) -> dict[str, float]:
    """What `pagesight evaluate outline` prints for these levels."""
    items = [page.items(levels) for page, levels in zip(pages, found, strict=True)]
    identified = metrics.mean([metrics.identification(*pair) for pair in items])
    hierarchy = metrics.mean([metrics.hierarchy(*pair) for pair in items])
    count, exact, _ = np.sum([metrics.exact_levels(*pair) for pair in items], axis=0).tolist()
    scores = {
        "identification F": identified.f,
        "hierarchy F": hierarchy.f,
        "exact level": exact / max(1, count),
    }
    return {name: round(float(score), DIGITS) for name, score in scores.items()}


def train_outline(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> OutlineModel:
    """Learn from pages whose headings are known; `seen` are their features."""
    return OutlineModel(_judge(pages, seen), *_compared(pages, seen))


def _judge(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> Ranker:
    rows, wanted, weights = [], [], []
    for page, sight in zip(pages, seen, strict=True):
        short = page.blocks.lengths <= LONGEST
        is_heading = page.block_levels > 0
        rows.append(sight.rows[short])
        wanted.append(is_heading[short].astype(np.float64))
        # A page with a hundred headings does not say a hundred times as much as one with one.
        weight = np.sqrt(20 / max(5, int(is_heading.sum())))
        weights.append(np.full(int(short.sum()), weight))
    return train_judge(
        seen[0].names, np.vstack(rows), np.concatenate(wanted), np.concatenate(weights)
    )


def _compared(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> tuple[Softmax, Softmax]:
    """The levels of looks by themselves, and how two looks stand to one another."""
    looks_seen, levels = [np.zeros((0, len(LOOK_NAMES)))], [np.zeros(0, np.int64)]
    compared, relations = [np.zeros((0, len(pair_names())))], [np.zeros(0, np.int64)]
    for page, sight in zip(pages, seen, strict=True):
        looks = sight.looks(np.flatnonzero(page.block_levels))
        if not looks.count:
            continue
        upwards = _usual_levels(looks.number, page.block_levels[looks.blocks])
        looks_seen.append(looks.described())
        levels.append(np.minimum(page.block_levels.max() - upwards, MOST_LEVELS - 1))
        if looks.count > 1:
            pairs, table = looks.pairs()
            compared.append(table)
            relations.append(1 - np.sign(upwards[pairs[:, 0]] - upwards[pairs[:, 1]]))
    own = np.vstack(looks_seen), np.concatenate(levels)
    both = np.vstack(compared), np.concatenate(relations)
    names = [f"h{level}" for level in range(1, MOST_LEVELS + 1)]
    return (
        softmax.fit(LOOK_NAMES, names, *own, ridge=RIDGE),
        softmax.fit(pair_names(), RELATIONS, *both, ridge=RIDGE),
    )


def _usual_levels(look: Ints, levels: Ints) -> Ints:
    """The level that most headings of each look have."""
    table = np.zeros((int(look.max()) + 1, int(levels.max()) + 1), np.int64)
    np.add.at(table, (look, levels), 1)
    usual: Ints = table.argmax(axis=1)
    return usual
