"""``world_node`` serves any registered world over topics."""

from __future__ import annotations

import sys
import threading
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock as ClockMessage
from std_srvs.srv import Trigger
from vantage_eqa.srv import ResetWorld

from vantage.errors import VantageError
from vantage.nodes.arm import read_arm_command
from vantage.nodes.diagnostics import Diagnostics, Health, steady_clock
from vantage.nodes.lifecycle import ManagedNode
from vantage.nodes.messages import RclpyFactory
from vantage.nodes.parameters import check_choice, declare, declare_settings
from vantage.nodes.running import run_node, whole_or_gone
from vantage.nodes.serving import WorldServer
from vantage.nodes.topics import advertise, listen
from vantage.registry import WORLDS
from vantage.runs.messages import Codec
from vantage.runs.reading import read_episode, read_viewpoint_command
from vantage.runs.topics import (
    ARM_COMMAND,
    CAMERA_INFO,
    CLOCK,
    COMMAND_RESULT,
    DEPTH,
    DIAGNOSTICS,
    ESTOP,
    HEARTBEAT,
    IMAGE,
    IMAGE_COMPRESSED,
    INSTANCES,
    JOINT_STATES,
    LEGEND,
    SCENE_POINTS,
    TF,
    TF_STATIC,
    VIEWPOINT_COMMAND,
    Topic,
)
from vantage.types import Command, Status
from vantage.worlds.protocol import Supervised, World

NAME = "world_node"
GROUPS = ("camera", "world", "limits", "rig", "run")  # of settings that it uses
_PUBLISHED = (
    IMAGE,
    IMAGE_COMPRESSED,
    CAMERA_INFO,
    DEPTH,
    INSTANCES,
    LEGEND,
    SCENE_POINTS,
    JOINT_STATES,
    TF,
    TF_STATIC,
    COMMAND_RESULT,
    DIAGNOSTICS,
)
_EVENTS_PERIOD = 0.1  # s


