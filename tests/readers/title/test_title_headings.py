"""Which h1 is the heading of a page, without what is beside the title; elements as parsed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagesight.readers import MOST_EXPLAINED
from pagesight.readers.title.address import PageAddress
from pagesight.readers.title.clues import NOWHERE, Clues, Surroundings, TitleText
from pagesight.readers.title.parsed import ParsedElement, clues_of_markup
from pagesight.readers.title.problems import MOST_WORDS, problem_of
from pagesight.readers.title.sites import (
    SITE_ALIKE,
    Site,
    heading_of,
    subject_of,
    without_asides,
)

URL = "https://www.leaf.example/shop/green-tea"
CHROME, HOME = Surroundings(chrome=True), Surroundings(linked=True, home=True)


def heading(*pieces: TitleText, names: tuple[str, ...] = (), url: str = URL) -> str:
    clues = Clues(PageAddress(url), headings=list(pieces))
    return heading_of(clues, Site.of(clues), names)


def h1(text: str, around: Surroundings = NOWHERE, texts: tuple[str, ...] = ()) -> TitleText:
    return TitleText(text, "h1", around=around, texts=texts)


def test_the_first_of_several_h1_is_the_heading_where_nothing_supports_another() -> None:
    assert heading(h1("Black tea"), h1("White tea")) == "black tea"


def test_an_h1_that_another_name_supports_is_preferred() -> None:
    assert heading(h1("Black tea"), h1("White tea"), names=("white tea",)) == "white tea"


@pytest.mark.parametrize("around", [CHROME, HOME])
def test_logos_and_menus_are_headings_only_if_nothing_else_is(around: Surroundings) -> None:
    assert heading(h1("Our teas", around), h1("White tea")) == "white tea"
    assert heading(h1("Our teas", around)) == "our teas"


def test_below_the_name_of_the_site_a_lower_heading_counts_if_it_is_supported() -> None:
    lower = TitleText("Green tea", "h2")
    assert heading(h1("Leaf"), lower) == "green tea"  # as the address says
    assert heading(h1("Leaf"), TitleText("Black tea", "h2")) == "leaf"
    assert heading(h1("Leaf"), TitleText("Black tea", "h2"), names=("black tea",)) == "black tea"
    assert heading(h1("Leaf"), TitleText("Green tea", "h2", around=CHROME)) == "leaf"


def test_a_page_without_headings_has_none() -> None:
    assert heading() == ""


@pytest.mark.parametrize(
    ("texts", "tag", "left"),
    [
        (("Green tea", "New"), "Green tea | Leaf", "Green tea"),
        (("3 May", "Green tea"), "Green tea | Leaf", "Green tea"),
        (("Green", "tea", "New"), "Green tea | Leaf", "Green tea"),
        (("Green tea", "New"), "Green tea New", "Green tea New"),  # the tag has it all
        (("Green tea", "from the mountains"), "Tea", "Green tea from the mountains"),  # too much
        ((), "Tea", "Green tea"),
    ],
)
def test_what_is_beside_the_title_in_a_heading_is_taken_off(
    texts: tuple[str, ...], tag: str, left: str
) -> None:
    piece = h1(" ".join(texts) or "Green tea", texts=texts)
    assert [one.text for one in without_asides([piece], {"green tea"}, tag)] == [left]


def test_the_parts_of_a_title_are_kept_without_the_site_at_either_end() -> None:
    site = Site.of(Clues(PageAddress(URL)))
    subject = subject_of("Leaf | Green tea | Cups | Leaf", site)
    assert (subject.parts, subject.text) == (("green tea", "cups"), "green tea | cups")


def test_a_short_text_may_begin_with_the_name_of_the_site() -> None:
    site = Site.of(Clues(PageAddress(URL)))
    assert site.begins("Leaf Documentation", "Green tea")
    assert not site.begins("Leaf Documentation", "Leaf tea")  # the title has the name, too
    assert not site.begins("Documentation of Leaf", "Green tea")
    assert not site.begins("Leaf is a shop that sells tea", "Green tea")  # a sentence


WORDS = st.sampled_from(["Leaf", "Green tea", "Cups", "-", "|", ":", "Leaf.example", ""])


@given(st.lists(WORDS, max_size=7).map(" ".join))
def test_a_title_without_the_site_has_no_more_to_take_off(title: str) -> None:
    site = Site.of(Clues(PageAddress(URL)))
    subject = subject_of(title, site)
    assert len(subject.text) <= len(title)
    if len(subject.parts) > 1:
        assert site.likeness(subject.parts[0]) < SITE_ALIKE
        assert site.likeness(subject.parts[-1]) < SITE_ALIKE


# Elements as parsed


def element(html: str, selector: str = "h1") -> ParsedElement:
    raw = LexborHTMLParser(html).css_first(selector)
    assert raw is not None
    return ParsedElement(raw)


def test_the_texts_of_an_element_are_those_between_tags() -> None:
    one = element("<h1> Green <b>tea</b><script>var x</script> <i> </i> now </h1>")
    assert one.texts == ["Green", "tea", "now"]
    assert one.text.split() == ["Green", "tea", "now"]


def test_line_breaks_and_blocks_begin_new_lines() -> None:
    lines = element("<h1>Green<br>tea<div>now</div></h1>").text.strip().split("\n")
    assert lines == ["Green", "tea", "now"]


def test_an_element_knows_its_attributes_and_what_is_around_it() -> None:
    one = element("<main id=m><h1 class=x hidden>Tea</h1></main>")
    assert (one.attributes.get("class"), one.attributes.get("id"), one.node) == ("x", None, None)
    (key, itself), (outer, around), *_ = one.lineage()
    assert (itself.tag, around.tag, around.attributes.get("id")) == ("h1", "main", "m")
    assert key != outer == next(ParsedElement(around).lineage())[0]


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p>© 2019 Old Press</p><p>&copy; 2024 Tea Press</p>", "Tea Press"),
        ("<p>&copy; 2024 Tea Press</p><p>© Old Press</p>", "Old Press"),
        ("<p>No sign at all</p>", ""),
        ("<p>Tea ©</p>", ""),
    ],
)
def test_the_last_copyright_sign_counts_however_it_is_written(html: str, said: str) -> None:
    assert clues_of_markup(html, None).copyright == said


def test_a_document_without_anything_gives_clues_without_anything() -> None:
    clues = clues_of_markup(b"", None)
    assert (clues.tag, clues.headings, clues.copyright, clues.words().strip()) == ("", [], "", "")


# Problems


def problem(title: str, body: str = "") -> str | None:
    return problem_of(clues_of_markup(f"<title>{title}</title>{body}", URL))


@pytest.mark.parametrize(
    ("number", "kind"),
    [("401", "access denied"), ("404", "not found"), ("410", "not found"), ("429", "bot check"),
     ("500", "error"), ("503", "error"), ("418", None), ("499", None), ("1404", None)],
)  # fmt: skip
def test_a_number_alone_is_a_problem_if_servers_say_it(number: str, kind: str | None) -> None:
    for title in (number, f"Error {number}", f"HTTP status code {number}", f"{number} | Leaf"):
        assert problem(title) == kind


def test_a_page_with_three_headings_has_content() -> None:
    assert problem("Not found", "<h1>Not found</h1><h2>Search</h2>") == "not found"
    assert problem("Not found", "<h1>Not found</h1><h2>One</h2><h2>Two</h2>") is None


def test_what_a_page_says_in_its_text_counts_on_short_pages_only() -> None:
    said = "<p>Something went wrong.</p>"  # three words
    assert problem("Leaf", said + "<p>" + "word " * (MOST_WORDS - 3)) == "error"
    assert problem("Leaf", said + "<p>" + "word " * (MOST_WORDS - 2)) is None


def test_a_title_that_is_nothing_but_the_problem_may_be_explained_at_length() -> None:
    assert problem("Page not found | Leaf", "word " * MOST_EXPLAINED) == "not found"
    assert problem("Page not found | Leaf", "word " * (MOST_EXPLAINED + 1)) is None
    assert problem("Page not found | A poem", "word " * MOST_EXPLAINED) is None


def test_linked_data_is_that_of_the_page_unless_its_title_is_a_problem() -> None:
    data = '<script type="application/ld+json">{"@type": "Product", "name": "Green tea"}</script>'
    said = "<p>Something went wrong.</p>"
    assert problem("Leaf", said) == "error"
    assert problem("Leaf", data + said) is None
    assert problem("Server error", data + said) == "error"
