"""``vantage rig check|home|goto`` as a person types them: what is asked, printed, written and refused."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skipping_clock import SkippingClock
from small_rig import rig_values, write_rig

from vantage.cli.main import main
from vantage.spatial import Viewpoint
from vantage.worlds.rig.assembly import Assembly, assemble

GRBL = {"name": "grbl", "port": "", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}
SIMULATED = ("--set", "rig.mode=simulated")
MIDDLE = ("0.33", "0.3", "0.62", "0", "0")
WORDS = "The rig will move. Is its space clear and the emergency stop within reach? [y/N] "


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def rig(tmp_path: Path) -> str:
    return str(write_rig(tmp_path))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Assembly]:
    """Every rig that a command puts together."""
    rigs: list[Assembly] = []

    def noted(*arguments: Any, **options: Any) -> Assembly:
        rigs.append(assemble(*arguments, **options))
        return rigs[-1]

    monkeypatch.setattr("vantage.worlds.rig.assemble", noted)
    return rigs


@pytest.fixture
def leaping(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Assembly]]:
    """Every rig that a command puts together; its time leaps."""
    rigs: list[Assembly] = []

    def noted(*arguments: Any, **options: Any) -> Assembly:
        rigs.append(assemble(*arguments, **options, clock=clock))
        return rigs[-1]

    with SkippingClock() as clock:
        monkeypatch.setattr("vantage.worlds.rig.assemble", noted)
        yield rigs


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["rig", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status, out, _ = run(capsys, *words, "--json")
    assert len(out.splitlines()) == 1, "one object and nothing else"
    return status, json.loads(out)


class Terminal:
    """A real terminal in the place of the input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
        self._master, slave = os.openpty()
        self._input = os.fdopen(slave)
        monkeypatch.setattr(sys, "stdin", self._input)
        os.write(self._master, typed.encode())

    def close(self) -> None:
        self._input.close()
        os.close(self._master)


# check ----------------------------------------------------------------------------------------------------------------


def test_a_check_prints_its_steps_and_writes_its_report(rig: str, capsys: Any, tmp_path: Path) -> None:
    status, out, err = run(capsys, "check", "--rig", rig, *SIMULATED, "--out", "folder/report.md")
    assert status == 0
    assert out == "10 passed, 0 failed, 9 skipped; report in folder/report.md\n"
    assert err.count("\n") == 19
    assert "ok       kinematics: forward and inverse agree within" in err
    report = (tmp_path / "folder" / "report.md").read_text(encoding="utf-8")
    assert report.startswith("# Check of rig 'small'")
    assert "| kinematics | ok | forward and inverse agree within" in report
    assert list((tmp_path / "folder").iterdir()) == [tmp_path / "folder" / "report.md"]


def test_a_check_for_scripts(rig: str, capsys: Any) -> None:
    status, found = run_json(capsys, "check", "--rig", rig, *SIMULATED)
    assert status == 0
    assert found["schema"] == "vantage.rig.check/1"
    assert found["ok"] is True
    assert (found["rig"], found["mode"], found["inject"]) == ("small", "simulated", "")
    assert (found["passed"], found["failed"], found["skipped"]) == (10, 0, 9)
    assert found["report"] == "rig-check.md"
    assert set(found["steps"][0]) == {"step", "outcome", "words", "seconds"}
    assert len(found["steps"]) == 19


def test_an_injected_fault_makes_it_fail(rig: str, capsys: Any, tmp_path: Path) -> None:
    status, found = run_json(capsys, "check", "--rig", rig, *SIMULATED, "--inject", "black")
    assert status == 1
    assert found["ok"] is False
    assert found["inject"] == "black"
    strike = next(step for step in found["steps"] if step["step"] == "a long motion while 'black' strikes")
    assert strike["outcome"] == "failed"
    assert "the picture is black" in strike["words"]
    assert "**2 of 21 steps failed**" in (tmp_path / "rig-check.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--emulate", "--inject", "unplugg"], "unknown fault 'unplugg'; did you mean 'unplug'? (known: unplug, "),
        ([*SIMULATED, "--inject", "unplug"], "unknown fault 'unplug' (known: black, frozen, late, stale, gone)"),
        (["--emulate", "--set", "rig.dry_run=true"], "in a dry run nothing moves, so nothing can be proven"),
        (["--emulate", "--out", "."], ". is a folder; name a file in it"),
        (["--emulate", "--out", "rig.yaml/report.md"], "rig.yaml/report.md cannot be written ("),
        (["--emulate", "--out", "/proc/none/report.md"], "/proc/none/report.md cannot be written ("),
        ([], "the rig would move and nobody can be asked; clear its space and give --yes"),
    ],
)
def test_wrong_usage_is_told_before_anything_starts(
    words: list[str], sentence: str, tmp_path: Path, capsys: Any, made: list[Assembly], monkeypatch: Any
) -> None:
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115
    before = threading.active_count()
    status, out, err = run(capsys, "check", "--rig", str(write_rig(tmp_path, driver=GRBL)), *words)
    assert status == 2
    assert err.startswith(f"vantage: {sentence}")
    assert len(err.splitlines()) == 1
    assert out == ""
    assert made == []
    assert threading.active_count() == before
    assert [path.name for path in tmp_path.iterdir()] == ["rig.yaml"]


