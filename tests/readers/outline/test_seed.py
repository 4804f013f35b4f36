"""The models of the seed, with numbers worked out by hand from its formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.outline.seed.model import (
    restructured,
    seed_levels,
    seed_outline,
    train_seed,
    visibility_scores,
)
from pagesight.readers.outline.seed.pseudo import Association, PseudoDocument, pseudo_document

Row = tuple[Sequence[str], int, int]  # visibility tags, frequency, depth

# Table 1 of the paper, with a stylesheet; frequencies and depths are made up.
TABLE_1: list[Row] = [
    (["<B>"], 20, 4),
    (["<I>"], 12, 4),
    (["<FONT SIZE=+2>"], 6, 3),
    (["<FONT SIZE=+2>", "<I>"], 3, 3),
    (["<B>", "<FONT SIZE=+3>"], 1, 2),
]
LEVELS = [0, 0, 1, 1, 2]


def document(rows: Sequence[Row], deepest: int = 5) -> PseudoDocument:
    associations, first = [], 0
    for number, (tags, frequency, depth) in enumerate(rows):
        blocks = np.arange(first, first + frequency)
        associations.append(Association(f"<T{number}>", tuple(tags), blocks, depth))
        first += frequency
    return PseudoDocument(cast(Any, None), tuple(associations), deepest)


WEIGHTS = train_seed([document(TABLE_1)], [LEVELS])


def test_the_probability_of_a_change() -> None:
    # Levels change at the third association and at the fifth.
    change = dict(zip(WEIGHTS.alphabet, WEIGHTS.change.tolist(), strict=True))
    assert change == {"<B>": 1 / 2, "<I>": 0, "<FONT SIZE=+2>": 1 / 2, "<FONT SIZE=+3>": 1}


def test_transitions_start_on_level_0_and_keep_their_zeros() -> None:
    # 0 → 0 (start), 0, 0, 1, 1, 2: from 0 twice to 0 and once to 1; from 1 once each.
    assert WEIGHTS.transition.tolist() == [
        [pytest.approx(2 / 3), pytest.approx(1 / 3), 0],
        [0, 0.5, 0.5],
        [0, 0, 1],
    ]


def test_what_levels_show() -> None:
    # Level 2 has <B> and <FONT SIZE=+3>; with 1 added to each of four counts: 2/6, 1/6, 2/6, 1/6.
    assert WEIGHTS.alphabet == ("<B>", "<FONT SIZE=+2>", "<FONT SIZE=+3>", "<I>")
    assert WEIGHTS.look[2].tolist() == pytest.approx([2 / 6, 1 / 6, 2 / 6, 1 / 6])
    assert WEIGHTS.frequency[0].tolist() == pytest.approx(
        [1 / 8, 1 / 8, 1 / 8, 3 / 8, 1 / 8, 1 / 8]
    )
    assert WEIGHTS.depth[2, 4] == pytest.approx(2 / 11)  # 2 of 5 deep


def test_visibility_scores() -> None:
    scores = visibility_scores(document(TABLE_1), WEIGHTS, 1)
    assert scores.tolist() == [0.5, 0, 0.5, 0.5, 1.5]  # [2]
    scores = visibility_scores(document(TABLE_1), WEIGHTS, 2)
    # [6]: divided by the frequency, and by the depth as a share of 5.
    assert scores.tolist() == pytest.approx(
        [0.5 / (20 * 0.8), 0, 0.5 / (6 * 0.6), 0.5 / (3 * 0.6), 1.5 / 0.4]
    )


def test_the_rules_of_the_third_model() -> None:
    rows: list[Row] = [
        (["<B>"], 11, 2),  # often, deeper next: alpha .9
        (["<B>"], 10, 3),  # not often, not deeper next: beta .9
        (["<B>"], 11, 1),  # often, deeper next
        (["<B>"], 11, 5),  # as deep as can be: 0
        (["<B>"], 1, 0),  # the root: 0
    ]
    scores = visibility_scores(document(rows), WEIGHTS, 3)
    assert scores.tolist() == pytest.approx(
        [0.9 * 0.5 / (11 * 0.4), 0.9 * 0.5 / (10 * 0.6), 0.9 * 0.5 / (11 * 0.2), 0, 0]
    )


def test_tags_never_seen_are_passed_over() -> None:
    rows: list[Row] = [(["<BLINK>"], 1, 1), (["<BLINK>", "<B>"], 1, 1)]
    assert visibility_scores(document(rows), WEIGHTS, 1).tolist() == [0, 0.5]
    assert len(seed_levels(document(rows), WEIGHTS, 1).levels) == 2


@pytest.mark.parametrize("model", [1, 2, 3])
def test_levels_rise_with_visibility(model: int) -> None:
    # A larger training set of the same kind, so that smoothing does not drown it.
    weights = train_seed([document(TABLE_1)] * 30, [LEVELS] * 30)
    found = seed_levels(document(TABLE_1), weights, model)
    assert found.levels.tolist() == LEVELS
    assert (found.confidence > 0.5).all()


def test_there_are_three_models() -> None:
    with pytest.raises(ValueError, match="no model 4"):
        seed_levels(document(TABLE_1), WEIGHTS, 4)


def test_the_extended_model_weighs_frequency_and_depth() -> None:
    # Two looks that training never told apart, but for how often they stand.
    rows: list[Row] = [(["<B>"], 50, 3), (["<B>"], 2, 3)]
    weights = train_seed([document(rows)] * 20, [[0, 1]] * 20)
    assert seed_levels(document(rows), weights, 2).levels.tolist() == [0, 1]


class _Blocks:
    """As much of `TextBlocks` as restructuring needs."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = np.array(lengths)

    def __len__(self) -> int:
        return len(self.lengths)


