from __future__ import annotations

import json
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.errors import PageFileError, PageFileTooNew
from pagesight.page import Note, Page, PageInfo, Visibility, file
from pagesight.page.columns import SCHEMA
from small_pages import el, make_page, text

PLAIN = b"PAGESIGHT\n1.0\n-\n"
SMALL = make_page(
    el("p", "a", el("b", text("tea 🍵", visibility=Visibility.CLIPPED)), attributes={"id": "x"}),
    runs={"run_node": [2], "run_box": [(0, 0, 9, 9)], "run_text": [1]},
)

STRINGS = st.text(st.characters(), max_size=6) | st.sampled_from(["", "🍵", "\ud83c", "\udf75a"])
HIGHEST = {"kind": 4, "display": 17, "position": 4, "float": 2, "align": 5, "visibility": 7,
           "decoration": 7}  # fmt: skip


@st.composite
def pages(draw: st.DrawFn) -> Page:
    strings = draw(st.lists(STRINGS, min_size=1, max_size=5))
    parents = [-1]
    for _ in range(draw(st.integers(0, 5))):
        above = draw(st.sampled_from(_open_nodes(parents)))
        parents.append(above)
    rows = {"node": len(parents), "attr": draw(st.integers(0, 3)), "run": draw(st.integers(0, 3))}
    columns: dict[str, Any] = {"parent": parents}
    for name, column in SCHEMA.items():
        if name not in ("parent", "attr_first"):
            count = rows[column.per] * column.width
            values = _values(name, column.dtype, len(strings), len(parents))
            columns[name] = draw(st.lists(values, min_size=count, max_size=count))
    borders = st.lists(
        st.integers(0, rows["attr"]), min_size=rows["node"] - 1, max_size=rows["node"] - 1
    )
    columns["attr_first"] = [0, *sorted(draw(borders)), rows["attr"]]
    info = PageInfo(
        renderer=draw(STRINGS),
        renderer_version="1",
        url=draw(st.none() | STRINGS),
        size=(draw(st.floats(0, 1e6)), 10),
        notes=tuple(draw(st.lists(st.builds(Note, STRINGS, STRINGS, st.integers(1)), max_size=2))),
    )
    return Page(columns, strings, info)


def _open_nodes(parents: list[int]) -> list[int]:
    """The last node and those above it: what the next one may stand below."""
    nodes = [len(parents) - 1]
    while parents[nodes[-1]] >= 0:
        nodes.append(parents[nodes[-1]])
    return nodes


def _values(name: str, dtype: str, strings: int, nodes: int) -> st.SearchStrategy[Any]:
    if name in ("text", "font_family"):
        return st.integers(-1, strings - 1)
    if name in ("name", "attr_name", "attr_value", "run_text"):
        return st.integers(0, strings - 1)
    if name == "run_node":
        return st.integers(0, nodes - 1)
    if dtype == "<f4":
        return st.floats(width=32, allow_nan=False, allow_infinity=False)
    if dtype == "?":
        return st.booleans()
    limits = np.iinfo(dtype)
    return st.integers(limits.min, HIGHEST.get(name, limits.max))


@given(pages(), st.booleans())
def test_a_page_comes_back_as_it_was(page: Page, compress: bool) -> None:
    data = page.to_bytes(compress=compress)
    again = Page.from_bytes(data)

    assert again == page
    assert again.strings == page.strings
    assert again.info == page.info
    assert again.columns.keys() == page.columns.keys()
    for name, column in page.columns.items():
        assert again.columns[name].dtype == column.dtype == np.dtype(SCHEMA[name].dtype)
        assert again.columns[name].shape == column.shape
        assert again.columns[name].tobytes() == column.tobytes()
    assert again.to_bytes(compress=compress) == data


def test_on_disk(tmp_path: Path) -> None:
    SMALL.save(tmp_path / "page")
    SMALL.save(str(tmp_path / "same"))

    assert Page.load(tmp_path / "page") == Page.load(str(tmp_path / "same")) == SMALL
    assert (tmp_path / "page").read_bytes() == SMALL.to_bytes()


def test_an_error_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(b"<p>")
    with pytest.raises(PageFileError, match="not a saved Page") as caught:
        Page.load(tmp_path / "page")
    assert caught.value.source == str(tmp_path / "page")


