"""Planned actions in homes that change kinematically: the camera goes near and looks, and the action is done in one go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import CoverageMap, ObservedObject, ObservedScene
from vantage.planning.actions import ActionSpace
from vantage.planning.execution.belief import Belief
from vantage.planning.execution.bodies import OBJECT_VERBS
from vantage.planning.goals import PlannedAction, Verb
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
    }
)
MOST_COMMANDS = 60  # of one action
_REACH = 0.9  # m from the camera to the box of a thing at which it can be handled
_NEARER = 0.6  # of that, where it was still too far
_ENOUGH = 12  # pixels of a thing that must be in sight
_WORTH = 1500.0  # of a view from within reach, in weighted voxels
_TOWARDS = 0.3  # of that, of one from twice as far
_AROUND = 1.0  # m around a thing in which unknown space is worth a look on the way
_CURIOUS = 0.3  # weight of its voxels
_AT_ONCE = 4  # actions of a way that are taken before it is planned anew
_SAME = 0.1  # m from where a look showed too little, within which another would, too
_STEP = 4  # pixels between those that are asked what they show
_GROWN = 0.08  # m by which the box of a thing may be off


class KinematicBody:
    """An ``ActionBody`` of a camera with a hand that reaches what is near and in sight.

    What the hand touches is what the picture shows where the thing is believed to be: a perceiver that tells no
    identities leads it as well, and one that is wrong leads it astray.

    Args:
        left: tells how many commands the budget still allows.
    """

    def __init__(
        self,
        memory: ObservedScene,
        coverage: CoverageMap,
        actions: ActionSpace,
        info: WorldInfo,
        start: Viewpoint,
        left: Callable[[], int],
    ) -> None:
        self._memory, self._coverage, self._actions, self._left = memory, coverage, actions, left
        self._planner = ViewPlanner(actions, info, start, coverage)
        self._reach = _REACH
        self._held = 0
        self._begun()

    def _begun(self) -> None:
        self._action: PlannedAction | None = None
        self._keys: tuple[int, ...] = ()
        self._given = 0
        self._acting = False
        self._way: list[str] = []
        self._vain: list[Point] = []
        self._here: Viewpoint | None = None

    @property
    def doing(self) -> str:
        """See ``ActionBody.doing``."""
        return "" if self._action is None else str(self._action)

    def begin(self, action: PlannedAction, belief: Belief) -> None:
        """See ``ActionBody.begin``."""
        self._begun()
        self._action, self._keys = action, tuple(map(belief.key, action.objects))

    def next(self, observation: Observation, last: StepResult | None) -> Command | SkillResult:
        """See ``ActionBody.next``."""
        action = self._action
        if action is None:
            raise ValueError("no action was begun; begin one before its first command is asked for")
        ended = self._ended_by(last) if self._given else None
        if ended is not None:
            return ended
        if self._given >= MOST_COMMANDS:
            return SkillResult(Failure.TIMED_OUT, f"{action} took more than {MOST_COMMANDS} commands")
        obj = self._memory.get(self._keys[-1] if action.verb in _PUTS else self._keys[0])
        if obj is None:
            return SkillResult(Failure.NOT_SEEN, f"what {action} names is not there; look around first")
        touched = self._touched(observation, obj)
        if not touched:
            return self._approach(observation, obj)
        if action.verb is Verb.GO_TO:
            return SkillResult()
        self._acting = True
        self._given += 1
        return Command(arm=ArmTarget(object_action=self._deed(action, touched, observation)))

    def _deed(self, action: PlannedAction, touched: int, observation: Observation) -> ObjectAction:
        if action.verb in _PUTS:
            relation = OBJECT_VERBS[action.verb]
            obj = self._memory.get(self._keys[1])
            if obj is not None and obj.label == "floor":
                relation = "put_on"
            return ObjectAction(relation, self._held, touched)
        if action.verb is Verb.PICK:
            self._held = touched
        return ObjectAction(OBJECT_VERBS[action.verb], touched)

    def _ended_by(self, last: StepResult | None) -> SkillResult | None:
        """How the action ended with the last command; None where it goes on."""
        if last is None:
            return None
        if last.status is Status.STOPPED:
            return SkillResult(Failure.STOPPED, last.reason)
        if self._acting:
            self._acting = False
            if last.status is Status.DONE:
                return SkillResult()
            if last.cause is Cause.FAR and self._reach == _REACH:
                self._reach *= _NEARER
                return None
            return SkillResult(_FAILURES.get(last.cause, Failure.REFUSED), last.reason)
        if last.status is not Status.DONE:
            self._way = []
            if last.command.target is not None and self._here is not None:
                self._planner.bumped(self._here, last.command.target)
        return None

    def _approach(self, observation: Observation, obj: ObservedObject) -> Command | SkillResult:
        """The next command on the way to where a thing is near and in sight."""
        here = observation.viewpoint
        if not self._way:
            if self._distance(obj, here.position[None])[0] <= self._reach:
                self._vain.append((here.x, here.y, here.z))
            goal = self._choose(observation, obj)
            if goal is None or not goal.actions:
                failure = Failure.NOT_SEEN if self._vain else Failure.NO_WAY
                return SkillResult(failure, f"no way was found to where the {obj.label} is near and in sight")
            self._way = list(goal.actions)[:_AT_ONCE]
        self._given += 1
        self._here = here
        decision = self._actions.decision(self._way.pop(0), here)
        return decision if isinstance(decision, Command) else SkillResult(Failure.NO_WAY, "no motion leads there")

    def _choose(self, observation: Observation, obj: ObservedObject) -> Goal | None:
        low, high = np.array(obj.bounds_min), np.array(obj.bounds_max)
        middle = 0.5 * (low + high)
        points = np.array([middle, [*middle[:2], high[2]]])
        slack = SLACK + 0.5 * float(np.sort(high - low)[1])

        def wanted(panorama: Panorama, positions: NDArray[np.float64]) -> NDArray[np.float32]:
            far = self._distance(obj, positions)
            worth = _WORTH * np.where(far <= self._reach, 1.0, _TOWARDS * (self._reach / np.maximum(far, 0.1)))
            for place in self._vain:
                worth[np.linalg.norm(positions - np.array(place), axis=1) < _SAME] = 0.0
            each = np.repeat(0.5 * worth[:, None], len(points), axis=1)
            return panorama.points_in_view(self._coverage, positions, points, each, slack)

        def unknown(leads: bool) -> NDArray[np.float32]:
            weights = np.zeros(self._coverage.shape, np.float32)
            box = ((low - _AROUND, high + _AROUND) - self._coverage.origin) / self._coverage.voxel
            first, last = (np.clip(np.rint(end), 0, self._coverage.shape).astype(int) for end in box)
            weights[tuple(slice(a, b) for a, b in zip(first, last, strict=True))] = _CURIOUS
            return weights

        return self._planner.choose(observation.viewpoint, observation.intrinsics, self._left(), unknown, wanted)

    def _distance(self, obj: ObservedObject, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """From positions (N, 3) to the box of a thing, m; to a floor from over it none."""
        low, high = np.array(obj.bounds_min), np.array(obj.bounds_max)
        away = np.maximum(0.0, np.maximum(low - positions, positions - high))
        if obj.label == "floor":
            away = away[:, :2]
        return np.asarray(np.linalg.norm(away, axis=1))

    def _touched(self, observation: Observation, obj: ObservedObject) -> int:
        """The instance that the hand touches where a thing is believed to be; 0 where it is out of reach or not in
        sight."""
        if observation.instances is None or observation.depth is None:
            return 0
        if self._distance(obj, observation.viewpoint.position[None])[0] > self._reach:
            return 0
        ids = _ids_in(observation, np.array(obj.bounds_min) - _GROWN, np.array(obj.bounds_max) + _GROWN)
        if obj.instance_id > 0:
            return obj.instance_id if int((ids == obj.instance_id).sum()) * _STEP**2 >= _ENOUGH else 0
        if len(ids) * _STEP**2 < _ENOUGH:
            return 0
        values, counts = np.unique(ids, return_counts=True)
        return int(values[int(np.argmax(counts))])


_PUTS = frozenset({Verb.PLACE_IN, Verb.PLACE_ON, Verb.PLACE_BESIDE})


def _ids_in(observation: Observation, low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.int64]:
    """Instance ids of some of the pixels whose surface lies in a box (m)."""
    assert observation.depth is not None
    assert observation.instances is not None
    depth = np.asarray(observation.depth, np.float64)
    lens = observation.depth_camera
    rows, columns = np.mgrid[0 : depth.shape[0] : _STEP, 0 : depth.shape[1] : _STEP]
    z = depth[rows, columns]
    x, y = (columns + 0.5 - lens.cx) / lens.fx * z, (rows + 0.5 - lens.cy) / lens.fy * z
    points = np.stack([x, y, z, np.ones_like(z)], axis=-1) @ observation.viewpoint.T_world_camera_optical().T
    inside = np.isfinite(z) & ((points[..., :3] >= low) & (points[..., :3] <= high)).all(axis=-1)
    ids = np.asarray(observation.instances, np.int64)[rows, columns][inside]
    return np.asarray(ids[ids > 0])
