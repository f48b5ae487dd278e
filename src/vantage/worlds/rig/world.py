"""A world made of hardware: a camera on a chain of motors, perhaps an arm, and everything that keeps them safe."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import (
    ConfigError,
    EpisodeError,
    HardwareError,
    StoppedError,
    UnknownNameError,
    UnreachableError,
    WorldError,
)
from vantage.spatial import Intrinsics, Matrix
from vantage.splats.scene_file import SplatScene
from vantage.types import Cause, Command, Episode, Observation, Status, StepResult
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.rig.camera import Camera, Looker
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import Driver
from vantage.worlds.rig.figures import FRAME, body_radius
from vantage.worlds.rig.machine import RigMachine
from vantage.worlds.rig.safety.motion_checks import EPISODE

if TYPE_CHECKING:
    from vantage.worlds.rig.arm import Arm


_AHEAD = 1.0  # s that the last picture may lie in the future before the clock counts as set back
_PATIENCE, _POLL = 0.5, 0.01  # s for the controller to tell where it is after a fault


@runtime_checkable
class ShowsScenes(Protocol):
    """A simulated camera, around which any scene can be put."""

    def show(self, scene: str) -> SplatScene: ...


class RigWorld(RigMachine):
    """A ``World`` over motors, a camera and, where there is one, an arm. Stamps are those of the driver's clock."""

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
        super().__init__(description, driver, camera, settings, arm, belongings, confirmed)
        if description.safety.room == EPISODE and not isinstance(camera, ShowsScenes):
            raise ConfigError(
                f"{description.path}: rig.safety.room: '{EPISODE}' is for simulated cameras, which know what is "
                "around them; name the splat scene of this room"
            )
        self._looker = Looker(camera, description.look, driver.clock, self._notice)
        self._scene: SplatScene | None = None
        self._begun = False
        self._stamp = -1

    @property
    def info(self) -> WorldInfo:
        acts = frozenset({"viewpoint", "arm"} if self._arm is not None else {"viewpoint"})
        radius = body_radius(self._description, self._settings.world.body_radius)
        return WorldInfo("rig", self._camera.senses, acts, radius, self._gate.limits, FRAME, self._tolerance)

    @property
    def intrinsics(self) -> Intrinsics:
        """Of all images."""
        return self._camera.intrinsics

    # World ----------------------------------------------------------------------------------------------------------

    def reset(self, episode: Episode, seed: int) -> Observation:
        """See ``World.reset``: homes where that is due, then drives to the start, around what bars the straight way,
        slowly where a joint has to unwind.

        Raises:
            WorldError: closed, or the hardware failed on the way; it is stopped then.
        """
        with self._lock:
            self._check_open()
            what = f"episode '{episode.episode_id}' cannot start"
            scene = self._scene_of(episode)
            violation = self._gate.limits.pose_violation(episode.start)
            if violation is not None:
                raise EpisodeError(f"{what}: {violation}; choose another start")
            try:
                if not self._homed:
                    self._home(what)
                self._go_to_start(episode, scene, what)
            except StoppedError as error:
                raise EpisodeError(
                    f"{what}: stopped: {self._gate.stop_reason or error}; clear the stop first"
                ) from error
            except HardwareError as error:
                raise self._failed(f"the start of episode '{episode.episode_id}'", error) from error
            self._safety.forget_depth()
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
                status, reason, cause = self._carry_out(command)
            except StoppedError as error:
                status, cause = Status.STOPPED, Cause.NONE
                reason = f"stopped: {self._gate.stop_reason or error}; clear the stop first"
                self._gate.stop_told()
            except HardwareError as error:
                status, cause = Status.STOPPED, Cause.NONE
                reason = str(self._failed(f"command {command.sequence}", error))
                self._gate.stop_told()
            try:
                return StepResult(status, reason, command, self._look(), cause)
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

    def scene_points(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """The splats of the room that simulated cameras see, as ``SplatWorld.scene_points``; none for real rooms."""
        if self._scene is None:
            return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.uint8)
        cloud = self._scene.cloud
        return cloud.means, np.clip(255 * cloud.base_colors(), 0, 255).astype(np.uint8)

    def go_to(self, q: Matrix, allow_unwind: bool = False) -> Observation:
        """Move to joint positions (N,) outside any episode, through every check, and look; homes where that is due.

        Args:
            allow_unwind: whether a joint may travel farther than 200 degrees, which it then does slowly. From where
                it homes it may in any case.

        Raises:
            WorldError: refused, barred, stopped or failed; the message says which.
        """
        with self._lock:
            self._check_open()
            try:
                if not self._homed:
                    self._home("the motion")
                    allow_unwind = True
                self._drive_by_route(q, "the motion", allow_unwind)
            except StoppedError as error:
                raise WorldError(f"the rig did not go there: stopped: {self._gate.stop_reason or error}") from error
            except EpisodeError as error:
                raise WorldError(f"the rig did not go there: {error}") from error
            except HardwareError as error:
                raise self._failed("the motion", error) from error
            return self._look()

    def _go_to_start(self, episode: Episode, scene: SplatScene | None, what: str) -> None:
        """A scene that a simulated camera shows is put around the rig once it stands at the start."""
        changed = scene is not self._scene
        if changed:  # from here on the episode before cannot go on
            self._leave_episode()
            self._safety.forget_room()
        try:
            target = self._safety.target_positions(episode.start)
        except UnreachableError as error:
            raise EpisodeError(f"{what}: {error}; choose another start") from error
        self._drive_by_route(target, what)
        if changed:
            self._safety.learn_room(scene, self._settings.world.voxel, self._settings.world.body_radius)
            reason = self._safety.posture_violation(target)
            if reason is not None:
                raise EpisodeError(f"{what}: {reason}; choose another start")
            self._scene = scene

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

    # Looking --------------------------------------------------------------------------------------------------------

    def _look(self) -> Observation:
        """The first fit frame since the rig came to rest, later than the last one."""
        after = max(self._still_since, self._stamp)
        ahead = (after - self._driver.clock.now()) / 1e9
        if ahead > _AHEAD:
            raise WorldError(
                f"nothing can be seen: the clock was set back by {ahead:.1f} s; wait as long, or make a new world"
            )
        try:
            before = self._still_positions(after)  # where a silent controller was last heard says nothing
            frame = self._looker.look(after)
            q = self._still_positions(frame.stamp)
            posture = self._posture(q)
        except HardwareError as error:
            self._log.add("look", str(error), fatal=True)
            raise WorldError(f"nothing can be seen: {error}") from error
        if np.any(np.abs(q - before) > 2 * self._chain.resolution):
            sentence = "the rig moved while it looked, though nobody told it to"
            self._trip("moved", sentence)
            raise WorldError(f"nothing can be seen: {sentence}")
        self._stamp = frame.stamp
        seen = Observation(
            frame.stamp,
            self._chain.viewpoint(q),
            self._camera.intrinsics,
            frame.rgb,
            frame.depth,
            frame.instances,
            frame.legend,
            posture,
        )
        self._safety.take_depth(seen)
        return seen

    def _still_positions(self, stamp: int) -> Matrix:
        """Joint positions (N,) at rest. After a fault they count only where the controller told them later than
        ``stamp``, ns: what it last said before it fell silent says nothing about where it came to rest.

        Raises:
            HardwareError: the rig moves, or nobody knows where it is.
        """
        ends = time.monotonic() + _PATIENCE
        while True:
            state = self._driver.state()
            told = not state.fault or state.stamp >= stamp
            if told and not state.moving:
                return state.positions
            if time.monotonic() > ends:
                why = "it still moves" if told else f"the controller does not tell: {state.fault}"
                raise HardwareError(f"where the camera is cannot be known, {why}")
            time.sleep(_POLL)

    def _leave_episode(self) -> None:
        super()._leave_episode()
        self._begun = False

    def _check_begun(self) -> None:
        self._check_open()
        if not self._begun:
            raise WorldError("no episode was started on this rig; reset it first")
