"""An action server whose goals are carried out in threads of their own, so that its node hears everything meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer
from rclpy.node import Node

from vantage.nodes.runtime import callbacks_of

Settle = Callable[[Any], Any]  # sets the state of a goal and returns its result


class ThreadedActionServer(ActionServer):
    """Calls ``work`` with each goal that is carried out, in a thread; what that returns settles it, in the executor.

    Args:
        work: carries a goal out. What it raises is told, and the goal is aborted.
        admit, cancel: as ``goal_callback`` and ``cancel_callback`` of rclpy.
    """

    def __init__(
        self,
        node: Node,
        kind: Any,
        name: str,
        work: Callable[[Any], Settle],
        admit: Callable[[Any], Any],
        cancel: Callable[[Any], Any],
    ) -> None:
        self.name = f"a goal of {name}"
        self._work = work
        self._owner = node
        self._threads: set[threading.Thread] = set()
        self._working = 0
        self._threads_lock = threading.Lock()
        super().__init__(node, kind, name, self._unused, goal_callback=admit, cancel_callback=cancel)
        callbacks_of(node).end_with_node(self)

    @property
    def busy(self) -> bool:
        """Whether a goal is being carried out; true from before the next request is looked at."""
        with self._threads_lock:
            return self._working > 0

    def notify_execute(self, goal_handle: Any, execute_callback: Any) -> None:
        """Called by rclpy when a goal is to be carried out."""
        thread = threading.Thread(target=self._carry_out, args=(goal_handle,), name="goal", daemon=True)
        with self._threads_lock:
            self._threads.add(thread)
            self._working += 1
        thread.start()

    def close(self, timeout: float) -> bool:
        """Wait for the goals that are being carried out; whether all ended within ``timeout`` s."""
        ends = time.monotonic() + timeout
        with self._threads_lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def _carry_out(self, goal: Any) -> None:
        try:
            settle = self._work(goal)
        except Exception as error:
            callbacks_of(self._owner).failed("a goal", error)
            settle = self._abort
        with self._threads_lock:
            self._working -= 1  # first, because whoever hears the result may send the next goal at once
        super().notify_execute(goal, settle)
        with self._threads_lock:
            self._threads.discard(threading.current_thread())

    def _abort(self, goal: Any) -> Any:
        goal.abort()
        return self.action_type.Result()

    def _unused(self, goal: Any) -> Any:
        """rclpy wants a callback; ``notify_execute`` takes its place."""
        return self._abort(goal)
