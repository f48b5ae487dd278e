import math
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given, strategies as st
from row_tables import each_row

from vantage.config import RelationSettings
from vantage.scenes.geometry.relations import GEOMETRIC, SIDES, between, gap, measure, related, ruled_out

USUAL = RelationSettings()


@dataclass(frozen=True)
class Box:
    bounds_min: tuple[float, float, float]
    bounds_max: tuple[float, float, float]


def box(x, y, z, sx, sy, sz):
    """A box whose base is centred at (x, y, z)."""
    return Box((x - 0.5 * sx, y - 0.5 * sy, z), (x + 0.5 * sx, y + 0.5 * sy, z + sz))


TABLE = box(0, 0, 0, 1.4, 0.9, 0.75)
SOFA = box(0, 2, 0, 2.0, 0.9, 0.85)


@each_row(
    "relation, obj, anchor, holds",
    [
        ("under", box(0.3, 0.1, 0, 0.3, 0.3, 0.3), TABLE, True),  # a carton between the legs
        ("under", box(0.9, 0, 0, 0.3, 0.3, 0.3), TABLE, False),  # beside it
        ("under", box(0.5, 0, 0, 0.45, 0.45, 0.9), TABLE, False),  # a chair, higher than the table
        ("under", TABLE, box(0, 0, 1.6, 0.4, 0.4, 0.3), True),  # below a hanging lamp
        ("under", box(0, 0, 0, 2.0, 1.5, 0.01), box(0, 0, 0.01, 1.4, 0.9, 0.74), True),  # a rug
        ("under", box(0, 0, 0, 0.3, 0.3, 0.74), TABLE, False),  # it would have to be within the top
        ("above", box(0, 2.46, 1.4, 0.8, 0.03, 0.5), SOFA, True),  # a picture at the wall behind the sofa
        ("above", box(2, 2.46, 1.4, 0.8, 0.03, 0.5), SOFA, False),
        ("above", TABLE, box(0.3, 0.1, 0, 0.3, 0.3, 0.3), True),
        ("next to", box(1.2, 2, 0, 0.3, 0.3, 1.6), SOFA, True),
        ("next to", box(2.2, 2, 0, 0.3, 0.3, 1.6), SOFA, False),
        ("next to", box(0.3, 0.1, 0, 0.3, 0.3, 0.3), TABLE, False),  # under is not next to
        ("near", box(1.6, 2, 0, 0.3, 0.3, 1.6), SOFA, True),
        ("near", box(3.0, 2, 0, 0.3, 0.3, 1.6), SOFA, False),
    ],
)
def test_relations_that_people_would_agree_on(relation, obj, anchor, holds):
    assert related(relation, obj, anchor, USUAL) is holds


@pytest.mark.parametrize(
    ("x", "y", "side"),
    [
        (-0.9, 0, "left of"),
        (0.9, 0, "right of"),
        (0, -0.8, "in front of"),
        (0, 0.8, "behind"),
        (0.55, -0.7, "in front of"),
    ],
)
def test_sides_are_as_the_viewer_sees_them(x, y, side):
    viewer = (0.0, -3.0, 1.5)  # looks along +y
    obj = box(x, y, 0, 0.2, 0.2, 0.5)
    assert [word for word in SIDES if related(word, obj, TABLE, USUAL, viewer)] == [side]
    opposite = {"left of": "right of", "right of": "left of", "in front of": "behind", "behind": "in front of"}[side]
    assert related(opposite, obj, TABLE, USUAL, (0.0, 3.0, 1.5))


def test_nothing_is_at_a_side_without_a_viewer_or_far_away():
    assert not any(related(side, box(-0.9, 0, 0, 0.2, 0.2, 0.5), TABLE, USUAL) for side in SIDES)
    far = box(-4.0, 0, 0, 0.2, 0.2, 0.5)
    assert not related("left of", far, TABLE, USUAL, (0.0, -3.0, 1.5))
    assert related("left of", far, TABLE, replace(USUAL, reach=5.0), (0.0, -3.0, 1.5))
    assert not any(related(side, TABLE, TABLE, USUAL, (0.0, 0.0, 1.5)) for side in SIDES)


