"""Titles of small pages: what is chosen, and what is said about it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.document import Document, read
from pagesight.page import Page
from pagesight.readers.title import METHODS, read_title, read_title_by, read_title_fast
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.features import TitleEvidence
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.problems import problem_of
from pagesight.readers.title.reader import case_of_page
from pagesight.readers.title.seen import SeenTexts

ARTICLE = """<html><head><title>Green tea keeps you awake | The Tea Times</title>
<meta property="og:site_name" content="The Tea Times">
<link rel="alternate" title="The Tea Times » Feed" href="/feed">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Green tea keeps you awake"}
</script>
<meta property="og:title" content="Green tea keeps you awake"></head>
<body><header><nav><a href="/">The Tea Times</a></nav></header>
<main><h1>Green tea keeps you awake</h1><p>So a study says.</p><h2>What was measured</h2></main>
</body></html>"""
URL = "https://www.teatimes.example/news/green-tea-keeps-you-awake.html"


def test_the_headline_without_the_site() -> None:
    reading = read_title_fast(ARTICLE.encode(), URL)
    assert str(reading.title) == "Green tea keeps you awake"
    assert str(reading.site_name) == "The Tea Times"
    assert reading.confidence > 0.8
    assert reading.problem is None
    assert reading.title is not None
    assert reading.title.origin == "h1"


@pytest.mark.parametrize(
    "title",
    ["Spider-Man: Far from Home", "Tea – a love story", "Wake up! It is tea time", "Tea, Vol. 2"],
)
def test_signs_that_belong_to_a_title_do_not_cut_it(title: str) -> None:
    html = f"<title>{title} | Films</title><main><h1>{title}</h1><p>Text."
    assert str(read_title_fast(html, "https://films.example/17").title) == title


def test_the_best_spelling_is_taken() -> None:
    html = "<title>Green Tea From Japan - Shop</title><h1>GREEN TEA FROM JAPAN</h1>"
    assert str(read_title_fast(html).title) == "Green Tea From Japan"


def test_signs_around_a_title_are_no_part_of_it() -> None:
    title = read_title_fast("<title>::: Model railway club ::: Welcome :::</title><p>Text").title
    assert title is not None
    assert title.text.strip(" :") == title.text


def test_a_candidate_is_listed_once_whatever_signs_are_around_it() -> None:
    reading = read_title_fast("<title>::: Model railway club ::: Welcome :::</title><p>Text")
    texts = [candidate.text for candidate in reading.candidates]
    assert len(set(texts)) == len(texts) > 1
    assert sum(candidate.score for candidate in reading.candidates) == pytest.approx(1)
    assert reading.candidates[0] == reading.title


def test_the_head_of_a_front_page_is_the_name_of_the_site_and_not_its_motto() -> None:
    html = """<title>The Tea Times – news from the world of tea</title>
    <header><h1>The Tea Times</h1></header><main><h2>Oolong</h2><p>Text</main>"""
    assert str(read_title_fast(html).site_name) == "The Tea Times"
    inner = "<title>Oolong – The Tea Times</title><main><h1>Oolong</h1><p>Text</main>"
    assert str(read_title_fast(inner).site_name) == "The Tea Times"


def small_pdf(title: str, *lines: tuple[int, int, str]) -> bytes:
    """One sheet of lines, given by font size, place from below and text."""
    shown = "".join(f"BT /F {size} Tf 60 {y} Td ({text}) Tj ET\n" for size, y, text in lines)
    font = "<</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>"
    return f"""%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources {font}>>
