"""Scores of many bags for a table: filled one by one in a thread, and kept in the user's cache for the next time."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import VantageError
from vantage.files import cache_folder, untrusted_owner, write_whole
from vantage.recording import find_bags
from vantage.reports import runs_of, score_bag

_SCHEMA = "vantage.view_index/1"
_NUMBERS = ("judge_score", "spl", "path_length", "confidence")


class RunsIndex:
    """The bags of a folder of runs and their scores; ``scores`` grows until ``done``.

    Args:
        bags: of which it tells.
        score: of one bag.
        cache: folder in which scores are kept; that of the user where None.
    """

    def __init__(
        self,
        name: str,
        bags: list[Path],
        score: Callable[[Path], EpisodeScore] = score_bag,
        cache: Path | None = None,
    ) -> None:
        self.bags, self._score = bags, score
        digest = hashlib.sha256("\n".join(str(bag.resolve()) for bag in bags).encode("utf-8", "replace")).hexdigest()
        self._cache = (cache or cache_folder() / "view") / f"{digest[:32]}.json"
        self.scores: dict[Path, EpisodeScore] = {}
        self.done = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._fill, name=f"index {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End after the bag under way."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join(60.0)

    def score_of(self, bag: Path) -> EpisodeScore:
        """The score of a bag, worked out now where it is not there yet."""
        found = self.scores.get(bag)
        return self._score(bag) if found is None else found

    def _fill(self) -> None:
        try:
            self._score_all()
        finally:
            self.done.set()

    def _score_all(self) -> None:
        kept = self._read()
        stamps = {bag: _stamp(bag) for bag in self.bags}
        for bag in self.bags:
            known = kept.get(str(bag.resolve()))
            if known is not None and known[0] == stamps[bag] and stamps[bag]:
                self.scores[bag] = known[1]
        missing = [bag for bag in self.bags if bag not in self.scores]
        for bag in missing:
            if self._ended.is_set():
                break
            try:
                self.scores[bag] = self._score(bag)
            except VantageError as error:
                self.scores[bag] = EpisodeScore(bag.name, incomplete_reason=str(error), bag=bag.name)
        if missing:
            self._write(stamps)

    def _read(self) -> dict[str, tuple[list[list[Any]], EpisodeScore]]:
        """What the cache holds; nothing where it is missing, damaged, or somebody else's."""
        try:
            if untrusted_owner(self._cache):
                return {}
            data = json.loads(self._cache.read_bytes())
            if data["schema"] != _SCHEMA or data["code"] != _code():
                return {}
            return {path: (stamp, EpisodeScore(**fields)) for path, (stamp, fields) in data["bags"].items()}
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            return {}

    def _write(self, stamps: dict[Path, list[list[Any]]]) -> None:
        bags = {
            str(bag.resolve()): (stamps[bag], dataclasses.asdict(score))
            for bag, score in self.scores.items()
            if stamps[bag]
        }
        try:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"schema": _SCHEMA, "code": _code(), "bags": bags})
            write_whole(self._cache, text, mode=0o600)
        except (OSError, TypeError, ValueError):  # the next time takes as long again
            return


def bags_of(folder: Path) -> list[Path]:
    """All bags of a folder of runs, whole and partial, or of the folders in it.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
    """
    return [bag for run in runs_of(folder) for bags in [find_bags(run)] for bag in sorted((*bags[0], *bags[1]))]


def row_of(bag_id: str, score: EpisodeScore, with_truth: bool) -> dict[str, Any]:
    """A row of the table: plain values, without gold and marks where truth is not shown."""
    row: dict[str, Any] = {
        "id": bag_id,
        "episode": score.episode_id[:200],
        "benchmark": score.benchmark,
        "scene": score.scene,
        "agent": ", ".join(filter(None, (score.agent, score.control))),
        "perception": score.perception,
        "question": score.question[:300],
        "answer": score.answer[:300],
        "verdict": score.verdict.lower().replace("_", " "),
        "steps": score.steps if score.complete else None,
        "collisions": score.collisions if score.complete else None,
        "state": "complete" if score.complete else score.incomplete_reason[:200],
    }
    if with_truth:
        row["mark"] = round(score.judge_score, 2) if math.isfinite(score.judge_score) else None
        row["success"] = ("yes" if score.success else "no") if score.complete else ""
    return row


def _stamp(bag: Path) -> list[list[Any]]:
    """Names, sizes and times of a bag's files; empty where they cannot be told."""
    try:
        files = sorted(item for item in bag.rglob("*") if item.is_file())
        return [[item.name, item.stat().st_size, item.stat().st_mtime_ns] for item in files]
    except OSError:
        return []


def _code() -> str:
    """What scores depend on besides the bags."""
    from vantage import __version__
    from vantage.benchmarks.judging import RuleJudge

    return f"{__version__} {getattr(RuleJudge(), 'version', '')}"
