"""Atomic writes of files, and the project's own data files wherever it is installed."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
import stat
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from vantage.bounded_json import bounded_json
from vantage.errors import ConfigError, FormatError, UsageError
from vantage.untrusted_text import visible

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")  # of a file or folder, wherever it is copied to
EPISODE_SET = "set.json"  # the file that makes a folder an episode set
UNFINISHED = ".unfinished"  # the file that marks a folder as not whole yet, locked by the process that fills it
CHECKPOINT = "checkpoint.pt"  # the file that makes a folder one of a trained agent
MOST_JSON = 64 << 20  # bytes
MOST_STORED = 1 << 30  # bytes of an archive whose parts are not packed
_MOST_DIGITS = 20  # of a whole number
_HALF = re.compile("[\ud800-\udfff]")

_PACKAGE = Path(__file__).resolve().parent


@contextmanager
def replacing(path: str | Path, needed: int = 0, mode: int = 0o644) -> Iterator[Path]:
    """A temporary path beside ``path`` that replaces it when the block ends well, and vanishes otherwise.

    Args:
        needed: bytes that will be written, where that is known.
        mode: who may read it then.

    Raises:
        OSError: it cannot be written; of a full disk it says how much was needed.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=target.suffix)
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        partial.chmod(mode)
        partial.replace(target)
    except OSError as error:
        if not is_full(error):
            raise
        needed = needed or partial.stat().st_size
        partial.unlink()
        raise OSError(error.errno, _full(target, needed), str(target)) from error
    finally:
        partial.unlink(missing_ok=True)


def write_whole(path: str | Path, data: bytes | str, mode: int = 0o644) -> None:
    """Write a file so that a reader sees all of it or none.

    Raises:
        OSError: it cannot be written; of a full disk it says how much was needed.
    """
    content = data.encode() if isinstance(data, str) else data
    with replacing(path, len(content), mode) as partial:
        partial.write_bytes(content)


def is_full(error: OSError) -> bool:
    """Whether a disk, or somebody's share of it, is full."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def cannot_write(path: Path, error: OSError, otherwise: str, needed: int = 0) -> str:
    """Why a file or folder cannot be written, and what to do, in a sentence.

    Args:
        otherwise: what to do, besides freeing space on a full disk.
        needed: bytes that it needs at least; 0 where that is not known.
    """
    if is_full(error):
        reason = _full(path, needed) if needed or error.filename is None else str(error.strerror)
        return f"cannot write {path}: {reason}; free space there or {otherwise}"
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"cannot write {path}: there is a file where a folder has to be; {otherwise}"
    return f"cannot write {path}: {error.strerror or error}; {otherwise}"


def _full(path: Path, needed: int) -> str:
    there = next(item for item in (path, *path.absolute().parents) if item.exists())
    asked = f"at least {needed / 1e6:.2f} MB needed, " if needed else ""
    return f"the disk is full ({asked}{shutil.disk_usage(there).free / 1e6:.2f} MB free)"


def try_lock(path: Path) -> int | None:
    """The handle of a file, made when missing, that this process has locked; None where another one has.

    The lock ends when this process and those that inherited the handle closed it or ended, whatever ended them.

    Raises:
        OSError: the file cannot be made or locked.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(path.stat(), os.fstat(handle)):
            return handle
    except (BlockingIOError, FileNotFoundError):  # held, or its holder removed it between the two calls
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def refuse_used_folder(path: Path) -> None:
    """
    Raises:
        UsageError: something lies in a folder, and not what a process left that was killed while it filled it.
    """
    if path.exists() and any(path.iterdir()) and not (path / UNFINISHED).is_file():
        raise UsageError(f"{path} is not empty; choose another folder or remove it")


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which is removed where that fails.

    Until the block ends it is marked as unfinished. What a killed process left in such a folder is removed first.

    Raises:
        UsageError: something else lies there, or another process fills it.
        OSError: it cannot be written.
    """
    refuse_used_folder(path)
    path.mkdir(parents=True, exist_ok=True)
    handle = try_lock(path / UNFINISHED)
    if handle is None:
        raise UsageError(f"{path} is being made by another process; wait for its end or choose another folder")
    try:
        for item in path.iterdir():
            if item.is_dir() and not item.is_symlink():
                shutil.rmtree(item)
            elif item.name != UNFINISHED:
                item.unlink()
        yield path
        (path / UNFINISHED).unlink()
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise
    finally:
        os.close(handle)


class SoleWriter:
    """The right of this process to write a file, which others get once it is closed or the process ends; thread-safe.

    Args:
        path: of the file; its folder is made when missing.
        use: what writes it, in a word.

    Raises:
        UsageError: another process has it.
        OSError: nobody can.
    """

    def __init__(self, path: Path, use: str) -> None:
        self.path = path
        self._lock_path = path.with_name(f".{path.name}.lock")
        self._guard = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = try_lock(self._lock_path)
        if self._handle is None:
            raise UsageError(f"{path} is kept by another {use} that runs; stop that one or give another file")

    def write(self, value: Any) -> None:
        """Write the file whole, as JSON.

        Raises:
            OSError: it cannot be written; the file stays as it was.
        """
        write_whole(self.path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Let another process have it; again without effect."""
        with self._guard:
            handle, self._handle = self._handle, None
            if handle is not None:
                with suppress(FileNotFoundError):
                    self._lock_path.unlink()
                os.close(handle)