def test_between_is_about_the_straight_way():
    first, second = box(-1, 0, 0, 0.3, 0.3, 0.5), box(1, 0, 0, 0.3, 0.3, 0.5)
    assert between(box(0.2, 0.1, 0, 0.2, 0.2, 0.3), first, second, USUAL)
    assert not between(box(0.2, 0.6, 0, 0.2, 0.2, 0.3), first, second, USUAL)
    assert not between(box(1.4, 0, 0, 0.2, 0.2, 0.3), first, second, USUAL)
    assert not between(box(0, 0, 1.5, 0.2, 0.2, 0.3), first, second, USUAL)
    assert not between(box(0, 0, 0, 0.2, 0.2, 0.3), first, first, USUAL)
    mugs = box(-0.1, 0, 0.7, 0.08, 0.08, 0.1), box(0.1, 0, 0.7, 0.08, 0.08, 0.1)
    assert not between(box(0, 0.2, 0.7, 0.08, 0.08, 0.1), *mugs, USUAL)  # near objects, less room for error


def test_what_placement_and_walls_rule_out():
    assert all(ruled_out(relation, True, False, True) for relation in GEOMETRIC)
    assert [relation for relation in GEOMETRIC if not ruled_out(relation, False, True, True)] == ["under"]
    assert all(ruled_out(relation, False, False, False) for relation in GEOMETRIC)
    assert not any(ruled_out(relation, False, False, True) for relation in GEOMETRIC)


def test_measures_of_a_box():
    obj = box(0, 0, 0, 0.5, 2.0, 3.0)
    measures = {word: measure(word, obj) for word in ("size", "height", "length", "volume")}
    assert measures == pytest.approx({"size": 3.0, "height": 3.0, "length": 2.0, "volume": 3.0})
    with pytest.raises(KeyError):
        measure("mass", obj)


numbers = st.floats(-3, 3)
extents = st.floats(0.01, 2)
boxes = st.builds(box, numbers, numbers, st.floats(0, 2), extents, extents, extents)
settings = st.builds(
    RelationSettings,
    touch=st.floats(0, 0.1),
    beside=st.floats(0, 1),
    near=st.floats(1, 3),
    overlap=st.floats(0.05, 1),
    direction=st.floats(0.1, 1.5),
    reach=st.floats(0, 5),
)


@given(boxes, boxes, settings)
def test_symmetry(first, second, chosen):
    assert gap(first, second) == gap(second, first)
    for relation in ("next to", "near"):
        assert related(relation, first, second, chosen) == related(relation, second, first, chosen)
    assert related("under", first, second, chosen) == related("above", second, first, chosen)
    assert not (related("under", first, second, chosen) and related("under", second, first, chosen))
    if related("next to", first, second, chosen):
        assert related("near", first, second, chosen)
        assert not related("under", first, second, chosen)


@given(boxes, boxes, settings, numbers, numbers)
def test_nothing_is_on_two_opposite_sides(obj, anchor, chosen, x, y):
    viewer = (x, y, 1.5)
    for side, other in (("left of", "right of"), ("in front of", "behind")):
        assert not (related(side, obj, anchor, chosen, viewer) and related(other, obj, anchor, chosen, viewer))


@given(boxes, boxes, settings, st.floats(-math.pi, math.pi))
def test_sides_are_exchanged_with_the_objects_for_a_viewer_far_away(obj, anchor, chosen, angle):
    def apart(k):
        return max(obj.bounds_min[k] - anchor.bounds_max[k], anchor.bounds_min[k] - obj.bounds_max[k])

    assume(max(apart(0), apart(1)) > 0.05)
    # A side is told from the nearest point, so the ways there and back are up to a right angle off a straight line.
    chosen = replace(chosen, direction=min(chosen.direction, 0.25 * math.pi))
    viewer = (1e6 * math.cos(angle), 1e6 * math.sin(angle), 1.5)
    for side in SIDES:
        assert not (related(side, obj, anchor, chosen, viewer) and related(side, anchor, obj, chosen, viewer))


@given(boxes, boxes, boxes, settings)
def test_between_does_not_depend_on_the_order(obj, first, second, chosen):
    assert between(obj, first, second, chosen) == between(obj, second, first, chosen)
