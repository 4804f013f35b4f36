"""How sure records and their attributes are, beside the rest of the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.clues import record_clues, value_odds
from pagesight.readers.records.groups import SIBLINGS, Group, overlap
from pagesight.readers.records.model import RECORD, Choice, RecordsModel, ScoredList


def clues(lists: list[ScoredList]) -> dict[str, NDArray[np.float64]]:
    """The clues of the first of some lists."""
    return record_clues(lists, lists[0])


def group(first: int, count: int) -> Group:
    starts = np.arange(first, first + 2 * count, 2)
    return Group(0, SIBLINGS, starts, starts, starts + 2)


def scored(first: int, score: float, *chances: float) -> ScoredList:
    return ScoredList(group(first, len(chances)), np.array(chances), score, {})


def candidate(column: int) -> Candidate:
    return Candidate(0, 0, "Lamp", column, 0)


def test_another_list_that_is_nearly_as_good_is_a_clue() -> None:
    main = scored(0, 5.0, 0.9, 0.9)
    near, far = (scored(10, score, 0.9, 0.9) for score in (4.8, 1.0))
    assert (clues([main, near])["beside others"] < clues([main, far])["beside others"]).all()


def test_a_doubtful_record_is_a_clue_for_all_of_its_list() -> None:
    doubtful = clues([scored(0, 5.0, 0.9, 0.9, 0.4)])
    assert doubtful["least odds"][0] < clues([scored(0, 5.0, 0.9, 0.9, 0.9)])["least odds"][0]
    assert doubtful["below"][2] < doubtful["below"][0]


def test_values_are_as_sure_as_a_judge_says_by_clues() -> None:
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


def test_values_that_few_records_have_are_less_sure() -> None:
    values = [candidate(1), candidate(1)]
    few = value_odds(values, [*(Choice(at, 0.9) for at in range(2)), *[Choice(-1, 0.9)] * 8])
    assert (few < value_odds(values, [Choice(at, 0.9) for at in range(2)])).all()


def test_only_what_was_chosen_has_odds() -> None:
    choices = [Choice(0, 0.9), Choice(-1, 0.8)]
    assert len(value_odds([candidate(1)], choices)) == 1
    assert len(value_odds([], [Choice(-1, 0.8)])) == 0
