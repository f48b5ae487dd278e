"""How far raters agree, from scores, from bags and from files."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gold_bags import Telling, gold, record, said
from row_tables import each_row

from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.statistics import EpisodeScore, Level
from vantage.cli.main import main
from vantage.errors import FormatError, UsageError
from vantage.reports.rater_alphas import rater_agreement
from vantage.reports.ratings import Kind, Rating, Who, ratings_of, read_ratings


def score(number: int, rater: str, *, right: bool = True, verdict: str = "ANSWERED", **more: Any) -> EpisodeScore:
    return EpisodeScore(
        f"e{number}",
        "search",
        more.pop("agent", "human"),
        "eyes",
        more.pop("judge", "rules"),
        True,
        judge_score=more.pop("mark", 5.0 if right else 1.0),
        success=right,
        verdict=verdict,
        scene=f"h{number % 3}",
        control=f"person={rater}",
        **more,
    )


def mark(unit: str, who: Who, rater: str, value: float) -> Rating:
    return Rating(Kind.MARK, "search", (unit,), f"home_{unit}", who, rater, value)


def test_people_are_compared_with_people_and_agents_with_agents() -> None:
    people = [
        score(k, rater, right=right)
        for rater, row in (("amber", (True, True, False, False)), ("birch", (True, False, False, True)))
        for k, right in enumerate(row)
    ]
    agents = [score(k, "", agent=name, right=k > 1) for name in ("search", "random") for k in range(4)]
    found = rater_agreement(ratings_of([*people, *agents]))
    by = {(each.kind, each.who): each for each in found.alphas}
    assert by[Kind.CORRECTNESS, Who.PEOPLE].alpha.value == pytest.approx(1 - 7 * 4 / 32)  # half agree: 0.125
    assert by[Kind.CORRECTNESS, Who.PEOPLE].alpha.n == 4
    assert len(by[Kind.CORRECTNESS, Who.PEOPLE].raters) == 2
    assert by[Kind.CORRECTNESS, Who.AGENTS].alpha.value == 1.0
    assert math.isnan(by[Kind.VERDICT, Who.PEOPLE].alpha.value), "all verdicts are the same"
    assert [each.unit for each in found.disagreements] == [("e1",), ("e3",)]
    assert "correctness of e1: human, eyes, person=amber right, human, eyes, person=birch wrong" in found.text()


def test_marks_of_judges_are_ordinal_and_interval_and_set_against_people() -> None:
    judged = [mark(str(k), Who.JUDGES, "rules", value) for k, value in enumerate((1.0, 5.0, 4.0, 2.0))]
    people = [mark(str(k), Who.PEOPLE, "amber", value) for k, value in enumerate((1.0, 4.0, 5.0, 2.0))]
    people += [mark(str(k), Who.PEOPLE, "birch", value) for k, value in enumerate((2.0, 5.0, 5.0, 2.0))]
    found = rater_agreement([*judged, *people])
    assert [each.level for each in found.alphas if each.who is Who.PEOPLE] == [Level.ORDINAL, Level.INTERVAL]
    (against,) = found.against_judges
    # mean marks 1.5, 4.5, 5, 2 have ranks 1 3 4 2, those of the judge 1 4 3 2: 1 - 6 * 2 / (4 * 15)
    assert against.spearman.value == pytest.approx(0.8)
    assert against.spearman.n == 4
    assert "people against rules on search: Spearman 0.80" in found.text()


def test_the_first_judge_says_what_is_right() -> None:
    one, other = score(1, "amber"), score(1, "amber", judge="model", right=False)
    found = list(ratings_of([one, other]))
    assert [each.value for each in found if each.kind is Kind.CORRECTNESS] == ["right"]
    assert [each.rater for each in found if each.kind is Kind.MARK] == ["rules", "model"]
    assert list(ratings_of([replace(one, complete=False)])) == []


def test_scores_of_many_values_have_no_ranks_that_tell() -> None:
    ratings = [mark(str(k), Who.JUDGES, name, 1 + k / 20) for name in ("a", "b") for k in range(60)]
    assert [each.level for each in rater_agreement(ratings).alphas] == [Level.INTERVAL]


def review_file(path: Path, *rows: dict[str, str]) -> Path:
    reviewers = [
        {"name": f"reviewer-{k}", "judgements": {key: {"verdict": verdict} for key, verdict in row.items()}}
        for k, row in enumerate(rows, start=1)
    ]
    scenes = {key: key[:4] for row in rows for key in row}
    path.write_text(
        json.dumps({"schema": "vantage.review/2", "set": "ab" * 32, "scenes": scenes, "reviewers": reviewers})
    )
    return path


def test_files_of_marks_and_scores_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = {"h_01-1": "accept", "h_01-2": "reject", "h_02-1": "accept", "h_02-2": "reject"}
    marks = review_file(tmp_path / "marks.json", first, {**first, "h_02-1": "reject"})
    assert main(["agree", str(marks), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "vantage.agree/1"
    (alpha,) = data["alphas"]
    assert alpha["alpha"]["value"] == pytest.approx(1 - 7 * 2 / 30)  # 3 accept and 5 reject, one pair apart
    assert (alpha["kind"], alpha["who"], alpha["alpha"]["n"]) == ("REVIEW", "PEOPLE", 4)
    (differs,) = data["disagreements"]
    assert differs["values"] == {"reviewer-1": "accept", "reviewer-2": "reject"}


def test_bags_are_scored_and_saved_scores_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bags = tmp_path / "bags"
    record(bags, "e1", Telling(["x+"], said("red"), [1]), gold())
    assert main(["score", str(bags), "--json"]) == 0
    saved = json.loads(capsys.readouterr().out)
    for episode in saved["episodes"]:
        episode["judge"] = "other"
    (tmp_path / "scores.json").write_text(json.dumps(saved))
    ratings = read_ratings([bags, bags, tmp_path / "scores.json"], [RuleJudge()])
    assert {each.rater for each in ratings if each.kind is Kind.MARK} == {
        f"{name} {saved['episodes'][0]['judge_version']}" for name in ("rules", "other")
    }
    assert main(["agree", str(bags)]) == 1
    assert "no two raters rated the same" in capsys.readouterr().out


@each_row(
    "content, words",
    [
        ("[1]", "holds neither marks of people"),
        ('{"schema": "vantage.score/1"}', "'episodes' must be a list"),
        ('{"schema": "vantage.score/1", "episodes": [3]}', r"episodes\[0\] must have texts for"),
        ('{"schema": "vantage.review/2", "reviewers": []}', "holds no marks"),
        ('{"schema": "vantage.review/2", "set": "a", "scenes": 1, "reviewers": [{}]}', "must name the scene"),
        ('{"schema": "vantage.review/2", "set": "a", "scenes": {}, "reviewers": [3]}', "must have a name"),
        ('{"schema": "vantage.review/9"}', "holds no marks"),
        ("{", "as JSON"),
    ],
)
def test_files_that_are_none_are_refused(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "file.json").write_text(content)
    with pytest.raises(FormatError, match=words):
        read_ratings([tmp_path / "file.json"], [RuleJudge()])


@each_row("mark, words", [(7, "judge_score must be a mark of 1 to 5"), (True, "judge_score must be a mark")])
def test_impossible_marks_are_refused(tmp_path: Path, mark: Any, words: str) -> None:
    texts = dict.fromkeys(
        ("episode_id", "benchmark", "agent", "perception", "judge", "model", "control", "scene", "verdict"), "x"
    )
    values = {"schema": "vantage.score/1", "episodes": [{**texts, "judge_score": mark, "success": True}]}
    (tmp_path / "file.json").write_text(json.dumps(values))
    with pytest.raises(FormatError, match=words):
        read_ratings([tmp_path / "file.json"], [RuleJudge()])


def test_people_who_reviewed_apart_are_two_although_their_names_are_alike(tmp_path: Path) -> None:
    one = review_file(tmp_path / "one.json", {"h_01-1": "accept", "h_02-1": "reject"})
    other = review_file(tmp_path / "other.json", {"h_01-1": "reject", "h_02-1": "reject"})
    (alpha,) = rater_agreement(read_ratings([one, other], [RuleJudge()])).alphas
    assert len(alpha.raters) == 2


def test_a_rater_has_one_opinion(tmp_path: Path) -> None:
    texts = dict.fromkeys(
        ("episode_id", "benchmark", "agent", "perception", "judge", "model", "control", "scene", "verdict"), "x"
    )
    episodes = [{**texts, "judge_score": mark, "success": True} for mark in (1, 2)]
    (tmp_path / "file.json").write_text(json.dumps({"schema": "vantage.score/1", "episodes": episodes}))
    with pytest.raises(UsageError, match=r"'x' gave 'x x x x x' of x both 1\.0 and 2\.0"):
        read_ratings([tmp_path / "file.json"], [RuleJudge()])


def test_what_does_not_exist_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["agree", str(tmp_path / "nowhere")]) == 1
    assert "nowhere" in capsys.readouterr().err
