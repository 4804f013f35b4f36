"""Every error that Pagesight raises on purpose.

    PagesightError
    ├── SourceError                 the content could not be loaded, or is not a page
    │   ├── SourceNotFound          no such file, or the server says 404 or 410
    │   ├── SourceUnreadable        a folder, no permission, a device
    │   ├── SourceTooLarge          more bytes than the limit, also after decompression
    │   ├── NotAPage                empty, a picture, an archive, other binary content
    │   ├── FetchFailed             no connection, TLS failure, HTTP status 4xx or 5xx
    │   │   ├── AddressRefused      not a public address, and nothing else may be reached
    │   │   ├── FetchTimeout        no answer within the time limit
    │   │   └── TooManyRedirects
    │   ├── NotModified             the server says that the copy at hand still holds
    │   ├── BadManifest             a line of a manifest that does not name a source
    │   ├── BrokenRecord            a record of a web archive, or a row of a table, that is damaged
    │   └── RevisitRecord           a record that says: as at an earlier visit
    ├── RenderError                 the bytes are a page, but could not be laid out
    │   ├── RenderTimeout           not done within the time limit
    │   ├── RenderCrash             the tab or the layout process died
    │   ├── PageTooComplex          more nodes than the limit
    │   ├── PdfLocked               the PDF needs a password
    │   ├── PdfDamaged              the PDF cannot be parsed
    │   ├── NoBrowser               the chromium renderer was asked for and there is no browser
    │   └── LiveNotInstalled        Playwright is missing, which chromium needs for live pages
    ├── ReadingTimeout              a reading took more CPU time than its limit
    ├── PageFileError               a saved Page that cannot be loaded
    │   └── PageFileTooNew          written by a newer major version of the format
    ├── SaveFailed                  a Page that could not be written
    ├── WrapperError                selectors that cannot be made of records, or not be used
    │   └── WrapperMisfit           a page on which they find hardly anything
    ├── WatchError                  parts of pages that cannot be watched as asked
    │   ├── WatchNotInstalled       a package is missing: the extra `watch`, or a database's driver
    │   ├── PartNotFound            no watched part, or no observation, of that number
    │   ├── NotificationFailed      a message about changes that could not be sent
    │   └── StoreError              the database cannot be opened, read or written
    │       └── StoreTooNew         made by a newer version of Pagesight
    ├── McpError                    calls that the MCP server does not answer
    │   ├── McpNotInstalled         a package is missing: the extra `mcp`
    │   ├── NotAllowed              what the server was started without: files, addresses, writing
    │   ├── WrongArguments          arguments that a tool does not take
    │   └── CallTimeout             not answered within the time limit of a call
    ├── PortalNotInstalled          a package is missing: the extra `portal`
    ├── BatchError                  many pages that cannot be read as asked
    │   ├── BatchNotInstalled       a package is missing: the extra `batch` or `ray`
    │   ├── ForeignFolder           a folder with another plan, or with other files
    │   ├── FolderBusy              a folder, or a shard, that another run is working on
    │   ├── InputChanged            an input that has other pages than when it was planned
    │   ├── OutOfMemory             a page whose readings need more memory than the limit
    │   └── WorkerDied              a page that has ended the process that read it, twice
    ├── NoSuchPart                  a selector or a point with nothing to see on the page
    ├── CorpusNotFound              no labelled pages where they should be
    ├── ModelError                  weights that cannot be used
    └── UnexpectedError             a defect of Pagesight, on one of many sources

Each names the source it is about and, if something can be done, gives a hint.
"""

from __future__ import annotations

import re


