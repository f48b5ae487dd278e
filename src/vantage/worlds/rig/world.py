"""A world made of hardware: a camera on a chain of motors, perhaps an arm, and everything that keeps them safe."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import EpisodeError, HardwareError, StoppedError, UnknownNameError, UnreachableError, WorldError
from vantage.spatial import Intrinsics, Matrix, Viewpoint
from vantage.splats.scene_file import SplatScene
from vantage.types import Command, Episode, Event, Link, Observation, Posture, Status, StepResult
from vantage.worlds.events import EventLog
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.rig.cameras.camera import Camera
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import Driver
from vantage.worlds.rig.keep_out import load_room
from vantage.worlds.rig.looks import Looker
from vantage.worlds.rig.routes import Routes
from vantage.worlds.rig.safety import EPISODE, RigSafety
from vantage.worlds.rig.watchdog import Watchdog
from vantage.worlds.rig.workspace import bounds

if TYPE_CHECKING:
    from vantage.worlds.rig.arm import Arm

BODY_LINK = "camera_link"
_CLOSE = 1e-6  # m or rad
_FRAME = "map"


@runtime_checkable
class ShowsScenes(Protocol):
    """A simulated camera, around which any scene can be put."""

    def show(self, scene: str) -> SplatScene: ...


class RigWorld:
    """A ``World`` over a driver, a camera and, where there is one, an arm. Stamps are those of the driver's clock.

    Args:
        belongings: what ends with this world besides, such as an emulator.
        confirmed: whether the first motion needs no person to allow it.
    """

    def __init__(
        self,
        description: RigDescription,
        driver: Driver,
        camera: Camera,
        settings: Settings,
        arm: Arm | None = None,
        belongings: ExitStack | None = None,
        confirmed: bool = True,
    ) -> None:
        self._description, self._driver, self._camera, self._arm = description, driver, camera, arm
        self._settings, self._belongings = settings, belongings or ExitStack()
        self._chain = description.chain
        self._log = EventLog(driver.clock.now)
        driver.notify = camera.notify = self._notice
        rules = description.safety
        rooms = [load_room(settings, rules.room)] if rules.room not in ("", EPISODE) else []
        self._safety = RigSafety(self._chain, rules, self._positions, rooms)
        self._routes = Routes(self._chain, self._safety, rules.park)
        acts = {"viewpoint"} | ({"arm"} if arm is not None else set())
        self._gate = SafetyGate(
            _limits(description, settings),
            frozenset(acts),
            checks=(self._safety,) if arm is None else (self._safety, arm),
            confirmed=confirmed,
            dry_run=settings.rig.dry_run,
        )
        self._looker = Looker(camera, description.look, driver.clock, self._notice)
        self._watchdog = Watchdog(
            description.watchdog,
            self._trip,
            frame_stamp=camera.newest,
            state_stamp=lambda: driver.state().stamp,
            now=driver.clock.now,
        )
        self._lock = threading.RLock()
        self._scene: SplatScene | None = None
        self._begun = self._closed = False
        self._still_since = self._stamp = -1

    @property
    def info(self) -> WorldInfo:
        acts = frozenset({"viewpoint", "arm"} if self._arm is not None else {"viewpoint"})
        tolerance = self._tolerance() if self.real_time else 0.0
        return WorldInfo("rig", self._camera.senses, acts, self._radius(), self._gate.limits, _FRAME, tolerance)

    @property
    def intrinsics(self) -> Intrinsics:
        """Of all images."""
        return self._camera.intrinsics

    def connect(self) -> None:
        """Open everything; nothing moves.

        Raises:
            HardwareError: something does not answer; what was opened is closed again.
        """
        with ExitStack() as opened:
            for part in (self._driver, self._camera, *([self._arm] if self._arm is not None else [])):
                opened.enter_context(part)
            self._still_since = self._driver.clock.now()
            if self.real_time:
                self._watchdog.start()
            opened.callback(self._watchdog.close)
            self._belongings.push(opened.pop_all())

    # World ----------------------------------------------------------------------------------------------------------

    def reset(self, episode: Episode, seed: int) -> Observation:
        """See ``World.reset``: homes where that is due, then drives to the start, over the parking position where the
        straight way is barred.

        Raises:
            WorldError: closed, or the hardware failed on the way; it is stopped then.
        """
        with self._lock:
            self._check_open()
            what = f"episode '{episode.episode_id}' cannot start"
            scene = self._scene_of(episode)
            self._watchdog.end()
            self._safety.forget_depth()
            violation = self._gate.limits.pose_violation(episode.start)
            if violation is not None:
                raise EpisodeError(f"{what}: {violation}; choose another start")
            try:
                if not self._driver.state().homed:
                    self._home(what)
                self._go_to_start(episode, scene, what)
            except StoppedError as error:
                raise EpisodeError(
                    f"{what}: stopped: {self._gate.stop_reason or error}; clear the stop first"
                ) from error
            except HardwareError as error:
                raise self._failed(what, error) from error
            self._gate.begin(episode.episode_id)
            self._watchdog.begin()
            self._begun = True
            return self._look()

    def step(self, command: Command) -> StepResult:
        """See ``World.step``. Hardware that fails is stopped, and the result says why.

        Raises:
            WorldError: closed, no episode was started, or the camera shows nothing.
        """
        with self._lock:
            self._check_begun()
            self._watchdog.command()
            try:
                status, reason = self._carry_out(command)
            except StoppedError as error:
                status, reason = Status.STOPPED, f"stopped: {self._gate.stop_reason or error}; clear the stop first"
            except HardwareError as error:
                status, reason = Status.STOPPED, str(self._failed(f"command {command.sequence}", error))
            try:
                return StepResult(status, reason, command, self._look())
            except WorldError as error:
                raise WorldError(f"{reason}; besides, {error}" if reason else str(error)) from error

    def observe(self) -> Observation:
        """See ``World.observe``.

        Raises:
            WorldError: closed, no episode was started, or the camera shows nothing.
        """
        with self._lock:
            self._check_begun()
            return self._look()

    def stop(self, reason: str) -> None:
        """See ``World.stop``: the motors brake at once, whoever asks."""
        self._gate.stop(reason)
        self._driver.stop()
        if self._arm is not None:
            self._arm.stop()

    def clear_stop(self) -> None:
        """See ``World.clear_stop``.

        Raises:
            WorldError: what stopped it is not mended; the stop stays.
        """
        with self._lock:
            self._check_open()
            try:
                self._driver.clear()
                if self._arm is not None:
                    self._arm.clear()
            except HardwareError as error:
                raise WorldError(f"the stop stays: {error}") from error
            self._gate.clear_stop()
            self._watchdog.rearm()

    def close(self) -> None:
        """See ``World.close``."""
        self._driver.stop()
        with self._lock:
            self._closed, self._begun = True, False
            self._belongings.close()

    # Supervised -----------------------------------------------------------------------------------------------------

    @property
    def real_time(self) -> bool:
        return not isinstance(self._driver.clock, VirtualClock)

    @property
    def trouble(self) -> str:
        if self._closed:
            return "closed"
        stopped = self._gate.stop_reason
        if stopped is not None:
            return f"stopped: {stopped}"
        try:
            state = self._driver.state()
        except HardwareError as error:
            return str(error)
        if state.fault:
            return state.fault
        return "" if self._gate.confirmed else "the first motion must be confirmed by a person"

    def events(self, since: int) -> Sequence[Event]:
        return self._log.since(since)

    def heartbeat(self) -> None:
        self._watchdog.heartbeat()

    def confirm_motion(self) -> None:
        self._gate.confirm()

    def scene_points(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """The splats of the room that simulated cameras see, as ``SplatWorld.scene_points``; none for real rooms."""
        if self._scene is None:
            return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.uint8)
        cloud = self._scene.cloud
        return cloud.means, np.clip(255 * cloud.base_colors(), 0, 255).astype(np.uint8)

    # For people at the rig ------------------------------------------------------------------------------------------

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera is.

        Raises:
            HardwareError: not connected.
        """
        return self._chain.viewpoint(self._positions())

    def refusal(self, target: Viewpoint) -> str | None:
        """Why the camera could not go straight to a viewpoint now, in words, or None; nothing moves.

        Raises:
            HardwareError: not connected.
        """
        return self._gate.reset_violation(self.viewpoint, target)

    def may_stand(self, q: Matrix) -> bool:
        """Whether nothing is wrong with joint positions (N,)."""
        return self._safety.posture_violation(q) is None

    def positions_at(self, target: Viewpoint) -> Matrix:
        """Joint positions (N,) that put the camera at a viewpoint.

        Raises:
            WorldError: there are none, or a limit forbids it.
        """
        violation = self._gate.limits.pose_violation(target)
        try:
            q = self._safety.target_positions(target)
        except (UnreachableError, HardwareError) as error:
            raise WorldError(f"the camera cannot go there: {error}") from error
        if violation is not None:
            raise WorldError(f"the camera cannot go there: {violation}")
        return q

    def go_to(self, q: Matrix) -> Observation:
        """Move to joint positions (N,) outside any episode, through every check, and look; homes where that is due.

        Raises:
            WorldError: refused, barred, stopped or failed; the message says which.
        """
        with self._lock:
            self._check_open()
            self._watchdog.end()
            try:
                if not self._driver.state().homed:
                    self._home("the motion")
                self._drive_by_route(q, "the motion")
            except (EpisodeError, StoppedError) as error:
                raise WorldError(f"the rig did not go there: {error}") from error
            except HardwareError as error:
                raise self._failed("the motion", error) from error
            return self._look()

    @contextmanager
    def dry_run(self) -> Iterator[None]:
        """Every motion is checked and then refused while the block runs."""
        before, self._gate.dry_run = self._gate.dry_run, True
        try:
            yield
        finally:
            self._gate.dry_run = before

    def home(self) -> None:
        """Find the reference position.

        Raises:
            WorldError: refused, stopped or failed; the message says which.
        """
        with self._lock:
            self._check_open()
            try:
                self._home("homing")
            except EpisodeError as error:
                raise WorldError(str(error)) from error
            except HardwareError as error:
                raise self._failed("homing", error) from error

    # Motion ---------------------------------------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> tuple[Status, str]:
        refusal = self._gate.admit(command, self.viewpoint)
        if refusal is not None:
            return refusal.status, refusal.reason
        if command.arm is not None and self._arm is not None:
            self._arm.move(command.arm, self._description.motion_timeout)
        if command.target is not None:
            self._drive(self._safety.target_positions(command.target))
        return Status.DONE, ""

    def _drive(self, target: Matrix) -> None:
        """Along the straight line in joint space that was checked."""
        if np.all(np.abs(target - self._positions()) < 0.5 * self._chain.resolution):
            return
        with self._watchdog.motion():
            self._driver.move(target, self._description.motion_timeout)
        self._still_since = self._driver.clock.now()

    def _home(self, what: str) -> None:
        refusal = self._gate.motion_refusal()
        if refusal is not None:
            raise EpisodeError(f"{what}: the rig must be homed first, and {refusal}")
        with self._watchdog.motion():
            self._driver.home(self._description.motion_timeout)
        self._still_since = self._driver.clock.now()

    def _go_to_start(self, episode: Episode, scene: SplatScene | None, what: str) -> None:
        """A scene that a simulated camera shows is put around the rig once it stands at the start."""
        changed = scene is not self._scene
        if changed:
            self._safety.forget_room()
        try:
            target = self._safety.target_positions(episode.start)
        except UnreachableError as error:
            raise EpisodeError(f"{what}: {error}; choose another start") from error
        self._drive_by_route(target, what)
        if changed:
            self._scene = scene
            self._safety.learn_room(scene, self._settings.world.voxel, self._settings.world.body_radius)
            reason = self._safety.posture_violation(target)
            if reason is not None:
                raise EpisodeError(f"{what}: {reason}; choose another start")

    def _drive_by_route(self, target: Matrix, what: str) -> None:
        """Straight, or over the parking position."""
        if np.all(np.abs(target - self._positions()) <= self._chain.resolution):
            return
        refusal = self._gate.motion_refusal()
        if refusal is not None:
            raise EpisodeError(f"{what}: {refusal}")
        way, reason = self._routes.find(self._positions(), target)
        if reason:
            raise EpisodeError(f"{what}: {reason}; choose another target")
        for stage in way:
            self._drive(stage)

    def _scene_of(self, episode: Episode) -> SplatScene | None:
        expected = self._description.scene
        if expected and episode.scene != expected:
            raise EpisodeError(
                f"episode '{episode.episode_id}' is for scene '{episode.scene}', but this rig stands in '{expected}'; "
                "choose another episode, or change 'scene' in the rig's file"
            )
        if not isinstance(self._camera, ShowsScenes):
            return self._scene
        try:
            return self._camera.show(episode.scene)
        except UnknownNameError as error:
            raise EpisodeError(f"episode '{episode.episode_id}' cannot be run: {error}") from error

    def _positions(self) -> Matrix:
        return self._driver.state().positions

    # Looking --------------------------------------------------------------------------------------------------------

    def _look(self) -> Observation:
        """The first fit frame since the rig came to rest, later than the last one."""
        try:
            before = self._positions()
            frame = self._looker.look(max(self._still_since, self._stamp))
            q = self._positions()
        except HardwareError as error:
            self._log.add("camera", str(error), fatal=True)
            raise WorldError(f"nothing can be seen: {error}") from error
        if np.any(np.abs(q - before) > 2 * self._chain.resolution):
            self._trip("moved", "the rig moved while it looked, though nobody told it to")
        self._stamp = frame.stamp
        viewpoint = self._chain.viewpoint(q)
        seen = Observation(
            frame.stamp,
            viewpoint,
            self._camera.intrinsics,
            frame.rgb,
            frame.depth,
            frame.instances,
            frame.legend,
            self._posture(q),
        )
        self._safety.take_depth(seen)
        return seen

    def _posture(self, q: Matrix) -> Posture:
        poses = self._chain.link_poses(q)
        names = [self._chain.base, *(joint.link for joint in self._chain.joints)]
        links = [Link(_FRAME, names[0], poses[0])]
        for parent, child, T_world_parent, T_world_child in zip(names, names[1:], poses, poses[1:], strict=False):
            links.append(Link(parent, child, np.linalg.inv(T_world_parent) @ T_world_child))
        links.append(Link(names[-1], BODY_LINK, self._chain.T_tip_camera))
        joints = {joint.name: float(value) for joint, value in zip(self._chain.joints, q, strict=True)}
        return Posture({**joints, **(self._arm.joints() if self._arm is not None else {})}, tuple(links))

    def _radius(self) -> float:
        """Of the sphere around the camera that holds all bodies of its link, m."""
        rules, tip, camera = self._description.safety, self._chain.joints[-1].link, self._chain.T_tip_camera[:3, 3]
        reaches = [
            max(float(np.linalg.norm(np.subtract(end, camera))) for end in (body.start, body.end)) + body.radius
            for body in rules.bodies
            if body.link == tip and body.room
        ]
        return max(reaches) + rules.clearance if reaches else self._settings.world.body_radius

    def _tolerance(self) -> float:
        """How far a step of each motor, all at once, takes the camera: m or rad, whichever is more."""
        q = self._positions()
        here, sums = self._chain.T_world_camera(q), np.zeros(2)
        for i, step in enumerate(self._chain.resolution):
            moved = q.copy()
            moved[i] += step
            there = self._chain.T_world_camera(moved)
            turned = math.acos(max(-1.0, min(1.0, 0.5 * (float(np.trace(here[:3, :3].T @ there[:3, :3])) - 1.0))))
            sums += (np.linalg.norm(there[:3, 3] - here[:3, 3]), turned)
        return float(sums.max()) + _CLOSE

    # Trouble --------------------------------------------------------------------------------------------------------

    def _notice(self, kind: str, sentence: str) -> None:
        self._log.add(kind, sentence)

    def _trip(self, kind: str, sentence: str) -> None:
        """Stop by itself."""
        self._log.add(kind, sentence, fatal=True)
        self.stop(sentence)

    def _failed(self, what: str, error: HardwareError) -> WorldError:
        """Latch a stop because of a failure and say so."""
        self._trip("fault", str(error))
        return WorldError(f"{what} failed and the rig was stopped: {error}")

    def _check_open(self) -> None:
        if self._closed:
            raise WorldError("this rig is closed; make a new one")

    def _check_begun(self) -> None:
        self._check_open()
        if not self._begun:
            raise WorldError("no episode was started on this rig; reset it first")


def _limits(description: RigDescription, settings: Settings) -> MotionLimits:
    low, high, pitch_min, pitch_max = bounds(description.chain)
    limits = settings.limits
    return MotionLimits(
        low,
        high,
        max(pitch_min, limits.pitch_min),
        min(pitch_max, limits.pitch_max),
        limits.max_translation,
        limits.max_rotation,
    )


def make_rig_world(settings: Settings) -> RigWorld:
    """The factory behind the registered name ``rig``: reads the rig's file, connects, moves nothing.

    Raises:
        ConfigError: the file is wrong.
        HardwareError: something does not answer.
    """
    from vantage.worlds.rig.assembly import assemble

    world = assemble(settings).world
    world.connect()
    return world
