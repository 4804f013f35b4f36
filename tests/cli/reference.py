"""The tables of options in `docs/commands`, made from the commands themselves.

`python tests/cli/reference.py` rewrites what is between the markers in these files.
"""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from pagesight.cli.app import app
from pagesight.cli.options import ReadingOptions

FOLDER = Path("docs/commands")
BEGIN = "<!-- options: made by python tests/cli/reference.py -->"
END = "<!-- end of options -->"
SHARED = "index"  # the file with the options that reading commands share


def commands() -> list[str]:
    """The names of all commands."""
    return [*_commands()]


def reference(name: str) -> str:
    """The arguments and options of a command as Markdown; for `SHARED`, those of all readings."""
    if name != SHARED:
        return _reference(name, _commands()[name])
    shared = {field.name for field in fields(ReadingOptions)}
    return _table([param for param in _commands()["read"].params if param.name in shared])


def _reference(name: str, command: Any) -> str:
    """The table of a command; of one that has commands of its own, a table for each."""
    if not (below := getattr(command, "commands", None)):
        return _table(command.params)
    return "\n\n".join(f"### {name} {one}\n\n{_table(below[one].params)}" for one in below)


def updated(text: str, name: str) -> str:
    """The text of a documentation file with the current reference."""
    between = re.compile(f"(?<={re.escape(BEGIN)}\n).*?(?={re.escape(END)})", re.DOTALL)
    return between.sub(lambda _: f"\n{reference(name)}\n\n", text)


def _commands() -> dict[str, Any]:
    program: Any = typer.main.get_command(app)
    return {name: program.get_command(None, name) for name in program.list_commands(None)}


def _table(params: list[Any]) -> str:
    rows = [(_written(param), _meaning(param)) for param in params]
    rows.append(("`-h`, `--help`", "Show the help of the command."))
    head = ("Option", "Meaning")
    first, second = (max(len(row[i]) for row in [*rows, head]) for i in (0, 1))
    return "\n".join(
        f"| {left:<{first}} | {right:<{second}} |"
        for left, right in (head, ("-" * first, "-" * second), *rows)
    )


def _written(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{param.metavar}{'...' if param.nargs == -1 else ''}`"
    value = "" if param.is_flag else f" {param.metavar}"
    return ", ".join(f"`{name}{value}`" for name in sorted(param.opts, key=len))


def _meaning(param: Any) -> str:
    text: str = param.help[0].upper() + param.help[1:].rstrip(".") + "."
    if param.required:
        text += " Required."
    elif param.show_default and isinstance(param.default, str):
        text += f" Default: `{param.default}`."
    return text.replace("|", r"\|")


def main() -> None:
    """Rewrite the files in the folder given, `docs/commands` if none is."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name in [SHARED, *commands()]:
        path = folder / f"{name}.md"
        path.write_text(updated(path.read_text("utf-8"), name), "utf-8")


if __name__ == "__main__":
    main()
