"""Scores from bags: what counts, and what is named instead of scored."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from gold_bags import CLEAN, CODEC, NOISY, Telling, gold, record, said
from open_field import START, OpenFieldWorld, make_episode
from scripted_agent import ScriptedAgent

from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.errors import RecordingError, UsageError
from vantage.recording.bags import BagWriter, read_bag
from vantage.recording.partial_bags import PARTIAL
from vantage.recording.recordings import read_recording
from vantage.recording.topics import ANSWER, COMMAND_RESULT, EPISODE, RECORDING_SUMMARY, Topic
from vantage.reports.score_table import ScoreTable
from vantage.reports.scoring import score_bag, score_runs
from vantage.types import Command, EpisodeState, NoiseReport, NoiseType, Verdict

RUNS = (("pilot", "e1"), ("vqa", "e1"), ("vqa", "e2"))


def test_a_right_answer_is_scored_with_everything_about_the_way(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling(["x+", "yaw+", "z-", "yaw-"], said("red")), gold())
    score = score_bag(path)
    assert (score.complete, score.incomplete_reason) == (True, "")
    assert (score.judge_score, score.success, score.judge) == (5.0, True, "rules")
    assert (score.steps, score.oracle_steps, score.has_oracle, score.spl) == (4, 2, True, 0.5)
    assert score.path_length == pytest.approx(0.5)
    assert (score.collisions, score.noisy, score.false_alarm, score.messages_dropped) == (0, False, False, 0)
    assert (score.agent, score.perception, score.benchmark) == ("scripted", "privileged", "search")
    assert (score.question, score.answer, score.verdict) == ("What color is ball 1?", "red", "ANSWERED")


def test_figures_of_an_episode_without_a_step_are_of_the_types_that_messages_have(tmp_path: Path) -> None:
    score = score_bag(record(tmp_path, "still", Telling([], said("red")), gold())[0])
    assert (score.steps, score.path_length) == (0, 0.0)
    wanted = {item.name for item in fields(EpisodeScore) if item.type == "float"}
    assert wanted >= {"path_length", "judge_score", "spl", "confidence"}
    assert all(isinstance(getattr(score, name), float) for name in wanted)


def test_collisions_are_counted_and_add_no_way(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling(["x+"] * 10, said("red")), gold())
    score = score_bag(path)
    assert (score.steps, score.collisions) == (10, 2)  # from 1 m to 3 m are 8 steps
    assert score.path_length == pytest.approx(2.0)


def test_every_target_must_be_visible_in_the_last_frame_or_the_evidence(tmp_path: Path) -> None:
    def seen(frame: int) -> dict[int, float]:
        return ({1: 0.9, 2: 0.0}, {1: 0.0, 2: 0.9}, {1: 0.0, 2: 0.0})[frame]

    marks = {}
    for name, evidence in (("none", ()), ("one", (0,)), ("both", (0, 1))):
        path, _ = record(tmp_path, name, Telling(["x+", "x+"], said("red"), evidence), gold(), seen)
        score = score_bag(path)
        marks[name] = (score.judge_score, score.visible)
    assert marks == {"none": (1.0, 0.0), "one": (1.0, 0.0), "both": (5.0, 0.9)}


def test_the_last_frame_is_the_one_after_the_last_command(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e", Telling(["x+", "x+"], said("red")), gold(), lambda k: {1: 0.3 * k, 2: 1.0})
    assert score_bag(path).visible == pytest.approx(0.6)
    path, _ = record(tmp_path, "still", Telling([], said("red")), gold(), lambda k: {1: 0.4, 2: 1.0})
    assert score_bag(path).visible == pytest.approx(0.4)


def test_a_corrected_premise_is_scored_on_the_noisy_scale(tmp_path: Path) -> None:
    report = NoiseReport(NoiseType.COLOR, "the ball is green", "the ball is red", "Where is the red ball?", 0.9)
    corrected = said("The ball is red, not green. Answer: on the table.", Verdict.CORRECTED, report)
    path, _ = record(tmp_path, "e1", Telling(["x+"], corrected), gold(NOISY))
    score = score_bag(path)
    assert (score.judge_score, score.noisy, score.noise_detected, score.noise_corrected) == (5.0, True, True, True)
    assert score.noise_type == "COLOR"
    path, _ = record(tmp_path, "e2", Telling(["x+"], said("on the table")), gold(NOISY))
    score = score_bag(path)
    assert (score.judge_score, score.noise_detected, score.success, score.spl) == (2.0, False, False, 0.0)


def test_an_episode_without_answer_is_complete_and_scores_one(tmp_path: Path) -> None:
    path, outcome = record(tmp_path, "e1", ScriptedAgent(["yaw+"] * 9), gold(), max_steps=3)
    assert "budget" in outcome.reason
    score = score_bag(path)
    assert (score.complete, score.judge_score, score.steps) == (True, 1.0, 3)


def test_without_an_oracle_there_is_no_spl(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling([], said("red")), gold(CLEAN, None))
    score = score_bag(path)
    assert not score.has_oracle
    assert math.isnan(score.spl)
    figures = {figure.key: figure for figure in score_runs(tmp_path).groups[0].figures}
    assert (figures["spl"].n, figures["success"].n) == (0, 1)


def test_dropped_messages_are_told(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling([], said("red")), gold(), dropped={"/tf": 3})
    assert score_bag(path).messages_dropped == 3
    assert "3 messages were dropped" in score_runs(tmp_path).text()


def test_a_partial_recording_is_named(tmp_path: Path) -> None:
    record(tmp_path, "whole", Telling([], said("red")), gold())
    record(tmp_path, "cut", Telling([], said("red")), gold(), finish=False)
    table = score_runs(tmp_path)
    assert [score.episode_id for score in table.complete] == ["whole"]
    (cut,) = table.incomplete
    assert (cut.episode_id, cut.bag) == ("cut", f"cut{PARTIAL}")
    assert "not finished" in cut.incomplete_reason
    assert "cut.partial" in table.text()


@pytest.mark.parametrize("keep", [0, 7, 200, 0.5, 0.9])
def test_a_truncated_bag_is_named_and_the_others_are_scored(tmp_path: Path, keep: float) -> None:
    record(tmp_path, "whole", Telling(["x+"], said("red")), gold())
    path, _ = record(tmp_path, "short", Telling(["x+"], said("red")), gold())
    (file,) = path.glob("*.mcap")
    data = file.read_bytes()
    file.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])
    table = score_runs(tmp_path)
    assert [score.episode_id for score in table.complete] == ["whole"]
    (short,) = table.incomplete
    assert "short" in short.incomplete_reason
    assert "\n" not in short.incomplete_reason


def test_a_bag_without_its_file_or_its_metadata_is_named(tmp_path: Path) -> None:
    record(tmp_path, "whole", Telling([], said("red")), gold())
    path, _ = record(tmp_path, "empty", Telling([], said("red")), gold())
    next(path.glob("*.mcap")).unlink()
    path, _ = record(tmp_path, "bare", Telling([], said("red")), gold())
    (path / "metadata.yaml").unlink()
    table = score_runs(tmp_path)
    assert [score.episode_id for score in table.complete] == ["whole"]
    assert sorted(score.bag for score in table.incomplete) == ["bare", "empty"]


def test_a_failed_or_canceled_episode_is_named_with_its_reason(tmp_path: Path) -> None:
    answer = said("red")
    path, _ = record(tmp_path, "e1", Telling([], answer.__class__("other", "red", Verdict.ANSWERED, 1.0)), gold())
    score = score_bag(path)
    assert not score.complete
    assert "failed" in score.incomplete_reason
    assert "not open" in score.incomplete_reason


def test_a_recording_without_gold_data_is_named(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling([], said("red")))
    assert "no gold data" in score_bag(path).incomplete_reason


def test_lost_results_make_a_recording_incomplete(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling(["x+", "x+"], said("red")), gold())
    recording = read_recording(path)
    assert recording.shortfall() == ""
    recording.motions.pop()
    assert recording.shortfall() == "it holds 1 results of 2 commands"
    recording = read_recording(path)
    recording.answers.clear()
    assert recording.shortfall() == "it holds 0 of 1 answers"
    recording = read_recording(path)
    recording.read["/truth/visibility"] -= 1
    assert recording.shortfall() == "it holds 2 of 3 messages on /truth/visibility"


def test_a_folder_without_bags_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="holds no bag"):
        score_runs(tmp_path)
    with pytest.raises(RecordingError, match="no folder"):
        score_runs(tmp_path / "nowhere")


def test_one_bag_can_be_scored_by_itself(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling([], said("red")), gold())
    assert score_runs(path).scores == (score_bag(path),)


def test_the_same_bags_give_the_same_table_wherever_they_lie(tmp_path: Path) -> None:
    for number in range(3):
        record(tmp_path / "a", f"e{number}", Telling(["x+"] * number, said("red" if number else "blue")), gold())
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    one, other = score_runs(tmp_path / "a"), score_runs(tmp_path / "b")
    assert one.text() == other.text()
    assert one.to_json() == other.to_json()


def test_the_table_is_aligned_and_its_json_is_plain(tmp_path: Path) -> None:
    record(tmp_path, "e1", Telling(["x+"], said("red")), gold())
    record(tmp_path, "a-longer-name", Telling([], said("blue")), gold(NOISY, None))
    table = score_runs(tmp_path)
    lines = table.text().splitlines()
    rows = [line for line in lines if line.startswith(("episode", "e1 ", "a-longer-name"))]
    assert len({line.index("scor") for line in rows[:1]}) == 1
    assert len(rows) == 3
    assert any(line.startswith("Both (success) ") and "n=" not in line for line in lines)
    document = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert document["schema"] == "vantage/scores"
    assert document["groups"][0]["figures"]["success"]["n"] == 2
    assert document["episodes"][0]["spl"] is None
    assert document["incomplete"] == []


def test_agents_are_never_mixed(tmp_path: Path) -> None:
    record(tmp_path, "e1", Telling([], said("red")), gold())
    other = Telling([], said("blue"))
    other.name = "other"
    record(tmp_path, "e2", other, gold())
    groups = score_runs(tmp_path).groups
    assert [(group.agent, group.figures[0].value) for group in groups] == [("other", 0.0), ("scripted", 1.0)]


def under(control: str, text: str = "red") -> Telling:
    agent = Telling([], said(text))
    agent.control = control
    return agent


def test_controls_of_one_agent_are_never_mixed_and_do_not_collide(tmp_path: Path) -> None:
    record(tmp_path / "own", "e1", under("", "blue"), gold())
    record(tmp_path / "goal", "e1", under("start=goal,frames=3"), gold())
    record(tmp_path / "goal", "e2", under("start=goal,frames=3"), gold())
    table = score_runs(tmp_path)
    found = [(group.control, group.figures[0].n, group.figures[0].value) for group in table.groups]
    assert found == [("", 1, 0.0), ("start=goal,frames=3", 2, 1.0)]
    assert [group["control"] for group in table.to_json()["groups"]] == ["", "start=goal,frames=3"]
    assert "control start=goal,frames=3" in table.text()
    shutil.copytree(tmp_path / "goal", tmp_path / "twice")
    with pytest.raises(UsageError, match="is in both"):
        score_runs(tmp_path)


def test_an_episode_without_an_answer_counts_for_the_model_of_its_own_control(tmp_path: Path) -> None:
    def answering(control: str, model: str) -> Telling:
        agent = Telling([], replace(said("red"), model=model))
        agent.control = control
        return agent

    record(tmp_path, "e1", answering("frames=1", "small"), gold())
    record(tmp_path, "e2", answering("frames=3", "large"), gold())
    silent = ScriptedAgent(["yaw+"] * 9)
    silent.control = "frames=3"
    record(tmp_path, "e3", silent, gold(), max_steps=2)
    assert [score.model for score in score_runs(tmp_path).scores] == ["small", "large", "large"]


def test_category_pair_and_split_of_the_gold_data_are_told(tmp_path: Path) -> None:
    truth = replace(gold(replace(CLEAN, category="attribute")), pair_id="p7", split="test")
    score = score_bag(record(tmp_path, "e1", Telling([], said("red")), truth)[0])
    assert (score.category, score.pair_id, score.split) == ("attribute", "p7", "test")
    score = score_bag(record(tmp_path, "e2", Telling([], said("red")), gold())[0])
    assert (score.category, score.pair_id, score.split, score.control) == ("", "", "", "")


class Strict:
    """A judge of one's own, who looks at the pictures."""

    name, version = "strict", "1"

    def __init__(self) -> None:
        self.shown: list[tuple[int, ...]] = []

    def judge(self, case: Case) -> Judgement:
        self.shown += [frame.shape for frame in case.frames()]
        goal = case.goal_image()
        assert goal is not None
        assert set(goal.ravel().tolist()) == {90}
        assert (case.phase, case.answer is not None) == ("answer", True)
        return Judgement(1, "never content")


