"""What ROS adds to a step, against a bare pair of rclpy publisher and subscriber that moves the same images."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from rclpy.context import Context
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import Image

from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.messages import RclpyFactory
from vantage.nodes.parameters import overrides
from vantage.nodes.ros_world import connect
from vantage.nodes.running import Spinner, halt, refuse_taken_names, ros_context, start
from vantage.nodes.world import GROUPS, WorldNode
from vantage.registry import WORLDS
from vantage.runs.bench_step import bench_episode, stepping, still_world
from vantage.runs.messages import Codec
from vantage.runs.stopwatch import Times, measure
from vantage.splats.scene_file import load_scene
from vantage.types import Observation

_WORLD = "bench-still"
_PATIENCE = 5.0  # s for the bare pair


def bench_transport(folder: Path, settings: Settings, repetitions: int) -> tuple[Times, Times, Times]:
    """Times of a step over ROS, of the same step in process, and of the bare pair. Nothing is rendered in any of them.

    Node and client share the process, as in ``vantage up``; messages go through the middleware all the same.
    """
    scene = load_scene(folder)
    episode = bench_episode(scene)
    with closing(still_world(scene, settings)) as world:
        local = measure("step in process", stepping(world, episode, settings), repetitions)
        seen = world.observe()
    if _WORLD not in WORLDS.names():
        WORLDS.register(_WORLD, lambda values: still_world(scene, values))
    with ExitStack() as stack:
        context = stack.enter_context(ros_context([]))
        bare = measure("bare rclpy pair, same images", _bare_pair(context, seen, stack), repetitions)
    with ExitStack() as stack:
        context = stack.enter_context(ros_context([]))
        node = WorldNode(context, overrides(settings, GROUPS, world=_WORLD))
        stack.callback(Spinner([node], context).close)
        stack.callback(halt, node)
        refuse_taken_names([node])
        start(node)
        remote = stack.enter_context(closing(connect(settings, context=context)))
        over_ros = measure("step over ROS", stepping(remote, episode, settings), repetitions)
    return over_ros, local, bare


def _bare_pair(context: Context, seen: Observation, stack: ExitStack) -> Callable[[], None]:
    """Each call publishes the images of one look and returns when all of them were received."""
    codec = Codec(RclpyFactory())
    messages = [codec.image(1, seen.rgb, "rgb8")]
    if seen.depth is not None:
        messages.append(codec.image(1, seen.depth, "32FC1"))
    if seen.instances is not None:
        messages.append(codec.image(1, seen.instances, "32SC1"))
    talker, listener = Node("bench_talker", context=context), Node("bench_listener", context=context)
    received = threading.Semaphore(0)
    publishers = []
    for number in range(len(messages)):
        topic, qos = f"bench/image_{number}", QoSProfile(depth=5)
        publishers.append(talker.create_publisher(Image, topic, qos))
        listener.create_subscription(Image, topic, lambda _: received.release(), qos)
    stack.callback(Spinner([talker], context).close)
    stack.callback(Spinner([listener], context).close)

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
