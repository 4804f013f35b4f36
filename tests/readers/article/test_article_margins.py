"""Places and addresses in margins and at the foot of PDFs, and signs beside names."""

from __future__ import annotations

from small_pdf import link, pdf, text

from pagesight.page import Page
from pagesight.readers.article.fields.affiliations import signed_places, signed_zones
from pagesight.readers.article.fields.authors import authors_and_affiliations, identify
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.names.persons import Person
from pagesight.readers.article.reading import Affiliation, Author
from pagesight.readers.article.zones import article_zones
from pagesight.render.pdf import page_from_pdf

MARGIN = (
    "Department of Botany, University of",
    "Kyoto, Kyoto, Japan \\(A B King MD,",
    "L Xu PhD\\); Institute of Zoology",
    "\\(B Lind MS\\) and Institute of Ecology",
    "\\(C Berg\\), Lund University, Lund, Sweden;",
    "School of Medicine, Oxford, UK \\(D Ray\\)",
)
NAMES = ("Ada B King", "Li Xu", "Bo Lind", "Carl Berg", "Dora Ray")


def sheet(*lines: str, size: float = 7) -> Page:
    return page_from_pdf(
        pdf("".join(text(40, 600 - 9 * rank, line, size) for rank, line in enumerate(lines)))
    )


def test_places_in_the_margin_name_their_authors() -> None:
    zones = article_zones(sheet(*MARGIN))
    found = [Person(name, 0) for name in NAMES]
    located = signed_places(zones, signed_zones(zones, found))
    assert [place.text for place in located] == [
        "Department of Botany, University of Kyoto, Kyoto, Japan (A B King MD, L Xu PhD)",
        "Institute of Zoology, Lund University, Lund, Sweden (B Lind MS)",
        "Institute of Ecology, Lund University, Lund, Sweden (C Berg)",
        "School of Medicine, Oxford, UK (D Ray)",
    ]


def test_initials_behind_addresses_make_no_margin() -> None:
    mails = "; ".join(
        f"{sign[0].lower()}@tea.example \\({sign}\\)" for sign in ("A.B.K.", "B.L.", "C.B.")
    )
    zones = article_zones(sheet(f"Kyoto; {mails}"))
    assert signed_zones(zones, [Person(name, 0) for name in NAMES]) == []


def read(page: Page, *labels: str) -> tuple[tuple[Author, ...], tuple[Affiliation, ...]]:
    zones = article_zones(page)
    assert len(labels) == len(zones), zones.texts
    return authors_and_affiliations(LabelledZones(zones, list(labels), certain(labels)))


def front(*notes: str) -> Page:
    """A title, three names with signs, a text, and notes."""
    content = text(72, 800, "On tea and the sea", 20, "B")
    content += (
        text(72, 770, "Ada King*, Bo Lind\\206, and Carl Berg\\207", 12)
        .replace(
            "\\206",
            "\\262",  # a dagger in the standard encoding
        )
        .replace("\\207", "\\263")
    )
    content += text(72, 730, "Tea is as old as anybody knows.", 10)
    content += "".join(text(72, 200 - 20 * rank, note, 8) for rank, note in enumerate(notes))
    return page_from_pdf(pdf(content))


def test_signs_point_to_notes_at_the_foot() -> None:
    page = front(
        "*Department of Botany, University of Kyoto, Kyoto, Japan \\(e-mail: king@tea.example\\).",
        "\\262Institute of Zoology, Lund University, Lund, Sweden. We thank the cooks.",
        "\\263Both authors contributed equally to this work.",
    )
    authors, places = read(page, "title", "author", "body", "body", "body", "body")
    assert [place.text for place in places] == [
        "Department of Botany, University of Kyoto, Kyoto, Japan",
        "Institute of Zoology, Lund University, Lund, Sweden",
    ]
    assert [author.affiliations for author in authors] == [("aff1",), ("aff2",), ()]
    assert [author.email for author in authors] == ["king@tea.example", None, None]


def test_drawn_signs_lead_to_the_identifiers_of_the_names_before_them() -> None:
    names = ("Ada King", "Bo Lind", "Carl Berg")
    orcids = [f"0000-0002-1825-000{number}" for number in range(3)]
    content = text(72, 770, "Ada King     , Bo Lind     and", 12) + text(72, 755, "Carl Berg", 12)
    places = ((122, 768), (182, 768), (125, 753))
    links = [
        link(x, y, x + 8, y + 9, f"https://orcid.org/{orcid}")
        for (x, y), orcid in zip(places, orcids, strict=True)
    ]
    page = page_from_pdf(pdf(content, links=links))
    nodes = [node for node in range(len(page)) if page.name(node) == "#text"]
    found = [
        Person(name, next(node for node in nodes if name in page[node].text)) for name in names
    ]
    for person in found:
        person.nodes.append(person.node)
    identify(article_zones(page), found)
    assert [person.orcid for person in found] == orcids
