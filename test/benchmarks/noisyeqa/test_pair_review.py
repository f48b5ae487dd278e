"""What is outlined in the goal pictures of a pair."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from vantage.benchmarks.labelling.claims import claimed_contents
from vantage.benchmarks.noisyeqa.pair_review import figures_of
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_truths
from vantage.benchmarks.sets.noisy_pairs import Pair, pairs_of
from vantage.config import CameraSettings
from vantage.scenes.graph.graph import SceneGraph
from vantage.splats.scene_file import load_graph
from vantage.types import NoiseType

FOV = CameraSettings().horizontal_fov
RECT = re.compile(
    r'<g class="(\w+)"><rect class="under" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>'
)
VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


@pytest.fixture(scope="module")
def shown(noisy_set: EpisodeSet) -> list[tuple[Pair, SceneGraph]]:
    pairs, _ = pairs_of(noisy_set, load_truths(noisy_set.folder, noisy_set.episodes))
    return [(pair, load_graph(noisy_set.scene_folder(pair.noisy.episode.scene))) for pair in pairs.values()]


def of_type(shown: list[tuple[Pair, SceneGraph]], latent: bool) -> list[tuple[Pair, SceneGraph]]:
    found = [item for item in shown if (item[0].noisy.gold.noise_type == NoiseType.LATENT) == latent]
    assert found
    return found


def boxes(text: str, style: str) -> list[tuple[float, ...]]:
    """Left, top, right and bottom, as shares of the picture."""
    size = VIEW_BOX.search(text)
    assert size is not None
    width, height = float(size[1]), float(size[2])
    found = [tuple(map(float, match[1:])) for match in RECT.findall(text) if match[0] == style]
    return [(x / width, y / height, (x + w) / width, (y + h) / height) for x, y, w, h in found]


def test_what_a_twin_is_about_is_outlined_in_the_middle_of_its_picture(
    noisy_set: EpisodeSet, shown: list[tuple[Pair, SceneGraph]]
) -> None:
    """Goals look as straight at it as steps of 30 degrees allow, in an image of 69 by 54 degrees."""
    for pair, graph in shown:
        text = figures_of(noisy_set, pair, graph)[-1].html(FOV)
        found = boxes(text, "about")
        assert len(found) == len(pair.clean.gold.target_instances)
        left, top = (min(box[k] for box in found) for k in (0, 1))
        right, bottom = (max(box[k] for box in found) for k in (2, 3))
        assert left < 0.75
        assert right > 0.25
        assert top < 0.8
        assert bottom > 0.2
        for key in pair.clean.gold.target_instances:
            assert f"{graph.node(key).label} {key}" in text


def test_where_something_is_missing_the_place_is_outlined_and_all_that_is_there(
    noisy_set: EpisodeSet, shown: list[tuple[Pair, SceneGraph]]
) -> None:
    for pair, graph in of_type(shown, latent=True):
        missed, _ = figures_of(noisy_set, pair, graph)
        text = missed.html(FOV)
        place = graph.node(pair.noisy.gold.target_instances[0])
        assert boxes(text, "place")
        assert f"place: {place.label} {place.instance_id}" in text
        assert not boxes(text, "about")
        there = {node.instance_id for node in claimed_contents(pair.noisy.gold, pair.clean.gold, graph)}
        outlined = {item.obj.instance_id for item in missed.outlines if item.style == "there"}
        assert outlined <= there
        assert there - outlined <= set(pair.noisy.gold.target_instances)


def test_one_viewpoint_is_one_picture(noisy_set: EpisodeSet, shown: list[tuple[Pair, SceneGraph]]) -> None:
    for pair, graph in of_type(shown, latent=False):
        figures = figures_of(noisy_set, pair, graph)
        assert len(figures) == (1 if pair.noisy.truth.goal == pair.clean.truth.goal else 2)
        looked_at = {graph.node(key).room for key in pair.clean.gold.target_instances}
        for figure in figures:
            assert all(item.obj.room in looked_at for item in figure.outlines), "no outline goes through a wall"


def test_a_picture_that_is_not_there_is_said_to_be_missing(
    noisy_set: EpisodeSet, shown: list[tuple[Pair, SceneGraph]]
) -> None:
    pair, graph = shown[0]
    lost = replace(pair.noisy, episode=replace(pair.noisy.episode, episode_id="nowhere"))
    text = figures_of(noisy_set, replace(pair, noisy=lost), graph)[0].html(FOV)
    assert "no picture" in text
    assert "<img" not in text


def test_names_are_escaped(noisy_set: EpisodeSet, shown: list[tuple[Pair, SceneGraph]]) -> None:
    pair, graph = shown[0]
    nodes = tuple(replace(node, label=f"<b>{node.label}") for node in graph.nodes)
    for figure in figures_of(noisy_set, pair, replace(graph, nodes=nodes)):
        assert "<b>" not in figure.html(FOV)
