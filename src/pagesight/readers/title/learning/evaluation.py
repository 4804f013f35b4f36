"""`pagesight evaluate title`: tables 3 and 5 of the Title Tag Analyzer's paper, and ours.

Titles are compared by the Dice coefficient of their character pairs, both folded (case, quotes,
dashes, white space); a match is exact if nothing is left that differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pagesight.learning.corpora import Corpora
from pagesight.learning.tables import show, table
from pagesight.learning.task import calibration_tables
from pagesight.readers.title.learning.corpus import TitledPage, parsed_pages
from pagesight.readers.title.learning.training import TITLE, ChosenTitle, variants
from pagesight.readers.title.seed.methods import METHODS, Method
from pagesight.readers.title.text import similarity

CRITERIA = ("1", "2", "3", "1 + 2", "1 + 3", "2 + 3", "1 + 2 + 3")
COMPARED = ("title-tag", "titlefinder-tf", "titlefinder", "titlefinder-overlap", "tta")
OURS = {"fast": "ours, fast", "seen": "ours"}  # the models that know addresses


def _method_of(criteria: str) -> str:
    """A combination of criteria, as `METHODS` calls it."""
    return "tta" if criteria == CRITERIA[-1] else "tta-" + "+".join(f"s{n}" for n in criteria[::4])


def evaluate(corpora: Corpora, *, worst: int = 0) -> None:
    """Print how well titles are read, method by method and kind by kind."""
    parsed, results = with_baselines(parsed_pages(corpora))
    ours = {}
    for name, pages in variants(corpora):
        speed, comma, unknown = name.partition(",")
        ours[OURS[speed] + comma + unknown] = TITLE.calibrated(pages, TITLE.held_out(pages))
    show(
        TITLE.heading(corpora, len(parsed)),
        *_seed_tables(results),
        _kind_table(results, [page.kind for page in parsed], ours),
        *(f"{name}\n{part}" for name in ours for part in calibration_tables(ours[name])),
        *(_worst_pages(name, ours[name], worst) for name in OURS.values()),
    )


def with_baselines(
    pages: Iterable[TitledPage], methods: Mapping[str, Method] = METHODS
) -> tuple[list[TitledPage], dict[str, list[float]]]:
    """The pages, and by method how similar each of its titles is to the right one."""
    kept: list[TitledPage] = []
    results: dict[str, list[float]] = {name: [] for name in methods}
    for page in pages:
        kept.append(page)
        for name, method in methods.items():
            titles = method(page.case.clues)
            results[name].append(similarity(titles[0].text if titles else "", page.title))
    return kept, results


def _seed_tables(results: Mapping[str, Sequence[float]]) -> list[str]:
    means = {name: float(np.mean(values)) for name, values in results.items()}
    criteria = [[name, means[_method_of(name)]] for name in CRITERIA]
    methods = [[name, means[name]] for name in COMPARED]
    return [
        table(["criteria", "similarity"], criteria, title="Table 3. Impact of criteria", digits=2),
        table(["method", "similarity"], methods, title="Table 5. Comparative results", digits=2),
    ]


def _kind_table(
    results: Mapping[str, Sequence[float]],
    kinds: Sequence[str],
    ours: Mapping[str, Sequence[ChosenTitle]],
) -> str:
    names = sorted(set(kinds))
    rows = [_kind_row(name, names, kinds, values) for name, values in results.items()]
    for name, chosen in ours.items():
        of = [title.page.kind for title in chosen]
        rows.append(_kind_row(name, names, of, [title.likeness for title in chosen]))
        if name == OURS["seen"]:
            rows.append(_kind_row("ours, best of two", names, of, [_of_two(t) for t in chosen]))
    title = "Average similarity by kind of page, and share of exact matches"
    return table(["", *(name[:9] for name in names), "all", "exact"], rows, title=title)


def _of_two(chosen: ChosenTitle) -> float:
    """How similar to the right title the better of the first two candidates is.

    Many pages have two names, one in the tag and one in the heading; a label has only one.
    """
    titles = (text for text, _, _ in chosen.ranked[:2])
    return max((similarity(title, chosen.page.title) for title in titles), default=0.0)


def _kind_row(
    name: str, names: Sequence[str], kinds: Sequence[str], values: Sequence[float]
) -> list[object]:
    array, kind = np.array(values), np.array(kinds)
    means = [float(array[kind == one].mean()) if (kind == one).any() else None for one in names]
    return [name, *means, float(array.mean()), float((array == 1).mean())]


def _worst_pages(name: str, chosen: Sequence[ChosenTitle], worst: int) -> str:
    """The pages whose titles are the least similar, with the best candidates of each."""
    lines = []
    for title in sorted(chosen, key=lambda title: (title.likeness, -title.chance))[:worst]:
        page = title.page
        lines.append(f"  {title.likeness:.2f}  {page.name} ({page.kind})  {page.title}")
        lines += [
            f"          {chance:.2f}  {text}  [{origin}]" for text, chance, origin in title.ranked
        ]
    return "\n".join([f"Read worst, {name}", *lines]) if lines else ""
