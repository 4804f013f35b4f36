"""Adam: the minimum of a sum of many smooth functions, from their gradients one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Gradient = Callable[[Floats], Floats]
_MEMORY = (0.9, 0.999)  # of the mean of gradients, and of their squares
_TINY = 1e-8


def descend(
    gradients: Sequence[Gradient], start: Floats, *, epochs: int, rate: float = 0.05, seed: int = 0
) -> Floats:
    """Where the sum of functions with these gradients is about least; the rate falls to zero.

    Each epoch goes through all of them once, in an order that depends on the seed alone.
    """
    point = start.astype(np.float64)
    mean, square = np.zeros_like(point), np.zeros_like(point)
    random, steps = np.random.default_rng(seed), epochs * len(gradients)
    order = np.concatenate([random.permutation(len(gradients)) for _ in range(epochs)])
    for step, number in enumerate(order.tolist()):
        slope = gradients[number](point)
        mean += (1 - _MEMORY[0]) * (slope - mean)
        square += (1 - _MEMORY[1]) * (slope * slope - square)
        settled = 1 - _MEMORY[0] ** (step + 1), 1 - _MEMORY[1] ** (step + 1)
        pace = rate * (1 - step / steps)
        point -= pace * (mean / settled[0]) / (np.sqrt(square / settled[1]) + _TINY)
    return point
