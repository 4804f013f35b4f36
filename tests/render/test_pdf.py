import ctypes
import gc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_pdfs import PX, link, locked, pdf, text

from pagesight.errors import PageTooComplex, PdfDamaged, PdfLocked, RenderError
from pagesight.page import Node, NodeKind, Note, Page, Visibility
from pagesight.render.pdf import page_from_pdf, version
from pagesight.render.pdf.fonts import face
from pagesight.render.pdf.handles import read_bytes
from pagesight.render.pdf.spelling import accented, spell


def lines(page: Page) -> list[str]:
    return [node.text for node in page.find("line")]


def line(page: Page, start: str) -> Node:
    return next(node for node in page.find("line") if all_text(node).startswith(start))


def all_text(node: Node) -> str:
    return "".join(inner.own_text for inner in node.descendants)


def test_a_line_is_a_node_with_its_text_and_place() -> None:
    page = page_from_pdf(pdf(text(72, 700, "Hello world", 12)), url="https://example.org/a.pdf")
    (node,) = page.find("line")
    assert node.text == "Hello world"
    assert node.xpath == "/pdf/sheet/line"
    assert [child.kind for child in node.children] == [NodeKind.TEXT]
    assert node.box.x == pytest.approx(72 * PX, abs=0.1)
    assert node.box.bottom == pytest.approx((842 - 700 + 0.2 * 12) * PX, abs=0.1)
    assert node.style.font_size == pytest.approx(16)
    assert [run.text for run in node.runs] == ["Hello world"]


def test_the_page_knows_what_it_is() -> None:
    page = page_from_pdf(pdf(text(72, 700, "One"), text(72, 700, "Two")), url="https://e.org/x")
    assert (page.info.media, page.info.renderer, page.url) == ("pdf", "pdf", "https://e.org/x")
    assert page.info.viewport == (round(595 * PX), round(842 * PX))
    assert page.info.size == pytest.approx((595 * PX, 2 * 842 * PX))
    assert page.info.renderer_version == version()
    assert page.complete


def test_sheets_are_stacked_and_numbered() -> None:
    page = page_from_pdf(pdf(text(72, 700, "One"), text(72, 700, "Two")))
    first, second = page.find("line")
    assert (first.sheet, second.sheet) == (1, 2)
    assert second.children[0].sheet == 2
    assert second.box.y - first.box.y == pytest.approx(842 * PX)
    assert second.xpath == "/pdf/sheet[2]/line"
    assert page.root.text == "One\nTwo"


def test_columns_are_not_joined() -> None:
    rows = "".join(
        text(72, 700 - 12 * row, f"left column {row} x") + text(160, 700 - 12 * row, "right side")
        for row in range(5)
    )
    page = page_from_pdf(pdf(rows))
    assert lines(page).count("right side") == 5
    assert "left column 3 x" in lines(page)


def test_a_narrow_gutter_is_known_by_the_rows_around_it() -> None:
    words = "BT /F 10 Tf 1 0 0 1 72 {y} Tm [(some words) -{gap} (beside)] TJ ET\n"
    columns = "".join(words.format(y=700 - 12 * row, gap=1100) for row in range(6))
    stretched = "".join(text(72, 700 - 12 * row, "a plain line of words here") for row in (0, 2))
    one = page_from_pdf(pdf(columns))
    other = page_from_pdf(pdf(stretched + words.format(y=688, gap=1100)))
    assert lines(one).count("some words") == 6
    assert "some words beside" in lines(other)


def test_labels_stay_with_their_items() -> None:
    rows = "".join(
        text(72, 700 - 12 * row, f"{row}.") + text(96, 700 - 12 * row, "Item") for row in range(4)
    )
    assert lines(page_from_pdf(pdf(rows))) == [f"{row}. Item" for row in range(4)]


