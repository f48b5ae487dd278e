"""Where a camera is and may go, in words."""

from __future__ import annotations

import math

import pytest
from row_tables import each_row

from vantage.config import FRAMES
from vantage.planning.agents.pose_words import frame_words, heading_words, limit_words, pitch_words, pose_text
from vantage.spatial import Viewpoint
from vantage.worlds import MotionLimits, WorldInfo


def info(limits: MotionLimits) -> WorldInfo:
    return WorldInfo("w", frozenset({"rgb"}), frozenset({"viewpoint"}), 0.15, limits)


@each_row(
    "degrees, words",
    [
        (0, "0 degrees, along +X"),
        (30, "30 degrees, 30 degrees to the left of +X"),
        (60, "60 degrees, 30 degrees to the right of +Y"),
        (90, "90 degrees, along +Y"),
        (180, "180 degrees, along -X"),
        (-180, "180 degrees, along -X"),
        (-90, "270 degrees, along -Y"),
        (-30, "330 degrees, 30 degrees to the right of +X"),
        (-0.2, "0 degrees, along +X"),
        (725, "5 degrees, 5 degrees to the left of +X"),
    ],
)
def test_a_heading_is_told_from_the_nearest_axis(degrees: float, words: str) -> None:
    assert heading_words(math.radians(degrees)) == words


@each_row(
    "degrees, words",
    [
        (0, "0 degrees, level"),
        (-0.3, "0 degrees, level"),
        (-30, "-30 degrees, looking 30 degrees down"),
        (60, "60 degrees, looking 60 degrees up"),
    ],
)
def test_a_pitch_is_told(degrees: float, words: str) -> None:
    assert pitch_words(math.radians(degrees)) == words


def test_a_pose_says_where_the_camera_can_look_no_lower_or_higher() -> None:
    world = info(MotionLimits(pitch_min=-1.0472, pitch_max=1.0472))
    told = [pose_text(Viewpoint(1.0, -2.004, 1.5, 0.0, math.radians(pitch)), world) for pitch in (-60, 30, 60)]
    assert told[1].splitlines() == [
        "Position: X = 1.00, Y = -2.00, Z = 1.50 (metres, Z upwards)",
        "Heading: 0 degrees, along +X",
        "Pitch: 30 degrees, looking 30 degrees up",
    ]
    assert told[0].endswith("looking 60 degrees down, the lowest that the camera can look")
    assert told[2].endswith("looking 60 degrees up, the highest that the camera can look")


def test_limits_are_told_as_far_as_there_are_any() -> None:
    bounded = MotionLimits((0, 0, 0.15), (4, 3, 2.25), -1.0472, 1.0472)
    assert limit_words(info(bounded)) == (
        "The height of the camera goes from Z = 0.15 to Z = 2.25. "
        "The pitch goes from -60 degrees (down) to 60 degrees (up)."
    )
    assert limit_words(info(MotionLimits())) == "The pitch goes from -90 degrees (down) to 90 degrees (up)."
    assert "stays at Z = 1.20" in limit_words(info(MotionLimits((0, 0, 1.2), (4, 3, 1.2))))


@pytest.mark.parametrize("frame", FRAMES)
def test_every_frame_of_actions_is_explained(frame: str) -> None:
    assert frame_words(frame).startswith("Moves follow the ")


def test_a_frame_of_another_package_is_left_unexplained() -> None:
    assert frame_words("drum") == ""
