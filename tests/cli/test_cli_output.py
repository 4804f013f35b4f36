"""What is printed: nothing that controls the terminal, and JSON for any text."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text
from running import run_program

from pagesight.cli import output
from pagesight.cli.output import (
    json_line,
    printable,
    say,
    say_error,
    say_json,
    say_lines,
    styled,
    width,
)
from pagesight.errors import NotAPage, error_fields


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüner Tee, 緑茶, شاي", "Grüner Tee, 緑茶, شاي"),
        ("two\nlines\tand\ra tab", "two lines and a tab"),
        ("\x1b[31mred\x07", "\ufffd[31mred\ufffd"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # misspelt without it
        ("\u202eturned", "turned"),
        ("half \ud800 a letter", "half \ufffd a letter"),
        ("no\u00a0break", "no break"),
        ("", ""),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters(codec=None), max_size=50))
def test_nothing_printable_controls_the_terminal(text: str) -> None:
    shown = printable(text)
    assert not {"Cc", "Cs"} & {*map(unicodedata.category, shown)}
    assert printable(shown) == shown
    assert len(shown) <= len(text)


def test_a_styled_line_is_printable() -> None:
    line = styled("\x1b[31ma", ("\x1b[31mb", "bold"), Text("c"))
    assert line.plain == "\ufffd[31ma\ufffd[31mbc"
    assert [span.style for span in line.spans] == ["bold"]


@given(st.dictionaries(st.text(max_size=9), st.text(st.characters(codec=None), max_size=30)))
def test_json_is_one_line_that_says_the_same(fields: dict[str, str]) -> None:
    line = json_line(fields)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == fields


def test_json_is_readable_where_it_can_be() -> None:
    assert json_line({"title": "緑茶"}) == '{"title": "緑茶"}\n'.encode()
    assert json_line({"title": "\ud800"}) == b'{"title": "\\ud800"}\n'


def test_errors_as_json() -> None:
    assert error_fields(NotAPage("empty")) == {"kind": "not_a_page", "message": "empty"}
    assert error_fields(NotAPage("empty", hint="fill it"))["hint"] == "fill it"


def test_errors_for_people(capfd: pytest.CaptureFixture[str]) -> None:
    say_error("no tea", hint="make some")
    say_error("no cup")
    say("x" * 500)
    assert capfd.readouterr().err.splitlines() == [
        "error: no tea",
        "  hint: make some",
        "error: no cup",
        "x" * 500,  # in one line, however long it is
    ]


def test_markup_is_text(capfd: pytest.CaptureFixture[str]) -> None:
    say("[bold]tea[/bold] :tea:")
    say_lines(["[link=x]tea[/link]", Text("[red]tea")])
    shown = capfd.readouterr()
    assert shown.err == "[bold]tea[/bold] :tea:\n"
    assert shown.out == "[link=x]tea[/link]\n[red]tea\n"


def test_a_pipe_gets_whole_lines(capfd: pytest.CaptureFixture[str]) -> None:
    assert width() is None
    say_lines(["tea " * 100])
    assert capfd.readouterr().out == "tea " * 100 + "\n"


@pytest.mark.parametrize(("cut", "shown"), [(True, "tea tea t…"), (False, "tea " * 5)])
def test_a_terminal_cuts_lines_off_at_its_edge(
    cut: bool, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=10, color_system=None)
    monkeypatch.setattr(output, "results", lambda: console)
    assert width() == 10
    say_lines(["tea " * 5], cut=cut)
    assert screen.getvalue().rstrip("\n") == shown


def test_json_follows_what_was_printed_before(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    say_lines(["before"])
    say_json({"a": 1})
    say_lines(["after"])
    assert capfdbinary.readouterr().out == b'before\n{"a": 1}\nafter\n'


def test_json_is_utf_8_whatever_the_terminal_uses() -> None:
    page = b"<title>\xe7\xb7\x91\xe8\x8c\xb6</title>"
    done = run_program("title", "--fast", "--json", "-", stdin=page, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "緑茶" in done.stdout.decode()


def test_text_fits_into_what_the_terminal_uses() -> None:
    page = b"<title>\xe7\xb7\x91\xe8\x8c\xb6</title>"
    done = run_program("title", "--fast", "-", stdin=page, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"??\n")
