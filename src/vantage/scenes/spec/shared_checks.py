"""What specifications and graphs of scenes both must keep to: ids, words, boxes, rooms and who carries whom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from vantage.errors import SceneError
from vantage.scenes.spec.outlines import crosses_itself, signed_area
from vantage.scenes.spec.spec import OPPOSITES, RELATIONS, RoomSpec
from vantage.types import Point

LARGEST_ID = 2**31 - 1  # what a pixel of an instance image holds


def check_id(instance_id: int, label: str, seen: set[int], where: str) -> None:
    """Make sure that an id is new, positive and fits into an image, and remember it.

    Raises:
        SceneError: otherwise.
    """
    if instance_id <= 0 or instance_id in seen:
        raise SceneError(
            f"{where} has the instance id {instance_id} ({label}) twice or not positive; "
            "give each object its own id from 1"
        )
    if instance_id > LARGEST_ID:
        raise SceneError(f"{where} has the instance id {instance_id} ({label}); give one up to {LARGEST_ID}")
    seen.add(instance_id)


def check_label(label: str, name: str) -> None:
    """Make sure that a class is named by words in lower case with single blanks between them.

    Raises:
        SceneError: otherwise.
    """
    if not label:
        raise SceneError(f"{name} has no label; name its class")
    plain = " ".join(label.lower().split())
    if label != plain:
        raise SceneError(f"{name} has the label '{label}'; write it in lower case without spare blanks: '{plain}'")


def check_words(words: Sequence[str], kind: str, name: str) -> None:
    """Make sure that no word of a list of states or parts is empty or there twice, and no two exclude each other.

    Raises:
        SceneError: otherwise.
    """
    if "" in words or len(set(words)) < len(words):
        raise SceneError(f"{name} has a {kind} twice or without a name: {', '.join(words)}; name each one once")
    for first, second in OPPOSITES:
        if kind == "state" and first in words and second in words:
            raise SceneError(f"{name} is said to be both {first} and {second}; leave one of them out")


def check_box(low: Point, high: Point, what: str) -> None:
    """Make sure that a box is finite and not turned inside out.

    Raises:
        SceneError: otherwise.
    """
    if not all(math.isfinite(value) for value in (*low, *high)):
        raise SceneError(f"the box of {what} must be finite, got {low} to {high}")
    if any(a > b for a, b in zip(low, high, strict=True)):
        raise SceneError(f"the box of {what} has min {low} above max {high}; exchange them")


def check_rooms(rooms: Iterable[RoomSpec], where: str) -> set[int]:
    """The ids of rooms that are sound.

    Raises:
        SceneError: an id is not unique or not positive, a label is no lower-case word, or an outline encloses nothing.
    """
    known: set[int] = set()
    for room in rooms:
        _check_room(room, where)
        if room.room_id in known:
            raise SceneError(f"{where} has room {room.room_id} twice; give each room its own id")
        known.add(room.room_id)
    return known


def check_parents(relations: dict[int, tuple[str, int]], where: str) -> None:
    """Make sure that every parent of {id: (relation, parent)} exists and that no thing carries itself.

    Raises:
        SceneError: otherwise.
    """
    for child, (relation, parent) in relations.items():
        if relation not in RELATIONS:
            raise SceneError(f"object {child} of {where} has the unknown relation '{relation}'; use 'on', 'in' or ''")
        if (parent == 0) != (relation == ""):
            raise SceneError(f"object {child} of {where} is '{relation}' of parent {parent}; give both or none")
        if parent and parent not in relations:
            raise SceneError(f"object {child} of {where} is {relation} object {parent}, which does not exist")
        steps, above = 0, parent
        while above:
            steps, above = steps + 1, relations[above][1] if above in relations else 0
            if above == child or steps > len(relations):
                raise SceneError(f"object {child} of {where} is its own parent or theirs in turn; break the cycle")


def require_finite(values: Iterable[float], what: str) -> None:
    """Make sure that numbers are numbers.

    Raises:
        SceneError: one is NaN or infinite.
    """
    found = tuple(values)
    if not all(math.isfinite(value) for value in found):
        raise SceneError(f"{what} must be finite numbers, got {found}")


def _check_room(room: RoomSpec, where: str) -> None:
    name = f"room {room.room_id} ({room.label}) of {where}"
    if room.room_id <= 0:
        raise SceneError(f"{name} needs a positive id and a label")
    check_label(room.label, name)
    require_finite((room.height, *(value for corner in room.outline for value in corner)), f"the corners of {name}")
    if len(room.outline) < 3 or room.height <= 0 or signed_area(room.outline) <= 0:
        raise SceneError(f"{name} is no room: give a height and at least 3 corners counter-clockwise")
    if crosses_itself(room.outline):
        raise SceneError(f"{name} has sides that cross each other; give its corners in order")
