from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.cli.reference import BEGIN, END, SHARED, commands, main, reference, updated

DOCS = Path(__file__).parents[2] / "docs/commands"
PAGES = [SHARED, *commands()]


@pytest.mark.parametrize("name", PAGES)
def test_the_options_are_those_of_the_program(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text("utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert updated(text, name) == text, "run python -m pagesight.cli.reference"
    assert reference(name) in text


def test_every_command_is_in_the_overview() -> None:
    overview = (DOCS / "index.md").read_text("utf-8")
    for name in commands():
        assert f"[`pagesight {name}`]({name}.md)" in overview


def test_there_are_no_pages_of_commands_that_are_gone() -> None:
    assert {path.stem for path in DOCS.glob("*.md")} == set(PAGES)


def test_the_files_are_rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PAGES:
        (tmp_path / f"{name}.md").write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    monkeypatch.setattr("sys.argv", ["reference", str(tmp_path)])
    main()
    assert (tmp_path / "read.md").read_text() == (
        f"before\n{BEGIN}\n\n{reference('read')}\n\n{END}\nafter\n"
    )
