"""Episodes by lot: as many as asked for, the same for the same seed, spread over scenes and over what is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from small_e3vs import told_once
from small_errands import miniature_set
from small_noisyeqa import small_pairs

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.heal.errand_sets import strata_of
from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
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


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[EpisodeSet, dict[str, Truth]]:
    """A set of pairs of a question with a false premise and its twin."""
    whole = load_set(small_pairs(tmp_path_factory))
    return whole, dict(NoisyEqaBenchmark().truths(whole))


def halves(episode_set: EpisodeSet) -> list[int]:
    """How many episodes there are of each pair."""
    return sorted(Counter(each.episode_id.rpartition("-")[0] for each in episode_set.episodes).values())


def test_the_questions_of_a_pair_are_drawn_together(twins) -> None:
    whole, truths = twins
    for seed in range(4):
        assert halves(sampled(whole, truths, Sample(4), seed)) == [2, 2]
        assert halves(sampled(whole, truths, Sample(3), seed)) == [1, 2]
        found = sampled(whole, truths, Sample(3, pairs=True), seed)
        assert halves(found) == [2, 2, 2]
        assert len({each.scene for each in found.episodes}) == 2, "spread over both homes"


def test_episodes_are_taken_by_their_names_in_the_order_of_the_set(twins) -> None:
    whole, truths = twins
    ids = [each.episode_id for each in whole.episodes]
    found = sampled(whole, truths, Sample(2, ids=(ids[3], ids[0])), 0)
    assert [each.episode_id for each in found.episodes] == [ids[0], ids[3]]
    with pytest.raises(UsageError, match=f"has no episode '{ids[0]}x' for this agent; did you mean"):
        sampled(whole, truths, Sample(1, ids=(f"{ids[0]}x",)), 0)


def test_more_pairs_than_there_are_or_none_at_all_are_refused(twins, episodes: Path) -> None:
    whole, truths = twins
    with pytest.raises(UsageError, match="has 6 pairs for this agent, and --pairs asks for 7; ask for fewer"):
        sampled(whole, truths, Sample(7, pairs=True), 0)
    errands = load_set(episodes)
    with pytest.raises(UsageError, match=r"has 0 pairs .* draw from it by --sample"):
        sampled(errands, HealBenchmark().truths(errands), Sample(1, pairs=True), 0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--sample", "2", "--pairs", "1"], "--sample and --pairs both choose episodes"),
        (["--ids", " , "], "--ids names no episode"),
        (["--ids", "nobody"], "has no episode 'nobody'"),
    ],
)
def test_choices_that_cannot_be_are_told(twins, tmp_path: Path, capsys: pytest.CaptureFixture[str], words, why) -> None:
    begin = ["run", "noisyeqa", "--episodes", str(twins[0].folder), "--agent", "static"]
    assert main([*begin, "--out", str(tmp_path / "out"), *words]) != 0
    captured = capsys.readouterr()
    assert why in captured.out + captured.err
