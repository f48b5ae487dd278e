"""What people made of the items of a set: the file of marks that the review page saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import FormatError
from vantage.files import read_json
from vantage.registry import did_you_mean

SCHEMA = "vantage.review/1"
ACCEPT, REJECT = "accept", "reject"


@dataclass(frozen=True)
class Mark:
    """What a person made of one item; ``reason`` is one of those that the benchmark offers, or empty."""

    accepted: bool
    note: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ItemMarks:
    """The marks of one set.

    Attributes:
        items: keys of all items of the set, in order.
        marks: by key; items that nobody looked at have none.
        item: what an item is, in words: ``pair``.
        reasons: for which an item can be rejected; none where notes alone say why.
    """

    items: tuple[str, ...]
    marks: Mapping[str, Mark]
    item: str
    reasons: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        return tuple(key for key in self.items if key in self.marks and self.marks[key].accepted)

    @property
    def rejected(self) -> tuple[str, ...]:
        return tuple(key for key in self.items if key in self.marks and not self.marks[key].accepted)

    @property
    def open(self) -> tuple[str, ...]:
        """Items without a mark."""
        return tuple(key for key in self.items if key not in self.marks)

    def problems(self) -> list[str]:
        """One sentence for each item that was rejected."""
        said = {key: (self.marks[key].reason, self.marks[key].note.strip()) for key in self.rejected}
        return [
            f"{self.item} '{key}' was rejected" + (f": {'; '.join(filter(None, words))}" if any(words) else "")
            for key, words in said.items()
        ]

    def summary(self) -> str:
        """How many items got which mark."""
        return (
            f"{len(self.accepted)} {self.item}s accepted, {len(self.rejected)} rejected, {len(self.open)} without a "
            "mark"
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json``; with the number of rejected items by reason where there are reasons."""
        found: dict[str, Any] = {
            "accepted": list(self.accepted),
            "rejected": list(self.rejected),
            "open": list(self.open),
        }
        if self.reasons:
            given = [self.marks[key].reason for key in self.rejected]
            found["reasons"] = {reason: given.count(reason) for reason in self.reasons if reason in given}
        return found


def read_marks(
    path: str | Path, episode_set: EpisodeSet, items: Sequence[str], item: str, reasons: Sequence[str] = ()
) -> ItemMarks:
    """The marks that were saved on the page of a set.

    Args:
        items: keys of all items of the set.

    Raises:
        FormatError: it is no file of marks, or belongs to another set.
    """
    values = read_json(Path(path))
    if not isinstance(values, dict) or values.get("schema") != SCHEMA or not isinstance(values.get("marks"), dict):
        raise FormatError(f"{path} holds no marks ({SCHEMA}); save them on the review page")
    if values.get("set") != episode_set.info.content_hash:
        raise FormatError(f"{path} holds the marks of another set; save them on the page of {episode_set.folder}")
    known = set(items)
    marks = {}
    for key, value in values["marks"].items():
        if key not in known:
            raise FormatError(f"{path} marks {item} '{key}', which the set lacks{did_you_mean(key, list(items))}")
        marks[key] = _mark(value, f"{path}: the mark of {item} '{key}'", reasons)
    return ItemMarks(tuple(items), marks, item, tuple(reasons))


def _mark(value: Any, what: str, reasons: Sequence[str]) -> Mark:
    given = value if isinstance(value, dict) else {}
    verdict, note, reason = given.get("verdict"), given.get("note", ""), given.get("reason", "")
    if verdict not in (ACCEPT, REJECT) or not isinstance(note, str):
        raise FormatError(f"{what} must be {ACCEPT} or {REJECT} with a note in words")
    if reason != "" and reason not in reasons:
        offered = f"one of: {', '.join(reasons)}" if reasons else "left out, as there are none to choose from"
        raise FormatError(f"{what} has a reason that the page does not offer; it must be {offered}")
    return Mark(verdict == ACCEPT, note, reason)
