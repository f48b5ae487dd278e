"""Action spaces with fewer axes."""

from __future__ import annotations

import math

import pytest
from row_tables import each_row

from vantage.errors import UnknownNameError, UsageError
from vantage.planning.actions import GantryActions
from vantage.planning.egocentric_actions import EgocentricActions
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
    ],
)
def test_axes_are_named(text, axes):
    assert axes_named(text) == axes


@each_row("text", ["6", "x,roll", "x;y", "x,3"])
def test_what_is_no_axis_is_refused(text):
    with pytest.raises(UnknownNameError, match="unknown axis"):
        axes_named(text)


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
        (
            "heading",
            ("x", "z", "yaw"),
            {f"move_{side}" for side in ("forward", "backward", "left", "right")} | {"look_up", "look_down"},
        ),
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


def test_a_space_without_actions_is_refused():
    class OneWay(GantryActions):
        names = ("z+",)

    with pytest.raises(UsageError, match="no action that moves x alone"):
        RestrictedActions(OneWay(0.25, 0.5), ("x",))