def test_marks_are_parts_of_their_line() -> None:
    content = "BT 1 0 0 1 72 700 Tm /F 10 Tf (Smith) Tj 4 Ts /F 6 Tf (1,2) Tj 0 Ts /F 10 Tf "
    content += "(, H) Tj -2 Ts /F 6 Tf (2) Tj 0 Ts /F 10 Tf (O) Tj ET"
    (node,) = page_from_pdf(pdf(content)).find("line")
    assert node.text == "Smith1,2, H2O"
    assert [(child.tag, child.text) for child in node.children] == [
        ("span", "Smith"), ("sup", "1,2"), ("span", ", H"), ("sub", "2"), ("span", "O"),
    ]  # fmt: skip
    assert node.style.font_size == pytest.approx(10 * PX)


def test_columns_are_told_by_their_edges_where_lines_are_not_level() -> None:
    left = [text(72, 700 - 12 * row, f"left column {row} ends here") for row in range(5)]
    right = [text(195, 694 - 12 * row, "right side") for row in range(4)]
    level = text(195, 700 - 12 * 4, "Heading", 10, "B")
    page = page_from_pdf(pdf("".join([*left, *right[:3], level])))
    assert "left column 4 ends here" in lines(page)
    assert "Heading" in lines(page)


def test_initials_at_the_end_of_a_line_are_no_label() -> None:
    full = "".join(text(72, 700 - 12 * row, "King, A., and so on, Lind B.") for row in (0, 2))
    stretched = text(72, 688, "King, A., Lind, B.") + text(165, 688, "D.")
    beside = "".join(text(200, 700 - 12 * row, f"{row}. Berg, C. On tea") for row in range(3))
    assert lines(page_from_pdf(pdf(full + stretched + beside))).count("1. Berg, C. On tea") == 1


def test_marks_may_stand_behind_a_drawn_sign() -> None:
    page = page_from_pdf(pdf(text(72, 700, "Ada King") + text(125, 704, "1,2", 6)))
    assert [all_text(node) for node in page.find("line")] == ["Ada King 1,2"]


def test_letters_may_reach_over_the_space_behind_them() -> None:
    content = "BT /I 10 Tf -1.9 Tw 1 0 0 1 72 700 Tm (University of Ecology) Tj ET"
    assert lines(page_from_pdf(pdf(content))) == ["University of Ecology"]


def test_hanging_marks_belong_to_what_they_mark() -> None:
    page = page_from_pdf(pdf(text(72, 704, "1", 6) + text(90, 700, "Department of Physics")))
    assert lines(page) == ["1 Department of Physics"]
    assert [node.text for node in page.find("sup")] == ["1"]


def test_drop_caps_belong_to_the_first_line() -> None:
    content = text(72, 676, "W", 34) + text(106, 692, "hales are") + text(106, 676, "large.")
    assert lines(page_from_pdf(pdf(content))) == ["Whales are", "large."]


def test_styles_are_told_apart() -> None:
    content = "BT 1 0 0 1 72 700 Tm /B 10 Tf (Abstract ) Tj /I 10 Tf 1 0 0 rg (Background) Tj ET"
    (node,) = page_from_pdf(pdf(content)).find("line")
    bold, italic = (child.style for child in node.children)
    assert node.text == "Abstract Background"
    assert (bold.font_weight, bold.italic, bold.font_family) == (700, False, "Times-Bold")
    assert (italic.font_weight, italic.italic, italic.color) == (400, True, "#ff0000")


def test_turned_text_stays_apart() -> None:
    content = text(72, 400, "Level text") + "BT /F 10 Tf 0 1 -1 0 70 390 Tm (arXiv:1234) Tj ET"
    page = page_from_pdf(pdf(content))
    assert lines(page) == ["Level text", "arXiv:1234"]
    box = line(page, "arXiv").box
    assert box.height > 3 * box.width
    assert box.bottom == pytest.approx((842 - 390) * PX, abs=2)


