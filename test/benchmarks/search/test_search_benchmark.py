"""The search benchmark, made and validated with a real splat world."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from small_search import SIZES, SMALL, small_benchmark

from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.labelling.scene_world import open_scene_world
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.search.search_benchmark import SearchBenchmark
from vantage.benchmarks.sets.episodes_io import SCENES, EpisodeSet, content_hash, load_truths
from vantage.benchmarks.statistics.metrics import least_seen
from vantage.errors import UsageError
from vantage.planning.actions import GantryActions, make_actions
from vantage.planning.agents.oracle_agent import OracleAgent
from vantage.recording.events import EpisodeListener
from vantage.registry import BENCHMARKS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import wrap_angle
from vantage.splats.scene_file import load_graph
from vantage.types import Answer, EpisodeState, NoiseType, Status, StepResult
from vantage.worlds.splat import SplatWorld


def test_it_holds_what_was_asked_for(search_set: EpisodeSet) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    assert len(search_set.episodes) == 4
    assert [truths[episode.episode_id].questions[0].premise_holds for episode in search_set.episodes].count(False) == 2
    kinds = [truths[episode.episode_id].questions[0].kind for episode in search_set.episodes]
    assert len({*kinds[:2]}) == len({*kinds[2:]}) == 2
    noises = [truths[episode.episode_id].questions[0].noise_type for episode in search_set.episodes[2:]]
    assert NoiseType.NONE not in noises
    assert len({episode.questions[0].text for episode in search_set.episodes}) == 4
    rotation = search_set.info.actions.rotation
    for episode in search_set.episodes:
        truth = truths[episode.episode_id]
        assert truth.oracle_actions is not None
        assert 3 <= len(truth.oracle_actions) <= 30
        assert episode.max_steps == 60
        assert episode.start.pitch == 0.0
        assert 0.9 <= episode.start.z <= 1.5
        assert math.remainder(episode.start.yaw, rotation) == pytest.approx(0.0, abs=1e-9)
        assert truth.questions[0].target_instances
        assert not truth.questions[0].premise_holds or truth.questions[0].program
        assert episode.scene == "home_4000"
        assert cv2.imread(str(search_set.goal_image(episode.episode_id))).shape == (120, 160, 3)


def test_words_must_not_tell_the_answers_to_clean_questions(search_set: EpisodeSet) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    clean = [each for each in search_set.episodes if truths[each.episode_id].questions[0].premise_holds]
    told = small_benchmark().labelled_questions(search_set)
    assert [question.text for question in told] == [each.questions[0].text for each in clean]
    assert [(question.label, question.group, question.pair) for question in told] == [
        (gold.answer, gold.kind, "") for gold in (truths[each.episode_id].questions[0] for each in clean)
    ]


def test_words_must_not_tell_whether_a_premise_holds(search_set: EpisodeSet) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    told = small_benchmark().premise_questions(search_set)
    assert [question.text for question in told] == [each.questions[0].text for each in search_set.episodes]
    assert [question.label for question in told] == [
        "clean" if truths[each.episode_id].questions[0].premise_holds else "noisy" for each in search_set.episodes
    ]
    assert {question.label for question in told} == {"clean", "noisy"}
    assert {question.group for question in told} == {""}


def test_the_same_seed_gives_the_same_bytes(search_set: EpisodeSet, tmp_path: Path) -> None:
    again = small_benchmark().make(tmp_path / "again", settings=SMALL, **SIZES)
    assert again.info.content_hash == search_set.info.content_hash == content_hash(search_set.folder)
    assert (again.folder / "set.json").read_bytes() == (search_set.folder / "set.json").read_bytes()


class Steps(EpisodeListener):
    """Remembers results and answers."""

    def __init__(self) -> None:
        self.results: list[StepResult] = []
        self.answers: list[Answer] = []

    def answered(self, answer: Answer, stamp: int) -> None:
        self.answers.append(answer)

    def concluded(self, result: StepResult) -> None:
        self.results.append(result)


def test_the_oracle_reaches_every_goal_without_a_collision(search_set: EpisodeSet) -> None:
    settings = replace(SMALL, world=replace(SMALL.world, scenes=str(search_set.folder / "scenes")))
    truths = load_truths(search_set.folder, search_set.episodes)
    world = SplatWorld(settings)
    for episode in search_set.episodes:
        steps, truth = Steps(), truths[episode.episode_id]
        outcome = EpisodeRunner(world, OracleAgent(settings, truths), [steps]).run(episode, 0)
        assert outcome.state == EpisodeState.FINISHED
        assert tuple(result.command.action for result in steps.results) == truth.oracle_actions
        assert {result.status for result in steps.results} == {Status.DONE}
        reached = steps.results[-1].reached
        assert truth.goal is not None
        assert reached.distance(truth.goal) < 1e-9
        assert abs(wrap_angle(reached.yaw - truth.goal.yaw)) + abs(reached.pitch - truth.goal.pitch) < 1e-9
    world.close()


def test_the_oracle_answers_every_question(search_set: EpisodeSet) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    world = open_scene_world(SMALL, search_set.folder / SCENES)
    judge = SceneVisibility.of_scene(
        search_set.scene_folder("home_4000"), load_graph(search_set.scene_folder("home_4000"))
    )
    for episode in search_set.episodes:
        log, truth = Steps(), truths[episode.episode_id].questions[0]
        EpisodeRunner(world, OracleAgent(SMALL, truths), [log]).run(episode, 0)
        (answer,) = log.answers
        seen = judge.fractions(answer.evidence[-1].viewpoint, world.intrinsics, None, truth.target_instances)
        assert RuleJudge().judge(Case(truth, answer, least_seen([seen], truth.target_instances))).score == 5
    world.close()


def test_homes_take_all_numbers_of_rooms_in_turn(tmp_path: Path) -> None:
    sizes = {**SIZES, "scenes": 2, "episodes": 2, "noisy": 0, "rooms": (1, 2)}
    made = small_benchmark().make(tmp_path / "set", settings=SMALL, **sizes)
    assert [len(load_graph(made.scene_folder(name)).rooms) for name in sorted(made.info.scenes)] == [1, 2]


@pytest.mark.parametrize("rooms", [(0, 2), (3, 2), (1, 11), (-1, -1)])
def test_impossible_numbers_of_rooms_are_refused(tmp_path: Path, rooms: tuple[int, int]) -> None:
    with pytest.raises(UsageError, match="cannot make homes of"):
        SearchBenchmark().make(tmp_path / "set", rooms=rooms)
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    "sizes", [{"scenes": 0}, {"episodes": 1, "scenes": 2}, {"noisy": 13}, {"noisy": -1}, {"seed": -1}]
)
def test_impossible_numbers_are_refused(tmp_path: Path, sizes: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="cannot make"):
        SearchBenchmark().make(tmp_path / "set", **sizes)
    assert not (tmp_path / "set").exists()


def test_a_folder_in_use_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        SearchBenchmark().make(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_it_is_registered(search_set: EpisodeSet) -> None:
    assert isinstance(BENCHMARKS.create("search"), SearchBenchmark)
    assert search_set.info.actions == GantryActions(0.25, math.pi / 6)


def test_a_set_whose_translations_follow_the_heading_is_whole(tmp_path: Path) -> None:
    settings = replace(SMALL, actions=replace(SMALL.actions, space="egocentric", frame="heading"))
    sizes = {**SIZES, "episodes": 3, "noisy": 0}
    made = small_benchmark().make(tmp_path / "set", settings=settings, **sizes)
    assert made.info.actions == make_actions(settings.actions)
    truths = load_truths(made.folder, made.episodes)
    assert all(truth.oracle_is_bound for truth in truths.values() if len(truth.oracle_actions or ()) > 2)
    assert {name for truth in truths.values() for name in truth.oracle_actions or ()} <= set(made.info.actions.names)
    assert small_benchmark().validate(made.folder) == []
