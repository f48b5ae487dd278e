"""The benchmark as others meet it, and sets of the smallest houses in the world of houses."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from vantage.benchmarks.excalibur import excalibur_sets
from vantage.benchmarks.excalibur.excalibur_benchmark import ExcaliburBenchmark
from vantage.benchmarks.excalibur.excalibur_sets import SetRequest, make_set
from vantage.benchmarks.excalibur.houses import TEST, House
from vantage.benchmarks.excalibur.question_drafts import HouseQuestions
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.sets import TRAINING, EpisodeSet, load_set, load_truths
from vantage.config import Settings
from vantage.errors import SceneError, UsageError
from vantage.registry import BENCHMARKS
from vantage.runs.priors import language_prior_of
from vantage.types import Phase, Question, TruthQuestion

HOUSES = [House(TEST, 0, 1), House(TEST, 1, 1)]
QUESTIONS = 3


def request(**changes) -> SetRequest:
    settings = Settings()
    settings = replace(settings, agent=replace(settings.agent, hidden_contents=True))
    usual = SetRequest(HOUSES, QUESTIONS, 20, 10, 5, settings, VisibilitySettings(), 1)
    return replace(usual, **changes)


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return make_set(tmp_path_factory.mktemp("excalibur") / "set", request(), lambda line: None)


def files(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


def test_it_is_registered_with_its_options_and_settings():
    benchmark = BENCHMARKS.get("excalibur")()
    assert benchmark.name == "excalibur"
    assert tuple(benchmark.phases) == ("explore", "answer", "reenter", "refine")
    assert {each.name for each in benchmark.options} == {
        "split",
        "houses",
        "questions",
        "explore_steps",
        "reentry_steps",
        "rooms",
        "train_houses",
        "workers",
    }


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"split": "dev"}, "there is no split 'dev'"),
        ({"houses": 0}, "split 'test' has 1000 houses, not 0"),
        ({"houses": 5000}, "ask for 1 to 1000"),
        ({"rooms": 11}, "a house cannot have 11 rooms"),
        ({"questions": 0}, "at least one question"),
        ({"explore_steps": 0}, "one step to explore"),
        ({"reentry_steps": -1}, "one to look again"),
        ({"split": "practice", "miniature": True}, "a miniature has generated houses"),
    ],
)
def test_impossible_wishes_are_refused_and_leave_nothing(tmp_path, wish, told):
    with pytest.raises(UsageError, match=told):
        ExcaliburBenchmark().make(tmp_path / "set", **wish)
    assert not (tmp_path / "set").exists()


@pytest.mark.needs("house")
def test_a_set_has_four_phases_gold_data_for_both_and_is_sound(small_set):
    truths = load_truths(small_set.folder, small_set.episodes)
    assert [episode.scene for episode in small_set.episodes] == [house.name for house in HOUSES]
    for episode in small_set.episodes:
        assert [phase.max_steps for phase in episode.phases] == [20, 0, 10, 0]
        keys = [(each.phase, each.question_id) for each in truths[episode.episode_id].questions]
        assert keys == [
            (phase, f"q{k:02d}") for phase in (Phase.ANSWER.value, Phase.REFINE.value) for k in range(1, QUESTIONS + 1)
        ]
        assert truths[episode.episode_id].split == TEST
    assert ExcaliburBenchmark().validate(small_set.folder) == []
    assert ExcaliburBenchmark().described([small_set]).text.startswith("of the questions are")


@pytest.mark.needs("house")
def test_the_same_seed_gives_the_same_bytes_with_any_number_of_processes(small_set, tmp_path):
    again = make_set(tmp_path / "again", request(workers=2), lambda line: None)
    assert files(again.folder) == files(small_set.folder)


@pytest.mark.needs("house")
def test_agents_that_do_not_look_learn_from_the_training_houses_of_a_set(small_set, tmp_path):
    training = request(houses=[House("train", 0, 1)])
    made = make_set(tmp_path / "set", request(), lambda line: None, training)
    assert made.episodes == small_set.episodes
    learnt_from = load_set(made.folder / TRAINING)
    assert [episode.scene for episode in learnt_from.episodes] == ["train_00000"]
    asked, answer = next((q.text, t.answer) for q, t in _told(learnt_from))
    assert language_prior_of(Settings(), made.folder).answer(asked)[0] == answer
    assert ExcaliburBenchmark().validate(made.folder) == []
    truths = learnt_from.folder / "truth.jsonl"
    truths.write_text(truths.read_text().replace(f'"{answer}"', '"purple"'))
    problems = ExcaliburBenchmark().validate(made.folder)
    assert any(each.startswith("train: episode 'train_00000': question") for each in problems)
    with pytest.raises(UsageError, match="there is none in the set or beside it"):
        language_prior_of(Settings(), learnt_from.folder)


def _told(made: EpisodeSet) -> Iterator[tuple[Question, TruthQuestion]]:
    truths = load_truths(made.folder, made.episodes)
    for episode in made.episodes:
        for question in episode.questions:
            yield question, next(each for each in truths[episode.episode_id].questions if each.is_about(question))


@pytest.mark.needs("house")
def test_a_damaged_set_is_told(small_set, tmp_path):
    folder = tmp_path / "set"
    for name, data in files(small_set.folder).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    path = folder / "truth.jsonl"
    text = path.read_text()
    path.write_text(text.replace('"answer": "yes"', '"answer": "no"').replace('"answer":"yes"', '"answer":"no"'))
    assert path.read_text() != text
    assert any("the house gives 'yes'" in each or "changed" in each for each in ExcaliburBenchmark().validate(folder))
    assert load_set(small_set.folder).info.world == "house"


class AtOnce:
    """In place of a pool of processes."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def __enter__(self) -> AtOnce:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def submit(self, work, *arguments) -> Future:
        future: Future = Future()
        future.set_result(work(*arguments))
        return future


@pytest.mark.needs("house")
def test_a_house_with_too_few_questions_is_refused_with_its_name_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(excalibur_sets, "WorkerPool", AtOnce)
    monkeypatch.setattr(HouseQuestions, "draw", lambda *arguments: None)
    lines: list[str] = []
    with pytest.raises(SceneError, match=f"test_00000: it gives 0 of {QUESTIONS} questions; take another seed"):
        make_set(tmp_path / "set", request(houses=HOUSES[:1]), lines.append)
    assert lines == [
        f"house 1 of 1: test_00000: it gives 0 of {QUESTIONS} questions; take another seed, or ask for fewer questions"
    ]
    assert not (tmp_path / "set").exists()


@pytest.mark.needs("house")
def test_a_training_house_that_cannot_be_asked_about_leaves_no_set(tmp_path, monkeypatch):
    monkeypatch.setattr(excalibur_sets, "WorkerPool", AtOnce)
    monkeypatch.setattr(HouseQuestions, "draw", lambda *arguments: None)
    training = request(houses=[House("train", 0, 1)])
    with pytest.raises(SceneError, match="train_00000: it gives 0 of"):
        make_set(tmp_path / "set", request(), lambda line: None, training)
    assert not (tmp_path / "set").exists()
