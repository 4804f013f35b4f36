"""Headings by sight: what is measured, how levels are decided, and that the whole learns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.page import Page
from pagesight.readers.outline.features import BlockSight, features, until_like
from pagesight.readers.outline.learning.corpus import OutlineExample, blind
from pagesight.readers.outline.learning.fitting import fit
from pagesight.readers.outline.learning.written import Writer
from pagesight.readers.outline.levels import (
    LOOK_NAMES,
    PAIR_NAMES,
    SKIP_COST,
    TITLES_COST,
    best_levels,
    settled,
    without_gaps,
    without_skips,
)
from pagesight.readers.outline.reading import OutlineModel, Seen, read_outline
from pagesight.segment.blocks import text_blocks

Html = Callable[[str], Page]

TEXT = "Green tea is made of leaves that were not left to wither. " * 4
PAGE = f"""<!doctype html><style>h3 {{ color: #555 }}</style><h1>Tea</h1><p>{TEXT}</p>
<h2>1. Green</h2><p>{TEXT}</p><h3>1.1 Sencha</h3><p>{TEXT}<a href=x>More</a></p>
<h3>1.2 Gyokuro</h3><p>{TEXT}</p><h2>2. Black</h2><p>{TEXT}</p><ul><li>Hot<li>Cold</ul>"""


@pytest.mark.browser
def test_blocks_are_what_is_on_lines_of_its_own(see: Html) -> None:
    page = see(
        "<p>Hot <b>tea</b></p><p><b>Green</b><br>leaves</p><p>a<br>b</p><div>x<p>y</p>z</div>"
    )
    blocks = text_blocks(page)
    assert blocks.strings == ["Hot tea", "Green", "leaves", "a b", "x", "y", "z"]
    tags = [page.name(element) for element in blocks.element.tolist()]
    assert tags == ["p", "b", "p", "p", "div", "p", "div"]
    assert blocks.lengths.tolist() == [7, 5, 6, 3, 1, 1, 1]


@pytest.mark.parametrize(
    ("html", "size"),
    [
        ("<b>Tea</b> [edit this section]", 10),  # of one size: as most of its characters
        ("<big>Tea</big> [edit this section]", 30),
        ("<big>Te<i>a</i></big> [edit <i>this</i> section]", 30),
        ("<big>T</big>ea is made of leaves", 10),  # an initial
        ("<big>Tea is</big> made of leaves. " + "They are green. " * 5, 10),  # a paragraph
        ("It is made of <big>tea</big>", 10),
        ("<big>Tea</big> is made of the leaves of <big>trees</big>", 10),
    ],
)
@pytest.mark.browser
def test_a_block_looks_as_what_leads_it_or_most_of_it(see: Html, html: str, size: int) -> None:
    page = see(f"<style>p {{ font: 10px serif }} big {{ font-size: 30px }}</style><p>{html}")
    assert text_blocks(page).style("font_size").tolist() == [size]


@pytest.mark.browser
def test_a_title_of_the_window_without_end_is_looked_at_as_far_as_titles_reach(see: Html) -> None:
    page = see(f"<title>Green tea{' | tea' * 20_000} | Leaf</title><h1>Green tea</h1><p>Leaf")
    like_title = BlockSight(text_blocks(page)).like_title
    assert like_title.tolist() == [1, 0]


def test_links_within_a_page_lead_from_one_block_to_another(see: Html) -> None:
    page = see(
        "<p><a href=#green>Green</a></p><p><a href=#black>Black</a></p><p><a href=#none>No</a></p>"
        "<p><a href=x>Away</a></p><p id=green>Green tea <a href=#green>¶</a></p>"
        "<a name=black></a><p>Black tea</p><p id=own><a href=#own>Own</a></p><a name=black></a>"
    )
    sight = BlockSight(text_blocks(page))
    assert sight.texts == ["Green", "Black", "No", "Away", "Green tea", "Black tea", "Own"]
    assert np.flatnonzero(sight.led_to).tolist() == [4, 5]
    assert np.flatnonzero(sight.local_share == 1).tolist() == [0, 1, 2, 6]


@pytest.mark.browser
def test_a_title_may_have_the_separators_of_the_window(see: Html) -> None:
    html = "<title>Tea: green — A book</title><p>A book</p><p>Tea: green</p><p>Black</p>"
    assert BlockSight(text_blocks(see(html))).like_title.tolist() == [1, 1, 0]


@pytest.mark.browser
def test_titles_are_alike_whatever_their_accents(see: Html) -> None:
    html = "<title>Cafe CRÈME</title><p>Café crème</p><p>CREME</p><p>Scafell</p><p>Tea ¶</p>"
    sight = BlockSight(text_blocks(see(html)))
    assert sight.like_title.tolist() == pytest.approx([1, 2 / 3, 0, 0])
    assert sight.texts[-1] == "Tea"


@pytest.mark.browser
def test_what_is_seen_of_blocks(see: Html) -> None:
    sight = BlockSight(text_blocks(see(PAGE)))
    names, rows = features(sight)
    table = {name: rows[:, index] for index, name in enumerate(names)}
    assert sight.body_size == 16
    assert table["size"][:3] == pytest.approx([np.log(2), 0, np.log(1.5)])
    assert table["bold"][:4].tolist() == [1, 0, 1, 0]
    assert sight.numbering.tolist()[:9] == [0, 0, 1, 0, 2, 0, 2, 0, 1]
    assert table["list_item"].tolist()[-2:] == [1, 1]
    assert table["next_long"][0] == 1
    assert 0 < table["links"][5] < 0.1
    assert table["above"][1] == pytest.approx(21.4 / 16, abs=0.1)
    assert np.isfinite(rows).all()


@pytest.mark.parametrize(
    ("text", "depth"),
    [("2.3.1 Leaves", 3), ("Leaves", 0), ("A Leaf", 0), ("A. Leaf", 1), ("IV. Leaf", 1), ("2", 0),
     ("Chapter 2: Leaves", 1), ("1 – Leaves", 1), ("I like tea", 0)],
)  # fmt: skip
@pytest.mark.browser
def test_numbers_before_a_text(see: Html, text: str, depth: int) -> None:
    assert BlockSight(text_blocks(see(f"<p>{text}"))).numbering.tolist() == [depth]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=12))
def test_characters_are_counted_until_the_next_of_the_same_look(
    blocks: list[tuple[int, int]],
) -> None:
    looks, lengths = np.array(blocks, np.int64).reshape(-1, 2).T
    counts = until_like(looks, lengths).tolist()
    for index, (look, _) in enumerate(blocks):
        rest = blocks[index + 1 :]
        others = next((n for n, (other, _) in enumerate(rest) if other == look), len(rest))
        assert counts[index] == sum(length for _, length in rest[:others])


@pytest.mark.browser
def test_an_empty_page_has_no_headings(see: Html) -> None:
    names, rows = features(BlockSight(text_blocks(see("<title>x</title>"))))
    assert rows.shape == (0, len(names))


@pytest.mark.browser
def test_what_looks_alike_is_alike(see: Html) -> None:
    seen = Seen.of(text_blocks(see("<b>Tea</b><p>Leaves</p><p>Oil</p>")))
    length = list(seen.names).index("length")
    longer_is_likelier = Tree((length, LEAF, LEAF), (1.7, -4.0, 2.0))
    judge = Ranker(tuple(seen.names), (longer_is_likelier,))
    assert seen.odds(judge).tolist() == [-4, 0.5, -2.5]


@pytest.mark.browser
def test_initials_are_letters_that_a_text_continues_beside(see: Html) -> None:
    style = "<style>b { font-size: 60px; float: left } p { clear: both }</style>"
    cap, capitals = "<p><b>O</b>nce there was tea", "<p><b>T</b>HE FIRST cup"
    glossary = "<p><b>A</b><div>Assam</div><p><b style='float: none; display: block'>B</b>lack"
    sight = BlockSight(text_blocks(see(style + cap + capitals + glossary + "<p>C")))
    found = [text for text, is_one in zip(sight.texts, sight.initials, strict=True) if is_one]
    assert found == ["O", "T"]


@pytest.mark.browser
def test_the_first_text_of_a_painted_box_begins_it(see: Html) -> None:
    card = "<section style='border: 1px solid'><div>Sencha</div><p>Steamed<p>Dried</section>"
    seen = Seen.of(text_blocks(see(f"<h1>Tea</h1><main>{card}<p>This Page:<p>Note</main>")))
    table = {name: seen.rows[:, index].tolist() for index, name in enumerate(seen.names)}
    assert seen.sight.texts == ["Tea", "Sencha", "Steamed", "Dried", "This Page:", "Note"]
    assert table["box_begins"][1:] == [1, 0, 0, 0, 0]
    assert np.exp(table["box_blocks"]).round().tolist() == [6, 3, 3, 3, 6, 6]
    assert table["box_share"] == [1, 0.5, 0.5, 0.5, 1, 1]
    assert table["caption"] == [0, 0, 0, 0, 1, 0]
    assert table["admonition"] == [0, 0, 0, 0, 0, 1]


@pytest.mark.browser
def test_a_strip_at_the_top_of_a_panel_begins_the_panel(see: Html) -> None:
    strip = "<div style='background: #036; color: #fff; height: 20px'>Harvest</div>"
    chart = "<div style='height: 100px'></div>"
    panels = (f"<section style='border: 1px solid'>{strip}{chart}{more}</section>"
              for more in ("", "<p>Details"))  # fmt: skip
    seen = Seen.of(text_blocks(see(f"<body style='font-size: 10px'>{''.join(panels)}<p>Note")))
    table = {name: seen.rows[:, index].tolist() for index, name in enumerate(seen.names)}
    assert seen.sight.texts == ["Harvest", "Harvest", "Details", "Note"]
    assert table["box_begins"][:3] == [0, 1, 0]
    assert table["box_begins_alone"][:3] == [1, 0, 0]
    assert table["box_below"][0] == pytest.approx(11, abs=1)  # ten of the chart, one of the strip
    assert table["box_below"][2] < 2


@pytest.mark.browser
def test_cards_captions_and_signatures_of_written_pages_are_labelled(see: Html) -> None:
    writer = Writer("tea")
    html = (
        f"<style>{writer.stylesheet()}</style>{writer.cards(3)}{writer.sidebar(2)}{writer.terms()}"
    )
    page = OutlineExample.of("tea", "written", see(html)).page
    tagged = [block for block, level in enumerate(page.levels.tolist()) if level]
    assert set(page.levels.tolist()) == {0, 2, 3}
    assert all(page.blocks.strings[block] for block in tagged)
    assert len(tagged) == html.count("</h2>") + html.count("</h3>")


NUMBERS = st.floats(-5, 0).map(lambda number: round(number, 2))


@given(st.data(), st.integers(1, 3), st.integers(1, 3))
def test_levels_are_the_best_of_all(data: st.DataObject, items: int, levels: int) -> None:
    size = items * levels + items * items * 3
    counts = st.lists(st.integers(0, 9), min_size=items, max_size=items)
    steps = np.array(data.draw(st.lists(counts, min_size=items + 1, max_size=items + 1)), float)
    numbers = data.draw(st.lists(NUMBERS, min_size=size, max_size=size))
    alone = np.array(numbers[: items * levels]).reshape(items, levels)
    fits = np.array(numbers[items * levels :]).reshape(items, items, 3)

    def fit(chosen: tuple[int, ...]) -> float:
        total = sum(alone[item, level] for item, level in enumerate(chosen))
        for b in range(items):
            total += sum(fits[a, b, 1 + np.sign(chosen[a] - chosen[b])] for a in range(b))
        for a, above in enumerate((*chosen, -1)):  # the page itself is above all
            skipped = (max(0, level - above - 1) for level in chosen)
            costs = (n * k**0.5 for n, k in zip(skipped, steps[a], strict=True))
            total -= SKIP_COST * sum(costs)
        titles = sum(steps[:, item].sum() for item, level in enumerate(chosen) if level == 0)
        return float(total - TITLES_COST * (titles > 1))

    found = tuple(best_levels(alone, fits, steps).tolist())
    assert fit(found) == pytest.approx(max(map(fit, product(range(levels), repeat=items))))


@given(st.lists(st.integers(1, 6)))
def test_no_level_is_skipped(levels: list[int]) -> None:
    found = without_gaps(levels).tolist()
    assert all(after <= before + 1 for before, after in zip([0, *found], found, strict=False))
    assert all(new <= old for new, old in zip(found, levels, strict=True))
    assert without_gaps(found).tolist() == found
    for (one, other), (new, next_new) in zip(pairwise(levels), pairwise(found), strict=True):
        assert (one == other) <= (new == next_new)  # siblings stay siblings


@given(st.lists(st.integers(1, 6), min_size=1))
def test_levels_of_tags_and_looks_are_closed(levels: list[int]) -> None:
    for closed in (without_skips, settled):
        found = closed(levels).tolist()
        assert min(found) == 1
        assert all(after <= before + 1 for before, after in pairwise(found))
        assert closed(found).tolist() == found
    for a, b in pairwise(range(len(levels))):
        if levels[a] == levels[b]:
            assert without_skips(levels)[a] == without_skips(levels)[b]  # siblings stay siblings


@pytest.mark.parametrize(
    ("levels", "closed", "with_a_title"),
    [
        ([1, 2, 3, 3, 2], [1, 2, 3, 3, 2], [1, 2, 3, 3, 2]),
        ([3, 3, 1, 2], [3, 3, 1, 2], [3, 3, 1, 2]),  # a sidebar before the h1
        ([2, 4, 4, 3], [1, 2, 2, 2], [1, 2, 2, 2]),
        ([2, 3, 2, 3], [1, 2, 1, 2], [1, 2, 2, 3]),  # the title looks like the others
        ([1, 4, 4, 2, 4], [1, 2, 2, 2, 3], [1, 2, 2, 2, 3]),
        ([], [], []),
    ],
)
def test_skipped_levels(levels: list[int], closed: list[int], with_a_title: list[int]) -> None:
    assert without_skips(levels).tolist() == closed
    assert settled(levels).tolist() == with_a_title


def example(see: Html, html: str) -> OutlineExample:
    return OutlineExample.of("tea", "", see(html))


@pytest.mark.browser
def test_a_model_learns_headings_and_levels(see: Html) -> None:
    sizes = ((30, 24, 19), (36, 22, 18), (28, 26, 17))
    sheet = "<style>h1{{font-size:{}px}}h2{{font-size:{}px}}h3{{font-size:{}px}}</style>"
    model = fit([example(see, PAGE + sheet.format(*three)) for three in sizes] * 6)
    page = blind(see(PAGE))
    wanted = [(1, "Tea"), (2, "1. Green"), (3, "1.1 Sencha"), (3, "1.2 Gyokuro"), (2, "2. Black")]
    headings = read_outline(page, model=model).headings
    assert [(heading.level, heading.text) for heading in headings] == wanted
    again = OutlineModel.from_json(model.to_json())
    assert read_outline(page, model=again).headings == headings
    assert read_outline(see("<title>Nothing</title>"), model=model).headings == ()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("text", "is_signature"),
    [
        ("fn next(&amp;mut self)", True),
        ("class tea.Leaf(kind, *, green=True)", True),
        ("--fsyntax-only", True),
        ("-v", True),
        ("std::vector", True),
        ("tea.leaves.green", True),
        ("size = 3", True),
        ("Leaves (green)", False),
        ("1.2 Sencha", False),
        ("Tea - green", False),
        ("Mr. Tea", False),
    ],
)
def test_signatures_and_options_are_told_by_their_text(
    see: Html, text: str, is_signature: bool
) -> None:
    assert BlockSight(text_blocks(see(f"<p>{text}"))).signatures.tolist() == [is_signature]


@pytest.mark.browser
def test_fonts_for_code_and_the_title_of_the_window_are_seen(see: Html) -> None:
    page = see("<title>Tea - Shop</title><p>Tea<p style='font-family: monospace'>boil<p>b")
    names, rows = features(BlockSight(text_blocks(page)))
    table = {name: rows[:, names.index(name)].tolist() for name in names}
    assert table["like_title"] == [1, 0, 0]
    assert table["code_font"] == [0, 1, 0]
    assert table["one_letter"] == [0, 0, 1]


@pytest.mark.browser
def test_looks_are_measured_under_their_names(see: Html) -> None:
    seen = example(see, PAGE)
    looks = seen.seen.looks(np.flatnonzero(seen.page.block_levels))
    assert looks.count == 3
    pairs, rows = looks.pairs()
    assert rows.shape == (6, len(PAIR_NAMES))
    assert looks.described().shape == (3, len(LOOK_NAMES))
    counts = looks.counted(seen.page.block_levels).tolist()
    assert sorted(counts) == [  # one h1; two h2; two h3, the lowest
        [0, 0, 0, 1, 0, 0, 0],
        [0, 0, 2, 0, 0, 0, 0],
        [0, 2, 0, 0, 0, 0, 0],
    ]
    larger = rows[:, PAIR_NAMES.index("larger")]
    assert larger.tolist() == (-larger[[2, 4, 0, 5, 1, 3]]).tolist()  # of the pairs turned round
    assert pairs.tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
