"""The proxy of pictures: what it fetches, what it gives, and for whom."""

from __future__ import annotations

import gzip
import io
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFile

from guarding import PUBLIC, guard_of, public_website
from pagesight.errors import AddressRefused, PagesightError
from pagesight.portal.foreign.pictures import LARGEST, LONGEST_SIDE, NotAPicture, Pictures, painted
from pagesight.portal.foreign.signing import Signer
from pagesight.sources import Limits
from programs import working
from serving import Answer, Website, doorkeeper

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def encoded(kind: str, size: tuple[int, int] = (8, 6), mode: str = "RGB", **more: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size, "green").save(file, kind, **more)
    return file.getvalue()


@pytest.fixture
def site() -> Iterator[Website]:
    with public_website({"/cup.png": Answer(encoded("PNG"), "image/png")}) as running:
        yield running


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures", Limits(guard=guard_of(tea=PUBLIC, inner="127.0.0.1")))


def address(site: Website, path: str = "/cup.png") -> str:
    return f"http://tea.example:{site.host.partition(':')[2]}{path}"


def test_an_icon_does_not_hide_how_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    large = encoded("PNG", (7_000, 7_000), "1")
    entry = struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(large), 22)
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda _: pytest.fail("it is decoded"))
    with pytest.raises(NotAPicture):
        painted(struct.pack("<HHH", 0, 1, 1) + entry + large)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF"])
def test_pictures_are_painted_anew(kind: str) -> None:
    data = encoded(kind)
    raster = painted(data + b"<script>alert(1)</script>")
    assert raster.media_type in ("image/png", "image/jpeg")
    assert b"script" not in raster.data
    with Image.open(io.BytesIO(raster.data)) as image:
        assert image.size == (8, 6)


def test_nothing_that_a_picture_carries_is_passed_on() -> None:
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    raster = painted(encoded("JPEG", exif=exif))
    assert b"where I live" not in raster.data


