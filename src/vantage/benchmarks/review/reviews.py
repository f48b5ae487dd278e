"""What each reviewer made of the items of a set: the file that ``vantage review`` writes.

``vantage.review/2`` holds the judgements of every reviewer by name, and what a lead reviewer decided where they differ.
``vantage.review/1``, of an older page, holds the marks of one person without a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.errors import FormatError
from vantage.files import read_json

SCHEMA = "vantage.review/2"
OLDER = "vantage.review/1"
ACCEPT, EDIT, REJECT = "accept", "edit", "reject"
MOST_TEXT = 2000  # characters of a note or an edited text


@dataclass(frozen=True)
class Judgement:
    """What a person made of one item.

    Attributes:
        verdict: ``ACCEPT``, ``EDIT`` to accept it with other texts, or ``REJECT``.
        reason: for which it was rejected, one of those that the benchmark offers; or empty.
        edits: the new texts by the name of their field, of ``EDIT`` alone.
    """

    verdict: str
    note: str = ""
    reason: str = ""
    edits: Mapping[str, str] = field(default_factory=dict)

    @property
    def outcome(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What it comes to, without the words about it."""
        return self.verdict, tuple(sorted(self.edits.items()))

    def to_json(self) -> dict[str, Any]:
        return {"verdict": self.verdict, "note": self.note, "reason": self.reason, "edits": dict(self.edits)}


@dataclass(frozen=True)
class Reviewer:
    """The judgements of one person by the item's key; ``name`` is a pseudonym, empty in a file of the older page."""

    name: str
    judgements: Mapping[str, Judgement]


@dataclass(frozen=True)
class Reviews:
    """The whole file.

    Attributes:
        set_hash: of the set.
        scenes: of its items by key; none in a file of the older page.
        reviewers: all who may judge, whether they did or not.
        decisions: of the lead reviewer, by the item's key; they count before those of all others.
    """

    set_hash: str
    scenes: Mapping[str, str]
    reviewers: tuple[Reviewer, ...]
    decisions: Mapping[str, Judgement] = field(default_factory=dict)

    def settled(self, key: str) -> Judgement | None:
        """What holds for an item: the lead's decision, or what all reviewers came to; None while it is open or they
        differ."""
        if key in self.decisions:
            return self.decisions[key]
        given = [reviewer.judgements[key] for reviewer in self.reviewers if key in reviewer.judgements]
        if len(given) < len(self.reviewers) or len({judgement.outcome for judgement in given}) != 1:
            return None
        return given[0]

    def differs(self, key: str) -> bool:
        """Whether reviewers came to different ends about an item of which the lead decided nothing."""
        given = {each.judgements[key].outcome for each in self.reviewers if key in each.judgements}
        return len(given) > 1 and key not in self.decisions

    def told(self, key: str) -> dict[str, str]:
        """Verdicts about an item by reviewer."""
        return {each.name: each.judgements[key].verdict for each in self.reviewers if key in each.judgements}

    @property
    def judged(self) -> list[str]:
        """Keys of all items that somebody judged."""
        given = (key for each in self.reviewers for key in each.judgements)
        return list(dict.fromkeys([*given, *self.decisions]))

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "set": self.set_hash,
            "scenes": dict(self.scenes),
            "reviewers": [
                {"name": each.name, "judgements": {key: value.to_json() for key, value in each.judgements.items()}}
                for each in self.reviewers
            ],
            "decisions": {key: value.to_json() for key, value in self.decisions.items()},
        }


def read_reviews(path: str | Path, item: str = "item", reasons: Sequence[str] | None = None) -> Reviews:
    """Read a file of either schema.

    Args:
        item: what an item is, in words, for messages.
        reasons: that may be given; None for any.

    Raises:
        FormatError: it is no such file, or damaged.
    """
    values = read_json(Path(path))
    schema = values.get("schema") if isinstance(values, dict) else None
    if schema == OLDER and isinstance(values.get("marks"), dict):
        marks = _judgements(values["marks"], str(path), item, reasons)
        if any(mark.verdict == EDIT for mark in marks.values()):
            raise FormatError(f"{path} edits a {item}, which {OLDER} cannot hold; a mark must be accept or reject")
        return Reviews(_text(values.get("set"), f"{path}: 'set'"), {}, (Reviewer("", marks),))
    if schema != SCHEMA or not isinstance(values.get("reviewers"), list) or not values["reviewers"]:
        raise FormatError(f"{path} holds no marks ({OLDER} or {SCHEMA}); write them with `vantage review`")
    scenes = values.get("scenes")
    if not isinstance(scenes, dict) or not all(isinstance(scene, str) for scene in scenes.values()):
        raise FormatError(f"{path}: 'scenes' must name the scene of each {item}; write the file with `vantage review`")
    reviewers = tuple(_reviewers(values["reviewers"], str(path), item, reasons))
    if len({each.name for each in reviewers}) != len(reviewers):
        raise FormatError(f"{path} names a reviewer twice; give each a name of its own")
    decisions = _judgements(values.get("decisions", {}), f"{path}: decisions", item, reasons)
    return Reviews(_text(values.get("set"), f"{path}: 'set'"), scenes, reviewers, decisions)


def _reviewers(values: Sequence[Any], where: str, item: str, reasons: Sequence[str] | None) -> Iterator[Reviewer]:
    for number, value in enumerate(values):
        place = f"{where}: reviewers[{number}]"
        if not isinstance(value, dict):
            raise FormatError(f"{place} must have a name and judgements; write the file with `vantage review`")
        name = _text(value.get("name"), f"{place}.name")
        yield Reviewer(name, _judgements(value.get("judgements"), f"{where}: {name}", item, reasons))


def _judgements(value: Any, where: str, item: str, reasons: Sequence[str] | None) -> dict[str, Judgement]:
    if not isinstance(value, dict):
        raise FormatError(f"{where} must hold marks by the key of each {item}; write the file with `vantage review`")
    return {key: judgement_of(given, f"{where}: the mark of {item} '{key}'", reasons) for key, given in value.items()}


def judgement_of(value: Any, where: str, reasons: Sequence[str] | None = None) -> Judgement:
    """A judgement from plain data, of which nothing is taken on trust.

    Raises:
        FormatError: it is none; the sentence begins with ``where``.
    """
    given = value if isinstance(value, dict) else {}
    verdict, note, reason = given.get("verdict"), given.get("note", ""), given.get("reason", "")
    edits = given.get("edits", {})
    if verdict not in (ACCEPT, EDIT, REJECT) or not isinstance(note, str):
        raise FormatError(f"{where} must be accept or reject, or edit with the new texts, with a note in words")
    if not isinstance(reason, str) or (reason and reasons is not None and reason not in reasons):
        offered = f"one of: {', '.join(reasons)}" if reasons else "left out, as there are none to choose from"
        raise FormatError(f"{where} has a reason that the page does not offer; it must be {offered}")
    if not isinstance(edits, dict) or not all(isinstance(text, str) for text in edits.values()):
        raise FormatError(f"{where} must have its edits as texts by field; write them with `vantage review`")
    if (verdict == EDIT) != bool(edits):
        raise FormatError(f"{where} must have edits if it is edit, and none otherwise; write it with `vantage review`")
    if max(map(len, (note, *edits, *edits.values()))) > MOST_TEXT:
        raise FormatError(f"{where} has a text of more than {MOST_TEXT} characters; shorten it")
    return Judgement(verdict, note, reason, dict(edits))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise FormatError(f"{where} must be a text; write the file with `vantage review`")
    return value
