"""The server of a world: publishes each reset, command result and observation. One caller at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from vantage.errors import VantageError
from vantage.nodes.world.look_history import LookHistory
from vantage.nodes.world.pose_history import PoseHistory
from vantage.nodes.world.warrant_desk import WarrantDesk
from vantage.nodes.world.world_messages import HasScenePoints, point_cloud
from vantage.recording import (
    CAMERA_INFO,
    COMMAND_RESULT,
    DEPTH,
    DEPTH_CAMERA_INFO,
    IMAGE,
    INSTANCES,
    JOINT_STATES,
    JPEG_QUALITY,
    SCENE_POINTS,
    TF,
    TF_STATIC,
    WRENCH,
    Codec,
    EventPublisher,
    LegendPublisher,
    Topic,
    publish_observation,
)
from vantage.spatial import Viewpoint
from vantage.types import Cause, Command, Episode, Observation, Status, StepResult
from vantage.worlds import Changing, World

Publish = Callable[[Topic, int, Any], None]

# Whoever gave a command waits for these, so they are sent even to subscribers that are still being discovered.
_OWED = frozenset({IMAGE, CAMERA_INFO, DEPTH, DEPTH_CAMERA_INFO, INSTANCES, TF, JOINT_STATES, WRENCH})
_PATIENCE = 5.0  # s for a subscriber that takes nothing
_RETRY = 1.0  # s until a world that showed nothing is looked at again
_EARLY = 0.75  # of a period; whoever calls every half period then shows one look a period
_REFUSALS = 50.0  # per second that are told to sources which command nothing
_NOWHERE = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)


class WorldServer:
    """Carries out resets and commands on a world and publishes what comes of them: frames first, then the result.

    Args:
        publish: takes a topic, the stamp in ns and the message.
        heard: whether anybody listens to a topic.
        ticked: called with each stamp of the world's clock before the frame of that stamp.
        arrived: whether everybody who listens to a topic has got all of it.
        quality: of compressed pictures, 0..100.

    Attributes:
        looks: what was published of each look since the newest reset.
        places: where things were, in a world in which they can be moved; never published.
        warrants: where the world takes permissions to manipulate.
        unwarranted: how many commands were refused for want of one, or of a signature.
    """

    def __init__(
        self,
        world: World,
        codec: Codec,
        publish: Publish,
        heard: Callable[[Topic], bool],
        ticked: Callable[[int], None] = lambda stamp: None,
        arrived: Callable[[Topic], bool] = lambda topic: True,
        quality: int = JPEG_QUALITY,
    ) -> None:
        self.world = world
        self._quality = quality
        self.looks = LookHistory()

        def noted(topic: Topic, stamp: int, message: Any) -> None:
            self.looks.note(topic, stamp, message)
            publish(topic, stamp, message)

        self._codec, self._publish, self._heard, self._ticked = codec, noted, heard, ticked
        self._arrived = arrived
        self.places = PoseHistory(world) if isinstance(world, Changing) else None
        self.warrants, self.unwarranted = WarrantDesk(world), 0
        self._last: Observation | None = None
        self._shown_at = self._look_again = -float("inf")
        self._scene = ""
        self._legend = LegendPublisher(codec, publish)
        self.episode_id = ""  # of the newest reset
        self._began = 0  # stamp of its first look, ns
        self._events = EventPublisher(codec, publish, world)
        self.frames = 0
        self.step_time = 0.0  # s of the newest command
        self._owner = ""  # whose commands are carried out
        self._rationing = threading.Lock()
        self._ration, self._rationed_at = float(_REFUSALS), time.monotonic()
        self.untold = 0  # refusals

    def reset(self, episode: Episode, seed: int) -> Observation:
        """Put the world at the start of an episode and show it; for a phase that is restored, back there.

        Raises:
            VantageError: the world refused.
        """
        observation = self.world.reset(episode, seed)
        stamp = observation.stamp
        if episode.restored:  # the world has refused any but the running one
            if self.places is not None:
                self.places.note(stamp)
        else:
            self.episode_id, self._owner, self._began = episode.episode_id, "", stamp
            self.looks.begin()
            if self.places is not None:
                self.places.begin(stamp, episode.episode_id)
        self._publish(TF_STATIC, stamp, self._codec.static_transforms(stamp))
        self._legend.begin(episode.scene)
        if isinstance(self.world, HasScenePoints) and episode.scene != self._scene:
            self._publish(SCENE_POINTS, stamp, point_cloud(self._codec, stamp, *self.world.scene_points()))
        self._scene = episode.scene
        self._show(observation, lambda topic: topic in _OWED or self._heard(topic))
        return observation

    def step(self, command: Command) -> StepResult:
        """Carry out one command and tell what became of it; a world that fails has timed out.

        Raises:
            VantageError: the world failed before it showed anything.
        """
        begun = time.monotonic()
        try:
            result = self.world.step(command)
            if result.cause not in (Cause.LEASE, Cause.ORDER, Cause.EPISODE):
                self._owner = command.source
            self.unwarranted += result.cause == Cause.UNWARRANTED
        except VantageError as error:
            if self._last is None:
                raise
            result = StepResult(Status.TIMED_OUT, str(error), command, self._last)
        self.step_time = time.monotonic() - begun
        if result.observation is not self._last:  # stamps only ever grow, so an old look is not shown again
            if self.places is not None:
                self.places.note(result.observation.stamp)
            self._show(result.observation, lambda topic: topic in _OWED or self._heard(topic))
        self.tell_events()
        if self._tells(command, result.status):
            message = self._codec.command_result(result, self._legend.stamp)
            self._publish(COMMAND_RESULT, result.observation.stamp, message)
        return result

    def grant(self, request: Any, response: Any) -> Any:
        """The response of GrantWarrant; may be called beside everything else."""
        last = self._last
        stamp = 0 if last is None else last.stamp
        return self.warrants.answer(self._codec, stamp, request, response, self.episode_id, self._owner)

    def out_of_turn(self, command: Command, message: Any) -> tuple[str, Cause] | None:
        """Why a command is not of the running episode and of whoever commands it, or not signed where it is one of the
        arm; a world would show itself anew to say so, which a flood of strangers' commands must not cause.

        Args:
            message: that it came in.
        """
        if command.episode_id != self.episode_id:
            running = f"the command is for episode '{command.episode_id}', running is '{self.episode_id}'"
            return running, Cause.EPISODE
        if self._owner not in ("", command.source):
            return f"source '{command.source}' does not hold the lease; '{self._owner}' does", Cause.LEASE
        unsigned = "" if command.arm is None else self.warrants.unsigned(message, self._began)
        if unsigned:
            self.unwarranted += 1
            return unsigned, Cause.UNWARRANTED
        return None

    def refuse(self, command: Command, reason: str, cause: Cause) -> None:
        """Tell that a command was not even tried."""
        if self._tells(command, Status.REJECTED):
            self._conclude(command, Status.REJECTED, reason, cause)

    def lose(self, command: Command, reason: str) -> None:
        """Tell that nobody knows what became of a command."""
        self._conclude(command, Status.TIMED_OUT, reason)

    def _tells(self, command: Command, status: Status) -> bool:
        """Whether to tell a result; refusals to all but whoever commands the episode are rationed."""
        if status != Status.REJECTED or command.source == self._owner:
            return True
        with self._rationing:
            now = time.monotonic()
            self._ration = min(_REFUSALS, self._ration + (now - self._rationed_at) * _REFUSALS)
            self._rationed_at = now
            if self._ration >= 1.0:
                self._ration -= 1.0
                return True
            self.untold += 1
            return False

    def _conclude(self, command: Command, status: Status, reason: str, cause: Cause = Cause.NONE) -> None:
        last = self._last
        stamp = 0 if last is None else last.stamp
        hand = self._codec.hand(None if last is None else last.touch)
        message = self._codec.make(
            "vantage_eqa/msg/CommandResult",
            header=self._codec.header(stamp),
            episode_id=command.episode_id,
            source=command.source,
            sequence=command.sequence,
            action=command.action,
            status=int(status),
            reason=reason,
            reached=self._codec.viewpoint(_NOWHERE if last is None else last.viewpoint),
            observation_stamp=self._codec.time(stamp),
            cause=int(cause),
            legend_stamp=self._codec.time(self._legend.stamp),
            **hand,
        )
        self._publish(COMMAND_RESULT, stamp, message)

    def look(self, period: float) -> None:
        """Show the world again if nothing was shown for about ``period`` s and somebody watches.

        Waits for a slow subscriber, because a new look would push one that is awaited out of the publisher's memory.

        Raises:
            VantageError: the world cannot be observed.
        """
        now = time.monotonic()
        idle = now - self._shown_at
        if self._last is None or idle < _EARLY * period or now < self._look_again:
            return
        watched = any(self._heard(topic) for topic in _OWED - {TF, JOINT_STATES})
        if watched and (idle > _PATIENCE or all(self._arrived(topic) for topic in _OWED)):
            self._look_again = now + _RETRY  # unless it shows something
            self._show(self.world.observe(), self._heard)

    def tell_events(self) -> None:
        """Publish what the world noticed about its hardware; may be called beside everything else."""
        self._events.tell()

    @property
    def started(self) -> bool:
        """Whether an episode was begun."""
        return self._last is not None

    def _show(self, observation: Observation, wanted: Callable[[Topic], bool]) -> None:
        self._ticked(observation.stamp)
        self._legend.tell(observation)
        publish_observation(self._codec, self._publish, observation, wanted, self._quality)
        self._last = observation
        self._shown_at, self._look_again = time.monotonic(), -float("inf")
        self.frames += 1
