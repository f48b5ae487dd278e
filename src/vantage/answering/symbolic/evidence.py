"""Which frames to show for an answer: few, and each thing that it rests on in one of them."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.answering.symbolic.observed_facts import Thing
from vantage.types import Evidence

MOST_FRAMES = 3


def frames_of(things: Sequence[Thing]) -> tuple[Evidence, ...]:
    """At most three frames.

    Frames that show the most things not shown yet come first, of those the best ones of the things named first; frames
    that are left show the first things once more.
    """
    ranks = {(thing.key, frame): rank for thing in things for rank, frame in enumerate(thing.evidence)}
    frames = list(dict.fromkeys(frame for thing in things for frame in thing.evidence))
    open_ones = [thing for thing in things if thing.evidence]
    chosen: list[Evidence] = []
    while open_ones and len(chosen) < MOST_FRAMES:
        best = min(frames, key=lambda frame: _worth(frame, open_ones, ranks))
        chosen.append(best)
        open_ones = [thing for thing in open_ones if (thing.key, best) not in ranks]
    return tuple(dict.fromkeys((*chosen, *frames)))[:MOST_FRAMES]


def _worth(frame: Evidence, things: Sequence[Thing], ranks: dict[tuple[int, Evidence], int]) -> tuple[int, int, int]:
    """Smaller for a frame that shows more things, then one that shows an earlier thing, then one that is better."""
    shown = [(place, ranks[thing.key, frame]) for place, thing in enumerate(things) if (thing.key, frame) in ranks]
    return -len(shown), *min(shown, default=(len(things), 0))
