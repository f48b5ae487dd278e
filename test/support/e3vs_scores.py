"""Scores of episodes of benchmark e3vs that no bag was recorded for."""

from __future__ import annotations

from dataclasses import replace

from vantage.benchmarks.statistics.metrics import EpisodeScore


def score(number: int, agent: str, mark: float, **fields) -> EpisodeScore:
    """Of episode ``number``, in one of three homes, an object search where it is odd and a count where it is even."""
    return replace(
        EpisodeScore(
            f"e{number}",
            "e3vs",
            agent,
            "degraded",
            "rules",
            complete=True,
            judge_score=mark,
            success=mark == 5,
            steps=10,
            spl=0.5 if mark == 5 else 0.0,
            scene=f"home_{number % 3}",
            category="OS" if number % 2 else "CNT",
            question=f"question {number}",
        ),
        **fields,
    )
