"""A graph that disagrees with its cloud is found, on writing and on reading."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from small_room import BOX_ID, HIGH, LOW, PILLAR_ID, small_room

from vantage.errors import SceneError
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import save_ply
from vantage.splats.scene import check_graph
from vantage.splats.scene_file import load_scene, save_scene


def with_node(graph: SceneGraph, node: GraphNode) -> SceneGraph:
    kept = [entry for entry in graph.nodes if entry.instance_id != node.instance_id]
    return dataclasses.replace(graph, nodes=(*kept, node))


def check(graph: SceneGraph, cloud: GaussianCloud) -> None:
    check_graph(graph, cloud, LOW, HIGH, "room")


def test_a_right_graph_passes() -> None:
    cloud, graph = small_room()
    check(graph, cloud)


def test_a_few_floaters_pass() -> None:
    cloud, graph = small_room()
    box = np.flatnonzero(cloud.instances == BOX_ID)
    cloud.means[box[:2]] += 1.0
    assert len(box) > 200
    check(graph, cloud)


def test_a_cloud_without_instances_is_compared_by_bounds_alone() -> None:
    cloud, graph = small_room()
    bare = dataclasses.replace(cloud, instances=np.zeros(len(cloud)))
    check(graph, bare)
    far = with_node(graph, GraphNode(9, "moon", "", "", (90, 0, 0), (91, 1, 1)))
    with pytest.raises(SceneError, match=r"'moon' .id 9. of the graph lies far outside the bounds"):
        check(far, bare)


def test_ids_that_the_graph_lacks() -> None:
    cloud, graph = small_room()
    lacking = dataclasses.replace(graph, nodes=graph.nodes[:-2])
    with pytest.raises(SceneError, match="room: 2 instance ids of the cloud are not in the graph, such as 7"):
        check(lacking, cloud)


def test_objects_without_gaussians() -> None:
    cloud, graph = small_room()
    more = with_node(graph, GraphNode(9, "ghost", "", "", (1, 1, 1), (2, 2, 2)))
    with pytest.raises(SceneError, match=r"'ghost' .id 9. of the graph has no Gaussians"):
        check(more, cloud)


def test_boxes_that_lie_elsewhere() -> None:
    cloud, graph = small_room()
    moved = with_node(graph, dataclasses.replace(graph.node(PILLAR_ID), bounds_min=(3, 2, 0), bounds_max=(3.2, 2.2, 2)))
    with pytest.raises(SceneError, match=r"100% of the Gaussians of 'pillar' \(id 8\) lie more than 0.1 m outside"):
        check(moved, cloud)


def test_reading_and_writing_check(tmp_path: Path) -> None:
    cloud, graph = small_room()
    with pytest.raises(SceneError, match="no Gaussians"):
        save_scene(tmp_path / "a", None, graph, cloud.select(cloud.instances != BOX_ID))
    assert not (tmp_path / "a").exists()
    folder = save_scene(tmp_path / "b", None, graph, cloud)
    save_ply(cloud.select(cloud.instances != BOX_ID), folder / "cloud.ply")
    with pytest.raises(SceneError, match=r"scene\.yaml: 'box' .id 7. of the graph has no Gaussians"):
        load_scene(folder)
