"""Rendered pages saved in files, with a manifest to read them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import json_line, printable, say, say_json, say_lines
from pagesight.cli.saving import Target, part_of
from pagesight.cli.work import failure_fields, work_through
from pagesight.document import Document, Failure

SUFFIX = ".pagesight"
MANIFEST = "manifest.jsonl"
ERRORS = "errors.jsonl"


def save_all(options: ReadingOptions, target: Target) -> int:
    """Render all sources, save the Pages, and return how many sources failed."""
    target.prepare(several=options.count != 1)
    save = partial(_save, target=target, as_json=options.as_json)
    return _save_listed(options, target, save) if target.is_folder else work_through(options, save)


def _save_listed(options: ReadingOptions, target: Target, save: Callable[[Document], Path]) -> int:
    """Save Pages in a folder, with a manifest and a list of failures."""
    manifest_path, errors_path = target.path / MANIFEST, target.path / ERRORS
    target.check(manifest_path)
    target.check(errors_path)
    with _rewritten(manifest_path) as manifest, _rewritten(errors_path) as errors:

        def use(document: Document) -> None:
            row = {"source": save(document).name, "url": document.page.url, "from": document.source}
            _add(manifest, row)

        def fail(failure: Failure) -> None:
            _add(errors, failure_fields(failure))

        failures = work_through(options, use, fail)
    if not options.as_json:
        _sum_up(target.path, failures)
    return failures


def _save(document: Document, *, target: Target, as_json: bool) -> Path:
    path = target.path_for(document.source, SUFFIX)
    target.write(path, document.page.to_bytes())
    nodes = len(document.page)
    if as_json:
        say_json(document.state() | {"file": str(path), "nodes": nodes})
    else:
        say_lines([printable(f"{path}: {nodes:,} nodes, from {document.source}")])
    return path


@contextmanager
def _rewritten(path: Path) -> Iterator[IO[bytes]]:
    """A file that replaces `path` at the end, even at an early one; if it is empty, none does.

    What was saved before an interrupt stays saved, and is listed in the manifest.
    """
    part = part_of(path)
    with part.open("wb") as file:
        try:
            yield file
        finally:
            file.close()
            if part.stat().st_size:
                part.replace(path)
            else:
                part.unlink()
                path.unlink(missing_ok=True)


def _add(file: IO[bytes], fields: dict[str, Any]) -> None:
    file.write(json_line(fields))
    file.flush()


def _sum_up(folder: Path, failures: int) -> None:
    if (manifest := folder / MANIFEST).exists():
        say(f"to read them: pagesight read --from {manifest}")
    if failures:
        say(f"{failures} failed, listed in {folder / ERRORS}", "red")
