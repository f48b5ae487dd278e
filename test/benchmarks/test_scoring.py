"""Scores where the last look alone tells whether an answer is grounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gold_bags import CLEAN, NOISY, Telling, gold, record, said
from row_tables import each_row

from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.scoring import case_of, score_recording
from vantage.recording.recordings import frames_at, read_recording
from vantage.types import Truth

WAY = ["x+", "x+"]  # three frames: 0, 1 and 2


def recorded(folder: Path, answer: str = "red", answering: tuple[int, ...] | None = (2,), truth: Truth | None = None):
    """A recording of which the frames of these numbers answer the question; of None, none tells."""
    agent = Telling(WAY, said(answer), (0, 1))
    told = (lambda _: ()) if answering is None else (lambda k: (k in answering,))
    path, _ = record(folder, "e1", agent, truth or gold(), answers=told)
    return read_recording(path)


@each_row(
    "answer, answering, mark",
    [
        ("red", (2,), 5.0),
        ("red", (0, 1, 2), 5.0),
        ("It is red.", (2,), 5.0),
        ("red", (0, 1), 1.0),  # however well the evidence shows it
        ("red", (), 1.0),
        ("blue", (2,), 1.0),
    ],
)
def test_an_answer_counts_where_it_is_right_and_the_last_look_answers(
    tmp_path_factory: pytest.TempPathFactory, answer: str, answering: tuple[int, ...], mark: float
) -> None:
    score = score_recording(recorded(tmp_path_factory.mktemp("bag"), answer, answering), RuleJudge(), by_end=True)
    assert (score.complete, score.judge_score, score.success) == (True, mark, mark == 5.0)
    assert (score.judge, score.judge_version) == ("rules", f"{RuleJudge.version}-end")


def test_without_the_rule_the_evidence_counts_as_ever(tmp_path: Path) -> None:
    score = score_recording(recorded(tmp_path, answering=()), RuleJudge())
    assert (score.judge_score, score.judge_version) == (5.0, RuleJudge.version)


def test_a_recording_that_does_not_tell_is_left_out_in_one_sentence(tmp_path: Path) -> None:
    score = score_recording(recorded(tmp_path, answering=None), RuleJudge(), by_end=True)
    assert not score.complete
    assert score.incomplete_reason == (
        "no mark: the recording does not tell whether its last look answers the question; record the episode anew"
    )


def test_false_premises_keep_their_scale(tmp_path: Path) -> None:
    score = score_recording(recorded(tmp_path, "on the table", (), gold(NOISY)), RuleJudge(), by_end=True)
    assert (score.complete, score.judge_score) == (True, 2.0)


class Watching:
    """A judge that knows of no last look, and keeps what it was given."""

    name, version = "watching", "1"

    def judge(self, case: Case) -> Judgement:
        self.case = case
        return Judgement(3, "seen")


def test_any_judge_is_given_the_last_look_and_what_it_answers(tmp_path: Path) -> None:
    recording, judge = recorded(tmp_path, answering=(2,)), Watching()
    assert score_recording(recording, judge, by_end=True).judge_version == "1"
    end = judge.case.end_image()
    assert judge.case.end_answers is True
    assert end is not None
    np.testing.assert_array_equal(end, frames_at(recording.path, [recording.motions[-1].observation_stamp])[0])
    assert score_recording(recording, judge).complete
    assert judge.case.end_answers is None, "it decides nothing"


def test_the_last_look_of_an_episode_without_a_step_is_its_first(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "still", Telling([], said("red")), gold(), answers=lambda k: (k == 0,))
    assert case_of(read_recording(path), CLEAN, by_end=True).end_answers is True
