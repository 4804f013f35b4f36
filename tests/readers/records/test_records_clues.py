"""How sure records and their attributes are, beside the rest of the page."""

from __future__ import annotations

import numpy as np

from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.clues import record_odds, value_odds
from pagesight.readers.records.groups import SIBLINGS, Group, overlap
from pagesight.readers.records.model import Choice, ScoredList


def group(first: int, count: int) -> Group:
    starts = np.arange(first, first + 2 * count, 2)
    return Group(0, SIBLINGS, starts, starts, starts + 2)


def scored(first: int, score: float, *chances: float) -> ScoredList:
    return ScoredList(group(first, len(chances)), np.array(chances), score, {})


def candidate(column: int) -> Candidate:
    return Candidate(0, 0, "Lamp", column, 0)


def test_a_list_beside_another_that_is_nearly_as_good_is_less_sure() -> None:
    main = scored(0, 5.0, 0.9, 0.9)
    near, far = (scored(10, score, 0.9, 0.9) for score in (4.8, 1.0))
    assert (record_odds([main, near], main) < record_odds([main, far], main)).all()


def test_one_doubtful_record_makes_all_of_a_list_doubtful() -> None:
    sure, doubtful = scored(0, 5.0, 0.9, 0.9), scored(0, 5.0, 0.9, 0.4)
    assert record_odds([doubtful], doubtful)[0] < record_odds([sure], sure)[0]
    assert record_odds([doubtful], doubtful)[1] < record_odds([doubtful], doubtful)[0]


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
