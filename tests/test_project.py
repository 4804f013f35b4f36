"""What surrounds the code is true: README, documentation, pins, packaging."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import reduce
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import pagesight
from pagesight.page.columns import SCHEMA, Column
from pagesight.render import RenderOptions
from pagesight.sources import Limits

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text("utf-8")
PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
PINS = (REPOSITORY / "constraints.txt").read_text("utf-8").splitlines()
SOURCES = sorted((REPOSITORY / "src").rglob("*.py"))
NO_BROWSER = "no-such-browser"

each_renderer = pytest.mark.parametrize(
    "environment",
    [
        pytest.param({}, marks=pytest.mark.browser, id="chromium"),
        pytest.param({"PAGESIGHT_BROWSER": NO_BROWSER}, id="embedded"),
    ],
)


def blocks(language: str, text: str = README) -> list[str]:
    """The pieces of code of a language in Markdown."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def rows(name: str) -> list[list[str]]:
    """The cells of all tables in a file of the documentation."""
    text = (REPOSITORY / "docs" / name).read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def run(*command: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, *command],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    ).stdout


def tracked() -> list[Path]:
    """The files of the repository."""
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    try:
        listed = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    names = filter(None, listed.decode().split("\0"))
    return [path for name in names if (path := REPOSITORY / name).is_file()]


# README


@each_renderer
def test_the_code_of_the_readme_prints_what_it_says(environment: dict[str, str]) -> None:
    assert run("-c", blocks("python")[0], **environment) == blocks("text")[0]


@pytest.mark.browser
def test_the_command_of_the_readme_prints_what_it_says() -> None:
    command, expected = blocks("console")[0].split("\n", 1)
    program, *arguments = command.removeprefix("$ ").split()
    assert program == "pagesight"
    assert _without_measures(run("-m", program, *arguments)) == _without_measures(expected)


def _without_measures(output: str) -> str:
    """Without what differs from browser to browser, and with the fonts of the system."""
    measured = re.compile(r"^((?:page|content|rendered by) .*)$", re.MULTILINE)
    plain = measured.sub(lambda line: re.sub(r"\d[\d.,]*\d|\d", "N", line[0]), output)
    return plain.strip()


def test_all_code_of_the_readme_runs(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    for code in blocks("python"):
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            timeout=120,
        )


def test_the_readme_names_targets_that_make_has() -> None:
    makefile = (REPOSITORY / "Makefile").read_text("utf-8")
    targets = re.findall(r"^\$ make (\w+)$", README, re.MULTILINE)
    assert targets == ["demo", "test"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


# Documentation


def documents() -> list[Path]:
    return [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("*/*.md")]


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_links_in_the_documentation_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        address, _, place = target.partition("#")
        if urlsplit(address).scheme:
            continue
        linked = path.parent / address if address else path
        assert linked.exists(), target
        if place:
            assert place in _anchors(linked.read_text("utf-8")), target


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_environment_variable_is_documented() -> None:
    documentation = (REPOSITORY / "docs/index.md").read_text("utf-8")
    names = {name for path in SOURCES for name in _variables(path)}
    assert "PAGESIGHT_BROWSER" in names
    assert not {name for name in names if f"`{name}`" not in documentation}


def _variables(path: Path) -> Iterator[str]:
    """Everything in a module that reads the environment and looks like a name in it."""
    text = path.read_text("utf-8")
    if "environ" not in text:
        return
    # Set, not read, or no variable
    others = {"FONTCONFIG_FILE", "MALLOC_ARENA_MAX", "PYTHONPATH", "SIGALRM", "SIGPROF"}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value
            if re.fullmatch(r"[A-Z][A-Z0-9_]{5,}(\(X86\))?", name) and name not in others:
                yield name


def test_the_columns_are_those_of_the_schema() -> None:
    found = {row[0].strip("`"): (row[1], row[2]) for row in rows("architecture.md") if row[2:]}
    documented = {name: found.get(name) for name in SCHEMA}
    assert documented == {name: _column(column) for name, column in SCHEMA.items()}


def _column(column: Column) -> tuple[str, str]:
    width = f" × {column.width}" if column.width > 1 else ""
    return f"`{column.dtype}`{width}", column.per


def limits() -> list[tuple[str, str]]:
    return [(row[2].strip("`"), row[1]) for row in rows("limits.md") if "." in row[2]]


@pytest.mark.parametrize(("where", "default"), limits())
def test_a_limit_is_as_documented(where: str, default: str) -> None:
    assert _number(default) == _value(where)


@pytest.mark.parametrize("options", [Limits, RenderOptions])
def test_every_limit_that_can_be_set_is_documented(options: type[Any]) -> None:
    documented = {where for where, _ in limits()}
    home = options.__module__.removeprefix("pagesight.")
    for field in dataclasses.fields(options):
        assert f"{home}.{options.__name__}.{field.name}" in documented


def test_every_error_in_the_limits_exists() -> None:
    named = {cell.strip("`") for row in rows("limits.md") for cell in row[4:]}
    errors = {name for name in named if re.fullmatch(r"[A-Z]\w+[a-z][A-Z]?\w+", name)}
    known = vars(importlib.import_module("pagesight.errors"))
    assert {name for name in errors if " " not in name and name not in known} == set()


def _value(where: str) -> Any:
    parts = where.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(["pagesight", *parts[:length]]))
        except ModuleNotFoundError:
            continue
        return reduce(_member, parts[length:], module)
    raise LookupError(where)


