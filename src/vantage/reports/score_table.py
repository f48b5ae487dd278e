"""Scores as a table on screen and as JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vantage.benchmarks import Section, all_benchmarks, benchmark_of
from vantage.benchmarks.judging import match_name
from vantage.benchmarks.statistics import COLUMNS, EpisodeScore, Figure, aligned, interval, number
from vantage.errors import UsageError
from vantage.reports.call_sums import CallSum, Key, sums_by_setup, table_of, told_sums
from vantage.reports.view_rules import named_rules, rule_warning, view_rules
from vantage.untrusted_text import visible
from vantage.wording import shown

if TYPE_CHECKING:
    from vantage.reports.judge_agreement import Agreement

SCHEMA = "vantage/scores"
VERSION = 1
_ANSWER_HEADS = tuple(column.title.lower() for column in COLUMNS)
_WAY_HEADS = ("steps", "oracle", "SPL", "path m", "coll.")
_HEAD = ("episode", "asks", "noise", "score", *_ANSWER_HEADS, "verdict", *_WAY_HEADS, "why")
_RIGHT = frozenset({3, 8, 9, 10, 11, 12})
_MOST_ROWS = 60  # episodes of one group of a large benchmark that a terminal shows

_Setup = tuple[str, str, str, str, str, str]


@dataclass(frozen=True)
class Group:
    """Figures over the complete episodes that one agent ran under one control, with one kind of perception and one who
    answers; ``view_rules`` are the versions of the view rule that judged their looks."""

    benchmark: str
    agent: str
    perception: str
    judge: str
    figures: tuple[Figure, ...]
    model: str = ""
    categories: tuple[Figure, ...] = ()
    control: str = ""
    view_rules: tuple[int, ...] = ()


@dataclass(frozen=True)
class ScoreTable:
    """All scores of a folder of bags."""

    scores: tuple[EpisodeScore, ...]
    calls: Mapping[Key, CallSum] = field(default_factory=dict)

    @property
    def complete(self) -> tuple[EpisodeScore, ...]:
        return tuple(score for score in self.scores if score.complete)

    @property
    def incomplete(self) -> tuple[EpisodeScore, ...]:
        return tuple(score for score in self.scores if not score.complete)

    def of_split(self, name: str) -> ScoreTable:
        """The scores of one part of the sets, and what could not be scored.

        Raises:
            UsageError: no complete episode is of it.
        """
        kept = tuple(score for score in self.scores if score.split == name or not score.complete)
        if not any(score.complete for score in kept):
            known = ", ".join(sorted({score.split for score in self.complete} - {""})) or "none"
            raise UsageError(f"--split {shown(name)}: no complete episode is of that part; there are: {known}")
        return ScoreTable(kept, self.calls)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """One for each setup; figures of different ones are never mixed."""
        members: dict[_Setup, list[EpisodeScore]] = {}
        for score in self.complete:
            members.setdefault(setup_of(score), []).append(score)
        return tuple(_group(key, members[key]) for key in sorted(members))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """What benchmarks add to these scores, those with no episode of their own too: pairs are of any benchmark."""
        benchmarks = all_benchmarks({score.benchmark for score in self.complete})
        made = (benchmark.section(self.complete) for benchmark in benchmarks if benchmark.section is not None)
        return tuple(sorted((section for section in made if section is not None), key=lambda section: section.key))

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """How far judges agree, where several marked the same episodes."""
        from vantage.reports.judge_agreement import agreements  # few tables hold marks of several judges

        return agreements(self.complete)

    def text(self) -> str:
        """For a terminal."""
        blocks = []
        for group in self.groups:
            setup = (
                f"benchmark {group.benchmark}, agent {group.agent}, perception {group.perception or 'none'}, "
                f"judge {group.judge}" + (f", model {group.model}" if group.model else "")
            ) + (f", control {group.control}" if group.control else "")
            setup += f", {named_rules(group.view_rules)}" if group.view_rules else ""
            blocks.append(visible(setup))
            rows = [_row(score) for score in self.complete if setup_of(score) == setup_of(group)]
            if not _is_large(group.benchmark) or len(rows) <= _MOST_ROWS:
                blocks.append(aligned([_HEAD, *rows], _RIGHT))
            else:
                blocks.append(f"{len(rows)} episodes: see --json or the report")
            blocks.append(
                aligned([("figure", "value", "95 % interval", "n", "note"), *map(_figure_row, group.figures)], (1, 3))
            )
            if group.categories:
                head = (visible(match_name(group.judge)), "C, 0-100", "95 % interval", "n", "rule")
                blocks.append(aligned([head, *map(_figure_row, group.categories)], (1, 3)))
        blocks += [section.text() for section in self.sections]
        blocks += [visible(agreement.text()) for agreement in self.agreements]
        if self.incomplete:
            names = Counter(score.bag or score.episode_id for score in self.incomplete)
            lines = [visible(f"  {_named(score, names)}: {score.incomplete_reason}") for score in self.incomplete]
            blocks.append(f"not scored, because incomplete ({len(lines)}):\n" + "\n".join(lines))
        if self.model_calls:
            blocks.append(table_of(self.model_calls))
        if self.rule_warning:
            blocks.append(self.rule_warning)
        unverified = sum(score.verified is False for score in self.complete)
        if unverified:
            blocks.append(f"{unverified} of these bags are not verified: they were recorded without checksums")
        dropped = sum(score.messages_dropped for score in self.complete)
        if dropped:
            blocks.append(f"{dropped} messages were dropped before they reached the recorder")
        return "\n\n".join(blocks) if blocks else "no episodes"

    def to_json(self) -> dict[str, Any]:
        """Plain data; NaN becomes null. ``comparisons`` stands there where several setups of a benchmark without tables
        of its own ran the same episodes."""
        tables = {section.key: _plain(section.data) for section in self.sections}
        compared = {section.key: _plain(section.data) for section in self.comparisons}
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
                    "control": group.control,
                    "view_rules": list(group.view_rules),
                    "figures": {figure.key: _plain(asdict(figure)) for figure in group.figures},
                    "categories": {figure.key: _plain(asdict(figure)) for figure in group.categories},
                }
                for group in self.groups
            ],
            "episodes": [_told(score) for score in self.complete],
            "incomplete": [
                {"bag": score.bag, "episode_id": score.episode_id, "reason": score.incomplete_reason}
                for score in self.incomplete
            ],
            "view_rules": {
                "looks": list(view_rules(self.complete)),
                "sets": sorted({score.set_view_rule for score in self.complete if score.view_rule}),
                "warning": self.rule_warning,
            },
            "calls": self.model_calls,
            "agreements": [_plain(asdict(agreement)) for agreement in self.agreements],
            **({"comparisons": compared} if compared else {}),
            **tables,
        }

    @cached_property
    def model_calls(self) -> list[dict[str, Any]]:
        """What models were asked in the recordings of each setup, and what that took."""
        return told_sums(sums_by_setup(self.complete, self.calls))

    @property
    def rule_warning(self) -> str:
        """What does not compare because the view rule changed; empty where all is of one version."""
        return rule_warning(self.complete)

    @cached_property
    def setups(self) -> tuple[Section, ...]:
        """The setups of each benchmark that has no section of its own here beside each other."""
        from vantage.benchmarks import setup_section

        own = {section.key for section in self.sections}
        names = sorted({score.benchmark for score in self.complete} - own)
        made = (setup_section(name, self.complete) for name in names)
        return tuple(section for section in made if section is not None)

    @property
    def comparisons(self) -> tuple[Section, ...]:
        """Of ``setups`` those in which some ran the same episodes."""
        return tuple(section for section in self.setups if section.data["differences"])

    def markdown(self) -> str:
        """All tables for a page of documentation.

        Raises:
            UsageError: no episode is complete.
        """
        sections = (*self.sections, *self.setups)
        if not sections:
            raise UsageError("no episode is complete, so that there is nothing to put into tables")
        blocks = [section.markdown() for section in sections]
        blocks += [visible(agreement.text()) for agreement in self.agreements]
        versions = view_rules(self.complete)
        blocks += [f"Looks are judged by {named_rules(versions)}."] if versions else []
        blocks += [table_of(self.model_calls, markdown=True)] if self.model_calls else []
        blocks += [self.rule_warning] if self.rule_warning else []
        if self.incomplete:
            blocks.append(f"{len(self.incomplete)} incomplete recordings are not scored.")
        return "\n\n".join(blocks)


def _told(score: EpisodeScore) -> dict[str, Any]:
    """A score as plain data; a pseudonym only where a person was the agent."""
    told: dict[str, Any] = _plain(asdict(score))
    if not score.participant:
        del told["participant"]
    return told


def _named(score: EpisodeScore, names: Mapping[str, int]) -> str:
    """A recording by its name, and where several have the same, with the agent and its control."""
    name = score.bag or score.episode_id
    setup = ", ".join(filter(None, (score.agent, score.control)))
    return f"{name} ({setup})" if names[name] > 1 and setup else name


def setup_of(item: EpisodeScore | Group) -> _Setup:
    """By what scores are grouped: benchmark, agent, perception, judge, model and control."""
    return item.benchmark, item.agent, item.perception, item.judge, item.model, item.control


def _group(key: _Setup, members: list[EpisodeScore]) -> Group:
    benchmark = benchmark_of(key[0])
    categories = benchmark.categories
    by_category = categories(members) if categories is not None else ()
    return Group(*key[:4], benchmark.figures(members), key[4], by_category, key[5], view_rules(members))


def _is_large(name: str) -> bool:
    """Whether sets of a benchmark have more episodes than a terminal shows: where there are tables instead."""
    benchmark = benchmark_of(name)
    return benchmark.section is not None or benchmark.categories is not None


def _row(score: EpisodeScore) -> tuple[str, ...]:
    return (
        score.episode_id,
        score.kind,
        "" if score.noise_type == "NONE" else score.noise_type.lower(),
        f"{score.judge_score:g}",
        *(column.told(score) for column in COLUMNS),
        score.verdict.lower() or "-",
        str(score.steps),
        str(score.oracle_steps) if score.has_oracle else "-",
        number(score.spl),
        f"{score.path_length:.2f}",
        str(score.collisions),
        _why(score),
    )


def _why(score: EpisodeScore) -> str:
    """The judge's reason, and why the look that counts failed where that does not name it."""
    if not score.shortfall or score.shortfall in score.judge_reason:
        return score.judge_reason
    return f"{score.judge_reason}; not shown: {score.shortfall}"


def _figure_row(figure: Figure) -> tuple[str, ...]:
    unit = f" ({figure.unit})" if figure.unit else ""
    return f"{figure.title}{unit}", number(figure.value, figure.percent), interval(figure), str(figure.n), figure.note


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
