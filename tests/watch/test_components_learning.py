"""Learning to know parts again, on a small corpus of our own writing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pagesight.learning.corpora import Corpora
from pagesight.models.ranking import Ranker
from pagesight.page import Page
from pagesight.watch.components.learning.corpus import (
    NEW_DESIGN,
    SAME,
    SCRAMBLED,
    _stayed,
    brand_of,
    pairs,
    scrambled,
    without,
)
from pagesight.watch.components.learning.evaluation import evaluate
from pagesight.watch.components.learning.examples import are_right, is_right
from pagesight.watch.components.learning.judging import GONE, Outcome
from pagesight.watch.components.learning.training import calibrated, train
from pagesight.watch.components.model import ComponentsModel, Judge
from pagesight.watch.components.sight import sight_of

LayOut = Callable[[str], Page]
TERMS = " ".join(f"<p>Clause {at}: the customer {word} the goods in good order.</p>"
                 for at, word in enumerate(("keeps", "returns", "pays", "uses") * 5))  # fmt: skip
MENU = "<p><a href=/home>Home</a> <a href=/shop>Shop</a> <a href=/help>Help and contact</a></p>"


def terms(brand: str, design: str) -> str:
    text = f"<h1>Terms of {brand}</h1>{TERMS}"
    if design == "old":
        return f"<body>{MENU}<div class=terms>{text}</div><p>Imprint of {brand}</p></body>"
    return f"<body><main><article id=legal>{text}</article></main><nav>{MENU}</nav></body>"


def portal(site: str, day: int) -> str:
    words = ("harbour", "ferry", "school", "market", "bridge", "library", "museum", "tower")
    boxes = "".join(
        f'<div id="{name}"><h2>{name.title()} of {site}</h2><ul>'
        + "".join(f"<li><a href=/{name}/{day + at}>The {words[(day + at) % 8]} of {site} "
                  f"is open again</a></li>" for at in range(4))
        + "</ul></div>"
        for name in ("news", "sport", "culture", "weather")
    )  # fmt: skip
    return f"<body><h1>{site}</h1>{MENU}{boxes}<p>Imprint and contact of {site}</p></body>"


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Corpora:
    folder = tmp_path_factory.mktemp("corpora")
    rows = []

    def add(name: str, html: str, **fields: str) -> None:
        path = folder / "snapshots" / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<html><head><title>{name}</title></head>{html}</html>")
        rows.append({"file": path.name, **fields})

    for brand in ("Alder", "Birch", "Cedar", "Dogwood", "Elm"):
        for year, design in ((2021, "old"), (2022, "old"), (2023, "new"), (2024, "new")):
            select = json.dumps(".terms" if design == "old" else ["#legal"])
            add(f"{brand}-{year}", terms(brand, design), site=f"{brand}/Terms of Service",
                time=f"{year}-01-01", kind="terms", select=select)  # fmt: skip
    for site in ("tarn.example", "wold.example"):
        for day in (1, 2, 3):
            add(f"{site}-{day}", portal(site, day), site=site, time=f"2024-01-0{day}", kind="home")
    listed = "".join(json.dumps(row) + "\n" for row in [*rows, rows[-1]])  # one of them twice
    (folder / "snapshots" / "dev.jsonl").write_text(listed)
    return Corpora(folder, "embedded")


def test_pairs_have_the_part_on_both_pages(corpora: Corpora) -> None:
    found = list(pairs(corpora))
    settings = {pair.setting for pair in found}
    assert settings == {SAME, NEW_DESIGN, SCRAMBLED}
    for pair in found:
        for part in pair.parts:
            (before,), (after,) = part[-2:]
            texts = (pair.pages[-2].text(before), pair.pages[-1].text(after))
            assert texts[0].split("\n")[0] == texts[1].split("\n")[0]


def test_a_page_loses_its_names_and_nothing_else(lay_out: LayOut) -> None:
    page = lay_out(portal("tarn.example", 1))
    other = scrambled(page)
    assert other.root.text == page.root.text
    ids = {node.attributes["id"] for node in page if "id" in node.attributes}
    others = {node.attributes["id"] for node in other if "id" in node.attributes}
    assert len(ids) == len(others) == 4
    assert not ids & others


def test_a_page_without_a_part_does_not_show_it(lay_out: LayOut) -> None:
    page = lay_out(portal("tarn.example", 1))
    (sport,) = (node.id for node in page if node.attributes.get("id") == "sport")
    rest = without(page, [sport])
    assert "Sport" not in rest.root.text
    assert "Culture" in rest.root.text


def test_an_answer_must_hold_the_part_and_leave_out_the_rest(lay_out: LayOut) -> None:
    page = lay_out(terms("Alder", "old"))
    sight = sight_of(page)
    text = int(sight.units.of_node[page.find("div")[0].id])
    clause = int(sight.units.of_node[page.find("p")[1].id])
    right = is_right(sight, [text], np.array([text, 0, clause]))
    assert right.tolist() == [True, False, False]
    inside = [unit for unit in range(len(sight.units)) if sight.units.parent[unit] == text]
    assert are_right(sight, [text], inside)
    assert not are_right(sight, [text], inside[:5])


def test_pages_of_one_brand_stay_together() -> None:
    assert brand_of("Amazon Maps/Terms of Service") == brand_of("Amazon.com/Terms") == "amazon"
    assert brand_of("raw__AK_data") == brand_of("raw") == "raw"


def test_a_name_that_stayed_with_a_place_does_not_name_the_part(lay_out: LayOut) -> None:
    advert = "Subscribe to the magazine of the harbour, with a free kettle and two cups"
    other = "A course in knitting for beginners, every evening in the old lighthouse"
    page = (
        "<body><div id=top><p>{}</p></div><p>Imprint of Tarn</p><div id=end><p>{}</p></div></body>"
    )
    before, same, swapped = (
        sight_of(lay_out(page.format(*texts)))
        for texts in ((advert, other), (advert + " today", other), (other, advert))
    )
    for after, stayed in ((same, True), (swapped, False)):
        places = [sight.page.find("div")[0].id for sight in (before, after)]
        assert _stayed([before.page, after.page], places) is stayed


def test_who_judges_trusts_an_answer_less_whose_slot_is_gone() -> None:
    signs = [(1.0, gone, 0.2) for gone in (0.0, 0.9)]
    judge = Judge.fit(signs * 20, [True, False] * 20)
    there, gone = map(judge.of, signs)
    assert gone < 0.2 < 0.8 < there
    assert judge.of(()) == 1.0
    assert Judge.fit([], []) == Judge()


def test_what_is_sure_leaves_room_for_one_more_that_is_wrong() -> None:
    wrong = range(0, 250, 50)
    signs = [(at / 100, 0.0, 0.0) for at in range(400)]
    said = [
        Outcome("Pagesight", "Alder", GONE, "a page", 0.5, True, at not in wrong, each)
        for at, each in enumerate(signs)
    ]
    half_found = Outcome("Pagesight", "Alder", GONE, "a page", 0.0, True, False)
    model = calibrated(ComponentsModel(Ranker((), ())), [*said, half_found])
    sure = [at for at in wrong if model.judge.of(signs[at]) >= model.sure]
    assert len(sure) == 3  # with the next one 4 of 402


def test_training_writes_the_same_bytes_twice(corpora: Corpora, tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        train(corpora, output=tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_the_evaluation_names_all_methods_and_settings(
    corpora: Corpora, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate(corpora, worst=2)
    printed = capsys.readouterr().out
    for word in ("old XPath", "nearest text", "published method", "Pagesight", SAME, NEW_DESIGN,
                 SCRAMBLED, "part not there", "What more certainty costs"):  # fmt: skip
        assert word in printed
