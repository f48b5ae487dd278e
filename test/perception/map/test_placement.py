"""What is on or in what, from boxes alone."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.perception.map.placement import Box, Placement, Placements, front_of, may_rest, place

FLOOR = Box(1, "floor", (0, 0, -0.01), (5, 4, 0.0))
WALL = Box(2, "wall", (5.0, 0.0, 0.0), (5.02, 4.0, 2.6))
TABLE = Box(10, "table", (1.0, 1.0, 0.0), (2.0, 1.8, 0.75))
SHELVES = Box(11, "bookshelf", (3.0, 0.0, 0.0), (4.0, 0.3, 1.8))
BED = Box(12, "bed", (3.0, 2.0, 0.1), (5.0, 3.2, 0.95))
BASKET = Box(13, "basket", (0.2, 3.0, 0.0), (0.7, 3.5, 0.3), ("open",))
CABINET = Box(14, "cabinet", (0.0, 0.0, 0.0), (0.5, 1.0, 0.9), ("closed",))
ALL = (FLOOR, WALL, TABLE, SHELVES, BED, BASKET, CABINET)


def obj(x, y, z, size=0.1, label="mug"):
    return Box(99, label, (x - size / 2, y - size / 2, z), (x + size / 2, y + size / 2, z + size))


def where(box, others=ALL):
    found = place(box, (*others, box), 0.0)
    return None if found is None else (found.relation, found.support)


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (obj(1.5, 1.4, 0.75), ("on", "table")),
        (obj(1.5, 1.4, 0.79), ("on", "table")),  # its foot is hidden behind something
        (obj(1.5, 1.4, 0.0), ("on", "floor")),  # under the table
        (obj(4.5, 1.0, 0.01), ("on", "floor")),
        (obj(3.5, 0.15, 1.2), ("on", "bookshelf")),
        (obj(3.5, 0.15, 1.8), ("on", "bookshelf")),
        (obj(4.0, 2.5, 0.5), ("on", "bed")),  # well below the headboard
        (obj(0.45, 3.25, 0.02), ("in", "basket")),
        (obj(0.45, 3.25, 0.28), ("in", "basket")),  # only its upper part shows
        (obj(0.25, 0.5, 0.9), ("on", "cabinet")),
        (obj(4.95, 1.0, 1.6, label="clock"), ("on", "wall")),
        (Box(99, "clock", (3.2, 0.03, 2.0), (3.5, 0.07, 2.3)), ("on", "bookshelf")),  # no wall was seen there
        (obj(3.5, 0.15, 0.06), ("on", "bookshelf")),  # its lowest board
        (obj(4.5, 1.0, 1.0), None),  # in the air: what carries it was not seen
        (obj(1.5, 1.4, 1.6), None),
    ],
)
def test_places(box, expected):
    assert where(box) == expected


def test_the_nearer_of_two_surfaces_carries_it():
    tray = Box(20, "tray", (1.3, 1.2, 0.75), (1.7, 1.6, 0.78))
    assert where(obj(1.5, 1.4, 0.78), (*ALL, tray)) == ("on", "tray")
    assert where(obj(1.1, 1.1, 0.75), (*ALL, tray)) == ("on", "table")


def test_an_apple_in_a_bowl_on_a_table_is_in_the_bowl():
    bowl = Box(20, "bowl", (1.3, 1.2, 0.75), (1.6, 1.5, 0.83))
    assert where(obj(1.45, 1.35, 0.77, 0.07, "apple"), (*ALL, bowl)) == ("in", "bowl")
    assert where(bowl) == ("on", "table")


def test_a_smaller_thing_carries_nothing_larger():
    book = Box(20, "book", (1.48, 1.38, 0.75), (1.52, 1.42, 0.78))
    assert where(obj(1.5, 1.4, 0.77, 0.2, "vase"), (*ALL, book)) == ("on", "table")


@pytest.mark.parametrize("label", ["bottle", "candle", "clock", "plant", "soap dispenser", "vase"])
def test_nothing_stands_on_what_would_topple(label):
    """What seems to stands behind it."""
    tall = Box(20, label, (1.4, 1.3, 0.75), (1.6, 1.5, 1.0))
    assert where(obj(1.5, 1.4, 1.0, 0.06, "apple"), (*ALL, tall)) == ("on", "table")
    assert where(obj(1.5, 1.4, 0.9, 0.06, "apple"), (*ALL, tall)) == ("on", "table")
    assert where(obj(1.65, 1.4, 1.0, 0.06, "apple"), (*ALL, tall)) == ("on", "table")  # nor at its rim
    sturdy = Box(20, "box", tall.low, tall.high, ("closed",))
    assert where(obj(1.5, 1.4, 1.0, 0.06, "apple"), (*ALL, sturdy)) == ("on", "box")


@pytest.mark.parametrize("label", ["mug", "cup", "glass", "jar"])
def test_a_spoon_is_in_a_mug_and_not_on_it(label):
    mug = Box(20, label, (1.45, 1.35, 0.75), (1.55, 1.45, 0.87))
    spoon = Box(99, "spoon", (1.49, 1.39, 0.77), (1.52, 1.42, 0.95))
    assert where(spoon, (*ALL, mug)) == ("in", label)
    lying = Box(99, "spoon", (1.48, 1.39, 0.9), (1.53, 1.42, 0.91))
    assert where(lying, (*ALL, mug)) == ("on", "table")


def test_structure_carries_nothing_but_the_floor():
    window = Box(20, "window", (4.0, 0.9, 0.9), (4.99, 1.5, 1.0))
    assert where(obj(4.5, 1.2, 1.0), (FLOOR, window)) is None


def test_a_flat_object_on_the_wall_above_furniture_hangs():
    wall = Box(3, "wall", (0.0, -0.02, 0.0), (5.0, 0.0, 2.6))
    clock = Box(99, "clock", (3.2, 0.03, 2.0), (3.5, 0.07, 2.3))
    assert where(clock, (*ALL, wall)) == ("on", "wall")
    assert where(obj(3.5, 0.15, 1.9), (*ALL, wall)) == ("on", "bookshelf")


def test_a_place_that_rests_on_what_is_hidden_is_a_guess():
    assert not place(obj(1.5, 1.4, 0.75), ALL, 0.0).guess
    assert place(obj(1.5, 1.4, 0.95), ALL, 0.0) == Placement("on", 10, "table", guess=True)
    assert place(obj(4.93, 1.0, 1.0, 0.3, "mirror"), ALL, 0.0).guess  # near a wall, but thick
    assert place(obj(4.93, 1.0, 1.0, 0.3, "basket"), ALL, 0.0) is None  # baskets do not hang


def test_a_object_at_the_unseen_rim_of_a_support_is_on_it():
    assert where(obj(2.12, 1.4, 0.75)) == ("on", "table")
    assert where(obj(2.3, 1.4, 0.75)) is None


def test_a_object_on_the_lower_board_of_a_table_is_on_the_table():
    low = Box(20, "table", (1.0, 1.0, 0.15), (2.0, 1.6, 0.45))  # its feet were not seen
    rug = Box(21, "rug", (0.5, 0.5, 0.0), (2.5, 2.5, 0.012))
    assert where(obj(1.5, 1.3, 0.15), (FLOOR, low, rug)) == ("on", "table")


def test_what_is_seen_through_the_gap_of_a_door_is_inside():
    assert where(obj(0.25, 0.5, 0.4)) == ("in", "cabinet")


def test_closed_and_open_containers():
    assert BASKET.is_open_container
    assert not BASKET.is_closed_container
    assert CABINET.is_closed_container
    assert Box(1, "wardrobe", (0, 0, 0), (1, 1, 2)).is_closed_container  # until its doors are seen open
    assert not Box(1, "wardrobe", (0, 0, 0), (1, 1, 2), ("open",)).is_closed_container
    assert not Box(1, "door", (0, 0, 0), (1, 0.1, 2), ("closed",)).is_closed_container


@given(x=st.floats(1.1, 1.9), y=st.floats(1.1, 1.7), lift=st.floats(-0.03, 0.06), size=st.floats(0.03, 0.4))
def test_objects_that_touch_a_table_top_are_on_the_table(x, y, lift, size):
    assert where(obj(x, y, 0.75 + lift, size)) == ("on", "table")


@given(
    x=st.floats(-1, 6),
    y=st.floats(-1, 5),
    z=st.floats(-0.5, 3),
    dx=st.floats(-9, 9),
    dy=st.floats(-9, 9),
)
def test_places_do_not_depend_on_where_the_origin_is(x, y, z, dx, dy):
    x, y, z, dx, dy = (round(value, 2) + 0.003 for value in (x, y, z, dx, dy))

    def moved(box):
        shift = (dx, dy, 0.0)
        low, high = (tuple(a + b for a, b in zip(p, shift, strict=True)) for p in (box.low, box.high))
        return Box(box.key, box.label, low, high, box.states)

    box = obj(x, y, z)
    assert where(moved(box), tuple(moved(other) for other in ALL)) == where(box)


KITCHEN_COUNTER = Box(30, "counter", (0.0, 0.0, 0.0), (2.0, 0.6, 0.9), ("open",))


@pytest.mark.parametrize(
    ("label", "states", "z", "expected"),
    [
        ("cabinet", ("open",), 0.9, ("on", "cabinet")),  # on its top, though it is open
        ("cabinet", ("open",), 0.4, ("in", "cabinet")),
        ("fridge", ("open",), 0.5, ("in", "fridge")),
        ("dresser", ("closed",), 0.9, ("on", "dresser")),
        ("counter", (), 0.9, ("on", "counter")),
        ("rack", (), 0.45, ("on", "rack")),
        ("shoe rack", (), 0.1, ("on", "shoe rack")),
        ("bathtub", (), 0.2, ("in", "bathtub")),
        ("chest", ("open",), 0.3, ("in", "chest")),
        ("chest", (), 0.9, ("on", "chest")),
        ("box", ("closed",), 0.9, ("on", "box")),
        ("bench", (), 0.5, ("on", "bench")),
    ],
)
def test_furniture_of_a_home(label, states, z, expected):
    furniture = Box(30, label, (1.0, 1.0, 0.0), (2.0, 1.6, 0.9), states)
    assert where(obj(1.5, 1.3, z), (FLOOR, furniture)) == expected


def test_a_cup_in_a_sink_in_a_counter():
    sink = Box(31, "sink", (0.5, 0.1, 0.7), (1.0, 0.5, 0.92))
    assert where(obj(0.75, 0.3, 0.72, label="cup"), (FLOOR, KITCHEN_COUNTER, sink)) == ("in", "sink")
    assert where(obj(1.6, 0.3, 0.9, label="cup"), (FLOOR, KITCHEN_COUNTER, sink)) == ("on", "counter")


def test_furniture_on_a_rug_stands_on_the_rug_also_where_its_feet_were_not_seen_to_their_ends():
    rug = Box(32, "rug", (0.0, 0.0, 0.0), (3.0, 3.0, 0.012))
    assert where(obj(1.5, 1.5, 0.012, 0.5, "stool"), (FLOOR, rug)) == ("on", "rug")
    assert where(obj(1.5, 1.5, 0.07, 0.5, "stool"), (FLOOR, rug)) == ("on", "rug")


def test_furniture_that_reaches_over_the_edge_of_a_rug_stands_on_it_only_if_its_feet_were_seen_there():
    rug = Box(32, "rug", (0.0, 0.0, 0.0), (3.0, 3.0, 0.012))
    assert where(obj(2.9, 1.5, 0.02, 0.5, "stool"), (FLOOR, rug)) == ("on", "rug")
    assert where(obj(2.9, 1.5, 0.07, 0.5, "stool"), (FLOOR, rug)) == ("on", "floor")


def test_objects_stand_on_the_floor_of_their_own_room():
    other = Box(33, "floor", (5.1, 0.0, -0.01), (9.0, 4.0, 0.0))
    boxes = (FLOOR, other)
    assert place(obj(2.0, 2.0, 0.0), boxes, 0.0).key == FLOOR.key
    assert place(obj(7.0, 2.0, 0.0), boxes, 0.0).key == other.key


def test_the_nearer_of_two_walls_back_to_back():
    behind = Box(34, "wall", (5.1, 0.0, 0.0), (5.15, 4.0, 2.6))
    picture = Box(99, "picture", (4.97, 1.0, 1.4), (4.99, 1.5, 1.8))
    assert place(picture, (behind, WALL), 0.0).key == WALL.key
    other_side = Box(99, "picture", (5.16, 1.0, 1.4), (5.18, 1.5, 1.8))
    assert place(other_side, (behind, WALL), 0.0).key == behind.key


def test_doors_and_windows_are_on_walls_and_the_building_is_on_nothing():
    door = Box(35, "door", (4.97, 1.0, 0.0), (5.03, 1.9, 2.0))
    assert where(door, (FLOOR, WALL)) == ("on", "wall")
    assert where(WALL) is None
    assert where(FLOOR) is None


@given(st.integers(0, 10**6))
def test_all_at_once_is_the_same_as_one_by_one(seed):
    rng = np.random.default_rng(seed)
    words = ("table", "mug", "box", "picture", "rug", "bookshelf", "door", "cabinet")
    boxes = [FLOOR, WALL]
    for key in range(100, 112):
        size, low = rng.uniform(0.02, 1.2, 3), rng.uniform((0, 0, 0), (5, 4, 1.5))
        states = ("open",) if rng.uniform() < 0.3 else ()
        boxes.append(Box(key, words[rng.integers(len(words))], tuple(low), tuple(low + size), states))
    placements = Placements(boxes, 0.0)
    assert [placements.get(box.key) for box in boxes] == [place(box, boxes, 0.0) for box in boxes]
    assert placements.get(10**6) is None
    assert Placements([], 0.0).get(1) is None


@pytest.mark.parametrize(
    ("mouse", "place_told"),
    [((0.25, 0.30), ("on", "table")), ((0.34, 0.40), ("in", "mug"))],
)
def test_what_lies_beside_a_small_container_is_not_in_it(mouse, place_told):
    table = Box(10, "table", (0.0, 0.0, 0.0), (1.0, 1.0, 0.75))
    mug = Box(20, "mug", (0.31, 0.4, 0.76), (0.45, 0.53, 0.86))
    lying = Box(21, "mouse", (mouse[0], 0.42, 0.77), (mouse[1], 0.5, 0.79))
    assert where(lying, (FLOOR, table, mug)) == place_told


def test_a_place_in_what_is_closed_is_a_guess():
    microwave = Box(20, "microwave", (0.0, 0.0, 0.9), (1.2, 0.4, 1.3), ("closed",))
    found = place(Box(21, "bread", (0.9, 0.1, 1.05), (1.0, 0.3, 1.15)), (FLOOR, microwave), 0.0)
    assert found == Placement("in", 20, "microwave", guess=True)


@pytest.mark.parametrize(("label", "support"), [("curtain", "wall"), ("towel", "wall"), ("picture", "sofa")])
def test_what_is_of_cloth_hangs_where_it_is_upright_before_a_wall(label, support):
    sofa = Box(20, "sofa", (4.0, 0.0, 0.0), (5.0, 2.0, 0.85))
    hanging = Box(21, label, (4.93, 0.5, 0.9), (4.99, 1.0, 2.3))
    assert where(hanging, (FLOOR, WALL, sofa)) == ("on", support)


def test_a_folded_towel_lies_on_what_is_below_it():
    folded = Box(21, "towel", (4.88, 0.5, 0.75), (4.99, 0.8, 0.83))
    desk = Box(20, "desk", (4.2, 0.0, 0.0), (5.0, 2.0, 0.75))
    assert where(folded, (FLOOR, WALL, desk)) == ("on", "desk")


def test_what_ends_above_a_closed_object_stands_on_it_though_their_boxes_overlap():
    dishwasher = Box(20, "dishwasher", (1.0, 1.0, 0.1), (1.6, 1.6, 1.0), ("closed",))
    oven = Box(99, "microwave", (1.1, 1.1, 0.86), (1.5, 1.5, 1.2), ("closed",))
    assert place(oven, (FLOOR, dishwasher), 0.0) == Placement("on", 20, "dishwasher")
    plate = Box(99, "plate", (1.1, 1.1, 0.5), (1.3, 1.3, 0.52))
    assert place(plate, (FLOOR, dishwasher), 0.0) == Placement("in", 20, "dishwasher", guess=True)


def test_furniture_of_which_only_the_front_was_seen_carries_what_is_at_its_height():
    front = (1.0, 1.0, 0.06), (1.1, 2.0, 0.9)
    knife = Box(99, "knife", (0.85, 1.4, 0.89), (0.93, 1.6, 0.91))
    assert place(knife, (FLOOR, Box(20, "counter", *front)), 0.0) == Placement("on", 20, "counter")
    assert place(knife, (FLOOR, Box(20, "book", *front)), 0.0) is None


ISLAND = Box(15, "counter", (2.05, 1.0, 0.0), (2.65, 1.8, 0.75))  # beside the table, of one height


@pytest.mark.parametrize(
    ("box", "support", "relation", "may"),
    [
        (obj(2.15, 1.4, 0.75), TABLE, "on", False),  # the island carries it, over which it is
        (obj(2.02, 1.4, 0.75), ISLAND, "on", True),  # between both
        (obj(2.02, 1.4, 0.75), TABLE, "on", True),
        (obj(2.02, 1.4, 0.75), TABLE, "in", False),
        (obj(1.5, 1.4, 1.0), TABLE, "on", True),  # its foot is hidden
        (obj(1.5, 1.4, 1.6), TABLE, "on", False),  # far too high
        (obj(4.5, 1.0, 1.0), TABLE, "on", False),  # far beside
        (obj(2.2, 1.4, 0.0), TABLE, "on", False),  # on the floor
    ],
)
def test_where_a_object_may_be_though_the_views_do_not_say_so(box, support, relation, may):
    others = (*ALL, ISLAND)
    found = place(box, others, 0.0)
    carrier = None if found is None else next(other for other in others if other.key == found.key)
    assert may_rest(box, support, relation, found, carrier, 0.0) is may


def test_what_has_its_back_to_a_wall_looks_away_from_it():
    thin = Box(3, "wall", (0.0, 3.98, 0.0), (5.0, 4.0, 2.6))
    assert front_of(Box(20, "television", (4.8, 1.0, 0.5), (4.95, 2.0, 1.1)), (WALL, thin)) == (-1.0, 0.0, 0.0)
    assert front_of(Box(21, "fridge", (1.0, 3.3, 0.0), (1.6, 3.9, 1.8)), (WALL, thin)) == (0.0, -1.0, 0.0)
    assert front_of(Box(22, "television", (2.0, 1.0, 0.5), (2.1, 2.0, 1.1)), (WALL, thin)) is None
    assert front_of(Box(23, "television", (2.0, 1.0, 0.5), (2.1, 2.0, 1.1)), ()) is None


def test_openings_rest_on_nothing():
    window = Box(24, "window", (1.2, 1.2, 0.8), (1.9, 1.4, 1.6))
    assert not may_rest(window, TABLE, "on", None, None, 0.0)
    assert may_rest(Box(25, "mirror", *(window.low, window.high)), TABLE, "on", None, None, 0.0)
