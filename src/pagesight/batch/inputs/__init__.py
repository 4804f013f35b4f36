"""What pages come from in large numbers: web archives, tables, lists and folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagesight.batch.items import Input, InputOptions
from pagesight.errors import BatchError, SourceNotFound

_WARC = re.compile(r"\.warc(\.gz|\.zst)?$", re.IGNORECASE)
_LINES = re.compile(r"\.(jsonl|ndjson)(\.gz|\.zst)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSpec:
    """An input as the plan names it."""

    path: str
    kind: str
    """``warc``, ``parquet``, ``jsonl``, ``manifest`` or ``folder``."""

    inside: str | None = None
    """The WARC file within a WACZ file."""

    @property
    def name(self) -> str:
        """As rows name it."""
        return f"{self.path}!{self.inside}" if self.inside else self.path

    def open(self, options: InputOptions, base: Path) -> Input:
        """What reads it; `base` is the folder that paths are relative to."""
        path = base / self.path
        if self.kind == "warc":
            from pagesight.batch.inputs.warc import WarcInput

            return WarcInput(path, options, self.inside)
        if self.kind in ("parquet", "jsonl"):
            from pagesight.batch.inputs.tables import JsonLinesInput, ParquetInput

            return (ParquetInput if self.kind == "parquet" else JsonLinesInput)(path, options)
        from pagesight.batch.inputs.lists import FolderInput, ManifestInput

        return ManifestInput(path) if self.kind == "manifest" else FolderInput(path)


def specs_of(path: Path) -> Iterator[InputSpec]:
    """The inputs that a file or folder is; raises an error that names what is none."""
    if path.is_dir():
        yield from _specs_in(path)
        return
    if not path.is_file():
        raise SourceNotFound("there is no such file or folder", source=str(path))
    found = [*_specs_of_file(path)]
    if not found:
        raise BatchError(
            "this is not an input that is known by its name",
            source=str(path),
            hint="there are .warc, .warc.gz, .warc.zst, .wacz, .parquet, .jsonl and folders; "
            "--from takes a list of pages",
        )
    yield from found


def _specs_of_file(path: Path) -> Iterator[InputSpec]:
    name = str(path)
    if _WARC.search(name):
        yield InputSpec(path=name, kind="warc")
    elif name.lower().endswith(".wacz"):
        from pagesight.batch.inputs.warc import warcs_inside

        for inside in warcs_inside(path):
            yield InputSpec(path=name, kind="warc", inside=inside)
    elif name.lower().endswith(".parquet"):
        yield InputSpec(path=name, kind="parquet")
    elif _LINES.search(name):
        yield InputSpec(path=name, kind="jsonl")


def _specs_in(folder: Path) -> Iterator[InputSpec]:
    """The archives and tables below a folder, and the folder itself if there are pages in it."""
    from pagesight.batch.inputs.lists import files_below, is_page_name

    paths = files_below(folder)
    for path in paths:
        yield from _specs_of_file(path)
    if any(is_page_name(path) for path in paths):
        yield InputSpec(path=str(folder), kind="folder")
