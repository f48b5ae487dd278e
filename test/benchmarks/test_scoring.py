"""Scores where the last look alone tells whether an answer is grounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gold_bags import CLEAN, NOISY, TOO_SMALL, Telling, gold, record, said
from row_tables import each_row

from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.scoring import case_of, score_recording
from vantage.recording.recordings import frames_at, read_recording
from vantage.types import VIEW_RULE, Truth

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


def test_right_in_words_and_shown_are_told_apart_with_the_reason(tmp_path: Path) -> None:
    unshown = score_recording(recorded(tmp_path / "unshown", answering=(0,)), RuleJudge(), by_end=True)
    assert (unshown.right, unshown.shown, unshown.success) == (True, False, False)
    assert unshown.shortfall == TOO_SMALL.words == "574 px, 800 needed"
    assert unshown.judge_reason == "right, but the last look does not show it: 574 px, 800 needed"
    wrong = score_recording(recorded(tmp_path / "wrong", "blue", answering=()), RuleJudge(), by_end=True)
    assert (wrong.right, wrong.shown, wrong.shortfall) == (False, False, TOO_SMALL.words)
    shown = score_recording(recorded(tmp_path / "shown", "blue"), RuleJudge(), by_end=True)
    assert (shown.right, shown.shown, shown.shortfall) == (False, True, "")
    evidence = score_recording(recorded(tmp_path / "evidence", answering=()), RuleJudge())
    assert (evidence.right, evidence.shown, evidence.success) == (True, True, True)
    assert {(each.view_rule, each.set_view_rule) for each in (unshown, shown, evidence)} == {(VIEW_RULE, VIEW_RULE)}


def test_no_look_has_to_show_that_a_premise_is_false(tmp_path: Path) -> None:
    score = score_recording(recorded(tmp_path, "on the table", (), gold(NOISY)), RuleJudge(), by_end=True)
    assert (score.right, score.shown, score.shortfall) == (False, None, "")


def test_a_recording_without_reasons_is_scored_without_them(tmp_path: Path) -> None:
    recording = recorded(tmp_path, answering=())
    recording.shortfalls.clear()  # as bags from before there were any
    score = score_recording(recording, RuleJudge(), by_end=True)
    assert (score.right, score.shown, score.shortfall) == (True, False, "")
    assert score.judge_reason == "right, but the last look does not show it"


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
    unknown = score_recording(recording, judge)
    assert (unknown.right, unknown.shown) == (None, None), "it tells neither"


def test_the_last_look_of_an_episode_without_a_step_is_its_first(tmp_path: Path) -> None:
    path, _ = record(tmp_path, "still", Telling([], said("red")), gold(), answers=lambda k: (k == 0,))
    assert case_of(read_recording(path), CLEAN, by_end=True).end_answers is True
