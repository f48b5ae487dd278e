import math

import numpy as np
import pytest

from vantage.scenes.building import raise_building
from vantage.scenes.checks import check_placement
from vantage.scenes.placing import Room, Wall
from vantage.scenes.spec import SceneSpec, object_bounds


@pytest.fixture
def empty():
    room = Room(np.random.default_rng(3), (-2.5, -2.0, 0.0), (2.5, 2.0, 2.6))
    raise_building(room)
    return room


def faults(room):
    return check_placement(SceneSpec("r", 0, 1, room.bounds_min, room.bounds_max, tuple(room.objects)))


def test_a_wall_measures_along_and_away():
    wall = Wall(1, -2.5, 0.0, 0.0, 4.0)
    assert wall.place(0.5, 0.3) == pytest.approx((-2.2, 0.5))
    wall = Wall(1, 0.0, 2.0, -0.5 * math.pi, 5.0)
    assert wall.place(0.5, 0.3) == pytest.approx((0.5, 1.7))


def test_furniture_stands_with_its_back_to_the_wall(empty):
    for name in ("wardrobe", "cabinet", "desk", "sofa"):
        placed = empty.along_wall(empty.model(name), empty.walls, tries=80)
        assert placed is not None
        low, high = object_bounds(empty.thing(placed))
        gaps = [low[0] + 2.5, low[1] + 2.0, 2.5 - high[0], 2.0 - high[1]]
        assert min(gaps) == pytest.approx(0.02, abs=1e-4)
    assert faults(empty) == ()


def test_two_things_do_not_share_a_place(empty):
    assert empty.try_put(empty.model("table"), (0.0, 0.0, 0.0), 0.0) is not None
    assert empty.try_put(empty.model("cabinet"), (0.2, 0.0, 0.0), 0.3) is None
    assert empty.try_put(empty.model("chest"), (2.4, 0.0, 0.0), 0.0) is None  # in the wall


def test_a_full_surface_takes_no_more(empty):
    table = empty.try_put(empty.model("nightstand"), (0.0, 0.0, 0.0), 0.4)
    assert table is not None
    placed = [empty.onto(empty.model("plate"), table, "top") for _ in range(12)]
    assert 1 <= sum(each is not None for each in placed) <= 2
    assert faults(empty) == ()


def test_things_too_tall_stay_out(empty):
    cabinet = empty.try_put(empty.model("cabinet"), (0.0, 0.0, 0.0), 0.0)
    assert cabinet is not None
    assert empty.onto(empty.model("floor lamp"), cabinet, "level 0") is None
    assert empty.onto(empty.model("mug"), cabinet, "level 0") is not None
    assert faults(empty) == ()


def test_kept_free_space_is_known(empty):
    empty.keep_free((-0.2, -0.2, 0.0), (0.2, 0.2, 2.0))
    model = empty.model("stool")
    assert empty.in_the_way(model, (0.3, 0.0, 0.0), 0.0)
    assert not empty.in_the_way(model, (0.5, 0.0, 0.0), 0.0)
