from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pagesight.document import read
from pagesight.page import Page
from pagesight.readers.zones import COARSE, FINE, KINDS, ZonesReading, read_zones
from pagesight.readers.zones.learning.corpus import characters
from pagesight.readers.zones.reading import nested

See = Callable[[str], Page]
EXAMPLES = Path(__file__).parents[3] / "examples"
SENTENCE = "The leaves of the first harvest are the lightest, and they are picked by hand. "
BLOG = f"""<!doctype html><title>Tea</title>
<style>
  body {{ margin: 0; font: 16px sans-serif }}
  header {{ background: #264; color: white; padding: 24px; font-size: 32px }}
  nav {{ background: #eee; padding: 8px }} nav a {{ margin-right: 24px }}
  main {{ float: left; width: 800px; padding: 24px }}
  aside {{ float: right; width: 260px; padding: 24px }}
  footer {{ clear: both; background: #ddd; padding: 24px; font-size: 13px }}
</style>
<header>The Tea Diary</header>
<nav><a href="/">Home</a> <a href="/green">Green tea</a> <a href="/black">Black tea</a></nav>
<main><h1>First flush</h1><p>{3 * SENTENCE}</p><p>{3 * SENTENCE}</p>
<p>Third paragraph. {3 * SENTENCE}</p></main>
<aside><h3>Archive</h3><ul><li><a href="/1">January</a><li><a href="/2">February</a>
<li><a href="/3">March</a><li><a href="/4">April</a></ul></aside>
<footer>© 2024 The Tea Diary · <a href="/imprint">Imprint</a></footer>"""
MANY_PARAGRAPHS = "".join(
    f"<p style='margin:{number % 7}px'>paragraph {number}" for number in range(3000)
)


