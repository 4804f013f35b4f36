"""SVG pictures of strangers, drawn by this server: what the browser gets of them is pixels.

An SVG is a document, which may hold scripts, styles and references. It does not reach a browser:
the layout engine draws it, in a process with limits on time and memory, and without a way to load
anything.
"""

from __future__ import annotations

import threading
from base64 import b64encode
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from pagesight.errors import RenderError
from pagesight.render import AnyRenderer, RenderOptions
from pagesight.render.embedded.pictures import svg_size
from pagesight.sources import Kind, Source

LARGEST = 512 * 1024  # bytes of a drawing
LONGEST_SIDE = 1_600  # px
PATIENCE = 5.0  # seconds for a drawing
_PAGE = (
    "<!doctype html><style>body{{margin:0}}img{{display:block;width:{0}px;height:{1}px}}</style>"
    '<img src="{2}" style="background:#fff"><img src="{2}" style="background:#000">'
)


class Drawings:
    """Draws SVG. The process for that is started with the first one."""

    def __init__(self) -> None:
        self._renderer: AnyRenderer | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    def drawn(self, data: bytes) -> Image.Image | None:
        """An SVG as an image, transparent where it is; None if it cannot be drawn."""
        size = svg_size(data) if len(data) <= LARGEST else None
        if size is None or not all(0 < side < float("inf") for side in size):
            return None
        scale = min(1.0, LONGEST_SIDE / max(size))
        width, height = (max(1, round(side * scale)) for side in size)
        try:
            both = self._both(data, width, height)
        except RenderError:
            return None
        return _translucent(both[:height], both[height:])

    def close(self) -> None:
        """End the process; nothing is drawn any more."""
        with self._lock:
            self._is_closed = True
            if self._renderer:
                self._renderer.close()

    def _both(self, data: bytes, width: int, height: int) -> Any:
        """What it looks like on white, and below that on black."""
        address = f"data:image/svg+xml;base64,{b64encode(data).decode()}"
        page = _PAGE.format(width, height, address).encode()
        source = Source(name="a drawing", data=page, kind=Kind.HTML)
        _, picture = self._opened().render_with_picture(source)
        if picture is None:
            raise RenderError("nothing is drawn")
        with Image.open(BytesIO(picture.data), formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB").crop((0, 0, width, 2 * height)), dtype=np.int32)

    def _opened(self) -> AnyRenderer:
        with self._lock:
            if self._is_closed:
                raise RenderError("nothing is drawn any more")
            if self._renderer is None:
                self._renderer = AnyRenderer("embedded", RenderOptions(timeout=PATIENCE))
            return self._renderer


def _translucent(on_white: Any, on_black: Any) -> Image.Image:
    """The colours and the opacity of what looks like this on white, and like that on black."""
    opacity = 255 - (on_white - on_black).max(axis=2, keepdims=True).clip(0, 255)
    colors = (on_black * 255 / opacity.clip(1)).round().clip(0, 255)
    return Image.fromarray(np.concatenate([colors, opacity], axis=2).astype(np.uint8), "RGBA")
