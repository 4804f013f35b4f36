from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference import BEGIN, END, SHARED, commands, main, reference, updated
from running import run

from pagesight.readers.registry import readings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs/commands"
PAGES = [SHARED, *commands()]


def _shown() -> Iterator[tuple[str, str]]:
    """Commands that the documentation runs on the examples, and what it says they print."""
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        for block in re.findall(r"```console\n(.*?)```", path.read_text("utf-8"), re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                if re.match(r"pagesight [^|]* examples/\S+", command):
                    yield command, printed


def _pattern(line: str) -> str:
    """What a line has to be like: any number is like another, and … is anything."""
    return ".*".join(re.escape(part) for part in _plain(line).split("…"))


def _plain(line: str) -> str:
    return " ".join(re.sub(r"\d+([.,]\d+)*", "0", line).split())


@pytest.mark.parametrize("name", PAGES)
def test_the_options_are_those_of_the_program(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text("utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert updated(text, name) == text, "run python tests/cli/reference.py"
    assert reference(name) in text


def test_every_command_is_in_the_overview() -> None:
    overview = (DOCS / "index.md").read_text("utf-8")
    for name in commands():
        assert f"[`pagesight {name}`]({name}.md)" in overview


def test_every_reading_is_documented() -> None:
    evaluated = (DOCS / "evaluate.md").read_text("utf-8")
    for reading in readings():
        assert "\n## JSON\n" in (DOCS / f"{reading.name}.md").read_text("utf-8")
        assert not reading.evaluate or f"| `{reading.name}`" in evaluated


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


@pytest.mark.browser
@pytest.mark.parametrize(
    ("command", "printed"), [pytest.param(*each, id=each[0]) for each in _shown()]
)
def test_the_output_is_that_of_the_program(command: str, printed: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    arguments = shlex.split(command.removesuffix("2> /dev/null"))[1:]
    done = run(*arguments, "--renderer", "chromium", cwd=tmp_path)
    lines = map(_plain, (done.stdout + done.stderr).decode().splitlines())
    for line in filter(str.strip, printed.splitlines()):  # in this order
        assert any(re.fullmatch(_pattern(line), found) for found in lines), line
