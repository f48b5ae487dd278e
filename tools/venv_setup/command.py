"""Run one command: a log file, a deadline, signs of life, and its whole process group ended with it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from venv_setup.errors import SetupError

_SIGN_OF_LIFE_S = 30.0
_POLL_S = 0.1


def run(
    command: Sequence[str],
    *,
    what: str,
    log: Path,
    environ: Mapping[str, str],
    cwd: Path,
    deadline_s: float,
    say: Callable[[str], None],
    stop: threading.Event | None = None,
) -> int:
    """Run to the end, or until `stop` is set, output to `log`; returns the exit status.

    Raises:
        SetupError: it could not be started, did not end within `deadline_s`, or was stopped.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=dict(environ),
                cwd=cwd,
                start_new_session=True,
            )
        except OSError as error:
            raise SetupError(f"{command[0]} could not be started while {what}: {error.strerror}") from error
        try:
            next_sign = _SIGN_OF_LIFE_S
            while (status := process.poll()) is None:
                if stop is not None and stop.is_set():
                    raise SetupError(f"{what} was stopped because another step failed; mend that, then run this again")
                elapsed = time.monotonic() - started
                if elapsed > deadline_s:
                    raise SetupError(
                        f"{what} took longer than {deadline_s:.0f} s and was stopped; "
                        f"see {log}, then run this again (a slow machine may need --patience 2)",
                        last_lines(log),
                    )
                if elapsed > next_sign:
                    say(f"... still {what} ({elapsed:.0f} s)")
                    next_sign += _SIGN_OF_LIFE_S
                time.sleep(_POLL_S)
            return status
        finally:
            _end_group(process)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=5.0)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def last_lines(log: Path, count: int = 15) -> list[str]:
    """The end of a log, for an error report."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line.rstrip() for line in text.splitlines() if line.strip()][-count:]