def test_another_judge_can_be_used_and_sees_pictures(tmp_path: Path) -> None:
    record(tmp_path, "e1", Telling(["x+", "x+"], said("red"), [0]), gold())
    strict = Strict()
    table = score_runs(tmp_path, strict)
    assert len(strict.shown) == 2, "of the evidence and of the last look"
    assert all(len(shape) == 3 and shape[2] == 3 for shape in strict.shown)
    assert isinstance(table.scores[0], EpisodeScore)
    assert (table.scores[0].judge, table.scores[0].judge_score) == ("strict", 1.0)


def test_an_end_that_is_logged_before_the_beginning_is_still_the_end(tmp_path: Path) -> None:
    episode = make_episode("swapped")
    with BagWriter(tmp_path, "swapped") as bag:
        bag.write(EPISODE, 5, CODEC.episode(5, episode, EpisodeState.FINISHED))
        bag.write(EPISODE, 5, CODEC.episode(5, episode, EpisodeState.RUNNING))
        path = bag.finish("swapped")
    assert read_recording(path).state == EpisodeState.FINISHED


def test_commands_of_strangers_are_no_steps(tmp_path: Path) -> None:
    episode = make_episode("visited")
    world = OpenFieldWorld()
    world.reset(episode, 0)
    strange = world.step(Command(START, "x+", None, "visited", "intruder", 1))
    with BagWriter(tmp_path, "visited") as bag:
        bag.write(EPISODE, 1, CODEC.episode(1, episode, EpisodeState.RUNNING))
        bag.write(COMMAND_RESULT, 2, CODEC.command_result(strange))
        bag.write(EPISODE, 3, CODEC.episode(3, episode, EpisodeState.FINISHED))
        path = bag.finish("visited")
    assert read_recording(path).motions == []


