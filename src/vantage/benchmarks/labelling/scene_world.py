"""What labellers and checks need of a world: to be told of a scene before an episode is in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from vantage.config import Settings
from vantage.registry import WORLDS
from vantage.scenes.graph import SceneGraph
from vantage.spatial import Intrinsics
from vantage.splats.space import FreeSpace, OccupancyGrid
from vantage.types import Point
from vantage.worlds import MotionLimits, World


class LabelledScene(Protocol):
    """Extent of a scene and height of its floor, m, world frame, and its graph, if it has one."""

    @property
    def bounds_min(self) -> Point: ...

    @property
    def bounds_max(self) -> Point: ...

    @property
    def floor(self) -> float: ...

    @property
    def graph(self) -> SceneGraph | None: ...


class LabelledPlace(Protocol):
    """A scene made ready for a camera: where it collides, and what motion is refused."""

    @property
    def scene(self) -> LabelledScene: ...

    @property
    def occupancy(self) -> OccupancyGrid: ...

    @property
    def space(self) -> FreeSpace: ...

    @property
    def limits(self) -> MotionLimits: ...


@runtime_checkable
class SceneWorld(World, Protocol):
    """A world that tells of its scenes without an episode."""

    @property
    def intrinsics(self) -> Intrinsics:
        """Of all images."""
        ...

    def place(self, scene: str) -> LabelledPlace:
        """
        Raises:
            UnknownNameError: no such scene.
            ConfigError, FormatError, SceneError: its files are wrong.
        """
        ...


def open_scene_world(settings: Settings, scenes: Path, name: str = "splat") -> SceneWorld:
    """The registered world of a name over the scenes in a folder.

    Raises:
        UnknownNameError: no such world.
    """
    made: SceneWorld = WORLDS.create(name, replace(settings, world=replace(settings.world, scenes=str(scenes))))
    return made
