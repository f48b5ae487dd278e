"""How much of shelves, open cabinets, counters and floors was looked at.

Which surfaces were seen well enough to say what is on them, on images drawn by hand.
"""

import math

import numpy as np
import pytest
from box_world import BoxWorld, look_around
from looker import Looker

from vantage.perception.map.coverage import FREE, UNKNOWN, CoverageMap
from vantage.perception.map.placement import Box
from vantage.perception.map.surface_inspection import SurfaceMap, inspect
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

CAMERA = Intrinsics.from_fov(320, 240, 1.2)
AHEAD = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)  # so that depth is x


def seen(depth, viewpoint=AHEAD, min_pixels=12, from_above=False):
    """Centres of the cells where a surface was seen, m."""
    surfaces = SurfaceMap(min_pixels)
    surfaces.add(Observation(1, viewpoint, CAMERA, np.zeros((240, 320, 3), np.uint8), depth.astype(np.float32)))
    cells, first = surfaces.cells((-6.0, -6.0, -1.3), (6.0, 6.0, 1.9), from_above)
    return first + np.argwhere(cells) * 0.05


def level(height, viewpoint):
    """Depth of the level plane at a height below the camera."""
    x, y = np.meshgrid((np.arange(320) + 0.5 - CAMERA.cx) / CAMERA.fx, (np.arange(240) + 0.5 - CAMERA.cy) / CAMERA.fy)
    down = (np.stack([x, y, np.ones_like(x)], axis=-1) @ viewpoint.T_world_camera_optical()[:3, :3].T)[..., 2]
    return np.where(down < -0.05, (height - viewpoint.z) / np.minimum(down, -0.05), np.nan)


def test_depth_that_leads_from_one_surface_to_another_is_no_surface():
    depth = np.full((240, 320), 3.0)
    depth[:, :150] = 1.2
    depth[:, 150:170] = np.geomspace(1.2, 3.0, 22)[1:-1]  # by 4 % a column: neither a jump nor a bend
    cells = seen(depth)
    assert len(cells) > 500
    between = (cells[:, 0] > 1.3) & (cells[:, 0] < 2.85)
    assert not between.any()
    depth[:, 150:170] = 1.2
    assert len(seen(depth)) >= len(cells)


def test_a_table_top_at_an_angle_is_a_surface():
    viewpoint = Viewpoint(0.0, 0.0, 1.4, 0.0, -0.5)
    cells = seen(level(0.7, viewpoint), viewpoint, from_above=True)
    assert {round(z, 2) for z in np.unique(cells[:, 2])} <= {0.68, 0.72, 0.67, 0.73}
    assert cells[:, 0].max() - cells[:, 0].min() > 0.8


@pytest.mark.parametrize("min_pixels", [12, 60])
def test_a_surface_counts_from_where_a_object_of_6_cm_covers_enough_pixels(min_pixels):
    reach = SurfaceMap(min_pixels).reach(CAMERA)
    assert (CAMERA.fx * 0.06 / reach) ** 2 == pytest.approx(min_pixels)
    for depth, counts in ((0.98 * reach, True), (1.02 * reach, False)):
        assert bool(len(seen(np.full((240, 320), depth), min_pixels=min_pixels))) is counts


def test_from_above_a_surface_counts_the_farther_the_steeper_it_is_looked_at():
    steep, low = Viewpoint(0.0, 0.0, 1.8, 0.0, -1.2), Viewpoint(0.0, 0.0, 1.0, 0.0, -0.2)
    found = []
    for viewpoint in (steep, low):
        cells = seen(level(0.5, viewpoint), viewpoint, from_above=True)
        found.append(max((math.dist(cell, viewpoint.position) for cell in cells), default=0.0))
    assert found[0] > 1.5
    assert found[1] < SurfaceMap(12).reach(CAMERA)
    assert len(seen(level(0.5, low), low)) > len(seen(level(0.5, low), low, from_above=True))


def test_an_underside_shows_nothing_of_what_is_on_top():
    viewpoint = Viewpoint(0.0, 0.0, 0.5, 0.0, 0.6)
    x, y = np.meshgrid((np.arange(320) + 0.5 - CAMERA.cx) / CAMERA.fx, (np.arange(240) + 0.5 - CAMERA.cy) / CAMERA.fy)
    up = (np.stack([x, y, np.ones_like(x)], axis=-1) @ viewpoint.T_world_camera_optical()[:3, :3].T)[..., 2]
    depth = np.where(up > 0.1, 0.4 / np.maximum(up, 0.1), np.nan)
    assert len(seen(depth, viewpoint)) > 50
    assert len(seen(depth, viewpoint, from_above=True)) == 0


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


