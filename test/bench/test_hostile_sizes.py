"""Bombs given to real commands: what a command does wrong is counted, and the readers here do nothing wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from vantage.bench import hostile_sizes
from vantage.bench.hostile_sizes import Reader, bench_sizes
from vantage.cli.bench_faults import PARTS


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("raise RuntimeError", "tracebacks"),
        ("import os; os.abort()", "tracebacks"),
        ("while True: pass", "hung"),
        ("held = b'x' * (1 << 28); raise SystemExit(1)", "memory"),
        ("pass", "accepted"),
        ("raise SystemExit(1)", ""),
    ],
)
def test_each_fault_is_counted(code: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile_sizes, "_VANTAGE", (sys.executable, "-c", code))
    monkeypatch.setattr(hostile_sizes, "MOST_SECONDS", 1)
    monkeypatch.setattr(hostile_sizes, "MOST_MEMORY", 10_000.0 if fault != "memory" else 200.0)
    monkeypatch.setattr(hostile_sizes, "_readers", lambda _: [Reader("one", {"a": "", "b": ""}, lambda *_: [])])
    made: Any = None
    found = bench_sizes(made, tmp_path, 1, 0, lambda line: None)
    assert found["bombs"] == 1
    assert {name for name in PARTS["bounds"].zero if found[name]} == ({fault} if fault else set())


def test_json_yaml_and_bags_of_strangers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = SimpleNamespace(folder=tmp_path, info=SimpleNamespace(scenes={"home": None}))
    readers = {reader.name: reader for reader in hostile_sizes._readers(made)}
    kept = [readers[name] for name in ("a scene's specification", "settings", "a bag's metadata")]
    monkeypatch.setattr(hostile_sizes, "_readers", lambda _: kept)
    said: list[str] = []
    found = bench_sizes(made, tmp_path, 1, 1, said.append)
    assert found["bombs"] == len(said) == 3
    assert not any(found[name] for name in PARTS["bounds"].zero), said
