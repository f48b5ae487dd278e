import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from small_home import small_home

from vantage.errors import SceneError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.design import box, disc, hinge, slide
from vantage.scenes.geometry.movement import QUARTER, closed_parts, moved, posed
from vantage.scenes.geometry.solids import Solid, object_prisms
from vantage.scenes.geometry.support import supports
from vantage.scenes.spec.spec import ObjectSpec, Part, object_bounds, part_reach
from vantage.scenes.spec.spec_checks import check_spec
from vantage.scenes.spec.spec_file import load_spec, save_spec
from vantage.spatial import rotation_matrix, rotation_vector

NUMBERS = st.floats(-2.0, 2.0)
LENGTHS = st.floats(0.01, 2.0)
POINTS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
SIZES = st.tuples(LENGTHS, LENGTHS, LENGTHS)
ANGLES = st.floats(-3.0, 3.0)
SHAPES = st.sampled_from(["box", "cylinder", "ellipsoid", "cone"])


def thing(*parts, yaw=0.0, joints=()):
    return ObjectSpec(1, "thing", "", "", (0.0, 0.0, 0.0), yaw, parts, joints=tuple(joints))


def surface_points(part, count=400):
    """Points (N, 3) on or in a part, in the object frame."""
    rng = np.random.default_rng(0)
    unit = rng.uniform(-1, 1, (count, 3))
    along = "xyz".index(part.axis)
    across = [k for k in range(3) if k != along]
    if part.shape == "ellipsoid":
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    elif part.shape != "box":
        unit[:, across] /= np.maximum(np.linalg.norm(unit[:, across], axis=1, keepdims=True), 1e-9)
    return (0.5 * np.array(part.size) * unit) @ rotation_matrix(part.rotation).T + part.center


def test_a_drawer_comes_to_the_front_and_a_door_swings_aside():
    part = box(0.0, 0.0, 0.0, 0.02, 0.4, 0.6, (1.0, 0.0, 0.0))
    assert moved(part, slide("body", (0.0, 0.0, 0.0), 0.3), 0.3).center == pytest.approx((0.3, 0.0, 0.3))
    door = moved(part, hinge("body", (0.0, 0.0, 1.0), (0.01, 0.2, 0.0)), QUARTER)
    assert door.size == pytest.approx((0.4, 0.02, 0.6))
    assert door.center == pytest.approx((0.21, 0.19, 0.3))


def test_a_turned_cone_keeps_its_wide_end_and_its_open_face():
    cone = disc(0.0, 0.0, 0.0, 0.2, 0.5, (1.0, 0.0, 0.0), open_faces=("z+",), ends=(1.0, 0.5))
    over = moved(cone, hinge("body", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0)), QUARTER)
    assert (over.axis, over.open_faces, over.ends) == ("x", ("x-",), (0.5, 1.0))


@given(
    st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(LENGTHS, LENGTHS, LENGTHS), st.integers(0, 2), st.integers(-3, 3)
)
def test_turning_there_and_back_changes_nothing(center, size, axis, quarters):
    part = Part("box", center, size, (0.5, 0.5, 0.5), ("x+", "z-"))
    direction = tuple(float(k == axis) for k in range(3))
    joint = hinge("body", direction, (0.3, -0.2, 0.1))
    back = moved(moved(part, joint, quarters * QUARTER), joint, -quarters * QUARTER)
    assert back.center == pytest.approx(part.center)
    assert back.size == pytest.approx(part.size)
    assert back.open_faces == part.open_faces


@given(POINTS, SIZES, st.integers(0, 2), ANGLES, SHAPES)
def test_turning_by_any_angle_and_back_changes_nothing(center, size, axis, angle, shape):
    part = Part(shape, center, size, (0.5, 0.5, 0.5), ("z-",), axis="y", ends=(0.3, 0.8))
    joint = hinge("body", tuple(float(k == axis) for k in range(3)), (0.3, -0.2, 0.1))
    there = moved(part, joint, angle)
    back = moved(there, joint, -angle)
    assert back.center == pytest.approx(part.center, abs=1e-9)
    assert replace(back, center=part.center, size=part.size) == part
    assert back.size == pytest.approx(part.size)


