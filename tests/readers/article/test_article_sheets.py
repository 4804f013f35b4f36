"""What stands on sheets besides the text of a PDF, and what goes on from sheet to sheet."""

from __future__ import annotations

from itertools import count

from small_pdf import pdf, text

from pagesight.readers.article.fields.references import items
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.render.pdf import page_from_pdf

LINES = ("Tea is as old as anybody knows", "and is drunk in all countries by", "people who like it")


def zones_of(*contents: str) -> Zones:
    return article_zones(page_from_pdf(pdf(*contents)))


def column(*lines: str, top: float = 700, left: float = 72, pitch: float = 12) -> str:
    """Lines below each other; those that begin with a space stand in."""
    return "".join(
        text(left + 15 * line.startswith(" "), top - pitch * rank, line.strip())
        for rank, line in enumerate(lines)
    )


def test_running_heads_are_no_text() -> None:
    sheets = [
        text(72, 810, "Journal of Tea, 1851") + text(500, 30, str(number)) + column(LINES[0])
        for number in range(1, 5)
    ]
    found = zones_of(*sheets).texts
    assert found[:3] == ["Journal of Tea, 1851", "1", LINES[0]]  # the first sheet is kept
    assert found[3:] == [LINES[0]] * 3


def test_heads_of_left_and_right_sheets_differ() -> None:
    heads = ("Journal of Tea", "Ada King", "Journal of Tea", "Bo Lind and others", "Journal of Tea")
    found = zones_of(*(text(72, 810, head) + column(LINES[0]) for head in heads)).texts
    assert found == ["Journal of Tea", *[LINES[0]] * 5]


def test_running_heads_may_have_several_lines() -> None:
    head = column("Journal of Tea, 1851", "not for sale", top=815)
    found = zones_of(*(head + column(LINES[0]) for _ in range(3))).texts
    assert found == ["Journal of Tea, 1851 not for sale", *[LINES[0]] * 3]


def test_two_sheets_that_begin_alike_have_no_running_head() -> None:
    found = zones_of(*(text(72, 810, "Figures") + column(LINES[0]) for _ in range(2))).texts
    assert found.count("Figures") == 2


def test_the_last_lines_of_sheets_are_no_running_feet() -> None:
    last = ("London: Kettle and sons.", "1851;3:1-9.")
    sheets = [column(*LINES, *last, top=92) + text(300, 20, str(number)) for number in range(1, 5)]
    assert zones_of(*sheets).texts == [" ".join(LINES + last), "1", *[" ".join(LINES + last)] * 3]


def test_the_lines_of_a_manuscript_may_be_numbered() -> None:
    numbers = count(1)
    sheets = []
    for _ in range(2):
        sheet = ""
        for rank in range(12):
            sheet += text(40, 700 - 24 * rank, str(next(numbers)), 8)
            sheet += text(72, 700 - 24 * rank, LINES[rank % 3])
        sheets.append(sheet)
    assert zones_of(*sheets).texts == [" ".join(LINES * 4)] * 2


def test_numbers_of_references_are_no_numbers_of_lines() -> None:
    body = column(*LINES * 5)
    listed = "".join(
        text(60, 700 - 24 * rank, str(rank + 1), 10, "B")
        + text(80, 700 - 24 * rank, f"King A. On tea and the sea. J Tea 1851;{rank}:1-9.")
        + text(80, 688 - 24 * rank, "London: Kettle and sons.")
        for rank in range(12)
    )
    found = zones_of(body, body, text(72, 720, "References", 12, "B") + listed).texts
    assert [each.split()[0] for each in found[-12:]] == [str(rank + 1) for rank in range(12)]


def references(*sheets: str) -> list[str]:
    """The references of sheets on which all zones below the heading are labelled so."""
    zones = zones_of(*sheets)
    start = zones.texts.index("References")
    labels = ["reference" if zone > start else "body" for zone in range(len(zones))]
    return [item.text for item in items(zones, labels)]


def cited(rank: int, name: str = "King") -> tuple[str, ...]:
    return (
        f"{name}, A., \\({1851 + rank}\\). On tea number {rank}, with remarks on",
        f"  coffee and on kettles. Journal of Tea {rank}, 17.",
    )


def test_references_need_no_numbers() -> None:
    lines = [line for rank in range(8) for line in cited(rank)]
    found = references(text(72, 720, "References", 12, "B") + column(*lines))
    assert len(found) == 8
    assert found[3] == (
        "King, A., (1854). On tea number 3, with remarks on coffee and on kettles. "
        "Journal of Tea 3, 17."
    )


def test_a_reference_may_go_on_on_the_next_sheet() -> None:
    lines = [line for rank in range(8) for line in cited(rank)]
    heads = [text(72, 815, "Journal of Tea 12") for _ in range(3)]
    first = heads[0] + text(72, 720, "References", 12, "B") + column(*lines[:7])
    found = references(first, heads[1] + column(*lines[7:]), heads[2])
    assert len(found) == 8
    assert found[3].endswith("remarks on coffee and on kettles. Journal of Tea 3, 17.")


def test_numbered_references_go_on_in_the_next_column() -> None:
    lines = [f"{rank}. King A. On tea. J Tea, vol. {rank}, pp. 1-9, 1851." for rank in range(1, 8)]
    left = column(*lines[:5], "6. King A. On tea. J Tea, vol. 6, pp.")
    right = column("1-9, 1851.", lines[6], left=330)
    found = references(text(72, 720, "References", 12, "B") + left + right)
    assert found[5:] == [f"King A. On tea. J Tea, vol. {rank}, pp. 1-9, 1851." for rank in (6, 7)]


def test_the_address_of_a_numbered_reference_may_stand_in_the_next_column() -> None:
    lines = [f"{rank}. King A. On tea. J Tea. 1851;{rank}:1-9." for rank in range(1, 8)]
    right = column("doi:10.1000/6", lines[6], left=330)
    found = references(text(72, 720, "References", 12, "B") + column(*lines[:6]) + right)
    assert found[5] == "King A. On tea. J Tea. 1851;6:1-9. doi:10.1000/6"


def test_numbers_may_have_a_column_of_their_own() -> None:
    content = text(72, 720, "References", 12, "B")
    for rank in range(8):
        top = 700 - 24 * rank
        content += text(72, top, str(rank + 1)) + text(102, top, "King A. On tea. Ecology Letters.")
        content += text(102, top - 12, f"1851;{rank}:1-9.")
    found = references(content)
    assert found == [f"King A. On tea. Ecology Letters. 1851;{rank}:1-9." for rank in range(8)]


def test_a_number_that_ends_a_range_of_pages_begins_no_reference() -> None:
    zones = zones_of(
        "".join(
            text(72, 700 - 30 * rank, line)
            for rank, line in enumerate(
                [
                    *(f"{rank}. King A. On tea. J Tea 1851, 3, 1-9." for rank in range(1, 6)),
                    "6. King A. On tea. J Tea 1851, 3, 12-",
                    "27. https://doi.org/10.1000/6",
                    "7. King A. On tea. J Tea 1851, 3, 1-9.",
                ]
            )
        )
    )
    found = items(zones, ["reference"] * len(zones))
    assert [item.number for item in found] == [str(number) for number in range(1, 8)]