@pytest.mark.parametrize(
    ("rotation", "place"), [(0, (144, 142)), (90, (700, 144)), (180, (451, 700)), (270, (142, 451))]
)
def test_rotated_pages_are_shown_as_they_are_read(rotation: int, place: tuple[int, int]) -> None:
    page = page_from_pdf(pdf(text(144, 700, "Corner"), page=f"/Rotate {rotation}"))
    (node,) = page.find("line")
    width, height = (842, 595) if rotation % 180 else (595, 842)
    assert page.info.size == pytest.approx((width * PX, height * PX))
    x, y = place[0] * PX, place[1] * PX
    assert node.box.x - 20 <= x <= node.box.right + 20
    assert node.box.y - 20 <= y <= node.box.bottom + 20
    assert node.text == "Corner"


def test_upright_text_on_a_turned_page_is_level() -> None:
    content = "BT /F 10 Tf 0 1 -1 0 300 100 Tm (A wide table) Tj ET"
    (node,) = page_from_pdf(pdf(content, page="/Rotate 90")).find("line")
    assert node.text == "A wide table"
    assert node.box.width > 3 * node.box.height


def test_the_crop_box_is_the_sheet() -> None:
    content = text(150, 700, "Inside") + text(10, 20, "Crop marks")
    page = page_from_pdf(pdf(content, page="/CropBox [100 100 500 800]"))
    assert page.info.size == pytest.approx((400 * PX, 700 * PX))
    assert line(page, "Inside").box.x == pytest.approx(50 * PX, abs=0.1)
    assert line(page, "Crop").children[0].visibility is Visibility.OFF_SCREEN
    assert page.root.text == "Inside"


def test_links_are_kept() -> None:
    content = "BT /F 10 Tf 1 0 0 1 72 700 Tm (See example.org for more) Tj ET"
    links = [
        link("https://example.org/", "92 695 148 712"),
        link("https://orcid.org/0000-0002-1825-0097", "300 695 310 705"),
    ]
    page = page_from_pdf(pdf(content, annotations=links))
    (node,) = page.find("line")
    assert [child.tag for child in node.children] == ["span", "a", "span"]
    words, sign = page.find("a")
    assert (words.text, words.target) == ("example.org", "https://example.org/")
    assert node.text == "See example.org for more"
    assert (sign.text, sign.target) == ("", "https://orcid.org/0000-0002-1825-0097")
    assert sign.box.x == pytest.approx(300 * PX, abs=0.1)


def test_links_over_pictures_hold_them() -> None:
    page = page_from_pdf(
        pdf("q 20 0 0 20 72 700 cm /P Do Q", annotations=[link("https://e.org/", "72 700 92 720")])
    )
    (picture,) = page.find("img")
    assert picture.parent is not None
    assert picture.parent.target == "https://e.org/"
    assert tuple(picture.box) == pytest.approx((96, 122 * PX, 20 * PX, 20 * PX), abs=0.1)


def test_metadata_is_in_the_head() -> None:
    info = "/Title (On Whales) /Author (H. Melville) /Keywords (whales, sea) /Subject ()"
    page = page_from_pdf(pdf(text(72, 700, "Text"), info=info, catalog="/Lang (en-GB)"))
    assert page.head.title == "On Whales"
    assert page.head.get("author") == "H. Melville"
    assert page.head.meta == (("author", "H. Melville"), ("keywords", "whales, sea"))
    assert page.find("pdf")[0].attributes == {"lang": "en-GB"}
    assert page.root.text == "Text"


def test_metadata_may_be_written_as_in_html() -> None:
    info = "/Title (Cats &amp; Dogs &#8211; a study) /Author (A &lt; B)"
    head = page_from_pdf(pdf(text(72, 700, "Text"), info=info)).head
    assert (head.title, head.get("author")) == ("Cats & Dogs – a study", "A < B")


def test_without_metadata_there_is_no_title() -> None:
    assert page_from_pdf(pdf(text(72, 700, "Text"))).head.title is None