def cache_folder() -> Path:
    """Where this user's caches of vantage lie: ``$XDG_CACHE_HOME/vantage``, or ``~/.cache/vantage``.

    As the specification of these folders says, a relative ``XDG_CACHE_HOME`` counts as none.
    """
    home = os.environ.get("XDG_CACHE_HOME", "")
    users = Path(home) if os.path.isabs(home) else Path(os.path.expanduser("~")) / ".cache"
    return users / "vantage"


def untrusted_owner(path: Path) -> str:
    """Why somebody else may have put there what lies at a path, which caches must not believe; empty where nobody can.

    Raises:
        OSError: nothing lies there.
    """
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return "it is a link"
    if found.st_uid != os.geteuid():
        return "it belongs to another user"
    return "every user may write to it" if found.st_mode & stat.S_IWOTH else ""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A regular file, open for reading; a pipe or a device is refused at once instead of waited for.

    Raises:
        FormatError: something else than a regular file.
        OSError: it is missing or not readable.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as error:  # a zero byte in the name
        raise FormatError(f"{path} is no name of a file; check the path") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FormatError(f"{path} is a folder, a pipe or a device; give a file")
    with os.fdopen(handle, "rb") as file:
        yield file


def read_text(path: Path, most: int) -> str:
    """The text of a regular UTF-8 file of at most so many bytes.

    Raises:
        FormatError: something else than a regular file, or a larger one.
        OSError: it is missing or not readable.
        UnicodeDecodeError: it is not UTF-8.
    """
    with opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FormatError(f"{path} has more than {most} bytes, so it is not what it should be; check the path")
    return data.decode()


def check_stored(file: BinaryIO) -> None:
    """Make sure that an archive (ZIP) becomes no larger than it is when it is read; then go back to its beginning.

    Raises:
        ValueError, zipfile.BadZipFile: it is none, is too large, or has parts that are packed or share bytes.
    """
    size = file.seek(0, os.SEEK_END)
    if size > MOST_STORED:
        raise ValueError(f"it has {size} bytes, at most {MOST_STORED} are read")
    with zipfile.ZipFile(file) as archive:
        parts = archive.infolist()
    if any(part.compress_type != zipfile.ZIP_STORED for part in parts):
        raise ValueError("its parts are packed, and no archive that is written here has such")
    if sum(part.file_size for part in parts) > size:
        raise ValueError("its parts promise more bytes than it has")
    file.seek(0)


def file_of(where: str | Path, name: str) -> Path:
    """The file that is meant by its path, or by that of the folder in which it lies under a name."""
    path = Path(where)
    return path / name if path.is_dir() else path


def unreadable(error: Exception) -> str:
    """Why a file cannot be read, in words that do not name it again, and what to do where that is known."""
    if isinstance(error, FileNotFoundError):
        return "it does not exist; check the path"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def read_json(path: str | Path) -> Any:
    """Parse a JSON file.

    Raises:
        FormatError: the file is missing, no regular file, larger than ``MOST_JSON``, not JSON, beyond the bounds of
            ``bounded_json``, or holds text that is none.
    """
    source = Path(path)
    try:
        return parse_json(read_text(source, MOST_JSON), str(source))
    except FormatError:
        raise
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {source} as JSON: {unreadable(error)}") from error


def parse_json(text: str, where: str) -> Any:
    """JSON with whole numbers of at most 20 digits and text that can be written again.

    JSON can name halves of characters (lone surrogates, ``"\\ud800"``), which no file, message or terminal takes.

    Raises:
        ValueError: it is not JSON, nested too deeply, or of too many values.
        FormatError: it holds such a half; says ``where`` and under which key.
    """
    value = bounded_json(text, parse_int=_whole_number)
    if "\\ud" in text or "\\uD" in text:  # else there can be none
        refuse_halves(value, where)
    return value


def refuse_halves(value: Any, where: str) -> None:
    """
    Raises:
        FormatError: a text in parsed JSON holds half of a character.
    """
    left: list[tuple[str, Any]] = [("", value)]
    while left:
        key, item = left.pop()
        if isinstance(item, Mapping):
            left += [(f"{key}.{name}" if key else name, part) for name, part in item.items()]
            left += [(f"a key in {key or 'it'}", name) for name in item]
        elif isinstance(item, list):
            left += [(f"{key}[{number}]", part) for number, part in enumerate(item)]
        elif isinstance(item, str) and (half := _HALF.search(item)):
            raise FormatError(
                f"{where}: {visible(key, 100) or 'the text'} holds half of a character (\\u{ord(half[0]):04x}), which "
                "cannot be written; write that text anew"
            )


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a whole number has {len(digits)} digits, at most {_MOST_DIGITS} are read")
    return int(digits)


def shared_folder(kind: str) -> Path:
    """The folder ``msg``, ``srv``, ``action``, ``config``, ``launch`` or ``rviz`` of this installation.

    Looks into the wheel, the source tree and the ROS prefixes, in this order.

    Raises:
        ConfigError: none of them holds it.
    """
    candidates = [_PACKAGE / "share" / kind, _PACKAGE.parents[1] / kind]
    prefixes = [entry for entry in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if entry]
    candidates += [Path(prefix) / "share" / "vantage_eqa" / kind for prefix in prefixes]
    for candidate in candidates:
        if candidate.is_dir() and any(candidate.iterdir()):
            return candidate
    raise ConfigError(f"the folder '{kind}' of vantage was not found; reinstall the package")
