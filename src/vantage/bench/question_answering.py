"""What an answer from memory costs: over so many remembered views, as views come in and while nothing changes."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.answering import Answering, make_answering
from vantage.bench.observe import walk
from vantage.bench.stopwatch import Times, measure
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.questions import USUAL_KINDS, QuestionKind
from vantage.questions.generation import Facts, clean_question
from vantage.questions.noise import noisy_question
from vantage.registry import PERCEIVERS
from vantage.scenes.graph import SceneGraph
from vantage.splats import load_scene
from vantage.types import Answer, NoiseType, Observation, Question

BOUND_MS = 50.0  # of the 95th percentile of the service call
_SEED = 1
_WARM_UP = 3  # questions that do not count
_NOISE = (NoiseType.LATENT, NoiseType.COLOR, NoiseType.MATERIAL, NoiseType.COUNT, NoiseType.POSITION)
_WITHOUT_PRINT = [kind for kind in USUAL_KINDS if kind is not QuestionKind.TEXT]  # reading is measured by its own bench


def bench_views(folder: Path, settings: Settings, views: int) -> tuple[list[Observation], list[str]]:
    """Views of a walk through a scene and different questions about it, those with false premises included.

    Raises:
        SceneError: the scene has no graph, or no place to look from.
    """
    scene = load_scene(folder)
    if scene.graph is None:
        raise SceneError(f"scene '{scene.name}' has no graph to ask about; name a generated one")
    return walk(scene, settings, views), questions_about(scene.graph, settings)


def questions_about(graph: SceneGraph, settings: Settings, rounds: int = 8) -> list[str]:
    """Different questions: of every kind and with every false premise, so many rounds, as far as the scene gives."""
    facts, rng = Facts(graph, settings.relations), np.random.default_rng(_SEED)
    found: dict[str, None] = {}
    for _ in range(rounds):
        for kind in _WITHOUT_PRINT:
            clean = clean_question(facts, kind, rng)
            found.update({clean.text: None} if clean is not None else {})
        for noise in _NOISE:
            noisy = noisy_question(facts, noise, rng)
            found.update({noisy.text: None} if noisy is not None else {})
    return list(found)


def make_engine(settings: Settings) -> Answering:
    """Question answering as the QA node makes it."""
    agent = settings.agent
    perceiver = PERCEIVERS.create(agent.perception, min_pixels=agent.min_pixels, settings=settings)
    return make_answering(settings, perceiver, voxel=settings.world.voxel)


def bench_engine(settings: Settings, views: list[Observation], texts: list[str], repetitions: int) -> dict[str, Any]:
    """Times in process of ``ask`` right after a new view, while nothing changes and without a memory, and the verdicts.

    ``live_cpu`` is what the first costs of one core, whatever else the machine does.
    """
    engine = make_engine(settings)
    for view in views:
        engine.observe(view)
    coming, asked = restamped(views), itertools.cycle(texts)

    def look() -> object:
        return engine.observe(next(coming))

    def ask() -> Answer:
        return engine.ask(Question("q", next(asked)))

    live = measure_live("ask in process, after a new view", look, ask, repetitions)
    cpu = measure_live("ask in process, after a new view, CPU", look, ask, repetitions, time.thread_time)
    still = measure("ask in process, nothing new", ask, repetitions)
    verdicts = Counter(ask().verdict.name for _ in texts)
    engine = make_engine(settings)
    without = measure("ask in process, nothing seen", ask, repetitions)
    return {
        "live": live.data(without),
        "live_cpu": cpu.data(),
        "still": still.data(without),
        "without": without.data(),
        "verdicts": dict(verdicts),
    }


def measure_live(
    name: str,
    before: Callable[[], object],
    job: Callable[[], object],
    repetitions: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Times:
    """Time a job, each time after something else that is not timed; ``clock`` tells s."""
    found: list[float] = []
    for number in range(repetitions + _WARM_UP):
        before()
        begun = clock()
        job()
        if number >= _WARM_UP:
            found.append(1e3 * (clock() - begun))
    return Times(name, tuple(found))


def restamped(views: Iterable[Observation]) -> Iterator[Observation]:
    """The same views over and over, with stamps that go on."""
    seen = list(views)
    stamp = max(view.stamp for view in seen)
    for number, view in enumerate(itertools.cycle(seen), start=1):
        yield replace(view, stamp=stamp + number * 200_000_000)
