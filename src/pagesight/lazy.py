"""Names that a package offers and imports on first use: what nobody asks for costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
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


def imported(path: str) -> Any:
    """What ``module:name`` names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
