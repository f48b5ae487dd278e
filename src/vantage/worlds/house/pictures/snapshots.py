"""Single pictures of a home that nobody moves about in."""

from __future__ import annotations

from contextlib import closing

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import posed
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.worlds.house.bodies import build_house
from vantage.worlds.house.pictures.cameras import HouseCamera


def house_picture(
    home: SceneSpec, viewpoint: Viewpoint, camera: Intrinsics, opened: float | None = None
) -> NDArray[np.uint8]:
    """What a camera sees of a home, RGB (H, W, 3).

    Args:
        opened: share of their range by which all drawers and doors are open; None for what the home says.

    Raises:
        SceneError: the home contradicts itself.
        WorldError: there is no OpenGL.
    """
    if opened is not None:
        ranges = {(obj.instance_id, joint.part): joint for obj in home.objects for joint in obj.joints}
        home = posed(home, {key: each.low + opened * (each.high - each.low) for key, each in ranges.items()})
    house = build_house(home)
    data = mujoco.MjData(house.model)
    mujoco.mj_forward(house.model, data)
    with closing(HouseCamera(house, camera)) as drawn:
        return drawn.color_image(data, viewpoint.T_world_camera_optical())
