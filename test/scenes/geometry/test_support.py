import math
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.scenes.geometry import support
from vantage.scenes.geometry.movement import moved
from vantage.scenes.geometry.solids import Solid
from vantage.scenes.geometry.support import supports
from vantage.scenes.spec.spec import Joint, ObjectSpec, Opening, Part, SceneSpec, object_bounds

RED = (0.8, 0.1, 0.1)


def slab(x, y, z, sx, sy, sz, name="body", open_faces=()):
    """A box whose base is centred at (x, y, z)."""
    return Part("box", (x, y, z + 0.5 * sz), (sx, sy, sz), RED, open_faces, name=name)


def disc(z, diameter, height, open_faces=()):
    return Part("cylinder", (0, 0, z + 0.5 * height), (diameter, diameter, height), RED, open_faces)


def obj(instance_id, label, parts, at=(0.0, 0.0, 0.0), yaw=0.0, **fields):
    return replace(ObjectSpec(instance_id, label, "red", "wood", at, yaw, tuple(parts)), **fields)


FLOOR = obj(1, "floor", [slab(0, 0, -0.1, 6, 6, 0.1)])
WALL = obj(2, "wall", [slab(-0.05, 0, 0, 0.1, 6, 2.5)], at=(-3.0, 0.0, 0.0))
CEILING = obj(3, "ceiling", [slab(0, 0, 0, 6, 6, 0.1)], at=(0.0, 0.0, 2.5))
BUILDING = (FLOOR, WALL, CEILING)

TABLE_PARTS = [
    slab(0, 0, 0.71, 0.8, 1.2, 0.04),
    *(slab(sx * 0.35, sy * 0.55, 0, 0.06, 0.06, 0.71) for sx in (-1, 1) for sy in (-1, 1)),
]
SHELVES = [
    slab(-0.14, 0, 0, 0.02, 0.9, 1.8),
    *(slab(0, sy * 0.44, 0, 0.3, 0.02, 1.8) for sy in (-1, 1)),
    *(slab(0, 0, z, 0.3, 0.86, 0.02) for z in (0.0, 0.6, 1.2, 1.78)),
]
DOOR_CLOSED = slab(0.16, 0, 0, 0.02, 0.9, 1.8, "door")
DOOR_OPEN = slab(0.6, 0.44, 0, 0.9, 0.02, 1.8, "door")
HINGE = Joint("door", "hinge", (0.0, 0.0, 1.0), (0.15, 0.45, 0.0), 0.0, 0.5 * math.pi, 0.0)
DRAWER = [
    slab(0.5, 0, 0.30, 0.4, 0.4, 0.01, "drawer"),
    *(slab(0.5 + sx * 0.2, 0, 0.30, 0.01, 0.4, 0.15, "drawer") for sx in (-1, 1)),
    *(slab(0.5, sy * 0.2, 0.30, 0.4, 0.01, 0.15, "drawer") for sy in (-1, 1)),
]


def scene(*objects):
    return SceneSpec("sample", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), (*BUILDING, *objects))


def placed(*objects):
    found = supports(scene(*objects))
    return [found[each.instance_id] for each in objects]


def block(instance_id, at, size=(0.1, 0.1, 0.1), label="box", **fields):
    return obj(instance_id, label, [slab(0, 0, 0, *size)], at, **fields)


def encloses(outer, inner):
    return support.encloses(outer, Solid.of(outer), Solid.of(inner))


def test_what_stands_on_a_table_and_on_the_floor():
    table = obj(10, "table", TABLE_PARTS, (1.0, 0.0, 0.0), 0.4)
    on_table = block(11, (1.1, 0.2, 0.75))
    on_that = block(12, (1.1, 0.2, 0.85), (0.05, 0.05, 0.05))
    below = block(13, (1.0, 0.0, 0.0))
    assert placed(table, on_table, on_that, below) == [("", 0), ("on", 10), ("on", 11), ("", 0)]


def test_the_intention_of_the_specification_does_not_count():
    table = obj(10, "table", TABLE_PARTS)
    assert placed(table, block(11, (0, 0, 0.75), relation="in", parent=99)) == [("", 0), ("on", 10)]
    assert placed(table, block(11, (2, 2, 0.0), relation="on", parent=10)) == [("", 0), ("", 0)]


def test_a_rug_carries_the_table_and_lies_on_the_floor():
    rug = block(9, (0, 0, 0), (2, 2, 0.012), "rug")
    table = obj(10, "table", TABLE_PARTS, (0.0, 0.0, 0.012))
    assert placed(table, rug) == [("on", 9), ("", 0)]


