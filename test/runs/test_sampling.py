"""Episodes by lot: as many as asked for, the same for the same seed, spread over scenes and over what is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from small_e3vs import told_once
from small_errands import miniature_set

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.heal.errand_sets import strata_of
from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.sets import EpisodeSet, load_set
from vantage.cli.main import main
from vantage.config import AgentSettings, Settings
from vantage.errors import UsageError
from vantage.runs import Job, Sample, prepared
from vantage.runs.sampling import sampled
from vantage.types import Truth


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


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> tuple[EpisodeSet, dict[str, Truth]]:
    """A set that asks some of its questions from several starts."""
    whole = load_set(Path(told_once(tmp_path_factory).data["folder"]) / "train")
    return whole, dict(E3vsBenchmark().truths(whole))


def questions(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> Counter[str]:
    return Counter(truths[each.episode_id].pair_id for each in episode_set.episodes)


def test_every_question_is_drawn_once_before_one_is_drawn_from_a_second_start(starts) -> None:
    whole, truths = starts
    every = questions(whole, truths)
    assert 1 < len(every) < len(whole.episodes), "some questions have several starts, and some have other ones"
    for seed in range(5):
        for number in range(1, len(whole.episodes) + 1):
            found = sampled(whole, truths, Sample(number), seed)
            assert len(found.episodes) == number
            assert len(questions(found, truths)) == min(number, len(every))
            assert found.episodes == sampled(whole, truths, Sample(number), seed).episodes
    drawn_at_first = {sampled(whole, truths, Sample(len(every)), seed).episodes for seed in range(9)}
    assert len(drawn_at_first) > 1, "which start is drawn falls by lot"


def test_questions_are_told_apart_by_scene_and_words_where_pairs_have_no_name(starts) -> None:
    whole, truths = starts
    unnamed = {key: replace(truth, pair_id="") for key, truth in truths.items()}
    for seed in range(5):
        number = len(questions(whole, truths))
        assert set(questions(sampled(whole, unnamed, Sample(number), seed), truths).values()) == {1}


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
