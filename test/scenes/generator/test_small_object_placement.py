"""Where small objects end up, and that one gets at the furniture they are in."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from vantage.config import RelationSettings
from vantage.scenes.catalog.catalog import CATALOG, labels
from vantage.scenes.generator.home_layout import ROOM_KINDS
from vantage.scenes.generator.object_models import design_model
from vantage.scenes.generator.small_object_placement import OBJECTS_BY_ROOM
from vantage.scenes.geometry.design import Design, opened
from vantage.scenes.geometry.relations import gap, related
from vantage.scenes.geometry.solids import Shape, Solid
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.procthor.fitting import closed_extent
from vantage.scenes.spec.spec import Part, object_bounds

LOTS = [lot for lots in OBJECTS_BY_ROOM.values() for lot in lots]


def seen_from(obj, point):
    """A point of the world in the frame of an object, seen from above."""
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    dx, dy = point[0] - obj.position[0], point[1] - obj.position[1]
    return c * dx + s * dy, c * dy - s * dx


def on_the_floor(home, room_id):
    return [obj for obj in home.objects if obj.room == room_id and not obj.parent and not obj.is_structure]


@pytest.fixture(scope="module")
def floors(homes, rooms):
    """What stands on the floor of each room: lists of objects."""
    return [on_the_floor(home, room.room_id) for home in (*homes.values(), *rooms) for room in home.rooms]


def test_every_lot_is_of_the_catalogue_and_its_hosts_can_hold_it():
    assert set(OBJECTS_BY_ROOM) == set(ROOM_KINDS)
    relations = {}
    for name, kind in CATALOG.items():
        for states in ((), ("open",), ("closed",)):
            if all(any(state in axis for axis in kind.states) for state in states):
                design = design_model(name, np.random.default_rng(1), states=states).design
                relations.setdefault(kind.label, set()).update((each.relation, each.name) for each in design.surfaces)
    for lot in LOTS:
        assert lot.name in CATALOG
        assert set(lot.hosts) <= set(labels())
        if lot.place in ("on", "in"):
            for host in lot.hosts:
                fitting = {name for relation, name in relations[host] if relation == lot.place}
                assert fitting, (lot.name, lot.place, host)
                assert lot.surface in ("", *fitting)


def test_objects_lie_under_furniture(homes):
    found = Counter()
    for home in list(homes.values())[2:]:
        graph = SceneGraph.from_spec(home)
        low = [node for node in graph.objects() if node.label in ("box", "shoe", "suitcase") and not node.parent]
        for host in (node for node in graph.objects() if node.label in ("desk", "bench")):
            found[host.label] += any(related("under", obj, host, RelationSettings()) for obj in low)
    assert found["desk"] >= 1
    assert found["bench"] >= 2


def test_objects_get_lost_between_furniture_and_the_wall(floors):
    behind = 0
    for objects in floors:
        for chair in (obj for obj in objects if obj.label == "armchair"):
            balls = [seen_from(chair, obj.position) for obj in objects if obj.label == "ball"]
            behind += any(-0.85 < ahead < -0.35 and abs(aside) < 0.3 for ahead, aside in balls)
    assert behind >= 2


def test_objects_stand_beside_furniture(homes):
    near, apart = 0, 0
    for home in homes.values():
        nodes = {node.instance_id: node for node in SceneGraph.from_spec(home).nodes}
        for room in home.rooms:
            lots = {lot.name: lot.hosts for lot in OBJECTS_BY_ROOM[room.label] if lot.place == "beside"}
            objects = on_the_floor(home, room.room_id)
            for obj in (each for each in objects if each.kind in lots and each.kind not in ("shoe", "drum", "box")):
                hosts = [nodes[each.instance_id] for each in objects if each.label in lots[obj.kind]]
                hosts += [node for node in nodes.values() if node.room == room.room_id and node.label == "coat rack"]
                close = any(gap(nodes[obj.instance_id], host) < 0.25 for host in hosts)
                near, apart = near + close, apart + (not close)
    assert near >= 6
    assert near > apart


def test_the_space_before_what_opens_is_free(homes):
    looked_at = 0
    for home in homes.values():
        solids = {obj.instance_id: Solid.of(obj) for obj in home.objects}
        for host in (obj for obj in home.objects if obj.label in ("cabinet", "wardrobe", "fridge")):
            looked_at += 1
            low, high = closed_extent(Design(host.parts, (), host.joints))
            size = (0.46, high[1] - low[1] - 0.04, 1.7)
            space = Part("box", (high[0] + 0.03 + 0.5 * size[0], 0.0, 0.1 + 0.5 * size[2]), size, (0, 0, 0))
            box = Shape.of([space]).placed(host.position, host.yaw)
            for obj in on_the_floor(home, host.room):
                if obj is not host and obj.label != "chair":  # a chair before its desk may be in the way
                    entered = box.enters(solids[obj.instance_id], 0.01)
                    assert not entered, (home.name, obj.label, obj.instance_id, host.label, host.instance_id)
    assert looked_at > 20


def test_all_that_is_closed_can_be_opened(homes, rooms):
    for home in (*homes.values(), *rooms):
        corners = {room.room_id: np.array(room.outline) for room in home.rooms}
        for obj in home.objects:
            if not obj.joints or obj.relation == "in" or obj.label in ("door", "window"):
                continue
            low, high = reach_of(obj)
            outline = corners[obj.room]
            assert (low[:2] > outline.min(axis=0) - 2e-3).all(), (home.name, obj.label)
            assert (high[:2] < outline.max(axis=0) + 2e-3).all(), (home.name, obj.label)


def reach_of(obj):
    low, high = object_bounds(replace(obj, parts=opened(Design(obj.parts, (), obj.joints)).parts))
    return np.array(low), np.array(high)
