"""Sets of questions with false premises, made with a real splat world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from small_noisyeqa import PAIRS, small_noisyeqa
from small_pictures import SMALL_PICTURES
from small_search import SMALL

from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.labelling.claims import goal_truth
from vantage.benchmarks.labelling.oracle_views import StartSettings
from vantage.benchmarks.labelling.scene_world import open_scene_world
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
from vantage.benchmarks.noisyeqa.noisyeqa_sets import too_few_pairs
from vantage.benchmarks.sets.episodes_io import SCENES, EpisodeSet, content_hash, load_truths
from vantage.benchmarks.sets.noisy_pairs import EVEN, Pair, pairs_of
from vantage.benchmarks.statistics.metrics import least_seen
from vantage.errors import SceneError, UsageError
from vantage.planning.agents.oracle_agent import OracleAgent
from vantage.questions.noise.pair_templates import FORMS
from vantage.registry import BENCHMARKS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Intrinsics, apply, invert
from vantage.splats.scene_file import load_graph
from vantage.types import NoiseType


@pytest.fixture(scope="module")
def pairs(noisy_set: EpisodeSet) -> dict[str, Pair]:
    found, problems = pairs_of(noisy_set, load_truths(noisy_set.folder, noisy_set.episodes))
    assert problems == []
    return found


def test_it_holds_the_types_that_were_asked_for(noisy_set: EpisodeSet, pairs: dict[str, Pair]) -> None:
    assert len(noisy_set.episodes) == 12
    noises = sorted(pair.noisy.gold.noise_type.name for pair in pairs.values())
    assert noises == ["COLOR", "COUNT", "LATENT", "LATENT", "POSITION", "SEMANTIC"]
    assert {episode.scene for episode in noisy_set.episodes} == {"home_15000", "home_15001"}
    assert [episode.episode_id for episode in noisy_set.episodes[:3]] == [
        "home_15000-01-noisy",
        "home_15000-01-clean",
        "home_15001-01-noisy",
    ]


def test_words_must_not_tell_the_halves_of_a_pair(noisy_set: EpisodeSet, pairs: dict[str, Pair]) -> None:
    told = small_noisyeqa().labelled_questions(noisy_set)
    assert [(question.pair, question.label) for question in told] == [
        (key, half) for key in pairs for half in ("noisy", "clean")
    ]
    for question in told:
        pair = pairs[question.pair]
        member = pair.noisy if question.label == "noisy" else pair.clean
        assert (question.text, question.scene) == (member.text, member.episode.scene)
        assert question.group == pair.noisy.gold.noise_type.name


def test_both_halves_are_asked_from_one_place_that_shows_no_answer(
    noisy_set: EpisodeSet, pairs: dict[str, Pair]
) -> None:
    camera = noisy_set.info.settings
    lens = Intrinsics.from_fov(camera["camera.width"], camera["camera.height"], camera["camera.horizontal_fov"])
    for pair in pairs.values():
        noisy, clean = pair.noisy, pair.clean
        assert noisy.episode.start == clean.episode.start
        assert (noisy.episode.max_steps, clean.episode.max_steps) == (150, 150)
        assert noisy.episode.seed == clean.episode.seed
        folder = noisy_set.scene_folder(noisy.episode.scene)
        judge = SceneVisibility.of_scene(folder, load_graph(folder), SMALL_PICTURES)
        for half, gold in ((noisy, goal_truth(noisy.gold, clean.gold)), (clean, clean.gold)):
            assert half.truth.goal is not None
            assert half.truth.oracle_actions is not None
            assert len(half.truth.oracle_actions) >= StartSettings().fewest_actions
            assert judge.answers(gold, half.truth.goal, lens)
            assert not judge.answers(gold, half.episode.start, lens)
            assert cv2.imread(str(noisy_set.goal_image(half.episode.episode_id))).shape == (120, 160, 3)


def test_goals_look_straight_at_what_they_show(noisy_set: EpisodeSet, pairs: dict[str, Pair]) -> None:
    """No other heading has it nearer to the middle of the picture, so that people find it there."""
    camera, turn = noisy_set.info.settings, noisy_set.info.actions.rotation
    lens = Intrinsics.from_fov(camera["camera.width"], camera["camera.height"], camera["camera.horizontal_fov"])
    for pair in pairs.values():
        folder = noisy_set.scene_folder(pair.noisy.episode.scene)
        judge = SceneVisibility.of_scene(folder, load_graph(folder))
        for half, gold in ((pair.noisy, goal_truth(pair.noisy.gold, pair.clean.gold)), (pair.clean, pair.clean.gold)):
            goal = half.truth.goal
            assert goal is not None
            middle = np.mean([judge.sphere(target)[0] for target in gold.target_instances], axis=0)
            way = middle - goal.position
            way /= np.linalg.norm(way)
            chosen = _axis(goal.yaw, goal.pitch) @ way
            low, high = camera["limits.pitch_min"] - 1e-6, camera["limits.pitch_max"] + 1e-6
            others = [(goal.yaw + a * turn, goal.pitch + b * turn) for a in range(-6, 7) for b in range(-4, 5)]
            assert chosen >= max(_axis(yaw, pitch) @ way for yaw, pitch in others if low <= pitch <= high) - 1e-9
            column, row = lens.project(apply(invert(goal.T_world_camera_optical()), middle[None]))[0]
            assert abs(column - lens.cx) <= 0.7 * lens.width / 2, half.text
            assert abs(row - lens.cy) <= 0.7 * lens.height / 2, half.text


def _axis(yaw: float, pitch: float) -> NDArray[np.float64]:
    level = np.cos(pitch)
    return np.array([level * np.cos(yaw), level * np.sin(yaw), np.sin(pitch)])


def test_a_home_is_not_asked_the_same_of_an_object_twice(pairs: dict[str, Pair]) -> None:
    asked = [
        (pair.noisy.episode.scene, about, pair.clean.gold.target_instances)
        for pair in pairs.values()
        for about in (pair.clean.gold.kind, pair.noisy.gold.noise_type)
    ]
    assert len(set(asked)) == len(asked)


def test_the_gold_data_say_what_is_false_and_what_is_right(pairs: dict[str, Pair]) -> None:
    for pair in pairs.values():
        gold, clean = pair.noisy.gold, pair.clean.gold
        assert (gold.premise_holds, clean.premise_holds) == (False, True)
        assert gold.false_claim
        assert gold.correction not in ("", gold.false_claim)
        assert clean.answer
        if gold.noise_type == NoiseType.LATENT:
            assert (gold.answer, gold.corrected_question) == ("", "")
        else:
            assert (gold.answer, gold.corrected_question) == (clean.answer, pair.clean.text)
        assert pair.noisy.text != pair.clean.text


def test_the_same_seed_gives_the_same_bytes_whatever_the_workers(noisy_set: EpisodeSet, tmp_path: Path) -> None:
    again = small_noisyeqa().make(tmp_path / "again", workers=2, **PAIRS)
    assert again.info.content_hash == noisy_set.info.content_hash == content_hash(noisy_set.folder)
    assert (again.folder / "set.json").read_bytes() == (noisy_set.folder / "set.json").read_bytes()


def test_phrasings_are_those_of_their_group(tmp_path: Path) -> None:
    sizes = {**PAIRS, "scenes": 1, "pairs": 2, "shares": "color=1"}
    made = small_noisyeqa().make(tmp_path / "dev", workers=1, phrasing="dev", **sizes)
    beginnings = {form.partition("{")[0] for group in FORMS["test"].values() for form in group} - {"", "What "}
    texts = [episode.questions[0].text for episode in made.episodes]
    openings = tuple(word for word in beginnings if len(word.split()) > 2)
    assert not any(text.startswith(openings) for text in texts)


def test_what_homes_do_not_give_is_said_and_nothing_is_left_behind(tmp_path: Path) -> None:
    blind = NoisyEqaBenchmark(VisibilitySettings(pixels=1e9, colour_pixels=1e9, material_pixels=1e9, count_pixels=1e9))
    sizes: dict[str, Any] = {**PAIRS, "scenes": 1, "pairs": 2, "shares": {NoiseType.COLOR: 1.0}}
    with pytest.raises(SceneError, match="the homes give no pair of questions at all; use more scenes or rooms"):
        blind.make(tmp_path / "set", workers=1, **sizes)
    assert not (tmp_path / "set").exists()


def test_a_refusal_names_how_many_pairs_there_can_be() -> None:
    said = too_few_pairs(5, 9, 6)
    assert said == "5 homes do not give 9 pairs; ask for at most 6 or for more scenes or noise types"


@pytest.mark.parametrize(
    "sizes",
    [
        {"scenes": 0},
        {"pairs": 0},
        {"pairs": 5, "scenes": 6},
        {"pairs": -1},
        {"seed": -1},
        {"workers": 0},
        {"scenes": 501},
    ],
)
def test_impossible_numbers_are_refused(tmp_path: Path, sizes: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="cannot make"):
        NoisyEqaBenchmark().make(tmp_path / "set", **sizes)
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"phrasing": "tset"}, "did you mean 'test'"),
        ({"rooms": (3, 1)}, "homes of 3 to 1 rooms"),
        ({"shares": "papr"}, "did you mean 'paper'"),
    ],
)
def test_what_is_unknown_is_refused(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        NoisyEqaBenchmark().make(tmp_path / "set", **options)


def test_a_folder_in_use_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for miniature in (False, True):
        with pytest.raises(UsageError, match="is not empty"):
            NoisyEqaBenchmark().make(tmp_path, miniature=miniature)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_it_is_registered() -> None:
    assert isinstance(BENCHMARKS.create("noisyeqa"), NoisyEqaBenchmark)
    assert len(EVEN) == 8


def test_the_oracle_answers_both_halves_of_every_pair(noisy_set: EpisodeSet, pairs: dict[str, Pair]) -> None:
    """What the gold data say is what the judge takes for right, seen from the labelled goals."""
    truths = load_truths(noisy_set.folder, noisy_set.episodes)
    world = open_scene_world(SMALL, noisy_set.folder / SCENES)
    for pair in pairs.values():
        folder = noisy_set.scene_folder(pair.noisy.episode.scene)
        judge = SceneVisibility.of_scene(folder, load_graph(folder))
        for half in (pair.noisy, pair.clean):
            outcome = EpisodeRunner(world, OracleAgent(SMALL, truths)).run(half.episode, 0)
            (answer,) = outcome.answers
            assert outcome.steps == len(half.truth.oracle_actions or ())
            seen = judge.fractions(answer.evidence[-1].viewpoint, world.intrinsics, None, half.gold.target_instances)
            visible = least_seen([seen], half.gold.target_instances)
            judgement = RuleJudge().judge(Case(half.gold, answer, visible, half.text))
            assert judgement.score == 5, f"{half.text} {answer.text}: {judgement.reason}"
    world.close()
