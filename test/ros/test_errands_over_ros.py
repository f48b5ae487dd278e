"""Tasks of a set over the whole graph: the same deeds and scores as in process, and gold data of the task alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ros_fixtures import new_domain
from small_errands import miniature_set, opening_errand

from vantage.benchmarks.heal.errand_scores import TASK
from vantage.benchmarks.statistics import EpisodeScore
from vantage.config import AgentSettings, Settings
from vantage.nodes import GraphPlan, bring_up
from vantage.reports import score_bag
from vantage.runs import Job, prepared
from vantage.runs.batch import Worker
from vantage.types import Episode, EpisodeState

pytestmark = pytest.mark.real_time


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature_set(tmp_path_factory)


def _jobs(episodes: Path, out: Path) -> tuple[Job, list[Episode]]:
    """One task that can be done, and one that cannot and is soon over."""
    settings = replace(Settings(), agent=AgentSettings(name="doer"))
    job, tasks = prepared(Job(episodes, out, "splat", "doer", settings))
    feasible = opening_errand(episodes).episode_id
    absent = next(each for each in tasks.episodes if each.episode_id.endswith("scene_task_con"))
    chosen = next(each for each in tasks.episodes if each.episode_id == feasible)
    return job, [chosen, replace(absent, max_steps=6)]


def _figures(score: EpisodeScore) -> dict[str, float]:
    assert score.complete, score.incomplete_reason
    return {key: value for key, value in score.figures.items() if key.startswith(TASK)}


def test_tasks_over_ros_score_as_in_process(episodes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    job, tasks = _jobs(episodes, tmp_path / "process")
    worker = Worker(job)
    try:
        for task in tasks:
            assert worker.run(task).state is EpisodeState.FINISHED
    finally:
        worker.close()
    plan = GraphPlan(job.settings, "splat", tmp_path / "graph", episodes)
    with bring_up(plan) as client:
        outcomes = list(client.run(tasks))
    assert [each.outcome.state for each in outcomes] == [EpisodeState.FINISHED] * 2
    assert all(each.complete for each in outcomes), [each.remark for each in outcomes]
    done, refused = (
        [_figures(score_bag(folder / task.episode_id)) for folder in (tmp_path / "process", tmp_path / "graph")]
        for task in tasks
    )
    assert done[0] == done[1]
    assert done[0][f"{TASK}.achieved"] == 1.0
    assert refused[0] == refused[1]
    assert refused[0][f"{TASK}.manipulations"] == 0.0
