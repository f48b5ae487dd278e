"""How people review the sets of a benchmark: what they judge, what they are shown, and what they accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.errors import UsageError

if TYPE_CHECKING:
    from vantage.benchmarks.review.item import ReviewItem
    from vantage.benchmarks.review.marks import ItemMarks
    from vantage.benchmarks.sets import EpisodeSet


@dataclass(frozen=True)
class SetReview:
    """The review of a benchmark, as ``Benchmark.review`` gives it.

    Attributes:
        item: what is judged, in words; ``pair``.
        episodes_of: ids of the episodes of each item of a set, by the item's key.
        items_of: what is told of each item, in the same order.
        rule: when an item is to be accepted, for those who review.
        group: how people call what items can be sifted by.
        reasons: for which an item can be rejected; none where a note alone says why.
    """

    item: str
    episodes_of: Callable[[EpisodeSet], Mapping[str, tuple[str, ...]]]
    items_of: Callable[[EpisodeSet], Iterator[ReviewItem]]
    rule: str
    group: str
    reasons: Sequence[str] = ()

    @property
    def items(self) -> str:
        return f"{self.item}s"

    def apply(self, folder: str | Path, marks: str | Path, out: str | Path | None = None) -> ItemMarks:
        """Read the marks of a set and, with ``out``, write the set of what was accepted, with its edits.

        Raises:
            FormatError: it is no file of marks, or belongs to another set.
            UsageError: nothing was accepted, or the folder is not empty.
        """
        from vantage.benchmarks.review.accepted import write_accepted
        from vantage.benchmarks.review.edits import with_edits
        from vantage.benchmarks.review.marks import read_marks
        from vantage.benchmarks.sets import load_set

        episode_set = load_set(folder)
        episodes = self.episodes_of(episode_set)
        review = read_marks(marks, episode_set, tuple(episodes), self.item, self.reasons)
        if out is not None:
            kept = {name for key in review.accepted for name in episodes[key]}
            if not kept:
                raise UsageError(f"no {self.item} was accepted, so that there is no set to write; accept some first")
            edits = {key: review.marks[key].edits for key in review.edited}
            write_accepted(episode_set, kept, out, lambda written: with_edits(written, episodes, edits))
        return review
