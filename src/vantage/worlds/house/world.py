"""The world of a house: a mobile robot with an arm in a home of MuJoCo bodies."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import EpisodeError, VantageError, WorldError
from vantage.spatial import Intrinsics, Matrix, Viewpoint
from vantage.types import (
    Cause,
    Changes,
    Command,
    Episode,
    InstanceLabel,
    Observation,
    Status,
    StepResult,
)
from vantage.worlds.house.floor_space import HomePlace
from vantage.worlds.house.homes import load_home
from vantage.worlds.house.loaded_house import LoadedHouse, place_of
from vantage.worlds.house.orders import carried_out, with_slip
from vantage.worlds.house.physics import Outcome, PhysicsError, Simulation
from vantage.worlds.house.pictures import Picture, smaller, viewpoint_above
from vantage.worlds.house.robot import arm_fault, load_robot, robot_urdf
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.scene_views import KeptScenes
from vantage.worlds.warrants import Warrant

ACTS = frozenset({"viewpoint", "arm"})
TOLERANCE = 0.005  # m and rad that a motion may end from its target
SAME_HEIGHT = 0.001  # m

_LOOK_TIME = 1_000_000  # ns that a look takes, in which nothing moves
_SEEDED = 2  # kinds of chance in the looks of a home


class HouseWorld:
    """A ``World`` over the homes of ``settings.world.scenes``; see ``homes``.

    A camera target moves base and head: the camera has one height. Time is that of the physics; it passes with
    commands, and by 1 ms with each look, in which nothing moves. The same commands and seeds give the same bytes.

    With ``house.pictures=none`` nothing is drawn and images are black, which needs no OpenGL.
    """

    def __init__(self, settings: Settings) -> None:
        """
        Raises:
            ConfigError: the robot's file is wrong.
        """
        self._settings = settings
        camera, limits = settings.camera, settings.limits
        self._robot = load_robot(settings.house.robot)
        self._intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
        wanted = settings.house.pictures
        few = smaller(self._intrinsics, settings.house.depth_width, settings.house.depth_height)
        self._small = few if wanted == "all" else None
        self._black = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._black.setflags(write=False)
        height = self._robot.camera_height
        self._unbounded = MotionLimits(
            (-math.inf, -math.inf, height - SAME_HEIGHT),
            (math.inf, math.inf, height + SAME_HEIGHT),
            max(limits.pitch_min, self._robot.tilt.lower),
            min(limits.pitch_max, self._robot.tilt.upper),
            limits.max_translation,
            limits.max_rotation,
        )
        self._gate = SafetyGate(
            self._unbounded, ACTS, now=lambda: self._now, touched=lambda arm: self._current().touched(arm)
        )
        self._lock = threading.RLock()
        self._mover: int | None = None  # thread whose command moves the robot
        self._places = KeptScenes(self._make_place)
        self._houses = KeptScenes(self._make_house, LoadedHouse.close)
        self._loaded: LoadedHouse | None = None
        self._picture: Picture | None = None
        self._broken = ""
        self._now, self._seen = 0, 0.0  # ns, and s of the physics at the last look
        self._last: Observation | None = None
        self._closed = False

    @property
    def info(self) -> WorldInfo:
        """The limits are those of the current home; before the first reset, x and y are not bounded."""
        senses = {"rgb", "touch"}
        if self._small is not None:
            senses |= {"depth", "instances"} if self._settings.world.instances else {"depth"}
        return WorldInfo(
            "house",
            frozenset(senses),
            ACTS,
            self._robot.radius,
            self._gate.limits,
            tolerance=TOLERANCE,
            changes=Changes.PHYSICS,
        )

    @property
    def intrinsics(self) -> Intrinsics:
        """Of color images."""
        return self._intrinsics

    @property
    def depth_intrinsics(self) -> Intrinsics | None:
        """Of depth and ids; None where there are none."""
        return self._small

    @property
    def simulation(self) -> Simulation:
        """Of the running episode.

        Raises:
            WorldError: as ``observe``.
        """
        return self._current().sim

    def urdf(self) -> str:
        """See ``Described``."""
        return robot_urdf(self._robot)

    def place(self, scene: str) -> HomePlace:
        """A home without an episode in it, for labellers; the two used last are kept.

        Raises:
            UnknownNameError: no such home.
            ConfigError, FormatError, SceneError: its files are wrong.
        """
        with self._lock:
            return self._places.get(scene)

    def nearest_start(self, scene: str, start: Viewpoint) -> Viewpoint | None:
        """See ``Standing``.

        Raises:
            UnknownNameError: no such home.
            ConfigError, FormatError, SceneError: its files are wrong.
        """
        return self.place(scene).nearest_start(start)

    def reset(self, episode: Episode, seed: int) -> Observation:
        """See ``World.reset``; under a stop neither the robot nor anything else in the home is put back."""
        with self._lock:
            self._check_open()
            self._gate.require(episode.episode_id, episode.restored)
            try:
                loaded = self._houses.get(self._key(episode, seed))
            except VantageError as error:
                raise EpisodeError(f"episode '{episode.episode_id}' cannot be run: {error}") from error
            what, start = f"episode '{episode.episode_id}' cannot start in home '{episode.scene}'", episode.start
            reason = loaded.place.limits.pose_violation(start)
            if reason is not None:
                raise EpisodeError(f"{what}: {reason}; choose another start")
            stopped, before = self._gate.stop_reason, self._loaded
            if stopped is not None and before is not None and (loaded is not before or loaded.would_move(start)):
                raise EpisodeError(f"{what}: stopped: {stopped}; clear the stop first")
            try:
                obstacle = loaded.obstacle_at(start)
                if obstacle is not None:
                    raise EpisodeError(f"{what}: {obstacle}")
                loaded.sim.reset(start.x, start.y, start.yaw, start.pitch)
            except PhysicsError as error:
                if loaded is before:
                    self._broken = _over(str(error))
                raise EpisodeError(f"{what}: {error}; choose another start or mend the home") from error
            self._loaded, self._broken, self._picture = loaded, "", None
            loaded.hand.reset(int(np.random.default_rng([episode.seed, seed]).integers(2**31)))
            self._seen = loaded.sim.time
            self._gate.limits = loaded.place.limits
            self._gate.begin(episode.episode_id, episode.restored)
            return self._look()

    def step(self, command: Command) -> StepResult:
        """See ``World.step``.

        Raises:
            WorldError: closed, no episode was started, or the physics broke down, which ends the episode.
        """
        if self._mover not in (None, threading.get_ident()) and self._last is not None:
            reason = "another command is being carried out; wait for its result"
            return StepResult(Status.REJECTED, reason, command, self._last, Cause.ORDER)
        with self._lock:
            loaded = self._current()
            self._mover = threading.get_ident()
            try:
                outcome, cause = self._carried_out(loaded, command)
            except PhysicsError as error:
                raise self._ended(str(error)) from error
            finally:
                self._mover = None
            return StepResult(outcome.status, outcome.reason, command, self._look(), cause)

    def grant(self, warrant: Warrant) -> None:
        """See ``World.grant``."""
        self._gate.grant(warrant)

    def warrants(self) -> list[tuple[Warrant, int]]:
        """See ``Gated``."""
        return self._gate.warrants()

    def observe(self) -> Observation:
        """See ``World.observe``.

        Raises:
            WorldError: closed, no episode was started, or the physics broke down.
        """
        with self._lock:
            self._current()
            return self._look()

    def look_from_above(self) -> Observation:
        """See ``Overlooked``.

        Raises:
            WorldError: closed, no episode was started, or the physics broke down.
        """
        with self._lock:
            loaded = self._current()
            above = viewpoint_above(loaded.house.home, self._intrinsics)
            picture = self._drawn(loaded, above, ceilings=False)
            return self._observation(loaded, above, picture)

    def stop(self, reason: str) -> None:
        """See ``World.stop``; a motion ends within 20 ms of simulated time."""
        self._gate.stop(reason)

    def clear_stop(self) -> None:
        """See ``World.clear_stop``."""
        self._gate.clear_stop()

    def close(self) -> None:
        """See ``World.close``."""
        with self._lock:
            self._closed = True
            if self._loaded is not None:  # homes that could not be started in may have driven it out of those kept
                self._loaded.close()
            self._loaded = None
            self._houses.clear()
            self._places.clear()

    # What is where, for records and judges ---------------------------------------------------------------------------

    def poses(self) -> dict[int, Matrix]:
        """T_world_object (4, 4) of all that can be picked up, by instance id.

        Raises:
            WorldError: as ``observe``.
        """
        with self._lock:
            loaded = self._current()
            loaded.sim.refresh()
            return loaded.sim.thing_poses()

    def joint_positions(self) -> dict[tuple[int, str], float]:
        """Of drawers, doors, lids and flaps, rad or m, by instance id and name of the part.

        Raises:
            WorldError: as ``observe``.
        """
        with self._lock:
            loaded = self._current()
            return {(part.instance, part.part): loaded.sim.part_position(part) for part in loaded.house.parts}

    @property
    def held(self) -> int | None:
        """Instance that the hand holds."""
        return None if self._loaded is None else self._loaded.hand.held

    # Motion ----------------------------------------------------------------------------------------------------------

    def _carried_out(self, loaded: LoadedHouse, command: Command) -> tuple[Outcome, Cause]:
        refusal = self._gate.admit(command, loaded.sim.viewpoint())
        if refusal is not None:
            return Outcome(refusal.status, refusal.reason), refusal.cause
        if command.target is not None and command.arm is not None:
            reason = "the command holds a target of the camera and one of the arm; give one after the other"
            return Outcome(Status.REJECTED, reason), Cause.TARGET
        fault = None if command.arm is None else arm_fault(self._robot, command.arm, loaded.hand.held is not None)
        if fault is not None:
            return Outcome(Status.REJECTED, fault[1]), fault[0]
        loaded.hand.forget()
        self._picture = None
        inside = loaded.hand.inside
        outcome = carried_out(loaded, command, self._robot.hand.opening, self._is_stopped)
        if command.arm is not None:
            why = partial(self._gate.holding_refusal, source=command.source)
            unnamed = loaded.let_go_of_unnamed(inside, why, self._is_stopped)
            if unnamed and outcome.status is not Status.STOPPED:
                outcome = Outcome(Status.COLLIDED, unnamed)
        if outcome.status in (Status.DONE, Status.COLLIDED):  # a stop ends time, too
            loaded.hand.settle(self._is_stopped)
        self._require_sound(loaded)
        if outcome.status is Status.STOPPED:
            self._gate.stop_told()
            return Outcome(Status.STOPPED, self._stop_words() or outcome.reason), Cause.NONE
        outcome = with_slip(loaded, outcome)
        return outcome, Cause.LIMIT if outcome.status is Status.REJECTED else outcome.cause

    def _stop_words(self) -> str:
        reason = self._gate.stop_reason
        return "" if reason is None else f"stopped: {reason}; clear the stop first"

    def _is_stopped(self) -> bool:
        return self._gate.stop_reason is not None

    def _require_sound(self, loaded: LoadedHouse) -> None:
        reason = loaded.sim.broken()
        if reason is not None:
            raise self._ended(reason)

    def _ended(self, reason: str) -> WorldError:
        """The episode is over because the physics broke down."""
        self._broken = _over(reason)
        return WorldError(self._broken)

    # Looks -----------------------------------------------------------------------------------------------------------

    def _look(self) -> Observation:
        """What the camera sees and the hand feels; a pose from which nothing has moved since is drawn once."""
        loaded = self._current()
        viewpoint = loaded.sim.viewpoint()
        if self._picture is None:
            self._picture = self._drawn(loaded, viewpoint)
        self._last = self._observation(loaded, viewpoint, self._picture)
        return self._last

    def _drawn(self, loaded: LoadedHouse, viewpoint: Viewpoint, ceilings: bool = True) -> Picture:
        if loaded.pictures is None:
            return Picture(self._black)
        return loaded.pictures.take(loaded.sim.data, viewpoint.T_world_camera_optical(), ceilings)

    def _observation(self, loaded: LoadedHouse, viewpoint: Viewpoint, picture: Picture) -> Observation:
        passed, self._seen = loaded.sim.time - self._seen, loaded.sim.time
        self._now += _LOOK_TIME + max(round(passed * 1e9), 0)  # a motion that is undone takes no time
        instances: tuple[NDArray[np.int32] | None, Mapping[int, InstanceLabel] | None] = (None, None)
        if self._settings.world.instances and picture.ids is not None:
            instances = picture.ids, loaded.legend.now(loaded.sim)
        small = self._small if self._small != self._intrinsics else None
        return Observation(
            self._now,
            viewpoint,
            self._intrinsics,
            picture.rgb,
            picture.depth,
            *instances,
            posture=loaded.sim.posture(),
            depth_intrinsics=small,
            touch=loaded.hand.touch(),
        )

    # Homes -----------------------------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._closed:
            raise WorldError("this house world is closed; make a new one")

    def _current(self) -> LoadedHouse:
        self._check_open()
        if self._loaded is None:
            raise WorldError("no episode was started in this house world; reset it first")
        if self._broken:
            raise WorldError(self._broken)
        return self._loaded

    def _key(self, episode: Episode, seed: int) -> str:
        """Name of the home, and what chance there is in its looks."""
        house = self._settings.house
        lots = np.random.default_rng([episode.seed, seed, 1]).integers(2**31, size=_SEEDED).tolist()
        light = str(lots[0]) if house.random_light else ""
        texture = str(lots[1]) if house.random_texture else ""
        return f"{episode.scene}\n{light}\n{texture}"

    def _make_place(self, scene: str) -> HomePlace:
        self._check_open()
        home = load_home(self._settings.world.scenes, scene)
        return place_of(home, self._robot, self._unbounded, self._settings.world.body_radius)

    def _make_house(self, key: str) -> LoadedHouse:
        scene, *chance = key.split("\n")
        light, texture = (int(lot) if lot else None for lot in chance)
        place, house = self._places.get(scene), self._settings.house
        made = LoadedHouse.of(place, self._robot, house, self._intrinsics, self._small, light, texture)
        made.sim.names = self._settings.world.instances  # or words would tell what no sense does
        return made


def _over(reason: str) -> str:
    return f"{reason}; the episode ends here, reset the world"
