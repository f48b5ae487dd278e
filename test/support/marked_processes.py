"""Commands started with a mark in their environment, by which they and all that they start can be found."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

_MARK = "VANTAGE_TEST_MARK"


class Marked:
    """A command in a session of its own; whatever it leaves behind is killed at the end of the block."""

    def __init__(self, words: Sequence[str]) -> None:
        self._mark = f"{_MARK}={secrets.token_hex(8)}".encode()
        name, _, value = self._mark.decode().partition("=")
        self.process = subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, name: value},
            start_new_session=True,
        )

    @property
    def pids(self) -> list[int]:
        """All its processes that run, its own included."""
        return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit() and self._is_ours(path)]

    def workers(self) -> list[int]:
        """Those that multiprocessing spawned to work."""
        return [pid for pid in self.pids if b"spawn_main" in _read(Path(f"/proc/{pid}/cmdline"))]

    def kill_group(self, number: int) -> None:
        """As a terminal does on Ctrl-C."""
        os.killpg(self.process.pid, number)

    def is_gone(self, within: float = 60.0) -> bool:
        """Whether nothing of it runs any more, waiting so many s for that."""
        ends = time.monotonic() + within
        while time.monotonic() < ends:
            self.process.poll()
            if not self.pids:
                return True
            time.sleep(0.02)
        return False

    def __enter__(self) -> Marked:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate()

    def _is_ours(self, process: Path) -> bool:
        return self._mark in _read(process / "environ").split(b"\0")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has just ended
        return b""


def until(condition: object, within: float = 120.0) -> None:
    """Wait for a condition, at most so many s."""
    assert callable(condition)
    ends = time.monotonic() + within
    while not condition():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.02)
