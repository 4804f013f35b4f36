"""What pdfium writes: colours, bytes and strings."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2

pdfium: Any = pypdfium2.raw  # generated, and without types
Handle = Any  # opaque pointers of C
_CHANNELS = ctypes.c_uint * 4
open_document: Any = pypdfium2.PdfDocument  # without types, too


def read_color(call: Callable[..., int], *arguments: Any) -> tuple[int, ...]:
    """Red, green, blue and opacity that a `prototype` writes; nothing if there is no colour."""
    channels = _CHANNELS()
    at = ctypes.addressof(channels)
    return tuple(channels) if call(*arguments, at, at + 4, at + 8, at + 12) else ()


def prototype(function: Any, result: Any, *arguments: Any) -> Callable[..., int]:
    """A function of pdfium that takes plain addresses: half the time of a typed one."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    call: Callable[..., int] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return call


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
