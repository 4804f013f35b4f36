"""The tree of errors: drawn in its docstring, named in JSON, sent between processes."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator

import pytest

from pagesight import errors
from pagesight.errors import PagesightError, SourceTooLarge, UnexpectedError


def all_errors(base: type[PagesightError] = PagesightError) -> Iterator[type[PagesightError]]:
    yield base
    for kind in base.__subclasses__():
        if kind.__module__ == errors.__name__:
            yield from all_errors(kind)


def drawn() -> dict[str, int]:
    """The names in the drawing, with their depths."""
    lines = (errors.__doc__ or "").splitlines()
    names = (re.match(r"([ │├└─]*)([A-Z]\w+)(?:\s{2,}|$)", line) for line in lines)
    return {name[2]: (len(name[1]) - 4) // 4 for name in names if name}


def test_the_drawing_is_the_tree() -> None:
    depths = {
        kind.__name__: len(kind.__mro__) - len(PagesightError.__mro__) for kind in all_errors()
    }
    assert drawn() == depths


@pytest.mark.parametrize("kind", list(all_errors()))
def test_an_error_can_be_sent_to_another_process(kind: type[PagesightError]) -> None:
    error = pickle.loads(pickle.dumps(kind("too bad", source="tea.html", hint="try again")))
    assert type(error) is kind
    assert (error.message, error.source, error.hint) == ("too bad", "tea.html", "try again")
    assert str(error) == "tea.html: too bad"


@pytest.mark.parametrize("kind", list(all_errors()))
def test_the_kind_is_the_name_in_snake_case(kind: type[PagesightError]) -> None:
    name = kind("").kind
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert name.replace("_", "") == kind.__name__.lower()


def test_kinds() -> None:
    assert SourceTooLarge("").kind == "source_too_large"
    assert errors.NotAPage("").kind == "not_a_page"


def test_an_error_names_the_source_that_it_named_first() -> None:
    error = PagesightError("too bad")
    assert str(error) == "too bad"
    assert error.about("tea.html") is error
    assert error.about("cake.html").source == "tea.html"


def test_a_defect_says_what_it_was() -> None:
    error = UnexpectedError.of(KeyError("tea"), "tea.html")
    assert str(error) == "tea.html: unexpected KeyError: 'tea'"
    assert error.hint is not None
    assert "report" in error.hint
