"""Publishers and subscriptions from the one table of topics, with quality of service that users may override."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions

from vantage.nodes.runtime.callbacks import callbacks_of
from vantage.nodes.runtime.rclpy_messages import interface
from vantage.recording import Topic


def profile(topic: Topic, depth: int | None = None) -> QoSProfile:
    """Reliable, so that RViz shows it; transient local where late subscribers need the last message."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=topic.depth if depth is None else depth,
        reliability=ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if topic.latched else DurabilityPolicy.VOLATILE,
    )


def advertise(node: Node, topic: Topic, depth: int | None = None) -> Any:
    """A publisher of a topic, with a longer queue where one is given.

    ``qos_overrides.<topic>.publisher.*`` parameters change its quality of service.
    """
    return node.create_publisher(
        interface(topic.type),
        topic.name,
        profile(topic, depth),
        qos_overriding_options=QoSOverridingOptions.with_default_policies(),
    )


def listen(
    node: Node,
    topic: Topic,
    callback: Callable[..., None],
    *,
    raw: bool = False,
    depth: int | None = None,
    lost: Callable[[Any], None] | None = None,
    all_at_once: bool = False,
) -> Any:
    """A subscription to a topic; a callback that raises leaves its message out and is told (``callbacks``).

    Args:
        raw: the callback gets serialized bytes.
        depth: of the queue, where a slow subscriber needs a longer one than the publisher.
        lost: called with the middleware's count when messages were lost on the way.
        all_at_once: take all messages that wait when the first one is taken. The executor by itself takes about a
            thousand a second, of all topics together; a flood would push others out of the queue.
    """
    guarded = callbacks_of(node).guarded(f"a message on {topic.name}", callback)

    def take_all(message: Any) -> None:
        guarded(message)
        handle = subscription.handle
        for _ in range(subscription.qos_profile.depth):
            with handle:
                taken = handle.take_message(subscription.msg_type, False)
            if taken is None:
                return
            guarded(taken[0])

    subscription = node.create_subscription(
        interface(topic.type),
        topic.name,
        take_all if all_at_once else guarded,
        profile(topic, depth),
        raw=raw,
        event_callbacks=SubscriptionEventCallbacks(message_lost=lost) if lost is not None else None,
        qos_overriding_options=QoSOverridingOptions.with_default_policies(),
    )
    return subscription
