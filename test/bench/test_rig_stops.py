"""The bench of an emulated rig, in little: it measures what it says, and its bag holds every event."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from vantage.bench.rig_faults import bench_faults
from vantage.bench.rig_limits import RandomCommands, bench_limits
from vantage.bench.rig_stops import bench_accuracy, bench_kinematics, bench_stop
from vantage.cli.bench_rig import FULL, QUICK
from vantage.cli.main import main
from vantage.config import Settings
from vantage.types import Status
from vantage.worlds.rig.kinematics.unwinding import JointSegment, Unwinding


def unheard(share: float) -> None:
    """Nobody waits."""


@pytest.mark.real_time
def test_stops_reach_the_controller_and_bring_the_rig_to_rest() -> None:
    found = bench_stop(Settings(), trials=3, load=0, tell=unheard)
    assert found["trials"] == 3
    assert 0 < found["hold"]["median_ms"] <= found["hold"]["worst_ms"]
    assert 0 <= found["rest"]["worst_ms"] < 1000
    assert 0 < found["longest_queue_ms"] <= 200.0
    assert found["reference"]["median_ms"] > 0


@pytest.mark.parametrize("commands", [400, pytest.param(4000, marks=pytest.mark.needs("time"))])
def test_no_random_command_leads_beyond_a_limit_or_turns_a_joint_too_far(commands: int) -> None:
    told: list[float] = []
    found = bench_limits(Settings(), commands, told.append)
    assert found["commands"] == sum(found["outcomes"].values()) == commands
    assert set(found["outcomes"]) == {"DONE", "REJECTED"}
    assert found["outcomes"]["DONE"] > commands / 4
    assert found["beyond_a_limit"] == found["beyond_the_turn_limit"] == found["unwinds_too_fast"] == 0
    assert 0.8 < found["farthest_turn"] <= found["turn_limit"] == Settings().limits.max_rotation
    assert found["unwinds_refused"] > commands / 200
    assert found["unwinds_done"] > commands / 800
    assert [*found["rigs"]] == ["gantry", "room", "arm"]
    assert sum(rig["commands"] for rig in found["rigs"].values()) == commands
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_rig_that_leaves_its_limits_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = RandomCommands(Settings(), "")
    loose = walk.rig.world
    monkeypatch.setattr(loose.machine.gate, "admit", lambda command, current: None)
    monkeypatch.setattr(loose.machine.safety, "way", lambda target: [JointSegment(walk.chain.upper + 0.05)])
    assert [*walk.run(20)] == [*range(1, 21)]
    assert walk.count.beyond_a_limit == 20


def test_a_joint_that_turns_too_far_or_too_fast_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if only the angle between two headings were limited."""
    monkeypatch.setattr(Unwinding, "refusal", lambda rule, start, goal, allowed: None)
    monkeypatch.setattr(Unwinding, "legs", lambda rule, start, goal: [JointSegment(goal)])
    walk = RandomCommands(Settings(), "")
    for _ in walk.run(600):
        pass
    assert walk.count.beyond_the_turn_limit > 0
    assert walk.count.farthest_turn > 4.0
    assert walk.count.unwinds_too_fast > 0


@pytest.mark.real_time
def test_moves_end_within_a_step() -> None:
    assert bench_accuracy(Settings(), 2, unheard)["worst_steps"] <= 1.0


def test_kinematics_lead_back() -> None:
    assert bench_kinematics(100)["worst"] <= 1e-9


@pytest.mark.real_time
def test_every_fault_is_told_and_mended_and_in_the_bag(tmp_path: Path) -> None:
    told: list[float] = []
    found = bench_faults(Settings(), faults=4, workers=1, out=tmp_path, tell=told.append)
    assert found["faults"] == 4
    assert told[-1] == 1.0
    assert found["hangs"] == found["silent"] == {}
    assert found["not_mended"] == []
    assert found["events_in_bag"] == found["events"] >= 4
    assert all(Status.DONE.name not in outcomes for outcomes in found["outcomes"].values())


def test_the_command_prints_figures_and_whether_they_are_met(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vantage.cli.bench_rig._POSTURES", 100)
    assert main(["bench", "rig", "--only", "kinematics", "limits", "--commands", "50", "--json"]) == 0
    printed = capsys.readouterr()
    data = json.loads(printed.out)
    assert re.search(r"^limits, about \d+ s left in all$", printed.err, re.MULTILINE)
    assert data["schema"] == "vantage.bench.rig/1"
    assert data["met"] == {"kinematics": True, "limits": True, "turns": True}
    assert data["limits"]["commands"] == 50
    assert data["bounds"]["hold_p99_ms"] == 50.0
    assert main(["bench", "rig", "--only", "kinematics"]) == 0
    assert "(met)" in capsys.readouterr().out


@pytest.mark.real_time
def test_a_quick_bench_takes_few_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rig", "--quick", "--only", "stop", "--trials", "2", "--load", "0", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["quick"]
    assert data["stop"]["trials"] == 2
    assert data["met"] == {"rest": True}  # two stops have no 99th percentile
    assert {name: few < FULL[name] for name, few in QUICK.items()} == dict.fromkeys(FULL, True)
    assert main(["bench", "rig", "--commands", "0"]) == 2
