"""`pagesight inspect`: a report that shows the zones of a page on its picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pagesight.cli.files import Names, Target, slug_of, stem_of, write_file
from pagesight.cli.options import (
    STDIN,
    Overwrite,
    ReadingOptions,
    WrongUse,
    name_option,
    output_option,
    reads_pages,
)
from pagesight.cli.output import say, say_json, say_line
from pagesight.readers.registry import layer_names

if TYPE_CHECKING:
    from pagesight.document import Document
    from pagesight.output.inspector import Layer

EXAMPLES = """\b
Examples:
  pagesight inspect page.html -o report.html
  pagesight inspect https://example.com/ -o report.html --layer xycut
  pagesight inspect page.html --png zones.png
  pagesight inspect *.html -o reports
"""
REPORT, DRAWING = ".inspect.html", ".inspect.png"
SIGNATURE = b'<meta name="generator" content="pagesight inspect">'  # at the beginning of reports
FIRST_BYTES = 500

_LAYERS = " or ".join(", ".join(layer_names()).rsplit(", ", 1))


@reads_pages
def inspect(
    options: ReadingOptions,
    output: Annotated[
        str | None,
        output_option("Where the reports go: NAME.inspect.html beside SRC if not given."),
    ] = None,
    png: Annotated[
        str | None,
        output_option(
            "Where drawings of one layer over the page go; without -o, there is no report.",
            "--png",
        ),
    ] = None,
    overwrite: Overwrite = False,
    layer: Annotated[
        str | None,
        name_option(
            f"The layer to show first, and to draw: {_LAYERS}.", autocompletion=layer_names
        ),
    ] = None,
) -> int:
    """Make a report: the picture of a page with its zones, to look at in a browser."""
    from pagesight.cli.sources import work_through

    if layer is not None and layer not in layer_names():
        raise WrongUse(f"there is no layer {layer!r}; there are {', '.join(layer_names())}")
    targets = Targets.of(output, png, overwrite=overwrite)
    targets.prepare(several=options.count != 1)

    def use(document: Document) -> None:
        if _is_report(document):
            say(f"{document.source}: a report, left out", "yellow")  # *.html may find them
            return
        _inspect(document, targets, layer, as_json=options.as_json)

    return work_through(options, use, pictures=True)


@dataclass(frozen=True)
class Targets:
    """Where the report and the drawing of each source go."""

    report: Target | None
    drawing: Target | None
    overwrite: bool = False
    names: Names = field(default_factory=Names)

    @classmethod
    def of(cls, output: str | None, png: str | None, *, overwrite: bool = False) -> Targets:
        """The targets that -o and --png name."""
        report, drawing = (
            None if given is None else Target.of(given, overwrite=overwrite)
            for given in (output, png)
        )
        return cls(report, drawing, overwrite)

    def prepare(self, *, several: bool) -> None:
        """Refuse what cannot be written, before anything is rendered."""
        if self.report and self.report == self.drawing and not self.report.is_folder:
            raise WrongUse("-o and --png name the same file")
        for target in filter(None, (self.report, self.drawing)):
            target.prepare(several=several)

    def report_of(self, source: str) -> Path | None:
        """The file for the report; None where only a drawing is wanted."""
        if self.report:
            return self.report.path_for(source, REPORT)
        return None if self.drawing else Path(self.names.unique(str(_beside(source))) + REPORT)

    def drawing_of(self, source: str) -> Path | None:
        """The file for the drawing, if one is wanted."""
        return self.drawing.path_for(source, DRAWING) if self.drawing else None


def _beside(source: str) -> Path:
    """The file of a source without its suffix; what is not a file gets a name in this folder."""
    from pagesight.sources.source import is_address, is_file_address

    if source == STDIN or is_address(source):
        return Path(slug_of(source))
    path = Path(url2pathname(urlsplit(source).path) if is_file_address(source) else source)
    return path.with_name(stem_of(path) or "page")


def _is_report(document: Document) -> bool:
    return document.original is not None and SIGNATURE in document.original.data[:FIRST_BYTES]


def _inspect(document: Document, targets: Targets, first: str | None, *, as_json: bool) -> None:
    from pagesight.output.inspector import inspector_html, page_layers

    page, picture, source = document.page, document.picture, document.source
    layers = page_layers(page, document.reading)
    layers.sort(key=lambda layer: layer.name != first)
    written: dict[str, str] = {}
    if path := targets.report_of(source):
        report = inspector_html(page, picture, layers, source=source).encode()
        write_file(path, report, overwrite=targets.overwrite)
        written["file"] = str(path)
    if path := targets.drawing_of(source):
        from pagesight.output.inspector import overlay_png

        drawing = overlay_png(page, picture, layers[0])
        write_file(path, drawing, overwrite=targets.overwrite)
        written["png"] = str(path)
    _report(document, written, layers, as_json=as_json)


def _report(
    document: Document, written: dict[str, str], layers: list[Layer], *, as_json: bool
) -> None:
    counts = {layer.name: len(layer.marks) for layer in layers}
    if as_json:
        say_json(document.state() | written | {"layers": counts})
        return
    marks = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    for path in written.values():
        say_line(f"{path}: {marks}, from {document.source}")
