"""How many steps a second agents search in several processes, bags included: ``search`` against a random walk."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from vantage.config import Settings
from vantage.errors import MissingExtraError, UsageError
from vantage.perception.perceivers import OcrReader
from vantage.runs import Job, Worker, prepared, shared_out
from vantage.types import Episode
from vantage.workers import WorkerPool

REFERENCE = "random"


def bench_search(
    episodes: Path,
    settings: Settings,
    agents: Sequence[str] = ("search", REFERENCE),
    workers: int = 2,
    world: str = "splat",
) -> dict[str, Any]:
    """Steps a second of agents on one set in any registered world, one after the other; the last is the reference.

    Each process runs its first episode twice and counts the second time, so that loading and compiling are left out;
    what reads print is loaded before, for not every first episode asks for print.

    Raises:
        UsageError: fewer episodes than processes.
    """
    figures = {agent: _measure(Job(episodes, Path(), world, agent, settings), workers) for agent in agents}
    camera = settings.camera
    return {
        "size": [camera.width, camera.height],
        "workers": workers,
        "perception": settings.agent.perception,
        "reference": REFERENCE,
        "steps_per_second": figures[agents[0]]["steps_per_second"],
        "agents": figures,
    }


def _measure(job: Job, workers: int) -> dict[str, float]:
    job, episode_set = prepared(job)
    job = shared_out(job, workers)
    if len(episode_set.episodes) < workers:
        raise UsageError(
            f"{job.episodes} holds {len(episode_set.episodes)} episodes; give at least {workers}, one for each worker"
        )
    parts = [episode_set.episodes[k::workers] for k in range(workers)]
    with WorkerPool(workers) as pool:
        counted = [future.result() for future in [pool.submit(_run, job, part) for part in parts]]
    steps, seconds = sum(count for count, _ in counted), max(spent for _, spent in counted)
    return {"steps": float(steps), "seconds": round(seconds, 3), "steps_per_second": round(steps / seconds, 1)}


def _run(job: Job, episodes: Sequence[Episode]) -> tuple[int, float]:
    """Steps of some episodes, and the seconds that they took."""
    with (
        tempfile.TemporaryDirectory(prefix="vantage-bench-") as warm,
        tempfile.TemporaryDirectory(prefix="vantage-bench-") as out,
        closing(Worker(replace(job, out=Path(warm)))) as worker,
    ):
        with suppress(MissingExtraError):
            OcrReader()
        worker.run(episodes[0])
        worker.record_to(Path(out))
        begin = time.perf_counter()
        steps = sum(worker.run(episode).steps for episode in episodes)
        return steps, time.perf_counter() - begin
