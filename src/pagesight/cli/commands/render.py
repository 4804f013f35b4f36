"""`pagesight render`: pages laid out once, saved for reading later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

from pagesight.cli.options import Overwrite, ReadingOptions, output_option, reads_pages
from pagesight.cli.output import json_line, say, say_json, say_line

if TYPE_CHECKING:
    from pagesight.cli.files import Target
    from pagesight.document import Document, Failure

EXAMPLES = """\
  pagesight render *.html -o pages
  pagesight render --from list.jsonl -o pages --jobs 8
  pagesight read --json --from pages/manifest.jsonl
"""
SUFFIX = ".pagesight"
MANIFEST = "manifest.jsonl"
ERRORS = "errors.jsonl"


@reads_pages
def render(
    options: ReadingOptions,
    output: Annotated[str, output_option("Where the saved Pages go.")],
    overwrite: Overwrite = False,
) -> int:
    """Render pages and save them, to be read later without a renderer."""
    from pagesight.cli.files import Target
    from pagesight.cli.sources import work_through

    target = Target.of(output, overwrite=overwrite)
    target.prepare(several=options.count != 1)

    def save(document: Document) -> Path:
        path = target.save(document.source, SUFFIX, document.page.to_bytes())
        nodes = len(document.page)
        if options.as_json:
            say_json(document.state() | {"file": str(path), "nodes": nodes})
        else:
            say_line(f"{path}: {nodes:,} nodes, from {document.source}")
        return path

    return _save_listed(options, target, save) if target.is_folder else work_through(options, save)


def _save_listed(options: ReadingOptions, target: Target, save: Callable[[Document], Path]) -> int:
    """Save Pages in a folder, with a manifest and a list of failures."""
    from pagesight.cli.sources import failure_fields, work_through

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


@contextmanager
def _rewritten(path: Path) -> Iterator[IO[bytes]]:
    """A file that replaces `path` at the end, even at an early one; if it is empty, none does.

    What was saved before an interrupt stays saved, and is listed in the manifest.
    """
    from pagesight.cli.files import part_of

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
