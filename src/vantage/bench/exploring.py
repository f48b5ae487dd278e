"""How many steps a second agents take that go through several phases in one place, bags included: one that uses its
hand against ``coverage``, which only looks; memory, and the size of bags."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vantage.bench.memory import resident_mb
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.runs import Job, Worker, prepared, shared_out
from vantage.types import Episode, EpisodeState
from vantage.workers import WorkerPool

REFERENCE = "coverage"
BOUNDS = {"steps_per_second": 20.0, "most_mb": 900.0, "bag_mb": 100.0}
_WARM = 12  # steps of each phase that load and compile everything before time counts
_MB = 1e6


@dataclass(frozen=True)
class _Part:
    """What one process did; ``bag_mb`` is the size of its largest bag."""

    steps: int
    seconds: float
    most_mb: float
    bag_mb: float
    failed: tuple[str, ...]


def bench_explore(
    episodes: Path,
    settings: Settings,
    agents: Sequence[str] = ("curious", REFERENCE),
    workers: int = 2,
    world: str = "house",
    steps: int = 0,
    most: int = 0,
) -> dict[str, Any]:
    """Steps a second of agents on one set, one agent after the other; ``speedup`` is that of the first over the last.

    Each process goes a few steps through each phase of its first episode before time counts.

    Args:
        steps: of each phase at the most; 0 for as many as the set allows.
        most: episodes that are run at the most, the first of the set; 0 for all.

    Raises:
        UsageError: fewer episodes than processes.
    """
    job, episode_set = prepared(Job(episodes, Path(), world, agents[0], settings))
    chosen = [shortened(each, steps) for each in episode_set.episodes[: most or None]]
    if len(chosen) < workers:
        raise UsageError(f"{job.episodes} gives {len(chosen)} episodes; take at least {workers}, one for each worker")
    shares = [chosen[k::workers] for k in range(workers)]
    figures: dict[str, dict[str, Any]] = {}
    for agent in agents:
        running = shared_out(prepared(replace(job, agent=agent))[0], workers)
        with WorkerPool(workers) as pool:
            figures[agent] = _figures(list(pool.map(_run, [running] * workers, shares)))
    first = figures[agents[0]]
    return {
        "size": [settings.camera.width, settings.camera.height],
        "workers": workers,
        "perception": settings.agent.perception,
        "episodes": len(chosen),
        "reference": agents[-1],
        "steps_per_second": first["steps_per_second"],
        "speedup": round(first["steps_per_second"] / max(figures[agents[-1]]["steps_per_second"], 1e-9), 3),
        "bounds": BOUNDS,
        "met": _met(first),
        "agents": figures,
    }


def shortened(episode: Episode, steps: int) -> Episode:
    """An episode with no more than so many steps in each phase; 0 for the episode as it is."""
    if not steps:
        return episode
    if not episode.phases:
        return replace(episode, max_steps=min(episode.max_steps, steps))
    phases = tuple(replace(phase, max_steps=min(phase.max_steps, steps)) for phase in episode.phases)
    return Episode.of_phases(episode.episode_id, episode.benchmark, episode.scene, episode.start, phases, episode.seed)


def _figures(parts: Sequence[_Part]) -> dict[str, Any]:
    steps, seconds = sum(part.steps for part in parts), max(part.seconds for part in parts)
    return {
        "steps": steps,
        "seconds": round(seconds, 3),
        "steps_per_second": round(steps / seconds, 1),
        "most_mb": round(max(part.most_mb for part in parts), 1),
        "bag_mb": round(max(part.bag_mb for part in parts), 1),
        "failed": [reason for part in parts for reason in part.failed],
    }


def _met(figures: dict[str, Any]) -> bool:
    fast = bool(figures["steps_per_second"] >= BOUNDS["steps_per_second"]) and not figures["failed"]
    return fast and all(figures[name] <= BOUNDS[name] for name in ("most_mb", "bag_mb"))


def _run(job: Job, episodes: Sequence[Episode]) -> _Part:
    """Run and record some episodes in one process."""
    with (
        tempfile.TemporaryDirectory(prefix="vantage-bench-") as warm,
        tempfile.TemporaryDirectory(prefix="vantage-bench-") as out,
        closing(Worker(replace(job, out=Path(warm)))) as worker,
    ):
        worker.run(shortened(episodes[0], _WARM))
        worker.record_to(Path(out))
        steps, seconds, most, largest = 0, 0.0, 0.0, 0.0
        failed: list[str] = []
        for episode in episodes:
            begin = time.perf_counter()
            outcome = worker.run(episode)
            seconds += time.perf_counter() - begin
            steps += outcome.steps
            if outcome.state != EpisodeState.FINISHED:
                failed.append(f"{episode.episode_id}: {outcome.reason}")
            most = max(most, resident_mb())
            bag = Path(out) / episode.episode_id
            largest = max(largest, sum(file.stat().st_size for file in bag.rglob("*") if file.is_file()) / _MB)
        return _Part(steps, seconds, most, largest, tuple(failed))
