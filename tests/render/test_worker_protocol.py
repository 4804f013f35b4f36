"""What workers and the program say to each other, and what becomes of anything else."""

from __future__ import annotations

import io
import json
import signal
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pdfs import locked, pdf, text

from pagesight.errors import (
    NoBrowser,
    PagesightError,
    PageTooComplex,
    PdfDamaged,
    PdfLocked,
    RenderCrash,
    RenderError,
    RenderTimeout,
)
from pagesight.page import Page
from pagesight.render import RenderOptions
from pagesight.render.renderer import Picture
from pagesight.render.worker import __main__ as worker
from pagesight.render.worker import renderer as workers
from pagesight.render.worker.process import WorkerProcess, how_ended
from pagesight.render.worker.protocol import receive, send
from pagesight.render.worker.renderer import WorkerRenderer
from pagesight.sources import load

MESSAGES = st.dictionaries(
    st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.text(max_size=20)
)
REQUEST: dict[str, Any] = {
    "picture": False, "renderer": "pdf", "url": "https://tea.example/", "path": None, "root": None,
    "viewport": [1280, 800], "max_nodes": 1000, "timeout": 10, "simple": False,
}  # fmt: skip


def sent(message: dict[str, Any], payload: bytes = b"") -> bytes:
    stream = io.BytesIO()
    send(stream, message, payload)
    return stream.getvalue()


@given(st.lists(st.tuples(MESSAGES, st.binary(max_size=50)), max_size=4))
def test_messages_arrive_as_they_were_sent(messages: list[tuple[dict[str, Any], bytes]]) -> None:
    stream = io.BytesIO(b"".join(sent(*message) for message in messages))
    assert [receive(stream) for _ in messages] == messages
    with pytest.raises(EOFError):
        receive(stream)


@given(MESSAGES, st.binary(max_size=20), st.data())
def test_a_message_that_breaks_off_is_the_end(
    message: dict[str, Any], payload: bytes, data: st.DataObject
) -> None:
    whole = sent(message, payload)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(EOFError):
        receive(io.BytesIO(whole[:cut]))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_an_error_that_is_expected(data: bytes) -> None:
    try:
        message, _ = receive(io.BytesIO(data))
    except (EOFError, ValueError):
        return
    assert isinstance(message, dict)


@pytest.mark.parametrize("head", [b"[]", b"1", b'"tea"', b"null"])
def test_a_message_is_an_object(head: bytes) -> None:
    with pytest.raises(EOFError, match="not a message"):
        receive(io.BytesIO(struct.pack("<II", len(head), 0) + head))


def test_a_message_of_absurd_size_is_not_waited_for() -> None:
    with pytest.raises(EOFError, match="not a message"):
        receive(io.BytesIO(struct.pack("<II", 1 << 31 | 1, 0)))


# What a worker answers


def test_a_worker_answers_with_a_page() -> None:
    message, payload = worker._answer(REQUEST, pdf(text(72, 700, "Good morning")))
    assert message == {"ok": True, "page": len(payload)}
    page = Page.from_bytes(payload)
    assert page.root.text == "Good morning"
    assert page.url == "https://tea.example/"


def test_a_picture_comes_after_the_page() -> None:
    message, payload = worker._answer({**REQUEST, "picture": True}, pdf(text(72, 700, "tea")))
    assert Page.from_bytes(payload[: message["page"]]).root.text == "tea"
    assert Picture.of_png(payload[message["page"] :]).width > 700


def test_a_worker_lays_out_html() -> None:
    request = {**REQUEST, "renderer": "embedded"}
    message, payload = worker._answer(request, "<p>Grüner Tee".encode())
    assert message["ok"]
    assert Page.from_bytes(payload).root.text == "Grüner Tee"


@pytest.mark.parametrize(
    ("payload", "limit", "kind"),
    [
        (b"%PDF-1.4 nothing", 1000, PdfDamaged),
        (locked(), 1000, PdfLocked),
        (pdf(*[text(72, 700, "tea")] * 5), 8, PageTooComplex),
    ],
)
def test_a_worker_answers_with_an_error(
    payload: bytes, limit: int, kind: type[RenderError]
) -> None:
    message, data = worker._answer({**REQUEST, "max_nodes": limit}, payload)
    assert (message["ok"], message["kind"], data) == (False, kind.__name__, b"")
    assert type(workers._error(message, "tea.pdf")) is kind


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("deep"), ZeroDivisionError("x")])
def test_whatever_else_happens_is_a_crash(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Page:
        raise error

    monkeypatch.setattr(worker, "_render", fail)
    message, _ = worker._answer(REQUEST, b"")
    assert message["kind"] == "RenderCrash"
    assert type(error).__name__ in message["message"]


# What the program makes of an answer


@pytest.mark.parametrize("kind", [RenderTimeout, PdfDamaged, PageTooComplex, NoBrowser])
def test_an_error_of_a_worker_is_raised_again(kind: type[RenderError]) -> None:
    error = workers._error({"kind": kind.__name__, "message": "no", "hint": "try"}, "tea.html")
    assert (type(error), str(error), error.hint) == (kind, "tea.html: no", "try")


@pytest.mark.parametrize(
    "kind", ["PagesightError", "SourceNotFound", "re", "__name__", "SystemExit", 3, None, "", "x"]
)
def test_a_worker_cannot_name_any_other_error(kind: object) -> None:
    error = workers._error({"kind": kind, "message": 1, "hint": ""}, "tea.html")
    assert type(error) is RenderCrash
    assert error.hint is None


@given(st.dictionaries(st.sampled_from(["kind", "message", "hint", "ok"]), st.text() | st.none()))
def test_any_answer_is_a_render_error(answer: dict[str, Any]) -> None:
    assert isinstance(workers._error(json.loads(json.dumps(answer)), "x"), RenderError)


@pytest.mark.parametrize(
    ("code", "description"), [(-signal.SIGSEGV, "SIGSEGV"), (-signal.SIGKILL, "SIGKILL"),
                              (-99, "status -99"), (3, "status 3")]
)  # fmt: skip
def test_how_a_worker_ended(code: int, description: str) -> None:
    assert how_ended(code) == description


# A renderer with workers


def test_a_worker_is_used_again_and_replaced_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PAGES_PER_WORKER", 2)
    started: list[object] = []
    make = WorkerProcess

    def counted(*arguments: str) -> WorkerProcess:
        started.append(None)
        return make(*arguments)

    monkeypatch.setattr(workers, "WorkerProcess", counted)
    renderer = WorkerRenderer("pdf", RenderOptions())
    try:
        source = load(pdf(text(72, 700, "tea")))
        assert [renderer.render(source).root.text for _ in range(3)] == ["tea"] * 3
        assert len(started) == 2
    finally:
        renderer.close()


def test_a_closed_renderer_refuses_pages() -> None:
    renderer = WorkerRenderer("pdf", RenderOptions())
    renderer.close()
    renderer.close()  # twice does no harm
    with pytest.raises(RenderError, match="closed"):
        renderer.render(load(pdf("")))


def test_an_error_names_the_source(tmp_path: Any) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(locked())
    renderer = WorkerRenderer("pdf", RenderOptions())
    try:
        with pytest.raises(PagesightError) as caught:
            renderer.render(load(path))
        assert caught.value.source == str(path)
        assert isinstance(caught.value, PdfLocked)
    finally:
        renderer.close()
