"""Validation of a set about false premises: a sound one passes, and each kind of damage is noticed.

Pairs of gold data, and every way in which they can be wrong.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_noisyeqa import small_noisyeqa

from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems, paper_mix
from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.benchmarks.sets.noisy_pairs import PAPER, numbers_of
from vantage.errors import FormatError
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.noisy_pairs import noisy_pair
from vantage.questions.noise.pairing import NoisyPair
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.splats.scene_file import load_graph
from vantage.types import NoiseType

TYPES = [kind for kind in NoiseType if kind not in (NoiseType.NONE, NoiseType.UNKNOWN)]


@pytest.fixture(scope="module")
def graph() -> SceneGraph:
    return SceneGraph.from_spec(generate_home(3, 3, "home"))


@pytest.fixture(scope="module")
def pairs(graph: SceneGraph) -> dict[NoiseType, list[NoisyPair]]:
    facts, rng = Facts(graph), np.random.default_rng(5)
    made = {kind: [noisy_pair(facts, kind, rng) for _ in range(12)] for kind in TYPES}
    return {kind: [pair for pair in found if pair is not None] for kind, found in made.items()}


def problems(pair: NoisyPair, graph: SceneGraph, noisy: Any = None, clean: Any = None, text: str = "") -> str:
    first, second = replace(pair.noisy.truth, **(noisy or {})), replace(pair.clean.truth, **(clean or {}))
    return "\n".join(pair_problems(first, second, text or pair.clean.text, graph))


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_pairs_of_every_type_are_sound(
    kind: NoiseType, pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph
) -> None:
    assert len(pairs[kind]) >= 6
    for pair in pairs[kind]:
        assert problems(pair, graph) == "", pair.noisy.text


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_claims_the_other_way_round_are_noticed(
    kind: NoiseType, pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph
) -> None:
    for pair in pairs[kind] if kind != NoiseType.LATENT else ():
        truth = pair.noisy.truth
        assert "is true" in problems(pair, graph, {"false_claim": truth.correction, "correction": truth.false_claim})


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != NoiseType.LATENT], ids=lambda kind: kind.name)
def test_a_correction_that_says_something_else_is_noticed(
    kind: NoiseType, pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph
) -> None:
    for pair in pairs[kind]:
        found = problems(pair, graph, {"correction": "there is a zebra"})
        assert "does not say" in found or "does not name" in found


@pytest.mark.parametrize(
    ("noisy", "clean", "words"),
    [
        ({"answer": "mauve"}, {}, "its twin by"),
        ({"corrected_question": "What?"}, {}, "is not the twin"),
        ({"kind": "superlative"}, {}, "of kind 'superlative'"),
        ({"false_claim": ""}, {}, "needs a false claim"),
        ({"correction": ""}, {}, "needs a false claim"),
        ({"program": ""}, {}, "nobody can tell whether the premise fails"),
        ({"program": "count(scene())"}, {}, "the premise holds"),
        ({"program": "count(scn())"}, {}, "unknown step 'scn'"),
        ({"premise_holds": True}, {}, "is said to have a true premise"),
        ({"target_instances": ()}, {}, "about different things"),
        ({"target_instances": (99999,)}, {}, "99999"),
        ({}, {"answer": "mauve"}, "the clean half is wrong: the answer is 'mauve'"),
        ({}, {"premise_holds": False}, "is said to have a false premise"),
        ({}, {"target_instances": (99999,)}, "99999"),
        ({}, {"program": ""}, "needs a program, or several targets"),
    ],
)
def test_contradictions_are_noticed(
    pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph, noisy: Any, clean: Any, words: str
) -> None:
    assert words in problems(pairs[NoiseType.COLOR][0], graph, noisy, clean)


def test_a_latent_question_has_no_answer(pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph) -> None:
    assert "has no answer" in problems(pairs[NoiseType.LATENT][0], graph, {"answer": "red"})


def test_what_is_there_is_no_hallucination(pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph) -> None:
    pair = pairs[NoiseType.LATENT][0]
    there = pair.clean.truth
    label = graph.node(there.target_instances[0]).label
    found = problems(pair, graph, {"program": there.program, "false_claim": f"there is a {label} in the attic"})
    assert f"the scene does hold a {label}" in found
    assert "the premise holds" in found


def test_groups_are_checked_without_a_program(pairs: dict[NoiseType, list[NoisyPair]], graph: SceneGraph) -> None:
    groups = [pair for pair in pairs[NoiseType.COUNT] if len(pair.clean.truth.target_instances) > 1]
    assert groups
    for pair in groups:
        truth = pair.clean.truth
        alone = truth.target_instances[:1]
        assert "several targets of one kind" in problems(
            pair, graph, {"target_instances": alone}, {"target_instances": alone}
        )
        assert "does not speak of" in problems(
            pair, graph, {"corrected_question": "What color are they?"}, text="What color are they?"
        )
        other = "no" if truth.answer == "yes" else "yes" if truth.answer == "no" else "mauve"
        if truth.kind != "state":
            assert "the answer is" in problems(pair, graph, {"answer": other}, {"answer": other})


Lines = list[dict[str, Any]]


@pytest.fixture
def copied(noisy_set: EpisodeSet, tmp_path: Path) -> Path:
    shutil.copytree(noisy_set.folder, tmp_path / "copy")
    return tmp_path / "copy"


def edited(path: Path, change: Callable[[Lines], Any]) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def problems_of(folder: Path) -> str:
    return "\n".join(small_noisyeqa().validate(folder, workers=1))


def of(noise: str) -> Callable[[Lines], dict[str, Any]]:
    """The question with the first noise of a type."""
    return lambda lines: next(line["questions"][0] for line in lines if line["questions"][0]["noise_type"] == noise)


def test_a_sound_set_is_valid_whatever_the_workers(noisy_set: EpisodeSet) -> None:
    assert small_noisyeqa().validate(noisy_set.folder, workers=1) == []
    assert small_noisyeqa().validate(noisy_set.folder, workers=2) == []


def test_gold_data_that_contradict_the_scene_are_noticed(copied: Path) -> None:
    def spoil(lines: Lines) -> None:
        of("COLOR")(lines).update(correction="the thing is mauve")
        of("COUNT")(lines).update(program="count(scn())")
        of("LATENT")(lines).update(target_instances=[99999])

    edited(copied / "truth.jsonl", spoil)
    found = problems_of(copied)
    assert "the correction 'the thing is mauve' does not say" in found
    assert "unknown step 'scn'" in found
    assert "99999" in found
    assert "content hash" in found


def test_a_half_without_its_twin_is_noticed(copied: Path) -> None:
    for name in ("episodes.jsonl", "truth.jsonl"):
        edited(copied / name, lambda lines: lines.pop(1))
    assert "pair 'home_15000-01' has no clean half" in problems_of(copied)


def test_an_episode_that_is_no_half_is_noticed(copied: Path) -> None:
    for name in ("episodes.jsonl", "truth.jsonl"):
        edited(copied / name, lambda lines: lines[0].update(episode_id="alone"))
    assert "'alone' is no half of a pair" in problems_of(copied)


def test_halves_with_different_starts_are_noticed(copied: Path) -> None:
    edited(copied / "episodes.jsonl", lambda lines: lines[1]["start"].update(yaw=lines[1]["start"]["yaw"] + 0.1))
    assert "differ in their start" in problems_of(copied)


def test_a_start_that_shows_the_answer_is_noticed(copied: Path) -> None:
    goal = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])["goal"]
    edited(copied / "episodes.jsonl", lambda lines: lines[0].update(start=goal))
    assert "shows the answer already" in problems_of(copied)


def test_a_goal_that_shows_nothing_and_an_oracle_that_goes_astray_are_noticed(copied: Path) -> None:
    def look_up(lines: Lines) -> None:
        lines[0]["goal"]["pitch"] = 1.0
        lines[2].update(oracle_actions=["z+"] * 12)

    edited(copied / "truth.jsonl", look_up)
    found = problems_of(copied)
    assert "home_15000-01-noisy': the goal viewpoint does not show" in found
    assert "home_15001-01-noisy': oracle action" in found


def test_a_claimed_place_that_nothing_shows_is_noticed(copied: Path) -> None:
    """No look from a room shows the top of its ceiling."""

    def with_the_ceiling(lines: Lines) -> None:
        line = next(line for line in lines if line["questions"][0]["noise_type"] == "POSITION")
        ceilings = load_graph(copied / "scenes" / line["episode_id"].partition("-")[0]).by_label("ceiling")
        line["questions"][0]["target_instances"].append(ceilings[0].instance_id)

    edited(copied / "truth.jsonl", with_the_ceiling)
    assert "no viewpoint that can be reached shows the ceiling" in problems_of(copied)


def test_missing_scenes_and_pictures_are_noticed(copied: Path) -> None:
    shutil.rmtree(copied / "scenes" / "home_15001")
    (copied / "goals" / "home_15000-01-clean.png").unlink()
    found = problems_of(copied)
    assert "the folder of scene 'home_15001' is missing" in found
    assert "'home_15000-01-clean' has no goal image" in found


def test_what_is_no_set_cannot_be_validated(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"set\.json"):
        NoisyEqaBenchmark().validate(tmp_path)


def test_a_large_set_is_told_where_its_types_are_not_those_of_the_paper() -> None:
    mix = paper_mix(numbers_of(500, PAPER))
    assert mix is not None
    assert not mix.data["findings"]
    assert "150 POSITION (150)" in mix.text
    mix = paper_mix({**PAPER, NoiseType.POSITION: 75, NoiseType.COLOR: 130, NoiseType.MATERIAL: 0})  # type: ignore[dict-item]
    assert mix is not None
    assert [finding.split(";")[0] for finding in mix.data["findings"]] == [
        "75 of 475 pairs are POSITION",
        "130 of 475 pairs are COLOR",
        "0 of 475 pairs are MATERIAL",
    ]
    assert all(finding in mix.text for finding in mix.data["findings"])


def test_few_pairs_of_a_type_are_told_though_its_share_is_right() -> None:
    mix = paper_mix(numbers_of(200, PAPER))
    assert mix is not None
    assert [finding.split()[3].strip(",") for finding in mix.data["findings"]] == [
        "COLOR",
        "SHAPE",
        "COUNT",
        "MATERIAL",
        "SEMANTIC",
    ]


def test_nothing_is_told_of_the_types_of_a_small_set() -> None:
    assert paper_mix({NoiseType.COLOR: 199}) is None
    assert paper_mix({}) is None
