"""What has to be so before something can be done to a thing, and why it is not done where it is not so."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import Seat, Shape, Solid, can_hold, moved, seat_beside, seat_of
from vantage.scenes.spec import OPENINGS, ObjectSpec
from vantage.types import CLOSE, OPEN, PUT_BESIDE, PUT_IN, PUTS, SWITCH_OFF, SWITCH_ON, TAKE, Cause, ObjectAction
from vantage.worlds.objects.home_state import HomeState, is_closed

Array = NDArray[np.float64]

_SWEEPS = 6  # places of a door on its way at which it must not meet the camera
_NEAR_END = 0.02  # share of a line of sight at its end that may lie in a wall, as what hangs there does
_PREPOSITIONS = {PUT_IN: "in", PUT_BESIDE: "beside"}


@dataclass(frozen=True)
class HandRules:
    """What a hand can do.

    Attributes:
        reach: from the camera to the nearest point of a thing, m.
        load: of what it takes, with all that is on or in that, kg.
        clearance: that doors and things keep from the camera, m.
    """

    reach: float
    load: float
    clearance: float


@dataclass(frozen=True)
class Fault:
    """Why something is not done."""

    cause: Cause
    reason: str


@dataclass(frozen=True)
class Deed:
    """What is done to a home; ``seat`` and what carries it are of things that are put somewhere.

    Attributes:
        idle: in words, why nothing changes; empty where something does.
    """

    action: ObjectAction
    seat: Seat | None = None
    relation: str = ""
    parent: int = 0
    room: int = 0
    idle: str = ""


def judged(state: HomeState, action: ObjectAction, eye: Array, hand: HandRules) -> Deed | Fault:
    """What an action that can be read would do, or why it cannot be done.

    Args:
        eye: where the camera is (3,), m.
    """
    for instance in (action.thing, action.place):
        if instance and instance not in state.objects:
            return Fault(Cause.TARGET, f"the home has no thing {instance}; name one of its instance ids")
    thing = state.objects[action.thing]
    if action.verb in PUTS:
        return _put(state, action, thing, eye, hand)
    if thing.instance_id in state.away:
        return Fault(Cause.HAND, f"the {thing.label} is in the hand; put it somewhere first")
    if state.held is not None:
        label = state.objects[state.held].label
        return Fault(Cause.HAND, f"the hand holds the {label}; put it somewhere first")
    fault = _capability(state, action, thing, hand) or _out_of_reach(state, thing, eye, hand)
    if fault is not None:
        return fault
    if action.verb in (OPEN, CLOSE):
        return _turned(action, thing, eye, hand)
    if action.verb == TAKE:
        return Deed(action)
    on = action.verb == SWITCH_ON
    already = ("on" in thing.states) == on
    return Deed(action, idle=f"the {thing.label} is {'on' if on else 'off'} already" if already else "")


def _capability(state: HomeState, action: ObjectAction, thing: ObjectSpec, hand: HandRules) -> Fault | None:
    if action.verb in (OPEN, CLOSE) and not thing.joints:
        return Fault(Cause.CAPABILITY, f"the {thing.label} has nothing that opens or closes; choose another thing")
    if action.verb in (SWITCH_ON, SWITCH_OFF) and not {"on", "off"} & set(thing.states):
        return Fault(Cause.CAPABILITY, f"the {thing.label} has no switch; choose another thing")
    if action.verb != TAKE:
        return None
    if thing.instance_id not in state.loose:
        return Fault(Cause.CAPABILITY, f"the {thing.label} belongs to the building or hangs on it; take another thing")
    mass = sum(state.objects[each].mass for each in (thing.instance_id, *state.carried(thing.instance_id)))
    if mass > hand.load:
        return Fault(
            Cause.HEAVY, f"the {thing.label} weighs {mass:.1f} kg, more than the hand's {hand.load:g} kg; take it apart"
        )
    return None


def _out_of_reach(state: HomeState, thing: ObjectSpec, eye: Array, hand: HandRules) -> Fault | None:
    """Whether a thing is too far away, behind a wall or in something closed."""
    closed = state.closed_around(thing.instance_id)
    if closed is not None:
        return Fault(Cause.CLOSED, f"the {thing.label} is in the {closed.label}, which is closed; open it first")
    nearest = _nearest(Solid.of(thing), eye)
    return _far(state, f"the {thing.label}", thing.instance_id, nearest, eye, hand)


def _far(state: HomeState, what: str, instance: int, point: Array, eye: Array, hand: HandRules) -> Fault | None:
    distance = float(np.linalg.norm(point - eye))
    if distance > hand.reach:
        return Fault(
            Cause.FAR, f"{what} is {distance:.2f} m away, beyond the reach of {hand.reach:g} m; go nearer first"
        )
    end = eye + (1.0 - _NEAR_END) * (point - eye)
    for obj in state.home.objects:
        barrier = obj.label == "wall" or (obj.label == "door" and is_closed(obj))
        if barrier and obj.instance_id != instance and _cuts(obj, eye, end):
            return Fault(Cause.FAR, f"a {obj.label} is before {what}; go around it first")
    return None


def _turned(action: ObjectAction, thing: ObjectSpec, eye: Array, hand: HandRules) -> Deed | Fault:
    opened = action.verb == OPEN
    if all(joint.position == (joint.high if opened else joint.low) for joint in thing.joints):
        return Deed(action, idle=f"the {thing.label} is {'open' if opened else 'closed'} already")
    for joint in thing.joints:
        way = (joint.high if opened else joint.low) - joint.position
        parts = [part for part in thing.parts if part.name == joint.part]
        for share in np.arange(1, _SWEEPS + 1) / _SWEEPS if way and parts else ():
            swept = Shape.of([moved(part, joint, float(share) * way) for part in parts])
            if _touches(swept.placed(thing.position, thing.yaw), eye, hand):
                return Fault(
                    Cause.CHECK, f"the {joint.part} of the {thing.label} would hit the camera; step back first"
                )
    return Deed(action)


def _put(state: HomeState, action: ObjectAction, thing: ObjectSpec, eye: Array, hand: HandRules) -> Deed | Fault:
    place = state.objects[action.place]
    if state.held != thing.instance_id:
        return Fault(Cause.HAND, f"the hand does not hold the {thing.label}; take it first")
    if place.instance_id in state.away:
        return Fault(Cause.TARGET, f"the {place.label} is in the hand, too; name another place")
    word = _PREPOSITIONS.get(action.verb, "on")
    if action.verb != PUT_BESIDE:
        inside = action.verb == PUT_IN
        if place.is_structure or place.label in OPENINGS or not can_hold(place, inside):
            return Fault(Cause.CAPABILITY, f"nothing can be put {word} the {place.label}; name another place")
        if inside and is_closed(place):
            return Fault(Cause.CLOSED, f"the {place.label} is closed; open it first")
    elif place.is_structure or (place.parent and state.objects[place.parent].is_structure):
        return Fault(Cause.CAPABILITY, f"nothing can be put beside the {place.label}; name another place")
    fault = _out_of_reach(state, place, eye, hand)
    if fault is not None:
        return fault
    deed = _seated(state, action, thing, place)
    if deed is None:
        return Fault(
            Cause.NO_ROOM, f"there is no room for the {thing.label} {word} the {place.label}; choose another place"
        )
    assert deed.seat is not None
    seated = Shape.of(thing.parts).placed(deed.seat.position, deed.seat.yaw)
    if _touches(seated, eye, hand):
        return Fault(Cause.CHECK, f"the {thing.label} would be put against the camera; step back first")
    what = f"the place {word} the {place.label}"
    return _far(state, what, place.instance_id, _nearest(seated, eye), eye, hand) or deed


def _seated(state: HomeState, action: ObjectAction, thing: ObjectSpec, place: ObjectSpec) -> Deed | None:
    """Where a thing comes to be, None where it does not fit."""
    others = state.home.objects
    if action.verb != PUT_BESIDE:
        inside = action.verb == PUT_IN
        near = [obj for obj in others if not obj.is_structure]
        seat = seat_of(thing, place, near, inside)
        relation, parent = ("in" if inside else "on"), place.instance_id
    else:
        support = state.objects[place.parent] if place.parent else None
        seat = seat_beside(thing, place, support, others, state.start.bounds_min[2])
        relation, parent = place.relation, place.parent
    return None if seat is None else Deed(action, seat, relation, parent, place.room)


def _touches(solid: Solid, eye: Array, hand: HandRules) -> bool:
    gaps = np.maximum(np.maximum(solid.low - eye, eye - solid.high), 0.0)
    return bool((np.linalg.norm(gaps, axis=1) < hand.clearance).any())


def _nearest(solid: Solid, eye: Array) -> Array:
    """The point of the boxes around parts that is nearest to the camera (3,)."""
    points = np.clip(eye, solid.low, solid.high)
    nearest: Array = points[int(np.argmin(np.linalg.norm(points - eye, axis=1)))]
    return nearest


def _cuts(wall: ObjectSpec, start: Array, end: Array) -> bool:
    """Whether a straight line meets a part of an object; boxes that are turned count with what is around them."""
    c, s = math.cos(wall.yaw), math.sin(wall.yaw)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    own = Shape.of(wall.parts, solid=True).placed((0.0, 0.0, 0.0), 0.0)
    a, b = (turn @ (point - np.asarray(wall.position)) for point in (start, end))
    return _meets(a, b, own.low, own.high)


def _meets(start: Array, end: Array, low: Array, high: Array) -> bool:
    way = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (low - start) / way, (high - start) / way
    level = way == 0.0
    outside = level & ((start < low) | (start > high))
    enter = np.where(level, -math.inf, np.minimum(first, last)).max(axis=1)
    leave = np.where(level, math.inf, np.maximum(first, last)).min(axis=1)
    hit: NDArray[np.bool_] = (enter <= leave) & (leave >= 0.0) & (enter <= 1.0) & ~outside.any(axis=1)
    return bool(hit.any())
