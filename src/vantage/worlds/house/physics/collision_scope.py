"""Which bodies MuJoCo looks at for collisions: those near something that moves.

Its broad phase goes over every body of a home in every step, asleep or not. Here bodies that rest far from all that
moves are left out of it, and so are parts of the robot that nothing is near. Once every few steps that is decided anew,
with room for what can move meanwhile, so that nothing which could touch is left out.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel

_NEAR = 0.15  # m between the boxes around a moving and a resting body
_TOUCHING = 0.01  # m between those of two resting bodies of which one may be moved
_REACH = 0.08  # m around a part of the robot
_LEVEL_REACH = 0.02  # m above and below the parts of its base, which moves level


class CollisionScope:
    """Of one model, whose ``body_contype`` and ``body_conaffinity`` it sets.

    Args:
        own: (nbody,) bool, the robot's bodies.
        base: number of the robot's base among them.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, own: NDArray[np.bool_], base: int) -> None:
        mujoco.mj_kinematics(model, data)
        self._moving = data.xpos, data.xmat, data.geom_xpos, data.geom_xmat, data.tree_asleep  # they follow the data
        self._decided = model.body_contype, model.body_conaffinity
        self._contype, self._conaffinity = model.body_contype.copy(), model.body_conaffinity.copy()
        touches = (self._contype | self._conaffinity) != 0
        touches[0] = False
        solid = (model.geom_contype | model.geom_conaffinity) != 0
        others = np.flatnonzero(touches & ~own)
        parts = np.flatnonzero(solid & own[model.geom_bodyid])
        reach = np.full((len(parts), 3), _REACH)
        reach[model.geom_bodyid[parts] == base, 2] = _LEVEL_REACH
        self._fixed = (
            others,
            np.array([_body_box(model, int(body), solid) for body in others]).reshape(-1, 2, 3),
            model.body_treeid[others].astype(np.int64),
            parts,
            model.geom_bodyid[parts].astype(np.int64),
            np.ascontiguousarray(model.geom_aabb[parts]).reshape(-1, 2, 3),
            reach,
            _world_boxes(model, data, np.flatnonzero(solid & (model.geom_bodyid == 0))),
            self._contype,
            self._conaffinity,
        )

    def update(self) -> None:
        """Decide anew from where the bodies are."""
        _decide(*self._moving, *self._fixed, *self._decided)

    def everything(self) -> None:
        """Look at all bodies until the next ``update``."""
        self._decided[0][:], self._decided[1][:] = self._contype, self._conaffinity


def _body_box(model: mujoco.MjModel, body: int, solid: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(2, 3): middle and half edges, m, of a box around a body's solid geoms in its own frame."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for geom in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
        if solid[geom]:
            rotation = np.empty(9)
            mujoco.mju_quat2Mat(rotation, model.geom_quat[geom])
            matrix = rotation.reshape(3, 3)
            middle = model.geom_pos[geom] + matrix @ model.geom_aabb[geom, :3]
            half = np.abs(matrix) @ model.geom_aabb[geom, 3:]
            low, high = np.minimum(low, middle - half), np.maximum(high, middle + half)
    return np.array([0.5 * (low + high), 0.5 * (high - low)])


def _world_boxes(model: mujoco.MjModel, data: mujoco.MjData, geoms: NDArray[np.intp]) -> NDArray[np.float64]:
    """(G, 2, 3): two corners, m, of upright boxes around geoms of the world; a level plane fills all that is below."""
    boxes = np.empty((len(geoms), 2, 3))
    for row, geom in zip(boxes, geoms, strict=True):
        rotation = data.geom_xmat[geom].reshape(3, 3)
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_PLANE:
            row[0], row[1] = -np.inf, np.inf
            if rotation[2, 2] > 1.0 - 1e-9:
                row[1, 2] = data.geom_xpos[geom, 2]
            continue
        middle = data.geom_xpos[geom] + rotation @ model.geom_aabb[geom, :3]
        half = np.abs(rotation) @ model.geom_aabb[geom, 3:]
        row[0], row[1] = middle - half, middle + half
    return boxes


@kernel
def _decide(
    xpos: Any,
    xmat: Any,
    geom_xpos: Any,
    geom_xmat: Any,
    asleep: Any,
    others: Any,
    shapes: Any,
    trees: Any,
    parts: Any,
    part_bodies: Any,
    part_shapes: Any,
    reach: Any,
    world: Any,
    contype: Any,
    conaffinity: Any,
    out_contype: Any,
    out_conaffinity: Any,
) -> None:
    n, m = len(others), len(parts)
    boxes, part_boxes = np.empty((n, 2, 3)), np.empty((m, 2, 3))
    robot = np.empty((2, 3))
    for r in range(3):
        robot[0, r], robot[1, r] = np.inf, -np.inf
    for p in range(m):
        _place(geom_xpos[parts[p]], geom_xmat[parts[p]], part_shapes[p], part_boxes[p])
        for r in range(3):
            part_boxes[p, 0, r] -= reach[p, r]
            part_boxes[p, 1, r] += reach[p, r]
            robot[0, r] = min(robot[0, r], part_boxes[p, 0, r])
            robot[1, r] = max(robot[1, r], part_boxes[p, 1, r])
    on, moves = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for i in range(n):
        _place(xpos[others[i]], xmat[others[i]], shapes[i], boxes[i])
        moves[i] = trees[i] >= 0 and asleep[trees[i]] < 0
        on[i] = moves[i] or _meet(robot, boxes[i], _NEAR)
    for i in range(n):
        if moves[i]:
            for j in range(n):
                on[j] = on[j] or _meet(boxes[i], boxes[j], _NEAR)
    near = on.copy()
    for i in range(n):  # what a body that is near may be pushed against
        if near[i] and trees[i] >= 0:
            for j in range(n):
                on[j] = on[j] or _meet(boxes[i], boxes[j], _TOUCHING)
    for i in range(n):
        out_contype[others[i]] = contype[others[i]] if on[i] else 0
        out_conaffinity[others[i]] = conaffinity[others[i]] if on[i] else 0
    for p in range(m):
        out_contype[part_bodies[p]] = 0
        out_conaffinity[part_bodies[p]] = 0
    for i in range(n + len(world)):
        box = boxes[i] if i < n else world[i - n]
        if _meet(robot, box, 0.0):
            for p in range(m):
                b = part_bodies[p]
                if out_contype[b] != contype[b] and _meet(part_boxes[p], box, 0.0):
                    out_contype[b], out_conaffinity[b] = contype[b], conaffinity[b]


@kernel
def _place(position: Any, rotation: Any, shape: Any, box: Any) -> None:
    """Fill the upright box around one of a middle and half edges in a frame."""
    for r in range(3):
        middle, half = position[r], 0.0
        for c in range(3):
            middle += rotation[3 * r + c] * shape[0, c]
            half += abs(rotation[3 * r + c]) * shape[1, c]
        box[0, r], box[1, r] = middle - half, middle + half


@kernel
def _meet(a: Any, b: Any, margin: float) -> bool:
    apart = False
    for r in range(3):
        apart = apart or a[0, r] - margin > b[1, r] or b[0, r] - margin > a[1, r]
    return not apart
