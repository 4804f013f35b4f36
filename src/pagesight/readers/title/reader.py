"""The reading itself: clues, candidates, their ranking, and the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from pagesight.errors import ModelError
from pagesight.models.logistic import Platt
from pagesight.models.ranking import Floats, Ranker, softmax
from pagesight.models.weights import HINT, load_weights
from pagesight.readers.papers import article_of_pdf
from pagesight.readers.title.candidates import (
    FEW_LOW_HEADINGS,
    MOST_LOW_HEADINGS,
    Candidate,
    Cut,
    candidates_of,
    spans,
)
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.features import (
    FEATURES,
    VERSION,
    TitleEvidence,
    features,
    page_features,
)
from pagesight.readers.title.problems import problem_of
from pagesight.readers.title.reading import TitleCandidate, TitleReading
from pagesight.readers.title.sites import SITE_ALIKE
from pagesight.readers.value import Value

if TYPE_CHECKING:
    from pagesight.page import Node, Page
    from pagesight.readers.title.seen import SeenTexts

TASK = "title"
MOST_SHOWN = 10
LONGEST_SITE_NAME = 60
UNCHANGED = Platt(steepest=13.8)  # the logits beyond which a probability says nothing more
_EDGES = " |:»«›‹·•⋆★☆~"  # signs around a title that do not belong to it
_BARRED = 30.0  # taken from the score of what cannot be the title
# Added to the score of what is seen, where no address says more: of two names that are as likely, a
# reader takes the one on the page.
_SEEN = 0.2
_HIDDEN = "seen hidden"  # the feature that says that nobody sees a candidate


@dataclass(frozen=True, slots=True)
class TitleModel:
    """A ranker, and the curve that turns its probabilities into confidences."""

    ranker: Ranker
    curve: Platt = UNCHANGED

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        return {
            "slope": self.curve.slope,
            "offset": self.curve.offset,
            **self.ranker.to_json(),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> TitleModel:
        """What `to_json` made."""
        curve = replace(UNCHANGED, slope=float(fields["slope"]), offset=float(fields["offset"]))
        return cls(Ranker.from_json(fields), curve)


def model_name(speed: str, addressed: bool) -> str:
    """What a model is called: `fast` for markup, `seen` for rendered pages.

    Pages of unknown address have separate models: what else they state counts more there.
    """
    return speed if addressed else f"{speed}, no address"


@cache
def shipped_model(speed: str, addressed: bool = True) -> TitleModel:
    """A model that is part of the package."""
    weights = load_weights(TASK, VERSION)
    try:
        return TitleModel.from_json(weights.model[model_name(speed, addressed)])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"the weights of {TASK!r} are damaged ({error})", hint=HINT) from error


@dataclass(frozen=True, slots=True)
class Case:
    """A page with its candidates and their features, ready to be judged."""

    clues: Clues
    evidence: TitleEvidence
    candidates: list[Candidate]
    names: tuple[str, ...]
    """What is known of each candidate: the columns of `rows`."""

    rows: Floats
    """The features, (candidates, names)."""

    @classmethod
    def of(cls, clues: Clues, looks: SeenTexts | None = None) -> Case:
        """Gather candidates and features; `looks` for a page that is rendered."""
        evidence = TitleEvidence.of(clues)
        low_headings = MOST_LOW_HEADINGS if looks else FEW_LOW_HEADINGS
        candidates = candidates_of(evidence.clues, low_headings)
        shared = page_features(evidence) | (looks.page_features(evidence) if looks else {})
        seen = [looks.features(candidate) for candidate in candidates] if looks else []
        names = (*FEATURES, *shared, *(seen[0] if seen else ()))
        rows = np.empty((len(candidates), len(names)))
        own, last = len(FEATURES), len(FEATURES) + len(shared)
        each = chain.from_iterable(features(candidate, evidence) for candidate in candidates)
        rows[:, :own] = np.fromiter(each, np.float64, len(rows) * own).reshape(-1, own)
        rows[:, own:last] = tuple(shared.values())
        if seen:
            rows[:, last:] = [tuple(row.values()) for row in seen]
        return cls(evidence.clues, evidence, candidates, names, rows)

    @property
    def addressed(self) -> bool:
        """Whether it is known where the page is from."""
        return bool(self.clues.address.host)

    def chances(self, model: TitleModel) -> list[float]:
        """The probability of each candidate that it is the title."""
        scores = model.ranker.scores_of(self._table(model.ranker.features)).tolist()
        favours = map(self._favour, range(len(scores)))
        return softmax([score + favour for score, favour in zip(scores, favours, strict=True)])

    def _table(self, names: tuple[str, ...]) -> Floats:
        """The features with these names."""
        return (
            self.rows if names == self.names else self.rows[:, list(map(self.names.index, names))]
        )

    def _favour(self, index: int) -> float:
        """What counts beside the evidence: what cannot be the title, and what is seen."""
        candidate = self.candidates[index]
        if not self.evidence.admits(candidate):
            return -_BARRED
        if self.addressed or _HIDDEN not in self.names:  # it is only parsed
            return 0.0
        if self.rows[index, self.names.index(_HIDDEN)]:
            return 0.0
        on_page = any(find.piece.node is not None for find in candidate.finds)
        return _SEEN if on_page else 0.0


def read_title_fast(data: bytes | str, url: str | None = None) -> TitleReading:
    """What a page is called, by its markup alone: nothing is rendered or fetched."""
    from pagesight.readers.title.parsed import clues_of_markup

    case = Case.of(clues_of_markup(data, url))
    return judge(case, shipped_model("fast", case.addressed))


def read_title(page: Page) -> TitleReading:
    """What a rendered page is called, by what it says and by what is seen.

    A PDF that is an article is called what the article is called: one document, one answer.
    """
    case = case_of_page(page)
    reading = judge(case, shipped_model("seen", case.addressed), page)
    article = article_of_pdf(page)
    return _with_title(reading, article.title) if article and article.title else reading


def _with_title(reading: TitleReading, title: Value) -> TitleReading:
    """The reading with this title first."""
    sure = title.confidence or 0.0
    best = TitleCandidate(
        text=title.text, confidence=sure, place=title.place, box=title.box, score=sure,
        origin="article",
    )  # fmt: skip
    others = (other for other in reading.candidates if other.text != title.text)
    rest = [replace(other, score=other.score * (1 - sure)) for other in others]
    shown = (best, *rest)[:MOST_SHOWN]
    return replace(reading, title=best, confidence=sure, candidates=shown)


def case_of_page(page: Page) -> Case:
    """The candidates of a rendered page."""
    from pagesight.readers.title.seen import SeenTexts, clues_of_page

    looks = SeenTexts.of(page)
    return Case.of(clues_of_page(page, looks), looks)


def judge(case: Case, model: TitleModel, page: Page | None = None) -> TitleReading:
    """Rank the candidates of a page and take the best."""
    problem = problem_of(case.clues)
    if not case.candidates:
        return TitleReading(site_name=site_name(case, None), problem=problem)
    chances = case.chances(model)
    shown: dict[str, TitleCandidate] = {}
    for index in sorted(range(len(chances)), key=lambda index: -chances[index]):
        candidate, chance = case.candidates[index], chances[index]
        text = candidate.text.strip(_EDGES) or candidate.text
        if same := shown.get(text):
            shown[text] = replace(same, score=same.score + chance)
        elif len(shown) < MOST_SHOWN:
            shown[text] = _shown(candidate, text, chance, model.curve.of(chance), page)
    best, *_ = candidates = sorted(shown.values(), key=lambda candidate: -candidate.score)
    return TitleReading(
        title=best,
        site_name=site_name(case, best.text),
        confidence=best.confidence or 0.0,
        candidates=tuple(candidates),
        problem=problem,
    )


def _shown(
    candidate: Candidate, text: str, score: float, confidence: float, page: Page | None
) -> TitleCandidate:
    node = _node(candidate, page) if page is not None else None
    return TitleCandidate(
        text=text,
        confidence=confidence,
        place=node,
        box=node.box if node else None,
        score=score,
        origin=candidate.origin,
    )


def _node(candidate: Candidate, page: Page) -> Node | None:
    """Where on the page a candidate is, if it is seen there."""
    nodes = [find.piece.node for find in candidate.finds if find.piece.node is not None]
    return next((page[node] for node in nodes if page.visible[node]), None)


def site_name(case: Case, title: str | None) -> Value | None:
    """The name of the site: as the page declares it, or the part of the title tag that is like it.

    Where nothing is known of the site, what follows the title in the tag names it, unless the title
    is at the head of the page: that is the name of the site, and its motto follows.
    """
    declared = [name for name in case.clues.sites if len(name) <= LONGEST_SITE_NAME]
    name = max(declared, key=declared.count) if declared else _site_in_tag(case, title)
    return Value(text=name, confidence=None) if name else None


def _site_in_tag(case: Case, title: str | None) -> str | None:
    tag, site = case.clues.tag, case.evidence.site
    parts = [
        span
        for span in spans(tag)
        if max(span.left, span.right) >= Cut.DASH > span.inside
        and Cut.NONE in (span.left, span.right)
    ]
    named = [span.text for span in parts if not site.is_of_page(span.text)]
    best = max(named, key=site.likeness, default="")
    if site.likeness(best) >= SITE_ALIKE:
        return best
    last = [span.text for span in parts if span.right == Cut.NONE and span.text != title]
    if not (last and title and tag.startswith(title)):
        return None
    heads = any(piece.around.header and piece.text == title for piece in case.clues.high_headings)
    return title if heads else last[-1]
