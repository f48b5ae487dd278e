"""From where print is read and a state told: pixels of letters count, whatever the camera; screens have a front."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from row_tables import each_row

from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.labelling.aspects import LETTER_PIXELS, AspectSettings, aspects_of, legible_distance
from vantage.config import CameraSettings
from vantage.scenes.spec import ObjectSpec, Part
from vantage.spatial import Intrinsics
from vantage.types import FIRST_VIEW_RULE, ViewShortfall

USUAL, SQUARE = CameraSettings(), CameraSettings(512, 512, math.pi / 2)


def labelled(height: float) -> ObjectSpec:
    """A box 2 m wide with a word on its front, which lies at x = 0; ``height`` of it decides that of the letters."""
    part = Part("box", (-0.05, 0.0, 0.0), (0.1, 2.0, height), (0.9, 0.9, 0.9), text="TEA")
    return ObjectSpec(1, "box", "white", "paper", (0.0, 0.0, 1.0), 0.0, (part,))


@each_row("camera, factor", [(USUAL, 1.0), (SQUARE, 0.547310), (CameraSettings(1280, 960, 1.2), 2.0)])
def test_letters_of_2_cm_are_read_where_they_have_enough_pixels(camera: CameraSettings, factor: float) -> None:
    lens = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    found = VisibilitySettings().through(camera).print_distance
    assert found == pytest.approx(factor * VisibilitySettings().print_distance, abs=1e-5)
    assert 0.02 * lens.fx / found == pytest.approx(LETTER_PIXELS)


def test_the_usual_camera_has_the_usual_thresholds() -> None:
    assert VisibilitySettings().through(USUAL) == VisibilitySettings()


def test_what_a_set_stores_is_kept_whatever_its_camera() -> None:
    assert VisibilitySettings.of({"print_distance": 0.8}, "set.json").print_distance == 0.8


def test_more_pixels_for_a_letter_need_a_nearer_camera() -> None:
    assert legible_distance(256.0, 16.0) < legible_distance(256.0, 8.0)


@each_row("camera", [USUAL, SQUARE])
def test_a_print_is_read_up_to_its_own_distance_and_from_before_it(camera: CameraSettings) -> None:
    settings = replace(VisibilitySettings().through(camera), print_angle=math.radians(60.0))
    aspects = aspects_of(labelled(0.1))
    letter = aspects.texts[0].letter
    farthest = settings.print_distance * letter / 0.02
    front = float(aspects.texts[0].points.mean(axis=0)[0])
    assert aspects.print_shortfall(np.array([front + 0.99 * farthest, 0.0, 1.0]), settings, 400.0) is None
    assert aspects.print_shortfall(np.array([front + 1.01 * farthest, 0.0, 1.0]), settings, 400.0) is not None
    assert aspects.print_shortfall(np.array([front - 0.5 * farthest, 0.0, 1.0]), settings, 400.0) is not None
    aside = aspects.print_shortfall(np.array([front + 0.1 * farthest, 0.2 * farthest, 1.0]), settings, 400.0)
    assert aside is not None
    assert (aside.test, aside.measured) == ("print angle", pytest.approx(math.atan(2.0), abs=0.01))


@each_row("degrees", [0.0, 30.0, 60.0, 75.0])
def test_a_letter_counts_as_the_side_of_the_square_that_it_fills(degrees: float) -> None:
    settings = AspectSettings(print_distance=0.8)
    aspects = aspects_of(labelled(0.1))
    (words,) = aspects.texts
    straight, angle = 0.8 * words.letter / 0.02, math.radians(degrees)
    narrowed = math.sqrt(math.cos(angle))

    def looked_at(distance: float, rule: AspectSettings = settings) -> ViewShortfall | None:
        way = np.array([math.cos(angle), math.sin(angle), 0.0])
        return aspects.print_shortfall(words.points.mean(axis=0) + distance * way, rule, 400.0)

    assert looked_at(0.99 * straight * narrowed) is None
    far = looked_at(1.01 * straight * narrowed)
    assert far is not None
    assert (far.test, far.needed) == ("letter height", pytest.approx(400.0 * 0.02 / 0.8))
    assert far.measured == pytest.approx(far.needed / 1.01)
    first = replace(settings, view_rule=FIRST_VIEW_RULE)  # took the distance alone
    assert looked_at(0.99 * straight, first) is None
    assert looked_at(1.01 * straight, first) is not None


def test_smaller_letters_are_read_from_nearer() -> None:
    small, large = (aspects_of(labelled(height)).texts[0].letter for height in (0.02, 0.1))
    assert small < large
    at = np.array([0.6, 0.0, 1.0])
    settings = AspectSettings(print_distance=0.8)
    assert aspects_of(labelled(0.1)).print_shortfall(at, settings, 400.0) is None
    assert aspects_of(labelled(0.02)).print_shortfall(at, settings, 400.0) is not None


def test_print_on_a_top_is_read_from_above_and_large_letters_from_farther() -> None:
    part = Part("box", (0.0, 0.0, 0.0), (0.3, 0.4, 0.1), (0.9, 0.9, 0.9), text="TEA", print_face="z+", letter=0.06)
    aspects = aspects_of(ObjectSpec(1, "box", "white", "paper", (0.0, 0.0, 1.0), 1.0, (part,)))
    (words,) = aspects.texts
    assert words.letter == pytest.approx(0.06)
    assert np.allclose(words.normal, (0.0, 0.0, 1.0))
    assert np.allclose(words.points[:, 2], 1.056)
    settings = AspectSettings(print_distance=0.8)
    assert aspects.print_shortfall(np.array([0.0, 0.0, 1.05 + 2.3]), settings, 400.0) is None
    assert aspects.print_shortfall(np.array([0.0, 0.0, 1.05 + 2.5]), settings, 400.0) is not None
    assert aspects.print_shortfall(np.array([1.0, 0.0, 1.1]), settings, 400.0) is not None
    assert aspects.print_shortfall(np.array([0.0, 0.0, 0.2]), settings, 400.0) is not None


@each_row("look, rule, has_front", [("screen", 2, True), ("", 2, False), ("screen", 1, True), ("", 1, True)])
def test_a_screen_tells_to_the_front_whether_it_is_on_and_a_lamp_to_all_sides(
    look: str, rule: int, has_front: bool
) -> None:
    part = Part("box", (0.0, 0.0, 0.0), (0.1, 0.4, 0.3), (0.9, 0.9, 0.9), look=look)
    aspects = aspects_of(ObjectSpec(1, "thing", "", "", (0.0, 0.0, 1.0), 0.0, (part,), states=("on",)))
    settings = AspectSettings(front_angle=math.radians(70.0), view_rule=rule)

    def seen_from(degrees: float) -> ViewShortfall | None:
        aside = math.radians(degrees)
        return aspects.state_shortfall(np.array([math.cos(aside), math.sin(aside), 1.0]), settings)

    assert seen_from(69.0) is None
    for degrees in (71.0, 180.0):
        why = seen_from(degrees)
        assert (why is not None) == has_front
        if why is not None:
            assert (why.test, why.measured) == ("front angle", pytest.approx(math.radians(degrees)))