def test_a_rig_that_is_not_there_fails_its_check_and_is_reported(capsys: Any, tmp_path: Path) -> None:
    rig = write_rig(tmp_path, driver={**GRBL, "port": "/dev/ttyNOWHERE"})
    status, out, err = run(capsys, "check", "--rig", str(rig), "--yes")
    assert status == 1
    assert "FAILED   controller and camera answer: the serial port /dev/ttyNOWHERE does not exist" in err
    assert out == "0 passed, 1 failed, 18 skipped; report in rig-check.md\n"
    assert "**1 of 19 steps failed**" in (tmp_path / "rig-check.md").read_text(encoding="utf-8")


# home and goto --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
def test_a_person_at_a_terminal_is_asked_and_may_say_yes(
    answer: str, rig: str, capsys: Any, monkeypatch: Any, made: list[Assembly]
) -> None:
    with closing(Terminal(monkeypatch, answer)):
        status, out, err = run(capsys, "goto", "--rig", rig, *MIDDLE)
    assert status == 0
    assert err == WORDS
    assert out == "at (0.3300, 0.3000, 0.6200) m, yaw 0.0000, pitch 0.0000 rad\n"
    assert len(made[0].driver.moves) == 1


@pytest.mark.parametrize("answer", ["n\n", "\n", "perhaps\n", "\x04"])
@pytest.mark.parametrize("command", [("goto", *MIDDLE), ("home",), ("check",)])
def test_any_other_answer_moves_nothing(
    command: tuple[str, ...], answer: str, rig: str, capsys: Any, monkeypatch: Any, made: list[Assembly]
) -> None:
    with closing(Terminal(monkeypatch, answer)):
        status, out, err = run(capsys, command[0], "--rig", rig, *command[1:])
    assert status == 2
    assert out == ""
    assert err == f"{WORDS}vantage: not confirmed, so nothing moved\n"
    assert made == []


def test_goto_for_scripts(rig: str, capsys: Any) -> None:
    status, found = run_json(capsys, "goto", "--rig", rig, "--yes", *MIDDLE)
    assert status == 0
    assert found["schema"] == "vantage.rig.goto/1"
    assert found["viewpoint"] == pytest.approx([0.33, 0.3, 0.62, 0.0, 0.0], abs=1e-9)
    assert found["joints"] == pytest.approx({"x": 0.3, "y": 0.3, "z": 0.6, "pan": 0.0, "tilt": 0.0}, abs=1e-9)


def test_home_says_where_that_is(rig: str, capsys: Any) -> None:
    status, found = run_json(capsys, "home", "--rig", rig, *SIMULATED)
    assert status == 0
    assert found["schema"] == "vantage.rig.home/1"
    assert found["joints"] == pytest.approx({"x": 0.01, "y": 0.01, "z": 0.31, "pan": -3.18, "tilt": -1.28})


def test_an_emulated_rig_homes_goes_and_says_where_it_is(tmp_path: Path, capsys: Any, leaping: list[Assembly]) -> None:
    rig = str(write_rig(tmp_path, driver=GRBL))
    status, out, err = run(capsys, "goto", "--rig", rig, "--emulate", "0.2", "0.2", "0.7", "-0.3", "-0.2")
    assert (status, err) == (0, "")
    assert out == "at (0.2000, 0.2000, 0.7000) m, yaw -0.3000, pitch -0.2000 rad\n"
    assert leaping[0].emulator is not None
    seen = leaping[0].description.chain.viewpoint(leaping[0].emulator.positions())
    assert seen.distance(Viewpoint(0.2, 0.2, 0.7, -0.3, -0.2)) < 1e-4


def test_an_unwind_is_asked_for_with_an_option(tmp_path: Path, capsys: Any, made: list[Assembly]) -> None:
    values = rig_values()["rig"]["chain"]
    values["joints"][3]["limits"] = [0.0, 6.0]  # the mock motor begins at the lower end
    rig = str(write_rig(tmp_path, chain=values))
    there = ("0.3", "0.3", "0.6", "-1.0", "0")
    status, out, err = run(capsys, "goto", "--rig", rig, "--yes", *there)
    assert (status, out) == (1, "")
    assert "joint 'pan' would turn by 5.263 rad, more than 200 degrees: that is an unwind" in err
    assert made[0].driver.moves == []
    status, out, err = run(capsys, "goto", "--rig", rig, "--yes", "--allow-unwind", *there)
    assert (status, err) == (0, "")
    assert out == "at (0.3000, 0.3000, 0.6000) m, yaw -1.0000, pitch 0.0000 rad\n"
    assert len(made[1].driver.moves) == 1


