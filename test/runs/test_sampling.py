"""Episodes by lot: as many as asked for, the same for the same seed, spread over scenes and over what is asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from small_errands import miniature_set

from vantage.benchmarks.heal.errand_sets import strata_of
from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.sets import load_set
from vantage.cli.main import main
from vantage.config import AgentSettings, Settings
from vantage.errors import UsageError
from vantage.runs import Job, Sample, prepared


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature_set(tmp_path_factory)


def drawn(episodes: Path, text: str, agent: str = "doer", seed: int = 0) -> list[str]:
    settings = replace(Settings(), agent=AgentSettings(name=agent))
    job = Job(episodes, episodes.parent / "bags", "splat", agent, settings, seed, sample=Sample.read(text))
    return [each.episode_id for each in prepared(job)[1].episodes]


def test_feasible_and_infeasible_ones_are_drawn_apart(episodes: Path) -> None:
    made = load_set(episodes)
    errands, truths = HealBenchmark().tasks(made, HealBenchmark().truths(made))
    strata = strata_of(errands, truths)
    assert {*strata} == {each.episode_id for each in errands.episodes}
    most = sum(not each.feasible for each in strata.values())
    assert most > 0
    found = drawn(episodes, f"6,{most}")
    assert Counter(strata[each].feasible for each in found) == {True: 6, False: most}
    feasible = [each for each in found if strata[each].feasible]
    scenes = Counter(each.scene for each in errands.episodes if each.episode_id in feasible)
    assert set(scenes.values()) == {3}, "both homes alike"
    assert len({strata[each].name for each in feasible}) == 6, "nothing is asked for twice"


def test_the_lot_is_that_of_the_seed_and_keeps_the_order(episodes: Path) -> None:
    first = drawn(episodes, "5")
    assert first == drawn(episodes, "5")
    assert any(drawn(episodes, "5", seed=seed) != first for seed in (1, 2, 3))
    order = [each.episode_id for each in prepared(Job(episodes, episodes.parent / "b", "splat", "doer"))[1].episodes]
    assert first == [each for each in order if each in first]


def test_no_more_are_drawn_than_there_are(episodes: Path) -> None:
    with pytest.raises(UsageError, match=r"has \d+ feasible episodes for this agent, and --sample asks for 999"):
        drawn(episodes, "999,0")
    with pytest.raises(UsageError, match=r"has \d+ episodes"):
        drawn(episodes, "9999")


def test_what_a_benchmark_does_not_tell_is_not_drawn_by(episodes: Path) -> None:
    with pytest.raises(UsageError, match="does not tell which of these episodes are feasible"):
        drawn(episodes, "2,1", agent="interpreter")
    assert len(drawn(episodes, "2", agent="interpreter")) == 2


@pytest.mark.parametrize("text", ["", "x", "-1", "1,2,3", "1.5", "0", "0,0", "9999999999"])
def test_numbers_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected N or N,M|at least one"):
        Sample.read(text)


def test_the_command_line_says_what_is_wrong(episodes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "heal", "--world", "none", "--agent", "blind", "--episodes", str(episodes)]
    assert main([*words, "--out", str(episodes.parent / "none"), "--sample", "many"]) == 2
    assert "--sample: expected N or N,M" in capsys.readouterr().err
