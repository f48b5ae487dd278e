"""Skills in a toy home: going, opening, picking, putting, weighing, what fails and what a guard refuses."""

import math
from dataclasses import replace

import numpy as np
import pytest
from box_world import BoxWorld
from drawn_room import CABINET, TABLE, TABLE_TOP, put
from skill_runs import CRATE, HANDLE, MUG, Run, box_of, toy_home
from toy_home import HEIGHT, ToyHome

from vantage.planning.skills import (
    Close,
    Failure,
    GoTo,
    LookAround,
    Open,
    Pick,
    Put,
    PutBack,
    SkillResult,
    Weigh,
    neighbours,
)
from vantage.planning.skills.going import tucked
from vantage.spatial import Viewpoint
from vantage.types import Cause, Status


@pytest.fixture
def run():
    run = Run(toy_home())
    assert run(LookAround()).done
    return run


def test_it_goes_around_furniture_along_its_heading():
    home = toy_home()
    home.world.add(32, "stool", (2.35, 1.35, 0.0), (2.65, 1.65, 0.4), "white", "wood")
    run = Run(home)
    assert run(LookAround()).done
    goal = Viewpoint(2.5, 2.5, HEIGHT, 0.3, -0.2)
    result = run(GoTo(goal))
    assert result.done, result
    assert math.dist((run.home.here.x, run.home.here.y), (goal.x, goal.y)) < 0.03
    assert abs(run.home.here.yaw - 0.3) < 0.03
    before = None
    for command in run.home.commands[14:]:
        if command.target is not None:
            if before is not None and before.distance(command.target) > 0.2:
                heading = math.atan2(command.target.y - before.y, command.target.x - before.x)
                assert math.cos(heading - command.target.yaw) > 0.99
            before = command.target


def test_it_goes_where_a_thing_can_be_seen(run):
    assert run(GoTo(key=CABINET)).done
    assert CABINET in np.unique(run.observation.instances)


def test_it_goes_where_a_thing_can_be_reached(run):
    assert run(GoTo(key=MUG, reach=True)).done
    low, high = box_of(run.home, MUG)
    assert 0.2 < math.dist((run.home.here.x, run.home.here.y), 0.5 * (low + high)[:2]) < 1.1


def test_it_opens_and_closes(run):
    assert run(Open(CABINET)).done
    assert run.home.opened == {CABINET}
    assert run.now.get(CABINET).states == ("open",)
    assert run(Close(CABINET, HANDLE)).done
    assert run.home.opened == set()
    assert run.now.get(CABINET).states == ("closed",)


def test_what_it_picks_is_put_back_where_it_was(run):
    before = box_of(run.home, MUG)[0]
    assert run(Pick(MUG)).done
    assert run.home.held == MUG
    assert run.now.memory.held.instance_id == MUG
    assert run(PutBack()).done
    assert run.home.held == 0
    np.testing.assert_allclose(box_of(run.home, MUG)[0], before, atol=0.03)
    assert run.now.memory.support_of(run.now.get(MUG)).key == TABLE


def test_what_it_picks_can_be_put_on_something_else(run):
    assert run(Pick(MUG)).done
    result = run(Put(CRATE))
    assert result.done, result
    low, _ = box_of(run.home, MUG)
    assert abs(low[2] - 0.6) < 0.02
    assert run.now.memory.support_of(run.now.get(MUG)).key == CRATE


def test_it_weighs_to_a_step(run):
    result = run(Weigh(MUG))
    assert result.done, result
    assert result.mass == pytest.approx(0.37, abs=0.03)
    low, high = run.now.get(MUG).mass  # which the memory keeps as an interval
    assert low <= 0.37 <= high
    assert high - low < 0.15
    assert run.home.held == 0


def test_what_cannot_be_done_is_told_by_class(run):
    assert run(Open(99)).failure is Failure.NOT_SEEN
    assert run(Open(TABLE)).failure is Failure.NO_HANDLE
    assert run(Pick(99)).failure is Failure.NOT_SEEN
    assert run(Pick(TABLE)).failure is Failure.NOT_GRASPABLE
    assert run(PutBack()).failure is Failure.NOT_HELD
    assert run(Put(TABLE)).failure is Failure.NOT_HELD
    assert run(GoTo(key=99)).failure is Failure.NOT_SEEN
    assert run(GoTo(Viewpoint(40.0, 1.0, HEIGHT, 0.0, 0.0))).failure is Failure.NO_WAY
    assert run(Pick(MUG)).done
    assert run(Pick(MUG)).failure is Failure.HAND_FULL
    assert run(Open(CABINET)).failure is Failure.HAND_FULL


