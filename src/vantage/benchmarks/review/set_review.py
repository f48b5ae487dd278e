"""How people review the sets of a benchmark: a page in the browser, the marks that it saves, what they accepted.

The page is one file with everything in it. Marks are kept in the browser under the set's hash and saved as a file of
marks, so that those of another set are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.errors import FormatError, UsageError

if TYPE_CHECKING:
    from vantage.benchmarks.review.item import ReviewItem
    from vantage.benchmarks.review.marks import ItemMarks
    from vantage.benchmarks.sets import EpisodeSet


@dataclass(frozen=True)
class SetReview:
    """The review of a benchmark, as ``Benchmark.review`` gives it.

    Attributes:
        item: what is marked, in words; ``pair``.
        episodes_of: ids of the episodes of each item of a set, by the item's key.
        items_of: what the page tells of each item, in the same order.
        rule: when an item is to be accepted, for those who review.
        group: how the page calls what it can be sifted by.
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

    def write_page(self, folder: str | Path, path: str | Path) -> int:
        """Write the page of a set; returns the number of items on it.

        Raises:
            FormatError: the set cannot be read, or holds nothing to review.
        """
        from vantage.benchmarks.sets import load_set
        from vantage.html_pages import write_page

        episode_set = load_set(folder)
        number = len(self.episodes_of(episode_set))
        if not number:
            raise FormatError(f"{folder} holds no {self.item}; there is nothing to review")
        write_page(path, self.page(episode_set))
        return number

    def page(self, episode_set: EpisodeSet) -> str:
        """The whole page as HTML."""
        from vantage.benchmarks.review.reviews import ACCEPT, OLDER, REJECT
        from vantage.config import CameraSettings
        from vantage.html_pages import render

        fov = float(episode_set.info.settings.get("camera.horizontal_fov", CameraSettings().horizontal_fov))
        articles = [_article(item, fov) for item in self.items_of(episode_set)]
        return render(
            __package__,
            "review.html",
            about={"schema": OLDER, "set": episode_set.info.content_hash, "name": episode_set.folder.name},
            review=self,
            groups=list(dict.fromkeys(article["group"] for article in articles)),
            accept=ACCEPT,
            reject=REJECT,
            articles=articles,
        )

    def apply(self, folder: str | Path, marks: str | Path, out: str | Path | None = None) -> ItemMarks:
        """Read the marks of a set and, with ``out``, write the set of what was accepted.

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
                raise UsageError(
                    f"no {self.item} was accepted, so that there is no set to write; accept some on the review page"
                )
            edits = {key: review.marks[key].edits for key in review.edited}
            write_accepted(episode_set, kept, out, lambda written: with_edits(written, episodes, edits))
        return review


def _article(item: ReviewItem, fov: float) -> dict[str, Any]:
    return {
        "key": item.key,
        "group": item.group,
        "kind": item.kind,
        "rows": item.rows,
        "figures": [figure.html(fov) for figure in item.figures],
    }
