"""Scores as a table on screen and as JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from vantage.benchmarks.imported.llm_match import BENCHMARKS as LLM_MATCHED
from vantage.benchmarks.imported.llm_match import llm_match
from vantage.benchmarks.noisyeqa.noisyeqa_scores import BENCHMARK, NoisyEqaScores, noisyeqa_scores
from vantage.benchmarks.statistics.metrics import EpisodeScore, Figure, aggregate
from vantage.errors import UsageError
from vantage.reports.figure_text import aligned, interval, number
from vantage.reports.noisyeqa_tables import tables_json, tables_markdown, tables_text
from vantage.visible import visible

SCHEMA = "vantage/scores"
VERSION = 1
_HEAD = ("episode", "asks", "noise", "score", "verdict", "steps", "oracle", "SPL", "path m", "coll.", "why")
_RIGHT = frozenset({3, 5, 6, 7, 8, 9})
_MOST_ROWS = 60  # episodes of one group of a large benchmark that a terminal shows
_LARGE = (BENCHMARK, *LLM_MATCHED)

_Key = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Group:
    """Figures over the complete episodes that one agent ran with one kind of perception and one who answers."""

    benchmark: str
    agent: str
    perception: str
    judge: str
    figures: tuple[Figure, ...]
    model: str = ""
    categories: tuple[Figure, ...] = ()


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
        """One for each benchmark, agent, perception, judge and model; figures of different ones are never mixed."""
        members: dict[_Key, list[EpisodeScore]] = {}
        for score in self.complete:
            members.setdefault(_key(score), []).append(score)
        return tuple(
            Group(
                *key[:4],
                aggregate(members[key]),
                key[4],
                llm_match(members[key]) if key[0] in LLM_MATCHED else (),
            )
            for key in sorted(members)
        )

    @cached_property
    def noisyeqa(self) -> NoisyEqaScores:
        """Figures by type of noise and beside the clean twins; without setups where no episode is of NoisyEQA."""
        return noisyeqa_scores(self.complete)

    def text(self) -> str:
        """For a terminal."""
        blocks = []
        for group in self.groups:
            setup = (
                f"benchmark {group.benchmark}, agent {group.agent}, perception {group.perception or 'none'}, "
                f"judge {group.judge}" + (f", model {group.model}" if group.model else "")
            )
            blocks.append(visible(setup))
            rows = [_row(score) for score in self.complete if _key(score) == _key(group)]
            if group.benchmark not in _LARGE or len(rows) <= _MOST_ROWS:
                blocks.append(aligned([_HEAD, *rows], _RIGHT))
            else:
                blocks.append(f"{len(rows)} episodes: see --json or the report")
            blocks.append(
                aligned([("figure", "value", "95 % interval", "n", "note"), *map(_figure_row, group.figures)], (1, 3))
            )
            if group.categories:
                head = ("LLM-Match", "C, 0-100", "95 % interval", "n", "rule")
                blocks.append(aligned([head, *map(_figure_row, group.categories)], (1, 3)))
        if self.noisyeqa.setups:
            blocks.append(tables_text(self.noisyeqa))
        if self.incomplete:
            lines = [
                visible(f"  {score.bag or score.episode_id}: {score.incomplete_reason}") for score in self.incomplete
            ]
            blocks.append(f"not scored, because incomplete ({len(lines)}):\n" + "\n".join(lines))
        unverified = sum(score.verified is False for score in self.complete)
        if unverified:
            blocks.append(f"{unverified} of these bags are not verified: they were recorded without checksums")
        dropped = sum(score.messages_dropped for score in self.complete)
        if dropped:
            blocks.append(f"{dropped} messages were dropped before they reached the recorder")
        return "\n\n".join(blocks) if blocks else "no episodes"

    def to_json(self) -> dict[str, Any]:
        """Plain data; NaN becomes null."""
        tables = {"noisyeqa": _plain(tables_json(self.noisyeqa))} if self.noisyeqa.setups else {}
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "groups": [
                {
                    "benchmark": group.benchmark,
                    "agent": group.agent,
                    "perception": group.perception,
                    "judge": group.judge,
                    "model": group.model,
                    "figures": {figure.key: _plain(asdict(figure)) for figure in group.figures},
                    "categories": {figure.key: _plain(asdict(figure)) for figure in group.categories},
                }
                for group in self.groups
            ],
            "episodes": [_plain(asdict(score)) for score in self.complete],
            "incomplete": [
                {"bag": score.bag, "episode_id": score.episode_id, "reason": score.incomplete_reason}
                for score in self.incomplete
            ],
            **tables,
        }

    def markdown(self) -> str:
        """NoisyEQA's tables for a page of documentation.

        Raises:
            UsageError: no episode is of that benchmark.
        """
        if not self.noisyeqa.setups:
            raise UsageError("no complete episode is of the benchmark noisyeqa; only its tables come as Markdown")
        left = len(self.incomplete)
        note = f"\n\n{left} incomplete recordings are not scored." if left else ""
        return tables_markdown(self.noisyeqa) + note


def _key(item: EpisodeScore | Group) -> _Key:
    return item.benchmark, item.agent, item.perception, item.judge, item.model


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


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
