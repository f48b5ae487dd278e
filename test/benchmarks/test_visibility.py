"""The judge's visibility: exact cases, and rays against rendered depth in a generated room."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vantage.benchmarks.sightlines import Solids
from vantage.benchmarks.visibility import SceneVisibility, claims_absence, least_seen
from vantage.errors import SceneError
from vantage.scenes.generator import generate_room
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Intrinsics, Viewpoint, apply
from vantage.splats.painting.from_spec import cloud_from_spec
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.types import NoiseType, TruthQuestion

LENS = Intrinsics.from_fov(320, 240, 1.2)
WHITE = (1.0, 1.0, 1.0)


def cube(instance_id: int, x: float, y: float, z: float, size: tuple[float, float, float]) -> ObjectSpec:
    part = Part("box", (0.0, 0.0, 0.5 * size[2]), size, WHITE)
    return ObjectSpec(instance_id, "box", "white", "wood", (x, y, z), 0.0, (part,))


def scene(*things: ObjectSpec, exact: bool = True) -> SceneVisibility:
    spec = SceneSpec("room", 0, 1, (-5.0, -5.0, 0.0), (5.0, 5.0, 3.0), things)
    return SceneVisibility(Solids.from_spec(spec), exact=exact)


EYE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
TARGET = cube(1, 2.0, 0.0, 0.75, (0.5, 0.5, 0.5))


def test_a_free_target_is_seen_whole_with_its_pixels() -> None:
    view = scene(TARGET).view(1, EYE, LENS)
    assert view.fraction == pytest.approx(1.0)
    assert view.pixels == pytest.approx((0.5 * LENS.fx / 1.75) ** 2, rel=0.02)


def test_half_of_it_behind_a_wall_is_half() -> None:
    wall = cube(2, 1.0, 1.0, 0.0, (0.02, 2.0, 2.5))
    assert scene(TARGET, wall).view(1, EYE, LENS).fraction == pytest.approx(0.5, abs=0.06)


def test_what_is_outside_of_the_image_is_not_seen() -> None:
    edge = math.atan2(LENS.cx, LENS.fx)
    half = scene(TARGET).view(1, Viewpoint(0.0, 0.0, 1.0, edge, 0.0), LENS)
    assert half.fraction == pytest.approx(0.5, abs=0.06)
    away = scene(TARGET).view(1, Viewpoint(0.0, 0.0, 1.0, math.pi, 0.0), LENS)
    assert (away.fraction, away.top_fraction, away.pixels) == (0.0, 0.0, 0.0)


def test_depth_decides_what_is_hidden_where_shapes_are_not_exact() -> None:
    judge = scene(TARGET, exact=False)
    free = np.full((240, 320), 5.0, np.float32)
    covered = np.full((240, 320), 1.0, np.float32)
    nothing = np.full((240, 320), np.nan, np.float32)
    left = free.copy()
    left[:, :160] = 1.0
    assert judge.fractions(EYE, LENS, free, [1]) == {1: pytest.approx(1.0)}
    assert judge.fractions(EYE, LENS, covered, [1, 1]) == {1: 0.0}
    assert judge.fractions(EYE, LENS, nothing, [1]) == {1: 0.0}
    assert judge.fractions(EYE, LENS, left, [1]) == {1: pytest.approx(0.5, abs=0.06)}
    assert judge.fractions(EYE, LENS, None, [1]) == {1: pytest.approx(1.0)}
    assert scene(TARGET).fractions(EYE, LENS, covered, [1]) == {1: pytest.approx(1.0)}


def test_an_unknown_target_is_an_error() -> None:
    with pytest.raises(SceneError, match="no object 9"):
        scene(TARGET).view(9, EYE, LENS)


def test_one_look_must_show_enough_of_every_target() -> None:
    judge = scene(TARGET, cube(2, 2.0, 1.9, 0.75, (0.5, 0.5, 0.5)))
    one = TruthQuestion("q", "color", "white", target_instances=(1,))
    both = TruthQuestion("q", "count", "2", target_instances=(1, 2))
    assert judge.answers(one, EYE, LENS)
    assert not judge.answers(both, EYE, LENS)
    assert judge.answers(both, Viewpoint.looking_at((-1.0, 0.95, 1.0), (2.0, 0.95, 1.0)), LENS)
    assert not judge.answers(TruthQuestion("q", "color", "white"), EYE, LENS)


def test_a_target_of_few_pixels_does_not_answer() -> None:
    far = scene(cube(1, 4.5, 0.0, 0.95, (0.1, 0.1, 0.1)))
    truth = TruthQuestion("q", "color", "white", target_instances=(1,))
    assert far.view(1, EYE, LENS).fraction == pytest.approx(1.0)
    assert not far.answers(truth, EYE, LENS)


def test_absence_needs_the_whole_top() -> None:
    table = cube(1, 2.0, 0.0, 0.0, (0.8, 0.8, 0.7))
    absent = TruthQuestion("q", "existence", "no", target_instances=(1,))
    above = Viewpoint.looking_at((0.8, 0.0, 1.6), (2.0, 0.0, 0.7))
    assert scene(table).answers(absent, above, LENS)
    assert not scene(table).answers(absent, Viewpoint.looking_at((0.8, 0.0, 0.6), (2.0, 0.0, 0.7)), LENS)
    # A tall box hides more of the top behind it than may be missed, but enough of the table itself is seen.
    crowded = scene(table, cube(2, 1.75, 0.0, 0.7, (0.1, 0.5, 0.6)))
    assert not crowded.answers(absent, above, LENS)
    assert crowded.answers(TruthQuestion("q", "existence", "yes", target_instances=(1,)), above, LENS)


def test_which_questions_are_about_absence() -> None:
    assert claims_absence(TruthQuestion("q", "existence", "No, there is none."))
    assert claims_absence(TruthQuestion("q", "color", "", (), False, NoiseType.LATENT))
    assert not claims_absence(TruthQuestion("q", "existence", "yes"))
    assert not claims_absence(TruthQuestion("q", "count", "no"))


def test_the_least_seen_target_counts_by_its_best_frame() -> None:
    assert least_seen([{1: 0.2, 2: 0.9}, {1: 0.6}], [1, 2]) == 0.6
    assert least_seen([{1: 0.2}], [1, 2]) == 0.0
    assert least_seen([], [1]) == 0.0
    assert least_seen([{1: 0.2}], []) is None


@pytest.fixture(scope="module")
def room() -> SceneSpec:
    return generate_room(5)


def test_rays_meet_what_is_rendered(room: SceneSpec) -> None:
    """The instance image of the splats is that of the primitives, but for blurred outlines."""
    cloud, solids, renderer = cloud_from_spec(room), Solids.from_spec(room), CpuRenderer()
    lens = Intrinsics.from_fov(80, 60, 1.2)
    for yaw, pitch in ((0.3, -0.3), (2.5, -0.5), (4.4, 0.1)):
        viewpoint = Viewpoint(0.2, -0.1, 1.6, yaw, pitch)
        rendered = renderer.render(cloud, viewpoint.T_world_camera_optical(), lens).instances
        rows, columns = (axis.ravel() for axis in np.mgrid[0:60, 0:80])
        rays = np.stack([(columns + 0.5 - lens.cx) / lens.fx, (rows + 0.5 - lens.cy) / lens.fy, np.ones(4800)], axis=1)
        ends = apply(viewpoint.T_world_camera_optical(), 8.0 * rays)
        enter, leave, names = solids.crossings(viewpoint.position, ends)
        first = np.where(enter > 0, enter, np.where(leave > 0, leave, np.inf))
        hit = names[first.argmin(axis=0)]
        assert (hit.reshape(60, 80) == rendered).mean() > 0.85


def test_a_scene_folder_with_a_specification_is_judged_by_its_parts(room: SceneSpec, tmp_path: Path) -> None:
    graph = SceneGraph.from_spec(room)
    boxes = SceneVisibility.of_scene(tmp_path, graph)
    room.save(tmp_path / "spec.json")
    parts = SceneVisibility.of_scene(tmp_path, graph)
    table = graph.by_label("chair")[0]
    eye = Viewpoint.looking_at((0.0, 0.0, 1.6), table.center)
    assert boxes.view(table.instance_id, eye, LENS).pixels > 1.5 * parts.view(table.instance_id, eye, LENS).pixels


def test_a_placed_capture_is_judged_though_the_specification_lacks_it(room: SceneSpec, tmp_path: Path) -> None:
    room.save(tmp_path / "spec.json")
    graph = SceneGraph.from_spec(room)
    vase = replace(
        graph.by_label("chair")[0], instance_id=999, label="vase", bounds_min=(0, 0, 1), bounds_max=(0.2, 0.2, 1.3)
    )
    judge = SceneVisibility.of_scene(tmp_path, replace(graph, nodes=(*graph.nodes, vase)))
    assert not judge.exact
    eye = Viewpoint.looking_at((1.0, 0.1, 1.4), vase.center)
    assert judge.view(999, eye, LENS, np.full((LENS.height, LENS.width), 5.0)).fraction > 0.9
    assert judge.view(999, eye, LENS, np.full((LENS.height, LENS.width), 0.3)).fraction == 0