def test_most_of_the_base_decides_between_two_objects_of_one_height():
    left, right = block(10, (0, -0.3, 0), (0.6, 0.6, 0.5)), block(11, (0, 0.3, 0), (0.6, 0.6, 0.5))
    assert placed(left, right, block(12, (0, -0.02, 0.5)))[2] == ("on", 10)
    assert placed(left, right, block(12, (0, 0.02, 0.5)))[2] == ("on", 11)


def test_walls_all_around_make_it_in():
    bowl = obj(10, "bowl", [disc(0, 0.2, 0.01), disc(0.01, 0.28, 0.07, ("z+", "z-"))])
    apple = block(11, (0.02, 0, 0.01), (0.07, 0.07, 0.07), "apple", yaw=0.3)
    assert placed(bowl, apple)[1] == ("in", 10)
    plate = obj(10, "plate", [disc(0, 0.2, 0.01), disc(0.01, 0.24, 0.014, ("z+", "z-"))])
    assert placed(plate, apple)[1] == ("on", 10)


def test_a_box_without_a_lid_is_a_container():
    carton = obj(10, "box", [slab(0, 0, 0, 0.4, 0.4, 0.3, open_faces=("z+",))], (1.0, 1.0, 0.0), 0.7)
    assert placed(carton, block(11, (1.05, 1.0, 0.0)))[1] == ("in", 10)
    upside_down = obj(10, "box", [slab(0, 0, 0, 0.4, 0.4, 0.3, open_faces=("z-",))], (1.0, 1.0, 0.0))
    assert placed(upside_down, block(11, (1.05, 1.0, 0.3)))[1] == ("on", 10)


def test_shelves_are_open_and_cupboards_are_not():
    book = block(11, (0.0, 0.1, 0.62), (0.15, 0.04, 0.25), "book")
    shelf, cupboard = obj(10, "bookshelf", SHELVES), obj(10, "cabinet", [*SHELVES, DOOR_CLOSED], joints=(HINGE,))
    assert placed(shelf, book)[1] == ("on", 10)
    assert placed(cupboard, book)[1] == ("in", 10)
    opened = obj(10, "cabinet", [*SHELVES, DOOR_OPEN], joints=(replace(HINGE, position=0.5 * math.pi),))
    assert placed(opened, book)[1] == ("in", 10)
    assert placed(opened, block(11, (0, 0, 1.8)))[1] == ("on", 10)
    askew = [*SHELVES, moved(DOOR_CLOSED, HINGE, 0.7)]
    ajar = obj(10, "cabinet", askew, joints=(replace(HINGE, position=0.7),))
    assert placed(ajar, book)[1] == ("in", 10)
    leaning = replace(slab(0, 0, 0.5, 0.8, 0.8, 0.02), rotation=(0.3, 0.0, 0.0))
    board = Solid.of(obj(10, "board", [leaning]))
    assert not Solid.of(block(11, (0.0, 0.0, float(board.bounds[1, 2])))).rests_on(board, 0.003)


def test_an_open_drawer_holds_what_is_in_it():
    case = [slab(0, 0, 0.0, 0.5, 0.44, 0.5)]
    nightstand = obj(10, "nightstand", [*case, *DRAWER], (0.0, 0.0, 0.0), math.pi / 2)
    at = (-0.0, 0.5, 0.31)
    assert placed(nightstand, block(11, at)) == [("", 0), ("in", 10)]


def test_what_hangs_on_walls_and_ceilings():
    picture = obj(10, "picture", [slab(0.015, 0, 0, 0.03, 0.6, 0.5)], (-3.0, 0.3, 1.4))
    shelf = obj(11, "shelf", [slab(0.12, 0, 0, 0.24, 0.9, 0.03)], (-3.0, -1.5, 1.4))
    vase = block(12, (-2.85, -1.5, 1.43))
    lamp = block(13, (0, 0, 2.2), (0.3, 0.3, 0.3), "lamp")
    wardrobe = block(14, (-2.7, 2.0, 0.0), (0.6, 1.0, 1.9), "wardrobe")  # touches the wall and stands on the floor
    assert placed(picture, shelf, vase, lamp, wardrobe) == [("on", 2), ("on", 2), ("on", 11), ("on", 3), ("", 0)]


def test_a_picture_in_a_corner_hangs_on_the_wall_that_it_faces_away_from():
    other = obj(4, "wall", [slab(-0.05, 0, 0, 0.1, 6, 2.5)], (0.0, -3.0, 0.0), 0.5 * math.pi)
    picture = obj(10, "picture", [slab(0.015, 0, 0, 0.03, 0.6, 0.5)], (-2.7, -3.0, 1.4), 0.5 * math.pi)
    assert placed(other, picture)[1] == ("on", 4)


