"""Getting free: what is held is put down, and the base goes to where it can turn."""

from __future__ import annotations

import numpy as np
from drawn_room import TABLE_TOP, empty_room, put
from toy_home import ToyBody, ToyHome

from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.planning.skills import Failure, GetFree, LookAround, Pick, Situation, SkillDoor, SkillResult
from vantage.spatial import wrap_angle
from vantage.types import Status, StepResult

MUG = 30


class TightHome(ToyHome):
    """Turns are blocked until the base has gone some way from where it stands."""

    def __init__(self, *given, room: float):
        super().__init__(*given)
        self.room, self.tight = room, None

    def step(self, command):
        target = command.target
        if self.tight is not None and target is not None:
            turns = abs(wrap_angle(target.yaw - self.here.yaw)) > 1e-6
            if turns and self.here.distance(self.tight) < self.room:
                return StepResult(Status.COLLIDED, "the robot met the wall", command, self.observe())
        return super().step(command)


def home_of(room=0.0):
    world = empty_room()
    world.boxes = [box for box in world.boxes if box[0] not in (2, 11)]
    put(world, MUG, "mug", 1.85, 1.3, TABLE_TOP, "red", "ceramic", (0.08, 0.08, 0.1))
    return TightHome(world, {MUG}, {MUG: 0.37}, room=room)


def carried_out(home, *skills):
    door = SkillDoor(Situation(PrivilegedPerceiver(12), home.info, ToyBody(), voxel=0.05))
    observation, last, told = home.observe(), None, SkillResult()
    for skill in skills:
        if isinstance(skill, GetFree):
            home.tight = home.here
        door.begin(skill)
        while not isinstance(told := door.next(observation, last), SkillResult):
            last = home.step(told)
            observation = last.observation
    return told


def test_what_is_held_is_put_back_first():
    home = home_of()
    where = next(np.array(low) for key, low, _ in home.world.boxes if key == MUG)
    assert carried_out(home, LookAround(), Pick(MUG), GetFree()).done
    assert home.held == 0
    assert np.allclose(next(low for key, low, _ in home.world.boxes if key == MUG), where, atol=0.03)


def test_it_drives_until_it_can_turn():
    home = home_of(room=0.1)
    assert carried_out(home, LookAround(), GetFree()).done
    assert home.here.distance(home.tight) >= 0.1


def test_where_it_never_can_that_is_told():
    home = home_of(room=9.0)
    told = carried_out(home, LookAround(), GetFree())
    assert (told.failure, told.reason) == (Failure.BLOCKED, "the robot found no room to turn in")
