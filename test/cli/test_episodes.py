"""``vantage episodes`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_search import SIZES, SMALL, small_benchmark

from vantage.benchmarks.episodes_io import EpisodeSet
from vantage.benchmarks.search import SearchBenchmark
from vantage.cli.main import main


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    folder = tmp_path_factory.mktemp("sets") / "search"
    return small_benchmark().make(folder, settings=SMALL, **{**SIZES, "episodes": 2, "noisy": 1})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, small_set: EpisodeSet) -> dict[str, Any]:
    """What the benchmark is asked to make; it gives a small set instead."""
    sizes: dict[str, Any] = {}

    def make(self: SearchBenchmark, folder: str, *, settings: object, **wanted: Any) -> EpisodeSet:
        sizes.update(wanted)
        return small_set

    monkeypatch.setattr(SearchBenchmark, "make", make)
    return sizes


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        (["--miniature"], {"seed": 0}),
        ([], {"seed": 0, "rooms": (1, 4)}),
        (["--rooms", "3", "--scenes", "4"], {"seed": 0, "rooms": (3, 3), "scenes": 4}),
        (["--rooms", "2-6", "--episodes", "9", "--seed", "5"], {"seed": 5, "rooms": (2, 6), "episodes": 9, "noisy": 3}),
    ],
)
def test_sizes_reach_the_benchmark(asked: dict[str, Any], tmp_path: Path, options: list[str], sizes: object) -> None:
    assert main(["episodes", "make", "search", "--out", str(tmp_path / "set"), *options]) == 0
    assert asked == sizes


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--miniature", "--rooms", "1-2"], "leave out"),
        (["--rooms", "many"], "LOW-HIGH"),
        (["--rooms", "0-3"], "homes of 0 to 3 rooms"),
        (["--rooms", "4-2"], "homes of 4 to 2 rooms"),
    ],
)
def test_impossible_sizes_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], words: str
) -> None:
    assert main(["episodes", "make", "search", "--out", str(tmp_path / "set"), *options]) == 2
    assert words in capsys.readouterr().err


def test_a_set_is_shown_with_its_commonest_answers(small_set: EpisodeSet, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(small_set.folder)
    assert main(["episodes", "show", "search", folder]) == 0
    assert "of 1 questions with a true premise, 100% are answered by" in capsys.readouterr().out
    assert main(["episodes", "show", "search", folder, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["commonest_answers"][0]["number"] == 1
    assert len(shown["episodes"]) == 2
