"""What the visited pages are like."""

from __future__ import annotations

import pytest

from pagesight.crawl import Outcome, Visit, statistics, table_lines


def visit(outcome: Outcome, levels: str = "", sheets: int = 0) -> Visit:
    return Visit(url="http://tea.example/", outcome=outcome, levels=levels, sheets=sheets)


VISITS = [
    visit(Outcome.KEPT, "1223", sheets=3),
    visit(Outcome.INCOHERENT, "13", sheets=1),
    visit(Outcome.MALFORMED, "111111", sheets=9),
    visit(Outcome.FAILED),
    visit(Outcome.FORBIDDEN),
    visit(Outcome.DUPLICATE),
]


def test_only_pages_that_were_seen_count() -> None:
    rows = statistics(VISITS)
    assert rows["pages explored"] == 3
    assert rows["share of well-formed pages"] == pytest.approx(2 / 3)
    assert rows["stylesheets of a well-formed page"] == 2
    assert rows["heading levels of a well-formed page"] == 2.5
    assert rows["share with coherent headings"] == 0.5
    assert [rows[f"share with h{level}"] for level in range(1, 5)] == [1, 0.5, 1, 0]


def test_a_crawl_without_pages_has_a_table() -> None:
    assert set(statistics([]).values()) == {0}


def test_counts_are_whole_and_shares_have_two_digits() -> None:
    lines = table_lines(VISITS)
    assert lines[0].split()[-1] == "3"
    assert lines[1].split()[-1] == "0.67"
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize("one", VISITS)
def test_a_visit_is_the_same_when_it_was_written_down(one: Visit) -> None:
    assert Visit.of(one.fields()) == one
