"""Samples of surfaces: where they lie, how much they stand for, and which are left out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.surface_samples import SurfaceSamples, sample_surface
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec

WHITE = (1.0, 1.0, 1.0)


def sampled(*parts: Part, yaw: float = 0.3, others: tuple[ObjectSpec, ...] = ()) -> SurfaceSamples:
    obj = ObjectSpec(1, "thing", "white", "wood", (0.5, 0.2, 1.0), yaw, parts)
    spec = SceneSpec("room", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), (obj, *others))
    return sample_surface(Solids.from_spec(spec), 1)


@pytest.mark.parametrize(
    ("part", "area"),
    [
        (Part("box", (0, 0, 0), (0.4, 0.6, 0.2), WHITE), 2 * (0.4 * 0.6 + 0.4 * 0.2 + 0.6 * 0.2)),
        (Part("cylinder", (0, 0, 0), (0.4, 0.4, 0.5), WHITE), 2 * math.pi * 0.2 * 0.5 + 2 * math.pi * 0.04),
        (Part("cylinder", (0, 0, 0), (0.5, 0.4, 0.4), WHITE, axis="x"), 2 * math.pi * 0.2 * 0.5 + 2 * math.pi * 0.04),
        (Part("ellipsoid", (0, 0, 0), (0.4, 0.4, 0.4), WHITE), 4 * math.pi * 0.04),
        (Part("cone", (0, 0, 0), (0.4, 0.4, 0.5), WHITE), math.pi * 0.2 * math.hypot(0.2, 0.5) + math.pi * 0.04),
    ],
)
def test_areas_add_up_to_the_surface(part: Part, area: float) -> None:
    assert sampled(part).areas.sum() == pytest.approx(area, rel=0.03)


def test_an_ellipsoid_has_the_area_of_its_formula() -> None:
    samples = sampled(Part("ellipsoid", (0, 0, 0), (0.4, 0.4, 0.8), WHITE))
    a, c = 0.2, 0.4
    eccentricity = math.sqrt(1 - a * a / (c * c))
    area = 2 * math.pi * a * a * (1 + c / (a * eccentricity) * math.asin(eccentricity))
    assert samples.areas.sum() == pytest.approx(area, rel=0.02)


def test_normals_point_outwards_and_have_unit_length() -> None:
    for shape in ("box", "cylinder", "ellipsoid", "cone"):
        samples = sampled(Part(shape, (0, 0, 0), (0.4, 0.6, 0.2), WHITE))
        assert np.linalg.norm(samples.normals, axis=1) == pytest.approx(1.0)
        assert ((samples.points - samples.points.mean(axis=0)) * samples.normals).sum(axis=1).min() > -1e-9


def test_samples_turn_with_the_object() -> None:
    samples = sampled(Part("box", (1.0, 0.0, 0.0), (0.2, 0.2, 0.2), WHITE), yaw=math.pi / 2)
    assert samples.points.mean(axis=0) == pytest.approx([0.5, 1.2, 1.0], abs=0.02)


def test_what_lies_inside_another_part_is_left_out() -> None:
    small, large = Part("box", (0, 0, 0), (0.1, 0.1, 0.1), WHITE), Part("box", (0, 0, 0), (0.4, 0.4, 0.4), WHITE)
    both, alone = sampled(small, large), sampled(large)
    assert both.areas.sum() == pytest.approx(alone.areas.sum(), rel=0.02)


def test_what_another_object_covers_is_left_out() -> None:
    box = Part("box", (0, 0, 0.2), (0.4, 0.4, 0.4), WHITE)
    hat = ObjectSpec(
        2, "hat", "white", "wood", (0.5, 0.2, 1.4), 0.3, (Part("box", (0, 0, 0.1), (0.4, 0.4, 0.2), WHITE),)
    )
    assert sampled(box).top.any()
    assert not sampled(box, others=(hat,)).top.any()


def test_the_inside_of_an_open_container_counts_and_that_of_a_closed_one_does_not() -> None:
    walls = [
        Part("box", (0.2 * x, 0.2 * y, 0.2), (0.02 if x else 0.42, 0.02 if y else 0.42, 0.4), WHITE)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    bottom, lid = (Part("box", (0, 0, z), (0.42, 0.42, 0.02), WHITE) for z in (0.0, 0.4))
    open_box, closed_box = sampled(*walls, bottom), sampled(*walls, bottom, lid)
    inside = np.array([0.5, 0.2])

    def holds(samples: SurfaceSamples) -> bool:
        middle = np.linalg.norm(samples.points[:, :2] - inside, axis=1) < 0.15
        return bool((middle & samples.top & (samples.points[:, 2] < 1.1)).any())

    assert holds(open_box)
    assert not holds(closed_box)


def test_an_open_shell_shows_its_inner_bottom() -> None:
    samples = sampled(Part("cylinder", (0, 0, 0.2), (0.4, 0.4, 0.4), WHITE, open_faces=("z+",)))
    assert samples.top.any()
    assert samples.points[samples.top][:, 2] == pytest.approx(1.0, abs=1e-6)


def test_no_room_above_is_no_top() -> None:
    board = Part("box", (0, 0, 0.0), (0.4, 0.4, 0.02), WHITE)
    near, far = (Part("box", (0, 0, z), (0.4, 0.4, 0.02), WHITE) for z in (0.06, 0.3))
    low_tops = [sampled(board, above).points[sampled(board, above).top][:, 2].min() for above in (near, far)]
    assert low_tops == pytest.approx([1.07, 1.01], abs=1e-6)


def test_only_the_near_side_faces_a_camera() -> None:
    samples = sampled(Part("box", (0, 0, 0), (0.4, 0.4, 0.4), WHITE), yaw=0.0)
    facing = samples.facing(np.array([3.0, 0.2, 1.0]))
    assert set(map(tuple, samples.normals[facing].round(6) + 0.0)) == {(1.0, 0.0, 0.0)}


def test_an_unknown_object_has_no_surface() -> None:
    spec = SceneSpec("room", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), ())
    assert len(sample_surface(Solids.from_spec(spec), 5)) == 0
