"""A world made of Gaussian splats: a free camera in a body sphere that collides with what the splats fill."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import EpisodeError, SceneError, UnknownNameError, WorldError
from vantage.spatial import Intrinsics, Matrix, Viewpoint, wrap_angle
from vantage.splats import SplatScene, find_scene, load_scene
from vantage.splats.rendering import RenderedView, Renderer, make_renderer
from vantage.splats.space import OccupancyGrid, cached_free_space
from vantage.types import (
    ArmTarget,
    Cause,
    Changes,
    Command,
    Episode,
    InstanceLabel,
    ObjectAction,
    Observation,
    Status,
    StepResult,
)
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.objects import ActingHome, Fault, HandRules, home_of
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.scene_views import KeptScenes, legend_of, view_from_above, view_of
from vantage.worlds.splat_place import Place, why_not
from vantage.worlds.warrant_book import names_of_things
from vantage.worlds.warrants import Warrant

_LOOK_TIME = 1_000_000  # ns
_SHORTEST_STEP = 20_000_000  # ns
_ACTION_TIME = 1_000_000_000  # ns that an action on a thing takes
_CLEARANCE = 1.8  # voxels by which what is solid for the camera may stand out of its shape

ACTIONS = frozenset({"object_action"})  # what the arm of a home takes


class SplatWorld:
    """A ``World`` over the scenes of ``settings.world.scenes``.

    Time passes only with commands: as long as the motion takes at the set speeds, and 1 ms per look. Nothing in it is
    random, so the same commands give the same poses and images whatever the seed.

    In homes whose specification lies beside their cloud, an arm takes actions on things (``ObjectAction``): things
    change kinematically, in one go and by rules; see ``objects``.
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
        self._home: ActingHome | None = None
        self._viewpoint = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
        self._view: RenderedView | None = None
        self._now = 0
        self._closed = False

    @property
    def info(self) -> WorldInfo:
        """Of the current scene: before the first reset, positions are not bounded, and there is no arm."""
        senses = {"rgb", "depth"} | ({"instances"} if self._settings.instances else set())
        changes = Changes.NONE if self._home is None else Changes.KINEMATIC
        radius, limits = self._settings.body_radius, self._gate.limits
        return WorldInfo("splat", frozenset(senses), self._gate.acts, radius, limits, changes=changes)

    @property
    def intrinsics(self) -> Intrinsics:
        """Of all images."""
        return self._intrinsics

    @property
    def scene(self) -> SplatScene:
        """The scene of the running episode, as it is now.

        Raises:
            WorldError: no episode was started.
        """
        place = self._current()
        return place.scene if self._home is None else self._home.scene

    @property
    def occupancy(self) -> OccupancyGrid:
        """What the body must not meet in the scene of the running episode.

        Raises:
            WorldError: no episode was started.
        """
        place = self._current()
        return place.occupancy if self._home is None else self._home.occupancy

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
                raise EpisodeError(f"{what}: {why_not(place, episode.start)}")
            moves = place is not self._place or episode.start != self._viewpoint or self._is_changed()
            stopped = self._gate.stop_reason
            if stopped is not None and moves and self._place is not None:
                raise EpisodeError(f"{what}: stopped: {stopped}; clear the stop first")
            if moves:
                self._view = None
            self._enter(place)
            self._viewpoint = episode.start
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
            status, reason, duration, cause = self._carried_out(place, command)
            observation = self._look(max(_SHORTEST_STEP, duration))
            return StepResult(status, reason, command, observation, cause)

    def grant(self, warrant: Warrant) -> None:
        """See ``World.grant``."""
        self._gate.grant(warrant)

    def warrants(self) -> list[tuple[Warrant, int]]:
        """See ``Gated``."""
        return self._gate.warrants()

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
            view, above, lens = view_from_above(self._renderer, self.scene, self._intrinsics)
            self._now += _LOOK_TIME
            instances = (view.instances, self._legend(place)) if self._settings.instances else (None, None)
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
            self._place = self._home = self._view = None
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
        return Place(scene, space, limits, legend_of(scene.graph), home_of(scene))

    def _enter(self, place: Place) -> None:
        """Begin an episode in a scene, with everything as it is at the start."""
        if place is not self._place:
            spec = place.spec
            self._home = None if spec is None else ActingHome(place.scene, spec, place.space, place.legend)
            self._gate.offer({"viewpoint"} if spec is None else {"viewpoint", "arm"}, ACTIONS)
        elif self._home is not None and self._is_changed():
            self._home.reset()
        self._place = place

    def _is_changed(self) -> bool:
        return self._home is not None and self._home.changed

    def _legend(self, place: Place) -> Mapping[int, InstanceLabel]:
        return place.legend if self._home is None else self._home.legend

    # What is where, for records and judges ---------------------------------------------------------------------------

    def poses(self) -> dict[int, Matrix]:
        """See ``Changing``: of all that is loose in a home, however heavy; empty in other scenes.

        Raises:
            WorldError: closed, or no episode was started.
        """
        with self._lock:
            self._current()
            return {} if self._home is None else self._home.state.poses()

    def joint_positions(self) -> dict[tuple[int, str], float]:
        """See ``Changing``; empty where nothing can be moved.

        Raises:
            WorldError: closed, or no episode was started.
        """
        with self._lock:
            self._current()
            return {} if self._home is None else self._home.state.joint_positions()

    def switched(self) -> dict[int, bool]:
        """See ``Kinematic``.

        Raises:
            WorldError: closed, or no episode was started.
        """
        with self._lock:
            self._current()
            return {} if self._home is None else self._home.state.switched()

    @property
    def held(self) -> int | None:
        """See ``Kinematic``."""
        home = self._home
        return None if home is None else home.state.held

    # Motion ----------------------------------------------------------------------------------------------------------

    def _carried_out(self, place: Place, command: Command) -> tuple[Status, str, int, Cause]:
        """Status, reason, duration in ns and why it was rejected; something changes only when the status is DONE."""
        refusal = self._gate.admit(command, self._viewpoint)
        if refusal is not None:
            return refusal.status, refusal.reason, 0, refusal.cause
        if command.target is not None and command.arm is not None:
            reason = "the command holds a target of the camera and one of the arm; give one after the other"
            return Status.REJECTED, reason, 0, Cause.TARGET
        if self._home is not None and command.arm is not None and command.arm.object_action is not None:
            return self._done(self._home, command.arm.object_action)
        return self._moved(command)

    def _done(self, home: ActingHome, action: ObjectAction) -> tuple[Status, str, int, Cause]:
        clearance = self._settings.body_radius + _CLEARANCE * self._settings.voxel
        hand = HandRules(self._settings.hand_reach, self._settings.hand_load, clearance)
        scene = home.scene
        outcome = home.do(action, self._viewpoint.position, hand)
        if isinstance(outcome, Fault):
            return Status.REJECTED, outcome.reason, 0, outcome.cause
        if home.scene is not scene:
            self._view = None
        return Status.DONE, outcome, 0 if outcome else _ACTION_TIME, Cause.NONE

    def _moved(self, command: Command) -> tuple[Status, str, int, Cause]:
        target = command.target
        if target is None:
            return Status.REJECTED, "the command holds no target", 0, Cause.TARGET
        here = self._viewpoint
        distance = here.distance(target)
        radius = self._settings.body_radius
        if distance > 0 and not self.occupancy.path_free(here.position, target.position, radius):
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
            self._view = view_of(self._renderer, self.scene, pose, self._intrinsics)
        self._now += duration
        instances = self._settings.instances
        return Observation(
            self._now,
            self._viewpoint,
            self._intrinsics,
            self._view.rgb,
            self._view.depth,
            self._view.instances if instances else None,
            self._legend(place) if instances else None,
        )


def make_splat_world(settings: Settings) -> SplatWorld:
    """The factory behind the registered name ``splat``."""
    return SplatWorld(settings)
