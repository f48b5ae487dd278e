"""The service ``recall_look``: sends what was published of a look once more, for a recorder that missed it.

It has the type of ``recall_poses``, but tells no poses: in the response, ``poses.header.stamp`` is the stamp of the
look that was sent, which is the first one at or after ``observation_stamp``. Where it is kept but could not be sent,
because a topic has no subscriber yet, ``ok`` is false and the stamp is there.
"""

from __future__ import annotations

import time
from typing import Any

from rclpy.node import Node
from vantage_eqa.srv import RecallPoses

from vantage.nodes.runtime import JobQueue, advertise, serve
from vantage.nodes.world.look_history import LookHistory
from vantage.recording import Codec, Topic, read_time, recalled

SERVICE = "recall_look"
_MEETING = 2.0  # s for publisher and subscriber of a topic to find each other
_SLICE = 0.01  # s


class LookRecall:
    """Offers the service until it is closed.

    Args:
        queue: where requests are worked on; they may wait for a subscriber.
    """

    def __init__(self, node: Node, codec: Codec, history: LookHistory, queue: JobQueue) -> None:
        self._node, self._codec, self._history = node, codec, history
        self._publishers: dict[Topic, Any] = {}  # made when they are needed first, which is seldom
        self._service = serve(node, RecallPoses, SERVICE, self._on_request, queue)

    def close(self) -> None:
        """Withdraw the service and its topics."""
        self._node.destroy_service(self._service)
        publishers, self._publishers = self._publishers, {}
        for publisher in publishers.values():
            self._node.destroy_publisher(publisher)

    def _on_request(self, request: Any, response: Any) -> Any:
        stamp = read_time(request.observation_stamp)
        found = self._history.first_since(stamp)
        if found is None:
            response.message = f"no look at or after {stamp} ns is kept"
            return response
        shown, messages = found
        for topic in {topic: None for topic, _ in messages}:
            if topic not in self._publishers:
                self._publishers[topic] = advertise(self._node, recalled(topic))
        ends = time.monotonic() + _MEETING
        response.poses.header = self._codec.header(shown)
        while unheard := [topic for topic, _ in messages if not self._publishers[topic].get_subscription_count()]:
            if time.monotonic() > ends:
                response.message = f"nobody listens to {recalled(unheard[0]).name}"
                return response
            time.sleep(_SLICE)
        for topic, message in messages:
            self._publishers[topic].publish(message)
        response.ok = True
        return response
