"""Motions in three frames, against vectors worked out by hand."""

import math

import pytest
from row_tables import each_row

from vantage.config import ActionSettings, Settings
from vantage.errors import ConfigError, UnknownNameError
from vantage.planning.actions import OFFSETS, GantryActions, make_actions, rotations
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.spatial import Viewpoint, wrap_angle

STEP = math.pi / 6
HALF, ROOT = 0.5, math.sqrt(3) / 2  # sine and cosine of 30 degrees
START = Viewpoint(1.0, 2.0, 1.2, STEP, STEP)  # turned and looking up by 30 degrees


@each_row(
    "frame, action, direction",
    [
        ("world", "move_forward", (1, 0, 0)),
        ("world", "move_left", (0, 1, 0)),
        ("world", "move_up", (0, 0, 1)),
        ("heading", "move_forward", (ROOT, HALF, 0)),
        ("heading", "move_left", (-HALF, ROOT, 0)),
        ("heading", "move_up", (0, 0, 1)),
        ("camera", "move_forward", (ROOT * ROOT, ROOT * HALF, HALF)),
        ("camera", "move_left", (-HALF, ROOT, 0)),
        ("camera", "move_up", (-HALF * ROOT, -HALF * HALF, ROOT)),
    ],
)
def test_translations_follow_their_frame(frame, action, direction):
    space = EgocentricActions(0.4, STEP, frame)
    for name, sign in ((action, 1), (_opposite(action), -1)):
        there = space.apply(name, START)
        moved = [b - a for a, b in zip(START.position, there.position, strict=True)]
        assert moved == pytest.approx([sign * 0.4 * part for part in direction]), name
        assert (there.yaw, there.pitch) == (START.yaw, START.pitch)


def _opposite(action):
    pairs = {"forward": "backward", "left": "right", "up": "down"}
    return f"move_{pairs[action.removeprefix('move_')]}"


def test_forward_in_the_cameras_frame_is_along_the_optical_axis():
    ahead = EgocentricActions(1.0, STEP, "camera").apply("move_forward", START).position - START.position
    assert ahead == pytest.approx(START.T_world_camera_optical()[:3, 2])


@each_row(
    "name, yaw, pitch",
    [("turn_left", STEP, 0), ("turn_right", -STEP, 0), ("look_up", 0, STEP), ("look_down", 0, -STEP)],
)
def test_rotations_are_the_same_in_every_frame(name, yaw, pitch):
    for frame in ("world", "heading", "camera"):
        there = EgocentricActions(0.25, STEP, frame).apply(name, START)
        assert there.distance(START) == 0.0
        assert (wrap_angle(there.yaw - START.yaw), there.pitch - START.pitch) == pytest.approx((yaw, pitch))


def test_in_the_worlds_frame_it_is_the_gantry_by_other_names():
    ours, gantry = EgocentricActions(0.25, STEP), GantryActions(0.25, STEP)
    assert [ours.apply(name, START) for name in ours.names] == [gantry.apply(name, START) for name in gantry.names]


@each_row(
    "frame, yaw, pitch, offsets",
    [
        ("world", 0.7, 0.4, set(OFFSETS)),
        ("heading", 0.0, 0.5, set(OFFSETS)),
        ("heading", 3 * STEP, 0.5, set(OFFSETS)),
        ("heading", STEP, 0.5, set(OFFSETS[4:])),
        ("camera", -3 * STEP, 0.0, set(OFFSETS)),
        ("camera", 0.0, STEP, set(OFFSETS[2:4])),
        ("camera", STEP, 0.0, set(OFFSETS[4:])),
        ("camera", STEP, STEP, set()),
    ],
)
def test_lattice_moves_are_those_along_world_axes(frame, yaw, pitch, offsets):
    space, here = EgocentricActions(0.25, STEP, frame), Viewpoint(1.0, 2.0, 1.0, yaw, pitch)
    found = space.lattice_moves(here)
    assert {offset for _, offset in found} == offsets
    for name, offset in found:
        there = space.apply(name, here)
        assert (there.position - here.position) / 0.25 == pytest.approx(offset), name


def test_quarter_turns_lead_exactly_along_the_axes():
    space = EgocentricActions(0.25, STEP, "heading")
    here = space.replay(Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0), ["turn_left"] * 3)[-1]
    assert [space.apply(name, here).x for name in ("move_forward", "move_backward")] == [0.0, 0.0]


def test_the_names_of_rotations():
    assert rotations(EgocentricActions(0.25, STEP), -2, 1) == ("turn_right", "turn_right", "look_up")
    assert rotations(GantryActions(0.25, STEP), 1, -2) == ("yaw+", "pitch-", "pitch-")
    assert rotations(GantryActions(0.25, STEP), 0, 0) == ()


def test_settings_name_space_and_frame():
    made = make_actions(ActionSettings(0.3, 0.5, "egocentric", "heading"))
    assert made == EgocentricActions(0.3, 0.5, "heading")
    assert made.decision("turn_left", START).action == "turn_left"


def test_bad_input():
    with pytest.raises(UnknownNameError, match="did you mean 'move_forward'"):
        EgocentricActions(0.25, STEP).apply("forward", START)
    with pytest.raises(ValueError, match="positive translation"):
        EgocentricActions(0.0, 1.0)
    with pytest.raises(ConfigError, match=r"unknown actions\.frame 'headin'; did you mean 'heading'"):
        EgocentricActions(0.25, STEP, "headin")
    with pytest.raises(ConfigError, match=r"'gantry' moves along the world axes; set actions\.frame=world, or"):
        GantryActions(0.25, STEP, "heading")
    with pytest.raises(ConfigError, match=r"actions\.frame is 'north', expected one of world, heading, camera"):
        Settings().with_values({"actions.frame": "north"}, "test")
