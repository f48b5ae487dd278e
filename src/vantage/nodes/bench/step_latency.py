"""Latency that ROS adds to a step, against a bare pair of rclpy publisher and subscriber that moves the same images."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import Image

from vantage.bench import Times, bench_episode, measure_in_turn, stepping, still_world
from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.runtime import RclpyFactory, Spinner, halt, overrides, refuse_taken_names, ros_context, start
from vantage.nodes.world import GROUPS, WorldNode, connect
from vantage.recording import Codec
from vantage.registry import WORLDS
from vantage.splats import load_scene
from vantage.types import Observation

_WORLD = "bench-still"
_THREADS = 4
_PATIENCE = 30.0  # s for the bare pairs; the executor of many threads was seen to pause for seconds


@dataclass(frozen=True)
class Transport:
    """What was measured, one call of each in turn.

    Attributes:
        over_ros: a step over ROS; ``local``: the same step in process.
        bare: a bare pair of publisher and subscriber moves the same images, spun as the nodes are.
        many_threads: the same pair spun by rclpy's executor of many threads.
        executor: by which the nodes are spun.
    """

    over_ros: Times
    local: Times
    bare: Times
    many_threads: Times
    executor: str

    @property
    def added(self) -> Times:
        """What ROS adds to each step."""
        pairs = zip(self.over_ros.milliseconds, self.local.milliseconds, strict=True)
        return Times("ROS adds", tuple(remote - local for remote, local in pairs))


def bench_transport(folder: Path, settings: Settings, repetitions: int) -> Transport:
    """Times of a step over ROS, of the same step in process, and of bare pairs. Nothing is rendered in any of them.

    Node and client share the process, as in ``vantage up``; messages go through the middleware all the same.
    """
    scene = load_scene(folder)
    episode = bench_episode(scene)
    if _WORLD not in WORLDS.names():
        WORLDS.register(_WORLD, lambda values: still_world(scene, values))
    with ExitStack() as stack:
        local = stack.enter_context(closing(still_world(scene, settings)))
        step_local = stepping(local, episode, settings)
        seen = local.observe()
        context = stack.enter_context(ros_context([]))
        bare, many = (
            _bare_pair(context, seen, stack, name, spin)
            for name, spin in (("one", _spin_in_one_thread), ("many", _spin_in_many_threads))
        )
        node = WorldNode(context, overrides(settings, GROUPS, world=_WORLD))
        spinner = Spinner([node], context)
        stack.callback(spinner.close)
        stack.callback(halt, node)
        refuse_taken_names([node])
        start(node)
        remote = stack.enter_context(closing(connect(settings, context=context)))
        jobs = {
            "step over ROS": stepping(remote, episode, settings),
            "step in process": step_local,
            "bare rclpy pair, same images": bare,
            "bare rclpy pair, many threads": many,
        }
        over_ros, in_process, bare_times, many_times = measure_in_turn(jobs, repetitions)
        return Transport(over_ros, in_process, bare_times, many_times, spinner.executor)


def _spin_in_one_thread(node: Node, context: Context, stack: ExitStack) -> None:
    stack.callback(Spinner([node], context).close)


def _spin_in_many_threads(node: Node, context: Context, stack: ExitStack) -> None:
    executor = MultiThreadedExecutor(_THREADS, context=context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()

    def end() -> None:
        executor.shutdown()
        thread.join(_PATIENCE)
        node.destroy_node()

    stack.callback(end)


def _bare_pair(
    context: Context, seen: Observation, stack: ExitStack, name: str, spin: Callable[[Node, Context, ExitStack], None]
) -> Callable[[], None]:
    """Each call publishes the images of one look and returns when all of them were received."""
    codec = Codec(RclpyFactory())
    messages = [codec.image(1, seen.rgb, "rgb8")]
    if seen.depth is not None:
        messages.append(codec.image(1, seen.depth, "32FC1"))
    if seen.instances is not None:
        messages.append(codec.image(1, seen.instances, "32SC1"))
    talker, listener = Node(f"bench_talker_{name}", context=context), Node(f"bench_listener_{name}", context=context)
    received = threading.Semaphore(0)
    publishers = []
    for number in range(len(messages)):
        topic, qos = f"bench/{name}/image_{number}", QoSProfile(depth=5)
        publishers.append(talker.create_publisher(Image, topic, qos))
        listener.create_subscription(Image, topic, lambda _: received.release(), qos)
    spin(talker, context, stack)
    spin(listener, context, stack)

    def exchange() -> None:
        for publisher, message in zip(publishers, messages, strict=True):
            publisher.publish(message)
        for _ in messages:
            if not received.acquire(timeout=_PATIENCE):
                raise WorldError(
                    f"the bare pair lost an image: none came within {_PATIENCE:.0f} s; run the bench again"
                )

    ends = time.monotonic() + _PATIENCE
    while any(publisher.get_subscription_count() == 0 for publisher in publishers):
        if time.monotonic() > ends:
            raise WorldError(f"the bare pair did not find each other within {_PATIENCE:.0f} s; run the bench again")
        time.sleep(0.05)
    return exchange
