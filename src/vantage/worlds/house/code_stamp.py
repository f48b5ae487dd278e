"""Tells versions of the code that makes homes apart, so that nothing is taken from a cache that other code made."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[2]
_FOLDERS = ("worlds/house", "worlds/rig/kinematics", "scenes/spec", "scenes/geometry", "scenes/looks")
_LIGHT = "splats/synthesis"
SOURCES = tuple(_PACKAGE / folder for folder in (*_FOLDERS, _LIGHT))


@cache
def code_stamp() -> str:
    """Of the code from which bodies, looks and light of homes come."""
    return stamp_of(SOURCES)


def stamp_of(folders: tuple[Path, ...]) -> str:
    """Of all code in some folders and those in them."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