class PagesightError(Exception):
    """The base of all errors; ``kind`` is its name in JSON output."""

    def __init__(self, message: str, *, source: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.hint = hint

    @property
    def kind(self) -> str:
        """The class name in snake case, e.g. ``source_too_large``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    def to_json(self) -> dict[str, str]:
        """As JSON output has it."""
        fields = {"kind": self.kind, "message": self.message}
        return fields | ({"hint": self.hint} if self.hint else {})

    def about(self, source: str) -> PagesightError:
        """The same error, naming `source` if it does not name one yet."""
        if self.source is None:
            self.source = source
        return self

    def __str__(self) -> str:
        return f"{self.source}: {self.message}" if self.source else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.source, self.hint))


def _rebuild(
    cls: type[PagesightError], message: str, source: str | None, hint: str | None
) -> PagesightError:
    return cls(message, source=source, hint=hint)


class SourceError(PagesightError):
    """The content could not be loaded, or is not a page."""


class SourceNotFound(SourceError):
    """There is nothing at that path or address."""


class SourceUnreadable(SourceError):
    """There is something, but it is not a file that may be read."""


class SourceTooLarge(SourceError):
    """More bytes than the limit allows."""


class NotAPage(SourceError):
    """The content is neither HTML nor PDF."""


class FetchFailed(SourceError):
    """The server could not be reached, or refused."""

    retry_after: float | None = None
    """Seconds after which the server wants to be asked again, if it says so."""


class AddressRefused(FetchFailed):
    """Not an address of the public internet, and a guard lets nothing else be reached."""


class FetchTimeout(FetchFailed):
    """The server did not answer in time."""


class TooManyRedirects(FetchFailed):
    """The address leads from one redirect to the next."""

    location: str | None = None
    """Where the last one leads, which was not requested."""


class NotModified(SourceError):
    """The page is as it was: the server compared it with the copy at hand."""


class BadManifest(SourceError):
    """A manifest line that does not name a source."""


class BrokenRecord(SourceError):
    """A record of a web archive, or a row of a table, that is damaged."""


class RevisitRecord(SourceError):
    """A record of a web archive without content: the page was as at an earlier visit."""


class RenderError(PagesightError):
    """A page that could not be laid out."""


class RenderTimeout(RenderError):
    """Rendering took longer than its time limit."""


class RenderCrash(RenderError):
    """The tab or the layout process died on this page."""


class PageTooComplex(RenderError):
    """The page has more nodes than the limit allows."""


class PdfLocked(RenderError):
    """The PDF needs a password."""


class PdfDamaged(RenderError):
    """The PDF cannot be parsed."""


class NoBrowser(RenderError):
    """No Chromium was found."""


class LiveNotInstalled(RenderError):
    """Live pages need the extra `live`, which is not installed."""


class ReadingTimeout(PagesightError):
    """A reading took more CPU time than its limit."""


class PageFileError(PagesightError):
    """A file that should be a saved Page and is not."""


class PageFileTooNew(PageFileError):
    """A saved Page of a newer major version of the format."""


class UnexpectedError(PagesightError):
    """A defect of Pagesight that one source revealed; the others continue."""

    @classmethod
    def of(cls, error: Exception, source: str | None = None) -> UnexpectedError:
        """Wrap an error that nobody expected."""
        return cls(
            f"unexpected {type(error).__name__}: {error}",
            source=source,
            hint="this is a bug in Pagesight; please report it, with the page if you can",
        )


class SaveFailed(PagesightError):
    """A page that was rendered and could not be written."""


class WrapperError(PagesightError):
    """Selectors that cannot be made of these records, or a file that has none."""


class WrapperMisfit(WrapperError):
    """A page that is not built like the one that a wrapper was made of."""


class WatchError(PagesightError):
    """Parts of pages that cannot be watched as asked."""


class WatchNotInstalled(WatchError):
    """Watching needs the extra `watch`, or the driver of a database, which is not installed."""


class PartNotFound(WatchError):
    """There is no watched part, or no observation of it, of that number."""


class NotificationFailed(WatchError):
    """A message about what changed could not be sent."""


class StoreError(WatchError):
    """The database of watched parts cannot be used."""


class StoreTooNew(StoreError):
    """A database that a newer version of Pagesight has made."""


class McpError(PagesightError):
    """A call that the MCP server does not answer."""


class McpNotInstalled(McpError):
    """The MCP server needs the extra `mcp`, which is not installed."""


class PortalNotInstalled(PagesightError):
    """The portal needs the extra `portal`, which is not installed."""


class NotAllowed(McpError):
    """What was asked for is not among what the server was started with."""


class WrongArguments(McpError):
    """Arguments that a tool does not take."""


class CallTimeout(McpError):
    """A call took longer than its time limit."""


class BatchError(PagesightError):
    """Many pages that cannot be read as asked."""


class BatchNotInstalled(BatchError):
    """Batches need the extra `batch`, or `ray`, which is not installed."""


class ForeignFolder(BatchError):
    """The folder belongs to another plan, or has files in it that no batch has written."""


class FolderBusy(BatchError):
    """Another run is working on the same pages."""


class InputChanged(BatchError):
    """An input has other pages than it had when it was planned."""


class OutOfMemory(BatchError):
    """A page whose readings need more memory than the limit."""


class WorkerDied(BatchError):
    """The process that read this page died, and the next one as well."""


class NoSuchPart(PagesightError):
    """Nothing that is seen on the page is what was asked for."""


class CorpusNotFound(PagesightError):
    """Training and evaluation need labelled pages, and there are none."""


class ModelError(PagesightError):
    """A weight file that is damaged, or needs other features than this version computes."""
