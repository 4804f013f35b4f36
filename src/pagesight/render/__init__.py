"""Renderers: bytes in, a `Page` out.

>>> with open_renderer("auto") as renderer:
...     page = renderer.render(load("page.html"))
"""

from pagesight.render.opening import RENDERERS, AnyRenderer, choose, open_renderer, render
from pagesight.render.renderer import Picture, Renderer, RenderOptions

__all__ = [
    "RENDERERS",
    "AnyRenderer",
    "Picture",
    "RenderOptions",
    "Renderer",
    "choose",
    "open_renderer",
    "render",
]
