"""What a node says about itself on ``/diagnostics`` once a second (REP-107)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.callback_groups import CallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from vantage.nodes.topics import advertise
from vantage.runs.topics import DIAGNOSTICS

PERIOD = 1.0  # s


@dataclass(frozen=True)
class Health:
    """One look at a node: fine or not, in words, with figures."""

    fine: bool
    message: str
    values: Mapping[str, str] = field(default_factory=dict)


def steady_clock() -> Clock:
    """Timers of nodes that produce or outlive simulated time run on this one."""
    return Clock(clock_type=ClockType.STEADY_TIME)


class Diagnostics:
    """Publishes a node's health; destroyed with the node."""

    def __init__(self, node: Node, look: Callable[[], Health], group: CallbackGroup) -> None:
        self._node, self._look = node, look
        self._publisher = advertise(node, DIAGNOSTICS)
        self._timer = node.create_timer(PERIOD, self._publish, callback_group=group, clock=steady_clock())

    def _publish(self) -> None:
        health = self._look()
        status = DiagnosticStatus(
            level=DiagnosticStatus.OK if health.fine else DiagnosticStatus.WARN,
            name=self._node.get_fully_qualified_name().lstrip("/"),
            message=health.message,
            hardware_id="vantage",
            values=[KeyValue(key=key, value=value) for key, value in health.values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
