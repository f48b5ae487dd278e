"""Whether a home stands still as bodies, its joints run, and the robot gets to its rooms, handles and small things."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import SceneSpec
from vantage.worlds.house.bodies import HouseModel, MovingPart, build_house, displacements
from vantage.worlds.house.checks.base_paths import BaseMap, base_map, unreached_rooms
from vantage.worlds.house.checks.joint_runs import JointRun, run_joint
from vantage.worlds.house.robot import RobotDescription, reachable_point

Reachable = Callable[[float, float], bool]  # of a point, by its distance ahead of the base's axis and its height, m

REST_TIME = 5.0  # s
LARGEST_MOVE = 0.01  # m
_FARTHEST = 1.2  # m from the base's axis that is asked for
_GRID = 0.02  # m, of distances and heights that are asked for
_BEFORE = 0.3  # cosine of the angle from the front of a handle up to which the robot stands before it


@dataclass(frozen=True)
class RestFault:
    """One thing that is not as it should be.

    Attributes:
        kind: ``moved``, ``joint`` or ``room``.
        instance: of the object, or the id of the room.
        others: instance ids of what is in the way.
    """

    kind: str
    instance: int
    others: tuple[int, ...]
    message: str


@dataclass(frozen=True)
class RestReport:
    """What was found.

    Attributes:
        faults: empty for a sound home.
        notes: sentences on what is no fault of the bodies: things that enter each other, rooms behind closed doors.
        movable: number of things that can be picked up.
        farthest: m that anything moved in 5 s.
        joints, complete: number of joints, and of those that run through their whole ranges.
        rooms, reached: number of rooms, and of those that the base gets to.
        handles, handles_in_reach, things, things_in_reach: number of handles and of things that can be picked up, and
            of those that the hand gets to from the floor; None for what nobody asked about.
    """

    faults: tuple[RestFault, ...]
    notes: tuple[str, ...]
    movable: int
    farthest: float
    joints: int
    complete: int
    rooms: int
    reached: int
    handles: int
    things: int
    handles_in_reach: int | None
    things_in_reach: int | None


def check_rest(
    home: SceneSpec,
    radius: float,
    height: float,
    reachable: Reachable | None = None,
    start: tuple[float, float] | None = None,
) -> RestReport:
    """Make bodies of a home, wait, run its joints and drive about.

    Args:
        radius, height: of the robot, m.
        reachable: whether the hand gets to a point; None leaves that out.
        start: from where the base drives, m; without it, the largest floor counts.

    Raises:
        SceneError: no bodies can be made of it.
    """
    house = build_house(home, appearance=False)
    names = {obj.instance_id: f"{obj.label} {obj.instance_id}" for obj in home.objects}
    data = mujoco.MjData(house.model)
    faults, farthest = _rest_faults(house, data, names)
    runs = [run_joint(house, data, part) for part in house.parts]
    blocked = [run for run in runs if not run.complete]
    inside = {obj.instance_id: f"it stands in {names[obj.parent]}" for obj in home.objects if obj.relation == "in"}
    excused = {**inside, **dict.fromkeys(house.movable, "it can be carried away")}
    faults += [_joint_fault(run, names) for run in blocked if run.part.instance not in excused]
    places = base_map(home, radius, height, start)
    closed = unreached_rooms(home, places)
    lost = unreached_rooms(home, base_map(home, radius, height, start, doors_away=True)) if closed else []
    faults += [
        RestFault("room", room.room_id, (), f"the robot does not get to room {room.room_id} ({room.label})")
        for room in lost
    ]
    notes = [f"room {room.room_id} ({room.label}) is behind a closed door" for room in closed if room not in lost]
    notes += [f"{_stop(run, names)}; {excused[run.part.instance]}" for run in blocked if run.part.instance in excused]
    notes += [
        f"'{run.part.part}' of {names[run.part.instance]} runs without {_listed(run.cleared, names)} in its way"
        for run in runs
        if run.complete and run.cleared
    ]
    for first, second, depth in house.conflicts.pairs:
        fixed = [names[one] for one in (first, second) if one in house.conflicts.stuck]
        left = f", so that {' and '.join(fixed)} cannot be picked up" if fixed else ""
        pair = " and ".join(names.get(one, "the floor") for one in (first, second))
        notes.append(f"{pair} enter each other by {depth:.3f} m{left}")
    mujoco.mj_resetData(house.model, data)
    mujoco.mj_forward(house.model, data)
    handles = [(data.site(part.handle).xpos, _front(house, data, part)) for part in house.parts]
    things = [(data.body(name).subtree_com, None) for name in house.movable.values()]
    return RestReport(
        tuple(faults),
        tuple(notes),
        len(house.movable),
        farthest,
        len(runs),
        sum(run.complete for run in runs),
        len(home.rooms),
        len(home.rooms) - len(lost),
        len(handles),
        len(things),
        None if reachable is None else _reached(handles, places, reachable),
        None if reachable is None else _reached(things, places, reachable),
    )


def hand_reaches(robot: RobotDescription) -> Reachable:
    """Whether the hand gets to a point, pointing forward, slanted or down."""

    def reaches(distance: float, height: float) -> bool:
        return reachable_point(robot, np.eye(4), (distance, 0.0, height)) is not None

    return reaches


def _front(house: HouseModel, data: mujoco.MjData, part: MovingPart) -> NDArray[np.float64] | None:
    """Where the front of a closed part faces, (2,); what stands open is taken from any side."""
    if data.joint(part.joint).qpos[0] > part.low + 0.05 * (part.high - part.low):
        return None
    return np.asarray(data.site(part.handle).xmat[[0, 3]])


def _rest_faults(house: HouseModel, data: mujoco.MjData, names: dict[int, str]) -> tuple[list[RestFault], float]:
    """What moves farther than it should while everything is awake, and how far anything moves, m."""
    model = house.model
    policies = model.tree_sleep_policy.copy()
    model.tree_sleep_policy[:] = mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED
    mujoco.mj_resetData(model, data)
    model.tree_sleep_policy[:] = policies
    mujoco.mj_forward(model, data)
    before = data.geom_xpos.copy()
    mujoco.mj_step(model, data, round(REST_TIME / model.opt.timestep))
    mujoco.mj_kinematics(model, data)
    moved = displacements(model, house.movable.values(), before, data.geom_xpos)
    ways = {instance: moved[name] for instance, name in house.movable.items()}
    for part in house.parts:
        if part.instance not in house.movable:
            geoms = model.geom_bodyid == model.jnt_bodyid[model.joint(part.joint).id]
            way = float(np.linalg.norm(data.geom_xpos[geoms] - before[geoms], axis=1).max(initial=0.0))
            ways[part.instance] = max(ways.get(part.instance, 0.0), way if math.isfinite(way) else math.inf)
    faults = [
        RestFault("moved", instance, (), f"{names[instance]} moved {way:.3f} m in {REST_TIME:g} s")
        for instance, way in ways.items()
        if way > LARGEST_MOVE
    ]
    return faults, max(ways.values(), default=0.0)


def _joint_fault(run: JointRun, names: dict[int, str]) -> RestFault:
    return RestFault("joint", run.part.instance, run.met, _stop(run, names))


def _stop(run: JointRun, names: dict[int, str]) -> str:
    """How far a part runs and what it meets, in words."""
    part = run.part
    unit = "m" if part.kind == "slide" else "rad"
    return (
        f"'{part.part}' of {names[part.instance]} runs from {run.lowest:.2f} to {run.highest:.2f} {unit} instead of "
        f"{part.low:.2f} to {part.high:.2f} and meets {_listed(run.met, names) or 'nothing that could be named'}"
    )


def _listed(instances: Iterable[int], names: dict[int, str]) -> str:
    return " and ".join(names.get(instance, "the floor") for instance in instances)


def _reached(
    targets: Iterable[tuple[NDArray[np.float64], NDArray[np.float64] | None]], places: BaseMap, reachable: Reachable
) -> int:
    """How many points (3,) the hand gets to from places of the base, of those with a front (2,) from before it."""
    points = places.points()
    known: dict[tuple[int, int], bool] = {}
    count = 0
    for point, front in targets:
        ways = points - point[:2]
        distances = np.linalg.norm(ways, axis=1)
        near = distances < _FARTHEST
        length = 0.0 if front is None else float(np.linalg.norm(front))
        if front is not None and length > 0.5:
            near &= ways @ front / length > _BEFORE * distances
        level = round(float(point[2]) / _GRID)
        for step in np.unique(np.rint(distances[near] / _GRID).astype(np.int64)).tolist():
            if (step, level) not in known:
                known[step, level] = reachable(step * _GRID, level * _GRID)
            if known[step, level]:
                count += 1
                break
    return count
