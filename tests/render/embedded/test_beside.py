"""Work in a copy of a process; each test in a process of its own, which has no threads."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from pagesight.render.embedded.beside import beside

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


def run(program: str) -> str:
    head = "import os, time\nfrom pagesight.render.embedded.beside import beside\n"
    done = subprocess.run(
        [sys.executable, "-c", head + program], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@needs_fork
def test_the_work_is_done_elsewhere() -> None:
    program = "with beside(lambda: (os.getpid(), [1, 2])) as work:\n    pid, found = work()\n"
    assert run(program + "print(pid != os.getpid(), found)") == "True [1, 2]"


@needs_fork
@pytest.mark.parametrize("death", ["1 / 0", "os.abort()", "os._exit(0)"])
def test_work_that_dies_is_an_error(death: str) -> None:
    program = (
        "from pagesight.errors import RenderCrash\n"
        f"with beside(lambda: {death}) as work:\n"
        "    try:\n        work()\n    except RenderCrash as error:\n        print(error)\n"
    )
    assert run(program) == "the layout engine failed"


@needs_fork
def test_work_that_nobody_waits_for_is_ended() -> None:
    program = (
        "started = time.monotonic()\nwith beside(lambda: time.sleep(20)):\n    pass\n"
        "try:\n    os.waitpid(-1, os.WNOHANG)\nexcept ChildProcessError:\n"
        "    print(time.monotonic() - started < 10)"
    )
    assert run(program) == "True"


def test_beside_threads_it_is_done_here() -> None:
    going = threading.Event()
    thread = threading.Thread(target=going.wait)
    thread.start()
    try:
        with beside(threading.get_ident) as work:
            assert work() == threading.get_ident()
    finally:
        going.set()
        thread.join()
