"""Folders that tests of several files start from: whichever process needs one first makes it, and all read that one."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

_LONGEST = 600.0  # s; whoever makes one for longer than this is stuck


def shared(factory: pytest.TempPathFactory) -> Path:
    """The folder that all processes of a run of tests share."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-once"
    folder.mkdir(exist_ok=True)
    return folder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder that ``make`` writes, once in a run of tests. It is shared, so that nobody may change a file in it; a
    test that does takes a copy. Caches in hidden folders may come and go.

    Args:
        name: of what is made; the same name stands for the same bytes.

    Raises:
        AssertionError: a test has changed what is shared.
        TimeoutError: another process did not finish it.
    """
    whole, known = shared(factory) / name, shared(factory) / f"{name}.json"
    with (shared(factory) / f"{name}.lock").open("w") as lock:
        _wait_for(lock.fileno(), name)
        if not known.exists():
            rmtree(whole, ignore_errors=True)  # what was not made to the end
            make(whole)
            known.write_text(json.dumps(_state(whole)))
    before, now = json.loads(known.read_text()), _state(whole)
    changed = sorted(file for file in {*before, *now} if before.get(file) != now.get(file))
    assert not changed, f"a test has changed {', '.join(changed)} in the shared folder {name}; it is to take a copy"
    return whole


def _wait_for(descriptor: int, name: str) -> None:
    deadline = time.monotonic() + _LONGEST
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise TimeoutError(f"another process of tests did not make {name} within {_LONGEST:.0f} s") from None
            time.sleep(0.1)


def _state(folder: Path) -> dict[str, list[int]]:
    """Size and time of each file that is in no hidden folder."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    seen = {name: path.stat() for name, path in files.items() if not any(part[0] == "." for part in Path(name).parts)}
    return {name: [stat.st_size, stat.st_mtime_ns] for name, stat in sorted(seen.items())}
