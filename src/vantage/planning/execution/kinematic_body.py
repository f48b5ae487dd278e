"""Planned actions in homes that change kinematically: the camera goes near and looks, and they are done in one go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vantage.goals import object_key, room_of
from vantage.perception import LARGE
from vantage.perception.map import CoverageMap, ObservedObject, ObservedScene
from vantage.planning.actions import ActionSpace
from vantage.planning.execution.belief import Belief
from vantage.planning.execution.bodies import OBJECT_VERBS, PUTS
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.joined_actions import joined
from vantage.planning.skills import Failure, SkillResult
from vantage.planning.view_planning import SLACK, Goal, Panorama, ViewPlanner
from vantage.spatial import Viewpoint
from vantage.types import ArmTarget, Cause, Command, ObjectAction, Observation, Point, Status, StepResult
from vantage.worlds import WorldInfo

_FAILURES: Mapping[Cause, Failure] = MappingProxyType(
    {
        Cause.FAR: Failure.OUT_OF_REACH,
        Cause.CLOSED: Failure.BLOCKED,
        Cause.HAND: Failure.HAND_FULL,
        Cause.HEAVY: Failure.TOO_HEAVY,
        Cause.NO_ROOM: Failure.NO_ROOM,
        Cause.TARGET: Failure.NOT_SEEN,
        Cause.CHECK: Failure.BLOCKED,
        Cause.CAPABILITY: Failure.NOT_GRASPABLE,
    }
)
_ELSEWHERE = (Cause.FAR, Cause.CHECK, Cause.UNWARRANTED)  # from another place it may be done
MOST_COMMANDS = 60  # of one action
_SAFE = 0.8  # of the reach, within which a thing is handled: boxes are not known exactly
_MOST_VAIN = 4  # places from which something was tried in vain, before it is given up
_MOST_SPOTS = 4  # places in a room at which it is tried to put something
_FLOOR = "floor"
_ENOUGH = 12  # pixels of a thing that must be in sight
_BEST_FIRST = (  # in rooms, what things are put on
    "table",
    "counter",
    "desk",
    "coffee table",
    "bed",
    "nightstand",
    "bench",
    "dresser",
    "sofa",
    "armchair",
    "chair",
    "bookshelf",
)
BEARING = frozenset(label.replace(" ", "_") for label in _BEST_FIRST)
_WORTH = 1500.0  # of a view from within reach, in weighted voxels
_TOWARDS = 0.3  # of that, of one from twice as far
_AROUND = 1.0  # m around a thing in which unknown space is worth a look on the way
_CURIOUS = 0.3  # weight of its voxels
_AT_ONCE = 4  # actions of a way that are taken before it is planned anew
_SAME = 0.1  # m from where a look showed too little, within which another would, too
_MOST_LOOKS = 12  # places near a thing from which nothing of it was in sight, before it is given up
_NEARER, _NEAREST = 0.75, 0.4  # share of the distance before, and of the reach, from which it is tried then
_APART = 0.35  # m from where a wall was between or the hand did not reach
_NEARER_BY = 0.1  # m by which a view of what is in sight must be nearer, until it is within reach
_BACK = 0.15  # m by which it is stepped back at the least from what would have met the camera
_STEP = 4  # pixels between those that are asked what they show
_GROWN = 0.05  # m by which the box of a thing may be off


class KinematicBody:
    """An ``ActionBody`` of a camera with a hand that reaches what is near and in sight.

    What the hand touches is what the picture shows where the thing is believed to be: a perceiver that tells no
    identities leads it as well, and one that is wrong leads it astray.

    Args:
        left: tells how many commands the budget still allows.
        reach: m from the camera to what the hand gets at.
        joins: whether a command does several actions of a way, as far as the world's limits allow.
    """

    def __init__(
        self,
        memory: ObservedScene,
        coverage: CoverageMap,
        actions: ActionSpace,
        info: WorldInfo,
        start: Viewpoint,
        left: Callable[[], int],
        reach: float,
        joins: bool = False,
    ) -> None:
        self._memory, self._coverage, self._actions, self._left = memory, coverage, actions, left
        self._limits = info.limits if joins else None
        self._planner = ViewPlanner(actions, info, start, coverage)
        self._reach = _SAFE * reach
        self._held = 0
        self._begun()

    def _begun(self) -> None:
        self._action: PlannedAction | None = None
        self._spots: list[tuple[str, int]] = []
        self._last_failure = SkillResult(Failure.NOT_SEEN, "nothing is there for this action; look around first")
        self._given = 0
        self._acting = False
        self._within = self._reach  # m from which it is tried: less after each time that it was too far
        self._to_middle = False  # the box is near, and what counts of it is not
        self._way: list[str] = []
        self._vain: list[tuple[Point, float]] = []  # places, and how far around them nothing better is expected, m
        self._refused: list[tuple[Point, float]] = []  # those of them from which it was tried
        self._clear = 0.0  # m from the thing, nearer than which it would meet the camera
        self._sighted = np.inf  # m from the thing, least from which it was in sight
        self._here: Viewpoint | None = None
        self._barred = False  # the last motion: the next is one action alone, to find out where

    @property
    def doing(self) -> str:
        """See ``ActionBody.doing``."""
        return "" if self._action is None else str(self._action)

    def begin(self, action: PlannedAction, belief: Belief) -> None:
        """See ``ActionBody.begin``."""
        self._begun()
        self._action = action
        keys = [belief.key(name) for name in action.objects]
        if action.verb in PUTS:
            self._spots = self._spots_for(action, keys[-1], belief)
        else:
            self._spots = [(OBJECT_VERBS.get(action.verb, ""), keys[0])]

    def _spots_for(self, action: PlannedAction, key: int, belief: Belief) -> list[tuple[str, int]]:
        """How and where to put a thing, best first: in a room on whatever bears something there, or beside it; what
        stands on floor that was seen to be of that room before what is only taken to be in it."""
        obj = self._memory.get(key)
        if obj is None or obj.label != _FLOOR:
            return [(OBJECT_VERBS[action.verb], key)]
        room, thing = object_key(action.objects[1]), object_key(action.objects[0])
        others = [
            each
            for name, number in belief.keys.items()
            if name not in (room, thing) and room_of(belief.facts, name) == room
            if (each := self._memory.get(number)) is not None and each.label in LARGE
        ]
        rank = {label: number for number, label in enumerate(_BEST_FIRST)}
        bearing = sorted(
            (each for each in others if each.label in rank),
            key=lambda each: (not _stands_over(each, obj), rank[each.label]),
        )
        on = [("put_on", each.instance_id) for each in bearing[: _MOST_SPOTS - 1]]
        return on + [("put_beside", each.instance_id) for each in (bearing or others)[:1]]

    def next(self, observation: Observation, last: StepResult | None) -> Command | SkillResult:
        """See ``ActionBody.next``."""
        action = self._action
        if action is None:
            raise ValueError("no action was begun; begin one before its first command is asked for")
        ended = self._ended_by(observation, last) if self._given else None
        if ended is not None:
            return ended
        if self._given >= MOST_COMMANDS:
            return SkillResult(Failure.TIMED_OUT, f"{action} took more than {MOST_COMMANDS} commands")
        while self._spots:
            verb, key = self._spots[0]
            obj = self._memory.get(key)
            touched = 0 if obj is None or self._was_refused(observation) else self._touched(observation, obj)
            if touched and action.verb is Verb.GO_TO:
                return SkillResult()
            if touched:
                self._acting = True
                self._given += 1
                if action.verb is Verb.PICK:
                    self._held = touched
                deed = ObjectAction(verb, self._held, touched) if action.verb in PUTS else ObjectAction(verb, touched)
                return Command(arm=ArmTarget(object_action=deed))
            told = self._approach(observation, obj) if obj is not None else None
            if isinstance(told, Command):
                return told
            self._last_failure = told or SkillResult(Failure.NOT_SEEN, f"what {action} names is not there")
            self._next_spot()
        return self._last_failure

    def _next_spot(self) -> None:
        self._spots.pop(0)
        self._way, self._vain, self._refused = [], [], []
        self._to_middle, self._within, self._clear, self._sighted = False, self._reach, 0.0, np.inf

    def _was_refused(self, observation: Observation) -> bool:
        """Whether it was tried from here in vain."""
        here = observation.viewpoint.position
        return any(float(np.linalg.norm(here - np.array(place))) < around for place, around in self._refused)

    def _ended_by(self, observation: Observation, last: StepResult | None) -> SkillResult | None:
        """How the action ended with the last command; None where it goes on."""
        if last is None:
            return None
        if last.status is Status.STOPPED:
            return SkillResult(Failure.STOPPED, last.reason)
        if self._acting:
            self._acting = False
            if last.status is Status.DONE:
                return SkillResult()
            self._last_failure = SkillResult(_FAILURES.get(last.cause, Failure.REFUSED), last.reason)
            here = observation.viewpoint
            if last.cause in _ELSEWHERE and len(self._refused) < _MOST_VAIN:
                self._refused.append(((here.x, here.y, here.z), _APART if last.cause is Cause.FAR else _SAME))
                self._vain.append(self._refused[-1])
                obj = self._memory.get(self._spots[0][1])
                if last.cause is Cause.CHECK and obj is not None:
                    self._clear = float(self._distance(obj, here.position[None])[0]) + _BACK
                self._to_middle = last.cause is Cause.FAR
                if last.cause is Cause.FAR:
                    self._within = max(_NEARER * self._within, _NEAREST * self._reach)
            elif last.cause in (*_ELSEWHERE, Cause.NO_ROOM, Cause.CAPABILITY) and len(self._spots) > 1:
                self._next_spot()
            else:
                return self._last_failure
            return None
        self._barred = last.status is not Status.DONE
        if self._barred:
            self._way = []
            if last.command.target is not None and self._here is not None:
                self._planner.bumped(self._here, last.command.target)
        return None

    def _approach(self, observation: Observation, obj: ObservedObject) -> Command | SkillResult:
        """The next command on the way to where a thing is near and in sight."""
        here = observation.viewpoint
        if not self._way:
            far = float(self._distance(obj, here.position[None])[0])
            if far <= self._within and self._faces(observation, obj):
                self._vain.append(((here.x, here.y, here.z), _SAME))
                if len(self._vain) - len(self._refused) > _MOST_LOOKS:
                    return SkillResult(Failure.NOT_SEEN, f"the {obj.label} was not in sight from {_MOST_LOOKS} places")
            elif self._in_sight(observation, obj):
                self._sighted = min(self._sighted, far)
            goal = self._choose(observation, obj)
            if goal is None and self._clear:  # no place is farther: beside it, or where the hand just gets there
                self._clear = 0.0
                goal = self._choose(observation, obj)
            if goal is None and far > self._within:
                goal = self._choose(observation, obj, between=True)
            if goal is None or not goal.actions:
                failure = Failure.NOT_SEEN if self._vain else Failure.NO_WAY
                return SkillResult(failure, f"no way was found to where the {obj.label} is near and in sight")
            self._way = list(goal.actions)[:_AT_ONCE]
        self._given += 1
        self._here = here
        command, further = joined(self._actions, self._way, here, None if self._barred else self._limits)
        del self._way[: 1 + further]
        return command or SkillResult(Failure.NO_WAY, "no motion leads there")

    def _choose(self, observation: Observation, obj: ObservedObject, between: bool = False) -> Goal | None:
        """The next view on the way to a thing.

        Args:
            between: unknown space from here to the thing counts as well: the way may lead through it.
        """
        low, high = np.array(obj.bounds_min), np.array(obj.bounds_max)
        middle = 0.5 * (low + high)
        points = np.array([middle, [*middle[:2], high[2]]])
        slack = SLACK + 0.5 * float(np.sort(high - low)[1])

        def wanted(panorama: Panorama, positions: NDArray[np.float64]) -> NDArray[np.float32]:
            far = self._distance(obj, positions)
            worth = _WORTH * np.where(far <= self._within, 1.0, _TOWARDS * (self._within / np.maximum(far, 0.1)))
            worth[(far < self._clear) | ((far > self._within) & (far > self._sighted - _NEARER_BY))] = 0.0
            for place, around in self._vain:
                worth[np.linalg.norm(positions - np.array(place), axis=1) < around] = 0.0
            each = np.repeat(0.5 * worth[:, None], len(points), axis=1)
            return panorama.points_in_view(self._coverage, positions, points, each, slack)

        def unknown(leads: bool) -> NDArray[np.float32]:
            weights = np.zeros(self._coverage.shape, np.float32)
            here = observation.viewpoint.position if between else middle
            ends = np.minimum(low, here) - _AROUND, np.maximum(high, here) + _AROUND
            box = (np.array(ends) - self._coverage.origin) / self._coverage.voxel
            first, last = (np.clip(np.rint(end), 0, self._coverage.shape).astype(int) for end in box)
            weights[tuple(slice(a, b) for a, b in zip(first, last, strict=True))] = _CURIOUS
            return weights

        return self._planner.choose(observation.viewpoint, observation.intrinsics, self._left(), unknown, wanted)

    def _distance(self, obj: ObservedObject, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """From positions (N, 3) to the box of a thing, m; to a floor from over it none."""
        low, high = np.array(obj.bounds_min), np.array(obj.bounds_max)
        if self._to_middle:
            low = high = np.array([*(0.5 * (low + high))[:2], high[2]])
        away = np.maximum(0.0, np.maximum(low - positions, positions - high))
        if obj.label == _FLOOR:
            away = away[:, :2]
        return np.asarray(np.linalg.norm(away, axis=1))

    def _touched(self, observation: Observation, obj: ObservedObject) -> int:
        """The instance that the hand touches where a thing is believed to be; 0 where it is out of reach or not in
        sight."""
        if self._distance(obj, observation.viewpoint.position[None])[0] > self._within:
            return 0
        return self._in_sight(observation, obj)

    @staticmethod
    def _faces(observation: Observation, obj: ObservedObject) -> bool:
        """Whether the middle of a thing or of its top is within the picture, whatever hides it."""
        middle = 0.5 * (np.array(obj.bounds_min) + np.array(obj.bounds_max))
        points = np.array([[*middle, 1.0], [*middle[:2], obj.bounds_max[2], 1.0]])
        x, y, z, _ = np.linalg.inv(observation.viewpoint.T_world_camera_optical()) @ points.T
        lens = observation.intrinsics
        with np.errstate(divide="ignore", invalid="ignore"):
            column, row = lens.fx * x / z + lens.cx, lens.fy * y / z + lens.cy
        inside = (z > 0.0) & (column >= 0.0) & (column < lens.width) & (row >= 0.0) & (row < lens.height)
        return bool(inside.any())

    @staticmethod
    def _in_sight(observation: Observation, obj: ObservedObject) -> int:
        """The instance that the picture shows where a thing is believed to be; 0 for none."""
        if observation.instances is None or observation.depth is None:
            return 0
        ids, inside = _shown(observation, np.array(obj.bounds_min) - _GROWN, np.array(obj.bounds_max) + _GROWN)
        if obj.instance_id > 0:
            return obj.instance_id if (ids[inside] == obj.instance_id).sum() * _STEP**2 >= _ENOUGH else 0
        return _likeliest(ids, inside)


def _stands_over(obj: ObservedObject, floor: ObservedObject) -> bool:
    """Whether the middle of a thing is over a floor, as far as that was seen."""
    return all(floor.bounds_min[k] <= obj.center[k] <= floor.bounds_max[k] for k in (0, 1))


def _shown(
    observation: Observation, low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Instance ids of some of the pixels that show any, and whether their surface lies in a box (m)."""
    assert observation.depth is not None
    assert observation.instances is not None
    depth = np.asarray(observation.depth, np.float64)
    lens = observation.depth_camera
    rows, columns = np.mgrid[0 : depth.shape[0] : _STEP, 0 : depth.shape[1] : _STEP]
    z = depth[rows, columns]
    x, y = (columns + 0.5 - lens.cx) / lens.fx * z, (rows + 0.5 - lens.cy) / lens.fy * z
    points = np.stack([x, y, z, np.ones_like(z)], axis=-1) @ observation.viewpoint.T_world_camera_optical().T
    inside = np.isfinite(z) & ((points[..., :3] >= low) & (points[..., :3] <= high)).all(axis=-1)
    ids = np.asarray(observation.instances, np.int64)[rows, columns]
    return ids[ids > 0], inside[ids > 0]


def _likeliest(ids: NDArray[np.int64], inside: NDArray[np.bool_]) -> int:
    """The instance that fills a box best and is outside of it least; 0 where too little is in sight."""
    within = ids[inside]
    if len(within) * _STEP**2 < _ENOUGH:
        return 0
    values, counts = np.unique(within, return_counts=True)
    shares = [count**2 / (ids == value).sum() for value, count in zip(values.tolist(), counts.tolist(), strict=True)]
    return int(values[int(np.argmax(shares))])
