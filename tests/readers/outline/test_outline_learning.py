"""Training and evaluation of outlines, on a corpus of a few pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora, rows
from pagesight.models.boosting import Boosting
from pagesight.models.logistic import Platt
from pagesight.models.weights import Weights
from pagesight.readers.outline.features import VERSION, BlockSight
from pagesight.readers.outline.heading import HEADINGS
from pagesight.readers.outline.learning import elsewhere, fitting, training, verdicts
from pagesight.readers.outline.learning.corpus import (
    BLIND,
    HONEST,
    ONLY_LEVEL,
    PARTIAL,
    SHUFFLED,
    OutlineExample,
    blind,
    load_examples,
    load_fresh,
    matched,
    shuffled,
    upper,
    upwards,
)
from pagesight.readers.outline.learning.evaluation import (
    association_levels,
    evaluate,
    evaluate_seed,
    over_families,
)
from pagesight.readers.outline.learning.fitting import fit, spread
from pagesight.readers.outline.learning.metrics import PageScores
from pagesight.readers.outline.learning.restyling import restyled
from pagesight.readers.outline.learning.training import (
    OUTLINE,
    ReadOutline,
    confidence_error,
    measure,
    outline_task,
    read_elsewhere,
    scores_of,
    share_left_alone,
    train,
)
from pagesight.readers.outline.learning.verdicts import Verdict
from pagesight.readers.outline.learning.written import KINDS, Writer
from pagesight.readers.outline.reading import Basis, OutlineModel, Tags, read_outline
from pagesight.readers.outline.seed.model import MODELS
from pagesight.readers.outline.seed.pseudo import pseudo_document
from pagesight.readers.zones.learning import landmarks

TEXT = "Green tea is made of leaves that were not left to wither before they are dried. " * 3
STYLES = ("h1 { font-size: 40px }", "h2 { color: #060 }", "h3 { font: italic bold 18px serif }")
NAMES = ("Green", "Black", "White", "Yellow")
PAGES = 6


def page_of(number: int) -> str:
    parts = "".join(
        f"<h2>{name}</h2><p>{TEXT}<h3>How to brew it</h3><p>{TEXT}" for name in NAMES[number % 3 :]
    )
    style = STYLES[number % len(STYLES)]
    return f"<!doctype html><style>{style}</style><h1>Tea {number}</h1><p>{TEXT}{parts}"


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "outlines").mkdir(parents=True)
    rows = []
    for number in range(PAGES):
        (folder / "outlines" / f"{number}.html").write_text(page_of(number))
        rows.append({"file": f"{number}.html", "family": f"style {number % 3}"})
    listed = "\n".join(json.dumps(row) for row in rows)
    (folder / "outlines" / "dev.jsonl").write_text(listed)
    write_elsewhere(folder)
    return folder


SHOP = f"<h2>Tea</h2><p>{TEXT}<h3>Green</h3><p>{TEXT}<h2>Cups</h2><p>{TEXT}"
COHERENT = [f"shop-{number}" for number in range(5)]
ELSEWHERE = {
    **dict.fromkeys(COHERENT, f"<h1>Shop</h1><p>{TEXT}{SHOP}"),
    "two-titles": f"<h1>Shop</h1><p>{TEXT}{SHOP}<h1>Shop</h1><p>{TEXT}",
    "skips": f"<h1>Shop</h1><p>{TEXT}{SHOP}<h4>Mugs</h4><p>{TEXT}",
    "few": f"<h1>Shop</h1><p>{TEXT}<h2>Tea</h2><p>{TEXT}",
    "flat": f"<h1>Shop</h1><p>{TEXT}" + f"<h1>Tea</h1><p>{TEXT}" * 4,
    "manual": f"<h1>Shop</h1><p>{TEXT}{SHOP}",
}


def write_elsewhere(folder: Path) -> None:
    """Another corpus, of shops, whose tags are coherent or not; others are missing."""
    (folder / "records").mkdir()
    rows = []
    for name, page in ELSEWHERE.items():
        (folder / "records" / f"{name}.html").write_text(f"<!doctype html>{page}")
        kind = "documentation" if name == "manual" else "listing"
        rows.append({"file": f"{name}.html", "site": f"{name}.example", "kind": kind})
    listed = "\n".join(json.dumps(row) for row in rows)
    (folder / "records" / landmarks.SOURCES["records"]).write_text(listed)


@pytest.fixture(autouse=True, scope="module")
def _quickly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of its own, few trees, and no pages but those of the corpus."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGESIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
        few = Boosting(trees=12, depth=3, rate=0.4, ridge=0.1, least=0.1)
        patch.setattr(fitting, "HEADING_TREES", few)
        patch.setattr(fitting, "LEVEL_TREES", few)
        patch.setattr(training, "written_examples", lambda: ())
        yield


@pytest.fixture(scope="module")
def examples(corpora: Path) -> list[OutlineExample]:
    return load_examples(Corpora(corpora, "embedded"))


@pytest.fixture(scope="module")
def model(examples: list[OutlineExample]) -> OutlineModel:
    return fit(examples)


@pytest.fixture(scope="module")
def pages(examples: list[OutlineExample]) -> list[ReadOutline]:
    return OUTLINE.held_out(examples)


def test_pages_of_other_corpora_are_learned_from_if_their_tags_are_coherent(
    corpora: Path, examples: list[OutlineExample]
) -> None:
    pages = list(elsewhere.coherent_examples(Corpora(corpora, "embedded")))
    assert [page.page.name for page in pages] == [f"records/{name}.html" for name in COHERENT]
    assert [page.page.family for page in pages] == COHERENT
    assert not pages[0].page.page.find(*HEADINGS)
    with_them, without = fit(examples, (), pages), fit(examples)
    assert with_them.to_json() != without.to_json()
    assert outline_task(pages).fit(examples).to_json() == with_them.to_json()


def test_pages_of_other_corpora_are_judged_by_models_of_other_sites(
    corpora: Path, examples: list[OutlineExample]
) -> None:
    shops = list(elsewhere.coherent_examples(Corpora(corpora, "embedded")))[:2]
    read = read_elsewhere(examples, shops)
    alone = fit(examples, (), shops[1:])
    assert read[0].scores == measure(alone, shops[0]).scores
    assert len(read) == 2


def test_tags_are_known_and_not_seen(examples: list[OutlineExample]) -> None:
    assert [example.page.name for example in examples] == [f"{n}.html" for n in range(PAGES)]
    page = examples[0].page
    assert not page.page.find(*HEADINGS)
    levels = dict(zip(page.blocks.strings, page.block_levels.tolist(), strict=True))
    assert levels == {
        "Tea 0": 3, TEXT.strip(): 0, **dict.fromkeys(NAMES, 2), "How to brew it": 1,
    }  # fmt: skip


def test_honest_tags_are_right_and_shuffled_ones_wrong(examples: list[OutlineExample]) -> None:
    for example in examples:
        honest, wrong = example.claims[HONEST], example.claims[SHUFFLED]
        assert np.array_equal(upwards(honest.levels), example.page.block_levels)
        assert not np.array_equal(upwards(wrong.levels), example.page.block_levels)


def test_a_blind_page_looks_as_before_and_its_outline_by_sight_is_the_same(corpora: Path) -> None:
    folder = corpora / "outlines"
    ((_, page),) = Corpora(corpora, "embedded").pages(folder, rows(folder)[:1])
    hidden = blind(page)
    assert page.find(*HEADINGS)
    assert not hidden.find(*HEADINGS)
    assert all(
        np.array_equal(page.columns[name], hidden.columns[name])
        for name in page.columns
        if name != "name"
    )
    by_sight = [read_outline(seen, tags=Tags.IGNORE) for seen in (page, hidden)]
    assert by_sight[0].headings
    assert [(h.level, h.text, h.confidence) for h in by_sight[0].headings] == [
        (h.level, h.text, h.confidence) for h in by_sight[1].headings
    ]


def test_shuffled_levels_are_permuted_and_some_headings_change_with_paragraphs() -> None:
    levels = np.array([1, *[2, 3, 0, 0] * 200])
    paragraphs = np.arange(len(levels)) % 4 == 0
    claimed = shuffled(levels, paragraphs, "tea")
    assert np.array_equal(claimed, shuffled(levels, paragraphs, "tea"))
    for level in (2, 3):
        here, counts = np.unique(claimed[levels == level], return_counts=True)
        assert here[0] == 0
        assert 20 <= counts[0] <= 60
        assert len(here) == 2
    assert set(claimed[levels > 0].tolist()) <= {0, 1, 2, 3}
    assert not np.array_equal(claimed[levels > 0], levels[levels > 0])
    promoted = np.flatnonzero((levels == 0) & (claimed > 0))
    assert 1 <= len(promoted) <= 30
    assert paragraphs[promoted].all()


def test_the_only_level_of_a_page_is_shuffled_to_another() -> None:
    claimed = shuffled(np.ones(100, np.int64), np.zeros(100, np.bool_), "tea")
    assert set(claimed.tolist()) == {0, ONLY_LEVEL}


def test_tags_of_upper_levels_are_those_of_at_least_one_level_and_not_of_all() -> None:
    levels = np.array([1, 0, 2, 3, 3, 2, 0, 4])
    kept = {tuple(upper(levels, str(seed)).tolist()) for seed in range(20)}
    assert kept == {
        (1, 0, 0, 0, 0, 0, 0, 0), (1, 0, 2, 0, 0, 2, 0, 0), (1, 0, 2, 3, 3, 2, 0, 0),
    }  # fmt: skip


def test_levels_are_turned_upwards() -> None:
    assert upwards(np.array([1, 0, 3, 2])).tolist() == [3, 0, 1, 2]
    assert upwards(np.array([0, 0])).tolist() == [0, 0]
    assert upwards(np.array([4, 6])).tolist() == [3, 1]
    assert upwards(np.zeros(0, np.int64)).tolist() == []


def test_the_blocks_of_one_heading_are_one_item(examples: list[OutlineExample]) -> None:
    count = len(examples[0].page.blocks)
    page = replace(
        examples[0].page, heading=np.full(count, 7), levels=np.full(count, 2)
    )  # all blocks are one heading
    truth, found = page.items([0, 3, *[0] * (count - 2)])
    assert (truth.tolist(), found.tolist()) == ([1], [3])


@pytest.mark.parametrize(
    ("headings", "blocks", "wanted"),
    [
        (["Tea", "Green"], ["Tea", "hot", "Green", "Tea"], [0, -1, 1, -1]),
        (["Tea leaves"], ["Tea", "leaves", "Tea"], [0, 0, -1]),
        (["TEA"], ["Te a"], [0]),  # as a stylesheet writes it
        (["Tea", "Oil", "Green"], ["Tea", "Green"], [0, 2]),  # one that no block has
        (["Tea", "Tea"], ["Tea", "x", "Tea", "Tea"], [0, -1, 1, -1]),
        (["Tea"], [], []),
    ],
)
def test_headings_are_matched_with_blocks_in_order(
    headings: list[str], blocks: list[str], wanted: list[int]
) -> None:
    assert matched(headings, blocks, [0] * len(blocks)).tolist() == wanted


def test_headings_are_matched_with_the_most_prominent_blocks_that_have_their_texts() -> None:
    blocks = ["Tea", "Green", "Tea", "x", "Green", "Black", "Green"]
    prominence = [0, 0, 1, 0, 2, 2, 0]
    assert matched(["Tea", "Green"], blocks, prominence).tolist() == [-1, -1, 0, -1, 1, -1, -1]
    # As many as possible are matched, though another block is more prominent.
    assert matched(["Green", "Tea"], blocks, prominence).tolist() == [-1, 0, 1, -1, -1, -1, -1]


def test_tagged_signatures_count_neither_way(examples: list[OutlineExample]) -> None:
    page = examples[0].page
    doubtful = page.blocks.lengths * 0 == 1
    doubtful[0] = True
    truth, found = replace(page, doubtful=doubtful).items(page.block_levels)
    assert len(truth) == len(page.items(page.block_levels)[0]) - 1
    assert truth.max() == found.max() == 2


def test_pages_labelled_by_hand_are_read_by_the_shipped_weights(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert load_fresh(Corpora(tmp_path)) == []
    fresh = corpora / "fresh" / "outlines"
    fresh.mkdir(parents=True)
    divs = page_of(0).replace("h1", "div").replace("h2", "section")
    (fresh / "0.html").write_text(divs)
    headings = [{"level": 1, "text": "Tea 0"}, {"level": 2, "text": "Green"}]
    row = {"file": "0.html", "family": "other", "headings": headings}
    (fresh / "labels.jsonl").write_text(json.dumps(row))
    (example,) = load_fresh(Corpora(corpora, "embedded"))
    assert example.page.levels[example.page.levels > 0].tolist() == [1, 2]
    assert example.page.block_levels[:1].tolist() == [2]
    evaluate(Corpora(corpora, "embedded"), folds=99)
    printed = capsys.readouterr().out
    assert "1 pages of 1 other families" in printed
    assert "by the labels" in printed
    assert "without doubtful ones" in printed
    assert "3 folds by style family" in printed


def test_labels_that_the_rules_contradict_count_neither_way(
    corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "verdicts", lambda: {"other": (Verdict("h2", "doubtful"),)})
    headings = [{"level": 1, "text": "Tea 0"}, {"level": 2, "text": "Green"}]
    row = {"file": "0.html", "family": "other", "headings": headings}
    folder = corpora / "outlines"
    ((_, page),) = Corpora(corpora, "embedded").pages(folder, rows(folder)[:1])
    example = OutlineExample.labelled(row, page)
    assert example.page.levels[example.page.levels > 0].tolist() == [1, 2]
    said = zip(example.page.blocks.strings, example.visible.doubtful.tolist(), strict=True)
    assert [text for text, doubtful in said if doubtful] == list(NAMES)
    assert not example.page.doubtful.any()


def test_a_page_is_measured_with_every_kind_of_tags(
    model: OutlineModel, examples: list[OutlineExample]
) -> None:
    measured = measure(model, examples[0])
    assert set(measured.by_tags) == {BLIND, HONEST, SHUFFLED, PARTIAL}
    assert measured.by_tags[BLIND].identification.f == 1
    assert measured.by_tags[BLIND].levels.exact == 9
    assert measured.left_alone
    assert set(measured.judged) <= set(Basis)
    assert measured.judged[Basis.SIGHT][0][1]
    assert sum(map(len, measured.judged.values())) >= 3 * 9


def test_what_is_not_a_heading_is_judged_wrong(
    model: OutlineModel, examples: list[OutlineExample]
) -> None:
    levels = examples[0].page.levels
    page = replace(examples[0].page, heading=levels * 0 - 1, levels=levels * 0)
    judged = measure(model, replace(examples[0], page=page)).judged
    assert [right for _, right in judged[Basis.SIGHT]] == [False] * 9


def test_pages_are_read_by_models_of_other_families(pages: list[ReadOutline]) -> None:
    assert [page.name for page in pages] == [f"{n}.html" for n in range(PAGES)]
    assert scores_of(pages, BLIND).identification.f > 0.8
    assert 0 <= share_left_alone(pages) <= 1


def test_curves_make_confidences_of_probabilities(
    pages: list[ReadOutline], examples: list[OutlineExample]
) -> None:
    calibrated = OUTLINE.calibrated(examples, pages)
    assert confidence_error(calibrated) != confidence_error(pages)
    for before, after in zip(pages, calibrated, strict=True):
        for basis, judged in before.judged.items():
            assert [right for _, right in judged] == [right for _, right in after.judged[basis]]


def test_readings_have_the_confidences_of_their_curve(
    model: OutlineModel, examples: list[OutlineExample]
) -> None:
    page = examples[0].page.page
    doubtful = replace(model, curves={Basis.SIGHT: Platt(0.0, -1.0)})
    headings = read_outline(page, model=doubtful).headings
    plain = read_outline(page, model=model).headings
    assert [(h.text, h.level) for h in headings] == [(h.text, h.level) for h in plain]
    assert {round(heading.confidence, 3) for heading in headings} == {0.269}
    assert min(heading.confidence for heading in plain) > 0.269


def test_pages_of_one_family_cannot_be_left_out(examples: list[OutlineExample]) -> None:
    alike = [replace(example, page=replace(example.page, family="")) for example in examples]
    with pytest.raises(CorpusNotFound, match="all pages are of one style family"):
        OUTLINE.held_out(alike)


def test_the_order_of_pages_changes_nothing_that_is_found(
    model: OutlineModel, examples: list[OutlineExample]
) -> None:
    back = fit(examples[::-1])
    for example in examples:
        there, again = (measure(one, example) for one in (model, back))
        assert there.by_tags == again.by_tags


def test_weights_state_what_they_are(corpora: Path, tmp_path: Path) -> None:
    train(Corpora(corpora, "embedded"), output=tmp_path / "weights")
    data = (tmp_path / "weights").read_bytes()
    weights = Weights.from_bytes(data, task="outline", features=VERSION)
    assert weights.labels == HEADINGS
    assert "calibration error" in weights.scores
    assert 0.8 < weights.scores["identification F"] <= 1
    model = OutlineModel.from_json(weights.model)
    assert Basis.SIGHT in model.curves
    assert OutlineModel.from_json(model.to_json()).curves == model.curves


def test_the_models_of_the_seed_are_scored_by_fold(examples: list[OutlineExample]) -> None:
    seeds = evaluate_seed([example.page for example in examples])
    assert tuple(seeds) == MODELS
    for scores in seeds.values():
        assert len(scores.folds) == 3
        assert len(scores.pages) == PAGES


def test_associations_have_the_level_of_most_of_their_blocks(
    examples: list[OutlineExample],
) -> None:
    page = examples[0].page
    document = pseudo_document(page.page)
    levels = association_levels(document, page).tolist()
    for association, level in zip(document.associations, levels, strict=True):
        assert set(page.block_levels[association.blocks].tolist()) == {level}


def test_evaluation_prints_tables(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(Corpora(corpora, "embedded"), worst=2)
    printed = capsys.readouterr().out
    assert f"{PAGES} pages of " in printed
    assert "folds by style family" in printed
    for expected in (
        "Table 3.",
        "Table 4.",
        "model 3",
        "ours",
        "style families of the means",
        "5 pages of 5 other sites",
        "learned from outlines only",
        "Trust in the tags",
        "generator unseen",
        "ours, to a visitor",
        "--tags auto",
        "Read worst",
    ):
        assert expected in printed
    assert f"Confidence of {Basis.SIGHT}" in printed
    assert f"Confidence of {Basis.SIGHT}, at most 5 of a page" in printed


def test_large_families_count_no_more_than_small_ones() -> None:
    right, wrong = (PageScores.of(np.array([2, 1]), np.array(found)) for found in ([2, 1], [0, 0]))
    families = ["tea", "milk", "milk", "milk"]
    assert over_families(families, [right, wrong, wrong, wrong]) == [0.5, 0.5, 0.5]


def test_at_most_so_many_of_a_kind_are_learned_from_and_they_are_spread_evenly() -> None:
    kinds = np.array([0] * 10 + [3] + [1, 1])
    kept = spread(kinds, 3)
    assert np.flatnonzero(kept).tolist() == [0, 4, 7, 10, 11, 12]
    assert spread(np.zeros(0, np.int64), 3).tolist() == []


def test_other_styles_change_looks_and_nothing_else(examples: list[OutlineExample]) -> None:
    page = examples[0].page
    sight, headings = examples[0].seen.sight, page.levels > 0
    shown = [BlockSight(restyled(sight, headings, seed)) for seed in range(20)]
    assert all(other.texts == sight.texts for other in shown)
    assert all((other.blocks.box == sight.blocks.box).all() for other in shown)
    sizes = {tuple(other.size[headings].round(3)) for other in shown}
    bold = {tuple(other.bold[headings]) for other in shown}
    assert len(sizes) > 2
    assert len(bold) > 1
    body = int(page.blocks.lengths.argmax())
    assert all(other.size[body] == sight.size[body] for other in shown)
    again = restyled(sight, headings, 0)
    assert (again.style("font_size") == shown[0].blocks.style("font_size")).all()


@pytest.mark.parametrize("kind", KINDS)
def test_written_pages_are_well_formed_and_the_same_every_time(kind: str) -> None:
    written = [Writer(f"{kind} {copy}").page(kind) for copy in range(4)]
    assert written == [Writer(f"{kind} {copy}").page(kind) for copy in range(4)]
    assert len(set(written)) == 4
    for html in written:
        assert "<h1" in html
        for tag in ("div", "section", "ul", "dl", "table", "p", "main", "aside", "h1", "h2", "h3"):
            assert len(re.findall(f"<{tag}[ >]", html)) == html.count(f"</{tag}>")


def test_written_pages_are_learned_from(examples: list[OutlineExample]) -> None:
    alone, taught = fit(examples[:1]), fit(examples[:1], examples[1:])
    assert alone.judge != taught.judge