@pytest.mark.parametrize(
    ("levels", "lengths", "kept"),
    [
        ([2, 1, 0, 1, 0], [9, 9, 200, 9, 200], [2, 1, 0, 1, 0]),
        ([2, 0], [80, 200], [2, 0]),
        ([2, 0], [81, 200], [0, 0]),
        ([2, 0, 1], [9, 200, 9], [2, 0, 0]),  # nothing follows
        ([1, 2, 0], [9, 9, 200], [0, 2, 0]),  # its section ends before any text
        ([1, 1, 1, 0], [9, 9, 9, 200], [0, 0, 1, 0]),
        ([2, 1, 1], [9, 9, 81], [2, 1, 0]),  # what is too long for a heading is text
    ],
)
def test_back_to_the_page(levels: list[int], lengths: list[int], kept: list[int]) -> None:
    associations = tuple(
        Association("<T>", (), np.array([block]), 1) for block in range(len(levels))
    )
    pseudo = PseudoDocument(cast(Any, _Blocks(lengths)), associations, 3)
    assert restructured(pseudo, levels).tolist() == kept


TEXT = "Green tea is made of leaves that were not left to wither. " * 4
STYLED = f"""<!doctype html><title>Tea</title><style>
p {{ margin: 0 }} .name {{ font: italic bold 2em serif; border-bottom: 1px solid }}
.part {{ font-size: 1.5em; color: #c00; margin: 1em 0 0 }}</style>
<div><div class="name">Tea</div><p>{TEXT}</p>
<div class="part">Green</div><p>{TEXT}</p><p style="margin-left: 3em">{TEXT}</p>
<div class="part">Black</div><p>{TEXT}</p></div>"""


@pytest.mark.browser
def test_styles_become_visibility_tags(see: Callable[[str], Page]) -> None:
    pseudo = pseudo_document(see(STYLED))
    assert [(a.key, a.tags, a.frequency) for a in pseudo.associations] == [
        ("<DIV>", ("<B>", "<FONT SIZE=+7>", "<I>", "<BR/>"), 1),
        ("<P>", ("<BR/>",), 4),  # most stand above what has a margin
        ("<DIV>", ("<FONT SIZE=+4>", "<FONT COLOR=600>", "<BR/>"), 2),
    ]
    assert [a.depth for a in pseudo.associations] == [3, 3, 3]


@pytest.mark.browser
def test_without_stylesheet_key_tags_are_arbitrary(see: Callable[[str], Page]) -> None:
    page = see(f"<p><b><font size=+2>Tea</font></b><p>{TEXT}<p><b>Green</b><br>{TEXT}")
    found = [(a.key, a.tags) for a in pseudo_document(page).associations]
    assert found[0][1][:2] == ("<B>", "<FONT SIZE=+4>")
    assert [key for key, _ in found] == ["<T1>", "<T2>", "<T3>"]
    assert found[2][1][:1] == ("<B>",)


@pytest.mark.browser
def test_the_outline_of_a_page(see: Callable[[str], Page]) -> None:
    page = see(STYLED)
    weights = train_seed([pseudo_document(page)] * 20, [[2, 0, 1]] * 20)
    headings = seed_outline(page, weights, model=1)
    assert [(h.level, h.text) for h in headings] == [(1, "Tea"), (2, "Green"), (2, "Black")]
    assert headings[1].node.xpath == "/html/body/div/div[2]"
    assert headings[0].to_json()["level"] == 1


@pytest.mark.browser
def test_an_empty_page_has_no_outline(see: Callable[[str], Page]) -> None:
    assert seed_outline(see("<title>Nothing</title>"), WEIGHTS) == []
