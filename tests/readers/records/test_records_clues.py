"""How sure records and their attributes are, beside the rest of the page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.page import Page
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.clues import record_clues, value_odds
from pagesight.readers.records.groups import SIBLINGS, Group, overlap
from pagesight.readers.records.model import RECORD, Choice, RecordsModel, ScoredList
from pagesight.readers.records.sight import sight_of

Clues = Callable[[list[ScoredList]], dict[str, NDArray[np.float64]]]


@pytest.fixture
def clues(lay_out: Callable[[str], Page]) -> Clues:
    """The clues of the first of some lists."""
    page = lay_out("".join(f"<p>Lamp <b>{at}</b></p>" for at in range(20)))
    return lambda lists: record_clues(sight_of(page), lists, lists[0])


def group(first: int, count: int) -> Group:
    starts = np.arange(first, first + 2 * count, 2)
    return Group(0, SIBLINGS, starts, starts, starts + 2)


def scored(first: int, score: float, *chances: float) -> ScoredList:
    return ScoredList(group(first, len(chances)), np.array(chances), score, {})


def candidate(column: int) -> Candidate:
    return Candidate(0, 0, "Lamp", column, 0)


def test_another_list_that_is_nearly_as_good_is_a_clue(clues: Clues) -> None:
    main = scored(0, 5.0, 0.9, 0.9)
    near, far = (scored(10, score, 0.9, 0.9) for score in (4.8, 1.0))
    assert (clues([main, near])["beside others"] < clues([main, far])["beside others"]).all()


def test_a_doubtful_record_is_a_clue_for_all_of_its_list(clues: Clues) -> None:
    doubtful = clues([scored(0, 5.0, 0.9, 0.9, 0.4)])
    assert doubtful["least odds"][0] < clues([scored(0, 5.0, 0.9, 0.9, 0.9)])["least odds"][0]
    assert doubtful["below"][2] < doubtful["below"][0]


def test_values_are_as_sure_as_a_judge_says_by_clues(clues: Clues) -> None:
    falls = Ranker(("below",), (Tree((0, LEAF, LEAF), (-1.0, -2.0, 2.0)),))
    model = RecordsModel(Ranker((), ()), Ranker((), ()), {}, judges={RECORD: falls})
    stray = clues([scored(0, 5.0, 0.9, 0.9, 0.4)])
    assert model.judged(RECORD, stray).round(2).tolist() == [0.88, 0.88, 0.12]
    assert model.judged("name", stray).tolist() == [0.9, 0.9, 0.4]


def test_groups_overlap_where_they_share_content() -> None:
    assert overlap(group(0, 3), group(4, 3))
    assert not overlap(group(0, 3), group(6, 3))


def test_values_of_a_column_that_few_records_agree_on_are_less_sure() -> None:
    values = [candidate(1), candidate(1), candidate(1), candidate(2)]
    odds = value_odds(values, [Choice(at, 0.9) for at in range(4)])
    assert odds[3] < odds[0]


def test_only_what_was_chosen_has_odds() -> None:
    choices = [Choice(0, 0.9), Choice(-1, 0.8)]
    assert len(value_odds([candidate(1)], choices)) == 1
    assert len(value_odds([], [Choice(-1, 0.8)])) == 0