def test_a_page_without_strings() -> None:
    with pytest.raises(PageFileError, match="name points outside"):
        Page.from_bytes(Page({"parent": [-1]}, [], SMALL.info).to_bytes())
    page = Page({"parent": [-1], "name": [0]}, [""], SMALL.info)
    assert Page.from_bytes(page.to_bytes()) == page


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PAGESIGHT",
        b"PAGESIGHT\n",
        b"PAGESIGHT\n1.0\n",
        b"PAGESIGHT\n\n\n\n",
        b"PAGESIGHT\none\n-\n",
        b"PAGESIGHT\n1\n-\n",
        b"PAGESIGHT\n1.0.0\n-\n",
        b"PAGESIGHT\n1.0\nx\n" + SMALL.to_bytes()[16:],
        b"PAGESIGHT\n1.0\n-\n",
        b"PAGESIGHT\n1.0\nz\n",
        b"pagesight\n1.0\n-\n" + SMALL.to_bytes(compress=False)[16:],
        b"\0" * 100,
    ],
)
def test_other_files(data: bytes) -> None:
    with pytest.raises(PageFileError) as caught:
        Page.from_bytes(data)
    assert not isinstance(caught.value, PageFileTooNew)


def test_a_newer_major_version() -> None:
    with pytest.raises(PageFileTooNew, match=r"format 2\.7") as caught:
        Page.from_bytes(b"PAGESIGHT\n2.7\n?\nwho knows")
    assert caught.value.hint


@pytest.mark.parametrize("dtype", ["<f8", "<u8", "i1", "?", "<f2"])
def test_a_newer_minor_version_is_read(dtype: str) -> None:
    header, arrays = taken_apart(SMALL)
    header["info"]["mood"] = "sunny"
    header["info"]["notes"] = [{"kind": "k", "detail": "d", "count": 2, "when": "now"}]
    header["weather"] = {}
    header["arrays"].insert(3, ["feeling", dtype, [2, 3]])
    data = put_together(header, [*arrays[:3], bytes(6 * np.dtype(dtype).itemsize), *arrays[3:]])

    page = Page.from_bytes(data.replace(b"\n1.0\n", b"\n1.9\n", 1))

    assert page.strings == SMALL.strings
    assert page.info.notes == (Note("k", "d", 2),)
    assert page.columns["visibility"].tolist() == SMALL.columns["visibility"].tolist()


def test_an_older_file_has_fewer_columns() -> None:
    header, arrays = taken_apart(SMALL)
    names = [name for name, _, _ in header["arrays"]]
    for name in ("paint", "sheet"):
        del arrays[names.index(name)]
        names.remove(name)
    header["arrays"] = [row for row in header["arrays"] if row[0] in names]
    assert Page.from_bytes(put_together(header, arrays))[1].paint_order == -1


@pytest.mark.parametrize("compress", [True, False])
def test_cut_short_anywhere(compress: bool) -> None:
    data = SMALL.to_bytes(compress=compress)
    for length in range(len(data)):
        with pytest.raises(PageFileError):
            Page.from_bytes(data[:length])


