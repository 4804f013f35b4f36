"""Rules that can be switched off one by one, to ask whether each of them earns its place.

A rule is a function that decides something which the model does not. Marking it costs nothing: the
function stays as it is, and the ablation (`pagesight evaluate article --ablate`) replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ReaderRule:
    """A function, and the one that takes its place while the rule is switched off."""

    name: str  # "abstract.by_look"
    function: Callable[..., Any]
    neutral: Callable[..., Any]


RULES: dict[str, ReaderRule] = {}
"""By name; filled as the modules of the reader are imported."""


def rule(neutral: Callable[..., Any]) -> Callable[[Function], Function]:
    """Mark a function as a rule; `neutral` returns what it would if the rule did not exist."""

    def register(function: Function) -> Function:
        module = function.__module__.rpartition(".")[2]
        name = f"{module}.{function.__name__.strip('_')}"
        RULES[name] = ReaderRule(name, function, neutral)
        return function

    return register
