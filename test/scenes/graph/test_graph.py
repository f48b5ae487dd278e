import json
import math
from dataclasses import replace

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import FormatError, SceneError
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.spec.spec import Joint, ObjectSpec, Part, RoomSpec, SceneSpec, object_bounds
from vantage.scenes.spec.spec_file import spec_to_json

KITCHEN = RoomSpec(1, "kitchen", ((0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)), 2.5)
HALL = RoomSpec(2, "hall", ((3.1, 0.0), (5.0, 0.0), (5.0, 3.0), (3.1, 3.0)), 2.5)


def block(instance_id, label, at, size, **fields):
    """A box that stands on its base at ``at``."""
    part = Part("box", (0.0, 0.0, 0.5 * size[2]), size, (0.8, 0.1, 0.1))
    return replace(ObjectSpec(instance_id, label, "red", "wood", at, 0.0, (part,)), **fields)


@pytest.fixture
def home():
    drawer = Part("box", (0.1, 0.0, 0.5), (0.5, 0.5, 0.2), (0.8, 0.1, 0.1), name="drawer")
    objects = (
        block(1, "floor", (1.5, 1.5, -0.1), (3.0, 3.0, 0.1), room=1),
        block(2, "wall", (1.5, 3.05, 0.0), (3.0, 0.1, 2.5), room=1),
        block(3, "table", (1.0, 1.0, 0.0), (0.8, 0.8, 0.7), shape="square", mass=20.0),
        block(4, "mug", (1.0, 1.0, 0.7), (0.1, 0.1, 0.1), states=("full", "dirty"), relation="in", parent=5, room=2),
        block(5, "chest", (4.0, 1.0, 0.0), (0.5, 0.5, 0.4), room=2, states=("closed",)),
        block(6, "door", (3.05, 1.5, 0.0), (0.1, 0.9, 2.0), room=2),
    )
    slide = Joint("drawer", "slide", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.3, 0.0)
    desk = replace(objects[4], parts=(*objects[4].parts, drawer), joints=(slide,))
    desk = replace(desk, parts=(replace(desk.parts[0], text="Toys"), drawer))
    return SceneSpec("home", 0, 2, (0.0, 0.0, 0.0), (5.0, 3.0, 2.5), (*objects[:4], desk, objects[5]), (KITCHEN, HALL))


def test_words_come_from_the_specification(home):
    graph = SceneGraph.from_spec(home)
    assert [node.instance_id for node in graph.nodes] == [obj.instance_id for obj in home.objects]
    for obj in home.objects:
        node = graph.node(obj.instance_id)
        assert (node.label, node.color, node.material) == (obj.label, obj.color, obj.material)
        assert (node.states, node.shape, node.mass) == (obj.states, obj.shape, obj.mass)
        assert (node.text, node.parts) == (obj.text, obj.part_names)
        assert (node.bounds_min, node.bounds_max) == object_bounds(obj)
        assert all(a <= x <= b for a, x, b in zip(node.bounds_min, node.center, node.bounds_max, strict=True))
    assert graph.node(5).parts == ("body", "drawer")
    assert graph.node(5).text == "Toys"


def test_places_and_rooms_come_from_the_geometry(home):
    graph = SceneGraph.from_spec(home)
    assert (graph.node(4).relation, graph.node(4).parent) == ("on", 3)
    assert {node.label: node.room for node in graph.nodes} == {
        "floor": 1,
        "wall": 1,
        "table": 1,
        "mug": 1,
        "chest": 2,
        "door": 2,  # between two rooms, in that which the specification says
    }


def test_look_up_by_label_and_relation(home):
    graph = SceneGraph.from_spec(home)
    assert graph.children(3, "on") == graph.children(3) == (graph.node(4),)
    assert graph.children(3, "in") == ()
    assert graph.children(0) == ()
    assert graph.by_label("zebra") == ()
    assert [node.label for node in graph.objects()] == ["table", "mug", "chest", "door"]
    with pytest.raises(SceneError, match="no object 4711"):
        graph.node(4711)


def test_a_graph_survives_its_file_to_the_micrometre(home, tmp_path):
    graph = SceneGraph.from_spec(home)
    graph.save(tmp_path / "graph.json")
    loaded = SceneGraph.load(tmp_path / "graph.json")
    assert loaded.rooms == graph.rooms
    assert [replace(node, bounds_min=(), bounds_max=()) for node in loaded.nodes] == [
        replace(node, bounds_min=(), bounds_max=()) for node in graph.nodes
    ]
    for one, two in zip(loaded.nodes, graph.nodes, strict=True):
        np.testing.assert_allclose(one.bounds_min + one.bounds_max, two.bounds_min + two.bounds_max, atol=1e-6)
    assert SceneGraph.from_json(loaded.to_json()) == loaded


