"""The file that a review in progress keeps: written whole after every judgement, and taken up again later."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from vantage.benchmarks.review.marks import check_belongs
from vantage.benchmarks.review.reviews import Judgement, Reviewer, Reviews, read_reviews
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import UsageError
from vantage.files import SoleWriter


class ReviewFile:
    """What reviewers made of the items of one set so far; for one process at a time, and thread-safe.

    Args:
        path: of the file; one that is there is taken up again.
        scenes: of all items, by key.
        names: of the reviewers; a file that is there has the same.
        item: what an item is, in words.

    Raises:
        FormatError: the file that is there is damaged, or of another set.
        UsageError: it has other reviewers, or another process keeps it.
        OSError: it cannot be written.
    """

    def __init__(
        self, path: str | Path, episode_set: EpisodeSet, scenes: Mapping[str, str], names: tuple[str, ...], item: str
    ) -> None:
        self.path = Path(path)
        self._guard = threading.Lock()
        self._writer = SoleWriter(self.path, "review")
        try:
            self._reviews = self._taken_up(episode_set, scenes, names, item)
            self._writer.write(self._reviews.to_json())
        except BaseException:
            self.close()
            raise

    def _taken_up(
        self, episode_set: EpisodeSet, scenes: Mapping[str, str], names: tuple[str, ...], item: str
    ) -> Reviews:
        if not self.path.exists():
            return Reviews(episode_set.info.content_hash, dict(scenes), tuple(Reviewer(name, {}) for name in names))
        found = read_reviews(self.path, item)
        check_belongs(found, self.path, episode_set, tuple(scenes), item)
        given = tuple(each.name for each in found.reviewers)
        if given != names:
            told = ", ".join(given) if any(given) else "one person of the older page"
            raise UsageError(
                f"{self.path} holds judgements of {told}, not of {', '.join(names)}; give as many --reviewers as then, "
                "or another file"
            )
        return replace(found, scenes=dict(scenes))

    @property
    def reviews(self) -> Reviews:
        """All judgements so far."""
        with self._guard:
            return self._reviews

    def record(self, reviewer: str, key: str, judgement: Judgement) -> None:
        """Keep what a reviewer made of an item, instead of what she made of it before; it is on disk when this returns.

        Raises:
            OSError: it cannot be written; then it is not kept.
        """
        with self._guard:
            reviewers = tuple(
                replace(each, judgements={**each.judgements, key: judgement}) if each.name == reviewer else each
                for each in self._reviews.reviewers
            )
            self._keep(replace(self._reviews, reviewers=reviewers))

    def decide(self, key: str, judgement: Judgement | None) -> None:
        """Keep what the lead reviewer decided about an item, or with None that nothing is decided any more.

        Raises:
            OSError: it cannot be written; then it is not kept.
        """
        with self._guard:
            decisions = {name: value for name, value in self._reviews.decisions.items() if name != key}
            decisions |= {} if judgement is None else {key: judgement}
            self._keep(replace(self._reviews, decisions=decisions))

    def _keep(self, reviews: Reviews) -> None:
        self._writer.write(reviews.to_json())
        self._reviews = reviews

    def close(self) -> None:
        """Let another process have it; again without effect."""
        with self._guard:
            self._writer.close()

    def __enter__(self) -> ReviewFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
