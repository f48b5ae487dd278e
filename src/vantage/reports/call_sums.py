"""What models were asked in runs, and what that took: sums of the files of calls beside recordings, for each setup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from vantage.benchmarks.statistics import EpisodeScore, aligned
from vantage.recording import read_calls

Key = tuple[str, ...]
_MOST = 10**12  # of what a call can have taken


@dataclass(frozen=True)
class CallSum:
    """Of one episode, or of several.

    Attributes:
        calls: that were sent; those that failed count, replies from the cache do not.
        cached: replies that were kept from before.
        pictures: sent with them.
        tokens_in, tokens_out: None where a call was not counted.
        seconds: that they took together.
        retries: further trials.
        errors: calls without a reply.
    """

    calls: int = 0
    cached: int = 0
    pictures: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    seconds: float = 0.0
    cost: float = 0.0
    retries: int = 0
    errors: int = 0


def sum_of(calls: Iterable[Mapping[str, Any]]) -> CallSum:
    """Of the records of one episode; what a record lacks, or has of another kind, counts as nothing."""
    return total([_sum_of_one(call) for call in calls])


def _sum_of_one(call: Mapping[str, Any]) -> CallSum:
    if call.get("cached"):
        return CallSum(cached=1)
    failed, pictures = bool(call.get("error")), call.get("pictures")
    return CallSum(
        calls=1,
        pictures=len(pictures) if isinstance(pictures, list) else 0,
        tokens_in=0 if failed else _count(call.get("tokens_in")),
        tokens_out=0 if failed else _count(call.get("tokens_out")),
        seconds=_amount(call.get("seconds")),
        cost=_amount(call.get("cost")),
        retries=_count(call.get("retries")) or 0,
        errors=int(failed),
    )


def total(sums: Sequence[CallSum]) -> CallSum:
    """All of them together."""
    known_in, known_out = [each.tokens_in for each in sums], [each.tokens_out for each in sums]
    return CallSum(
        sum(each.calls for each in sums),
        sum(each.cached for each in sums),
        sum(each.pictures for each in sums),
        None if None in known_in else sum(filter(None, known_in)),
        None if None in known_out else sum(filter(None, known_out)),
        round(sum(each.seconds for each in sums), 3),
        sum(each.cost for each in sums),
        sum(each.retries for each in sums),
        sum(each.errors for each in sums),
    )


def key_of(score: EpisodeScore) -> Key:
    """What tells a recording from others, whoever judged it: its setup and its name."""
    return score.benchmark, score.agent, score.perception, score.model, score.control, score.bag


def sums_by_setup(scores: Iterable[EpisodeScore], calls: Mapping[Key, CallSum]) -> dict[str, list[CallSum]]:
    """Of the recordings in which models were asked, each counted once."""
    found: dict[str, dict[Key, CallSum]] = {}
    for key in map(key_of, scores):
        if key in calls:
            found.setdefault(", ".join(filter(None, key[:-1])), {})[key] = calls[key]
    return {setup: list(sums.values()) for setup, sums in found.items()}


def told_sums(sums: Mapping[str, Sequence[CallSum]]) -> list[dict[str, Any]]:
    """As JSON values: by setup, the whole and the calls of an episode."""
    told = []
    for setup, episodes in sums.items():
        calls = [each.calls for each in episodes]
        p95 = quantiles(calls, n=20, method="inclusive")[-1] if len(calls) > 1 else calls[0]
        each = {"median": float(median(calls)), "p95": float(p95), "most": max(calls)}
        told.append({"setup": setup, "episodes": len(calls), "calls_an_episode": each, **asdict(total(episodes))})
    return told


def estimate(bags: Sequence[Path], whole: int, seconds: float) -> Iterator[str]:
    """A sentence on what models will be asked in a whole run, and what that takes; none where none was asked.

    Args:
        bags: of the first episodes.
        whole: episodes of the run.
        seconds: that the first ones took.

    Raises:
        FormatError: a file of calls is damaged.
    """
    spent = total([sum_of(read_calls(bag)) for bag in bags])
    if not spent.calls:
        return
    times = whole / len(bags)
    counted = spent.tokens_in is not None and spent.tokens_out is not None
    tokens = f"{times * ((spent.tokens_in or 0) + (spent.tokens_out or 0)):,.0f} tokens, " if counted else ""
    money = f" and {times * spent.cost:.2f} of money" if spent.cost else ""
    yield (
        f"by the first {len(bags)} of {whole} episodes, all take about {times * spent.calls:,.0f} calls, {tokens}"
        f"{times * seconds / 3600.0:.1f} hours{money}; model.max_calls and the like bound that"
    )


def table_of(told: Sequence[Mapping[str, Any]], markdown: bool = False) -> str:
    """Of ``told_sums``; empty where no model was asked."""
    if not told:
        return ""
    heads = (
        *("calls to models", "episodes", "calls", "median", "95 %", "cached"),
        *("pictures", "tokens in", "tokens out", "s", "money"),
    )
    rows = [
        (
            each["setup"],
            str(each["episodes"]),
            str(each["calls"]),
            f"{each['calls_an_episode']['median']:g}",
            f"{each['calls_an_episode']['p95']:.1f}",
            str(each["cached"]),
            str(each["pictures"]),
            "?" if each["tokens_in"] is None else str(each["tokens_in"]),
            "?" if each["tokens_out"] is None else str(each["tokens_out"]),
            f"{each['seconds']:.1f}",
            f"{each['cost']:.4g}",
        )
        for each in told
    ]
    if not markdown:
        return aligned([heads, *rows], range(1, len(heads)))
    lines = [heads, ("---", *["---:"] * (len(heads) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST else None


def _amount(value: Any) -> float:
    known = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= _MOST
    return float(value) if known else 0.0
