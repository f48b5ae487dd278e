"""Where things come to rest: a fraction of a millimetre below their places, or a little beside them, as an umbrella
that lies on its tip.

Only what presses on its support sleeps together with it, and wakes when that is moved: a spoon with its drawer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TIME = 3.0  # s
_LOOK = 25  # steps between two looks whether all is at rest
_FAR = 0.08  # m: what moves farther falls, and is left to be told of


def settled_poses(model: mujoco.MjModel, movable: Mapping[int, str]) -> dict[int, Array]:
    """Positions and quaternions (7,) by instance of what comes to rest near its place, in a model without a robot in
    which all is awake."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    before = data.geom_xpos.copy()
    for _ in range(round(_TIME / model.opt.timestep / _LOOK)):
        mujoco.mj_step(model, data, _LOOK)
        if not data.tree_awake.any():
            break
    mujoco.mj_kinematics(model, data)
    moved = displacements(model, movable.values(), before, data.geom_xpos)
    found = {}
    for instance, name in movable.items():
        if moved[name] < _FAR:
            start = int(model.jnt_qposadr[model.body_jntadr[model.body(name).id]])
            found[instance] = data.qpos[start : start + 7].copy()
    return found


def displacements(model: mujoco.MjModel, bodies: Iterable[str], before: Array, after: Array) -> dict[str, float]:
    """The farthest that any geom of a body, or of what moves on it, went between two places (ngeom, 3), m."""
    roots = model.body_rootid[model.geom_bodyid]
    ways = np.linalg.norm(after - before, axis=1)
    ways[~np.isfinite(ways)] = np.inf
    farthest = np.zeros(model.nbody)
    np.maximum.at(farthest, roots, ways)
    return {name: float(farthest[model.body(name).id]) for name in bodies}
