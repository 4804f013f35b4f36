from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pagesight.errors import BadManifest, SourceNotFound, SourceUnreadable
from pagesight.sources import Request, count_entries, manifest_entries, read_manifest


def _manifest(folder: Path, text: str | bytes) -> Path:
    path = folder / "list.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_paths_are_relative_to_the_manifest(tmp_path: Path) -> None:
    path = _manifest(tmp_path, '{"source": "a/page.html", "root": "a", "url": "https://x.org/"}')
    assert list(read_manifest(path)) == [
        Request(source=tmp_path / "a/page.html", root=tmp_path / "a", url="https://x.org/")
    ]


@pytest.mark.parametrize("source", ["https://x.org/tea", "HTTP://x.org", "file:///tea.html"])
def test_addresses_stay_as_they_are(tmp_path: Path, source: str) -> None:
    (request,) = read_manifest(str(_manifest(tmp_path, f'{{"source": "{source}"}}')))
    assert request == Request(source=source)
    assert request.name == source


def test_absolute_paths(tmp_path: Path) -> None:
    (request,) = read_manifest(_manifest(tmp_path, '{"source": "/tea.html"}'))
    assert request.source == Path("/tea.html")


def test_blank_lines_other_keys_and_nulls_are_ignored(tmp_path: Path) -> None:
    text = '\ufeff{"source": "a", "id": 1, "url": null}\r\n\n  \n{"source": "b"}'
    names = [request.name for request in read_manifest(_manifest(tmp_path, text))]
    assert names == [str(tmp_path / "a"), str(tmp_path / "b")]


def test_an_empty_manifest(tmp_path: Path) -> None:
    assert list(read_manifest(_manifest(tmp_path, ""))) == []


def test_plain_lines_are_paths_and_addresses(tmp_path: Path) -> None:
    text = "\ufeffa/green tea.html\n  https://x.org/tea#top  \nfile:///b.html\r\n/c.html\n"
    assert list(read_manifest(_manifest(tmp_path, text))) == [
        Request(source=tmp_path / "a/green tea.html"),
        Request(source="https://x.org/tea#top"),
        Request(source="file:///b.html"),
        Request(source=Path("/c.html")),
    ]


def test_each_line_is_read_by_its_own_first_sign(tmp_path: Path) -> None:
    text = 'a.html\n  {"source": "b.html", "url": "https://x.org/"}\n["c.html"]\n'
    assert list(read_manifest(_manifest(tmp_path, text))) == [
        Request(source=tmp_path / "a.html"),
        Request(source=tmp_path / "b.html", url="https://x.org/"),
        Request(source=tmp_path / '["c.html"]'),
    ]


def test_comments_are_skipped(tmp_path: Path) -> None:
    text = "\ufeff# teas\n  # green\na.html\n\n#{bad\nb.html # black"
    names = [request.name for request in read_manifest(_manifest(tmp_path, text))]
    assert names == [str(tmp_path / "a.html"), str(tmp_path / "b.html # black")]


@pytest.mark.parametrize("empty", ['""', '"  "', "null"])
def test_an_empty_address_or_root_is_none(tmp_path: Path, empty: str) -> None:
    line = f'{{"source": "a.html", "url": {empty}, "root": {empty}}}'
    assert list(read_manifest(_manifest(tmp_path, line))) == [Request(source=tmp_path / "a.html")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO(b'{"source": "a.html"}\nb.html\n{"source": 1}\n')
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))
    requests = read_manifest("-")
    assert next(requests) == Request(source=Path("a.html"))
    assert next(requests) == Request(source=Path("b.html"))
    with pytest.raises(BadManifest, match=r"^<stdin>:3: "):
        next(requests)


BAD_LINES = [
    (b'{"source": "a"', "not JSON"),
    (b"{page.html}", "not JSON"),
    (b'{"source":' * 100_000, "not JSON"),
    (b'{"url": "https://x.org/"}', 'no "source"'),
    (b'{"source": null}', 'no "source"'),
    (b'{"source": ""}', 'no "source"'),
    (b'{"source": ["a"]}', '"source" is not a text'),
    (b'{"source": "a", "url": 1}', '"url" is not a text'),
    (b'{"source": "a", "root": {}}', '"root" is not a text'),
    (b'{"source": "-"}', "standard input"),
    (b"-", "standard input"),
    (b'{"source": "\xff"}', "not UTF-8"),
    (b"gr\xfcn.html", "not UTF-8"),
    (b'{"source": "' + b"x" * 3_000_000 + b'"}', "too long"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = _manifest(tmp_path, b'{"source": "good"}\n\n' + line + b"\n")
    requests = read_manifest(path)
    assert next(requests).name == str(tmp_path / "good")
    with pytest.raises(BadManifest, match=message) as caught:
        next(requests)
    assert caught.value.source == f"{path}:3"


def test_bad_lines_cost_themselves_only(tmp_path: Path) -> None:
    lines = [part for bad, _ in BAD_LINES for part in (bad, b"good.html")]
    path = _manifest(tmp_path, b"\n".join(lines))
    entries = list(manifest_entries(path))
    assert [place for place, _ in entries] == [f"{path}:{n}" for n in range(1, len(lines) + 1)]
    good = Request(source=tmp_path / "good.html")
    assert [entry for _, entry in entries[1::2]] == [good] * len(BAD_LINES)
    for (_, entry), (_, message) in zip(entries[::2], BAD_LINES, strict=True):
        assert isinstance(entry, BadManifest)
        assert message in entry.message


def test_entries_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = _manifest(tmp_path, "# teas\n\na.html\n\nb.html")
    assert [place for place, _ in manifest_entries(path)] == [f"{path}:3", f"{path}:5"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("\n\n  \n# tea\n  #\n", 0),
        ("\ufeff# tea\na.html", 1),
        ('a.html\r\n{"source": "b.html"}\r\n\r\n', 2),
        ("a.html\n{bad\n" + "x" * 3_000_000 + "\nb.html\n", 4),
    ],
)
def test_counting_agrees_with_reading(tmp_path: Path, text: str, count: int) -> None:
    path = _manifest(tmp_path, text)
    assert count_entries(path) == count == len(list(manifest_entries(path)))


def test_what_only_reading_tells_is_not_counted(tmp_path: Path) -> None:
    assert count_entries("-") is None
    assert count_entries(tmp_path) is None
    assert count_entries(tmp_path / "no-such.txt") is None
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        assert count_entries(tmp_path / "pipe") is None


def test_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound) as caught:
        next(read_manifest(tmp_path / "list.jsonl"))
    assert caught.value.source == str(tmp_path / "list.jsonl")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="folder"):
        next(read_manifest(tmp_path))
