"""From a path, an address or plain bytes to a `Source`."""

from __future__ import annotations

from pathlib import Path

from pagesight.errors import SourceError, SourceNotFound
from pagesight.sources.compression import decompress
from pagesight.sources.files import read_file, read_stdin
from pagesight.sources.limits import DEFAULT_LIMITS, Limits, too_large
from pagesight.sources.request import (
    Request,
    is_address,
    is_file_address,
    login_of,
    without_login,
)
from pagesight.sources.sniffing import sniff
from pagesight.sources.source import Source


def load(
    source: str | Path | bytes | Request,
    *,
    url: str | None = None,
    root: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Source:
    """Get the content of `source` and find out what it is.

    A string is an address if it begins with ``http://`` or ``https://``, standard input if it
    is ``"-"``, and a path otherwise. Bytes are the content itself. `url` is the original
    address of a page that is read from elsewhere, `root` the folder that its addresses
    beginning with ``/`` are relative to; both take precedence over those of a `Request`.

    Raises a `SourceError` that names the source.
    """
    request = _as_request(source, url, root)
    try:
        return _load(request, limits)
    except SourceError as error:
        error.about(request.name)
        raise


def _as_request(
    source: str | Path | bytes | Request, url: str | None, root: Path | None
) -> Request:
    if not isinstance(source, Request):
        return Request(source=source, url=url, root=root)
    return Request(source=source.source, url=url or source.url, root=root or source.root)


def _load(request: Request, limits: Limits) -> Source:
    source = request.source
    if isinstance(source, bytes):
        return _local(request, source, limits)
    if source == "-":
        return _local(request, read_stdin(limits.max_size), limits)
    if isinstance(source, str) and is_address(source):
        return _live(request, source, limits)
    path = _path_of(source)
    return _local(request, read_file(path, limits.max_size), limits, path=path)


def _path_of(source: str | Path) -> Path:
    if not source:
        raise SourceNotFound("the name of the source is empty")
    if isinstance(source, str) and is_file_address(source):
        from w3lib.url import file_uri_to_path

        return Path(file_uri_to_path(source))
    return Path(source)


def _local(request: Request, data: bytes, limits: Limits, *, path: Path | None = None) -> Source:
    if len(data) > limits.max_size:
        raise too_large(limits.max_size)
    content = decompress(data, limits.max_size)
    return Source(
        name=request.name,
        data=content,
        kind=sniff(content),
        url=request.url and without_login(request.url),
        path=path,
        root=request.root,
    )


def _live(request: Request, address: str, limits: Limits) -> Source:
    from pagesight.sources.fetching import fetch

    answer = fetch(address, limits)
    content = decompress(answer.data, limits.max_size)
    return Source(
        name=request.name,
        data=content,
        kind=sniff(content, answer.content_type),
        url=without_login(request.url or answer.url),
        root=request.root,
        live=True,
        login=login_of(address),
        declared_encoding=answer.charset,
        headers=answer.headers,
    )
