"""Skills that are run one after the other in a toy home."""

import numpy as np
from drawn_room import CABINET, TABLE_TOP, empty_room, put
from toy_home import ToyBody, ToyHome

from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.planning.skills import Situation, SkillDoor, SkillResult
from vantage.types import InstanceLabel

MUG, CRATE, HANDLE = 30, 31, 1_000_001


def toy_home():
    world = empty_room()
    world.boxes = [box for box in world.boxes if box[0] not in (2, 11)]  # no ceiling, no bed: room to drive
    world.add(CRATE, "table", (3.4, 2.6, 0.0), (4.2, 3.2, 0.6), "red", "wood")
    put(world, MUG, "mug", 1.85, 1.3, TABLE_TOP, "red", "ceramic", (0.08, 0.08, 0.1))
    world.legend[HANDLE] = InstanceLabel(HANDLE, "handle", part_of=CABINET)
    world.boxes.append((HANDLE, (3.7, 0.45, 0.6), (3.9, 0.48, 0.64)))
    home = ToyHome(world, {MUG}, {MUG: 0.37})
    home.handles[HANDLE] = CABINET, (3.8, 0.48, 0.62)
    return home


class Run:
    """Runs skills one after the other in a home."""

    def __init__(self, home, guard=None, most=150):
        self.home = home
        self.now = Situation(PrivilegedPerceiver(12), home.info, ToyBody(), voxel=0.05)
        self.door = SkillDoor(self.now, guard, most)
        self.observation, self.last = home.observe(), None

    def __call__(self, skill):
        self.door.begin(skill)
        while True:
            told = self.door.next(self.observation, self.last)
            if isinstance(told, SkillResult):
                return told
            self.last = self.home.step(told)
            self.observation = self.last.observation


def box_of(home, key):
    return next((np.array(low), np.array(high)) for other, low, high in home.world.boxes if other == key)
