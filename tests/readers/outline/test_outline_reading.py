"""`read_outline`: headings of small pages, with the weights that are shipped."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pagesight.errors import ModelError
from pagesight.models.weights import load_weights, shipped_path
from pagesight.page import Display, NodeKind, Page, PageInfo
from pagesight.readers.outline import OutlineModel, Tags, read_outline
from pagesight.readers.outline.claims import Claims
from pagesight.readers.outline.features import VERSION
from pagesight.readers.outline.reading import (
    TASK,
    Basis,
    Seen,
    chances,
    find_headings,
    likely,
    shipped_model,
)
from pagesight.render import AnyRenderer
from pagesight.segment.blocks import text_blocks
from pagesight.sources import load

See = Callable[[str], Page]

TEXT = "Green tea is made of leaves that were not left to wither before they are dried. " * 4
BODY = f"""<{{0}}>Tea</{{0}}><p>{TEXT}</p><{{1}}>Green</{{1}}><p>{TEXT}</p>
<{{2}}>Sencha</{{2}}><p>{TEXT}</p><{{1}}>Black</{{1}}><p>{TEXT}</p>"""
STYLE = """<!doctype html><style>.a,.b,.c { display: block; font-weight: bold; margin: 20px 0 10px }
.a { font-size: 32px } .b { font-size: 24px } .c { font-size: 19px } p { margin: 0 }</style>"""
DIVS = STYLE + (
    f'<div class="a">Tea</div><p>{TEXT}</p><div class="b">Green</div><p>{TEXT}</p>'
    f'<div class="c">Sencha</div><p>{TEXT}</p><div class="b">Black</div><p>{TEXT}</p>'
)
TEAS = ("Assam", "Ceylon", "Darjeeling", "Keemun", "Nilgiri", "Yunnan")
WANTED = [(1, "Tea"), (2, "Green"), (3, "Sencha"), (2, "Black")]


def empty_page() -> Page:
    return Page(
        {"parent": [-1], "kind": [NodeKind.DOCUMENT], "name": [0], "text": [-1],
         "display": [Display.BLOCK]},
        ["#document"],
        PageInfo(renderer="chromium", renderer_version="1"),
    )  # fmt: skip


@pytest.mark.browser
def test_headings_by_sight_whatever_their_tags(see: See) -> None:
    tagged = "<!doctype html>" + BODY.format("h1", "h2", "h3")
    for html in (DIVS, tagged):
        for tags in Tags:
            found = read_outline(see(html), tags=tags).headings
            assert [(heading.level, heading.text) for heading in found] == WANTED
            assert all(0 < heading.confidence <= 1 for heading in found)


@pytest.mark.browser
def test_tags_that_agree_with_the_look_are_left_alone(see: See) -> None:
    # To the eye, "Sencha" is text; its tag is believed because the others are right.
    html = "<!doctype html><style>h3 { font: inherit }</style>" + BODY.format("h1", "h2", "h3")
    page = see(html)
    assert outline_of(page) == WANTED
    assert (3, "Sencha") not in outline_of(page, tags="ignore")
    assert [heading.tag for heading in read_outline(page).headings] == ["h1", "h2", "h3", "h2"]


@pytest.mark.browser
def test_tags_that_contradict_the_look_are_corrected(see: See) -> None:
    tags = STYLE + (
        f'<h3 class="a">Tea</h3><h2>{TEXT}</h2><p class="b">Green</p><p>{TEXT}</p>'
        f'<h1 class="c">Sencha</h1><p>{TEXT}</p><h4 class="b">Black</h4><p>{TEXT}</p>'
        f'<h1 class="c">Assam</h1><p>{TEXT}</p><h2>{TEXT}</h2>'
        "<style>h2 { font: inherit }</style>"
    )
    assert outline_of(see(tags)) == [*WANTED, (3, "Assam")]


@pytest.mark.browser
def test_headings_without_tags_are_found_below_a_title_that_has_one(see: See) -> None:
    sections = "".join(
        f'<div class="b">{tea}</div><p>{TEXT}</p><div class="c">Cups of it</div><p>{TEXT}</p>'
        for tea in TEAS
    )
    found = read_outline(see(f'{STYLE}<h1 class="a">Tea</h1><p>{TEXT}</p>{sections}')).headings
    below = [heading for tea in TEAS for heading in ((2, tea), (3, "Cups of it"))]
    assert [(heading.level, heading.text) for heading in found] == [(1, "Tea"), *below]


@pytest.mark.browser
def test_headings_have_the_confidence_of_what_they_were_found_by(see: See) -> None:
    tagged = "<!doctype html>" + BODY.format("h1", "h2", "h3")
    wrong = STYLE + "".join(
        f'<{tag} class="{look}">{name}</{tag}><p>{TEXT}</p>'
        for tag, look, name in (
            ("h3", "a", "Tea"), ("h1", "b", "Green"), ("h2", "c", "Sencha"), ("h1", "b", "Black"),
            ("h2", "c", "Assam"), ("h2", "c", "Ceylon"),
        )
    )  # fmt: skip
    for html, basis in ((DIVS, Basis.SIGHT), (tagged, Basis.TAGS), (wrong, Basis.BOTH)):
        page = see(html)
        blocks = text_blocks(page)
        found = find_headings(Seen.of(blocks), shipped_model(), Claims.of(blocks))
        assert found.basis is basis
        wanted = shipped_model().curves[basis].confidence(found.chance)
        confidences = [heading.confidence for heading in read_outline(page).headings]
        assert confidences == pytest.approx(wanted.tolist())


@pytest.mark.browser
def test_levels_that_tags_skip(see: See) -> None:
    page = see("<!doctype html>" + BODY.format("h2", "h4", "h5"))
    assert outline_of(page) == WANTED
    # Kept as they are if tags are believed, else as they look.
    kept = [level for level, _ in outline_of(page, keep_gaps=True)]
    assert kept[1] == kept[3] < kept[2]


@pytest.mark.browser
def test_what_follows_a_heading_in_smaller_type_does_not_count(see: See) -> None:
    edit = "<small style='font: 13px serif'>[edit | edit source]</small>"
    page = see(DIVS.replace("Green</div>", f"Green {edit}</div>"))
    assert outline_of(page) == [
        (level, text.replace("Green", "Green [edit | edit source]")) for level, text in WANTED
    ]


@pytest.mark.browser
def test_numbers_tell_levels_where_looks_do_not(see: See) -> None:
    texts = ("1. Green", "2. Black", "2.1 Assam", "2.2 Ceylon", "3. White")
    page = see("<!doctype html>" + "".join(f"<p><b>{text}</b><p>{TEXT}" for text in texts))
    level = {text: level for level, text in outline_of(page)}
    assert level["2.1 Assam"] == level["2.2 Ceylon"] == level["2. Black"] + 1
    assert level["1. Green"] == level["2. Black"] == level["3. White"]


@pytest.mark.browser
@pytest.mark.parametrize("numbers", [("1. ", "2. ", "3. "), ("", "", "")])
def test_a_title_may_look_like_what_is_below_it(see: See, numbers: tuple[str, ...]) -> None:
    sections = [f"{number}{name}" for number, name in zip(numbers, TEAS, strict=False)]
    parts = (f'<div class="b">{text}</div><p>{TEXT}</p>' for text in ("Tea", *sections))
    page = see(STYLE + "<title>Tea - Drinks</title>" + "".join(parts))
    assert outline_of(page) == [(1, "Tea"), *((2, section) for section in sections)]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("title", "texts"),
    [
        ("", TEAS),
        ("", TEAS[:2]),
        ("Questions about tea - The tea shop", ("How hot?", "How long?", "Which cup?")),
        ("News of tea", ("News of tea in May", "News of tea in June", "News of tea in July")),
    ],
)
def test_the_first_of_equals_is_no_title(see: See, title: str, texts: tuple[str, ...]) -> None:
    parts = (f'<div class="b">{text}</div><p>{TEXT}</p>' for text in texts)
    page = see(f"{STYLE}<title>{title}</title>{''.join(parts)}")
    assert outline_of(page) == [(1, text) for text in texts]


@pytest.mark.browser
@pytest.mark.parametrize("letter", ["<p><i>O</i>", "<p><i>“O</i>", "<i>O</i><p>"])
def test_a_drop_cap_is_no_heading(see: See, letter: str) -> None:
    style = "<!doctype html><style>i { font-size: 90px; float: left }</style>"
    page = see(f"{style}<h1>Tea</h1>{letter}nce there was tea. {TEXT}</p><h2>Green</h2><p>{TEXT}")
    assert outline_of(page, tags="ignore") == [(1, "Tea"), (2, "Green")]


@pytest.mark.browser
def test_the_first_of_a_numbered_series_is_no_title(see: See) -> None:
    texts = [
        (1, "1. Green"),
        (2, "1.1 Sencha"),
        (2, "1.2 Gyokuro"),
        (1, "2. Black"),
        (1, "3. White"),
    ]
    page = see(STYLE + "".join(
        f'<div class="{" bc"[level]}">{text}</div><p>{TEXT}</p>' for level, text in texts
    ))  # fmt: skip
    assert outline_of(page) == texts


@pytest.mark.browser
def test_a_page_without_h1_may_show_a_title(see: See) -> None:
    name = "<header style='font: bold 40px serif; padding: 12px'>The Tea News</header>"
    news = "".join(f"<article><h2>News of {tea}</h2><p>{TEXT}</article>" for tea in TEAS)
    below = [(2, f"News of {tea}") for tea in TEAS]
    assert outline_of(see(f"<!doctype html>{name}{news}")) == [(1, "The Tea News"), *below]
    # One that is tagged is believed, also if nobody sees it; and two may both be the title.
    hidden = "<h1 style='position:absolute;left:-9999px'>News</h1>"
    assert outline_of(see(f"<!doctype html>{hidden}{name}{news}")) == below
    lifted = [(1, text) for _, text in below]
    assert outline_of(see(f"<!doctype html>{name * 2}{news}")) == lifted


@pytest.mark.browser
def test_an_h1_that_nobody_sees_is_not_above_a_title_that_is_seen(see: See) -> None:
    hidden = "<!doctype html><h1 style='position:absolute;left:-9999px'>Skip</h1>"
    assert outline_of(see(hidden + BODY.format("h2", "h3", "h4"))) == WANTED
    many = [(2, "Tea"), (2, "Green"), (3, "Sencha"), (2, "Black")]
    assert outline_of(see(hidden + BODY.format("h2", "h2", "h3"))) == many


@pytest.mark.browser
def test_one_heading_of_several_blocks(see: See) -> None:
    block = "<h1><span style='display:block'>All about</span><div>green tea</div></h1>"
    page = see(f"<!doctype html>{block}<p>{TEXT}</p><h2>Sencha</h2><p>{TEXT}</p>")
    found = read_outline(page).headings
    assert [(heading.level, heading.text) for heading in found] == [
        (1, "All about green tea"), (2, "Sencha"),
    ]  # fmt: skip
    assert found[0].node.tag == "h1"


@pytest.mark.browser
def test_a_smaller_link_beside_a_heading_is_not_its_text(see: See) -> None:
    link = "<a href=/green style='float:right;font:13px serif'>All green teas</a>"
    page = see(
        "<!doctype html>" + BODY.format("h1", "h2", "h3").replace("Green<", f"Green {link}<")
    )
    assert outline_of(page) == WANTED


@pytest.mark.browser
@pytest.mark.parametrize(
    "added",
    [
        "<a href=#green>¶</a>",
        "<span style='font: 13px serif'>[<a href=/edit>edit</a> | <a href=/raw>source</a>]</span>",
        "<small style='font: 13px serif'><a href=#>collapse</a></small>",
        "<a href=#>Top</a>",
        "[<a href=#start>Back to top</a>]",
        "(<a href=#start>Nach oben ↑</a>)",
    ],
)
def test_links_that_are_added_to_a_heading_are_not_its_text(see: See, added: str) -> None:
    html = BODY.format("h1", "h2", "h3")
    assert outline_of(see("<!doctype html>" + html.replace("Green<", f"Green {added}<"))) == WANTED
    linked = html.replace("Green<", "<a href=/green>Green</a><")
    assert outline_of(see("<!doctype html>" + linked)) == WANTED


@pytest.mark.browser
@pytest.mark.parametrize("part", ["<a href=/top>top</a>", "<a href=#end>end</a>", "top"])
def test_other_words_in_links_are_the_text_of_a_heading(see: See, part: str) -> None:
    page = see(f"<!doctype html><h1>The {part}</h1><p>{TEXT}</p><h2>Sencha</h2><p>{TEXT}</p>")
    assert read_outline(page).headings[0].text == f"The {part.partition('>')[2][:3] or part}"


@pytest.mark.browser
def test_what_is_numbered_below_a_heading_is_one(see: See) -> None:
    parts = ("<a href=#x><b>2.1 Sencha</b></a>", "<b>2. Green</b>", "<b>2.1 Sencha</b>",
             "2.2 cups of water", "<b>2.2.1 Asamushi</b>", "<b>2.1.1 Fukamushi</b>")  # fmt: skip
    html = "".join(f"<p>{part}</p><p>{TEXT}</p>" for part in parts)
    seen = Seen.of(text_blocks(see(f"<!doctype html>{html}")))
    odds = np.where(np.arange(12) == 2, 1.0, -2.0)
    assert likely(seen.completed(odds)).tolist() == [2, 4, 10]


@pytest.mark.browser
def test_a_term_with_an_indented_description_is_hardly_a_heading(see: See) -> None:
    def found(names: tuple[str, ...], indent: int, font: str = "bold 16px monospace") -> int:
        below = f"<p style='margin-left:{indent}px'>{TEXT}</p>"
        terms = "".join(f"<b style='font:{font}'>{name}</b>{below}" for name in names)
        page = see(f"<!doctype html><body style='font-size:16px'>{terms}")
        seen = Seen.of(text_blocks(page))
        odds = np.where(np.arange(2 * len(names)) % 2, -3.0, 1.0)
        return len(likely(seen.completed(odds)))

    names = ("SENCHA", "ASSAM", "OOLONG")
    assert found(names, 40) == 0
    assert found(names, 0) == found(names, 40, "bold 22px monospace") == 3
    assert found(names, 40, "bold 16px serif") == 3
    assert found(names[:2], 40) == 2
    assert found(("1. Sencha", "2. Assam", "3. Oolong"), 40) == 3


@pytest.mark.browser
@pytest.mark.parametrize(
    ("window", "size", "found"),
    [("Leaves - Tea", 20, [0, 2]), ("Leaves - Tea", 14, [2]), ("Milk - Tea", 20, [2])],
)
def test_what_says_the_title_of_the_window_in_the_largest_type_is_the_title(
    see: See, window: str, size: int, found: list[int]
) -> None:
    html = (
        f"<title>{window}</title><p style='font-size:{size}px'>Leaves</p><p>{TEXT}</p><b>Assam</b>"
    )
    seen = Seen.of(text_blocks(see(f"<!doctype html>{html}")))
    odds = np.array([-2.0, -np.inf, 2.0])
    assert likely(seen.completed(odds)).tolist() == found


def outline_of(page: Page, **how: Any) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in read_outline(page, **how).headings]


@pytest.mark.browser
def test_plain_values(see: See) -> None:
    fields = read_outline(see(DIVS)).to_json()
    assert list(fields) == ["headings"]
    first = fields["headings"][0]
    assert list(first) == ["text", "confidence", "xpath", "css", "box", "level"]
    assert first["xpath"] == "/html/body/div[1]"
    assert first["box"][2] > 100


@pytest.mark.browser
def test_no_level_is_skipped_unless_gaps_are_kept(see: See) -> None:
    # A small heading stands before the title, and another one where a level is skipped.
    herb = f'<div class="c">Herbs</div><p>{TEXT}</p>'
    first, rest = DIVS.removeprefix(STYLE).split("</p>", 1)
    page = see(f"{STYLE}{herb}{first}</p>{herb}{rest}")
    valid = [heading.level for heading in read_outline(page).headings]
    kept = [heading.level for heading in read_outline(page, keep_gaps=True).headings]
    assert kept == [3, 1, 3, 2, 3, 2]
    assert valid == [3, 1, 2, 2, 3, 2]
    assert all(after <= before + 1 for before, after in pairwise(valid))


@pytest.mark.browser
def test_a_lone_number_is_no_heading(see: See) -> None:
    page = see(DIVS + "<div style='font: bold 40px serif; margin: 20px 0'>4.5</div><p>" + TEXT)
    assert outline_of(page) == WANTED


@pytest.mark.browser
def test_a_counter_before_the_title_is_no_heading_and_a_number_may_be_the_title(see: See) -> None:
    number = "<div style='font: bold {}px monospace; margin: 20px 0'>{}</div>".format
    assert outline_of(see(STYLE + number(20, "0048213") + DIVS.removeprefix(STYLE))) == WANTED
    sections = DIVS.removeprefix(STYLE).partition("</p>")[2]
    first = outline_of(see(f"{STYLE}<title>404</title>{number(40, '404')}<p>{TEXT}</p>{sections}"))[
        0
    ]
    assert first == (1, "404")


def test_headings_are_surer_the_more_look_alike() -> None:
    alike, alone = chances(np.array([1.0, 1.0, 1.0, 1.0]), np.array([2, 0, 2, 2]))[:2].tolist()
    assert alone == pytest.approx(1 / (1 + np.exp(-1)))
    assert alike > alone
    assert not len(chances(np.zeros(0), np.zeros(0, np.int64)))


def test_an_empty_page_has_no_headings() -> None:
    for keep_gaps in (False, True):
        assert read_outline(empty_page(), keep_gaps=keep_gaps).to_json() == {"headings": []}


@pytest.mark.browser
@pytest.mark.parametrize(
    "html", ["<p>", "<p>One word", "<h1></h1>", "<h1>Only</h1>", "<table><td>a<td>b</table>",
             "<div>" * 400 + "deep", "<p style='font-size:0'>x", "<h2>" + "long " * 500],
)  # fmt: skip
def test_odd_pages(see: See, html: str) -> None:
    for heading in read_outline(see(html)).headings:
        assert 1 <= heading.level <= 6
        assert heading.text


def test_a_pdf(chromium: AnyRenderer) -> None:
    page = chromium.render(load(pdf([(24, 740, "Green tea"), (11, 700, TEXT[:80])])))
    found = read_outline(page)
    assert [heading.text for heading in found.headings] in ([], ["Green tea"])
    assert all(np.isfinite(heading["box"]).all() for heading in found.to_json()["headings"])


def pdf(texts: list[tuple[int, int, str]]) -> bytes:
    """A PDF of one sheet with texts of these sizes and heights."""
    drawn = " ".join(f"BT /F {size} Tf 72 {y} Td ({text}) Tj ET" for size, y, text in texts)
    return (
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources"
        "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
        f"4 0 obj<</Length {len(drawn)}>>stream\n{drawn}\nendstream endobj\n"
        "trailer<</Root 1 0 R>>\n%%EOF"
    ).encode()


def test_weights_that_do_not_fit_are_refused() -> None:
    fields = dict(load_weights(TASK, VERSION).model)
    assert OutlineModel.from_json(fields).judge.features == shipped_model().judge.features
    other = {**fields, "trust": fields["evidence"]}
    swapped = {**fields["levels"], "equal": fields["levels"]["stops"]}
    uncalibrated = {name: part for name, part in fields.items() if name != "curves"}
    without_trees = {**fields, "judge": {}}
    other_trees = {**fields, "whole": fields["judge"]}
    levels = {**fields, "levels": swapped}
    for wrong in (other, {}, without_trees, other_trees, levels, uncalibrated):
        with pytest.raises(ModelError):
            OutlineModel.from_json(wrong)
    with pytest.raises(ModelError):
        load_weights(TASK, VERSION + 1)


def test_the_model_has_a_card() -> None:
    assert shipped_path(TASK).with_suffix(".md").read_text("utf-8").startswith("# Model card")
