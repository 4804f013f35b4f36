"""`pagesight evaluate article`: table 5 of the layout paper, and the fields; theirs and ours.

Nothing here looks at the tags of a page but to know what is right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pagesight.learning.corpora import corpus_folder, rendered, request_of, rows
from pagesight.page import Page
from pagesight.readers.article.labelling import calibration
from pagesight.readers.article.labelling.labels import FIELDS, field_of
from pagesight.readers.article.labelling.weights import ArticleWeights
from pagesight.readers.article.learning.ablation import effects, say_effects
from pagesight.readers.article.learning.corpus import (
    CORPUS,
    INDEX,
    ArticlePage,
    article_pages,
    other_pages,
)
from pagesight.readers.article.learning.corpus import folds as divided
from pagesight.readers.article.learning.faults import faults
from pagesight.readers.article.learning.metrics import Counts, count_persons, count_texts
from pagesight.readers.article.learning.scoring import Scores, judged, mean_of, score
from pagesight.readers.article.learning.training import evidence_of, weights_of
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.reader import label_zones, read_article, reading_of
from pagesight.readers.article.reading import ArticleReading, ArticleValue
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import dice

FOLDS = 3
SPLITS = {
    "train": "Train publishers, in {} folds, each read by what the others taught",
    "dev": "Dev publishers, read by what the train publishers taught",
    "pdf": "PDFs, in {} folds by publisher",
}
MODELS = ("seed", "ours")
HEADER = (
    "title", "authors P", "R", "F1", "affil. P", "R", "F1", "abstract", "ref. P", "R", "F1"
)  # fmt: skip


@dataclass(frozen=True)
class Read:
    """A page that was read, and how well."""

    name: str
    house: str
    reading: ArticleReading
    truth: Truth
    scores: Scores

    @property
    def mean(self) -> float:
        return mean_of(self.scores)


@dataclass
class Tally:
    """The scores of one model on many pages."""

    fields: Scores = field(default_factory=Scores)
    zones: dict[str, Counts] = field(default_factory=lambda: dict.fromkeys(FIELDS, Counts()))
    pages: list[Read] = field(default_factory=list)

    def add(self, page: ArticlePage, model: str, weights: ArticleWeights) -> None:
        """Read a page, and add its scores."""
        labelled = label_zones(page.zones, model=model, weights=weights)
        reading = reading_of(labelled, weights.judgement)
        scores = score(reading, page.labelling.truth)
        self.fields += scores
        self.pages.append(Read(page.name, page.house, reading, page.labelling.truth, scores))
        for label in page.labelling.known & set(FIELDS):
            self.zones[label] += _zone_counts(page, labelled.labels, label)


def _zone_counts(page: ArticlePage, found: Sequence[str], label: str) -> Counts:
    """Table 5 for one label; zones that name authors once more count neither way."""
    wanted = [field_of(each) for each in page.labelling.labels]
    found = [field_of(each) for each in found]
    counted = [zone for zone in range(len(wanted)) if zone not in page.labelling.repeated]
    right = sum(wanted[zone] == found[zone] == label for zone in counted)
    return Counts(
        sum(wanted[zone] == label for zone in counted),
        sum(found[zone] == label for zone in counted),
        right,
    )


def evaluate(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    worst: int = 0,
    folds: int = FOLDS,
    renderers: bool = False,
    ablate: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Print how well articles are read whose publishers were not learned from.

    With more folds than publishers, one publisher is left out at a time. With `renderers`, print
    instead how often both renderers lead to the same fields; with `ablate`, what changes without
    each of the rules.
    """
    if renderers:
        _say_renderers(corpora, advance)
        return
    pages = list(article_pages(corpora, renderer=renderer, advance=advance))
    if ablate:
        say_effects(effects(pages, advance=advance))
        return
    others = list(other_pages(corpora, renderer=renderer, advance=advance))
    strangers = [zones for learned, zones in others if learned]
    tallies, weights = tallies_of(pages, strangers, count=folds, advance=advance)
    publishers = len({page.house for page in pages if page.split != "dev"})
    for split, title in SPLITS.items():
        models = {model: tallies[split, model] for model in MODELS}
        _say(f"\n{title.format(min(folds, publishers))}: {len(models['ours'].pages)} articles")
        _say_zones(models)
        _say_fields(models)
        _say_publishers(models["ours"], worst)
        _say_worst(models["ours"], worst)
    _say_confidence(tallies)
    articles = [page.zones for page in pages if page.split == "dev"]
    _say_judgement(articles, [zones for learned, zones in others if not learned], weights)


