"""Putting things into what stands open at its front: with a level hand, on its boards, under its top."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from skill_runs import MUG, Run, box_of, toy_home

from vantage.planning.skills import GoTo, LookAround, Pick, Put
from vantage.planning.skills.inner_spots import inner_spots, opens_at_its_front

CUPBOARD = 50
LOW, HIGH, BOARD = np.array([1.4, 3.4, 0.0]), np.array([2.3, 3.95, 0.9]), 0.45
_THIN = 0.03


def cupboard_home():
    """With a cupboard without doors, which has a bottom, a board, a back, sides and a top."""
    home = toy_home()
    world = home.world
    (x0, y0, _), (x1, y1, top) = LOW, HIGH
    world.add(CUPBOARD, "cupboard", (x0, y0, 0.05), (x1, y1, 0.08), "white", "wood")
    for low, high in (
        ((x0, y0, BOARD - _THIN), (x1, y1, BOARD)),
        ((x0, y0, top - _THIN), (x1, y1, top)),
        ((x0, y1 - _THIN, 0.0), (x1, y1, top)),
        ((x0, y0, 0.0), (x0 + _THIN, y1, top)),
        ((x1 - _THIN, y0, 0.0), (x1, y1, top)),
    ):
        world.boxes.append((CUPBOARD, low, high))
    world.legend[CUPBOARD] = replace(world.legend[CUPBOARD], states=("open",))
    return home


@pytest.fixture(scope="module")
def run() -> Run:
    run = Run(cupboard_home())
    assert run(LookAround()).done
    assert run(Pick(MUG)).done
    assert run(GoTo(key=CUPBOARD)).done
    return run


def test_places_in_it_are_on_its_boards_and_under_its_top(run: Run) -> None:
    obj = run.now.get(CUPBOARD)
    assert obj is not None
    assert opens_at_its_front(run.now, obj)
    spots = inner_spots(run.now, obj, (0.1, 0.1, 0.12))
    assert spots
    for x, y, level in spots:
        assert min(abs(level - board) for board in (0.08, BOARD)) <= 0.06, "voxels are 5 cm high"
        assert LOW[0] + 0.05 < x < HIGH[0] - 0.05
        assert LOW[1] < y < HIGH[1] - 0.05


def test_what_is_too_high_for_its_boards_has_no_place(run: Run) -> None:
    obj = run.now.get(CUPBOARD)
    assert obj is not None
    assert inner_spots(run.now, obj, (0.1, 0.1, 0.5)) == []


def test_a_mug_that_was_taken_from_above_is_put_in_with_a_level_hand(run: Run) -> None:
    ended = run(Put(CUPBOARD, "in"))
    assert ended.done, ended.reason
    low, high = box_of(run.home, MUG)
    assert (0.5 * (low + high) >= LOW).all()
    assert (0.5 * (low + high) <= HIGH).all()
    reached = [command.arm.T_world_tool for command in run.home.commands if command.arm is not None]
    last = [np.asarray(pose) for pose in reached if pose is not None][-2]
    assert abs(last[2, 0]) < 0.1, "the hand was level"
