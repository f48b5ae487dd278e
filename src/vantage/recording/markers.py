"""What a search looks like in RViz: the planned path, the frustums of the views taken, the points of interest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from vantage.recording.to_messages import Codec
from vantage.spatial import Intrinsics, Viewpoint, apply
from vantage.types import Point
from vantage.untrusted_text import visible

CORRECTIONS = "open corrections"  # namespace of the words about corrections that wait for a person

_ADD, _DELETE = 0, 2
_LINE_LIST = 5
_SPHERE_LIST = 7
_TEXT = 9
_FRUSTUM_DEPTH = 0.25  # m, as drawn
_TAKEN = (0.35, 0.6, 0.9, 0.6)
_NEWEST = (1.0, 0.6, 0.1, 1.0)
_TARGET = (0.9, 0.2, 0.3, 0.9)
_ASKED = (1.0, 0.9, 0.2, 1.0)
_LETTERS = 0.12  # m high
_OVER = 0.3  # m that words stand over what they are about
_MOST_LETTERS = 160  # of a line


def path_message(codec: Codec, stamp: int, poses: Sequence[Any]) -> Any:
    """nav_msgs/Path of the geometry_msgs/Pose of each viewpoint that the agent means to take."""
    header = codec.header(stamp)
    stamped = [codec.make("geometry_msgs/msg/PoseStamped", header=header, pose=pose) for pose in poses]
    return codec.make("nav_msgs/msg/Path", header=header, poses=stamped)


def marker_message(codec: Codec, stamp: int, taken: Sequence[Sequence[Any]], targets: Sequence[Point]) -> Any:
    """MarkerArray with stable ns and id: the frustums of all views taken, of the newest, and the points of interest."""
    views = [point for frustum in taken[:-1] for point in frustum]
    newest = [point for frustum in taken[-1:] for point in frustum]
    markers = [
        _marker(codec, stamp, "views", _LINE_LIST, 0.004, _TAKEN, views),
        _marker(codec, stamp, "newest view", _LINE_LIST, 0.01, _NEWEST, newest),
        _marker(codec, stamp, "looking for", _SPHERE_LIST, 0.12, _TARGET, [codec.point(point) for point in targets]),
    ]
    return codec.make("visualization_msgs/msg/MarkerArray", markers=markers)


def correction_markers(
    codec: Codec, stamp: int, shown: Mapping[int, tuple[Point, tuple[str, ...]]], gone: Iterable[int]
) -> Any:
    """MarkerArray of lines of words over the objects that corrections are about, by a number each; ``gone`` are taken
    away."""
    markers = []
    for number, ((x, y, z), lines) in shown.items():
        over, words = (x, y, z + _OVER), "\n".join(visible(line, _MOST_LETTERS) for line in lines)
        markers.append(_marker(codec, stamp, CORRECTIONS, _TEXT, _LETTERS, _ASKED, [], number, at=over, text=words))
    for number in gone:
        markers.append(_marker(codec, stamp, CORRECTIONS, _TEXT, _LETTERS, _ASKED, [], number, action=_DELETE))
    return codec.make("visualization_msgs/msg/MarkerArray", markers=markers)


def frustum_points(codec: Codec, intrinsics: Intrinsics, viewpoint: Viewpoint) -> list[Any]:
    """geometry_msgs/Point of the ends of the eight line segments of a view, in the world frame."""
    corners = np.array(
        [
            [(u - intrinsics.cx) / intrinsics.fx, (v - intrinsics.cy) / intrinsics.fy, 1.0]
            for u, v in ((0, 0), (intrinsics.width, 0), (intrinsics.width, intrinsics.height), (0, intrinsics.height))
        ]
    )
    points_optical = np.vstack([np.zeros((1, 3)), corners * _FRUSTUM_DEPTH])
    ends = [codec.point(point) for point in apply(viewpoint.T_world_camera_optical(), points_optical)]
    return [ends[k] for k in (0, 1, 0, 2, 0, 3, 0, 4, 1, 2, 2, 3, 3, 4, 4, 1)]


def _marker(
    codec: Codec,
    stamp: int,
    namespace: str,
    kind: int,
    size: float,
    rgba: tuple[float, float, float, float],
    points: list[Any],
    number: int = 0,
    action: int = _ADD,
    at: Point = (0.0, 0.0, 0.0),
    text: str = "",
) -> Any:
    make = codec.make
    r, g, b, a = rgba
    return make(
        "visualization_msgs/msg/Marker",
        header=codec.header(stamp),
        ns=namespace,
        id=number,
        type=kind,
        action=action,
        pose=codec.pose(Viewpoint(*at, 0.0, 0.0)),
        scale=make("geometry_msgs/msg/Vector3", x=size, y=size, z=size),
        color=make("std_msgs/msg/ColorRGBA", r=r, g=g, b=b, a=a),
        lifetime=make("builtin_interfaces/msg/Duration", sec=0, nanosec=0),
        frame_locked=False,
        points=points,
        colors=[],
        texture_resource="",
        texture=codec.make(
            "sensor_msgs/msg/CompressedImage",
            header=codec.header(0, ""),
            format="",
            data=codec.array(np.zeros(0, np.uint8)),
        ),
        uv_coordinates=[],
        text=text,
        mesh_resource="",
        mesh_file=make("visualization_msgs/msg/MeshFile", filename="", data=codec.array(np.zeros(0, np.uint8))),
        mesh_use_embedded_materials=False,
    )
