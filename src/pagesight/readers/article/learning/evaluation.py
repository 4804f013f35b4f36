"""`pagesight evaluate article`: table 5 of the layout paper, and the fields; theirs and ours.

The tags of a page are looked at only to know what is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pagesight.learning.calibration import Judged, merged, trust_in
from pagesight.learning.corpora import Corpora
from pagesight.learning.scores import Prf, means
from pagesight.learning.tables import show, table
from pagesight.learning.task import Measured, worst_pages
from pagesight.models.ranking import Ranker
from pagesight.readers.article.labelling.confidence import by_label
from pagesight.readers.article.labelling.labels import FIELDS, field_of
from pagesight.readers.article.labelling.weights import CALIBRATED, ArticleWeights
from pagesight.readers.article.learning.citations import citation_tables
from pagesight.readers.article.learning.corpus import ArticlePage, article_pages, other_pages
from pagesight.readers.article.learning.fresh import read_fresh
from pagesight.readers.article.learning.scoring import ArticleScores
from pagesight.readers.article.learning.training import (
    ARTICLE,
    FOLDS,
    AnsweredPage,
    ReadArticle,
    answered,
    evidence_of,
    judges_of,
    lessons,
    measure,
    weights_of,
    with_judgement,
)
from pagesight.readers.article.zones import Zones

SPLITS = {
    "train": "Train publishers, in {} folds, each read by what the others taught",
    "dev": "Dev publishers, read by what the train publishers taught",
    "pdf": "PDFs, in {} folds by publisher",
    "written": "Written articles, in {} folds by kind, each read by what the others taught",
}
MODELS = ("seed", "ours")
HEADER = (
    "title", "authors P", "R", "F1", "affil. P", "R", "F1", "abstract", "ref. P", "R", "F1"
)  # fmt: skip

Measures = Mapping[str, Sequence[ReadArticle]]
"""By model the pages that it has read."""


def evaluate(
    corpora: Corpora,
    *,
    worst: int = 0,
    folds: int = FOLDS,
) -> None:
    """Print how well articles are read whose publishers were not learned from.

    With more folds than publishers, one publisher is left out at a time, and each has a row.
    """
    pages = list(article_pages(corpora))
    learned = lessons(corpora, pages)
    dev = [page for page in pages if page.split == "dev"]
    weights = with_judgement(weights_of(learned.articles), learned)
    corpora.expect(len(learned.articles))
    measured, answers = held_out(learned.articles, folds=folds, advance=corpora.advance)
    judges = judges_of([page for part in answers for page in part])
    of_dev = [confident(answered(weights, page), judges) for page in dev]
    for model in MODELS:
        measured[model] += [measure(weights, page, model) for page in dev]
    count = min(folds, len({page.house for page in learned.articles}))
    for split, title in SPLITS.items():
        part = {
            model: [page for page in read if page.page.split == split]
            for model, read in measured.items()
        }
        if not part["ours"]:
            continue
        show(
            f"{title.format(count)}: {len(part['ours'])} articles",
            _zone_table(part),
            _field_table(part, len(part["ours"]) if count < folds else worst),
            worst_pages(part["ours"], worst),
        )
    unknown = [zones for is_learned, zones in other_pages(corpora) if not is_learned]
    show(
        confidence_table("publishers left out", trusted(answers, written=False)),
        confidence_table("written pages of kinds left out", trusted(answers, written=True)),
        confidence_table("dev publishers", of_dev),
        _judgement([page.zones for page in dev], unknown, weights),
        *citation_tables(pages, folds),
        _fresh_table(read_fresh(corpora)),
    )


def _fresh_table(pages: Sequence[Measured]) -> str:
    """What is right on pages of publishers that nothing was learned from."""
    rows = [[name, score] for name, score in means(page.scores for page in pages).items()]
    title = f"{len(pages)} articles of other publishers, by the weights of this version"
    return table(["field", "right"], rows, title=title) if pages else ""


def held_out(
    pages: Sequence[ArticlePage], *, folds: int, advance: Callable[[], None]
) -> tuple[dict[str, list[ReadArticle]], list[list[AnsweredPage]]]:
    """By model what it reads on pages of publishers that were not learned from.

    And by fold what our values are trusted by.
    """
    measured: dict[str, list[ReadArticle]] = {model: [] for model in MODELS}
    answers: list[list[AnsweredPage]] = []
    for part, weights in replace(ARTICLE, folds=folds).models_by_fold(pages):
        answers.append([])
        for index in part:
            for model in MODELS:
                measured[model].append(measure(weights, pages[index], model))
            answers[-1].append(answered(weights, pages[index]))
            advance()
    return measured, answers


def trusted(
    answers: Sequence[Sequence[AnsweredPage]], *, written: bool
) -> list[Mapping[str, Judged]]:
    """The values of each fold, with the confidences that the other folds teach."""
    read: list[Mapping[str, Judged]] = []
    for fold, part in enumerate(answers):
        others = [page for rank, rest in enumerate(answers) if rank != fold for page in rest]
        judges = judges_of(others)
        read += [confident(page, judges) for page in part if page.is_written == written]
    return read


def confident(page: AnsweredPage, judges: Mapping[str, Ranker]) -> dict[str, Judged]:
    """The values of a page, how far they are trusted, and whether they are right."""
    trust = by_label(judges)
    read: dict[str, Judged] = {}
    for label, field in zip(FIELDS, CALIBRATED, strict=True):
        if values := page.answers.get(field):
            rows, rights = zip(*values, strict=True)
            read[field] = list(zip(trust(label, np.array(rows)), rights, strict=True))
    return read


# Tables


def confidence_table(title: str, pages: Sequence[Mapping[str, Judged]]) -> str:
    """By field how well confidences tell right values from wrong ones."""
    rows: list[list[object]] = []
    for field, values in merged(pages).items():
        sure, right = zip(*values, strict=True)
        counts = len(right), right.count(False), np.mean(sure), np.mean(right)
        rows.append([field, *counts, *trust_in(values)])
    header = ["confidence", "values", "wrong", "mean", "right", "AUROC", "calibration error"]
    return table(header, rows, title=f"Confidences: {title}")


def _zone_table(measured: Measures) -> str:
    table_rows: list[list[object]] = []
    for model, pages in measured.items():
        counts = [sum((zone_counts(page, label) for page in pages), Prf()) for label in FIELDS]
        table_rows += [
            [f"{model}: total", *(count.wanted for count in counts)],
            ["  identified", *(count.right for count in counts)],
            ["  false positive", *(count.wrong for count in counts)],
        ]
    return table(["zones", *FIELDS], table_rows, title="Table 5")


def zone_counts(measured: ReadArticle, label: str) -> Prf:
    """Table 5 for one label, if known; zones that name authors once more count neither way."""
    labelling = measured.page.labelling
    if label not in labelling.known:
        return Prf()
    pairs = [
        (field_of(wanted) == label, field_of(found) == label)
        for zone, (wanted, found) in enumerate(zip(labelling.labels, measured.labels, strict=True))
        if zone not in labelling.repeated
    ]
    return Prf(pairs.count((True, True)), pairs.count((False, True)), pairs.count((True, False)))


def _field_table(measured: Measures, worst: int) -> str:
    """The fields of all pages by model, and ours of the publishers that were read worst."""
    totals = {
        model: sum((page.fields for page in pages), ArticleScores())
        for model, pages in measured.items()
    }
    houses: dict[str, list[ArticleScores]] = {}
    for page in measured["ours"]:
        houses.setdefault(page.page.house, []).append(page.fields)
    sums = [
        (f"  {house[:13]} ({len(scores)})", sum(scores, ArticleScores()))
        for house, scores in houses.items()
    ]
    rows = [*totals.items(), *sorted(sums, key=lambda item: item[1].mean)[:worst]]
    return table(["fields", *HEADER], [[name, *_cells(scores)] for name, scores in rows])


def _cells(scores: ArticleScores) -> list[float | None]:
    """All fields in a row; None where nothing is known."""
    cells: list[float | None] = []
    for name in CALIBRATED:
        value = getattr(scores, name)
        if isinstance(value, Prf):
            cells += [value.precision, value.recall, value.f] if value.wanted else [None] * 3
        else:
            cells.append(scores.known.get(name))
    return cells


def _judgement(articles: list[Zones], others: list[Zones], weights: ArticleWeights) -> str:
    """How many pages are taken for what they are."""

    def is_article(zones: Zones) -> bool:
        return float(evidence_of(zones, weights) @ weights.judgement) > 0

    taken = list(map(is_article, articles))
    refused = [not is_article(zones) for zones in others]
    share = (np.mean(taken) + np.mean(refused)) / 2
    return (
        f"Told apart: {sum(taken)} of {len(taken)} articles of the dev publishers, "
        f"{sum(refused)} of {len(refused)} other pages; balanced {share:.3f}"
    )
