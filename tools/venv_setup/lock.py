"""One setup at a time."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from venv_setup.errors import SetupError


@contextmanager
def only_one(path: Path, deadline_s: float, say: Callable[[str], None], poll_s: float = 0.2) -> Iterator[None]:
    """Hold the lock file; the system lets go of it however the process ends.

    Raises:
        SetupError: another process held it longer than `deadline_s`.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        give_up = time.monotonic() + deadline_s
        waiting = False
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                owner = os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown"
                if time.monotonic() >= give_up:
                    raise SetupError(
                        f"another setup (process {owner}) has held {path} for more than {deadline_s:.0f} s; "
                        "wait for it or stop it, then run this again"
                    ) from None
                if not waiting:
                    say(f"another setup is running (process {owner}); waiting up to {deadline_s:.0f} s for it")
                waiting = True
                time.sleep(poll_s)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)
