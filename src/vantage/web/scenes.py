"""Scenes that pages show, each with a renderer of its own, within a budget over all pages."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.spatial import Intrinsics, Viewpoint, apply
from vantage.splats import SplatScene, load_scene
from vantage.splats.rendering import RenderedView, Renderer
from vantage.splats.space import FreeSpace, cached_free_space
from vantage.types import InstanceLabel, Point, Poses, Posture
from vantage.web.houses import ShownHouse
from vantage.web.places import HOUSE, Place
from vantage.worlds import legend_of, view_from_above, view_of

BUDGET = 1 << 30  # bytes of clouds
_DRAWN_TWICE = 5  # a cloud, what its renderer makes of it, the cloud without its ceiling, and thinned ones of both
_QUICK = 120_000  # Gaussians that are drawn while a camera moves
_GROWN = 0.4  # power of how many Gaussians each one stands for; at 0.5 areas stay the same, and pictures are blurred
_UNDER_CEILING = 0.1  # m
_VOXEL, _RADIUS = 0.1, 0.15  # m, as worlds of splats usually have them
_ON_FLOOR = 0.2  # m above the floor
_FREE, _BLOCKED = np.array([40, 170, 80]), np.array([200, 50, 50])
_log = logging.getLogger(__name__)


class Shown(Protocol):
    """A scene with what draws it, in one of the worlds; only for the painter's thread."""

    @property
    def size(self) -> int:
        """Bytes that it takes, nearly."""

    @property
    def legend(self) -> Mapping[int, InstanceLabel]:
        """What instance ids stand for."""

    @property
    def bounds(self) -> tuple[Point, Point]:
        """The lowest and the highest corner, m."""

    @property
    def floor(self) -> float:
        """Its height, m."""

    @property
    def space(self) -> FreeSpace:
        """Where a body may be."""

    @property
    def gaussians(self) -> int:
        """Of how many it is drawn from outside; 0 where it is not made of them."""

    @property
    def robot(self) -> Posture | None:
        """How the robot of its world stands at the start; None where there is none, or no room for it."""

    def standing(self, height: float) -> float:
        """The height, m, at which ``space`` is asked whether a body may stand, for a visitor's height."""

    def seen(
        self,
        viewpoint: Viewpoint,
        camera: Intrinsics,
        outside: bool = False,
        moved: Poses | None = None,
        coarse: bool = False,
        posture: Posture | None = None,
    ) -> RenderedView:
        """What a camera sees, from outside without the ceiling.

        Args:
            coarse: nearly so and quicker, where that can be had.
            posture: of a robot that stands in it; None for none. Clouds and worlds of other robots do not show it.
            moved: where things and joints are that were moved; None for nowhere else. Clouds do not show it.

        Raises:
            VantageError: it cannot be drawn so.
        """

    def from_above(self, camera: Intrinsics) -> tuple[RenderedView, Viewpoint, Intrinsics]:
        """All of it without the ceiling, from where, and with which intrinsics."""

    def start(self) -> Viewpoint:
        """Where a visitor begins."""

    def close(self) -> None:
        """Give back what draws it."""


@dataclass
class ShownScene:
    """A scene of splats with what draws it; only for the painter's thread. See ``Shown``.

    Attributes:
        legend: what instance ids stand for.
    """

    scene: SplatScene
    renderer: Renderer
    legend: dict[int, InstanceLabel]

    @property
    def gaussians(self) -> int:
        return len(self.roofless.cloud)

    @property
    def robot(self) -> Posture | None:
        return None

    @property
    def bounds(self) -> tuple[Point, Point]:
        return self.scene.bounds_min, self.scene.bounds_max

    @property
    def floor(self) -> float:
        return self.scene.floor

    @property
    def size(self) -> int:
        cloud = self.scene.cloud
        arrays = (cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances)
        return _DRAWN_TWICE * sum(array.nbytes for array in arrays)

    @cached_property
    def roofless(self) -> SplatScene:
        """Without what hangs above the walls, to be seen from outside."""
        scene = self.scene
        nodes = () if scene.graph is None else scene.graph.nodes
        ceilings = [node.bounds_min[2] for node in nodes if node.label == "ceiling"]
        top = min([scene.bounds_max[2], *ceilings]) - _UNDER_CEILING
        return replace(scene, cloud=scene.cloud.select(scene.cloud.means[:, 2] < top), graph=None)

    @cached_property
    def space(self) -> FreeSpace:
        return cached_free_space(self.scene, _VOXEL, _RADIUS)

    def standing(self, height: float) -> float:
        return min(height, self.scene.bounds_max[2] - 2 * _RADIUS)

    @cached_property
    def _thinned(self) -> dict[bool, SplatScene]:
        """Of few enough Gaussians to follow a hand, from outside (True) and from inside."""
        return {outside: thinned(scene) for outside, scene in ((True, self.roofless), (False, self.scene))}

    def seen(
        self,
        viewpoint: Viewpoint,
        camera: Intrinsics,
        outside: bool = False,
        moved: Poses | None = None,
        coarse: bool = False,
        posture: Posture | None = None,
    ) -> RenderedView:
        scene = self._thinned[outside] if coarse else self.roofless if outside else self.scene
        return view_of(self.renderer, scene, viewpoint.T_world_camera_optical(), camera)

    def from_above(self, camera: Intrinsics) -> tuple[RenderedView, Viewpoint, Intrinsics]:
        return view_from_above(self.renderer, self.scene, camera)

    def start(self) -> Viewpoint:
        """Where a visitor begins: the scene's own start, or a place with room around it."""
        if self.scene.start is not None:
            return self.scene.start
        low, high = np.array(self.scene.bounds_min), np.array(self.scene.bounds_max)
        middle = 0.5 * (low + high)
        place = self.space.nearest_place(middle)
        return Viewpoint.looking_at(place if place is not None else middle, middle + np.array([1.0, 0.0, -0.2]))

    def close(self) -> None:
        self.renderer.close()


