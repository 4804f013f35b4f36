from __future__ import annotations

from pagesight.readers.records.pieces import Numbering


def test_things_are_numbered_as_they_are_looked_up() -> None:
    numbers = Numbering[str]()
    assert [numbers[thing] for thing in ("red", "blue", "red", "green")] == [0, 1, 0, 2]
    assert dict(numbers) == {"red": 0, "blue": 1, "green": 2}


def test_numbers_that_are_given_are_kept() -> None:
    numbers = Numbering({"": 0})
    assert (numbers["red"], numbers[""]) == (1, 0)
