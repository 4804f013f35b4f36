"""Making reports for the inspector, and naming their files."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pagesight.cli.options import STDIN, ReadingOptions, WrongUse
from pagesight.cli.output import printable, say, say_json, say_lines
from pagesight.cli.saving import slug_of, stem_of, write_over_own
from pagesight.cli.work import work_through
from pagesight.document import Document
from pagesight.output.inspector.layers import page_layers
from pagesight.output.inspector.report import Layer, inspector_html
from pagesight.readers.registry import layer_names
from pagesight.sources.source import is_address, is_file_address

REPORT, DRAWING = ".inspect.html", ".inspect.png"
# One of these stands in the first bytes of each file that is written here.
SIGNATURES = (
    b'<meta name="generator" content="pagesight inspect">',
    b"Software\0pagesight inspect",
)
FIRST_BYTES = 500


@dataclass
class Targets:
    """Where the report and the drawing of each source go."""

    output: Path | None
    png: Path | None
    several: bool
    _taken: set[Path] = field(default_factory=set)

    def check(self) -> None:
        """Refuse what cannot be meant, before anything is rendered."""
        given = [path for path in (self.output, self.png) if path]
        if Path(STDIN) in given:
            raise WrongUse("what is made here goes into files, not to standard output")
        if len(set(given)) < len(given):
            raise WrongUse("-o and --png name the same file")
        for path in given if self.several else ():
            if path.is_file() or path.suffix.lower() in (".html", ".htm", ".png"):
                raise WrongUse(f"{path} is a file, and there are several sources: name a folder")

    def report_of(self, source: str) -> Path | None:
        """The file for the report; None where only a drawing is wanted."""
        if self.png and not self.output:
            return None
        return self._path(self.output, REPORT, source)

    def drawing_of(self, source: str) -> Path | None:
        """The file for the drawing, if one is wanted."""
        return self._path(self.png, DRAWING, source) if self.png else None

    def _path(self, given: Path | None, suffix: str, source: str) -> Path:
        if given and not self.several and not given.is_dir():
            return given
        stem = given / slug_of(source) if given else _beside(source)
        path, number = stem.with_name(stem.name + suffix), 1
        while path in self._taken:
            number += 1
            path = stem.with_name(f"{stem.name}-{number}{suffix}")
        self._taken.add(path)
        return path


def _beside(source: str) -> Path:
    """The file of a source without its suffix; what is no file gets a name in this folder."""
    if source == STDIN or is_address(source):
        return Path(slug_of(source))
    path = Path(url2pathname(urlsplit(source).path) if is_file_address(source) else source)
    return path.with_name(stem_of(path) or "page")


def inspect_all(options: ReadingOptions, targets: Targets, layer: str | None) -> int:
    """Make the report of each source, and return how many failed."""
    targets.check()
    if layer is not None and layer not in layer_names():
        raise WrongUse(f"there is no layer {layer!r}; there are {', '.join(layer_names())}")

    def use(document: Document) -> None:
        if _is_report(document):
            say(f"{document.source}: a report, left out", "yellow")  # *.html may find them
            return
        _inspect(document, targets, layer, as_json=options.as_json)

    return work_through(options, use, pictures=True)


def _inspect(document: Document, targets: Targets, layer: str | None, *, as_json: bool) -> None:
    page, picture, source = document.page, document.picture, document.source
    layers = page_layers(page, document.reading)
    layers.sort(key=lambda each: each.name != layer)  # that one first
    written: dict[str, str] = {}
    if path := targets.report_of(source):
        _write(path, inspector_html(page, picture, layers, source=source).encode())
        written["file"] = str(path)
    if path := targets.drawing_of(source):
        from pagesight.output.inspector.overlay import overlay_png

        _write(path, overlay_png(page, picture, layers[0]))
        written["png"] = str(path)
    _tell(document, written, layers, as_json=as_json)


def _write(path: Path, data: bytes) -> None:
    write_over_own(path, data, _is_ours, "was not made by pagesight inspect")


def _is_ours(file: IO[bytes]) -> bool:
    first = file.read(FIRST_BYTES)
    return any(signature in first for signature in SIGNATURES)


def _is_report(document: Document) -> bool:
    return document.original is not None and _is_ours(BytesIO(document.original.data))


def _tell(
    document: Document, written: dict[str, str], layers: list[Layer], *, as_json: bool
) -> None:
    counts = {layer.name: len(layer.marks) for layer in layers}
    if as_json:
        say_json(document.state() | written | {"layers": counts})
        return
    marks = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    say_lines(printable(f"{path}: {marks}, from {document.source}") for path in written.values())
