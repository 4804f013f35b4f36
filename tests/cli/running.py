"""Running the program as a user does, and pages that need no renderer."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pagesight
from pagesight.cli.app import app
from pagesight.page import Display, NodeKind, Note, Page, PageInfo

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = (sys.executable, "-W", "error", "-m", "pagesight")


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


needs_worker = pytest.mark.skipif(
    not _is_there("pagesight.render.worker.renderer"), reason="no embedded renderer"
)
each_renderer = pytest.mark.parametrize(
    "renderer",
    [
        pytest.param("chromium", marks=pytest.mark.browser),
        pytest.param("embedded", marks=needs_worker),
    ],
)


def run(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """`pagesight` with these arguments, in this process, which saves the start of another."""
    given = [*map(str, arguments)]
    with contextlib.chdir(cwd or Path()):
        result = CliRunner().invoke(app, given, input=stdin, env=environment, prog_name="pagesight")
    trouble = b""
    if result.exception and not isinstance(result.exception, SystemExit):
        trouble = "".join(traceback.format_exception(result.exception)).encode()
    stderr = result.stderr_bytes or b""
    return subprocess.CompletedProcess(
        given, result.exit_code, result.stdout_bytes, stderr + trouble
    )


def run_program(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """`pagesight` with these arguments, in a process of its own."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
        timeout=600,  # on a machine that is busy with other things, too
    )


def lines(output: bytes) -> list[dict[str, Any]]:
    """The objects of JSON Lines."""
    return [json.loads(line) for line in output.splitlines()]


def small_page(
    title: str = "Tea", text: str = "Green tea", *notes: Note, size: float = 30.0
) -> Page:
    """A page with a title, and a heading of `size` px."""
    names = ["#document", "html", "head", "title", "#text", "body", "h1", "#text"]
    strings = [*dict.fromkeys([*names, title, text])]
    inside = [-1, 0, 1, 2, 3, 1, 5, 6]
    kinds = {"#document": NodeKind.DOCUMENT, "#text": NodeKind.TEXT}
    shown = [0, 1, 5, 6, 7]
    return Page(
        {
            "parent": inside,
            "kind": [kinds.get(name, NodeKind.ELEMENT) for name in names],
            "name": [strings.index(name) for name in names],
            "text": [-1, -1, -1, -1, strings.index(title), -1, -1, strings.index(text)],
            "display": [Display.BLOCK if node in shown else Display.NONE for node in range(8)],
            "visibility": [0 if node in shown else 1 for node in range(8)],
            "font_size": [16, 16, 16, 16, 16, 16, size, size],
            "font_weight": [400, 400, 400, 400, 400, 400, 700, 700],
            "box": [*([[0, 0, 0, 0]] * 7), [8, 8, 200, 36]],
            "run_node": [7],
            "run_box": [[8, 8, 200, 36]],
            "run_text": [strings.index(text)],
        },
        strings,
        PageInfo(
            renderer="chromium",
            renderer_version="1.2.3",
            url="https://example.com/tea",
            size=(1280.0, 800.5),
            notes=notes,
        ),
    )


def save_small_page(folder: Path) -> Path:
    """A saved Page in a file named `tea.pagesight`."""
    path = folder / "tea.pagesight"
    small_page().save(path)
    return path


def installed(folder: Path, name: str, target: str) -> str:
    """A package with a reading, as pip installs one; the PYTHONPATH that finds it."""
    package = folder / f"{name}-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[pagesight.readings]\n{name} = {target}\n")
    source = Path(pagesight.__file__).parents[1]
    return os.pathsep.join([str(folder), str(source)])