@each_row(
    "change, error, words",
    [
        ({"id": 1}, SceneError, r"instance id 1 \(mug\) twice"),
        ({"id": 0}, SceneError, "not positive"),
        ({"id": 10**12}, SceneError, "give one up to 2147483647"),
        ({"room": 2}, SceneError, "said to be in room 2 and its box is in room 1"),
        ({"parent": 5}, SceneError, "on chest 5, but their boxes are 2.70 m apart"),
        ({"relation": "in", "bounds_min": [0, 0, 0], "bounds_max": [3, 3, 2]}, SceneError, "box is not inside"),
        ({"bounds_min": [1, 1, 0.7], "bounds_max": [1.1, 1.1, 900]}, SceneError, "897.50 m beyond the bounds"),
        ({"label": "Mug"}, SceneError, "without spare blanks: 'mug'"),
        ({"label": "mug "}, SceneError, "without spare blanks: 'mug'"),
        ({"id": "4"}, FormatError, "must be an integer"),
        ({"parent": 99, "relation": "on"}, SceneError, "object 99, which does not exist"),
        ({"parent": 4, "relation": "on"}, SceneError, "its own parent"),
        ({"parent": 0, "relation": "on"}, SceneError, "give both or none"),
        ({"parent": 3, "relation": ""}, SceneError, "give both or none"),
        ({"relation": "behind"}, SceneError, "unknown relation 'behind'"),
        ({"bounds_min": [9, 9, 9]}, SceneError, "exchange them"),
        ({"bounds_max": [1, 1, math.nan]}, FormatError, "finite"),
        ({"bounds_min": [1, 1]}, FormatError, "3 values"),
        ({"label": ""}, SceneError, "no label"),
        ({"label": None}, FormatError, "text"),
        ({"label": "wall"}, SceneError, "part of the building"),
        ({"states": "open"}, FormatError, "must be a list, got 'open'"),
        ({"states": ["open", "closed"]}, SceneError, "both open and closed"),
        ({"states": ["full", "dirty", "full"]}, SceneError, "state twice"),
        ({"parts": ["body", "body"]}, SceneError, "part twice"),
        ({"parts": ["body", ""]}, SceneError, "without a name"),
        ({"room": 7}, SceneError, "room 7, which does not exist"),
        ({"room": 1.5}, FormatError, "integer"),
        ({"mass": -1}, SceneError, "mass of -1"),
        ({"mass": math.inf}, FormatError, "finite"),
        ({"mass": "heavy"}, FormatError, "finite number"),
    ],
)
def test_a_node_edited_by_hand_is_refused_in_one_sentence(home, change, error, words):
    document = json.loads(json.dumps(SceneGraph.from_spec(home).to_json()))
    assert SceneGraph.from_json(document).node(4).label == "mug"
    document["nodes"][3].update(change)
    with pytest.raises(error, match=words) as caught:
        SceneGraph.from_json(document)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"rooms": []}, SceneError, "room 1, which does not exist"),
        ({"rooms": 3}, FormatError, "must be a list"),
        ({"noodles": []}, FormatError, "unknown key 'noodles'; did you mean 'nodes'"),
        ({"nodes": {}}, FormatError, "must be a list"),
        ({"bounds_min": [0, 0, 9]}, SceneError, "exchange them"),
        ({"name": 3}, FormatError, "text"),
        ({"version": 1}, FormatError, "version 1"),
    ],
)
def test_a_graph_edited_by_hand_is_refused_in_one_sentence(home, change, error, words):
    document = json.loads(json.dumps(SceneGraph.from_spec(home).to_json())) | change
    with pytest.raises(error, match=words) as caught:
        SceneGraph.from_json(document)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": 2}, "room 2 twice"),
        ({"id": 0}, "positive id"),
        ({"label": ""}, "label"),
        ({"outline": [[0, 0], [1, 0]]}, "at least 3 corners"),
        ({"outline": [[0, 0], [0, 3], [3, 3], [3, 0]]}, "counter-clockwise"),
        ({"outline": [[0, 0], [2, 2], [2, 0], [0, 1.5], [-1, 0.5]]}, "cross each other"),
        ({"height": 0}, "give a height"),
        ({"label": "Kitchen"}, "without spare blanks: 'kitchen'"),
        ({"outline": [[0, 0], [4, 0], [4, 3], [0, 3]]}, "overlap"),
    ],
)
def test_a_room_edited_by_hand_is_refused_in_one_sentence(home, change, words):
    document = json.loads(json.dumps(SceneGraph.from_spec(home).to_json()))
    document["rooms"][0].update(change)
    with pytest.raises(SceneError, match=words):
        SceneGraph.from_json(document)


def test_a_scene_without_objects_has_an_empty_graph(home):
    graph = SceneGraph.from_spec(replace(home, objects=()))
    graph.check()
    assert graph.nodes == ()


def test_graphs_of_generated_homes_are_sound(homes):
    for home in (homes[4], homes[7]):
        SceneGraph.from_spec(home).check()


def test_a_specification_is_no_graph(home):
    with pytest.raises(FormatError, match="schema"):
        SceneGraph.from_json(spec_to_json(home))
