import math
from dataclasses import replace

import numpy as np
import pytest
from row_tables import each_row

from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.generator.variation import HEAVIEST, can_be_picked_up, varied
from vantage.scenes.geometry.solids import Solid
from vantage.scenes.geometry.support import supports
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.scenes.spec.spec_checks import check_spec


def pairs(home, other):
    return list(zip(home.objects, other.objects, strict=True))


def size_factor(old, new):
    return float(np.divide(new.parts[0].size, old.parts[0].size).mean())


@each_row("rooms", [(2, 1), (5, 2), (11, 3)])
@each_row("seed", [0, 1, 2])
def test_everything_still_rests_where_it_did_and_nothing_enters_anything(rooms, seed):
    home = generate_home(*rooms)
    other = varied(home, seed)
    check_spec(other)
    assert supports(other) == supports(home)
    assert {(fault.kind, fault.instance_id) for fault in check_placement(other)} <= {
        (fault.kind, fault.instance_id) for fault in check_placement(home)
    }


def test_light_things_change_within_their_ranges_and_others_do_not():
    home = generate_home(7, 4)
    other = varied(home, 3)
    sizes, masses = [], []
    for old, new in pairs(home, other):
        if not can_be_picked_up(old, home):
            assert new == old
            continue
        sizes.append(size_factor(old, new))
        masses.append(new.mass / old.mass)
        assert new.mass < HEAVIEST
        assert (new.label, new.states, new.yaw, new.color) == (old.label, old.states, old.yaw, old.color)
        assert np.divide(new.parts[0].size, old.parts[0].size) == pytest.approx(sizes[-1], abs=2e-3)
    assert len(sizes) > 30
    assert 0.8 <= min(sizes) < 0.85
    assert 0.95 < max(sizes) <= 1.0
    assert 0.499 < min(masses) < 0.6
    assert 1.3 < max(masses) < 1.501


def test_a_variation_is_repeatable_and_seeds_differ():
    home = generate_home(4, 1)
    assert varied(home, 5) == varied(home, 5)
    assert varied(home, 5) != varied(home, 6)


def test_the_graph_of_a_varied_home_agrees_with_it():
    other = varied(generate_home(9, 2), 1)
    graph = SceneGraph.from_spec(other)
    nodes = {node.instance_id: node for node in graph.nodes}
    for obj in other.objects:
        node = nodes[obj.instance_id]
        assert node.mass == obj.mass
        if not obj.is_structure and obj.parent:
            assert node.parent == obj.parent


def block(size, shape="box", at=(0.0, 0.0)):
    """A primitive that stands on z = 0."""
    return Part(shape, (*at, 0.5 * size[2]), size, (0.5, 0.5, 0.5))


def obj(instance_id, label, position, yaw, *parts, on=0, **fields):
    relation = "on" if on else ""
    return ObjectSpec(instance_id, label, "", "", position, yaw, parts, relation, on, **fields)


FLOOR = obj(1, "floor", (0, 0, -0.1), 0.0, block((6, 6, 0.1)))
TABLE = obj(2, "table", (0, 0, 0), 0.4, block((1.0, 1.5, 0.8)), mass=30.0)
TRAY = obj(3, "tray", (0.2, 0.1, 0.8), 1.0, block((0.3, 0.5, 0.02)), on=2, mass=1.0)
PLATE = obj(4, "plate", (0.25, 0.2, 0.82), 0.0, block((0.2, 0.2, 0.02), "cylinder"), on=3, mass=0.4)
APPLE = obj(5, "apple", (0.25, 0.2, 0.84), 0.0, block((0.06, 0.06, 0.06), "ellipsoid"), on=4)
MAT = obj(6, "mat", (2, 2, 0), 0.0, block((0.6, 0.9, 0.02)), mass=1.0)


def stacked(*objects):
    return SceneSpec("stack", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), (FLOOR, *objects))


@each_row("seed", [0, 1, 2, 3])
def test_a_plate_sits_on_a_smaller_tray_and_an_apple_on_the_plate(seed):
    home = stacked(TABLE, TRAY, PLATE, APPLE, MAT)
    other = {obj.instance_id: obj for obj in varied(home, seed).objects}
    solids = {k: Solid.of(obj) for k, obj in other.items()}
    for child, holder in ((3, 2), (4, 3), (5, 4)):
        assert solids[child].bounds[0, 2] == pytest.approx(solids[holder].bounds[1, 2], abs=2e-6)
    factors = [size_factor(old, other[old.instance_id]) for old in (TRAY, PLATE, APPLE)]
    assert factors == sorted(factors, reverse=True)
    assert factors[0] < 1.0
    offset = np.subtract(other[4].position, other[3].position)[:2]
    assert offset == pytest.approx(factors[0] * np.subtract(PLATE.position, TRAY.position)[:2], abs=1e-5)
    assert other[5].mass > 0.0  # nobody said what it weighs
    assert other[6].parts == MAT.parts  # others may stand on it
    assert other[6].mass != MAT.mass


def test_what_carries_something_heavy_keeps_its_size():
    heavy = replace(PLATE, mass=9.0)
    other = varied(stacked(TABLE, TRAY, heavy), 1)
    assert other.objects[2].parts == TRAY.parts
    assert other.objects[2].position == TRAY.position
    assert other.objects[3] == heavy


def test_what_hangs_is_not_picked_up():
    wall = obj(7, "wall", (-3.05, 0, 0), 0.0, block((0.1, 6, 2.4)))
    picture = obj(8, "picture", (-2.99, 0, 1.4), 0.0, block((0.02, 0.5, 0.4)), on=7, mass=1.0)
    towel = obj(9, "towel", (0.51, 0.0, 0.5), 0.4, block((0.02, 0.2, 0.2)), on=2, mass=0.4)
    home = stacked(TABLE, wall, picture, towel)
    other = {obj.instance_id: obj for obj in varied(home, 1).objects}
    assert other[8] == picture
    assert other[9] == towel


def test_an_object_that_would_lose_its_hold_keeps_its_size():
    rails = [block((0.02, 0.5, 0.02), at=(x, 0.0)) for x in (0.0, 0.3)]
    shelf = obj(3, "shelf", (0.2, 0.1, 0.8), 1.0, *rails, on=2, mass=1.0)
    ends = [replace(rail, size=(0.02, 0.1, 0.02)) for rail in rails]
    bridge = obj(4, "toy", (0.2, 0.1, 0.82), 1.0, *ends, on=3, mass=0.4)
    home = stacked(TABLE, shelf, bridge)
    other = varied(home, 2)
    assert math.isfinite(sum(obj.mass for obj in other.objects))
    assert supports(other) == supports(home)
