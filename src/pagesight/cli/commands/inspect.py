"""`pagesight inspect`: a report that shows the zones of a page on its picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pagesight.cli.files import Target, slug_of, stem_of
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

EXAMPLES = """\
  pagesight inspect page.html -o report.html
  pagesight inspect https://example.com/ -o report.html --layer xycut
  pagesight inspect page.html --png zones.png
  pagesight inspect *.html -o reports
"""
SUFFIXES = {"file": ".inspect.html", "png": ".inspect.png"}
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
    targets = _targets(output, png, overwrite=overwrite)
    for target in targets.values():
        target.prepare(several=options.count != 1)

    def use(document: Document) -> None:
        if _is_report(document):
            say(f"{document.source}: a report, left out", "yellow")  # *.html may find them
            if options.as_json:
                say_json(document.state() | {"layers": {}})
            return
        _inspect(document, targets, layer, as_json=options.as_json)

    return work_through(options, use, pictures=True)


def _targets(output: str | None, png: str | None, *, overwrite: bool) -> dict[str, Target]:
    """Where reports ("file") and drawings ("png") go, as far as they are wanted."""
    given = {"file": output, "png": png}
    targets = {
        kind: Target.of(path, overwrite=overwrite)
        for kind, path in given.items()
        if path is not None
    }
    report = targets.get("file")
    if report and report == targets.get("png") and not report.is_folder:
        raise WrongUse("-o and --png name the same file")
    return targets or {"file": BesideSources(Path(), is_folder=True, overwrite=overwrite)}


class BesideSources(Target):
    """A file beside each source; what is not a file gets one in this folder."""

    def prepare(self, *, several: bool = False) -> None:
        """Nothing to do: the folders are there."""

    def path_for(self, source: str, suffix: str) -> Path:
        """The file for a source."""
        return Path(self.names.unique(str(_beside(source))) + suffix)


def _beside(source: str) -> Path:
    """The file of a source without its suffix; what is not a file gets a name in this folder."""
    from pagesight.sources.source import is_address, is_file_address

    if source == STDIN or is_address(source):
        return Path(slug_of(source))
    path = Path(url2pathname(urlsplit(source).path) if is_file_address(source) else source)
    return path.with_name(stem_of(path) or "page")


def _is_report(document: Document) -> bool:
    return document.original is not None and SIGNATURE in document.original.data[:FIRST_BYTES]


def _inspect(
    document: Document, targets: dict[str, Target], first: str | None, *, as_json: bool
) -> None:
    from pagesight.output.inspector import inspector_html, page_layers

    page, picture, source = document.page, document.picture, document.source
    layers = page_layers(page, document.reading)
    layers.sort(key=lambda layer: layer.name != first)
    written: dict[str, str] = {}
    for kind, target in targets.items():
        if kind == "file":
            data = inspector_html(page, picture, layers, source=source).encode()
        else:
            from pagesight.output.inspector import overlay_png

            data = overlay_png(page, picture, layers[0])
        written[kind] = str(target.save(source, SUFFIXES[kind], data))
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
