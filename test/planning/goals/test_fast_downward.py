"""The planner's process: it ends by its deadline, with Ctrl-C and when it is killed, and leaves nothing behind."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest
from marked_processes import Marked, until

from vantage.errors import MissingExtraError
from vantage.goals import EdgeGoal, Goal, SceneFacts, SceneObject
from vantage.planning.goals import Outcome, PlanningTask, plan_goal, require_planner, search_plan

DOMAIN = """(define (domain d) (:requirements :strips) (:predicates (p) (q))
 (:action a :parameters () :precondition (and (p)) :effect (and (q))))"""
PROBLEM = "(define (problem x) (:domain d) (:init {}) (:goal (and (q))))"
STALLS = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
SEARCH = """
import sys
from pathlib import Path
from vantage.planning.goals import search_plan
found = search_plan(Path(sys.argv[1]), "", "", float(sys.argv[2]))
print(found.outcome.value, "|", found.reason, flush=True)
"""


@pytest.fixture
def stalling(tmp_path: Path) -> Path:
    """A planner that starts a process and never ends."""
    script = tmp_path / "stalls.py"
    script.write_text(f"{STALLS}time.sleep(600)\n")
    return script


def searching(script: Path, timeout: float) -> Marked:
    return Marked([sys.executable, "-c", SEARCH, str(script), str(timeout)])


def test_a_planner_that_stalls_is_ended_with_all_that_it_started(stalling: Path) -> None:
    with searching(stalling, 10.0) as run:  # in which its three processes start, however busy the machine is
        until(lambda: len(run.pids) >= 3)
        assert run.process.stdout is not None
        assert run.process.stdout.readline().startswith("timed out |")
        assert run.is_gone()


def test_ctrl_c_ends_it_too(stalling: Path) -> None:
    with searching(stalling, 600.0) as run:
        until(lambda: len(run.pids) >= 3)
        run.kill_group(signal.SIGINT)
        assert run.is_gone()


def test_a_killed_planner_is_told_from_one_that_found_nothing(tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text(f"{STALLS}import os; os.kill(os.getpid(), 9)\n")
    with searching(script, 600.0) as run:
        assert run.process.stdout is not None
        assert run.process.stdout.readline().startswith("planner crashed | the planner was ended by signal 9")
        assert run.is_gone()


def test_a_planner_that_fails_says_why(tmp_path: Path) -> None:
    script = tmp_path / "fails.py"
    script.write_text("raise SystemExit('no memory for \\udcff this')\n")
    found = search_plan(script, "", "", 60.0)
    assert found.outcome is Outcome.CRASHED
    assert "ended with status 1" in found.reason


def test_without_the_extra_the_planner_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "up_fast_downward", None)
    with pytest.raises(MissingExtraError, match="make setup WITH=planning"):
        require_planner()
    facts = SceneFacts((SceneObject("cup"), SceneObject("table")))
    plan = plan_goal(PlanningTask(facts, Goal.of([EdgeGoal("cup", "on", "table")])))
    assert plan.outcome is Outcome.MISSING
    assert "WITH=planning" in plan.reason


@pytest.mark.needs("planning")
def test_plans_are_found_or_proven_not_to_be() -> None:
    planner = require_planner()
    assert search_plan(planner, DOMAIN, PROBLEM.format("(p)"), 60.0).steps == ("(a )",)
    assert search_plan(planner, DOMAIN, PROBLEM.format(""), 60.0).outcome is Outcome.UNSOLVABLE


@pytest.mark.needs("planning")
def test_a_problem_that_is_none_is_no_proof() -> None:
    found = search_plan(require_planner(), DOMAIN, "(define", 60.0)
    assert found.outcome is Outcome.CRASHED
    assert "ended with status" in found.reason


@pytest.mark.real_time
@pytest.mark.needs("planning")
def test_no_time_is_no_proof() -> None:
    begun = time.monotonic()
    assert search_plan(require_planner(), DOMAIN, PROBLEM.format("(p)"), 0.0).outcome is Outcome.TIMED_OUT
    assert time.monotonic() - begun < 60.0
