"""A set of e3vs over real DDS: the graph of ``vantage up`` scores every episode as a run in process does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ros_fixtures import new_domain
from small_e3vs import e3vs_splits, one_of_each_pair, part_of  # noqa: F401

from vantage.benchmarks.sets.episodes_io import load_set
from vantage.cli.main import main
from vantage.recording.recordings import read_recording
from vantage.reports.scoring import score_bag

SEES = ("--set", "agent.min_pixels=8", "--seed", "3")  # the pictures are small


@pytest.fixture(scope="module")
def episodes(e3vs_splits: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """Two questions, of a state and of a material."""
    test = e3vs_splits / "test"
    return part_of(test, tmp_path_factory.mktemp("sets") / "e3vs", one_of_each_pair(test)[1:3])


def setups(out: Path, capsys: pytest.CaptureFixture[str]) -> object:
    """The figures of the benchmark by setup and category, as the command line tells them."""
    capsys.readouterr()
    assert main(["score", str(out), "--json"]) == 0
    return json.loads(capsys.readouterr().out)["e3vs"]["setups"]


@pytest.mark.parametrize(
    ("agent", "control"), [("search", ()), ("random", ("--dof", "3"))], ids=["search", "random with three axes"]
)
def test_the_graph_scores_as_a_run_in_process(
    episodes: Path,
    agent: str,
    control: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    words = ["--episodes", str(episodes), "--agent", agent, *control, *SEES]
    alone, over_ros = tmp_path / "in process", tmp_path / "over ROS"
    assert main(["run", "e3vs", *words, "--out", str(alone)]) == 0
    assert main(["up", *words, "--out", str(over_ros)]) == 0
    moved = 0
    names = [episode.episode_id for episode in load_set(episodes).episodes]
    for name in names:
        here, there = read_recording(alone / name), read_recording(over_ros / name)
        assert [motion.reached for motion in there.motions] == [motion.reached for motion in here.motions]
        assert [answer.text for answer in there.answers] == [answer.text for answer in here.answers]
        assert there.control == here.control == ("dof=x+y+yaw" if control else "")
        assert there.dropped == 0
        ours, theirs = score_bag(over_ros / name), score_bag(alone / name)
        assert ours.complete, ours.incomplete_reason
        assert repr(ours).replace(str(over_ros), "") == repr(theirs).replace(str(alone), ""), "NaN equals nothing"
        moved += len(there.motions)
    assert moved > 3
    assert setups(over_ros, capsys) == setups(alone, capsys)
