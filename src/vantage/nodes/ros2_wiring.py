"""Which topics and names lead to a controller under ros2_control, and what is to be found there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rclpy.exceptions import NameValidationException
from rclpy.expand_topic_name import expand_topic_name
from rclpy.node import Node
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_topic_name import validate_topic_name

from vantage.decoding import Section
from vantage.worlds.rig.kinematics.chain import Joint

MEETING = 10.0  # s for nodes to find each other
_POLL = 0.02  # s


@dataclass(frozen=True)
class Wiring:
    """Where a controller listens and where its states are told.

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


def read_wiring(section: Section, joints: Sequence[Joint]) -> Wiring:
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
    return Wiring(controller.rstrip("/"), joint_states, names, domain(section))


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
