"""Files that are there after a power failure, or were never there."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4


def rename_durably(part: Path, path: Path) -> None:
    """Give a file that is complete its name. What was written to it must be on the disk first."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(path)
    _sync_folder(path.parent)


def write_durably(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f"{path.name}.{uuid4().hex}.part")  # other machines may write the same
    part.write_bytes(data)
    rename_durably(part, path)


def append_durably(path: Path, line: bytes) -> None:
    """Add a line to a file."""
    with path.open("ab") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make sure that names are on the disk as well; Windows cannot open folders, and needs not."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
