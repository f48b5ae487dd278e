"""A camera for tests: puts views on the topics of a world, whole or with parts missing, and hears what is told."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from box_world import look_around
from drawn_room import POSITIONS, TABLE_TOP, empty_room, put
from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.node import Node
from ros_fixtures import eventually

from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.nodes.runtime.topics import advertise, profile
from vantage.recording.from_messages import read_stamp
from vantage.recording.publishers import publish_observation
from vantage.recording.to_messages import Codec
from vantage.recording.topics import (
    CAMERA_INFO,
    CORRECTION,
    DEPTH,
    DETECTIONS,
    DIAGNOSTICS,
    IMAGE,
    INSTANCES,
    LEGEND,
    NOISE_REPORT,
    SEARCH_MARKERS,
    TF,
    Topic,
)
from vantage.types import Observation

MUG_AT = (1.6, 1.5, TABLE_TOP)
_PARTS = (IMAGE, CAMERA_INFO, TF, DEPTH, INSTANCES)
_HEARD = (CORRECTION, DETECTIONS, DIAGNOSTICS, NOISE_REPORT, SEARCH_MARKERS)


@lru_cache(maxsize=1)
def room_views() -> tuple[Observation, ...]:
    """A walk through a room with a red mug of ceramic on a table."""
    world = empty_room()
    put(world, 20, "mug", *MUG_AT, "red", "ceramic")
    return tuple(look_around(world, POSITIONS[2:4], (-0.9, -0.35), 6))


class CameraStream(Node):
    """
    Attributes:
        heard: messages by topic.
    """

    def __init__(self, context: Context, name: str = "camera") -> None:
        super().__init__(name, context=context)
        self._codec = Codec(RclpyFactory())
        self._out = {topic: advertise(self, topic, depth=100) for topic in (*_PARTS, LEGEND)}
        self._legend: Any = None
        self.heard: dict[Topic, list[Any]] = {topic: [] for topic in _HEARD}
        for topic in _HEARD:
            self.create_subscription(
                interface(topic.type), topic.name, self.heard[topic].append, profile(topic, depth=100)
            )

    def show(self, views: Iterable[Observation], without: Sequence[Topic] = (), seen: bool = True) -> None:
        """Publish views one after another.

        Args:
            without: topics that are left out.
            seen: wait until the QA node has looked at each.
        """
        eventually(lambda: all(self._out[topic].get_subscription_count() for topic in _PARTS))
        for view in views:
            self._show_legend(view)
            publish_observation(
                self._codec,
                lambda topic, stamp, message: self._out[topic].publish(message),
                view,
                lambda topic: topic in _PARTS and topic not in without,
            )
            if not seen:
                time.sleep(0.03)  # a camera's pace
            else:
                eventually(lambda stamp=view.stamp: stamp in map(read_stamp, self.heard[DETECTIONS]), 20.0)

    def _show_legend(self, view: Observation) -> None:
        """What the ids stand for, ahead of the first view."""
        if view.legend is not None and view.legend != self._legend:
            self._legend = view.legend
            self._out[LEGEND].publish(self._codec.legend(view.stamp, "room", view.legend))
            assert self._out[LEGEND].wait_for_all_acked(Duration(seconds=10))
            time.sleep(0.2)

    def diagnosed(self, key: str) -> str:
        """The newest figure of a kind of the QA node; empty where there is none."""
        for message in reversed(self.heard[DIAGNOSTICS]):
            for status in message.status:
                found = {item.key: item.value for item in status.values}
                if status.name.endswith("qa_node") and key in found:
                    return found[key]
        return ""

    def complaints(self) -> list[str]:
        """What the QA node was not fine with."""
        return [
            status.message
            for message in self.heard[DIAGNOSTICS]
            for status in message.status
            if status.name.endswith("qa_node") and status.level != status.OK
        ]
