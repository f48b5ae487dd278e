"""Pairs of questions over many scenes: the noisy one is false, its twin is true, and nothing else could be meant."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from fitting import above, fitting, room_of, shut_in
from hand_made import hand_made

from vantage.config import RelationSettings
from vantage.errors import SceneError
from vantage.questions.execution import Truths, execute
from vantage.questions.generation.clean_questions import GeneratedQuestion, spoken
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import NUMBERS, STRUCTURE
from vantage.questions.lexicon.appearance import confusable
from vantage.questions.lexicon.related_kinds import may_be_called, related, semantic_neighbours
from vantage.questions.noise.clear_contrasts import called_either
from vantage.questions.noise.loose_reference import may_be_meant
from vantage.questions.noise.noisy_pairs import PAIRED_TYPES, noisy_pair
from vantage.questions.noise.pair_templates import FORMS, WORDINGS, Wording
from vantage.questions.noise.pairing import NoisyPair, PairScene
from vantage.questions.programs import program_text
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.procthor.house_import import load_procthor
from vantage.types import NoiseType

_OF_LOOKS = {NoiseType.COLOR: "color", NoiseType.MATERIAL: "material", NoiseType.SHAPE: "shape"}


# All of these are made once they are asked for: every process of a parallel run collects this file.
@cache
def homes() -> list[SceneGraph]:
    return [SceneGraph.from_spec(generate_home(seed, 1 + seed % 4)) for seed in range(10, 16)]


@cache
def facts() -> list[Facts]:
    """Of every scene."""
    return [Facts(graph) for graph in (*homes(), hand_made())]


@cache
def made(noise: NoiseType, wording: str = "test", count: int = 6) -> list[tuple[SceneGraph, NoisyPair]]:
    """Pairs of every scene."""
    pairs = []
    for each in facts():
        for k in range(count):
            pair = noisy_pair(each, noise, np.random.default_rng([3, k]), wording)
            if pair is not None:
                pairs.append((each.graph, pair))
    return pairs


def every_type() -> list[list[tuple[SceneGraph, NoisyPair]]]:
    return [made(noise) for noise in PAIRED_TYPES]


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_every_generated_home_gives_every_type(noise: NoiseType) -> None:
    pairs = Counter(graph.name for graph, _ in made(noise))
    if noise is NoiseType.MATERIAL:  # of which there are few that a look tells
        assert sum(graph.name in pairs for graph in homes()) >= 3
    elif noise is NoiseType.SHAPE:  # one home has none that a look tells
        assert sorted(pairs[graph.name] for graph in homes())[1:] == [6] * (len(homes()) - 1)
    else:
        assert all(pairs[graph.name] == 6 for graph in homes())


def test_a_false_material_is_one_that_a_look_tells_from_the_true_one() -> None:
    for graph, pair in made(NoiseType.MATERIAL):
        thing = graph.node(pair.clean.truth.target_instances[0])
        assert (thing.material, thing.color) == ("wood", "brown"), pair.noisy.text
        assert "plastic" not in pair.noisy.truth.false_claim
        assert pair.clean.truth.kind not in ("color", "material")


def test_toys_are_not_spoken_of_by_the_names_of_what_they_show() -> None:
    texts = [half.text for pairs in every_type() for _, pair in pairs for half in halves(pair)]
    assert not [text for text in texts if re.search(r"\b(car|bear)s?\b", text)]


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_the_premise_is_false_and_that_of_the_twin_is_true(noise: NoiseType) -> None:
    for graph, pair in made(noise):
        assert len(fitting(pair.true.objects, graph)) == pair.true.number
        assert len(fitting(pair.false.objects, graph)) != pair.false.number
        assert len(fitting(pair.false.objects, graph, hidden=True)) != pair.false.number
        assert pair.true.holds(graph)
        assert not pair.false.holds(graph)
        assert not pair.false.holds(graph, hidden=True)
        assert fitting(pair.true.objects, graph) == set(pair.clean.truth.target_instances)


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_gold_data_are_complete(noise: NoiseType) -> None:
    for graph, pair in made(noise):
        noisy, clean = pair.noisy.truth, pair.clean.truth
        assert not noisy.premise_holds
        assert noisy.noise_type is noise
        assert clean.premise_holds
        assert clean.noise_type is NoiseType.NONE
        assert noisy.false_claim
        assert noisy.correction
        assert noisy.false_claim != noisy.correction
        assert pair.noisy.text != pair.clean.text
        assert noisy.kind == clean.kind
        assert not clean.false_claim
        assert noisy.target_instances
        if noise is NoiseType.LATENT:
            assert (noisy.answer, noisy.accepted, noisy.corrected_question) == ("", (), "")
        else:
            assert (noisy.answer, noisy.accepted) == (clean.answer, clean.accepted)
            assert noisy.corrected_question == pair.clean.text
            assert set(clean.target_instances) <= set(noisy.target_instances)
        for target in noisy.target_instances:
            node = graph.node(target)
            assert node.label not in STRUCTURE
            assert not shut_in(node, graph)


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_programs_agree_with_the_gold_data(noise: NoiseType) -> None:
    for graph, pair in made(noise):
        if pair.clean.program is None:
            assert pair.true.number > 1
        else:
            outcome = execute(pair.clean.program, graph)
            assert pair.clean.truth.program == program_text(pair.clean.program)
            assert outcome.value is not None
            assert spoken(outcome.value) == pair.clean.truth.answer
        if pair.noisy.program is None:
            assert pair.false.number > 1
        else:
            assert pair.noisy.truth.program == program_text(pair.noisy.program)
            assert execute(pair.noisy.program, graph).problem == "none"


@pytest.mark.parametrize("noise", list(_OF_LOOKS))
def test_looks_are_claimed_that_no_such_object_has(noise: NoiseType) -> None:
    attribute = _OF_LOOKS[noise]
    for graph, pair in made(noise):
        (obj,) = (graph.node(key) for key in pair.noisy.truth.target_instances)
        claimed, right = (text.split()[-1] for text in (pair.noisy.truth.false_claim, pair.noisy.truth.correction))
        assert right == getattr(obj, attribute)
        assert claimed not in {getattr(node, attribute) for node in graph.nodes if node.label == obj.label}


def test_colors_and_materials_that_look_alike_are_not_called_false() -> None:
    alike = {("red", "orange"), ("gray", "black"), ("glass", "ceramic"), ("fabric", "leather"), ("purple", "blue")}
    for noise in _OF_LOOKS:
        for _, pair in made(noise):
            values = pair.noisy.truth.false_claim.split()[-1], pair.noisy.truth.correction.split()[-1]
            assert values not in alike
            assert values[::-1] not in alike


def test_counts_are_those_of_all_objects_of_a_kind_in_a_place() -> None:
    for graph, pair in made(NoiseType.COUNT):
        targets = [graph.node(key) for key in pair.noisy.truth.target_instances]
        alike = [node for node in graph.nodes if node.label == targets[0].label]
        in_room = [node for node in alike if node.room == targets[0].room]
        at_place = [node for node in alike if node.parent == targets[0].parent]
        assert targets in (in_room, at_place, alike)
        claimed, right = pair.noisy.truth.false_claim.split()[2], pair.noisy.truth.correction.split()[2]
        assert NUMBERS.index(right) == len(targets)
        assert NUMBERS.index(claimed) != len(targets)
        assert pair.false.number == NUMBERS.index(claimed)


def test_what_is_misplaced_is_not_where_it_is_said_to_be() -> None:
    for graph, pair in made(NoiseType.POSITION):
        obj, *claimed = (graph.node(key) for key in pair.noisy.truth.target_instances)
        assert claimed
        for place in claimed:
            assert place not in above(obj, graph)
        said = pair.noisy.truth.false_claim.split(" is ")[1]
        if said == f"in the {room_of(claimed[0], graph)}":
            assert room_of(obj, graph) != room_of(claimed[0], graph)
            there = [node for node in graph.nodes if node.room == claimed[0].room]
        else:
            there = [node for node in graph.nodes if claimed[0] in above(node, graph)]
        assert not any(related(node.label, obj.label) for node in there)


def test_latent_things_are_nowhere_and_nothing_there_is_like_them() -> None:
    for graph, pair in made(NoiseType.LATENT):
        noun = innermost(pair.false.objects)
        assert noun in pair.noisy.text
        assert not any(may_be_called(node.label, noun) or may_be_called(noun, node.label) for node in graph.nodes)
        for key in pair.noisy.truth.target_instances:
            for node in graph.nodes:
                if graph.node(key) in above(node, graph):
                    assert not related(noun, node.label)
                    assert noun not in confusable(node.label)


@pytest.mark.parametrize("noise", [NoiseType.PERCEPTION, NoiseType.SEMANTIC])
def test_only_the_object_itself_can_be_meant_by_the_wrong_name(noise: NoiseType) -> None:
    for graph, pair in made(noise):
        (obj,) = (graph.node(key) for key in pair.noisy.truth.target_instances)
        noun = innermost(pair.false.objects)
        if noise is NoiseType.PERCEPTION:
            assert noun in confusable(obj.label) or obj.label in confusable(noun)
        else:
            ends = [{near.label for near in semantic_neighbours(label)} for label in (obj.label, noun)]
            assert noun in ends[0] or obj.label in ends[1]
        assert not may_be_called(obj.label, noun)
        assert not any(node.label == noun for node in graph.nodes)
        for label in {node.label for node in graph.nodes} - set(STRUCTURE) - {obj.label}:
            if related(label, noun):
                assert not fitting(renamed(pair.false.objects, label), graph, hidden=True)


@pytest.mark.parametrize("noise", [NoiseType.PERCEPTION, NoiseType.SEMANTIC])
def test_a_wrong_name_is_none_that_people_use_for_such_a_object(noise: NoiseType) -> None:
    for graph, pair in made(noise):
        noun = innermost(pair.false.objects)
        assert not any(called_either(noun, node.label) for node in graph.nodes)
        assert not re.search(
            rf"\b(large|small) (\w+ )*{noun}\b", pair.noisy.text
        )  # than other objects of its true kind


def test_questions_need_a_look() -> None:
    """What is asked does not follow from the name of the object, nor from that by which it is called falsely."""
    for pairs in every_type():
        for graph, pair in pairs:
            truth = pair.clean.truth
            looks = PairScene(Facts(graph), np.random.default_rng(0)).looks
            if truth.kind in ("color", "material", "shape"):
                assert looks.leaves_open(graph.node(truth.target_instances[0]).label, truth.kind), pair.clean.text
                assert looks.leaves_open(innermost(pair.false.objects), truth.kind), pair.noisy.text


def test_nothing_else_can_be_meant_by_either_question() -> None:
    for pairs in every_type():
        for graph, pair in pairs:
            truths = [Truths(graph, RelationSettings(), hidden) for hidden in (False, True)]
            assert may_be_meant(pair.true.objects, truths[0]) == set(pair.clean.truth.target_instances)
            meant = may_be_meant(pair.false.objects, truths[1])
            assert len(meant) != pair.false.number
            assert not meant or pair.false.number > 1


def test_no_name_rests_on_a_state_that_is_hard_to_see() -> None:
    for noise in (*_OF_LOOKS, NoiseType.POSITION, NoiseType.PERCEPTION, NoiseType.SEMANTIC):
        for _, pair in made(noise):
            if pair.clean.truth.kind != "state":
                assert not re.search(r"\b(dirty|clean|empty|full|open|closed|large|small)\b", pair.clean.text)


def test_questions_with_yes_or_no_have_both_answers() -> None:
    answers = Counter(pair.clean.truth.answer for pairs in every_type() for _, pair in pairs)
    total = sum(len(pairs) for pairs in every_type())
    both = answers["yes"] + answers["no"]
    assert 0.15 < both / total < 0.6
    assert 0.3 < answers["yes"] / both < 0.7


def test_a_false_asked_part_is_no_false_premise() -> None:
    """Of a clean question that is answered by no, everything but the asked part is true."""
    denied = [pair for pairs in every_type() for _, pair in pairs if pair.clean.truth.answer == "no"]
    assert denied
    assert all(pair.clean.truth.premise_holds and not pair.clean.truth.correction for pair in denied)


@pytest.mark.parametrize("wording", WORDINGS)
def test_both_halves_are_worded_by_one_template_of_the_group(wording: Wording) -> None:
    templates = [re.compile(_as_pattern(form)) for forms in FORMS[wording].values() for form in forms]
    for noise in PAIRED_TYPES:
        for each in facts()[:2]:
            drawn = (noisy_pair(each, noise, np.random.default_rng(k), wording) for k in range(8))
            pair = next(found for found in drawn if found is not None)
            noisy, clean = (
                {k for k, form in enumerate(templates) if form.fullmatch(half.text)} for half in halves(pair)
            )
            assert noisy & clean


@pytest.mark.parametrize("house", [1, 3])
def test_imported_houses_give_every_type(house: int, data_folder: Path) -> None:
    spec = load_procthor(data_folder / "procthor-houses" / "dev.jsonl.gz", house)
    graph = SceneGraph.from_spec(spec)
    for noise in PAIRED_TYPES:
        facts = Facts(graph)
        tries = (noisy_pair(facts, noise, np.random.default_rng(k)) for k in range(6))
        pair = next((found for found in tries if found is not None), None)
        if pair is None:
            assert (noise, house) == (NoiseType.MATERIAL, 3), "nothing in it is of a material that a look tells"
            continue
        assert len(fitting(pair.true.objects, graph)) == pair.true.number
        assert len(fitting(pair.false.objects, graph, hidden=True)) != pair.false.number


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_the_same_seed_gives_the_same_pair(noise: NoiseType) -> None:
    again = noisy_pair(Facts(homes()[0]), noise, np.random.default_rng([3, 2]))
    assert again == noisy_pair(facts()[0], noise, np.random.default_rng([3, 2]))


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_a_graph_without_looks_gives_only_what_needs_none(noise: NoiseType) -> None:
    plain = [replace(node, color="", material="", shape="", text="", states=()) for node in hand_made().nodes]
    graph = replace(hand_made(), nodes=tuple(plain))
    pairs = [noisy_pair(Facts(graph), noise, np.random.default_rng(k)) for k in range(4)]
    assert not any(pair is not None and pair.clean.truth.kind in ("color", "material", "shape") for pair in pairs)
    if noise in _OF_LOOKS:
        assert pairs == [None] * 4


@pytest.mark.parametrize("noise", PAIRED_TYPES)
def test_an_empty_graph_gives_nothing(noise: NoiseType) -> None:
    for nodes in ((), hand_made().nodes[:2]):
        graph = replace(hand_made(), nodes=nodes)
        assert noisy_pair(Facts(graph), noise, np.random.default_rng(0)) is None


@pytest.mark.parametrize("noise", [NoiseType.NONE, NoiseType.UNKNOWN])
def test_refuses_types_that_are_no_noise(noise: NoiseType) -> None:
    with pytest.raises(SceneError, match=noise.name):
        noisy_pair(Facts(hand_made()), noise, np.random.default_rng(0))


def test_refuses_unknown_wordings() -> None:
    with pytest.raises(SceneError, match="dev, test"):
        noisy_pair(Facts(homes()[0]), NoiseType.COLOR, np.random.default_rng(0), "train")  # type: ignore[arg-type]


def halves(pair: NoisyPair) -> tuple[GeneratedQuestion, GeneratedQuestion]:
    return pair.noisy, pair.clean


def _as_pattern(form: str) -> str:
    """A template in which every gap takes any words."""
    return "".join(".+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", form))


def innermost(objects) -> str:
    while not hasattr(objects, "value") or objects.attribute != "label":
        objects = objects.objects
    return objects.value


def renamed(objects, noun):
    if getattr(objects, "attribute", "") == "label":
        return replace(objects, value=noun)
    return replace(objects, objects=renamed(objects.objects, noun))
