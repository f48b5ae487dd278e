"""The reward for what is new, after EXCALIBUR (CVPR 2023), eq. 4: things seen first, reachable floor in view first."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling import FreeFloor, PlaceSight, SceneWorld, VisibilitySettings
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import UsageError
from vantage.runs import Gathering, MovedThings
from vantage.scenes.spec import load_spec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Poses
from vantage.worlds import Changing, World, poses_of

_KEPT_SCENES = 16  # of which it is remembered what there is to see


class NoveltyReward:
    """What the looks of an episode add: the share of its things that are seen for the first time, plus the newly seen
    share of the floor on which the robot can get about.

    Args:
        episode_set: that tells of the scenes.
        world: in which they are.
        visibility: when a thing counts as seen.
        camera: through which it does, whatever is drawn.
    """

    def __init__(
        self, episode_set: EpisodeSet, world: World, visibility: VisibilitySettings, camera: Intrinsics
    ) -> None:
        self._set, self._world, self._visibility, self._camera = episode_set, world, visibility, camera
        self._sights: OrderedDict[str, PlaceSight] = OrderedDict()
        self._changes = MovedThings()
        self._gathering: Gathering | None = None
        self._floor = 0.0

    def begin(self, scene: str) -> None:
        """An episode begins in a scene; nothing of it was seen.

        Raises:
            UsageError: only a splat is known of the scene.
            VantageError: its files are wrong.
        """
        self._gathering, self._floor = Gathering(self._sight_of(scene), ()), 0.0
        self._changes.begin()

    def look(self, viewpoint: Viewpoint) -> float:
        """What a look at the world as it is now adds, 0 to 2 over an episode."""
        assert self._gathering is not None
        moved: Poses | None = None
        if isinstance(self._world, Changing):
            self._changes.look(poses_of(self._world))
            moved = self._changes.moved
        _, news = self._gathering.look(viewpoint, self._camera, moved)
        if news is None:
            return 0.0
        floor, self._floor = news.floor_seen - self._floor, news.floor_seen
        return len(news.seen) / max(1, news.things) + floor / max(news.floor_area, 1e-9)

    def _sight_of(self, scene: str) -> PlaceSight:
        if scene not in self._sights:
            path = self._set.scene_folder(scene) / "spec.json"
            if not path.is_file():
                raise UsageError(f"scene '{scene}' has no {path}, by which new things are judged; take a set of homes")
            while len(self._sights) >= _KEPT_SCENES:
                self._sights.popitem(last=False)
            self._sights[scene] = PlaceSight(load_spec(path), self._visibility, self._reachable(scene))
        self._sights.move_to_end(scene)
        return self._sights[scene]

    def _reachable(self, scene: str) -> FreeFloor | None:
        """Which points of a floor (N, 2), m, are below places of the body; None for a world that tells of none."""
        if not isinstance(self._world, SceneWorld):
            return None
        space = self._world.place(scene).space
        columns = np.asarray(space.places.any(axis=2))
        low, voxel = np.array(space.solid.bounds_min[:2]), space.solid.voxel

        def reachable(points: NDArray[np.float64]) -> NDArray[np.bool_]:
            at = np.floor((points - low) / voxel).astype(np.intp)
            inside = np.asarray(((at >= 0) & (at < columns.shape)).all(axis=1))
            at[~inside] = 0
            return np.asarray(inside & columns[at[:, 0], at[:, 1]])

        return reachable
