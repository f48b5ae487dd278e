"""Bringing nodes up and down: one context, an executor in a thread, signals, names that must be free, discovery.

By default sockets are bound to the loopback interface: nodes of this machine alone find one another, by a profile of
Fast DDS. ``ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET`` opens them, and so does whatever else of ROS only makes sense with a
network: ``ROS_STATIC_PEERS``, ``ROS_DISCOVERY_SERVER``, ``ROS_LOCALHOST_ONLY=0`` or a profile of one's own.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import wraps
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.executors import ExternalShutdownException, ShutdownException, SingleThreadedExecutor, TimeoutException
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from vantage.errors import UsageError, VantageError
from vantage.files import shared_folder
from vantage.nodes.runtime.callbacks import callbacks_of
from vantage.signals import noted

RANGE, LOCALHOST_ONLY = "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY"
PEERS, SERVER = "ROS_STATIC_PEERS", "ROS_DISCOVERY_SERVER"
# The name that Fast DDS reads changed with version 3; other middlewares read neither.
PROFILES = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_RCLPY_OF_FASTDDS_3 = 9
_NEAR = ("LOCALHOST", "OFF")


def profile_names() -> tuple[str, ...]:
    """The variables that the installed Fast DDS reads; version 3, which came with rclpy 9, warns of the other one."""
    try:
        return PROFILES[:1] if int(version("rclpy").partition(".")[0]) >= _RCLPY_OF_FASTDDS_3 else PROFILES
    except (PackageNotFoundError, ValueError):
        return PROFILES


def discovery_environment(environ: Mapping[str, str], names: Sequence[str] = PROFILES) -> dict[str, str | None]:
    """What to change in the environment before a context is made; None for variables to take away.

    Args:
        names: of the variables that name a profile.

    Raises:
        ConfigError: the profiles are not part of this installation.
    """
    if any(environ.get(name) for name in PROFILES):
        return {}
    middleware = environ.get("RMW_IMPLEMENTATION") or "rmw_fastrtps_cpp"
    if not middleware.startswith("rmw_fastrtps") or environ.get(TRANSPORTS):
        return {} if RANGE in environ or LOCALHOST_ONLY in environ else {RANGE: "LOCALHOST"}
    if not wants_network(environ):
        # The range OFF only counts participants; LOCALHOST would have rmw_fastrtps add a transport that is open to all.
        alone = environ.get(RANGE) == "OFF" and environ.get(LOCALHOST_ONLY) != "1"
        return {RANGE: "OFF" if alone else "SYSTEM_DEFAULT", LOCALHOST_ONLY: None, **_profile("fastdds.xml", names)}
    near = RANGE not in environ and LOCALHOST_ONLY not in environ and not environ.get(SERVER)
    return {
        **({RANGE: "LOCALHOST"} if near else {}),
        **_profile("fastdds_network.xml", names),
    }  # near: and the static peers


def wants_network(environ: Mapping[str, str]) -> bool:
    """Whether the user's environment asks for more than this machine."""
    if environ.get(LOCALHOST_ONLY) == "1":
        return False
    default = "SUBNET" if LOCALHOST_ONLY in environ else "LOCALHOST"
    chosen = environ.get(RANGE) or default
    if chosen == "OFF":
        return False
    return chosen not in _NEAR or bool(environ.get(PEERS) or environ.get(SERVER))


def _profile(name: str, names: Sequence[str]) -> dict[str, str | None]:
    return dict.fromkeys(names, str(shared_folder("config") / name))


DISCOVERY_TIME = 3.5  # s in which nodes find each other; participants announce themselves every 3 s
_JOIN_TIME = 10.0  # s for callbacks to end at shutdown
_MOST_FAILURES = 100  # on end, without anything that works between them
_LAST_WORK = 3.0  # s for what has arrived before the shutdown