def seen_in(reading: ZonesReading) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each node in how many blocks it is."""
    page = reading.tree.page
    times = np.zeros(len(page), dtype=np.int64)
    for block in reading.zones:
        for node in reading.tree.nodes_of(block.id).tolist():
            times[node : page.end[node]] += 1
    return times


@pytest.mark.browser
@pytest.mark.parametrize("granularity", [0.0, 0.2, COARSE, 0.5, FINE, 1.0])
def test_every_visible_character_is_in_one_block(see: See, granularity: float) -> None:
    page = see(BLOG)
    times = seen_in(read_zones(page, granularity))
    assert set(times[characters(page) > 0].tolist()) == {1}


@pytest.mark.browser
def test_a_page_is_divided_as_a_person_would(see: See) -> None:
    zones = read_zones(see(BLOG)).zones
    texts = [block.text for block in zones]
    assert texts[0].startswith("The Tea Diary")
    assert "Imprint" in texts[-1]
    assert zones[-1].kind == "footer"
    (article,) = (block for block in zones if "First flush" in block.text)
    assert article.kind == "main"
    assert "Third paragraph" in article.text
    assert "Archive" not in article.text
    assert "Imprint" not in article.text


@pytest.mark.browser
def test_a_heading_is_no_picture(see: See) -> None:
    menu = "<div style='position:fixed;top:0;left:0;padding:20px'><b>Brook</b><p><a href=/>Home</a>"
    page = see(
        f"<!doctype html><body style='margin:0;font:16px/1.6 Arial'>{menu}</div>"
        f"<div style='margin-left:280px;max-width:720px'><h1>The queue</h1><p>{2 * SENTENCE}"
        f"<h2>Backends</h2><p>{2 * SENTENCE}<h2>Retries</h2><p>{2 * SENTENCE}</div>"
    )
    for granularity in (COARSE, 0.5, FINE):
        assert "media" not in {block.kind for block in read_zones(page, granularity).zones}
    with_picture = see(
        "<!doctype html><svg width=400 height=300><rect width=400 height=300 /></svg>"
    )
    assert [block.kind for block in read_zones(with_picture).zones] == ["media"]


@pytest.mark.browser
def test_the_mirror_image_of_a_page_is_read_alike(see: See) -> None:
    blog = BLOG.replace("float: left", "float: inline-start").replace(
        "float: right", "float: inline-end"
    )
    mirrored = blog.replace("<title>", "<html dir=rtl><title>")
    one, other = (read_zones(see(html)).zones for html in (blog, mirrored))
    (aside, mirror) = (next(zone for zone in read if zone.kind == "aside") for read in (one, other))
    assert mirror.zone.box.x < 300 < aside.zone.box.x
    assert [block.kind for block in other] == [block.kind for block in one]
    sure = [block.confidence for block in one]
    assert [block.confidence for block in other] == pytest.approx(sure, abs=0.01)


@pytest.mark.browser
def test_boxes_have_the_backgrounds_and_borders_that_are_painted_around_their_zones(
    see: See,
) -> None:
    header, navigation, *_, footer = read_zones(see(BLOG)).zones
    assert (header.zone.box.x, header.zone.box.y, header.zone.box.width) == (0, 0, 1280)
    assert header.zone.box.height > 2 * 24 + 32
    assert navigation.zone.box.width == footer.zone.box.width == 1280
    tree = header.zone.tree
    for zone, parent in zip(tree.box[1:], tree.box[tree.parent[1:]], strict=True):
        assert (parent[:2] <= zone[:2]).all()
        assert (parent[:2] + parent[2:] >= zone[:2] + zone[2:] - 0.1).all()


@pytest.mark.browser
@pytest.mark.parametrize("granularity", [COARSE, 0.5, FINE])
def test_a_dialog_that_asks_for_consent_is_not_a_second_text(see: See, granularity: float) -> None:
    text = f"<p>We use cookies to make this page better for you. {SENTENCE}</p>"
    style = "position: fixed; bottom: 0; background: white; padding: 20px"
    dialog = f"<div class=consent style='{style}'><h2>Privacy</h2>{text}<button>Accept all</button>"
    zones = read_zones(see(f"{BLOG}{dialog}</div>"), granularity).zones
    (asks,) = (zone for zone in zones if zone.kind == "dialog")
    assert "cookies" in asks.text
    assert "Accept all" in asks.text
    assert "Imprint" not in asks.text
    assert [zone.kind for zone in zones if "First flush" in zone.text] == ["main"]


SECTIONS = "".join(f"<p><b>{n}. Scope</b></p><p>{2 * SENTENCE}</p>" for n in range(1, 5))
NOTICE = f"""<!doctype html><body style="width: 760px; margin: 40px auto; font: 16px serif">
<p style="text-align: center"><b>NOTICE No. 14</b></p>{SECTIONS}
<p style="text-align: right">Signed, the Minister</p>"""
ROWS = "".join(f"<tr><td>{n}<td>0{n}:11<td>1{n}:21<td>3.{n} m" for n in range(1, 8))
TABLE = f"<table border=1><caption>%s</caption><tr><th>Day<th>High<th>Low<th>Height{ROWS}</table>"


@pytest.mark.browser
@pytest.mark.parametrize(
    "html",
    [
        NOTICE,
        f"<h1>Terms</h1><p>{SENTENCE}</p><h2>Late payment</h2><p>{SENTENCE}</p>",
        f"<h1>Setup</h1><p>{SENTENCE}</p><pre style='background:#eee'>make</pre><p>{SENTENCE}</p>",
        "<p>You need to enable JavaScript to run this app.",
    ],
)
@pytest.mark.parametrize("granularity", [COARSE, 0.5, FINE])
def test_a_page_that_is_a_text_is_one_block(see: See, html: str, granularity: float) -> None:
    (block,) = read_zones(see(html), granularity).zones
    assert block.kind == "main"
    assert (block.confidence or 0) > 0.8


@pytest.mark.browser
def test_the_finest_blocks_of_a_text_are_its_paragraphs(see: See) -> None:
    assert len(read_zones(see(NOTICE), 1.0).zones) >= 5


@pytest.mark.browser
@pytest.mark.parametrize(
    "other",
    [
        "<p><a href=/a>Home</a> <a href=/b>News</a> <a href=/c>Shop</a></p>",
        "<nav><a href=/a>Home</a> and <a href=/b>News</a> for everybody</nav>",
        "<div style='background: #246; color: white; padding: 12px'>The Tea Diary</div>",
        "<div style='border: 1px solid; padding: 12px'>The Tea Diary</div>",
    ],
)
def test_what_is_no_text_is_not_joined_to_it(see: See, other: str) -> None:
    words = "The Tea Diary" if "Diary" in other else "Home"
    blocks = read_zones(see(f"{other}<h1>First flush</h1>{SECTIONS}")).zones
    (first, *_) = (block for block in blocks if words in block.text)
    assert "Scope" not in first.text


@pytest.mark.browser
@pytest.mark.parametrize("granularity", [0.5, FINE])
def test_what_has_no_links_is_no_menu(see: See, granularity: float) -> None:
    page = see(
        f"<!doctype html><body style='margin:0'><div style='padding:16px 40px;background:#dde;"
        f"font-size:22px'>Town library</div><div style='padding:40px'><h1>Hours</h1>"
        f"<p>{SENTENCE}<h2>For children</h2><p>{SENTENCE}</div>"
    )
    for block in read_zones(page, granularity).zones:
        assert block.kind in {"header", "main"}


@pytest.mark.browser
@pytest.mark.parametrize("granularity", [0.5, FINE])
def test_a_table_of_data_is_one_block_to_read(see: See, granularity: float) -> None:
    tables = "".join(TABLE % month for month in ("January", "February", "March"))
    zones = read_zones(see(f"<body><h1>Tide tables</h1>{tables}"), granularity).zones
    assert {block.kind for block in zones} == {"main"}
    assert len(zones) <= 4


@pytest.mark.browser
def test_landmarks_are_what_they_say(see: See) -> None:
    links = "".join(f"<li><a href=/{n}>Chapter {n}</a>" for n in range(1, 12))
    page = see(
        f"""<!doctype html><body style="margin:0">
        <header style="padding:16px;background:#dde"><a href=/>Alder</a> <input></header>
        <nav style="float:left;width:200px"><ul>{links}</ul></nav>
        <aside style="float:right;width:200px"><h3>Related</h3><ul>{links}</ul></aside>
        <main style="margin:0 240px"><h1>First flush</h1>{SECTIONS}</main>"""
    )
    kinds = {block.text.split()[0]: block.kind for block in read_zones(page).zones}
    assert kinds == {
        "Alder": "header",
        "Chapter": "navigation",
        "Related": "aside",
        "First": "main",
    }


LINKS = "".join(f"<li><a href=/{n}>Part {n} of it</a>" for n in range(1, 14))
BESIDE = f"""<!doctype html><div style="display:flex">
<div style="width:180px;font-size:13px;background:#eef">
<h3>Tea</h3><ul>{LINKS}</ul><h3>Milk</h3><ul>{LINKS}</ul></div>
<div style="width:640px"><h1>First flush</h1>{6 * f"<p>{4 * SENTENCE}</p>"}</div></div>"""


@pytest.mark.browser
def test_a_sidebar_beside_a_text_is_one_block_though_nothing_names_it(see: See) -> None:
    sidebar, text = read_zones(see(BESIDE)).zones
    assert (sidebar.kind, text.kind) == ("aside", "main")
    assert sidebar.text.startswith("Tea")
    assert text.text.startswith("First flush")


@pytest.mark.browser
def test_few_blocks_keep_their_menus(see: See) -> None:
    assert len(read_zones(see(BESIDE), 0.0).zones) == 1


@pytest.mark.browser
def test_a_header_keeps_its_menu(see: See) -> None:
    links = "".join(f"<a href=/{n} style='margin:9px'>Part {n}</a>" for n in range(1, 6))
    header, *_ = read_zones(see(f"<header><b>Alder</b><div>{links}</div></header>{SECTIONS}")).zones
    assert (header.kind, header.text.split()[0]) == ("header", "Alder")
    assert "Part 5" in header.text


@pytest.mark.browser
def test_texts_in_frames_are_no_adverts(see: See) -> None:
    frame = "<iframe srcdoc='<h2>Opening hours</h2><p>From nine to five.'></iframe>"
    blocks = read_zones(see(f"<h1>Town library</h1><p>{SENTENCE}</p>{frame}")).zones
    assert {block.kind for block in blocks} == {"main"}


@pytest.mark.browser
def test_finer_gives_more_blocks(see: See) -> None:
    page = see(BLOG)
    counts = [len(read_zones(page, granularity).zones) for granularity in (0, 0.5, 1)]
    assert counts[0] < counts[1] < counts[2]


@pytest.mark.browser
def test_blocks_are_in_reading_order_whatever_the_document_says(see: See) -> None:
    page = see(
        """<body style="margin:0"><style>div{position:absolute;width:600px;font-size:16px}</style>
        <div style="top:900px">last words of the page, in a paragraph of its own</div>
        <div style="top:20px">first words of the page, in a paragraph of its own</div>
        <div style="top:400px">middle words of the page, in a paragraph of its own</div>"""
    )
    texts = [block.text.split()[0] for block in read_zones(page, 1.0).zones]
    assert texts == ["first", "middle", "last"]


@pytest.mark.browser
def test_the_same_page_gives_the_same_reading(see: See) -> None:
    one, other = (json.dumps(read_zones(see(BLOG)).to_json()) for _ in range(2))
    assert one == other


@pytest.mark.browser
def test_values_are_plain_and_say_where_they_come_from(see: See) -> None:
    fields = read_zones(see(BLOG)).to_json()
    assert json.loads(json.dumps(fields)) == fields
    assert set(fields["tree"]) == {"id", "box", "xpath", "children"}
    for zone in fields["zones"]:
        assert set(zone) == {"id", "kind", "confidence", "box", "xpath", "css", "text"}
        assert zone["kind"] in KINDS
        assert 0 < zone["confidence"] <= 1
        assert zone["xpath"].startswith("/html")
        assert len(zone["box"]) == 4


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<body></body>", 0),
        ("<hr>", 0),
        ("<p hidden>nothing to see", 0),
        ("<p>word", 1),
        ("<input>", 1),
        ("<ruby>漢<rt>かん</rt></ruby>", 1),
    ],
)
def test_small_pages(see: See, html: str, count: int) -> None:
    for granularity in (0, 0.5, 1):
        assert len(read_zones(see(html), granularity).zones) == count


@pytest.mark.browser
def test_a_huge_flat_page(see: See) -> None:
    page = see(MANY_PARAGRAPHS)
    reading = read_zones(page, 1.0)
    assert set(seen_in(reading)[characters(page) > 0].tolist()) == {1}


@pytest.mark.browser
def test_a_deep_page_can_be_written_as_json(see: See) -> None:
    page = see("<div>text " * 450)
    fields = read_zones(page).to_json()
    assert "children" in json.loads(json.dumps(fields))["tree"]


@pytest.mark.browser
def test_a_flattened_tree_has_all_zones_once(see: See) -> None:
    tree = read_zones(see(BLOG)).tree

    def ids(fields: dict[str, object]) -> list[int]:
        children = fields["children"]
        assert isinstance(children, list)
        return [int(str(fields["id"])), *(i for child in children for i in ids(child))]

    for deepest in (1, 2, 100):
        assert ids(nested(tree, deepest)) == list(range(len(tree)))


@pytest.mark.browser
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_examples_consist_of_a_handful_of_blocks(name: str) -> None:
    page = read(EXAMPLES / name / "index.html", renderer="chromium").page
    reading = read_zones(page)
    assert 4 <= len(reading.zones) <= 12
    assert {"header", "main", "footer"} <= {block.kind for block in reading.zones}
    assert set(seen_in(reading)[characters(page) > 0].tolist()) == {1}


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "text"), [("news-front", "Most read"), ("tables-2000s", "Mitglied werden")]
)
def test_rails_and_menus_of_examples_are_not_main(name: str, text: str) -> None:
    page = read(EXAMPLES / name / "index.html", renderer="chromium").page
    assert [zone.kind for zone in read_zones(page).zones if text in zone.text] == ["aside"]


def test_a_granularity_is_from_0_to_1() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        read_zones(None, 1.5)  # type: ignore[arg-type]
