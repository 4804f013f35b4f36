from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import integrity
import pagesight
from pagesight.learning.corpora import Corpora
from pagesight.models.weights import Weights
from pagesight.page import Page
from pagesight.readers.zones.candidates import candidates
from pagesight.readers.zones.features import VERSION, features
from pagesight.readers.zones.learning.corpus import (
    DrawnBlock,
    DrawnPage,
    characters,
    drawn_pages,
)
from pagesight.readers.zones.learning.evaluation import (
    BEST_VIPS,
    LEAVES,
    ONE,
    OURS,
    READ,
    Elsewhere,
    Evaluation,
    ShownRight,
    evaluate,
    evaluation,
)
from pagesight.readers.zones.learning.landmarks import (
    NO_WORDS,
    ROWS,
    SOURCES,
    UNNAMED,
    WORDS,
    hidden_features,
    named_pages,
    named_parts,
    named_zones,
    nameless,
    site_of,
)
from pagesight.readers.zones.learning.listed import ListedPage, listed_pages
from pagesight.readers.zones.learning.training import (
    DrawnExample,
    decisions,
    drawn_examples,
    fit,
    kinds_by_names,
    labelled_blocks,
    lists_beside,
    measure,
    train,
)
from pagesight.readers.zones.likeness import ADVERT, LOOKS
from pagesight.readers.zones.model import KIND_FEATURES, KINDS, ZonesModel, shipped_model
from pagesight.segment.leaves import leaf_zones

PAGE = """<title>Tea</title>
<style>*[data-block] {{ outline: 9px solid blue }} div {{ margin-bottom: 40px }}</style>
<div data-block-type="Header" data-block="1"><h1>Tea {number}</h1></div>
<div class="" data-block="1" data-block-type="Content">intro
  <div data-block-type="Menu" data-block="2"><a href="/">first</a> <a href="/">second</a></div>
  <div data-block-type="Article" data-block="2">Green tea is not black tea, nor is it white.</div>
</div>
<p>outside"""


NAMED = """<title>Tea</title><style>{style} nav, aside {{ float: left }}
nav, aside, div {{ margin: 40px }}</style>
<header><h1>Tea {number}</h1></header>
<nav class="menu"><a href="/">first</a> <a href="/">second</a> <a href="/">third</a></nav>
<main><div><p>Green tea is not black tea, nor is it white, wherever it may grow.</div>
  <div><p>White tea is not green tea, nor is it black, and it grows elsewhere.</div></main>
<aside><p>More about tea in general</aside><footer>© Tea</footer>"""

LISTED = {
    "group": "list-product",
    "split": "train",
    "records": [{"xpath": f"//main/div[{number}]"} for number in (1, 2)],
}


