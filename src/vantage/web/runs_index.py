"""Scores of many bags for a table: worked out beside the server, and kept in the user's cache for the next time."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from vantage.benchmarks.statistics import COLUMNS, EpisodeScore
from vantage.bounded_json import bounded_json
from vantage.errors import VantageError
from vantage.files import cache_folder, untrusted_owner, write_whole
from vantage.recording import find_bags
from vantage.reports import runs_of, score_bag
from vantage.workers import WorkerPool

_SCHEMA = "vantage.view_index/3"
_HERE = 25  # bags that are scored in a thread, for a process begins too slowly to be worth it
_BATCH = 16  # bags that a process scores at a time
_KEPT_EVERY = 10.0  # s between writings of what is known so far
_NICE = 5  # of the process: who looks at the pages goes first

Stamp = list[list[Any]]


class RunsIndex:
    """The bags of a folder of runs and their scores; ``scores`` grows until ``done``.

    Only bags that are new or changed since the last time are read. The first of them are scored in a thread, more of
    them in a process of low priority, so that pages stay quick meanwhile.

    Args:
        root: folder of the bags, or a bag; under its path the scores are kept.
        bags: of which it tells, all in ``root``.
        score: of one bag; a function that other processes can import.
        cache: folder in which scores are kept; that of the user where None.
    """

    def __init__(
        self,
        root: Path,
        bags: Sequence[Path],
        score: Callable[[Path], EpisodeScore] = score_bag,
        cache: Path | None = None,
    ) -> None:
        self.bags, self._root, self._score = bags, root, score
        digest = hashlib.sha256(str(root.resolve()).encode("utf-8", "replace")).hexdigest()
        self._cache = (cache or cache_folder() / "view") / f"{digest[:32]}.json"
        self.scores: dict[Path, EpisodeScore] = {}
        self.done = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._fill, name=f"index {root.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End after the bags under way; what is known by then is kept."""
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
        stamps: dict[Path, Stamp] = {}
        missing = []
        for bag in self.bags:
            stamps[bag] = _stamp(bag)
            stamp, score = kept.get(self._key(bag), ([], None))
            if score is not None and stamp and stamp == stamps[bag]:
                self.scores[bag] = score
            else:
                missing.append(bag)
        if not missing:
            return
        written = time.monotonic()
        for bag, score in self._scored(missing):
            self.scores[bag] = score
            if self._ended.is_set():
                break
            if time.monotonic() - written > _KEPT_EVERY:
                self._write(stamps)
                written = time.monotonic()
        self._write(stamps)

    def _scored(self, bags: Sequence[Path]) -> Iterator[tuple[Path, EpisodeScore]]:
        """Each bag with its score, in their order."""
        here, beside = bags[:_HERE], bags[_HERE:]
        if not beside:
            yield from _score_each(self._score, here)
            return
        batches = [beside[first : first + _BATCH] for first in range(0, len(beside), _BATCH)]
        done = 0
        try:
            with WorkerPool(1) as pool:
                futures = [pool.submit(_score_beside, self._score, batch) for batch in batches]
                yield from _score_each(self._score, here)
                for future in futures:
                    yield from future.result()
                    done += 1
        except BrokenProcessPool:  # it was killed, perhaps for lack of memory
            yield from _score_each(self._score, beside[done * _BATCH :])

    def _key(self, bag: Path) -> str:
        return bag.relative_to(self._root).as_posix()

    def _read(self) -> dict[str, tuple[Stamp, EpisodeScore]]:
        """What the cache holds; nothing where it is missing, damaged, or somebody else's."""
        try:
            if untrusted_owner(self._cache):
                return {}
            data = bounded_json(self._cache.read_bytes())
            if data["schema"] != _SCHEMA or data["code"] != _code():
                return {}
            return {name: (stamp, EpisodeScore(**fields)) for name, (stamp, fields) in data["bags"].items()}
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return {}

    def _write(self, stamps: dict[Path, Stamp]) -> None:
        bags = {
            self._key(bag): (stamps[bag], dataclasses.asdict(score))
            for bag, score in self.scores.items()
            if stamps[bag]
        }
        try:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"schema": _SCHEMA, "code": _code(), "bags": bags})
            write_whole(self._cache, text, mode=0o600)
        except (OSError, TypeError, ValueError):  # the next time takes as long again
            return


def _score_each(score: Callable[[Path], EpisodeScore], bags: Sequence[Path]) -> Iterator[tuple[Path, EpisodeScore]]:
    for bag in bags:
        try:
            yield bag, score(bag)
        except VantageError as error:
            yield bag, EpisodeScore(bag.name, incomplete_reason=str(error), bag=bag.name)


def _score_beside(score: Callable[[Path], EpisodeScore], bags: Sequence[Path]) -> list[tuple[Path, EpisodeScore]]:
    """What a process does."""
    os.setpriority(os.PRIO_PROCESS, 0, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    return list(_score_each(score, bags))


def bags_of(folder: Path) -> list[Path]:
    """All bags of a folder of runs, whole and partial, or of the folders in it.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
    """
    return [
        bag
        for run in runs_of(folder)
        for whole, partial in [find_bags(run)]
        for bag in sorted((*whole, *partial), key=lambda bag: bag.name)
    ]


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
        row |= {column.key: column.told(score) if score.complete else "" for column in COLUMNS}
    return row


def _stamp(bag: Path) -> Stamp:
    """Names, sizes and times of a bag's files; empty where they cannot be told."""
    try:
        with os.scandir(bag) as entries:
            files = sorted((entry for entry in entries if entry.is_file()), key=lambda entry: entry.name)
            return [[file.name, stat.st_size, stat.st_mtime_ns] for file in files for stat in [file.stat()]]
    except OSError:
        return []


def _code() -> str:
    """What scores depend on besides the bags."""
    from vantage import __version__
    from vantage.benchmarks.judging import RuleJudge

    return f"{__version__} {getattr(RuleJudge(), 'version', '')}"
