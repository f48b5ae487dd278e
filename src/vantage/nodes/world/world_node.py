"""``world_node`` serves any registered world over topics."""

from __future__ import annotations

import sys
from typing import Any

from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock as ClockMessage
from std_srvs.srv import Trigger
from vantage_eqa.srv import GrantWarrant, RecallPoses, ResetWorld

from vantage.errors import VantageError, WorldError
from vantage.nodes.runtime import (
    Diagnostics,
    Health,
    ManagedNode,
    RclpyFactory,
    advertise,
    callbacks_of,
    check_choice,
    declare,
    declare_settings,
    destroyed_on_failure,
    every,
    listen,
    run_node,
    serve,
)
from vantage.nodes.world.look_recall import LookRecall
from vantage.nodes.world.stop_latch import StopLatch
from vantage.nodes.world.world_server import WorldServer
from vantage.recording import (
    ARM_COMMAND,
    CAMERA_INFO,
    CLOCK,
    COMMAND_RESULT,
    DEPTH,
    DEPTH_CAMERA_INFO,
    DIAGNOSTICS,
    ESTOP,
    HEARTBEAT,
    IMAGE,
    IMAGE_COMPRESSED,
    INSTANCES,
    JOINT_STATES,
    LEGEND,
    ROBOT_DESCRIPTION,
    SCENE_POINTS,
    TF,
    TF_STATIC,
    VIEWPOINT_COMMAND,
    WRENCH,
    Codec,
    Topic,
    read_arm_command,
    read_episode,
    read_viewpoint_command,
)
from vantage.registry import WORLDS
from vantage.types import Cause, Command, Status
from vantage.untrusted_text import visible
from vantage.worlds import Described, Supervised, World

NAME = "world_node"
GROUPS = ("camera", "house", "limits", "rig", "run", "world")  # of settings that it uses
_PUBLISHED = (
    IMAGE,
    IMAGE_COMPRESSED,
    CAMERA_INFO,
    DEPTH,
    DEPTH_CAMERA_INFO,
    INSTANCES,
    LEGEND,
    SCENE_POINTS,
    ROBOT_DESCRIPTION,
    JOINT_STATES,
    WRENCH,
    TF,
    TF_STATIC,
    COMMAND_RESULT,
    DIAGNOSTICS,
)
_EVENTS_PERIOD = 0.1  # s
_QUEUE = 1000  # commands that may come at once; a flood of one source then pushes out no other's
_MOST_WAITING = 4  # commands of one source
_MOST_IN_ALL = 64  # commands, resets and looks
_TOLD_AGAIN = 1.0  # s between two log lines of one kind


