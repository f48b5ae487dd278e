"""Gaussian clouds: what they accept, and how they move."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st
from plain_renderer import random_cloud
from row_tables import each_row

from vantage.errors import FormatError
from vantage.spatial import invert, rigid, rotation_from_quaternion
from vantage.splats.cloud import GaussianCloud, concatenate


def changed(**arrays: np.ndarray) -> GaussianCloud:
    return dataclasses.replace(random_cloud(4, 1), **arrays)


@each_row(
    "name, value, complaint",
    [
        ("means", np.zeros((4, 2)), "means of a cloud has shape"),
        ("scales", np.ones((3, 3)), "scales of a cloud has shape"),
        ("quaternions", np.ones((4, 3)), "quaternions of a cloud has shape"),
        ("opacities", np.ones((4, 1)), "opacities of a cloud has shape"),
        ("instances", np.zeros(5), "instances of a cloud has shape"),
        ("parts", np.zeros(3), "parts of a cloud has shape"),
        ("sh", np.zeros((4, 5, 3)), "K of 1, 4, 9, 16"),
        ("sh", np.zeros((4, 3)), "K of 1, 4, 9, 16"),
        ("means", np.array([[0, 0, 0], [0, np.nan, 0], [0, 0, np.inf], [1, 1, 1]]), "2 of 4 Gaussians are not finite"),
        ("scales", np.full((4, 3), np.nan), "not finite"),
        ("scales", np.full((4, 3), -3.0), "negative; pass standard deviations"),
        ("opacities", np.full(4, 1.5), "outside 0..1"),
        ("opacities", np.full(4, -0.5), "outside 0..1"),
        ("quaternions", np.full((4, 4), 1.0), "not of unit length"),
        ("quaternions", np.zeros((4, 4)), "not of unit length"),
        ("sh", np.full((4, 1, 3), np.inf), "not finite"),
    ],
)
def test_wrong_arrays_are_refused(name: str, value: np.ndarray, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        changed(**{name: value})


def test_types_and_order_in_memory_are_put_right() -> None:
    cloud = changed(means=np.asfortranarray(np.arange(12.0).reshape(4, 3)), instances=np.array([0, 1, 2, 3], np.int64))
    assert cloud.means.dtype == np.float32
    assert cloud.means.flags.c_contiguous
    assert cloud.instances.dtype == np.int32
    assert len(cloud) == 4
    assert cloud.degree == 1


def test_parts_are_none_where_they_are_left_out_and_go_with_their_gaussians() -> None:
    assert changed().parts.tolist() == [0, 0, 0, 0]
    cloud = changed(parts=np.array([4, 3, 2, 1], np.int64))
    assert cloud.parts.dtype == np.int32
    assert cloud.select(np.array([True, False, True, False])).parts.tolist() == [4, 2]
    assert cloud.select(np.array([3, 0])).parts.tolist() == [1, 4]
    assert cloud.transformed(np.eye(4), 2.0).parts.tolist() == [4, 3, 2, 1]
    assert concatenate([cloud, changed()]).parts.tolist() == [4, 3, 2, 1, 0, 0, 0, 0]


def test_an_empty_cloud() -> None:
    assert len(GaussianCloud.empty(2)) == 0
    assert GaussianCloud.empty(2).degree == 2
    assert len(concatenate([])) == 0
    assert len(GaussianCloud.empty().transformed(np.eye(4), 2.0)) == 0


def test_covariances_have_the_scales_as_axes() -> None:
    cloud = random_cloud(50)
    values = np.linalg.eigvalsh(cloud.covariances())
    assert np.sqrt(values) == pytest.approx(np.sort(cloud.scales.astype(float), axis=1), rel=1e-3)
    assert np.linalg.det(cloud.rotations()) == pytest.approx(1.0, abs=1e-5)


@given(
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.01),
    st.tuples(*[st.floats(-5, 5)] * 3),
    st.floats(0.1, 10),
)
def test_transform_moves_points_and_covariances(
    q: tuple[float, float, float, float], t: tuple[float, float, float], scale: float
) -> None:
    cloud = random_cloud(20, 2)
    T = rigid(rotation_from_quaternion(*q), np.array(t))
    moved = cloud.transformed(T, scale)
    R = T[:3, :3]
    assert moved.means == pytest.approx(cloud.means * scale @ R.T + np.array(t), abs=1e-3)
    assert moved.covariances() == pytest.approx(scale**2 * R @ cloud.covariances() @ R.T, rel=1e-3, abs=1e-4)


def test_there_and_back() -> None:
    cloud = random_cloud(20, 3)
    T = rigid(rotation_from_quaternion(0.1, 0.7, -0.3, 0.4), np.array([1.0, 2.0, -3.0]))
    back = cloud.transformed(T).transformed(invert(T))
    assert back.means == pytest.approx(cloud.means, abs=1e-5)
    assert back.covariances() == pytest.approx(cloud.covariances(), abs=1e-6)
    assert back.sh == pytest.approx(cloud.sh, abs=1e-5)


def test_select_and_concatenate() -> None:
    a, b = random_cloud(5, 0, seed=1), random_cloud(7, 2, seed=2)
    both = concatenate([a, b])
    assert len(both) == 12
    assert both.degree == 2
    assert np.array_equal(both.sh[:5, 0], a.sh[:, 0])
    assert not both.sh[:5, 1:].any()
    assert np.array_equal(both.select(np.arange(5, 12)).sh, b.sh)
    assert np.array_equal(both.select(np.arange(12) < 5).means, a.means)


def test_base_colors_are_clipped() -> None:
    cloud = changed(sh=np.stack([np.full((4, 3), value) for value in (9.0, 1, 1, 1)], axis=1))
    assert (cloud.base_colors() == 1).all()
