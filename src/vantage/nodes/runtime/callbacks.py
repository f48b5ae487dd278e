"""What runs on behalf of a node: callbacks in its executor, longer jobs in queues. No error raised there ends the node.

Nodes are spun by one thread. A callback there only takes notes and hands what takes longer to a job queue; a service
whose work is done there is answered from there.
"""

from __future__ import annotations

import threading
import time
import traceback
import weakref
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError as Late
from functools import wraps
from typing import Any, Protocol, TypeVar

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile, qos_profile_services_default

from vantage.errors import WorldError
from vantage.nodes.runtime.job_queue import JobQueue
from vantage.nodes.runtime.recent_failures import TOLD_FOR
from vantage.untrusted_text import visible

T = TypeVar("T")

_TOLD_AGAIN = 5.0  # s between two log lines about failures of one kind
_KEPT_AS = "_vantage_callbacks"
_MAKING = threading.Lock()
_LONGEST_WORDS = 300  # characters of what was raised that are told


class Work(Protocol):
    """What goes on in threads of its own."""

    name: str

    def close(self, timeout: float) -> bool:
        """End; whether that was done within ``timeout`` s."""
        ...


class Callbacks:
    """The failures and the longer work of one node. Thread-safe.

    Attributes:
        failures: how many callbacks and jobs raised what nobody expected.
        alarm: called with each failure in words, first of all; a node that moves something stops it here.
    """

    def __init__(self, node: Node) -> None:
        self._node = weakref.ref(node)
        self._lock = threading.Lock()
        self._works: list[Work] = []
        self._newest = ""
        self._newest_at = -float("inf")
        self.failures = 0
        self.alarm: Callable[[str], None] = _ignore

    def job_queue(self, name: str, threads: int = 1, finishes: bool = True) -> JobQueue:
        """Threads for longer work, which end with the node."""
        job_queue = JobQueue(name, lambda error: _ignore(self.failed(name, error)), threads, finishes)
        self.end_with_node(job_queue)
        return job_queue

    def end_with_node(self, work: Work) -> None:
        """Work that is to end before the node does."""
        with self._lock:
            self._works.append(work)

    def guarded(self, what: str, callback: Callable[..., None]) -> Callable[..., None]:
        """The callback, whose errors are counted and told instead of raised."""

        @wraps(callback)  # rclpy counts its arguments
        def guarded(*args: Any) -> None:
            try:
                callback(*args)
            except Exception as error:
                self.failed(what, error)

        return guarded

    def failed(self, what: str, error: BaseException) -> str:
        """Count and tell a failure; returns the sentence."""
        words = " ".join(str(error).split())[:_LONGEST_WORDS]
        sentence = visible(f"{what} failed and is left out: {type(error).__name__}: {words}")
        try:
            self.alarm(sentence)
        except Exception as second:
            sentence = visible(f"{sentence}; and the alarm failed: {type(second).__name__}: {second}")
        with self._lock:
            self.failures += 1
            self._newest, self._newest_at = sentence, time.monotonic()
        node = self._node()
        if node is not None:
            node.get_logger().error(sentence, throttle_duration_sec=_TOLD_AGAIN)
            node.get_logger().debug("".join(traceback.format_exception(error)))
        return sentence

    @property
    def recent_failure(self) -> str:
        """The newest failure of the last ``TOLD_FOR`` s, in words; empty for none."""
        with self._lock:
            return self._newest if time.monotonic() - self._newest_at < TOLD_FOR else ""

    def close(self, timeout: float) -> list[str]:
        """End all work; the names of what did not end within ``timeout`` s."""
        ends = time.monotonic() + timeout
        with self._lock:
            works = list(self._works)
        return [work.name for work in works if not work.close(max(0.0, ends - time.monotonic()))]


def callbacks_of(node: Node) -> Callbacks:
    """The one of this node, kept with it."""
    with _MAKING:
        found = getattr(node, _KEPT_AS, None)
        if not isinstance(found, Callbacks):
            found = Callbacks(node)
            setattr(node, _KEPT_AS, found)
        return found


def steady_clock() -> Clock:
    """Timers of nodes that produce or outlive simulated time run on this one."""
    return Clock(clock_type=ClockType.STEADY_TIME)


def every(node: Node, period: float, callback: Callable[[], None], job_queue: JobQueue | None = None) -> Any:
    """A timer of ``period`` s of real time; in a job queue, at most one call waits."""
    what = getattr(callback, "__name__", "timer").strip("_")
    guarded = callbacks_of(node).guarded(f"the timer {what}", callback)

    def tick() -> None:
        if job_queue is None:
            guarded()
        elif not job_queue.waiting(what):
            job_queue.submit(guarded, what)

    return node.create_timer(period, tick, clock=steady_clock())


class _Waiting:
    """Stands for a response that a job queue will send."""

    def __init__(self, request: Any, response: Any) -> None:
        self.request, self.response = request, response


def serve(
    node: Node,
    kind: Any,
    name: str,
    handler: Callable[[Any, Any], Any],
    job_queue: JobQueue | None = None,
    quality: QoSProfile = qos_profile_services_default,
) -> Any:
    """A service; with a job queue, its requests are worked on and answered there.

    A handler that raises what nobody expected is answered for: by the sentence, where the response has a ``message``.
    """
    service = node.create_service(kind, name, lambda request, response: response, qos_profile=quality)
    defer(node, service, handler, job_queue)
    return service


def defer(node: Node, service: Any, handler: Callable[[Any, Any], Any], job_queue: JobQueue | None = None) -> None:
    """Have the requests of a service that rclpy made worked on as ``serve`` does."""
    callbacks, name = callbacks_of(node), str(service.srv_name)
    send = service.send_response

    def answer(waiting: _Waiting, header: Any) -> None:
        try:
            response = handler(waiting.request, waiting.response)
        except Exception as error:
            sentence = callbacks.failed(f"a request to {name}", error)
            response = service.srv_type.Response()
            if hasattr(response, "message"):
                response.message = sentence
        try:
            send(response, header)
        except RuntimeError as error:  # of rclpy: the service or whoever asked is gone
            node.get_logger().debug(f"a response of {name} was not sent: {error}")

    def send_response(waiting: Any, header: Any) -> None:
        if job_queue is None:
            answer(waiting, header)
        elif not job_queue.submit(lambda: answer(waiting, header)):
            response = service.srv_type.Response()
            if hasattr(response, "message"):
                response.message = f"{node.get_name()} is shutting down"
            send(response, header)

    # The executor hands what the callback returns to send_response, with the header that names who asked.
    service.callback = _Waiting
    service.send_response = send_response


def on_executor(node: Node, function: Callable[[], T], timeout: float) -> T:
    """What a function returns that runs where the node's callbacks run, between two of them.

    rclpy's action client notes a request only after it was sent; sent from there, no reply can come before that.

    Raises:
        WorldError: the node is not spun, or its callbacks took longer than ``timeout`` s.
    """
    executor = node.executor
    if executor is None:
        raise WorldError(f"{node.get_name()} is not running")
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(function())
        except Exception as error:
            outcome.set_exception(error)

    executor.create_task(run)
    try:
        return outcome.result(timeout)
    except Late:
        raise WorldError(f"the callbacks of {node.get_name()} took longer than {timeout:.0f} s") from None


def _ignore(sentence: str) -> None:
    """It was told."""
