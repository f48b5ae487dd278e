"""Homes with parts of the building taken away."""

from dataclasses import replace

import pytest

from vantage.scenes.checks.enclosure_checks import enclosure_faults
from vantage.scenes.geometry.solids import Solid


def messages(home):
    solids = {thing.instance_id: Solid.of(thing) for thing in home.objects}
    return [fault.message for fault in enclosure_faults(home, solids)]


def without(home, label, room=None):
    kept = (thing for thing in home.objects if thing.label != label or (room is not None and thing.room != room))
    return replace(home, objects=tuple(kept))


def test_generated_homes_are_enclosed(homes):
    for home in homes.values():
        assert messages(home) == []


def test_missing_floors_and_ceilings(homes):
    home = homes[3]
    assert messages(without(home, "floor", 2)) == [
        f"room 2 ({home.rooms[1].label}) has no floor at z = 0, or not everywhere"
    ]
    assert len(messages(without(home, "floor"))) == len(messages(without(home, "ceiling"))) == 3


def test_each_missing_wall_is_found(homes):
    home = homes[4]
    for wall in (thing for thing in home.objects if thing.label == "wall" and thing.room == 1):
        kept = tuple(thing for thing in home.objects if thing is not wall)
        (message,) = messages(replace(home, objects=kept))
        assert message.startswith(f"room 1 ({home.rooms[0].label}) has no wall from (")


def test_a_hole_without_an_opening(homes):
    home = homes[4]
    window = next(k for k, opening in enumerate(home.openings) if opening.kind == "window")
    kept = (*home.openings[:window], *home.openings[window + 1 :])
    assert any("has no wall" in message for message in messages(replace(home, openings=kept)))


@pytest.mark.parametrize("height", [0.5, 2.3, 100.0])
def test_rooms_are_as_high_as_their_ceilings(homes, height):
    home = homes[2]
    lower = (replace(home.rooms[0], height=height), *home.rooms[1:])
    assert any(f"no ceiling at its height of {height:g} m" in each for each in messages(replace(home, rooms=lower)))
