"""What the entries of a list of references are, where their elements say more than their labels."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import ABSTRACT, BODY, HTML

from pagesight.page import Page
from pagesight.readers.article.fields.publication import keywords as keywords_of
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.labelling.sections import headed_abstract
from pagesight.readers.article.learning.alignment import align
from pagesight.readers.article.learning.marks import NONE, Mark, marked, marks
from pagesight.readers.article.learning.scoring import score
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.zones import Zones, article_zones

LayOut = Callable[[str], Page]

NAMES = ["A. King", "B. Ito", "C. Lund", "D. Novak", "E. Osei", "F. Costa", "G. Haas", "H. Brandt"]
SOURCES = [f"On the tea of the valley, Tea Lett., {n} (200{n}), p. {n}4" for n in range(8)]
WHOLE = [f"{name} {source}" for name, source in zip(NAMES, SOURCES, strict=True)]


def texts_of(page: Page, labels: dict[str, str] | None = None) -> list[str]:
    """What the references say, of zones with these labels by how they begin."""
    zones = article_zones(page)
    labelled = [
        next((label for start, label in (labels or {}).items() if text.startswith(start)), "body")
        for text in zones.texts
    ]
    return [item.text for item in items(zones, labelled)]


def entries(form: str, numbers: range) -> str:
    return "".join(form.format(name=NAMES[n], source=SOURCES[n], n=n + 1) for n in numbers)


def test_a_list_continues_in_another_element(lay_out: LayOut) -> None:
    form = "<li><div>{name}</div><div>{source}</div></li>"
    page = lay_out(
        f"<h1>On tea</h1><div><ol>{entries(form, range(5))}</ol></div>"
        f"<div><ol>{entries(form, range(5, 8))}</ol></div>"
    )
    labels = {"On the tea": "reference", **dict.fromkeys(NAMES, "reference part")}
    assert texts_of(page, labels) == WHOLE


def test_entries_without_a_year_are_entries_of_a_list_that_has_others(lay_out: LayOut) -> None:
    early = "<li>Z. Early, On the tea of the valley, in preparation</li>"
    page = lay_out(
        f"<h1>On tea</h1><ol>{early}{entries('<li>{name} {source}</li>', range(8))}</ol>"
    )
    cited = texts_of(page, dict.fromkeys(NAMES, "reference"))
    assert cited == ["Z. Early, On the tea of the valley, in preparation", *WHOLE]


@pytest.mark.parametrize(("term", "said"), [("[{n}]", ""), ("King {n}", "King {n} ")])
def test_a_term_goes_with_its_description(lay_out: LayOut, term: str, said: str) -> None:
    form = f"<dt>{term}</dt><dd><p>{{name}}</p><p>{{source}}</p></dd>"
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><dl>{entries(form, range(8))}</dl>")
    labels = {"On the tea": "reference", **dict.fromkeys(NAMES, "reference part")}
    assert texts_of(page, labels) == [said.format(n=n) + text for n, text in enumerate(WHOLE, 1)]


@pytest.mark.parametrize(
    "links",
    ["<p>[<a href='/c'>CrossRef</a>], [<a href='/p'>PubMed</a>]</p>", "<p><a>Find It</a></p>"],
    ids=["known", "of the page"],
)
def test_an_entry_ends_with_a_line_of_links(lay_out: LayOut, links: str) -> None:
    record = (
        "<p>{n}. The tea of the valley. {name}, Tea Letters (200{n}). A review of all teas.</p>"
    )
    form = f"<li><p>{{name}} {{source}}</p>{links}{record}</li>"
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{entries(form, range(8))}</ol>")
    assert texts_of(page) == WHOLE


def test_a_last_line_that_many_entries_have_is_no_part_of_them(lay_out: LayOut) -> None:
    form = "<li><p>{name} {source}</p><p>Show Context</p></li>"
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{entries(form, range(8))}</ol>")
    assert texts_of(page) == WHOLE


def test_links_back_to_the_text_go_with_their_caption(lay_out: LayOut) -> None:
    places = "<a href='#s{n}'>§{n}</a>, <a href='#s9'>§9</a>."
    form = f"<li>{{name}} {{source}}. Cited by: {places}</li>"
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{entries(form, range(8))}</ol>")
    assert texts_of(page) == [f"{text}." for text in WHOLE]


def test_the_link_that_an_entry_begins_with_names_it(lay_out: LayOut) -> None:
    form = "<li><a href='#c{n}'>{name}</a> {source}</li>"
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{entries(form, range(8))}</ol>")
    assert texts_of(page) == WHOLE


def test_numbered_entries_below_the_heading_need_no_year(lay_out: LayOut) -> None:
    listed = "".join(
        f"<li>{n}.Harper C, {name}. The tea of the valley of the drinkers. J Tea 199{n}57101</li>"
        for n, name in enumerate(NAMES, start=1)
    )
    page = lay_out(f"<h1>On tea</h1><p>{BODY}</p><h2>References</h2><ul>{listed}</ul>")
    assert len(texts_of(page)) == len(NAMES)


@pytest.mark.parametrize("link", ["<a href='#'>Top</a>", "[<a href='/edit'>edit</a>]"])
def test_a_link_beside_a_heading_is_no_part_of_it(lay_out: LayOut, link: str) -> None:
    zones = article_zones(lay_out(f"<h1>On tea</h1><h2>References {link}</h2><p>{BODY}</p>"))
    assert "references" in zones.kinds[1]


def test_a_column_called_reference_is_not_a_list(lay_out: LayOut) -> None:
    rows = "".join(f"<tr><td>Leaf {n}</td><td>{text}</td></tr>" for n, text in enumerate(WHOLE))
    table = f"<table><tr><th>Leaf</th><th>References</th></tr>{rows}</table>"
    assert texts_of(lay_out(f"<h1>On tea</h1><p>{BODY}</p>{table}<p>{BODY}</p>")) == []


def test_an_abstract_ends_with_the_element_around_it(lay_out: LayOut) -> None:
    boxed = f"<section><h2>Abstract</h2><p>{ABSTRACT}</p></section><div><p>{BODY}</p></div>"
    start, stop = HTML.index("<h2>Abstract</h2>"), HTML.index("<h2>References")
    reading = read_article(lay_out(HTML[:start] + boxed + HTML[stop:]), metadata="ignore")
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT


def test_a_list_of_paragraphs_ends_at_its_heading(lay_out: LayOut) -> None:
    front = f"<p>{ABSTRACT}</p><h2>Introduction</h2><p>{BODY}</p><h2>Methods</h2><p>{BODY}</p>"
    cited = entries("<p>{name} {source}</p>", range(8))
    page = lay_out(f"<h1>On tea</h1>{front}<h2>References</h2>{cited}")
    assert texts_of(page, dict.fromkeys(NAMES, "reference")) == WHOLE


def test_no_entry_is_made_of_a_list(lay_out: LayOut) -> None:
    form = "<div>{name} {source}</div>"
    page = lay_out(
        f"<h1>On tea</h1><div>{entries(form, range(5))}</div>{entries(form, range(5, 8))}"
    )
    assert texts_of(page, dict.fromkeys(NAMES, "reference")) == WHOLE


@pytest.mark.parametrize(
    "form",
    [
        "<li>{name} <a href='#'>{source}</a></li>",
        "<li>{n}. <a href='#c{n}'>{name} {source}</a></li>",
    ],
    ids=["a link for a script", "all of it, numbered"],
)
def test_what_a_link_says_at_length_is_a_part(lay_out: LayOut, form: str) -> None:
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{entries(form, range(8))}</ol>")
    assert texts_of(page) == WHOLE


def test_a_journal_that_some_entries_share_stays(lay_out: LayOut) -> None:
    journals = ["Tea Letters", "Tea Letters", *(f"Journal of {name[3:]}" for name in NAMES[2:])]
    rows = "".join(
        f"<li><div>{name} (2001).</div><div>On the tea of {name[3:]}</div><div>{journal}</div></li>"
        for name, journal in zip(NAMES, journals, strict=True)
    )
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{rows}</ol>")
    assert [text.endswith(end) for text, end in zip(texts_of(page), journals, strict=True)] == [
        True
    ] * 8


def test_a_short_entry_is_counted(lay_out: LayOut) -> None:
    long = [
        f"<li>{n}. The botanical gardens of the valley and of the shore</li>" for n in range(3, 9)
    ]
    first = "<li>1. The botanical gardens of the valley and of the hills</li><li>2. Rivers.</li>"
    page = lay_out(f"<h1>On tea</h1><h2>References</h2><ul>{first}{''.join(long)}</ul>")
    assert len(texts_of(page)) == 7


def test_an_abstract_that_begins_with_its_heading_goes_on(lay_out: LayOut) -> None:
    texts = ["On tea", f"Abstract: {ABSTRACT}", ABSTRACT]
    boxed = f"<div><p><b>Abstract:</b> {ABSTRACT}</p><p>{ABSTRACT}</p></div><h2>Introduction</h2>"
    zones = article_zones(lay_out(f"<h1>On tea</h1>{boxed}<p>{BODY}</p>"))
    assert zones.texts[:3] == texts
    assert headed_abstract(zones.texts, 0, zones.beyond) == [1, 2]


@pytest.mark.parametrize(
    ("html", "keywords"),
    [
        (
            "<p><b>Keywords:</b> <a href=/t>tea</a>; <a href=/p>patience</a></p>",
            ["tea", "patience"],
        ),
        ("<p>Keywords</p><ul><li>Tea<li>Funding<li>Patience</ul>", ["Tea", "Funding", "Patience"]),
        ("<p>Keywords</p><p>Tea</p><p><b>1. Introduction</b></p>", ["Tea"]),
    ],
    ids=["links", "a keyword like a section", "a section"],
)
def test_keywords_end_where_a_section_begins(
    lay_out: LayOut, html: str, keywords: list[str]
) -> None:
    zones = article_zones(lay_out(f"<h1>On tea</h1>{html}"))
    labels = ["title", *("keywords" for _ in zones.texts[1:])]
    labelled = LabelledZones(zones, labels, certain(labels, 1.0))
    assert [keyword.text for keyword in keywords_of(labelled)] == keywords


# Marks


@pytest.fixture
def zones(lay_out: LayOut) -> Zones:
    form = "<li>{name} {source} <a href='/c'>CrossRef</a><p class=index>{name}: all teas</p></li>"
    cited = f"<h2>References</h2><ol class=list>{entries(form, range(8))}</ol>"
    return article_zones(lay_out(f"<h1>On tea</h1><p class=by>Ada King</p><p>{BODY}</p>{cited}"))


def test_marks_say_what_tags_do_not(zones: Zones, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = (
        Mark("references", ".list > li", "tea-*", "a, .index"),
        Mark("authors", ".by", "tea-*", ""),
        Mark("title", "h1", "other-*", ""),
    )
    monkeypatch.setattr("pagesight.readers.article.learning.marks.marks", lambda: listed)
    truth = marked(Truth(), zones.page, "html/tea-1.html")
    assert truth.references == tuple(WHOLE)
    assert [author.family for author in truth.authors] == ["King"]
    assert truth.titles == ()
    stated = marked(Truth(references=("as stated",)), zones.page, "html/tea-1.html")
    assert stated.references == ("as stated",)


def test_a_list_that_is_not_shown_is_known(zones: Zones, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = (Mark("references", NONE, "tea-*", ""),)
    monkeypatch.setattr("pagesight.readers.article.learning.marks.marks", lambda: listed)
    truth = marked(Truth(), zones.page, "html/tea-1.html")
    shown = align(zones, truth).truth
    counts = score(read_article(zones.page, metadata="ignore"), shown).references
    assert (counts.wanted, counts.wrong) == (0, len(WHOLE))


def test_shipped_marks_name_fields_of_the_truth() -> None:
    assert {mark.field for mark in marks()} <= {
        "title", "authors", "affiliations", "abstract", "references"
    }  # fmt: skip
