"""`pagesight evaluate title`: tables 3 and 5 of the Title Tag Analyzer's paper, and ours.

Titles are compared by the Dice coefficient of their character pairs, both folded (case, quotes,
dashes, white space); a match is exact if nothing is left that differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.readers import corpora as corpora_
from pagesight.readers.title.learning.corpus import (
    CORPUS,
    FOLDS,
    Labelled,
    parsed_pages,
    rendered_pages,
)
from pagesight.readers.title.learning.training import Chosen, confidences, cross_validated
from pagesight.readers.title.seed.methods import METHODS, Method
from pagesight.readers.title.text import similarity

BINS = 10
CRITERIA = ("1", "2", "3", "1 + 2", "1 + 3", "2 + 3", "1 + 2 + 3")


def _method_of(criteria: str) -> str:
    """A combination of criteria, as `METHODS` calls it."""
    return "tta" if criteria == CRITERIA[-1] else "tta-" + "+".join(f"s{n}" for n in criteria[::4])


def evaluate(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    worst: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Print how well titles are read, method by method and kind by kind."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    parsed, results = with_baselines(parsed_pages(corpora, advance=advance))
    kinds = [page.kind for page in parsed]
    _say(f"{len(parsed)} pages of {corpora_.digest(folder)}, {FOLDS} folds by registered domain")
    ours = {"ours, fast": cross_validated(parsed)}
    unaddressed = parsed_pages(corpora, addressed=False, advance=advance)
    bare = {"ours, fast": cross_validated(list(unaddressed))}
    for results_of, addressed in ((ours, True), (bare, False)):
        pages = rendered_pages(corpora, addressed=addressed, renderer=renderer, advance=advance)
        results_of["ours"] = cross_validated(list(pages))
    _say_seed_tables(results)
    both = ours | {f"{name}, no address": bare[name] for name in bare}
    _say_kinds(results, kinds, both)
    for name, chosen in both.items():
        _say_reliability(name, chosen)
    for name, chosen in ours.items() if worst else ():
        _say_worst(name, chosen, worst)


def with_baselines(
    pages: Iterable[Labelled], methods: Mapping[str, Method] = METHODS
) -> tuple[list[Labelled], dict[str, list[float]]]:
    """The pages, and by method how like the right title each of its titles is."""
    kept: list[Labelled] = []
    results: dict[str, list[float]] = {name: [] for name in methods}
    for page in pages:
        kept.append(page)
        for name, method in methods.items():
            found = method(page.case.clues)
            results[name].append(similarity(found[0].text if found else "", page.title))
    return kept, results


def _say_seed_tables(results: dict[str, list[float]]) -> None:
    _say("\nTable 3. Impact of criteria (average similarity)")
    for criteria in CRITERIA:
        _say(f"  {criteria:<22}{np.mean(results[_method_of(criteria)]):.2f}")
    _say("\nTable 5. Comparative results (average similarity)")
    for name in ("title-tag", "titlefinder-tf", "titlefinder", "titlefinder-overlap", "tta"):
        _say(f"  {name:<22}{np.mean(results[name]):.2f}")


def _say_kinds(
    results: dict[str, list[float]], kinds: Sequence[str], ours: dict[str, list[Chosen]]
) -> None:
    names = sorted(set(kinds))
    _say("\nAverage similarity by kind of page, and share of exact matches")
    _say(f"  {'':<22}" + "".join(f"{name[:9]:>10}" for name in [*names, "all", "exact"]))
    for name, values in results.items():
        _say_row(name, names, kinds, values)
    for name, chosen in ours.items():
        of = [each.page.kind for each in chosen]
        _say_row(name, names, of, [each.likeness for each in chosen])
        if name == "ours":
            _say_row("ours, best of two", names, of, [_of_two(each) for each in chosen])


def _of_two(chosen: Chosen) -> float:
    """How like the right title the better of the first two candidates is.

    Many pages have two names, one in the tag and one in the heading; a label has only one.
    """
    titles = (text for text, _, _ in chosen.ranked[:2])
    return max((similarity(title, chosen.page.title) for title in titles), default=0.0)


def _say_row(
    name: str, names: Sequence[str], kinds: Sequence[str], values: Sequence[float]
) -> None:
    array, kind = np.array(values), np.array(kinds)
    cells = [*(array[kind == each].mean() for each in names), array.mean(), (array == 1).mean()]
    _say(f"  {name:<22}" + "".join(f"{cell:>10.3f}" for cell in cells))


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The expected calibration error: how far confidence and share of right titles are apart."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    error = 0.0
    for each in np.unique(bins):
        inside = bins == each
        error += inside.sum() * abs(confidence[inside].mean() - right[inside].mean())
    return float(error / max(len(confidence), 1))


def _say_reliability(name: str, chosen: Sequence[Chosen]) -> None:
    confidence, right = confidences(chosen), np.array([each.right for each in chosen])
    error = calibration_error(confidence, right)
    _say(f"\nConfidence, {name}: expected calibration error {error:.3f}")
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    for each in np.unique(bins):
        inside = bins == each
        _say(
            f"  {each / BINS:.1f} to {(each + 1) / BINS:.1f}  {inside.sum():>5} pages,"
            f" said {confidence[inside].mean():.2f}, right {right[inside].mean():.2f}"
        )


def _say_worst(name: str, chosen: Sequence[Chosen], worst: int) -> None:
    _say(f"\nWorst pages, {name}")
    for each in sorted(chosen, key=lambda each: (each.likeness, -each.chance))[:worst]:
        _say(f"  {each.likeness:.2f}  {each.page.name} ({each.page.kind})  {each.page.title}")
        for text, chance, origin in each.ranked:
            _say(f"          {chance:.2f}  {text}  [{origin}]")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
