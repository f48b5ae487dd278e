"""What the robot's own hand changes in the observed scene: what it holds, moved, put back, opened and closed.

The hand is felt: from when it holds something until it does not, the thing that was where it closed moves with it. So
what is seen where it was put is that thing again, with or without identities. If the thing that was thought to be held
is seen where it was, another one near is taken to be held instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.association import Sighting, costs
from vantage.perception.map.extents import Extent, carried, shifted_into, widened
from vantage.perception.map.handles import HandleMemory, ObservedHandle, distance_to
from vantage.perception.map.insides import InsideMemory
from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.map.placement import Placement
from vantage.perception.object_categories import BUILDING, CLOSABLE, LARGE
from vantage.types import OPEN, Detection, Point, Status, StepResult, Touch

_GRASP = 0.12  # m from the tool within which what is held was
_LARGEST = 0.3  # m^3 of a box: what is larger is not held
_HANDLE = 0.4  # m from the tool within which the handle is that was turned
_FRONT = 0.25  # m from the tool within which, where no handle was seen, what was opened is
_APART = 0.2  # m by which what is held must have been moved before it can be told where it is not
_BACK = 0.06  # m from its former place within which a thing is where it was
_SURE = 3.0  # cost below which a sighting shows a thing
_STILL = 1e-4  # m or unit: less is no motion
_AROUND = 0.05  # m around a box that its voxels reach
_FALL = 2.5  # m that something let go falls at the most

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FormerPlace:
    """Where a thing was before the hand took it: its box, what it was on or in, and how it was held.

    Attributes:
        T_world_tool: (4, 4) pose of the tool when it took it.
    """

    low: Point
    high: Point
    placement: Placement | None
    T_world_tool: Floats


@dataclass
class _Held:
    """``others`` may be held instead; ``key`` 0 stands for something that was never seen."""

    key: int
    looks: Sighting | None
    former: Extent | None
    others: list[int]
    T_world_taken: Floats


class HandMemory:
    """Follows the hand through the results of commands.

    Args:
        objects: the observed objects by identity, as their owner keeps them.
        handles: those that were seen.

    Attributes:
        insides: what was seen of the insides of what it opened.
        kept: what was put or left in something that was closed then: identities of things, and of what holds them.
        opened: since when (ns) each thing stands open that it opened, and the box that it had until then.
        former: where each thing was before the hand took it last.
    """

    def __init__(self, objects: Mapping[int, ObservedObject], handles: HandleMemory) -> None:
        self._objects, self._handles = objects, handles
        self.insides = InsideMemory()
        self.kept: dict[int, int] = {}
        self.former: dict[int, FormerPlace] = {}
        self.opened: dict[int, tuple[int, Extent]] = {}
        self._at_first: dict[int, FormerPlace] = {}  # before the hand took it for the first time
        self._opened_at_first: dict[int, bool] = {}  # whether it stood open before the hand turned it
        self._touch: Touch | None = None
        self._held: _Held | None = None
        self._place: Extent | None = None  # of what is held
        self._released: _Held | None = None  # what was held last
        self._T_world_released: Floats | None = None

    def reset(self) -> None:
        """Forget everything."""
        self.insides.reset()
        for known in self._keyed:
            known.clear()
        self._touch = self._held = self._place = None
        self._released = self._T_world_released = None

    @property
    def _keyed(self) -> tuple[dict[int, Any], ...]:
        """All that is known by the identity of a thing."""
        return self.kept, self.former, self.opened, self._at_first, self._opened_at_first

    @property
    def _T_world_tool(self) -> Floats | None:
        return None if self._touch is None else np.asarray(self._touch.T_world_tool, np.float64)

    @property
    def held(self) -> ObservedObject | None:
        """What is in the hand; None for nothing, and for what was never seen."""
        return None if self._held is None else self._objects.get(self._held.key)

    @property
    def holds(self) -> bool:
        """Whether the hand holds anything, seen or not."""
        return self._held is not None

    def asks_for_placements(self, result: StepResult) -> bool:
        """Whether ``acted`` goes by what things are on or in: of a command that turned a handle, or took something."""
        arm, touch = result.command.arm, result.observation.touch
        turned = arm is not None and arm.handle is not None and result.status == Status.DONE
        return turned or (self._held is None and touch is not None and touch.holds)

    def acted(self, result: StepResult, placements: Mapping[int, Placement | None]) -> tuple[list[Extent], int]:
        """Take in what became of a command.

        Args:
            placements: what each thing is on or in, as far as views told before; read where
                ``asks_for_placements`` says so.

        Returns:
            The boxes of space that something left or entered, and the identity of what was opened or closed, 0 for
            nothing.
        """
        touch = result.observation.touch
        if touch is None:
            return [], 0
        before, self._touch = self._touch or touch, touch
        arm = result.command.arm
        left: list[Extent] = []
        turned = 0
        if arm is not None and arm.handle is not None:
            if result.status == Status.DONE:
                left, turned = self._turn(arm.handle == OPEN, before, result.observation.stamp, placements)
        elif self._held is None and touch.holds:
            self._take(touch, placements)
        if self._held is not None:
            left += self._carry(before, touch)
            if not touch.holds:
                left += self._let_go()
        return left, turned

    def recheck(self, detections: Sequence[Detection]) -> None:
        """Of a new view, before it is taken in: whether something else is or was held than it was thought."""
        held, tool = self._held or self._released, self._tool
        if held is None or tool is None:
            return
        if held.key == 0:
            near = [item for item in detections if _is_small(item) and math.dist(item.center, tool) <= _GRASP]
            known = [item for item in near if item.instance_id in self._objects]
            if known:
                held.key = min(known, key=lambda item: math.dist(item.center, tool)).instance_id
            return
        if held.former is None or np.linalg.norm(tool - held.T_world_taken[:3, 3]) < _APART:
            return
        if any(self._shows_former(held, item, tool) for item in detections):
            self._held_another(held)

    @property
    def _tool(self) -> Floats | None:
        """Where the tool is or, with an empty hand, where it let something go."""
        at = self._T_world_tool if self._held is not None else self._T_world_released
        return None if at is None else at[:3, 3]

    def renamed(self, former: int, now: int) -> None:
        """Two objects turned out to be one, which keeps the identity of one of them."""
        for taken in (self._held, self._released):
            if taken is not None:
                taken.key = now if taken.key == former else taken.key
                renamed = [now if key == former else key for key in taken.others]
                taken.others = [key for key in dict.fromkeys(renamed) if key != taken.key]
        self._handles.renamed(former, now)
        self.insides.renamed(former, now)
        for known in self._keyed:
            if former in known:
                known.setdefault(now, known.pop(former))
        for thing, container in self.kept.items():
            if container == former:
                self.kept[thing] = now

    def follow(self) -> None:
        """After a view was taken in: what is held is where the hand is, whatever part of it shows."""
        obj = self.held
        if obj is not None and self._place is not None:
            obj.moved_to(*self._place)

    # Taking, carrying, letting go -------------------------------------------------------------------------------------

    def _take(self, touch: Touch, placements: Mapping[int, Placement | None]) -> None:
        tool = _position(touch.T_world_tool)
        self._released = None
        near = []
        for key, obj in self._objects.items():
            low, high = obj.reached_at
            away = distance_to(tool, low, high)
            volume = math.prod(b - a for a, b in zip(low, high, strict=True))
            if away <= _GRASP and volume <= _LARGEST and obj.label not in BUILDING:
                near.append((obj.label in LARGE, round(away, 3), volume, key))
        keys = [key for *_, key in sorted(near)]
        T_world_tool = np.array(touch.T_world_tool, np.float64)
        if not keys:
            self._held, self._place = _Held(0, None, None, [], T_world_tool), None
            return
        self._grip(keys[0], keys[1:], T_world_tool, T_world_tool, placements.get(keys[0]))

    def _grip(
        self, key: int, others: list[int], T_world_taken: Floats, T_world_tool: Floats, placement: Placement | None
    ) -> None:
        """A thing is held since the tool was at one pose; now it is at another."""
        obj = self._objects[key]
        low, high = obj.reached_at
        self._held = _Held(key, obj.looks, (low, high), others, T_world_taken)
        self.former[key] = FormerPlace(low, high, placement, T_world_taken)
        self._at_first.setdefault(key, self.former[key])
        self.kept.pop(key, None)
        self._place = carried((low, high), T_world_taken, T_world_tool)
        obj.moved_to(*self._place)

    def _carry(self, before: Touch, now: Touch) -> list[Extent]:
        obj, first, then = self.held, np.asarray(before.T_world_tool), np.asarray(now.T_world_tool)
        if obj is None or self._place is None or np.abs(first - then).max() < _STILL:
            return []
        left = self._place
        self._place = carried(left, first, then)
        obj.moved_to(*self._place)
        return [widened(left, _AROUND)]

    def _let_go(self) -> list[Extent]:
        """What was held lies on what is below it."""
        obj, place = self.held, self._place
        self._released, self._T_world_released = self._held, self._T_world_tool
        self._held = self._place = None
        if obj is None or place is None:
            return []
        low, high = place
        x, y = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
        below = [
            other
            for other in self._objects.values()
            if other is not obj and other.label != "ceiling" and other.box.covers(x, y, 0.0)
        ]
        inside = any(other.bounds_min[2] < low[2] < other.bounds_max[2] for other in below)  # a seat, an open drawer
        tops = [other.bounds_max[2] for other in below if other.bounds_max[2] <= 0.5 * (low[2] + high[2])]
        level = low[2] if inside else max(tops, default=low[2])
        fall = low[2] - level
        if abs(fall) <= _FALL:
            obj.moved_to((low[0], low[1], low[2] - fall), (high[0], high[1], high[2] - fall))
        return [widened(place, _AROUND)]

    def _shows_former(self, held: _Held, seen: Detection, tool: Floats) -> bool:
        """Whether a detection shows the thing that was thought to be held where it was."""
        if held.former is None or held.looks is None:
            return False
        if distance_to(seen.center, *held.former) > _BACK or np.linalg.norm(np.subtract(seen.center, tool)) < _APART:
            return False
        if seen.instance_id > 0:
            return seen.instance_id == held.key
        looks = Sighting.of(seen)
        if held.key > 0 or float(costs([looks], [held.looks])[0, 0]) >= _SURE:
            return False
        others = [obj.looks for key, obj in self._objects.items() if key < 0 and key != held.key]
        return not others or float(costs([looks], others).min()) >= _SURE

    def _held_another(self, held: _Held) -> None:
        """Put the thing back in mind, and take the next one near to be the one that is or was held."""
        obj = self._objects.get(held.key)
        if obj is not None and held.former is not None:
            obj.moved_to(*held.former)
        former = self.former.pop(held.key, None)
        if former is not None and self._at_first.get(held.key) is former:
            del self._at_first[held.key]
        left = [key for key in held.others if key in self._objects]
        T_world_tool = self._T_world_tool if self._held is not None else self._T_world_released
        if T_world_tool is None or not left:
            self._held = None if self._held is None else _Held(0, None, None, [], held.T_world_taken)
            self._released = self._place = None
        else:
            carries = self._held is not None
            self._grip(left[0], left[1:], held.T_world_taken, T_world_tool, None)
            if not carries:
                self._let_go()

    # Opening, closing -------------------------------------------------------------------------------------------------

    def _turn(
        self, opens: bool, touch: Touch, stamp: int, placements: Mapping[int, Placement | None]
    ) -> tuple[list[Extent], int]:
        tool = _position(touch.T_world_tool)
        handle = self._handles.nearest((float(tool[0]), float(tool[1]), float(tool[2])), _HANDLE)
        owner = self._objects.get(handle.owner) if handle is not None else None
        others = [] if handle is None else [each for each in self._handles.of(handle.owner) if each is not handle]
        if handle is not None:
            self._handles.moved(handle)
        owner = owner or self._what_opens(tool)
        if owner is None:
            return [], 0
        key = owner.instance_id
        self._opened_at_first.setdefault(key, not opens)
        left = widened(box := (owner.bounds_min, owner.bounds_max), _AROUND)
        place = (float(tool[0]), float(tool[1]), float(tool[2])) if handle is None else handle.center
        if opens:
            self._open(owner, place, others, tool, 0 if handle is None else handle.key)
            self.opened.setdefault(key, (stamp, box))
        else:
            self.insides.closed(key, place)
            self._shut(owner, placements)
        return [left], key

    def _open(self, owner: ObservedObject, place: Point, others: list[ObservedHandle], tool: Floats, key: int) -> None:
        """A thing stands open whose handle was at a place, with the tool where it is given, before the hand pulled."""
        owner.changed("open")
        way = np.zeros(3) if self._T_world_tool is None else self._T_world_tool[:3, 3] - tool
        _, box = self.opened.get(owner.instance_id, (0, (owner.bounds_min, owner.bounds_max)))
        self.insides.opened(owner.instance_id, box, place, [other.center for other in others], way, key)

    def _shut(self, owner: ObservedObject, placements: Mapping[int, Placement | None]) -> None:
        """A thing is closed now, with what was seen in it."""
        owner.changed("closed")
        if owner.instance_id in self.opened:
            owner.forget_views_since(self.opened.pop(owner.instance_id)[0])
        for thing, placement in placements.items():
            if placement is not None and placement.key == owner.instance_id and placement.relation == "in":
                self._keep(thing, owner)

    def restored(self, placements: Mapping[int, Placement | None]) -> tuple[list[Extent], set[int]]:
        """Everything is as it was found. What is inside of what is closed again is still known to be there.

        Args:
            placements: what each thing is on or in now.

        Returns:
            As ``acted``, of all that was moved, opened and closed.
        """
        left: list[Extent] = []
        self._touch = self._held = self._place = self._released = self._T_world_released = None
        for key, place in self._at_first.items():
            obj = self._objects.get(key)
            if obj is not None:
                left += [widened((obj.bounds_min, obj.bounds_max), _AROUND), widened((place.low, place.high), _AROUND)]
                obj.moved_to(place.low, place.high)
                self.kept.pop(key, None)
        inside = {key: placement for key, placement in placements.items() if key not in self._at_first}
        inside |= {key: place.placement for key, place in self._at_first.items()}
        for key, was_open in self._opened_at_first.items():
            owner = self._objects.get(key)
            if owner is None:
                continue
            left.append(widened((owner.bounds_min, owner.bounds_max), _AROUND))
            if was_open:
                owner.changed("open")
            else:
                for handle in self._handles.of(key):
                    if self.insides.has_opened(key, handle.center):
                        self._handles.moved(handle)
                self.insides.closed(key)
                self._shut(owner, inside)
        turned = set(self._opened_at_first)
        self._at_first.clear()
        self._opened_at_first.clear()
        self.opened.clear()
        return left, turned

    def _what_opens(self, tool: Floats) -> ObservedObject | None:
        near = [
            (distance_to(tool, obj.bounds_min, obj.bounds_max), key)
            for key, obj in self._objects.items()
            if obj.label in CLOSABLE or not {"open", "closed"}.isdisjoint(obj.states)
        ]
        distance, key = min(near, default=(math.inf, 0))
        return self._objects[key] if distance <= _FRONT else None

    def _keep(self, thing: int, owner: ObservedObject) -> None:
        """A thing went in with what was closed: it is within its box from now on, until it is seen."""
        obj = self._objects.get(thing)
        if obj is None or (self._held is not None and self._held.key == thing):
            return
        self.kept[thing] = owner.instance_id
        obj.moved_to(*shifted_into((obj.bounds_min, obj.bounds_max), (owner.bounds_min, owner.bounds_max)))


def _is_small(seen: Detection) -> bool:
    return math.prod(b - a for a, b in zip(seen.bounds_min, seen.bounds_max, strict=True)) <= _LARGEST


def _position(T_world_tool: Floats) -> Floats:
    return np.asarray(T_world_tool, np.float64)[:3, 3]