def _member(owner: Any, name: str) -> Any:
    if dataclasses.is_dataclass(owner):
        return {field.name: field.default for field in dataclasses.fields(owner)}[name]
    if inspect.isfunction(owner):
        return inspect.signature(owner).parameters[name].default
    return getattr(owner, name)


def _number(written: str) -> Any:
    if written == "any":
        return None
    if " × " in written:
        return tuple(_number(part) for part in written.split(" × "))
    number, _, unit = written.partition(" ")
    return float(number.replace(",", "")) * {"MiB": 1 << 20, "GiB": 1 << 30}.get(unit, 1)


def test_every_dependency_is_explained() -> None:
    text = (REPOSITORY / "docs/dependencies.md").read_text("utf-8")
    for name in [*_declared(), *(pin.partition("==")[0] for pin in PINS)]:
        assert f"`{_normal(name)}`" in text, name


# The package


@pytest.mark.parametrize("name", pagesight.__all__)
def test_a_public_name_is_there(name: str) -> None:
    assert getattr(pagesight, name) is not None


def test_the_version_is_said_once() -> None:
    assert pagesight.__version__ == PYPROJECT["project"]["version"]
    changes = (REPOSITORY / "CHANGELOG.md").read_text("utf-8")
    assert f"## {pagesight.__version__}\n" in changes


def packaged() -> set[str]:
    """The files of the wheel, relative to the package."""
    (package,) = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    folder = REPOSITORY / package
    return {path.relative_to(folder).as_posix() for path in tracked() if folder in path.parents}


def test_types_fonts_and_weights_are_in_the_wheel() -> None:
    names = packaged()
    assert "py.typed" in names
    assert "render/embedded/fonts/LICENSE.OFL" in names
    assert "render/embedded/fonts/LiberationSans-Regular.ttf" in names
    weights = {name for name in names if name.startswith("data/") and name.endswith(".json")}
    assert len(weights) >= 4
    for name in weights:
        assert name.removesuffix(".json") + ".md" in names, f"no model card for {name}"


def test_no_tests_are_in_the_wheel() -> None:
    assert not {name for name in packaged() if re.search(r"(^|/)(test_|tests/|conftest)", name)}


def test_licences_are_in_the_metadata() -> None:
    project = PYPROJECT["project"]
    assert project["license"] == "Apache-2.0 AND OFL-1.1"
    assert {Path(name).name for name in project["license-files"]} == {
        "LICENSE", "NOTICE", "LICENSE.OFL",
    }  # fmt: skip
    for name in project["license-files"]:
        assert (REPOSITORY / name).is_file()
    assert "SIL OPEN FONT LICENSE" in (REPOSITORY / project["license-files"][-1]).read_text("utf-8")


def test_links_in_the_metadata_are_absolute_and_lead_into_the_repository() -> None:
    links = PYPROJECT["project"]["urls"]
    assert set(links) == {"Homepage", "Documentation", "Source", "Changelog", "Issues"}
    for link in links.values():
        assert link.startswith(links["Source"])
        if (path := link.partition("/blob/main/")[2]) != "":
            assert (REPOSITORY / path).is_file()


