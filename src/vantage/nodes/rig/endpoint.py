"""A node for one purpose at a high rate, with a context and one thread of its own; topics and names of controllers."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from rclpy.exceptions import NameValidationException
from rclpy.executors import ExternalShutdownException, ShutdownException, SingleThreadedExecutor
from rclpy.expand_topic_name import expand_topic_name
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_topic_name import validate_topic_name

from vantage.decoding import Section
from vantage.errors import VantageError
from vantage.nodes.runtime import ros_context
from vantage.worlds.rig.kinematics import Joint

MEETING = 10.0  # s for nodes to find each other
_POLL = 0.02  # s


@dataclass(frozen=True)
class ControllerNames:
    """Topics of a controller under ros2_control and the names of its joints.

    Attributes:
        controller: name of the joint_trajectory_controller, with its namespace where it has one.
        joint_states: topic of the joint_state_broadcaster.
        names: of the joints in ROS, in the order of the joints.
        domain_id: ROS domain; None is that of the environment.
    """

    controller: str
    joint_states: str
    names: tuple[str, ...]
    domain_id: int | None

    @property
    def trajectories(self) -> str:
        """The topic on which the controller takes trajectories."""
        return f"{self.controller}/joint_trajectory"

    def node_name(self, role: str) -> str:
        """A name for a node that has to do with this controller."""
        return f"vantage_{role}_{re.sub('[^A-Za-z0-9]+', '_', self.controller).strip('_')}"


def read_controller_names(section: Section, joints: Sequence[Joint]) -> ControllerNames:
    """The part of a driver's section that driver and emulator share.

    Raises:
        ConfigError: a name that ROS does not take, or of a joint that does not exist.
    """
    controller = topic_name(section, "controller", "joint_trajectory_controller")
    joint_states = topic_name(section, "joint_states", "/joint_states")
    renamed = section.section("names", {})
    known = [joint.name for joint in joints]
    for name in renamed.names():
        if name not in known:
            raise renamed.error(name, f"no joint has this name (known: {', '.join(known)})")
    names = tuple(renamed.text(name, name) for name in known)
    if len(set(names)) < len(names):
        raise section.error("names", f"each joint needs a name of its own, got {', '.join(names)}")
    return ControllerNames(controller.rstrip("/"), joint_states, names, domain(section))


def domain(section: Section) -> int | None:
    """The key ``domain_id``; None, which leaves it to the environment, where it is absent."""
    number = section.whole("domain_id", -1, -1, 232)
    return None if number < 0 else number


def topic_name(section: Section, key: str, default: str | None = None) -> str:
    """The name of a topic; empty only where the default is. Without a default the key must be there.

    Raises:
        ConfigError: ROS does not take it.
    """
    name = section.text(key) if default is None else section.text(key, default)
    if name or default != "":
        try:
            validate_topic_name(name)
            validate_full_topic_name(expand_topic_name(name, "node", "/"))
        except NameValidationException as error:
            raise section.error(key, f"'{name}' is no topic name of ROS: {str(error).splitlines()[0]}") from error
    return name


def await_until(condition: Callable[[], bool], timeout: float) -> bool:
    """Whether a condition came true within ``timeout`` s."""
    ends = time.monotonic() + timeout
    while not condition():
        if time.monotonic() >= ends:
            return False
        time.sleep(_POLL)
    return True


def offered(node: Node, *types: str) -> str:
    """The topics of these types that a node sees, for messages."""
    found = [name for name, kinds in node.get_topic_names_and_types() if set(kinds) & set(types)]
    return ", ".join(sorted(found)) or "none"


_WAKE = 0.2  # s between two looks at whether to go on, while nothing comes
_JOIN = 5.0  # s


class Endpoint:
    """A node without services, spun by one thread: a third of the work of nodes that serve, and as much less to wait
    for on a busy machine. Callbacks run one after the other.

    Raises:
        VantageError: ``close`` waited in vain for a callback to end.
    """

    def __init__(self, name: str, domain_id: int | None) -> None:
        with ExitStack() as stack:
            self.context = stack.enter_context(ros_context([], domain_id=domain_id))
            self.node = Node(
                name,
                context=self.context,
                enable_rosout=False,
                start_parameter_services=False,
                parameter_overrides=[Parameter("start_type_description_service", value=False)],
            )
            self._owned = stack.pop_all()
        self._executor = SingleThreadedExecutor(context=self.context)
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def spin(self) -> None:
        """Begin to hear what the node subscribed to."""
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name=self.node.get_name(), daemon=True)
        self._thread.start()

    @property
    def broken(self) -> bool:
        """Whether the thread ended by itself, which a callback's error makes it do."""
        return self._thread is not None and not self._thread.is_alive()

    def close(self) -> None:
        """Harmless when repeated."""
        self._closing.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            self._executor.wake()
            thread.join(_JOIN)
            if thread.is_alive():
                raise VantageError(f"a callback of {self.node.get_name()} did not end within {_JOIN:.0f} s")
        if self.context.ok():
            self._executor.shutdown()
            self.node.destroy_node()
        self._owned.close()

    def _spin(self) -> None:
        while not self._closing.is_set():
            try:
                self._executor.spin_once(timeout_sec=_WAKE)
            except (ExternalShutdownException, ShutdownException):
                return


def publish(publisher: Any, message: Any) -> bool:
    """Whether it could be done; a node that is being closed cannot."""
    try:
        publisher.publish(message)
    except RuntimeError:  # rclpy's own errors are RuntimeErrors
        return False
    return True
