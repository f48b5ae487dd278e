"""Benchmarks by the names that sets, bags and command lines carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vantage.benchmarks.base import BaseBenchmark
from vantage.benchmarks.protocol import Benchmark
from vantage.errors import UsageError
from vantage.registry import BENCHMARKS
from vantage.types import Episode

_MEMBERS = [name for name in vars(Benchmark) if not name.startswith("_")]


def make_benchmark(name: str) -> Benchmark:
    """The benchmark of a name.

    Raises:
        UnknownNameError: no such benchmark.
        UsageError: it is another package's, which cannot be imported or made, or brings no benchmark.
    """
    made = BENCHMARKS.create(name)
    if not isinstance(made, Benchmark):
        lacks = ", ".join(sorted(member for member in _MEMBERS if not hasattr(made, member)))
        raise UsageError(f"benchmark '{name}' is none, because it lacks {lacks}; see vantage.benchmarks.Benchmark")
    return made


def benchmark_of(name: str) -> Benchmark:
    """The benchmark that a set or a bag is of; an ordinary one where none of that name is installed.

    Raises:
        UsageError: it is another package's, which cannot be imported.
    """
    if name in BENCHMARKS.names():
        return make_benchmark(name)
    ordinary = BaseBenchmark()
    ordinary.name = name
    return ordinary


def phase_problems(benchmark: Benchmark, episodes: Sequence[Episode]) -> list[str]:
    """One sentence for each episode that asks in a phase that the benchmark lacks, or whose phases come in another
    order than the benchmark's.
    """
    known = ", ".join(benchmark.phases)
    return order_problems(benchmark, episodes) + [
        f"episode '{episode.episode_id}' asks in phase '{question.phase}', which benchmark '{benchmark.name}' lacks "
        f"({known})"
        for episode in episodes
        for question in episode.questions
        if question.phase not in benchmark.phases
    ]


def order_problems(benchmark: Benchmark, episodes: Iterable[Episode]) -> list[str]:
    """One sentence for each episode whose phases come in another order than the benchmark's."""
    known = ", ".join(benchmark.phases)
    return [
        f"episode '{episode.episode_id}' goes through {', '.join(names)}, and benchmark '{benchmark.name}' has these "
        f"phases in the order {known}"
        for episode in episodes
        if (names := [phase.name for phase in episode.phases if phase.name in benchmark.phases])
        != [name for name in benchmark.phases if name in names]
    ]


def all_benchmarks(needed: Iterable[str] = ()) -> list[Benchmark]:
    """Every registered benchmark in the order of registration; those of other packages that cannot be imported are left
    out unless they are ``needed``.

    Raises:
        UsageError: one that is needed cannot be imported.
    """
    found, wanted = [], set(needed)
    for name in BENCHMARKS.listed():
        try:
            found.append(make_benchmark(name))
        except UsageError:
            if name in wanted:
                raise
    return found