def test_links_of_the_readme_are_absolute_on_a_package_index() -> None:
    hook = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    assert hook["fragments"] == [{"path": "README.md"}]
    (rule,) = hook["substitutions"]
    published = re.sub(rule["pattern"], rule["replacement"], README)
    targets = re.findall(r"\]\(([^)\s]+)\)", published)
    source = PYPROJECT["project"]["urls"]["Source"]
    assert f"{source}/blob/main/docs/page.md" in targets
    assert {target for target in targets if not target.startswith(("https://", "#"))} == set()
    assert published.count("\n") == README.count("\n")


def test_every_supported_python_is_listed() -> None:
    project = PYPROJECT["project"]
    listed = [
        name.rpartition(" ")[2]
        for name in project["classifiers"]
        if re.search(r"Python :: 3\.\d+$", name)
    ]
    assert project["requires-python"] == f">={listed[0]}"
    assert ".".join(map(str, sys.version_info[:2])) in listed


def test_only_live_pages_need_playwright() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    assert not [name for name in PYPROJECT["project"]["dependencies"] if "playwright" in name]
    assert [name for name in extras["live"] if name.startswith("playwright")]
    assert "pagesight[live]" in extras["dev"]
    importing = {
        path.relative_to(REPOSITORY / "src/pagesight").as_posix()
        for path in SOURCES
        if re.search(r"^\s*(from|import) playwright", path.read_text("utf-8"), re.MULTILINE)
    }
    assert importing == {"render/chromium/live.py"}


def test_everything_imports_without_playwright() -> None:
    program = (
        "import sys; sys.modules['playwright'] = None\n"
        "import pagesight.render.chromium.renderer, pagesight.document\n"
        "import pagesight.cli.commands.doctor"
    )
    run("-c", program)


def test_constraints_are_plain_pins() -> None:
    assert PINS
    for pin in PINS:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", pin), pin


def test_every_direct_dependency_is_pinned() -> None:
    pinned = {_normal(pin.partition("==")[0]) for pin in PINS}
    assert set(_declared()) <= pinned
    assert "pagesight" not in pinned


def _declared() -> list[str]:
    """The names of the packages to run with and to develop with."""
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"]]
    for extra in ("live", "watch", "postgresql", "mcp", "batch", "dev"):
        declared += extras[extra]
    names = [_normal(re.split(r"[<>=!~\[; ]", name)[0]) for name in declared]
    return [name for name in names if name != "pagesight"]  # with another extra


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# The repository

FORBIDDEN = re.compile(
    rb"/roo[t]/|/wor[k]/|/User[s]/|/home/(?!me\b)\w"  # folders of somebody's machine
    rb"|pypi\.org|pythonhosted\.org|registry\.npmjs|deb\.debian\.org|archive\.ubuntu\.com"
)
NEIGHBOUR = re.compile(rb"\.\./share[d]")


def test_no_file_names_a_machine_or_a_registry() -> None:
    named = {}
    for path in tracked():
        if found := FORBIDDEN.search(path.read_bytes()):
            named[path.relative_to(REPOSITORY).as_posix()] = found[0]
    assert not named


def test_nothing_outside_of_the_repository_is_needed() -> None:
    allowed = {REPOSITORY / ".ci/run"}
    naming = {path for path in tracked() if NEIGHBOUR.search(path.read_bytes())}
    assert naming <= allowed


class _Links(HTMLParser):
    """Collects the addresses of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.found.append(value)
            elif name in ("id", "name") and value:
                self.ids.add(value)


@pytest.mark.parametrize(
    "path", sorted(REPOSITORY.glob("examples/*/index.html")), ids=lambda path: path.parent.name
)
def test_an_example_has_all_its_files(path: Path) -> None:
    links = _Links()
    links.feed(path.read_text("latin-1"))
    local = [urlsplit(link) for link in links.found]
    files = {unquote(link.path) for link in local if not link.scheme and not link.netloc}
    resources = {name for name in files if re.search(r"\.(css|svg|png|gif|jpg)$", name)}
    assert "style.css" in resources
    assert not {name for name in resources if not (path.parent / name).is_file()}