@given(st.booleans(), st.lists(st.integers(0, 10**6), min_size=1, max_size=3))
def test_flipped_bits_never_end_in_another_error(compress: bool, bits: list[int]) -> None:
    data = bytearray(SMALL.to_bytes(compress=compress))
    for bit in bits:
        data[bit // 8 % len(data)] ^= 1 << bit % 8
    check(bytes(data))


def test_every_flipped_bit_of_the_arrays() -> None:
    data = SMALL.to_bytes(compress=False)
    start = len(PLAIN) + 4 + struct.unpack_from("<I", data, len(PLAIN))[0]
    for position in range(start, len(data)):
        for bit in (0, 7):
            check(data[:position] + bytes([data[position] ^ 1 << bit]) + data[position + 1 :])


def check(data: bytes) -> None:
    """The bytes are refused, or are a page with which everything can be done."""
    try:
        page = Page.from_bytes(data)
    except PageFileError:
        return
    for node in page:
        assert isinstance(node.text, str)
        assert node.style.color.startswith("#")
        _ = (node.xpath, node.css, node.kind, node.visibility, node.attributes, node.runs)
        _ = (node.target, node.own_text, node.children, node.box, repr(node))
    assert page.head.base is not None
    assert page.to_bytes()
    assert hash(page) is not None


def taken_apart(page: Page) -> tuple[dict[str, Any], list[bytes]]:
    data = page.to_bytes(compress=False).removeprefix(PLAIN)
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    offset, arrays = 4 + length, []
    for _, dtype, shape in header["arrays"]:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        arrays.append(data[offset : offset + size])
        offset += size
    return header, arrays


def put_together(header: Any, arrays: list[bytes]) -> bytes:
    encoded = header if isinstance(header, bytes) else json.dumps(header).encode()
    return PLAIN + struct.pack("<I", len(encoded)) + encoded + b"".join(arrays)


def test_taking_apart() -> None:
    assert put_together(*taken_apart(SMALL)) == SMALL.to_bytes(compress=False)


def _array(header: dict[str, Any], name: str) -> list[Any]:
    found: list[Any] = next(row for row in header["arrays"] if row[0] == name)
    return found


Damage = Callable[[dict[str, Any]], object]
DAMAGES: dict[str, Damage] = {
    "huge": lambda h: _array(h, "box").__setitem__(2, [10**12, 4]),
    "beyond 64 bits": lambda h: _array(h, "box").__setitem__(2, [10**30, 4]),
    "product beyond 64 bits": lambda h: _array(h, "box").__setitem__(2, [2**62, 2**62]),
    "negative": lambda h: _array(h, "box").__setitem__(2, [-1, 4]),
    "no list": lambda h: _array(h, "box").__setitem__(2, 4),
    "fractions": lambda h: _array(h, "box").__setitem__(2, [4.5, 4]),
    "many dimensions": lambda h: _array(h, "box").__setitem__(2, [0] * 100),
    "another shape": lambda h: _array(h, "box").__setitem__(2, [10, 2]),
    "flat": lambda h: _array(h, "box").__setitem__(2, [20]),
    "another type": lambda h: _array(h, "parent").__setitem__(1, "<f4"),
    "objects": lambda h: _array(h, "parent").__setitem__(1, "O"),
    "big endian": lambda h: _array(h, "parent").__setitem__(1, ">i4"),
    "a type that is a number": lambda h: _array(h, "parent").__setitem__(1, 4),
    "a name that is a list": lambda h: _array(h, "parent").__setitem__(0, ["parent"]),
    "no parents": lambda h: _array(h, "parent").__setitem__(0, "other"),
    "no attributes": lambda h: _array(h, "attr_first").__setitem__(0, "other"),
    "no strings": lambda h: _array(h, "string_ends").__setitem__(0, "other"),
    "array of two fields": lambda h: h["arrays"].append(["a", "u1"]),
    "no arrays": lambda h: h.pop("arrays"),
    "arrays is a number": lambda h: h.__setitem__("arrays", 7),
    "no info": lambda h: h.pop("info"),
    "info is a list": lambda h: h.__setitem__("info", []),
    "no url": lambda h: h["info"].pop("url"),
    "url is a number": lambda h: h["info"].__setitem__("url", 7),
    "viewport of one": lambda h: h["info"].__setitem__("viewport", [7]),
    "viewport of text": lambda h: h["info"].__setitem__("viewport", ["a", "b"]),
    "viewport of infinity": lambda h: h["info"].__setitem__("viewport", [1e999, 1]),
    "size is null": lambda h: h["info"].__setitem__("size", None),
    "size without end": lambda h: h["info"].__setitem__("size", [10**400, 1]),
    "notes is null": lambda h: h["info"].__setitem__("notes", None),
    "a note is text": lambda h: h["info"].__setitem__("notes", ["x"]),
    "a note without a kind": lambda h: h["info"].__setitem__("notes", [{"detail": "x"}]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_header_that_is_wrong(damage: str) -> None:
    header, arrays = taken_apart(SMALL)
    DAMAGES[damage](header)
    data = put_together(header, arrays)
    tracemalloc.start()
    try:
        with pytest.raises(PageFileError):
            Page.from_bytes(data)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("header", [b"", b"[]", b"7", b"{", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_header_that_is_none(header: bytes) -> None:
    with pytest.raises(PageFileError):
        Page.from_bytes(put_together(header, []))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("parent", [0, 0, 1, 1, 3]),
        ("parent", [-1, -1, 1, 1, 3]),
        ("parent", [-1, 0, 3, 1, 3]),
        ("parent", [-1, 1, 1, 1, 3]),
        ("parent", [-1, 0, 1, 0, 2]),
        ("name", [0, 0, -1, 0, 0]),
        ("text", [0, 0, 99, 0, 0]),
        ("text", [0, 0, -2, 0, 0]),
        ("attr_first", [0, 0, 0, 0, 0, 0]),
        ("attr_first", [0, 2**31 - 1, -(2**31), 1, 1, 1]),
        ("attr_first", [1, 1, 1, 1, 1, 1]),
        ("attr_value", [-1]),
        ("run_node", [5]),
        ("run_node", [-1]),
        ("run_text", [-1]),
        ("kind", [0, 1, 2, 9, 2]),
        ("display", [18] * 5),
        ("visibility", [8] * 5),
        ("italic", [2] * 5),
        ("string_ends", [0] * 7),
    ],
)
def test_columns_that_contradict_each_other(name: str, values: list[int]) -> None:
    header, arrays = taken_apart(SMALL)
    position = next(i for i, row in enumerate(header["arrays"]) if row[0] == name)
    dtype = header["arrays"][position][1].replace("?", "u1")
    arrays[position] = np.array(values, dtype=dtype).tobytes()
    header["arrays"][position][2] = [len(values)]
    with pytest.raises(PageFileError):
        Page.from_bytes(put_together(header, arrays))


@pytest.mark.parametrize("ends", [[5, 2], [-1, 8], [2, 9]])
def test_a_string_table_out_of_order(ends: list[int]) -> None:
    page = Page({"parent": [-1], "name": [0]}, ["abcd", "efgh"], SMALL.info)
    header, arrays = taken_apart(page)
    arrays[-1] = np.array(ends, dtype="<i8").tobytes()
    with pytest.raises(PageFileError, match="string table"):
        Page.from_bytes(put_together(header, arrays))


def test_strings_that_are_no_utf_8() -> None:
    page = Page({"parent": [-1], "name": [0]}, ["abcd"], SMALL.info)
    header, arrays = taken_apart(page)
    arrays[-2] = b"ab\xff\xff"
    with pytest.raises(PageFileError, match="damaged"):
        Page.from_bytes(put_together(header, arrays))


def compressed(header: Any, size: int) -> bytes:
    """A small file of zeros, with that header and so many bytes of arrays."""
    encoded = json.dumps(header).encode()
    body = struct.pack("<I", len(encoded)) + encoded + bytes(size)
    return PLAIN.replace(b"-", b"z") + zlib.compress(body, 9)


@pytest.mark.parametrize(
    ("arrays", "size"),
    [
        ([["parent", "<i4", [12_500_000]]], 50_000_000),  # other columns would be filled in
        ([["string_ends", "<i8", [10_000_000]]], 50_000_000),
        ([["box", "<f4", [1 << 20, 1 << 20]]], 50_000_000),
        ([["sheet", "<u2", [1]]], 50_000_000),  # more than declared
        ([["box", "<f4", [-1, 1]]], 50_000_000),
    ],
)
def test_a_bomb_is_not_unpacked(arrays: list[Any], size: int) -> None:
    bomb = compressed({"info": {}, "arrays": arrays}, size)
    assert len(bomb) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(PageFileError):
            Page.from_bytes(bomb)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_header_without_end_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "LARGEST", 1 << 16)
    bomb = b"PAGESIGHT\n1.0\nz\n" + zlib.compress(b"\xff" * 4 + b" " * 50_000_000, 9)
    tracemalloc.start()
    try:
        with pytest.raises(PageFileError):
            Page.from_bytes(bomb)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["box", "run_box", "border", "font_size", "opacity"])
def test_numbers_that_are_not_finite_are_refused(name: str, number: float) -> None:
    columns = {column: array.copy() for column, array in SMALL.columns.items()}
    columns[name].flat[0] = number
    data = Page(columns, SMALL.strings, SMALL.info).to_bytes()
    with pytest.raises(PageFileError, match=f"{name} is not finite"):
        Page.from_bytes(data, source="tea")


def test_a_root_that_is_an_element() -> None:
    page = Page(
        {"parent": [-1, 0], "kind": [1, 1], "name": [0, 0],
         "attr_first": [0, 1, 2], "attr_name": [1, 1], "attr_value": [2, 0]},
        ["p", "id", "x"], SMALL.info,
    )  # fmt: skip
    assert [node.css for node in page] == ["#x", "#p"]
    assert [node.xpath for node in page] == ["/p", "/p/p"]
