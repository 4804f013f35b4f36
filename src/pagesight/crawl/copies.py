"""Pages saved with their stylesheets, so that they look the same without the network."""

from __future__ import annotations

import mimetypes
import posixpath
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from pagesight.crawl.addresses import base_of, file_of, joined
from pagesight.crawl.lines import RAW, Lines
from pagesight.crawl.politeness import Refused, Visitor
from pagesight.crawl.visit import error_fields
from pagesight.errors import PagesightError, UnexpectedError
from pagesight.markup.css import SheetReference, replace_references
from pagesight.markup.media import matches
from pagesight.markup.stylesheets import DEEPEST_IMPORT
from pagesight.markup.tags import SourceAttribute, SourceTag, attributes_of, tags
from pagesight.markup.tree import is_stylesheet
from pagesight.render.cache import write_whole
from pagesight.sources.charset import codec_of, decide, decode
from pagesight.sources.fetching import Answer

Edit = tuple[int, int, str]  # from where to where in a text, and what is there instead
MOST_FILES = 100  # that one page may bring with it
_CHARSET = re.compile(rb'@charset "([^"]{1,40})"', re.IGNORECASE)


class Copies:
    """Saves pages and what they need below a folder; each file is fetched once."""

    def __init__(
        self, folder: Path, visitor: Visitor, journal: Lines, *, pictures: bool = False
    ) -> None:
        self.folder = folder
        self.visitor = visitor
        self.journal = journal
        self.pictures = pictures
        self._left = MOST_FILES
        self._saved = {row["saved"]: row.get("file") for row in journal.rows if "saved" in row}
        self._bases = {row["fetched"]: row["base"] for row in journal.rows if "fetched" in row}
        self._open: dict[str, str] = {}  # by address the sheets that are being saved

    def save(self, text: str, url: str, file: str) -> None:
        """Save a page and the files that it needs."""
        self._left = MOST_FILES
        saved = self.localised(text, url, file)
        write_whole(self.folder / file, saved.encode("utf-8-sig", errors="replace"))

    def localised(self, text: str, url: str, file: str) -> str:
        """A document in which addresses of saved files lead to these files."""
        base = base_of(LexborHTMLParser(text), url)
        parts, at = [], 0
        for start, stop, replacement in self._edits(text, base, file):
            parts += [text[at:start], replacement]
            at = stop
        return "".join((*parts, text[at:]))

    def _edits(self, text: str, base: str, file: str) -> Iterator[Edit]:
        in_source = tags(text)
        for tag, after in zip(in_source, [*in_source[1:], None], strict=True):
            if tag.is_end:
                continue
            if tag.name == "style":
                stop = after.start if after else len(text)
                sheet = self._sheet_text(text[tag.stop : stop], base, file, DEEPEST_IMPORT)
                yield tag.stop, stop, sheet
            elif tag.name in ("base", "link", "img", "source"):
                yield from sorted(self._addresses(text, tag, base, file))

    def _addresses(self, text: str, tag: SourceTag, base: str, file: str) -> Iterator[Edit]:
        attributes = attributes_of(text, tag)
        if tag.name == "base" and "href" in attributes:
            yield _replaced(attributes["href"], "")  # all is relative to the copy
        elif tag.name == "link" and _is_needed(attributes):
            url = joined(base, attributes["href"].value)
            yield from _led(attributes["href"], file, self._sheet(url, DEEPEST_IMPORT))
        elif tag.name == "img" and self.pictures and "src" in attributes:
            url = joined(base, attributes["src"].value)
            yield from _led(attributes["src"], file, self._picture(url))
        if self.pictures and "srcset" in attributes:
            yield _replaced(attributes["srcset"], "")

    def _sheet(self, url: str | None, depth: int) -> str | None:
        """The file of a stylesheet, which is saved with those that it imports."""
        if url is None or not depth or url in self._saved:
            return self._saved.get(url or "")
        if url in self._open:
            return self._open[url]  # it imports itself, by way of others
        file = _place(url, ".css")
        raw = self.folder / (file + RAW)
        base = self._fetched(url, raw)
        if base is None:
            return None
        self._open[url] = file
        text = self._sheet_text(raw.read_bytes().decode(), base, file, depth - 1)
        del self._open[url]
        write_whole(self.folder / file, text.encode("utf-8-sig"))
        self._settled(url, file)
        raw.unlink()
        return file

    def _fetched(self, url: str, raw: Path) -> str | None:
        """Fetch a stylesheet into a file, unless it is there; returns the address it came from."""
        if url not in self._bases and (answer := self._answer(url)):
            write_whole(raw, self._decoded(answer).encode(errors="replace"))
            self._bases[url] = answer.url
            self.journal.add({"fetched": url, "base": answer.url})
        return self._bases.get(url)

    def _sheet_text(self, sheet: str, base: str, file: str, depth: int) -> str:
        """A stylesheet in which addresses of saved files lead to these; others become absolute."""

        def replaced(reference: SheetReference) -> str | None:
            address, conditions = reference
            if address.startswith(("#", "data:")):
                return None
            url = joined(base, address)
            if conditions is not None:
                target = self._sheet(url, depth)
            else:
                target = self._picture(url) if self.pictures else None
            written = _relative(file, target) if target else url or address
            return str(SheetReference(written, conditions))

        return replace_references(sheet, replaced)

    def _picture(self, url: str | None) -> str | None:
        """The file of a picture or font."""
        if url is None or url in self._saved or not (answer := self._answer(url)):
            return self._saved.get(url or "")
        media_type = (answer.content_type or "").partition(";")[0].strip().lower()
        suffix = mimetypes.guess_extension(media_type) or Path(urlsplit(answer.url).path).suffix
        file = _place(url, suffix)
        write_whole(self.folder / file, answer.data)
        self._settled(url, file)
        return file

    def _answer(self, url: str) -> Answer | None:
        """What a server sends, decompressed; None if it sends nothing or must not be asked."""
        if self._left <= 0:
            return None
        self._left -= 1
        try:
            return self.visitor.file(url)
        except Refused as refused:
            error = refused.error
        except PagesightError as problem:
            error = error_fields(problem)
        except Exception as problem:  # noqa: BLE001 - see UnexpectedError
            error = error_fields(UnexpectedError.of(problem, url))
        self._settled(url, None, error)
        return None

    def _settled(self, url: str, file: str | None, error: dict[str, str] | None = None) -> None:
        """Remember the outcome for a file; it is not requested again."""
        self._saved[url] = file
        self.journal.add({"saved": url, "file": file} | ({"error": error} if error else {}))

    @staticmethod
    def _decoded(answer: Answer) -> str:
        declared = _CHARSET.match(answer.data)
        codec = codec_of(declared[1].decode("latin-1")) if declared else None
        return decode(answer.data, decide(answer.data, header=answer.charset or codec))


def stylesheet_count(text: str) -> int:
    """How many stylesheets for screens a document names or holds."""
    opening = [tag for tag in tags(text) if not tag.is_end]
    linked = (tag for tag in opening if tag.name == "link")
    return sum(tag.name == "style" for tag in opening) + sum(
        _is_needed(attributes_of(text, tag)) for tag in linked
    )


def _is_needed(attributes: dict[str, SourceAttribute]) -> bool:
    """Whether a link is to a stylesheet for screens, of whatever size."""
    values = {name: attribute.value for name, attribute in attributes.items()}
    return "href" in values and is_stylesheet(values) and matches(values.get("media", ""), None)


def _place(url: str, suffix: str) -> str:
    return f"pages/{file_of(url, suffix)}"


def _relative(file: str, target: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(file))


def _led(attribute: SourceAttribute, file: str, target: str | None) -> Iterator[Edit]:
    """An attribute of a file that leads to another one, if that is saved."""
    if target:
        yield _replaced(attribute, _relative(file, target))


def _replaced(attribute: SourceAttribute, value: str) -> Edit:
    return attribute.value_start, attribute.stop, f'"{escape(value)}"'
