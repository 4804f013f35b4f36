"""How large the picture in a report may be."""

from __future__ import annotations

import math
import warnings
from io import BytesIO
from typing import TYPE_CHECKING

from pagesight.render import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

HIGHEST = 16_000  # CSS pixels; WebP ends at 16,383, and so do the textures of many browsers
WIDEST = 4_000  # of a drawing: some pages keep things far to the right
MOST_BYTES = 5_000_000
QUALITY = 82  # of WebP; letters of 11 px stay sharp
_SMALLER = 0.8  # per attempt to stay below MOST_BYTES


def fitted(picture: Picture) -> Picture:
    """The picture as a report holds it: cut off at `HIGHEST`, and of `MOST_BYTES` at most."""
    if picture.height <= HIGHEST and len(picture.data) <= MOST_BYTES:
        return picture
    image = opened(picture)
    height = min(picture.height, HIGHEST)
    image = image.crop((0, 0, image.width, math.ceil(image.height * height / picture.height)))
    data = _webp(image)
    while len(data) > MOST_BYTES:
        image = image.resize((int(image.width * _SMALLER), int(image.height * _SMALLER)))
        data = _webp(image)
    return Picture(data, picture.width, height)


def opened(picture: Picture) -> Image:
    """The picture for drawing on it."""
    from PIL import Image

    with warnings.catch_warnings():  # of its many pixels: we have painted them ourselves
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(BytesIO(picture.data)).convert("RGB")


def _webp(image: Image) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=2)
    return file.getvalue()
