"""The ROS side of a controller: a node of its own that sends trajectories and hears joint states."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from vantage.errors import HardwareError
from vantage.nodes.rig.endpoint import ControllerNames, Endpoint, await_until, offered, publish
from vantage.nodes.rig.trajectory_follower import Motion

_LONGEST_WAIT = 5.0  # s; a message that seems to have waited longer tells of a clock that was set
_UNKNOWN = "_UNKNOWN_"  # in names of nodes that were not discovered yet
_TRAJECTORY, _STATE = "trajectory_msgs/msg/JointTrajectory", "sensor_msgs/msg/JointState"


class TrajectoryLink:
    """Publishes motions and hands on states, with a context, a node and a thread of its own.

    Args:
        heard: called with each JointState and its monotonic time of arrival, s.
        stop_topic: where a ``std_msgs/Bool`` tells stops as well; empty for none.
    """

    def __init__(self, wiring: ControllerNames, stop_topic: str, heard: Callable[[Any, float], None]) -> None:
        self.wiring = wiring
        self._stop_topic, self._heard = stop_topic, heard
        self._endpoint: Endpoint | None = None
        self._node: Any = None
        self._publisher: Any = None
        self._stops: Any = None

    @property
    def open(self) -> bool:
        return self._endpoint is not None

    def start(self) -> None:
        """Make the node and begin to hear states."""
        endpoint = Endpoint(self.wiring.node_name("driver"), self.wiring.domain_id)
        node = endpoint.node
        self._publisher = node.create_publisher(JointTrajectory, self.wiring.trajectories, 10)
        self._stops = node.create_publisher(Bool, self._stop_topic, 10) if self._stop_topic else None
        # Heard from reliable and from best-effort broadcasters alike; only the newest states matter.
        quality = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
        node.create_subscription(JointState, self.wiring.joint_states, self._on_state, quality)
        endpoint.spin()
        self._node, self._endpoint = node, endpoint

    def close(self) -> None:
        """Harmless when repeated."""
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.close()

    @property
    def heard_by_controller(self) -> bool:
        """Whether anybody listens to trajectories."""
        try:
            return self.open and bool(self._publisher.get_subscription_count() > 0)
        except RuntimeError:  # closed meanwhile; rclpy's own errors are RuntimeErrors
            return False

    @property
    def broken(self) -> bool:
        """Whether the thread that hears states has ended by itself."""
        return self._endpoint is not None and self._endpoint.broken

    def meet(self, timeout: float) -> None:
        """Wait until somebody listens to trajectories.

        Raises:
            HardwareError: nobody does within ``timeout`` s.
        """
        if not await_until(lambda: self.heard_by_controller, timeout):
            raise HardwareError(
                f"nobody listens on {self._publisher.topic_name} (topics with trajectories: "
                f"{offered(self._node, _TRAJECTORY)}); start and activate the controller, or correct "
                f"driver.controller and ROS_DOMAIN_ID {self._node.context.get_domain_id()}"
            )

    def refuse_rivals(self, patience: float = 0.0) -> None:
        """Two programs that command one robot would tear at it.

        Args:
            patience: s to wait for the name of a rival to be known.

        Raises:
            HardwareError: somebody else sends trajectories too.
        """
        topic = self._publisher.topic_name
        if self._node.count_publishers(topic) < 2:
            return
        await_until(lambda: not any(_UNKNOWN in name for name in self._commanders()), patience)
        names = self._commanders()
        own = self._node.get_fully_qualified_name()
        rivals = [name for name in names if name != own and _UNKNOWN not in name]
        raise HardwareError(
            f"{topic} is commanded by {', '.join(rivals) or 'another program'} too; end that first (one that crashed "
            f"is forgotten after 20 s)"
        )

    def _commanders(self) -> list[str]:
        ends = self._node.get_publishers_info_by_topic(self._publisher.topic_name)
        return sorted(f"{end.node_namespace.rstrip('/')}/{end.node_name}" for end in ends)

    def states_offered(self) -> str:
        """The topics that hold joint states, for messages."""
        return offered(self._node, _STATE)

    def send(self, motion: Motion, stamp: float, effort: float | None = None) -> bool:
        """Tell the controller a motion.

        Args:
            stamp: the controller's time at which it begins, s; 0 for at once.
            effort: of every joint, N or N m; None leaves it to the controller.

        Returns:
            Whether it could be published.
        """
        message = JointTrajectory()
        message.joint_names = list(self.wiring.names)
        _set_time(message.header.stamp, stamp)
        for t, positions, velocities in motion.waypoints():
            point = JointTrajectoryPoint(positions=positions.tolist(), velocities=velocities.tolist())
            if effort is not None:
                point.effort = [effort] * len(positions)
            _set_time(point.time_from_start, t)
            message.points.append(point)
        return self.open and publish(self._publisher, message)

    def tell_stop(self, stopped: bool) -> None:
        """On the topic for stops, where there is one."""
        if self.open and self._stops is not None:
            publish(self._stops, Bool(data=stopped))

    def _on_state(self, message: Any, info: Any) -> None:
        """The middleware knows when the message came, also where this process was kept from hearing it."""
        waited = (time.time_ns() - int(info["received_timestamp"] or 0)) / 1e9
        self._heard(message, time.monotonic() - (waited if 0.0 <= waited <= _LONGEST_WAIT else 0.0))


def _set_time(field: Any, seconds: float) -> None:
    field.sec, field.nanosec = divmod(round(seconds * 1e9), 10**9)
