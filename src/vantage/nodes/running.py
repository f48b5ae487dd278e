"""Bringing nodes up and down: one context, executors in threads, signals, names that must be free."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from vantage.errors import UsageError, VantageError
from vantage.files import shared_folder

DISCOVERY_TIME = 3.5  # s in which nodes find each other; participants announce themselves every 3 s
_JOIN_TIME = 10.0  # s for callbacks to end at shutdown
THREADS = 4


def prepare_middleware() -> None:
    """Discover on this machine only and give images room in shared memory, unless the user said otherwise.

    Takes effect on contexts made afterwards.
    """
    if "ROS_LOCALHOST_ONLY" not in os.environ:
        os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    # The name that Fast DDS reads changed with version 3; other middlewares read neither.
    names = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
    if not any(name in os.environ for name in (*names, "FASTDDS_BUILTIN_TRANSPORTS")):
        os.environ.update(dict.fromkeys(names, str(shared_folder("config") / "fastdds.xml")))


@contextmanager
def ros_context(arguments: Sequence[str] | None = None, domain_id: int | None = None) -> Iterator[Context]:
    """A context of its own, which leaves signals to the caller and is shut down at the end."""
    prepare_middleware()
    context = Context()
    rclpy.init(
        args=None if arguments is None else list(arguments),
        context=context,
        domain_id=domain_id,
        signal_handler_options=SignalHandlerOptions.NO,
    )
    try:
        yield context
    finally:
        context.try_shutdown()


class Spinner:
    """Spins nodes in threads of its own until it is closed.

    Args:
        threads: callbacks that may run at the same time, besides those that a node's ``waiting`` says may wait.
    """

    def __init__(self, nodes: Sequence[Node], context: Context, threads: int = THREADS) -> None:
        self._nodes = list(nodes)
        self._context = context
        threads += sum(int(getattr(node, "waiting", 0)) for node in nodes)
        self._executor = MultiThreadedExecutor(threads, context=context)
        for node in self._nodes:
            self._executor.add_node(node)
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="spin")
        self._running = self._thread.submit(self._spin)

    def _spin(self) -> None:
        while self._context.ok() and not self._closing.is_set():
            self._executor.spin_once()

    @property
    def running(self) -> Future[None]:
        """Ends when spinning does; holds what a callback raised."""
        return self._running

    def close(self) -> None:
        """Stop spinning, wait for running callbacks and destroy the nodes; harmless when repeated.

        Raises:
            VantageError: a callback did not end in time.
        """
        if not self._nodes:
            return
        self._closing.set()
        self._executor.create_task(_nothing)  # ends the wait for work
        ended = threading.Thread(target=self._await_callbacks, name="closing", daemon=True)
        ended.start()
        ended.join(_JOIN_TIME)
        if ended.is_alive():
            names = ", ".join(node.get_name() for node in self._nodes)
            raise VantageError(f"a callback of {names} did not end within {_JOIN_TIME:.0f} s of the shutdown")
        # Only now, because callbacks that end after it trip over what it took away.
        self._executor.shutdown()
        nodes, self._nodes = self._nodes, []
        for node in nodes:
            node.destroy_node()

    def _await_callbacks(self) -> None:
        self._thread.shutdown(wait=True)
        pool = getattr(self._executor, "_executor", None)
        if isinstance(pool, ThreadPoolExecutor):
            pool.shutdown(wait=True)


def _nothing() -> None:
    """A task."""


def refuse_taken_names(nodes: Sequence[Node], discovery_time: float = DISCOVERY_TIME) -> None:
    """Two nodes of one name would both answer; the later one gives way.

    Raises:
        UsageError: another node of the same name is on the network.
    """
    ends = time.monotonic() + discovery_time
    while True:
        for node in nodes:
            own = (node.get_name(), node.get_namespace())
            if node.get_node_names_and_namespaces().count(own) > 1:
                name = node.get_fully_qualified_name()
                raise UsageError(
                    f"a node named {name} is running already on ROS_DOMAIN_ID {node.context.get_domain_id()}; stop it, "
                    f"rename this one with --ros-args -r __node:=NAME or choose another domain (one that crashed is "
                    f"forgotten after 20 s)"
                )
        if time.monotonic() >= ends:
            return
        time.sleep(0.05)


@contextmanager
def termination() -> Iterator[threading.Event]:
    """An event that SIGINT and SIGTERM set; only the main thread can ask for it."""
    stop = threading.Event()

    def request(number: int, frame: Any) -> None:
        stop.set()

    previous = {number: signal.signal(number, request) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def run_node(make: Callable[[Context], Node], arguments: Sequence[str] | None = None) -> int:
    """The body of every node's ``main``: 0 after Ctrl-C, SIGTERM or its own end, 1 with one sentence on failure.

    ``-h`` or ``--help`` prints how the node is started, and starts none.

    A node may define ``start()``, called once its name is known to be free, ``halt()``, called before its callbacks are
    waited for, a ``finished`` event, after which it goes by itself, and a ``failure``, the error it ended with. What it
    owns, it releases in ``destroy_node``.
    """
    given = sys.argv if arguments is None else arguments
    if {"-h", "--help"} & set(given):
        print(_usage(make))
        return 0
    try:
        with termination() as stop, ros_context(given) as context:
            node = make(context)
            spinner = Spinner([node], context)
            spinner.running.add_done_callback(lambda _: stop.set())
            try:
                refuse_taken_names([node])
                start(node)
                finished = getattr(node, "finished", threading.Event())
                while not stop.wait(0.05) and not finished.is_set():
                    pass
            finally:
                halt(node)
                spinner.close()
            spinner.running.result(timeout=0)
            failure = getattr(node, "failure", None)
            if isinstance(failure, VantageError):
                raise failure
    except VantageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _usage(make: Callable[[Context], Node]) -> str:
    """How a node is started, by the name and the description in its module."""
    module = sys.modules[make.__module__]
    described = (module.__doc__ or "").replace("``", "")
    return (
        f"usage: {module.NAME} [--ros-args -p PARAMETER:=VALUE ... --params-file FILE]\n\n{described}\n\n"
        f"Its parameters: config/vantage.yaml, or, while it runs: ros2 param describe /{module.NAME} PARAMETER"
    )


def leave(node: Node) -> None:
    """Take a node off the network at once; what rclpy forgets would keep it there until it is collected."""
    Node.destroy_node(node)
    lifecycle = getattr(node, "_state_machine", None)
    if lifecycle is not None:
        lifecycle.destroy_when_not_in_use()


def whole_or_gone(init: Callable[..., None]) -> Callable[..., None]:
    """For the ``__init__`` of a node: one that fails leaves no half-made node on the network."""

    @wraps(init)
    def guarded(node: Node, *args: Any, **named: Any) -> None:
        try:
            init(node, *args, **named)
        except BaseException:
            if getattr(node, "handle", None) is not None:
                leave(node)
            raise

    return guarded


def start(node: Node) -> None:
    """Call the node's ``start``, where it has one."""
    getattr(node, "start", lambda: None)()


def halt(node: Node) -> None:
    """Call the node's ``halt``, where it has one: callbacks that wait give up."""
    getattr(node, "halt", lambda: None)()