def test_what_slips_is_too_heavy():
    home = toy_home()
    home.masses[MUG] = 30.0
    run = Run(home)
    run(LookAround())
    failure = run(Pick(MUG)).failure
    assert failure in (Failure.TOO_HEAVY, Failure.NOT_GRASPABLE)
    if failure is Failure.TOO_HEAVY:
        assert run.now.get(MUG).mass == (run.now.firmest, math.inf)


class Refuses:
    def refusal(self, skill, command):
        return "not while somebody is in the room" if command.arm is not None else ""


def test_a_guard_at_the_door_can_refuse():
    run = Run(toy_home(), Refuses())
    assert run(LookAround()).done
    result = run(Open(CABINET))
    assert (result.failure, result.reason) == (Failure.REFUSED, "not while somebody is in the room")
    assert run.home.opened == set()
    assert all(command.arm is None for command in run.home.commands)


class Gated(ToyHome):
    """Lets the hand close only on the third try, as though something else was in it before that."""

    first = 3

    def _gripped(self, arm):
        grasped = sum(each.arm is not None and each.arm.gripper_width == 0.0 for each in self.commands)
        if arm.gripper_width == 0.0 and grasped < self.first:
            return Status.REJECTED, "the warrant is for other things: this touches glass", Cause.UNWARRANTED
        return super()._gripped(arm)


@pytest.mark.parametrize(("first", "failure"), [(3, None), (99, Failure.NOT_GRASPABLE)])
def test_a_grasp_that_touches_something_else_is_followed_by_another(first, failure):
    home = toy_home()
    home.__class__, home.first = Gated, first
    run = Run(home)
    run(LookAround())
    result = run(Pick(MUG))
    assert result.failure is failure
    assert home.held == (0 if failure else MUG)
    assert not failure or "touches glass" in result.reason
    grasps = [each.arm for each in home.commands if each.arm is not None and each.arm.gripper_width == 0.0]
    assert len(grasps) >= 3 if failure is None else len(grasps) > 1


def test_without_a_warrant_no_other_grasp_is_tried():
    home = toy_home()
    obeyed = home._obeyed
    home._obeyed = lambda command: (
        (Status.REJECTED, "no warrant was granted", Cause.UNWARRANTED) if command.arm else obeyed(command)
    )
    run = Run(home)
    run(LookAround())
    assert run(Pick(MUG)).failure is Failure.REFUSED
    assert sum(command.arm is not None for command in home.commands) <= 2


def test_what_takes_too_long_ends():
    run = Run(toy_home(), most=3)
    assert run(LookAround()).failure is Failure.TIMED_OUT


def test_a_stop_ends_a_skill(run):
    run.door.begin(LookAround())
    command = run.door.next(run.observation, run.last)
    stopped = replace(run.home.step(command), status=Status.STOPPED, reason="stopped: by hand")
    assert run.door.next(stopped.observation, stopped).failure is Failure.STOPPED


def test_somebody_else_at_the_world_ends_a_skill(run):
    run.door.begin(LookAround())
    command = run.door.next(run.observation, run.last)
    refused = replace(run.home.step(command), status=Status.REJECTED, reason="taken", cause=Cause.LEASE)
    assert run.door.next(refused.observation, refused).failure is Failure.REFUSED


def test_a_door_without_a_skill_and_a_world_without_a_hand_say_so():
    home = toy_home()
    run = Run(home)
    with pytest.raises(ValueError, match="no skill was begun"):
        run.door.next(run.observation, None)
    with pytest.raises(ValueError, match="nothing was observed yet"):
        _ = run.now.here
    run.door.begin(Pick(MUG))
    with pytest.raises(ValueError, match="has no hand"):
        run.door.next(replace(run.observation, touch=None), None)


