"""How many steps a second training environments take in several processes, against the bare world: the same commands in
a world that draws pictures of the same size, without rewards and observations."""

from __future__ import annotations

import itertools
import math
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.bench.memory import resident_mb
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.planning import ActionSpace, make_actions
from vantage.registry import WORLDS
from vantage.runs import Job, prepared, shared_out
from vantage.spatial import Viewpoint
from vantage.types import Command, Done, Episode
from vantage.workers import WorkerPool
from vantage.worlds import World

REFERENCE = "world"
BOUNDS = {"steps_per_second": 150.0}
_SPELL = 50  # steps between two resets
_NUMBER = re.compile(r"_[\d.]+$")  # as of a force


@dataclass(frozen=True)
class _Part:
    """What one process did. ``seconds``, and ``busy`` ones of the processor, are those of all steps, of the environment
    and of the bare world; ``reset_seconds`` are those of one reset."""

    steps: int
    seconds: float
    busy: float
    bare_seconds: float
    bare_busy: float
    reset_seconds: float
    memory_mb: float


def bench_training(
    episodes: Path, settings: Settings, size: int = 84, workers: int = 2, steps: int = 400, world: str = "house"
) -> dict[str, Any]:
    """Steps a second of ``EpisodeEnv`` (``vantage.learning``), all processes together; ``speedup`` is over the bare
    world. Actions are drawn by lot; those whose names differ by a number alone, as forces do, count as one.

    Resets load homes and are not part of the steps: ``reset_s`` says what they take. ``cpu_ms`` is the time of the
    processor that a step takes, which a busy machine changes little.

    Args:
        size: edge of the pictures, pixels.
        steps: of each process.

    Raises:
        UsageError: fewer episodes with steps than processes.
    """
    job, found = prepared(Job(episodes, Path(), world, "random", settings))
    starts = [start for each in found.episodes if (start := _first_phase(each)) is not None]
    if len(starts) < workers:
        raise UsageError(
            f"{episodes} gives {len(starts)} episodes with steps; take at least {workers}, one for each worker"
        )
    shared = shared_out(job, workers).settings
    with WorkerPool(workers) as pool:
        given = [(k, workers, size, steps) for k in range(workers)]
        parts = list(pool.map(_run, [episodes] * workers, [world] * workers, [shared] * workers, given))
    done, seconds = sum(part.steps for part in parts), max(part.seconds for part in parts)
    rate, bare = done / seconds, done / max(part.bare_seconds for part in parts)
    return {
        "size": [size, size],
        "workers": workers,
        "reference": REFERENCE,
        "steps": done,
        "seconds": round(seconds, 3),
        "steps_per_second": round(rate, 1),
        "cpu_ms": round(1e3 * sum(part.busy for part in parts) / done, 3),
        REFERENCE: {
            "steps_per_second": round(bare, 1),
            "cpu_ms": round(1e3 * sum(part.bare_busy for part in parts) / done, 3),
        },
        "speedup": round(rate / bare, 3),
        "reset_s": round(sum(part.reset_seconds for part in parts) / workers, 3),
        "memory_mb": round(max(part.memory_mb for part in parts), 1),
        "bounds": BOUNDS,
        "met": bool(rate >= BOUNDS["steps_per_second"]),
    }


def _first_phase(episode: Episode) -> Episode | None:
    """The episode in its first phase that has steps."""
    phases = (episode.in_phase(number) for number in range(episode.phase_count))
    return next((each for each in phases if each.max_steps > 0), None)


def _run(folder: Path, name: str, settings: Settings, given: tuple[int, int, int, int]) -> _Part:
    """Steps of the environment, and then the same ones of the bare world, in one process.

    Args:
        given: number of the process, how many there are, size of the pictures, steps.
    """
    from vantage.learning import EpisodeEnv, small_pictures  # needs Gymnasium

    number, workers, size, steps = given
    job, found = prepared(Job(folder, Path(), name, "random", settings))
    made = job.settings.with_values(found.info.settings, str(found.folder))
    actions = make_actions(made.actions)
    starts = [start for each in found.episodes if (start := _first_phase(each)) is not None]
    lots, groups = np.random.default_rng(number), _groups(actions, starts[0].start)
    spells = []
    for which in itertools.islice(itertools.cycle(range(number, len(starts), workers)), 1 + math.ceil(steps / _SPELL)):
        drawn = [str(lots.choice(groups[int(lots.integers(len(groups)))])) for _ in range(_SPELL)]
        spells.append((which, drawn[: starts[which].max_steps]))
    times = _Times()
    with closing(EpisodeEnv(folder, name, size, settings)) as env:
        for which, drawn in spells:
            with times.of("reset"):
                env.reset(seed=starts[which].seed, options={"episode": which})
            numbers = [env.action_names.index(action) for action in drawn]
            with times.of("steps"):
                for action in numbers:
                    env.step(action)
        memory = resident_mb()
    bare: World = WORLDS.create(name, small_pictures(made, size))
    with closing(bare):
        for which, drawn in spells:
            here = bare.reset(starts[which], starts[which].seed).viewpoint
            with times.of("bare"):
                _walk(bare, actions, starts[which], here, drawn)
    return _Part(
        sum(len(drawn) for _, drawn in spells[1:]),
        times.seconds("steps"),
        times.busy("steps"),
        times.seconds("bare"),
        times.busy("bare"),
        times.seconds("reset") / len(spells[1:]),
        memory,
    )


def _groups(actions: ActionSpace, here: Viewpoint) -> list[list[str]]:
    """Names of actions but for those that end a phase; those that differ by a number alone are together."""
    found: dict[str, list[str]] = {}
    for name in actions.names:
        if not isinstance(actions.decision(name, here), Done):
            found.setdefault(_NUMBER.sub("", name), []).append(name)
    return list(found.values())


def _walk(world: World, actions: ActionSpace, episode: Episode, here: Viewpoint, drawn: Sequence[str]) -> None:
    for number, action in enumerate(drawn, start=1):
        decision = actions.decision(action, here)
        assert isinstance(decision, Command)
        command = replace(decision, episode_id=episode.episode_id, source="bench", sequence=number)
        here = world.step(command).observation.viewpoint


class _Times:
    """What is done again and again, by name; the first time loads and compiles, and does not count."""

    def __init__(self) -> None:
        self._spent: dict[str, list[tuple[float, float]]] = defaultdict(list)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        begin, busy = time.perf_counter(), time.process_time()
        yield
        self._spent[name].append((time.perf_counter() - begin, time.process_time() - busy))

    def seconds(self, name: str) -> float:
        return sum(seconds for seconds, _ in self._spent[name][1:])

    def busy(self, name: str) -> float:
        """s of the processor."""
        return sum(busy for _, busy in self._spent[name][1:])