endobj
4 0 obj <</Length {len(shown)}>> stream
{shown}
endstream endobj
5 0 obj <</Title ({title})>> endobj
trailer <</Root 1 0 R /Info 5 0 R>>
%%EOF
""".encode()


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("9217567.dvi", "Oolong and its leaves"),
        ("untitled", "Oolong and its leaves"),
        ("Another article of this journal", "Oolong and its leaves"),
        ("Oolong and its Leaves", "Oolong and its leaves"),
        ("Leaves of oolong", "Oolong and its leaves"),
        ("", "Oolong and its leaves"),
    ],
)
def test_what_the_properties_of_a_pdf_call_it_must_be_seen_on_it(stated: str, title: str) -> None:
    lines = [(10, 600 - 14 * line, f"Line {line} of a study of tea.") for line in range(20)]
    data = small_pdf(stated, (24, 700, "Oolong and its leaves"), *lines)
    assert str(read(data).title.title) == title


def test_of_a_pdf_without_text_its_properties_are_all_that_is_known() -> None:
    assert str(read(small_pdf("Oolong")).title.title) == "Oolong"


def test_a_logo_is_not_the_title() -> None:
    html = """<title>Oolong | Leaf</title><header><h1><a href="/">Leaf</a></h1></header>
    <main><h2>Oolong</h2><p>Text</main>"""
    assert str(read_title_fast(html, "https://leaf.example/oolong").title) == "Oolong"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Leaf</title><h1>Oolong</h1>", "Oolong"),
        ("<title>Leaf.example // Oolong</title><p>Text", "Oolong"),
        ("<title>Oolong | Leaf</title><h1>Leaf</h1>", "Oolong"),
        ("<title>Home</title><h1>Oolong</h1>", "Oolong"),
        ("<title>Leaf</title><p>Text", "Leaf"),
        ("<title>Home</title><p>Text", "Home"),
    ],
)
def test_a_page_is_called_by_the_site_only_if_it_has_no_other_name(html: str, title: str) -> None:
    assert str(read_title_fast(html, "https://leaf.example/shop/oolong").title) == title


@pytest.mark.parametrize(
    ("html", "heading"),
    [
        ("<title>Oolong | Leaf</title><h1>News</h1><h1>Oolong</h1>", "oolong"),
        ("<title>Leaf</title><h1>News</h1><h1>Offers</h1>", "news"),
        ("<title>Leaf</title><h1><a href=/>Leaf</a></h1><h1>Oolong</h1>", "oolong"),
        ("<title>Leaf</title><h1>Leaf</h1><h2>Offers</h2>", "leaf"),
        ("<title>Leaf</title><h1>Leaf</h1><h2>Offers</h2><h2>Oolong</h2>", "oolong"),
        ("<title>Leaf</title><h1>Leaf</h1><h2>Buy oolong</h2>", "leaf"),
        ("<title>Oolong | Leaf</title><h2>Teas</h2><h3>Oolong</h3>", "oolong"),
        ("<title>Oolong | Leaf</title><h2>Teas</h2>", ""),
    ],
)
def test_the_heading_is_the_one_that_other_names_support(html: str, heading: str) -> None:
    found = clues_of_markup(html, "https://leaf.example/shop/oolong")
    assert TitleEvidence.of(found).heading == heading


@pytest.mark.parametrize(
    ("h1", "heading"),
    [
        ("<time>1 May 2024</time> Tea is dear", "tea is dear"),
        ("<b>Harvest</b><span>Tea is dear</span>", "tea is dear"),
        ("<div><a href=/17>Tea is dear</a> <i>(tea.org)</i></div>", "tea is dear"),
        ("Tea is <em>dear</em>", "tea is dear"),
        ("<b>Tea</b> grows in Japan", "tea grows in japan"),
        ("<b>Tea is dear</b> in all of Japan", "tea is dear in all of japan"),
    ],
)
def test_what_stands_beside_the_title_is_no_part_of_the_heading(h1: str, heading: str) -> None:
    html = f"<title>Tea is dear | Tea | Leaf</title><h1>{h1}</h1>"
    assert TitleEvidence.of(clues_of_markup(html, "https://leaf.example/17")).heading == heading


def test_a_heading_that_the_tag_has_as_a_whole_is_not_cut() -> None:
    html = "<title>Question - Is tea dear? | Leaf</title><h1><b>Question</b> Is tea dear?</h1>"
    found = clues_of_markup(html, "https://leaf.example/17")
    assert TitleEvidence.of(found).heading == "question is tea dear?"


@pytest.mark.parametrize(
    "said",
    [
        '<link rel="canonical" href="https://leaf.example/shop/oolong">',
        '<link rel="nofollow Canonical" href="https://leaf.example/shop/oolong">',
        '<meta property="og:url" content="https://leaf.example/shop/oolong">',
    ],
)
def test_a_saved_page_has_the_address_that_it_gives_itself(said: str) -> None:
    assert clues_of_markup(said, None).address.slug == "oolong"
    assert clues_of_markup(said, "https://tea.example/matcha").address.slug == "matcha"
    assert clues_of_markup(said, "file:///tea/page.html").address.slug == "oolong"


def test_a_kind_of_data_may_be_written_in_capitals() -> None:
    html = '<script type="Application/LD+JSON">{"@type": "Thing", "name": "Oolong"}</script>'
    assert [piece.text for piece in clues(html).linked_data] == ["Oolong"]


@pytest.mark.parametrize(
    "beside",
    ["<button><span>Copy page</span></button>", "<svg><g><title>Chevron</title></g></svg>"],
)
def test_buttons_and_drawings_in_a_heading_are_no_part_of_it(beside: str) -> None:
    assert [piece.text for piece in clues(f"<h1>Oolong {beside}</h1>").headings] == ["Oolong"]


@pytest.mark.parametrize("left", ["Untitled document", "Unbenanntes Dokument", "無題", "Home"])
def test_what_an_editor_leaves_behind_is_no_title(left: str) -> None:
    assert str(read_title_fast(f"<title>{left}</title><h1>Oolong</h1><p>Text.").title) == "Oolong"
    assert str(read_title_fast(f"<title>{left}</title><p>Text.").title) == left


def test_below_the_name_of_the_site_a_lower_heading_counts() -> None:
    html = (
        "<title>The Kitchen</title><h1>The Kitchen</h1><h2>Offers</h2><h2>How to boil an egg</h2>"
    )
    url = "https://kitchen.example/2020/how-to-boil-an-egg"
    assert TitleEvidence.of(clues_of_markup(html, url)).heading == "how to boil an egg"
    assert str(read_title_fast(html, url).title) == "How to boil an egg"


@pytest.mark.parametrize("site", ["textkit 2.1 documentation", "Tea", "The encyclopedia of tea"])
def test_a_page_without_address_is_called_by_what_tag_and_heading_agree_on(site: str) -> None:
    html = f"<title>split — {site}</title><main><h1><code>split</code></h1><p>Text.</main>"
    assert str(read_title_fast(html).title) == "split"


def test_a_page_may_be_called_like_its_site() -> None:
    html = "<title>Cats Need Naps | CNN Health</title><h1>Cats Need Naps</h1><p>text"
    reading = read_title_fast(html, "https://www.cnn.example/2021/cats-need-naps")
    assert str(reading.title) == "Cats Need Naps"
    assert str(reading.site_name) != "Cats Need Naps"


def test_feeds_are_named_after_the_site() -> None:
    html = """<link rel="alternate" type="application/rss+xml" title="Oolong House » Feed">
    <link rel="canonical" title="No" href="/"><link rel="search" title="Oolong House">"""
    assert clues(html).feeds == ["Oolong House » Feed", "Oolong House"]


def test_a_page_without_a_title_tag_is_called_by_what_it_shares() -> None:
    html = """<meta property="og:title" content="Oolong from Taiwan, 100 g - Leaf">
    <h1><a href="/">Leaf</a></h1>"""
    assert (
        str(read_title_fast(html, "https://leaf.example/item/17").title)
        == "Oolong from Taiwan, 100 g"
    )


def test_json_has_the_promised_keys() -> None:
    fields = json.loads(json.dumps(read_title_fast(ARTICLE, URL).to_json()))
    assert list(fields) == ["title", "site_name", "confidence", "candidates"]
    assert list(fields["title"]) == ["text", "confidence", "xpath", "css", "box", "score", "from"]
    assert fields["candidates"][0] == fields["title"]
    assert fields["title"]["confidence"] == fields["confidence"]
    assert fields["site_name"]["text"] == "The Tea Times"
    assert sum(each["score"] for each in fields["candidates"]) == pytest.approx(1, abs=0.05)


def test_a_page_that_says_nothing() -> None:
    reading = read_title_fast(b"")
    assert reading.title is None
    assert reading.candidates == ()
    assert reading.to_json()["title"] is None


@pytest.mark.parametrize("method", METHODS)
def test_other_methods(method: str) -> None:
    reading = read_title_by(method, ARTICLE, URL)
    expected = "Green tea keeps you awake | The Tea Times" if method == "title-tag" else None
    assert str(reading.title) == (expected or "Green tea keeps you awake")


@given(st.binary(max_size=300), st.none() | st.text(max_size=40))
def test_any_bytes_give_a_reading(data: bytes, url: str | None) -> None:
    assert read_title_fast(data, url) == read_title_fast(data, url)


MARKUP = st.lists(
    st.sampled_from(
        ["<title>", "</title>", "<h1>", "</h1>", "<a href='/'>", "</a>", "<svg>", "<main>", "<meta "
         "property='og:title' content='", "'>", "<script type='application/ld+json'>", "</script>",
         '{"@graph": [', '{"@type": ["Article"], "headline": "Tea"}', '{"@type": 3, "name": []}',
         "]}", "Tea", " | ", " - ", ": ", "\x00", "茶", "<div class='breadcrumb title'>", "404"]
    ),
    max_size=40,
)  # fmt: skip


@given(MARKUP)
def test_any_markup_gives_a_reading(pieces: list[str]) -> None:
    reading = read_title_fast("".join(pieces), "http://[")
    assert 0 <= reading.confidence <= 1
    assert (reading.title is None) == (not reading.candidates)


# What is said in JSON-LD and the head


def clues(html: str) -> Clues:
    return clues_of_markup(html, URL)


def test_linked_data() -> None:
    found = clues(
        """<script type="application/ld+json">{"@graph": [
        {"@type": "WebSite", "name": "Tea Times"},
        {"@type": "NewsArticle", "headline": "Green &amp; black",
         "publisher": {"@type": "Organization", "name": "Tea Press"}},
        {"@type": "BreadcrumbList", "itemListElement": [{"name": "Home"},
         {"item": {"name": "Tea"}}]},
        {"@type": "Person", "name": "Ann"}]}</script>
        <script type="application/ld+json">no JSON</script>"""
    )
    assert [(piece.text, piece.origin) for piece in found.linked_data] == [
        ("Green & black", "json-ld headline")
    ]
    assert [piece.text for piece in found.crumbs] == ["Tea"]
    assert found.trail == ["Home", "Tea"]
    assert found.types >= {"WebSite", "NewsArticle"}
    assert found.sites == ["Tea Times", "Tea Press"]


def test_headings_know_where_they_stand() -> None:
    found = clues("<nav><h2>Menu</h2></nav><main><h1>Tea<br>time</h1><aside><h2>More</h2></aside>")
    assert [(p.text, p.around.chrome, p.around.main) for p in found.headings] == [
        ("Menu", True, False), ("Tea time", False, True), ("More", True, True),
    ]  # fmt: skip


def test_the_first_headings_below_h1_and_outside_of_menus_know_where_they_stand() -> None:
    found = clues("<main><nav><h2>Menu</h2></nav>" + "<h2>Tea</h2>" * 4 + "<h1>Leaf</h1>")
    assert [p.around.main for p in found.headings] == [True, True, True, True, False, True]


def test_an_element_that_matches_twice_counts_once() -> None:
    assert len(clues('<h1 class="title" itemprop="headline">Tea</h1>').headings) == 1


def test_the_title_of_a_drawing_is_no_title() -> None:
    assert clues("<body><svg><title>Menu</title></svg>").tag == ""


@pytest.mark.parametrize("inner", ["<style>.a{}</style>", "<button>Copy</button>"])
def test_styles_and_buttons_inside_a_heading_are_no_text(inner: str) -> None:
    assert clues(f"<h1>{inner}Tea</h1>").headings[0].text == "Tea"


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="article:published_time" content="2024-05-01">',
        '<script type="application/ld+json">{"@type": "Thing", "datePublished": "2024"}</script>',
    ],
)
def test_pages_that_say_when_they_were_published(html: str) -> None:
    assert clues(html).dated
    assert not clues(ARTICLE).dated


# Pages that are not the page


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("<title>404 Not Found</title><h1>Not Found</h1>", "not found"),
        ("<title>Page not found | Leaf</title>", "not found"),
        ("<title>Seite nicht gefunden - Blatt</title>", "not found"),
        ("<title>Страница не найдена</title>", "not found"),
        ("<title>ページが見つかりません</title>", "not found"),
        ("<title>Leaf</title><h1>Oops! Page introuvable</h1>", "not found"),
        ("<title>Just a moment...</title>", "bot check"),
        ("<title>Leaf</title><p>Please verify you are human to go on.", "bot check"),
        ("<title>Access Denied</title>", "access denied"),
        ("<title>Leaf</title><h1>403 Forbidden</h1>", "access denied"),
        ("<title>Before you continue</title>", "consent wall"),
        ("<title>App</title><p>You need to enable JavaScript to run this app.", "error"),
        ("<title>leaf.example</title><p>Please enable JS and disable any ad blocker", "bot check"),
        ("<title>Making sure you're not a bot!</title>", "bot check"),
        ("<title>Oops! That page can’t be found. – Leaf</title>", "not found"),
        ("<title>Blatt - Zustimmung erforderlich</title>", "consent wall"),
        ("<title>Leaf</title><p>You must log in to continue.", "login wall"),
        ("<title>leaf.example</title><p>This domain is for sale.", "parked"),
        ("<title>Site maintenance</title><p>We'll be back soon!", "error"),
        ("<title>Account Suspended</title><h1>This Account has been suspended.</h1>", "error"),
        ("<title>Leaf</title><h1>Sign in to continue</h1><input type=password>", "login wall"),
        ("<title>Access denied | Teatimes</title>" + "<a href=/>tea</a> " * 200, "access denied"),
    ],
)  # fmt: skip
def test_pages_that_are_not_the_page(html: str, problem: str) -> None:
    assert problem_of(clues(html)) == problem


@pytest.mark.parametrize(
    "html",
    [
        ARTICLE,
        "<title>Access denied: how libraries keep people out</title>" + "<p>word " * 200,
        "<title>Not found – a poem</title><h1>Not found</h1>" + "<p>word " * 200,
        "<title>How to fix a 404 error</title><h1>How to fix a 404 error</h1>" + "<p>word " * 200,
        "<title>Leaf</title><h1>Tea</h1>" + "word " * 200 + "captcha",
        "<title>Peugeot 404</title><h1>Peugeot 404</h1>",
        "<title>Blocked drains - Plumbing</title><h1>Blocked drains</h1>",
        "<title>Oolong</title><h1>Oolong</h1><p>Tea.<p>We value your privacy. Accept all",
        "<title>Sign in | Leaf</title><h1>Sign in</h1><p>Name, password",
        "<title>CAPTCHA - Leafpedia</title><h1>CAPTCHA</h1>" + "<h2>More</h2><p>word " * 200,
        "<title>Security check | Airport</title><h1>Security check</h1>" + "<p>word " * 500,
        "<title>Bridge under construction in Oslo</title><p>It will be long.",
        "<title>How to enable JavaScript in a browser</title><p>Open the settings.",
        "<title>Tea</title><p>Text.<p>Please log in to view comments.",
    ],
)
def test_pages_that_are_the_page(html: str) -> None:
    assert problem_of(clues(html)) is None


# Rendered


@pytest.mark.browser
def test_a_rendered_page_says_where_its_title_stands(see: Callable[[str], Page]) -> None:
    page = see(ARTICLE)
    reading = read_title(page)
    assert str(reading.title) == "Green tea keeps you awake"
    assert reading.title is not None
    assert reading.title.xpath == "/html/body/main/h1"
    assert reading.title.box is not None
    assert reading.title.box.height > 20
    assert Document("tea.html", page).title == reading


@pytest.mark.browser
def test_what_is_said_without_scripts_is_no_problem(see: Callable[[str], Page]) -> None:
    html = "<h1>Blue teapot</h1><p>25 €</p><noscript><p>Please enable JavaScript.</p></noscript>"
    assert read_title(see(html)).problem is None


@pytest.mark.browser
@pytest.mark.parametrize(
    ("tag", "h1"), [("Tides 2025", "Tide tables, Norrhaven harbour"), ("Leaf", "Oolong tea")]
)
def test_of_two_names_the_one_that_is_seen(see: Callable[[str], Page], tag: str, h1: str) -> None:
    reading = read_title(
        see(f"<title>{tag}</title><h1>{h1}</h1>" + "<p>Some words of text.</p>" * 9)
    )
    assert str(reading.title) == h1
    assert reading.title is not None
    assert reading.title.xpath == "/html/body/h1"


@pytest.mark.browser
def test_what_is_large_is_a_candidate(see: Callable[[str], Page]) -> None:
    page = see("<title>Shop</title><div style='font-size: 40px'>Oolong</div><p>Tea from Taiwan.")
    candidate = next(each for each in read_title(page).candidates if each.text == "Oolong")
    assert candidate.origin == "seen"
    assert candidate.xpath == "/html/body/div"


@pytest.mark.browser
def test_both_ways_see_the_same_clues(see: Callable[[str], Page]) -> None:
    from pagesight.readers.title.seen import clues_of_page

    page = see(ARTICLE)
    seen, parsed = clues_of_page(page, SeenTexts.of(page)), clues(ARTICLE)
    assert (seen.tag, seen.sites, seen.logos) == (parsed.tag, parsed.sites, parsed.logos)
    assert seen.feeds == parsed.feeds == ["The Tea Times » Feed"]
    assert seen.types == parsed.types == {"NewsArticle"}
    for each in ("meta", "linked_data", "headings", "labelled", "crumbs"):
        assert [(p.text, p.origin, p.around) for p in getattr(seen, each)] == [
            (p.text, p.origin, p.around) for p in getattr(parsed, each)
        ]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("h1", "text"),
    [
        ("Oolong <span hidden>Press escape to close this</span>", "Oolong"),
        ("Oolong<span style='display: none'> here</span> tea", "Oolong tea"),
        ("<span hidden>Oolong</span>", "Oolong"),
        ("Oolong <button><span>Copy page</span></button>", "Oolong"),
    ],
)
def test_what_a_heading_hides_is_not_read(see: Callable[[str], Page], h1: str, text: str) -> None:
    from pagesight.readers.title.seen import clues_of_page

    page = see(f"<title>Tea</title><h1>{h1}</h1>")
    assert [each.text for each in clues_of_page(page, SeenTexts.of(page)).headings] == [text]


COLUMNS = """<title>Tea</title><style>body {margin: 0} .side {float: left; width: 300px}
.text {margin-left: 340px; width: 600px}</style>
<div class="side"><h2>Our cups</h2><p>Cups.</div>
<div class="text"><h1>How tea is made</h1><h1 hidden>Leaf</h1>""" + (
    "<p>Leaves are picked, withered, rolled and dried; that takes a day or two.</p>" * 20
)


@pytest.mark.browser
def test_the_main_zone_has_the_running_text(see: Callable[[str], Page]) -> None:
    page = see(COLUMNS + "</div><footer style='clear: both'>Leaf Ltd.</footer>")
    zone = SeenTexts.of(page).main
    assert 330 <= zone.x < zone.right <= 960
    assert zone.height > 300


@pytest.mark.browser
def test_what_heads_the_main_zone_and_what_is_hidden(see: Callable[[str], Page]) -> None:
    case = case_of_page(see(COLUMNS))
    looks = {
        each.text: dict(zip(case.names, row, strict=True))
        for each, row in zip(case.candidates, case.rows, strict=True)
    }
    assert looks["How tea is made"]["seen heads"] == 1
    assert looks["How tea is made"]["seen main rank"] == 0
    assert looks["Our cups"]["seen heads"] == 0
    assert [looks[each]["seen hidden"] for each in ("How tea is made", "Leaf")] == [0, 1]


@pytest.mark.parametrize(
    ("said", "slug"),
    [
        (("/oolong", "https://leaf.example/tea"), "tea"),
        (("https://leaf.example/oolong", "https://leaf.example/"), "oolong"),
        (("javascript:void(0)", ""), ""),
        (("not an address", ""), ""),
    ],
)
def test_only_a_whole_address_is_one(said: tuple[str, str], slug: str) -> None:
    canonical, shared = said
    html = f'<meta property="og:url" content="{shared}"><link rel="canonical" href="{canonical}">'
    assert clues_of_markup(html, None).address.slug == slug


def test_a_page_may_give_itself_an_address_without_end() -> None:
    html = f'<link rel="canonical" href="https://leaf.example/{"a/" * 200_000}"><h1>Tea</h1>'
    assert str(read_title_fast(html).title) == "Tea"


def test_a_list_of_linked_data_leaves_room_for_the_heading() -> None:
    items = [{"@type": "Event", "name": f"Tea night {number}"} for number in range(80)]
    html = f"""<title>Events in Kyoto | Leaf</title><h1>Events in Kyoto</h1>
    <script type="application/ld+json">{json.dumps(items)}</script>"""
    assert str(read_title_fast(html).title) == "Events in Kyoto"


def test_the_text_of_what_is_no_title_is_not_read_to_its_end() -> None:
    html = "<div class=title>" * 300 + "<span>tea</span>" * 20_000 + "<h1>Tea</h1>"
    assert str(read_title_fast(html).title) == "Tea"
