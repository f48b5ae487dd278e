"""The bench of an emulated rig, in little: it measures what it says, and its bag holds every event."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vantage.cli.main import main
from vantage.config import Settings
from vantage.runs.bench_rig import Bench, bench_accuracy, bench_kinematics, bench_limits, bench_stop
from vantage.runs.bench_rig_faults import bench_faults
from vantage.types import Status


def test_stops_reach_the_controller_and_bring_the_rig_to_rest() -> None:
    found = bench_stop(Settings(), trials=3, load=0, tell=lambda words: None)
    assert found["trials"] == 3
    assert 0 < found["hold"]["median_ms"] <= found["hold"]["worst_ms"]
    assert 0 <= found["rest"]["worst_ms"] < 1000
    assert 0 < found["longest_queue_ms"] <= 200.0
    assert found["reference"]["median_ms"] > 0


def test_no_random_command_leads_beyond_a_limit() -> None:
    found = bench_limits(Settings(), 300, lambda words: None)
    assert found["beyond_a_limit"] == 0
    assert set(found["outcomes"]) == {"DONE", "REJECTED"}
    assert sum(found["outcomes"].values()) == 300


def test_a_rig_that_leaves_its_limits_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = Bench.__enter__

    def loosened(self: Bench) -> Bench:
        bench = inside(self)
        monkeypatch.setattr(bench.rig.world._gate, "admit", lambda command, current: None)
        monkeypatch.setattr(bench.rig.world._safety, "target_positions", lambda target: bench.chain.upper + 0.05)
        return bench

    monkeypatch.setattr(Bench, "__enter__", loosened)
    assert bench_limits(Settings(), 20, lambda words: None)["beyond_a_limit"] == 20


def test_moves_end_within_a_step() -> None:
    assert bench_accuracy(Settings(), 2)["worst_steps"] <= 1.0


def test_kinematics_lead_back() -> None:
    assert bench_kinematics(100)["worst"] <= 1e-9


def test_every_fault_is_told_and_mended_and_in_the_bag(tmp_path: Path) -> None:
    found = bench_faults(Settings(), faults=4, workers=1, out=tmp_path)
    assert found["faults"] == 4
    assert found["hangs"] == found["silent"] == {}
    assert found["not_mended"] == []
    assert found["events_in_bag"] == found["events"] >= 4
    assert all(Status.DONE.name not in outcomes for outcomes in found["outcomes"].values())


def test_the_command_prints_figures_and_whether_they_are_met(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rig", "--only", "kinematics", "limits", "--commands", "50", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "vantage.bench.rig/1"
    assert data["met"] == {"kinematics": True, "limits": True}
    assert data["bounds"]["hold_p99_ms"] == 50.0
    assert main(["bench", "rig", "--only", "kinematics"]) == 0
    assert "(met)" in capsys.readouterr().out
