"""What happened in each phase of a recorded episode: steps, things seen, opened, lifted and grasped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from vantage.recording import LEGEND, Recording, read_bag, read_evidence, read_legend
from vantage.types import Status

_GRASP, _RELEASE, _OPEN, _CLOSE = "grasp", "release", "open", "close"  # how names of actions of a hand begin
_MOST = 12  # things that are named


def phase_events(recording: Recording) -> dict[str, str]:
    """One line for each phase that began, by its name; empty for an episode of one phase.

    Raises:
        RecordingError: the bag cannot be read.
    """
    if len(recording.phases) < 2:
        return {}
    evidence = read_evidence(recording.path)
    labels = _labels(recording) if evidence.looks or evidence.lifted else {}
    lines: dict[str, str] = {}
    since = -1
    for begin in recording.phases:
        name = begin.episode.phase
        motions = recording.motions_in(name)
        until = motions[-1].observation_stamp if motions else since
        if not lines:  # what the first look shows, too
            until = max(until, recording.end_of(name))
        parts = ["put back as at the start"] if begin.episode.restored else []
        parts.append(f"{len(motions)} steps")
        looks = [each for at, each in evidence.looks.items() if since < at <= until]
        if looks:
            seen, floor = sum(len(each.seen) for each in looks), looks[-1]
            parts.append(f"{seen} of {floor.things} things seen for the first time")
            parts.append(f"{floor.floor_seen:.0f} of {floor.floor_area:.0f} m2 of floor in view so far")
        parts += _named("opened", (key for each in looks for key in each.opened), labels)
        parts += _named("lifted", (key for key, at in evidence.lifted.items() if since < at <= until), labels)
        tried = Counter(_hand_action(motion.action) for motion in motions)
        done = Counter(_hand_action(motion.action) for motion in motions if motion.status is Status.DONE)
        parts += _tried(tried, done)
        lines[name] = "; ".join(parts)
        since = max(since, until)
    return lines


def _hand_action(action: str) -> str:
    return next((kind for kind in (_GRASP, _RELEASE, _OPEN, _CLOSE) if action.split("_")[0] == kind), "")


def _tried(tried: Mapping[str, int], done: Mapping[str, int]) -> list[str]:
    """How often the hand tried what, and how often that was done."""
    return [
        f"{kind} {tried[kind]} times, {done.get(kind, 0)} done"
        for kind in (_GRASP, _OPEN, _CLOSE, _RELEASE)
        if tried.get(kind)
    ]


def _named(word: str, keys: Iterable[int], labels: Mapping[int, str]) -> list[str]:
    found = list(dict.fromkeys(keys))
    if not found:
        return []
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return [f"{word} {', '.join(_name(key, labels) for key in found[:_MOST])}{more}"]


def _name(key: int, labels: Mapping[int, str]) -> str:
    return f"{labels.get(key, 'thing')} {key}"


def _labels(recording: Recording) -> dict[int, str]:
    """Labels of instances, as far as the bag holds a legend."""
    found: dict[int, str] = {}
    for _, _, message in read_bag(recording.path, (LEGEND,)):
        found |= {key: entry.label for key, entry in read_legend(message).items()}
    return found
