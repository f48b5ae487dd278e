"""How a thing can be grasped, by the part of its surface that was seen: where the tool goes, and how it is turned."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import Box, ObservedObject
from vantage.planning.skills.approach import DOWN, FORWARD, SLANTED, approaches
from vantage.planning.skills.body import Approach
from vantage.planning.skills.situation import FRICTION, Situation
from vantage.spatial import wrap_angle
from vantage.types import Point

_OFF = 0.03  # m above the top, or before the front, of a thing that is grasped by touch alone
_IN_REACH = 0.05  # m from the tool, where what is grasped by touch alone has to be
_BEFORE = 0.025  # m before a side at which the tool of a level hand is
_LEVEL = 0.05  # m above what a thing stands on, at the least, at which it is: hand and wrist are as thick as that
_SHALLOW = math.radians(15.0)  # below level, as far as the hand may point down over the edge of a low thing
_ASKEW = 0.6  # m of way that a rad away from straight ahead is worth
_LOW = 0.6  # m of way that it is worth to grasp a low thing from above
_BESIDE = 0.01  # m around what stands beside
_FINGER = 0.04  # m below its top at which fingers close on a thing, as far as it goes
_DEEPER = 0.014  # m beyond the middle of what is in sight: behind the tool the pads are longer than before it
_SUNK_IN = 0.042  # m beyond a side, straight before which fingers close around a thing
_CLEAR = 0.025  # m above what a thing stands on, above which the tool stays: fingers go on beyond it
_SUNK = 0.06  # m that the lowest seen part of a thing may be above or below what it stands on
_SLACK = 0.015  # m by which a thing has to be narrower than the open hand
_AROUND = 0.015  # m around the box of a thing in which pixels show it
_ROUND, _HEADINGS = 1.15, 24  # length by width up to which a thing is as good as round, and directions that are tried
_LEAST = 30  # pixels that tell how a thing is turned
_ASIDE = 0.7  # rad that the hand may come askew to a side that it grasps
_RIM = 0.02  # m from the end of a thing at which it is grasped there
_TURNED = 0.2  # sine of twice the angle to the walls, from which on a thing counts as turned
_TALL = 0.07  # m: lower things are grasped from above, or over their edge


@dataclass(frozen=True)
class Outline:
    """What was seen of a thing from above: the middle of its outline (m), its width and its length (m), and the
    direction of its length (rad)."""

    middle: tuple[float, float]
    width: float
    length: float
    along: float


def outline_of(now: Situation, obj: ObservedObject) -> Outline:
    """By the points that the newest view shows in the box of a thing or, where these are few, by the box."""
    low, high = (np.array(corner) for corner in obj.reached_at)
    points = _points_in(now, low - _AROUND, high + _AROUND, obj.instance_id)
    if len(points) >= _LEAST:
        level = (1000.0 * points[:, :2]).astype(np.float32)
        (x, y), (w, h), degrees = cv2.minAreaRect(level)
        angle = math.radians(degrees)
        width, length, along = (w, h, angle + 0.5 * math.pi) if w < h else (h, w, angle)
        box = high[:2] - low[:2]
        if 0.001 * length >= 0.5 * float(box.max()):  # else too little of it is in sight
            return Outline((0.001 * x, 0.001 * y), 0.001 * width, 0.001 * length, along)
    middle, size = 0.5 * (low + high), high - low
    along = 0.0 if size[0] >= size[1] else 0.5 * math.pi
    return Outline((float(middle[0]), float(middle[1])), float(min(size[:2])), float(max(size[:2])), along)


def grasps(now: Situation, obj: ObservedObject) -> list[Approach]:
    """Ways to grasp a thing, best first; none where its size or place allows none."""
    outline = outline_of(now, obj)
    low, high = (corner[2] for corner in obj.reached_at)
    if now.grasp == FRICTION:
        placement = now.memory.support_of(obj)
        support = None if placement is None or placement.relation != "on" else now.get(placement.key)
        if support is not None and abs(support.bounds_max[2] - low) < _SUNK:
            low = support.bounds_max[2]
        elif placement is not None and placement.relation == "in":  # of which the rim hides the lower part
            low = min(low, high - max(outline.width, float(min(np.subtract(obj.bounds_max, obj.bounds_min)[:2]))))
        return sorted(
            _pinches(now, obj, outline, low, high) + _front_pinches(now, obj, outline), key=lambda each: each.cost
        )
    found = []
    first, last = (np.array(corner) for corner in obj.reached_at)
    points = _points_in(now, first - _AROUND, last + _AROUND, obj.instance_id)
    for rank, (x, y) in enumerate(_tops(now, obj, outline, points)):
        found += [
            replace(each, cost=each.cost + rank) for each in approaches(now, (x, y, high + _OFF), (DOWN, SLANTED))
        ]
    found += _fronts(now, obj)
    return sorted(found, key=lambda each: each.cost)


def _fronts(now: Situation, obj: ObservedObject) -> list[Approach]:
    """Before the middles of its sides with the hand level: the only ways in a shelf. What is low is reached over its
    edge, so that the hand stays above what it lies on."""
    low, high = (np.array(corner) for corner in obj.reached_at)
    tall = high[2] - low[2] >= _TALL
    off, pitches = (_BEFORE, (FORWARD,)) if tall else (0.0, (FORWARD, _SHALLOW))
    found = []
    for axis in (0, 1):
        for sign, side in ((-1.0, low[axis]), (1.0, high[axis])):
            point = 0.5 * (low + high)
            point[axis] = side + sign * off
            point[2] = max(point[2], low[2] + _LEVEL)
            if _is_crowded(now, obj, point):
                continue
            out: Point = (sign, 0.0, 0.0) if axis == 0 else (0.0, sign, 0.0)
            straight = math.atan2(-out[1], -out[0])
            for each in approaches(now, (float(point[0]), float(point[1]), float(point[2])), pitches, out, _ASIDE):
                askew = abs(wrap_angle(each.yaw - straight))
                found.append(replace(each, cost=each.cost + _ASKEW * askew + (0.0 if tall else _LOW)))
    return found


def _is_crowded(now: Situation, obj: ObservedObject, point: NDArray[np.float64]) -> bool:
    """Whether something beside a thing is where the tool would be; what is below or around the thing does not count."""
    x, y, z = point.tolist()
    middle_x, middle_y, _ = (0.5 * np.add(*obj.reached_at)).tolist()
    return any(
        other.box.covers(x, y, _BESIDE) and other.bounds_min[2] < z < other.bounds_max[2] + _BESIDE
        for other in now.memory.objects
        if other is not obj and not other.box.covers(middle_x, middle_y, 0.0)
    )


def _tops(
    now: Situation, obj: ObservedObject, outline: Outline, points: NDArray[np.float64]
) -> list[tuple[float, float]]:
    """Places of the top of a thing on which nothing else is: its middle, else both ends of its length, and its nearest
    rim; first those where ``points`` (N, 3), m, show that there is something, for a bowl is hollow."""
    x, y = outline.middle
    away = max(0.5 * outline.length - _RIM, 0.0)
    c, s = away * math.cos(outline.along), away * math.sin(outline.along)
    high = obj.reached_at[1][2]
    others = [
        other
        for other in now.memory.objects
        if other is not obj
        and other.box.area < obj.box.area
        and other.bounds_max[2] > high - 0.05
        and other.bounds_min[2] < high + 0.1
    ]
    places = [(x, y), (x + c, y + s), (x - c, y - s), (x - s, y + c), (x + s, y - c)]
    rim = points[points[:, 2] > high - _RIM, :2]
    if len(rim):
        nearest = rim[np.argmin(np.hypot(rim[:, 0] - now.here.x, rim[:, 1] - now.here.y))]
        places.insert(1, (float(nearest[0]), float(nearest[1])))
    free = [place for place in places if not any(other.box.covers(*place, 0.01) for other in others)]
    if len(points) < _LEAST:
        return free[:3]
    return sorted(free, key=lambda place: not _is_touched(points, (*place, high + _OFF)))[:3]


def _is_touched(points: NDArray[np.float64], tool: Point) -> bool:
    """Whether a hand at a point (m) would have something of a thing in its reach."""
    return bool((np.linalg.norm(points - np.array(tool), axis=1) < _IN_REACH).any())


def _pinches(now: Situation, obj: ObservedObject, outline: Outline, low: float, high: float) -> list[Approach]:
    """With the fingers on both sides of the width."""
    opening = now.body.opening - _SLACK
    if outline.width > opening:
        return []
    is_round = outline.length <= _ROUND * outline.width
    if is_round:  # as much of it is in the dark as in sight
        x, y, _ = (0.5 * np.add(*obj.reached_at)).tolist()
        outline = replace(outline, middle=(x, y))
        low = min(low, high - outline.width)
    height = max(min(high - _FINGER, 0.5 * (low + high)), low + _CLEAR)  # of flat things the fingertips take hold
    x, y = outline.middle
    spot: Point = (x, y, height)
    found: list[Approach] = []
    headings = [outline.along, outline.along + math.pi]
    if outline.length <= opening:
        headings += [outline.along + 0.5 * math.pi, outline.along - 0.5 * math.pi]
    if is_round:
        headings = [2.0 * math.pi * k / _HEADINGS for k in range(_HEADINGS)]
    for yaw in headings:  # from before, less of it is in sight than there is
        ahead = _DEEPER * math.cos(yaw), _DEEPER * math.sin(yaw)
        lower = max(height - 0.5 * _DEEPER, low + _CLEAR)
        found += approaches(now, (x + 0.7 * ahead[0], y + 0.7 * ahead[1], lower), (SLANTED,), headings=[yaw])
        if high - low >= _TALL and is_round:
            level = min(max(0.5 * (low + high), low + _LEVEL), high - _BESIDE)
            found += approaches(now, (x + ahead[0], y + ahead[1], level), (FORWARD,), headings=[yaw])
    for number in range(_HEADINGS):
        yaw = wrap_angle(2.0 * math.pi * number / _HEADINGS)
        turn = wrap_angle(2.0 * (yaw - outline.along)) / 2.0  # fingers are alike, so half a turn is none
        found += approaches(now, spot, (DOWN,), headings=[yaw], roll=0.0 if is_round else turn)
    return sorted(found, key=lambda each: each.cost)


def _front_pinches(now: Situation, obj: ObservedObject, outline: Outline) -> list[Approach]:
    """With a level hand straight before a side, the fingers left and right of it, as in a shelf: of its box and, where
    it is turned, of its outline."""
    low, high = (np.array(corner) for corner in obj.reached_at)
    if high[2] - low[2] < _TALL:
        return []
    x, y = (0.5 * (low + high)[:2]).tolist()
    wide, long = (high - low)[:2].tolist()
    sides = [(x, y, yaw, wide, long) for yaw in (0.0, math.pi)]
    sides += [(x, y, yaw, long, wide) for yaw in (0.5 * math.pi, -0.5 * math.pi)]
    if abs(math.sin(2.0 * outline.along)) > _TURNED:
        x, y = outline.middle
        sides += [(x, y, outline.along + turn, outline.length, outline.width) for turn in (0.0, math.pi)]
        sides += [
            (x, y, outline.along + turn, outline.width, outline.length) for turn in (0.5 * math.pi, -0.5 * math.pi)
        ]
    found: list[Approach] = []
    for x, y, yaw, deep, across in sides:
        if across > now.body.opening - _SLACK:
            continue
        ahead = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        aside = np.array([-ahead[1], ahead[0], 0.0])
        point = np.array([x, y, min(max(0.5 * (low[2] + high[2]), low[2] + _LEVEL), high[2] - _BESIDE)])
        point -= max(0.5 * deep - _SUNK_IN, 0.0) * ahead
        beside = (0.5 * across + _BESIDE) * aside
        if _is_crowded(now, obj, point + beside) or _is_crowded(now, obj, point - beside):
            continue
        px, py, pz = point.tolist()
        found += approaches(now, (px, py, pz), (FORWARD, _SHALLOW), headings=[wrap_angle(yaw)])
    return found


def shows_in(now: Situation, key: int, place: Box) -> bool:
    """Whether the newest view shows a thing with an identity in the scene within a box, as where it was."""
    ids = now.observation.instances
    if key <= 0 or ids is None or not (ids == key).any():
        return False
    return len(_points_in(now, np.array(place.low), np.array(place.high), key)) >= _LEAST


def _points_in(now: Situation, low: NDArray[np.float64], high: NDArray[np.float64], key: int) -> NDArray[np.float64]:
    """Points (N, 3) that the newest view shows within a box, of the thing alone where there are ids."""
    observation = now.observation
    if observation.depth is None:
        return np.zeros((0, 3))
    camera, depth = observation.depth_camera, observation.depth
    wanted = depth > 0.0
    if key > 0 and observation.instances is not None and (observation.instances == key).any():
        wanted &= observation.instances == key
    rows, columns = np.nonzero(wanted)
    z = depth[rows, columns].astype(np.float64)
    rays = np.stack([(columns + 0.5 - camera.cx) / camera.fx, (rows + 0.5 - camera.cy) / camera.fy, np.ones(len(z))])
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    points = (rays * z).T @ T_world_camera_optical[:3, :3].T + T_world_camera_optical[:3, 3]
    inside = ((points >= low) & (points <= high)).all(axis=1)
    return np.asarray(points[inside])
