"""The key with which warrants are signed between processes: a file that its owner alone can read.

It is made on first use. Whoever can read it can issue warrants, so it is no parameter and goes into no message, bag or
log.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from vantage.errors import ConfigError
from vantage.worlds import KEY_SIZE

VARIABLE = "VANTAGE_WARRANT_KEY"  # names the file
_NAME = "vantage_warrant.key"


def key_path() -> Path:
    """Where the key lies: where ``VANTAGE_WARRANT_KEY`` says, else in the user's ROS home."""
    named = os.environ.get(VARIABLE, "")
    return Path(named) if named else Path(os.environ.get("ROS_HOME") or Path.home() / ".ros") / _NAME


def shared_key() -> bytes:
    """The key of all processes of this user on this machine; made where there is none.

    Raises:
        ConfigError: it cannot be read or made, others can read it, or it is no key.
    """
    path = key_path()
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise ConfigError(
            f"{path}: the key of warrants cannot be used ({error.strerror or error}); set {VARIABLE} to a file that "
            f"you may make and read"
        ) from error


def _make(path: Path) -> None:
    """Whole, or not at all; the first of several processes wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(file, "wb") as out:
            out.write(secrets.token_bytes(KEY_SIZE))
            out.flush()
            os.fsync(out.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def _read(path: Path) -> bytes:
    """
    Raises:
        ConfigError: others can read it, or it is no key.
        OSError: it cannot be read.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(file, "rb") as source:
        about = os.fstat(source.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_size != KEY_SIZE:
            raise ConfigError(f"{path}: this is no key of {KEY_SIZE} bytes; delete it, and a new one is made")
        if about.st_uid != os.geteuid() or about.st_mode & 0o077:
            raise ConfigError(
                f"{path}: the key of warrants is not yours alone (mode {stat.S_IMODE(about.st_mode):o}); delete it, "
                "and a new one is made"
            )
        return source.read()
