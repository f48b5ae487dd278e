"""A doer whose planner is missing, or is killed amid its search: it says so, nothing moves, and no process is left."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from marked_processes import until
from small_errands import miniature_set, opening_errand

from vantage.config import AgentSettings, Settings
from vantage.goals import End, Goal, NodeGoal, SceneFacts, SceneObject
from vantage.planning.agents import doer_plans
from vantage.planning.agents.doer_agent import DoerAgent
from vantage.planning.agents.doer_plans import plan_of
from vantage.planning.execution import Belief
from vantage.planning.goals import Outcome, planner
from vantage.planning.guard import read_robot
from vantage.runs import EpisodeRunner, Job, prepared
from vantage.types import Command, EpisodeState, StepResult
from vantage.worlds import SplatWorld

STARTS_AND_DIES = """
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({begun!r}, "w").close()
os.kill(os.getpid(), 9)
"""


class Watched(SplatWorld):
    """Counts what an arm is told."""

    manipulations = 0

    def step(self, command: Command) -> StepResult:
        self.manipulations += command.arm is not None
        return super().step(command)


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    settings = replace(Settings(), agent=AgentSettings(name="doer"))
    return prepared(Job(miniature_set(tmp_path_factory), tmp_path_factory.mktemp("bags"), "splat", "doer", settings))[0]


@pytest.fixture
def world(job: Job) -> Iterator[Watched]:
    made = Watched(job.settings)
    yield made
    made.close()


def running_with(mark: str) -> list[str]:
    """Processes that were started in an environment which names something."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and mark.encode() in (path / "environ").read_bytes():
                found.append(path.name)
        except OSError:  # it has just ended, or is another's
            continue
    return found


def test_without_the_planner_what_is_not_simple_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "up_fast_downward", None)
    opens = ("open", "closed")
    things = tuple(SceneObject(name, ("closed",), opens) for name in ("fridge_1", "cabinet_2"))
    belief = Belief(SceneFacts((SceneObject("kitchen"), *things)), {"fridge_1": 1, "cabinet_2": 2})
    goals = [NodeGoal("fridge_1", "open"), NodeGoal("cabinet_2", "open")]
    plan = plan_of(Goal.of(goals), belief, read_robot("household"), "")
    assert (plan.outcome, plan.actions) == (Outcome.MISSING, ())
    assert "WITH=planning" in plan.reason
    assert plan_of(Goal.of(goals[:1]), belief, read_robot("household"), "").outcome is Outcome.FOUND


@pytest.mark.needs("planning")
def test_a_planner_killed_amid_its_search_ends_the_task(
    world: Watched, job: Job, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script, begun = tmp_path / "dies.py", tmp_path / "begun"
    script.write_text(STARTS_AND_DIES.format(begun=str(begun)))
    mark = f"{os.getpid()}-{tmp_path}"
    monkeypatch.setenv("VANTAGE_TEST_PLANNER", mark)
    monkeypatch.setattr(planner, "require_planner", lambda: script)
    monkeypatch.setattr(doer_plans, "plan_goal", partial(planner.plan_goal, timeout=120.0))
    outcome = EpisodeRunner(world, DoerAgent(job.settings)).run(opening_errand(job.episodes), 0)
    assert outcome.state is EpisodeState.FINISHED, outcome.reason
    errand = outcome.answers[0].errand
    assert errand is not None
    assert begun.exists()
    assert errand.end is End.UNPLANNED
    assert "planner crashed" in errand.reason
    assert "signal 9" in errand.reason
    assert (errand.deeds, world.manipulations) == ((), 0)
    until(lambda: not running_with(mark))
