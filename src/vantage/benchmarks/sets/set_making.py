"""What all generated episode sets share: their homes, the settings they keep, and their goal images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2

from vantage.benchmarks.labelling.oracle_views import Label
from vantage.config import Settings
from vantage.errors import SceneError, UsageError
from vantage.files import write_whole
from vantage.scenes.generator.floor_plan import MAX_ROOMS

QUESTION_ID = "q1"
_HOMES_PER_SEED = 1000
# The settings that gold data depend on; a set is run with these values.
_STORED = (
    "camera.width",
    "camera.height",
    "camera.horizontal_fov",
    "world.body_radius",
    "world.voxel",
    "limits.pitch_min",
    "limits.pitch_max",
    "limits.max_translation",
    "limits.max_rotation",
    "relations.touch",
    "relations.beside",
    "relations.near",
    "relations.overlap",
    "relations.direction",
    "relations.reach",
    "relations.ratio",
)


def homes(scenes: int, rooms: tuple[int, int], seed: int) -> list[tuple[int, int]]:
    """Seed and number of rooms of each home."""
    low, high = rooms
    return [(_HOMES_PER_SEED * seed + k, low + k % (high - low + 1)) for k in range(scenes)]


def check_room_numbers(rooms: tuple[int, int]) -> None:
    """
    Raises:
        UsageError: no homes have such numbers of rooms.
    """
    if not 1 <= rooms[0] <= rooms[1] <= MAX_ROOMS:
        raise UsageError(
            f"cannot make homes of {rooms[0]} to {rooms[1]} rooms; give two numbers from 1 to {MAX_ROOMS}, "
            "the smaller one first"
        )


def refuse_used_folder(root: Path) -> None:
    """
    Raises:
        UsageError: something lies in the folder.
    """
    if root.exists() and any(root.iterdir()):
        raise UsageError(f"{root} is not empty; choose another folder or remove it")


def stored_values(settings: Settings) -> dict[str, Any]:
    """The settings that gold data depend on."""
    return {key: getattr(getattr(settings, key.split(".")[0]), key.split(".")[1]) for key in _STORED}


def write_goal(path: Path, label: Label) -> None:
    """What the goal viewpoint shows, as PNG.

    Raises:
        SceneError: the image cannot be encoded.
    """
    done, data = cv2.imencode(".png", cv2.cvtColor(label.view.rgb, cv2.COLOR_RGB2BGR))
    if not done:
        raise SceneError(f"the goal image {path} cannot be encoded")
    write_whole(path, bytes(data.tobytes()))
