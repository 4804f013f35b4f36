"""`pagesight evaluate outline`: the tables of Waszak, de Loupy and Bellot, and ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pagesight.learning import folds as parts
from pagesight.learning.corpora import Corpora
from pagesight.learning.scores import MeanPrf
from pagesight.learning.tables import show, table
from pagesight.learning.task import calibration_tables, worst_pages
from pagesight.readers.outline.learning.corpus import (
    BLIND,
    HONEST,
    PARTIAL,
    SHUFFLED,
    LabelledPage,
    OutlineExample,
    load_examples,
    load_fresh,
    upwards,
)
from pagesight.readers.outline.learning.elsewhere import coherent_examples
from pagesight.readers.outline.learning.metrics import OutlineScores, PageScores
from pagesight.readers.outline.learning.training import (
    OUTLINE,
    OutlineTask,
    ReadOutline,
    measure,
    outline_task,
    page_scores,
    read_elsewhere,
    scores_of,
    share_left_alone,
    visible_scores,
)
from pagesight.readers.outline.learning.verdicts import generators
from pagesight.readers.outline.reading import find_headings, shipped_model
from pagesight.readers.outline.seed.model import MODELS, restructured, seed_levels, train_seed
from pagesight.readers.outline.seed.pseudo import PseudoDocument, pseudo_document

Ints = NDArray[np.int64]

GENERATOR_FOLDS = 8  # of generators; the largest has a third of all pages
HEADER = [
    "", "ident P", "R", "F", "by page", "hier P", "R", "F", "by page",
    "order F", "level", "shifted", "step", "by page",
]  # fmt: skip
LEGEND = """ident, hier, order: means over pages; order compares headings with headings only
F: of mean P and mean R; by page, the mean of the F of each page
level: of the headings found, on their level, counted from the highest of the page
shifted: the same up to a constant for the page; step: as far from the heading before as they should
by page: "level" as the mean over pages, so that long ones count no more than others
doubtful: labels that the rules of the verdicts contradict, and untagged titles; neither way"""


def evaluate(corpora: Corpora, *, worst: int = 0, folds: int = OUTLINE.folds) -> None:
    """Print how well headings and their levels are found on pages made blind.

    With more folds than style families, one family is left out at a time.
    """
    examples = load_examples(corpora)
    elsewhere = list(coherent_examples(corpora))
    ours = outline_task(elsewhere)
    task = replace(ours, folds=min(folds, len({ours.group(page) for page in examples})))
    pages = task.held_out(examples)
    calibrated = task.calibrated(examples, pages)
    seeds = evaluate_seed([example.page for example in examples])
    blind = {f"model {model}": OutlineScores.over(seeds[model].pages) for model in MODELS}
    blind["ours"] = scores_of(pages, BLIND)
    blind["ours, to a visitor"] = visible_scores(pages)
    unseen = _by_generator(ours, examples)
    blind["generator unseen"] = scores_of(unseen, BLIND)
    blind["the same, to a visitor"] = visible_scores(unseen)
    tags = {"as they are": HONEST, "shuffled": SHUFFLED, "of upper levels only": PARTIAL}
    trust = {name: _trusting(examples, how) for name, how in tags.items()}
    auto = {name: scores_of(pages, how) for name, how in tags.items()}
    show(
        task.heading(corpora, len(examples)),
        _pseudo_table("Table 3. Hierarchy of headings in pseudo-documents", seeds, "hierarchy"),
        _pseudo_table(
            "Table 4. Identification of headings in pseudo-documents", seeds, "identification"
        ),
        _page_table("Restructured pages (section 4.3), made blind", blind),
        family_table([example.page.family for example in examples], pages, unseen),
        _page_table("Trust in the tags, as accessibility checkers have it", trust),
        _page_table("Ours, with --tags auto", auto),
        _elsewhere_table(examples, elsewhere),
        _fresh_table(load_fresh(corpora)),
        LEGEND,
        f"With --tags auto, {share_left_alone(pages):.1%} of outlines are as tagged",
        *calibration_tables(calibrated),
        *calibration_tables(calibrated, OUTLINE.most_values),
        worst_pages(pages, worst),
    )


def _elsewhere_table(
    examples: Sequence[OutlineExample], elsewhere: Sequence[OutlineExample]
) -> str:
    """How well pages of sites are read that are neither documentation nor templates."""
    sites = {OUTLINE.group(example) for example in elsewhere}
    if len(sites) < OUTLINE.folds:
        return ""
    with_others, without = read_elsewhere(examples, elsewhere), outline_task(()).fit(examples)
    alone = [measure(without, example) for example in elsewhere]
    scores = {
        "ours": scores_of(with_others, BLIND),
        "learned from outlines only": scores_of(alone, BLIND),
    }
    title = f"{len(elsewhere)} pages of {len(sites)} other sites, {OUTLINE.folds} folds by site"
    return _page_table(title, scores)


def _fresh_table(examples: Sequence[OutlineExample]) -> str:
    """How well the shipped weights read pages of families that nothing was learned from."""
    if not examples:
        return ""
    model = shipped_model()
    found = [find_headings(example.seen, model) for example in examples]
    scales = {
        "by the labels": [example.page for example in examples],
        "without doubtful ones": [example.visible for example in examples],
    }
    families = len({example.page.family for example in examples})
    title = f"{len(examples)} pages of {families} other families, by the weights of this version"
    scores = {
        name: OutlineScores.over(list(map(page_scores, pages, found)))
        for name, pages in scales.items()
    }
    return _page_table(title, scores)


def _by_generator(task: OutlineTask, examples: Sequence[OutlineExample]) -> list[ReadOutline]:
    """What models read that have seen no page of the same generator."""
    made_by = generators()

    def generator(example: OutlineExample) -> str:
        return made_by.get(example.page.family, example.page.family)

    return replace(task, group=generator, folds=GENERATOR_FOLDS).held_out(examples)


def family_table(
    families: Sequence[str], pages: Sequence[ReadOutline], unseen: Sequence[ReadOutline]
) -> str:
    """Ours as means over style families: large ones count no more than those of one page."""
    ways: dict[str, list[PageScores]] = {
        "ours": [page.by_tags[BLIND] for page in pages],
        "ours, to a visitor": [page.visible for page in pages],
        "generator unseen": [page.by_tags[BLIND] for page in unseen],
        "the same, to a visitor": [page.visible for page in unseen],
    }
    title = "Made blind: means over style families of the means over their pages"
    rows = [[way, *over_families(families, scores)] for way, scores in ways.items()]
    return table(["", "ident F", "hier F", "level"], rows, title=title)


def over_families(families: Sequence[str], pages: Sequence[PageScores]) -> list[float]:
    """F of identification and of hierarchy, and the level: means over families of their pages."""
    by_family: dict[str, list[PageScores]] = {}
    for family, scores in zip(families, pages, strict=True):
        by_family.setdefault(family, []).append(scores)
    means = [OutlineScores.over(scores) for scores in by_family.values()]
    shares = [(*scores.by_page, scores.levels.exact_by_page) for scores in means]
    over: list[float] = np.mean(shares, axis=0).tolist()
    return over


def _trusting(examples: Sequence[OutlineExample], how: str) -> OutlineScores:
    """How good the tags of pages are."""
    claimed = (e for e in examples if how in e.claims)
    pairs = (e.page.items(upwards(e.claims[how].levels)) for e in claimed)
    return OutlineScores.over([PageScores.of(*pair) for pair in pairs])


@dataclass(frozen=True, eq=False)
class SeedScores:
    """The scores of one model: by fold on pseudo-documents, and on restructured pages."""

    folds: list[OutlineScores] = field(default_factory=list)
    pages: list[PageScores] = field(default_factory=list)


def evaluate_seed(pages: Sequence[LabelledPage]) -> dict[int, SeedScores]:
    """Train each model on the other folds, and score it on each."""
    documents = [pseudo_document(page.page) for page in pages]
    labels = [association_levels(d, p) for d, p in zip(documents, pages, strict=True)]
    scores = {model: SeedScores() for model in MODELS}
    for part in parts.folds([page.family for page in pages], OUTLINE.folds):
        rest = parts.others(part, len(pages))
        weights = train_seed([documents[i] for i in rest], [labels[i] for i in rest])
        for model in MODELS:
            levels = {i: seed_levels(documents[i], weights, model).levels for i in part}
            scores[model].folds.append(
                OutlineScores.over([PageScores.of(labels[i], levels[i]) for i in part])
            )
            scores[model].pages.extend(
                PageScores.of(*pages[i].items(restructured(documents[i], levels[i]))) for i in part
            )
    return scores


def association_levels(document: PseudoDocument, page: LabelledPage) -> Ints:
    """The level of each association: the one that most of its text blocks have.

    A level that no association mostly has is not one of the pseudo-document.
    """
    levels = [np.bincount(page.block_levels[a.blocks]).argmax() for a in document.associations]
    _, dense = np.unique(np.array([0, *levels], dtype=np.int64), return_inverse=True)
    return dense[1:].astype(np.int64)


def _pseudo_table(title: str, seeds: Mapping[int, SeedScores], measure: str) -> str:
    count = len(seeds[MODELS[0]].folds)
    header = ["", *(f"{rate}{n}" for n in range(1, count + 1) for rate in "PR"), "P", "R", "F"]
    rows = []
    for model, scores in seeds.items():
        parts: list[MeanPrf] = [getattr(fold, measure) for fold in scores.folds]
        average = MeanPrf.over(parts)
        rates = [rate for part in (*parts, average) for rate in (part.precision, part.recall)]
        rows.append([f"model {model}", *rates, average.f])
    return table(header, rows, title=title, digits=2)


def _page_table(title: str, scores: Mapping[str, OutlineScores]) -> str:
    return table(HEADER, [[name, *row.row] for name, row in scores.items()], title=title)
