from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagesight.readers.zones.kinds import KINDS
from pagesight.readers.zones.learning.corpus import (
    DrawnBlock,
    DrawnPage,
    characters,
    drawn_pages,
)
from pagesight.readers.zones.learning.evaluation import OURS, evaluate, evaluation
from pagesight.readers.zones.learning.training import (
    DrawnExample,
    decisions,
    labelled_blocks,
    train,
)

PAGE = """<title>Tea</title>
<style>*[data-block] {{ outline: 9px solid blue }} div {{ margin-bottom: 40px }}</style>
<div data-block-type="Header" data-block="1"><h1>Tea {number}</h1></div>
<div class="" data-block="1" data-block-type="Content">intro
  <div data-block-type="Menu" data-block="2"><a href="/">first</a> <a href="/">second</a></div>
  <div data-block-type="Article" data-block="2">Green tea is not black tea, nor is it white.</div>
</div>
<p>outside"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of a few pages."""
    folder = tmp_path_factory.mktemp("corpora")
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


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGESIGHT_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def page(drawn: Path) -> DrawnPage:
    return next(iter(drawn_pages(drawn, renderer="embedded")))


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


def test_training_is_repeatable(drawn: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        train(drawn, renderer="embedded", output=tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_pages_that_are_all_alike_are_learned(drawn: Path) -> None:
    examples = [DrawnExample.of(page) for page in drawn_pages(drawn, renderer="embedded")]
    found = evaluation(examples)
    assert found.mean(1, OURS).f > 0.9
    assert found.coverage[1] < 1


def test_evaluation_prints_tables(drawn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(drawn, renderer="embedded", worst=1)
    printed = capsys.readouterr().out
    for expected in ("one block", "VIPS, best DoC", "ours leads by", "Read worst", "majority"):
        assert expected in printed
