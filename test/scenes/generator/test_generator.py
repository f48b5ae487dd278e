from collections import Counter

import numpy as np
import pytest

from vantage.errors import SceneError
from vantage.scenes.checks.scene_checks import require_placement
from vantage.scenes.generator.generator import GENERATOR_VERSION, MIN_FREE_FLOOR, generate_home, shortcomings
from vantage.scenes.geometry.reachability import free_floor, parted_rooms
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.spec.spec_checks import check_spec
from vantage.scenes.spec.spec_file import save_spec


def objects(spec):
    return [obj for obj in spec.objects if not obj.is_structure]


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("a.json", "b.json"):
        save_spec(generate_home(11, 3, "home"), tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert generate_home(11) != generate_home(12)
    assert generate_home(11).generator_version == GENERATOR_VERSION
    assert generate_home(11).name == "home_11"


def test_the_global_random_state_plays_no_part():
    np.random.seed(1)
    first = generate_home(5, 2)
    np.random.seed(2)
    assert generate_home(5, 2) == first


def test_single_rooms_are_what_they_promise(rooms):
    for room in rooms:
        assert shortcomings(room) == ()
        counts = Counter(obj.label for obj in objects(room))
        assert len(counts) >= 20
        assert sum(count == 1 for count in counts.values()) >= 8
        assert counts["door"] == counts["window"] == 1
        assert free_floor(room, 1.2, 0.15) >= MIN_FREE_FLOOR
        labels = Counter(obj.label for obj in room.objects)
        assert (labels["floor"], labels["ceiling"], labels["wall"]) == (1, 1, 4)
    assert len({room.rooms[0].label for room in rooms}) == 3
    assert len({room.bounds_max for room in rooms}) > 8


def test_homes_have_the_rooms_that_were_asked_for_and_one_gets_everywhere(homes):
    for count, home in homes.items():
        check_spec(home)
        require_placement(home)
        assert len(home.rooms) == count
        assert parted_rooms(home) == ()
        labels = Counter(obj.label for obj in home.objects)
        assert (labels["floor"], labels["ceiling"], labels["wall"]) == (count, count, 4 * count)
        kinds = [room.label for room in home.rooms]
        assert ("hall" in kinds) == (count >= 4)
        if count >= 5:
            assert {"kitchen", "bathroom", "bedroom", "living room"} < set(kinds)
        low, high = np.array(home.bounds_min), np.array(home.bounds_max)
        np.testing.assert_allclose((low + high)[:2], 0.0, atol=0.03)
        assert (low[2], 2.5 <= high[2] <= 2.6) == (0.0, True)


def test_rooms_lead_to_each_other_through_passages_alone(homes):
    for home in homes.values():
        labels = {room.room_id: room.label for room in home.rooms}
        passages = [set(opening.rooms) for opening in home.openings if opening.kind != "window"]
        assert sum(0 in pair for pair in passages) == 1  # the entrance
        reached = {1}
        for _ in labels:
            through = {room for room in reached if room == 1 or labels[room] in ("hall", "living room", "kitchen")}
            reached |= {room for pair in passages if pair & through for room in pair - {0}}
        assert reached == set(labels)
        for opening in home.openings:
            size = np.subtract(opening.high, opening.low)
            if opening.kind != "window":
                assert 0.9 <= max(size[:2]) <= 1.0
                assert 2.0 <= size[2] <= 2.1


def test_larger_homes_hold_more_objects(homes):
    counts = {count: len(objects(home)) for count, home in homes.items()}
    assert 65 <= counts[4] <= 140
    assert 150 <= counts[10] <= 260
    assert len({obj.label for obj in objects(homes[10])}) >= 60


def test_ids_count_up_from_one_and_rooms_are_known(homes):
    for home in homes.values():
        assert [obj.instance_id for obj in home.objects] == list(range(1, len(home.objects) + 1))
        assert {obj.room for obj in home.objects} == {room.room_id for room in home.rooms}


def test_the_geometry_says_what_the_generator_meant(homes):
    """What the graph finds on, in and under objects agrees with where they were put."""
    for home in list(homes.values())[:4]:
        graph = SceneGraph.from_spec(home)
        differing = [
            obj.label
            for obj in objects(home)
            if (graph.node(obj.instance_id).relation, graph.node(obj.instance_id).parent) != (obj.relation, obj.parent)
        ]
        assert len(differing) <= 0.03 * len(objects(home)), differing


def test_homes_have_something_to_count_something_hidden_and_several_colors(rooms, homes):
    for home in (*rooms, *homes.values()):
        inside = {obj.parent for obj in home.objects if obj.relation == "in"}
        for state in ("open", "closed"):
            assert any(obj.instance_id in inside and state in obj.states for obj in home.objects)
        groups = Counter((obj.parent, obj.label) for obj in objects(home) if obj.parent)
        assert any(count >= 2 for count in groups.values())
        colors = {}
        for obj in objects(home):
            colors.setdefault(obj.label, set()).add(obj.color)
        assert any(len(words) > 1 for words in colors.values())


def test_seeds_differ():
    labels = [frozenset(obj.label for obj in objects(generate_home(seed, 5))) for seed in range(3)]
    assert len(set(labels)) == 3


@pytest.mark.parametrize(("seed", "rooms"), [(-1, 1), (0, 0), (0, 11), (0, -3)])
def test_impossible_requests_are_refused(seed, rooms):
    with pytest.raises(SceneError, match=r"seed -1|cannot have (0|11|-3) rooms; give a number from 1 to 10"):
        generate_home(seed, rooms)
