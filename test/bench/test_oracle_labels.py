"""The bench of labels finds the same by judging every viewpoint, and says where it does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from small_search import small_search_set

from vantage.bench.oracle_labels import bench_labels
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.sets.episodes_io import load_set, load_truths, save_set
from vantage.errors import UsageError


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_search_set(tmp_path_factory)


@pytest.mark.needs("time")
def test_oracles_are_those_of_the_set_and_of_every_viewpoint(episodes: Path) -> None:
    found = bench_labels(episodes, 1)
    (question,) = found["questions"]
    episode = load_set(episodes).episodes[0]
    truth = load_truths(episodes, load_set(episodes).episodes)[episode.episode_id]
    assert question["episode_id"] == episode.episode_id
    assert question["actions"] == len(truth.oracle_actions or ())
    assert question["same"]
    assert 0 < question["answering"] < question["viewpoints"]
    assert found["speedup"] == pytest.approx(question["reference_seconds"] / question["seconds"], rel=0.01)


def test_a_labeller_that_rules_out_too_much_is_found_out(episodes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SceneVisibility, "could_answer", lambda *_: False)
    found = bench_labels(episodes, 1)
    assert (found["same"], found["met"]) == (0, False)
    assert found["questions"][0]["actions"] is None


def test_a_set_without_oracles_is_refused(episodes: Path, tmp_path: Path) -> None:
    copytree(episodes, tmp_path / "set")
    made = load_set(tmp_path / "set")
    truths = load_truths(made.folder, made.episodes).values()
    save_set(
        made.folder, made.info, made.episodes, [replace(truth, goal=None, oracle_actions=None) for truth in truths]
    )
    with pytest.raises(UsageError, match="no question with an oracle"):
        bench_labels(tmp_path / "set", 1)
