"""What a batch of runs refuses before it starts."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vantage.config import Settings
from vantage.errors import FormatError, UsageError
from vantage.runs.batch import Job, run_set, run_sets

ASKING = Settings().with_values({"agent.require_confirmation": True}, "test")


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    keys, screen = pty.openpty()
    with os.fdopen(screen) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        yield
    os.close(keys)


def job(tmp_path: Path, settings: Settings) -> Job:
    return Job(tmp_path / "set", tmp_path / "bags", "none", "static", settings)


@pytest.mark.usefixtures("at_a_terminal")
def test_several_processes_cannot_ask_the_person_at_the_terminal(tmp_path: Path) -> None:
    jobs = [job(tmp_path, Settings()), job(tmp_path, ASKING)]
    with pytest.raises(UsageError, match="use --workers 1"):
        list(run_sets(jobs, 2))
    with pytest.raises(UsageError, match="2 worker processes cannot share"):
        list(run_set(jobs[1], 2))


@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize(("settings", "workers"), [(ASKING, 1), (Settings(), 2)])
def test_one_process_may_ask_and_several_may_where_nobody_is_asked(
    tmp_path: Path, settings: Settings, workers: int
) -> None:
    with pytest.raises(FormatError, match="set"):  # it gets as far as reading the set, which is not there
        list(run_set(job(tmp_path, settings), workers))


def test_where_nobody_sits_at_a_terminal_nobody_is_kept_from_answering(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="set"):
        list(run_set(job(tmp_path, ASKING), 2))
