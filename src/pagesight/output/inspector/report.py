"""The inspector: a page and what was read from it, as one HTML file to look at."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

from pagesight.output.inspector.picture import fitted, wireframe
from pagesight.page import Box, Page
from pagesight.readers.value import Value, to_plain
from pagesight.render import Picture

LONGEST_TEXT = 1500  # characters of a mark in the report; outer zones repeat all that is inside
_ORDERS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # they turn text around
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")

_COLORS = json.loads((files(__package__) / "colors.json").read_text("utf-8"))
PALETTE: list[str] = _COLORS["palette"]
LEVELS: list[str] = _COLORS["levels"]
"""By nesting, for marks without labels; deeper ones begin again after the first."""

_USUAL: dict[str, str] = _COLORS["labels"]


@dataclass(frozen=True)
class Mark:
    """A value that is seen on a page, as a layer shows it."""

    id: int
    value: Value
    label: str = ""
    parent: int | None = None
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def box(self) -> Box:
        assert self.value.box is not None
        return self.value.box


@dataclass(frozen=True)
class Layer:
    """Marks of one reading, each after its parent."""

    name: str
    title: str
    marks: Sequence[Mark]
    table: str = ""
    """The label of marks that are the rows of a table, whose columns are their details."""

    @property
    def colors(self) -> dict[str, str]:
        """The colour of each label."""
        return label_colors(mark.label for mark in self.marks)

    @property
    def levels(self) -> list[int]:
        """How many marks are around each mark."""
        levels: dict[int | None, int] = {None: -1}
        for mark in self.marks:
            levels[mark.id] = levels.get(mark.parent, -1) + 1
        return [levels[mark.id] for mark in self.marks]


def label_colors(labels: Iterable[str]) -> dict[str, str]:
    """A colour for each label: the usual one, or the next of the palette that is free."""
    wanted = [label for label in dict.fromkeys(labels) if label]
    colors = {label: _USUAL[label] for label in wanted if label in _USUAL}
    free = [color for color in PALETTE if color not in colors.values()] or list(PALETTE)
    others = [label for label in wanted if label not in _USUAL]
    return colors | {label: free[i % len(free)] for i, label in enumerate(others)}


def level_color(level: int) -> str:
    """The colour of a level, 0 for the outermost."""
    return LEVELS[level if level < 1 else (level - 1) % (len(LEVELS) - 1) + 1]


def inspector_html(
    page: Page, picture: Picture | None, layers: Sequence[Layer], *, source: str
) -> str:
    """A file that shows a page with its layers in any browser, offline.

    Without a picture the page is drawn from what is known of it. The first layer is shown first.
    """
    shown = fitted(picture) if picture else wireframe(page)
    style, script = _asset("style.css"), _asset("script.js")
    data = report_data(page, shown, layers, source=source)
    filled = {
        "title": escape(clean(data["title"])),
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "picture": f"data:{shown.media_type};base64,{base64.b64encode(shown.data).decode()}",
        "data": _json(data),
    }
    # In one go: what a page says must not be taken for a placeholder.
    return _PLACEHOLDER.sub(lambda match: filled[match[1]], _asset("template.html"))


def report_data(
    page: Page, picture: Picture, layers: Sequence[Layer], *, source: str
) -> dict[str, Any]:
    """What the script of the report works on."""
    info = page.info
    width, height = info.size
    notes = [f"{note.kind}: {note.detail} ({note.count})" for note in info.notes]
    return {
        "title": clean(page.head.title or source),
        "source": clean(source),
        "url": clean(page.url or ""),
        "renderer": f"{info.renderer} {info.renderer_version}",
        "nodes": len(page),
        "size": [max(round(width), picture.width, 1), max(round(height), picture.height, 1)],
        "picture": {
            "width": picture.width,
            "height": picture.height,
            "drawn": picture.media_type == "image/svg+xml",
        },
        "notes": [clean(note) for note in notes],
        "levels": LEVELS,
        "layers": [_layer_fields(layer) for layer in layers],
    }


def clean(text: str) -> str:
    """Text without characters that control anything: direction, terminals, half characters."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", _ORDERS.sub("", text))


def shortened(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1].rstrip() + "…"


def _layer_fields(layer: Layer) -> dict[str, Any]:
    colors = {clean(label): color for label, color in layer.colors.items()}
    marks = [_mark_fields(mark) for mark in layer.marks]
    fields = {"name": layer.name, "title": layer.title, "colors": colors, "marks": marks}
    return fields | ({"table": layer.table} if layer.table else {})


def _mark_fields(mark: Mark) -> dict[str, Any]:
    value = mark.value
    fields = {
        "id": mark.id,
        "parent": mark.parent,
        "box": [round(length, 1) for length in mark.box],
        "label": clean(mark.label),
        "text": clean(shortened(value.text)),
        "xpath": value.xpath,
        "css": value.css,
        "confidence": to_plain(value.confidence),
        "details": {clean(name): clean(detail) for name, detail in mark.details.items()},
    }
    return {name: field for name, field in fields.items() if field not in (None, "", {})}


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing is loaded from anywhere, and nothing runs except our own."""
    return (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src {_hash(style)}; script-src {_hash(script)}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(data: dict[str, Any]) -> str:
    """JSON that can be in a script element: `</script>` and `<!--` cannot occur in it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
