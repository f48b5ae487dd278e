"""A world made of Gaussian splats: a free camera in a body sphere that collides with what the splats fill."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import EpisodeError, SceneError, UnknownNameError, WorldError
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.splats import SplatScene, find_scene, load_scene
from vantage.splats.rendering import RenderedView, Renderer, make_renderer
from vantage.splats.space import FreeSpace, OccupancyGrid, cached_free_space
from vantage.types import ArmTarget, Cause, Command, Episode, InstanceLabel, Observation, Point, Status, StepResult
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.scene_views import KeptScenes, legend_of, view_from_above, view_of
from vantage.worlds.warrant_book import names_of_things
from vantage.worlds.warrants import Warrant

_LOOK_TIME = 1_000_000  # ns
_SHORTEST_STEP = 20_000_000  # ns


@dataclass(frozen=True)
class Place:
    """A scene made ready for a body of a certain size: where it is solid and where the camera may be."""

    scene: SplatScene
    space: FreeSpace
    limits: MotionLimits
    legend: Mapping[int, InstanceLabel]

    @property
    def occupancy(self) -> OccupancyGrid:
        """What the body must not meet: what is solid, and what it cannot reach from the start of the scene."""
        return self.space.grid


class SplatWorld:
    """A ``World`` over the scenes of ``settings.world.scenes``.

    Time passes only with commands: as long as the motion takes at the set speeds, and 1 ms per look. Nothing in it is
    random, so the same commands give the same poses and images whatever the seed.
    """

    def __init__(self, settings: Settings, renderer: Renderer | None = None) -> None:
        camera, limits = settings.camera, settings.limits
        self._settings = settings.world
        self._intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        self._owns_renderer = renderer is None
        self._renderer = renderer or make_renderer(settings.world.renderer, settings.world.threads)
        self._unbounded = MotionLimits(
            pitch_min=limits.pitch_min,
            pitch_max=limits.pitch_max,
            max_translation=limits.max_translation,
            max_rotation=limits.max_rotation,
        )
        self._gate = SafetyGate(self._unbounded, now=lambda: self._now, touched=self._touched)
        self._lock = threading.RLock()
        self._places = KeptScenes(self._load)
        self._place: Place | None = None
        self._viewpoint = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
        self._view: RenderedView | None = None
        self._now = 0
        self._closed = False

    @property
    def info(self) -> WorldInfo:
        """The limits are those of the current scene; before the first reset, positions are not bounded."""
        senses = {"rgb", "depth"} | ({"instances"} if self._settings.instances else set())
        return WorldInfo(
            "splat", frozenset(senses), frozenset({"viewpoint"}), self._settings.body_radius, self._gate.limits
        )

    @property
    def intrinsics(self) -> Intrinsics:
        """Of all images."""
        return self._intrinsics

    @property
    def scene(self) -> SplatScene:
        """The scene of the running episode.

        Raises:
            WorldError: no episode was started.
        """
        return self._current().scene

    @property
    def occupancy(self) -> OccupancyGrid:
        """What the body must not meet in the scene of the running episode.

        Raises:
            WorldError: no episode was started.
        """
        return self._current().occupancy

    def place(self, scene: str) -> Place:
        """Load a scene without starting an episode; the two used last are kept.

        Raises:
            UnknownNameError: no such scene.
            ConfigError, FormatError, SceneError: its files are wrong.
        """
        with self._lock:
            return self._places.get(scene)

    def scene_points(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Centres (N, 3) in the world frame, m, and colours (N, 3) of the splats of the running episode's scene.

        Raises:
            WorldError: no episode was started.
        """
        cloud = self.scene.cloud
        return cloud.means, np.clip(255 * cloud.base_colors(), 0, 255).astype(np.uint8)

    def reset(self, episode: Episode, seed: int) -> Observation:
        """See ``World.reset``; when it raises, the episode before it goes on."""
        with self._lock:
            self._check_open()
            self._gate.require(episode.episode_id, episode.restored)
            try:
                place = self.place(episode.scene)
            except UnknownNameError as error:
                raise EpisodeError(f"episode '{episode.episode_id}' cannot be run: {error}") from error
            what = f"episode '{episode.episode_id}' cannot start in scene '{episode.scene}'"
            reason = place.limits.pose_violation(episode.start)
            if reason is not None:
                raise EpisodeError(f"{what}: {reason}; choose another start")
            if place.space.problem(episode.start.position) is not None:
                raise EpisodeError(f"{what}: {_why_not(place, episode.start)}")
            moves = place is not self._place or episode.start != self._viewpoint
            stopped = self._gate.stop_reason
            if stopped is not None and moves and self._place is not None:
                raise EpisodeError(f"{what}: stopped: {stopped}; clear the stop first")
            if moves:
                self._view = None
            self._place, self._viewpoint = place, episode.start
            self._gate.limits = place.limits
            self._gate.begin(episode.episode_id, episode.restored)
            return self._look(_LOOK_TIME)

    def step(self, command: Command) -> StepResult:
        """See ``World.step``.

        Raises:
            WorldError: closed, or no episode was started, so that there is nothing to show.
        """
        with self._lock:
            self._check_open()
            place = self._current()
            status, reason, duration, cause = self._move(place, command)
            observation = self._look(max(_SHORTEST_STEP, duration))
            return StepResult(status, reason, command, observation, cause)

    def grant(self, warrant: Warrant) -> None:
        """See ``World.grant``."""
        self._gate.grant(warrant)

    def observe(self) -> Observation:
        """See ``World.observe``.

        Raises:
            WorldError: closed, or no episode was started.
        """
        with self._lock:
            self._check_open()
            self._current()
            return self._look(_LOOK_TIME)

    def look_from_above(self) -> Observation:
        """See ``Overlooked``.

        Raises:
            WorldError: closed, or no episode was started.
        """
        with self._lock:
            self._check_open()
            place = self._current()
            view, above, lens = view_from_above(self._renderer, place.scene, self._intrinsics)
            self._now += _LOOK_TIME
            instances = (view.instances, place.legend) if self._settings.instances else (None, None)
            return Observation(self._now, above, lens, view.rgb, view.depth, *instances)

    def stop(self, reason: str) -> None:
        """See ``World.stop``."""
        self._gate.stop(reason)

    def clear_stop(self) -> None:
        """See ``World.clear_stop``."""
        self._gate.clear_stop()

    def close(self) -> None:
        """See ``World.close``."""
        with self._lock:
            self._closed = True
            self._places.clear()
            self._place = self._view = None
            if self._owns_renderer:
                self._renderer.close()

    def _check_open(self) -> None:
        if self._closed:
            raise WorldError("this splat world is closed; make a new one")

    def _current(self) -> Place:
        place = self._place
        if place is None:
            self._check_open()
            raise WorldError("no episode was started in this splat world; reset it first")
        return place

    def _touched(self, target: ArmTarget) -> list[frozenset[str]]:
        return names_of_things(target, {} if self._place is None else self._place.legend)

    def _load(self, name: str) -> Place:
        self._check_open()
        scene = load_scene(find_scene(self._settings.scenes, name))
        radius = self._settings.body_radius
        space = cached_free_space(scene, self._settings.voxel, radius)
        low = [value + radius for value in scene.bounds_min]
        high = [value - radius for value in scene.bounds_max]
        low[2] = max(low[2], scene.floor + radius)
        if any(a > b for a, b in zip(low, high, strict=True)):
            raise SceneError(
                f"scene '{name}' between {scene.bounds_min} and {scene.bounds_max} m has no room for a body of radius "
                f"{radius} m; set a smaller world.body_radius or wider bounds"
            )
        limits = MotionLimits(
            (low[0], low[1], low[2]),
            (high[0], high[1], high[2]),
            self._unbounded.pitch_min,
            self._unbounded.pitch_max,
            self._unbounded.max_translation,
            self._unbounded.max_rotation,
        )
        return Place(scene, space, limits, legend_of(scene.graph))

    def _move(self, place: Place, command: Command) -> tuple[Status, str, int, Cause]:
        """Status, reason, duration in ns and why it was rejected; the pose changes only when the status is DONE."""
        refusal = self._gate.admit(command, self._viewpoint)
        if refusal is not None:
            return refusal.status, refusal.reason, 0, refusal.cause
        target = command.target
        if target is None:
            return Status.REJECTED, "the command holds no target", 0, Cause.TARGET
        here = self._viewpoint
        distance = here.distance(target)
        radius = self._settings.body_radius
        if distance > 0 and not place.occupancy.path_free(here.position, target.position, radius):
            return Status.COLLIDED, "collision; remained at the same position", 0, Cause.NONE
        stopped = self._gate.stop_reason
        if stopped is not None:
            self._gate.stop_told()
            return Status.STOPPED, f"stopped: {stopped}; clear the stop first", 0, Cause.NONE
        if target != here:
            self._viewpoint, self._view = target, None
        turn = max(abs(wrap_angle(target.yaw - here.yaw)), abs(target.pitch - here.pitch))
        seconds = max(distance / self._settings.linear_speed, turn / self._settings.angular_speed)
        return Status.DONE, "", math.ceil(seconds * 1e9), Cause.NONE

    def _look(self, duration: int) -> Observation:
        """Let time pass and show what the camera sees; the images of a pose are drawn once."""
        place = self._current()
        if self._view is None:
            pose = self._viewpoint.T_world_camera_optical()
            self._view = view_of(self._renderer, place.scene, pose, self._intrinsics)
        self._now += duration
        instances = self._settings.instances
        return Observation(
            self._now,
            self._viewpoint,
            self._intrinsics,
            self._view.rgb,
            self._view.depth,
            self._view.instances if instances else None,
            place.legend if instances else None,
        )


