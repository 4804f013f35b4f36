"""`pagesight evaluate outline`: the tables of Waszak, de Loupy and Bellot, and ours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning import corpora as corpora_
from pagesight.readers.outline.claims import Claims
from pagesight.readers.outline.learning import metrics
from pagesight.readers.outline.learning.corpus import CORPUS, LabelledPage, folds
from pagesight.readers.outline.learning.fitting import Example, load_examples
from pagesight.readers.outline.learning.scoring import Tally, score_ours
from pagesight.readers.outline.pseudo import PseudoDocument, pseudo_document
from pagesight.readers.outline.seed.model import MODELS, restructured, seed_levels, train_seed

Ints = NDArray[np.int64]


HEADER = [
    "", "ident P", "R", "F", "hier P", "R", "F", "order F", "level", "shifted", "step", "by page",
]  # fmt: skip
LEGEND = """ident, hier, order: means over pages; order compares headings with headings only
level: of the headings found, on their level, counted from the highest of the page
shifted: the same up to a constant for the page; step: as far from the heading before as they should
by page: "level" as the mean over pages, so that long ones count no more than others"""


def evaluate(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    worst: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Print how well headings and their levels are found on pages made blind."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    examples = load_examples(folder, renderer=renderer, advance=advance)
    pages = [example.page for example in examples]
    ours = score_ours(examples)
    seeds = evaluate_seed(pages)
    _say(f"{len(pages)} pages made blind, five folds by style family")
    _say_pseudo("Table 3. Hierarchy of headings in pseudo-documents", seeds, "hierarchy")
    _say_pseudo("Table 4. Identification of headings in pseudo-documents", seeds, "identification")
    tallies = {f"model {model}": seeds[model].pages for model in MODELS} | {"ours": ours.blind}
    _say_pages("Restructured pages (section 4.3), made blind", tallies)
    if worst:
        _say_worst(ours.blind, worst)
    trust = {
        "as they are": trust_in_tags(examples, "honest"),
        "shuffled": trust_in_tags(examples, "shuffled"),
    }
    _say_pages("Trust in the tags, as checkers of accessibility have it", trust)
    _say_pages("Ours, with --tags auto", {"as they are": ours.honest, "shuffled": ours.shuffled})
    _say(f"\n{LEGEND}\n")
    same = ours.left_alone
    _say(f"With --tags auto, {np.mean(same):.1%} of {len(same)} outlines are as tagged")


@dataclass
class SeedTallies:
    """The scores of one model: by fold on pseudo-documents, and on restructured pages."""

    folds: list[Tally] = field(default_factory=list)
    pages: Tally = field(default_factory=Tally)


def evaluate_seed(pages: Sequence[LabelledPage]) -> dict[int, SeedTallies]:
    """Train each model on four fifths, and score it on the rest, in turn."""
    documents = [pseudo_document(page.page) for page in pages]
    labels = [association_levels(d, p) for d, p in zip(documents, pages, strict=True)]
    tallies = {model: SeedTallies() for model in MODELS}
    for held_out in folds(pages):
        rest = sorted(set(range(len(pages))) - set(held_out))
        weights = train_seed([documents[i] for i in rest], [labels[i] for i in rest])
        for model, tally in tallies.items():
            tally.folds.append(Tally())
            for index in held_out:
                page, document = pages[index], documents[index]
                found = seed_levels(document, weights, model).levels
                tally.folds[-1].add(page.name, labels[index], found)
                tally.pages.add(page.name, *page.items(restructured(document, found)))
    return tallies


def association_levels(document: PseudoDocument, page: LabelledPage) -> Ints:
    """The level of each association: the one that most of its text blocks have."""
    levels = [np.bincount(page.block_levels[a.blocks]).argmax() for a in document.associations]
    used, dense = np.unique(np.array([0, *levels], dtype=np.int64), return_inverse=True)
    del used  # a level that no association mostly has is no level of the pseudo-document
    return dense[1:].astype(np.int64)


def trust_in_tags(examples: Sequence[Example], disguise: str) -> Tally:
    """How good the tags of pages are, in one of the disguises of `Example`."""
    tally = Tally()
    for example in examples:
        claims: Claims | None = getattr(example, disguise)
        if claims is not None:
            h = claims.levels
            upwards_ = np.where(h > 0, h.max(initial=0) + 1 - h, 0)
            tally.add(example.page.name, *example.page.items(upwards_))
    return tally


def _say_pseudo(title: str, seeds: Mapping[int, SeedTallies], measure: str) -> None:
    count = len(next(iter(seeds.values())).folds)
    header = ["", *(f"{part}{n}" for n in range(1, count + 1) for part in "PR"), "P", "R", "F"]
    rows = []
    for model, tallies in seeds.items():
        parts = [metrics.mean(getattr(tally, measure)) for tally in tallies.folds]
        average = metrics.mean(parts)
        numbers = [n for part in (*parts, average) for n in (part.precision, part.recall)]
        rows.append([f"model {model}", *(f"{n:.2f}" for n in (*numbers, average.f))])
    _say_table(title, header, rows)


def _say_pages(title: str, tallies: Mapping[str, Tally]) -> None:
    _say_table(title, HEADER, [[name, *tally.row()] for name, tally in tallies.items()])


def _say_worst(tally: Tally, count: int) -> None:
    order = np.argsort([score.f for score in tally.hierarchy], kind="stable")[:count].tolist()
    rows = [
        [f"{tally.identification[i].f:.2f}", f"{tally.hierarchy[i].f:.2f}", tally.pages[i]]
        for i in order
    ]
    _say_table("Read worst", ["ident F", "hier F", "page"], rows)


def _say_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    _say(f"\n{title}")
    for row in (header, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        _say("  ".join(cells).rstrip())


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
