"""Cameras that visitors move, and viewpoints in addresses that anybody may have written."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vantage.spatial import Viewpoint
from vantage.web.cameras import Orbit, address_of, fly_dragged, fly_pressed, viewpoint_in


def test_an_orbit_looks_at_its_middle_from_its_distance():
    orbit = Orbit((1.0, 2.0, 0.5), 3.0, 0.7, -0.4).dragged(30, -10).nearer(2)
    view = orbit.viewpoint
    ahead = view.rotation()[:, 0]
    np.testing.assert_allclose(view.position + orbit.distance * ahead, orbit.middle, atol=1e-9)
    assert orbit.distance < 3.0


def test_keys_go_where_the_camera_looks():
    view = Viewpoint(0.0, 0.0, 1.0, math.pi / 2, 0.0)
    assert fly_pressed(view, "w").y > 0.1
    assert fly_pressed(view, "d").x > 0.1
    assert fly_pressed(view, "e").z > 1.1
    assert fly_pressed(view, "arrowleft").yaw > view.yaw
    assert fly_pressed(view, "?") == view
    assert abs(fly_dragged(view, 0, 1e9).pitch) < math.pi / 2


def test_a_viewpoint_survives_its_address():
    view = Viewpoint(1.25, -2.5, 0.75, 0.5, -0.25)
    assert viewpoint_in(address_of(view)) == view


@pytest.mark.parametrize("text", ["", "1,2,3", "a,b,c,d,e", "nan,0,0,0,0", "1e9,0,0,0,0", "0," * 500, "1,2,3,4,5,6"])
def test_what_is_no_viewpoint_is_none(text):
    assert viewpoint_in(text) is None
