"""What was moved in a world, told once each time."""

import numpy as np

from vantage.runs.moved_things import MovedThings
from vantage.worlds.protocol import poses_of


class Table:
    """A world of a cup and a drawer."""

    def __init__(self):
        self.x, self.drawer = 1.0, 0.0

    def poses(self):
        pose = np.eye(4)
        pose[0, 3] = self.x
        return {7: pose}

    def joint_positions(self):
        return {(9, "drawer 1"): self.drawer}


def test_only_what_moved_is_told_and_all_of_it_is_kept():
    world = Table()
    changes = MovedThings()
    changes.begin()
    assert not changes.look(poses_of(world))
    world.x += 0.001  # it settles
    assert not changes.look(poses_of(world))
    assert not changes.moved
    world.drawer = 0.3
    first = changes.look(poses_of(world))
    assert (dict(first.things), dict(first.joints)) == ({}, {(9, "drawer 1"): 0.3})
    kept = changes.moved
    assert not changes.look(poses_of(world))
    assert changes.moved is kept
    world.x = 2.0
    assert list(changes.look(poses_of(world)).things) == [7]
    assert changes.moved.joints == {(9, "drawer 1"): 0.3}
    assert changes.moved.things[7][0, 3] == 2.0


def test_slow_drift_is_told_in_the_end():
    world = Table()
    changes = MovedThings()
    changes.begin()
    changes.look(poses_of(world))
    told = 0
    for _ in range(10):
        world.x += 0.0005
        told += bool(changes.look(poses_of(world)))
    assert told == 2  # after 2.5 mm and after 5


def test_a_new_episode_begins_anew():
    world = Table()
    changes = MovedThings()
    changes.begin()
    changes.look(poses_of(world))
    world.drawer = 0.3
    assert changes.look(poses_of(world))
    changes.begin()
    assert not changes.look(poses_of(world))
    assert not changes.moved
