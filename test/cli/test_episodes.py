"""``vantage episodes`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_noisyeqa import small_noisyeqa
from small_search import FEW, small_search_set

from vantage.benchmarks.search.search_benchmark import SearchBenchmark
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set
from vantage.benchmarks.statistics import LabelledQuestion
from vantage.cli.main import main
from vantage.registry import BENCHMARKS


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_search_set(tmp_path_factory, FEW))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, small_set: EpisodeSet) -> dict[str, Any]:
    """What the benchmark is asked to make; it gives a small set instead."""
    sizes: dict[str, Any] = {}

    def make(self: SearchBenchmark, folder: str, *, settings: object, progress: object, **wanted: Any) -> EpisodeSet:
        sizes.update(wanted)
        return small_set

    monkeypatch.setattr(SearchBenchmark, "make", make)
    return sizes


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        (["--miniature"], {"miniature": True}),
        ([], {"rooms": (1, 4)}),
        (["--rooms", "3", "--scenes", "4"], {"rooms": (3, 3), "scenes": 4}),
        (["--rooms", "2-6", "--episodes", "9", "--seed", "5"], {"seed": 5, "rooms": (2, 6), "episodes": 9}),
    ],
)
def test_sizes_reach_the_benchmark(
    asked: dict[str, Any], tmp_path: Path, options: list[str], sizes: dict[str, Any]
) -> None:
    assert main(["episodes", "make", "search", "--out", str(tmp_path / "set"), *options]) == 0
    usual = {} if "miniature" in sizes else {"scenes": 2, "episodes": 12, "rooms": (1, 4), "world": "splat"}
    assert asked == {"seed": 0, "miniature": False, **usual, **sizes}


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


def test_a_set_of_pairs_is_made_shown_reviewed_and_validated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(BENCHMARKS._entries, "noisyeqa", small_noisyeqa)
    folder = tmp_path / "set"
    sizes = ["--scenes", "1", "--pairs", "2", "--rooms", "1", "--shares", "color=1,latent=1", "--workers", "1"]
    small = ["--set", "camera.width=160", "--set", "camera.height=120", "--seed", "4"]
    assert main(["episodes", "make", "noisyeqa", "--out", str(folder), *sizes, *small]) == 0
    told = capsys.readouterr()
    assert "2 questions with a false premise: 1 LATENT, 1 COLOR" in told.out
    assert "home 1 of 1" in told.err
    assert main(["episodes", "show", "noisyeqa", str(folder)]) == 0
    set_hash = json.loads((folder / "set.json").read_text())["content_hash"]
    marks = {"home_4000-01": {"verdict": "accept", "note": ""}, "home_4000-02": {"verdict": "reject", "note": "dull"}}
    (tmp_path / "marks.json").write_text(json.dumps({"schema": "vantage.review/1", "set": set_hash, "marks": marks}))
    check = ["episodes", "validate", "noisyeqa", str(folder), "--workers", "1"]
    reviewed = [*check, "--reviewed", str(tmp_path / "marks.json")]
    capsys.readouterr()
    assert main([*reviewed, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == ["pair 'home_4000-02' was rejected: dull"]
    assert told["shortcut"]["accuracy"]["n"] == 4
    assert told["shortcut"]["by_type"] == {}
    assert "two scenes" in told["shortcut"]["not_measured"]
    assert main([*reviewed, "--out", str(tmp_path / "accepted")]) == 0
    assert "1 pairs accepted, 1 rejected, 0 without a mark" in capsys.readouterr().out
    assert len((tmp_path / "accepted" / "episodes.jsonl").read_text().splitlines()) == 2


@pytest.mark.needs("shortcut")
@pytest.mark.parametrize(("homes", "status"), [(60, 1), (12, 0)])
def test_a_set_whose_words_tell_the_labels_is_invalid_if_it_is_large_enough(
    small_set: EpisodeSet,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    homes: int,
    status: int,
) -> None:
    leaking = [
        LabelledQuestion(f"Is it a {word}?", word, f"home_{k}", "", f"home_{k}")
        for k in range(homes)
        for word in ("vase", "jug")
    ]
    monkeypatch.setattr(SearchBenchmark, "labelled_questions", lambda self, episode_set: leaking)
    assert main(["episodes", "validate", "search", str(small_set.folder)]) == status
    told = capsys.readouterr().out
    assert "the words of the questions alone tell their labels: 100.0 %" in told
    assert "at most 55.0 %" in told
    assert (f"{small_set.folder} is valid" in told) == (status == 0)
    assert main(["episodes", "validate", "search", str(small_set.folder), "--json"]) == status
    shortcut = json.loads(capsys.readouterr().out)["shortcut"]
    assert shortcut["accuracy"]["value"] == shortcut["twins"]["value"] == 1.0
    assert len(shortcut["findings"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["make", "search", "--pairs", "3"], "has no option --pairs"),
        (["make", "noisyeqa", "--noisy", "3"], "has no option --noisy"),
        (["make", "search", "--from", "x.json"], "has no option --from"),
        (["make", "open-eqa", "--scenes", "3"], "has no option --scenes"),
        (["make", "noisyeqa", "--miniature", "--pairs", "9"], "leave out --pairs"),
        (["make", "noisyeqa", "--shares", "papr"], "did you mean 'paper'"),
        (["make", "noisyeqa", "--phrasing", "tests"], "did you mean 'test'"),
    ],
)
def test_options_of_another_benchmark_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], said: str
) -> None:
    assert main(["episodes", *words, "--out", str(tmp_path / "set")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("action", ["show", "validate"])
def test_a_set_of_another_benchmark_is_refused(
    small_set: EpisodeSet, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    assert main(["episodes", action, "noisyeqa", str(small_set.folder)]) == 2
    assert "is a set of benchmark 'search', not 'noisyeqa'" in capsys.readouterr().err


def test_only_pairs_are_reviewed(small_set: EpisodeSet, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder, marks = str(small_set.folder), str(tmp_path / "marks.json")
    assert main(["episodes", "validate", "search", folder, "--reviewed", marks]) == 2
    assert "are not reviewed" in capsys.readouterr().err
    assert main(["episodes", "validate", "search", folder, "--out", marks]) == 2
    assert "--out needs --reviewed" in capsys.readouterr().err


def test_print_is_chosen_in_miniature_too_and_only_where_a_benchmark_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "set")]
    for words, sentence in (
        (["e3vs", "--miniature", "--prints", "nowhere"], "there is no print 'nowhere' in homes; use usual, everywhere"),
        (["search", "--miniature", "--prints", "usual"], "benchmark 'search' has no option --prints here"),
        (["e3vs", "--scenes", str(tmp_path), "--prints", "usual"], "--prints is about generated homes"),
    ):
        assert main(["episodes", "make", *words, *out]) != 0
        assert sentence in capsys.readouterr().err