def test_a_folder_counts_once_by_whatever_name_and_an_episode_of_two_runs_is_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    record(one, "e1", Telling(["x+"], said("red")), gold())
    (tmp_path / "link").symlink_to(one)
    assert score_runs([one, tmp_path / "link", one / ".." / "one"]).scores == score_runs(one).scores
    shutil.copytree(one, other)
    with pytest.raises(UsageError, match=r"'.*one.*e1.*' and '.*other.*e1.*'"):
        score_runs([one, other])


def again(path: Path, change: Callable[[Topic, Any], list[Any]], interference: tuple[str, ...] = ()) -> Path:
    """A bag like another one, but for what others told of its episode."""
    with BagWriter(path.parent / "again", path.name) as bag:
        for topic, stamp, message in read_bag(path):
            for item in change(topic, message) if topic is not RECORDING_SUMMARY else []:
                bag.write(topic, stamp, item)
        return bag.finish(path.name, interference=interference)


def only(topic: Topic, change: Callable[[Any], list[Any]]) -> Callable[[Topic, Any], list[Any]]:
    return lambda at, message: change(message) if at is topic else [message]


def lost(viewpoint: Any) -> Any:
    return replace(viewpoint, x=math.nan)


DISTURBED: dict[str, tuple[Callable[[Topic, Any], list[Any]], str]] = {
    "a second result": (
        only(COMMAND_RESULT, lambda m: [m, replace(m, sequence=1)] if m.sequence == 2 else [m]),
        "interference: commands have more than one result",
    ),
    "a result of nothing": (
        only(COMMAND_RESULT, lambda m: [m, replace(m, sequence=m.sequence + 8)]),
        "interference: it holds results of commands that the planner never sent (9, 10; it sent 2)",
    ),
    "a second answer": (
        only(ANSWER, lambda m: [m, replace(m, text="blue")]),
        "interference: it holds 2 answers, and the planner gave 1; question 'q1' was answered 2 times",
    ),
    "an answer to nothing": (
        only(ANSWER, lambda m: [m, replace(m, question_id="q9")]),
        "interference: it holds 2 answers, and the planner gave 1; question 'q9' was answered, which the episode does "
        "not ask",
    ),
    "a pose that is none": (
        only(COMMAND_RESULT, lambda m: [replace(m, reached=lost(m.reached))]),
        "impossible value on /command_result: the pose after command 1 is not finite",
    ),
    "a start that is none": (
        only(EPISODE, lambda m: [replace(m, start=lost(m.start))]),
        "impossible value on /episode: the start of the episode is not finite",
    ),
    "a confidence that is none": (
        only(ANSWER, lambda m: [replace(m, confidence=math.nan)]),
        "impossible value on /answer: the confidence of the answer to 'q1' is not finite",
    ),
}


