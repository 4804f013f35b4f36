"""`pagesight evaluate outline`: the tables of Waszak, de Loupy and Bellot, and ours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.readers import corpora as corpora_
from pagesight.readers.outline import metrics
from pagesight.readers.outline.blinding import Variant
from pagesight.readers.outline.corpus import (
    CORPUS,
    LabelledPage,
    folds,
    headings_of,
    labelled_pages,
    tag_levels,
)
from pagesight.readers.outline.metrics import Scores
from pagesight.readers.outline.pseudo import PseudoDocument, pseudo_document
from pagesight.readers.outline.reading import Seen
from pagesight.readers.outline.seed import MODELS, restructured, seed_levels, train_seed
from pagesight.readers.outline.training import cross_validated

Ints = NDArray[np.int64]
Found = Mapping[str, Ints]
"""By page the level of each text block, upwards; 0 is no heading."""


@dataclass
class Tally:
    """The scores of one way to find headings, page by page."""

    pages: list[str] = field(default_factory=list)
    identification: list[Scores] = field(default_factory=list)
    hierarchy: list[Scores] = field(default_factory=list)
    order: list[Scores] = field(default_factory=list)
    exact: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, name: str, truth: Ints, found: Ints) -> None:
        self.pages.append(name)
        self.identification.append(metrics.identification(truth, found))
        self.hierarchy.append(metrics.hierarchy(truth, found))
        self.order.append(metrics.hierarchy(truth, found, headings_only=True))
        self.exact.append(metrics.exact_levels(truth, found))

    def exact_shares(self) -> tuple[float, float]:
        """Of all headings found, how many have their level, and how many up to a constant."""
        found, exact, shifted = np.sum(self.exact, axis=0).tolist() if self.exact else (0, 0, 0)
        return (exact / found, shifted / found) if found else (0.0, 0.0)

    def row(self) -> list[str]:
        """P, R and F of identification, of hierarchy, and among headings; shares of levels."""
        cells = []
        for scores in (self.identification, self.hierarchy, self.order):
            average = metrics.mean(scores)
            cells += [f"{n:.3f}" for n in (average.precision, average.recall, average.f)]
        return [*cells, *(f"{share:.3f}" for share in self.exact_shares())]


HEADER = ["", "ident P", "R", "F", "hier P", "R", "F", "order P", "R", "F", "level", "shifted"]


def evaluate(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    worst: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Print how well headings and their levels are found on pages made blind."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    blind = list(labelled_pages(folder, renderer=renderer, advance=advance))
    seeds = evaluate_seed(blind)
    _say(f"{len(blind)} pages made blind, five folds by style family")
    _say_pseudo("Table 3. Hierarchy of headings in pseudo-documents", seeds, "hierarchy")
    _say_pseudo("Table 4. Identification of headings in pseudo-documents", seeds, "identification")
    tallies = {f"model {model}": seeds[model].pages for model in MODELS}
    tallies["ours"] = evaluate_ours(blind)
    _say_pages("Restructured pages (section 4.3), made blind", tallies)
    if worst:
        _say_worst(tallies["ours"], worst)
    trust = {}
    for name, variant in (("as they are", None), ("shuffled", Variant.SHUFFLED)):
        pages = labelled_pages(folder, variant=variant, renderer=renderer, advance=advance)
        trust[name] = trust_in_tags(blind, pages)
    _say_pages("Trust in the tags", trust)


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


def evaluate_ours(pages: Sequence[LabelledPage]) -> Tally:
    """Train on four fifths, and score the rest, in turn."""
    tally = Tally()
    found = cross_validated(pages, [Seen.of(page.blocks) for page in pages])
    for page, levels in zip(pages, found, strict=True):
        tally.add(page.name, *page.items(levels))
    return tally


def association_levels(document: PseudoDocument, page: LabelledPage) -> Ints:
    """The level of each association: the one that most of its text blocks have."""
    levels = [np.bincount(page.block_levels[a.blocks]).argmax() for a in document.associations]
    used, dense = np.unique(np.array([0, *levels], dtype=np.int64), return_inverse=True)
    del used  # a level that no association mostly has is no level of the pseudo-document
    return dense[1:].astype(np.int64)


def trust_in_tags(truth: Sequence[LabelledPage], pages: Iterable[LabelledPage]) -> Tally:
    """How good the tags of `pages` are, which are those of `truth` in another disguise."""
    known = {page.name: page for page in truth}
    tally = Tally()
    for page in pages:
        true = known.get(page.name)
        if true is None:
            continue
        claimed = headings_of(page.blocks, tag_levels(page.page))
        h = np.where(claimed >= 0, page.node_levels[claimed], 0)
        upwards = np.where(h > 0, h.max(initial=0) + 1 - h, 0)
        if len(upwards) == len(true.heading):
            tally.add(page.name, *true.items(upwards))
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
