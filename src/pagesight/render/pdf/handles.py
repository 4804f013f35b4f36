"""What pdfium writes: numbers, bytes and strings."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2
from numpy.typing import NDArray

pdfium: Any = pypdfium2.raw  # generated, and without types
Handle = Any  # opaque pointers of C
Reference = Any  # as `ctypes.byref` makes them
_AT_ONCE = 4096  # answers that have a place of their own
_ROOM = 4096  # bytes, for what is longer than nearly all names and addresses
_BUFFER = ctypes.create_string_buffer(_ROOM)
open_document: Any = pypdfium2.PdfDocument  # without types, too


def prototype(function: Any, result: Any, *arguments: Any) -> Callable[..., int]:
    """A function of pdfium that takes plain addresses: half the time of a typed one.

    Behind the given `arguments` it takes references and small numbers as they are, in half of the
    time again.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    call: Callable[..., int] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return call


def reference(handle: Handle) -> Reference:
    """A handle that is not to be converted for each call."""
    return ctypes.byref(ctypes.cast(handle, ctypes.POINTER(ctypes.c_char)).contents)


def places(numbers: Any, count: int = 1) -> list[Reference]:
    """References to as many equal parts of an array of ctypes."""
    step = ctypes.sizeof(numbers) // count
    return [ctypes.byref(numbers, step * part) for part in range(count)]


class Answers:
    """Where pdfium writes what it is asked about many things: a row for each.

    One table serves all pages, so that the references to its rows are made only once.
    """

    def __init__(self, number: Any, width: int, pointers: int) -> None:
        numbers = (number * (width * _AT_ONCE))()
        self._table = np.frombuffer(numbers, dtype=number).reshape(_AT_ONCE, width)
        parts = places(numbers, pointers * _AT_ONCE)
        self._places = [parts[pointer::pointers] for pointer in range(pointers)]

    def ask(
        self, call: Callable[..., int], things: Sequence[int], *of: Reference, missing: Any = 0
    ) -> NDArray[Any]:
        """The answers to one question, things × numbers; `missing` where there is none.

        Things are addresses, or numbers `of` something that has them.
        """
        answers = np.empty((len(things), self._table.shape[1]), self._table.dtype)
        for first in range(0, len(things), _AT_ONCE):
            some = things[first : first + _AT_ONCE]
            self._table[: len(some)] = missing
            deque(map(call, *map(repeat, of), some, *self._places), maxlen=0)
            answers[first : first + len(some)] = self._table[: len(some)]
        return answers


def read_bytes(call: Any, *arguments: Any) -> bytes:
    """What a function writes into a buffer; it returns the length it needs.

    One buffer serves nearly all: one of each length would be a type of its own.
    """
    kind, buffer = call.argtypes[len(arguments)], _BUFFER
    length = call(*arguments, ctypes.cast(buffer, kind), _ROOM)
    if length > _ROOM:
        buffer = ctypes.create_string_buffer(length)
        length = call(*arguments, ctypes.cast(buffer, kind), length)
    return ctypes.string_at(buffer, max(0, length))


def read_utf16(call: Any, *arguments: Any) -> str:
    """A string that pdfium writes as UTF-16, up to its terminating zero."""
    return read_bytes(call, *arguments).decode("utf-16-le", "replace").partition("\0")[0]


def read_utf8(call: Any, *arguments: Any) -> str:
    """A string that pdfium writes as bytes, up to its terminating zero."""
    return read_bytes(call, *arguments).partition(b"\0")[0].decode("utf-8", "replace")
