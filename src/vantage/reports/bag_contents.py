"""What a bag shows of an episode: its pictures, what was made out, and how much of the space was seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import RecordingError
from vantage.recording import (
    CAMERA_INFO,
    DETECTIONS,
    IMAGE_COMPRESSED,
    SEARCH_STATUS,
    TRUTH_GOAL_IMAGE,
    Recording,
    decode_pixels,
    read_bag,
    read_intrinsics,
    read_point,
    read_stamp,
)
from vantage.reports.trajectory_plan import Box, Seen, merged

Picture = NDArray[np.uint8]

_MOST_EVIDENCE = 3
_BESIDE = 0.1  # m: footprints of one label that come so close are those of one object


@dataclass
class BagContents:
    """What a bag shows.

    Attributes:
        frames: RGB pictures (H, W, 3) by caption: first and last frame, goal, evidence.
        objects: what was made out.
        known: share of the space seen at each look, first look first.
        fov: horizontal field of view, rad.
    """

    frames: dict[str, Picture] = field(default_factory=dict)
    objects: list[Seen] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    fov: float = 1.2


def read_contents(recording: Recording) -> BagContents:
    """Read the bag of a recording. Pictures that cannot be decoded are left out; no figure depends on them."""
    stamps = [evidence.stamp for answer in recording.answers for evidence in answer.evidence]
    evidence = {stamp: k for k, stamp in enumerate(dict.fromkeys(stamps), start=1) if k <= _MOST_EVIDENCE}
    shown: dict[str, Any] = {}
    known: dict[int, float] = {}
    found = BagContents()
    by_identity: dict[tuple[str, int], Seen] = {}
    for topic, _, message in read_bag(
        recording.path, (IMAGE_COMPRESSED, TRUTH_GOAL_IMAGE, DETECTIONS, SEARCH_STATUS, CAMERA_INFO)
    ):
        if topic is IMAGE_COMPRESSED:
            shown.setdefault("First frame", message)
            shown["Last frame"] = message
            number = evidence.get(read_stamp(message))
            if number is not None:
                shown[f"Evidence {number}"] = message
        elif topic is TRUTH_GOAL_IMAGE:
            shown["Goal"] = message
        elif topic is SEARCH_STATUS:
            known[read_stamp(message)] = float(message.known)
        elif topic is CAMERA_INFO:
            camera = read_intrinsics(message)
            found.fov = 2.0 * math.atan(0.5 * camera.width / camera.fx)
        else:
            for item in message.detections:
                _remember(found.objects, by_identity, item)
    order = ("First frame", "Last frame", "Goal", *(f"Evidence {k}" for k in sorted(evidence.values())))
    pictures = {caption: _picture(shown[caption]) for caption in order if caption in shown}
    found.frames = {caption: picture for caption, picture in pictures.items() if picture is not None}
    found.known = [known[stamp] for stamp in sorted(known) if math.isfinite(known[stamp])]
    return found


def together(episodes: Sequence[Sequence[Seen]]) -> list[Seen]:
    """All objects of several episodes in one scene, each once."""
    found: list[Seen] = []
    for objects in episodes:
        for obj in objects:
            _merge(found, obj)
    return found


def _remember(objects: list[Seen], by_identity: dict[tuple[str, int], Seen], item: Any) -> None:
    low, high = read_point(item.bounds_min), read_point(item.bounds_max)
    if not np.isfinite((*low, *high)).all():
        return
    seen = Seen(item.label, (low[0], low[1], high[0], high[1]), low[2], item.room)
    if item.instance_id <= 0:
        _merge(objects, seen)
        return
    known = by_identity.setdefault((item.label, item.instance_id), seen)
    if known is seen:
        objects.append(seen)
    else:
        known.box, known.bottom = merged(known.box, seen.box), min(known.bottom, seen.bottom)


def _merge(objects: list[Seen], seen: Seen) -> None:
    """Add an object, or widen the one with its label that is already there."""
    for known in objects:
        if known.label == seen.label and known.room == seen.room and _touch(known.box, seen.box):
            known.box, known.bottom = merged(known.box, seen.box), min(known.bottom, seen.bottom)
            return
    objects.append(Seen(seen.label, seen.box, seen.bottom, seen.room))


def _touch(one: Box, other: Box) -> bool:
    """Whether the middle of one footprint lies in the other, or nearly so."""
    return _holds(one, other) or _holds(other, one)


def _holds(box: Box, other: Box) -> bool:
    x, y = 0.5 * (other[0] + other[2]), 0.5 * (other[1] + other[3])
    return box[0] - _BESIDE <= x <= box[2] + _BESIDE and box[1] - _BESIDE <= y <= box[3] + _BESIDE


def _picture(message: Any) -> Picture | None:
    try:
        return decode_pixels(message)
    except RecordingError:
        return None
