from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pagesight.errors import BadManifest, SourceNotFound, SourceUnreadable
from pagesight.sources import Request, read_manifest


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


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO(b'{"source": "a.html"}\n{"source": 1}\n')
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))
    requests = read_manifest("-")
    assert next(requests) == Request(source=Path("a.html"))
    with pytest.raises(BadManifest, match=r"^<stdin>:2: "):
        next(requests)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"page.html", "not JSON"),
        (b'{"source": "a"', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'["page.html"]', "not a JSON object"),
        (b'{"url": "https://x.org/"}', 'no "source"'),
        (b'{"source": null}', 'no "source"'),
        (b'{"source": ""}', '"source" is not a text'),
        (b'{"source": ["a"]}', '"source" is not a text'),
        (b'{"source": "a", "url": 1}', '"url" is not a text'),
        (b'{"source": "a", "root": {}}', '"root" is not a text'),
        (b'{"source": "-"}', "standard input"),
        (b'{"source": "\xff"}', "not UTF-8"),
        (b'{"source": "' + b"x" * 2_000_000 + b'"}', "too long"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = _manifest(tmp_path, b'{"source": "good"}\n\n' + line + b"\n")
    requests = read_manifest(path)
    assert next(requests).name == str(tmp_path / "good")
    with pytest.raises(BadManifest, match=message) as caught:
        next(requests)
    assert caught.value.source == f"{path}:3"


def test_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound) as caught:
        next(read_manifest(tmp_path / "list.jsonl"))
    assert caught.value.source == str(tmp_path / "list.jsonl")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="folder"):
        next(read_manifest(tmp_path))
