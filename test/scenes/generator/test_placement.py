import math
from dataclasses import replace

import numpy as np
import pytest

from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.generator.building import raise_building
from vantage.scenes.generator.opening_plan import plan_openings
from vantage.scenes.generator.placement import Home, Walkways
from vantage.scenes.generator.planned_rooms import PlannedRoom
from vantage.scenes.geometry.solids import Solid
from vantage.scenes.spec.outlines import Wall
from vantage.scenes.spec.spec import SceneSpec, object_bounds


@pytest.fixture
def ways():
    ways = Walkways((0.0, 0.0, 0.0), (4.0, 2.0, 2.5))
    ways.add_station(0.4, 1.0)
    ways.add_station(3.6, 1.0)
    return ways


@pytest.mark.parametrize(("width", "open_"), [(1.0, True), (1.3, True), (1.45, False), (2.0, False)])
def test_a_way_needs_sixty_centimetres(ways, block, width, open_):
    shelf = Solid.of(block(1, (2.0, 0.5 * width, 0.0), (0.4, width, 1.8)))
    assert ways.try_block(shelf) is open_


def test_what_is_flat_or_overhead_shuts_no_way(ways, block):
    wall = block(1, (2.0, 1.0, 0.0), (0.4, 2.0, 0.02))
    assert ways.try_block(Solid.of(wall))
    assert ways.try_block(Solid.of(replace(wall, position=(2.0, 1.0, 2.0))))


def test_a_refused_thing_changes_nothing(ways, block):
    assert not ways.try_block(Solid.of(block(1, (2.0, 1.0, 0.0), (0.4, 2.0, 1.0))))
    assert ways.try_block(Solid.of(block(1, (2.0, 0.3, 0.0), (0.4, 0.6, 1.0))))


def test_a_copy_changes_for_itself(ways, block):
    copy = ways.copy()
    copy.block(Solid.of(block(1, (2.0, 1.0, 0.0), (0.4, 2.0, 1.0))))
    assert ways.try_block(Solid.of(block(1, (0.8, 0.1, 0.0), (0.2, 0.2, 1.0))))


@pytest.fixture
def empty():
    """A living room of 5 x 4 m with a door and a window."""
    home = Home(np.random.default_rng(3))
    plan = (PlannedRoom("living room", (-2.55, -2.05), (2.55, 2.05)),)
    raise_building(home, plan, plan_openings(home.rng, plan))
    return home.rooms[0]


def faults(room):
    return check_placement(SceneSpec("r", 0, 1, room.low, room.high, tuple(room.home.objects)))


def test_a_wall_measures_along_and_away():
    wall = Wall(1, -2.5, 0.0, 0.0, 4.0)
    assert wall.place(0.5, 0.3) == pytest.approx((-2.2, 0.5))
    wall = Wall(1, 0.0, 2.0, -0.5 * math.pi, 5.0)
    assert wall.place(0.5, 0.3) == pytest.approx((0.5, 1.7))
    low, high = wall.box((-1.0, 1.0), (0.0, 0.5), (0.0, 2.0))
    assert low == pytest.approx((-1.0, 1.5, 0.0))
    assert high == pytest.approx((1.0, 2.0, 2.0))


def test_furniture_stands_with_its_back_to_the_wall(empty):
    for name in ("wardrobe", "cabinet", "desk", "sofa"):
        placed = empty.along_wall(empty.model(name), tries=80)
        assert placed is not None
        low, high = object_bounds(empty.obj(placed))
        gaps = [low[0] + 2.5, low[1] + 2.0, 2.5 - high[0], 2.0 - high[1]]
        assert min(gaps) == pytest.approx(0.02, abs=1e-4)
    assert not [fault for fault in faults(empty) if fault.kind != "outside"]  # the door is in the outer wall


def test_two_objects_do_not_share_a_place(empty):
    assert empty.try_put(empty.model("table"), (0.0, 0.0, 0.0), 0.0) is not None
    assert empty.try_put(empty.model("cabinet"), (0.2, 0.0, 0.0), 0.3) is None
    assert empty.try_put(empty.model("chest"), (2.4, 0.0, 0.0), 0.0) is None  # in the wall
    assert not empty.fits(empty.model("cabinet"), (0.2, 0.0, 0.0), 0.3)


