"""A home as a MuJoCo model: what stands for good, what moves on joints and what can be picked up.

The coordinate of a joint is the ``position`` of the specification, low is closed. Geoms to touch are in group 3; what
is seen is in group 2 and belongs to ``appearance``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.scenes.spec import SceneSpec, check_spec
from vantage.worlds.house.bodies.conflicts import NO_CONFLICTS, Conflicts, find_conflicts
from vantage.worlds.house.bodies.house_bodies import HANDLE_IDS, HANDLES_OF_ONE, HouseBodies, MovingPart
from vantage.worlds.house.bodies.model_cache import KeptModel, kept
from vantage.worlds.house.bodies.settling import settled_poses

if TYPE_CHECKING:
    from vantage.worlds.house.robot import RobotDescription


@dataclass(frozen=True, eq=False)
class HouseModel:
    """A compiled home and what its elements stand for.

    Attributes:
        home: the specification that it was made from.
        model: with the robot in it where there is one.
        parts: all that moves on a joint.
        movable: names of the bodies of what can be picked up, by instance id.
        instance_of_geom: instance id of every geom (ngeom,), 0 for the robot.
        id_of_geom: the same, but handles have their own ids.
        conflicts: what enters each other in the specification, and so does not collide or is fixed.
    """

    home: SceneSpec
    model: mujoco.MjModel
    parts: tuple[MovingPart, ...]
    movable: Mapping[int, str]
    instance_of_geom: NDArray[np.int32]
    id_of_geom: NDArray[np.int32]
    conflicts: Conflicts = NO_CONFLICTS


def build_house(
    home: SceneSpec,
    *,
    robot: RobotDescription | None = None,
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
    appearance: bool = True,
    light_seed: int | None = None,
    texture_seed: int | None = None,
    asleep: bool = True,
    keep: bool = True,
) -> HouseModel:
    """Make the bodies of a home, or take those that were made of the same before.

    Things that enter each other deeply would fly apart: what can be picked up is fixed then, and what moves on a joint
    passes through. What does not quite rest where the home has it begins where it comes to rest.

    Args:
        robot: that moves about in it, None for none.
        start: of its base: x, y in m and yaw in rad.
        appearance: whether it can be seen; without it, it can only be touched.
        light_seed, texture_seed: of random light and texture, None for usual ones; see ``Appearance``.
        asleep: whether everything rests until something touches it.
        keep: whether the model is kept in the user's cache and taken from there, where its looks are the usual ones:
            those of a lot are not wanted again.

    Raises:
        SceneError: the specification contradicts itself, or the bodies cannot be made.
    """
    check_spec(home)
    _check_ids(home)

    def make() -> KeptModel:
        return _made(home, robot, start, appearance, light_seed, texture_seed, asleep)

    described = None if robot is None else robot.path.read_bytes()
    key = (home, described, start, appearance, light_seed, texture_seed, asleep)
    usual = light_seed is None and texture_seed is None
    made = kept(key, make) if keep and usual else make()
    return HouseModel(
        home,
        made.model,
        made.parts,
        MappingProxyType(dict(made.movable)),
        made.instance_of_geom,
        made.id_of_geom,
        made.conflicts,
    )


def _check_ids(home: SceneSpec) -> None:
    """
    Raises:
        SceneError: an id is that of a handle, or handles would share one.
    """
    for obj in home.objects:
        if obj.instance_id >= HANDLE_IDS:
            raise SceneError(
                f"object {obj.instance_id} ({obj.label}) of scene '{home.name}' has an id that is kept for handles; "
                f"give it one below {HANDLE_IDS}"
            )
        if len(obj.joints) >= HANDLES_OF_ONE:
            raise SceneError(
                f"object {obj.instance_id} ({obj.label}) of scene '{home.name}' has {len(obj.joints)} joints; give it "
                f"{HANDLES_OF_ONE - 1} at most"
            )


def _made(
    home: SceneSpec,
    robot: RobotDescription | None,
    start: tuple[float, float, float],
    appearance: bool,
    light_seed: int | None,
    texture_seed: int | None,
    asleep: bool,
) -> KeptModel:
    bare = HouseBodies(home)
    model = _compiled(home, bare)
    conflicts = find_conflicts(model)
    if conflicts.passing:
        bare = HouseBodies(home, conflicts)
        model = _compiled(home, bare)
    poses = settled_poses(model, bare.movable)
    bodies = HouseBodies(home, conflicts)
    if appearance:
        from vantage.worlds.house.looks import Appearance

        bodies.looks = Appearance(bodies.spec, home, light_seed=light_seed, texture_seed=texture_seed)
    if robot is not None:
        from vantage.worlds.house.bodies.grasp_bodies import add_grasp
        from vantage.worlds.house.robot import add_robot

        add_robot(bodies.spec, robot, start)
        add_grasp(bodies.spec, robot)
    model = _compiled(home, bodies)
    for instance, pose in poses.items():
        first = int(model.jnt_qposadr[model.joint(f"free/{instance}").id])
        model.qpos0[first : first + 7] = pose
    if asleep:
        for body in bodies.sleepers:
            model.tree_sleep_policy[model.body_treeid[model.body(body).id]] = mujoco.mjtSleepPolicy.mjSLEEP_INIT
    instances, ids = bodies.ids(model)
    return KeptModel(model, tuple(bodies.parts), bodies.movable, instances, ids, conflicts)


def _compiled(home: SceneSpec, bodies: HouseBodies) -> mujoco.MjModel:
    bodies.add_objects()
    try:
        return bodies.spec.compile()
    except ValueError as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise SceneError(f"the home '{home.name}' cannot be made of bodies: {reason}; mend it") from error
