"""A set is made, validated, run by stand-ins and scored from its bags; gold is scored against itself."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from eai_files import write_eai
from row_tables import each_row

from vantage.benchmarks.heal.gold_scores import score_gold
from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.heal.stand_ins import StandIn
from vantage.benchmarks.judging import RuleJudge
from vantage.benchmarks.sets import load_set
from vantage.config import AgentSettings, ControlSettings, Settings
from vantage.errors import ModelError, UnknownNameError, UsageError
from vantage.goals import task_to_json
from vantage.models import Call, Deadline
from vantage.reports import score_runs
from vantage.runs import Job, run_set
from vantage.types import Answer, EpisodeState, Verdict


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("heal")
    HealBenchmark().make(root / "set", source=write_eai(root / "data"), seed=3)
    return root / "set"


def rows_of(
    episodes: Path, out: Path, model: str, agent: str = "interpreter", **control: Any
) -> dict[str, dict[str, Any]]:
    """Rows of scores over both environments by transformation, such as ``virtualhome/base``."""
    settings = replace(Settings(), agent=AgentSettings(name=agent, model=model), control=ControlSettings(**control))
    for _, outcome in run_set(Job(episodes, out, "none", agent, settings)):
        assert outcome.state is EpisodeState.FINISHED, outcome.reason
    table = score_runs([out], RuleJudge())
    assert not table.incomplete
    rows = table.to_json()["heal"]["rows"]
    return {f"{row['environment']}/{row['transformation']}": row for row in rows}


def test_a_set_is_valid_and_the_same_again(episodes: Path, tmp_path: Path) -> None:
    assert HealBenchmark().validate(episodes) == []
    HealBenchmark().make(tmp_path / "again", source=episodes.parent / "data", seed=3)
    for name in ("episodes.jsonl", "truth.jsonl", "set.json"):
        assert (tmp_path / "again" / name).read_bytes() == (episodes / name).read_bytes()
    told = HealBenchmark().described([load_set(episodes)])
    assert told is not None
    assert told.data["items"]["base"] == {"items": 5, "feasible": 5}
    assert told.data["items"]["agent_rem"] == {"items": 1, "feasible": 0}


def test_a_label_against_the_prompt_is_found(episodes: Path, tmp_path: Path) -> None:
    made = HealBenchmark().make(tmp_path / "set", source=episodes.parent / "data", seed=3, prompt="clean")
    path = made.folder / "episodes.jsonl"
    path.write_text(path.read_text().replace("- lamp | is OFF", "- lump | is OFF"))
    problems = HealBenchmark().validate(made.folder)
    assert any("labelled as feasible or not" in problem for problem in problems)


def test_tasks_of_one_name_are_in_one_half(episodes: Path) -> None:
    truths = HealBenchmark().truths(load_set(episodes))
    assert {truth.split for truth in truths.values()} <= {"fit", "test"}


@each_row("agent, model", [("interpreter", "stand-in:oracle"), ("oracle", "symbolic")])
def test_the_oracle_is_always_right(agent: str, model: str, episodes: Path, tmp_path: Path) -> None:
    for name, row in rows_of(episodes, tmp_path, model, agent).items():
        assert {row["c_o"], row["p_o"], row["repurposed"]} <= {0, None}, name
        if row["feasible"]:
            assert (row["precision"], row["recall"], row["f1"], row["false_refusal"]) == (100, 100, 100, 0), name
        if row["feasible"] < row["n"]:
            assert row["refusal"] == row["refusal_all"] == 100, name


def test_the_refuser_refuses_everything(episodes: Path, tmp_path: Path) -> None:
    for row in rows_of(episodes, tmp_path, "stand-in:refuser").values():
        assert row["c_o"] is None
        if row["feasible"]:
            assert (row["false_refusal"], row["recall"], row["f1"]) == (100, 0, 0)
        if row["feasible"] < row["n"]:
            assert row["refusal"] == 100


@pytest.mark.needs("goals")
def test_the_obedient_mentions_every_distractor_until_it_is_told(episodes: Path, tmp_path: Path) -> None:
    for mitigation, expected in (("none", 100), ("kaf", 100), ("scw", 0)):
        rows = rows_of(episodes, tmp_path / mitigation, "stand-in:obedient", mitigation=mitigation)
        for environment in ("virtualhome", "behavior"):
            row = rows[f"{environment}/dist_inj"]
            assert (row["p_o"], row["mitigation"]) == (expected, mitigation)


def test_the_repurposer_hallucinates_nothing_and_refuses_nothing(episodes: Path, tmp_path: Path) -> None:
    rows = rows_of(episodes, tmp_path, "stand-in:repurposer")
    assert all(row["p_o"] in (0, None) and row["hallucinated"] == 0 for row in rows.values())
    assert rows["virtualhome/scene_task_con"]["refusal"] == 0
    assert rows["virtualhome/scene_task_con"]["repurposed"] == 100


def test_the_copycat_names_what_the_published_prompt_names(episodes: Path, tmp_path: Path) -> None:
    row = rows_of(episodes, tmp_path / "published", "stand-in:copycat")["virtualhome/base"]
    assert (row["c_o"], row["hallucinated"]) == (100, 100)
    HealBenchmark().make(tmp_path / "clean", source=episodes.parent / "data", prompt="clean")
    row = rows_of(tmp_path / "clean", tmp_path / "runs", "stand-in:copycat")["virtualhome/base"]
    assert row["hallucinated"] == 0


def test_a_noisy_model_is_within_binomial_limits(data_folder: Path, tmp_path: Path) -> None:
    """Over all items of the real data, without bags."""
    from vantage.benchmarks.heal.heal_scores import scored_reply

    made = HealBenchmark().make(tmp_path / "set", source=data_folder)
    truths, noisy = HealBenchmark().truths(made), StandIn("noisy-0.3", Settings())
    asked = mentioned = 0.0
    for episode in made.episodes:
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True):
            told = json.dumps(task_to_json(gold.task)) if gold.task else ""
            reply = noisy.reply(Call(question.text, system=told), Deadline(1.0)).text
            counts = scored_reply(Answer(gold.question_id, reply, Verdict.ANSWERED, 0.5), gold).score.counts
            asked, mentioned = asked + counts["asked"], mentioned + counts["mentioned"]
    spread = math.sqrt(0.3 * 0.7 / asked)
    assert abs(mentioned / asked - 0.3) < 4 * spread


@each_row("ghosts, drop", [(0, 0.0), (5, 0.0), (0, 0.5)])
def test_gold_scores_all_there_is(ghosts: int, drop: float, episodes: Path) -> None:
    rows = {
        row["environment"]: row
        for row in score_gold(episodes.parent / "data", ghosts, drop).data["rows"]
        if row["goals"] == "all"
    }
    for row in rows.values():
        assert (row["precision"] == 100) is (ghosts == 0)
        assert (row["recall"] == 100) is (drop == 0)
        assert (row["f1"] == 100) is (ghosts == drop == 0)


def test_gold_of_the_real_data_scores_100(data_folder: Path) -> None:
    for row in score_gold(data_folder).data["rows"]:
        assert row["precision"] == row["recall"] == row["f1"] == 100


def test_what_cannot_be_made_is_refused(episodes: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="published, clean"):
        HealBenchmark().make(tmp_path / "set", source=episodes.parent / "data", prompt="other")
    with pytest.raises(UsageError, match="at least 2 homes"):
        HealBenchmark().make(tmp_path / "set", homes=1)
    with pytest.raises(UsageError, match="not empty"):
        HealBenchmark().make(episodes, source=episodes.parent / "data")


def test_stand_ins_say_what_they_lack() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'oracle'"):
        StandIn("oracel", Settings())
    with pytest.raises(UsageError, match="probability"):
        StandIn("noisy-2", Settings())
    with pytest.raises(ModelError, match="gold data"):
        StandIn("oracle", Settings()).reply(Call("Turn on the light."), Deadline(1.0))


def test_damaged_gold_data_leave_an_episode_unscored(episodes: Path, tmp_path: Path) -> None:
    made = HealBenchmark().make(tmp_path / "set", source=episodes.parent / "data")
    path = made.folder / "truth.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    del lines[0]["questions"][0]["task"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    description = json.loads((made.folder / "set.json").read_text()) | {"content_hash": ""}
    (made.folder / "set.json").write_text(json.dumps(description))
    settings = replace(Settings(), agent=AgentSettings(name="interpreter", model="stand-in:refuser"))
    list(run_set(Job(made.folder, tmp_path / "runs", "none", "interpreter", settings)))
    table = score_runs([tmp_path / "runs"], RuleJudge())
    assert [score.episode_id for score in table.incomplete] == [lines[0]["episode_id"]]
