"""Damaged pages become readings or typed errors; benchmarks/fuzz.py does the same at length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import fuzz
from pagesight.errors import RenderCrash, RenderTimeout
from pagesight.page import Page
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.chromium.discovery import find_browser

PAGES = 200
BEGINNING = 3000  # bytes of a page after its styles: enough to be read, and quick
SHORT = RenderOptions(timeout=4)  # a page that takes longer is a typed error, and no mistake
EXAMPLES = fuzz.sources(examples=True)


@pytest.fixture(scope="module")
def renderers() -> Iterator[list[AnyRenderer]]:
    names = ["chromium", "embedded"] if find_browser() else ["embedded"]
    opened = [open_renderer(name, SHORT) for name in names]
    yield opened
    for renderer in opened:
        renderer.close()


def test_no_damaged_page_is_a_mistake(renderers: list[AnyRenderer], tmp_path: Path) -> None:
    beginnings = [tmp_path / f"{path.parent.name}.html" for path in EXAMPLES]
    for whole, beginning in zip(EXAMPLES, beginnings, strict=True):
        page = fuzz.with_styles(whole)
        beginning.write_bytes(page[: page.rindex(b"</style>") + BEGINNING])
    *_, tally = fuzz.run(range(PAGES), 15, beginnings, renderers)
    assert tally.wrong == []
    assert sum(tally.outcomes.values()) == PAGES
    assert sum(count for (_, outcome), count in tally.outcomes.items() if outcome == "read") > 120


def test_a_number_is_always_the_same_page() -> None:
    assert fuzz.mutant(7, 1, EXAMPLES) == fuzz.mutant(7, 1, EXAMPLES)
    assert fuzz.mutant(7, 1, EXAMPLES) != fuzz.mutant(7, 2, EXAMPLES)


@pytest.mark.parametrize("mutation", fuzz.OF_MARKUP)
def test_every_mutation_changes_pages(mutation: fuzz.Mutation) -> None:
    page, rng = EXAMPLES[0].read_bytes(), random.Random(3)
    assert any(mutation(page, rng, [page]) != page for _ in range(5))
    assert isinstance(mutation(b"<", rng, [b"<"]), bytes)


class Failing:
    """A renderer that raises what it is given."""

    name = "failing"
    options = SHORT

    def __init__(self, error: Exception) -> None:
        self.error = error

    def render(self, _: object) -> Page:
        raise self.error


@pytest.mark.parametrize(
    ("error", "outcome", "wrong"),
    [
        (RenderTimeout("late"), "render_timeout", 0),
        (RenderCrash("died"), "render_crash", 0),
        (ZeroDivisionError(), "MISTAKE", 1),
    ],
)
def test_mistakes_are_told_from_errors(
    error: Exception, outcome: str, wrong: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (tally,) = fuzz.run([0], 0, EXAMPLES[:1], [Failing(error)])  # type: ignore[list-item]
    assert tally.outcomes == {("failing", outcome): 1}
    assert len(tally.wrong) == wrong
    tally.show()
    assert outcome in capsys.readouterr().out


def test_what_takes_more_than_its_limit_is_wrong() -> None:
    tally, page = fuzz.Tally(), fuzz.mutant(0, 0, EXAMPLES)
    tally.took("reading", 0.9, page)
    assert not tally.wrong
    tally.took("reading", 1.5, page)
    assert tally.wrong == [f"reading took 1.50 of its limit: {page}"]
    assert tally.slowest["reading"][0] == 1.5
