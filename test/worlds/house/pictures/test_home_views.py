"""A home as pages show it: the same pixels as single pictures, things where they are told to be, all of it in view."""

from contextlib import closing

import numpy as np
import pytest
from house_driver import Driver, house_settings
from touch_home import BLOCK, CABINET, touch_home

from vantage.errors import SceneError
from vantage.registry import WORLDS
from vantage.spatial import Intrinsics, Viewpoint, invert, rigid
from vantage.splats.rendering import psnr
from vantage.types import Poses, Posture
from vantage.worlds.house import HomeViews, at_home, house_picture, load_robot, stands_so, viewpoint_above

pytestmark = [pytest.mark.needs("house"), pytest.mark.needs("gl")]

SMALL = Intrinsics.from_fov(160, 120, 1.2)
OVER_THE_TABLE = Viewpoint.looking_at((-0.4, -0.6, 1.4), (1.2, 0.0, 0.8))


@pytest.fixture(scope="module")
def views():
    with closing(HomeViews(touch_home())) as made:
        yield made


def middle(ids, instance):
    """Column and row of what is seen of an instance."""
    return np.argwhere(ids == instance).mean(axis=0)[::-1]


def test_pictures_are_those_of_the_renderer(views):
    picture = views.view(OVER_THE_TABLE, SMALL)
    np.testing.assert_array_equal(picture.rgb, house_picture(touch_home(), OVER_THE_TABLE, SMALL))
    assert picture.depth.shape == picture.ids.shape == (120, 160)
    assert views.legend[BLOCK].label == "block"


def test_things_and_parts_are_where_they_are_told_to_be(views):
    before = views.view(OVER_THE_TABLE, SMALL)
    place = np.array([1.2, -0.45, 0.8])
    views.place(Poses({BLOCK: rigid(np.eye(3), place)}, {(CABINET, "drawer"): 0.3}))
    after = views.view(OVER_THE_TABLE, SMALL)
    assert "open" in views.legend[CABINET].states
    x, y, z = (invert(OVER_THE_TABLE.T_world_camera_optical()) @ [*place, 1.0])[:3]
    wanted = np.array([SMALL.fx * x / z + SMALL.cx, SMALL.fy * y / z + SMALL.cy])
    assert np.linalg.norm(middle(after.ids, BLOCK) - wanted) < 6.0
    assert np.linalg.norm(middle(before.ids, BLOCK) - wanted) > 12.0
    views.place(Poses())
    np.testing.assert_array_equal(views.view(OVER_THE_TABLE, SMALL).rgb, before.rgb)
    assert "closed" in views.legend[CABINET].states


def test_what_the_home_has_not_cannot_be_placed(views):
    with pytest.raises(SceneError, match="no thing 999"):
        views.place(Poses({999: np.eye(4)}))
    with pytest.raises(SceneError, match=f"no joint 'flap' of {CABINET}"):
        views.place(Poses(joints={(CABINET, "flap"): 0.1}))


def test_from_above_all_is_in_the_picture_without_the_ceiling(views):
    home = views.home
    picture = views.view(viewpoint_above(home, SMALL), SMALL, ceilings=False)
    labels = {views.legend[instance].label for instance in np.unique(picture.ids[picture.ids > 0]).tolist()}
    assert {"floor", "table", "wall"} <= labels
    assert "ceiling" not in labels


def test_more_cameras_than_are_kept(views):
    for width in (40, 60, 80, 40):
        camera = Intrinsics.from_fov(width, 30, 1.2)
        assert views.view(OVER_THE_TABLE, camera).rgb.shape == (30, width, 3)


def test_the_robot_stands_as_it_stood_when_a_world_took_a_picture(tmp_path):
    settings = house_settings(tmp_path).with_values({"house.pictures": "color"}, "test")
    robot = load_robot()
    with closing(WORLDS.create("house", settings)) as world, closing(HomeViews(touch_home(), robot)) as views:
        driver = Driver(world)
        for actions in (("turn_left", "lift_up"), ("look_down", "lift_up", "hand_up")):
            driver.act(*actions)
            look = driver.last
            assert stands_so(robot, look.posture)
            views.place(Poses(), look.posture)
            drawn = views.view(look.viewpoint, look.intrinsics).rgb
            assert psnr(drawn, look.rgb) > 45.0
        beside = Viewpoint.looking_at((-1.0, 0.0, 1.4), look.viewpoint.position)
        there = views.view(beside, SMALL).rgb
        views.place(Poses(), at_home(robot, -0.5, 0.5, 0.0))
        assert psnr(there, views.view(beside, SMALL).rgb) < 30.0
    assert not stands_so(robot, Posture({"x": 0.0}, look.posture.links))
    assert not stands_so(robot, Posture(look.posture.joints, ()))
