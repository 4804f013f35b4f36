"""Training, evaluation and truth of titles, on a corpus of a few pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagesight.learning.corpora import Corpora
from pagesight.models.boosting import Boosting
from pagesight.models.logistic import Platt
from pagesight.models.ranking import Ranker
from pagesight.models.weights import Weights
from pagesight.readers.title.features import VERSION
from pagesight.readers.title.learning import training
from pagesight.readers.title.learning.corpus import TitledPage, parsed_pages, rendered_pages
from pagesight.readers.title.learning.evaluation import evaluate, with_baselines
from pagesight.readers.title.learning.training import TITLE, choose, fit, train
from pagesight.readers.title.reader import TitleModel, model_name
from pagesight.readers.title.seed.methods import METHODS

TEAS = ("Green tea", "White tea", "Oolong", "Black tea", "Pu-erh", "Yellow tea")
PAGE = """<title>{tea} | {shop}</title><body><p>{shop}</p><h1>{tea}</h1>
<p>{tea} grows on hills, and many people drink it.</p><h2>Other teas</h2><p>Mint</p>"""


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six pages of two shops: an article or a product each."""
    folder = tmp_path_factory.mktemp("corpora") / "titles"
    folder.mkdir()
    rows = []
    for number, tea in enumerate(TEAS):
        shop = ("Leaf", "Kettle")[number % 2]
        (folder / f"{number}.html").write_text(PAGE.format(tea=tea, shop=f"{shop} shop"))
        url = f"https://www.{shop.lower()}.example/teas/{number}"
        kind = "article" if number < 3 else "product"
        rows.append({"file": f"{number}.html", "url": url, "title": tea, "kind": kind})
    (folder / "dev.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder.parent


@pytest.fixture(autouse=True, scope="module")
def _small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of its own, and few trees: enough for six pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGESIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(training, "TREES", Boosting(trees=8, least=0.1))
        yield


@pytest.fixture(scope="module")
def pages(corpora: Path) -> list[TitledPage]:
    return list(parsed_pages(Corpora(corpora)))


def test_pages_know_their_titles_and_sites(pages: list[TitledPage]) -> None:
    assert [page.title for page in pages] == list(TEAS)
    assert {page.site for page in pages} == {"leaf.example", "kettle.example"}
    assert pages[0].name == "0.html"
    best = max(zip(pages[0].likenesses, pages[0].case.candidates, strict=True), key=lambda p: p[0])
    assert (best[0], best[1].text) == (1.0, "Green tea")


def test_pages_may_forget_their_addresses(corpora: Path) -> None:
    known = next(parsed_pages(Corpora(corpora)))
    unknown = next(parsed_pages(Corpora(corpora), addressed=False))
    assert known.case.addressed
    assert not unknown.case.addressed
    assert unknown.site == known.site  # or folds would not be by site


def test_rendered_pages_have_features_that_parsed_ones_lack(corpora: Path) -> None:
    advanced: list[int] = []
    seen = list(
        rendered_pages(
            Corpora(corpora, "embedded", advance=lambda: advanced.append(1)),
            take=lambda rows: rows[:2],
        )
    )
    assert [page.title for page in seen] == list(TEAS[:2])
    assert len(advanced) == 2
    parsed = next(parsed_pages(Corpora(corpora)))
    assert set(seen[0].case.names) > set(parsed.case.names)


def test_a_model_learns_to_choose(pages: list[TitledPage]) -> None:
    chosen = [choose(fit(pages), page) for page in pages]
    assert all(title.right for title in chosen)
    assert [title.ranked[0][0] for title in chosen] == list(TEAS)
    assert chosen[0].scores == {"dice": 1.0, "exact": 1.0}
    assert chosen[0].confidence == chosen[0].chance > 0.2


def test_a_page_without_candidates_has_no_title(pages: list[TitledPage]) -> None:
    page = pages[0]
    page.case.candidates[:], before = [], list(page.case.candidates)
    try:
        chosen = choose(TitleModel(Ranker((), ())), page)
    finally:
        page.case.candidates[:] = before
    assert (chosen.likeness, chosen.chance, chosen.ranked) == (0.0, 0.0, ())
    assert not chosen.right


def test_confidences_follow_the_curve(pages: list[TitledPage]) -> None:
    assert TITLE.calibrate is not None
    model = TITLE.calibrate(TitleModel(Ranker((), ())), {"titles": Platt(0.5, 1.0)})
    assert model.curve == Platt(0.5, 1.0)
    measured = TITLE.held_out(pages)
    calibrated = TITLE.calibrated(pages, measured)
    assert [title.likeness for title in calibrated] == [title.likeness for title in measured]
    assert [t.confidence for t in calibrated] != [t.confidence for t in measured]


def test_training_writes_four_models_and_always_the_same(corpora: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        train(Corpora(corpora, "embedded"), output=tmp_path / name)
    data = (tmp_path / "one").read_bytes()
    assert data == (tmp_path / "other").read_bytes()
    weights = Weights.from_bytes(data, task="title", features=VERSION)
    names = [model_name(speed, known) for known in (True, False) for speed in ("fast", "seen")]
    assert sorted(weights.model) == sorted(names)
    assert set(weights.scores) == {
        f"{name} {score}" for name in names for score in ("dice", "exact")
    }
    for model in weights.model.values():
        assert TitleModel.from_json(model).to_json() == model


def test_baselines_are_scored_page_by_page(corpora: Path) -> None:
    methods = {name: METHODS[name] for name in ("title-tag", "tta")}
    kept, results = with_baselines(parsed_pages(Corpora(corpora)), methods)
    assert len(kept) == len(TEAS)
    assert {name: len(scores) for name, scores in results.items()} == {"title-tag": 6, "tta": 6}
    assert max(results["title-tag"]) < 1  # the tag names the shop, too


def test_evaluation_prints_the_tables_of_the_paper_and_ours(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate(Corpora(corpora, "embedded"), worst=2)
    printed = capsys.readouterr().out
    assert "6 pages of " in printed
    assert "5 folds by site" in printed
    for expected in ("Table 3. Impact of criteria", "Table 5. Comparative results", "titlefinder"):
        assert expected in printed
    kinds = printed.split("Average similarity by kind of page")[1].splitlines()
    assert kinds[1].split() == ["article", "product", "all", "exact"]
    names = [line[:22].rsplit("  ")[0].strip() for line in kinds[2:]]
    for name in ("title-tag", "ours", "ours, fast", "ours, best of two", "ours, no address"):
        assert name in names
    assert printed.count("Confidence of titles: expected calibration error") == 4
    assert "Read worst, ours" in printed
    assert "[" in printed.split("Read worst, ours")[1]