def test_white_text_is_hidden_unless_something_is_behind_it() -> None:
    white = "1 1 1 rg " + text(72, 700, "bare") + "1 1 1 rg " + text(72, 600, "panel")
    paper, panel = "1 1 1 rg 0 0 595 842 re f ", "0 0 1 rg 60 590 200 30 re f "
    page = page_from_pdf(pdf(paper + panel + white))
    assert line(page, "bare").children[0].visibility is Visibility.SAME_COLOR
    assert page.root.text == "panel"


def test_recognised_text_stands_for_the_scan() -> None:
    scan = "q 595 0 0 400 0 0 cm /P Do Q "
    page = page_from_pdf(pdf(scan + "3 Tr " + text(72, 300, "scanned") + text(72, 700, "secret")))
    assert page.root.text == "scanned"
    assert line(page, "secret").children[0].visibility is Visibility.HIDDEN


def test_text_printed_twice_is_read_once() -> None:
    page = page_from_pdf(pdf(text(72, 700, "Shadow") + "0.5 g " + text(72.5, 700, "Shadow")))
    assert lines(page) == ["Shadow"]


def test_accents_are_put_on_their_letters() -> None:
    content = "BT /F 10 Tf 1 0 0 1 72 700 Tm [(Andr) -111 (\\264) 444 (e)] TJ ET"
    assert lines(page_from_pdf(pdf(content))) == ["André"]


def test_scans_are_pages_of_pictures() -> None:
    page = page_from_pdf(pdf("q 500 0 0 700 40 40 cm /P Do Q"))
    assert [node.sheet for node in page.find("img")] == [1]
    assert [note.kind for note in page.info.notes] == ["no text"]


def test_most_sheets_may_be_pictures() -> None:
    scan = "q 500 0 0 700 40 40 cm /P Do Q"
    page = page_from_pdf(pdf(text(72, 700, "Cover"), scan, scan))
    assert page.info.notes == (Note("no text", "2 of 3 sheets are pictures", 2),)
    words = text(72, 700, "Tea")
    assert page_from_pdf(pdf(words, words, scan)).complete
    assert page_from_pdf(pdf(words + scan)).complete


def test_tiny_pictures_are_left_out() -> None:
    assert page_from_pdf(pdf("q 2 0 0 2 40 40 cm /P Do Q")).find("img") == []


def test_locked_files_say_so() -> None:
    with pytest.raises(PdfLocked) as caught:
        page_from_pdf(locked())
    assert caught.value.hint


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4", b"not a PDF", b"%PDF-1.4\n%%EOF\n" * 9])
def test_damaged_files_say_so(data: bytes) -> None:
    with pytest.raises(PdfDamaged):
        page_from_pdf(data)


def test_a_damaged_sheet_is_noted() -> None:
    data = pdf(text(72, 700, "One"), text(72, 700, "Two"))
    page = page_from_pdf(data.replace(b"[6 0 R 8 0 R]", b"[6 0 R null ]"))
    assert page.info.notes == (Note("damaged", "sheet 2"),)
    assert [node.sheet for node in page.find("sheet")] == [1, 2]
    assert lines(page) == ["One"]


def test_long_documents_are_cut_and_noted() -> None:
    page = page_from_pdf(pdf(*[text(72, 700, "Text")] * 5), max_sheets=2)
    assert len(page.find("sheet")) == 2
    assert page.info.notes == (Note("cut", "3 of 5 sheets", 3),)


def test_too_many_nodes_are_refused() -> None:
    with pytest.raises(PageTooComplex):
        page_from_pdf(pdf(*[text(72, 700, "Text")] * 5), max_nodes=10)


def test_pages_survive_being_saved() -> None:
    page = page_from_pdf(pdf(text(72, 700, "Hello"), annotations=[link("x:y", "0 0 5 5")]))
    assert Page.from_bytes(page.to_bytes()) == page


