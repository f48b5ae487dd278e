"""Points of a scene as ``PointCloud2``."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vantage.recording import Codec

_FLOAT32 = 7  # PointField.FLOAT32
MAX_POINTS = 200_000


@runtime_checkable
class HasScenePoints(Protocol):
    """A world that can show what its scene is made of."""

    def scene_points(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Positions (N, 3) in the world frame, m, and colours (N, 3)."""
        ...


def point_cloud(codec: Codec, stamp: int, xyz: NDArray[np.float32], rgb: NDArray[np.uint8]) -> Any:
    """PointCloud2 with ``x y z rgb``; at most ``MAX_POINTS``, evenly picked."""
    step = -(-len(xyz) // MAX_POINTS) or 1
    xyz, rgb = xyz[::step], rgb[::step].astype(np.uint32)
    packed = np.empty((len(xyz), 4), np.float32)
    packed[:, :3] = xyz
    packed[:, 3] = ((rgb[:, 0] << 16) | (rgb[:, 1] << 8) | rgb[:, 2]).astype(np.uint32).view(np.float32)
    fields = [
        codec.make("sensor_msgs/msg/PointField", name=name, offset=4 * index, datatype=_FLOAT32, count=1)
        for index, name in enumerate(("x", "y", "z", "rgb"))
    ]
    return codec.make(
        "sensor_msgs/msg/PointCloud2",
        header=codec.header(stamp),
        height=1,
        width=len(packed),
        fields=fields,
        is_bigendian=False,
        point_step=16,
        row_step=16 * len(packed),
        data=codec.array(packed.reshape(-1).view(np.uint8)),
        is_dense=True,
    )
