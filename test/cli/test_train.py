"""``vantage train`` in a house without pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_checkpoints import PAIRS
from touch_set import touch_set

from vantage.cli.main import main
from vantage.learning.tiny_t5 import make_tiny_t5

pytestmark = pytest.mark.needs("learning", "house")

SMALL = ("house.pictures=none", "training.size=36", "training.episodes=2", "training.segment=4", "training.belief=16")


def test_trains_goes_on_compares_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_tiny_t5(tmp_path / "t5", PAIRS, steps=20)
    folder, out = str(touch_set(tmp_path / "set").folder), tmp_path / "out"
    given = [f"--set={value}" for value in SMALL]
    words = ["train", "search", "--episodes", folder, "--out", str(out), "--t5", str(tmp_path / "t5"), *given, "--json"]
    assert main([*words, "--agent", "novelty+qa", "--steps", "1", "--workers", "1", "--held-out", folder]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["houses"] for each in told["comparisons"]] == ["training", "held out"]
    assert told["rounds"] == 1
    assert {"reward", "answers"} == told["goals"].keys()
    assert (out / "checkpoint.pt").is_file()
    assert main([*words, "--agent", "novelty"]) == 2
    assert "holds a training with another agent; go on with the same" in capsys.readouterr().err
    assert main([*words, "--agent", "curious"]) == 2
    assert "--agent curious: choose one of novelty, qa, novelty+qa" in capsys.readouterr().err
