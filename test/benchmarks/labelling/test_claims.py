"""Which places a claim can be checked at, and whether a camera gets to see them."""

from __future__ import annotations

import numpy as np
import pytest

from vantage.benchmarks.labelling.claims import (
    ClaimedPlace,
    claimed_contents,
    claimed_places,
    claimed_rooms,
    goal_truth,
)
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.noisy_pairs import noisy_pair
from vantage.questions.noise.pairing import NoisyPair
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType, TruthQuestion


@pytest.fixture(scope="module")
def graph() -> SceneGraph:
    return SceneGraph.from_spec(generate_home(3, 3, "home"))


def pairs_of(graph: SceneGraph, kind: NoiseType) -> list[NoisyPair]:
    facts, rng = Facts(graph), np.random.default_rng(1)
    return [pair for pair in (noisy_pair(facts, kind, rng) for _ in range(15)) if pair is not None]


def test_a_false_place_must_be_seen_nearly_whole(graph: SceneGraph) -> None:
    for pair in pairs_of(graph, NoiseType.POSITION):
        noisy, clean = pair.noisy.truth, pair.clean.truth
        places = claimed_places(noisy, clean, graph)
        extra = [target for target in noisy.target_instances if target not in clean.target_instances]
        assert extra
        assert {ClaimedPlace(target, True) for target in extra} <= set(places)
        assert goal_truth(noisy, clean).target_instances == clean.target_instances


def test_a_latent_object_is_looked_for_in_every_place_that_counts(graph: SceneGraph) -> None:
    for pair in pairs_of(graph, NoiseType.LATENT):
        noisy, clean = pair.noisy.truth, pair.clean.truth
        seen = goal_truth(noisy, clean).target_instances
        assert seen == noisy.target_instances[:1]
        places = claimed_places(noisy, clean, graph)
        assert set(noisy.target_instances[1:]) <= {place.instance_id for place in places if place.whole}


def test_what_carries_a_miscounted_group_must_be_seen(graph: SceneGraph) -> None:
    structure = {node.instance_id for node in graph.nodes if node.is_structure}
    found = 0
    for pair in pairs_of(graph, NoiseType.COUNT):
        places = {place.instance_id for place in claimed_places(pair.noisy.truth, pair.clean.truth, graph)}
        parents = {graph.node(target).parent for target in pair.clean.truth.target_instances}
        assert parents - structure - {0} <= places
        found += len(places)
    assert found


def test_rooms_that_are_named_are_found_in_the_program(graph: SceneGraph) -> None:
    label = graph.rooms[0].label
    program = f"count(filter(filter(scene(), 'label', 'mug'), 'room', '{label}'))"
    truth = TruthQuestion("q", "count", "2", program=program)
    assert claimed_rooms(truth, graph) == (label,)
    assert claimed_rooms(TruthQuestion("q", "count", "2", program=program.replace(label, "attic")), graph) == ()
    assert claimed_rooms(TruthQuestion("q", "count", "2"), graph) == ()


def test_what_is_at_a_claimed_place_is_all_that_is_at_it_and_never_what_is_claimed(graph: SceneGraph) -> None:
    found = 0
    for kind in (NoiseType.LATENT, NoiseType.POSITION):
        for pair in pairs_of(graph, kind):
            noisy, clean = pair.noisy.truth, pair.clean.truth
            there = claimed_contents(noisy, clean, graph)
            found += len(there)
            assert not any(node.is_structure for node in there)
            if kind == NoiseType.POSITION:
                assert not set(clean.target_instances) & {node.instance_id for node in there}
            rooms = claimed_rooms(noisy, graph)
            if noisy.false_claim.endswith(tuple(f"in the {room}" for room in rooms)):
                kinds = {room.room_id: room.label for room in graph.rooms}
                assert {kinds[node.room] for node in there} <= set(rooms)
    assert found


def test_where_nothing_is_missing_there_is_no_claimed_place_to_list(graph: SceneGraph) -> None:
    for pair in pairs_of(graph, NoiseType.COLOR):
        assert claimed_contents(pair.noisy.truth, pair.clean.truth, graph) == ()
