"""What a page says although no label does: lists repeat themselves, and headings tell."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import BODY, REFERENCES
from small_pdf import pdf, text

from pagesight.page import Page
from pagesight.readers.article.fields.abstract import abstract
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.names.places import Institution, cleaned, is_likely_place
from pagesight.readers.article.zones import article_zones
from pagesight.render.pdf import page_from_pdf

LayOut = Callable[[str], Page]

PLACES = (
    "Department of Botany, University of Kyoto, Kyoto, Japan",
    "Institute of Plant Sciences, University of Lund, Lund, Sweden",
    "School of Medicine, University of Oxford, Oxford, United Kingdom",
)


def labelled(page: Page, labels: dict[str, str], confidence: float = 1.0) -> LabelledZones:
    """Zones with these labels by how their texts begin; all others are text."""
    zones = article_zones(page)
    found = [
        next((label for start, label in labels.items() if text.startswith(start)), "body")
        for text in zones.texts
    ]
    return LabelledZones(zones, found, certain(found, confidence))


def affiliations(found: LabelledZones) -> list[str]:
    return [place.text for place in authors_and_affiliations(found)[1]]


def test_affiliations_are_found_below_their_heading(lay_out: LayOut) -> None:
    content = "".join(f"<p>{place}</p><p>Ada King</p>" for place in PLACES)
    page = lay_out(f"<h2>Author information</h2>{content}<h2>Results</h2><p>{PLACES[0]}, again</p>")
    assert affiliations(labelled(page, {})) == list(PLACES)


def test_affiliations_like_those_that_are_labelled_are_found(lay_out: LayOut) -> None:
    content = "".join(f"<li class='aff'>{place}</li>" for place in PLACES)
    page = lay_out(f"<h1>On tea</h1><ul>{content}</ul><p>{PLACES[0]} is a fine place.</p>")
    assert affiliations(labelled(page, {PLACES[1]: "affiliation"})) == list(PLACES)


TAIL = "<p>© 2019 The Tea Press</p><p>Home</p><p>Imprint</p><p>Contact us</p>"


@pytest.mark.parametrize("count", [1, 2, 6])
@pytest.mark.parametrize(
    "html",
    [
        "<h2>Literatur</h2><p>{p}</p>",
        "<p><b>Références</b></p><p>{p}</p>",
        "<p><b>Bibliografía</b></p><p>{br}</p>",
        "<p><b>Referências</b><br>{br}</p>",
        "<div>参考文献</div><p>{p}</p>",
        "<h2>References</h2><p>{p}</p><h2>Interessenkonflikt</h2><p>Keiner, seit 2019.</p>",
    ],
)
def test_references_need_no_list_below_their_heading(
    lay_out: LayOut, html: str, count: int
) -> None:
    cited = REFERENCES[:count]
    lists = {"p": "</p><p>".join(cited), "br": "<br>".join(cited)}
    page = lay_out(f"<h1>Tea</h1><p>{BODY}</p>{html.format(**lists)}{TAIL}")
    zones = article_zones(page)
    assert [item.text for item in items(zones, ["body"] * len(zones))] == list(cited)


def test_navigation_to_the_references_is_no_list(lay_out: LayOut) -> None:
    page = lay_out(f"<p>References</p><p>Metrics</p><p>Published 2019</p><p>{BODY}</p>{TAIL}")
    zones = article_zones(page)
    assert items(zones, ["body"] * len(zones)) == []


def test_the_place_of_an_editor_is_no_affiliation(lay_out: LayOut) -> None:
    page = lay_out(f"<p>{PLACES[0]}</p><p>Academic Editor:</p><p>{PLACES[1]}</p>")
    found = labelled(page, {PLACES[0]: "affiliation", PLACES[1]: "affiliation"})
    assert affiliations(found) == [PLACES[0]]


def test_an_editor_is_no_author_and_has_no_affiliation(lay_out: LayOut) -> None:
    page = lay_out(
        f"<h1>On tea</h1><p>Academic Editor</p><p>Wei Zhang</p><p>Ada King</p><p>{PLACES[0]}</p>"
        f"<p>Editor: Bo Lindqvist, {PLACES[1]}</p>"
    )
    labels = {"On tea": "title", "Wei": "author", "Ada": "author", PLACES[0]: "affiliation"}
    found = labelled(page, labels | {"Editor:": "affiliation"})
    authors, places = authors_and_affiliations(found)
    assert [author.text for author in authors] == ["Ada King"]
    assert [place.text for place in places] == [PLACES[0]]


def test_marks_of_authors_point_to_notes(lay_out: LayOut) -> None:
    page = lay_out(
        "<h1>On tea</h1><p>Ada King<sup>a</sup>, Wei Zhang<sup>b</sup></p>"
        "<p><sup>a</sup>Department of Urology, <sup>b</sup>Department of Botany, University of "
        "Kyoto, Kyoto, Japan</p><p><sup>c</sup>Department of Tea, University of Lund, Sweden</p>"
    )
    found = labelled(page, {"On tea": "title", "Ada": "author"})
    authors, places = authors_and_affiliations(found)
    assert [(place.mark, place.text) for place in places] == [
        ("a", "Department of Urology"),
        ("b", "Department of Botany, University of Kyoto, Kyoto, Japan"),
    ]
    assert [author.affiliations for author in authors] == [("aff1",), ("aff2",)]


def test_numbers_between_those_of_places_are_of_places(lay_out: LayOut) -> None:
    lines = [PLACES[0], "Consumer Representative, Maple Grove, USA", PLACES[1]]
    content = "".join(f"<div>{rank} {line}</div>" for rank, line in enumerate(lines, start=1))
    page = lay_out(
        f"<h1>On tea</h1><p>Ada King<sup>1,2</sup>, Wei Zhang<sup>2,3</sup></p>{content}"
    )
    found = labelled(
        page, {"On tea": "title", "Ada": "author", "1 D": "affiliation", "3 I": "affiliation"}
    )
    assert set(affiliations(found)) == set(lines)


def test_who_paid_is_no_affiliation(lay_out: LayOut) -> None:
    page = lay_out(f"<p>Ada King</p><p>{PLACES[0]}</p><h2>Funding</h2><p>{PLACES[1]}</p>")
    found = labelled(page, {"Ada": "author", **dict.fromkeys(PLACES[:2], "affiliation")})
    assert affiliations(found) == [PLACES[0]]


def test_letters_have_no_abstract_without_heading(lay_out: LayOut) -> None:
    content = f"<h1>On tea</h1><p><b>{BODY}</b></p><p>{BODY[::-1]}</p>"
    labels = {"On tea": "title", BODY[:9]: "abstract"}
    assert abstract(labelled(lay_out(content), labels)) is not None
    page = lay_out(f"<p>Letter to the Editor</p>{content}")
    assert abstract(labelled(page, labels)) is None


def test_a_numbered_list_needs_no_heading() -> None:
    cited = [
        f"{number}. King A. On tea, part {number}. J Tea 1{800 + number}." for number in range(1, 8)
    ]
    lines = ["1. We drank the tea.", "2. We read the reports.", "", *cited]
    content = "".join(text(72, 700 - 20 * row, line) for row, line in enumerate(lines) if line)
    zones = article_zones(page_from_pdf(pdf(content)))
    found = items(zones, ["body"] * len(zones))
    assert [item.number for item in found] == [str(number) for number in range(1, 8)]
    assert found[0].text == "King A. On tea, part 1. J Tea 1801."


@pytest.mark.parametrize("place", PLACES)
def test_places_read_like_places(place: str) -> None:
    assert is_likely_place(place)


@pytest.mark.parametrize(
    "other",
    [
        "Ada King, Bo Lindqvist, Maria Garcia",
        "We gave tea to forty reviewers, half of them tired, and measured how long they read.",
        "King A, Xu L. On the virtues of tea: a survey of reviewers. J Tea Sci, 1851",
        "Correspondence to: Department of Botany, University of Kyoto, Kyoto, Japan",
    ],
)
def test_other_texts_do_not(other: str) -> None:
    assert not is_likely_place(other)


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        (" <a href=1>CrossRef</a> <a href=2>PubMed</a> [<a href=3>Google Scholar</a>]", ""),
        (". <a href=1>Publisher Full Text</a> | <a href=2>PubMed Abstract</a>", "."),
        (" <a href=1>Open in the tea search</a>", ""),  # all of them end so
        (" [ ] ( )", ""),
        (" Abstract", " Abstract"),  # no link
        (" <a href=1>BMC Genomics</a> 2007", " BMC Genomics 2007"),
        ("<i> </i>, <b>2</b> , 12 .", ", 2, 12."),
        (" [ ] " * 8000 + "1.", " 1."),
        (" CrossRef" * 8000 + " 1.", " CrossRef" * 8000 + " 1."),
        (" a" + "a" * 40_000, " a" + "a" * 40_000),
    ],
    ids=["links", "other links", "links that repeat", "brackets", "words", "journals",
         "spaced punctuation", "many brackets", "many words", "a long word"],
)  # fmt: skip
def test_references_end_before_their_links(lay_out: LayOut, end: str, kept: str) -> None:
    cited = "".join(f"<li>King A. On tea. J Tea 1851;3:1-{n}{end}</li>" for n in range(4))
    page = lay_out(f"<h1>On tea</h1><p>By Ada King</p><h2>References</h2><ol>{cited}</ol>")
    zones = article_zones(page)
    found = [item.text for item in items(zones, ["body"] * len(zones))]
    assert found == [f"King A. On tea. J Tea 1851;3:1-{n}{kept}" for n in range(4)]


def test_initials_are_not_links(lay_out: LayOut) -> None:
    names = "<div>Vaidya T, </div><div>Murguia </div><div>C</div><div>, Adams A. 2020 On tea.</div>"
    cited = "".join(f"<li>{names} J Tea {n}, 1–9.</li>" for n in range(4))
    zones = article_zones(lay_out(f"<h1>On tea</h1><h2>References</h2><ol>{cited}</ol>"))
    first, *_ = items(zones, ["body"] * len(zones))
    assert first.text == "Vaidya T, Murguia C, Adams A. 2020 On tea. J Tea 0, 1–9."


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("Med. Univ. I Halle, Halle, Germany", "Med. Univ. I Halle, Halle, Germany"),
        ("University of Lund, Lund. I thank Ada King.", "University of Lund, Lund"),
        ("University of Lund, Lund. We thank Ada King.", "University of Lund, Lund"),
        ("University of Lund, Lund. This work was paid.", "University of Lund, Lund"),
    ],
)
def test_places_end_before_sentences(written: str, place: str) -> None:
    assert cleaned(Institution(written, None, 0, 0)).text == place


LIST = "".join(f"<li>{text}</li>" for text in REFERENCES)


@pytest.mark.parametrize("copies", [2, 3])
def test_a_list_that_is_printed_several_times_is_one_list(lay_out: LayOut, copies: int) -> None:
    lists = "".join(f"<div class=p{rank}><ol>{LIST}</ol></div>" for rank in range(copies))
    page = lay_out(f"<h2>Results</h2><p>{BODY}</p><h2>References</h2>{lists}")
    zones = labelled(page, {text[:12]: "reference" for text in REFERENCES})
    assert [item.text for item in items(zones.zones, zones.labels)] == list(REFERENCES)


def test_a_journal_whose_name_is_a_heading_ends_no_list(lay_out: LayOut) -> None:
    cited = [
        f"King A. On tea, part {part}. <div><i>Methods</i></div> 18{part};1:2–9."
        for part in range(11, 19)
    ]
    page = lay_out(f"<h2>References</h2><ol>{''.join(f'<li>{text}</li>' for text in cited)}</ol>")
    zones = labelled(page, {})
    assert len(items(zones.zones, zones.labels)) == len(cited)


def test_the_first_year_of_a_list_may_be_far_below_its_heading(lay_out: LayOut) -> None:
    names = "".join(f"<div>Author{chr(97 + number % 26)} A.</div>" for number in range(60))
    rest = "".join(f"<li>{text}</li>" for text in REFERENCES)
    page = lay_out(
        f"<h2>References</h2><ol><li>{names}<div>On tea. J Tea. 1851;1:2.</div></li>{rest}</ol>"
    )
    zones = labelled(page, {})
    assert len(items(zones.zones, zones.labels)) == 1 + len(REFERENCES)


def test_a_reference_is_whole_where_its_label_begins_late(lay_out: LayOut) -> None:
    parts = [text.partition(". ") for text in REFERENCES]
    cited = "".join(f"<li><div>{names}</div><div>{rest}</div></li>" for names, _, rest in parts)
    page = lay_out(f"<p>{BODY}</p><ol>{cited}</ol>")
    zones = labelled(page, {rest[:9]: "reference" for _, _, rest in parts})
    first = items(zones.zones, zones.labels)[0]
    assert first.text.startswith(parts[0][0])


@pytest.mark.parametrize("holder", ["div", "li"])
def test_a_town_below_an_institution_belongs_to_it_in_a_repeated_element(
    lay_out: LayOut, holder: str
) -> None:
    entries = [("Department of Botany, University of Kyoto", "Kyoto, Japan"),
               ("Institute of Plant Sciences, University of Lund", "Lund, Sweden")]  # fmt: skip
    content = "".join(
        f"<{holder} class=aff><div>{place}</div><div>{town}</div></{holder}>"
        for place, town in entries
    )
    found = labelled(
        lay_out(f"<h1>On tea</h1>{content}<p>{BODY}</p>"),
        {entries[0][0]: "affiliation", entries[1][0]: "affiliation"},
    )
    assert affiliations(found) == [f"{place}, {town}" for place, town in entries]


def names(found: LabelledZones) -> list[str]:
    return [author.name for author in authors_and_affiliations(found)[0]]


RELATED = ("On kettles and on water", "On cups that were broken", "On milk in tea, once more")


def test_authors_of_other_articles_in_a_list_are_not_authors(lay_out: LayOut) -> None:
    others = "".join(
        f"<li><a href='/{rank}'>{title}</a><br>By Carl Berg, Dora Falk</li>"
        for rank, title in enumerate(RELATED)
    )
    page = lay_out(
        f"<h1>On green tea</h1><p>By Ada King, Bo Lind</p><h3>Also</h3><ul>{others}</ul>"
    )
    found = labelled(page, {"On green": "title", "By": "author", "On": "front", "Also": "front"})
    assert names(found) == ["Ada King", "Bo Lind"]


def test_a_link_that_is_repeated_above_names_is_not_a_title(lay_out: LayOut) -> None:
    names_below = "".join(
        f"<li><a href='/s'>Search for this author</a><br>{name}</li>"
        for name in ("Ada King", "Bo Lind", "Carl Berg")
    )
    page = lay_out(f"<h1>On green tea</h1><ul>{names_below}</ul>")
    found = labelled(page, {"On": "title", "Search": "front", "": "author"})
    assert names(found) == ["Ada King", "Bo Lind", "Carl Berg"]


def test_names_that_are_printed_twice_are_not_titles(lay_out: LayOut) -> None:
    twice = "".join(
        f"<li><a href='/{name}'>{name}</a><br>{name}</li>"
        for name in ("Ada B. King", "Bo C. Lind", "Carl D. Berg")
    )
    page = lay_out(f"<h1>On green tea</h1><ul>{twice}</ul>")
    assert names(labelled(page, {"On": "title", "": "author"})) == [
        "Ada B. King", "Bo C. Lind", "Carl D. Berg",
    ]  # fmt: skip


def test_names_and_places_may_be_in_one_sentence(lay_out: LayOut) -> None:
    page = lay_out(f"<h1>On tea</h1><p>By Ada King ({PLACES[0]}), Bo Lind ({PLACES[1]})</p>")
    found = labelled(page, {"On": "title", "By": "affiliation"})
    assert names(found) == ["Ada King", "Bo Lind"]
    assert affiliations(found) == list(PLACES[:2])


def test_a_place_that_has_something_in_brackets_names_nobody(lay_out: LayOut) -> None:
    page = lay_out(f"<h1>On tea</h1><p>{PLACES[0]} (Kyoto University)</p>")
    assert names(labelled(page, {"On": "title", "Department": "affiliation"})) == []


OLD = "10.1175/1520-0442(1999)012<1368:AMRROA>2.0.CO;2"


def test_identifiers_of_old_articles_are_whole(lay_out: LayOut) -> None:
    address = "https://doi.org/10.1175%2F1520-0442%281999%29012%3C1368%3AAMRROA%3E2.0.CO%3B2"
    cited = [
        f'<li>King A. On tea. J Tea 1999;{rank}:1-9. <a href="{address}">Article</a></li>'
        for rank in range(6)
    ]
    page = lay_out(f"<h2>References</h2><ol>{''.join(cited)}</ol>")
    found = items(article_zones(page), labelled(page, {"King": "reference"}).labels)
    assert {item.doi for item in found} == {OLD}
