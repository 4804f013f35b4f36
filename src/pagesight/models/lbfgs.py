"""L-BFGS: the minimum of a smooth function of many variables from its values and gradients."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Objective = Callable[[Floats], tuple[float, Floats]]

_ENOUGH = 1e-4  # of the decrease that the slope promises (Armijo)
_FLATTER = 0.9  # of the slope that may be left (Wolfe)
_MOST_TRIES = 25
PATIENCE = 8  # steps that have to gain something: a single one may be short by chance


def minimize(
    objective: Objective,
    start: Floats,
    *,
    steps: int = 100,
    memory: int = 10,
    tolerance: float = 1e-5,
) -> Floats:
    """Where `objective` is least, found from `start`; the value falls with every step.

    Ends after `steps`, or when several steps together gain less than `tolerance` of the value.
    """
    point = start.astype(np.float64)
    value, gradient = objective(point)
    history: deque[tuple[Floats, Floats, float]] = deque(maxlen=memory)
    values = deque([value], maxlen=PATIENCE + 1)
    for _ in range(steps):
        if not gradient.any():
            break
        direction = _direction(gradient, history)
        step = _search(objective, point, value, gradient, direction, first=not history)
        if step is None:
            break
        new_point, new_value, new_gradient = step
        moved, turned = new_point - point, new_gradient - gradient
        if (curvature := float(moved @ turned)) > 1e-12:
            history.append((moved, turned, 1 / curvature))
        point, value, gradient = new_point, new_value, new_gradient
        values.append(value)
        if len(values) > PATIENCE and values[0] - value <= tolerance * max(abs(value), 1e-9):
            break
    return point


def _direction(gradient: Floats, history: deque[tuple[Floats, Floats, float]]) -> Floats:
    """Downhill, corrected by the curvature of past steps (the two-loop recursion)."""
    direction = -gradient
    shares = []
    for moved, turned, inverse in reversed(history):
        share = inverse * float(moved @ direction)
        direction = direction - share * turned
        shares.append(share)
    if history:
        moved, turned, inverse = history[-1]
        direction = direction / (inverse * float(turned @ turned))
    for (moved, turned, inverse), share in zip(history, reversed(shares), strict=True):
        direction = direction + (share - inverse * float(turned @ direction)) * moved
    return direction


def _search(
    objective: Objective,
    point: Floats,
    value: float,
    gradient: Floats,
    direction: Floats,
    *,
    first: bool,
) -> tuple[Floats, float, Floats] | None:
    """A step along `direction` that falls enough and ends on flatter ground, by bisection."""
    slope = float(gradient @ direction)
    if slope >= 0:
        return None
    length = 1 / max(float(np.abs(gradient).sum()), 1.0) if first else 1.0
    shortest, longest = 0.0, np.inf
    fallen = None
    for _ in range(_MOST_TRIES):
        there = point + length * direction
        new_value, new_gradient = objective(there)
        if not new_value <= value + _ENOUGH * length * slope:
            longest = length
        else:
            fallen = (there, new_value, new_gradient)
            if float(new_gradient @ direction) >= _FLATTER * slope:
                return fallen
            shortest = length
        length = (shortest + longest) / 2 if np.isfinite(longest) else 2 * length
    return fallen