def test_an_unexpected_obstacle_is_gone_around():
    home = toy_home()
    run = Run(home)
    assert run(LookAround()).done
    home.world.boxes.append((0, (2.3, 1.5, 0.0), (2.6, 1.7, 0.04)))  # seen by nobody
    ghost = home._blocked
    wall = (2.25, 1.55), (2.7, 1.75)
    home._blocked = lambda target: (
        ghost(target)
        or (wall[0][0] - 0.2 < target.x < wall[1][0] + 0.2 and wall[0][1] - 0.2 < target.y < wall[1][1] + 0.2)
    )
    result = run(GoTo(Viewpoint(2.5, 2.6, HEIGHT, 0.0, 0.0)))
    assert result.done, result


def test_an_empty_world_shows_no_floor():
    home = ToyHome(BoxWorld())
    run = Run(home)
    assert run(LookAround()).done
    assert run(GoTo(Viewpoint(4.0, 3.0, HEIGHT, 0.0, 0.0))).failure is Failure.NO_WAY


def test_neighbours_are_weighed_without_folding_the_arm():
    home = toy_home()
    put(home.world, 33, "cup", 1.85, 1.1, TABLE_TOP, "blue", "ceramic", (0.08, 0.08, 0.1))
    home.movable.add(33)
    home.masses[33] = 0.82
    run = Run(home)
    assert run(LookAround()).done
    mug, cup, crate = (run.now.get(key) for key in (MUG, 33, CRATE))
    assert neighbours(mug, [mug, cup, crate]) == [cup]
    alone = Run(toy_home())
    assert alone(LookAround()).done
    assert alone(Weigh(MUG)).done
    result = run(Weigh(MUG, (33, 99)))
    assert result.done, result
    assert result.mass == pytest.approx(0.37, abs=0.03)
    low, high = run.now.get(33).mass
    assert low < 0.82 < high
    assert run.home.held == 0
    np.testing.assert_allclose(box_of(run.home, 33)[0][2], TABLE_TOP, atol=0.03)
    assert len(run.home.commands) < 1.9 * len(alone.home.commands)


def test_a_handle_that_is_not_quite_where_it_was_seen_is_felt_for(run):
    owner, (x, y, z) = run.home.handles[HANDLE]
    run.home.handles[HANDLE] = owner, (x, y, z + 0.12)
    result = run(Open(CABINET))
    assert result.done, result
    assert run.home.opened == {CABINET}
    turned = [k for k, command in enumerate(run.home.commands) if command.arm and command.arm.handle]
    looked = [k for k, command in enumerate(run.home.commands) if command.target]
    assert any(turned[0] < k < turned[1] for k in looked)  # not before another look at it


class Jammed(ToyHome):
    """Its arm cannot be folded, until the hand is ahead of where it was."""

    freed = math.inf  # m ahead of the base

    def _obeyed(self, command):
        if command.arm is not None and command.arm.joints is not None and self.arm[0, 3] < self.freed:
            return Status.COLLIDED, "the arm met a box and went back", Cause.NONE
        return super()._obeyed(command)


def test_an_arm_that_cannot_be_folded_ends_a_skill_at_once():
    home = toy_home()
    home.__class__ = Jammed
    run = Run(home)
    assert run(LookAround()).done
    result = run(Open(CABINET))
    assert result.failure is Failure.STUCK
    assert "cannot be folded" in result.reason
    assert len([command for command in home.commands if command.arm and command.arm.joints]) == 10


class Cornered(ToyHome):
    """Its arm cannot be folded at one heading of the base."""

    barred = math.inf  # rad

    def _obeyed(self, command):
        folds = command.arm is not None and command.arm.joints is not None
        if folds and abs(self.here.yaw - self.barred) < 0.5:
            return Status.COLLIDED, "the arm met a wall and went back", Cause.NONE
        return super()._obeyed(command)


def test_the_base_turns_away_from_what_bars_the_arm():
    home = toy_home()
    run = Run(home)
    run.now.take_in(run.observation, None)
    home.__class__, home.barred = Cornered, run.now.here.yaw
    home.arm[0, 3] += 0.1
    assert run(Tucking()).done
    assert abs(run.now.here.yaw - home.barred) > 0.5


class Tucking:
    name = "tuck"

    def steps(self, now):
        return (yield from tucked(now)) or SkillResult()


def test_a_hand_is_taken_elsewhere_before_the_arm_is_folded():
    home = toy_home()
    home.__class__, home.freed = Jammed, 0.35
    run = Run(home)
    assert run(LookAround()).done
    assert run(Open(CABINET)).done
