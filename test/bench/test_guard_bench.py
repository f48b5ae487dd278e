"""The bench of the guard: what it tells, not how fast it is."""

from __future__ import annotations

import json

import pytest

from vantage.cli.main import main


def test_every_time_is_told_beside_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "guard", "--objects", "30", "--goals", "6", "--repetitions", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    names = ["json.loads", "reading", "reading and guarding", "with a task of 10,000 words"]
    assert [each["name"] for each in told["times"]] == names
    assert all(each["reference"] == "json.loads" for each in told["times"][1:])
    assert (told["objects"], told["goals"]) == (30, 6)


def test_an_unknown_robot_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "guard", "--robot", "nobody"]) == 1
    assert "unknown robot 'nobody'" in capsys.readouterr().err
