"""Shared memory of Fast DDS that killed processes left behind: found, counted and removed; needs no ROS.

A process that ends by itself removes its files from /dev/shm; one that is killed does not, and each leaves 16 MB. What
belongs together is one name: a segment with its lock (``fastrtps_<id>``, ``..._el``), or a port with its lock and its
mutex (``fastrtps_port<n>``, ``..._el`` or ``..._sl``, ``sem.fastrtps_port<n>_mutex``); Fast DDS 3 says ``fastdds``.
Its owner holds a file lock as long as it lives, in whatever container it runs. Whoever reads maps it, and may make an
empty lock anew when it looks whether the owner lives; the next removal takes that.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("/dev/shm")
YOUNG = 10.0  # s in which a file may belong to a process that has not locked it yet
_NAME = re.compile(r"(?:sem\.)?((?:fastrtps|fastdds)_(?:[0-9a-f]{16}|port\d{1,5}))(?:_el|_sl|_mutex)?")
_BLOCK = 512  # bytes, as stat counts


@dataclass(frozen=True)
class LeftoverFiles:
    """Files of processes that are gone.

    Attributes:
        files: how many.
        size: bytes of memory that they hold.
        kept: files of living processes, of other users and too young to tell.
    """

    files: int
    size: int
    kept: int

    @property
    def text(self) -> str:
        """The figures in words."""
        return f"{self.files} file{'' if self.files == 1 else 's'} of killed processes, {self.size / 1e6:.1f} MB"


def find_leftovers(folder: Path = FOLDER, young: float = YOUNG) -> LeftoverFiles:
    """What ``remove_leftovers`` would remove.

    Args:
        young: s; anything changed later than that ago is taken for a living process's.
    """
    return _go_through(folder, young, remove=False)


def remove_leftovers(folder: Path = FOLDER, young: float = YOUNG) -> LeftoverFiles:
    """Remove what belongs to no living process, and say what was removed."""
    return _go_through(folder, young, remove=True)


def _go_through(folder: Path, young: float, remove: bool) -> LeftoverFiles:
    groups = _groups(folder)
    used, silent = _used(folder) if groups else (set[str](), set[int]())
    files = size = kept = 0
    for paths in groups.values():
        with _unlocked(paths) as free:
            if not free or any(path.name in used for path in paths) or not _settled(paths, young, silent):
                kept += len(paths)
                continue
            for path in paths:
                try:
                    held = path.stat().st_blocks * _BLOCK
                    if remove:
                        path.unlink()
                except OSError:  # removed by its owner meanwhile, or not ours
                    continue
                files, size = files + 1, size + held
    return LeftoverFiles(files, size, kept)


def _groups(folder: Path) -> dict[str, list[Path]]:
    """Files of Fast DDS by what they belong to, the locks last, so that a removal that is cut off is resumed."""
    found: dict[str, list[Path]] = defaultdict(list)
    try:
        names = sorted(os.listdir(folder))
    except OSError:  # no such folder: no shared memory
        return {}
    for name in names:
        match = _NAME.fullmatch(name)
        if match:
            found[match.group(1)].append(folder / name)
    return {name: sorted(paths, key=_is_lock) for name, paths in found.items()}


def _is_lock(path: Path) -> bool:
    return path.name.endswith(("_el", "_sl"))


def _settled(paths: list[Path], young: float, silent: set[int]) -> bool:
    """Whether all files are old enough, and of a user whose processes are known and whose files may be removed."""
    now, me = time.time(), os.geteuid()
    for path in paths:
        try:
            found = path.lstat()
        except OSError:
            continue
        others = found.st_uid != me and (me != 0 or found.st_uid in silent)
        if others or not stat.S_ISREG(found.st_mode) or now - max(found.st_mtime, found.st_ctime) < young:
            return False
    return True


@contextmanager
def _unlocked(paths: list[Path]) -> Iterator[bool]:
    """Whether nobody holds one of the locks; if so, this process does until the block ends."""
    held: list[int] = []
    try:
        yield all(_lock(path, held) for path in paths if _is_lock(path))
    finally:
        for descriptor in held:
            os.close(descriptor)


def _lock(path: Path, held: list[int]) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    held.append(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _used(folder: Path) -> tuple[set[str], set[int]]:
    """Names that living processes have mapped or open, and the other users who have a process that does not tell.

    Of this user's own processes, those that do not tell are known by their locks.
    """
    me, prefix, found, silent = os.geteuid(), f"{folder}/", set[str](), set[int]()
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        owner = _owner(process)
        try:
            paths = [*_mapped(process), *_open(process)]
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            continue
        except OSError:
            if owner not in (None, me):
                silent.add(owner)
            continue
        found |= {path.removeprefix(prefix).removesuffix(" (deleted)") for path in paths if path.startswith(prefix)}
    return found, silent


def _mapped(process: Path) -> Iterator[str]:
    for line in (process / "maps").read_text(errors="replace").splitlines():
        yield line.split(maxsplit=5)[-1]


def _open(process: Path) -> Iterator[str]:
    for descriptor in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            yield os.readlink(descriptor)


def _owner(process: Path) -> int | None:
    """The user id of a process; None where that is not told, as of one that has ended."""
    try:
        return process.stat().st_uid
    except OSError:
        return None
