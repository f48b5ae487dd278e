"""Random messages and bytes on every topic and service of the graph: which nodes end, or no longer answer."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.serialization import serialize_message
from rosidl_parser.definition import (
    AbstractNestedType,
    AbstractString,
    AbstractWString,
    Array,
    BasicType,
    BoundedSequence,
    NamespacedType,
)

from vantage.config import Settings
from vantage.nodes.bench.graph_processes import NODES, Caller, episode_runs, graph, restart_nodes
from vantage.nodes.runtime import interface, profile
from vantage.recording import Topic

_FLOATS = (0.0, -0.0, 1.0, -1.0, 1e30, 1e308, -1e308, math.nan, math.inf, -math.inf, 1e-320)
_SINGLE = 3.4e38  # beyond it a float32 is refused before it is sent
_TEXTS = ("", " ", "one", "../../etc/passwd", "/", "a/b", "\x1b[31mred\x1b[0m\x07", "<b>&amp;", "\u202eabc", "%s%n")
_LONG = 5_000
_MOST = 4  # elements of a list, at random
_BYTES = 400


def random_message(kind: Any, draw: random.Random) -> Any:
    """A message whose fields are at their limits, empty, absurd or merely random."""
    message = kind()
    for name, field in zip(message.get_fields_and_field_types(), message.SLOT_TYPES, strict=True):
        setattr(message, name, _value(field, draw))
    return message


def random_bytes(kind: Any, draw: random.Random) -> bytes:
    """Bytes in the place of a message: noise, one that was cut off, or one with flipped bits."""
    way = draw.randrange(3)
    if way == 0:
        return draw.randbytes(draw.randrange(_BYTES))
    data = bytearray(serialize_message(random_message(kind, draw)))
    if way == 1:
        return bytes(data[: draw.randrange(len(data) + 1)])
    for _ in range(draw.randint(1, 8)):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def _value(field: Any, draw: random.Random) -> Any:
    if isinstance(field, AbstractNestedType):
        return _list(field, draw)
    if isinstance(field, (AbstractString, AbstractWString)):
        text = "x" * draw.randrange(_LONG) if draw.random() < 0.05 else draw.choice(_TEXTS)
        most = getattr(field, "maximum_size", None)
        return text if most is None else text[:most]
    if isinstance(field, NamespacedType):
        return random_message(interface("/".join(field.namespaced_name())), draw)
    assert isinstance(field, BasicType)
    return _scalar(field.typename, draw)


def _list(field: Any, draw: random.Random) -> Sequence[Any]:
    length = field.size if isinstance(field, Array) else draw.randint(0, _MOST)
    if isinstance(field, BoundedSequence):
        length = min(length, field.maximum_size)
    return [_value(field.value_type, draw) for _ in range(length)]


def _scalar(name: str, draw: random.Random) -> Any:
    if name == "boolean":
        return draw.random() < 0.5
    if name in ("octet", "char"):
        return draw.randbytes(1) if name == "octet" else draw.randrange(128)
    if name in ("float", "double"):
        value = draw.choice((*_FLOATS, draw.uniform(-10.0, 10.0)))
        return value if name == "double" or not math.isfinite(value) else max(-_SINGLE, min(_SINGLE, value))
    bits = int(name.removeprefix("u").removeprefix("int"))
    low, high = (0, 2**bits - 1) if name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return draw.choice((low, high, max(low, -1), 0, 1, 2, draw.randint(low, high)))


RCLError = rclpy_implementation.RCLError
_BURST = 100  # messages of a topic between two looks at the nodes
_MATCH = 10.0  # s for a publisher to be heard
_TAKE = 5.0  # s for what was sent to be taken
_CALL = 5.0  # s for the answer to a random request
_OURS = ("vantage_eqa/", "std_srvs/")  # services of our own, without those that rclpy makes


def bench_message_flood(
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
                restart_nodes(made, caller, deaf)

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