WHOLE = pdf(
    text(72, 700, "Some text", 12) + text(72, 650, "more") + "q 9 0 0 9 40 40 cm /P Do Q",
    "BT /B 9 Tf 0 1 -1 0 70 390 Tm [(a) -900 (b)] TJ ET",
    annotations=[link("https://example.org", "70 690 100 710")],
    info="/Title (T)",
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=12))
def test_damage_gives_a_page_or_a_render_error(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for place, value in changes:
        data[place] = value
    render_or_refuse(bytes(data))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(WHOLE)))
def test_truncation_gives_a_page_or_a_render_error(length: int) -> None:
    render_or_refuse(WHOLE[:length])


@pytest.mark.parametrize("number", ["1e39", "-1e39", "0", "0.00001", "99999999999"])
def test_absurd_numbers_do_no_harm(number: str) -> None:
    content = f"BT /F {number} Tf {number} 0 0 1 {number} 700 Tm (text) Tj ET "
    content += f"q {number} 0 0 5 0 0 cm /P Do Q"
    page = page_from_pdf(pdf(content, page=f"/CropBox [0 0 {number} 500]"))
    assert page.find("sheet")


def render_or_refuse(data: bytes) -> None:
    try:
        page = page_from_pdf(data)
    except RenderError:
        return
    assert page.find("sheet")
    assert Page.from_bytes(page.to_bytes(compress=False)) == page


@pytest.mark.parametrize(
    ("name", "weight", "italic"),
    [
        ("ABCDEF+CMBX10", 700, False), ("CMTI10", 400, True), ("CMR10", 400, False),
        ("Arial-BoldItalicMT", 700, True), ("MyriadPro-Semibold", 600, False),
        ("HelveticaNeueLTStd-Bd", 700, False), ("Roboto-Light", 300, False),
        ("AdvOTce3d9a73", 400, False), ("TimesNewRomanPS-ItalicMT", 400, True),
        ("MinionPro-It", 400, True), ("Calibri,Bold", 700, False), ("Inter-Black", 800, False),
        ("CMSY10", 400, False), ("NimbusSanL-Bold", 700, False), ("AdvPSMy-B", 700, False),
    ],
)  # fmt: skip
def test_faces_by_name(name: str, weight: int, italic: bool) -> None:
    assert face(name)[1:] == (weight, italic)
    assert "+" not in face(name).family


def test_faces_by_descriptor() -> None:
    assert face("F1", stem_weight=690).weight == 700
    assert face("F1", stem_weight=250).weight == 400
    assert face("F1", flags=1 << 6).italic


def test_spelling() -> None:
    assert spell("e\ufb03cient\x02") == "efficient-"
    assert spell("a\x00b\x1fc\u200b") == "abc"
    assert spell("e\u0301") == "é"
    assert accented("\u0131", "\u00b4") == "í"
    assert accented("1", "\u00b4") is None
    assert accented("q", "\u00b4") is None


@pytest.mark.corpora
def test_articles_of_the_corpus(corpora: Path) -> None:
    for path in sorted((corpora / "articles" / "pdf").glob("*.pdf"))[::4]:
        page = page_from_pdf(path.read_bytes())
        assert page.complete, path.name
        assert len(page.find("line")) > 20 * len(page.find("sheet")), path.name
        assert max(node.sheet for node in page.find("line")) == len(page.find("sheet"))
        assert "\ufffe" not in page.root.text


@pytest.mark.parametrize("before", [True, False])
def test_cycles_are_looked_for_again_after_a_document(before: bool) -> None:
    try:
        if not before:
            gc.disable()
        with pytest.raises(PageTooComplex):
            page_from_pdf(pdf(text(72, 700, "One")), max_nodes=1)
        assert gc.isenabled() is before
    finally:
        gc.enable()


@pytest.mark.parametrize("length", [0, 3, 4096, 4097, 20_000])
def test_what_pdfium_writes_may_be_of_any_length(length: int) -> None:
    class Written:
        argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong)

        def __call__(self, _: int, buffer: Any, size: int) -> int:
            if size >= length:
                ctypes.memmove(buffer, b"a" * length, length)
            return length

    assert read_bytes(Written(), 1) == b"a" * length
