"""What is known of an article from its tags or from its JATS file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.readers.article.learning.truth import Truth, truth_of_jats, truth_of_tags

LONG = "Tea is as old as anybody knows, and is drunk in all countries of the world by many. " * 2
JATS = """<article xmlns:xlink="x"><front><article-meta>
<title-group><article-title>On tea<xref>*</xref></article-title><subtitle>A survey</subtitle>
</title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>King</surname><given-names>Ada B.</given-names></name>
<xref rid="a1"/></contrib>
<contrib contrib-type="author"><collab>The Tea Group</collab></contrib>
<contrib contrib-type="editor"><name><surname>Lind</surname><given-names>Bo</given-names></name>
<xref rid="a2"/></contrib></contrib-group>
<aff id="a1"><label>1</label><institution>Tea House</institution><country>Japan</country></aff>
<aff id="a2"><institution>Coffee House</institution></aff>
<aff>Cup House, Lund<email>cup@tea.example</email></aff>
<abstract abstract-type="graphical"><p>A picture</p></abstract>
<abstract><title>Abstract</title><p>{long}</p></abstract>
</article-meta></front><back><ref-list>
<ref><label>1</label><mixed-citation>King A. Tea &lt;3. <pub-id>10.1/x</pub-id></mixed-citation>
</ref>
<ref><label>2</label></ref></ref-list></back></article>"""


@pytest.fixture
def truth(tmp_path: Path) -> Truth:
    path = tmp_path / "tea.xml"
    path.write_text(JATS.format(long=LONG))
    return truth_of_jats(path)


def test_a_title_may_have_two_forms(truth: Truth) -> None:
    assert truth.titles == ("On tea", "On tea: A survey")


def test_editors_and_groups_are_not_authors(truth: Truth) -> None:
    assert [(name.given, name.family) for name in truth.authors] == [("Ada B.", "King")]


def test_places_of_editors_are_left_out(truth: Truth) -> None:
    assert truth.affiliations == ("Tea House Japan", "Cup House, Lund")


def test_the_abstract_is_neither_the_graphical_one_nor_its_heading(truth: Truth) -> None:
    assert truth.abstract == LONG.strip()


def test_references_come_without_labels_and_identifiers(truth: Truth) -> None:
    assert truth.references == ("King A. Tea <3.",)


def test_a_file_without_an_article_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "other.xml"
    path.write_text("<book/>")
    assert truth_of_jats(path) == Truth()


@pytest.mark.parametrize(
    ("text", "abstract", "cut_off"),
    [
        ("A teaser of a few words.", None, False),
        (f"Abstract: {LONG}", LONG.strip(), False),
        (f"{LONG.strip()[:-1]} ...", LONG.strip()[:-1], True),
    ],
)
def test_descriptions_may_be_abstracts(text: str, abstract: str | None, cut_off: bool) -> None:
    truth = truth_of_tags({"dc.description": [text]})
    assert (truth.abstract and truth.abstract.strip(), truth.cut_off) == (abstract, cut_off)


def test_the_longer_list_of_authors_counts_and_templates_do_not() -> None:
    truth = truth_of_tags(
        {"citation_author": ["King, Ada"], "dc.creator": ["Ada King", "Bo Lind", "$author"]}
    )
    assert [name.family for name in truth.authors] == ["King", "Lind"]


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("1. King A. On tea. 1851", "King A. On tea. 1851"),
        ("citation_title=On tea;citation_author=AB King;citation_author=B Lind;citation_year=1851",
         "On tea King 1851"),
        ("citation_journal_title=J Tea;citation_volume=12;citation_year=1851", "J Tea 12 1851"),
        ("citation_title=J Tea;citation_title=On tea;citation_year=1851", "On tea 1851"),
    ],
)  # fmt: skip
def test_references_of_tags_are_what_is_printed(tag: str, text: str) -> None:
    assert truth_of_tags({"citation_reference": [tag]}).references == (text,)


def test_references_of_a_word_or_two_say_nothing() -> None:
    assert truth_of_tags({"citation_reference": ["citation_volume=12"]}).references == ()
