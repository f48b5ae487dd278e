"""Assembles camera frames from the messages of several topics with one stamp."""

from __future__ import annotations

import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable
from typing import Any

from vantage.errors import WorldError
from vantage.recording import (
    CAMERA_INFO,
    DEPTH,
    DEPTH_CAMERA_INFO,
    IMAGE,
    INSTANCES,
    JOINT_STATES,
    TF,
    WRENCH,
    Topic,
    read_camera_pose,
    read_image,
    read_intrinsics,
    read_posture,
    read_stamp,
    read_touch,
)
from vantage.spatial import Viewpoint
from vantage.types import InstanceLabel, Observation

Frame = dict[Topic, Any]
Hand = tuple[float, bool]  # width of the gripper, m, and whether it holds something

_SIZED = (CAMERA_INFO, DEPTH, INSTANCES)


class FrameBuffer:
    """Collects messages by stamp, in any order, from any thread. Old and incomplete moments fall out.

    Args:
        topics: what makes a moment complete.
        capacity: moments kept.

    Attributes:
        fell_out: pictures that fell out because their moment was never complete, by the names of what was missing.
    """

    def __init__(self, topics: Iterable[Topic], capacity: int = 16) -> None:
        self._topics = tuple(topics)
        self._capacity = capacity
        self._frames: OrderedDict[int, Frame] = OrderedDict()
        self._changed = threading.Condition()
        self._halted = ""
        self._awaited: int | None = None
        self.fell_out: Counter[str] = Counter()

    def halt(self, reason: str) -> None:
        """Let every wait give up at once."""
        with self._changed:
            self._halted = reason
            self._changed.notify_all()

    def require(self, topics: Iterable[Topic]) -> None:
        """Change what makes a moment complete."""
        with self._changed:
            self._topics = tuple(topics)
            self._changed.notify_all()

    def add(self, topic: Topic, message: Any) -> tuple[int, Frame] | None:
        """Keep a message; the stamp and the parts of its moment when this one completed it."""
        stamp = _stamp(topic, message)
        if stamp is None:
            return None
        with self._changed:
            frame = self._frames.setdefault(stamp, {})
            was_complete = self._is_complete(frame)
            frame[topic] = message
            while len(self._frames) > self._capacity:
                old = self._frames.pop(self._least_wanted(stamp))
                if IMAGE in old and not self._is_complete(old):
                    self.fell_out[", ".join(topic.name for topic in self._missing(old))] += 1
            self._changed.notify_all()
            return (stamp, dict(frame)) if self._is_complete(frame) and not was_complete else None

    def wait(self, stamp: int, timeout: float) -> Frame:
        """The complete moment of exactly this stamp.

        Raises:
            WorldError: a part did not arrive within ``timeout`` s; names the topics.
        """
        with self._changed:
            self._awaited = stamp
            self._changed.wait_for(lambda: self._halted or self._is_complete(self._frames.get(stamp, {})), timeout)
            self._awaited = None
            frame = dict(self._frames.get(stamp, {}))
            missing = [topic.name for topic in self._missing(frame)]
            if not missing:
                return frame
            why = self._halted or f"nothing came within {timeout:.1f} s; is world_node running?"
        raise WorldError(f"{', '.join(missing)} with the stamp {stamp} ns did not arrive: {why}")

    def wait_after(self, stamp: int, timeout: float) -> tuple[int, Frame]:
        """The first complete moment later than ``stamp``.

        Raises:
            WorldError: none arrived within ``timeout`` s.
        """

        def later() -> int | None:
            complete = (key for key, frame in self._frames.items() if key > stamp and self._is_complete(frame))
            return min(complete, default=None)

        with self._changed:
            self._changed.wait_for(lambda: self._halted or later() is not None, timeout)
            found = later()
            if found is not None:
                return found, dict(self._frames[found])
            why = self._halted or f"none came within {timeout:.1f} s; is world_node running?"
        raise WorldError(f"no camera frame arrived: {why}")

    def _least_wanted(self, newest: int) -> int:
        """The oldest moment, but before all others one of which there are joint states alone: drivers of a robot tell
        them at moments of their own on the topic of the world."""
        others = [key for key in self._frames if key != self._awaited]
        strays = (key for key in others if key != newest and self._frames[key].keys() == {JOINT_STATES})
        return next(strays, others[0])

    def _is_complete(self, frame: Frame) -> bool:
        return not self._missing(frame)

    def _missing(self, frame: Frame) -> list[Topic]:
        """What a moment lacks; depth or ids of another size than the picture come with intrinsics of their own."""
        missing = [topic for topic in self._topics if topic not in frame]
        if not missing and DEPTH_CAMERA_INFO not in frame:
            sizes = {(frame[topic].height, frame[topic].width) for topic in _SIZED if topic in frame}
            return [DEPTH_CAMERA_INFO] if len(sizes) > 1 else []
        return missing


def _stamp(topic: Topic, message: Any) -> int | None:
    """The stamp of a message in ns; None for a transform of something else than the camera."""
    if topic is not TF:
        return read_stamp(message)
    pose = read_camera_pose(message)
    return None if pose is None else pose[0]


def frame_viewpoint(frame: Frame) -> Viewpoint:
    """Where the camera was, from the transforms that share the frame's stamp.

    Raises:
        WorldError: they do not lead to the camera.
    """
    pose = read_camera_pose(frame[TF])
    if pose is None:
        raise WorldError(f"{TF.name} holds no transform of the camera; the frame cannot be used")
    return pose[1]


def observation(
    stamp: int,
    frame: Frame,
    viewpoint: Viewpoint,
    legend: dict[int, InstanceLabel] | None,
    hand: Hand = (math.nan, False),
) -> Observation:
    """The observation that a complete moment holds; images are views of the messages.

    Args:
        hand: what is told of the hand of an arm besides what it feels and where it is.

    Raises:
        WorldError: the transforms of a world with an arm do not lead to its hand.
    """
    try:
        touch = read_touch(frame[WRENCH], frame[TF], hand) if WRENCH in frame else None
    except ValueError as error:
        raise WorldError(f"{TF.name} says nothing of the hand: {error}; the frame cannot be used") from error
    return Observation(
        stamp=stamp,
        viewpoint=viewpoint,
        intrinsics=read_intrinsics(frame[CAMERA_INFO]),
        rgb=read_image(frame[IMAGE]),
        depth=read_image(frame[DEPTH]) if DEPTH in frame else None,
        instances=read_image(frame[INSTANCES]) if INSTANCES in frame else None,
        legend=legend if INSTANCES in frame else None,
        posture=read_posture(frame[JOINT_STATES], frame[TF]) if touch is not None else None,
        depth_intrinsics=read_intrinsics(frame[DEPTH_CAMERA_INFO]) if DEPTH_CAMERA_INFO in frame else None,
        touch=touch,
    )


def camera_topics(senses: Iterable[str]) -> tuple[Topic, ...]:
    """The topics that share each stamp of a world with these senses."""
    topics = [IMAGE, CAMERA_INFO, TF]
    if "depth" in senses:
        topics.append(DEPTH)
    if "instances" in senses:
        topics.append(INSTANCES)
    if "touch" in senses:
        topics += [WRENCH, JOINT_STATES]
    return tuple(topics)
