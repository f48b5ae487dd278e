"""What is drawn over renders: in front of things, behind them, and behind the camera."""

from __future__ import annotations

import re

import numpy as np
import pytest

from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.rendering import RenderedView
from vantage.web.overlay import BUMPED, NOW, PATH, Overlay, boxes_svg

CAMERA = Intrinsics.from_fov(64, 48, 1.2)


def wall(left: float, right: float) -> RenderedView:
    """What a camera sees of two walls, so far away (m) in the left and right half of the picture."""
    depth = np.full((48, 64), right, np.float32)
    depth[:, :32] = left
    flat = np.zeros((48, 64), np.int32)
    return RenderedView(np.zeros((48, 64, 3), np.uint8), depth, np.ones_like(depth), flat)


def paths(svg: str) -> dict[str, str]:
    """The lines by their opacity."""
    return {opacity: d for d, opacity in re.findall(r'<path d="([^"]*)"[^>]*opacity="([^"]*)"', svg)}


def test_a_line_is_faint_where_a_wall_hides_it():
    over = Overlay(wall(1.0, 4.0), Viewpoint(0, 0, 0, 0, 0), CAMERA)
    over.path([Viewpoint(2, 1, 0, 0, 0), Viewpoint(2, -1, 0, 0, 0)])  # from the left of the camera to its right
    found = paths(over.svg)
    assert set(found) == {"1.0", "0.28"}
    assert all(float(x) <= 32.1 for x in re.findall(r"[ML]([-\d.]+)", found["0.28"])[:-1])
    assert all(float(x) >= 31.9 for x in re.findall(r"[ML]([-\d.]+)", found["1.0"]))
    assert found["1.0"].count("M") == 1  # one element, however many pieces it has


@pytest.mark.parametrize(("ahead", "elements"), [(2.0, 1), (-2.0, 0)])
def test_what_is_behind_the_camera_is_not_drawn(ahead, elements):
    over = Overlay(wall(4.0, 4.0), Viewpoint(0, 0, 0, 0, 0), CAMERA)
    over.mark(np.array([ahead, 0.0, 0.0]), BUMPED, "collision at step 3: <wall>")
    over.path([Viewpoint(ahead, 0, 0, 0, 0), Viewpoint(ahead, 0.1, 0, 0, 0)])
    assert over.svg.count("<circle") == elements
    assert over.svg.count("<path") == elements
    assert "<wall>" not in over.svg


def test_a_frustum_has_a_name_and_no_picture_without_ways_has_lines():
    over = Overlay(wall(4.0, 4.0), Viewpoint(0, 0, 0, 0, 0), CAMERA)
    over.path([])
    assert over.svg == ""
    over.frustum(Viewpoint(1, 0, 0, 0, 0), 1.0, NOW, "step 4")
    assert "<title>step 4</title>" in over.svg
    assert NOW in over.svg
    assert PATH not in over.svg


def test_names_of_boxes_do_not_lie_over_one_another_and_are_escaped():
    boxes = [("wall", 0, 0, 60, 40), ("<cup>", 2, 1, 10, 10), ("door", 200, 90, 40, 80)]
    svg = boxes_svg(boxes)
    assert svg.count("<rect") == 3
    assert re.findall(r">([^<]+)</text>", svg) == ["&lt;cup&gt;", "door"]
