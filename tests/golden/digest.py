"""What is kept of a rendered page to tell whether it is still the same."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from pagesight.document import Document, facts
from pagesight.page import Box, Node, NodeKind, Page

REPOSITORY = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent
EXAMPLES = sorted(path.parent.name for path in (REPOSITORY / "examples").glob("*/index.html"))
RENDERERS = ("chromium", "embedded")
GRID = 8  # px to which boxes are rounded
FAMILIES = ("Arial", "Georgia", "Times New Roman", "Verdana", "monospace", "sans-serif", "serif")


def source_of(example: str) -> str:
    """The page of an example, as it is asked for."""
    return f"examples/{example}/index.html"


def folder_of(example: str, renderer: str) -> Path:
    """Where the fixture of an example lies."""
    return GOLDEN / example / renderer


def load(example: str, renderer: str, name: str) -> dict[str, Any]:
    """One of the two files of a fixture."""
    content: dict[str, Any] = json.loads((folder_of(example, renderer) / name).read_text("utf-8"))
    return content


def output(document: Document) -> dict[str, Any]:
    """What `pagesight read --json` says without the version, and a digest of the page."""
    read = document.state() | facts(document.page)
    read["renderer"] = read["renderer"]["name"]
    return read | digest(document.page)


def digest(page: Page) -> dict[str, Any]:
    """The texts and the places that a person would notice."""
    texts = page.visible & (page.columns["kind"] == NodeKind.TEXT)
    return {
        "visible_texts": int(np.count_nonzero(texts)),
        "headings": [_heading(node) for node in page.find("h1", "h2", "h3") if node.visible],
        "pictures": [_rounded(node.box) for node in page.find("img") if node.visible],
        "links": [node.target for node in page.find("a") if node.visible],
        "lines": page.root.text.splitlines(),
    }


def _heading(node: Node) -> dict[str, Any]:
    style = node.style
    return {
        "xpath": node.xpath,
        "text": node.text,
        "font_size": round(style.font_size),
        "bold": style.bold,
        "color": style.color,
        "box": _rounded(node.box),
    }


def _rounded(box: Box) -> list[int]:
    return [GRID * round(side / GRID) for side in box]


def system_fonts() -> dict[str, str]:
    """The fonts that a browser takes here; they decide where lines break."""
    fonts = {}
    for family in FAMILIES:
        try:
            command = ("fc-match", "--format=%{family}", family)
            found = subprocess.run(command, capture_output=True, check=True, text=True)
        except (OSError, subprocess.SubprocessError):
            return {}
        fonts[family] = found.stdout
    return fonts
