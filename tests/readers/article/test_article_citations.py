"""References of zones whose labels are given, one by one."""

from __future__ import annotations

from small_labels import CITED, LayOut, labelled, paragraphs

from pagesight.readers.article.fields.references import items, references
from pagesight.readers.article.zones import article_zones


def test_each_labelled_zone_is_a_reference_where_elements_do_not_group_them(
    lay_out: LayOut,
) -> None:
    zones = labelled(paragraphs(lay_out, "Text", *CITED[:2]), "body", "reference", "reference")
    assert [item.text for item in items(zones.zones, zones.labels)] == CITED[:2]


def test_parts_of_an_item_of_a_list_are_one_reference(lay_out: LayOut) -> None:
    cited = "".join(f"<li><div>King {c}.</div><div>On tea and cups. 199{n}.</div></li>"
                    for n, c in enumerate("ABCDE"))  # fmt: skip
    zones = labelled(lay_out(f"<ul>{cited}</ul>"), *["reference"] * 10)
    assert [item.text for item in items(zones.zones, zones.labels)][:2] == [
        "King A. On tea and cups. 1990.", "King B. On tea and cups. 1991.",
    ]  # fmt: skip


def test_a_short_text_is_no_reference(lay_out: LayOut) -> None:
    zones = labelled(paragraphs(lay_out, "Back to top", CITED[0]), "reference", "reference")
    assert [item.text for item in items(zones.zones, zones.labels)] == [CITED[0]]


def test_nothing_that_is_cited_gives_no_references(lay_out: LayOut) -> None:
    assert references(labelled(paragraphs(lay_out, "Text", "More"), "body", "body")) == ()


def test_a_reference_has_number_year_and_identifier(lay_out: LayOut) -> None:
    page = paragraphs(
        lay_out,
        "[12] King A. On tea. J Tea. 1851;12:1–9. doi:10.1000/tea.51",
        'Xu L (2011) Leaves of 1999. <a href="https://doi.org/10.1000/leaf">CrossRef</a>',
        "Berg C. Cups without a year, and more cups.",
    )
    first, second, third = references(labelled(page, *["reference"] * 3))
    assert (first.number, first.year, first.doi) == ("12", "1851", "10.1000/tea.51")
    assert (second.number, second.year, second.doi) == (None, "2011", "10.1000/leaf")
    assert second.text == "Xu L (2011) Leaves of 1999."
    assert (third.number, third.year, third.doi) == (None, None, None)


def test_a_list_below_the_heading_ends_where_items_have_no_year(lay_out: LayOut) -> None:
    listed = "".join(
        f"<li>{text}</li>"
        for text in [*CITED, "Home page of the journal", "About the editors", "Contact the press"]
    )
    zones = article_zones(lay_out(f"<h2>References</h2><ul>{listed}</ul>"))
    assert [item.text for item in items(zones, ["body"] * len(zones))] == CITED
