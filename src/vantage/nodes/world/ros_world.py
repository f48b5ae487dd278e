"""The client of ``world_node``: a World whose commands and observations are messages."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from std_msgs.msg import Bool, Header
from std_srvs.srv import Trigger
from vantage_eqa.srv import GrantWarrant, ResetWorld

from vantage.config import Settings
from vantage.errors import CanceledError, ConfigError, EpisodeError, WorldError
from vantage.nodes.runtime import (
    Frame,
    FrameBuffer,
    RclpyFactory,
    Spinner,
    advertise,
    camera_topics,
    every,
    frame_viewpoint,
    listen,
    observation,
    ros_context,
    shared_key,
)
from vantage.nodes.world.guessed_info import guessed_info
from vantage.nodes.world.signed_commands import sign_command
from vantage.nodes.world.warrant_desk import require_granted, warrant_message
from vantage.recording import (
    ARM_COMMAND,
    CAMERA_INFO,
    COMMAND_RESULT,
    DEPTH,
    DEPTH_CAMERA_INFO,
    ESTOP,
    HEARTBEAT,
    IMAGE,
    INSTANCES,
    JOINT_STATES,
    LEGEND,
    TF,
    VIEWPOINT_COMMAND,
    WRENCH,
    Codec,
    Topic,
    arm_command_message,
    read_hand,
    read_legend,
    read_reached,
    read_stamp,
    read_time,
    read_viewpoint,
    read_world_info,
)
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, EpisodeState, InstanceLabel, Observation, Status, StepResult
from vantage.worlds import Warrant, WorldInfo, countersigned, require_signed

_FRAME_TOPICS = (IMAGE, CAMERA_INFO, DEPTH, DEPTH_CAMERA_INFO, INSTANCES, TF, JOINT_STATES, WRENCH)
_STOP_TIMEOUT = 15.0  # s; clearing may reopen a lost link
_HEARTBEAT = 0.2  # s between two signs of life to a world that moves hardware
_NEXT_LOOK = 1.0  # s for a world that was not moved to show itself
_FIRST_FRAME = 2.0  # s after a reset within which its frame comes, unless subscriptions were still being matched
_RESULTS = 200  # that may come at once, those of other sources included
_NEARLY = 0.02  # s between two looks at whether a service is there
_NO_TARGET = Viewpoint(math.nan, math.nan, math.nan, math.nan, math.nan)


class RosWorld:
    """Carries out commands through ``world_node``. The given node must be spun in another thread.

    Every wait has a deadline of the settings (``run.step_timeout``, ``run.reset_timeout``), after which a WorldError
    names what did not arrive.

    Attributes:
        canceled: asked while a reset is waited for; true ends the wait with a CanceledError.
    """

    def __init__(self, node: Node, settings: Settings, owned: ExitStack | None = None) -> None:
        """
        Args:
            owned: what ends with this world, its node included.
        """
        self._node, self._settings = node, settings
        self._codec = Codec(RclpyFactory())
        self._info = guessed_info(settings)
        self._frames = FrameBuffer(camera_topics(self._info.senses))
        self._legends: dict[int, dict[int, InstanceLabel]] = {}
        self._result: Any = None
        self._hand = math.nan, False  # as last told
        self._changed = threading.Condition()
        self._stamp = -1
        self._last: Observation | None = None
        self._episode_id = ""
        self._began = 0  # stamp of its first look, ns
        self._session = ""  # of the serving world, once it has told it in this episode
        self._halted = ""
        self._awaited: tuple[str, str, int] | None = None
        self._subscriptions = [listen(node, topic, self._keep_frame(topic), depth=10) for topic in _FRAME_TOPICS]
        self._subscriptions.append(listen(node, LEGEND, self._on_legend, depth=4))
        self._subscriptions.append(listen(node, COMMAND_RESULT, self._on_result, depth=_RESULTS))
        self._commands = advertise(node, VIEWPOINT_COMMAND)
        self._arm_commands = advertise(node, ARM_COMMAND)
        self._estop = advertise(node, ESTOP)
        self._heartbeat = advertise(node, HEARTBEAT)
        self._beating = every(node, _HEARTBEAT, self._beat)
        self._reset = node.create_client(ResetWorld, "reset_world")
        self._grant = node.create_client(GrantWarrant, "grant_warrant")
        self._stop = node.create_client(Trigger, "stop")
        self._clear = node.create_client(Trigger, "clear_stop")
        self._owned = owned
        self._open = True
        self.canceled: Callable[[], bool] = lambda: False

    @property
    def info(self) -> WorldInfo:
        """As the serving node tells it; from the settings until the first reset."""
        return self._info

    def reset(self, episode: Episode, seed: int) -> Observation:
        ends = time.monotonic() + self._settings.run.reset_timeout
        self._meet(ends)
        before = dict(self._legends)
        if not episode.restored:
            with self._changed:
                self._legends.clear()  # a world that was started anew begins its clock anew
        request = ResetWorld.Request(
            episode=self._codec.episode(max(0, self._stamp), episode, EpisodeState.PENDING), seed=seed
        )
        while True:
            response = self._call(self._reset, request, ends - time.monotonic(), self.canceled)
            if not response.ok:
                with self._changed:
                    self._legends = {**before, **self._legends}  # nothing was put anywhere: what was told holds
                raise EpisodeError(response.message)
            self._episode_id = episode.episode_id
            self._info = replace(read_world_info(response.info), name="ros")
            self._frames.require(camera_topics(self._info.senses))
            stamp = read_time(response.observation_stamp)
            if not episode.restored:
                self._began, self._session = stamp, ""
            patience = min(_FIRST_FRAME, ends - time.monotonic())
            try:
                frame = self._frames.wait(stamp, patience)
                legend = self._legend_of(stamp, patience) if "instances" in self._info.senses else None
            except WorldError:
                # Frames are lost while subscriptions are being matched; a reset may be repeated without harm.
                if time.monotonic() + _FIRST_FRAME >= ends or self._halted:
                    raise
                continue
            self._hand = read_hand(response)
            return self._remember(observation(stamp, frame, read_viewpoint(response.start), legend, self._hand))

    def step(self, command: Command) -> StepResult:
        """See ``World.step``.

        Raises:
            WorldError: nothing came in time, the serving world failed, or a command of the arm cannot be signed.
        """
        timeout = self._settings.run.step_timeout
        key = (command.episode_id, command.source, command.sequence)
        with self._changed:
            self._awaited, self._result = key, None
        self._send(command)
        with self._changed:
            arrived = self._changed.wait_for(lambda: self._result is not None or self._halted, timeout)
            self._awaited = None
            if not arrived or self._halted:
                raise WorldError(
                    f"command_result for command {command.sequence} of episode '{command.episode_id}' did not arrive: "
                    f"{self._halted or f'nothing came within {timeout:.1f} s; is world_node running?'}"
                )
            message = self._result
        if message.status == Status.TIMED_OUT:  # what a world that fails raises where it is at hand
            raise WorldError(message.reason)
        try:
            status, cause, reached = read_reached(message)
        except ValueError as error:
            raise WorldError(
                f"the result of command {command.sequence} of episode '{command.episode_id}' cannot be true: {error}"
            ) from error
        stamp = read_time(message.observation_stamp)
        legend = read_time(message.legend_stamp)
        if legend > 0 and stamp > self._stamp:
            self._legend_of(legend, timeout)
        seen = self._observe_at(stamp, reached, timeout) if stamp > self._stamp else self._seen_since()
        return StepResult(status, message.reason, command, seen, cause)

    def grant(self, warrant: Warrant) -> None:
        """See ``World.grant``.

        Raises:
            WorldError: the serving node does not answer.
            ConfigError: the key that it shares with this process cannot be used.
        """
        require_signed(warrant)
        self._session = ""  # the world may have been started anew
        into = self._told_session()
        self.grant_signed(warrant_message(self._codec, countersigned(warrant, by=shared_key(), into=into)))

    def grant_signed(self, message: Any) -> None:
        """Pass on a ``Warrant`` message that somebody else signed for the session of the serving world.

        Raises:
            WarrantError, WorldError: as ``grant``.
        """
        told = self._asked_to_grant(GrantWarrant.Request(warrant=message))
        require_granted(told)

    def _told_session(self) -> str:
        self._session = self._session or str(self._asked_to_grant(GrantWarrant.Request()).session)
        return self._session

    def _asked_to_grant(self, request: Any) -> Any:
        ends = time.monotonic() + self._settings.run.step_timeout
        while not self._grant.service_is_ready() and not self._halted and time.monotonic() < ends:
            time.sleep(_NEARLY)
        return self._call(self._grant, request, ends - time.monotonic())

    def observe(self) -> Observation:
        stamp, frame = self._frames.wait_after(self._stamp, self._settings.run.step_timeout)
        return self._shown(stamp, frame)

    def _shown(self, stamp: int, frame: Frame) -> Observation:
        legend = self._newest_legend(stamp)
        return self._remember(observation(stamp, frame, frame_viewpoint(frame), legend, self._hand))

    def _seen_since(self) -> Observation:
        """The next look, or the last one where none comes: who commands out of turn is refused without a look."""
        try:
            stamp, frame = self._frames.wait_after(self._stamp, _NEXT_LOOK)
        except WorldError:
            if self._last is None:
                raise
            return self._last
        return self._shown(stamp, frame)

    def stop(self, reason: str) -> None:
        self._estop.publish(Bool(data=True))
        self._call(self._stop, Trigger.Request(), _STOP_TIMEOUT)

    def clear_stop(self) -> None:
        """See ``World.clear_stop``.

        Raises:
            WorldError: the serving node cannot clear it; the message says why.
        """
        response = self._call(self._clear, Trigger.Request(), _STOP_TIMEOUT)
        if not response.success:
            raise WorldError(f"the stop could not be cleared: {response.message}")

    def close(self) -> None:
        """Leave the serving node as it is; it may have other users."""
        self.halt("the world was closed")
        if self._owned is not None:
            self._owned.close()  # with the node goes what it holds
        elif self._open:
            for subscription in self._subscriptions:
                self._node.destroy_subscription(subscription)
            self._node.destroy_timer(self._beating)
            for publisher in (self._commands, self._arm_commands, self._estop, self._heartbeat):
                self._node.destroy_publisher(publisher)
            for client in (self._reset, self._grant, self._stop, self._clear):
                self._node.destroy_client(client)
        self._open = False

    def halt(self, reason: str) -> None:
        """Let every wait give up at once."""
        with self._changed:
            self._halted = self._halted or reason
            self._changed.notify_all()
        self._frames.halt(reason)

    # Topics ---------------------------------------------------------------------------------------------------------

    def _beat(self) -> None:
        """A sign of life, for as long as the world runs the episode that was begun here."""
        if self._episode_id and not self._halted:
            self._heartbeat.publish(Header(frame_id=self._episode_id))

    def _keep_frame(self, topic: Topic) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            self._frames.add(topic, message)

        return keep

    def _on_legend(self, message: Any) -> None:
        with self._changed:
            self._legends[read_stamp(message)] = read_legend(message)
            while len(self._legends) > 4:
                del self._legends[next(iter(self._legends))]
            self._changed.notify_all()

    def _on_result(self, message: Any) -> None:
        with self._changed:
            if message.episode_id == self._episode_id:
                self._hand = read_hand(message)
            if (message.episode_id, message.source, message.sequence) == self._awaited and self._result is None:
                self._result = message
                self._changed.notify_all()

    def _send(self, command: Command) -> None:
        stamp = max(0, self._stamp)
        if command.arm is not None:
            message = arm_command_message(self._codec, stamp, command)
            try:
                sign_command(message, shared_key(), self._told_session(), self._began)
            except ConfigError as error:
                raise WorldError(str(error)) from error
            self._arm_commands.publish(message)
        else:
            # The refusal of a command without a target is the world's to tell.
            target = command.target or _NO_TARGET
            self._commands.publish(self._codec.viewpoint_command(stamp, replace(command, target=target)))

    # Waiting --------------------------------------------------------------------------------------------------------

    def _meet(self, ends: float) -> None:
        """Wait until the serving node and this one have found each other's ends of all topics that matter."""
        wanted = {VIEWPOINT_COMMAND.name: self._commands.get_subscription_count}
        wanted |= {item.topic_name: item.get_publisher_count for item in self._subscriptions}
        while True:
            unmet = [name for name, count in wanted.items() if count() == 0]
            if not unmet and self._reset.service_is_ready():
                return
            if self.canceled():
                raise CanceledError("canceled while a world_node was waited for")
            if time.monotonic() >= ends or self._halted:
                raise WorldError(
                    f"no world_node was found within {self._settings.run.reset_timeout:.0f} s "
                    f"({', '.join(unmet) or 'reset_world'} not offered); start one, with the same ROS_DOMAIN_ID"
                )
            time.sleep(0.02)

    def _observe_at(self, stamp: int, reached: Viewpoint, timeout: float) -> Observation:
        frame = self._frames.wait(stamp, timeout)
        return self._remember(observation(stamp, frame, reached, self._newest_legend(stamp), self._hand))

    def _remember(self, seen: Observation) -> Observation:
        self._stamp, self._last = seen.stamp, seen
        return seen

    def _legend_of(self, stamp: int, timeout: float) -> dict[int, InstanceLabel]:
        with self._changed:
            if not self._changed.wait_for(lambda: stamp in self._legends, timeout):
                raise WorldError(
                    f"{LEGEND.name} with the stamp {stamp} ns did not arrive within {timeout:.1f} s; "
                    f"is world_node running?"
                )
            return self._legends[stamp]

    def _newest_legend(self, stamp: int) -> dict[int, InstanceLabel] | None:
        with self._changed:
            known = [key for key in self._legends if key <= stamp]
            return self._legends[max(known)] if known else None

    def _call(self, client: Any, request: Any, timeout: float, canceled: Callable[[], bool] = lambda: False) -> Any:
        """Raises WorldError when no reply comes within ``timeout`` s, CanceledError when it is not wanted any more."""
        done = threading.Event()
        future = client.call_async(request)
        future.add_done_callback(lambda _: done.set())
        ends = time.monotonic() + timeout
        while not done.wait(min(0.1, max(0.0, ends - time.monotonic()))):
            if canceled():
                client.remove_pending_request(future)
                raise CanceledError(f"canceled while {client.srv_name} was waited for")
            if time.monotonic() >= ends or self._halted:
                client.remove_pending_request(future)
                why = self._halted or f"no reply within {timeout:.1f} s; is world_node running?"
                raise WorldError(f"service {client.srv_name} failed: {why}")
        return future.result()


def connect(settings: Settings, name: str = "ros_world", context: Context | None = None) -> RosWorld:
    """A RosWorld with a node, a thread and, unless one is given, a context of its own; ``close`` ends them."""
    owned = ExitStack()
    used = owned.enter_context(ros_context([])) if context is None else context
    node = Node(name, context=used)
    world = RosWorld(node, settings, owned)
    owned.callback(Spinner([node], used).close)
    return world