def test_a_large_picture_becomes_smaller() -> None:
    raster = painted(encoded("JPEG", (4000, 1000)))
    with Image.open(io.BytesIO(raster.data)) as image:
        assert image.size == (LONGEST_SIDE, LONGEST_SIDE // 4)


def test_what_is_transparent_stays_so() -> None:
    file = io.BytesIO()
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(file, "PNG")
    with Image.open(io.BytesIO(painted(file.getvalue()).data)) as image:
        assert image.getpixel((0, 0))[3] == 0  # type: ignore[index]


def bomb() -> bytes:
    """A small PNG that says that it is 60,000 pixels wide and high."""
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


@pytest.mark.parametrize(
    "data",
    [
        SVG,
        b"<?xml version='1.0'?>" + SVG,
        gzip.compress(SVG),
        b"<!doctype html><script>alert(1)</script>",
        b"GIF89a<script>alert(1)</script>",
        b"%PDF-1.4",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9",
        b"",
        b"\0" * 100,
        encoded("PNG")[:40],
        bomb(),
        encoded("TIFF"),
    ],
)
def test_what_is_not_a_picture_is_not_given(data: bytes) -> None:
    with pytest.raises(NotAPicture):
        painted(data)


def test_a_picture_comes_through_this_server_and_is_kept(site: Website, pictures: Pictures) -> None:
    first = pictures.get(address(site))
    assert pictures.get(address(site)) == first
    assert site.asked == ["/cup.png"]


def test_a_picture_is_fetched_again_after_a_while_and_the_last_good_one_stays(
    site: Website, pictures: Pictures, tmp_path: Path
) -> None:
    first = pictures.get(address(site))
    for path in (tmp_path / "pictures").iterdir():
        os.utime(path, (0, 0))
    site.pages["/cup.png"] = Answer(status=500)
    assert pictures.get(address(site)) == first
    site.pages["/cup.png"] = Answer(encoded("PNG", (3, 3)), "image/png")
    assert pictures.get(address(site)) != first


def test_a_picture_that_could_not_be_had_is_not_asked_for_at_once(
    site: Website, pictures: Pictures
) -> None:
    for _ in range(3):
        with pytest.raises(PagesightError):
            pictures.get(address(site, "/none.png"))
    assert site.asked == ["/none.png"]


def test_as_many_pictures_are_kept_as_there_is_room_for(site: Website, tmp_path: Path) -> None:
    size = len(painted(encoded("PNG")).data)
    limits = Limits(guard=guard_of(tea=PUBLIC))
    pictures = Pictures(tmp_path, limits, most=3 * size)
    for number in range(6):
        site.pages[f"/{number}.png"] = Answer(encoded("PNG"), "image/png")
        pictures.get(address(site, f"/{number}.png"))
    assert len(list(tmp_path.iterdir())) == 3


def test_a_picture_of_this_machine_is_not_fetched(pictures: Pictures) -> None:
    with doorkeeper() as (place, visitors):
        port = place.rpartition(":")[2]
        for host in ("127.0.0.1", "localhost", "inner.example", "[::1]", "0x7f.1"):
            with pytest.raises(AddressRefused):
                pictures.get(f"http://{host}:{port}/cup.png")
    assert visitors == []


def test_a_picture_that_leads_to_this_machine_is_not_fetched(
    site: Website, pictures: Pictures
) -> None:
    with doorkeeper() as (place, visitors):
        site.pages["/away.png"] = Answer(redirect=f"http://{place}/")
        with pytest.raises(AddressRefused):
            pictures.get(address(site, "/away.png"))
    assert visitors == []


def test_a_picture_that_is_too_large_is_not_fetched(site: Website, pictures: Pictures) -> None:
    site.pages["/large.png"] = Answer(b"\0" * (LARGEST + 1), "image/png")
    site.pages["/bomb.png"] = Answer(gzip.compress(b"\0" * (LARGEST + 1)), "image/png")
    for path in ("/large.png", "/bomb.png", "/missing.png"):
        with pytest.raises(PagesightError):
            pictures.get(address(site, path))


# Signed addresses


def test_only_what_is_signed_is_fetched() -> None:
    signer = Signer(b"secret")
    path = signer.address("http://tea.example/cup.png")
    assert path
    _, _, signature, encoded_url = path.split("/")
    assert signer.url(signature, encoded_url) == "http://tea.example/cup.png"
    other = Signer(b"other").address("http://evil.example/")
    assert other
    _, _, forged, evil = other.split("/")
    for wrong in ((forged, evil), (signature, evil), ("", encoded_url), ("é\ud800", encoded_url)):
        assert signer.url(*wrong) is None


@pytest.mark.parametrize(
    "url",
    ["data:image/png,x", "file:///x.png", "ftp://x", "javascript:x", "//x", "cup.png", "",
     "http://me:secret@tea.example/", "http://tea.example/" + "x" * 5000],
)  # fmt: skip
def test_only_addresses_of_the_web_are_signed(url: str) -> None:
    assert Signer(b"secret").address(url) is None


def test_the_browser_gets_pixels_without_rights(tmp_path: Path) -> None:
    with working(tmp_path) as portal:
        signer = Signer(portal.portal.key("picture"))
        portal.site.pages["/cup.png"] = Answer(encoded("PNG"), "text/html")
        portal.site.pages["/evil.svg"] = Answer(SVG, "image/svg+xml")
        good = portal.client.get(signer.address(f"{portal.address}cup.png") or "")
        assert good.headers["content-type"] == "image/png"
        assert good.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert good.headers["x-content-type-options"] == "nosniff"
        evil = portal.client.get(signer.address(f"{portal.address}evil.svg") or "")
        assert evil.status_code == 404
        assert b"svg" not in evil.content
        assert portal.client.get("/pictures/forged/aHR0cDovL3g").status_code == 404
