"""Scores as a table on screen and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from vantage.benchmarks.metrics import EpisodeScore, Figure, aggregate

SCHEMA = "vantage/scores"
VERSION = 1
_HEAD = ("episode", "asks", "noise", "score", "verdict", "steps", "oracle", "SPL", "path m", "coll.", "why")
_RIGHT = frozenset({3, 5, 6, 7, 8, 9})


@dataclass(frozen=True)
class Group:
    """Figures over the complete episodes that one agent ran with one kind of perception."""

    benchmark: str
    agent: str
    perception: str
    judge: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class ScoreTable:
    """All scores of a folder of bags."""

    scores: tuple[EpisodeScore, ...]

    @property
    def complete(self) -> tuple[EpisodeScore, ...]:
        return tuple(score for score in self.scores if score.complete)

    @property
    def incomplete(self) -> tuple[EpisodeScore, ...]:
        return tuple(score for score in self.scores if not score.complete)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """One for each benchmark, agent, perception and judge; figures of different ones are never mixed."""
        keys = sorted({(s.benchmark, s.agent, s.perception, s.judge) for s in self.complete})
        return tuple(
            Group(*key, aggregate([s for s in self.complete if (s.benchmark, s.agent, s.perception, s.judge) == key]))
            for key in keys
        )

    def text(self) -> str:
        """For a terminal."""
        blocks = []
        for group in self.groups:
            blocks.append(
                f"benchmark {group.benchmark}, agent {group.agent}, perception {group.perception or 'none'}, "
                f"judge {group.judge}"
            )
            rows = [_row(score) for score in self.complete if _key(score) == _key(group)]
            blocks.append(_aligned([_HEAD, *rows]))
            blocks.append(
                _aligned([("figure", "value", "95 % interval", "n", "note"), *map(_figure_row, group.figures)], (1, 3))
            )
        if self.incomplete:
            lines = [f"  {score.bag or score.episode_id}: {score.incomplete_reason}" for score in self.incomplete]
            blocks.append(f"not scored, because incomplete ({len(lines)}):\n" + "\n".join(lines))
        dropped = sum(score.messages_dropped for score in self.complete)
        if dropped:
            blocks.append(f"{dropped} messages were dropped before they reached the recorder")
        return "\n\n".join(blocks) if blocks else "no episodes"

    def to_json(self) -> dict[str, Any]:
        """Plain data; NaN becomes null."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "groups": [
                {
                    "benchmark": group.benchmark,
                    "agent": group.agent,
                    "perception": group.perception,
                    "judge": group.judge,
                    "figures": {figure.key: _plain(asdict(figure)) for figure in group.figures},
                }
                for group in self.groups
            ],
            "episodes": [_plain(asdict(score)) for score in self.complete],
            "incomplete": [
                {"bag": score.bag, "episode_id": score.episode_id, "reason": score.incomplete_reason}
                for score in self.incomplete
            ],
        }


def number(value: float, percent: bool = False) -> str:
    """A figure for people: a dash where there is none."""
    if not math.isfinite(value):
        return "-"
    return f"{100 * value:.1f} %" if percent else f"{value:.2f}"


def interval(figure: Figure) -> str:
    """``[12.3, 45.6]`` in the unit of the figure, or a dash."""
    if not (math.isfinite(figure.low) and math.isfinite(figure.high)):
        return "-"
    scale, digits = (100.0, 1) if figure.percent else (1.0, 2)
    return f"[{scale * figure.low:.{digits}f}, {scale * figure.high:.{digits}f}]"


def _key(item: EpisodeScore | Group) -> tuple[str, str, str, str]:
    return item.benchmark, item.agent, item.perception, item.judge


def _row(score: EpisodeScore) -> tuple[str, ...]:
    return (
        score.episode_id,
        score.kind,
        "" if score.noise_type == "NONE" else score.noise_type.lower(),
        f"{score.judge_score:g}",
        score.verdict.lower() or "-",
        str(score.steps),
        str(score.oracle_steps) if score.has_oracle else "-",
        number(score.spl),
        f"{score.path_length:.2f}",
        str(score.collisions),
        score.judge_reason,
    )


def _figure_row(figure: Figure) -> tuple[str, ...]:
    unit = f" ({figure.unit})" if figure.unit else ""
    return f"{figure.title}{unit}", number(figure.value, figure.percent), interval(figure), str(figure.n), figure.note


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int] | frozenset[int] = _RIGHT) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
