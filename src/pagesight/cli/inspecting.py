"""Making reports for the inspector, and naming their files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pagesight.cli.options import STDIN, ReadingOptions, WrongUse
from pagesight.cli.output import printable, say_json, say_lines
from pagesight.cli.progress import Progress
from pagesight.cli.saving import _may_overwrite, _part_of, slug_of
from pagesight.cli.work import _Renderer, _Requests, _used, report
from pagesight.document import Document, Failure, read_all
from pagesight.errors import SaveFailed
from pagesight.output.inspector import (
    TITLES,
    Layer,
    Picture,
    inspector_html,
    overlay_png,
    page_layers,
)
from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.sources import Source
from pagesight.sources.request import is_address, is_file_address

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
    """The file of a source without its suffixes; what is no file gets a name in this folder."""
    if source == STDIN or is_address(source):
        return Path(slug_of(source))
    path = Path(url2pathname(urlsplit(source).path) if is_file_address(source) else source)
    return path.with_name(path.name.split(".")[0] or "page")


def inspect_all(options: ReadingOptions, targets: Targets, layer: str | None) -> int:
    """Make the report of each source, and tell how many failed."""
    targets.check()
    if layer is not None and layer not in TITLES:
        raise WrongUse(f"there is no layer {layer!r}; there are {', '.join(TITLES)}")
    failures = 0
    with Progress(options.count) as progress, _Camera(options) as camera:

        def use(document: Document) -> None:
            _inspect(document, camera.picture_of(document.page), targets, layer, options)

        for result in _results(options, camera):
            with progress.aside():
                failure = result if isinstance(result, Failure) else _used(result, use)
                if failure:
                    failures += 1
                    report(failure, as_json=options.as_json)
            progress.advance()
    return failures


def _results(options: ReadingOptions, camera: _Camera) -> Iterator[Document | Failure]:
    requests = _Requests(options)
    yield from read_all(requests, renderer=camera, limits=options.limits())
    if requests.trouble:
        yield Failure(requests.trouble.source or str(options.manifest), requests.trouble)


class _Camera(AnyRenderer):
    """The renderer that the options name, which keeps the picture of a page until it is used."""

    def __init__(self, options: ReadingOptions) -> None:
        super().__init__(options.renderer.value, options.render_options())
        self._inner = _Renderer(options)
        self._pictures: dict[int, Picture] = {}

    def render(self, source: Source) -> Page:
        """Render a page, and take its picture where that is possible."""
        page, picture = _seen(self._inner, source)
        if picture:
            self._pictures[id(page)] = picture
        return page

    def picture_of(self, page: Page) -> Picture | None:
        """The picture of a page that was rendered here; once only."""
        return self._pictures.pop(id(page), None)

    def close(self) -> None:
        """End all processes."""
        self._inner.close()
        super().close()


def _seen(renderer: AnyRenderer, source: Source) -> tuple[Page, Picture | None]:
    """A page with its picture; saved Pages, and some renderers, have none."""
    take = getattr(renderer, "render_with_picture", None)
    if take is None:
        return renderer.render(source), None
    page, picture = take(source)
    return page, picture


def _inspect(
    document: Document,
    picture: Picture | None,
    targets: Targets,
    layer: str | None,
    options: ReadingOptions,
) -> None:
    page, source = document.page, document.source
    layers = sorted(page_layers(page), key=lambda each: each.name != layer)  # that one first
    written: dict[str, str] = {}
    if path := targets.report_of(source):
        _write(path, inspector_html(page, picture, layers, source=source).encode())
        written["file"] = str(path)
    if path := targets.drawing_of(source):
        _write(path, overlay_png(page, picture, layers[0]))
        written["png"] = str(path)
    _tell(source, written, layers, as_json=options.as_json)


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and never over one that somebody else has made."""
    try:
        if not _may_overwrite(path, _is_ours):
            raise SaveFailed(
                f"{path} is there already, and not from pagesight inspect",
                hint="move it away, or choose another name",
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        part = _part_of(path)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise SaveFailed(f"{path} cannot be written ({error.strerror or error})") from error


def _is_ours(file: IO[bytes]) -> bool:
    first = file.read(FIRST_BYTES)
    return any(signature in first for signature in SIGNATURES)


def _tell(source: str, written: dict[str, str], layers: list[Layer], *, as_json: bool) -> None:
    counts = {layer.name: len(layer.marks) for layer in layers}
    if as_json:
        say_json({"source": source, **written, "layers": counts})
        return
    zones = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    say_lines(printable(f"{path}: {zones} zones, from {source}") for path in written.values())
