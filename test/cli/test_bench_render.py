"""``vantage bench render`` from the command line, small."""

from __future__ import annotations

import json

import pytest

from vantage.cli.main import main
from vantage.splats.rendering.gsplat_renderer import gpu_obstacle, missing_packages
from vantage.splats.rendering.renderers import instruction_set


@pytest.mark.needs("time")
def test_quick_run_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "render", "--quick", "--repetitions", "8", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    found = json.loads(lines[0])
    assert found["schema"] == "vantage.bench.render/1"
    assert found["ok"]
    assert {"median_ms", "p95_ms", "reference", "speedup"} <= found.keys()
    assert found["speedup"] > 1
    assert [figure["n"] for figure in found["frames"]] == [8, 8]
    assert "met" not in found["frames"][0]
    assert found["agreement"]["plain"]["same_instances"] >= 0.999
    assert found["fit"]["cases"] == 4
    assert found["world"]["steps_per_s"] > 0
    assert found["memory"]["ratio"] > 1
    assert ("skipped" in found["avx2"]) == (instruction_set() != "AVX-512")
    assert ("skipped" in found["against_gsplat"]) == bool(missing_packages())
    assert ("gsplat" in found["agreement"]) == (not missing_packages())
    assert ("skipped" in found["gpu"]) == bool(missing_packages() or gpu_obstacle())


@pytest.mark.parametrize("words", [["--repetitions", "0"], ["--set", "world.threads=0"], ["--scene", "x"]])
def test_wrong_words(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "render", "--quick", *words]) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1
