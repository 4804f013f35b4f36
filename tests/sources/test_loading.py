from __future__ import annotations

import gzip
import io
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.errors import (
    NotAPage,
    SourceError,
    SourceNotFound,
    SourceTooLarge,
    SourceUnreadable,
)
from pagesight.sources import Kind, Limits, Request, Source, load

PAGE = b"<!doctype html><title>Tea</title><p>Good morning"
SMALL = Limits(max_size=1000)


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))
    return buffer


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_bytes(PAGE)

    page = load(path)

    assert page == Source(name=str(path), data=PAGE, kind=Kind.HTML, path=path)
    assert (page.url, page.root, page.live, page.headers) == (None, None, False, ())


def test_a_path_as_text(tmp_path: Path) -> None:
    (tmp_path / "Ünder den Linden.htm").write_bytes(PAGE)
    assert load(str(tmp_path / "Ünder den Linden.htm")).data == PAGE


def test_a_file_address(tmp_path: Path) -> None:
    path = tmp_path / "a page.html"
    path.write_bytes(PAGE)

    page = load(path.as_uri())

    assert page.path == path
    assert page.name == path.as_uri()
    assert not page.live


def test_what_the_user_knows_about_it(tmp_path: Path) -> None:
    page = load(PAGE, url="https://example.com/tea", root=tmp_path)
    assert (page.name, page.url, page.root) == ("<bytes>", "https://example.com/tea", tmp_path)


def test_a_request() -> None:
    request = Request(source=PAGE, url="https://example.com/tea", root=Path("site"))
    assert load(request).url == "https://example.com/tea"
    assert load(request).root == Path("site")


def test_arguments_take_precedence_over_the_request() -> None:
    request = Request(source=PAGE, url="https://example.com/tea")
    assert load(request, url="https://example.com/coffee").url == "https://example.com/coffee"


def test_standard_input(stdin: io.BytesIO) -> None:
    stdin.write(PAGE)
    stdin.seek(0)
    page = load("-")
    assert (page.name, page.data, page.path) == ("-", PAGE, None)


def test_standard_input_is_limited(stdin: io.BytesIO) -> None:
    stdin.write(PAGE * 100)
    stdin.seek(0)
    with pytest.raises(SourceTooLarge):
        load("-", limits=SMALL)
    assert stdin.tell() == SMALL.max_size + 1


def test_closed_standard_input(stdin: io.BytesIO) -> None:
    stdin.close()
    with pytest.raises(SourceUnreadable, match="standard input"):
        load("-")


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceUnreadable, match="no standard input"):
        load("-")


@pytest.mark.parametrize("name", ["", "nothing.html", "no\0thing", "x" * 5000, "file:///nowhere"])
def test_nothing_there(name: str) -> None:
    with pytest.raises(SourceNotFound) as caught:
        load(name)
    assert caught.value.source == name


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(PAGE)
    with pytest.raises(SourceNotFound):
        load(tmp_path / "page" / "index.html")


@pytest.mark.parametrize(
    "name", ["ftp://example.com/x", "www.example.com/x", "example.com", "tea.example.org:8000/a.b"]
)
def test_an_address_that_was_taken_for_a_path(name: str) -> None:
    with pytest.raises(SourceNotFound) as caught:
        load(name)
    assert "https://" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["page.html", "PAGE.PDF", "page", "a.b/page.html", "1.0"])
def test_a_path_that_is_no_address(name: str) -> None:
    with pytest.raises(SourceNotFound) as caught:
        load(name)
    assert caught.value.hint is None


def test_a_file_that_vanishes_after_it_was_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page"
    path.write_bytes(PAGE)
    status = path.stat()
    path.unlink()
    monkeypatch.setattr(Path, "stat", lambda _self: status)
    with pytest.raises(SourceNotFound):
        load(path)


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="folder"):
        load(tmp_path)


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceUnreadable, match="pipe or a device"):
        load(tmp_path / "pipe")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="has no /dev/zero")
def test_a_device_is_never_opened() -> None:
    with pytest.raises(SourceUnreadable):
        load("/dev/zero")


@pytest.mark.parametrize(
    ("error", "message"),
    [(PermissionError(13, "denied"), "permission"), (OSError(5, "bad disk"), "bad disk")],
)
def test_a_file_that_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, message: str
) -> None:
    def refuse(*_: object) -> None:
        raise error

    path = tmp_path / "page"
    path.write_bytes(PAGE)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceUnreadable, match=message):
        load(path)


def test_a_large_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page"
    path.write_bytes(PAGE * 100)
    monkeypatch.setattr(Path, "open", None)
    with pytest.raises(SourceTooLarge) as caught:
        load(path, limits=SMALL)
    assert "--max-size" in str(caught.value.hint)
    assert caught.value.source == str(path)


def test_a_file_that_grows_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page"
    path.write_bytes(PAGE)
    status = path.stat()
    path.write_bytes(PAGE * 100)
    monkeypatch.setattr(Path, "stat", lambda _self: status)
    with pytest.raises(SourceTooLarge):
        load(path, limits=SMALL)


def test_the_limit_is_inclusive() -> None:
    assert load(PAGE, limits=Limits(max_size=len(PAGE))).data == PAGE
    with pytest.raises(SourceTooLarge, match="47 bytes"):
        load(PAGE, limits=Limits(max_size=len(PAGE) - 1))


def test_gzip(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(gzip.compress(PAGE))
    assert load(tmp_path / "page").data == PAGE


def test_errors_name_their_source() -> None:
    with pytest.raises(NotAPage, match=r"^<bytes>: the content is empty$"):
        load(b"")


def test_a_source_can_be_sent_to_another_process() -> None:
    page = load(PAGE)
    assert page.text == PAGE.decode()
    assert pickle.loads(pickle.dumps(page)) == page


def test_its_representation_does_not_show_the_content() -> None:
    assert "morning" not in repr(load(PAGE))


def test_only_markup_has_text() -> None:
    with pytest.raises(TypeError, match="'pdf' has no text"):
        _ = load(b"%PDF-1.4\n").text


def test_importing_it_imports_nothing_slow() -> None:
    check = (
        "import sys, pagesight.sources;"
        "print({'httpx', 'charset_normalizer', 'asyncio', 'w3lib'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", check],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert result.stdout.strip() == "set()"


@given(st.binary() | st.binary().map(lambda rest: b"<p>" + rest))
def test_any_bytes_are_a_page_or_an_error(data: bytes) -> None:
    with suppress(SourceError):
        page = load(data)
        assert not page.kind.is_markup or _is_clean(page.text)


@given(
    st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1251", "shift_jis"]),
    st.text(),
)
def test_any_text_can_be_read_back(encoding: str, text: str) -> None:
    page = load(f"<!doctype html><title>Tea</title>{text}".encode(encoding, "replace"))
    assert page.kind is Kind.HTML
    assert _is_clean(page.text)


def _is_clean(text: str) -> bool:
    return "\0" not in text and bool(text.encode("utf-8"))


def test_the_login_of_an_original_address_is_left_out() -> None:
    assert load(b"<p>tea", url="https://me:secret@x.org/tea").url == "https://x.org/tea"


def test_markup_that_was_taken_for_a_path() -> None:
    with pytest.raises(SourceNotFound) as error:
        load("<html><p>tea</p></html>")
    assert error.value.hint == "This looks like markup; in Python, markup is given as bytes."
