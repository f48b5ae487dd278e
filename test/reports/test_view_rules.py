"""Scores say by which version of the view rule looks were judged, and warn once where versions are mixed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gold_bags import Telling, gold, record, said

from vantage.benchmarks.statistics.episode_score import EpisodeScore
from vantage.reports.report import score_rows, write_report
from vantage.reports.score_table import ScoreTable
from vantage.reports.scoring import score_runs
from vantage.reports.view_rules import named_rules, rule_warning, view_rules
from vantage.types import VIEW_RULE


def score(name: str, looks: int, labels: int) -> EpisodeScore:
    return EpisodeScore(name, "search", complete=True, view_rule=looks, set_view_rule=labels)


def test_one_version_needs_no_word_of_warning() -> None:
    scores = [score("a", 2, 2), score("b", 2, 2), score("c", 0, 0)]
    assert view_rules(scores) == (2,)
    assert rule_warning(scores) == ""
    assert (named_rules((2,)), named_rules((1, 2)), named_rules(())) == ("view rule 2", "view rules 1 and 2", "")


def test_a_failed_look_is_named_once_whatever_was_answered() -> None:
    wrong = EpisodeScore(
        "a", "search", complete=True, judge_reason="wrong", shown=False, shortfall="574 px, 800 needed"
    )
    right = replace(wrong, judge_reason="right, but the last look does not show it: 574 px, 800 needed")
    assert "wrong; not shown: 574 px, 800 needed" in ScoreTable((wrong,)).text()
    assert ScoreTable((right,)).text().count("574 px") == 1
    assert ("Not shown because", "574 px, 800 needed") in score_rows(wrong)
    assert [value for name, value in score_rows(wrong)[:3]] == ["-", "no", "no"]


def test_what_does_not_compare_is_said_once() -> None:
    table = ScoreTable((score("a", 2, 1), score("b", 2, 1), score("c", 2, 2)))
    warning = (
        "2 of 3 episodes are of sets made under view rule 1, and their looks were judged by view rule 2; make the sets "
        "again before figures are compared."
    )
    assert table.rule_warning == warning
    assert table.text().count(warning) == table.markdown().count(warning) == 1
    assert table.to_json()["view_rules"] == {"looks": [2], "sets": [1, 2], "warning": warning}
    mixed = rule_warning([score("a", 1, 1), score("b", 2, 2)])
    old = rule_warning([score("a", 1, 1), score("b", 1, 1)])
    assert old == (
        "Looks were judged by view rule 1, an older one; new sets are labelled and judged by 2, whose figures do not "
        "compare with these."
    )
    assert mixed == "Looks were judged by view rules 1 and 2, which do not compare; score the bags of each apart."


def test_every_score_and_report_names_the_version(tmp_path: Path) -> None:
    record(tmp_path / "bags", "e1", Telling(["x+"], said("red")), gold())
    table = score_runs(tmp_path / "bags")
    assert f", view rule {VIEW_RULE}\n" in table.text()
    assert f"view rule {VIEW_RULE}." in table.markdown()
    told = table.to_json()
    assert [group["view_rules"] for group in told["groups"]] == [[VIEW_RULE]]
    assert [episode["view_rule"] for episode in told["episodes"]] == [VIEW_RULE]
    page = write_report(tmp_path / "bags", tmp_path / "report.html").read_text(encoding="utf-8")
    for part in (f"view rule {VIEW_RULE}", "Right in words", "Shown", "Both (success)"):
        assert part in page
