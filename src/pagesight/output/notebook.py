"""A document as notebooks show it: a small table, and a small picture of the page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO

from pagesight.render import Picture

WIDTH, HEIGHT = 240, 180  # px of the picture


def table(caption: str, rows: Mapping[str, str], picture: Picture | None = None) -> str:
    """HTML with these rows; whatever a page says is escaped."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(text)}</td></tr>"
        for name, text in rows.items()
    )
    shown = f"<img alt='' src='{_thumbnail(picture)}'>" if picture else ""
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>{shown}"


def _thumbnail(picture: Picture) -> str:
    """The top of a picture, made small, as an address."""
    from pagesight.output.inspector.picture import opened

    image = opened(picture)
    image = image.crop((0, 0, image.width, min(image.height, image.width * HEIGHT // WIDTH)))
    image.thumbnail((WIDTH, HEIGHT))
    file = BytesIO()
    image.save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"
