"""What can be found out in a room with a table, a closed cabinet and a closed fridge."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from touch_home import BLOCK, BOOK, CABINET, CARTON, FRIDGE, MUG, TABLE, touch_home

from vantage.benchmarks.excalibur.evidence import Evidence, evidence_of, gets_about
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Intrinsics

CAMERA = Intrinsics.from_fov(200, 150, 1.2)


@dataclass(frozen=True)
class Floor:
    """All floor of the room but what is under its furniture, or a part of it to the west of a line."""

    east: float = 2.3
    height: float = 1.2

    def is_free(self, x: float, y: float) -> bool:
        under_table = 0.6 < x < 1.8 and abs(y) < 0.8
        return abs(x) < 2.3 and abs(y) < 1.7 and x < self.east and not under_table

    def nearest_free(self, x: float, y: float) -> tuple[float, float] | None:
        return (x, y) if self.is_free(x, y) else None


def short_arm(distance: float, height: float) -> bool:
    return distance < 0.75 and 0.1 < height < 1.4


def found(home: SceneSpec, floor: Floor = Floor(), reaches=short_arm) -> Evidence:
    return evidence_of(home, floor, reaches, CAMERA, VisibilitySettings())


def with_carton_in(owner: int, *others: tuple[int, int]) -> SceneSpec:
    """The carton in a closed thing, and others in what is told."""
    parents = {CARTON: owner, **dict(others)}
    objects = touch_home().objects
    places = {obj.instance_id: obj.position for obj in objects}
    return replace(
        touch_home(),
        objects=tuple(
            replace(obj, parent=parents[obj.instance_id], relation="in", position=(*places[owner][:2], 0.62))
            if obj.instance_id in parents
            else obj
            for obj in objects
        ),
    )


def test_what_lies_in_the_open_is_seen_and_lifted():
    evidence = found(touch_home())
    assert evidence.seen >= {TABLE, CABINET, FRIDGE, BLOCK, MUG, BOOK, CARTON}
    assert evidence.lifted == {BLOCK, MUG, BOOK, CARTON}
    assert evidence.holders == {}
    assert evidence.opened == {CABINET, FRIDGE}


def test_what_is_in_something_closed_needs_it_opened():
    evidence = found(with_carton_in(CABINET))
    assert evidence.holders == {CARTON: CABINET}


def test_what_is_in_something_that_nobody_can_open_is_not_seen():
    home = with_carton_in(CABINET)
    locked = replace(
        home, objects=tuple(replace(o, joints=()) if o.instance_id == CABINET else o for o in home.objects)
    )
    evidence = found(locked)
    assert CARTON not in evidence.seen | evidence.lifted
    assert evidence.holders == {}
    assert evidence.opened == {FRIDGE}


def test_what_is_in_two_closed_things_is_not_seen():
    home = with_carton_in(FRIDGE)
    boxed = tuple(replace(o, states=("closed",)) if o.instance_id == CARTON else o for o in home.objects)
    boxed = tuple(replace(o, parent=CARTON, relation="in") if o.instance_id == MUG else o for o in boxed)
    evidence = found(replace(home, objects=boxed))
    assert MUG not in evidence.seen | evidence.lifted


def test_what_is_out_of_reach_is_not_lifted_and_what_is_heavy_neither():
    far = found(touch_home(), Floor(east=0.2))
    assert not far.lifted
    assert {BOOK, CARTON} <= far.seen
    assert found(touch_home(), reaches=lambda distance, height: False).opened == frozenset()
    heavy = touch_home({BLOCK: 7.0, MUG: 0.35, BOOK: 0.8, CARTON: 0.5})
    assert found(heavy).lifted == {MUG, BOOK, CARTON}


def test_without_floor_nothing_is_found_out():
    assert found(touch_home(), Floor(east=-9.0)) == Evidence(frozenset(), frozenset(), {}, frozenset())


@pytest.mark.parametrize(("x", "y", "free"), [(0.0, 0.0, True), (1.2, 0.0, False), (9.0, 0.0, False)])
def test_a_robot_gets_about_on_free_floor(x, y, free):
    assert gets_about(Floor(), x, y) is free


def test_a_robot_does_not_get_about_where_it_is_shut_in():
    class Shut(Floor):
        def nearest_free(self, x: float, y: float) -> tuple[float, float] | None:
            return (x + 1.0, y) if math.isfinite(x) else None

    assert not gets_about(Shut(), 0.0, 0.0)
