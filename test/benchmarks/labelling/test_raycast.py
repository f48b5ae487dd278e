"""Exact intersections with primitives, against marching along the ray."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.benchmarks.labelling.raycast import Solids
from vantage.scenes.geometry.design import hinge
from vantage.scenes.geometry.movement import QUARTER, moved
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec

PARTS = {
    "box": Part("box", (0.1, 0.0, 0.3), (0.4, 0.6, 0.2), (1, 1, 1)),
    "cylinder": Part("cylinder", (0.1, 0.0, 0.3), (0.4, 0.6, 0.2), (1, 1, 1)),
    "lying cylinder": Part("cylinder", (0.1, 0.0, 0.3), (0.4, 0.6, 0.2), (1, 1, 1), axis="x"),
    "standing along y": Part("cylinder", (0.1, 0.0, 0.3), (0.4, 0.6, 0.2), (1, 1, 1), axis="y"),
    "cone": Part("cone", (0.1, 0.0, 0.3), (0.4, 0.6, 0.8), (1, 1, 1)),
    "frustum": Part("cone", (0.1, 0.0, 0.3), (0.4, 0.6, 0.8), (1, 1, 1), ends=(0.3, 1.0)),
    "lying frustum": Part("cone", (0.1, 0.0, 0.3), (0.8, 0.6, 0.4), (1, 1, 1), axis="x", ends=(1.0, 0.5)),
    "ellipsoid": Part("ellipsoid", (0.1, 0.0, 0.3), (0.4, 0.6, 0.2), (1, 1, 1)),
}


def room(*objects: ObjectSpec) -> SceneSpec:
    return SceneSpec("room", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), objects)


def obj(
    *parts: Part, instance_id: int = 1, yaw: float = 0.4, position: tuple[float, float, float] = (0, 0, 0)
) -> ObjectSpec:
    return ObjectSpec(instance_id, "thing", "white", "wood", position, yaw, parts)


def solid_of(part: Part) -> Solids:
    return Solids.from_spec(room(obj(part)))


coordinates = st.floats(-1.2, 1.2)


@settings(max_examples=examples(120), deadline=None)
@given(
    st.sampled_from(sorted(PARTS)),
    st.tuples(coordinates, coordinates, coordinates),
    st.tuples(coordinates, coordinates, coordinates),
)
def test_crossings_agree_with_marching(name: str, a: tuple[float, float, float], b: tuple[float, float, float]) -> None:
    solid = solid_of(PARTS[name])
    start, end = np.array(a), np.array(b)
    if np.linalg.norm(end - start) < 0.05:
        return
    shares = np.linspace(0.0, 1.0, 4001)
    inside = solid.contain(start + shares[:, None] * (end - start))
    ((enter,),), ((leave,),), _ = solid.crossings(start, end[None])
    within = np.flatnonzero(inside)
    if not len(within):
        assert not (math.isfinite(enter) and min(leave, 1.0) - max(enter, 0.0) > 1e-3)
        return
    assert max(enter, 0.0) == pytest.approx(shares[within[0]], abs=1e-3)
    assert min(leave, 1.0) == pytest.approx(shares[within[-1]], abs=1e-3)


def test_the_volume_inside_is_that_of_the_shape() -> None:
    points = np.random.default_rng(1).uniform((-0.6, -0.6, -0.3), (0.8, 0.6, 0.9), (200_000, 3))
    whole = 1.4 * 1.2 * 1.2
    a, b = 0.2, 0.3
    expected = {
        "box": 0.4 * 0.6 * 0.2,
        "cylinder": math.pi * a * b * 0.2,
        "lying cylinder": math.pi * 0.3 * 0.1 * 0.4,
        "standing along y": math.pi * 0.2 * 0.1 * 0.6,
        "cone": math.pi * a * b * 0.8 / 3,
        "frustum": math.pi * a * b * 0.8 * (1 + 0.3 + 0.09) / 3,
        "lying frustum": math.pi * 0.3 * 0.2 * 0.8 * (1 + 0.5 + 0.25) / 3,
        "ellipsoid": 4 / 3 * math.pi * 0.2 * 0.3 * 0.1,
    }
    for name, volume in expected.items():
        assert solid_of(PARTS[name]).contain(points).mean() * whole == pytest.approx(volume, rel=0.04), name


def test_an_open_box_hides_what_is_behind_its_walls_only() -> None:
    tray = Part("box", (0.0, 0.0, 0.2), (0.6, 0.6, 0.4), (1, 1, 1), ("z+",))
    solids = Solids.from_spec(room(obj(tray, yaw=0.0)))
    inside = np.array([[0.0, 0.0, 0.1]])
    assert not solids.block(np.array([0.0, 0.0, 2.0]), inside)[0]
    assert solids.block(np.array([2.0, 0.0, 0.1]), inside)[0]
    assert solids.block(np.array([0.0, 0.0, -1.0]), inside)[0]
    assert not solids.contain(inside)[0]


def test_a_point_on_a_surface_is_not_hidden_by_that_surface() -> None:
    solids = Solids.from_spec(room(obj(PARTS["box"], yaw=0.0)))
    top = np.array([[0.1, 0.0, 0.4]])
    assert not solids.block(np.array([0.1, 0.0, 2.0]), top)[0]
    assert solids.block(np.array([0.1, 0.0, -1.0]), top)[0]


def test_culling_does_not_change_what_is_hidden() -> None:
    rng = np.random.default_rng(3)
    objects = [
        obj(part, instance_id=k + 1, yaw=float(rng.uniform(0, 3)), position=tuple(rng.uniform(-2, 2, 3)))  # type: ignore[arg-type]
        for k, part in enumerate(list(PARTS.values()) * 8)
    ]
    solids = Solids.from_spec(room(*objects))
    hidden = 0
    for _ in range(30):
        origin, middle = rng.uniform(-3, 3, 3), rng.uniform(-2, 2, 3)
        points = middle + rng.uniform(-0.3, 0.3, (40, 3))
        end = 1.0 - 0.01 / np.linalg.norm(points - origin, axis=1)
        enter, leave, _ = solids.crossings(origin, points)
        each = (((enter > 0) & (enter < end)) | ((leave > 0) & (leave < end))).any(axis=0)
        assert (solids.block(origin, points) == each).all()
        hidden += int(each.sum())
    assert 100 < hidden < 1100


def test_a_graph_gives_boxes() -> None:
    node = GraphNode(4, "crate", "", "", (0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    solids = Solids.from_graph(SceneGraph("s", 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 3.0), (node,)))
    assert len(solids) == 1
    assert len(solids.of(4)) == 1
    assert len(solids.of(5)) == 0
    assert solids.contain(np.array([[0.5, 1.9, 2.9], [0.5, 2.1, 2.9]])).tolist() == [True, False]


def test_nothing_hides_nothing() -> None:
    empty = Solids(())
    assert not empty.block(np.zeros(3), np.ones((2, 3))).any()
    assert not empty.contain(np.ones((2, 3))).any()
    assert not empty.meet(np.ones((2, 3)), np.ones(3)).any()
    assert len(Solids.from_spec(room(obj(PARTS["box"]))).block(np.zeros(3), np.zeros((0, 3)))) == 0


@pytest.mark.parametrize("shape", ["box", "cylinder", "cone"])
def test_rays_meet_a_turned_part_where_they_meet_the_exact_quarter_turn(shape: str) -> None:
    part = Part(shape, (0.0, 0.0, 0.3), (0.1, 0.4, 0.5), (0.7, 0.5, 0.3), ("z+",), axis="z", ends=(1.0, 0.4))
    exact = moved(part, hinge("body", (0.0, 1.0, 0.0), (0.0, 0.0, 0.0)), QUARTER)
    turned = dataclasses.replace(part, center=exact.center, rotation=(0.0, QUARTER, 0.0))
    points = np.random.default_rng(0).uniform((-1.0, -1.0, -0.5), (1.0, 1.0, 1.5), (500, 3))
    one, other = (solid_of(each).block(np.array([1.2, -0.6, 0.7]), points) for each in (exact, turned))
    assert 3 < one.sum() < 400
    np.testing.assert_array_equal(one, other)
