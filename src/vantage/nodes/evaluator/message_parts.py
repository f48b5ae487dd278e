"""What single messages say: their stamps, read without deserializing them, and the parts of a look."""

from __future__ import annotations

import struct
from typing import Any

from vantage.nodes.evaluator.look_judging import UnreadableError
from vantage.recording import (
    CAMERA_INFO,
    DEPTH,
    IMAGE,
    IMAGE_COMPRESSED,
    INSTANCES,
    ROBOT_DESCRIPTION,
    SEARCH_MARKERS,
    TF,
    TF_STATIC,
    Topic,
    read_camera_pose,
    read_intrinsics,
)

PICTURES = (IMAGE, IMAGE_COMPRESSED, DEPTH, INSTANCES)  # too large to be read only to see whether they can be
_LISTS = (TF, TF_STATIC, SEARCH_MARKERS)  # their first stamp lies behind the length of the list


def stamp_of(topic: Topic, data: bytes) -> int | None:
    """The first stamp in a serialized message, ns, without deserializing it; None where it holds none."""
    offset = 8 if topic in _LISTS else 4
    if len(data) < offset + 8 or topic is ROBOT_DESCRIPTION:
        return None
    order = "<" if data[1] & 1 else ">"
    if topic in _LISTS and struct.unpack_from(f"{order}I", data, 4)[0] == 0:
        return None
    seconds, nanoseconds = struct.unpack_from(f"{order}iI", data, offset)
    return int(seconds) * 10**9 + int(nanoseconds)


def part_of_look(topic: Topic, message: Any, data: bytes) -> Any:
    """What a message adds to a look: the pose, the intrinsics or the picture of the depth; None where nothing.

    Raises:
        UnreadableError: the pose or the intrinsics are none.
    """
    try:
        if topic is TF:
            pose = read_camera_pose(message)
            if pose is not None and not pose[1].is_finite:
                raise ValueError(f"the pose of the camera is not finite: {pose[1]}")
            return None if pose is None else pose[1]
        if topic is CAMERA_INFO:
            return read_intrinsics(message)
    except ValueError as error:
        raise UnreadableError(str(error)) from error
    return data if topic is DEPTH else None
