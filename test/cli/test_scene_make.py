"""``vantage scene make`` without a cloud, varied, and from homes that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from vantage.cli.main import main
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.generator.variation import varied
from vantage.scenes.spec.spec_file import load_spec
from vantage.splats.home import load_home


def made(*words: str, status: int = 0) -> None:
    assert main(["scene", "make", *words]) == status


def test_a_home_without_a_cloud_is_made_checked_and_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made("--seed", "3", "--no-cloud", "--out", str(tmp_path))
    home = tmp_path / "home_3"
    assert {path.name for path in home.iterdir()} == {"spec.json", "graph.json", "scene.yaml"}
    assert load_spec(home / "spec.json") == generate_home(3, 1, "home_3")
    assert main(["scene", "check", str(home)]) == 0
    assert main(["scene", "info", str(home)]) == 0
    assert "cloud           none" in capsys.readouterr().out
    assert main(["scene", "render", str(home), "--out", str(tmp_path / "view.png")]) == 1
    told = capsys.readouterr().err
    assert "is a home without a cloud" in told
    assert f"vantage scene make --from {home}" in told


def test_a_varied_home_is_named_and_repeatable(tmp_path: Path) -> None:
    made("--seed", "3", "--vary", "7", "--no-cloud", "--out", str(tmp_path))
    found = load_spec(tmp_path / "home_3_vary_7" / "spec.json")
    assert found == varied(generate_home(3, 1, "home_3_vary_7"), 7)
    assert load_home(tmp_path / "home_3_vary_7").graph.name == "home_3_vary_7"
    assert main(["scene", "check", str(tmp_path / "home_3_vary_7")]) == 0


def test_a_home_is_varied_from_its_folder_and_painted_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made("--seed", "3", "--no-cloud", "--out", str(tmp_path))
    made("--from", str(tmp_path / "home_3"), "--vary", "7", "--no-cloud", "--out", str(tmp_path / "other"))
    folder = tmp_path / "other" / "home_3_vary_7"
    assert load_spec(folder / "spec.json") == varied(generate_home(3, 1, "home_3_vary_7"), 7)
    made("--from", str(folder / "spec.json"), "--out", str(tmp_path / "painted"))
    assert (tmp_path / "painted" / "home_3_vary_7" / "cloud.ply").is_file()
    capsys.readouterr()
    made("--from", str(folder), "--out", str(tmp_path / "painted"), status=1)
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--from", "nowhere"], 1, "no home at nowhere"),
        (["--vary", "-1"], 2, "must be at least 0, got -1"),
        (["--vary", "much"], 2, "must be a whole number"),
    ],
)
def test_what_cannot_be_made(
    words: list[str], status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(*words, "--out", str(tmp_path / "out"), status=status)
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
