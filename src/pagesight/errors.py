"""Every error that Pagesight raises on purpose.

    PagesightError
    ├── SourceError                 the bytes could not be had, or are no page
    │   ├── SourceNotFound          no such file, or the server says 404 or 410
    │   ├── SourceUnreadable        a folder, no permission, a device
    │   ├── SourceTooLarge          more bytes than the limit, also after decompression
    │   ├── NotAPage                empty, a picture, an archive, other binary content
    │   ├── FetchFailed             no connection, TLS failure, HTTP status 4xx or 5xx
    │   │   ├── FetchTimeout        no answer within the time limit
    │   │   └── TooManyRedirects
    │   └── BadManifest             a line of a manifest that is no source
    ├── RenderError                 the bytes are a page, but could not be laid out
    │   ├── RenderTimeout           not done within the time limit
    │   ├── RenderCrash             the tab or the layout process died
    │   ├── PageTooComplex          more nodes than the limit
    │   ├── PdfLocked               the PDF needs a password
    │   ├── PdfDamaged              the PDF cannot be parsed
    │   ├── NoBrowser               the chromium renderer was asked for and no browser is there
    │   └── LiveNotInstalled        Playwright is missing, which chromium needs for live pages
    ├── PageFileError               a saved Page that cannot be loaded
    │   └── PageFileTooNew          written by a newer major version of the format
    ├── SaveFailed                  a Page that could not be written
    ├── CorpusNotFound              no labelled pages where they were said to be
    ├── ModelError                  weights that cannot be used
    └── UnexpectedError             a defect of Pagesight, on one source of many

Each carries the name of the source it is about, and where there is something to do, a hint.
"""

from __future__ import annotations

import re


class PagesightError(Exception):
    """The base of all errors; ``kind`` is the name that JSON output uses."""

    def __init__(self, message: str, *, source: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.hint = hint

    @property
    def kind(self) -> str:
        """The class name in snake case, e.g. ``source_too_large``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

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
    """The bytes could not be had, or are no page."""


class SourceNotFound(SourceError):
    """There is nothing at that path or address."""


class SourceUnreadable(SourceError):
    """There is something, but not a file that may be read."""


class SourceTooLarge(SourceError):
    """More bytes than the limit allows."""


class NotAPage(SourceError):
    """The content is neither HTML nor PDF."""


class FetchFailed(SourceError):
    """The server could not be reached or refused."""


class FetchTimeout(FetchFailed):
    """The server did not answer in time."""


class TooManyRedirects(FetchFailed):
    """The address leads from redirect to redirect."""

    location: str | None = None
    """Where the last one leads, which was not asked for."""


class BadManifest(SourceError):
    """A manifest line that names no source."""


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


class PageFileError(PagesightError):
    """A file that should hold a saved Page and does not."""


class PageFileTooNew(PageFileError):
    """A saved Page of a newer major version of the format."""


class UnexpectedError(PagesightError):
    """A defect of Pagesight that showed on one source, while others go on."""

    @classmethod
    def of(cls, error: Exception, source: str | None = None) -> UnexpectedError:
        """Wrap an error that nobody thought of."""
        return cls(
            f"unexpected {type(error).__name__}: {error}",
            source=source,
            hint="this is a mistake in Pagesight; please report it, with the page if you can",
        )


class SaveFailed(PagesightError):
    """A page that was rendered and could not be written."""


class CorpusNotFound(PagesightError):
    """Training and evaluation need labelled pages, and there are none."""


class ModelError(PagesightError):
    """A weight file that is damaged, or made for other features than this version computes."""
