"""A home as pages show it: drawn by the house world's own renderer, with the robot where one stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vantage.config import Settings
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.rendering import RenderedView
from vantage.types import InstanceLabel, Point, Poses, Posture
from vantage.worlds.house import at_home, load_home, load_robot, require_mujoco, stands_so

if TYPE_CHECKING:
    from vantage.splats.space import FreeSpace
    from vantage.worlds.house import HomeViews

_UNMOVED = Poses()


class ShownHouse:
    """A home with what draws it; only for the painter's thread. See ``scenes.Shown``.

    Args:
        settings: of the world; the robot's size says where it may stand.

    Raises:
        MissingExtraError: MuJoCo is not installed.
        VantageError: the home cannot be loaded or made of bodies.
    """

    def __init__(self, homes: Path, name: str, settings: Settings) -> None:
        require_mujoco()
        from vantage.worlds.house import HomeViews

        self._settings = settings.with_values({"world.scenes": str(homes)}, "what is shown")
        self._views = HomeViews(load_home(homes, name))
        self._home = self._views.home
        self.bounds: tuple[Point, Point] = self._home.bounds_min, self._home.bounds_max
        self.floor = 0.0
        self._robot = load_robot(settings.house.robot)
        self._with_robot: HomeViews | None = None

    @property
    def size(self) -> int:
        return self._views.size + (0 if self._with_robot is None else self._with_robot.size)

    @property
    def legend(self) -> Mapping[int, InstanceLabel]:
        return self._views.legend

    @cached_property
    def space(self) -> FreeSpace:
        """Of the robot's camera."""
        from vantage.worlds.house import HouseWorld

        with closing(HouseWorld(self._settings)) as world:
            return world.place(self._home.name).space

    @property
    def gaussians(self) -> int:
        return 0

    @cached_property
    def robot(self) -> Posture | None:
        from vantage.worlds.house import HouseWorld

        with closing(HouseWorld(self._settings)) as world:
            start = world.nearest_start(self._home.name, self.start())
        return None if start is None else at_home(self._robot, start.x, start.y, start.yaw)

    def standing(self, _: float) -> float:
        """The height, m, of the robot's camera, whatever that of the visitor is."""
        grid = self.space.solid
        return float(0.5 * (grid.bounds_min[2] + grid.bounds_max[2]))

    def seen(
        self,
        viewpoint: Viewpoint,
        camera: Intrinsics,
        outside: bool = False,
        moved: Poses | None = None,
        coarse: bool = False,
        posture: Posture | None = None,
    ) -> RenderedView:
        views, shown = self._views, None
        if posture is not None and stands_so(self._robot, posture):
            views, shown = self._views_with_robot(), posture
        views.place(moved or _UNMOVED, shown)
        picture = views.view(viewpoint, camera, ceilings=not outside)
        assert picture.depth is not None
        assert picture.ids is not None
        return RenderedView(picture.rgb, picture.depth, np.ones(picture.depth.shape, np.float32), picture.ids)

    def from_above(self, camera: Intrinsics) -> tuple[RenderedView, Viewpoint, Intrinsics]:
        from vantage.worlds.house import viewpoint_above

        above = viewpoint_above(self._home, camera)
        return self.seen(above, camera, outside=True, posture=self.robot), above, camera

    def _views_with_robot(self) -> HomeViews:
        """The same home with bodies of the robot, made when it is first to be seen."""
        if self._with_robot is None:
            from vantage.worlds.house import HomeViews

            self._with_robot = HomeViews(self._home, self._robot)
        return self._with_robot

    def start(self) -> Viewpoint:
        from vantage.scenes.geometry import first_view

        return first_view(self._home)

    def close(self) -> None:
        self._views.close()
        if self._with_robot is not None:
            self._with_robot.close()
