"""Going to things over floor that is not known yet, and doing something there; closing as a whole; spots on seats."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from drawn_room import CABINET
from skill_runs import CRATE, MUG, Run, box_of, toy_home

from vantage.planning.skills import CloseAll, Failure, GoNear, GoTo, LookAround, Nearby, Open, Pick, Put
from vantage.planning.skills.free_spots import free_spots
from vantage.spatial import Viewpoint
from vantage.types import Command, Status, StepResult

ARMCHAIR, PILLOW, SEAT = 40, 41, 0.42


@pytest.fixture
def run() -> Run:
    run = Run(toy_home())
    assert run(LookAround()).done
    return run


@pytest.fixture
def ahead() -> Run:
    """Nothing is known but what the first view shows."""
    run = Run(toy_home())
    run.now.take_in(run.observation, None)
    return run


def first_seen(run: Run, *labels: str) -> int:
    return next(obj.instance_id for obj in run.now.memory.objects if obj.label in labels)


def test_it_looks_for_the_floor_on_the_way_to_a_thing(ahead: Run) -> None:
    key = first_seen(ahead, "table", "mug", "cabinet", "bookshelf", "chair")
    assert ahead(GoNear(key)).done
    here, obj = ahead.now.here, ahead.now.get(key)
    assert obj is not None
    assert math.dist((here.x, here.y), obj.center[:2]) < 2.5


def test_what_was_never_seen_is_told() -> None:
    assert Run(toy_home())(GoNear(99)).failure is Failure.NOT_SEEN


def test_a_skill_that_is_done_far_away_begins_with_the_way_there(run: Run) -> None:
    assert run(Nearby(Open(CABINET), CABINET)).done
    assert Nearby(Open(CABINET), CABINET).name == "open"


def test_a_thing_is_closed_once_it_is_seen_closed(run: Run) -> None:
    assert run(Open(CABINET)).done
    assert run(CloseAll(CABINET, sees=lambda now, key: "closed")).done
    told = run(CloseAll(CABINET, sees=lambda now, key: "open"))
    assert told.failure is Failure.BLOCKED
    assert "still seen open" in told.reason


@pytest.fixture
def seated() -> Run:
    """A room with an armchair: a seat, and a back beside it."""
    home = toy_home()
    home.world.add(ARMCHAIR, "armchair", (0.9, 2.3, 0.0), (1.7, 3.0, SEAT), "red", "cloth")
    home.world.boxes.append((ARMCHAIR, (0.9, 3.0, 0.0), (1.7, 3.2, 0.85)))
    run = Run(home)
    assert run(LookAround()).done
    assert run(Pick(MUG)).done
    return run


def test_things_are_put_on_the_seat_rather_than_on_the_back(seated: Run) -> None:
    support, held = seated.now.get(ARMCHAIR), seated.now.memory.held
    assert support is not None
    assert held is not None
    spots = free_spots(seated.now, support, held, (0.08, 0.08, 0.1))
    assert spots
    x, y, level = spots[0]
    assert SEAT - 0.01 <= level <= SEAT + 0.08, "voxels are 5 cm high"
    assert 1.0 < x < 1.6
    assert 2.4 < y < 2.9, "well inside"


def test_what_falls_into_a_crate_is_let_go_over_its_rim(seated: Run) -> None:
    support, held = seated.now.get(CRATE), seated.now.memory.held
    assert support is not None
    assert held is not None
    rim = support.bounds_max[2]
    assert all(spot[2] + 0.1 > rim for spot in free_spots(seated.now, support, held, (0.08, 0.08, 0.1), "in"))


def test_a_thing_too_large_for_its_support_comes_over_the_middle_or_nowhere(seated: Run) -> None:
    support, held = seated.now.get(CRATE), seated.now.memory.held
    assert support is not None
    assert held is not None
    for spot in free_spots(seated.now, support, held, (0.9, 0.9, 0.2)):
        low, high = support.bounds_min, support.bounds_max
        assert spot[:2] == pytest.approx([0.5 * (a + b) for a, b in zip(low[:2], high[:2], strict=True)], abs=0.12)


def test_a_thing_is_put_on_a_table_and_stays(seated: Run) -> None:
    ended = seated(Put(CRATE))
    assert ended.done, ended.reason
    low, _ = box_of(seated.home, MUG)
    assert low[2] == pytest.approx(0.6, abs=0.02)


def test_it_turns_while_it_drives(run: Run) -> None:
    here = run.now.here
    x, y = here.x + 0.4 * math.cos(here.yaw + 0.9), here.y + 0.4 * math.sin(here.yaw + 0.9)
    given: list[Command] = []
    step = run.home.step

    def counted(command: Command) -> StepResult:
        given.append(command)
        return step(command)

    run.home.step = counted
    try:
        assert run(GoTo(Viewpoint(x, y, here.z, here.yaw + 0.6, -0.3))).done
    finally:
        run.home.step = step
    moves = [command.target for command in given if command.target is not None]
    assert len(moves) == 2  # one that turns and drives, one to look
    assert math.dist((run.now.here.x, run.now.here.y), (x, y)) < 0.02
    assert run.now.here.yaw == pytest.approx(here.yaw + 0.6, abs=0.03)


def test_where_it_cannot_turn_it_drives_as_it_stands(run: Run) -> None:
    here = run.now.here
    step = run.home.step

    def without_turns(command: Command) -> StepResult:
        result: StepResult = step(command)
        if command.target is not None and result.status is Status.DONE and command.target.yaw != here.yaw:
            run.home.here = replace(run.home.here, x=before[-1].x, y=before[-1].y, yaw=here.yaw)
            result = StepResult(Status.COLLIDED, "it met a wall", command, run.home.observe())
        before.append(run.home.here)
        return result

    before = [here]
    run.home.step = without_turns
    try:
        ended = run(GoTo(Viewpoint(here.x + 0.4, here.y + 0.5, here.z, here.yaw, here.pitch)))
    finally:
        run.home.step = step
    assert ended.done, ended.reason
    assert math.dist((run.now.here.x, run.now.here.y), (here.x + 0.4, here.y + 0.5)) < 0.02
    assert run.now.here.yaw == here.yaw
    assert not run.now.bumps, "nothing was in the way of the base"


def test_to_go_to_a_room_is_to_go_into_it(run: Run) -> None:
    floor = run.now.get(first_seen(run, "floor"))
    assert floor is not None
    before = run.now.here
    assert run(GoTo(key=floor.instance_id)).done
    here = run.now.here
    low, high = np.array(floor.bounds_min[:2]), np.array(floor.bounds_max[:2])
    assert ((low + 0.3 < (here.x, here.y)) & ((here.x, here.y) < high - 0.3)).all()
    assert math.dist((here.x, here.y), (before.x, before.y)) < 0.2, "it was in it"
