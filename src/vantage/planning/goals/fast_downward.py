"""Fast Downward as a child process that ends by its deadline, and with whoever waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vantage.errors import MissingExtraError
from vantage.planning.goals.plans import Outcome
from vantage.workers import ending_with_this_process

_CHEAPEST, _QUICK = "astar(lmcut())", "eager_wastar([ff()], w=3)"  # no plan: every state was seen that can be reached
_FOUND, _UNSOLVABLE = (0,), (10, 11, 12)  # https://www.fast-downward.org/latest/documentation/exit-codes
_OUT_OF_TIME, _OUT_OF_MEMORY = (21, 23), (20, 22, 24)
_LATER = 2.0  # s after the deadline at which the child ends by itself
_MOST_WORDS = 300  # characters of what the planner said


@dataclass(frozen=True)
class Search:
    """What came of a search.

    Attributes:
        steps: lines of the plan.
        reason: why there is none.
    """

    outcome: Outcome
    steps: tuple[str, ...] = ()
    reason: str = ""


def require_planner() -> Path:
    """Where the planner is.

    Raises:
        MissingExtraError: it or what writes its input is not installed.
    """
    try:
        import unified_planning.shortcuts  # noqa: F401
        import up_fast_downward
    except ImportError as error:
        raise MissingExtraError(
            f"plans are made by the extra 'planning' ({error}); run: make setup WITH=planning"
        ) from error
    return Path(up_fast_downward.__file__).parent / "downward" / "fast-downward.py"


def search_plan(planner: Path, domain: str, problem: str, timeout: float, cheapest: bool = True) -> Search:
    """Search a plan of a problem in PDDL. When this returns or raises, no process of the planner is left.

    Args:
        planner: the script that drives it.
        timeout: s from now.
        cheapest: no plan shall cost less, which takes longer.
    """
    with tempfile.TemporaryDirectory(prefix="vantage-plan-") as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(domain, encoding="utf-8")
        (folder / "problem.pddl").write_text(problem, encoding="utf-8")
        with (folder / "said").open("wb") as said:
            status = _run(_command(planner, timeout, cheapest), folder, said.fileno(), timeout)
        return _search(status, folder, timeout)


def _command(planner: Path, timeout: float, cheapest: bool) -> list[str]:
    """What searches a plan of ``domain.pddl`` and ``problem.pddl`` and writes it to ``plan``, all in its folder.

    Args:
        timeout: s, a little after which it ends by itself, should nobody end it.
    """
    limit = f"{max(1, round(timeout + _LATER))}s"
    command = [sys.executable, str(planner), "--plan-file", "plan", "--overall-time-limit", limit]
    return [*command, "domain.pddl", "problem.pddl", "--search", _CHEAPEST if cheapest else _QUICK]


def _run(command: list[str], folder: Path, said: int, timeout: float) -> int | None:
    """The exit status of a command; None where it lasted too long. Its process group is killed in the end, whatever
    ends the waiting."""
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    child = subprocess.Popen(
        ending_with_this_process(command),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=said,
        start_new_session=True,
    )
    try:
        return child.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _search(status: int | None, folder: Path, timeout: float) -> Search:
    if status is None or status in _OUT_OF_TIME:
        return Search(Outcome.TIMED_OUT, reason=f"no plan was found within {timeout:g} s; allow more")
    if status in _UNSOLVABLE:
        return Search(Outcome.UNSOLVABLE, reason="every sequence of actions was tried and none reaches the goal")
    if status in _FOUND:
        lines = (folder / "plan").read_text(encoding="utf-8").splitlines()
        return Search(Outcome.FOUND, tuple(line for line in lines if line.startswith("(")))
    if status in _OUT_OF_MEMORY:
        return Search(Outcome.CRASHED, reason="the planner ran out of memory; name fewer things in the goal")
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    words = " ".join((folder / "said").read_text(encoding="utf-8", errors="replace").split())[-_MOST_WORDS:]
    return Search(Outcome.CRASHED, reason=f"the planner {how}; try again{': ' + words if words else ''}")
