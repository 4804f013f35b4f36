"""What is derived from a Page, worked out once and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from pagesight.page.page import Page

P = ParamSpec("P")
R = TypeVar("R")
_KEPT = "_derived"  # among the attributes of a Page; neither saved nor compared


def once_per_page(function: Callable[Concatenate[Page, P], R]) -> Callable[Concatenate[Page, P], R]:
    """Keep the result of ``function(page)`` on the page; with more arguments, work it out anew.

    Two threads that ask at the same time may both do the work, and get the same object.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def kept(page: Page, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if args or kwargs:
            return function(page, *args, **kwargs)
        results: dict[str, R] = page.__dict__.setdefault(_KEPT, {})
        if name not in results:
            results.setdefault(name, function(page, *args, **kwargs))
        return results[name]

    return kept
