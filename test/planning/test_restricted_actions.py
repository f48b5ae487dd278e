"""Action spaces with fewer axes."""

from __future__ import annotations

import math

import pytest
from fewer_actions import LevelActions, StillActions
from row_tables import each_row

from vantage.errors import UnknownNameError, UsageError
from vantage.planning.actions import GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
from vantage.planning.mobile_actions import MobileActions
from vantage.planning.restricted_actions import RestrictedActions, axes_named
from vantage.spatial import Viewpoint

GANTRY = GantryActions(0.25, math.pi / 6)
HERE = Viewpoint(1.0, 2.0, 1.5, 0.3, -0.2)


@each_row(
    "text, axes",
    [
        ("", None),
        ("5", None),
        ("x,y,z,yaw,pitch", None),
        ("3", ("x", "y", "yaw")),
        ("4", ("x", "y", "z", "yaw")),
        ("yaw, x ,y", ("x", "y", "yaw")),
        ("yaw", ("yaw",)),
        ("yaw_pitch", ("yaw", "pitch")),
        ("planar", ("x", "y", "yaw")),
        (" full ", None),
    ],
)
def test_axes_are_named(text, axes):
    assert axes_named(text) == axes


@each_row("text", ["6", "x,roll", "x;y", "x,3", "x,planar", "planer", "Yaw", ",", " ", "x,,y"])
def test_what_is_no_axis_is_refused(text):
    with pytest.raises(UnknownNameError, match="unknown axis"):
        axes_named(text)


@each_row("text", ["yaw,yaw", "x, y,x"])
def test_an_axis_is_named_once(text):
    with pytest.raises(UsageError, match="is named twice"):
        axes_named(text)


def test_names_of_several_axes_are_suggested():
    with pytest.raises(UnknownNameError, match="did you mean 'planar'"):
        axes_named("planer")


def test_only_actions_along_the_axes_are_left():
    space = RestrictedActions(GANTRY, ("x", "y", "yaw"))
    assert space.names == ("x+", "x-", "y+", "y-", "yaw+", "yaw-")
    assert (space.name, space.translation, space.rotation) == (GANTRY.name, GANTRY.translation, GANTRY.rotation)
    for name in space.names:
        assert space.apply(name, HERE) == GANTRY.apply(name, HERE)
        assert space.decision(name, HERE) == GANTRY.decision(name, HERE)
    assert space.replay(HERE, ["x+", "yaw-"]) == GANTRY.replay(HERE, ["x+", "yaw-"])


def test_actions_that_were_left_out_are_refused():
    space = RestrictedActions(GANTRY, ("x", "y", "yaw"))
    for call in (space.apply, space.decision):
        with pytest.raises(UnknownNameError, match="'z\\+' for axes x, y, yaw"):
            call("z+", HERE)
    with pytest.raises(UnknownNameError):
        space.replay(HERE, ["x+", "pitch+"])


@each_row(
    "frame, axes, left_out",
    [
        ("heading", ("x", "y", "yaw"), {"move_up", "move_down", "look_up", "look_down"}),
        ("heading", ("x", "y", "z", "yaw"), {"look_up", "look_down"}),
        ("heading", ("x", "y", "yaw", "pitch"), {"move_up", "move_down"}),
        ("camera", ("x", "y", "yaw"), {"move_up", "move_down", "look_up", "look_down"}),
        ("camera", ("x", "y", "yaw", "pitch"), {"move_up", "move_down", "move_forward", "move_backward"}),
    ],
)
def test_motions_along_the_heading_or_the_view_move_what_they_can_move_from_somewhere(frame, axes, left_out):
    whole = EgocentricActions(0.25, math.pi / 6, frame)
    assert set(whole.names) - set(RestrictedActions(whole, axes).names) == left_out


def test_what_is_planned_with_is_left_out_too():
    space = RestrictedActions(GANTRY, ("x", "y", "pitch"))
    assert set(space.turns.values()) == {"pitch+", "pitch-"}
    assert [name for name, _ in space.lattice_moves(HERE)] == ["x+", "x-", "y+", "y-"]
    assert space.frame == "world"


@each_row(
    "space, axes, lacking",
    [
        (LevelActions(0.25, 0.5), ("x", "y", "yaw", "pitch"), "pitch"),
        (StillActions(0.25, 0.5), ("yaw",), "yaw"),
        (EgocentricActions(0.25, math.pi / 6, "heading"), ("x", "z", "yaw"), "x"),
        (MobileActions(0.25, 0.5), ("z",), "z"),
    ],
)
def test_an_axis_that_no_action_moves_alone_is_refused(space, axes, lacking):
    with pytest.raises(UsageError, match=f"'{space.name}' has no action that moves {lacking} and none of"):
        RestrictedActions(space, axes)
