"""The judge's visibility: exact cases, and rays against rendered depth in a generated room."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vantage.benchmarks.labelling.aspects import all_aspects
from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.benchmarks.statistics.metrics import least_seen
from vantage.errors import SceneError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.spec.spec import Joint, ObjectSpec, Part, SceneSpec
from vantage.scenes.spec.spec_file import save_spec
from vantage.spatial import Intrinsics, Viewpoint, apply
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.synthesis.from_spec import cloud_from_spec
from vantage.types import FIRST_VIEW_RULE, VIEW_RULE, NoiseType, TruthQuestion, ViewShortfall

LENS = Intrinsics.from_fov(320, 240, 1.2)
WHITE = (1.0, 1.0, 1.0)


def cube(instance_id: int, x: float, y: float, z: float, size: tuple[float, float, float]) -> ObjectSpec:
    part = Part("box", (0.0, 0.0, 0.5 * size[2]), size, WHITE)
    return ObjectSpec(instance_id, "box", "white", "wood", (x, y, z), 0.0, (part,))


def room_of(*objects: ObjectSpec) -> SceneSpec:
    return SceneSpec("room", 0, 1, (-5.0, -5.0, 0.0), (5.0, 5.0, 3.0), objects)


def scene(*objects: ObjectSpec, exact: bool = True, settings: VisibilitySettings | None = None) -> SceneVisibility:
    return SceneVisibility(Solids.from_spec(room_of(*objects)), settings, exact, all_aspects(objects))


EYE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
TARGET = cube(1, 2.0, 0.0, 0.75, (0.5, 0.5, 0.5))


def test_a_free_target_is_seen_whole_with_its_pixels() -> None:
    view = scene(TARGET).view(1, EYE, LENS)
    assert view.fraction == pytest.approx(1.0)
    assert view.pixels == pytest.approx((0.5 * LENS.fx / 1.75) ** 2, rel=0.02)


def test_half_of_it_behind_a_wall_is_half() -> None:
    wall = cube(2, 1.0, 1.0, 0.0, (0.02, 2.0, 2.5))
    assert scene(TARGET, wall).view(1, EYE, LENS).fraction == pytest.approx(0.5, abs=0.06)


def test_the_same_scene_is_judged_by_other_thresholds() -> None:
    wall = cube(2, 1.0, 1.0, 0.0, (0.02, 2.0, 2.5))
    judge = scene(TARGET, wall)
    truth = TruthQuestion("q1", "color", "white", target_instances=(1,))
    strict = judge.judged_by(replace(judge.settings, fraction=0.9, samples=7))
    assert judge.answers(truth, EYE, LENS)
    assert not strict.answers(truth, EYE, LENS)
    assert judge.answers(truth, EYE, LENS)  # itself it stays as it was
    assert strict.settings.samples == judge.settings.samples
    assert strict.view(1, EYE, LENS) == judge.view(1, EYE, LENS)


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


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        ("relation", "pixels"),
        ("color", "colour_pixels"),
        ("material", "material_pixels"),
        ("count", "count_pixels"),
        ("sameness", "colour_pixels"),
    ],
)
def test_each_kind_of_question_has_its_pixels(kind: str, setting: str) -> None:
    asked, judge = TruthQuestion("q", kind, "", target_instances=(1,)), scene(TARGET)
    covered = judge.view(1, EYE, LENS).pixels
    others = dict.fromkeys(("pixels", "colour_pixels", "material_pixels", "count_pixels"), 0.0)

    def lacking(needed: float) -> ViewShortfall | None:
        return judge.judged_by(VisibilitySettings(**{**others, setting: needed})).shortfall(asked, EYE, LENS)

    assert lacking(0.99 * covered) is None
    assert lacking(1.01 * covered) == ViewShortfall("pixels", covered, 1.01 * covered, 1)


COUNTED = TruthQuestion("q", "count", "2", target_instances=(1, 2))
OVER, ASIDE = Viewpoint(0.4, 0.6, 1.6, 0.0, -0.5), Viewpoint(0.4, 0.6, 1.6, 0.5, -0.5)  # half of the table is outside


def counted(relation: str = "on", places: tuple[int, int] = (3, 3), label: str = "table") -> SceneVisibility:
    """Two cubes at one end of a table that is 2 m long."""
    table = replace(cube(3, 2.0, 0.0, 0.0, (0.8, 2.0, 0.7)), label=label)
    stool = cube(4, -2.0, 0.0, 0.0, (0.4, 0.4, 0.4))
    first, second = (
        replace(cube(key, 2.0, y, 0.7, (0.2, 0.2, 0.2)), relation=relation, parent=place)
        for key, y, place in zip((1, 2), (0.9, 0.65), places, strict=True)
    )
    return SceneVisibility.of_home(room_of(first, second, table, stool), VisibilitySettings(place_fraction=0.5))


def test_who_counts_sees_half_of_what_the_things_are_on() -> None:
    judge = counted()
    assert judge.answers(COUNTED, OVER, LENS)
    for kind in ("count", "sameness", "superlative"):
        why = judge.shortfall(replace(COUNTED, kind=kind), ASIDE, LENS)
        assert why == ViewShortfall("top visible", judge.view(3, ASIDE, LENS).top_fraction, 0.5, 3)
    less = judge.judged_by(replace(judge.settings, place_fraction=0.2))
    assert less.answers(COUNTED, ASIDE, LENS)
    assert judge.answers(replace(COUNTED, kind="color"), ASIDE, LENS), "whose color is asked for is seen"
    absent = replace(COUNTED, noise_type=NoiseType.LATENT)
    assert judge.judged_by(replace(judge.settings, top_fraction=0.0)).answers(absent, ASIDE, LENS)


def test_what_is_shut_in_or_in_several_places_or_on_a_wall_is_counted_where_it_is_seen() -> None:
    for judge in (counted("in"), counted(places=(3, 4)), counted("", (0, 0)), counted(label="wall")):
        assert judge.answers(COUNTED, ASIDE, LENS)


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


WHERE = "unique(filter(scene(), 'label', 'box'))"
READ = TruthQuestion("q", "text", "BOOKS", target_instances=(1,), program=f"query({WHERE}, 'text')")
TOLD = TruthQuestion("q", "state", "yes", target_instances=(1,), program=f"verify({WHERE}, 'state', 'open')")


NEAR = VisibilitySettings(print_distance=0.8, print_angle=math.radians(60.0))


def printed(yaw: float) -> ObjectSpec:
    """A cube at (2, 0, 0.75) with words on its front."""
    return replace(TARGET, yaw=yaw, parts=(replace(TARGET.parts[0], text="BOOKS"),))


def test_a_print_is_read_from_near_and_from_before_it() -> None:
    towards, away = (scene(printed(yaw), settings=NEAR) for yaw in (math.pi, 0.0))
    near, far = (Viewpoint.looking_at((x, 0.0, 1.0), (2.0, 0.0, 1.0)) for x in (1.1, 0.6))
    aside = Viewpoint.looking_at((1.59, 0.32, 1.0), (1.75, 0.0, 1.0))
    slanting = Viewpoint.looking_at((1.4, 0.5, 1.0), (1.75, 0.0, 1.0))  # 0.61 m away at 55 degrees
    assert towards.answers(READ, near, LENS)
    failed = {view: towards.shortfall(READ, view, LENS) for view in (far, aside, slanting)}
    assert [why and why.test for why in failed.values()] == ["letter height", "print angle", "letter height"]
    assert not away.answers(READ, near, LENS)
    color = replace(READ, kind="color", program=f"query({WHERE}, 'color')")
    assert away.answers(color, near, LENS)
    for judge, view in ((towards, far), (towards, aside), (away, near)):
        assert not judge.could_answer(READ, (view.x, view.y, view.z))


def test_a_print_behind_something_is_not_read() -> None:
    near = Viewpoint.looking_at((1.1, 0.0, 1.0), (2.0, 0.0, 1.0))
    stick = cube(2, 1.7, 0.0, 0.8, (0.02, 0.03, 0.4))
    judge = scene(printed(math.pi), stick)
    assert judge.view(1, near, LENS).fraction > 0.8
    assert not judge.answers(READ, near, LENS)


def test_a_text_filter_has_to_be_read_too() -> None:
    located = f"query(unique(filter({WHERE[7:-1]}, 'text', 'BOOKS')), 'place')"
    truth = TruthQuestion("q", "location", "on the shelf", target_instances=(1,), program=located)
    judge = scene(printed(math.pi), settings=NEAR)
    assert judge.answers(truth, Viewpoint.looking_at((1.1, 0.0, 1.0), (2.0, 0.0, 1.0)), LENS)
    assert not judge.answers(truth, EYE, LENS)


def cabinet(position: float) -> ObjectSpec:
    """A solid body with a door on its front, at x = 1.75 to 2.25, that looks towards the eye."""
    body = replace(TARGET.parts[0], size=(0.46, 0.5, 0.5), center=(-0.02, 0.0, 0.25))
    door = replace(TARGET.parts[0], size=(0.02, 0.5, 0.5), center=(0.24, 0.0, 0.25), name="door")
    joint = Joint("door", "hinge", (0.0, 0.0, 1.0), (0.25, 0.25, 0.0), 0.0, 1.5, position)
    state = "open" if position > 0 else "closed"
    return replace(TARGET, yaw=math.pi, parts=(body, door), joints=(joint,), states=(state,))


@pytest.mark.parametrize("position", [0.0, 1.5])
def test_the_state_of_a_door_is_told_where_the_door_is_seen(position: float) -> None:
    judge = scene(cabinet(position))
    assert judge.answers(TOLD, EYE, LENS)
    behind = Viewpoint.looking_at((4.0, 0.0, 1.0), (2.0, 0.0, 1.0))
    assert judge.view(1, behind, LENS).fraction > 0.8
    assert not judge.answers(TOLD, behind, LENS)


def test_one_looks_down_into_a_vessel() -> None:
    full = replace(TARGET, states=("full",))
    high, level = Viewpoint.looking_at((1.0, 0.0, 2.2), (2.0, 0.0, 1.0)), EYE
    assert scene(full).answers(TOLD, high, LENS)
    assert not scene(full).answers(TOLD, level, LENS)
    assert not scene(full).could_answer(TOLD, (0.0, 0.0, 1.0))


def switched(yaw: float, look: str = "") -> ObjectSpec:
    return replace(TARGET, yaw=yaw, states=("on",), parts=(replace(TARGET.parts[0], look=look),))


def test_a_screen_is_looked_at_from_before_it_and_a_lamp_from_anywhere() -> None:
    for yaw, seen in ((math.pi, True), (0.0, False)):
        assert scene(switched(yaw, "screen")).answers(TOLD, EYE, LENS) is seen
        assert scene(switched(yaw, "screen")).could_answer(TOLD, (0.0, 0.0, 1.0)) is seen
        assert scene(switched(yaw)).answers(TOLD, EYE, LENS)
        assert scene(switched(yaw)).could_answer(TOLD, (0.0, 0.0, 1.0))


def test_the_first_rule_judges_as_it_did() -> None:
    first = VisibilitySettings(print_distance=0.8, view_rule=FIRST_VIEW_RULE)
    corner, edge = scene(TARGET, settings=first), Viewpoint(0.0, 0.0, 1.0, 0.4, 0.0)
    raw, centred = (corner.judged_by(replace(first, view_rule=rule)).view(1, edge, LENS).pixels for rule in (1, 2))
    assert raw > 1.2 * centred, "raw pixels"
    color = TruthQuestion("q", "color", "white", target_instances=(1,))
    between = replace(first, colour_pixels=0.5 * (raw + centred))
    assert corner.judged_by(between).answers(color, edge, LENS)
    assert not corner.judged_by(replace(between, view_rule=VIEW_RULE)).answers(color, edge, LENS)

    assert scene(switched(math.pi), settings=first).answers(TOLD, EYE, LENS)
    assert not scene(switched(0.0), settings=first).answers(TOLD, EYE, LENS), "a lamp has a front"

    slanting = Viewpoint.looking_at((1.4, 0.5, 1.0), (1.75, 0.0, 1.0))
    assert scene(printed(math.pi), settings=first).answers(READ, slanting, LENS), "distance alone"

    judge = counted()
    assert judge.judged_by(replace(judge.settings, view_rule=FIRST_VIEW_RULE)).answers(COUNTED, ASIDE, LENS)


def test_what_cannot_be_seen_past_the_walls_is_found_at_once() -> None:
    wall = replace(cube(2, 1.0, 0.0, 0.0, (0.1, 4.0, 2.5)), label="wall")
    spots = np.array([[0.0, 0.0, 1.0], [1.5, 0.5, 1.0], [0.0, 4.0, 1.0]])
    assert scene(TARGET, wall).past_walls(1, spots).tolist() == [False, True, True]
    assert scene(TARGET, replace(wall, label="door")).past_walls(1, spots).all()
    assert scene(TARGET, wall, exact=False).past_walls(1, spots).all()


def test_an_object_of_which_no_surface_is_free_is_seen_from_nowhere() -> None:
    around = cube(2, 2.0, 0.0, 0.7, (0.6, 0.6, 0.6))
    for exact in (True, False):
        buried = scene(TARGET, around, exact=exact)
        assert not buried.past_walls(1, np.array([[0.0, 0.0, 1.0]])).any()
        assert buried.view(1, EYE, LENS).fraction == 0.0


def test_the_least_seen_target_counts_by_its_best_frame() -> None:
    assert least_seen([{1: 0.2, 2: 0.9}, {1: 0.6}], [1, 2]) == 0.6
    assert least_seen([{1: 0.2}], [1, 2]) == 0.0
    assert least_seen([], [1]) == 0.0
    assert least_seen([{1: 0.2}], []) is None


@pytest.fixture(scope="module")
def room() -> SceneSpec:
    return generate_home(5)


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
    save_spec(room, tmp_path / "spec.json")
    parts = SceneVisibility.of_scene(tmp_path, graph)
    table = graph.by_label("chair")[0]
    eye = Viewpoint.looking_at((0.0, 0.0, 1.6), table.center)
    assert boxes.view(table.instance_id, eye, LENS).pixels > 1.5 * parts.view(table.instance_id, eye, LENS).pixels


def test_a_placed_capture_is_judged_though_the_specification_lacks_it(room: SceneSpec, tmp_path: Path) -> None:
    save_spec(room, tmp_path / "spec.json")
    graph = SceneGraph.from_spec(room)
    vase = replace(
        graph.by_label("chair")[0], instance_id=999, label="vase", bounds_min=(0, 0, 1), bounds_max=(0.2, 0.2, 1.3)
    )
    judge = SceneVisibility.of_scene(tmp_path, replace(graph, nodes=(*graph.nodes, vase)))
    assert not judge.exact
    eye = Viewpoint.looking_at((1.0, 0.1, 1.4), vase.center)
    assert judge.view(999, eye, LENS, np.full((LENS.height, LENS.width), 5.0)).fraction > 0.9
    assert judge.view(999, eye, LENS, np.full((LENS.height, LENS.width), 0.3)).fraction == 0
