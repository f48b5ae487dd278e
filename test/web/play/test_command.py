"""``vantage play`` as it is started: addresses once the server is ready, an end by a signal, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from small_search import FEW, small_search_set

from vantage.cli.main import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_search_set(tmp_path_factory, FEW)


@pytest.mark.needs("web")
def test_addresses_are_told_and_a_signal_ends_it_well_twice(folder, tmp_path):
    words = ["play", "search", "--episodes", str(folder), "--out", str(tmp_path / "out"), "--seats", "2", "--json"]
    for _ in range(2):  # the first one leaves no lock
        with subprocess.Popen(
            [sys.executable, "-m", "vantage.cli.main", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                told = json.loads(process.stdout.readline())
            finally:
                process.terminate()
            assert process.wait(60) == 0
            assert "0 people, 0 episodes finished" in process.stderr.read()
        assert (told["schema"], told["ok"], list(told["addresses"])) == ("vantage.play/1", True, ["seat-1", "seat-2"])
        assert all(address.startswith("http://127.0.0.1:") for address in told["addresses"].values())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--seats", "33"], "32 seats at most"),
        (["--mode", "no"], "people are shown the words of"),
        (["--set", "actions.translation=1"], "fixes the action space"),
        (["--world", "rig"], "simulated homes alone"),
        (["--delete", "p-1"], "holds no study"),
        (["--dof", "x,roll"], "unknown axis 'roll'"),
        (["--dof", ""], "--dof names no axis"),
        (["--dof", "yaw,yaw"], "axis 'yaw' is named twice"),
    ],
)
def test_what_cannot_be_is_one_sentence(folder, tmp_path, capsys, more, told):
    assert main(["play", "search", "--episodes", str(folder), "--out", str(tmp_path / "out"), *more]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.needs("house")
@pytest.mark.parametrize("command", [["play", "--seats", "1"], ["run", "--agent", "random"]], ids=["play", "run"])
def test_an_axis_that_the_robot_of_a_house_lacks_is_one_sentence(folder, tmp_path, capsys, command):
    name, *more = command
    out = tmp_path / "out"
    words = [name, "search", "--episodes", str(folder), "--out", str(out), "--world", "house", "--dof", "4"]
    assert main([*words, *more]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert told[-1].endswith("camera of world 'house' does not move in z; leave z out, or take another --world")
    assert not list(out.rglob("*.mcap"))