def prepare_middleware() -> None:
    """Keep nodes on this machine and give images room in shared memory, unless the user said otherwise.

    Takes effect on contexts made afterwards; ``vantage.nodes.runtime.running`` says how users ask for the network.
    """
    for name, value in discovery_environment(os.environ, profile_names()).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


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
    """Spins nodes in one thread of its own until it is closed.

    By rclpy's executor of one thread, because its other two are no base for nodes that must answer in time: the one of
    many threads pauses for seconds on two busy cores, and EventsExecutor of rclpy 7.1 takes its queue's lock and
    Python's own in both orders, so that a node which makes a client in another thread stands still for ever.

    Callbacks of the nodes are guarded (``callbacks``); what raises outside of them, within rclpy, is told and spinning
    goes on, unless nothing else happens any more.
    """

    def __init__(self, nodes: Sequence[Node], context: Context) -> None:
        self._nodes = list(nodes)
        self._context = context
        self._executor = SingleThreadedExecutor(context=context)
        for node in self._nodes:
            self._executor.add_node(node)
        self._closing = threading.Event()
        self._running: Future[None] = Future()
        self._thread = threading.Thread(target=self._spin, name="spin", daemon=True)
        self._thread.start()

    @property
    def running(self) -> Future[None]:
        """Ends when spinning does; holds the error that ended it."""
        return self._running

    @property
    def executor(self) -> str:
        """The kind of the executor."""
        return type(self._executor).__name__

    @property
    def names(self) -> str:
        """Of the nodes, in words."""
        return ", ".join(node.get_name() for node in self._nodes)

    def close(self) -> None:
        """Let running work end, stop spinning and destroy the nodes; harmless when repeated.

        Raises:
            VantageError: a callback, or work that one began, did not end in time.
        """
        if not self._nodes:
            return
        ends = time.monotonic() + _JOIN_TIME
        # Work first, while responses and results are still sent.
        late = [name for node in self._nodes for name in callbacks_of(node).close(max(0.0, ends - time.monotonic()))]
        self._closing.set()
        self._executor.create_task(_nothing)  # ends the wait for work
        self._thread.join(max(0.1, ends - time.monotonic()))
        if late or self._thread.is_alive():
            what = f"the work '{late[0]}'" if late else "a callback"
            raise VantageError(f"{what} of {self.names} did not end within {_JOIN_TIME:.0f} s of the shutdown")
        # Only now, because callbacks that end after it trip over what it took away.
        self._executor.shutdown()
        nodes, self._nodes = self._nodes, []
        for node in nodes:
            node.destroy_node()

    def _spin(self) -> None:
        failures = 0
        try:
            while self._context.ok() and not self._closing.is_set():
                try:
                    self._executor.spin_once()
                    failures = 0
                except (ExternalShutdownException, ShutdownException):
                    break
                except InvalidHandle:  # something was destroyed while the executor was about to wait for it
                    pass
                except Exception as error:
                    failures += 1
                    if failures >= _MOST_FAILURES:
                        raise
                    for node in self._nodes:
                        callbacks_of(node).failed("a callback", error)
            self._work_off()
        except (ExternalShutdownException, ShutdownException):
            pass
        except Exception as error:
            self._running.set_exception(error)
        finally:
            if not self._running.done():
                self._running.set_result(None)

    def _work_off(self) -> None:
        """Do what was handed over and what arrived until now, so that a recorder misses nothing."""
        ends = time.monotonic() + _LAST_WORK
        while self._context.ok() and time.monotonic() < ends:
            try:
                handler, _, _ = self._executor.wait_for_ready_callbacks(timeout_sec=0.0)
            except TimeoutException:
                return
            handler()


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
        with noted() as stop, ros_context(given) as context:
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
                try:
                    halt(node)
                finally:
                    _close(spinner)
            spinner.running.result(timeout=0)
            failure = getattr(node, "failure", None)
            if isinstance(failure, VantageError):
                raise failure
    except VantageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _close(spinner: Spinner) -> None:
    """Close, and once more where work was late: what the node owns is to be released."""
    try:
        spinner.close()
    except VantageError:
        spinner.close()
        raise


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


def destroyed_on_failure(init: Callable[..., None]) -> Callable[..., None]:
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