def thinned(scene: SplatScene) -> SplatScene:
    """A scene of at most 120,000 Gaussians: one of every few, larger than it was, so that surfaces stay closed."""
    every = -(-len(scene.cloud) // _QUICK)
    if every <= 1:
        return scene
    cloud = scene.cloud.select(np.arange(0, len(scene.cloud), every))
    return replace(scene, cloud=replace(cloud, scales=cloud.scales * np.float32(every**_GROWN)), graph=None)


class Scenes:
    """The scenes used last, closed with their renderers when all together exceed the budget; for one thread.

    Args:
        make: a new renderer.
        settings: of house worlds.
    """

    def __init__(self, make: Callable[[], Renderer], budget: int = BUDGET, settings: Settings | None = None) -> None:
        self._make, self._budget, self._settings = make, budget, settings or Settings()
        self._kept: OrderedDict[tuple[Place, str], Shown] = OrderedDict()

    def get(self, place: Place, world: str = "") -> Shown:
        """A place in a world, in its usual one where none is named or it has none of that.

        Raises:
            VantageError: the scene cannot be loaded.
        """
        key = place, place.world(world)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._load(*key)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and sum(each.size for each in self._kept.values()) > self._budget:
            _, dropped = self._kept.popitem(last=False)
            dropped.close()
        return found

    def _load(self, place: Place, world: str) -> Shown:
        if world == HOUSE:
            assert place.homes is not None
            return ShownHouse(place.homes, place.name, self._settings)
        assert place.scene is not None
        scene = load_scene(place.scene)
        return ShownScene(scene, self._make(), legend_of(scene.graph))

    def __len__(self) -> int:
        return len(self._kept)

    def close(self) -> None:
        while self._kept:
            self._kept.popitem()[1].close()


def depth_picture(view: RenderedView) -> NDArray[np.uint8]:
    """Depth as brightness, near bright, black where nothing is seen; (H, W, 3)."""
    known = np.isfinite(view.depth)
    far = float(np.percentile(view.depth[known], 98)) if known.any() else 1.0
    shade = np.where(known, 255.0 - 215.0 * np.clip(np.nan_to_num(view.depth) / max(far, 1e-6), 0, 1), 0.0)
    return np.repeat(shade.astype(np.uint8)[..., None], 3, axis=2)


def ids_picture(view: RenderedView) -> NDArray[np.uint8]:
    """Instance ids in colours that differ, black for none; (H, W, 3)."""
    ids = view.instances.astype(np.uint32)
    hashed = (ids * np.uint32(2654435761)) >> np.uint32(7)
    channels = [64 + ((hashed >> np.uint32(shift)) % 192) for shift in (0, 8, 16)]
    rgb = np.stack(channels, axis=-1).astype(np.uint8)
    rgb[view.instances == 0] = 0
    return rgb


def free_picture(shown: Shown, view: RenderedView, viewpoint: Viewpoint, camera: Intrinsics) -> NDArray[np.uint8]:
    """Where a body may stand: the floor green, and red where it may not, in the picture (H, W, 3)."""
    rgb = view.rgb.copy()
    rows, columns = np.nonzero(np.isfinite(view.depth))
    z = view.depth[rows, columns].astype(np.float64)
    points = np.stack(
        [(columns + 0.5 - camera.cx) / camera.fx * z, (rows + 0.5 - camera.cy) / camera.fy * z, z], axis=1
    )
    world = apply(viewpoint.T_world_camera_optical(), points)
    floor = world[:, 2] < shown.floor + _ON_FLOOR
    space = shown.space
    at = world[floor].copy()
    at[:, 2] = shown.standing(viewpoint.z)
    index = np.floor((at - np.asarray(space.solid.bounds_min)) / space.solid.voxel).astype(int)
    inside = ((index >= 0) & (index < space.places.shape)).all(axis=1)
    index[~inside] = 0
    free = space.places[tuple(index.T)] & inside
    tint = np.where(free[:, None], _FREE, _BLOCKED)
    there = rows[floor], columns[floor]
    rgb[there] = (0.55 * rgb[there] + 0.45 * tint).astype(np.uint8)
    return rgb
