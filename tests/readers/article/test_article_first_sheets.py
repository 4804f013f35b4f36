"""The first sheet of a PDF: in which order it is read, and what is below names and places."""

from __future__ import annotations

from small_pdf import pdf, text

from pagesight.readers.article.fields.abstract import abstract
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.reading import Affiliation, Author
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.render.pdf import page_from_pdf

TITLE = "On tea and on the water that it needs"
NAMES = "Ada King, Bo Lindqvist"
KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Leaves, Lund University, 221 00 Lund, Sweden"
LINE = "Tea has been drunk for a long time and by many people who like"


def zones_of(*contents: str) -> Zones:
    return article_zones(page_from_pdf(pdf(*contents)))


def lines(*texts: str, top: float, left: float = 72, size: float = 10) -> str:
    """Lines of a paragraph, one below the other."""
    pitch = 1.2 * size
    return "".join(text(left, top - pitch * rank, line, size) for rank, line in enumerate(texts))


def raised(x: float, y: float, mark: str) -> str:
    return text(x, y + 4, mark, 6)


HEAD = text(72, 780, TITLE, 20, "B") + text(72, 750, NAMES, 12)
BODY = lines(*[LINE] * 8, top=600) + lines(*[LINE] * 8, top=480)


# In which order


def test_the_head_of_a_sheet_is_read_first_however_late_it_is_drawn() -> None:
    texts = zones_of(BODY + HEAD).texts
    assert texts[:2] == [TITLE, NAMES]
    assert texts == zones_of(HEAD + BODY).texts


def test_so_is_an_abstract_above_the_text() -> None:
    summary = lines(*[LINE.replace("Tea", "Coffee")] * 5, top=720)
    texts = zones_of(HEAD + BODY + summary).texts
    assert [words.split()[0] for words in texts] == ["On", "Ada", "Coffee", "Tea", "Tea"]


def test_a_head_that_is_drawn_last_is_left_there() -> None:
    head = text(72, 815, "Journal of Tea Research 1851", 8)
    assert zones_of(HEAD + BODY + head).texts[-1] == "Journal of Tea Research 1851"


def test_a_second_column_begins_higher_than_the_first_ends() -> None:
    left = lines(*["Tea has been drunk for a long time"] * 30, top=700)
    right = lines(*["Coffee is drunk by as many people"] * 30, top=700, left=330)
    assert [words.split()[0] for words in zones_of(HEAD + left + right).texts] == [
        "On", "Ada", "Tea", "Coffee",
    ]  # fmt: skip


# Places


def read(content: str, *labels: str) -> tuple[tuple[Author, ...], tuple[Affiliation, ...]]:
    zones = zones_of(content)
    assert len(labels) == len(zones), zones.texts
    return authors_and_affiliations(LabelledZones(zones, list(labels), certain(labels)))


def test_notes_below_the_last_place_are_not_part_of_it() -> None:
    content = HEAD + raised(72, 720, "1") + text(76, 720, KYOTO) + raised(72, 708, "2")
    content += text(76, 708, LUND) + text(72, 696, "Present address of B. Lindqvist: Tea Museum")
    content += text(72, 684, "Funding: by the Tea Foundation, University of Tokyo, Japan")
    _, places = read(content, "title", "author", *["affiliation"] * (len(zones_of(content)) - 2))
    assert [place.text for place in places] == [KYOTO, LUND]


def test_a_place_may_have_the_marks_of_several_authors() -> None:
    names = text(72, 750, "Ada King", 12) + raised(121, 750, "1") + text(125, 750, ", Bo Lind", 12)
    names += raised(173, 750, "2") + text(177, 750, ", Carl Berg", 12) + raised(230, 750, "1-3")
    content = text(72, 780, TITLE, 20, "B") + names + raised(72, 720, "1-2") + text(80, 720, KYOTO)
    content += raised(72, 700, "3") + text(76, 700, LUND)
    authors, places = read(content, "title", "author", "affiliation", "affiliation")
    assert [place.text for place in places] == [KYOTO, LUND]
    assert [author.affiliations for author in authors] == [("aff1",), ("aff1",), ("aff1", "aff2")]


# What continues


def test_an_abstract_continues_on_the_next_sheet_below_a_licence() -> None:
    first = HEAD + lines(*[LINE] * 4, top=120)
    first += text(72, 40, "Published under the terms of the Creative Commons Licence.", 7)
    zones = zones_of(first, lines("tea with milk. That is all.", top=800))
    labels = ["title", "author", "abstract", "abstract", "abstract"]
    found = abstract(LabelledZones(zones, labels, certain(labels)))
    assert found is not None
    assert found.text == f"{' '.join([LINE] * 4)} tea with milk. That is all."


def test_a_licence_below_a_whole_sentence_ends_an_abstract() -> None:
    first = HEAD + lines(LINE, "tea with milk.", top=120)
    first += text(72, 40, "Published under the terms of the Creative Commons Licence.", 7)
    zones = zones_of(first, lines("Tea is also grown. That is all.", top=800))
    labels = ["title", "author", "abstract", "abstract", "abstract"]
    found = abstract(LabelledZones(zones, labels, certain(labels)))
    assert found is not None
    assert found.text == f"{LINE} tea with milk."


def test_an_identifier_may_continue_on_the_next_line() -> None:
    cited = lines(
        "1. King A. On tea. J Tea. 1851;3:1-9. doi:10.1000/j.tea.", "1851.03.001", top=700
    )
    cited += lines("2. Lind B. On milk. J Tea. 1852;4:1-9. doi:10.1000/milk. PMID:12345", top=660)
    zones = zones_of(cited)
    found = items(zones, ["reference"] * len(zones))
    assert [item.doi for item in found] == ["10.1000/j.tea.1851.03.001", "10.1000/milk"]
