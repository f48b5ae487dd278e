"""Benchmarks by name, and what is asked of all of them."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from dataclasses import replace

import pytest

from vantage.benchmarks.protocol import Benchmark, Option, read_count, read_room_numbers
from vantage.benchmarks.registered import all_benchmarks, benchmark_of, make_benchmark, phase_problems
from vantage.benchmarks.statistics.metrics import EpisodeScore, aggregate
from vantage.errors import UnknownNameError, UsageError
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, Question

MEMBERS = [name for name in vars(Benchmark) if not name.startswith("_")]


def test_every_benchmark_is_one_under_the_name_that_it_has() -> None:
    found = all_benchmarks()
    names = ["search", "noisyeqa", "e3vs", "excalibur", "heal", "written", "open-eqa", "hm-eqa"]
    assert [each.name for each in found] == names
    assert all(hasattr(each, member) for each in found for member in MEMBERS)
    assert [each.name for each in found if each.review is not None] == ["noisyeqa", "e3vs"]
    with_tables = [each.name for each in found if each.section is not None]
    assert with_tables == ["noisyeqa", "e3vs", "excalibur", "heal", "written"]
    assert [each.name for each in found if each.gold is not None] == ["heal"]
    assert [each.name for each in found if each.predictions is not None] == ["open-eqa"]


def test_a_benchmark_that_is_not_installed_is_an_ordinary_one() -> None:
    other = benchmark_of("nowhere")
    assert (other.name, other.section, other.categories) == ("nowhere", None, None)
    with pytest.raises(UsageError, match="sets of benchmark 'nowhere' cannot be made here"):
        other.make("set")
    with pytest.raises(UnknownNameError, match="unknown benchmark 'serach'; did you mean 'search'"):
        make_benchmark("serach")


def test_episodes_ask_in_phases_of_their_benchmark() -> None:
    asked = Question("q1", "What is it?")
    episode = Episode("e1", "search", "home", Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0), (asked,), 3)
    search = make_benchmark("search")
    assert phase_problems(search, [episode]) == []
    strange = replace(episode, questions=(replace(asked, phase="dance"),))
    assert phase_problems(search, [strange]) == [
        "episode 'e1' asks in phase 'dance', which benchmark 'search' lacks (answer)"
    ]


def test_phases_come_in_the_order_of_their_benchmark() -> None:
    here = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
    explore, answer = EpisodePhase("explore", 3), EpisodePhase("answer", 0, (Question("q1", "What is it?"),))
    excalibur = make_benchmark("excalibur")
    sound, turned = (
        Episode.of_phases("e1", "excalibur", "home", here, phases) for phases in ((explore, answer), (answer, explore))
    )
    assert phase_problems(excalibur, [sound]) == []
    assert phase_problems(excalibur, [turned]) == [
        "episode 'e1' goes through answer, explore, and benchmark 'excalibur' has these phases in the order explore, "
        "answer, reenter, refine"
    ]


def test_flags_and_defaults_as_help_shows_them() -> None:
    option = Option("noise_model", "a model")
    assert (option.typed, option.shown) == ("--noise-model", "")
    assert Option("source", "a file", flag="--from").typed == "--from"
    assert (Option("pairs", "", default=500).shown, Option("noisy", "", usual="a third").shown) == ("500", "a third")


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many"])
def test_counts_are_whole_numbers_from_one(text: str) -> None:
    assert (read_count("3"), read_room_numbers("2"), read_room_numbers("1-4")) == (3, (2, 2), (1, 4))
    with pytest.raises(ArgumentTypeError):
        read_count(text)


def test_named_figures_are_averaged_over_the_episodes_that_have_them() -> None:
    scores = [
        EpisodeScore("a", complete=True, figures={"gap": 1.0, "rest": math.nan}),
        EpisodeScore("b", complete=True, figures={"gap": 4.0}),
        EpisodeScore("c", complete=True),
    ]
    figures = {figure.key: (figure.value, figure.n) for figure in aggregate(scores)[-2:]}
    assert figures["gap"] == (2.5, 2)
    assert figures["rest"][1] == 0
