"""A world made of hardware: a camera on a chain of motors, perhaps an arm, and everything that keeps them safe."""

from __future__ import annotations

from collections.abc import Sequence
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
from vantage.splats import SplatScene
from vantage.types import Command, Episode, Event, Observation, StepResult
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.rig.camera import Camera, FrameSelector
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.machine import RigMachine
from vantage.worlds.rig.rig_properties import FRAME, body_radius, urdf
from vantage.worlds.rig.safety import EPISODE
from vantage.worlds.warrants import Warrant

if TYPE_CHECKING:
    pass


_AHEAD = 1.0  # s that the last picture may lie in the future before the clock counts as set back
_PATIENCE, _POLL = 0.5, 0.01  # s for the controller to report its position after a fault


@runtime_checkable
class ShowsScenes(Protocol):
    """A simulated camera, around which any scene can be put."""

    def show(self, scene: str) -> SplatScene: ...


class RigWorld:
    """A ``World`` over a machine that moves, a camera and, where there is one, an arm. Stamps are those of the
    driver's clock.

    Attributes:
        machine: what moves, and what a person at the rig may ask of it.

    Args:
        camera: the one that the machine opens.

    Raises:
        ConfigError: the room around the rig should be that of the episode, and the camera does not show scenes.
    """

    def __init__(self, machine: RigMachine, camera: Camera, description: RigDescription, settings: Settings) -> None:
        if description.safety.room == EPISODE and not isinstance(camera, ShowsScenes):
            raise ConfigError(
                f"{description.path}: rig.safety.room: '{EPISODE}' is for simulated cameras, which know what is "
                "around them; name the splat scene of this room"
            )
        self.machine = machine
        self._camera, self._description, self._settings = camera, description, settings
        self._chain, self._safety = description.chain, machine.safety
        self._frames = FrameSelector(camera, description.look, machine.driver.clock, machine.notice)
        self._scene: SplatScene | None = None
        self._stamp = -1

    @property
    def info(self) -> WorldInfo:
        acts, senses = {"viewpoint"}, set(self._camera.senses)
        if self.machine.arm is not None:
            acts.add("arm")
            senses.add("touch")
        return WorldInfo(
            "rig",
            frozenset(senses),
            frozenset(acts),
            body_radius(self._description, self._settings.world.body_radius),
            self.machine.gate.limits,
            FRAME,
            self.machine.position_error,
            repeatable=not self.machine.real_time,
        )

    def urdf(self) -> str:
        """See ``Described.urdf``."""
        return urdf(self._description, self.machine.arm)

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
        machine = self.machine
        with machine.lock:
            machine.check_open()
            machine.gate.require(episode.episode_id, episode.restored)
            what = f"episode '{episode.episode_id}' cannot start"
            scene = self._scene_of(episode)
            violation = machine.gate.limits.pose_violation(episode.start)
            if violation is not None:
                raise EpisodeError(f"{what}: {violation}; choose another start")
            try:
                machine.home_where_due(what)
                self._go_to_start(episode, scene, what)
            except StoppedError as error:
                raise EpisodeError(
                    f"{what}: stopped: {machine.gate.stop_reason or error}; clear the stop first"
                ) from error
            except HardwareError as error:
                raise machine.failed(f"the start of episode '{episode.episode_id}'", error) from error
            machine.begin_episode(episode.episode_id, episode.restored)
            return self._look()

    def step(self, command: Command) -> StepResult:
        """See ``World.step``. Hardware that fails is stopped, and the result says why.

        Raises:
            WorldError: closed, no episode was started, or the camera shows nothing.
        """
        with self.machine.lock:
            self._check_in_episode()
            status, reason, cause = self.machine.carry_out(command)
            try:
                return StepResult(status, reason, command, self._look(), cause)
            except WorldError as error:
                raise WorldError(f"{reason}; besides, {error}" if reason else str(error)) from error

    def grant(self, warrant: Warrant) -> None:
        """See ``World.grant``."""
        self.machine.gate.grant(warrant)

    def warrants(self) -> list[tuple[Warrant, int]]:
        """See ``Gated``."""
        return self.machine.gate.warrants()

    def observe(self) -> Observation:
        """See ``World.observe``.

        Raises:
            WorldError: closed, no episode was started, or the camera shows nothing.
        """
        with self.machine.lock:
            self._check_in_episode()
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
        with self.machine.lock:
            self.machine.check_open()
            try:
                allow_unwind = self.machine.home_where_due("the motion") or allow_unwind
                self.machine.drive_by_route(q, "the motion", allow_unwind)
            except StoppedError as error:
                raise WorldError(
                    f"the rig did not go there: stopped: {self.machine.gate.stop_reason or error}"
                ) from error
            except EpisodeError as error:
                raise WorldError(f"the rig did not go there: {error}") from error
            except HardwareError as error:
                raise self.machine.failed("the motion", error) from error
            return self._look()

    def _go_to_start(self, episode: Episode, scene: SplatScene | None, what: str) -> None:
        """A scene that a simulated camera shows is put around the rig once it stands at the start."""
        changed = scene is not self._scene
        if changed:  # from here on the episode before cannot go on
            self.machine.leave_episode()
            self._safety.forget_room()
        try:
            target = self._safety.target_positions(episode.start)
        except UnreachableError as error:
            raise EpisodeError(f"{what}: {error}; choose another start") from error
        self.machine.drive_by_route(target, what)
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

    # Supervised -----------------------------------------------------------------------------------------------------

    @property
    def real_time(self) -> bool:
        """See ``Supervised.real_time``."""
        return self.machine.real_time

    @property
    def trouble(self) -> str:
        """See ``Supervised.trouble``."""
        return self.machine.trouble

    def events(self, since: int) -> Sequence[Event]:
        """See ``Supervised.events``."""
        return self.machine.events(since)

    def heartbeat(self) -> None:
        """See ``Supervised.heartbeat``."""
        self.machine.heartbeat()

    def confirm_motion(self) -> None:
        """See ``Supervised.confirm_motion``."""
        self.machine.confirm_motion()

    def connect(self) -> None:
        """See ``RigMachine.connect``."""
        self.machine.connect()

    def stop(self, reason: str) -> None:
        """See ``World.stop``: from any thread, at any time."""
        self.machine.stop(reason)

    def clear_stop(self) -> None:
        """See ``RigMachine.clear_stop``."""
        self.machine.clear_stop()

    def close(self) -> None:
        """See ``RigMachine.close``."""
        self.machine.close()

    # Looking --------------------------------------------------------------------------------------------------------

    def _look(self) -> Observation:
        """The first fit frame since the rig came to rest, later than the last one."""
        after = max(self.machine.still_since, self._stamp)
        ahead = (after - self.machine.driver.clock.now()) / 1e9
        if ahead > _AHEAD:
            raise WorldError(
                f"nothing can be seen: the clock was set back by {ahead:.1f} s; wait as long, or make a new world"
            )
        try:
            before = self._still_positions(after)  # where a silent controller was last heard says nothing
            frame = self._frames.take(after)
            q = self._still_positions(frame.stamp)
            posture = self.machine.posture(q)
            touch = None if self.machine.arm is None else self.machine.arm.touch()
        except HardwareError as error:
            self.machine.notice("look", str(error), fatal=True)
            raise WorldError(f"nothing can be seen: {error}") from error
        if np.any(np.abs(q - before) > 2 * self._chain.resolution):
            sentence = "the rig moved while it looked, though nobody told it to"
            self.machine.trip("moved", sentence)
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
            touch=touch,
        )
        self._safety.take_depth(seen)
        return seen

    def _still_positions(self, stamp: int) -> Matrix:
        """Joint positions (N,) at rest. After a fault they count only where the controller reported them later than
        ``stamp``, ns: what it last said before it fell silent says nothing about where it came to rest.

        Raises:
            HardwareError: the rig moves, or its position is unknown.
        """
        clock = self.machine.driver.clock
        ends = clock.monotonic() + _PATIENCE
        while True:
            state = self.machine.driver.state()
            told = not state.fault or state.stamp >= stamp
            if told and not state.moving:
                return state.positions
            if clock.monotonic() > ends:
                why = "it still moves" if told else f"the controller does not tell: {state.fault}"
                raise HardwareError(f"where the camera is cannot be known, {why}")
            clock.sleep(_POLL)

    def _check_in_episode(self) -> None:
        self.machine.check_open()
        if not self.machine.in_episode:
            raise WorldError("no episode was started on this rig; reset it first")
