"""Tasks in generated homes, put with pictures: which views, what they show, what is sent, what is left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from faulty_server import BlindServer, Step, completion
from heal_miniature import part_of
from row_tables import each_row
from small_errands import miniature_set
from tiny_vlm import tiny_vlm  # noqa: F401

from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.heal.home_kinds import (
    goal_by_kind,
    reading_by_kind,
    scene_by_kind,
    truth_by_kind,
    vocabulary,
)
from vantage.benchmarks.heal.home_pictures import FOLDER, HomePictures, home_pictures
from vantage.benchmarks.heal.home_words import HOME_NAMES
from vantage.benchmarks.heal.probing_items import BASE, SYNONYM_SUB, TASK_OBJ_REM, sights_of, task_of
from vantage.benchmarks.heal.sights import CAMERA, LEAST_PIXELS, VIEWS
from vantage.benchmarks.judging import RuleJudge
from vantage.benchmarks.sets import EpisodeSet, load_set
from vantage.benchmarks.statistics import measure_shortcut
from vantage.cli.main import main
from vantage.config import AgentSettings, ControlSettings, Settings
from vantage.errors import EpisodeError, FormatError, UsageError
from vantage.goals import (
    Goal,
    SceneFacts,
    TaskTruth,
    objects_of,
    read_known,
    read_reply,
    read_scene,
    read_task,
    task_from_json,
    task_to_json,
    ungrounded,
)
from vantage.reports import score_runs
from vantage.runs import Job, run_set
from vantage.types import EpisodeState, Question, Verdict

Asked = tuple[Question, str, TaskTruth]  # with the transformation

SHOWN = "homes-home_1-02"  # its suitcase lies on a wardrobe
HIDDEN = "homes-home_1-08"  # its box lies in a closed wardrobe


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature_set(tmp_path_factory)


@pytest.fixture(scope="module")
def small(episodes: Path, tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    """A task that pictures show, and one that they do not."""
    return part_of(episodes, tmp_path_factory.mktemp("small") / "set", (SHOWN, HIDDEN))


@pytest.fixture(scope="module")
def items(episodes: Path) -> list[Asked]:
    return list(items_of(load_set(episodes)))


def items_of(episode_set: EpisodeSet) -> Iterator[Asked]:
    truths = HealBenchmark().truths(episode_set)
    for episode in episode_set.episodes:
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True):
            yield question, gold.kind, task_of(gold, "test")


def pictures(episode_set: EpisodeSet, shown: str = "image") -> HomePictures:
    return HomePictures(episode_set, HealBenchmark().truths(episode_set), shown)


def test_a_home_has_the_same_six_views_whatever_is_asked_and_left_out(items: list[Asked]) -> None:
    views: dict[str, set[Any]] = {}
    for _, _, truth in items:
        views.setdefault(truth.home, set()).add(truth.views)
    assert len(views) == 2
    for found in views.values():
        assert [len(each) for each in found] == [VIEWS]


def test_what_matters_is_seen_in_nearly_all_tasks(episodes: Path, items: list[Asked]) -> None:
    for question, _, truth in items:
        scene = read_scene(question.text)
        assert len(truth.seen) == sum(map(scene.has, objects_of(truth.goal)))
    told = HealBenchmark().described([load_set(episodes)])
    assert told is not None
    assert told.data["pictured"] >= 0.8 * told.data["tasks"]
    assert f"pictures show what {told.data['pictured']} of {told.data['tasks']} tasks name" in told.text


@pytest.mark.needs("shortcut")
def test_views_do_not_tell_what_is_feasible(episodes: Path) -> None:
    measured = measure_shortcut(HealBenchmark().premise_questions(load_set(episodes)))
    assert measured.not_measured == ""
    assert measured.findings() == []


def test_by_kinds_the_same_items_are_feasible(items: list[Asked]) -> None:
    for question, _, truth in items:
        scene = read_scene(question.text)
        assert scene == truth.scene
        by_kind = truth_by_kind(truth)
        assert (not ungrounded(by_kind.goal, by_kind.scene)) == truth.feasible
        assert not [name for name in by_kind.asked_about if scene_by_kind(scene).has(name)]


def test_the_list_of_names_tells_no_item_from_another(small: EpisodeSet) -> None:
    shown = pictures(small)
    told = {}
    for question, transformation, truth in items_of(small):
        if shown.shows(SHOWN) and question in small.episodes[0].questions:
            sent = shown.shown(SHOWN, question.question_id)
            assert read_scene(sent.prompt).objects == ()
            assert read_task(sent.prompt) == read_task(question.text)
            names = tuple(item.name for item in read_known(sent.prompt).objects)
            assert names == vocabulary(transformation)
            assert {*objects_of(goal_by_kind(truth.goal))} <= {*names}
            told[transformation] = names
    assert len(set(told.values())) == 2
    assert not {*told[SYNONYM_SUB]} & {*told[BASE]} & {*HOME_NAMES}


def test_both_is_the_prompt_with_pictures(small: EpisodeSet) -> None:
    question = small.episodes[0].questions[0]
    sent = pictures(small, "both").shown(SHOWN, question.question_id)
    assert sent.prompt.endswith(question.text)
    assert sent.names == tuple(f"VIEW_{number}" for number in range(1, VIEWS + 1))
    assert {each.shape for each in sent.pictures} == {(CAMERA.height, CAMERA.width, 3)}


def test_what_is_left_out_is_gone_without_a_trace(small: EpisodeSet) -> None:
    shown = [each for each in items_of(small) if each[0] in small.episodes[0].questions]
    base, removed = (next(truth for _, kind, truth in shown if kind == name) for name in (BASE, TASK_OBJ_REM))
    folder = small.scene_folder(base.home)
    before, after = home_pictures(folder, (), base.views), home_pictures(folder, removed.left_out, removed.views)
    seen = next(each for each in sights_of(base) if each.thing in removed.left_out)
    changed = np.abs(before[seen.view].astype(int) - after[seen.view]).max(axis=2) > 60
    assert changed.sum() > LEAST_PIXELS / 2
    for one, other in zip(before, after, strict=True):  # nothing is black where the thing was
        assert (other.max(axis=2) < 3).sum() <= (one.max(axis=2) < 3).sum() + 50


def test_pictures_are_kept_and_made_anew_where_they_are_damaged(small: EpisodeSet, tmp_path: Path) -> None:
    truth = next(truth for _, kind, truth in items_of(small) if kind == BASE)
    folder = Path(copytree(small.scene_folder(truth.home), tmp_path / truth.home))
    first = home_pictures(folder, (), truth.views)
    kept = sorted((folder / FOLDER).glob("pictures-*.npz"), key=lambda path: path.stat().st_mtime_ns)
    assert kept
    for path in kept:
        path.write_bytes(b"PK" + bytes(40))
    again = home_pictures(folder, (), truth.views)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert not first[0].flags.writeable


def test_a_task_that_pictures_do_not_show_is_left_out(small: EpisodeSet, tmp_path: Path) -> None:
    shown = pictures(small)
    assert (shown.shows(SHOWN), shown.shows(HIDDEN), shown.shows("other")) == (True, False, False)
    with pytest.raises(EpisodeError, match=r"pictures do not show all that episode 'homes-home_1-08'.*--input text"):
        shown.shown(HIDDEN, BASE)
    with pytest.raises(EpisodeError, match="no item 'q9'"):
        shown.shown(SHOWN, "q9")


def run(small: EpisodeSet, out: Path, model: str, shown: str, **more: Any) -> list[Any]:
    settings = Settings(agent=AgentSettings(name="interpreter", model=model), control=ControlSettings(input=shown))
    settings = replace(settings, model=replace(settings.model, **more))
    return list(run_set(Job(small.folder, out, "none", "interpreter", settings)))


def test_a_stand_in_that_knows_the_gold_is_right_with_every_input(small: EpisodeSet, tmp_path: Path) -> None:
    for shown, count in (("text", 2), ("image", 1), ("both", 1)):
        ended = run(small, tmp_path / "runs" / shown, "stand-in:oracle", shown)
        assert [outcome.state for _, outcome in ended] == [EpisodeState.FINISHED] * count
    rows = score_runs([tmp_path / "runs"], RuleJudge()).to_json()["heal"]["rows"]
    assert {row["input"] for row in rows} == {"text", "image", "both"}
    for row in rows:
        assert {row["c_o"], row["p_o"], row["repurposed"]} <= {0, None}, row
        assert row["f1"] == 100 if row["feasible"] else row["refusal_all"] == 100, row


@pytest.mark.needs("openai")
def test_who_takes_no_pictures_is_refused_before_the_first_episode(
    small: EpisodeSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--world", "none", "--agent", "interpreter", "--episodes", str(small.folder), "--out", str(tmp_path)]
    with BlindServer(Step(completion("Yes."))) as server:
        url = ["--set", f"model.url={server.url}", "--set", "model.retries=0"]
        assert main(["run", "heal", *options, "--model", "openai:x", "--input", "image", *url]) != 0
    assert "takes no pictures" in capsys.readouterr().err
    assert not list(tmp_path.glob("homes-*"))


def test_sets_without_pictures_are_refused(small: EpisodeSet, episodes: Path, tmp_path: Path) -> None:
    hidden = part_of(episodes, tmp_path / "hidden", (HIDDEN,))
    with pytest.raises(UsageError, match=r"--input image: no task of .* has pictures"):
        run(hidden, tmp_path / "out", "stand-in:refuser", "image")


@pytest.mark.needs("models")
@pytest.mark.parametrize("shown", ["image", "both"])
def test_a_tiny_model_is_shown_the_pictures(tiny_vlm: Path, small: EpisodeSet, tmp_path: Path, shown: str) -> None:  # noqa: F811
    ended = run(small, tmp_path, f"transformers:{tiny_vlm}", shown, device="cpu", max_new_tokens=8)
    assert [outcome.state for _, outcome in ended] == [EpisodeState.FINISHED]
    assert Verdict.NEEDS_MODEL not in {answer.verdict for _, outcome in ended for answer in outcome.answers}


def damaged(small: EpisodeSet, folder: Path, key: str, value: Any) -> list[str]:
    """Problems of the set with other gold data of the first item of the task that pictures show."""
    part = part_of(small.folder, folder, (SHOWN,))
    lines = (folder / "truth.jsonl").read_text().splitlines()
    truth = json.loads(lines[0])
    truth["questions"][0]["task"][key] = value
    (folder / "truth.jsonl").write_text(json.dumps(truth) + "\n")
    return HealBenchmark().validate(part.folder)


def test_gold_data_that_pictures_contradict_are_found(small: EpisodeSet, tmp_path: Path) -> None:
    truth = next(truth for _, kind, truth in items_of(small) if kind == BASE)
    thing, view, pixels, share = truth.seen[0]
    moved = [[0.0, 0.0, 1.5, 0.0, 0.0]] * VIEWS
    for number, (key, value, sentence) in enumerate(
        (
            ("seen", [[thing, view, 2 * pixels, share]], f"and the gold data tell {2 * pixels}"),
            ("seen", [[thing, view, pixels, share + 7]], "another share"),
            ("seen", [], "do not tell how well pictures show"),
            ("views", moved[:5], "shown from other places"),
            ("views", moved, "shown from other places"),
        )
    ):
        problems = damaged(small, tmp_path / str(number), key, value)
        assert any(sentence in problem for problem in problems), (key, value, problems)


@each_row(
    "key, value",
    [
        ("views", 3),
        ("views", [[0, 0, 0, 0]]),
        ("views", [[0, 0, 0, 0, "1"]]),
        ("views", [[0, 0, 0, 0, True]]),
        ("seen", [[1, 2, 3]]),
        ("seen", [[1, 2, 3, 4.5]]),
        ("seen", {}),
    ],
)
def test_gold_data_of_another_form_are_refused(key: str, value: Any) -> None:
    good = task_to_json(TaskTruth(SceneFacts(), Goal(), True, home="h", seen=((1, 0, 900, 50),)))
    with pytest.raises(FormatError):
        task_from_json({**good, key: value}, "here")


def test_numbers_behind_names_count_for_nothing_by_kinds() -> None:
    said = {"node goals": [["open", "box_1"], ["open", "box_2"]], "edge goals": [["in", "mug", "box_1"]]}
    found = reading_by_kind(read_reply(json.dumps(said)))
    assert [each.objects for each in found.goals] == [("box",), ("mug", "box")]
