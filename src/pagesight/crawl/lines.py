"""A file of JSON Lines that only grows, and that survives being cut off anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pagesight.errors import SaveFailed

RAW = ".raw"  # suffix of a file that was fetched while the files that it needs are still missing


class Lines:
    """The objects of a file. One that was cut off in the middle of a line continues before it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[dict[str, Any]] = []
        try:
            whole = self._read()
            self._file = path.open("ab", buffering=0)  # a line is one write, so it is whole
            self._file.truncate(whole)
        except OSError as error:
            raise SaveFailed(f"{path} cannot be written ({error.strerror or error})") from error
        except ValueError as error:
            raise SaveFailed(f"{path} exists already, and is not a list of pages") from error

    def _read(self) -> int:
        """Read what is there; how many bytes of it are whole lines."""
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data.rfind(b"\n") + 1
        self.rows = [json.loads(line) for line in data[:whole].split(b"\n") if line]
        return whole

    def add(self, fields: dict[str, Any]) -> None:
        """Write an object, at once."""
        self.rows.append(fields)
        self._file.write(json.dumps(fields).encode() + b"\n")

    def close(self) -> None:
        """End; the file stays."""
        self._file.close()
