"""What to install where a package is missing."""

from __future__ import annotations

from pagesight.errors import WatchNotInstalled

_EXTRAS = {"alembic": "watch", "apprise": "watch", "lxml": "watch", "sqlalchemy": "watch",
           "pg8000": "postgresql"}  # fmt: skip


def not_installed(error: ImportError) -> WatchNotInstalled:
    """The error to raise for a package that is missing."""
    package = (error.name or "a package").partition(".")[0]
    extra = _EXTRAS.get(package)
    hint = f"pip install 'pagesight[{extra}]'" if extra else f"pip install {package}"
    return WatchNotInstalled(f"{package} is not installed", hint=hint)
