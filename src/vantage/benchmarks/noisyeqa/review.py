"""What people made of a set about false premises: marks from the review page, and the set of what they accepted."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets import (
    GOALS,
    SCENES,
    EpisodeSet,
    load_set,
    load_truths,
    new_set_folder,
    pair_name,
    pairs_of,
    save_set,
)
from vantage.errors import FormatError, UsageError
from vantage.files import read_json
from vantage.registry import did_you_mean

SCHEMA = "vantage.review/1"
ACCEPT, REJECT = "accept", "reject"


@dataclass(frozen=True)
class Mark:
    """What a person made of one pair."""

    accepted: bool
    note: str = ""


@dataclass(frozen=True)
class PairMarks:
    """The marks of one set.

    Attributes:
        pairs: all pairs of the set, in order.
        marks: by pair id; pairs that nobody looked at have none.
    """

    pairs: tuple[str, ...]
    marks: Mapping[str, Mark]

    @property
    def accepted(self) -> tuple[str, ...]:
        return tuple(key for key in self.pairs if key in self.marks and self.marks[key].accepted)

    @property
    def rejected(self) -> tuple[str, ...]:
        return tuple(key for key in self.pairs if key in self.marks and not self.marks[key].accepted)

    @property
    def open(self) -> tuple[str, ...]:
        """Pairs without a mark."""
        return tuple(key for key in self.pairs if key not in self.marks)

    def problems(self) -> list[str]:
        """One sentence for each pair that was rejected."""
        notes = {key: self.marks[key].note.strip() for key in self.rejected}
        return [f"pair '{key}' was rejected" + (f": {note}" if note else "") for key, note in notes.items()]

    def summary(self) -> str:
        """How many pairs got which mark."""
        return f"{len(self.accepted)} pairs accepted, {len(self.rejected)} rejected, {len(self.open)} without a mark"

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json``."""
        return {"accepted": list(self.accepted), "rejected": list(self.rejected), "open": list(self.open)}


def read_review(path: str | Path, episode_set: EpisodeSet) -> PairMarks:
    """The marks that were saved on the page of a set.

    Raises:
        FormatError: it is no file of marks, or belongs to another set.
    """
    pairs, _ = pairs_of(episode_set, load_truths(episode_set.folder, episode_set.episodes))
    values = read_json(Path(path))
    if not isinstance(values, dict) or values.get("schema") != SCHEMA or not isinstance(values.get("marks"), dict):
        raise FormatError(f"{path} holds no marks ({SCHEMA}); save them on the review page")
    if values.get("set") != episode_set.info.content_hash:
        raise FormatError(f"{path} holds the marks of another set; save them on the page of {episode_set.folder}")
    marks = {}
    for key, value in values["marks"].items():
        if key not in pairs:
            raise FormatError(f"{path} marks pair '{key}', which the set lacks{did_you_mean(key, list(pairs))}")
        verdict = value.get("verdict") if isinstance(value, dict) else None
        note = value.get("note", "") if isinstance(value, dict) else ""
        if verdict not in (ACCEPT, REJECT) or not isinstance(note, str):
            raise FormatError(f"{path}: the mark of pair '{key}' must be {ACCEPT} or {REJECT} with a note in words")
        marks[key] = Mark(verdict == ACCEPT, note)
    return PairMarks(tuple(pairs), marks)


def write_accepted(episode_set: EpisodeSet, review: PairMarks, folder: str | Path) -> EpisodeSet:
    """A set of the accepted pairs alone, with the scenes that they need.

    Raises:
        UsageError: nothing was accepted, or the folder is not empty.
    """
    kept = set(review.accepted)
    if not kept:
        raise UsageError("no pair was accepted, so that there is no set to write; accept some on the review page")
    with new_set_folder(folder) as root:
        episodes = [episode for episode in episode_set.episodes if pair_name(episode.episode_id)[0] in kept]
        truths = load_truths(episode_set.folder, episode_set.episodes)
        scenes = dict.fromkeys(episode.scene for episode in episodes)
        ignored = shutil.ignore_patterns(".*")
        for scene in scenes:
            shutil.copytree(episode_set.scene_folder(scene), root / SCENES / scene, ignore=ignored)
        (root / GOALS).mkdir(parents=True)
        for episode in episodes:
            if episode_set.goal_image(episode.episode_id).is_file():
                shutil.copy2(episode_set.goal_image(episode.episode_id), root / GOALS)
        info = replace(episode_set.info, scenes={name: episode_set.info.scenes[name] for name in scenes})
        return save_set(root, info, episodes, [truths[episode.episode_id] for episode in episodes])


def apply_review(folder: str | Path, marks: str | Path, out: str | Path | None = None) -> PairMarks:
    """Read the marks of a set and, with ``out``, write the set of what was accepted.

    Raises:
        FormatError, UsageError: as ``read_review`` and ``write_accepted``.
    """
    episode_set = load_set(folder)
    review = read_review(marks, episode_set)
    if out is not None:
        write_accepted(episode_set, review, out)
    return review