class WorldNode(ManagedNode):
    """Owns a world. Commands, resets and looks run one after another; a stop runs beside them at any time."""

    @destroyed_on_failure
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
        self._frame = self._halted = ""
        self._latch = StopLatch()
        self._publishers_by_topic = {topic: advertise(self, topic) for topic in _PUBLISHED}
        self._clock_publisher = advertise(self, CLOCK) if publish_clock else None
        callbacks = callbacks_of(self)
        callbacks.alarm = self._alarm
        self._job_queue = callbacks.job_queue("world", finishes=False)  # commands, resets and looks, one after another
        listen(self, VIEWPOINT_COMMAND, self._on_viewpoint_command, depth=_QUEUE, all_at_once=True)
        listen(self, ARM_COMMAND, self._on_arm_command, depth=_QUEUE, all_at_once=True)
        self._reset_service: Any = None
        self._recall_service: Any = None
        self._recalls = callbacks.job_queue("recall_poses")
        self._look_recall: LookRecall | None = None
        self._look_recalls = callbacks.job_queue("recall_look")
        every(self, 0.5 / self._settings.run.rate_hz, self._look, self._job_queue)
        listen(self, ESTOP, self._on_estop)
        serve(self, Trigger, "stop", self._on_stop)
        # Clearing may wait for a motion or a lost link.
        serve(self, Trigger, "clear_stop", self._on_clear_stop, callbacks.job_queue("clear_stop"))
        serve(self, Trigger, "confirm_motion", self._on_confirm_motion)
        serve(self, GrantWarrant, "grant_warrant", self._on_grant_warrant, callbacks.job_queue("grant_warrant"))
        listen(self, HEARTBEAT, self._on_heartbeat)
        every(self, _EVENTS_PERIOD, self._tell_events)
        self._diagnostics = Diagnostics(self, self._health)

    def acquire(self) -> None:
        world = WORLDS.create(self._world_name, self._settings)
        codec = Codec(RclpyFactory(), world.info.frame)
        self._frame = codec.frame
        quality = self._settings.run.jpeg_quality
        self._server = WorldServer(world, codec, self._publish, self._heard, self._tick, self._arrived, quality)
        if isinstance(world, Described):
            self._publish(ROBOT_DESCRIPTION, 0, codec.text(world.urdf()))
        if self._server.places is not None:  # before episodes can begin, so that the evaluator finds it in time
            self._recall_service = serve(self, RecallPoses, "recall_poses", self._on_recall_poses, self._recalls)
        self._look_recall = LookRecall(self, codec, self._server.looks, self._look_recalls)
        if self._latch.reason:  # a stop outlives the world that it was meant for; one that comes now finds the server
            world.stop(self._latch.reason)

    def activate(self) -> None:
        """From now on episodes can begin; before, nobody finds the service."""
        self._active = True
        self._reset_service = serve(self, ResetWorld, "reset_world", self._on_reset, self._job_queue)

    def deactivate(self) -> None:
        """Refuse what comes from now on, and wait for the command or reset that is being carried out."""
        self._active = False
        if not self._job_queue.drain(max(self._settings.run.step_timeout, self._settings.run.reset_timeout)):
            self._active = True
            raise WorldError(f"{NAME} stays active: a command or reset goes on; stop it, then deactivate")
        service, self._reset_service = self._reset_service, None
        if service is not None:
            self.destroy_service(service)

    def release(self) -> None:
        recall, self._recall_service = self._recall_service, None
        if recall is not None:
            self.destroy_service(recall)
        look_recall, self._look_recall = self._look_recall, None
        if look_recall is not None:
            look_recall.close()
        server = self._server
        if server is not None:
            server.world.close()
        self._server = None  # only now, so that a stop finds what it has to stop

    def halt(self) -> None:
        """Let a running command end, because nothing may move once the node is gone."""
        self._halted = f"{NAME} is shutting down"
        self._latch.stop(self._halted)
        server = self._server
        if server is not None:
            server.world.stop(self._halted)

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
            self.get_logger().error(visible(str(error)))
            response.message = str(error)
            return response
        codec = Codec(RclpyFactory())
        response.ok = True
        if self._latch.reason:
            response.message = f"a stop is latched: {self._latch.reason}; nothing moves until clear_stop"
        response.start = codec.viewpoint(observation.viewpoint)
        response.observation_stamp = codec.time(observation.stamp)
        response.info = codec.world_info(server.world.info)
        hand = codec.hand(observation.touch)
        response.gripper_width, response.holds = hand["gripper_width"], hand["holds"]
        return response

    def _on_recall_poses(self, request: Any, response: Any) -> Any:
        server = self._server
        if server is not None and server.places is not None:
            return server.places.answer(Codec(RclpyFactory(), self._frame), request, response)
        return response

    def _on_viewpoint_command(self, message: Any) -> None:
        command, server = read_viewpoint_command(message), self._server
        frame = message.header.frame_id
        if server is not None and frame not in ("", self._frame):
            reason = f"the target is given in frame '{frame}', this world's is '{self._frame}'"
            server.refuse(command, reason, Cause.TARGET)
            return
        self._enqueue(command, message)

    def _on_arm_command(self, message: Any) -> None:
        try:
            self._enqueue(read_arm_command(message), message)
        except ValueError as error:
            if self._server is not None:
                command = Command(episode_id=message.episode_id, source=message.source, sequence=int(message.sequence))
                self._server.refuse(command, str(error), Cause.TARGET)

    def _enqueue(self, command: Command, message: Any) -> None:
        """Let a command wait for its turn; each source has a line of its own, so that none crowds out another."""
        server, line = self._server, f"commands of {command.source}"
        if server is None:
            self.get_logger().warning(
                visible(f"ignored command {command.sequence} of '{command.source}': not configured"),
                throttle_duration_sec=_TOLD_AGAIN,
            )
        elif (out_of_turn := server.out_of_turn(command, message)) is not None and server.started:
            server.refuse(command, *out_of_turn)
        elif self._job_queue.waiting() >= _MOST_IN_ALL or self._job_queue.waiting(line) >= _MOST_WAITING:
            reason = f"{_MOST_WAITING} commands of '{command.source}' wait already; await their results"
            server.refuse(command, reason, Cause.ORDER)
        else:
            self._job_queue.submit(lambda: self._carry_out(command, message), line)

    def _carry_out(self, command: Command, message: Any) -> None:
        server = self._server
        if server is None:
            return
        if not self._active or not server.started:
            reason = "no episode was begun; reset the world first" if self._active else "not active"
            server.refuse(command, reason, Cause.EPISODE)
            return
        out_of_turn = server.out_of_turn(command, message)  # meanwhile another episode may have begun
        if out_of_turn is not None:
            server.refuse(command, *out_of_turn)
            return
        try:
            result = server.step(command)
        except Exception as error:  # whoever gave the command is owed a result, whatever happened
            server.lose(command, callbacks_of(self).failed(f"command {command.sequence}", error))
            return
        if result.status != Status.DONE:
            self.get_logger().info(
                visible(f"command {command.sequence} of '{command.source}': {result.reason}"),
                throttle_duration_sec=_TOLD_AGAIN,
            )

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
        if self._halted:
            response.message = self._halted
            return response
        self._latch.begin_clearing()
        try:
            if server is not None:
                server.world.clear_stop()
        except VantageError as error:
            self.get_logger().error(visible(str(error)))
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

    def _on_grant_warrant(self, request: Any, response: Any) -> Any:
        server = self._server
        if server is None or not self._active:
            response.message = f"{NAME} is not active; configure and activate it first"
            return response
        response = server.grant(request, response)
        if response.fault:
            self.get_logger().warning(
                visible(f"refused a warrant: {response.message}"), throttle_duration_sec=_TOLD_AGAIN
            )
        return response

    def _on_heartbeat(self, message: Any) -> None:
        server, supervised = self._server, self._supervised()
        if server is not None and supervised is not None and message.frame_id == server.episode_id:
            supervised.heartbeat()

    def _tell_events(self) -> None:
        server = self._server
        if server is not None:
            server.tell_events()

    def _supervised(self) -> Supervised | None:
        server = self._server
        world: World | None = None if server is None else server.world
        return world if isinstance(world, Supervised) else None

    def _alarm(self, failure: str) -> None:
        """Something went wrong that nobody expected: what moves in the real world is stopped first of all."""
        server, supervised = self._server, self._supervised()
        if server is not None and supervised is not None and supervised.real_time:
            self._latch.stop(failure)
            server.world.stop(failure)

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
            "refusals not told": str(server.untold),
            "warrants refused": str(server.warrants.refused),
            "commands without warrant": str(server.unwarranted),
        }
        supervised, stopped = self._supervised(), self._latch.reason
        trouble = f"stopped: {stopped}" if stopped else supervised.trouble if supervised is not None else ""
        return Health(not trouble, trouble or "ready", values)


def main(arguments: list[str] | None = None) -> int:
    """Run the node until Ctrl-C or SIGTERM."""
    return run_node(WorldNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
