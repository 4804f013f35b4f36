"""The proxy of pictures: what it fetches, what it gives, and for whom."""

from __future__ import annotations

import gzip
import io
import os
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFile

from guarding import PUBLIC, guard_of, public_website
from pagesight.errors import AddressRefused, PagesightError
from pagesight.portal.foreign.drawings import PATIENCE, Drawings
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


# Drawings


@pytest.fixture(scope="module")
def drawings() -> Iterator[Drawings]:
    drawings = Drawings()
    yield drawings
    drawings.close()


def svg(content: str, size: str = 'width="40" height="20"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{content}</svg>'.encode()


def test_a_drawing_is_painted_as_transparent_as_it_is(drawings: Drawings) -> None:
    half = '<rect x="10" width="10" height="20" fill="red" opacity="0.5"/>'
    image = drawings.drawn(svg(f'{half}<rect x="20" width="20" height="20" fill="#010203"/>'))
    assert image
    assert (image.mode, image.size) == ("RGBA", (40, 20))
    assert image.getpixel((5, 5))[3] == 0  # type: ignore[index]
    red, green, blue, opacity = image.getpixel((15, 5))  # type: ignore[misc]
    assert (red > 250, green, blue) == (True, 0, 0)
    assert 126 <= opacity <= 129
    assert image.getpixel((30, 5)) == (1, 2, 3, 255)


def test_a_drawing_comes_through_this_server(site: Website, pictures: Pictures) -> None:
    site.pages["/cup.svg"] = Answer(svg('<rect width="40" height="20"/>'), "image/svg+xml")
    first = pictures.get(address(site, "/cup.svg"))
    assert first.media_type == "image/png"
    assert pictures.get(address(site, "/cup.svg")) == first
    assert site.asked == ["/cup.svg"]
    pictures.close()


def test_a_drawing_reaches_nothing(drawings: Drawings, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(encoded("PNG", (40, 20)))
    with doorkeeper() as (place, visitors):
        for there in (f"http://{place}/x.png", f"//{place}/x.png", secret.as_uri(), str(secret)):
            for content in (
                f'<image href="{there}" width="40" height="20"/>',
                f'<use href="{there}#x"/>',
                f"<style>@import '{there}'; rect {{ fill: url({there}#x) }}</style><rect/>",
                f'<rect width="40" height="20" fill="url({there}#x)" filter="url({there}#x)"/>',
                f'<foreignObject width="40" height="20"><img xmlns="http://www.w3.org/1999/xhtml" '
                f'src="{there}"/></foreignObject>',
                f"<style>@font-face {{ font-family: x; src: url({there}) }}</style>"
                '<text font-family="x">x</text>',
            ):
                image = drawings.drawn(svg(content))
                assert image is None or image.getpixel((20, 10))[:3] != (0, 128, 0)  # type: ignore[index]
            with_entity = (
                f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "{there}">]>'.encode()
            )
            drawings.drawn(with_entity + svg("<text>&x;</text>"))
            drawings.drawn(f'<?xml-stylesheet href="{there}"?>'.encode() + svg("<rect/>"))
    assert visitors == []


def nested_uses() -> str:
    """Ten elements, each of which is ten times the one before."""
    groups = "".join(
        f'<g id="g{level}">{f"""<use href="#g{level - 1}"/>""" * 10}</g>' for level in range(1, 10)
    )
    return f'<g id="g0"><rect width="9" height="9"/></g>{groups}'


@pytest.mark.parametrize(
    "data",
    [
        svg(nested_uses()),
        svg('<g id="a"><use href="#a"/></g><use href="#a"/>'),
        svg("<g>" * 50_000),
        svg("<rect/>" * 100_000),
        b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "'
        + b"&a;" * 1000 + b'"><!ENTITY c "' + b"&b;" * 1000 + b'">]>' + svg("<text>&c;</text>"),
        svg("", 'width="1e300" height="1e300"'),
        svg("", 'width="-5" height="20"'),
        svg("", 'viewBox="0 0 0 0"'),
        svg('<rect width="1e38" height="1e38" stroke-width="1e38" stroke-dasharray="1e-9"/>'),
        b"<svg" + b"\xff" * 100 + b">",
    ],
    ids=["uses", "loop", "deep", "many", "entities", "huge", "negative", "flat", "dashes", "noise"],
)  # fmt: skip
def test_a_drawing_that_is_too_much_costs_one_picture(drawings: Drawings, data: bytes) -> None:
    start = time.monotonic()
    image = drawings.drawn(data)
    assert image is None or max(image.size) <= LONGEST_SIDE
    assert time.monotonic() - start < 6 * PATIENCE
    assert drawings.drawn(svg('<rect width="40" height="20"/>'))


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
        assert evil.headers["content-type"] == "image/png"
        assert evil.content.startswith(b"\x89PNG")
        assert evil.headers["content-security-policy"] == "default-src 'none'; sandbox"
        portal.site.pages["/page.svg"] = Answer(b"<!doctype html><svg>", "image/svg+xml")
        page = portal.client.get(signer.address(f"{portal.address}page.svg") or "")
        assert page.status_code == 404
        assert b"svg" not in page.content
        assert portal.client.get("/pictures/forged/aHR0cDovL3g").status_code == 404
