"""The parts of references in the styles of many publishers, by the weights that are shipped."""

from __future__ import annotations

import pytest

from pagesight.readers.article.citations.fields import CitedFields, cited_fields
from pagesight.readers.article.citations.parser import parse
from pagesight.readers.article.citations.tokens import Citation
from pagesight.readers.article.citations.weights import shipped_weights


def fields(text: str, doi: str | None = None) -> CitedFields:
    [parsed] = cited_fields([Citation.of(text)], [doi], shipped_weights())
    return parsed


def names(text: str) -> list[tuple[str, str]]:
    return [(who.given, who.family) for who in fields(text)["authors"]]


STYLES = {
    "APA": "King, A. B., & Xu, L. (2011). {title}. Journal of Tea, 12(3), 45–67.",
    "Vancouver": "King AB, Xu L, Berg C, et al. {title}. J Tea. 2011;12(3):45-67.",
    "IEEE": "A. B. King and L. Xu, “{title},” J. Tea, vol. 12, no. 3, pp. 45–67, Mar. 2011.",
    "Chicago": "King, A. B., and L. Xu. “{title}.” Journal of Tea 12, no. 3 (2011): 45–67.",
    "Harvard": "King, A.B. and Xu, L., 2011. {title}. Journal of Tea, 12(3), pp.45-67.",
    "German": "King A, Xu L (2011): {title}. In: Journal für Tea 12 (3), S. 45–67.",
    "French": "King A, Xu L. « {title} », Revue de botanique, vol. 12, n° 3, 2011, p. 45-67.",
    "Russian": "King A.B., Xu L. {title} // J. Tea. – 2011. – Т. 12, № 3. – С. 45–67.",
    "title first": "{title}. King A, Xu L. J Tea. 2011;12(3):45-67.",
}


@pytest.mark.parametrize("style", STYLES)
def test_a_reference_has_its_parts_in_any_style(style: str) -> None:
    title = "Leaves of the tea plant in spring"
    text = STYLES[style].format(title=title)
    parsed = fields(text)
    parts = (parsed["title"], parsed["volume"], parsed["issue"], parsed["pages"])
    assert [part.text for part in parts] == [title, "12", "3", "45–67"]
    assert "tea" in parsed["container"].text.lower() or "botanique" in parsed["container"].text
    assert parsed["year"] == "2011"
    assert [family for _, family in names(text)][:2] == ["King", "Xu"]
    assert all(0 <= part.confidence <= 1 for part in parts)


def test_a_reference_without_a_title_has_none() -> None:
    parsed = fields("A. B. King, L. Xu, J. Tea 12, 45 (2011).")
    assert "title" not in parsed
    assert (parsed["container"].text, parsed["volume"].text, parsed["pages"].text) == (
        "J. Tea", "12", "45"
    )  # fmt: skip


def test_a_book_is_in_no_journal() -> None:
    parsed = fields("King AB (2011) Handbook of tea. Tea Press, London")
    assert (parsed["title"].text, parsed["year"]) == ("Handbook of tea", "2011")
    assert "container" not in parsed


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("King A. Tea. J Tea. 2010;12:1890–1899.", "2010"),
        ("King A. Tea, 1850–1900. J Tea. 2010;12:1-9.", "2010"),
        ("King A. Heat fluxes (1981–2005). J Tea 88, 527–539 (2007).", "2007"),
        ("King A (2003a) Tea in 1850. J Tea 1:1-9", "2003"),
        ("King A. Tea. https://doi.org/10.1029/2004GB002395 (2005)", "2005"),
        ("King A. Tea. Chest2010;137:1", "2010"),
        ("King A; Teig S. Loss of tea, 1955–2015. Tea Ledger 2016, 9, 44–61.", "2016"),
        ("King A. Tea 31999.", None),
        ("King A. Tea", None),
        ("", None),
    ],
)
def test_the_year_is_neither_a_page_nor_part_of_a_title(text: str, year: str | None) -> None:
    assert fields(text).get("year") == year


def test_names_are_divided_in_either_order() -> None:
    cited = "Leaves of the tea plant. J Tea 2011;12:45-67."
    assert names(f"van der Berg J, O'Brien K. {cited}") == [
        ("J", "van der Berg"),
        ("K.", "O'Brien"),
    ]
    assert names(f"J. King, M.-L. Xu, and K. O'Brien. {cited}") == [
        ("J.", "King"), ("M.-L.", "Xu"), ("K.", "O'Brien")
    ]  # fmt: skip
    assert names(f"King, J., M. Xu, and K. Berg, 2011: {cited}") == [
        ("J.", "King"), ("M.", "Xu"), ("K.", "Berg")
    ]  # fmt: skip


def test_a_group_is_an_author_without_a_given_name() -> None:
    [group] = fields("World Health Organization. Tea and health. Geneva: WHO; 2011.")["authors"]
    assert (group.family, group.given, group.group) == ("World Health Organization", "", True)


def test_an_identifier_that_may_go_on_is_less_sure() -> None:
    sure = fields("King A. Tea. doi:10.1000/tea", "10.1000/tea")
    cut = fields("King A. Tea. doi:10.1000/tea. 2011.4", "10.1000/tea")
    linked = fields("King A. Tea.", "10.1000/tea")
    assert sure["doi"] == "10.1000/tea"
    assert sure["doi_confidence"] == linked["doi_confidence"] > cut["doi_confidence"]


def test_signs_that_belong_to_a_part_stay() -> None:
    parsed = fields("King A, Xu L. What is tea? J. Trop. Tea. 2011;12:45-67.")
    assert parsed["title"].text == "What is tea?"
    assert parsed["container"].text == "J. Trop. Tea."


def test_citations_together_are_parsed_as_each_alone() -> None:
    texts = [style.format(title="Leaves of tea") for style in STYLES.values()] + ["", "…"]
    together = parse([Citation.of(text) for text in texts], shipped_weights())
    for text, parts in zip(texts, together, strict=True):
        [alone] = parse([Citation.of(text)], shipped_weights())
        assert {name: part.text for name, part in alone.parts.items()} == {
            name: part.text for name, part in parts.parts.items()
        }


def test_text_of_any_length_is_parsed() -> None:
    noise = ["(" * 50_000, "a," * 50_000, "10.1000/" + "." * 50_000, "1999 " * 20_000]
    assert len(parse([Citation.of(text) for text in noise], shipped_weights())) == len(noise)