def _why_not(place: Place, start: Viewpoint) -> str:
    """In words, why the body cannot be at a start, and where it could be instead."""
    space, (x, y, z) = place.space, start.position
    nearest = space.nearest_place((x, y, z))
    advice = "" if nearest is None else ", for instance at ({:.3f}, {:.3f}, {:.3f}) m".format(*nearest)
    if space.penetrates((x, y, z)):
        reason = f"touches {_object_near(place, (x, y, z)) or 'an obstacle'}"
    else:
        reason = f"is cut off: {space.problem((x, y, z))}"
    return f"a body of radius {space.radius} m at ({x:.2f}, {y:.2f}, {z:.2f}) m {reason}; choose another start{advice}"


def _object_near(place: Place, point: Point) -> str:
    """In words, the object whose solid Gaussians come closest to a point; empty where nothing has a name."""
    cloud = place.scene.cloud
    named = np.flatnonzero((cloud.instances > 0) & (cloud.opacities > 0.5))
    if not place.legend or len(named) == 0:
        return ""
    gaps = np.linalg.norm(cloud.means[named] - np.asarray(point, dtype=np.float32), axis=1)
    label = place.legend.get(int(cloud.instances[named[int(np.argmin(gaps))]]))
    return "" if label is None else f"the {label.label}"


def make_splat_world(settings: Settings) -> SplatWorld:
    """The factory behind the registered name ``splat``."""
    return SplatWorld(settings)
