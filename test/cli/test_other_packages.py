"""A package of others adds a world, an agent, a perceiver and a judge; ``vantage`` runs and scores them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from small_noisyeqa import PAIRS
from small_pictures import SMALL_PICTURES

from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
from vantage.recording.recordings import read_recording

MODULE = """
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.planning.agents.baselines import StaticAgent
from vantage.worlds.splat import make_splat_world


class Statue(StaticAgent):
    name = "statue"


class Eyes(PrivilegedPerceiver):
    name = "borrowed"


def make_reader():
    return RuleJudge(name="reader")


def make_copy(settings):
    print("another package makes the world", file=__import__("sys").stderr)
    return make_splat_world(settings)
"""
ENTRY_POINTS = """
[vantage.worlds]
copy = other_package:make_copy

[vantage.agents]
statue = other_package:Statue

[vantage.perceivers]
borrowed = other_package:Eyes

[vantage.judges]
reader = other_package:make_reader
"""


def install(folder: Path) -> dict[str, str]:
    """The environment of a process for which a package with these entry points is installed."""
    (folder / "other_package.py").write_text(MODULE)
    described = folder / "other_package-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(ENTRY_POINTS)
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


def vantage(environment: dict[str, str], *words: str) -> tuple[dict[str, Any], str]:
    """What a command prints as JSON, and what it says meanwhile."""
    command = [sys.executable, "-m", "vantage.cli.main", *words, "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout), done.stderr


def test_a_package_of_others_is_run_and_scored(tmp_path: Path) -> None:
    sizes = {**PAIRS, "scenes": 1, "pairs": 1, "shares": "color=1"}
    benchmark = NoisyEqaBenchmark(SMALL_PICTURES, max_steps=8)
    episodes, out = benchmark.make(tmp_path / "set", **sizes).folder, tmp_path / "bags"
    (tmp_path / "site").mkdir()
    environment = install(tmp_path / "site")
    names = ["--world", "copy", "--agent", "statue", "--perception", "borrowed"]
    run, told = vantage(environment, "run", "noisyeqa", *names, "--episodes", str(episodes), "--out", str(out))
    assert "another package makes the world" in told
    assert [row["state"] for row in run["episodes"]] == ["FINISHED", "FINISHED"]
    bags = sorted(out.iterdir())
    assert len(bags) == 2
    for bag in bags:
        recording = read_recording(bag)
        assert (recording.agent, recording.perception) == ("statue", "borrowed")
    score, _ = vantage(environment, "score", str(out), "--judge", "reader")
    (group,) = score["groups"]
    assert (group["agent"], group["perception"], group["judge"]) == ("statue", "borrowed", "reader")
    refused = subprocess.run(
        [sys.executable, "-m", "vantage.cli.main", "score", str(out), "--judge", "reader"],
        env={**os.environ},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert refused.returncode == 2
    assert "unknown judge 'reader'" in refused.stderr
