"""Rooms from floors: which objects are in which, and how much of a room was seen."""

import numpy as np
import pytest
from box_home import GAP, SIDE, box_home
from looker import Looker

from vantage.perception.map.coverage import FREE, OCCUPIED, CoverageMap
from vantage.perception.map.placement import Box
from vantage.perception.map.rooms import room_at, room_over, seen_share
from vantage.perception.perceivers.degraded import DegradedPerceiver
from vantage.spatial import Viewpoint


@pytest.fixture(scope="module")
def home():
    return box_home(3, 2, 4, 4)


@pytest.fixture(scope="module")
def toured(home):
    return toured_by(home, None)


def toured_by(home, perceiver):
    looker = Looker(home.low, home.high, 20, perceiver)
    for viewpoint in home.tour(turns=6, pitches=(-0.6, 0.0)):
        looker.observe(home.world.observe(viewpoint))
    return looker


def test_each_floor_is_a_room(home, toured):
    rooms = toured.memory.rooms
    assert [room.label for room in rooms] == ["kitchen", "living room"]
    np.testing.assert_allclose(rooms[0].low, (0, 0, 0), atol=0.15)
    np.testing.assert_allclose(rooms[0].high[:2], (SIDE, SIDE), atol=0.15)
    np.testing.assert_allclose(rooms[1].low[0], SIDE + GAP, atol=0.15)


def test_floors_of_two_rooms_stay_two_without_identities(home):
    looker = toured_by(home, DegradedPerceiver(20, seed=2))
    assert sorted(room.label for room in looker.memory.rooms) == ["kitchen", "living room"]


def test_objects_are_in_their_rooms(home, toured):
    memory = toured.memory
    for node in home.graph.objects():
        obj = memory.get(node.instance_id)
        room = memory.room_of(obj)
        assert room.label == ("kitchen" if node.room == 1 else "living room"), node


def test_a_floor_is_in_its_own_room(toured):
    floors = toured.memory.find(["floor"])
    assert [toured.memory.room_of(floor).key for floor in floors] == [floor.instance_id for floor in floors]


def test_a_toured_room_was_seen(toured):
    for room in toured.memory.rooms:
        assert toured.memory.room_seen(room, toured.coverage) > 0.85


def test_a_room_seen_through_a_doorway_was_hardly_seen(home):
    looker = Looker(home.low, home.high, 20)
    for turn in range(8):
        looker.observe(home.world.observe(Viewpoint(1.0, 2.0, 1.4, turn * np.pi / 4 - 3.0, -0.5)))
    shares = {room.label: looker.memory.room_seen(room, looker.coverage) for room in looker.memory.rooms}
    assert shares["kitchen"] > 0.6
    assert shares.get("living room", 0.0) < 0.6


def test_closed_containers_do_not_count(home, toured):
    """What nobody can look into is not missing."""
    memory, coverage = toured.memory, toured.coverage
    room = memory.rooms[0]
    cabinet = next(obj for obj in memory.find(["cabinet"]) if memory.room_of(obj) == room)
    inside = tuple(a + 0.2 for a in cabinet.bounds_min), tuple(b - 0.1 for b in cabinet.bounds_max)
    assert coverage.seen_fraction(*inside) < 0.5
    assert coverage.seen_in(*inside, [(cabinet.bounds_min, cabinet.bounds_max)]) >= coverage.seen_fraction(*inside)
    assert coverage.seen_in(*inside, []) == coverage.seen_fraction(*inside)


KITCHEN = room_over(Box(1, "floor", (0.0, 0.0, -0.01), (4.0, 4.0, 0.0)), "kitchen")
HALL = room_over(Box(2, "floor", (4.1, 0.0, -0.01), (5.0, 1.0, 0.0)), "hall")  # only its first metre was seen
WALL = Box(3, "wall", (4.0, 0.0, 0.0), (4.05, 4.0, 2.6))


@pytest.mark.parametrize(
    ("point", "label"),
    [
        ((2.0, 2.0, 1.0), "kitchen"),
        ((4.5, 0.5, 1.0), "hall"),
        ((-0.1, 2.0, 1.0), "kitchen"),  # a door in its wall
        ((4.6, 2.0, 1.0), "hall"),  # beyond the seen floor; a wall parts it from the kitchen
        ((9.0, 9.0, 1.0), None),
    ],
)
def test_room_of_a_point(point, label):
    room = room_at(point, (KITCHEN, HALL), [WALL])
    assert (room and room.label) == label


def test_of_two_floors_under_a_point_the_smaller_counts():
    inner = room_over(Box(5, "floor", (1.0, 1.0, -0.01), (2.0, 2.0, 0.0)), "bathroom")
    assert room_at((1.5, 1.5, 1.0), (KITCHEN, inner), []).label == "bathroom"
    assert room_at((3.0, 3.0, 1.0), (), []) is None


def test_a_object_beside_a_wall_is_in_the_room_on_its_side():
    """Also where more of the floor behind the wall was seen than of its own."""
    own = room_over(Box(6, "floor", (0.0, 0.0, -0.01), (4.0, 1.0, 0.0)), "bedroom")
    behind = room_over(Box(7, "floor", (0.0, 1.65, -0.01), (4.0, 3.0, 0.0)), "bathroom")
    wall = Box(3, "wall", (0.0, 1.55, 0.0), (4.0, 1.62, 2.6))
    assert room_at((2.0, 1.45, 1.0), (own, behind), [wall]).label == "bedroom"
    assert room_at((2.0, 1.58, 1.0), (own, behind), [wall]).label == "bathroom"  # within the wall: the nearer floor


L_SHAPED = room_over(Box(1, "floor", (0.2, 0.2, -0.01), (6.2, 6.2, 0.0)), "living room")
SHELF = Box(2, "bookshelf", (3.3, 3.8, 0.0), (4.2, 4.2, 1.8))


def seen_around_a_corner(open_side=False):
    """All of a room of 6 m but a walled corner of 3 m was seen; of one of the two walls a meter may be missing."""
    coverage = CoverageMap((0.0, 0.0, -0.1), (6.4, 6.4, 2.6))
    states = coverage._states
    states[:] = FREE
    states[:2], states[-2:], states[:, :2], states[:, -2:] = (OCCUPIED,) * 4
    states[32:, 32:] = 0
    states[32:34, 32:] = states[32:, 32:34] = OCCUPIED
    if open_side:
        states[32:34, 38:42] = 0
    return coverage


def test_a_corner_behind_walls_is_no_part_of_a_room():
    assert seen_share(L_SHAPED, [], seen_around_a_corner()) > 0.95
    assert seen_share(L_SHAPED, [], seen_around_a_corner(open_side=True)) < 0.85


def test_what_stands_against_a_wall_parts_a_room_from_what_is_behind():
    """The wall behind it shows from nowhere."""
    assert seen_share(L_SHAPED, [SHELF], seen_around_a_corner(open_side=True)) > 0.9


def test_columns_outside_of_the_map_are_not_reached():
    coverage = CoverageMap((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert coverage.reached((2.0, 2.0, 0.0), (3.0, 3.0, 1.0), (0.5,), ()).size == 0
    assert not coverage.reached((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5,), ()).any()  # nothing was seen free