def test_doors_and_windows_are_on_a_wall_though_they_stand_on_something():
    wall = obj(
        4,
        "wall",
        [slab(-0.05, -2, 0, 0.1, 2, 2.5), slab(-0.05, 2, 0, 0.1, 2, 2.5), slab(-0.05, 0, 0, 0.1, 2, 0.9)],
        (-3.0, 0.0, 0.0),
    )
    window = block(10, (-3.05, 0, 0.9), (0.06, 2.0, 1.0), "window")
    door = block(11, (-2.97, 2.0, 0.0), (0.06, 0.9, 2.0), "gate")
    spec = SceneSpec("s", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), (FLOOR, wall, window, door))
    assert supports(spec)[10] == ("on", 4)
    assert supports(spec)[11] == ("", 0)
    filled = replace(spec, openings=(Opening("door", (0, 0), (-3.1, 1.5, 0.0), (-3.0, 2.5, 2.0), 11),))
    assert supports(filled)[11] == ("on", 4)


def test_what_hangs_on_a_rack_and_what_is_let_into_a_counter():
    rack = obj(10, "coat rack", [disc(0, 0.4, 0.03), disc(0.03, 0.05, 1.7)])
    umbrella = block(11, (0.075, 0, 0.8), (0.1, 0.1, 0.8), "umbrella")
    assert placed(rack, umbrella)[1] == ("on", 10)
    counter = block(10, (0, 0, 0), (0.6, 2.0, 0.9), "counter")
    sink = obj(11, "sink", [slab(0, 0, 0.6, 0.4, 0.5, 0.31)])
    assert placed(counter, sink)[1] == ("on", 10)


def test_a_object_in_the_air_is_on_what_is_right_below():
    table = obj(10, "table", TABLE_PARTS)
    assert placed(table, block(11, (0, 0, 0.80)))[1] == ("on", 10)
    assert placed(table, block(11, (0, 0, 1.2)))[1] == ("", 0)


def test_two_objects_never_carry_each_other():
    hook = obj(10, "hook", [slab(0, 0, 0, 0.4, 0.1, 0.1), slab(0.15, 0, 0.2, 0.1, 0.1, 0.1)], (0, 0, 0.5))
    other = obj(11, "hook", [slab(0.15, 0, 0.1, 0.1, 0.1, 0.1), slab(0.15, 0, 0.3, 0.1, 0.1, 0.1)], (0, 0, 0.5))
    found = placed(hook, other)
    assert found.count(("on", 10)) + found.count(("on", 11)) == 1


@pytest.mark.parametrize("corner", ["sphere", "cone"])
def test_round_objects_rest_on_their_lowest_point(corner):
    table = obj(10, "table", TABLE_PARTS)
    part = Part("ellipsoid" if corner == "sphere" else "cone", (0, 0, 0.05), (0.1, 0.1, 0.1), RED)
    assert placed(table, obj(11, "ball", [part], (0.1, 0.1, 0.75)))[1] == ("on", 10)


@settings(max_examples=examples(30), deadline=None)
@given(st.floats(-math.pi, math.pi), st.floats(-50, 50), st.floats(-50, 50))
def test_turning_and_moving_the_whole_scene_changes_nothing(yaw, x, y):
    cupboard = obj(10, "cabinet", [*SHELVES, DOOR_CLOSED], (1.0, 1.0, 0.0), 0.5, joints=(HINGE,))
    spec = scene(
        cupboard,
        block(11, (1.0, 1.0, 0.62), (0.1, 0.1, 0.2)),
        obj(12, "table", TABLE_PARTS, (-1.0, -1.0, 0.0), 0.2),
        block(13, (-1.1, -1.0, 0.75)),
        obj(14, "picture", [slab(0.015, 0, 0, 0.03, 0.6, 0.5)], (-3.0, 0.3, 1.4)),
    )
    c, s = math.cos(yaw), math.sin(yaw)

    def turned(each):
        px, py, pz = each.position
        return replace(each, position=(c * px - s * py + x, s * px + c * py + y, pz), yaw=each.yaw + yaw)

    assert supports(replace(spec, objects=tuple(turned(each) for each in spec.objects))) == supports(spec)


def test_encloses_asks_how_high_the_sides_are():
    tray = obj(10, "tray", [slab(0, 0, 0, 0.4, 0.4, 0.05, open_faces=("z+",))])
    sheet = block(11, (0, 0, 0.0), (0.1, 0.1, 0.002))
    assert encloses(tray, sheet)
    flat = obj(10, "tray", [slab(0, 0, 0, 0.4, 0.4, 0.02, open_faces=("z+",))])
    assert not encloses(flat, sheet)
    assert object_bounds(flat)[1][2] == pytest.approx(0.02)
