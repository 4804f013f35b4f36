"""A PostgreSQL server in a temporary folder, for tests and benchmarks. It ends with its block."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATIENCE = 120.0  # seconds for a server to start, on a busy machine
_PLACES = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt")


def programs() -> Path | None:
    """The folder of the programs of a server; None if there is none."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    installed = [path for place in _PLACES for path in Path(place).glob("*/bin/initdb")]
    return max(installed, default=Path()).parent if installed else None


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Start a server; the address of an empty database. Root becomes somebody else for that."""
    folder = Path(tempfile.mkdtemp(prefix="pagesight-postgresql-"))
    identity = _somebody(folder)
    try:
        _run("initdb", "-D", str(folder / "data"), "-U", "tea", "-A", "trust", "-E", "UTF8",
             "--no-locale", identity=identity)  # fmt: skip
        with _started(folder, identity) as port:
            yield f"postgresql+pg8000://tea@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty database of a kind; a file goes into the folder."""
    if kind == "sqlite":
        yield f"sqlite:///{folder}/benchmark.sqlite"
        return
    with server() as url:
        yield url


def empty(url: str) -> None:
    """Drop all tables of a database."""
    from sqlalchemy import create_engine

    engine = create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()


def _somebody(folder: Path) -> dict[str, Any]:
    """Who runs the server: PostgreSQL refuses root."""
    if os.name != "posix" or os.getuid() != 0:
        return {}
    import pwd

    users = {user.pw_name: user for user in pwd.getpwall()}
    user = users.get("postgres") or users["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _run(name: str, *arguments: str, identity: dict[str, Any]) -> None:
    subprocess.run(_command(name, *arguments), check=True, capture_output=True, cwd="/", **identity)


def _command(name: str, *arguments: str) -> list[str]:
    folder = programs()
    assert folder, "no PostgreSQL"
    return [str(folder / name), *arguments]


@contextlib.contextmanager
def _started(folder: Path, identity: dict[str, Any]) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = ["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=16MB"]
    command = _command("postgres", "-D", str(folder / "data"), "-p", str(port),
                       "-k", str(folder), *settings)  # fmt: skip
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **identity)
    try:
        _wait(process, port, folder / "log")
        yield port
    finally:
        process.send_signal(signal.SIGINT)  # at once, but in order
        process.wait(PATIENCE)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    ready = _command("pg_isready", "-h", "127.0.0.1", "-p", str(port))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if subprocess.run(ready, capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError(f"the server does not start: {log.read_text(errors='replace')}")
