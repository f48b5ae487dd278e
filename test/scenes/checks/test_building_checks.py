"""Homes edited by hand until they could not stand: each gives its fault."""

import math
from dataclasses import replace

import pytest

from vantage.scenes.checks.building_checks import enclosure_faults
from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.geometry.solids import Solid


@pytest.fixture(scope="module")
def home(homes):
    return homes[4]


def messages(spec):
    return [fault.message for fault in check_placement(spec)]


def edited(home, instance_id, **changes):
    return replace(
        home,
        objects=tuple(replace(obj, **changes) if obj.instance_id == instance_id else obj for obj in home.objects),
    )


def test_the_home_is_sound(home):
    assert messages(home) == []


def test_a_wall_pushed_into_a_room(home):
    wall = next(obj for obj in home.objects if obj.label == "wall" and obj.room == 1)
    inside = home.rooms[0].outline
    x, y = (0.6 * wall.position[k] + 0.4 * sum(corner[k] for corner in inside) / len(inside) for k in (0, 1))
    inward = edited(home, wall.instance_id, position=(x, y, 0.0))
    assert any(f"wall {wall.instance_id} stands in room 1" in message for message in messages(inward))


def test_a_wall_twice(home):
    wall = next(obj for obj in home.objects if obj.label == "wall")
    twice = replace(home, objects=(*home.objects, replace(wall, instance_id=999)))
    assert f"wall 999 and wall {wall.instance_id} enter each other" in messages(twice)


def test_rooms_that_overlap(home):
    first = home.rooms[0]
    grown = replace(first, outline=tuple((1.4 * x, 1.4 * y) for x, y in first.outline))
    found = messages(replace(home, rooms=(grown, *home.rooms[1:])))
    assert any("overlap" in message and "room 1" in message for message in found)


def test_an_opening_that_names_other_rooms(home):
    number, way = next((k, opening) for k, opening in enumerate(home.openings) if 0 not in opening.rooms)
    wrong = replace(way, rooms=(way.rooms[0], 0))
    openings = tuple(wrong if k == number else opening for k, opening in enumerate(home.openings))
    assert any(
        f"opening {number}" in message and "leads between" in message
        for message in messages(replace(home, openings=openings))
    )


def test_an_opening_that_is_walled_up(home):
    number, way = next((k, opening) for k, opening in enumerate(home.openings) if 0 not in opening.rooms)
    shifted = [list(way.low), list(way.high)]
    along = 0 if way.high[0] - way.low[0] > way.high[1] - way.low[1] else 1
    for corner in shifted:
        corner[along] += 0.4
    wrong = replace(way, low=tuple(shifted[0]), high=tuple(shifted[1]))
    openings = tuple(wrong if k == number else opening for k, opening in enumerate(home.openings))
    assert any("is walled up by wall" in message for message in messages(replace(home, openings=openings)))


def test_a_object_behind_a_door(home, block):
    door = next(obj for obj in home.objects if obj.label == "door" and "open" in obj.states)
    leaf = [part for part in door.parts if part.name == "leaf"]
    assert leaf
    way = next(opening for opening in home.openings if opening.instance == door.instance_id)
    inside = next(room for room in home.rooms if room.room_id == door.room)
    x, y = (0.5 * (low + high) for low, high in zip(way.low[:2], way.high[:2], strict=True))
    centre = [sum(corner[k] for corner in inside.outline) / 4 for k in (0, 1)]
    across = 0 if way.high[0] - way.low[0] < way.high[1] - way.low[1] else 1
    spot = [x, y]
    spot[across] += 0.35 if centre[across] > spot[across] else -0.35
    brick = block(999, (spot[0], spot[1], 0.0), (0.1, 0.1, 0.3), room=door.room)
    found = messages(replace(home, objects=(*home.objects, brick)))
    assert f"box 999 is in the way of door {door.instance_id}" in found


def test_a_room_whose_door_is_bricked_up(home, block):
    door = next(opening for opening in home.openings if 0 not in opening.rooms)
    middle = [0.5 * (low + high) for low, high in zip(door.low, door.high, strict=True)]
    brick = block(999, (middle[0], middle[1], 0.0), (0.9, 0.9, 2.0))
    found = messages(replace(home, objects=(*home.objects, brick)))
    assert any("nobody gets to room" in message for message in found)


def test_a_low_barrier_across_a_doorway(home, block):
    way = next(opening for opening in home.openings if 0 not in opening.rooms)
    middle = [0.5 * (low + high) for low, high in zip(way.low, way.high, strict=True)]
    barrier = block(999, (middle[0], middle[1], 0.0), (0.86, 0.86, 0.9))
    found = messages(replace(home, objects=(*home.objects, barrier)))
    assert any("something low shuts room" in message for message in found)


def test_a_object_before_the_door_of_a_fridge(homes, block):
    home, fridge = next((home, obj) for home in homes.values() for obj in home.objects if obj.label == "fridge")
    c, s = math.cos(fridge.yaw), math.sin(fridge.yaw)
    front = max(part.center[0] + 0.5 * part.size[0] for part in fridge.parts if part.name == "body")
    ahead = front + 0.25
    spot = (fridge.position[0] + c * ahead, fridge.position[1] + s * ahead, 0.0)
    chair = block(999, spot, (0.1, 0.1, 0.8), label="chair", room=fridge.room)
    assert f"chair 999 is in the way of fridge {fridge.instance_id}" in messages(
        replace(home, objects=(*home.objects, chair))
    )


def enclosure_messages(home):
    solids = {obj.instance_id: Solid.of(obj) for obj in home.objects}
    return [fault.message for fault in enclosure_faults(home, solids)]


def without(home, label, room=None):
    kept = (obj for obj in home.objects if obj.label != label or (room is not None and obj.room != room))
    return replace(home, objects=tuple(kept))


def test_generated_homes_are_enclosed(homes):
    for home in homes.values():
        assert enclosure_messages(home) == []


def test_missing_floors_and_ceilings(homes):
    home = homes[3]
    assert enclosure_messages(without(home, "floor", 2)) == [
        f"room 2 ({home.rooms[1].label}) has no floor at z = 0, or not everywhere"
    ]
    assert len(enclosure_messages(without(home, "floor"))) == len(enclosure_messages(without(home, "ceiling"))) == 3


def test_each_missing_wall_is_found(homes):
    home = homes[4]
    for wall in (obj for obj in home.objects if obj.label == "wall" and obj.room == 1):
        kept = tuple(obj for obj in home.objects if obj is not wall)
        (message,) = enclosure_messages(replace(home, objects=kept))
        assert message.startswith(f"room 1 ({home.rooms[0].label}) has no wall from (")


def test_a_hole_without_an_opening(homes):
    home = homes[4]
    window = next(k for k, opening in enumerate(home.openings) if opening.kind == "window")
    kept = (*home.openings[:window], *home.openings[window + 1 :])
    assert any("has no wall" in message for message in enclosure_messages(replace(home, openings=kept)))


@pytest.mark.parametrize("height", [0.5, 2.3, 100.0])
def test_rooms_are_as_high_as_their_ceilings(homes, height):
    home = homes[2]
    lower = (replace(home.rooms[0], height=height), *home.rooms[1:])
    assert any(
        f"no ceiling at its height of {height:g} m" in each for each in enclosure_messages(replace(home, rooms=lower))
    )
