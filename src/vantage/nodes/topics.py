"""Publishers and subscriptions from the one table of topics, with quality of service that users may override."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions

from vantage.nodes.messages import interface
from vantage.runs.topics import Topic


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
    group: CallbackGroup | None = None,
    *,
    raw: bool = False,
    depth: int | None = None,
    lost: Callable[[Any], None] | None = None,
) -> Any:
    """A subscription to a topic.

    Args:
        raw: the callback gets serialized bytes.
        depth: of the queue, where a slow subscriber needs a longer one than the publisher.
        lost: called with the middleware's count when messages were lost on the way.
    """
    return node.create_subscription(
        interface(topic.type),
        topic.name,
        callback,
        profile(topic, depth),
        callback_group=group,
        raw=raw,
        event_callbacks=SubscriptionEventCallbacks(message_lost=lost) if lost is not None else None,
        qos_overriding_options=QoSOverridingOptions.with_default_policies(),
    )
