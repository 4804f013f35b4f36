from __future__ import annotations

import pytest

from integrity import Integrity, field_integrity, integrity_table

TITLE = "On the Reading Order of Pages With Two Columns"
META = {"citation_title": [TITLE]}
OTHER = "Ann Author, Bo Writer and seven more people from a large university"


@pytest.mark.parametrize(
    ("zones", "expected"),
    [
        (["Menu", TITLE, OTHER], Integrity(found=1, own=1)),
        (["Article\n" + TITLE.upper(), OTHER], Integrity(found=1, own=1)),
        ([TITLE + "\n" + OTHER], Integrity(found=1, merged=1)),
        (["On the Reading Order", "of Pages With Two Columns", OTHER],
         Integrity(found=1, split=1, clean=1)),
        (["On the Reading Order", "of Pages With Two Columns\n" + OTHER],
         Integrity(found=1, split=1, merged=1)),
        (["Quite another text with pages and columns"], Integrity()),
        ([OTHER + " " + TITLE, TITLE], Integrity(found=1, own=1)),
    ],
    ids=["own", "with a word more", "merged", "split", "both", "absent", "the best place counts"],
)  # fmt: skip
def test_a_title_among_zones(zones: list[str], expected: Integrity) -> None:
    assert field_integrity(zones, META)["title"] == expected


REFERENCES = [
    "citation_title=How boxes are cut again and again; citation_journal_title=Journal of Boxes; "
    "citation_publication_date=1984",
    "Writer, B. A book about gaps of every kind. Large Press, 1999.",
]


def test_references_are_found_by_what_their_tags_say() -> None:
    zones = [
        "1. A. Author (1984) How boxes are cut again and again. Journal of Boxes 7, 1-9.",
        "2. Writer, B. A book about gaps of every kind. Large Press, 1999.",
    ]
    meta = {"citation_reference": REFERENCES}

    assert field_integrity(zones, meta)["reference"] == Integrity(found=2, own=2)
    assert field_integrity(["\n".join(zones)], meta)["reference"].merged == 1


def test_a_shortened_abstract_tells_nothing() -> None:
    abstract = "We describe an algorithm that is applied to pages of every kind..."

    assert field_integrity([abstract], {"dc.description": [abstract]})["abstract"] == Integrity()


def test_markup_in_tags_is_no_text() -> None:
    meta = {
        "citation_abstract": ["<p>We <i>describe</i> an algorithm, p &lt; 0.05, for pages.</p>"]
    }
    zones = ["Abstract: We describe an algorithm, p < 0.05, for pages."]

    assert field_integrity(zones, meta)["abstract"].own == 1


def test_the_table_names_shares() -> None:
    lines = integrity_table({"title": Integrity(4, 3, 1, 0, 1)}).splitlines()

    assert lines[1].split() == ["title", "4", "75.0%", "1", "1", "0"]
