"""The rule for views in words: its numbers are those of the thresholds that judge, and none is looser than they are."""

from __future__ import annotations

import math
import re
from dataclasses import fields, replace

import pytest
from row_tables import each_row

from vantage.benchmarks import all_benchmarks, benchmark_of
from vantage.benchmarks.judging import GROUNDED_AT
from vantage.benchmarks.labelling import VisibilitySettings, share_rule, view_rule_text
from vantage.benchmarks.sets import SetInfo
from vantage.config import CameraSettings
from vantage.errors import FormatError
from vantage.planning import GantryActions
from vantage.reader_thresholds import LETTER_PIXELS
from vantage.types import FIRST_VIEW_RULE

SQUARE = CameraSettings(512, 512, math.pi / 2)
ACTIONS = GantryActions(0.25, math.pi / 6)
SAID = {  # a threshold, another value of it, and what is said then
    "fraction": (0.405, "at least 41 % of its surface"),
    "colour_pixels": (130.5, "where its colour is asked for, 131 pixels"),
    "material_pixels": (216.5, "where its material is, 217,"),
    "count_pixels": (80.5, "where things are counted, 81 each"),
    "pixels": (901.0, "covers at least 901 pixels, as much as a square of 31 x 31"),
    "print_angle": (math.radians(33.9), "within 33 degrees of straight in front"),
    "print_distance": (0.4378, "at most 0.43 m away, where they are about 12 pixels high (smaller letters"),
    "print_share": (0.8, "at least 80 % of the words"),
    "state_pixels": (1000.0, "covers at least 1000 pixels, as much as a square of 32 x 32"),
    "part_fraction": (0.25, "at least 25 % of the door"),
    "front_angle": (1.3, "within 74 degrees of the direction in which its screen faces, if it has one"),
    "look_down": (0.5, "at least 29 degrees above its upper edge"),
    "place_fraction": (0.405, "of what they stand on at least 41 % of the top where all there are counted"),
    "top_fraction": (0.7, "at least 70 % of the top"),
}
UNSAID = {"samples", "depth_tolerance", "depth_slope", "view_rule"}  # of how it is measured


def test_every_threshold_is_said_or_of_how_it_is_measured() -> None:
    assert {each.name for each in fields(VisibilitySettings)} == UNSAID | set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_follows_from_the_threshold(name: str) -> None:
    value, words = SAID[name]
    told = view_rule_text(replace(VisibilitySettings(), **{name: value}), SQUARE)
    assert words in told


def test_the_camera_is_told_through_which_it_is_seen() -> None:
    told = view_rule_text(VisibilitySettings().through(SQUARE), SQUARE)
    assert "The picture has 512 x 512 pixels and spans 90 degrees" in told
    assert f"about {math.ceil(LETTER_PIXELS)} pixels high" in told
    usual = view_rule_text(VisibilitySettings(), CameraSettings())
    assert f"about {math.ceil(LETTER_PIXELS)} pixels high" in usual, "as many, whatever the camera"
    assert "{" not in told


def test_each_version_of_the_rule_says_what_it_asks_for() -> None:
    now = view_rule_text(VisibilitySettings(), SQUARE)
    first = view_rule_text(VisibilitySettings(view_rule=FIRST_VIEW_RULE), SQUARE)
    for words in ("in the middle of the picture", "words seen from the side", "its screen faces"):
        assert words in now
        assert words not in first
    assert "at least 30 % of the top where all there are counted" in now
    assert "at least 0 % of the top where all there are counted" in first
    assert "in which the front of the thing faces" in first


@each_row("name, value", [("print_distance", 0.0), ("pixels", 0.0), ("fraction", 1.0)])
def test_thresholds_at_their_bounds_are_told(name: str, value: float) -> None:
    assert not re.search(r"inf|nan", view_rule_text(replace(VisibilitySettings(), **{name: value}), SQUARE))


def test_a_share_alone_is_told() -> None:
    assert "at least 15 % of the surface" in share_rule(GROUNDED_AT)


def test_each_benchmark_says_its_rule_and_refuses_thresholds_that_are_none() -> None:
    info = SetInfo("e3vs", ACTIONS, {}, thresholds={"fraction": 0.5, "pixels": 600.0})
    told = {each.name: each.view_rule_text(info, SQUARE) for each in all_benchmarks()}
    assert "at least 50 % of its surface" in told["e3vs"]
    assert told["search"] == told["noisyeqa"] == share_rule(GROUNDED_AT)
    assert told["excalibur"] == told["heal"] == told["open-eqa"] == ""
    with pytest.raises(FormatError, match="the thresholds of the set: there is no 'fractoin'"):
        benchmark_of("e3vs").view_rule_text(replace(info, thresholds={"fractoin": 0.5}), SQUARE)
