"""``vantage up --resume`` goes on where ``run`` or ``up`` of the same setup stopped, and with nothing else."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from imported_questions import unseen_set
from marked_processes import Marked, until
from ros_fixtures import new_domain

from vantage.cli.main import main
from vantage.recording.bags import recorded_setup
from vantage.recording.folder_lock import LOCK, FolderLock
from vantage.reports.scoring import score_runs

pytestmark = pytest.mark.real_time

RUN = "import sys; from vantage.cli.main import main; sys.exit(main(sys.argv[1:]))"

HOLD = "import sys, time; from vantage.recording import FolderLock; c = FolderLock(sys.argv[1]); time.sleep(600)"


@pytest.fixture(autouse=True)
def _own_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three questions without scenes."""
    return unseen_set(tmp_path_factory.mktemp("foreign"), 3)


def words(command: list[str], unseen: Path, out: Path, *more: str) -> list[str]:
    given = ["--episodes", str(unseen), "--out", str(out), "--world", "none", "--agent", "blind"]
    return [*command, *given, *more]


def up(capsys: pytest.CaptureFixture[str], unseen: Path, out: Path, *more: str) -> tuple[int, str, list[str]]:
    """Status, what was printed, and the lines that were told to stderr."""
    status = main(words(["up"], unseen, out, *more))
    told = capsys.readouterr()
    return status, told.out, told.err.strip().splitlines()


def test_it_goes_on_where_a_run_of_the_same_setup_stopped(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bags"
    assert main(words(["run", "open-eqa"], unseen, out)) == 0
    lost = sorted(out.iterdir())[1]
    setup = recorded_setup(lost)
    shutil.rmtree(lost)
    capsys.readouterr()
    kept = {item: item.stat().st_mtime_ns for item in out.rglob("*.mcap")}
    status, text, _ = up(capsys, unseen, out, "--resume")
    assert (status, text.startswith("1 of 1 episodes finished and scored")) == (0, True)
    assert {item: item.stat().st_mtime_ns for item in kept} == kept
    assert recorded_setup(lost) == setup
    table = score_runs(out)
    assert (len(table.complete), len(table.incomplete)) == (3, 0)
    status, text, _ = up(capsys, unseen, out, "--resume")
    assert (status, text.startswith("0 of 0 episodes")) == (0, True)
    assert main(words(["run", "open-eqa"], unseen, out, "--resume")) == 0


def test_it_refuses_bags_of_another_setup_and_what_is_no_bag(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bags"
    assert main(words(["run", "open-eqa"], unseen, out)) == 0
    capsys.readouterr()
    status, _, told = up(capsys, unseen, out, "--resume", "--seed", "5")
    assert (status, len(told)) == (1, 1)
    assert "was recorded with seed = 0, and this run has 5; choose another --out" in told[0]
    (out / LOCK).unlink(missing_ok=True)
    first = sorted(out.iterdir())[0]
    (first / "notes.txt").write_text("years of work")
    status, _, told = up(capsys, unseen, out, "--resume")
    assert (status, len(told)) == (1, 1)
    assert f"{first} is not a bag that was recorded here" in told[0]
    assert (first / "notes.txt").exists()


@pytest.mark.parametrize("more", [["--resume"], ["--resume", "--join"]])
def test_it_goes_on_with_nothing_but_a_set_of_its_own(
    unseen: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--episodes", str(unseen)] if "--join" in more else []
    assert main(["up", *given, *more]) == 2
    assert "--resume goes on with a set in a graph of its own" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_or_is_in_use_is_told_before_the_graph_is_up(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "bags"):
        status, _, told = up(capsys, unseen, out)
        assert (status, len(told)) == (1, 1)
        assert f"cannot write {out}: there is a file where a folder has to be" in told[0]
    with Marked([sys.executable, "-c", HOLD, str(tmp_path / "bags")]) as other:
        until(lambda: (tmp_path / "bags" / LOCK).exists() and (tmp_path / "bags" / LOCK).read_text())
        status, _, told = up(capsys, unseen, tmp_path / "bags")
        assert (status, len(told)) == (1, 1)
        assert f"is being written to by process {other.process.pid}" in told[0]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_with_its_own_status_and_frees_the_folder(tmp_path: Path, number: int, status: int) -> None:
    many = unseen_set(tmp_path, 40)
    out = tmp_path / "bags"
    with Marked([sys.executable, "-c", RUN, *words(["up"], many, out)]) as started:
        until(lambda: list(out.glob("*/metadata.yaml")) or started.process.poll() is not None)
        os.kill(started.process.pid, number)
        assert started.is_gone()
        _, told = started.process.communicate()
        assert started.process.returncode == status, told
    assert "Traceback" not in told
    assert told.rstrip().endswith("vantage: interrupted")
    with FolderLock(out):
        pass