def tallies_of(
    pages: Sequence[ArticlePage],
    others: Sequence[Zones],
    *,
    count: int = FOLDS,
    advance: Callable[[], None] = lambda: None,
) -> tuple[dict[tuple[str, str], Tally], ArticleWeights]:
    """By split and model the scores on pages of publishers that were not learned from.

    The weights are those that all but the dev publishers teach.
    """
    tallies = {(split, model): Tally() for split in SPLITS for model in MODELS}
    learned = [page for page in pages if page.split != "dev"]
    weights = weights_of(learned, others)
    groups = [([page for page in pages if page.split == "dev"], weights)]
    for group in filter(None, divided(learned, count)):
        own = {page.name for page in group}
        groups.append((group, weights_of([page for page in learned if page.name not in own])))
        advance()
    for group, own_weights in groups:
        for page in group:
            for model in MODELS:
                tallies[page.split, model].add(page, model, own_weights)
            advance()
    return tallies, weights


def _say_judgement(articles: list[Zones], others: list[Zones], weights: ArticleWeights) -> None:
    """How many pages are taken for what they are."""
    taken = [float(evidence_of(zones, weights) @ weights.judgement) > 0 for zones in articles]
    refused = [float(evidence_of(zones, weights) @ weights.judgement) <= 0 for zones in others]
    share = (np.mean(taken) + np.mean(refused)) / 2
    _say(
        f"\nTold apart: {sum(taken)} of {len(taken)} articles of the dev publishers, "
        f"{sum(refused)} of {len(refused)} other pages; balanced {share:.3f}"
    )


def _say_zones(models: dict[str, Tally]) -> None:
    _say("Table 5, zones     " + "".join(f"{label:>13}" for label in FIELDS))
    for model, tally in models.items():
        counts = [tally.zones[label] for label in FIELDS]
        _say_row(f"{model}: total", (str(each.wanted) for each in counts))
        _say_row("  identified", (str(each.right) for each in counts))
        _say_row("  false positive", (str(each.found - each.right) for each in counts))


def _say_fields(models: dict[str, Tally]) -> None:
    _say("Fields             " + "".join(f"{name:>10}" for name in HEADER))
    for model, tally in models.items():
        _say(f"{model:<19}" + _cells(tally.fields))


def _cells(scores: Scores) -> str:
    """All fields in a row; a dash where nothing is known."""
    cells: list[float | None] = [_average(scores.title)]
    for each in (scores.authors, scores.affiliations, None, scores.references):
        if each is None:
            cells.append(_average(scores.abstract))
        elif each.wanted:
            cells += [each.precision, each.recall, each.f1]
        else:
            cells += [None] * 3
    return "".join(f"{'–' if cell is None else f'{cell:.3f}':>10}" for cell in cells)


def _say_publishers(tally: Tally, worst: int) -> None:
    """The publishers whose articles were read worst."""
    houses: dict[str, list[Scores]] = {}
    for page in tally.pages:
        houses.setdefault(page.house, []).append(page.scores)
    totals = {house: sum(own, Scores()) for house, own in houses.items()}
    for house in sorted(totals, key=lambda house: mean_of(totals[house]))[:worst]:
        name = f"  {house[:13]} ({len(houses[house])})"
        _say(f"{name:<19}" + _cells(totals[house]))


