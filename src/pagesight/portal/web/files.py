"""Style sheets, scripts and pictures of our own, and the libraries that scripts/assets installs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

FOLDERS = ("static", "vendor")
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LIBRARIES = ("gridstack.js", "gridstack.css")
FOREVER = "public, max-age=31536000, immutable"  # the address holds the digest


@dataclass(frozen=True, slots=True)
class File:
    """A file that everybody may have."""

    body: bytes
    media_type: str
    digest: str


class Files:
    """All of them, read once."""

    def __init__(self, home: Path | None = None) -> None:
        home = home or Path(__file__).parent
        paths = [path for folder in FOLDERS for path in sorted((home / folder).glob("*.*"))]
        self._files = {path.name: _read(path) for path in paths if path.suffix in MEDIA_TYPES}

    @property
    def are_complete(self) -> bool:
        """Whether the libraries are installed."""
        return all(name in self._files for name in LIBRARIES)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def address(self, name: str) -> str:
        """Where a browser finds a file; another address whenever the file is another one."""
        return f"/static/{name}?{self._files[name].digest}"

    def serve(self, request: Request) -> Response:
        """Answer a request for a file."""
        file = self._files.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("not found\n", 404)
        lasting = FOREVER if request.url.query == file.digest else "public, max-age=300"
        headers = {
            "Cache-Control": lasting,
            "ETag": f'"{file.digest}"',
            "Cross-Origin-Resource-Policy": "cross-origin",  # for frames, which have no origin
        }
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=file.media_type, headers=headers)


def _read(path: Path) -> File:
    body = path.read_bytes()
    return File(body, MEDIA_TYPES[path.suffix], hashlib.sha256(body).hexdigest()[:16])
