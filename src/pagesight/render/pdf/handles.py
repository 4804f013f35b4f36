"""The objects of pdfium: opened, read, and closed again whatever happens."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2

pdfium: Any = pypdfium2.raw  # generated, and without types
Handle = Any  # opaque pointers of C


@contextmanager
def document(data: bytes) -> Iterator[Handle]:
    """An open document, or None if pdfium cannot open it; `last_error` says why."""
    raw = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    try:
        yield raw or None
    finally:
        if raw:
            pdfium.FPDF_CloseDocument(raw)


@contextmanager
def page(document: Handle, index: int) -> Iterator[Handle]:
    """One page of a document, or None if it is damaged."""
    raw = pdfium.FPDF_LoadPage(document, index)
    try:
        yield raw or None
    finally:
        if raw:
            pdfium.FPDF_ClosePage(raw)


@contextmanager
def text_of(page: Handle) -> Iterator[Handle]:
    """The characters of a page, or None if they cannot be read."""
    raw = pdfium.FPDFText_LoadPage(page)
    try:
        yield raw or None
    finally:
        if raw:
            pdfium.FPDFText_ClosePage(raw)


def last_error() -> int:
    """Why the last document did not open."""
    return int(pdfium.FPDF_GetLastError())


def read_bytes(call: Any, *arguments: Any) -> bytes:
    """What a function writes into a buffer; called without one, it returns the length it needs."""
    length = call(*arguments, None, 0)
    if length <= 0:
        return b""
    buffer = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(buffer, call.argtypes[len(arguments)]), length)
    return buffer.raw


def read_utf16(call: Any, *arguments: Any) -> str:
    """A string that pdfium writes as UTF-16, up to its terminating zero."""
    return read_bytes(call, *arguments).decode("utf-16-le", "replace").partition("\0")[0]


def read_utf8(call: Any, *arguments: Any) -> str:
    """A string that pdfium writes as bytes, up to its terminating zero."""
    return read_bytes(call, *arguments).partition(b"\0")[0].decode("utf-8", "replace")
