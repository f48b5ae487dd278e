"""How far judges agree, from bags and from scores."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from gold_bags import Telling, gold, record, said

from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import ModelError
from vantage.reports.judge_agreement import agreements
from vantage.reports.scoring import score_by_each, score_runs


def score(number: int, judge: str, mark: float, **more: str) -> EpisodeScore:
    return EpisodeScore(
        f"e{number}", "search", "agent", "pixels", judge, True, judge_score=mark, scene=f"h{number % 3}", **more
    )


def test_marks_of_the_same_episodes_are_compared_and_the_rest_is_counted() -> None:
    one = [score(k, "rules", mark) for k, mark in enumerate((1, 5, 5, 1, 5))]
    other = [score(k, "people", mark) for k, mark in enumerate((1, 4, 5, 2))]
    (found,) = agreements([*one, *other])
    assert (found.first, found.second, found.alone) == ("rules", "people", 1)
    assert found.spearman.n == 4
    assert found.spearman.value == pytest.approx(0.8944, abs=1e-4)  # of ranks 1.5 3.5 3.5 1.5 and 1 3 4 2
    assert "rules against people: Spearman 0.89" in found.text()
    assert "4 episodes; 1 marked by one alone" in found.text()


def test_equal_marks_kappa_and_every_disagreement_are_told() -> None:
    one = [score(k, "rules", mark) for k, mark in enumerate((1, 5, 5, 1, 5, 5))]
    other = [score(k, "model", mark, judge_reason="seen") for k, mark in enumerate((1, 5, 1, 1, 5, 5))]
    (found,) = agreements([*one, *other])
    assert found.equal.value == pytest.approx(5 / 6)
    assert found.kappa == pytest.approx((5 / 6 - 0.5) / 0.5)  # 4 and 3 of 6 fives, 2 and 3 ones: chance agrees on half
    assert [(each.episode_id, each.first, each.second, each.why_second) for each in found.disagreements] == [
        ("e2", 5, 1, "seen")
    ]
    assert "Cohen's kappa 0.67" in found.text()
    assert "e2 (agent): 5 () against 1 (seen)" in found.text()


def test_of_many_disagreements_a_terminal_shows_some_and_json_all() -> None:
    one = [score(k, "rules", 1) for k in range(30)]
    other = [score(k, "model", 5) for k in range(30)]
    (found,) = agreements([*one, *other])
    assert len(found.disagreements) == 30
    assert "and 10 more, see --json" in found.text()
    assert found.kappa == 0.0
    (same,) = agreements([*one, *[replace(each, judge="model") for each in one]])
    assert "kappa" not in same.text(), "chance alone agrees always"


def test_controls_and_benchmarks_are_told_apart_and_one_judge_agrees_with_nobody() -> None:
    plain, goal = score(1, "rules", 5), score(1, "people", 5, control="start=goal")
    (found,) = agreements([plain, goal])
    assert (found.spearman.n, found.alone) == (0, 2)
    assert agreements([score(1, "rules", 5), score(2, "rules", 1)]) == ()
    assert agreements([plain, replace(score(1, "people", 5), benchmark="other")]) == ()
    assert agreements([plain, replace(goal, complete=False)]) == ()


class Moody:
    """A judge that marks by the number of the episode, and never the third."""

    name, version = "moody", "1"

    def __init__(self) -> None:
        self.marks = iter((5, 1, None))

    def judge(self, case: Case) -> Judgement:
        mark = next(self.marks)
        if mark is None:
            raise ModelError("out of mood")
        return Judgement(mark, "so be it")


def test_several_judges_score_the_same_bags_into_one_table(tmp_path: Path) -> None:
    for k, text in enumerate(("red", "blue", "red")):
        record(tmp_path, f"e{k}", Telling([], said(text)), gold())
    record(tmp_path, "cut", Telling([], said("red")), gold(), finish=False)
    table = score_by_each((RuleJudge(), Moody()), lambda judge: score_runs(tmp_path, judge))
    assert [(group.judge, group.figures[2].n) for group in table.groups] == [("moody", 2), ("rules", 3)]
    assert sorted(each.incomplete_reason[:12] for each in table.incomplete) == sorted(
        [score_runs(tmp_path).incomplete[0].incomplete_reason[:12], "no mark: out"]
    )
    document = json.loads(json.dumps(table.to_json(), allow_nan=False))
    (agreement,) = document["agreements"]
    rho = agreement["spearman"]
    assert (rho["value"], rho["n"], agreement["alone"]) == (pytest.approx(1.0), 2, 1)
    assert "rules against moody: Spearman 1.00 -, 2 episodes; 1 marked by one alone" in table.text()
    assert score_runs(tmp_path).to_json()["agreements"] == []
