"""Which rooms a camera sees, and in which part of its picture."""

import numpy as np
import pytest

from vantage.scenes.spec import Opening, RoomSpec, SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.worlds.house.pictures.sight_lines import SightLines, whole_picture

CAMERA = Intrinsics.from_fov(80, 60, 1.2)


def square(number, x):
    return RoomSpec(number, "room", ((x, 0.0), (x + 4.0, 0.0), (x + 4.0, 4.0), (x, 4.0)), 2.5)


@pytest.fixture(scope="module")
def lines():
    """Three rooms in a row, with a door between each two."""
    doors = tuple(
        Opening("door", (k + 1, k + 2), (4.0 * k + 3.95, 1.5, 0.0), (4.0 * k + 4.05, 2.5, 2.0), 10 + k) for k in (0, 1)
    )
    home = SceneSpec("row", 0, 2, (0, 0, 0), (12, 4, 2.5), (), tuple(square(k + 1, 4.0 * k) for k in range(3)), doors)
    return SightLines(home)


def seen(lines, *viewpoint):
    parts = lines.seen(CAMERA, Viewpoint(*viewpoint).T_world_camera_optical())
    return None if parts is None else [bool(part[0] < part[1]) for part in parts]


def test_one_sees_along_open_doors(lines):
    assert seen(lines, 1.0, 2.0, 1.3, 0.0, 0.0) == [True, True, True]
    assert seen(lines, 1.0, 2.0, 1.3, np.pi, 0.0) == [True, False, False]
    assert seen(lines, 3.0, 3.5, 1.3, -0.9, 0.0) == [True, True, False]


def test_behind_a_door_one_sees_what_it_shows(lines):
    own, other, _ = lines.seen(CAMERA, Viewpoint(1.0, 2.0, 1.3, 0.0, 0.0).T_world_camera_optical())
    assert own.tolist() == list(whole_picture(CAMERA))
    assert other[0] == pytest.approx(-0.5 / 2.95)
    assert other[1] == pytest.approx(0.5 / 2.95)


def test_in_a_door_one_sees_both_rooms(lines):
    assert seen(lines, 4.0, 2.0, 1.3, np.pi / 2, 0.0) == [True, True, False]


def test_a_camera_in_no_room_sees_everything(lines):
    assert seen(lines, 20.0, 2.0, 1.3, 0.0, 0.0) is None
    assert seen(lines, 1.0, 2.0, 9.0, 0.0, -1.5) is None


def test_doors_are_seen_from_both_sides(lines):
    assert lines.rooms_beside(10, 0) == (0, 1)
    assert lines.rooms_beside(99, 2) == (2, 2)
