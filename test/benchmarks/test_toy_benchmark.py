"""A benchmark of another package is made, checked, shown, run, judged, scored and reported by every command."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import listed_benchmark
import pytest
import toy_benchmark

_POINTS = """
[vantage.benchmarks]
toy = toy_benchmark:ToyBenchmark
listed = listed_benchmark:ListedBenchmark
broken = no_such_module:Benchmark

[vantage.judges]
pictures = toy_benchmark:PictureJudge
"""

_COMMANDS = """
import contextlib, io, json, sys
from vantage.cli.main import main

for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(json.loads(line))
        except SystemExit as ended:
            status = ended.code
    print(json.dumps([status, out.getvalue(), err.getvalue()]), flush=True)
"""
Commands = subprocess.Popen[str]


@contextmanager
def taking_commands(*places: str) -> Iterator[Commands]:
    """A process that imports from these places first."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (*places, *sys.path)))}
    command = [sys.executable, "-c", _COMMANDS]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    """Takes commands where a package with the toy is installed, and one whose benchmark is broken."""
    site = tmp_path_factory.mktemp("site")
    described = site / "toy_package-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-package\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(_POINTS)
    for module in (toy_benchmark, listed_benchmark):
        (site / f"{module.__name__}.py").write_text(inspect.getsource(module))
    with taking_commands(str(site)) as process:
        yield process


def said(installed: Commands, *words: object, status: int = 0) -> str:
    """What a command prints; one that takes more than two minutes is ended."""
    assert installed.stdin is not None
    assert installed.stdout is not None
    limit = threading.Timer(120.0, installed.kill)
    limit.start()
    try:
        installed.stdin.write(json.dumps([str(word) for word in words]) + "\n")
        installed.stdin.flush()
        line = installed.stdout.readline()
    finally:
        limit.cancel()
    assert line, f"the process of the commands ended amid {words}"
    ended, out, err = json.loads(line)
    assert ended == status, out + err
    return str(out if status == 0 else err)


@pytest.fixture(scope="module")
def folder(installed: Commands, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of three episodes, and their bags."""
    root = tmp_path_factory.mktemp("toy")
    made = said(installed, "episodes", "make", "toy", "--shades", 3, "--out", root / "set")
    assert "3 episodes in" in made
    run = ("run", "toy", "--world", "none", "--agent", "blind", "--episodes", root / "set", "--out", root / "bags")
    assert "3 episodes in" in said(installed, *run)
    return root


def test_the_toy_is_small() -> None:
    assert len(inspect.getsource(toy_benchmark).splitlines()) <= 60


def test_its_options_are_those_of_the_command(installed: Commands, tmp_path: Path) -> None:
    shown = " ".join(said(installed, "episodes", "make", "--help").split())
    assert "--shades SHADES toy: number of shades (2)" in shown
    assert "--scenes NUMBER|PATH number of homes to generate" in shown
    assert "(search: 2, noisyeqa: one for 4 pairs, 120 at most, e3vs: 99, written: must be given)" in shown
    strange = said(installed, "episodes", "make", "search", "--shades", 3, "--out", tmp_path / "set", status=2)
    assert "benchmark 'search' has no option --shades here" in strange
    assert "--miniature fixes the sizes; leave out --shades" in said(
        installed, "episodes", "make", "toy", "--miniature", "--shades", 3, "--out", tmp_path / "set", status=2
    )
    said(installed, "episodes", "make", "toy", "--miniature", "--out", tmp_path / "set")


def test_an_option_of_the_flag_of_another_benchmark_is_read_in_its_own_way(installed: Commands, tmp_path: Path) -> None:
    make = ("episodes", "make", "listed", "--out", tmp_path / "set", "--episodes")
    assert "argument --episodes: invalid read_numbers value: '1,two'" in said(installed, *make, "1,two", status=2)
    assert "3 episodes in" in said(installed, *make, "1,2")
    refused = said(installed, "episodes", "make", "search", "--out", tmp_path / "no", "--episodes", "1,2", status=2)
    assert "argument --episodes: invalid int value: '1,2'; see 'vantage episodes make --help'" in refused
    shown = " ".join(said(installed, "episodes", "make", "--help").split())
    assert "search: number of episodes (12);" in shown
    assert "; listed: episodes of each shade" in shown


def test_its_sets_are_validated_and_shown(installed: Commands, folder: Path) -> None:
    assert "is valid" in said(installed, "episodes", "validate", "toy", folder / "set")
    data = json.loads(said(installed, "episodes", "show", "toy", folder / "set", "--json"))
    assert [episode["benchmark"] for episode in data["episodes"]] == ["toy"] * 3


def test_it_is_scored_by_its_own_judge_from_pictures(installed: Commands, folder: Path) -> None:
    document: dict[str, Any] = json.loads(said(installed, "score", folder / "bags", "--judge", "pictures", "--json"))
    assert {score["episode_id"]: score["judge_score"] for score in document["episodes"]} == {
        "room-0": 5,
        "room-1": 1,
        "room-2": 1,
    }
    assert {(score["judge"], score["judge_version"]) for score in document["episodes"]} == {("pictures", "7")}
    assert [score["figures"] for score in document["episodes"]] == [{"shade_error": error} for error in (0, 4, 4)]
    (group,) = document["groups"]
    assert group["figures"]["shade_error"]["value"] == pytest.approx(8 / 3)
    assert document["toy"] == {"rooms": 3}


def test_its_figures_and_tables_are_in_text_markdown_and_report(
    installed: Commands, folder: Path, tmp_path: Path
) -> None:
    text = said(installed, "score", folder / "bags", "--judge", "pictures")
    assert "shade_error" in text
    assert "Shades" in text
    markdown = said(installed, "score", folder / "bags", "--judge", "pictures", "--markdown")
    assert "| room-1 | 4 |" in markdown
    said(installed, "report", folder / "bags", "--judge", "pictures", "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert all(words in page for words in ("<h2>Toy</h2>", "shade_error", "Error: 5 - mark.", "levels of gray"))


def test_without_the_package_its_bags_are_scored_ordinarily(folder: Path) -> None:
    with taking_commands() as without:
        document = json.loads(said(without, "score", folder / "bags", "--json"))
        assert [score["figures"] for score in document["episodes"]] == [{}, {}, {}]
        assert "unknown benchmark 'toy'" in said(without, "episodes", "validate", "toy", folder / "set", status=2)


def test_a_benchmark_that_cannot_be_imported_harms_only_itself(installed: Commands, tmp_path: Path) -> None:
    broken = said(installed, "episodes", "make", "broken", "--out", tmp_path / "set", status=2)
    assert "comes from another package" in broken
