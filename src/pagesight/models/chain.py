"""Chains of labels: the best labelling of a sequence, and sums over all of its labellings.

Labels y of T positions score the sum of ``scores[t, y[t]]``, of ``transition[y[t-1], y[t]]``, and
of `start` and `stop` at the ends. All scores are logarithms, -inf for what is impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAST = 1e-100  # of what is multiplied: what is lost below the smallest number is far less then
STRIDE = 4  # positions from one scaling to the next
STEEPEST = 150.0  # the exponentials of larger scores may overflow within a stride


@dataclass(frozen=True, slots=True)
class Chain:
    """What follows what, for K labels."""

    transition: Floats  # K × K, from row to column
    start: Floats  # K
    stop: Floats  # K


class ChainSums(NamedTuple):
    """What all labellings of B sequences of up to T positions say, by each of C chains."""

    labels: Floats
    """P(label | sequence), T × C × B × K; zero after the end of a sequence."""

    pairs: Floats
    """How often each label is expected after each, C × B × K × K."""

    log_total: Floats
    """The logarithm of the sum over all labellings, C × B; -inf if there is none."""


def best_labels(chain: Chain, scores: Floats) -> tuple[Ints, float]:
    """The labels of the highest total score, and that score; `scores` is T × K.

    Of several, those with the lower labels at the end.
    """
    labels = np.zeros(len(scores), np.int64)
    if not len(scores):
        return labels, 0.0
    into = np.ascontiguousarray(chain.transition.T)
    rows = np.arange(0, into.size, len(into))
    best = scores[0] + chain.start
    origins = np.zeros(scores.shape, np.int64)
    for time in range(1, len(scores)):
        reached = into + best
        origins[time] = origin = reached.argmax(axis=1)
        best = reached.take(origin + rows) + scores[time]
    ends = best + chain.stop
    label = int(ends.argmax())
    for time in range(len(scores) - 1, -1, -1):
        labels[time] = label
        label = origins.item(time, label)
    return labels, float(ends.max())


def chain_sums(
    chains: Sequence[Chain],
    scores: Floats,
    lengths: ArrayLike | None = None,
    *,
    pairs: bool = True,
) -> ChainSums:
    """Forward-backward: the sums over all labellings of B sequences, by each of the chains.

    `scores` is T × B × K, or T × C × B × K where each chain has its own; sequences of other
    `lengths` than T are padded with zeros. Sums are of probabilities, scaled now and then; where
    these get too small for a number, of logarithms. Without `pairs`, these are zero.
    """
    batch, count = scores.shape[-2:]
    each = scores if scores.ndim == 4 else scores[:, None]
    each = np.broadcast_to(each, (len(scores), len(chains), batch, count))
    ends = np.full(batch, len(scores)) if lengths is None else np.asarray(lengths)
    if not len(scores):
        return _exact_sums(chains, each, np.zeros(0, np.int64))
    parts = [np.stack(part) for part in zip(*map(_parts, chains), strict=True)]
    if all((part <= STEEPEST).all() for part in parts):
        with np.errstate(divide="ignore", invalid="ignore"):
            sums = _scaled_sums(parts, each, ends, pairs=pairs)
        if sums is not None:
            return sums
    return _exact_sums(chains, each, ends)


def _parts(chain: Chain) -> tuple[Floats, Floats, Floats]:
    return chain.transition, chain.start, chain.stop


def _scaled_sums(
    parts: Sequence[Floats], scores: Floats, lengths: Ints, *, pairs: bool
) -> ChainSums | None:
    """The sums of probabilities; None where some are too small."""
    transition, start, stop = parts  # C × K × K, C × K, C × K
    batch, times = len(lengths), np.arange(len(scores))[:, None]
    inside = (times < lengths)[:, None]  # T × 1 × B
    scores = scores.copy()
    scores[0] += start[:, None]
    scores[lengths - 1, :, np.arange(batch)] += stop
    shift = np.where(inside, scores.max(axis=3), 0.0)
    local = np.exp(scores - shift[..., None])
    moves = np.exp(transition)
    # What follows a label is what comes before it, read from the end: both ways are one pass.
    both, scale = _scaled_forward(
        np.stack((local, _turned(local, lengths)), axis=1),
        np.stack((moves, moves.swapaxes(1, 2))),
    )
    forward, later = both[:, 0], _turned(both[:, 1], lengths)
    at_end = forward[lengths - 1, :, np.arange(batch)].sum(axis=2).T
    log_total = (scale[:, 0] * inside + shift).sum(axis=0) + np.log(at_end)
    ahead = np.ones_like(forward)
    continues = inside[1:, ..., None]
    np.copyto(ahead[:-1], later[1:] @ moves.swapaxes(1, 2), where=continues)
    behind, rest = (sums.sum(axis=3, keepdims=True) for sums in (forward, ahead))
    forward /= behind
    labels = forward * (ahead / rest)
    total = labels.sum(axis=3, keepdims=True)
    # What was lost on one side would count only where the other side says nothing else.
    safe = (behind >= LEAST) & (rest >= LEAST) & (total >= LEAST)
    if not (np.isfinite(log_total).all() and (safe | ~inside[..., None]).all()):
        return None
    labels = np.where(inside[..., None], labels / total, 0.0)
    if not pairs:
        return ChainSums(labels, np.zeros((*log_total.shape, *moves.shape[1:])), log_total)
    before = np.where(continues, forward[:-1] / (total * rest)[:-1], 0.0)
    after = np.where(continues, later[1:], 0.0)  # behind the end, it may be no number
    followed = before.transpose(1, 2, 3, 0) @ after.transpose(1, 2, 0, 3)
    return ChainSums(labels, followed * moves[:, None], log_total)


def _turned(values: Floats, lengths: Ints) -> Floats:
    """Values of sequences (T × C × B × K), each read from its end; the padding stays behind."""
    times = np.arange(len(values))[:, None]
    if (lengths == len(values)).all():
        return values[::-1]
    turned = np.where(times < lengths, lengths - 1 - times, times)
    return np.take_along_axis(values, turned[:, None, :, None], axis=0)


def _scaled_forward(sums: Floats, moves: Floats) -> tuple[Floats, Floats]:
    """Sums over all labellings up to each position, and the logarithms by which they were scaled.

    `sums` is T × 2 × C × B × K, what each position says by itself, and `moves` 2 × C × K × K, for
    either way of reading. Now and then, sums are scaled to 1.
    """
    scale = np.ones(sums.shape[:-1])
    before = sums[0]
    for time, here in enumerate(sums):
        if time:
            here *= before @ moves
        if time % STRIDE == 0:
            total = here.sum(axis=3, keepdims=True)
            here /= total
            scale[time] = total[..., 0]
        before = here
    return sums, np.log(scale)


def _exact_sums(chains: Sequence[Chain], scores: Floats, lengths: Ints) -> ChainSums:
    """The sums of logarithms, one sequence at a time."""
    longest, _, batch, count = scores.shape
    sums = ChainSums(
        np.zeros((longest, len(chains), batch, count)),
        np.zeros((len(chains), batch, count, count)),
        np.zeros((len(chains), batch)),
    )
    for number, chain in enumerate(chains):
        for row, length in enumerate(lengths.tolist()):
            labels, pairs, log_total = _log_sums(chain, scores[:length, number, row])
            sums.labels[:length, number, row] = labels
            sums.pairs[number, row] = pairs
            sums.log_total[number, row] = log_total
    return sums


def _log_sums(chain: Chain, scores: Floats) -> tuple[Floats, Floats, float]:
    """P(label), T × K, expected pairs of labels, K × K, and the logarithm of the sum of all."""
    forward, backward = np.empty_like(scores), np.empty_like(scores)
    forward[0], backward[-1] = chain.start + scores[0], chain.stop
    for time in range(1, len(scores)):
        reached = forward[time - 1][:, None] + chain.transition
        forward[time] = log_sum(reached, axis=0) + scores[time]
    for time in range(len(scores) - 2, -1, -1):
        ahead = scores[time + 1] + backward[time + 1]
        backward[time] = log_sum(chain.transition + ahead, axis=1)
    total = float(log_sum(forward[-1] + chain.stop, axis=0))
    if total == -np.inf:
        return np.zeros_like(scores), np.zeros_like(chain.transition), total
    following = (scores + backward)[1:, None, :] - total
    pairs = np.exp(forward[:-1, :, None] + chain.transition + following)
    return np.exp(forward + backward - total), pairs.sum(axis=0), total


def log_sum(values: Floats, axis: int) -> Floats:
    """The logarithm of the sum of exponentials; of nothing but -inf it is -inf."""
    highest = values.max(axis=axis, keepdims=True)
    highest[np.isneginf(highest)] = 0.0
    with np.errstate(divide="ignore"):
        total: Floats = np.log(np.exp(values - highest).sum(axis=axis)) + highest.squeeze(axis)
    return total
