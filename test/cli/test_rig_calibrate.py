"""``vantage rig calibrate``: the board, views of an earlier session, views that are taken, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import yaml
from board_views import BOARD, GANTRY, T_TIP_CAMERA, T_WORLD_BOARD, UNCALIBRATED, board_in_view, picture_of, pose_error
from small_rig import TURN, write_rig

from vantage.cli.main import main
from vantage.spatial import Intrinsics
from vantage.worlds.rig.calibration.board_views import ViewFolder, viewing_positions
from vantage.worlds.rig.cameras.lens import read_calibration
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.kinematics.chain import PRISMATIC

CAMERA = Intrinsics(640, 480, 560.0, 560.0, 321.3, 238.2)
VIEWS = 12
SIMULATED = ("--set", "rig.mode=simulated")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def pictures() -> list[tuple[np.ndarray, np.ndarray]]:
    """Joint positions and what the camera sees there."""
    rng = np.random.default_rng(3)
    positions = viewing_positions(UNCALIBRATED, BOARD, T_WORLD_BOARD, VIEWS)
    return [(q, picture_of(board_in_view(q), CAMERA, 1.0, rng)) for q in positions]


def rig_of_the_board(folder: Path) -> str:
    """A file of the gantry of ``board_views``, whose camera nobody has calibrated."""
    joints = [
        {
            "name": joint.name,
            "type": joint.kind,
            "axis": list(joint.axis),
            "limits": [joint.lower, joint.upper],
            "speed": 0.2 if joint.kind == PRISMATIC else 1.0,
            "acceleration": 2.0,
        }
        for joint in GANTRY.joints
    ]
    return str(write_rig(folder, chain={"base": {"xyz": [-1.0, -0.8, 0.0]}, "joints": joints}))


def save(folder: Path, pictures: Any, intrinsics: Intrinsics | None) -> None:
    views = ViewFolder(folder)
    for q, picture in pictures:
        views.add({joint.name: value for joint, value in zip(GANTRY.joints, q, strict=True)}, picture, intrinsics)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["rig", "calibrate", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_board_is_written_in_its_size(tmp_path: Path, capsys: Any) -> None:
    status, out, err = run(
        capsys, "--print-board", "board.png", "--squares", "6,4", "--square", "0.04", "--marker", "0.03"
    )
    assert (status, err) == (0, "")
    assert out == "board.png: print it in actual size, 280 x 200 mm, on stiff board\n"
    picture = cv2.imread(str(tmp_path / "board.png"))
    assert picture is not None
    assert picture.shape[1] / picture.shape[0] == pytest.approx(280 / 200, rel=0.01)
    status, out, _ = run(capsys, "--print-board", "board.png", "--json")
    assert json.loads(out)["size"] == pytest.approx([0.288, 0.192], abs=1e-3)


def test_the_camera_is_found_from_earlier_views(pictures: Any, tmp_path: Path, capsys: Any) -> None:
    save(tmp_path / "views", pictures, CAMERA)
    status, out, err = run(capsys, "--rig", rig_of_the_board(tmp_path), "--from", "views")
    assert (status, err) == (0, "")
    assert re.search(r"camera on the rig: residual 0\.\d\d\d px \(worst 0\.\d\d\d px in picture \d+\)", out)
    line = out.splitlines()[-1]
    assert line.startswith("put into chain of rig.yaml:  camera: {xyz: [")
    rig = yaml.safe_load((tmp_path / "rig.yaml").read_text(encoding="utf-8"))
    rig["rig"]["chain"] |= yaml.safe_load(line.partition(":  ")[2])
    (tmp_path / "better.yaml").write_text(yaml.safe_dump(rig), encoding="utf-8")
    metres, radians = pose_error(load_rig(tmp_path / "better.yaml").chain.T_tip_camera, T_TIP_CAMERA)
    assert metres < 2e-3
    assert radians < 2e-3
    assert not (tmp_path / "camera.yaml").exists()


def test_an_unknown_lens_is_found_too_and_written(pictures: Any, tmp_path: Path, capsys: Any) -> None:
    save(tmp_path / "views", pictures, None)
    words = ("--rig", rig_of_the_board(tmp_path), "--from", "views", "--lens", "lenses/front.yaml")
    status, out, _ = run(capsys, *words, "--json")
    found = json.loads(out)
    assert status == 0
    assert found["schema"] == "vantage.rig.calibrate/1"
    assert found["views"] == VIEWS
    assert found["lens"] == "lenses/front.yaml"
    assert 0.0 < found["residual_px"] < 0.5
    assert pose_error(np.array(found["T_tip_camera"]), T_TIP_CAMERA)[0] < 3e-3
    lens = read_calibration(tmp_path / "lenses" / "front.yaml")
    assert (lens.width, lens.height, lens.name) == (640, 480, "small")
    assert lens.K[0, 0] == pytest.approx(560.0, rel=0.01)


def test_too_few_views_are_told(pictures: Any, tmp_path: Path, capsys: Any) -> None:
    save(tmp_path / "views", pictures[:5], CAMERA)
    status, out, err = run(capsys, "--rig", rig_of_the_board(tmp_path), "--from", "views")
    assert (status, out) == (1, "")
    assert "too few views: 5 of at least 8 show the board" in err


def test_views_are_taken_and_kept_even_where_no_board_is(tmp_path: Path, capsys: Any) -> None:
    words = ("--rig", rig_of_the_board(tmp_path), *SIMULATED, "--at", "0.9,0.1,0.9", "--views", "8", "--save", "kept")
    status, out, err = run(capsys, *words)
    assert (status, out) == (1, "")
    *lines, sentence = err.splitlines()
    assert lines == [f"[{number}/8] 0 corners" for number in range(1, 9)]
    assert sentence.startswith("vantage: too few views: 0 of at least 8 show the board")
    assert len(list((tmp_path / "kept").glob("view-*.png"))) == 8
    status, _, err = run(capsys, *words)
    assert status == 1
    assert "kept holds views already; choose another --save, or use them with --from kept" in err
    status, _, err = run(capsys, "--rig", str(tmp_path / "rig.yaml"), "--from", "kept")
    assert status == 1
    assert "too few views: 0 of at least 8" in err


@pytest.mark.parametrize(
    ("status", "words", "sentence"),
    [
        (2, [], "say roughly where the board is with --at X,Y,Z, or give earlier views with --from"),
        (2, ["--at", "0.5,0"], "'0.5,0' is no vector; give three numbers such as 0.5,0,1"),
        (2, ["--at", "0.5,0,nan"], "'0.5,0,nan' is no vector"),
        (2, ["--at", "1,0,1", "--facing", "left"], "'left' is no vector"),
        (2, ["--at", "1,0,1", "--views", "5"], "argument --views: must be at least 8, got 5"),
        (2, ["--squares", "8x5"], "--squares 8x5: expected two whole numbers such as 8,5"),
        (2, ["--print-board", "b.png", "--from", "x"], "not allowed with argument"),
        (2, ["--at", "1,0,1", "--lens", "."], ". is a folder; name a file in it"),
        (2, ["--at", "1,0,1", "--save", "rig.yaml"], "rig.yaml/views.yaml cannot be written ("),
        (2, ["--at", "1,0,1"], "the rig would move and nobody can be asked; clear its space and give --yes"),
        (1, ["--marker", "0.05"], "board: a marker of 0.05 m in a square of 0.032 m"),
        (1, ["--dictionary", "5X5_99"], "board: unknown dictionary '5X5_99'"),
        (1, ["--square", "nan"], "board: a marker of"),
        (1, ["--from", "nowhere"], "nowhere/views.yaml does not exist; check the path"),
        (1, ["--print-board", "rig.yaml/b.png"], "rig.yaml"),
    ],
)
def test_what_is_wrong_is_told_before_anything_moves(
    status: int, words: list[str], sentence: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    rig = write_rig(tmp_path)
    monkeypatch.setattr("sys.stdin", (tmp_path / "rig.yaml").open())
    found, out, err = run(capsys, "--rig", str(rig), *words)
    assert (found, out) == (status, "")
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.glob("**/*.png"))


def test_a_board_out_of_sight_is_told(tmp_path: Path, capsys: Any) -> None:
    assert TURN["type"] == "revolute"
    status, _, err = run(capsys, "--rig", str(write_rig(tmp_path)), *SIMULATED, "--at", "50,0,1")
    assert status == 1
    assert "ways to look at a board around (50.00, 0.00, 1.00) m were found, 8 are needed" in err
