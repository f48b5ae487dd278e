"""The campaign of kills works on real processes: it finds orphans, doubled and changed bags."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from gold_bags import Telling, gold, record, said

from vantage.bench import killed_runs as campaign
from vantage.bench.killed_runs import KillCampaign, bench_kills
from vantage.errors import VantageError


def agent() -> Telling:
    return Telling(("x+", "yaw+"), said("red"))


PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep({})']); print('up')"


def child_of_a_dead_parent(lasts: float) -> int:
    """The session of a parent that has ended, with a child that goes on for so many seconds."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(lasts)], start_new_session=True, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "up\n"
    parent.stdout.close()
    parent.wait(30)
    return parent.pid


def test_a_process_that_outlives_its_run_is_counted_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "_GRACE", 1.0)
    session = child_of_a_dead_parent(600)
    assert campaign._outliving(session) == 1
    assert campaign._outliving(session) == 0, "it was ended"


def test_one_that_follows_in_time_is_no_orphan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "_GRACE", 60.0)
    assert campaign._outliving(child_of_a_dead_parent(0.5)) == 0


def test_two_bags_of_one_episode_are_doubled(tmp_path: Path) -> None:
    bag, _ = record(tmp_path / "bags", "one", agent(), gold())
    record(tmp_path / "bags", "two", agent(), gold())
    assert campaign._doubled(tmp_path / "bags") == 0
    shutil.copytree(bag, tmp_path / "bags" / "three")
    assert campaign._doubled(tmp_path / "bags") == 1
    assert campaign._doubled(tmp_path / "none") == 0


STAND_IN = """
import signal, sys, time
from pathlib import Path
out = Path(sys.argv[1])
for name in ("one", "two"):
    (out / name).mkdir(parents=True, exist_ok=True)
    time.sleep({pause})
    text = "again" if {changes} and "--resume" in sys.argv else "once"
    (out / name / "bag.mcap").write_text(text)
(out / "rest.partial").mkdir(exist_ok=True)
if {traceback} and "--resume" not in sys.argv:
    time.sleep(60)
"""


@pytest.mark.parametrize("changes", [False, True])
def test_what_a_resume_changes_or_leaves_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: bool
) -> None:
    """With a stand-in for ``vantage run`` whose bags are done before any signal comes."""
    script = STAND_IN.format(pause=0, changes=changes, traceback=False)

    def command(job: KillCampaign, out: Path, *more: str) -> list[str]:
        return [sys.executable, "-c", script, str(out), *more]

    monkeypatch.setattr(KillCampaign, "command", command)
    monkeypatch.setattr(campaign, "_doubled", lambda out: 0)
    monkeypatch.setattr(campaign, "_table", lambda out: sorted(path.name for path in out.iterdir()))
    job = KillCampaign(tmp_path, tmp_path)
    trial = campaign._trial(job, tmp_path / "trial", campaign.signal.SIGKILL, 5.0, {"one", "two"}, [])
    assert trial["complete_when_killed"] == ["one", "two"]
    assert trial["ended_before"] == 1
    assert trial["lost"] == (2 if changes else 0)
    assert trial["left_partial"] == 1
    assert trial["other_tables"] == 1
    assert not (tmp_path / "trial").exists()


def test_a_set_that_does_not_run_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(VantageError, match=r"nobody disturbs ended with 1: .*set\.json"):
        bench_kills(KillCampaign(tmp_path / "none", tmp_path), 1, 1, lambda text: None)
