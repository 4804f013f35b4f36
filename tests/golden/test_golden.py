"""The example pages are rendered as they were: `make golden` accepts what they are now.

A fixture is a folder: `meta.json` says what was read, `output.json` what came out. Texts must be
the same; places may differ a little, since browsers of other versions are welcome.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from digest import EXAMPLES, GRID, RENDERERS, REPOSITORY, load, output, source_of, system_fonts

import pagesight
from pagesight.render import AnyRenderer

FIELDS = (
    "source", "schema", "complete", "notes", "problem", "url", "title_tag", "language", "renderer",
    "viewport", "size", "nodes", "visible_nodes", "words", "media", "visible_texts", "headings",
    "pictures", "links", "lines",
)  # fmt: skip
SLACK = 6.0  # px, or as a share:
SLACK_SHARE = 0.03
COUNT_SLACK_SHARE = 0.02  # browsers differ in what they generate inside of form controls
SAME = 0.95  # the share of words, and of lines, that both renderers must agree on
# Flexbox sets items apart that are inline; embedded does not know of it.
SAME_LINES = {"shop-results": 0.75, "news-front": 0.91}

Reader = Callable[[str, str], dict[str, Any]]
each_example = pytest.mark.parametrize("example", EXAMPLES)
each_renderer = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.browser), "embedded"]
)


@pytest.fixture(scope="module")
def read(request: pytest.FixtureRequest, embedded: AnyRenderer) -> Reader:
    """What an example gives now, rendered once for all its fields."""

    @cache
    def reader(example: str, renderer: str) -> dict[str, Any]:
        opened = embedded if renderer == "embedded" else request.getfixturevalue("chromium")
        return output(pagesight.read(source_of(example), renderer=opened))

    return reader


@pytest.fixture(scope="module")
def embedded() -> Any:
    with pagesight.open_renderer("embedded") as renderer:
        yield renderer


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)


@each_example
@each_renderer
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_is_as_it_was(example: str, renderer: str, field: str, read: Reader) -> None:
    expected = load(example, renderer, "output.json")[field]
    found = read(example, renderer)[field]
    if renderer == "chromium" and field in ("size", "headings", "pictures"):
        _need_the_same_fonts(example)
    if field in ("nodes", "visible_nodes"):
        assert found == pytest.approx(expected, rel=COUNT_SLACK_SHARE)
    elif field == "headings":
        assert _without_boxes(found) == _without_boxes(expected)
        assert _close(_boxes(found), _boxes(expected))
    elif field in ("size", "pictures"):
        assert _close(found, expected)
    else:
        assert found == expected


@each_example
@each_renderer
def test_every_field_is_compared(example: str, renderer: str) -> None:
    assert set(load(example, renderer, "output.json")) == set(FIELDS)
    assert load(example, renderer, "meta.json")["source"] == source_of(example)


@pytest.mark.browser
@each_example
def test_the_renderers_see_the_same_words(example: str, read: Reader) -> None:
    words = [" ".join(read(example, renderer)["lines"]).split() for renderer in RENDERERS]
    assert _agreement(*words) >= SAME


@pytest.mark.browser
@each_example
def test_the_renderers_see_the_same_lines(example: str, read: Reader) -> None:
    lines = [read(example, renderer)["lines"] for renderer in RENDERERS]
    assert _agreement(*lines) >= SAME_LINES.get(example, SAME)


def _agreement(one: list[str], other: list[str]) -> float:
    """The share of items that stand in both, in the same order."""
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return same / max(len(one), len(other))


def _need_the_same_fonts(example: str) -> None:
    if load(example, "chromium", "meta.json")["fonts"] != system_fonts():
        pytest.skip("lines break elsewhere: this system has other fonts")


def _boxes(headings: list[dict[str, Any]]) -> list[list[int]]:
    return [heading["box"] for heading in headings]


def _without_boxes(headings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: heading[key] for key in heading if key != "box"} for heading in headings]


def _close(found: Any, expected: Any) -> bool:
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(_close, found, expected))
    # Rounding alone may part two equal places by one step of the grid.
    return bool(abs(found - expected) <= max(SLACK, SLACK_SHARE * abs(expected), GRID))
