"""Pictures on pages of strangers, fetched by this server so that no browser has to.

They are fetched past the egress guard only, and painted anew: what the browser gets is pixels, in
one of two formats, whatever the stranger sent. An SVG, which is a document, is drawn (`drawings`).
"""

from __future__ import annotations

import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from pagesight.errors import PagesightError
from pagesight.portal.foreign.drawings import Drawings
from pagesight.render.cache import write_whole
from pagesight.sources import Limits
from pagesight.sources.fetching import fetch
from pagesight.sources.loading import decompress

LARGEST = 8 * 1024 * 1024  # bytes of a picture as it comes
MOST_PIXELS = 40_000_000  # of a picture as it comes
LONGEST_SIDE = 1_600  # px of a picture as it goes
MOST_KEPT = 256 * 1024 * 1024  # bytes on disk
PATIENCE = 10.0  # seconds for a picture
FRESH = 3600.0  # seconds after which a picture is fetched again
FAILING = 60.0  # seconds for which one that could not be had is not asked for again
MOST_FAILING = 1_000  # of which that is known
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF")  # ICO is decoded before its size is known

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",  # what is shared is in frames without an origin
    "Cache-Control": f"private, max-age={FRESH:.0f}",
}
"""Those of an answer with such a picture."""


class NotAPicture(PagesightError):
    """What is at the address of a picture cannot be shown as one."""


@dataclass(frozen=True, slots=True)
class Raster:
    """A picture as the browser gets it."""

    data: bytes
    media_type: str


class Pictures:
    """Fetches pictures, and keeps the last ones in a folder."""

    def __init__(self, folder: Path, limits: Limits, *, most: int = MOST_KEPT) -> None:
        self._folder = folder
        self._most = most
        self._limits = replace(limits, max_size=LARGEST, total_timeout=PATIENCE)
        self._drawings = Drawings()
        self._failing: dict[str, float] = {}  # until when: a site that is down must not delay all

    def get(self, url: str) -> Raster:
        """The picture of an address: the last good one, if it cannot be had now.

        Raises a `PagesightError` if there is none.
        """
        file = self._folder / sha256(url.encode()).hexdigest()
        kept, age = _kept(file)
        if kept and age < FRESH:
            return kept
        if time.monotonic() < self._failing.get(url, 0.0):
            raise NotAPicture("this picture could not be had a moment ago", source=url)
        try:
            raster = self._painted(self._fetched(url))
        except PagesightError:
            if kept:
                return kept
            self._note_failing(url)
            raise
        self._keep(file, raster.data)
        return raster

    def _painted(self, data: bytes) -> Raster:
        drawing = self._drawings.drawn(data)
        return painted(data) if drawing is None else _written(drawing)

    def close(self) -> None:
        """End what draws pictures."""
        self._drawings.close()

    def _note_failing(self, url: str) -> None:
        if len(self._failing) >= MOST_FAILING:
            self._failing.clear()
        self._failing[url] = time.monotonic() + FAILING

    def _fetched(self, url: str) -> bytes:
        try:
            return decompress(fetch(url, self._limits).data, LARGEST)
        except PagesightError as error:
            raise error.about(url) from error.__cause__

    def _keep(self, file: Path, data: bytes) -> None:
        """Keep a picture, and forget the oldest ones, if there are too many."""
        with suppress(OSError):  # a full disk keeps nobody from seeing it
            write_whole(file, data)
            self._forget()

    def _forget(self) -> None:
        known = [(file.stat(), file) for file in self._folder.iterdir()]
        left = sum(stat.st_size for stat, _ in known) - self._most
        for stat, file in sorted(known, key=lambda one: one[0].st_mtime):
            if left <= 0:
                return
            file.unlink(missing_ok=True)
            left -= stat.st_size


def _kept(file: Path) -> tuple[Raster | None, float]:
    """A picture that is kept, and how old it is."""
    try:
        data = file.read_bytes()
        return Raster(data, _media_type(data)), time.time() - file.stat().st_mtime
    except OSError:
        return None, 0.0


def painted(data: bytes) -> Raster:
    """A picture painted anew, smaller if it is large; raises `NotAPicture`."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is too large is refused below
            with Image.open(BytesIO(data), formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise NotAPicture("this picture is too large")
                return _encoded(image)
    except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError) as error:
        raise NotAPicture("this is not a picture that can be shown") from error


def _encoded(image: Any) -> Raster:
    image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    shown = image.convert("RGBA" if _is_translucent(image) else "RGB")
    shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return _written(shown, as_photo=image.format not in ("PNG", "GIF"))


def _written(image: Any, *, as_photo: bool = False) -> Raster:
    file = BytesIO()
    if image.mode == "RGBA" or not as_photo:
        image.save(file, "PNG")
    else:
        image.save(file, "JPEG", quality=85)
    return Raster(file.getvalue(), _media_type(file.getvalue()))


def _is_translucent(image: Any) -> bool:
    return image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info


def _media_type(data: bytes) -> str:
    return "image/jpeg" if data.startswith(b"\xff\xd8") else "image/png"
