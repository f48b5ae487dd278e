"""What holds for the items of a set, from what its reviewers made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.benchmarks.review.reviews import EDIT, REJECT, Judgement, Reviews, read_reviews
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import FormatError
from vantage.registry import did_you_mean


@dataclass(frozen=True)
class ItemMarks:
    """The marks of one set.

    Attributes:
        items: keys of all items of the set, in order.
        marks: what holds, by key; items that nobody looked at, that not all looked at, or about which reviewers differ
            have none.
        item: what an item is, in words: ``pair``.
        reasons: for which an item can be rejected; none where notes alone say why.
        disagreements: verdicts by reviewer, by the key of the item about which they differ.
    """

    items: tuple[str, ...]
    marks: Mapping[str, Judgement]
    item: str
    reasons: tuple[str, ...] = ()
    disagreements: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def accepted(self) -> tuple[str, ...]:
        """With edits or without."""
        return tuple(key for key in self.items if key in self.marks and self.marks[key].verdict != REJECT)

    @property
    def edited(self) -> tuple[str, ...]:
        return tuple(key for key in self.accepted if self.marks[key].verdict == EDIT)

    @property
    def rejected(self) -> tuple[str, ...]:
        return tuple(key for key in self.items if key in self.marks and self.marks[key].verdict == REJECT)

    @property
    def open(self) -> tuple[str, ...]:
        """Items without a mark about which nobody differs."""
        return tuple(key for key in self.items if key not in self.marks and key not in self.disagreements)

    def problems(self) -> list[str]:
        """One sentence for each item that was rejected, is to be changed, or about which reviewers differ."""
        said = {key: (self.marks[key].reason, self.marks[key].note.strip()) for key in self.rejected}
        found = [
            f"{self.item} '{key}' was rejected" + (f": {'; '.join(filter(None, words))}" if any(words) else "")
            for key, words in said.items()
        ]
        found += [f"{self.item} '{key}' was edited; --out writes it as it should be" for key in self.edited]
        for key, told in self.disagreements.items():
            verdicts = ", ".join(f"{name} {verdict}" for name, verdict in told.items())
            found.append(f"{self.item} '{key}' is not agreed on: {verdicts}")
        return found

    def summary(self) -> str:
        """How many items got which mark."""
        return (
            f"{len(self.accepted)} {self.item}s accepted, {len(self.rejected)} rejected, {len(self.open)} without a "
            "mark"
            + (f", {len(self.disagreements)} not agreed on" if self.disagreements else "")
            + (f"; {len(self.edited)} of the accepted ones edited" if self.edited else "")
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json``; with the number of rejected items by reason where there are reasons, and with what
        was edited and not agreed on where there is any."""
        found: dict[str, Any] = {
            "accepted": list(self.accepted),
            "rejected": list(self.rejected),
            "open": list(self.open),
        }
        if self.edited:
            found["edited"] = list(self.edited)
        if self.disagreements:
            found["disagreements"] = {key: dict(told) for key, told in self.disagreements.items()}
        if self.reasons:
            given = [self.marks[key].reason for key in self.rejected]
            found["reasons"] = {reason: given.count(reason) for reason in self.reasons if reason in given}
        return found


def read_marks(
    path: str | Path, episode_set: EpisodeSet, items: Sequence[str], item: str, reasons: Sequence[str] = ()
) -> ItemMarks:
    """What holds for the items of a set by a file of its reviewers.

    Args:
        items: keys of all items of the set.

    Raises:
        FormatError: it is no such file, or belongs to another set.
    """
    reviews = read_reviews(path, item, tuple(reasons))
    check_belongs(reviews, path, episode_set, items, item)
    settled = {key: judgement for key in items if (judgement := reviews.settled(key)) is not None}
    differing = {key: reviews.told(key) for key in items if reviews.differs(key)}
    return ItemMarks(tuple(items), settled, item, tuple(reasons), differing)


def check_belongs(reviews: Reviews, path: str | Path, episode_set: EpisodeSet, items: Sequence[str], item: str) -> None:
    """
    Raises:
        FormatError: the file is of another set, or judges an item that the set lacks.
    """
    if reviews.set_hash != episode_set.info.content_hash:
        raise FormatError(f"{path} holds the marks of another set; review {episode_set.folder} anew")
    known = set(items)
    for key in reviews.judged:
        if key not in known:
            raise FormatError(f"{path} marks {item} '{key}', which the set lacks{did_you_mean(key, list(items))}")
