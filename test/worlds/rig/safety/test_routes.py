"""Ways of the rigs that are shipped: straight, over the parking position, around; and why there is none."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples
from small_room import small_room

from vantage.files import shared_folder
from vantage.spatial import Matrix
from vantage.splats.scene import SplatScene
from vantage.splats.scene_file import load_scene, save_scene
from vantage.worlds.rig.description import Box, RigDescription, SafetyRules, load_rig
from vantage.worlds.rig.safety.motion_checks import RigSafety
from vantage.worlds.rig.safety.routes import MOST_CHECKS, MOST_CUTS, Routes


def eight_metres(description: RigDescription) -> RigDescription:
    """The same gantry with slides of 8 m around the origin, so that walls of a room can shut it in."""
    slides = [dataclasses.replace(joint, upper=7.99) for joint in description.chain.joints[:2]]
    base = description.chain.T_world_base.copy()
    base[:2, 3] = -4.0
    joints = (*slides, *description.chain.joints[2:])
    return dataclasses.replace(
        description, chain=dataclasses.replace(description.chain, joints=joints, T_world_base=base)
    )


ROOM = eight_metres(load_rig(shared_folder("config") / "rigs" / "room.yaml"))
ARM = load_rig(shared_folder("config") / "rigs" / "arm_robot.yaml")
MARGIN = 3 * MOST_CUTS + 100  # checks beyond those of the trees


class Counting(RigSafety):
    """Counts the lines that are checked."""

    checks = 0

    def path_violation(self, start: Matrix, target: Matrix) -> str | None:
        self.checks += 1
        return super().path_violation(start, target)


def guard(*boxes: Box, rules: SafetyRules = ROOM.safety) -> Counting:
    return Counting(ROOM.chain, dataclasses.replace(rules, boxes=boxes), lambda: at(0.0, 0.0, 1.0))


def routes(safety: RigSafety, **park: float) -> Routes:
    return Routes(ROOM.chain, safety, park)


def at(x: float, y: float, z: float, pan: float = 0.0, tilt: float = 0.0) -> Matrix:
    """Joint positions that put the head at a place in the world."""
    return np.array([x + 4.0, y + 4.0, z, pan, tilt])


def wall(name: str, low: Sequence[float], high: Sequence[float]) -> Box:
    (a, b, c), (d, e, f) = low, high
    return Box(name, (a, b, c), (d, e, f))


def closed_box(low: Sequence[float], high: Sequence[float]) -> list[Box]:
    walls = []
    for axis, side in itertools.product(range(3), range(2)):
        first, last = list(low), list(high)
        if side:
            first[axis] = high[axis] - 0.02
        else:
            last[axis] = low[axis] + 0.02
        walls.append(wall(f"side {axis} {side}", first, last))
    return walls


def check_legs(safety: RigSafety, start: Matrix, way: list[Matrix], target: Matrix) -> None:
    assert np.array_equal(way[-1], target)
    for a, b in itertools.pairwise([start, *way]):
        assert safety.path_violation(a, b) is None
        assert safety.posture_violation(b) is None


LEFT, RIGHT = at(-1.5, 0.0, 1.0), at(1.5, 0.3, 1.2, 1.0, -0.3)
CURTAIN = wall("curtain", (-0.1, -9.0, 0.0), (0.1, 9.0, 2.0))  # the parking position leads over it
DOORWAY = [
    wall("left of the door", (-0.1, -9.0, 0.0), (0.1, -1.3, 3.0)),
    wall("right of the door", (-0.1, -0.9, 0.0), (0.1, 9.0, 3.0)),
    wall("lintel", (-0.1, -1.3, 1.5), (0.1, -0.9, 3.0)),
]


def test_the_straight_way_is_taken_where_it_is_free() -> None:
    safety = guard()
    safety.checks = 0
    way, reason = routes(safety, z=2.2).find(LEFT, RIGHT)
    assert np.array_equal(way, [RIGHT])
    assert reason == ""
    assert safety.checks == 1


def test_the_parking_position_comes_before_any_search() -> None:
    safety = guard(CURTAIN)
    safety.checks = 0
    way, reason = routes(safety, z=2.2).find(LEFT, RIGHT)
    assert [float(q[2]) for q in way] == [2.2, 2.2, 1.2]
    assert reason == ""
    assert safety.checks == 4
    check_legs(safety, LEFT, way, RIGHT)


def test_without_a_parking_position_a_way_over_a_wall_is_found() -> None:
    safety = guard(CURTAIN)
    way, reason = routes(safety).find(LEFT, RIGHT)
    assert reason == ""
    check_legs(safety, LEFT, way, RIGHT)


@pytest.mark.parametrize(("start", "target"), [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_a_narrow_door_is_found_where_the_parking_position_does_not_help(start: Matrix, target: Matrix) -> None:
    safety = guard(*DOORWAY)
    safety.checks = 0
    way, reason = routes(safety, z=2.2).find(start, target)
    assert reason == ""
    assert safety.checks < MOST_CHECKS / 2
    check_legs(safety, start, way, target)
    assert any(abs(q[0] - 4.0) < 0.7 and -1.3 < q[1] - 4.0 < -0.9 for q in way), "a corner of the way is at the door"


def test_the_same_question_has_the_same_answer() -> None:
    first, second = (routes(guard(*DOORWAY)).find(LEFT, RIGHT)[0] for _ in range(2))
    assert np.array_equal(first, second)
    again = routes(guard(*DOORWAY))
    again.find(RIGHT, LEFT)
    assert np.array_equal(again.find(LEFT, RIGHT)[0], first)


def test_out_of_a_closed_box_there_is_no_way_in_words_and_in_bounded_time() -> None:
    safety = guard(*closed_box((-2.0, -0.5, 0.5), (-1.0, 0.5, 1.5)))
    safety.checks = 0
    way, reason = routes(safety, z=2.2).find(LEFT, RIGHT)
    assert way == []
    assert reason.startswith("the head would come within 0.02 m of the forbidden box 'side 0 1' at (")
    assert reason.endswith(" m, and no way around was found")
    assert MOST_CHECKS <= safety.checks <= MOST_CHECKS + 4


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (at(0.0, 0.0, 1.0), "the head would come within 0.02 m of the forbidden box 'curtain' at ("),
        (at(0.0, 0.0, 2.45), "joint 'z' = 2.450 m is outside its soft limits [0.160, 2.390] m"),
        (at(np.nan, 0.0, 1.0), "are not 5 finite numbers"),
    ],
)
def test_where_the_rig_may_not_stand_no_way_is_sought(target: Matrix, words: str) -> None:
    safety = guard(CURTAIN)
    safety.checks = 0
    way, reason = routes(safety, z=2.2).find(LEFT, target)
    assert way == []
    assert words in reason
    assert "no way around" not in reason
    assert safety.checks == 1


def test_where_nobody_knows_the_start_no_way_is_sought() -> None:
    way, reason = routes(guard(CURTAIN)).find(at(np.inf, 0.0, 1.0), RIGHT)
    assert way == []
    assert "present joint positions" in reason


def test_a_rig_that_is_too_close_already_leaves_and_goes_around() -> None:
    safety = guard(CURTAIN)
    start = at(-0.17, 0.0, 1.0)
    assert safety.posture_violation(start) is not None
    way, reason = routes(safety).find(start, RIGHT)
    assert reason == ""
    check_legs(safety, start, way, RIGHT)
    assert way[0][0] < start[0], "first away from the curtain"


def test_a_rig_beyond_its_limits_comes_back_and_goes_around() -> None:
    safety = guard(CURTAIN)
    start = at(-4.2, 0.0, 1.0)
    way, reason = routes(safety).find(start, RIGHT)
    assert reason == ""
    check_legs(safety, start, way, RIGHT)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> SplatScene:
    cloud, graph = small_room()
    folder = tmp_path_factory.mktemp("routes") / "room"
    save_scene(folder, None, graph, cloud, name="room")
    return load_scene(folder)


def test_a_way_through_a_room_of_splats(scene: SplatScene) -> None:
    """The red box stands from 2.2 to 2.8 m in x and from 1.2 to 1.8 m in y, 1.2 m high."""
    safety = guard()
    safety.learn_room(scene, 0.1)
    start, target = at(1.8, 1.5, 0.7), at(3.3, 1.5, 0.7, 2.0)
    assert "a solid part of the room" in str(safety.path_violation(start, target))
    safety.checks = 0
    way, reason = routes(safety).find(start, target)
    assert reason == ""
    assert safety.checks < 1000
    check_legs(safety, start, way, target)


def test_an_arm_goes_around_its_torso() -> None:
    """Where every joint carries the next one."""
    safety = RigSafety(ARM.chain, ARM.safety, lambda: np.zeros(6))
    lots, barred = np.random.default_rng(2), 0
    free = [q for q in lots.uniform(ARM.chain.lower, ARM.chain.upper, (120, 6)) if safety.posture_violation(q) is None]
    for start, target in itertools.pairwise(free):
        if safety.path_violation(start, target) is not None:
            barred += 1
            way, reason = Routes(ARM.chain, safety, {}).find(start, target)
            assert reason == ""
            check_legs(safety, start, way, target)
    assert barred > 2


numbers = st.floats(-1.0, 1.0)
objects = st.lists(st.tuples(numbers, numbers, numbers, st.floats(0.01, 1.0), st.floats(0.01, 1.0)), max_size=6)
places = st.tuples(numbers, numbers, numbers, numbers, numbers)


@settings(max_examples=examples(25), deadline=None)
@given(objects, places, places)
def test_among_random_boxes_no_way_violates_anything(boxes: list, first: tuple, last: tuple) -> None:
    """Also from postures that are too close to something already."""
    solid = [wall(f"box {n}", (x, y, z + 0.5), (x + w, y + w, z + 0.5 + h)) for n, (x, y, z, w, h) in enumerate(boxes)]
    safety = guard(*solid)
    start, target = (at(x, y, 1.2 + z, 3.0 * p, t) for x, y, z, p, t in (first, last))
    safety.checks = 0
    way, reason = routes(safety, z=2.2).find(start, target)
    assert bool(way) != bool(reason)
    assert safety.checks <= MOST_CHECKS + MARGIN
    for a, b in itertools.pairwise([start, *way]):
        assert safety.path_violation(a, b) is None
    if way and safety.posture_violation(start) is None:
        check_legs(safety, start, way, target)
    if not way and safety.posture_violation(target) is not None:
        assert "no way around" not in reason
