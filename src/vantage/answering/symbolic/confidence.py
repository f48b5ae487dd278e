"""How sure an answer is, from what it rests on. More views that agree never make it less sure.

Of an object ``c = 1 - product over viewpoints of (1 - detection confidence)``, at most 0.99 (``ObservedObject``): it
grows with pixels and viewpoints. An answer about objects is as sure as the object that is least sure, times the share
of the views that agree on the color (or whatever is told of it), times 0.95 while the search goes on and "the mug" may
turn out to be one of two, times 0.6 where an object was taken for what is meant because nothing else may be.

It is 0.75 at most while all views cut the object off at the image border.

Of an absence, with the share ``s`` of the space seen in which the object could be: on a support 0.7 + 0.25 s once it
was looked at completely (``Inspection.complete``), in a room or around an object 0.6 + 0.35 s once that is so; of a
place of which no look shows more 0.5 + 0.35 s, but at most 0.75 while the search goes on, for it may lead to where more
of it shows; everywhere 0.9 when the search is exhausted. At most 0.8 where closed containers remain, and at most 0.6
for "there is none on the table" while the object may still turn up elsewhere; 0.75 where an object of another kind
stands in for it.
Several findings are as sure as the one that is least sure.
"""

from __future__ import annotations

from collections.abc import Iterable

SURE = 0.8  # less makes another look at an object worthwhile
ANYWHERE = 0.9
CLOSED_REMAIN = 0.8
ELSEWHERE_OPEN = 0.6
ASKING_BACK = 0.5
CUT_OFF = 0.75  # of an object that every view cut off at the image border
_MORE_MAY_SHOW = 0.75  # less than ends a search
_TAKEN, _GUESSED = 0.95, 0.6


def of_objects(confidences: Iterable[float], exhausted: bool, guessed: bool) -> float:
    """Of an answer about described objects.

    Args:
        confidences: of the objects.
        exhausted: all reachable space has been looked at.
        guessed: one of them was taken for what is meant because nothing else may be.
    """
    least = min(confidences, default=0.0)
    return least * (_GUESSED if guessed else 1.0 if exhausted else _TAKEN)


def of_stand_in(searched: float, fair: bool) -> float:
    """That an object at the claimed place was taken for what was named, which is not there: less while the share
    ``searched`` of all other places is small, for what was named may be in one of them. Only what people also call by
    that name (``fair``) can end a search before those places were looked at."""
    most = ANYWHERE if fair else _MORE_MAY_SHOW
    return ELSEWHERE_OPEN + (most - ELSEWHERE_OPEN) * min(searched, 1.0)


def of_absence_on(seen: float) -> float:
    """On or in a support that was looked at completely, of whose places the share ``seen`` was seen."""
    return 0.7 + 0.25 * seen


def of_absence_in(seen: float) -> float:
    """In a space that was looked at completely, of which the share ``seen`` was seen."""
    return 0.6 + 0.35 * seen


def of_absence_in_part(seen: float, exhausted: bool) -> float:
    """In a place of which the share ``seen`` was seen and no look shows more: ever once the search is exhausted, for
    now before."""
    told = 0.5 + 0.35 * seen
    return told if exhausted else min(told, _MORE_MAY_SHOW)
