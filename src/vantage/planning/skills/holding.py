"""Picking things up, and putting them down: where they were, or on or in something."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.perception.map import ObservedObject
from vantage.planning.skills.approach import DOWN, approaches
from vantage.planning.skills.body import Approach, Taken
from vantage.planning.skills.floor import Place
from vantage.planning.skills.going import Drive, look_at, looked_nearer, tucked
from vantage.planning.skills.grasps import grasps, outline_of, shows_in
from vantage.planning.skills.reaching import (
    STEEP,
    backed_off,
    followed,
    gone_back,
    raised,
    reach,
    reach_again,
    stand_ready,
    withdrawn,
)
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import FRICTION, Situation, Steps, failed, moved_hand, obey
from vantage.spatial import Matrix, wrap_angle
from vantage.types import KGF, ArmTarget, Command, Point, Status, StepResult

_ATTEMPTS = 10
_FINAL = frozenset({Failure.STOPPED, Failure.REFUSED, Failure.STUCK, Failure.TOO_HEAVY})
_SAME = 0.7  # m of way that it costs to come in the same direction from above or the side as what failed, each time
_LIFT, _LIFT_INSIDE = 0.1, 0.03  # m, of what was grasped from above, and from the side: there may be a board above
_LIFT_LEAST = 0.01  # m, where that is close
_WIDEST = 0.6  # m: larger things are not picked up
_DROP = 0.004  # m above where it was, from which a thing is let go
_FELT = ((0.05, 0.0), (0.02, 0.06), (0.02, -0.06))  # m ahead and to the left, where the hand feels for a thing
_THERE, _LAST = 0.03, 0.25  # m from where the base should stand, and of the last way of the hand
_HIGHER = (0.03, 0.07)  # m above a place that is barred, from which a thing is let go, too
_RAISED = 0.12  # m above its place, from which a thing is let down


def grasp(now: Situation, force: float) -> Generator[Command, None, StepResult]:
    """Close the hand with a force in kgf."""
    newton = min(force * KGF, now.body.force)
    return (yield from obey(now, Command(arm=ArmTarget(gripper_width=0.0, gripper_force=newton))))


def _grasped_by_feel(now: Situation, force: float) -> Generator[Command, None, StepResult]:
    """Close the hand; where touch is enough and nothing was there, feel for the thing around: it was not seen quite
    where it is."""
    at = np.array(now.touch.T_world_tool, np.float64)
    result = yield from grasp(now, force)
    for ahead, left in _FELT if now.grasp != FRICTION else ():
        if now.is_holding() or result.status != Status.COLLIDED:
            break
        yield from release(now)
        pose = at.copy()
        pose[:3, 3] += ahead * at[:3, 0] + left * at[:3, 1]
        if (yield from moved_hand(now, pose)).status == Status.DONE:
            result = yield from grasp(now, force)
    return result


def release(now: Situation) -> Generator[Command, None, StepResult]:
    """Open the hand."""
    return (yield from obey(now, Command(arm=ArmTarget(gripper_width=now.body.opening))))


@dataclass(frozen=True)
class Pick:
    """Take a thing into the hand and lift it; at the end the arm carries it.

    Attributes:
        key: identity of the thing.
        force: kgf; 0 for the firmest.
        carry: whether the arm is folded at the end.
    """

    key: int
    force: float = 0.0
    carry: bool = True

    name = "pick"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        if now.is_holding():
            return failed(Failure.HAND_FULL, "the hand holds something already; put it down first")
        obj = now.get(self.key)
        if obj is None:
            return failed(Failure.NOT_SEEN, f"nothing of identity {self.key} was seen; look around first")
        size = np.subtract(obj.bounds_max, obj.bounds_min)
        if float(np.sort(size)[1]) > _WIDEST:
            return failed(Failure.NOT_GRASPABLE, f"the {obj.label} is too large for the hand")
        yield from look_at(now, obj.center)
        obj = now.get(self.key) or obj
        if now.grasp == FRICTION and outline_of(now, obj).width > now.body.opening:
            return failed(Failure.NOT_GRASPABLE, f"the {obj.label} does not fit between the fingers")
        last = failed(Failure.OUT_OF_REACH, f"no free floor was seen from which the hand gets at the {obj.label}")
        tried: list[Approach] = []
        looks: list[Place] = []
        while len(tried) < _ATTEMPTS:
            chosen = _next(grasps(now, obj), tried)
            if chosen is None:
                nearer = yield from looked_nearer(now, obj.center, looks)
                if not nearer:
                    return last
                obj = now.get(self.key) or obj
                continue
            tried.append(chosen)
            ended = yield from self._attempt(now, chosen)
            if ended.done or ended.failure in _FINAL:
                return ended
            last = ended
            obj = now.get(self.key) or obj
        return last

    def _attempt(self, now: Situation, chosen: Approach) -> Steps:
        obj = now.get(self.key)
        if obj is None:
            return failed(Failure.NOT_SEEN, "it is not where it was any more")
        planned = np.add(*obj.reached_at)
        blocked = yield from stand_ready(now, chosen, obj.center)
        if blocked is not None:
            return blocked
        obj = now.get(self.key) or obj
        refined = _refined(now, obj, chosen)
        if refined is chosen and obj.spot is not None:
            refined = followed(now, chosen, 0.5 * (np.add(*obj.reached_at) - planned))
        chosen = refined
        blocked = yield from reach(now, chosen)
        if blocked is not None:
            yield from withdrawn(now)
            return blocked
        there, middle = obj.box, obj.center
        result = yield from _grasped_by_feel(now, self.force or now.firmest)
        if not now.is_holding():
            yield from withdrawn(now)
            return failed(Failure.NOT_GRASPABLE, result.reason or f"the {obj.label} was not in the hand")
        chosen = replace(
            chosen, x=now.here.x, y=now.here.y, yaw=now.here.yaw, T_world_tool=np.array(now.touch.T_world_tool)
        )
        _note_taken(now, self.key, chosen)
        lifted = result
        for height in (_LIFT, _LIFT_INSIDE) if chosen.pitch > STEEP else (_LIFT_INSIDE, _LIFT_LEAST):
            lifted = yield from raised(now, height)
            if lifted.status == Status.DONE or not now.is_holding():
                break
        if not now.is_holding():
            yield from withdrawn(now)
            heavy = self.force or now.firmest
            why = Failure.SLIPPED if now.grasp == FRICTION and not self.force else Failure.TOO_HEAVY
            if why is Failure.TOO_HEAVY:
                now.memory.weighed(self.key, heavy, math.inf)
            return failed(why, f"the {obj.label} slipped from a grasp with {heavy:.2f} kgf")
        if lifted.status != Status.DONE:
            lifted = yield from _backed(now)
            if lifted.status != Status.DONE:
                yield from release(now)
                yield from withdrawn(now)
                return failed(Failure.BLOCKED, lifted.reason)
        if self.carry:
            yield from gone_back(now)
            _note_taken(now, self.key, chosen)
            stuck = yield from tucked(now)
            _note_folded(now, self.key)
            if not now.is_holding():
                return failed(Failure.SLIPPED, f"the {obj.label} slipped while it was carried")
            if stuck is None:
                yield from look_at(now, middle)
            if stuck is None and shows_in(now, self.key, there):
                yield from PutBack().steps(now)
                return failed(Failure.NOT_GRASPABLE, f"something beside the {obj.label} was in the hand")
        return SkillResult()


def _note_taken(now: Situation, key: int, chosen: Approach) -> None:
    """Keep how a thing was taken, with lift and arm as they are now."""
    posture = now.observation.posture
    known = {} if posture is None else posture.joints
    now.taken.pop(key, None)  # the newest is the last
    joints = {name: known[name] for name in now.body.posture("home") if name in known}
    now.taken[key] = Taken(chosen, joints, float(now.touch.T_world_tool[2, 3] - chosen.T_world_tool[2, 3]))


def _note_folded(now: Situation, key: int) -> None:
    """Keep how far behind its stand the base folded the arm around a thing."""
    taken, here = now.taken[key], now.here
    away = math.dist((taken.approach.x, taken.approach.y), (here.x, here.y))
    now.taken[key] = replace(taken, approach=replace(taken.approach, advance=away))


def _next(ways: Sequence[Approach], tried: Sequence[Approach]) -> Approach | None:
    """The best of what is left, unlike what failed rather than much like it."""

    def cost(each: Approach) -> float:
        return each.cost + _SAME * sum(abs(each.pitch - other.pitch) < 0.3 for other in tried)

    return min((each for each in ways if _is_new(each, tried)), key=cost, default=None)


def _is_new(each: Approach, tried: Sequence[Approach]) -> bool:
    """Whether nothing much like it was tried."""
    return all(
        abs(each.pitch - other.pitch) > 0.1
        or abs(wrap_angle(each.yaw - other.yaw)) > 0.3
        or float(np.linalg.norm(each.T_world_tool[:3, 3] - other.T_world_tool[:3, 3])) > 0.03
        for other in tried
    )


def _refined(now: Situation, obj: ObservedObject, chosen: Approach) -> Approach:
    """The same approach by what the view from near shows."""
    near = [
        each
        for each in grasps(now, obj)
        if each.pitch == chosen.pitch
        and abs(wrap_angle(each.yaw - chosen.yaw)) < 0.4
        and math.dist((each.x, each.y), (chosen.x, chosen.y)) < 0.08
    ]
    if near:
        best = min(near, key=lambda each: math.dist((each.x, each.y), (chosen.x, chosen.y)))
        shift = np.array([now.here.x - best.x, now.here.y - best.y, 0.0])
        if np.linalg.norm(shift) < 0.03:
            return best
    return chosen


def _backed(now: Situation) -> Generator[Command, None, StepResult]:
    """Take the hand back along the way it points, with what it holds."""
    pose = np.array(now.touch.T_world_tool, np.float64)
    pose[:3, 3] -= 0.12 * pose[:3, 0]
    pose[2, 3] += 0.01
    return (yield from moved_hand(now, pose))


@dataclass(frozen=True)
class PutBack:
    """Put what the hand holds where it was taken from."""

    name = "put back"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        if not now.is_holding():
            return failed(Failure.NOT_HELD, "the hand holds nothing; pick something up first")
        obj = now.memory.held
        former = None if obj is None else now.memory.former_place(obj)
        taken = next(iter(reversed(now.taken.values())), None)  # whatever it was thought to be then
        if former is not None:
            place = former.T_world_tool
        elif taken is not None:
            place = taken.approach.T_world_tool
        else:
            return failed(Failure.NOT_SEEN, "what the hand holds was never seen; put it on something instead")
        label = "thing" if obj is None else obj.label
        return (yield from put_down(now, label, _above(place), taken))


def _above(T_world_tool: Matrix) -> Matrix:
    pose = np.array(T_world_tool, np.float64)
    pose[2, 3] += _DROP
    return pose


def put_down(now: Situation, label: str, T_world_tool: Matrix, taken: Taken | None = None) -> Steps:
    """Bring what is held to where the tool has a pose (4, 4), and let go of it there; if possible on the way on which
    it was ``taken``, or at least from there."""
    point = (float(T_world_tool[0, 3]), float(T_world_tool[1, 3]), float(T_world_tool[2, 3]))
    pitch = math.asin(min(max(-float(T_world_tool[2, 0]), -1.0), 1.0))
    last = failed(Failure.OUT_OF_REACH, f"no free floor was seen from which the hand gets to where the {label} goes")
    stands = _stands(now, T_world_tool, point, pitch)[:_ATTEMPTS]
    if taken is not None:
        first = replace(taken.approach, T_world_tool=T_world_tool, T_world_before=_raised(T_world_tool))
        stands = [first, first, *stands]
    for number, stand in enumerate(stands):
        blocked = yield from stand_ready(now, stand, point)
        if blocked is None and taken is not None and number == 0:
            blocked = yield from reach_again(now, taken, T_world_tool)
            if blocked is None:
                result = yield from moved_hand(now, T_world_tool)
                blocked = None if result.status == Status.DONE else failed(Failure.BLOCKED, result.reason)
        elif blocked is None:
            blocked = yield from reach(now, stand)
        is_there = math.dist((now.here.x, now.here.y), (stand.x, stand.y)) < _THERE and _is_near(now, T_world_tool)
        if blocked is not None and is_there and now.is_holding():
            blocked = yield from _let_down_higher(now, T_world_tool, blocked)
        if not now.is_holding():
            return failed(Failure.SLIPPED, f"the {label} slipped before it was there")
        if blocked is None:
            yield from release(now)
            yield from withdrawn(now)
            yield from look_at(now, point)
            return SkillResult()
        last = blocked
        yield from backed_off(now)
        if is_there and taken is None:  # elsewhere the hand would meet the same
            break
    return last


def _is_near(now: Situation, T_world_tool: Matrix) -> bool:
    return float(np.linalg.norm(np.asarray(now.touch.T_world_tool)[:3, 3] - T_world_tool[:3, 3])) < _LAST


def _let_down_higher(now: Situation, T_world_tool: Matrix, blocked: SkillResult) -> Drive:
    """Bring the hand a little above a pose (4, 4) in which it met something: what it holds may reach farther down than
    was seen."""
    for by in _HIGHER:
        pose = np.array(T_world_tool, np.float64)
        pose[2, 3] += by
        if (yield from moved_hand(now, pose)).status == Status.DONE:
            return None
    return blocked


def _stands(now: Situation, T_world_tool: Matrix, point: Point, pitch: float) -> list[Approach]:
    """Places of the base from which the tool gets to a pose as it is turned."""
    if abs(pitch - DOWN) > 0.2:
        yaw = math.atan2(float(T_world_tool[1, 0]), float(T_world_tool[0, 0]))
        headings = [yaw]
    else:  # pointing down: along the plane in which the tool's own z axis lies, which looks ahead
        yaw = math.atan2(float(T_world_tool[1, 2]), float(T_world_tool[0, 2]))
        headings = [yaw, yaw + 0.5 * math.pi, yaw - 0.5 * math.pi, yaw + math.pi]
    found = []
    for each in approaches(now, point, (pitch,), headings=headings, before=0.0):
        found.append(replace(each, T_world_tool=T_world_tool, T_world_before=_raised(T_world_tool)))
    return sorted(found, key=lambda each: (round(abs(wrap_angle(each.yaw - yaw)), 2), each.cost))


def _raised(T_world_tool: Matrix) -> Matrix:
    """From where the hand comes down or, from the side, ahead."""
    before = np.array(T_world_tool, np.float64)
    if -before[2, 0] > math.sin(STEEP):
        before[2, 3] += _RAISED
    else:
        before[:3, 3] += [*(-1.5 * _RAISED * before[:2, 0]), 0.02]
    return before
