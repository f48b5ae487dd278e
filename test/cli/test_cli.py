import json
import subprocess
import sys

import cv2
import pytest

from vantage.cli import doctor
from vantage.cli.json_values import json_value
from vantage.cli.main import COMMANDS, build_parser, main
from vantage.types import Truth, Verdict


def run(capsys, *words):
    status = main(words)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def run_json(capsys, *words):
    status, out, _ = run(capsys, *words, "--json")
    lines = out.splitlines()
    assert len(lines) == 1, "one object and nothing else"
    found = json.loads(lines[0])
    assert found["schema"].startswith("vantage.")
    assert found["ok"] == (status == 0)
    return status, found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert command in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["serach"], "invalid choice: 'serach'"),
        ([], "COMMAND"),
        (["scene"], "ACTION"),
        (["scene", "make"], "--out"),
        (["scene", "make", "--rooms", "0", "--out", "x"], "--rooms must be from 1 to 10"),
        (["scene", "render", "x.ply", "--out", "x.gif"], ".png or .jpg"),
        (["score", "x", "--judge", "ruls"], "did you mean 'rules'"),
        (["episodes", "make", "serch", "--out", "x"], "did you mean 'search'"),
    ],
)
def test_wrong_usage_exits_with_2_and_one_sentence(words, sentence, capsys):
    status, out, err = run(capsys, *words)
    assert status == 2
    assert sentence in err
    assert out == ""
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["scene", "info", "missing.ply"], "missing.ply"),
        (["score", "missing"], "there is no folder missing"),
        (["report", "missing"], "there is no folder missing"),
        (["episodes", "show", "search", "missing"], "missing"),
        (["run", "search", "--episodes", "missing", "--out", "x"], "missing"),
        (["bench", "step", "--set", "camera.width=0"], "outside [1, 8192]"),
    ],
)
def test_failures_exit_with_1_and_one_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(capsys, *words)
    assert status == 1
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
    status, found = run_json(capsys, *words)
    assert status == 1
    assert sentence in found["error"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["scene", "align", "x.ply", "--out", "x.yaml", "--from", "-0.5,0", "--to", "-1,0,0"],
            "known length needs all",
        ),
        (["scene", "align", "x.ply", "--out", "x.yaml", "--metres-per-unit", "-1e-3"], "positive number, got -0.001"),
        (["scene", "compose", "x", "--object", "y", "--label", "z", "--out", "o", "--position", "-1,x"], "got '-1,x'"),
        (["scene", "compose", "x", "--object", "y", "--label", "z", "--out", "o", "--position", "-.5"], "got '-.5'"),
        (["scene", "align", "x.ply", "--out", "x.yaml", "--seed", "x"], "--seed: must be a whole number, got 'x'"),
        (["scene", "align", "x.ply", "--out", "x.yaml", "--seed", "-1"], "--seed: must be at least 0, got -1"),
        (["scene", "align", "x.ply", "--out", "x.yaml", "--json", "-1"], "unrecognized arguments: -1"),
        (["rig", "goto", "--emulate", "-0.5", "-1e-3", "1", "0", "0", "--set", "x=-1"], "unknown setting 'x'"),
        (["scene", "align", "x.ply", "--out", "x.yaml", "--metres-per", "-1e-3"], "positive number, got -0.001"),
    ],
)
def test_values_may_start_with_a_minus(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(capsys, *words)
    assert status == 2
    assert sentence in err
    assert "expected one argument" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_viewpoint_with_a_minus_is_looked_from(capsys, tmp_path):
    status, _, err = run(
        capsys, "scene", "render", str(tmp_path / "no.ply"), "--out", "x.png", "--viewpoint", "-1,0,1,0,0"
    )
    assert status == 1
    assert "no scene at" in err


def test_doctor_finds_what_the_tests_need(capsys):
    status, found = run_json(capsys, "doctor")
    states = {check["name"]: check["state"] for check in found["checks"]}
    assert states["python"] == states["numpy"] == states["rosbags"] == "ok"
    for check in found["checks"]:
        assert check["state"] in ("ok", "missing", "optional")
        assert check["mend"] or check["state"] != "missing", check
    status, out, _ = run(capsys, "doctor", "--settings")
    assert status == 0
    assert "camera.width" in out


def test_doctor_names_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    monkeypatch.setenv("VANTAGE_DATA", str(tmp_path / "nowhere"))
    checks = {check.name: check for check in doctor.examine()}
    assert checks["C++ compiler"].state == "missing"
    assert "g++" in checks["C++ compiler"].mend
    assert "nowhere is not a folder" in checks["VANTAGE_DATA"].detail

    class Full:
        free = 10**6

    assert doctor._disk(tmp_path, lambda _: Full).state == "missing"


@pytest.fixture
def library_alone(monkeypatch):
    """As after ``pip install``: nothing of ROS can be imported, and none is sourced."""
    hidden = ("rclpy", "vantage_eqa", "vantage_eqa.msg", "tf2_msgs", "tf2_msgs.msg")
    for name in hidden:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)


def test_the_library_alone_is_whole_and_doctor_says_what_ros_would_add(library_alone, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    status, out, _ = run(capsys, "doctor")
    assert status == 0
    assert out.rstrip().splitlines()[-1].startswith("the library is whole; ROS would add the nodes, 'vantage up'")
    assert "missing " not in out
    checks = {check.name: check for check in doctor.examine()}
    of_ros = ["rclpy (nodes, launch)", "ROS interfaces of vantage", "ROS interfaces tf2_msgs", "C++ compiler"]
    assert [checks[name].state for name in of_ros] == ["optional"] * 4
    assert "make setup" in checks[of_ros[0]].mend
    status, _, err = run(capsys, "up", "--agent", "coverage", "--explore", "plant", "--out", str(tmp_path / "bags"))
    assert status == 1
    assert "rclpy (nodes, launch) is not usable" in err


def test_a_ros_that_is_there_and_does_not_load_is_missing(library_alone, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    status, out, _ = run(capsys, "doctor")
    assert status == 1
    assert "missing   rclpy (nodes, launch)" in out
    assert "3 needed part(s) missing" in out


def test_scene_commands(capsys, tmp_path):
    status, found = run_json(capsys, "scene", "make", "--rooms", "1", "--seed", "3", "--out", str(tmp_path))
    assert status == 0
    scene = found["scenes"][0]
    status, found = run_json(capsys, "scene", "info", scene)
    assert found["gaussians"] > 50_000
    assert found["objects"] > 20
    picture = tmp_path / "view.png"
    words = ("scene", "render", scene, "--out", str(picture), "--set", "camera.width=160", "--set", "camera.height=120")
    assert run_json(capsys, *words)[0] == 0
    image = cv2.imread(str(picture))
    assert image.shape == (120, 160, 3)
    assert image.std() > 20, "the picture shows something"
    status, _, err = run(capsys, *words, "--viewpoint", "1,2,3")
    assert status == 2
    assert "five numbers" in err


def test_the_module_runs_without_ros_on_the_path():
    code = "import sys; sys.modules['rclpy'] = None; from vantage.cli.main import build_parser; build_parser()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert build_parser().prog == "vantage"


def test_plain_values():
    found = json_value({"a": Verdict.CORRECTED, "b": float("nan"), "c": (1, {2: None}), "d": Truth("e", ())})
    assert found["a"] == "CORRECTED"
    assert found["b"] is None
    assert found["c"] == [1, {"2": None}]
    assert found["d"]["oracle_path_length"] is None
    json.dumps(found, allow_nan=False)
