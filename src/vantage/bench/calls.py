"""How many calls an episode costs a model that sees: about news alone, and about every view as in NoisyEQA."""

from __future__ import annotations

import random
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from vantage.bench.knowing_server import KnowingServer, KnownEpisode
from vantage.benchmarks import benchmark_of
from vantage.benchmarks.judging import Case, RuleJudge
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.registry import WORLDS
from vantage.runs import EpisodeRunner, Job, make_agent, prepared
from vantage.types import Answer, Episode, TruthQuestion

REFERENCE, NEWS = "every", "news"
BOUNDS = {"median": 8.0, "p95": 16.0, "lost": 1}
_MODEL = "openai:knowing"
_LOT = 1  # by which episodes are drawn


@dataclass(frozen=True)
class _Played:
    episode_id: str
    calls: int
    seconds: float
    steps: int
    right: bool
    answer: str


def bench_calls(
    episodes: Path, settings: Settings, number: int = 24, latency: float = 1.0, error: float = 0.1, seed: int = 1
) -> dict[str, Any]:
    """Play episodes against a server that knows what looks show, asked about news and asked about every view.

    Raises:
        UsageError: the set has fewer episodes.
    """
    played: dict[str, list[_Played]] = {}
    with KnowingServer(latency, error, seed) as server:
        for asked in (NEWS, REFERENCE):
            given = {"agent.model": _MODEL, "agent.views_asked": asked, "model.url": server.url, "model.cache": ""}
            played[asked] = _play(episodes, settings.with_values(given, "bench"), number, server)
    figures = {asked: _figures(each) for asked, each in played.items()}
    right = {each.episode_id: each.right for each in played[REFERENCE]}
    lost = [
        {"episode_id": each.episode_id, "answer": each.answer}
        for each in played[NEWS]
        if right[each.episode_id] > each.right
    ]
    won = sum(each.right > right[each.episode_id] for each in played[NEWS])
    return {
        "episodes": len(right),
        "latency_s": latency,
        "error": error,
        "reference": REFERENCE,
        "setups": figures,
        "lost": lost,
        "won": won,
        "bounds": BOUNDS,
        "met": figures[NEWS]["median"] <= BOUNDS["median"]
        and figures[NEWS]["p95"] <= BOUNDS["p95"]
        and len(lost) <= BOUNDS["lost"],
    }


def _play(folder: Path, settings: Settings, number: int, server: KnowingServer) -> list[_Played]:
    job, episode_set = prepared(Job(folder, Path(), "splat", "search", settings))
    benchmark = benchmark_of(episode_set.episodes[0].benchmark)
    truths = benchmark.truths(episode_set)
    held = len(episode_set.episodes)
    if held < number:
        raise UsageError(f"{folder} holds {held} episodes, fewer than {number}; give fewer by --sample")
    chosen = [episode_set.episodes[at] for at in sorted(random.Random(_LOT).sample(range(held), number))]
    played = []
    with closing(WORLDS.create(job.world, job.settings)) as world:
        server.episode = None
        agent = make_agent(job.agent, job.settings, job.episodes)
        for episode in chosen:
            (truth,) = truths[episode.episode_id].questions
            known = server.episode = KnownEpisode(truth)
            server.calls, begun = 0, time.perf_counter()
            outcome = EpisodeRunner(world, agent, [known]).run(episode, job.seed)
            played.append(
                _judged(episode, truth, outcome.answers, outcome.steps, server.calls, time.perf_counter() - begun)
            )
    return played


def _judged(
    episode: Episode, truth: TruthQuestion, answers: list[Answer], steps: int, calls: int, seconds: float
) -> _Played:
    answer = answers[-1] if answers else None
    mark = RuleJudge().judge(Case(truth, answer, 1.0, question=episode.questions[0].text))
    return _Played(episode.episode_id, calls, seconds, steps, bool(mark.right), answer.text if answer else "")


def _figures(played: list[_Played]) -> dict[str, float]:
    calls = [each.calls for each in played]
    return {
        "median": float(median(calls)),
        "p95": float(quantiles(calls, n=20, method="inclusive")[-1]) if len(calls) > 1 else float(calls[0]),
        "mean": round(mean(calls), 2),
        "seconds": round(mean(each.seconds for each in played), 2),
        "steps": round(mean(each.steps for each in played), 1),
        "right": sum(each.right for each in played),
    }
