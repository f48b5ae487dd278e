"""Surfaces of parts as charts: sizes, sides, hollow parts and hidden faces."""

import math
from dataclasses import replace

import numpy as np
import pytest

from vantage.scenes.spec import Part
from vantage.worlds.house.looks.surfaces import part_charts

BOX = Part("box", (0.1, 0.2, 0.3), (1.0, 2.0, 3.0), (1, 1, 1))
SHAPES = {
    "box": BOX,
    "cylinder": Part("cylinder", (0, 0, 0.5), (0.4, 0.4, 1.0), (1, 1, 1)),
    "lying cylinder": Part("cylinder", (0, 0, 0.5), (1.0, 0.4, 0.4), (1, 1, 1), axis="x"),
    "frustum": Part("cone", (0, 0, 0.5), (0.4, 0.4, 1.0), (1, 1, 1), ends=(0.5, 1.0)),
    "ellipsoid": Part("ellipsoid", (0, 0, 0.5), (0.4, 0.6, 1.0), (1, 1, 1)),
}


def corners(chart):
    return chart.place(chart.uv[:, 0], chart.uv[:, 1])


def triangles(chart):
    points, normals = corners(chart)
    a, b, c = (points[chart.triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a), normals[chart.triangles].mean(axis=1), (a + b + c) / 3


@pytest.mark.parametrize("shape", SHAPES)
def test_triangles_face_where_their_normals_point_and_away_from_the_middle(shape):
    part = SHAPES[shape]
    for chart in part_charts(part):
        cross, normals, middles = triangles(chart)
        real = np.linalg.norm(cross, axis=1) > 1e-9
        assert ((cross * normals).sum(axis=1)[real] > 0).all()
        assert ((normals * (middles - part.center)).sum(axis=1)[real] > 0).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_surfaces_reach_the_bounds_of_their_part(shape):
    part = SHAPES[shape]
    points = np.concatenate([corners(chart)[0] for chart in part_charts(part)])
    np.testing.assert_allclose(points.max(axis=0) - points.min(axis=0), part.size, rtol=0.03)
    np.testing.assert_allclose(0.5 * (points.max(axis=0) + points.min(axis=0)), part.center, atol=1e-6)


def test_a_chart_is_as_large_as_its_surface():
    areas = {chart.face: chart.width * chart.height for chart in part_charts(BOX)}
    assert areas == pytest.approx({"x+": 6, "x-": 6, "y+": 3, "y-": 3, "z+": 2, "z-": 2})
    side = part_charts(SHAPES["cylinder"])[0]
    assert side.width * side.height == pytest.approx(math.tau * 0.2)


def test_hollow_parts_are_seen_from_inside():
    charts = part_charts(replace(BOX, open_faces=("z+",)))
    assert len(charts) == 10
    assert not any(chart.face.endswith("z+") for chart in charts)
    for chart in charts:
        _, normals, middles = triangles(chart)
        outward = (normals * (middles - BOX.center)).sum(axis=1)
        assert (outward > 0).all() != chart.face.startswith("inner")


def test_a_hollow_cylinder_has_a_shell_and_a_ground_on_both_sides():
    charts = part_charts(replace(SHAPES["cylinder"], open_faces=("z+",)))
    assert sorted(chart.face for chart in charts) == ["inner side", "inner z-", "side", "z-"]


def test_upright_faces_are_cut_at_heights():
    charts = [chart for chart in part_charts(BOX, cuts=[0.0, 9.0]) if chart.face == "x+"]
    assert [chart.height for chart in charts] == pytest.approx([1.2, 1.8])
