"""Other ways to find a title, to compare with: title tag, TitleFinder, Title Tag Analyzer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pagesight.readers.title.clues import Clues
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.problems import problem_of
from pagesight.readers.title.reading import TitleCandidate, TitleReading
from pagesight.readers.title.seed import titlefinder, tta

Method = Callable[[Clues], list[TitleCandidate]]


def _candidate(text: str, score: float, origin: str) -> TitleCandidate:
    return TitleCandidate(text=text, confidence=None, score=score, origin=origin)


def _title_tag(clues: Clues) -> list[TitleCandidate]:
    return [_candidate(clues.tag, 1.0, "title")] if clues.tag else []


def _titlefinder(clues: Clues, measure: str) -> list[TitleCandidate]:
    text = titlefinder.title(clues.tag, clues.texts(), measure)
    return [_candidate(text, 1.0, "text")] if text else []


def _tta(clues: Clues, criteria: tuple[int, ...]) -> list[TitleCandidate]:
    scored = [(segment.total(criteria), segment.text) for segment in tta.analyze(clues)]
    scored.sort(key=lambda pair: -pair[0])
    return [_candidate(text, score, "segment") for score, text in scored]


METHODS: dict[str, Method] = {
    "title-tag": _title_tag,
    "titlefinder-tf": partial(_titlefinder, measure="tf"),
    "titlefinder": partial(_titlefinder, measure="tf-idf"),
    "titlefinder-overlap": partial(_titlefinder, measure="overlap"),
    "tta-s1": partial(_tta, criteria=(1,)),
    "tta-s2": partial(_tta, criteria=(2,)),
    "tta-s3": partial(_tta, criteria=(3,)),
    "tta-s1+s2": partial(_tta, criteria=(1, 2)),
    "tta-s1+s3": partial(_tta, criteria=(1, 3)),
    "tta-s2+s3": partial(_tta, criteria=(2, 3)),
    "tta": partial(_tta, criteria=(1, 2, 3)),
}
"""By name what each method takes for the title of a page, the best first."""


def read_title_by(method: str, data: bytes | str, url: str | None = None) -> TitleReading:
    """What a page is called by one of `METHODS`; these give no site name and no confidence."""
    clues = clues_of_markup(data, url)
    titles = tuple(METHODS[method](clues))
    return TitleReading(next(iter(titles), None), candidates=titles, problem=problem_of(clues))