def seen_from_above(*parts):
    """The surfaces of an object of some parts (low, high) around (1, 1), looked down on from 1.9 m."""
    room = BoxWorld()
    room.add(1, "floor", (-2, -2, -0.1), (4, 4, 0))
    for low, high in parts:
        room.add(2, "thing", low, high)
    surfaces = SurfaceMap(12)
    surfaces.add(room.observe(Viewpoint(1.0, 1.0, 1.9, 0.0, -1.55)))
    return surfaces


def all_free():
    coverage = CoverageMap((-1.0, -1.0, 0.0), (3.0, 3.0, 2.6))
    coverage._states[:] = FREE
    return coverage


LOW_TOP = (0.5, 0.5, 0.38), (1.5, 1.5, 0.43)


@pytest.mark.parametrize("label", ["table", "coffee table"])
def test_a_low_table_is_complete_only_when_the_space_below_its_top_was_seen(label):
    """There may be a shelf, even where nothing of one was seen."""
    surfaces, coverage = seen_from_above(LOW_TOP), all_free()
    table = Box(2, label, *LOW_TOP)
    assert inspect(table, True, [], [], surfaces, coverage).complete
    coverage._states[15:25, 15:25, 1:3] = UNKNOWN  # half of it, up to 30 cm
    from_above = inspect(table, True, [], [], surfaces, coverage)
    assert not from_above.complete
    assert from_above.edge == 1.0
    assert from_above.unseen
    assert all(0.1 < z < 0.3 and 0.5 < x < 1.5 for x, _, z in from_above.unseen)
    coverage._states[15:24, 15:25, 1:3] = FREE
    assert inspect(table, True, [], [], surfaces, coverage).complete  # but for a tenth


def test_nobody_looks_for_a_shelf_below_other_objects_and_below_high_tables():
    high = (0.5, 0.5, 0.7), (1.5, 1.5, 0.75)
    coverage = all_free()
    coverage._states[15:25, 15:25, :6] = UNKNOWN
    assert inspect(Box(2, "table", *high), True, [], [], seen_from_above(high), coverage).complete
    assert inspect(Box(2, "chest", *LOW_TOP), True, [], [], seen_from_above(LOW_TOP), coverage).complete


@pytest.mark.parametrize("lowest", [0.0, 0.2, 0.35])
@pytest.mark.parametrize("floor_level", [0.0, -0.1])
def test_the_level_of_a_seat_is_judged_from_the_floor(lowest, floor_level):
    """However much of what is below it was seen."""
    seat, back = ((0.5, 0.5, lowest), (1.5, 1.5, 0.42)), ((0.5, 1.4, 0.42), (1.5, 1.5, 0.85))
    sofa = Box(2, "sofa", (0.5, 0.5, lowest), (1.5, 1.5, 0.85))
    found = inspect(sofa, True, [], [], seen_from_above(seat, back), all_free(), floor_level=floor_level)
    assert found.complete
    foot = ((0.5, 0.5, 0.0), (1.5, 1.5, 0.1))  # no seat is so low
    assert inspect(sofa, True, [], [], seen_from_above(foot), all_free()).seen == 0.0


@pytest.mark.parametrize(("too_high", "found"), [(0.0, True), (0.08, True), (0.2, False)])
def test_a_box_that_is_somewhat_too_high_still_has_its_top(too_high, found):
    """As where an object on it was taken for part of it."""
    (low, high), surfaces = LOW_TOP, seen_from_above(LOW_TOP)
    chest = Box(2, "chest", (*low[:2], 0.0), (*high[:2], high[2] + too_high))
    inspection = inspect(chest, True, [], [], surfaces, all_free())
    assert inspection.seen == (1.0 if found else 0.0)
    assert inspection.complete is found


def test_what_may_go_on_below_what_was_seen_of_it_is_not_complete():
    top = (0.5, 0.5, 0.7), (1.5, 1.5, 0.75)
    surfaces, table = seen_from_above(top), Box(2, "table", *top)
    for coverage in (None, all_free()):
        assert inspect(table, True, [], [], surfaces, coverage).complete
        hovering = inspect(table, True, [], [], surfaces, coverage, grounded=False)
        assert not hovering.complete
        assert hovering.seen == 1.0
        assert hovering.unseen == ((1.0, 1.0, 0.0),)  # its foot is to be looked for
