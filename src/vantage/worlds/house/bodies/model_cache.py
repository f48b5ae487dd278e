"""Keeps compiled homes in ``$XDG_CACHE_HOME/vantage/house_models`` (``~/.cache``), under a key of all that they are
made from.

An entry is a model in MuJoCo's binary form and a small file with what its elements stand for, which is written last and
knows size and checksum of the other. Whatever is missing, cut, damaged or not this user's own is made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.bounded_json import bounded_json
from vantage.files import cache_folder, replacing, untrusted_owner, write_whole
from vantage.worlds.house.bodies.conflicts import Conflicts
from vantage.worlds.house.bodies.house_bodies import MovingPart
from vantage.worlds.house.code_stamp import code_stamp

MOST_BYTES = 1 << 30  # of all entries; those used least recently go first
_CHUNK = 1 << 20
_DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, mujoco.FatalError)


@dataclass(frozen=True, eq=False)
class KeptModel:
    """A compiled home without its specification; see ``HouseModel``."""

    model: mujoco.MjModel
    parts: tuple[MovingPart, ...]
    movable: Mapping[int, str]
    instance_of_geom: NDArray[np.int32]
    id_of_geom: NDArray[np.int32]
    conflicts: Conflicts


def kept(key: tuple[object, ...], make: Callable[[], KeptModel]) -> KeptModel:
    """The model that was kept for a key, or else what ``make`` makes, which is kept where that can be."""
    name = hashlib.sha256(repr((mujoco.__version__, code_stamp(), key)).encode()).hexdigest()[:32]
    found = _read(name)
    if found is None:
        found = make()
        _keep(name, found)
    return found


def _folder() -> Path:
    return cache_folder() / "house_models"


def _read(name: str) -> KeptModel | None:
    path, told = _folder() / f"{name}.mjb", _folder() / f"{name}.json"
    try:
        if any(untrusted_owner(each) for each in (path.parent, path, told)):
            return None
        about = bounded_json(told.read_bytes())
        if (path.stat().st_size, _checksum(path)) != (about["size"], about["checksum"]):
            return None
        model = mujoco.MjModel.from_binary_path(str(path))
        found = KeptModel(
            model,
            tuple(MovingPart(**part) for part in about["parts"]),
            {int(instance): str(body) for instance, body in about["movable"]},
            np.array(about["instances"], dtype=np.int32),
            np.array(about["ids"], dtype=np.int32),
            _conflicts(about["conflicts"]),
        )
    except _DAMAGED:
        return None
    with suppress(OSError):
        os.utime(path)
    return found


def _conflicts(about: Mapping[str, Any]) -> Conflicts:
    return Conflicts(
        tuple((int(first), int(second), float(depth)) for first, second, depth in about["pairs"]),
        frozenset(about["stuck"]),
        frozenset((str(first), str(second)) for first, second in about["passing"]),
    )


def _keep(name: str, made: KeptModel) -> None:
    folder = _folder()
    about = {
        "parts": [asdict(part) for part in made.parts],
        "movable": list(made.movable.items()),
        "instances": made.instance_of_geom.tolist(),
        "ids": made.id_of_geom.tolist(),
        "conflicts": {
            "pairs": made.conflicts.pairs,
            "stuck": sorted(made.conflicts.stuck),
            "passing": sorted(made.conflicts.passing),
        },
    }
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if untrusted_owner(folder):
            return
        with replacing(folder / f"{name}.mjb", mujoco.mj_sizeModel(made.model)) as partial:
            mujoco.mj_saveModel(made.model, str(partial))
            size, checksum = partial.stat().st_size, _checksum(partial)
        write_whole(folder / f"{name}.json", json.dumps({**about, "size": size, "checksum": checksum}))
        _make_room(folder)


def _checksum(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            value = zlib.crc32(chunk, value)
    return value


def _make_room(folder: Path) -> None:
    entries = sorted(folder.glob("*.mjb"), key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
    total = 0
    for entry in entries:
        total += entry.stat().st_size
        if total > MOST_BYTES:
            entry.unlink(missing_ok=True)
            entry.with_suffix(".json").unlink(missing_ok=True)
