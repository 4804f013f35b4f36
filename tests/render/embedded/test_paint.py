"""Reading what was painted, from small PDFs that are written as cairo writes them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.paint import read_painting
from pagesight.render.embedded.painted import PaintedBox, PaintedText, Painting

Matrix = tuple[float, float, float, float, float, float]
Rect = tuple[float, float, float, float]
HEIGHT = 800
FLIP = f"1 0 0 -1 0 {HEIGHT} cm\n"
WIDE = (-1e9, -1e9, 1e9, 1e9)


def stream(content: str | bytes, entries: str = "", *, packed: bool = False) -> bytes:
    data = content.encode("latin-1") if isinstance(content, str) else content
    if packed:
        data, entries = zlib.compress(data), entries + " /Filter /FlateDecode"
    head = f"<< /Length {len(data)} {entries} >>\nstream\n".encode()
    return head + data + b"\nendstream"


def cmap(body: str) -> bytes:
    return stream(f"/CIDInit /ProcSet findresource begin\n{body}\nendcmap\nend")


def pdf(
    content: str | bytes, more: Mapping[int, str | bytes] | None = None, *, packed: bool = False
) -> bytes:
    """A PDF of one page. Object 10 is a font of one byte a code, 11 one of two."""
    objects: dict[int, str | bytes] = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 {HEIGHT}] /Contents 4 0 R\n"
        "/Group << /Type /Group /S /Transparency >> /Resources 5 0 R >>",
        4: stream(content, packed=packed),
        5: "<< /ExtGState << /a0 << /CA 0.5 /ca 0.5 >> /a1 << /CA 1 /ca 1 >> >>\n"
        "/Font << /f-0-0 10 0 R /f-1-0 11 0 R >> /XObject << /x5 20 0 R /x6 21 0 R >>\n"
        "/Pattern << /p7 22 0 R >> >>",
        10: "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Liberation-BoldItalic\n"
        "/FirstChar 40 /LastChar 100 /FontDescriptor 12 0 R /ToUnicode 13 0 R\n"
        f"/Widths [ {' '.join(['500'] * 61)} ] >>",
        11: "<< /Type /Font /Subtype /Type0 /BaseFont /GHIJKL+Wide /Encoding /Identity-H\n"
        "/DescendantFonts [ 14 0 R] /ToUnicode 15 0 R >>",
        12: "<< /Type /FontDescriptor /Ascent 905 /Descent -212 >>",
        13: cmap("53 beginbfchar\n" + "".join(f"<{n:02x}> <{n:04x}>\n" for n in range(0x28, 0x5d))
                 + "endbfchar\n1 beginbfchar\n<61> <00660069>\nendbfchar"),
        14: "<< /Type /Font /Subtype /CIDFontType2 /FontDescriptor 12 0 R /DW 250\n"
        "/W [ 0 [ 100 200 300 ] 258 [ 1000 ] ] >>",
        15: cmap("4 beginbfchar\n<0001> <0041>\n<0102> <D83DDE00>\n<0002> <4e00>\n<0003> <4e01>\n"
                 "endbfchar"),
        20: stream("\0", "/Type /XObject /Subtype /Image /Width 1 /Height 1"),
        21: stream("1 0 0 rg 10 20 30 40 re f\n", "/Type /XObject /Subtype /Form"),
        22: stream("", "/PatternType 1"),
        **(more or {}),
    }  # fmt: skip
    data = b"%PDF-1.7\n"
    for number, body in objects.items():
        body = body.encode("latin-1") if isinstance(body, str) else body
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    return data + b"trailer\n<< /Root 1 0 R >>\n%%EOF\n"


def read(content: str) -> Painting:
    """What is painted by a content stream in CSS coordinates."""
    return read_painting(pdf(FLIP + content))


def boxes(content: str) -> list[PaintedBox]:
    return read(content).boxes


def shown(operations: str, *, font: str = "f-0-0", size: float = 10) -> list[PaintedText]:
    return read(f"BT\n{size} 0 0 -{size} 100 50 Tm\n/{font} 1 Tf\n{operations}\nET").texts


# texts


def test_a_text() -> None:
    (text,) = shown("0 0.2 1 rg (ABC)Tj")

    assert (text.text, text.x, text.baseline, text.size) == ("ABC", 100, 50, 10)
    assert text.width == pytest.approx(15)
    assert (text.color, text.alpha) == (0x0033FF, 1)


def test_the_font_of_a_text() -> None:
    (text,) = shown("(A)Tj")

    assert text.font.name == "Liberation-BoldItalic"
    assert text.font.family == "Liberation"
    assert text.font.bold
    assert text.font.italic
    assert text.font.ascent == pytest.approx(0.905)
    assert text.font.descent == pytest.approx(0.212)


def test_kerning_moves_letters() -> None:
    (text,) = shown("[(A)100(B)-200 (C)]TJ")

    assert text.text == "ABC"
    assert text.width == pytest.approx(16)
    assert [text.advance(letters) for letters in range(4)] == pytest.approx([0, 4, 11, 16])


def test_a_ligature_is_one_glyph_of_several_letters() -> None:
    (text,) = shown("(AaB)Tj")

    assert text.text == "AfiB"
    assert text.width == pytest.approx(15)
    assert text.advance(3) == pytest.approx(10)


def test_a_text_goes_on_where_the_last_one_ended() -> None:
    first, second = shown("[(AB)100]TJ (C)Tj")

    assert second.x == pytest.approx(first.x + first.width)
    assert second.x == pytest.approx(109)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (r"(\(\)\\)", "()\\"),
        (r"(\101\102C)", "ABC"),
        ("(A\\\nB)", "AB"),
        ("<414243>", "ABC"),
        ("<41\n42 4\n3>", "ABC"),
        ("<4142 5>", "ABP"),
        ("(a)", "fi"),
        ("()", ""),
        (r"(\0501)", "(1"),
    ],
)
def test_strings(literal: str, text: str) -> None:
    assert "".join(piece.text for piece in shown(f"{literal}Tj")) == text
    assert "".join(piece.text for piece in shown(f"[{literal}]TJ")) == text


def test_a_letter_that_no_map_has() -> None:
    assert [text.text for text in shown("(A~)Tj")] == ["A\ufffd"]


def test_codes_of_two_bytes() -> None:
    (text,) = shown("[<00010002>0<00030102>]TJ", font="f-1-0")

    assert text.text == "A一丁😀"
    assert text.width == pytest.approx(17.5)
    assert [text.advance(letters) for letters in (1, 2, 3)] == pytest.approx([2, 5, 7.5])
    assert text.font.name == "Wide"


def test_text_positions() -> None:
    content = """BT
        1 0 0 -1 10 20 Tm /f-0-0 16 Tf (A)Tj
        5 -30 Td (B)Tj
        0 -10 Td (C)Tj ET
        BT 1 0 0 -1 7 8 Tm (D)Tj ET"""

    assert [(t.text, t.x, t.baseline, t.size) for t in read(content).texts] == [
        ("A", 10, 20, 16), ("B", 15, 50, 16), ("C", 15, 60, 16), ("D", 7, 8, 16),
    ]  # fmt: skip


def test_text_is_scaled_and_moved_with_everything_else() -> None:
    (text,) = read("q 2 0 0 3 5 7 cm BT 10 0 0 -10 1 1 Tm /f-0-0 1 Tf (AB)Tj ET Q").texts

    assert (text.x, text.baseline, text.size) == (7, 10, 30)
    assert text.width == pytest.approx(20)


def test_a_text_without_a_font_is_none() -> None:
    assert read("BT (A)Tj ET").texts == []


# boxes


def test_a_rectangle() -> None:
    (box,) = boxes("1 0.4 0 rg 10 20 30 40 re f")

    assert box.rect == (10, 20, 40, 60)
    assert (box.color, box.alpha, box.inner) == (0xFF6600, 1, None)
    assert box.clip == WIDE


@pytest.mark.parametrize("fill", ["f", "f*", "B", "B*"])
def test_a_path_has_the_box_of_its_points(fill: str) -> None:
    (box,) = boxes(f"10 20 m 40 20 l 40 60 l 10 60 l h {fill}")

    assert box.rect == (10, 20, 40, 60)


def test_round_corners() -> None:
    (box,) = boxes("12 10 m 38 10 l 39 10 40 11 40 12 c 40 30 l 10 30 l 10 12 l "
                   "10 11 11 10 12 10 c h f")  # fmt: skip

    assert box.rect == (10, 10, 40, 30)
    assert box.inner is None


def test_a_frame_is_two_paths() -> None:
    (box,) = boxes("10 10 100 50 re 12 13 94 44 re f*")

    assert box.rect == (10, 10, 110, 60)
    assert box.inner == (12, 13, 106, 57)


def test_grey_and_negative_sizes() -> None:
    (box,) = boxes("0.2 g 40 60 -30 -40 re f")

    assert box.rect == (10, 20, 40, 60)
    assert box.color == 0x333333


def test_a_line_is_as_thick_as_its_pen() -> None:
    (box,) = boxes("0 0 1 RG 2 w 10 20 m 50 20 l S")

    assert box.rect == (10, 19, 50, 21)
    assert box.color == 0x0000FF


def test_a_line_of_ours_with_nothing_along_it_is_one_along_letters_without_ink() -> None:
    ours = "0.356863 0 0.0196078 RG 1 w"
    (text,) = read(f"{ours} 10 20 m 34.891 20 l S").texts

    assert (text.text, text.x, text.size) == ("\ufffd\ufffd", 10, 16)
    assert text.baseline == 34
    assert text.advance(1) == pytest.approx(12.445, abs=0.001)
    assert read(f"{ours} 10 20 m 14 20 l S").texts == []  # a space
    assert read("1 0 0 RG 1 w 10 20 m 34.891 20 l S").texts == []


def test_nothing_is_painted_by_an_empty_or_ended_path() -> None:
    assert boxes("10 20 30 40 re n f 10 10 m f S") == []


def test_save_and_restore() -> None:
    found = boxes(
        "1 0 0 rg q 0 1 0 rg 1 0 0 1 5 5 cm q 0 0 1 rg /a0 gs 0 0 1 1 re f Q 0 0 1 1 re f Q "
        "0 0 1 1 re f Q Q Q 0 0 2 2 re f"
    )

    assert [(box.rect, box.color, box.alpha) for box in found] == [
        ((5, 5, 6, 6), 0x0000FF, 0.5),
        ((5, 5, 6, 6), 0x00FF00, 1),
        ((0, 0, 1, 1), 0xFF0000, 1),
        ((0, 0, 2, 2), 0xFF0000, 1),
    ]
    assert [box.order for box in found] == sorted({box.order for box in found})


def test_clips_narrow_each_other() -> None:
    outer, inner, free = boxes(
        "q 0 0 50 50 re W n q 20 -10 100 30 re W* n 0 0 9 9 re f Q 0 0 9 9 re f Q 0 0 9 9 re f"
    )

    assert outer.clip == (20, 0, 50, 20)
    assert inner.clip == (0, 0, 50, 50)
    assert free.clip == WIDE


def test_pictures_fill_the_unit_square() -> None:
    (box,) = boxes("q 30 0 0 -20 10 50 cm /x5 Do Q")

    assert box.rect == (10, 30, 40, 50)
    assert box.color is None


def test_patterns_have_no_colour() -> None:
    pattern, plain = boxes("/Pattern cs /p7 scn 0 0 10 10 re f 1 0 0 rg 0 0 10 10 re f")

    assert (pattern.color, plain.color) == (None, 0xFF0000)


def test_shadings_fill_their_clip() -> None:
    (box,) = boxes("q 10 20 30 40 re W n /sh5 sh Q")

    assert (box.rect, box.color) == ((10, 20, 40, 60), None)


def test_forms_are_painted_in_place_with_their_opacity() -> None:
    content = (
        "0 0 9 9 re f q 0 0 60 60 re W n /a0 gs /x6 Do Q /x6 Do "
        "BT 10 0 0 -10 0 9 Tm /f-0-0 1 Tf (A)Tj ET"
    )
    painting = read(content)
    before, faint, full = painting.boxes

    assert faint.rect == full.rect == (10, 20, 40, 60)
    assert (faint.alpha, full.alpha) == (0.5, 1)
    assert (faint.clip, full.clip) == ((0, 0, 60, 60), WIDE)
    assert before.order < faint.order < full.order < painting.texts[0].order


def test_opacity_of_forms_in_forms_is_multiplied() -> None:
    form = "/Type /XObject /Subtype /Form /Resources 30 0 R"
    forms: dict[int, str | bytes] = {
        21: stream("/a0 gs /x8 Do", form),
        30: "<< /ExtGState << /a0 << /ca 0.25 >> >> /XObject << /x8 31 0 R >> >>",
        31: stream("q /a0 gs 0 0 1 1 re f Q", form),
    }
    (box,) = read_painting(pdf(FLIP + "/a0 gs /x6 Do", forms)).boxes

    assert box.alpha == 0.5 * 0.25 * 0.25


def test_names_of_opacities_mean_others_in_others() -> None:
    forms: dict[int, str | bytes] = {
        21: stream("0 0 1 1 re f /a0 gs 0 0 1 1 re f", "/Subtype /Form /Resources 30 0 R"),
        30: "<< /ExtGState << /a0 << /CA 0.125 /ca 0.125 >> >> >>",
    }
    found = read_painting(pdf(FLIP + "/x6 Do /a0 gs 0 0 1 1 re f", forms)).boxes

    assert [box.alpha for box in found] == [1, 0.125, 0.5]


def test_a_form_that_paints_itself_comes_to_an_end() -> None:
    form: dict[int, str | bytes] = {
        21: stream("0 0 1 1 re f /x6 Do", "/Type /XObject /Subtype /Form")
    }

    assert 1 <= len(read_painting(pdf(FLIP + "/x6 Do", form)).boxes) <= 100


# files


def test_a_compressed_page_is_the_same() -> None:
    content = FLIP + "1 0 0 rg 10 20 30 40 re f BT /f-0-0 1 Tf (endstream\\)A)Tj ET"

    assert read_painting(pdf(content, packed=True)).boxes == read_painting(pdf(content)).boxes


def test_objects_in_streams_are_found() -> None:
    inner = "<< /ExtGState << /z9 << /ca 0.25 >> >> >>"
    packed = stream(f"40 0 {inner}", "/Type /ObjStm /N 1 /First 5", packed=True)
    page = "<< /Type /Page /Contents 4 0 R /Resources 40 0 R >>"
    (box,) = read_painting(pdf(FLIP + "/z9 gs 0 0 1 1 re f", {3: page, 30: packed})).boxes

    assert box.alpha == 0.25


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"1 0 obj\n<< /Type /Page >>\nendobj"])
def test_what_has_no_page_has_no_painting(data: bytes) -> None:
    assert read_painting(data) == Painting()


# any nesting of states, compared with what it means

Step = tuple[str, Sequence[float]] | list["Step"]
numbers = st.integers(-50, 50).map(float)
colors = st.integers(0, 255)
steps: st.SearchStrategy[list[Step]] = st.recursive(
    st.lists(
        st.one_of(
            st.tuples(st.just("re"), st.tuples(numbers, numbers, numbers, numbers)),
            st.tuples(
                st.just("cm"), st.tuples(*[st.integers(1, 3).map(float)] * 2, numbers, numbers)
            ),
            st.tuples(st.just("rg"), st.tuples(colors, colors, colors)),
            st.tuples(st.just("W"), st.tuples(numbers, numbers, numbers, numbers)),
        ),
        max_size=6,
    ),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


def written(program: Sequence[Step]) -> Iterator[str]:
    for step in program:
        if isinstance(step, list):
            yield "q\n" + "".join(written(step)) + "Q\n"
            continue
        name, values = step
        plain = " ".join(f"{value:g}" for value in values)
        if name == "cm":
            yield "{:g} 0 0 {:g} {:g} {:g} cm\n".format(*values)
        elif name == "rg":
            yield " ".join(f"{value / 255:.6f}" for value in values) + " rg\n"
        else:
            yield f"{plain} re {'f' if name == 're' else 'W n'}\n"


def meant(
    program: Sequence[Step], matrix: tuple[float, ...], color: int, clip: Rect
) -> Iterator[tuple[Rect, int, Rect]]:
    """The boxes of a program; what is changed in a list is changed in it only."""
    for step in program:
        if isinstance(step, list):
            yield from meant(step, matrix, color, clip)
            continue
        name, values = step
        across, down, left, top = matrix
        if name == "cm":
            a, d, e, f = values
            matrix = (a * across, d * down, e * across + left, f * down + top)
        elif name == "rg":
            color = int(values[0]) << 16 | int(values[1]) << 8 | int(values[2])
        else:
            x, y, width, height = values
            xs = sorted((x * across + left, (x + width) * across + left))
            ys = sorted((y * down + top, (y + height) * down + top))
            rect = (xs[0], ys[0], xs[1], ys[1])
            if name == "W":
                clip = (max(clip[0], rect[0]), max(clip[1], rect[1]),
                        min(clip[2], rect[2]), min(clip[3], rect[3]))  # fmt: skip
            elif width or height:
                yield rect, color, clip


@given(steps)
def test_states_nest_as_they_are_meant_to(program: list[Step]) -> None:
    found = boxes("".join(written(program)))
    expected = list(meant(program, (1.0, 1.0, 0.0, 0.0), 0, WIDE))

    assert [(box.rect, box.color, box.clip) for box in found] == expected
