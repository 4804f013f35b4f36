"""The messages between the program and its workers: JSON, then bytes, over pipes.

Nothing from a worker is executed or unpickled: a page may have taken it over.
"""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_HEAD = struct.Struct("<II")
LARGEST = 1 << 31


def send(stream: IO[bytes], message: dict[str, Any], payload: bytes = b"") -> None:
    """Write one message."""
    head = json.dumps(message).encode()
    stream.write(_HEAD.pack(len(head), len(payload)))
    stream.write(head)
    stream.write(payload)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one message; raises `EOFError` if the other side is gone."""
    head_size, payload_size = _HEAD.unpack(_exactly(stream, _HEAD.size))
    if head_size > LARGEST or payload_size > LARGEST:
        raise EOFError("not a message")
    message = json.loads(_exactly(stream, head_size))
    if not isinstance(message, dict):
        raise EOFError("not a message")
    return message, _exactly(stream, payload_size)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if data is None or len(data) < size:
        raise EOFError("the other side is gone")
    return data
