"""How much of shelves, open cabinets, counters and floors was looked at."""

import numpy as np
import pytest
from box_world import BoxWorld, look_around
from looker import Looker

from vantage.spatial import Viewpoint

LOW, HIGH = (0.0, 0.0, 0.0), (4.0, 4.0, 2.6)
CABINET, COUNTER, RACK, BED = 20, 21, 22, 23


@pytest.fixture(scope="module")
def world():
    room = BoxWorld()
    room.add(1, "floor", (0, 0, -0.1), (4, 4, 0), "brown", "wood")
    for key, low, high in (
        (2, (-0.1, 0, 0), (0, 4, 2.6)),
        (3, (4, 0, 0), (4.1, 4, 2.6)),
        (4, (0, -0.1, 0), (4, 0, 2.6)),
        (5, (0, 4, 0), (4, 4.1, 2.6)),
    ):
        room.add(key, "wall", low, high)
    for key, label, x, shelves in ((CABINET, "cabinet", 0.2, (0.02, 0.5)), (RACK, "rack", 2.6, (0.02, 0.45))):
        room.add(key, label, (x, 3.98, 0.0), (x + 1.0, 4.0, 1.0), states=("open",) if label == "cabinet" else ())
        room.boxes += [(key, (x, 3.5, z - 0.02), (x + 1.0, 4.0, z)) for z in (*shelves, 1.0)]
        room.boxes += [(key, (a, 3.5, 0.0), (a + 0.02, 4.0, 1.0)) for a in (x, x + 0.98)]
    room.add(COUNTER, "counter", (0.4, 0.02, 0.0), (2.4, 0.6, 0.9), states=("closed",))
    room.add(BED, "bed", (2.9, 0.1, 0.15), (3.9, 1.8, 0.5))
    return room


def looked(world, spots, pitches, turns=8):
    looker = Looker(LOW, HIGH, 20)
    for observation in look_around(world, spots, pitches, turns):
        looker.observe(observation)
    return looker


@pytest.fixture(scope="module")
def low_and_high(world):
    return looked(
        world, ((0.7, 2.5, 0.5), (3.1, 2.5, 0.5), (0.7, 2.5, 1.6), (3.1, 2.6, 1.6), (1.6, 1.6, 1.7)), (-0.7, -0.1)
    )


@pytest.fixture(scope="module")
def high(world):
    return looked(world, ((0.7, 2.9, 1.9), (1.6, 1.6, 1.9)), (-0.9, -0.3))


def inspected(looker, key, relation=""):
    return looker.memory.inspection_of(looker.memory.get(key), looker.coverage, relation)


def test_an_open_cabinet_has_a_top_and_an_inside(low_and_high, high):
    assert inspected(low_and_high, CABINET, "in").complete
    assert inspected(low_and_high, CABINET, "on").complete
    assert inspected(low_and_high, CABINET).complete
    from_above = inspected(high, CABINET, "in")
    assert inspected(high, CABINET, "on").seen > from_above.seen
    assert not inspected(high, CABINET).complete
    assert any(z < 0.9 for _, _, z in from_above.unseen)


def test_a_rack_is_looked_into_from_the_front(low_and_high, high):
    assert inspected(low_and_high, RACK).complete
    assert inspected(high, RACK).seen < 0.9


def test_a_counter_is_looked_at_from_above(low_and_high):
    assert inspected(low_and_high, COUNTER).complete


def test_a_floor_is_seen_but_for_what_is_under_furniture(low_and_high, world):
    floor = inspected(low_and_high, 1)
    assert 0.5 < floor.seen < 1.0
    under_bed = [p for p in floor.unseen if 2.9 < p[0] < 3.9 and 0.2 < p[1] < 1.7]
    assert len(under_bed) > 0.3 * len(floor.unseen)
    glimpse = Looker(LOW, HIGH, 20)
    glimpse.observe(world.observe(Viewpoint(1.6, 1.6, 1.7, np.pi / 2, -0.6)))
    assert inspected(glimpse, 1).seen <= 1.0
    assert not inspected(glimpse, 1).complete
