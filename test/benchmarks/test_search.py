"""The search benchmark, made and validated with a real splat world."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from small_search import SIZES, SMALL, small_benchmark

from vantage.benchmarks.episodes_io import EpisodeSet, content_hash, load_set, load_truths
from vantage.benchmarks.search import SearchBenchmark
from vantage.errors import FormatError, UsageError
from vantage.planning.actions import ActionSpace
from vantage.planning.oracle_agent import OracleAgent
from vantage.registry import BENCHMARKS
from vantage.runs.episode import EpisodeListener, EpisodeRunner
from vantage.scenes.graph import SceneGraph
from vantage.spatial import wrap_angle
from vantage.splats.scene_file import load_graph
from vantage.types import EpisodeState, Status, StepResult
from vantage.worlds.splat import SplatWorld


def test_it_holds_what_was_asked_for(search_set: EpisodeSet) -> None:
    truths = load_truths(search_set.folder, search_set.episodes)
    assert len(search_set.episodes) == 4
    assert [truths[episode.episode_id].questions[0].premise_holds for episode in search_set.episodes].count(False) == 2
    assert len({truths[episode.episode_id].questions[0].kind for episode in search_set.episodes[:2]}) == 2
    assert len({truths[episode.episode_id].questions[0].noise_type for episode in search_set.episodes[2:]}) == 2
    assert len({episode.questions[0].text for episode in search_set.episodes}) == 4
    rotation = search_set.info.actions.rotation
    for episode in search_set.episodes:
        truth = truths[episode.episode_id]
        assert truth.oracle_actions is not None
        assert 3 <= len(truth.oracle_actions) <= 25
        assert episode.max_steps == 60
        assert episode.start.pitch == 0.0
        assert 0.9 <= episode.start.z <= 1.5
        assert math.remainder(episode.start.yaw, rotation) == pytest.approx(0.0, abs=1e-9)
        assert truth.questions[0].target_instances
        assert cv2.imread(str(search_set.goal_image(episode.episode_id))).shape == (120, 160, 3)


def test_it_is_valid(search_set: EpisodeSet) -> None:
    assert small_benchmark().validate(search_set.folder) == []


def test_each_scene_is_read_once(search_set: EpisodeSet, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(folder: Path) -> SceneGraph:
        read.append(folder.name)
        return load_graph(folder)

    monkeypatch.setattr("vantage.benchmarks.search.load_graph", counting)
    assert small_benchmark().validate(search_set.folder) == []
    assert sorted(read) == sorted({episode.scene for episode in search_set.episodes})
    assert len(read) < len(search_set.episodes)


def test_the_same_seed_gives_the_same_bytes(search_set: EpisodeSet, tmp_path: Path) -> None:
    again = small_benchmark().make(tmp_path / "again", settings=SMALL, **SIZES)
    assert again.info.content_hash == search_set.info.content_hash == content_hash(search_set.folder)
    assert (again.folder / "set.json").read_bytes() == (search_set.folder / "set.json").read_bytes()


class Steps(EpisodeListener):
    """Remembers results."""

    def __init__(self) -> None:
        self.results: list[StepResult] = []

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


@pytest.fixture
def copied(search_set: EpisodeSet, tmp_path: Path) -> Path:
    shutil.copytree(search_set.folder, tmp_path / "copy")
    return tmp_path / "copy"


def edit(path: Path, line: int, **changes: object) -> None:
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | changes)
    path.write_text("\n".join(lines) + "\n")


def problems_of(folder: Path) -> str:
    return "\n".join(small_benchmark().validate(folder))


def test_validation_notices_another_start(copied: Path) -> None:
    other = load_set(copied).episodes[0].start
    edit(copied / "episodes.jsonl", 0, start={**other.__dict__, "x": other.x + 0.4, "z": 0.2})
    found = problems_of(copied)
    assert "content hash" in found
    assert "room_4000-01" in found


def test_validation_notices_an_oracle_that_goes_astray(copied: Path) -> None:
    edit(copied / "truth.jsonl", 1, oracle_actions=["z+"] * 12)
    found = problems_of(copied)
    assert "collided" in found or "rejected" in found or "from its goal" in found


def test_validation_notices_a_start_that_shows_the_answer(copied: Path) -> None:
    goal = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])["goal"]
    edit(copied / "episodes.jsonl", 0, start=goal)
    assert "shows the answer already" in problems_of(copied)


def test_validation_notices_gold_data_that_contradict_the_scene(copied: Path) -> None:
    questions = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])["questions"]
    edit(copied / "truth.jsonl", 0, questions=[{**questions[0], "answer": "mauve"}])
    assert "mauve" in problems_of(copied)


def test_a_goal_that_shows_nothing_is_noticed(copied: Path) -> None:
    truth = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])
    edit(copied / "truth.jsonl", 0, goal={**truth["goal"], "pitch": 1.0})
    assert "does not show" in problems_of(copied)


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


def test_what_is_no_set_cannot_be_validated(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"set\.json"):
        SearchBenchmark().validate(tmp_path)


def test_it_is_registered(search_set: EpisodeSet) -> None:
    assert isinstance(BENCHMARKS.create("search"), SearchBenchmark)
    assert search_set.info.actions == ActionSpace(0.25, math.pi / 6)
