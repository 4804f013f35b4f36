"""`pagesight evaluate article`: table 5 of the layout paper, and the fields; theirs and ours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pagesight.readers.article.corpus import ArticlePage, article_pages, folds, other_pages
from pagesight.readers.article.labels import FIELDS
from pagesight.readers.article.metrics import Counts
from pagesight.readers.article.reader import label_zones, reading_of
from pagesight.readers.article.scoring import Scores, score
from pagesight.readers.article.training import evidence_of, weights_of
from pagesight.readers.article.weights import ArticleWeights
from pagesight.readers.article.zones import Zones

FOLDS = 3


@dataclass
class Tally:
    """The scores of one model on many pages."""

    fields: Scores = field(default_factory=Scores)
    zones: dict[str, Counts] = field(default_factory=lambda: dict.fromkeys(FIELDS, Counts()))
    pages: list[tuple[float, str]] = field(default_factory=list)

    def add(self, page: ArticlePage, model: str, weights: ArticleWeights) -> None:
        """Read a page, and add its scores."""
        labelled = label_zones(page.zones, model=model, weights=weights)
        scores = score(reading_of(labelled, weights.judgement), page.labelling.truth)
        self.fields += scores
        self.pages.append((_mean(scores), page.name))
        for label in page.labelling.known & set(FIELDS):
            self.zones[label] += _zone_counts(page, labelled.labels, label)


def _zone_counts(page: ArticlePage, found: Sequence[str], label: str) -> Counts:
    """Table 5 for one label; zones that name authors once more count neither way."""
    wanted = [each.removeprefix("late ") for each in page.labelling.labels]
    found = [each.removeprefix("late ") for each in found]
    counted = [zone for zone in range(len(wanted)) if zone not in page.labelling.repeated]
    right = sum(wanted[zone] == found[zone] == label for zone in counted)
    return Counts(
        sum(wanted[zone] == label for zone in counted),
        sum(found[zone] == label for zone in counted),
        right,
    )


def _mean(scores: Scores) -> float:
    lists = (scores.authors, scores.affiliations, scores.references)
    known = [*scores.title, *scores.abstract, *(each.f1 for each in lists if each.wanted)]
    return float(np.mean(known)) if known else 1.0


def evaluate(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    worst: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Print how well articles are read whose publishers were not learned from."""
    pages = list(article_pages(corpora, renderer=renderer, advance=advance))
    others = list(other_pages(corpora, renderer=renderer, advance=advance))
    tallies, weights = tallies_of(pages, [zones for learned, zones in others if learned])
    for split, title in (
        ("train", f"Train publishers, in {FOLDS} folds, each read by what the others taught"),
        ("dev", "Publishers that were not learned from"),
        ("pdf", f"PDFs, in {FOLDS} folds by publisher"),
    ):
        models = {model: tallies[split, model] for model in ("seed", "ours")}
        _say(f"\n{title}: {len(models['ours'].pages)} articles")
        _say_zones(models)
        _say_fields(models)
        for value, name in sorted(models["ours"].pages)[:worst]:
            _say(f"  {value:.3f}  {name}")
    articles = [page.zones for page in pages if page.split == "dev"]
    strangers = [zones for learned, zones in others if not learned]
    _say_judgement(articles, strangers, weights)


def _say_judgement(articles: list[Zones], others: list[Zones], weights: ArticleWeights) -> None:
    """How many pages are taken for what they are."""
    taken = [float(evidence_of(zones, weights) @ weights.judgement) > 0 for zones in articles]
    refused = [float(evidence_of(zones, weights) @ weights.judgement) <= 0 for zones in others]
    share = (np.mean(taken) + np.mean(refused)) / 2
    _say(
        f"\nTold apart: {sum(taken)} of {len(taken)} articles, "
        f"{sum(refused)} of {len(refused)} other pages; balanced {share:.3f}"
    )


def tallies_of(
    pages: Sequence[ArticlePage], others: Sequence[Zones]
) -> tuple[dict[tuple[str, str], Tally], ArticleWeights]:
    """By split and model the scores on pages of publishers that were not learned from.

    The weights are those that all but the dev publishers teach.
    """
    splits, models = ("train", "dev", "pdf"), ("seed", "ours")
    tallies = {(split, model): Tally() for split in splits for model in models}
    learned = [page for page in pages if page.split != "dev"]
    groups = [
        (group, weights_of([page for page in learned if page not in group]))
        for group in folds(learned, FOLDS)
    ]
    weights = weights_of(learned, others)
    groups.append(([page for page in pages if page.split == "dev"], weights))
    for group, own in groups:
        for page in group:
            for model in models:
                tallies[page.split, model].add(page, model, own)
    return tallies, weights


def _say_zones(models: dict[str, Tally]) -> None:
    _say("Zones              " + "".join(f"{label:>13}" for label in FIELDS))
    for model, tally in models.items():
        counts = [tally.zones[label] for label in FIELDS]
        _say_row(f"{model}: total", (str(each.wanted) for each in counts))
        _say_row("  identified", (str(each.right) for each in counts))
        _say_row("  false positive", (str(each.found - each.right) for each in counts))


def _say_fields(models: dict[str, Tally]) -> None:
    names = (
        "title",
        "authors P",
        "R",
        "F1",
        "affil. P",
        "R",
        "F1",
        "abstract",
        "ref. P",
        "R",
        "F1",
    )
    _say("Fields             " + "".join(f"{name:>10}" for name in names))
    for model, tally in models.items():
        scores = tally.fields
        cells = [_average(scores.title)]
        for each in (scores.authors, scores.affiliations):
            cells += [each.precision, each.recall, each.f1]
        cells.append(_average(scores.abstract))
        cells += [scores.references.precision, scores.references.recall, scores.references.f1]
        _say(f"{model:<19}" + "".join(f"{cell:>10.3f}" for cell in cells))


def _average(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _say_row(name: str, cells: Iterable[str]) -> None:
    _say(f"{name:<19}" + "".join(f"{cell:>13}" for cell in cells))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
