from __future__ import annotations

import asyncio
import gzip
import os
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from pagesight.errors import (
    FetchFailed,
    FetchTimeout,
    NotAPage,
    NotModified,
    PagesightError,
    SourceNotFound,
    SourceTooLarge,
    TooManyRedirects,
)
from pagesight.sources import Kind, Limits, Request, Source, Validators, load
from pagesight.sources.fetching import user_agent

PAGE = b"<!doctype html><title>Tea</title><p>Good morning"
HASTY = Limits(connect_timeout=30, read_timeout=0.3, total_timeout=30)
DRIPPING = Limits(connect_timeout=30, read_timeout=30, total_timeout=1)

Answer = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """A server on this machine that gives each path the answer it was told to."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[BaseHTTPRequestHandler] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, path: str, body: bytes = PAGE, status: int = 200, **headers: str) -> str:
        def send(handler: BaseHTTPRequestHandler) -> None:
            _head(handler, status, **headers)
            handler.wfile.write(body)

        return self.on(path, send)

    def on(self, path: str, answer: Answer) -> str:
        self.answers[path] = answer
        return self.url + path


def _handler_of(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self)
            # The client may hang up, as many of the tests make it do.
            with suppress(OSError):
                site.answers[self.path](self)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _head(handler: BaseHTTPRequestHandler, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


@contextmanager
def _silent_after(greeting: bytes) -> Iterator[str]:
    """The address of a server that sends `greeting` to whoever connects, and then nothing."""
    done = threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(greeting)
            done.wait()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        done.set()
        thread.join()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, args=(0.01,))
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()


def test_a_page(site: Site) -> None:
    url = site.answer("/tea", content_type="text/html; charset=koi8-r", x_made_of="tea")

    page = load(url)

    assert (page.name, page.url, page.data, page.kind) == (url, url, PAGE, Kind.HTML)
    assert page.live
    assert page.path is None
    assert page.declared_encoding == page.encoding == "koi8-r"
    assert ("x-made-of", "tea") in page.headers


def test_the_user_knows_the_address_better(site: Site) -> None:
    assert load(site.answer("/tea"), url="https://x.org/").url == "https://x.org/"


def test_it_introduces_itself(site: Site) -> None:
    load(site.answer("/tea"))
    assert site.requests[0].headers["user-agent"] == user_agent()
    assert user_agent().startswith("Mozilla/5.0 (compatible; Pagesight")


def test_gzip_as_content_encoding(site: Site) -> None:
    assert load(site.answer("/tea", gzip.compress(PAGE), content_encoding="gzip")).data == PAGE


def test_a_gzip_file(site: Site) -> None:
    assert load(site.answer("/tea.gz", gzip.compress(PAGE))).data == PAGE


def test_a_gzip_bomb(site: Site) -> None:
    bomb = gzip.compress(bytes(50 << 20))
    with pytest.raises(SourceTooLarge):
        load(site.answer("/bomb", bomb, content_encoding="gzip"), limits=Limits(max_size=1 << 20))


def test_a_compression_nobody_asked_for(site: Site) -> None:
    with pytest.raises(FetchFailed, match="br"):
        load(site.answer("/tea", b"...", content_encoding="br"))


def test_xhtml(site: Site) -> None:
    url = site.answer("/tea", b"<html><p/></html>", content_type="application/xhtml+xml")
    assert load(url).kind is Kind.XHTML


def test_pdf(site: Site) -> None:
    assert load(site.answer("/tea", b"%PDF-1.4\n", content_type="text/html")).kind is Kind.PDF


def test_a_picture(site: Site) -> None:
    url = site.answer("/tea", b"\x89PNG\r\n\x1a\n", content_type="text/html")
    with pytest.raises(NotAPage, match="a PNG picture") as caught:
        load(url)
    assert caught.value.source == url


def test_an_empty_answer(site: Site) -> None:
    with pytest.raises(NotAPage, match="empty"):
        load(site.answer("/tea", b"", 204))


def test_a_chain_of_redirects(site: Site) -> None:
    first = site.answer("/1", status=301, location="/2")
    site.answer("/2", status=302, location=site.url + "/3")
    site.answer("/3", status=307, location="4?x=1")
    last = site.answer("/4?x=1")

    page = load(first)

    assert (page.name, page.url, page.data) == (first, last, PAGE)


def test_a_circle_of_redirects(site: Site) -> None:
    url = site.answer("/1", status=302, location="/1")
    with pytest.raises(TooManyRedirects, match="more than 3 redirects") as caught:
        load(url, limits=Limits(max_redirects=3))
    assert caught.value.location == url
    assert len(site.requests) == 4


@pytest.mark.parametrize("target", ["ftp://x.org/", "file:///etc/hosts", "javascript:alert(1)"])
def test_redirects_lead_to_the_web_only(site: Site, target: str) -> None:
    with pytest.raises(FetchFailed):
        load(site.answer("/1", status=302, location=target))


def test_a_redirect_to_an_invalid_address(site: Site) -> None:
    with pytest.raises(FetchFailed):
        load(site.answer("/1", status=302, location="http://x:y:z/"))


def test_the_content_of_a_redirect_is_not_read(site: Site) -> None:
    url = site.answer("/1", b"x" * (10 << 20), status=302, location="/2")
    site.answer("/2")
    assert load(url, limits=Limits(max_size=1000)).data == PAGE


@pytest.mark.parametrize("status", [404, 410])
def test_not_found(site: Site, status: int) -> None:
    with pytest.raises(SourceNotFound, match=str(status)):
        load(site.answer("/tea", status=status))


@pytest.mark.parametrize("status", [304, 400, 401, 403, 429, 500, 503])
def test_error_pages_are_no_content(site: Site, status: int) -> None:
    with pytest.raises(FetchFailed, match=f"HTTP status {status}"):
        load(site.answer("/tea", status=status))


def test_too_large_by_its_header(site: Site) -> None:
    def send(handler: BaseHTTPRequestHandler) -> None:
        _head(handler, content_length=str(10**9))
        time.sleep(0.1)

    with pytest.raises(SourceTooLarge):
        load(site.on("/tea", send), limits=Limits(max_size=1000))


def test_too_large_without_a_word_about_it(site: Site) -> None:
    def send(handler: BaseHTTPRequestHandler) -> None:
        _head(handler)
        for _ in range(100_000):
            handler.wfile.write(b"<p>" * 1000)

    with pytest.raises(SourceTooLarge) as caught:
        load(site.on("/tea", send), limits=Limits(max_size=100_000))
    assert "--max-size" in str(caught.value.hint)


def test_an_answer_that_breaks_off(site: Site) -> None:
    with pytest.raises(FetchFailed):
        load(site.answer("/tea", content_length="1000"))


def test_no_http() -> None:
    with _silent_after(b"SSH-2.0-OpenSSH\r\n") as url, pytest.raises(FetchFailed):
        load(url, limits=HASTY)


def test_no_tls(site: Site) -> None:
    with pytest.raises(FetchFailed, match="no secure connection"):
        load(site.url.replace("http:", "https:"))


def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(FetchFailed, match="refused the connection") as caught:
            load(url)
    assert caught.value.source == url


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        (ssl.SSLCertVerificationError(1, "expired"), "certificate"),
        (ConnectionResetError(), "broke off"),
        (ExceptionGroup("both", [ConnectionRefusedError(), OSError()]), "refused"),
    ],
)
def test_why_there_is_no_connection(
    monkeypatch: pytest.MonkeyPatch, cause: Exception, message: str
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise httpx.ConnectError("All connection attempts failed") from cause

    monkeypatch.setattr(httpx.AsyncClient, "send", fail)
    with pytest.raises(FetchFailed, match=message):
        load("http://tea.invalid/")


def test_no_connection_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise httpx.ConnectTimeout("")

    monkeypatch.setattr(httpx.AsyncClient, "send", fail)
    with pytest.raises(FetchTimeout, match="no connection"):
        load("http://tea.invalid/")


def test_no_such_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(FetchFailed, match="no server of that name"):
        load("http://tea.invalid/")


def test_a_server_that_never_answers() -> None:
    with _silent_after(b"") as url, pytest.raises(FetchTimeout, match=r"for 0\.3 s"):
        load(url, limits=HASTY)


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n\r\n<p>"], ids=["header", "body"])
def test_a_server_that_drips(site: Site, start: bytes) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(start)
        for letter in b"HTTP/1.1 200 OK" + b"." * 2000:  # for more than 100 s
            handler.wfile.write(bytes([letter]))
            time.sleep(0.05)

    started = time.monotonic()
    with pytest.raises(FetchTimeout, match="within 1 s") as caught:
        load(site.on("/tea", drip), limits=DRIPPING)
    assert time.monotonic() - started < 60
    assert "--timeout" in str(caught.value.hint)


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "https:///tea",
        "http://?tea",
        "http://host:port/",
        "http://[::1/",
        "http://xn--a.com/",
        "http://☃..com/",
        "http://tea\0.com/",
        "http://x.org/\n",
        "http://" + "x." * 40_000,
    ],
)
def test_invalid_addresses(url: str) -> None:
    with pytest.raises(FetchFailed) as caught:
        load(url)
    assert caught.value.source == url


def test_within_a_running_event_loop(site: Site) -> None:
    url = site.answer("/tea")

    async def run() -> Source:
        return load(url)

    assert asyncio.run(run()).data == PAGE


def test_a_login_is_used_and_not_passed_on(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    address = site.answer("/tea").replace("http://", "http://reader:s%40cr:t@")

    page = load(address)

    (asked,) = site.requests
    assert asked.headers["authorization"] == "Basic " + b64encode(b"reader:s@cr:t").decode()
    assert page.login == ("reader", "s@cr:t")
    assert page.name == page.url == site.answer("/tea")
    assert "cr:t" not in repr(page) + caplog.text
    assert "/tea" in caplog.text


def test_a_login_is_for_its_own_server(site: Site) -> None:
    target = site.answer("/tea")
    other = site.answer("/away", status=302, location=target.replace("127.0.0.1", "localhost"))
    load(other.replace("http://", "http://reader:secret@"))
    first, second = site.requests
    assert "authorization" in first.headers
    assert "authorization" not in second.headers


def test_a_login_is_not_in_errors(site: Site) -> None:
    address = site.answer("/no", status=404).replace("http://", "http://reader:secret@")
    with pytest.raises(SourceNotFound) as error:
        load(address)
    assert "secret" not in str(error.value)


def test_a_login_in_another_address_is_none(site: Site) -> None:
    address = site.answer("/kept/http://me:secret@x.example/tea")
    page = load(address)
    assert page.name == page.url == address
    assert page.login is None


@pytest.mark.parametrize("password", ["se#cret", "se/cret", "se?cret"])
def test_a_password_that_is_no_part_of_an_address_is_not_shown(password: str) -> None:
    with pytest.raises(PagesightError) as error:
        load(f"http://reader:{password}@127.0.0.1:9/tea")
    assert "cret" not in f"{error.value} {error.value.source}"


def test_a_copy_that_still_holds(site: Site) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        known = handler.headers["If-None-Match"] == '"green"'
        _head(handler, 304 if known else 200, ETag='"green"', Last_Modified="Sun, 01 Nov 2026")
        handler.wfile.write(b"" if known else PAGE)

    address = site.on("/", answer)
    validators = Validators.of(load(address).headers)
    assert validators == Validators(etag='"green"', last_modified="Sun, 01 Nov 2026")
    with pytest.raises(NotModified):
        load(Request(source=address, validators=validators))
    assert site.requests[-1].headers["If-Modified-Since"] == "Sun, 01 Nov 2026"
    assert load(Request(source=address, validators=Validators(etag='"black"'))).data == PAGE


def test_nothing_is_known_of_a_copy_without_validators(site: Site) -> None:
    site.answer("/")
    assert Validators.of(load(site.url + "/").headers).headers() == {}


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("120", 120.0), ("Sun, 01 Nov 2026 00:00:00 GMT", 0.0), ("soon", None), ("", None)],
)
def test_a_server_that_wants_to_be_asked_later(
    site: Site, written: str, seconds: float | None
) -> None:
    site.answer("/", status=429, Retry_After=written)
    with pytest.raises(FetchFailed) as failed:
        load(site.url + "/")
    assert failed.value.retry_after == seconds
