"""Where a rig may go: soft limits, forbidden boxes, its own bodies and the room, checked before anything moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from vantage.errors import HardwareError, UnreachableError
from vantage.spatial import R_BODY_OPTICAL, Matrix, Viewpoint, rigid
from vantage.splats import SplatScene
from vantage.splats.space import cached_free_space
from vantage.types import Observation
from vantage.worlds.rig.collision import (
    CLEAR,
    TOO_LONG,
    DepthMap,
    RoomMap,
    make_model,
    place,
    segment_box,
    segment_segment,
    space_of,
    spacings,
    sweep,
    travels,
)
from vantage.worlds.rig.description import SafetyRules
from vantage.worlds.rig.kinematics import Chain, JointSegment, Unwinding, inverse

EPISODE = "episode"  # the room of the rules that stands for the scene of the running episode

_LEAST_CLEARANCE = 0.002  # m: what is kept from everything even where no clearance is configured
_SLACK = 1e-9  # m or rad: float noise in a joint position that is meant to lie on a limit


class RigSafety:
    """Checks the straight line in joint space that leads to a viewpoint; a ``MotionCheck``.

    - No joint turns farther than one command may take it, unless an unwind is allowed: then the joints that unwind go
      first, alone, and both lines are checked.
    - Joints end within their soft limits.
    - Every body keeps ``rules.clearance``, 2 mm at least, from the forbidden boxes, from the bodies it is paired with
      and from the room, all along the line. Looks are so close together that between two of them no distance falls
      below three quarters of the clearance.
    - A body that is too close to something already may only move away from it: the distance never shrinks on the way
      and is larger at the end. What a motion does not change is not held against it.
    - Beyond the bounds of a splat scene everything is wall to bodies that are kept out of the room. What a depth
      camera has not seen is free.

    ``violation`` and the room are for one thread at a time, the other checks for any.
    """

    def __init__(
        self,
        chain: Chain,
        rules: SafetyRules,
        near: Callable[[], Matrix],
        rooms: Iterable[RoomMap] = (),
        unwinding: Unwinding | None = None,
    ) -> None:
        """Compiles what it needs, so that the first check is as fast as the others.

        Args:
            near: where the joints are, (N,) m or rad.
            rooms: what is solid besides that of ``learn_room`` and ``take_depth``.
            unwinding: how far joints may turn; None for as far as their limits let them.

        Raises:
            ConfigError: a body hangs on a link, or a pair names a body, that does not exist; or the joints that carry
                a depth camera know no limits.
        """
        self._chain, self._rules, self._near = chain, rules, near
        self._clearance = max(rules.clearance, _LEAST_CLEARANCE)
        self._model = make_model(chain, rules)
        self._given = tuple(rooms)
        self._unwinding = unwinding or Unwinding(chain.joints, math.inf, math.inf, math.inf)
        self._scene: RoomMap | None = None
        self._seen = DepthMap(*space_of(chain, rules)) if rules.from_depth and self._model.indoors.any() else None
        self._checked: tuple[Viewpoint, list[JointSegment]] | None = None
        self.path_violation(np.clip(0.0, chain.lower, chain.upper), np.clip(0.0, chain.lower, chain.upper))

    @property
    def rooms(self) -> tuple[RoomMap, ...]:
        """All that is known to be solid."""
        return (*self._given, *(room for room in (self._scene, self._seen) if room is not None))

    def violation(self, current: Viewpoint, target: Viewpoint, allow_unwind: bool = False) -> str | None:
        """Why the way to a viewpoint is barred, in words, or None.

        It begins where the joints are, which tells more than ``current``.
        """
        self._checked = None
        try:
            start = self._near()
            goal = inverse.solve(self._chain, target, start, self._unwinding.strides)
        except (UnreachableError, HardwareError) as error:
            return str(error)
        reason = self._unwinding.refusal(start, goal, allow_unwind)
        if reason is not None:
            return reason
        legs = self._unwinding.legs(start, goal)
        self._checked = target, legs
        ends = pairwise([start, *(leg.target for leg in legs)])
        return next((barred for a, b in ends if (barred := self.path_violation(a, b)) is not None), None)

    def way(self, viewpoint: Viewpoint) -> list[JointSegment]:
        """The way that ``violation`` checked last, which must have led to this viewpoint."""
        target, legs = self._checked or (None, [])
        assert target == viewpoint, "a motion that was not checked"
        return legs

    def target_positions(self, viewpoint: Viewpoint) -> Matrix:
        """Joint positions (N,) at a viewpoint, for a way that is still to be checked.

        Raises:
            UnreachableError: there are none.
            HardwareError: the joint positions are unknown.
        """
        return inverse.solve(self._chain, viewpoint, self._near(), self._unwinding.spans)

    def path_violation(self, start: Matrix, target: Matrix) -> str | None:
        """Why a straight line between joint positions (N,) is barred, in words, or None; it may start anywhere."""
        a, b = np.array(start, dtype=np.float64), np.array(target, dtype=np.float64)
        reason = self._limit_violation(b)
        if reason is not None:
            return reason
        if a.shape != b.shape or not np.isfinite(a).all():
            return f"the present joint positions {a.tolist()} are not {len(b)} finite numbers"
        travel = travels(self._model, a, b)
        for room in self.rooms or (RoomMap.empty(),):
            at, spacing = sweep(self._model, room.grid, a, b, travel, self._clearance, 0.5 * self._clearance)
            if spacing == TOO_LONG:
                return "the motion is too long to be checked; move in shorter steps or set a larger safety.clearance"
            if spacing != CLEAR:
                close = spacings(self._model, room.grid, a, self._clearance)[spacing] < 0.0
                return self._told(a if close else a + at * (b - a), int(spacing), room, close)
        return None

    def posture_violation(self, q: Matrix) -> str | None:
        """Why the rig may not stand at joint positions (N,), in words, or None."""
        posture = np.array(q, dtype=np.float64)
        reason = self._limit_violation(posture)
        if reason is not None:
            return reason
        for room in self.rooms or (RoomMap.empty(),):
            gaps = spacings(self._model, room.grid, posture, self._clearance)
            if len(gaps) and gaps.min() < 0.0:
                return self._told(posture, int(np.argmin(gaps)), room, False)
        return None

    def capsules(self, q: Matrix) -> tuple[Matrix, Matrix]:
        """Segments (B, 2, 3), m, world frame, and radii (B,), m, of the bodies at joint positions (N,)."""
        return place(self._model, np.array(q, dtype=np.float64)), self._model.radii.copy()

    def learn_room(self, scene: SplatScene | None, voxel: float, radius: float = 0.15) -> None:
        """Keep out of a scene, where the rules name that of the running episode.

        Args:
            voxel, radius: edge of a voxel and size of a body, m, under which the free space of the scene is cached.

        Raises:
            SceneError: the scene is too large for such voxels.
        """
        if self._rules.room == EPISODE and scene is not None:
            self._scene = RoomMap.of_scene(cached_free_space(scene, voxel, radius).solid)

    def forget_room(self) -> None:
        """Forget the scene and everything that a depth camera saw."""
        self._scene = None
        self.forget_depth()

    def forget_depth(self) -> None:
        """Forget what a depth camera saw."""
        if self._seen is not None:
            self._seen.clear()

    def take_depth(self, seen: Observation) -> None:
        """Take in the depth of an observation, where the rules say so; the rig's own bodies in it do not count.

        Raises:
            HardwareError: the image has another size than the intrinsics, or the joint positions are unknown.
        """
        if self._seen is None or seen.depth is None:
            return
        q = self._near()
        if seen.posture is not None:
            q = np.array([seen.posture.joints[joint.name] for joint in self._chain.joints])
        T_world_optical = self._chain.T_world_camera(q) @ rigid(R_BODY_OPTICAL, np.zeros(3))
        self._seen.add(seen.depth, seen.depth_camera, T_world_optical, *self.capsules(q))

    def _limit_violation(self, q: Matrix) -> str | None:
        if q.shape != (self._chain.size,) or not np.isfinite(q).all():
            return f"the target joint positions {q.tolist()} are not {self._chain.size} finite numbers"
        for joint, position in zip(self._chain.joints, q, strict=True):
            if not joint.lower - _SLACK <= position <= joint.upper + _SLACK:
                return (
                    f"joint '{joint.name}' = {position:.3f} {joint.unit} is outside its soft limits "
                    f"[{joint.lower:.3f}, {joint.upper:.3f}] {joint.unit}"
                )
        return None

    def _told(self, q: Matrix, spacing: int, room: RoomMap, already: bool) -> str:
        """Which body comes too close to what, and where, at joint positions (N,)."""
        model, rules = self._model, self._rules
        placed, boxes = place(model, q), len(model.boxes)
        pair = spacing - boxes * len(model.radii)
        if pair < 0:
            body, box = divmod(spacing, boxes)
            a, b = placed[body]
            low, high = model.boxes[box]
            obj = f"the forbidden box '{rules.boxes[box].name}'"
            point = np.clip(a + segment_box(a, b, low, high)[1] * (b - a), low, high)
        elif pair < len(model.pairs):
            body, other = model.pairs[pair]
            (a, b), (c, d) = placed[body], placed[other]
            obj = f"the {rules.bodies[other].name}"
            point = c + segment_segment(a, b, c, d)[2] * (d - c)
        else:
            body, obj = pair - len(model.pairs), room.what
            a, b = placed[body]
            point = room.nearest(a, b, model.radii[body] + self._clearance)[1] or a
        x, y, z = point
        name, where = rules.bodies[body].name, f"at ({x:.3f}, {y:.3f}, {z:.3f}) m"
        if already:
            return f"the {name} is within {self._clearance:g} m of {obj} {where} already and may only move away from it"
        return f"the {name} would come within {self._clearance:g} m of {obj} {where}"
