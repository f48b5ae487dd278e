import numpy as np
from small_home import small_home

from vantage.scenes.looks.lights import light_sources
from vantage.scenes.spec.room_map import RoomMap, rooms_of
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec


def scene(*objects):
    return SceneSpec("dark", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.4), objects)


def bulb(look, size, yaw=0.0):
    return ObjectSpec(
        1, "thing", "", "", (0, 0, 0), yaw, (Part("ellipsoid", (0.5, 0, 1), (size,) * 3, (1, 1, 1), look=look),)
    )


def test_every_room_has_a_window_or_a_lamp_on_its_ceiling():
    home = small_home()
    found = light_sources(home)
    rooms = rooms_of(home)
    assert {pane.room for pane in found.panes} == {0}
    (lamp,) = (lamp for lamp in found.lamps if lamp.shadows)
    low, high = RoomMap(rooms).boxes
    assert lamp.room == 1
    assert (low[1] < lamp.place[:2]).all()
    assert (lamp.place[:2] < high[1]).all()
    assert 0.0 < lamp.place[2] < rooms[1].height
    np.testing.assert_allclose(np.linalg.norm(found.keys, axis=1), 1.0)


def test_sunlight_falls_inward_and_down():
    (pane,) = light_sources(small_home()).panes
    assert pane.sunray @ pane.inward > 0.5
    assert pane.sunray[2] < -0.3
    np.testing.assert_allclose(np.linalg.norm(pane.sunray), 1.0)


def test_bulbs_are_lamps_where_they_are_and_small_ones_and_embers_are_none():
    turned = light_sources(scene(bulb("light", 0.1, np.pi / 2))).lamps
    np.testing.assert_allclose(turned[0].place, (0.0, 0.5, 1.0), atol=1e-12)
    assert len(turned) == 2
    for other in (bulb("light", 0.02), bulb("burner", 0.1)):
        assert len(light_sources(scene(other)).lamps) == 1
