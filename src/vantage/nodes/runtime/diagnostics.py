"""What a node says about itself on ``/diagnostics`` once a second (REP-107)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from vantage.nodes.runtime.callbacks import callbacks_of, every
from vantage.nodes.runtime.topics import advertise
from vantage.recording import DIAGNOSTICS

PERIOD = 1.0  # s


@dataclass(frozen=True)
class Health:
    """One look at a node: fine or not, in words, with figures."""

    fine: bool
    message: str
    values: Mapping[str, str] = field(default_factory=dict)


class Diagnostics:
    """Publishes a node's health, and which of its callbacks failed; destroyed with the node."""

    def __init__(self, node: Node, look: Callable[[], Health]) -> None:
        self._node, self._look = node, look
        self._publisher = advertise(node, DIAGNOSTICS)
        self._timer = every(node, PERIOD, self._publish)

    def _publish(self) -> None:
        health, callbacks = self._look(), callbacks_of(self._node)
        values, recent_failure = (
            {**health.values, "failed callbacks": str(callbacks.failures)},
            callbacks.recent_failure,
        )
        status = DiagnosticStatus(
            level=DiagnosticStatus.OK if health.fine and not recent_failure else DiagnosticStatus.WARN,
            name=self._node.get_fully_qualified_name().lstrip("/"),
            message="; ".join(filter(None, (recent_failure, "" if recent_failure and health.fine else health.message))),
            hardware_id="vantage",
            values=[KeyValue(key=key, value=value) for key, value in values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
