"""The formats of bibliographies, read back by the parsers of others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pagesight.output.bibtex import Keys, bibtex
from pagesight.output.cited import cited_works
from pagesight.output.csl import csl
from pagesight.output.jats import jats
from pagesight.output.markdown import markdown
from pagesight.output.ris import ris
from pagesight.output.tei import tei
from pagesight.page import Box
from pagesight.readers.article import (
    Abstract,
    Affiliation,
    ArticleDate,
    ArticleReading,
    ArticleValue,
    Author,
    CitedAuthor,
    CitedPart,
    Reference,
    Section,
)

etree: Any = import_module("lxml.etree")  # none of these has types
bibtexparser: Any = import_module("bibtexparser")
rispy: Any = import_module("rispy")
jsonschema: Any = import_module("jsonschema")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # bibtexparser's parser
SCHEMAS = Path(__file__).parent / "schemas"
PLACE: dict[str, Any] = {"confidence": 0.9, "box": Box(0, 0, 9, 9)}
TEI = "{http://www.tei-c.org/ns/1.0}"

GROUP = "Salt and Pepper Consortium"

READING = ArticleReading(
    is_article=True,
    confidence=0.99,
    title=ArticleValue(text="Tea & 50% more DNA_binding in {Camellia}: $5 #1 < 2", **PLACE),
    authors=(
        Author(
            text="José van der Núñez Jr.",
            given="José",
            family="van der Núñez",
            suffix="Jr.",
            degrees=("MD",),
            orcid="0000-0002-1825-0097",
            email="jose@tea.example",
            corresponding=True,
            affiliations=("aff1", "aff2"),
            **PLACE,
        ),
        Author(text="茶 王", given="茶", family="王", affiliations=("aff2",), **PLACE),
        Author(text=GROUP, family=GROUP, group=True, affiliations=("aff1",), **PLACE),
    ),
    affiliations=(
        Affiliation(id="aff1", mark="1", text="Department of Tea & Biscuits, Kyoto", **PLACE),
        Affiliation(id="aff2", mark="2", text="茶学院, 杭州", **PLACE),
    ),
    abstract=Abstract(
        text="Tea is > coffee.\nWe drank it.",
        sections=(
            Section(heading="Background", text="Tea is > coffee."),
            Section(heading="", text="We drank it."),
        ),
        **PLACE,
    ),
    keywords=(ArticleValue(text="tea", **PLACE), ArticleValue(text="Camellia sinensis", **PLACE)),
    references=(
        Reference(text="[1] King A. On *tea*. 1851.", number="1", year="1851", **PLACE),
        Reference(
            text="Li B, Tea Group. <Leaves>. J Tea 2001;3(2):1–9.",
            authors=(
                CitedAuthor("Li B", 0.9, "B", "Li"),
                CitedAuthor("Tea Group", 0.8, "", "Tea Group", group=True),
            ),
            title=CitedPart("<Leaves>", 0.9),
            container=CitedPart("J Tea", 0.9),
            volume=CitedPart("3", 0.9),
            issue=CitedPart("2", 0.9),
            pages=CitedPart("1–9", 0.9),
            year="2001",
            doi="10.1000/<tea>&1",
            **PLACE,
        ),
        Reference(
            text="Xu C. Cups. Tea Press, 1999.",
            authors=(CitedAuthor("Xu C", 0.9, "C", "Xu"),),
            title=CitedPart("Cups", 0.9),
            **PLACE,
        ),
    ),
    dates=(ArticleDate(text="3 May 2024", kind="accepted", date="2024-05-03", **PLACE),),
    doi=ArticleValue(text="10.1000/tea.1", **PLACE),
    year=ArticleValue(text="2024", **PLACE),
    journal=ArticleValue(text="Annals of Tea & Biscuits", **PLACE),
    volume=ArticleValue(text="18", **PLACE),
    issue=ArticleValue(text="3–4", **PLACE),
    pages=ArticleValue(text="211–228", **PLACE),
    url="https://tea.example/a?b=1&c=2",
)
NOTHING = ArticleReading(is_article=False, confidence=0.0)
anything = st.text(max_size=20).map(str.strip).filter(lambda text: bool(text.split()))


def titled(title: str) -> ArticleReading:
    return replace(READING, title=ArticleValue(text=title, **PLACE))


def parse_bibtex(text: str) -> dict[str, str]:
    [entry] = bibtexparser.loads(text).entries
    return dict(entry)


NAMED = {"backslash": "\\", "braceleft": "{", "braceright": "}", "asciitilde": "~",
         "asciicircum": "^"}  # fmt: skip


def without_latex(text: str) -> str:
    """What LaTeX makes of a text."""
    pieces = re.split(r"(\\text[a-z]+\{\}|\\[&%$#_])", text)
    marks = [NAMED.get(piece[5:-2], piece[1:]) for piece in pieces[1::2]]
    plain = [re.sub("[{}]", "", piece) for piece in pieces[::2]]
    return "".join(a + b for a, b in zip(plain, [*marks, ""], strict=True))


def test_bibtex_is_read_back() -> None:
    entry = parse_bibtex(bibtex(READING))
    assert READING.title is not None
    assert entry["ENTRYTYPE"] == "article"
    assert without_latex(entry["title"]) == READING.title.text
    assert entry["author"] == (
        "van der Núñez, Jr., José and 王, 茶 and {Salt and Pepper Consortium}"
    )
    assert (entry["year"], entry["doi"], entry["url"]) == ("2024", "10.1000/tea.1", READING.url)
    assert entry["ID"] == "vandernunez2024more"
    assert entry["journal"] == r"Annals of Tea \& Biscuits"
    assert (entry["volume"], entry["number"], entry["pages"]) == ("18", "3–4", "211--228")


def test_keys_differ() -> None:
    keys = Keys()
    found = [keys.new(titled("Tea leaves")) for _ in range(29)]
    assert found[:3] == [
        "vandernunez2024leaves",
        "vandernunez2024leavesa",
        "vandernunez2024leavesb",
    ]
    assert found[-2:] == ["vandernunez2024leavesaa", "vandernunez2024leavesab"]
    entries = bibtexparser.loads("".join(bibtex(READING, key) for key in found)).entries_dict
    assert list(entries) == found


def test_an_address_cannot_end_its_field() -> None:
    entry = parse_bibtex(bibtex(replace(READING, url="https://tea.example/}{")))
    assert entry["url"] == "https://tea.example/%7D%7B"


def test_a_given_name_cannot_become_another_author() -> None:
    author = replace(READING.authors[0], given="The Tea and Biscuit", suffix="")
    entry = parse_bibtex(bibtex(replace(READING, authors=(author,))))
    assert entry["author"] == "van der Núñez, {The Tea and Biscuit}"


def test_bibtex_keeps_capitals_and_escapes_latex() -> None:
    entry = parse_bibtex(bibtex(titled("Tea for DNA & RNA_x, the iPad 100%")))
    assert entry["title"] == r"Tea for {DNA} \& {RNA}\_x, the {iPad} 100\%"


@given(anything)
def test_any_title_survives_bibtex(title: str) -> None:
    # bibtexparser takes lone carriage returns and the like for line ends
    title = " ".join("".join(char for char in title if char.isprintable()).split()) or "tea"
    assert without_latex(parse_bibtex(bibtex(titled(title)))["title"]) == title


def test_ris_is_read_back() -> None:
    [record] = rispy.loads(ris(READING))
    assert READING.title is not None
    assert record["type_of_reference"] == "JOUR"
    assert record["title"] == READING.title.text
    assert record["authors"] == [
        "van der Núñez, José, Jr.", "王, 茶", "Salt and Pepper Consortium"
    ]  # fmt: skip
    assert record["author_address"] == "茶学院, 杭州" or "Kyoto" in str(record["author_address"])
    assert (record["year"], record["doi"]) == ("2024", "10.1000/tea.1")
    assert (record["secondary_title"], record["volume"]) == ("Annals of Tea & Biscuits", "18")
    assert (record["start_page"], record["end_page"]) == ("211", "228")
    assert record["keywords"] == ["tea", "Camellia sinensis"]
    assert record["abstract"] == "Tea is > coffee. We drank it."


@given(anything)
def test_no_text_breaks_a_ris_record(title: str) -> None:
    lines = ris(titled(f"{title}\r\nER  - ")).split("\r\n")
    assert [line for line in lines if line.startswith("ER  -")] == ["ER  - "]


def test_csl_json_is_valid() -> None:
    items = json.loads(csl([READING, READING, NOTHING]))
    jsonschema.validate(items, json.loads((SCHEMAS / "csl.json").read_text()))
    assert items[0]["author"] == [
        {"family": "van der Núñez", "given": "José", "suffix": "Jr."},
        {"family": "王", "given": "茶"},
        {"literal": GROUP},
    ]
    assert items[0]["issued"] == {"date-parts": [[2024]]}
    assert (items[0]["container-title"], items[0]["page"]) == (
        "Annals of Tea & Biscuits",
        "211-228",
    )
    assert len({item["id"] for item in items}) == 3
    assert csl([]) == "[]\n"


def test_groups_are_no_persons() -> None:
    assert [each.text for each in xml(jats(READING)).iter("collab")] == [GROUP, "Tea Group"]
    assert [each.text for each in xml(tei(READING)).iter(f"{TEI}orgName")] == [GROUP, "Tea Group"]
    assert f"and {{{GROUP}}}" in bibtex(READING)
    assert f"AU  - {GROUP}\r\n" in ris(READING)


def xml(text: str) -> Any:
    return etree.fromstring(text.encode())


def validate(schema: str, text: str) -> None:
    etree.RelaxNG(etree.parse(SCHEMAS / schema)).assertValid(xml(text))


@pytest.mark.parametrize("reading", [READING, NOTHING, replace(READING, abstract=None)])
def test_tei_and_jats_have_their_elements_in_order(reading: ArticleReading) -> None:
    validate("tei.rng", tei(reading))
    validate("jats.rng", jats(reading))


def test_tei_says_everything() -> None:
    root = xml(tei(READING))
    assert READING.title is not None
    assert root.findtext(f".//{TEI}analytic/{TEI}title") == READING.title.text
    assert [each.text for each in root.iter(f"{TEI}surname")][1] == "王"
    assert [each.text for each in root.iter(f"{TEI}note")] == [
        *("Department of Tea & Biscuits, Kyoto", "茶学院, 杭州", "茶学院, 杭州"),
        "Department of Tea & Biscuits, Kyoto",
        *(reference.text for reference in READING.references),
    ]  # fmt: skip
    assert (
        "".join(root.find(f".//{TEI}abstract/{TEI}p").itertext()) == "Background Tea is > coffee."
    )
    _, second, third = root.findall(f".//{TEI}listBibl/{TEI}biblStruct")
    assert second.findtext(f"{TEI}analytic/{TEI}title") == "<Leaves>"
    assert second.findtext(f"{TEI}monogr/{TEI}title") == "J Tea"
    assert second.findtext(f"{TEI}analytic//{TEI}orgName") == "Tea Group"
    assert second.find(f".//{TEI}date").get("when") == "2001"
    assert third.findtext(f"{TEI}monogr/{TEI}title") == "Cups"
    assert root.findtext(f".//{TEI}monogr/{TEI}title") == "Annals of Tea & Biscuits"
    scopes = ["18", "3–4", "211–228", "3", "2", "1–9"]
    assert [each.text for each in root.iter(f"{TEI}biblScope")] == scopes


def test_jats_says_everything() -> None:
    root = xml(jats(READING))
    assert READING.title is not None
    assert root.findtext(".//article-title") == READING.title.text
    assert [each.get("rid") for each in root.iter("xref")] == ["aff1", "aff2", "aff2", "aff1"]
    assert [each.text for each in root.iter("aff")] == [
        "Department of Tea & Biscuits, Kyoto", "茶学院, 杭州"
    ]  # fmt: skip
    assert [each.text for each in root.findall(".//abstract//p")] == [
        "Tea is > coffee.", "We drank it."
    ]  # fmt: skip
    assert root.findtext(".//pub-id") == "10.1000/<tea>&1"
    assert root.findtext(".//journal-title") == "Annals of Tea & Biscuits"
    assert (root.findtext(".//fpage"), root.findtext(".//lpage")) == ("211", "228")
    assert root.find(".//history/date").get("iso-8601-date") == "2024-05-03"
    parts = root.findall(".//element-citation")[1]
    tags = ("surname", "collab", "article-title", "source", "volume", "issue", "fpage", "lpage")
    assert [parts.findtext(f".//{tag}") for tag in tags] == [
        "Li", "Tea Group", "<Leaves>", "J Tea", "3", "2", "1", "9"
    ]  # fmt: skip


def test_cited_works_are_entries_of_a_bibliography() -> None:
    first, second = cited_works(READING)  # of the third, nothing is known
    entry = parse_bibtex(bibtex(first))
    assert (entry["ENTRYTYPE"], entry["author"]) == ("article", "Li, B and {Tea Group}")
    assert (entry["journal"], entry["number"], entry["pages"]) == ("J Tea", "2", "1--9")
    assert ris(second).startswith("TY  - GEN\r\nTI  - Cups\r\nAU  - Xu, C\r\n")
    assert [item["type"] for item in json.loads(csl([first, second]))] == [
        "article-journal", "document"
    ]  # fmt: skip


@given(st.text(max_size=20))
def test_any_text_becomes_valid_xml(title: str) -> None:
    validate("tei.rng", tei(titled(title)))
    validate("jats.rng", jats(titled(title)))


def shown(text: str) -> str:
    """The text that a Markdown document shows."""
    html = MarkdownIt("commonmark").render(text)
    return " ".join("".join(etree.HTML(html).itertext()).split())


def test_markdown_shows_the_texts_as_they_are() -> None:
    text = markdown(READING)
    assert text.startswith("# Tea \\& 50%")
    assert "José van der Núñez Jr. (1,2), 茶 王 (2), Salt and Pepper Consortium" in text
    seen = shown(text)
    assert READING.title is not None
    for part in (READING.title.text, READING.references[0].text, "We drank it."):
        assert part in seen


@given(st.text(alphabet="ab 1.*_[]<>#-+\\`&;~|!()", min_size=1, max_size=12))
def test_no_text_becomes_markup_in_markdown(title: str) -> None:
    text = " ".join(title.split())
    if text:
        assert shown(markdown(replace(NOTHING, title=ArticleValue(text=title, **PLACE)))) == text


@pytest.mark.parametrize("written", [bibtex, ris, markdown, tei, jats])
def test_no_text_controls_a_terminal(written: Callable[[ArticleReading], str]) -> None:
    noise = "".join(chr(code) for code in (*range(32), *range(127, 160)))
    title, url = (
        ArticleValue(text=f"Tea{noise}\x1b]0;x\x07", **PLACE),
        f"https://tea.example/{noise}",
    )
    text = written(replace(READING, title=title, url=url))
    assert not set(noise) & set(text) - set("\t\n\r")
