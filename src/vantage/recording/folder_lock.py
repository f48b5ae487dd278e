"""One writer at a time in a folder of bags: a lock that ends with the processes that hold it, however they end."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.reduction import DupFd
from pathlib import Path
from types import TracebackType
from typing import Any

from vantage.errors import RecordingError
from vantage.files import cannot_write, try_lock

LOCK = ".vantage-writer"
_PATIENCE = 10.0  # s for the workers of a process that was killed to end
_POLL = 0.05  # s

Setup = Mapping[str, Any]

_claims: dict[Path, FolderLock] = {}
_guard = threading.RLock()
_inherited: list[int] = []  # handles of claims that this process has of the one that started it


class FolderLock:
    """The right to write bags into a folder, which is created when missing.

    Others in this process share it. Worker processes that get it as an argument when they start hold it, too: it is
    free again when all of them are gone.

    Args:
        setup: with which episodes are run here, for the bags that this process writes into the folder.

    Raises:
        RecordingError: another process writes there, or nobody can.
    """

    def __init__(self, folder: str | Path, setup: Setup | None = None) -> None:
        self.folder = Path(folder)
        self.setup = setup
        self._key = self.folder.resolve()
        self._handle: int | None = None
        with _guard:
            if self._key in _claims:
                return
            self._created = _create(self.folder)
            self._handle = _lock(self.folder)
            _claims[self._key] = self

    def release(self) -> None:
        """Let others write there; harmless when repeated. A folder that was made for nothing is removed."""
        with _guard:
            handle, self._handle = self._handle, None
            if handle is None:
                return
            del _claims[self._key]
            with suppress(OSError):
                (self.folder / LOCK).unlink()  # while it is locked, so that nobody holds one without a name
            os.close(handle)
            with suppress(OSError):
                for folder in self._created:
                    folder.rmdir()

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def __reduce__(self) -> tuple[Callable[[Any], None], tuple[Any]]:
        return _inherit, (None if self._handle is None else DupFd(self._handle),)


def claimed_setup(folder: Path) -> Setup | None:
    """The setup with which this process claimed a folder, if it did."""
    with _guard:
        claim = _claims.get(folder.resolve())
        return None if claim is None else claim.setup


def _inherit(handle: Any) -> None:
    if handle is not None:
        _inherited.append(handle.detach())


def _create(folder: Path) -> list[Path]:
    """Make a folder and those above it; returns which were made, innermost first."""
    missing = [item for item in (folder, *folder.parents) if not os.path.lexists(item)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(cannot_write(folder, error, "choose another output folder")) from error
    return missing


def _lock(folder: Path) -> int:
    path, ends = folder / LOCK, time.monotonic() + _PATIENCE
    while True:
        try:
            handle = try_lock(path)
        except OSError as error:
            raise RecordingError(cannot_write(folder, error, "choose another output folder")) from error
        if handle is not None:
            os.truncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
            return handle
        holder = _holder(path)
        if _runs(holder) or time.monotonic() > ends:
            raise RecordingError(
                f"{folder} is being written to by process {holder or '?'}; wait for its end or choose another output "
                "folder"
            )
        time.sleep(_POLL)


def _holder(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):  # it has just been released
        return ""


def _runs(holder: str) -> bool:
    """Whether the process of this number is there; one that was killed may have left workers that are ending."""
    if not holder.isdigit():
        return False
    try:
        os.kill(int(holder), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
