"""What screens are made of: places, parts to begin with, words, files."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Box
from pagesight.portal.errors import Invalid
from pagesight.portal.services.composing import COLUMNS, checked_place
from pagesight.portal.values import Pickable, Place
from pagesight.portal.web import words
from pagesight.portal.web.arranging import MOVES, moved_by, room
from pagesight.portal.web.files import LIBRARIES, Files
from pagesight.portal.web.fronts import front_of
from pagesight.portal.web.screens.parts import condition_of

REPOSITORY = Path(__file__).parents[3]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def at(x: int, y: int, width: int = 4, height: int = 4) -> Place:
    return Place(x=x, y=y, width=width, height=height)


def overlapping(places: dict[str, Place]) -> bool:
    cells = [
        (x, y)
        for one in places.values()
        for x in range(one.x, one.x + one.width)
        for y in range(one.y, one.y + one.height)
    ]
    return len(cells) != len(set(cells))


# Places


@pytest.mark.parametrize(
    ("move", "place"),
    [
        ("right", at(1, 0)),
        ("left", at(0, 0)),
        ("wider", at(0, 0, 5)),
        ("narrower", at(0, 0, 3)),
        ("taller", at(0, 0, 4, 5)),
        ("down", at(0, 1)),
    ],
)
def test_a_tile_alone_moves_by_one(move: str, place: Place) -> None:
    assert moved_by({"a": at(0, 0)}, "a", MOVES[move]) == {"a": place}


def test_a_tile_changes_places_with_the_next_one() -> None:
    places = {"a": at(0, 0), "b": at(0, 4)}
    assert moved_by(places, "a", MOVES["down"]) == {"a": at(0, 4), "b": at(0, 0)}
    assert moved_by(places, "b", MOVES["up"]) == {"a": at(0, 4), "b": at(0, 0)}


def test_others_make_way() -> None:
    places = {"a": at(0, 0), "b": at(4, 0)}
    assert moved_by(places, "a", MOVES["right"]) == {"a": at(1, 0), "b": at(4, 4)}


@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.sampled_from([*MOVES])), max_size=12),
)
def test_tiles_never_overlap_and_stay_on_the_board(
    sizes: list[tuple[int, int]], moves: list[tuple[int, str]]
) -> None:
    places: dict[str, Place] = {}
    for number, (width, height) in enumerate(sizes):
        places[str(number)] = room(places, width, height)
    assert not overlapping(places)
    for number, move in moves:
        places = moved_by(places, str(number % len(sizes)), MOVES[move])
        assert not overlapping(places)
        for place in places.values():
            assert checked_place(place).x + place.width <= COLUMNS


def test_a_gap_is_used_before_the_end() -> None:
    assert room({"a": at(0, 0), "b": at(8, 0)}, 4, 4) == at(4, 0)
    assert room({"a": at(0, 0, 12)}, 4, 4) == at(0, 4)


# Parts to begin with


def node(number: int, parent: int | None, height: float, path: str = "") -> Pickable:
    return Pickable(
        id=number, parent=parent, depth=0, kind=None, name="", text="", length=0,
        box=Box(0, 0, 100, height), xpath=path or f"/{number}", css="",
    )  # fmt: skip


def test_the_whole_page_is_not_offered_first() -> None:
    nodes = [node(0, None, 1000), node(1, 0, 100), node(2, 0, 900), node(3, 2, 200), node(4, 2, 90)]
    assert front_of(nodes) == {1, 3, 4}


def test_parts_that_people_pick_are_not_in_pieces() -> None:
    nodes = [node(0, None, 1000), node(1, 0, 200), node(2, 1, 150, "/list"), node(3, 2, 20)]
    assert front_of(nodes) == {1}
    assert front_of(nodes, {"/list"}) == {2}


def test_a_page_that_is_one_part_is_offered() -> None:
    assert front_of([node(0, None, 1000)]) == {0}
    assert front_of([]) == set()


# Words


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=49), "2 days ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(seconds=-5), "just now"),
    ],
)
def test_ages_are_said_as_people_say_them(span: timedelta, said: str) -> None:
    assert words.age(span) == words.ago(NOW - span, NOW) == said


def test_addresses_are_said_by_their_site() -> None:
    assert words.site("https://www.example.com/tea?x=1") == "example.com"
    assert words.site("/pages/tea.html") == "tea.html"
    assert words.site("http://[broken") == "[broken"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "ftp://x", "", None]
)
def test_only_addresses_of_the_web_are_links(address: str | None) -> None:
    assert words.link(address) is None
    assert words.link("https://example.com/") == "https://example.com/"


def test_browsers_are_said_by_name() -> None:
    phone = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Safari/537.36"
    assert words.agent(phone) == "Chrome on Android"
    assert words.agent("curl/8") == "A browser"


def test_the_password_in_the_address_of_a_channel_is_not_said() -> None:
    assert words.scheme("mailtos://me:secret@example.com") == "mailtos://…"


def test_an_interval_of_ones_own_stays_among_the_choices() -> None:
    assert ("", "As often as it changes") in words.intervals()
    assert (7200, "Every 2 hours") in words.intervals(7200)


# Conditions


def test_conditions_are_what_somebody_chose() -> None:
    assert condition_of("", "") is None
    assert condition_of("new items", "") == {"kind": "new items"}
    assert condition_of("above", "12,5") == {"kind": "above", "number": 12.5}
    assert condition_of("present", "storm") == {"kind": "present", "words": "storm"}
    for when, value in (("above", "high"), ("present", ""), ("never", "x")):
        with pytest.raises(Invalid):
            condition_of(when, value)


# Files


def test_without_the_libraries_everything_else_is_there(tmp_path: Path) -> None:
    home = Path(words.__file__).parent
    (tmp_path / "static").symlink_to(home / "static")
    files = Files(tmp_path)
    assert not files.are_complete
    assert "portal.css" in files
    assert not any(name in files for name in LIBRARIES)


def test_the_versions_of_the_libraries_are_exact() -> None:
    package = json.loads((REPOSITORY / "package.json").read_text("utf-8"))
    versions = {**package["dependencies"], **package["devDependencies"]}
    assert all(version.replace(".", "").isdigit() for version in versions.values())
    assert not (REPOSITORY / "package-lock.json").exists()
