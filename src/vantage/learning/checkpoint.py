"""What training keeps of an agent, in one file that is whole or not there."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from vantage.errors import FormatError
from vantage.files import CHECKPOINT, check_stored, file_of, opened, unreadable, write_whole

VERSION = 1
_KIND = "checkpoint of a learned agent of vantage"


def save(folder: str | Path, payload: Mapping[str, Any]) -> Path:
    """Write the checkpoint of a folder anew; who reads sees the old one or the new one.

    Args:
        payload: tensors, numbers, text, and lists and dicts of them.

    Returns:
        The file.

    Raises:
        OSError: it cannot be written.
    """
    path = Path(folder) / CHECKPOINT
    written = io.BytesIO()
    torch.save({"kind": _KIND, "version": VERSION, **payload}, written)
    write_whole(path, written.getvalue())
    return path


def load(where: str | Path) -> dict[str, Any]:
    """What was saved; nothing in the file is run, and nothing becomes larger than the file is.

    Args:
        where: the file, or its folder.

    Raises:
        FormatError: there is none, it is damaged, or of another version.
    """
    path = file_of(where, CHECKPOINT)
    if not path.exists():
        raise FormatError(f"there is no checkpoint {path}; name the folder that `vantage train` was given as --out")
    mend = "train anew, or name another checkpoint"
    try:
        with opened(path) as file:
            check_stored(file)
            found = torch.load(file, map_location="cpu", weights_only=True)
    except FormatError:
        raise
    except OSError as error:
        raise FormatError(f"cannot read {path}: {unreadable(error)}") from error
    except Exception as error:  # whatever a damaged archive, pickle or tensor makes torch raise
        raise FormatError(
            f"{path} is damaged or no checkpoint, {type(error).__name__} when it was read; {mend}"
        ) from error
    if not isinstance(found, dict) or found.get("kind") != _KIND:
        raise FormatError(f"{path} is no {_KIND}; {mend}")
    if found.get("version") != VERSION:
        raise FormatError(
            f"{path} is of version {found.get('version')}, and this program reads version {VERSION}; {mend}"
        )
    return {key: value for key, value in found.items() if key not in ("kind", "version")}