def test_a_full_surface_takes_no_more(empty):
    stand = empty.try_put(empty.model("nightstand", states=("closed",)), (0.0, 0.0, 0.0), 0.4)
    assert stand is not None
    placed = [empty.onto(empty.model("plate"), stand, "top") for _ in range(12)]
    assert 1 <= sum(each is not None for each in placed) <= 2


def test_objects_too_tall_stay_out(empty):
    cabinet = empty.try_put(empty.model("cabinet"), (0.0, 0.0, 0.0), 0.0)
    assert cabinet is not None
    assert empty.onto(empty.model("floor lamp"), cabinet, "level 0") is None
    assert empty.onto(empty.model("mug"), cabinet, "level 0") is not None


def test_kept_free_space_stays_free(empty):
    empty.keep_free(((-0.2, -0.2, 0.0), (0.2, 0.2, 2.0)))
    model = empty.model("stool")
    assert empty.try_put(model, (0.3, 0.0, 0.0), 0.0) is None
    assert empty.try_put(model, (0.3, 0.0, 0.0), 0.0, in_aisle=True) is not None
    assert empty.try_put(model, (-0.6, 0.0, 0.0), 0.0) is not None


def test_nothing_stands_before_the_door(empty):
    door = next(obj for obj in empty.objects("door"))
    x, y = door.position[0] + 0.4 * math.cos(door.yaw), door.position[1] + 0.4 * math.sin(door.yaw)
    assert empty.try_put(empty.model("stool"), (x, y, 0.0), 0.0) is None


def test_the_space_before_furniture_stays_free(empty):
    cabinet, stool, bare = empty.model("cabinet", states=("closed",)), empty.model("stool"), empty.mark()
    wall = next(wall for wall in empty.walls if empty.at_wall(cabinet, wall, 0.0) is not None)
    spot = (*wall.place(0.0, 0.02 + cabinet.extent()[1][0] - cabinet.extent()[0][0] + 0.35), 0.0)
    assert empty.try_put(stool, spot, wall.facing) is not None
    empty.undo(bare)
    assert empty.at_wall(cabinet, wall, 0.0, aisle=0.4) is not None
    assert empty.try_put(stool, spot, wall.facing) is None
    assert empty.try_put(stool, spot, wall.facing, in_aisle=True) is not None


def test_lids_have_space_to_open(empty):
    chest = empty.model("chest", states=("closed",))
    half = chest.extent()[1][0]
    assert empty.try_put(chest, (-2.5 + half + 0.02, -1.5, 0.0), 0.0) is None
    assert not empty.fits(chest, (-2.5 + half + 0.02, -1.5, 0.0), 0.0)
    assert empty.try_put(chest, (-2.5 + half + 0.08, -1.5, 0.0), 0.0) is not None
    placed = empty.along_wall(empty.model("chest", states=("closed",)), tries=80)
    low, high = object_bounds(empty.obj(placed))
    assert min(low[0] + 2.5, low[1] + 2.0, 2.5 - high[0], 2.0 - high[1]) == pytest.approx(0.074, abs=2e-3)


def test_only_low_objects_stand_before_a_window(empty):
    window = next(obj for obj in empty.objects("window"))
    x, y = (window.position[k] + 0.45 * (math.cos, math.sin)[k](window.yaw) for k in (0, 1))
    assert empty.try_put(empty.model("wardrobe"), (x, y, 0.0), window.yaw) is None
    stand = empty.try_put(empty.model("cabinet"), (x, y, 0.0), window.yaw)
    assert stand is not None
    assert empty.onto(empty.model("television"), stand, "top", turn=0.0) is None


def test_what_is_undone_leaves_no_trace(empty):
    before = len(empty.home.objects)
    mark = empty.mark()
    table = empty.try_put(empty.model("table"), (0.0, 0.0, 0.0), 0.0)
    assert empty.onto(empty.model("mug"), table, "top") is not None
    empty.undo(mark)
    assert len(empty.home.objects) == len(empty.members) == before
    assert empty.try_put(empty.model("cabinet"), (0.2, 0.0, 0.0), 0.3) is not None