@given(POINTS, SIZES, st.integers(0, 2), st.integers(1, 3), st.floats(0.1, 1.4))
def test_two_turns_make_an_exact_quarter_turn(center, size, axis, quarters, first):
    part = Part("cone", center, size, (0.5, 0.5, 0.5), ("z-",), axis="y", ends=(0.3, 0.8))
    joint = hinge("body", tuple(float(k == axis) for k in range(3)), (0.3, -0.2, 0.1))
    whole = moved(part, joint, quarters * QUARTER)
    halves = moved(moved(part, joint, first), joint, quarters * QUARTER - first)
    assert halves.center == pytest.approx(whole.center, abs=1e-9)
    assert halves.size == pytest.approx(whole.size)
    assert (halves.axis, halves.open_faces, halves.ends, halves.rotation) == (
        whole.axis,
        whole.open_faces,
        whole.ends,
        (0.0, 0.0, 0.0),
    )


@given(SIZES, st.integers(0, 2), SHAPES, st.floats(-3.0, 3.0))
def test_a_quarter_turn_by_rotation_has_the_bounds_and_prism_of_the_exact_one(size, axis, shape, yaw):
    part = Part(shape, (0.2, -0.1, 0.4), size, (0.5, 0.5, 0.5), ends=(1.0, 1.0))
    joint = hinge("body", tuple(float(k == axis) for k in range(3)), (0.0, 0.0, 0.0))
    exact = moved(part, joint, QUARTER)
    turned = replace(part, center=exact.center, rotation=tuple(QUARTER * (k == axis) for k in range(3)))
    for there, here in zip(object_bounds(thing(turned, yaw=yaw)), object_bounds(thing(exact, yaw=yaw)), strict=True):
        assert there == pytest.approx(here, abs=1e-9)
    found, known = Solid.of(thing(turned, yaw=yaw)), Solid.of(thing(exact, yaw=yaw))
    assert (found.low <= known.low + 1e-9).all()  # on the safe side where it leans
    assert (found.high >= known.high - 1e-9).all()
    if shape == "box":
        assert found.bounds == pytest.approx(known.bounds, abs=1e-9)


@settings(deadline=None)
@given(SIZES, POINTS, SHAPES, st.sampled_from("xyz"), st.floats(-3.0, 3.0))
def test_a_turned_part_lies_within_its_bounds_and_its_prism(size, rotation, shape, axis, yaw):
    part = Part(shape, (0.2, -0.1, 0.4), size, (0.5, 0.5, 0.5), axis=axis, ends=(1.0, 0.5), rotation=rotation)
    obj = thing(part, yaw=yaw)
    points = surface_points(part) @ rotation_matrix((0.0, 0.0, yaw)).T
    low, high = object_bounds(obj)
    assert (points >= np.array(low) - 1e-9).all()
    assert (points <= np.array(high) + 1e-9).all()
    (prism,) = object_prisms(obj)
    edges = np.roll(prism.outline, -1, axis=0) - prism.outline
    offsets = points[:, None, :2] - prism.outline
    outside = edges[:, 0] * offsets[..., 1] - edges[:, 1] * offsets[..., 0]
    slack = 0.02 * max(size) if part.is_round else 1e-9  # circles are polygons
    assert (outside / np.linalg.norm(edges, axis=1) >= -slack).all()
    assert points[:, 2].min() >= prism.bottom - 1e-9
    assert points[:, 2].max() <= prism.top + 1e-9
    reach = part_reach(part)
    assert (np.abs(surface_points(part) - part.center) <= np.array(reach) + 1e-9).all()


@given(POINTS)
def test_rotation_vectors_and_matrices_are_inverse(vector):
    matrix = rotation_matrix(vector)
    assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
    assert rotation_matrix(rotation_vector(matrix)) == pytest.approx(matrix, abs=1e-9)


def test_a_hinge_may_turn_about_any_axis():
    part = box(0.0, 0.0, 0.0, 0.1, 0.2, 0.3, (1.0, 1.0, 1.0))
    axis = (math.sqrt(0.5), math.sqrt(0.5), 0.0)
    swung = moved(part, hinge("body", axis, (0.0, 0.0, 0.15)), 0.4)
    assert swung.center == pytest.approx((0.0, 0.0, 0.15))
    assert swung.rotation == pytest.approx(tuple(0.4 * value for value in axis))


def test_what_bears_print_stays_turned_so_that_its_words_go_with_it():
    part = replace(box(0.0, 0.0, 0.0, 0.02, 0.4, 0.3, (1.0, 1.0, 1.0)), text="SALT")
    joint = hinge("body", (0.0, 0.0, 1.0), (0.0, 0.2, 0.0))
    swung = moved(part, joint, QUARTER)
    assert swung.size == part.size
    assert swung.rotation == pytest.approx((0.0, 0.0, QUARTER))
    back = moved(swung, joint, -QUARTER)
    assert back.rotation == (0.0, 0.0, 0.0)


def jointed(home):
    return [(obj, joint) for obj in home.objects for joint in obj.joints]