class StopLatch:
    """Keeps the reason of a stop until it is cleared; one that comes while another is being cleared stays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason = self._newest = ""

    @property
    def reason(self) -> str:
        """Why nothing may move; empty when it may."""
        with self._lock:
            return self._reason

    def stop(self, reason: str) -> None:
        with self._lock:
            self._reason, self._newest = self._reason or reason, reason

    def begin_clearing(self) -> None:
        with self._lock:
            self._newest = ""

    def clear(self) -> str:
        """End what was there when clearing began; the reason of a stop that came since then, empty for none."""
        with self._lock:
            self._reason = self._newest
            return self._reason


class WorldNode(ManagedNode):
    """Owns a world. Commands, resets and looks run one after another; a stop runs beside them at any time."""

    @whole_or_gone
    def __init__(self, context: Context, parameters: list[Parameter] | None = None) -> None:
        super().__init__(NAME, context, parameters)
        self._settings = declare_settings(self, GROUPS)
        self._world_name: str = declare(
            self, "world", "splat", "which world to serve", constraints=f"one of {', '.join(WORLDS.names())}"
        )
        check_choice(self, "world", self._world_name, WORLDS.names())
        publish_clock = declare(self, "publish_clock", True, "publish /clock from the world's stamps (simulation)")
        self._server: WorldServer | None = None
        self._active = False
        self._frame = ""
        self._latch = StopLatch()
        self._publishers_by_topic = {topic: advertise(self, topic) for topic in _PUBLISHED}
        self._clock_publisher = advertise(self, CLOCK) if publish_clock else None
        one_by_one, at_once = MutuallyExclusiveCallbackGroup(), ReentrantCallbackGroup()
        clearing = MutuallyExclusiveCallbackGroup()  # may wait for a motion or a lost link, but not in every thread
        listen(self, VIEWPOINT_COMMAND, self._on_viewpoint_command, one_by_one)
        listen(self, ARM_COMMAND, self._on_arm_command, one_by_one)
        self._one_by_one = one_by_one
        self._reset_service: Any = None
        period = 1.0 / self._settings.run.rate_hz
        self.create_timer(0.5 * period, self._look, callback_group=one_by_one, clock=steady_clock())
        listen(self, ESTOP, self._on_estop, at_once)
        self.create_service(Trigger, "stop", self._on_stop, callback_group=at_once)
        self.create_service(Trigger, "clear_stop", self._on_clear_stop, callback_group=clearing)
        self.create_service(Trigger, "confirm_motion", self._on_confirm_motion, callback_group=at_once)
        listen(self, HEARTBEAT, self._on_heartbeat, at_once)
        self.create_timer(_EVENTS_PERIOD, self._tell_events, callback_group=at_once, clock=steady_clock())
        self._diagnostics = Diagnostics(self, self._health, at_once)

    def acquire(self) -> None:
        world = WORLDS.create(self._world_name, self._settings)
        codec = Codec(RclpyFactory(), world.info.frame)
        self._frame = codec.frame
        self._server = WorldServer(world, codec, self._publish, self._heard, self._tick, self._arrived)
        if self._latch.reason:  # a stop outlives the world that it was meant for; one that comes now finds the server
            world.stop(self._latch.reason)

    def activate(self) -> None:
        """From now on episodes can begin; before, nobody finds the service."""
        self._active = True
        self._reset_service = self.create_service(
            ResetWorld, "reset_world", self._on_reset, callback_group=self._one_by_one
        )

    def deactivate(self) -> None:
        self._active = False
        if self._reset_service is not None:
            self.destroy_service(self._reset_service)
            self._reset_service = None

    def release(self) -> None:
        server = self._server
        if server is not None:
            server.world.close()
        self._server = None  # only now, so that a stop finds what it has to stop

    def halt(self) -> None:
        """Let a running command end, because nothing may move once the node is gone."""
        server = self._server
        if server is not None:
            server.world.stop(f"{NAME} is shutting down")

    def _publish(self, topic: Topic, stamp: int, message: Any) -> None:
        self._publishers_by_topic[topic].publish(message)

    def _heard(self, topic: Topic) -> bool:
        return bool(self._publishers_by_topic[topic].get_subscription_count() > 0)

    def _arrived(self, topic: Topic) -> bool:
        return bool(self._publishers_by_topic[topic].wait_for_all_acked(Duration(seconds=0)))

    def _tick(self, stamp: int) -> None:
        supervised = self._supervised()
        if self._clock_publisher is not None and (supervised is None or not supervised.real_time):
            message = ClockMessage()
            message.clock.sec, message.clock.nanosec = divmod(stamp, 10**9)
            self._clock_publisher.publish(message)

    def _on_reset(self, request: Any, response: Any) -> Any:
        server = self._server
        if server is None or not self._active:
            response.message = f"{NAME} is not active; configure and activate it first"
            return response
        try:
            observation = server.reset(read_episode(request.episode), int(request.seed))
        except VantageError as error:
            self.get_logger().error(str(error))
            response.message = str(error)
            return response
        codec = Codec(RclpyFactory())
        response.ok = True
        if self._latch.reason:
            response.message = f"a stop is latched: {self._latch.reason}; nothing moves until clear_stop"
        response.start = codec.viewpoint(observation.viewpoint)
        response.observation_stamp = codec.time(observation.stamp)
        response.info = codec.world_info(server.world.info)
        return response

    def _on_viewpoint_command(self, message: Any) -> None:
        command, server = read_viewpoint_command(message), self._server
        frame = message.header.frame_id
        if server is not None and frame not in ("", self._frame):
            server.refuse(command, f"the target is given in frame '{frame}', this world's is '{self._frame}'")
            return
        self._carry_out(command)

    def _on_arm_command(self, message: Any) -> None:
        try:
            self._carry_out(read_arm_command(message))
        except ValueError as error:
            if self._server is not None:
                command = Command(episode_id=message.episode_id, source=message.source, sequence=int(message.sequence))
                self._server.refuse(command, str(error))

    def _carry_out(self, command: Command) -> None:
        server = self._server
        if server is None:
            self.get_logger().warning(f"ignored command {command.sequence} of '{command.source}': not configured")
            return
        if not self._active or not server.started:
            server.refuse(command, "no episode was begun; reset the world first" if self._active else "not active")
            return
        result = server.step(command)
        if result.status != Status.DONE:
            self.get_logger().info(f"command {command.sequence} of '{command.source}': {result.reason}")

    def _look(self) -> None:
        server = self._server
        if server is None or not self._active:
            return
        try:
            server.look(1.0 / self._settings.run.rate_hz)
        except VantageError as error:
            self.get_logger().error(str(error), throttle_duration_sec=5.0)

    def _on_estop(self, message: Any) -> None:
        if message.data:
            self._stop("emergency stop")

    def _on_stop(self, request: Any, response: Any) -> Any:
        self._stop("stop requested")
        response.success = True
        response.message = self._latch.reason
        return response

    def _on_clear_stop(self, request: Any, response: Any) -> Any:
        server = self._server
        self._latch.begin_clearing()
        try:
            if server is not None:
                server.world.clear_stop()
        except VantageError as error:
            self.get_logger().error(str(error))
            response.message = str(error)
            return response
        again = self._latch.clear()
        if again:
            if server is not None:
                server.world.stop(again)
            response.message = f"stopped again meanwhile: {again}"
        response.success = not again
        return response

    def _on_confirm_motion(self, request: Any, response: Any) -> Any:
        supervised = self._supervised()
        if supervised is None:
            response.message = "this world moves nothing that a person must confirm"
            return response
        supervised.confirm_motion()
        response.success = True
        return response

    def _on_heartbeat(self, message: Any) -> None:
        server, supervised = self._server, self._supervised()
        if server is not None and supervised is not None and message.frame_id in ("", server.episode_id):
            supervised.heartbeat()

    def _tell_events(self) -> None:
        server = self._server
        if server is not None:
            server.tell_events()

    def _supervised(self) -> Supervised | None:
        server = self._server
        world: World | None = None if server is None else server.world
        return world if isinstance(world, Supervised) else None

    def _stop(self, reason: str) -> None:
        self._latch.stop(reason)
        server = self._server
        if server is not None:
            server.world.stop(reason)
        self.get_logger().warning(f"stopped: {reason}")

    def _health(self) -> Health:
        server = self._server
        if server is None or not self._active:
            return Health(False, "not active")
        values = {
            "world": self._world_name,
            "frames": str(server.frames),
            "last_command_s": f"{server.step_time:.3f}",
        }
        supervised, stopped = self._supervised(), self._latch.reason
        trouble = f"stopped: {stopped}" if stopped else supervised.trouble if supervised is not None else ""
        return Health(not trouble, trouble or "ready", values)


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(WorldNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
