"""Distances of segments, boxes and capsules, against dense samples of both."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.worlds.rig.collision.capsules import (
    capsule_box,
    capsule_capsule,
    point_segment,
    segment_box,
    segment_segment,
)

SHARES = np.linspace(0.0, 1.0, 401)
LOW, HIGH = np.array([-1.0, -0.5, 0.0]), np.array([1.0, 0.7, 0.02])  # a thin plate
coordinate = st.one_of(st.floats(-2, 2), st.sampled_from([-1.0, -0.5, 0.0, 0.02, 0.7, 1.0]))
point = st.tuples(coordinate, coordinate, coordinate).map(np.array)


def along(a, b, t=SHARES):
    return a + np.asarray(t)[..., None] * (b - a)


def box_distance(points):
    """Signed distance (N,) of points (N, 3) from the plate."""
    outside = np.linalg.norm(np.maximum(np.maximum(LOW - points, points - HIGH), 0.0), axis=1)
    inside = np.minimum(points - LOW, HIGH - points).min(axis=1)
    return np.where(outside > 0, outside, -inside)


@settings(max_examples=examples(200), deadline=None)
@given(point, point, point, point)
def test_no_two_points_of_segments_are_nearer_than_their_distance(a, b, c, d) -> None:
    distance, s, t = segment_segment(a, b, c, d)
    sampled = np.linalg.norm(along(a, b)[:, None] - along(c, d)[None], axis=2).min()
    grain = 0.5 * (np.linalg.norm(b - a) + np.linalg.norm(d - c)) / (len(SHARES) - 1)
    assert sampled - grain - 1e-9 <= distance <= sampled + 1e-9
    assert 0.0 <= s <= 1.0
    assert 0.0 <= t <= 1.0
    assert np.linalg.norm(along(a, b, s) - along(c, d, t)) == pytest.approx(distance, abs=1e-9)


@settings(max_examples=examples(400), deadline=None)
@given(point, point)
def test_the_distance_from_a_box_is_the_least_along_the_segment(a, b) -> None:
    distance, t = segment_box(a, b, LOW, HIGH)
    sampled = box_distance(along(a, b)).min()
    grain = 0.5 * np.linalg.norm(b - a) / (len(SHARES) - 1)
    assert sampled - grain - 2e-9 <= distance <= sampled + 2e-9
    assert 0.0 <= t <= 1.0
    assert box_distance(along(a, b, t)[None])[0] == pytest.approx(distance, abs=2e-9)


@settings(max_examples=examples(100), deadline=None)
@given(point, point, point, point)
def test_distances_do_not_depend_on_the_order(a, b, c, d) -> None:
    distance = segment_segment(a, b, c, d)[0]
    assert segment_segment(c, d, b, a)[0] == pytest.approx(distance, abs=1e-9)
    assert segment_box(a, b, LOW, HIGH)[0] == pytest.approx(segment_box(b, a, LOW, HIGH)[0], abs=2e-9)


@settings(max_examples=examples(100), deadline=None)
@given(point, point, point)
def test_a_segment_without_length_is_a_point(p, a, b) -> None:
    distance, t = point_segment(p, a, b)
    assert segment_segment(p, p, a, b)[0] == pytest.approx(distance, abs=1e-9)
    assert np.linalg.norm(along(a, b, t) - p) == pytest.approx(distance, abs=1e-9)
    assert segment_box(p, p, LOW, HIGH)[0] == pytest.approx(box_distance(p[None])[0], abs=2e-9)


def test_known_distances() -> None:
    x, y, z = np.eye(3)
    assert segment_segment(-x, x, z - y, z + y) == pytest.approx((1.0, 0.5, 0.5))  # crossing
    assert segment_segment(-x, x, z - x, z + x)[0] == pytest.approx(1.0)  # parallel
    assert segment_segment(-x, x, 2 * x, 3 * x) == pytest.approx((1.0, 1.0, 0.0))  # in line
    zero, one = np.zeros(3), np.ones(3)
    assert segment_box(2 * x, 3 * x, zero, one) == pytest.approx((1.0, 0.0))
    assert segment_box(np.array([-1.0, 0.5, 0.5]), np.array([2.0, 0.5, 0.5]), zero, one)[0] == pytest.approx(-0.5)
    assert segment_box(np.array([0.5, 0.5, 0.9]), np.array([0.5, 0.5, 3.0]), zero, one) == pytest.approx((-0.1, 0.0))


def test_what_comes_out_of_a_box_gains_distance_all_the_way() -> None:
    heights = np.linspace(0.015, 0.2, 80)
    gaps = [capsule_box((0, 0, z), (0.3, 0.1, z + 0.05), 0.1, LOW, HIGH) for z in heights]
    assert (np.diff(gaps) > 0).all()
    assert gaps[0] == pytest.approx(-0.1 - 0.005)


def test_capsules_are_nearer_than_their_segments_by_their_radii() -> None:
    assert capsule_capsule((0, 0, 0), (1, 0, 0), 0.1, (0, 0, 1), (0, 1, 1), 0.2) == pytest.approx(0.7)
    assert capsule_capsule((0, 0, 0), (1, 0, 0), 0.1, (0.5, -1, 0), (0.5, 1, 0), 0.2) == pytest.approx(-0.3)
    assert capsule_box((0, 0, 1), (0, 0, 2), 0.25, LOW, HIGH) == pytest.approx(0.73)
