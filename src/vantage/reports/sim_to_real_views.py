"""The looks of a recorded episode: what the camera showed, from where, with which intrinsics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vantage.errors import RecordingError
from vantage.recording.bags import read_bag
from vantage.recording.reading import read_camera_transform, read_intrinsics, read_stamp, read_time, read_viewpoint
from vantage.recording.topics import CAMERA_INFO, COMMAND_RESULT, IMAGE_COMPRESSED, TF
from vantage.spatial import Intrinsics, Matrix


@dataclass(frozen=True, eq=False)
class Look:
    """One look of an episode.

    Attributes:
        picture: the CompressedImage message.
        T_world_body: (4, 4), None where the bag does not say.
        intrinsics: None where the bag does not say.
        action: that led there; empty for the first look.
    """

    stamp: int
    picture: Any
    T_world_body: Matrix | None
    intrinsics: Intrinsics | None
    action: str


def read_looks(bag: str | Path) -> tuple[list[Look], int]:
    """The first look and the one after each command, or all pictures of a bag without commands; and of how many
    looks the picture is missing.

    Raises:
        RecordingError: the bag cannot be read, holds no pictures, or pictures that a lens distorts.
    """
    poses: dict[int, Matrix] = {}
    reached: dict[int, Matrix] = {}
    cameras: dict[int, Intrinsics] = {}
    actions: dict[int, str] = {}
    for topic, _, message in read_bag(bag, (TF, CAMERA_INFO, COMMAND_RESULT)):
        try:
            if topic is CAMERA_INFO:
                cameras[read_stamp(message)] = _camera(bag, message)
            elif topic is COMMAND_RESULT:
                stamp = read_time(message.observation_stamp)
                actions[stamp], reached[stamp] = str(message.action), read_viewpoint(message.reached).T_world_body()
            elif (found := read_camera_transform(message)) is not None:
                poses[found[0]] = found[1]
        except ValueError as error:
            raise RecordingError(f"{bag} holds an impossible value on {topic.name}: {error}") from error
    poses = reached | poses
    pictures: dict[int, Any] = {}
    first = -1
    for _, _, message in read_bag(bag, (IMAGE_COMPRESSED,)):
        stamp = read_stamp(message)
        if not pictures:
            first = stamp
        if stamp == first or stamp in actions or not actions:
            pictures.setdefault(stamp, message)
    if not pictures:
        raise RecordingError(f"{bag} holds no pictures on {IMAGE_COMPRESSED.name}; give the bag of a recorded episode")
    looks = [
        Look(stamp, pictures[stamp], poses.get(stamp), _at(cameras, stamp), actions.get(stamp, ""))
        for stamp in sorted(pictures)
    ]
    return looks, sum(stamp not in pictures for stamp in actions)


def _camera(bag: str | Path, message: Any) -> Intrinsics:
    if np.any(np.asarray(message.d, np.float64)):
        raise RecordingError(
            f"{bag}: {CAMERA_INFO.name} says that a lens distorts the pictures, and a scene is drawn without "
            "distortion; record through Vantage's camera, which takes it out"
        )
    return read_intrinsics(message)


def _at(cameras: dict[int, Intrinsics], stamp: int) -> Intrinsics | None:
    """Those of the stamp, or the newest before it."""
    before = [known for known in cameras if known <= stamp]
    return cameras[max(before)] if before else None
