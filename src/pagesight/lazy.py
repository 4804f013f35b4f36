"""What is imported and read on first use only: what nobody asks for costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any


def offered(package: str, names: Collection[str], *modules: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package: its `names` are looked for in these modules, in order."""

    def find(name: str) -> Any:
        for module in modules if name in names else ():
            home = import_module(f"{package}.{module}")
            if hasattr(home, name):
                return getattr(home, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find


def offered_with(
    extra: str, missing: str, package: str, names: Collection[str], *modules: str
) -> Callable[[str], Any]:
    """The same for a package that needs an extra; `missing` names the error without it."""
    find = offered(package, names, *modules)

    def find_or_tell(name: str) -> Any:
        try:
            return find(name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("pagesight"):
                raise
            kind = imported(f"pagesight.errors:{missing}")
            needed = (error.name or "a package").partition(".")[0]
            hint = f"pip install 'pagesight[{extra}]'"
            raise kind(f"{needed} is not installed", hint=hint) from error

    return find_or_tell


def imported(path: str) -> Any:
    """What ``module:name`` names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


@cache
def table(package: str, name: str) -> dict[str, str]:
    """A file of two columns, separated by a tab, in a package; ``#`` begins a comment."""
    lines = (files(package) / name).read_text("utf-8").splitlines()
    rows = (line.partition("\t") for line in lines if not line.startswith("#"))
    return {key: value for key, _, value in rows}