def write_named(folder: Path, corpus: str, index: str, pages: int = 6) -> None:
    """A corpus of pages that name their parts, two of each site."""
    (folder / corpus).mkdir(parents=True)
    rows = []
    for number in range(pages):
        page = NAMED.format(number=number, style="/**/" * 1300)
        (folder / corpus / f"{number}.html").write_text(page)
        site = f"named-{number // 2}.example"
        rows.append({"file": f"{number}.html", "url": f"https://{site}/"} | LISTED | {"site": site})
    (folder / corpus / index).write_text("\n".join(map(json.dumps, rows)))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of a few pages, and others of pages that name their parts."""
    folder = tmp_path_factory.mktemp("corpora")
    for corpus, index in SOURCES.items():
        write_named(folder, corpus, index)
    rows = []
    for number in range(12):
        page = folder / "segments" / f"page-{number}" / "page.html"
        page.parent.mkdir(parents=True)
        page.write_text(PAGE.format(number=number))
        address = f"https://shop-{number // 2}.example/{number}"
        rows.append({"file": f"page-{number}/page.html", "url": address})
    text = "\n".join(json.dumps(row) for row in rows)
    (folder / "segments" / "dev.jsonl").write_text(text)
    return folder


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGESIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def examples(drawn: Path) -> list[DrawnExample]:
    return drawn_examples(Corpora(drawn, "embedded"))


@pytest.fixture(scope="module")
def listed(drawn: Path) -> list[ListedPage]:
    return list(listed_pages(Corpora(drawn, "embedded")))


@pytest.fixture(scope="module")
def scored(examples: list[DrawnExample], listed: list[ListedPage]) -> Evaluation:
    return evaluation(examples, listed)


@pytest.fixture
def page(drawn: Path) -> DrawnPage:
    return next(iter(drawn_pages(Corpora(drawn, "embedded"))))


def test_blocks_are_found_and_hidden(page: DrawnPage) -> None:
    assert [(block.level, block.type) for block in page.blocks] == [
        (1, "Header"),
        (1, "Content"),
        (2, "Menu"),
        (2, "Article"),
    ]
    for node in page.page:
        assert not {"itemid", "itemtype", "data-block", "data-block-type"} & set(node.attributes)
    assert page.page[page.blocks[1].node].attributes == {"class": ""}


def test_texts_belong_to_the_innermost_block(page: DrawnPage) -> None:
    def block(text: str, level: int) -> DrawnBlock | None:
        (node,) = (node for node in page.page if text in node.own_text and node.visible)
        index = int(page.block_of(level)[node.id])
        return page.blocks[index] if index >= 0 else None

    header, content, menu, _ = page.blocks
    assert [block("Tea", level) for level in (1, 2)] == [header, header]
    assert [block("first", level) for level in (1, 2)] == [content, menu]
    assert [block("intro", level) for level in (1, 2)] == [content, content]
    assert [block("outside", level) for level in (1, 2)] == [None, None]


def test_characters_are_those_that_are_seen(page: DrawnPage) -> None:
    assert characters(page.page).sum() == len("".join(page.page.root.text.split()))


def test_drawings_become_decisions_and_labels(page: DrawnPage) -> None:
    example = DrawnExample.of(page)
    _, divided = decisions(example, 1)
    assert 1 in divided
    assert 0 in divided
    zones, kinds = labelled_blocks(example)
    assert sorted(KINDS[kind] for kind in kinds) == ["header", "main", "main", "navigation"]
    assert len(zones) == 4


def test_sites_are_known_by_the_address(drawn: Path) -> None:
    sites = [page.site for page in drawn_pages(Corpora(drawn, "embedded"))]
    assert sites[:3] == ["shop-0.example", "shop-0.example", "shop-1.example"]
    assert len(set(sites)) == 6


def test_a_page_without_address_is_a_site_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "segments" / "lonely"
    folder.mkdir(parents=True)
    (folder / "page.html").write_text(PAGE.format(number=1))
    (folder.parent / "dev.jsonl").write_text('{"file": "lonely/page.html"}')
    (page,) = drawn_pages(Corpora(tmp_path, "embedded"))
    assert page.site == page.name == "lonely"


def test_what_a_drawing_scores_against_itself(page: DrawnPage) -> None:
    example = DrawnExample.of(page)
    zones, _ = labelled_blocks(example)
    outer = zones[:2]
    perfect, halved = example.score(outer, 1), example.score(outer[:1], 1)
    assert perfect is not None
    assert halved is not None
    assert (perfect.precision, perfect.recall) == (1, 1)
    assert halved.recall < halved.precision == 1


def test_training_gives_the_same_bytes_with_any_number_of_threads(
    drawn: Path, tmp_path: Path
) -> None:
    train(Corpora(drawn, "embedded"), output=tmp_path / "here")
    command = [sys.executable, "-m", "pagesight", "train", "zones", "--renderer", "embedded"]
    subprocess.run(
        [*command, "--corpora", str(drawn), "--output", str(tmp_path / "there")],
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
    )
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_the_order_of_pages_changes_nothing_that_is_learned(
    examples: list[DrawnExample], listed: list[ListedPage]
) -> None:
    likeness = shipped_model().likeness
    forth = fit(examples, likeness, listed)
    back = fit(examples[::-1], likeness, listed[::-1])
    assert json.dumps(forth.to_json()) == json.dumps(back.to_json())


def test_weights_state_what_they_are(drawn: Path, tmp_path: Path) -> None:
    train(Corpora(drawn, "embedded"), output=tmp_path / "zones.json")
    data = (tmp_path / "zones.json").read_bytes()
    weights = Weights.from_bytes(data, task="zones", features=VERSION)
    assert weights.labels == KINDS
    assert set(weights.scores) == {"F-B3, level 1", "F-B3, level 2"}
    model = ZonesModel.from_json(weights.model)
    assert model.to_json() == weights.model


def test_pages_are_measured_by_blocks_and_kinds(examples: list[DrawnExample]) -> None:
    measured = measure(fit(examples, shipped_model().likeness, ()), examples[0])
    assert measured.name == "page-0"
    assert measured.scores["F-B3, level 1"] > 0.9
    assert measured.wanted.tolist() == labelled_blocks(examples[0])[1].tolist()
    right = [is_right for _, is_right in measured.judged["kinds"]]
    assert right == (measured.wanted == measured.read).tolist()


def test_a_marked_list_is_the_zones_that_hold_it_and_less_of_else(
    listed: list[ListedPage],
) -> None:
    page = listed[0]
    leaves, zone = page.zones.leaves, page.main[-1]
    texts = [leaves.text(leaf) for leaf in range(page.zones.first[zone], page.zones.last[zone])]
    assert texts[0].startswith("Green tea is not black tea")
    assert texts[-1].endswith("and it grows elsewhere.")
    asides = (leaves.text(int(first)) for first in page.zones.first[page.zones.is_leaf])
    assert any("More about tea" in text for text in asides)
    assert not any("More about tea" in text for text in texts)
    assert page.brand == "named-0"


def test_where_lists_are_is_learned(examples: list[DrawnExample], listed: list[ListedPage]) -> None:
    shown = listed[0].read_as(fit(examples, shipped_model().likeness, listed))
    assert shown.sum() == pytest.approx(1)
    assert shown[KINDS.index("main")] == pytest.approx(1)


def test_brands_that_are_drawn_lend_no_lists(
    drawn: Path, examples: list[DrawnExample], listed: list[ListedPage]
) -> None:
    assert len(lists_beside(examples, Corpora(drawn, "embedded"))) == len(listed) == 6
    of_brand = replace(examples[0], drawn=replace(examples[0].drawn, site="named-1.example"))
    assert len(lists_beside([of_brand], Corpora(drawn, "embedded"))) == 4


def named_page() -> Page:
    page = NAMED.format(number=1, style="")
    return pagesight.read(page.encode(), renderer="embedded").page


def test_zones_that_authors_name_are_found_with_pieces_of_the_main_content() -> None:
    zones = candidates(leaf_zones(named_page()))
    chosen, looks, by_words = named_zones(zones)
    assert not by_words.any()
    texts = {
        (LOOKS[look], zones.leaves.text(int(zones.first[zone])))
        for zone, look in zip(chosen, looks, strict=True)
    }
    green = "Green tea is not black tea, nor is it white, wherever it may grow."
    assert {("header", "Tea 1"), ("footer", "© Tea"), ("main", green), ("piece", green)} <= texts
    assert {look for look, _ in texts} == set(LOOKS) - {ADVERT}


NAMED_BY_WORDS = """<title>Tea</title><style>div { margin: 40px }</style>
<div id="siteHeader">Tea</div><div class="x main-menu"><a href="/">first</a></div>
<main><p>Green tea is not black tea, nor is it white, wherever it may grow.</main>
<div class="left-column">More about tea in general</div>
<div class="advert" id=a><div class="ad">Buy tea</div> now</div><div class="headache">Pain</div>"""


def test_where_no_element_names_a_part_an_id_or_a_class_does() -> None:
    page = pagesight.read(NAMED_BY_WORDS.encode(), renderer="embedded").page
    zones = candidates(leaf_zones(page))
    found = [
        (LOOKS[look], zones.leaves.text(int(zones.first[zone])), bool(by_words))
        for zone, look, by_words in zip(*named_zones(zones), strict=True)
    ]
    assert found == [
        ("header", "Tea", True),
        ("navigation", "first", True),
        ("main", "Green tea is not black tea, nor is it white, wherever it may grow.", False),
        ("aside", "More about tea in general", True),
        ("advert", "Buy tea", True),
    ]


def test_names_are_hidden_from_the_features() -> None:
    zones = candidates(leaf_zones(named_page()))
    called = hidden_features(zones, WORDS).columns
    assert called["is navigation"].any()  # by its class
    assert not called["is footer"].any()
    assert not hidden_features(zones, NO_WORDS).columns["is navigation"].any()


def test_a_page_without_names_has_the_same_zones_and_suggests_no_parts() -> None:
    page = named_page()
    zones, unnamed = (candidates(leaf_zones(one)) for one in (page, nameless(page)))
    assert unnamed.first.tolist() == zones.first.tolist()
    assert unnamed.last.tolist() == zones.last.tolist()
    assert [node.tag for node in nameless(page) if node.tag in ("header", "nav", "main")] == []
    called, seen = features(zones).columns, features(unnamed).columns
    for part in ("header", "navigation", "main", "aside", "footer"):
        assert called[f"landmark {part}"].any()
        assert not seen[f"landmark {part}"].any()
        assert not seen[f"is {part}"].any()


MENUS = """<title>Tea</title><style>div, nav, a { display: block; margin: 40px }</style>
<header><b>Tea</b><nav><a href="/">first</a></nav></header><nav><a href="/">second</a></nav>
<main><p>Green tea is not black tea.<aside>More about tea</aside></main><p>Nothing
<footer>© Tea<nav><a href="/">third</a></nav></footer>"""


def test_what_is_in_a_part_is_told_by_the_innermost_name() -> None:
    zones = candidates(leaf_zones(pagesight.read(MENUS.encode(), renderer="embedded").page))
    parts = {
        zones.leaves.text(leaf): ROWS[row] if row != UNNAMED else None
        for leaf, row in enumerate(named_parts(zones).tolist())
    }
    assert parts == {
        "Tea": "header",
        "first": "menu in header",
        "second": "navigation",
        "Green tea is not black tea.": "main",
        "More about tea": "aside",
        "Nothing": None,
        "© Tea": "footer",
        "third": "menu in footer",
    }


def test_what_is_shown_of_parts_is_counted_on_brands_that_are_left_out(
    drawn: Path, examples: list[DrawnExample], listed: list[ListedPage]
) -> None:
    named = named_pages(Corpora(drawn, "embedded"))
    read = Elsewhere.of(examples, listed, named)
    assert len(read.parts) == len(read.with_names) == len(named)
    assert len(read.lists) == len(listed)
    with_names = ShownRight(np.sum(read.with_names, axis=0))
    assert with_names.shown.sum() == pytest.approx(len(named))
    assert with_names.recall[ROWS.index("main")] == 1
    drawn_too = replace(examples[0], drawn=replace(examples[0].drawn, site="named-1.example"))
    rest = Elsewhere.of([*examples, drawn_too], listed[:0], named)
    assert len(rest.parts) == len(named) * 2 // 3


def test_headers_may_keep_their_menus() -> None:
    shown = np.zeros((len(ROWS), len(READ)))
    for part, kind, share in (
        ("main", "list", 5),
        ("main", "aside", 2),
        ("navigation", "navigation", 1),
        ("navigation", "header", 3),
        ("menu in header", "header", 4),
        ("menu in header", "navigation", 1),
    ):
        shown[ROWS.index(part), READ.index(kind)] = share
    scored = ShownRight(shown)
    recall, precision = (
        dict(zip(ROWS, values.tolist(), strict=True))
        for values in (scored.recall, scored.precision)
    )
    assert scored.share == 11 / 16
    assert recall["main"] == 5 / 7
    assert recall["navigation"] == 1 / 4
    assert recall["menu in header"] == 1
    assert precision["navigation"] == 1
    assert precision["header"] == 4 / 7
    assert precision["aside"] == 0


def test_a_site_has_few_pages_and_hides_its_names(drawn: Path) -> None:
    pages = named_pages(Corpora(drawn, "embedded"))
    assert len(pages) == 6 * len(SOURCES)
    assert {page.site for page in pages} == {f"named-{number}" for number in range(3)}
    with_words, without = (
        page.table[:, KIND_FEATURES.index("is navigation")] for page in pages[:2]
    )
    assert with_words.any()
    assert not without.any()


@pytest.mark.parametrize(
    ("row", "site"),
    [
        ({"site": "Tea House/Terms of Service"}, "tea"),
        ({"site": "raw__AK_data"}, "raw"),
        ({"site": "en.tea.co.uk"}, "tea"),
        ({"url": "https://www.tea.de/green"}, "tea"),
        ({"family": "sphinx: classic"}, "sphinx: classic"),
        ({}, ""),
    ],
)
def test_pages_of_one_brand_are_of_one_site(row: dict[str, str], site: str) -> None:
    assert site_of(row) == site


def test_names_alone_suggest_kinds() -> None:
    seen = features(candidates(leaf_zones(named_page())))
    kinds = {KINDS[kind] for kind in kinds_by_names(seen)}
    assert kinds == {"header", "navigation", "main", "aside", "footer"}


def test_pages_that_are_all_alike_are_learned(scored: Evaluation) -> None:
    assert scored.mean(1, OURS).f > 0.9
    assert scored.coverage[1] < 1
    assert scored.lead(1) == pytest.approx(
        scored.mean(1, OURS).f
        - max(scored.mean(1, name).f for name in scored.rows[1] if name != OURS)
    )


def test_baselines_divide_as_their_names_say(scored: Evaluation) -> None:
    rows = scored.rows[2]
    whole, leaves = rows[ONE][0], rows[LEAVES][0]
    assert whole is not None
    assert leaves is not None
    assert (whole.recall, leaves.precision) == (1, 1)
    assert whole.precision < 0.7


def test_the_best_degree_of_coherence_is_chosen_from_other_pages(scored: Evaluation) -> None:
    rows = scored.rows[1]
    means = [np.mean([page.f for page in rows[f"VIPS {n}"] if page]) for n in range(1, 11)]
    best = [page.f for page in rows[BEST_VIPS] if page]
    assert np.mean(best) == pytest.approx(max(means))  # all pages are alike


def test_kinds_are_counted_as_read(scored: Evaluation) -> None:
    kinds = scored.kinds
    assert kinds.confusion.sum() == len(kinds.wanted) == 4 * len(scored.pages)
    assert np.trace(kinds.confusion) / len(kinds.wanted) == kinds.accuracy
    assert kinds.majority == 0.5
    assert 0 <= kinds.calibration_error <= 1


def test_evaluation_prints_tables(drawn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(Corpora(drawn, "embedded"), worst=1)
    printed = capsys.readouterr().out
    assert "12 pages of " in printed
    assert "10 folds by site" in printed
    tables = (
        "marked lists of 6 pages",
        "one block",
        "VIPS, best DoC",
        "ours leads by",
        "Read worst",
        "majority",
    )
    further = ("learned from no list", "by names alone", "names are hidden", "Confidence of looks",
               "names hidden:", "menu in footer")  # fmt: skip
    for expected in (*tables, *further):
        assert expected in printed
    assert "Confidence of kinds" in printed
    assert "fields of articles" not in printed


ARTICLE = "<h1>On the Reading Order of Pages</h1><p>We describe an algorithm for pages of any kind."


def test_fields_of_articles_are_measured_where_there_are_articles(tmp_path: Path) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "a.html").write_text(ARTICLE)
    meta = {"citation_title": ["On the Reading Order of Pages"]}
    rows = [{"file": "a.html", "split": split, "meta": meta} for split in ("train", "dev")]
    (folder / "articles.jsonl").write_text("\n".join(map(json.dumps, rows)))
    total = integrity.measure(Corpora(tmp_path, "embedded"))
    assert total["title"].found == 2
    assert integrity.measure(Corpora(tmp_path, "embedded"), split="dev")["title"].found == 1
    joined = integrity.measure(
        Corpora(tmp_path, "embedded"), texts=lambda page: [page.root.text + " and more" * 9]
    )
    assert joined["title"].merged == 2
    assert joined["title"].share == 0
