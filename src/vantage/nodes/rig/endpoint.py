"""A node that does one thing at a high rate, with a context and one thread of its own."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from rclpy.executors import ExternalShutdownException, ShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter

from vantage.errors import VantageError
from vantage.nodes.runtime.running import ros_context

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
