"""Files written whole or not at all, and the project's own data files wherever it is installed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vantage.errors import ConfigError, FormatError

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


def read_json(path: str | Path) -> Any:
    """Parse a JSON file.

    Raises:
        FormatError: the file is missing or not JSON.
    """
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FormatError(f"cannot read {path} as JSON: {error}") from error


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
