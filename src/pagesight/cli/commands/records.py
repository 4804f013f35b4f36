"""`pagesight records`: what pages list, and what they say of each thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagesight.cli.options import (
    Overwrite,
    ReadingOptions,
    WrongUse,
    chosen_format,
    name_option,
    output_option,
    reads_pages,
    target_of,
)
from pagesight.cli.output import (
    counted,
    headed,
    headline,
    labelled,
    say,
    styled,
)
from pagesight.cli.writing import Found, Job, format_of
from pagesight.lazy import imported

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document
    from pagesight.readers.records.model import RecordsModel
    from pagesight.readers.records.reading import Record, RecordsReading
    from pagesight.readers.records.wrapper import Wrapper

EXAMPLES = """\
  pagesight records page.html
  pagesight records --json *.html > records.jsonl
  pagesight records -o products.csv *.html
  pagesight records --wrapper shop.json page-1.html
  pagesight records --using shop.json -o all.csv page-*.html
"""
TABLES = ("csv", "markdown", "jsonld", "parquet")
"""The formats that `pagesight.output` has for records, one module each."""

SUFFIXES = {"text": ".txt", "json": ".jsonl", "csv": ".csv", "markdown": ".md",
            "jsonld": ".jsonld", "parquet": ".parquet"}  # fmt: skip
WIDEST = 44  # characters of a column that are shown
MOST_CELLS = 6  # columns without names that are shown
MOST_LISTS = 5  # other lists of a page that are shown
MOST_SHOWN = 3  # records of each of these
MOST_READ = 5  # records that `pagesight read` shows

RecordsFormat = StrEnum("RecordsFormat", ["TEXT", "JSON", "CSV", "MARKDOWN", "JSONLD", "PARQUET"])
MetadataUse = StrEnum("MetadataUse", ["AUTO", "IGNORE"])


@reads_pages
def records(
    options: ReadingOptions,
    format_: Annotated[
        RecordsFormat | None,
        name_option(
            "What to write: text, json (as --json), csv, markdown, jsonld (schema.org) or parquet. "
            "If not given, what the suffix of a file after -o says, or text.",
            "--format",
        ),
    ] = None,
    output: Annotated[str | None, output_option("Where the records go.")] = None,
    overwrite: Overwrite = False,
    metadata: Annotated[
        MetadataUse,
        name_option(
            "Whether the page's own markup (schema.org, microdata) confirms and completes what is "
            "seen: auto, or ignore."
        ),
    ] = MetadataUse.AUTO,
    wrapper: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Also write CSS selectors for rows and columns into this file; for one SRC.",
        ),
    ] = None,
    using: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read with the selectors of such a file, and say where they do not fit.",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read with a model of your own; see pagesight train records --labels.",
        ),
    ] = None,
) -> int:
    """Read what pages list: products with names, pictures, prices, or any rows."""
    target = target_of(output, overwrite=overwrite and not (wrapper and output is None))
    if target and not target.is_folder and not (format_ or options.as_json):
        format_ = RecordsFormat(format_of(target.path.name, SUFFIXES))
    chosen = chosen_format(options, format_, RecordsFormat).value
    if chosen == "parquet":
        _check_parquet(has_target=target is not None)
    if wrapper:
        _check_wrapper(options, wrapper, overwrite=overwrite, using=using)
    known = _loaded(using) if using else None
    own = _own_model(model) if model else None
    job = RecordsJob(chosen, target, metadata.value, wrapper, known, overwrite, own)
    return job.run(options)


def _check_parquet(*, has_target: bool) -> None:
    if not has_target:
        raise WrongUse("--format parquet needs a file or a folder: -o PATH")
    if find_spec("pyarrow") is None:
        raise WrongUse("--format parquet needs pyarrow: pip install 'pagesight[parquet]'")


def _check_wrapper(
    options: ReadingOptions, path: Path, *, overwrite: bool, using: Path | None
) -> None:
    if options.count != 1:
        raise WrongUse("--wrapper is made of one page, and there are several sources")
    if using:
        raise WrongUse("--wrapper makes selectors, --using reads with them: one at a time")
    from pagesight.cli.files import Target

    Target(path, is_folder=False, overwrite=overwrite).prepare()


def _loaded(path: Path) -> Wrapper:
    """The wrapper in a file."""
    import json

    from pagesight.errors import WrapperError
    from pagesight.readers.records.wrapper import Wrapper

    try:
        return Wrapper.from_json(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise WrongUse(f"{path} cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise WrongUse(f"{path} is not JSON, so it is not a wrapper") from error
    except WrapperError as error:
        raise WrongUse(f"{path}: {error.message}") from error


def _own_model(path: Path) -> RecordsModel:
    """The model in a file."""
    from pagesight.errors import ModelError
    from pagesight.readers.records.model import load_model

    try:
        return load_model(path)
    except ModelError as error:
        raise WrongUse(str(error)) from error


@dataclass(frozen=True)
class RecordsJob(Job):
    """What to make of records, and where to."""

    metadata: str = "auto"
    wrapper: Path | None = None  # where selectors go
    using: Wrapper | None = None  # what to read with
    overwrite: bool = False
    model: RecordsModel | None = None  # the shipped one if None

    suffixes = SUFFIXES
    together = TABLES

    def read(self, document: Document) -> Found:
        """The records of a document, and a word about it if there are none."""
        if self.using:
            reading = self._read_with(document, self.using)
        else:
            own = {"model": self.model} if self.model else {}
            reading = document.reading("records", metadata=self.metadata, **own)
        if self.wrapper:
            self._write_wrapper(self.wrapper, document, reading)
        if not reading.records and self.format in TABLES:
            say(f"{document.source}: no records", "yellow")
        return Found(document, reading)

    @staticmethod
    def _read_with(document: Document, wrapper: Wrapper) -> Any:
        from pagesight.cpu import limited
        from pagesight.readers.records.wrapper import read_with

        return limited(lambda: read_with(document.page, wrapper), document.reading_time)

    def _write_wrapper(self, path: Path, document: Document, reading: RecordsReading) -> None:
        import json

        from pagesight.cli.files import write_file
        from pagesight.cpu import limited
        from pagesight.readers.records.wrapper import wrapper_of

        page, source = document.page, document.source
        wrapper = limited(lambda: wrapper_of(page, reading, source), document.reading_time)
        text = json.dumps(wrapper.to_json(), ensure_ascii=False, indent=2) + "\n"
        write_file(path, text.encode(errors="replace"), overwrite=self.overwrite)
        columns = ", ".join(wrapper.columns) or "no columns"
        say(f"{path}: {wrapper.row_selector} selects {counted(wrapper.rows, 'row')}; {columns}")

    def formatted(self, found: Sequence[Found]) -> bytes:
        """The records of all pages as one table."""
        from pagesight.output.records_table import Listed

        pages = [Listed(one.document.source, one.reading) for one in found]
        name = f"records_{self.format}"
        written: str | bytes = imported(f"pagesight.output.{name}:{name}")(pages)
        return written.encode(errors="replace") if isinstance(written, str) else written

    def lines(self, found: Found) -> list[Text]:
        """The records of a page for a person, and an empty line."""
        title, source = found.document.page.head.title, found.document.source
        return [*headline(title, source), *record_lines(found.reading), styled()]


def record_lines(reading: RecordsReading) -> Iterator[Text]:
    """All records as a table, and what else is on the page."""
    yield styled()
    yield labelled("this is", f"{_kind(reading)}  ({reading.confidence:.0%})")
    if reading.records:
        yield styled()
        yield from _table_lines(reading.records)
    if reading.regions:
        yield from headed(f"Other lists ({len(reading.regions):,})")
    for region in reading.regions[:MOST_LISTS]:
        shown = " · ".join(_title(record) for record in region.records[:MOST_SHOWN])
        more = " …" if len(region.records) > MOST_SHOWN else ""
        yield labelled(counted(len(region.records), "record"), f"{shown}{more}")
    if len(reading.regions) > MOST_LISTS:
        yield styled(f"and {len(reading.regions) - MOST_LISTS} more", style="dim")


def _kind(reading: RecordsReading) -> str:
    if reading.problem:
        return reading.problem
    if not reading.records:
        return "a page without records"
    is_list = reading.kind == "list"
    return f"a list of {counted(len(reading.records), 'record')}" if is_list else "one record"


def _table_lines(records: Sequence[Record]) -> Iterator[Text]:
    """A line for each record, with how sure it is; columns that are empty are left out."""
    columns = [column for column in zip(*map(_shown(records), records), strict=True) if any(column)]
    widths = [max(map(len, column)) for column in columns]
    rows = list(zip(*columns, strict=True)) or [()] * len(records)
    for record, row in zip(records, rows, strict=True):
        sure = "    " if record.confidence is None else f"{record.confidence:4.0%}"
        padded = (f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
        yield styled((f"{sure}  ", "dim"), "  ".join(padded).rstrip())


def _shown(records: Sequence[Record]) -> Any:
    """What makes the columns of a record: those with names, or else those without."""
    from pagesight.output.records_table import cells_of, unnamed_columns
    from pagesight.readers.value import shortened

    numbers = unnamed_columns(records)[:MOST_CELLS]
    has_names = any(record.name for record in records)

    def cells(record: Record) -> list[str]:
        named = [record.name, record.price, record.old_price]
        texts = [value.text if value else "" for value in named]
        if has_names:
            texts += [record.description.text if record.description else ""]
        else:
            found = cells_of(record)
            texts += [found.get(number, "") for number in numbers]
        return [shortened(text, WIDEST) for text in texts]

    return cells


def _title(record: Record) -> str:
    """A record in a few words."""
    from pagesight.readers.value import shortened

    text = record.name.text if record.name else " ".join(cell.text for cell in record.cells)
    price = f"  {record.price.text}" if record.price else ""
    return shortened(text, WIDEST) + price


def lines(reading: RecordsReading, _: int | None) -> Iterator[Text]:
    """The first records, for `pagesight read`."""
    if not reading.records:
        return
    yield from headed(f"Records ({len(reading.records):,})")
    for record in reading.records[:MOST_READ]:
        yield styled(_title(record))
    if len(reading.records) > MOST_READ:
        more = f"and {len(reading.records) - MOST_READ} more; see pagesight records"
        yield styled(more, style="dim")
