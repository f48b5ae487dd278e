"""What happened in each phase of a recorded episode: steps, things seen, opened, lifted and grasped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vantage.recording import PlaceEvidence, Recording
from vantage.reports.hand_log import HandCommand, Named
from vantage.types import CLOSE, OPEN, Status

_MOST = 12  # things that are named


def phase_events(
    recording: Recording, commands: Sequence[HandCommand], evidence: PlaceEvidence, named: Named
) -> dict[str, str]:
    """One line for each phase that began, by its name.

    Args:
        commands: all of the episode.
        named: how a page calls an instance.
    """
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
        parts += _listed("opened", (key for each in looks for key in each.opened), named)
        parts += _listed("lifted", (key for key, at in evidence.lifted.items() if since < at <= until), named)
        parts += _tried([each for each in commands if each.phase == name])
        lines[name] = "; ".join(parts)
        since = max(since, until)
    return lines


def _tried(commands: Sequence[HandCommand]) -> list[str]:
    """How often the hand tried what, and how often that was done."""
    kinds = {
        "grasp": [each for each in commands if each.grasps],
        **{kind: [each for each in commands if each.target and each.target.handle == kind] for kind in (OPEN, CLOSE)},
    }
    return [
        f"{kind} {len(tried)} times, {sum(each.motion.status is Status.DONE for each in tried)} done"
        for kind, tried in kinds.items()
        if tried
    ]


def _listed(word: str, keys: Iterable[int], named: Named) -> list[str]:
    found = list(dict.fromkeys(keys))
    if not found:
        return []
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return [f"{word} {', '.join(named(key) for key in found[:_MOST])}{more}"]
