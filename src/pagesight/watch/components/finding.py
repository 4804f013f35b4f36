"""Finding the parts of an index on a page: all of them at once, since what one is, no other is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.watch.components.evidence import (
    Candidates,
    Comparison,
    candidates,
    compared,
    nearest_of,
    relation,
    unit_at,
)
from pagesight.watch.components.index import ComponentIndex, LearnedComponent
from pagesight.watch.components.model import ComponentsModel, shipped_model, signs_of
from pagesight.watch.components.profile import Profile, shows_the_same
from pagesight.watch.components.reading import (
    CHANGED,
    FOUND,
    MISSING,
    UNSURE,
    Component,
    ComponentsReading,
    Place,
    place_of,
)
from pagesight.watch.components.sight import Sight, sight_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SAME = 0.8  # of what two candidates show, from which on they are one answer
APART = 0.2  # up to which they are different answers
ROUNDS = 2  # in which parts learn of their relatives
BEAM = 16  # combinations of answers that are followed
MOST_ANSWERS = 6  # to one part that are tried in combinations
LEAST_CHANCE = 1e-6
LEAST_TRIED = 0.01  # the probability of a candidate that is tried beside the best one
SLIGHT = 1e-3  # what an answer is worth that is less likely than none
LIKELY = 0.5  # the probability from which on a part tells where its relatives are

CERTAIN = 0.95  # the probability from which on a rival takes what a part might be

MOVED = 0.05  # of the width of the page
REORDERED = 0.25  # of the text of the page
RESIZED = 0.1  # of the width of the page
TALLER = 0.7  # difference of logarithms: about twice as tall
RESTYLED = 0.5  # px of font size
SPLIT = 0.3  # of what is known of the part that the element around it has in addition
MERGED = 0.5  # precision below which most of an element is something else
SEEN_TO_CHANGE = (
    "left", "order", "width", "height", "font", "words", "word outside", "word precision",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Answers:
    """The candidates for one part, and the probability of each."""

    found: Candidates
    chances: Floats
    is_certain: bool = False

    @property
    def none(self) -> float:
        return max(float(self.chances[-1]), LEAST_CHANCE)

    def chance(self, sight: Sight, at: int) -> float:
        """The probability of a candidate, or of another one that shows the same."""
        unit = self.found.unit
        return float(self.chances[:-1][sight.overlap(unit[at], unit) >= SAME].sum())


def find(
    index: ComponentIndex, page: Page, *, model: ComponentsModel | None = None
) -> ComponentsReading:
    """Where the parts of an index are on a page."""
    model = model or shipped_model()
    sight = sight_of(page)
    comparison = compared(sight, index.seen)
    profiles = [component.profile for component in index.components]
    answers = [_first_answers(model, comparison, profile) for profile in profiles]
    chosen = assigned(sight, answers, index.inside)
    for _ in range(ROUNDS):
        again = _with_relatives(model, sight, profiles, answers, chosen)
        if again == answers:
            break
        answers, chosen = again, assigned(sight, again, index.inside)
    rivals = [_first_answers(model, comparison, profile) for profile in index.rivals]
    claims = [_claim(sight, rival) for rival in rivals]
    inside = (*index.inside, *(-1 for _ in rivals))
    answers = _given_others(sight, [*answers, *rivals], [*chosen, *claims], inside)
    listed = zip(index.components, answers, chosen, strict=False)  # without the rivals
    return ComponentsReading(tuple(_component(model, sight, *entry) for entry in listed))


def _claim(sight: Sight, rival: _Answers) -> int:
    """The candidate that a part nobody asks for certainly is, or -1."""
    best = int(rival.chances[:-1].argmax()) if len(rival.found.unit) else -1
    return best if best >= 0 and rival.chance(sight, best) >= CERTAIN else -1


def _first_answers(model: ComponentsModel, page: Comparison, profile: Profile) -> _Answers:
    """What fits a part; where the old path leads to the same content, that is it."""
    unit = unit_at(page.sight, profile.path)
    if unit is not None and shows_the_same(page.sight, unit, profile):
        found = candidates(page, profile, only=unit)
        return _Answers(found, np.array([1.0, 0.0]), is_certain=True)
    return _answers(model, candidates(page, profile))


def _answers(model: ComponentsModel, found: Candidates) -> _Answers:
    return _Answers(found, model.chances(found))


def _with_relatives(
    model: ComponentsModel,
    sight: Sight,
    profiles: Sequence[Profile],
    answers: Sequence[_Answers],
    chosen: Sequence[int],
) -> list[_Answers]:
    """The answers once more, knowing where those siblings are that are likely to be found."""
    families: dict[str, dict[int, str]] = {}
    for part, (profile, at) in enumerate(zip(profiles, chosen, strict=True)):
        if at >= 0 and answers[part].chance(sight, at) >= LIKELY:
            unit = int(answers[part].found.unit[at])
            families.setdefault(profile.family, {})[part] = sight.family(unit)
    again = []
    for part, (profile, answer) in enumerate(zip(profiles, answers, strict=True)):
        siblings = families.get(profile.family, {})
        relatives = [family for other, family in siblings.items() if other != part]
        if relatives and not answer.is_certain:
            related = relation(sight, answer.found.unit, relatives)
            found = Candidates(answer.found.unit, {**answer.found.table, **related})
            answer = _answers(model, found)
        again.append(answer)
    return again


def assigned(sight: Sight, answers: Sequence[_Answers], inside: Sequence[int]) -> list[int]:
    """The best candidate for each part, -1 for none, so that no two parts are in each other's way.

    Parts that were apart stay apart, and a part that was inside another one stays there. The most
    certain parts choose first, and the best combinations are followed: each has by part the
    candidate, and the pieces of content that it shows.
    """
    order = np.argsort([-float(answer.chances.max(initial=0)) for answer in answers], kind="stable")
    around = _around(inside)
    worth = np.zeros(1)
    taken = np.full((1, len(answers), 3), -1)
    for part in order.tolist():
        choices = _choices(sight, answers[part])
        offered = np.array([choice[:3] for choice in choices], dtype=np.int64).reshape(-1, 1, 3)
        fits = _fits(offered, taken, around[part], around[:, part]).all(axis=2)
        gains = np.array([choice.gain for choice in choices]).reshape(-1, 1)
        grown = np.vstack((np.where(fits, worth + gains, -np.inf), worth))  # last: nothing taken
        best = np.argsort(-grown.ravel(), kind="stable")[:BEAM]
        choice, state = np.divmod(best, len(worth))
        worth, taken = grown.ravel()[best], taken[state]
        takes = np.flatnonzero(choice < len(choices))
        taken[takes, part] = offered[choice[takes], 0]
    return [int(candidate) for candidate in taken[0, :, 0]]


def _fits(offered: Ints, taken: Ints, is_around: Flags, is_inside: Flags) -> Flags:
    """By choice of a part, (C, 1, 3), and what others have, (S, P, 3): whether it is as it was."""
    first, last = offered[..., 1:2], offered[..., 2:]
    others_first, others_last = taken[..., 1], taken[..., 2]
    within = (others_first <= first) & (last <= others_last)
    holds = (first <= others_first) & (others_last <= last)
    apart = (last <= others_first) | (others_last <= first)
    fits = np.where(is_around, within, np.where(is_inside, holds, apart))
    return np.asarray(fits | (taken[..., 0] < 0))


def _given_others(
    sight: Sight, answers: Sequence[_Answers], chosen: Sequence[int], inside: Sequence[int]
) -> list[_Answers]:
    """The answers once more: what another part is likely to be is less likely to be this one."""
    around = _around(inside)
    taken = np.full((1, len(answers), 3), -1)
    chance = np.zeros(len(answers))
    for part, (answer, at) in enumerate(zip(answers, chosen, strict=True)):
        if at >= 0:
            unit = answer.found.unit[at]
            taken[0, part] = at, sight.units.first[unit], sight.units.last[unit]
            chance[part] = min(answer.chance(sight, at), 1.0)
    again = []
    for part, answer in enumerate(answers):
        unit = answer.found.unit
        offered = np.stack((unit, sight.units.first[unit], sight.units.last[unit]), axis=1)
        fits = _fits(offered[:, None], taken, around[part], around[:, part])[:, 0]
        fits[:, part] = True
        left = np.where(fits, 1.0, 1 - chance).prod(axis=1)
        chances = answer.chances * np.append(left, 1.0)
        again.append(replace(answer, chances=chances / max(float(chances.sum()), LEAST_CHANCE)))
    return again


class _Choice(NamedTuple):
    """A candidate for a part: the pieces of content that it shows, and how much it is worth."""

    candidate: int
    first: int
    last: int
    gain: float


def _choices(sight: Sight, answers: _Answers) -> list[_Choice]:
    """The best candidates of a part, and how much more likely than none each is.

    Of those that show the same, the one most like the part stands for all.
    """
    chances, unit = answers.chances[:-1], answers.found.unit
    choices: dict[int, _Choice] = {}
    for rank, at in enumerate(np.argsort(-chances, kind="stable")[:MOST_ANSWERS].tolist()):
        if rank and chances[at] < LEAST_TRIED:
            break
        same = np.flatnonzero(sight.overlap(unit[at], unit) >= SAME)
        best = at if answers.is_certain else nearest_of(answers.found, same)
        chance = float(chances[same].sum())
        # What is less likely than none may still be the answer to show to somebody who is asked.
        gain = max(math.log(max(chance, LEAST_CHANCE) / answers.none), 0.0) + SLIGHT * chance
        first, last = sight.units.first[unit[best]], sight.units.last[unit[best]]
        choices.setdefault(best, _Choice(best, int(first), int(last), gain))
    return list(choices.values())


def _around(inside: Sequence[int]) -> Flags:
    """By two parts: whether the second was around the first; a file may go in circles."""
    around = np.zeros((len(inside), len(inside)), dtype=np.bool_)
    for part in range(len(inside)):
        above = inside[part]
        while above >= 0 and not around[part, above]:
            around[part, above] = True
            above = inside[above]
    return around


def _component(
    model: ComponentsModel, sight: Sight, learned: LearnedComponent, answers: _Answers, chosen: int
) -> Component:
    unit = answers.found.unit
    if not len(unit):
        return _answer(learned, MISSING, None)
    best = chosen if chosen >= 0 else int(answers.chances[:-1].argmax())
    place = _place(model, sight, answers, best)
    if chosen < 0 or place.confidence < model.sure:
        status = UNSURE if place.confidence >= model.unsure else MISSING
        second = _second(model, sight, answers, best, place.confidence)
        return replace(_answer(learned, status, place), second=second)
    changes = _changes(sight, learned.profile, answers.found, chosen)
    return Component(
        id=learned.id,
        select=learned.select,
        name=learned.name,
        status=CHANGED if changes else FOUND,
        confidence=place.confidence,
        runner_up=_second(model, sight, answers, chosen, place.confidence),
        changes=changes,
        place=place,
    )


def _second(
    model: ComponentsModel, sight: Sight, answers: _Answers, best: int, sure: float
) -> Place | None:
    """The best candidate that shows something else than another one.

    Only one of them can be right, which the judge does not know: it has seen first answers only.
    """
    unit = answers.found.unit
    others = np.where(sight.overlap(unit[best], unit) < APART, answers.chances[:-1], 0)
    if not others.any():
        return None
    second = _place(model, sight, answers, int(others.argmax()))
    return replace(second, confidence=min(second.confidence, 1 - sure))


def _answer(learned: LearnedComponent, status: str, runner_up: Place | None) -> Component:
    confidence = runner_up.confidence if runner_up else 0.0
    return Component(id=learned.id, select=learned.select, name=learned.name, status=status,
                     confidence=confidence, runner_up=runner_up)  # fmt: skip


def _place(model: ComponentsModel, sight: Sight, answers: _Answers, at: int) -> Place:
    """A candidate with its confidence: candidates that show the same are one answer."""
    node = sight.node(int(answers.found.unit[at]))
    signs = signs_of(answers.found, at, answers.chance(sight, at))
    if answers.is_certain:
        signs = ()
    return place_of(sight.page, node, model.judge.of(signs), signs)


def _changes(sight: Sight, profile: Profile, found: Candidates, at: int) -> tuple[str, ...]:
    """What is different about a part, as far as it can be seen."""
    unit = int(found.unit[at])
    clue = {name: float(found.table[name][at]) for name in SEEN_TO_CHANGE}
    happened = {
        "moved": abs(clue["left"]) > MOVED or abs(clue["order"]) > REORDERED,
        "resized": abs(clue["width"]) > RESIZED or abs(clue["height"]) > TALLER,
        "restyled": abs(clue["font"]) > RESTYLED,
        "renamed": sight.described(unit).names != profile.names,
        "split": clue["word outside"] > SPLIT,
        "merged": clue["word precision"] < MERGED and clue["words"] > TALLER,
        "content": not shows_the_same(sight, unit, profile),
    }
    return tuple(name for name, is_so in happened.items() if is_so)
