"""Files written whole or not at all, and the project's own data files wherever it is installed."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from vantage.errors import ConfigError, FormatError

MOST_JSON = 64 << 20  # bytes
_MOST_DIGITS = 20  # of a whole number

_PACKAGE = Path(__file__).resolve().parent


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside ``path`` that replaces it when the block ends well, and vanishes otherwise."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=target.suffix)
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        partial.chmod(0o644)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_whole(path: str | Path, data: bytes | str) -> None:
    """Write a file so that a reader sees all of it or none."""
    with replacing(path) as partial:
        partial.write_bytes(data.encode() if isinstance(data, str) else data)


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


def unreadable(error: Exception) -> str:
    """Why a file cannot be read, in words that do not name it again, and what to do where that is known."""
    if isinstance(error, FileNotFoundError):
        return "it does not exist; check the path"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def read_json(path: str | Path) -> Any:
    """Parse a JSON file.

    Raises:
        FormatError: the file is missing, no regular file, larger than ``MOST_JSON`` or not JSON.
    """
    source = Path(path)
    try:
        return json.loads(read_text(source, MOST_JSON), parse_int=_whole_number)
    except FormatError:
        raise
    except RecursionError as error:
        raise FormatError(f"cannot read {source} as JSON: it is nested too deeply; write it anew") from error
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {source} as JSON: {unreadable(error)}") from error


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
