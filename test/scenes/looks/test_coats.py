import numpy as np
import pytest
from small_home import TABLE, small_home

from vantage.errors import SceneError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.looks.coats import coat_of, seed_of
from vantage.scenes.looks.looks import LOOKS
from vantage.scenes.spec.spec import ObjectSpec, Part

FLOOR = ObjectSpec(
    2, "floor", "", "wood", (0, 0, 0), 0.0, (Part("box", (0, 0, -0.05), (4, 4, 0.1), (0.6, 0.4, 0.2), look="boards"),)
)
WALL = ObjectSpec(
    3, "wall", "", "", (0, 0, 0), 0.0, (Part("box", (-0.1, 0, 1.2), (0.2, 4, 2.4), (0.8, 0.6, 0.5), look="wall"),)
)


def test_colors_depend_on_place_part_and_object_alone():
    table = next(obj for obj in small_home().objects if obj.instance_id == TABLE)
    points = np.random.default_rng(0).uniform(-0.4, 0.4, (500, 3))
    coat = coat_of(table, 0)
    np.testing.assert_array_equal(coat.colors(points), coat_of(table, 0).colors(points))
    np.testing.assert_array_equal(coat.colors(points)[10:20], coat.colors(points[10:20]))
    assert coat.finish is LOOKS[table.parts[0].look or table.material]
    assert seed_of(table, 0) != seed_of(table, 1)


def test_boards_are_parted_by_dark_joints_of_their_width():
    y = np.arange(-1.0, 1.0, 0.0005)
    points = np.stack([np.full_like(y, 0.2), y, np.zeros_like(y)], axis=1)
    coat = coat_of(FLOOR, 0)
    dark = np.abs(coat.colors(points) - coat.colors(points, joints=False)).max(axis=1) > 0.05
    starts = np.flatnonzero(np.diff(dark.astype(int)) == 1)
    assert len(starts) == 11  # rows are 0.18 m wide
    np.testing.assert_allclose(np.diff(y[starts]), 0.18, atol=0.001)
    assert dark.mean() == pytest.approx(0.007 / 0.18, rel=0.1)


def test_the_walls_of_a_bathroom_are_tiled_up_to_a_height():
    points = np.array([[0.0, 0.1, 0.5], [0.0, 0.1, 2.0]])
    tiled, plain = coat_of(WALL, 0, "bathroom"), coat_of(WALL, 0, "kitchen")
    assert plain.pattern is None
    assert tiled.colors(points)[0].min() > 0.85
    assert tiled.colors(points)[1, 2] < 0.6
    heights = np.arange(0.0, 2.4, 0.001)
    column = np.stack([np.zeros_like(heights), np.full_like(heights, 0.1), heights], axis=1)
    joints = tiled.pattern.joints(column[:, 1], column[:, 2])
    assert joints[heights < 1.59].any()
    assert not joints[heights > 1.61].any()


def test_every_part_of_a_home_has_a_coat():
    home = generate_home(3, 2)
    kinds = {room.room_id: room.label for room in home.rooms}
    for obj in home.objects:
        for index, part in enumerate(obj.parts):
            colors = coat_of(obj, index, kinds.get(obj.room, "")).colors(np.array([part.center]))
            assert np.isfinite(colors).all()


def test_an_unknown_look_is_corrected():
    odd = ObjectSpec(1, "thing", "", "", (0, 0, 0), 0.0, (Part("box", (0, 0, 0), (1, 1, 1), (1, 1, 1), look="would"),))
    with pytest.raises(SceneError, match="did you mean 'wood'"):
        coat_of(odd, 0)
