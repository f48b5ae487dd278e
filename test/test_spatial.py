import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.spatial import (
    Intrinsics,
    Viewpoint,
    apply,
    invert,
    quaternion,
    rigid,
    rotation_from_quaternion,
    wrap_angle,
)

angles = st.floats(-math.pi, math.pi)
pitches = st.floats(-math.pi / 2 + 1e-3, math.pi / 2 - 1e-3)
lengths = st.floats(-100, 100)
viewpoints = st.builds(Viewpoint, lengths, lengths, lengths, angles, pitches)


@pytest.mark.parametrize(
    ("yaw", "pitch", "forward"),
    [
        (0, 0, (1, 0, 0)),
        (math.pi / 2, 0, (0, 1, 0)),  # positive yaw turns left
        (0, math.pi / 2, (0, 0, 1)),  # positive pitch looks up
        (math.pi, 0, (-1, 0, 0)),
        (math.pi / 2, -math.pi / 4, (0, math.sqrt(0.5), -math.sqrt(0.5))),
    ],
)
def test_golden_vectors_of_the_body_frame(yaw, pitch, forward):
    rotation = Viewpoint(0, 0, 0, yaw, pitch).rotation()
    np.testing.assert_allclose(rotation[:, 0], forward, atol=1e-12)
    assert rotation[2, 1] == 0, "the left axis stays level: no roll"


def test_optical_axes_of_a_level_camera():
    optical = Viewpoint(1, 2, 3, 0, 0).T_world_camera_optical()
    np.testing.assert_allclose(optical[:3, 2], (1, 0, 0))  # z forward
    np.testing.assert_allclose(optical[:3, 0], (0, -1, 0))  # x right
    np.testing.assert_allclose(optical[:3, 1], (0, 0, -1))  # y down
    np.testing.assert_allclose(optical[:3, 3], (1, 2, 3))


@given(viewpoints)
def test_a_viewpoint_survives_its_transform(viewpoint):
    back = Viewpoint.from_T_world_body(viewpoint.T_world_body())
    assert back.distance(viewpoint) < 1e-9
    assert abs(wrap_angle(back.yaw - viewpoint.yaw)) < 1e-9
    assert abs(back.pitch - viewpoint.pitch) < 1e-9


@given(viewpoints)
def test_inverse_and_quaternion_round_trip(viewpoint):
    transform = viewpoint.T_world_camera_optical()
    np.testing.assert_allclose(invert(transform) @ transform, np.eye(4), atol=1e-9)
    rotation = transform[:3, :3]
    np.testing.assert_allclose(rotation_from_quaternion(*quaternion(rotation)), rotation, atol=1e-12)
    assert quaternion(rotation)[3] >= 0


def test_quaternions_of_half_turns():
    for axis in range(3):
        rotation = -np.eye(3)
        rotation[axis, axis] = 1.0
        q = quaternion(rotation)
        assert abs(q[axis]) == pytest.approx(1.0)
        np.testing.assert_allclose(rotation_from_quaternion(*q), rotation, atol=1e-12)
    with pytest.raises(ValueError, match="zero quaternion"):
        rotation_from_quaternion(0, 0, 0, 0)


@given(viewpoints, st.tuples(lengths, lengths, lengths))
def test_looking_at_puts_the_target_on_the_optical_axis(viewpoint, target):
    if math.dist(viewpoint.position, target) < 0.1:
        return
    looking = Viewpoint.looking_at(viewpoint.position, target)
    seen = apply(invert(looking.T_world_camera_optical()), np.array([target]))[0]
    assert seen[2] == pytest.approx(math.dist(viewpoint.position, target), rel=1e-6)
    np.testing.assert_allclose(seen[:2], 0, atol=1e-6)


@given(st.floats(-50, 50))
def test_wrap_angle_keeps_the_direction(angle):
    wrapped = wrap_angle(angle)
    assert -math.pi < wrapped <= math.pi
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-9)


def test_projection_and_backprojection_agree():
    intrinsics = Intrinsics(20, 10, 15.0, 16.0, 9.0, 6.0)
    depth = np.full((10, 20), 2.0, np.float32)
    depth[3, 4] = np.nan
    depth[0, 0] = 0.0
    points = intrinsics.backproject(depth)
    assert points.shape == (198, 3)
    pixels = intrinsics.project(points)
    assert pixels[0] == pytest.approx([1.5, 0.5], abs=1e-4)  # pixel centres lie at half-integers
    assert pixels[-1] == pytest.approx([19.5, 9.5], abs=1e-4)


def test_field_of_view():
    intrinsics = Intrinsics.from_fov(640, 480, 1.2)
    assert intrinsics.horizontal_fov == pytest.approx(1.2)
    with pytest.raises(ValueError, match="positive size"):
        Intrinsics(0, 480, 1, 1, 0, 0)


def test_rigid_holds_rotation_and_translation():
    transform = rigid(np.eye(3), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(apply(transform, np.zeros((2, 3))), [[1, 2, 3], [1, 2, 3]])