@pytest.mark.parametrize("kind", DISTURBED)
def test_a_disturbed_episode_is_named_and_blanks_no_figure(tmp_path: Path, kind: str) -> None:
    change, words = DISTURBED[kind]
    path, _ = record(tmp_path, "e1", Telling(["x+", "yaw+"], said("red")), gold())
    disturbed = again(path, change)
    score = score_bag(disturbed)
    assert not score.complete
    assert words in score.incomplete_reason
    record(disturbed.parent, "e2", Telling(["x+"], said("red")), gold())
    table = score_runs(disturbed.parent)
    assert [item.episode_id for item in table.complete] == ["e2"]
    assert words in table.text()
    figures = {figure.key: figure.value for figure in table.groups[0].figures}
    assert figures["path_length"] == pytest.approx(0.25)


def test_what_the_recorder_noticed_is_named(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling(["x+"], said("red")), gold())
    disturbed = again(path, lambda topic, message: [message], ("the world was reset", "and stopped"))
    assert score_bag(disturbed).incomplete_reason == "interference: the world was reset; and stopped"
    assert score_bag(again(path.parent / "again" / "e1", lambda topic, message: [message])).complete


def test_results_in_any_order_give_the_same_way(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "e1", Telling(["x+", "yaw+", "y+"], said("red")), gold())
    results = [message for topic, _, message in read_bag(path) if topic is COMMAND_RESULT]
    backwards = iter(results[::-1])
    turned = again(path, only(COMMAND_RESULT, lambda m: [next(backwards)]))
    assert read_recording(turned).motions == read_recording(path).motions


@pytest.mark.parametrize("name", ["x" * 5000, "a/" * 3000, "\x00", "\ud800"])
def test_a_path_that_no_folder_can_have_is_refused_in_few_words(name: str) -> None:
    with pytest.raises(RecordingError) as caught:
        score_runs(name)
    assert len(str(caught.value)) < 1000


def test_recordings_of_one_name_that_have_no_score_are_told_apart_by_who_ran() -> None:
    left = [EpisodeScore("e1", agent=agent, bag=bag, incomplete_reason="no mark") for agent, bag in RUNS]
    lines = ScoreTable(tuple(left)).text().splitlines()
    assert lines[-3:] == ["  e1 (pilot): no mark", "  e1 (vqa): no mark", "  e2: no mark"]