def test_a_home_is_posed_and_shut_again():
    home = generate_home(3, 2)
    wide = posed(home, {(obj.instance_id, joint.part): joint.high for obj, joint in jointed(home)})
    check_spec(wide)
    assert all(joint.position == joint.high for _, joint in jointed(wide))
    assert not any("closed" in obj.states for obj in wide.objects if obj.joints)
    shut = posed(home, {(obj.instance_id, joint.part): joint.low for obj, joint in jointed(home)})
    again = posed(wide, {(obj.instance_id, joint.part): joint.low for obj, joint in jointed(wide)})
    for one, other in zip(shut.objects, again.objects, strict=True):
        assert one.states == other.states
        assert np.array(object_bounds(one)) == pytest.approx(np.array(object_bounds(other)), abs=1e-6)


def test_joints_that_stand_ajar_are_kept_by_a_file_and_what_is_shut_writes_as_before(tmp_path):
    home = generate_home(3, 1)
    save_spec(home, tmp_path / "shut.json")
    assert "rotation" not in (tmp_path / "shut.json").read_text()
    doors = {(obj.instance_id, joint.part): 0.3 * joint.high for obj, joint in jointed(home)}
    ajar = posed(home, doors)
    save_spec(ajar, tmp_path / "ajar.json")
    assert "rotation" in (tmp_path / "ajar.json").read_text()
    assert load_spec(tmp_path / "ajar.json") == ajar


def test_what_lies_in_a_drawer_comes_along_and_stays_in_it():
    for seed in range(1, 30):
        home = generate_home(seed, 1)
        drawers = [
            (obj, joint)
            for obj, joint in jointed(home)
            if joint.kind == "slide" and joint.position == joint.low and "closed" in obj.states
            if any(child.parent == obj.instance_id and child.relation == "in" for child in home.objects)
        ]
        if drawers:
            break
    owner = drawers[0][0]
    wide = posed(home, {(owner.instance_id, joint.part): joint.high for joint in owner.joints})
    before, after = ({obj.instance_id: obj for obj in each.objects} for each in (home, wide))
    carried = [k for k, obj in before.items() if obj.parent == owner.instance_id and obj.relation == "in"]
    assert carried
    found = supports(wide)
    for k in carried:
        assert math.dist(before[k].position, after[k].position) > 0.1
        assert found[k] == ("in", owner.instance_id)
    left = posed(home, {(owner.instance_id, joint.part): joint.high for joint in owner.joints}, carried=False)
    assert all(obj.position == before[obj.instance_id].position for obj in left.objects)


def test_a_joint_that_is_hardly_open_is_closed():
    home = generate_home(3, 1)
    obj = next(obj for obj, joint in jointed(home) if joint.kind == "hinge")
    shut = {(obj.instance_id, each.part): each.low + 0.004 * (each.high - each.low) for each in obj.joints}
    found = next(each for each in posed(home, shut).objects if each.instance_id == obj.instance_id)
    assert all(each.position == each.low for each in found.joints)
    assert "open" not in found.states


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        ({(999, "door"): 0.1}, "no object 999"),
        ({(0, "lip"): 0.1}, "no joint 'lip'"),
        ({(0, ""): 9.0}, "cannot be at 9"),
        ({(0, ""): math.nan}, "cannot be at nan"),
    ],
)
def test_positions_that_no_joint_can_have_are_refused(positions, words):
    home = generate_home(3, 1)
    obj, joint = jointed(home)[0]
    named = {(k or obj.instance_id, part or joint.part): value for (k, part), value in positions.items()}
    with pytest.raises(SceneError, match=words):
        posed(home, named)


def test_closed_parts_bring_every_joint_to_its_low_end():
    part = replace(box(0.0, 0.0, 0.0, 0.02, 0.4, 0.6, (1.0, 0.0, 0.0)), name="door")
    joint = hinge("door", (0.0, 0.0, 1.0), (0.01, 0.2, 0.0))
    (closed,) = closed_parts([moved(part, joint, 0.7)], [replace(joint, position=0.7)])
    assert closed.center == pytest.approx(part.center)
    assert closed.size == pytest.approx(part.size)
    assert closed.rotation == (0.0, 0.0, 0.0)


def test_a_rotation_must_be_finite():
    home = small_home()
    broken = replace(home.objects[-1].parts[0], rotation=(0.0, math.nan, 0.0))
    with pytest.raises(SceneError, match="must be finite"):
        check_spec(replace(home, objects=(*home.objects[:-1], replace(home.objects[-1], parts=(broken,)))))
