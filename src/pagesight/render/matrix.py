"""Matrices of PDF: a, b, c, d, e, f move, scale and rotate points."""

from __future__ import annotations

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(one: Matrix, other: Matrix) -> Matrix:
    """The matrix that applies `one`, and then `other`."""
    if other == IDENTITY:
        return one
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
        e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip
