"""Random messages and bytes on every topic and service of the graph: which nodes end, or no longer answer."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.impl.implementation_singleton import rclpy_implementation

from vantage.config import Settings
from vantage.nodes.bench.graph_processes import NODES, Caller, episode_runs, graph, revive
from vantage.nodes.bench.random_messages import random_bytes, random_message
from vantage.nodes.runtime.rclpy_messages import interface
from vantage.nodes.runtime.topics import profile
from vantage.recording.topics import Topic

RCLError = rclpy_implementation.RCLError
_BURST = 100  # messages of a topic between two looks at the nodes
_MATCH = 10.0  # s for a publisher to be heard
_TAKE = 5.0  # s for what was sent to be taken
_CALL = 5.0  # s for the answer to a random request
_OURS = ("vantage_eqa/", "std_srvs/")  # services of our own, without those that rclpy makes


def bench_deaf(
    settings: Settings,
    episodes: Path,
    folder: Path,
    context: Context,
    count: int,
    seed: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Send so many random messages, half of them bytes, to every topic, and requests to every service, of each node.

    ``deaf_nodes`` counts the times that a node had to be started anew because it had ended or answered no more,
    ``unanswered`` random requests without an answer; ``episode_after`` tells whether an episode is run and scored at
    the end.
    """
    found, by_node = Counter[str](), Counter[str]()
    with graph(settings, episodes, "random", folder, context) as (made, caller):
        topics, services = _subscribed(caller), _served(caller)

        def check(what: str) -> None:
            dead = made.dead()
            deaf = [node for node in NODES if node in dead or not caller.answers(node)]
            by_node.update(deaf)
            found.update(deaf=len(deaf), dead=len(dead))
            if deaf:
                say(f"messages: {', '.join(deaf)} deaf after {what}")
                revive(made, caller, deaf)

        for number, (name, kind) in enumerate(sorted(topics.items()), start=1):
            draw = random.Random(f"{seed} {name}")
            found["messages"] += _flood(caller, name, kind, count, draw, check)
            say(f"messages: topic {number}/{len(topics)} {name}, {found['deaf']} deaf so far")
        for number, (name, kind) in enumerate(sorted(services.items()), start=1):
            draw = random.Random(f"{seed} {name}")
            for sent in range(count):
                request = random_message(interface(kind).Request, draw)
                found["unanswered"] += caller.call(kind, name, request, _CALL) is None
                if made.dead():
                    check(f"request {sent} to {name}")
            check(f"requests to {name}")
            found["requests"] += count
            say(f"messages: service {number}/{len(services)} {name}, {found['deaf']} deaf so far")
        caller.call("std_srvs/srv/Trigger", "clear_stop")
        after = episode_runs(made, caller, context, say)
        tracebacks = made.tracebacks
    return {
        "topics": len(topics),
        "services": len(services),
        **{key: found[key] for key in ("messages", "requests", "unanswered")},
        "deaf_nodes": found["deaf"],
        "dead_nodes": found["dead"],
        "by_node": dict(by_node),
        "tracebacks": tracebacks,
        "episode_after": after,
    }


def _flood(caller: Caller, name: str, kind: str, count: int, draw: random.Random, check: Callable[[str], None]) -> int:
    """How many were sent: in bursts, each by a publisher of its own, which is gone when nodes are started anew."""
    total = 0
    for begun in range(0, count, _BURST):
        total += _burst(caller, name, kind, range(begun, min(count, begun + _BURST)), draw)
        check(f"{min(count, begun + _BURST)} messages on {name}")
    return total


def _burst(caller: Caller, name: str, kind: str, numbers: range, draw: random.Random) -> int:
    cls, total = interface(kind), 0
    publisher = caller.create_publisher(cls, name, profile(Topic(name, kind, depth=_BURST, latched=True)))
    try:
        _until(lambda: publisher.get_subscription_count() > 0, _MATCH)
        for number in numbers:
            message = random_bytes(cls, draw) if number % 2 else random_message(cls, draw)
            try:
                publisher.publish(message)
                total += 1
            except RCLError:  # more bytes than a type of fixed size can have are refused before they are sent
                continue
        publisher.wait_for_all_acked(Duration(seconds=_TAKE))
    finally:
        caller.destroy_publisher(publisher)
    return total


def _until(condition: Callable[[], bool], timeout: float) -> None:
    ends = time.monotonic() + timeout
    while not condition() and time.monotonic() < ends:
        time.sleep(0.02)


def _subscribed(caller: Caller) -> dict[str, str]:
    """Topics that a node of the graph listens to, without those of every ROS node."""
    found = {
        name: kinds[0] for node in NODES for name, kinds in caller.get_subscriber_names_and_types_by_node(node, "/")
    }
    return {name: kind for name, kind in found.items() if name not in ("/clock", "/parameter_events", "/rosout")}


def _served(caller: Caller) -> dict[str, str]:
    found = {name: kinds[0] for node in NODES for name, kinds in caller.get_service_names_and_types_by_node(node, "/")}
    return {name: kind for name, kind in found.items() if kind.startswith(_OURS) and "/srv/" in kind}