@pytest.mark.usefixtures("leaping")
def test_from_where_a_rig_homes_every_place_is_gone_to(tmp_path: Path, capsys: Any) -> None:
    rig = str(write_rig(tmp_path, driver=GRBL))  # its pan homes at -3.18
    status, found = run_json(capsys, "goto", "--rig", rig, "--emulate", "0.2", "0.2", "0.7", "0.6", "0")
    assert status == 0
    assert found["joints"]["pan"] == pytest.approx(0.6, abs=1e-3)


def test_without_scenes_a_room_is_generated_to_be_seen(capsys: Any) -> None:
    status, out, err = run(capsys, "goto", "--rig", "room", *SIMULATED, "0", "0", "2.2", "0", "0")
    assert status == 0
    assert err == "generating a room from seed 1 for the camera to see\n"
    assert out == "at (0.0000, 0.0000, 2.2000) m, yaw 0.0000, pitch 0.0000 rad\n"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (["5", "0.3", "0.6", "0", "0"], "x would have to be at 4.970 m, beyond its limits [0.010, 0.590] m"),
        (["0.2", "0.2", "0.6", "0", "1.2"], "pitch = 1.200 rad is outside the limits [-1.047, 1.047] rad"),
        (["0.53", "0.5", "0.5", "0", "0"], "the head would come within 0.02 m of the forbidden box 'cupboard'"),
    ],
)
def test_a_place_that_is_forbidden_is_refused_with_the_reason(
    place: list[str], words: str, rig: str, capsys: Any, made: list[Assembly]
) -> None:
    status, out, err = run(capsys, "goto", "--rig", rig, "--yes", *place)
    assert (status, out) == (1, "")
    assert words in err
    assert made[0].driver.moves == []
    assert made[0].world.trouble == "closed"


def test_a_dry_run_asks_nobody_and_moves_nothing(rig: str, capsys: Any, made: list[Assembly]) -> None:
    status, _, err = run(capsys, "goto", "--rig", rig, "--set", "rig.dry_run=true", *MIDDLE)
    assert status == 1
    assert "dry run" in err
    assert made[0].driver.moves == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["goto", "nan", "0", "1", "0", "0"], "argument x: must be a finite number, got 'nan'"),
        (["goto", "0", "0", "1", "inf", "0"], "argument yaw: must be a finite number, got 'inf'"),
        (["goto", "0", "0", "high", "0", "0"], "argument z: must be a finite number, got 'high'"),
        (["goto", "0", "0", "1"], "the following arguments are required: yaw, pitch"),
        (["gto"], "invalid choice: 'gto'"),
        ([], "WHAT"),
    ],
)
def test_wrong_words_exit_with_2_and_one_sentence(words: list[str], sentence: str, capsys: Any) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("command", [("home",), ("goto", *MIDDLE), ("check",), ("calibrate", "--from", ".")])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "rig.file: 'rig.yml' is neither a file nor the name of one in"),
        ("rig: {name: [", "cannot read rig.yml as YAML"),
        ("rig: {name: x, chain: {joints: []}}", "rig.yml: rig.chain.joints: expected 1 to 7 joints, got 0"),
    ],
)
def test_a_wrong_file_is_told_before_anything_else(
    text: str | None, sentence: str, command: tuple[str, ...], capsys: Any, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "rig.yml").write_text(text, encoding="utf-8")
    status, out, err = run(capsys, command[0], "--rig", "rig.yml", "--yes", *command[1:])
    assert (status, out) == (1, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_a_port_that_is_none_is_told(tmp_path: Path, capsys: Any) -> None:
    for port, words in (("", "no serial port is named"), ("rig.yaml", "rig.yaml is no serial port that can be used")):
        rig = write_rig(tmp_path, driver={**GRBL, "port": port})
        status, _, err = run(capsys, "home", "--rig", str(rig), "--yes")
        assert status == 1
        assert words in err


def test_a_place_without_scenes_is_told(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "empty").mkdir()
    for place, words in (("empty", "there are no scenes in empty"), ("none", "no scenes at 'none'")):
        status, _, err = run(capsys, "home", "--rig", "room", "--emulate", "--set", f"world.scenes={place}")
        assert status == 1
        assert words in err


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Also where the tests were started in the background, which ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.real_time
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_stops_the_motion(tmp_path: Path, capsys: Any, made: list[Assembly]) -> None:
    rig = str(write_rig(tmp_path, driver=GRBL))
    moved = threading.Event()

    def interrupt() -> None:
        ends = time.monotonic() + 20.0
        while time.monotonic() < ends and not moved.is_set():
            if made and made[0].emulator is not None and made[0].world.trouble == "":
                state = made[0].driver.state()
                if state.homed and state.moving and state.positions[3] > -2.5:
                    moved.set()
                    os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    status, out, err = run(capsys, "goto", "--rig", rig, "--emulate", "0.33", "0.3", "0.62", "3.0", "0")
    thread.join()
    assert moved.is_set()
    assert (status, out) == (130, "")
    assert err == "vantage: interrupted\n"
    emulator: Any = made[0].emulator
    assert not np.any(emulator.velocities)
    assert emulator.positions()[3] < 2.0
    assert made[0].world.trouble == "closed"
