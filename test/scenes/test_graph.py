import json
from dataclasses import replace

import numpy as np
import pytest

from vantage.errors import FormatError, SceneError
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import object_bounds


def test_a_graph_says_what_its_specification_says(rooms):
    spec = rooms[1]
    graph = SceneGraph.from_spec(spec)
    assert len(graph.nodes) == len(spec.objects)
    for thing in spec.objects:
        node = graph.node(thing.instance_id)
        assert (node.label, node.color, node.material) == (thing.label, thing.color, thing.material)
        assert (node.relation, node.parent, node.states) == (thing.relation, thing.parent, thing.states)
        assert (node.bounds_min, node.bounds_max) == object_bounds(thing)
        assert all(
            low <= value <= high for low, value, high in zip(node.bounds_min, node.center, node.bounds_max, strict=True)
        )


def test_look_up_by_label_and_relation(rooms):
    graph = SceneGraph.from_spec(rooms[2])
    cabinet = graph.by_label("cabinet")[0]
    inside, all_children = graph.children(cabinet.instance_id, "in"), graph.children(cabinet.instance_id)
    assert inside
    assert {node.relation for node in inside} == {"in"}
    assert set(inside) <= set(all_children)
    assert all(node.parent == cabinet.instance_id for node in all_children)
    assert graph.by_label("zebra") == ()
    assert graph.children(0) == ()
    assert len(graph.things()) == len(graph.nodes) - 6
    with pytest.raises(SceneError, match="no object 4711"):
        graph.node(4711)


def test_a_graph_survives_its_file_to_the_micrometre(rooms, tmp_path):
    graph = SceneGraph.from_spec(rooms[3])
    graph.save(tmp_path / "graph.json")
    loaded = SceneGraph.load(tmp_path / "graph.json")
    assert [replace(node, bounds_min=(), bounds_max=()) for node in loaded.nodes] == [
        replace(node, bounds_min=(), bounds_max=()) for node in graph.nodes
    ]
    for one, two in zip(loaded.nodes, graph.nodes, strict=True):
        np.testing.assert_allclose(one.bounds_min + one.bounds_max, two.bounds_min + two.bounds_max, atol=1e-6)
    assert SceneGraph.from_json(loaded.to_json()) == loaded


@pytest.mark.parametrize(
    ("node", "change", "error", "words"),
    [
        (1, {"id": 1}, SceneError, "twice"),
        (1, {"id": 0}, SceneError, "not positive"),
        (1, {"parent": 99, "relation": "on"}, SceneError, "does not exist"),
        (1, {"parent": 2, "relation": "on"}, SceneError, "its own parent"),
        (1, {"bounds_min": [9, 9, 9]}, SceneError, "exchange them"),
        (1, {"bounds_max": [1, 1, float("nan")]}, FormatError, "finite"),
        (1, {"bounds_min": [1, 1]}, FormatError, "3 numbers"),
        (1, {"label": ""}, SceneError, "no label"),
        (1, {"label": None}, FormatError, "text"),
        (1, {"states": "open"}, FormatError, "list of words"),
    ],
)
def test_wrong_graphs_are_refused_in_one_sentence(block, sample, node, change, error, words):
    graph = SceneGraph.from_spec(sample(block(1, (0, 0, 0), (1, 1, 1)), block(2, (1.5, 0, 0), (0.2, 0.2, 0.2))))
    document = json.loads(json.dumps(graph.to_json()))
    document["nodes"][node].update(change)
    with pytest.raises(error, match=words) as caught:
        SceneGraph.from_json(document)
    assert "\n" not in str(caught.value)


def test_a_specification_is_no_graph(rooms):
    with pytest.raises(FormatError, match="schema"):
        SceneGraph.from_json(rooms[0].to_json())
