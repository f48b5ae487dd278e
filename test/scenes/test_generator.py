from collections import Counter

import numpy as np
import pytest

from vantage.errors import SceneError
from vantage.scenes.checks import free_floor
from vantage.scenes.generator import GENERATOR_VERSION, generate_room, shortcomings
from vantage.scenes.graph import SceneGraph


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("a.json", "b.json"):
        generate_room(11, "room").save(tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert generate_room(11) != generate_room(12)
    assert generate_room(11).generator_version == GENERATOR_VERSION
    assert generate_room(11).name == "room_11"


def test_the_global_random_state_plays_no_part():
    np.random.seed(1)
    first = generate_room(5)
    np.random.seed(2)
    assert generate_room(5) == first


def test_rooms_are_what_they_promise(rooms):
    for room in rooms:
        assert shortcomings(room) == ()
        counts = Counter(thing.label for thing in room.objects if not thing.is_structure)
        assert len(counts) >= 20
        assert sum(count == 1 for count in counts.values()) >= 8
        assert counts["door"] == counts["window"] == 1
        assert free_floor(room, 1.2, 0.15) >= 0.55
        labels = Counter(thing.label for thing in room.objects)
        assert (labels["floor"], labels["ceiling"], labels["wall"]) == (1, 1, 4)


def test_ids_count_up_from_one(rooms):
    for room in rooms:
        assert [thing.instance_id for thing in room.objects] == list(range(1, len(room.objects) + 1))


def test_every_room_has_something_to_count_and_something_hidden(rooms):
    for room in rooms:
        graph = SceneGraph.from_spec(room)
        groups = Counter((node.parent, node.label) for node in graph.things() if node.parent)
        assert any(count in (2, 3) for count in groups.values())
        closed = {node.instance_id for node in graph.nodes if "closed" in node.states}
        opened = {node.instance_id for node in graph.nodes if "open" in node.states}
        inside = {node.parent for node in graph.nodes if node.relation == "in"}
        assert inside & closed
        assert inside & opened


def test_things_are_high_and_low(rooms):
    heights = np.array([[node.center[2] for node in SceneGraph.from_spec(room).things()][:40] for room in rooms])
    assert ((heights > 1.45).sum(axis=1) >= 3).all()
    assert ((heights < 0.4).sum(axis=1) >= 2).all()


def test_rooms_differ(rooms):
    themes = {("sofa" in labels, "bed" in labels) for labels in ({t.label for t in room.objects} for room in rooms)}
    assert len(themes) == 3
    assert len({room.bounds_max for room in rooms}) > 20


def test_a_negative_seed_is_refused():
    with pytest.raises(SceneError, match="seed -1"):
        generate_room(-1)
