"""Names that a package offers and imports on first use: what nobody asks for costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def offered(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package; `homes` says in which of its modules each name is."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find


def imported(path: str) -> Any:
    """What ``module:name`` names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
