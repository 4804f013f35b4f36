"""Newton's method: the minimum of a smooth convex function, to the last digits.

Where L-BFGS stops, rounding errors decide: on another machine, or with another number of threads,
it stops elsewhere. Newton's steps shrink until nothing is left to gain, so that what is rounded
afterwards is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Convex = Callable[[Floats], tuple[float, Floats, Floats]]
"""The value of a function of N variables, its gradient (N), and its curvature (N × N)."""

_MOST_STEPS = 100
_MOST_HALVINGS = 40
_NEAR = 1e-6  # a step, in units of the point, from which on each squares the error
_NOISE = 1e-12  # of a value: less says nothing about which of two points is lower


def minimize_convex(function: Convex, start: Floats) -> Floats:
    """Where a convex function is least."""
    point = start.astype(np.float64)
    value, gradient, curvature = function(point)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(curvature, gradient)
        if np.abs(step).max() <= _NEAR * max(1.0, np.abs(point).max()):
            point = point - step
            _, gradient, curvature = function(point)
            return point - np.linalg.solve(curvature, gradient)
        for halvings in range(_MOST_HALVINGS):
            there = point - step / 2**halvings
            lower, gradient, curvature = function(there)
            if lower <= value + _NOISE * abs(value):
                break
        point, value = there, lower
    return point
