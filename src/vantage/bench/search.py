"""How many steps a second agents search in several processes, bags included: ``search`` against a random walk and
against the bare world, which takes the same steps without agent, gold data and bags."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vantage.bench.memory import growth, resident_mb
from vantage.config import Settings
from vantage.errors import MissingExtraError, SceneError, UsageError
from vantage.perception.perceivers import OcrReader
from vantage.planning import make_actions
from vantage.recording import read_recording
from vantage.registry import WORLDS
from vantage.runs import Job, Worker, prepared, shared_out
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Command, Episode
from vantage.workers import WorkerPool
from vantage.worlds import World

REFERENCE, BARE = "random", "world"
BOUNDS = {REFERENCE: 0.75, BARE: 0.4, "most_mb": 1024.0, "growth": 0.05}
_APART = 1e-6  # m or rad: poses that differ by less are the same

_Way = tuple[tuple[str, Viewpoint], ...]  # of each step the action and the pose that it led to


@dataclass(frozen=True)
class _Part:
    """What one process did: its steps and the seconds that they took, and its memory in MB after each episode."""

    steps: int
    seconds: float
    resident: tuple[float, ...] = ()
    ways: tuple[_Way, ...] = ()


def bench_search(
    episodes: Path,
    settings: Settings,
    agents: Sequence[str] = ("search", REFERENCE),
    workers: int = 2,
    world: str = "splat",
) -> dict[str, Any]:
    """Steps a second of agents on one set in any registered world, one after the other, and then of the bare world on
    the ways of the first agent; ``speedup`` is the first agent's speed over that of the last and of the bare world.

    Each process runs its first episode twice and counts the second time, so that loading and compiling are left out;
    what reads print is loaded before, for not every first episode asks for print.

    Raises:
        UsageError: fewer episodes than processes.
        SceneError: the bare world does not come along the same poses.
    """
    job, episode_set = prepared(Job(episodes, Path(), world, agents[0], settings))
    if len(episode_set.episodes) < workers:
        raise UsageError(
            f"{job.episodes} holds {len(episode_set.episodes)} episodes; give at least {workers}, one for each worker"
        )
    shares = [episode_set.episodes[k::workers] for k in range(workers)]
    parts: dict[str, list[_Part]] = {}
    for agent in agents:
        running = shared_out(prepared(replace(job, agent=agent))[0], workers)
        with WorkerPool(workers) as pool:
            parts[agent] = list(pool.map(_run, [running] * workers, shares))
    with WorkerPool(workers) as pool:
        ways = [part.ways for part in parts[agents[0]]]
        parts[BARE] = list(pool.map(_replay, [shared_out(job, workers)] * workers, shares, ways))
    figures = {name: _figures(found) for name, found in parts.items()}
    fastest = figures[agents[0]]["steps_per_second"]
    speedup = {name: round(fastest / figures[name]["steps_per_second"], 3) for name in (agents[-1], BARE)}
    memory = {
        "most_mb": round(max(max(part.resident) for part in parts[agents[0]]), 1),
        "growth": round(max(growth(part.resident) for part in parts[agents[0]]), 4),
        "episodes": len(episode_set.episodes),
    }
    camera = settings.camera
    return {
        "size": [camera.width, camera.height],
        "workers": workers,
        "perception": settings.agent.perception,
        "reference": agents[-1],
        "steps_per_second": fastest,
        "speedup": speedup,
        "memory": memory,
        "bounds": BOUNDS,
        "met": all(speedup[name] >= BOUNDS.get(name, 0.0) for name in speedup)
        and all(memory[name] <= BOUNDS[name] for name in ("most_mb", "growth")),
        "agents": {agent: figures[agent] for agent in agents},
        BARE: figures[BARE],
    }


def _figures(parts: Sequence[_Part]) -> dict[str, float]:
    steps, seconds = sum(part.steps for part in parts), max(part.seconds for part in parts)
    return {"steps": float(steps), "seconds": round(seconds, 3), "steps_per_second": round(steps / seconds, 1)}


def _run(job: Job, episodes: Sequence[Episode]) -> _Part:
    """Run and record some episodes."""
    with (
        tempfile.TemporaryDirectory(prefix="vantage-bench-") as warm,
        tempfile.TemporaryDirectory(prefix="vantage-bench-") as out,
        closing(Worker(replace(job, out=Path(warm)))) as worker,
    ):
        with suppress(MissingExtraError):
            OcrReader()
        worker.run(episodes[0])
        worker.record_to(Path(out))
        steps, seconds, resident = 0, 0.0, []
        for episode in episodes:
            begin = time.perf_counter()
            steps += worker.run(episode).steps
            seconds += time.perf_counter() - begin
            resident.append(resident_mb())
        return _Part(steps, seconds, tuple(resident), tuple(_ways(Path(out), episodes)))


def _ways(out: Path, episodes: Sequence[Episode]) -> Iterator[_Way]:
    """What the bags say of the steps of each episode."""
    for episode in episodes:
        motions = read_recording(out / episode.episode_id).motions
        yield tuple((motion.action, motion.reached) for motion in motions)


def _replay(job: Job, episodes: Sequence[Episode], ways: Sequence[_Way]) -> _Part:
    """Take the steps of some episodes in a world alone."""
    world: World = WORLDS.create(job.world, job.settings)
    with closing(world):
        _walk(world, job.settings, episodes[0], ways[0])
        begin = time.perf_counter()
        for episode, way in zip(episodes, ways, strict=True):
            _walk(world, job.settings, episode, way)
        return _Part(sum(map(len, ways)), time.perf_counter() - begin)


def _walk(world: World, settings: Settings, episode: Episode, way: _Way) -> None:
    """
    Raises:
        SceneError: a step leads elsewhere.
    """
    actions = make_actions(settings.actions)
    here = world.reset(episode.in_phase(0), 0).viewpoint
    for number, (action, led_to) in enumerate(way, start=1):
        command = Command(actions.apply(action, here), action, None, episode.episode_id, "bench", number)
        here = world.step(command).reached
        turned = max(abs(wrap_angle(here.yaw - led_to.yaw)), abs(here.pitch - led_to.pitch))
        if max(here.distance(led_to), turned) > _APART:
            raise SceneError(f"step {number} ('{action}') of '{episode.episode_id}' leads elsewhere without the agent")