def _say_confidence(tallies: dict[tuple[str, str], Tally]) -> None:
    """How sure the reader is of what it reads on the dev publishers, and how often it is right.

    The confidences are mapped as on all others it was right and wrong.
    """
    known = [page for split in ("train", "pdf") for page in tallies[split, "ours"].pages]
    maps = calibration.fit(judged(page.reading, page.truth) for page in known)
    dev = [
        judged(calibration.calibrated(page.reading, maps), page.truth)
        for page in tallies["dev", "ours"].pages
    ]
    _say("\nConfidence of values of the dev publishers, and how many of them are right")
    for field_name in calibration.CALIBRATED:
        pairs = np.array([pair for page in dev for pair in page.get(field_name, ())])
        if len(pairs):
            sure, right = pairs.mean(axis=0)
            _say(f"  {field_name:<14}{sure:.3f}  {right:.3f} of {len(pairs)}")


def _say_worst(tally: Tally, worst: int) -> None:
    """The pages that were read worst, and what is wrong with them."""
    for page in sorted(tally.pages, key=lambda page: page.mean)[:worst]:
        _say(f"  {page.mean:.3f}  {page.name}")
        for fault in faults(page.reading, page.truth):
            _say(f"           {fault}")


# Renderers


def _say_renderers(corpora: Path | None, advance: Callable[[], None]) -> None:
    folder = corpus_folder(CORPUS, corpora)
    listed = rows(folder, INDEX)
    requests = [request_of(folder, row) for row in listed]
    readings = [
        [_read(page) for page in rendered(requests, renderer=name, advance=advance)]
        for name in ("chromium", "embedded")
    ]
    compared = [
        (row, agreement(one, other))
        for row, one, other in zip(listed, *readings, strict=True)
        if one and other
    ]
    _say(f"Both renderers: {len(compared)} of {len(listed)} pages, with the weights as shipped")
    _say("Same fields" + "".join(f"{name:>14}" for name in (*AGREEING, "all")))
    for split in ("train", "dev"):
        same = np.array([each for row, each in compared if row["split"] == split])
        if len(same):
            cells = [*same.mean(axis=0), same.all(axis=1).mean()]
            _say(f"{split:<11}" + "".join(f"{cell:>14.3f}" for cell in cells))
    for row, each in compared:
        if not all(each):
            wrong = (name for name, is_same in zip(AGREEING, each, strict=True) if not is_same)
            _say(f"  {row['file']}: {', '.join(wrong)}")


AGREEING = ("title", "authors", "affiliations", "abstract", "references")
SAME = 0.95  # Dice of texts, and F1 of lists, from which two readings say the same


def agreement(one: ArticleReading, other: ArticleReading) -> list[bool]:
    """For each field whether two readings say the same, as far as the measures see."""
    likeness = (
        dice(_text(one.title), _text(other.title)),
        count_persons(_names(one), _names(other)).f1,
        count_texts(_texts(one.affiliations), _texts(other.affiliations)).f1,
        dice(_text(one.abstract), _text(other.abstract)),
        count_texts(_texts(one.references), _texts(other.references)).f1,
    )
    return [each >= SAME for each in likeness]


def _text(value: ArticleValue | None) -> str:
    return value.text if value else ""


def _texts(values: Sequence[ArticleValue]) -> list[str]:
    return [value.text for value in values]


def _names(reading: ArticleReading) -> list[Name]:
    return [Name(author.given, author.family) for author in reading.authors]


def _read(page: Page | Exception) -> ArticleReading | None:
    return read_article(page, metadata="ignore") if isinstance(page, Page) else None


def _average(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _say_row(name: str, cells: Iterable[str]) -> None:
    _say(f"{name:<19}" + "".join(f"{cell:>13}" for cell in cells))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
