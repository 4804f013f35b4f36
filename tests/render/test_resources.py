from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Note
from pagesight.render import resources
from pagesight.render.resources import BASE, HOST, SITE, Loads, Neighbourhood


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with a page in a folder, and files around it."""
    site = tmp_path_factory.mktemp("site").resolve()
    folder = site / "shop" / "tea"
    (folder / "deep").mkdir(parents=True)
    for name in ("page.html", "a b.css", "ü.png", "deep/inner.html", "100%.css"):
        (folder / name).write_text(name)
    (site / "secret.html").write_text("secret")
    (site / "style.css").write_text("body {}")
    (folder / "way out.html").symlink_to(site / "secret.html")
    (folder / "out").symlink_to(site)
    (folder / "loop.html").symlink_to(folder / "loop.html")
    (folder / "device.html").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.css")
    return site


def files(site: Path, *, root: bool = False) -> Neighbourhood:
    return Neighbourhood(site / "shop/tea/page.html", site if root else None)


def found(site: Path, address: str, *, root: bool = False, document: bool = False) -> str | None:
    """Where an address of the page leads, relative to the site."""
    path = files(site, root=root).find(urljoin(BASE, address), document=document)
    return None if path is None else os.path.relpath(os.path.realpath(path), site)


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("a.css", "shop/tea/a.css"),
        ("./a.css?v=1#x", "shop/tea/a.css"),
        ("a%20b.css", "shop/tea/a b.css"),
        ("%C3%BC.png", "shop/tea/ü.png"),
        ("100%25.css", "shop/tea/100%.css"),
        ("deep/../a.css", "shop/tea/a.css"),
        ("../x.css", "shop/x.css"),
        ("../../style.css", "style.css"),
        ("%2e%2e/x.css", "shop/x.css"),
        ("..%2f..%2fstyle.css", "style.css"),
        ("deep%2finner.html", "shop/tea/deep/inner.html"),
        (".//style.css", "shop/tea/style.css"),
        ("-/x.css", "shop/tea/-/x.css"),
        ("/style.css", None),
        ("a%00.css", None),
        ("http://other.example/a.css", None),
        ("https://page.invalid.example/a.css", None),
        ("file:///etc/passwd", None),
    ],
)
def test_files_beside_the_page(site: Path, address: str, path: str | None) -> None:
    assert found(site, address) == path


def test_an_address_that_is_none(site: Path) -> None:
    assert files(site).find("http://[") is None


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/style.css", "style.css"),
        ("//page.invalid/style.css", "style.css"),
        ("/shop/../style.css", "style.css"),
        ("/%2e%2e/%2e%2e/etc/passwd", None),
        ("/..%2f..%2fetc/passwd", None),
        ("/shop/tea/out/style.css", "style.css"),
        ("/", "."),
        ("../" * 40 + "style.css", "style.css"),
    ],
)
def test_files_below_the_root(site: Path, address: str, path: str | None) -> None:
    assert found(site, address, root=True) == path


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("deep/inner.html", "shop/tea/deep/inner.html"),
        ("deep/%2e%2e/page.html", "shop/tea/page.html"),
        ("../../secret.html", None),
        ("..%2f..%2fsecret.html", None),
        ("%2e%2e%2f%2e%2e%2fsecret.html", None),
        ("deep/..%2f..%2f..%2fsecret.html", None),
        ("way%20out.html", None),
        ("out/secret.html", None),
        (".//etc/passwd", "shop/tea/etc/passwd"),
        ("%2fetc/passwd", "shop/tea/etc/passwd"),
        ("loop.html", None),
        ("/secret.html", None),
    ],
)
def test_documents_lie_in_the_page_s_own_folder(site: Path, address: str, path: str | None) -> None:
    assert found(site, address, document=True) == path


def test_documents_may_lie_below_the_root(site: Path) -> None:
    assert found(site, "/secret.html", root=True, document=True) == "secret.html"
    assert found(site, "/..%2fother.html", root=True, document=True) is None


PIECES = st.sampled_from(
    ["..", ".", "%2e%2e", "%2E.", "/", "%2f", "//", "\\", "%5c", "-", "-/", "etc", "passwd", "out",
     "way out.html", "secret.html", "deep", "loop.html", "?", "#", "%00", "%", "%ff", "ü", "~"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12), st.booleans(), st.booleans())
def test_documents_never_lead_outside(
    site: Path, pieces: list[str], rooted: bool, raw: bool
) -> None:
    address = "".join(pieces)
    url = SITE + "-/" * 24 + address if raw else urljoin(BASE, address)
    path = files(site, root=rooted).find(url, document=True)
    if path is not None:
        allowed = site if rooted else site / "shop/tea"
        assert Path(os.path.realpath(path)).is_relative_to(allowed)


@given(st.text(max_size=20), st.booleans())
def test_any_address_is_answered(site: Path, text: str, document: bool) -> None:
    for url in (text, SITE + text, SITE + quote(text, errors="replace"), BASE + "/../" + text):
        loads = Loads()
        loaded = files(site, root=True).load(url, document=document, loads=loads)
        assert (loaded is None) == bool(loads.notes())


def test_a_page_that_is_no_file_has_no_neighbours(site: Path) -> None:
    assert Neighbourhood(None, None).find(urljoin(BASE, "a.css")) is None
    assert Neighbourhood(None, None).find(urljoin(BASE, "/a.css")) is None
    assert Neighbourhood(None, site).find(urljoin(BASE, "a.css")) is None
    assert Neighbourhood(None, site).find(urljoin(BASE, "/style.css")) == site / "style.css"


def test_loading(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "LARGEST", 10)
    loads = Loads()

    def load(address: str, *, document: bool = False) -> tuple[bytes, str] | None:
        url = urljoin(BASE, address)
        loaded = files(site).load(url, document=document, loads=loads)
        return (loaded.data, loaded.media_type) if loaded else None

    assert load("a%20b.css") == (b"a b.css", "text/css")
    assert load("%C3%BC.png") == ("ü.png".encode(), "image/png")
    assert load("page.html", document=True) == (b"page.html", "text/html")
    assert loads.notes() == ()

    assert load("gone.css") is None
    assert load("also/gone.css") is None
    assert load("x" * 5000) is None
    assert loads.missing == {"gone.css", "also/gone.css", "x" * 500}
    assert loads.blocked == set()

    assert load("deep/inner.html") is None  # too large
    assert load("deep") is None
    assert load("pipe.css") is None
    assert load("device.html") is None
    assert load("../../secret.html", document=True) is None
    assert load("/style.css") is None
    assert loads.blocked == {
        "deep/inner.html", "deep", "pipe.css", "device.html", "../../secret.html", "/style.css",
    }  # fmt: skip
    assert loads.notes() == (
        Note("blocked", "../../secret.html", 6),
        Note("missing", "also/gone.css", 3),
    )


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_file_without_permission(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a")
    (tmp_path / "a.css").chmod(0)
    loads = Loads()
    neighbours = Neighbourhood(tmp_path / "page.html", None)
    assert neighbours.load(urljoin(BASE, "a.css"), document=False, loads=loads) is None
    assert loads.missing == {"a.css"}


def test_the_made_up_host_is_invalid() -> None:
    assert HOST.endswith(".invalid")
