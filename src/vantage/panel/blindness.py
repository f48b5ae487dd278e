"""Readers who do not see: chance-level replies to easy frames, or foils that are not told apart from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vantage.panel.frames import CANNOT
from vantage.panel.panel_folder import KnownFrame

_SURE = 0.05  # of the two tests


@dataclass(frozen=True)
class Sight:
    """Whether a reader sees.

    Attributes:
        easy, easy_right: frames far on the easy side of their threshold that were answered, and those right.
        foils, foils_told: foils that were answered, and those to which the reply was that one cannot tell.
        blind: why the reader is taken to be blind, in words; empty otherwise.
        unchecked: which of the tests has too few frames to find anything out, in words; empty where none has.
    """

    easy: int
    easy_right: int
    foils: int
    foils_told: int
    blind: str
    unchecked: str


def is_easy(frame: KnownFrame) -> bool:
    """Whether a frame is far on the easy side: at twice the threshold, or half-way to the largest value that there is,
    in the logarithm, where that is nearer."""
    if frame.value is None or not frame.passes:
        return False
    bounded = frame.unit in ("share", "cos")
    far = min(2.0 * frame.threshold, math.sqrt(frame.threshold)) if bounded else 2.0 * frame.threshold
    return frame.value >= far


def sight(replies: Mapping[int, str | None], frames: Sequence[KnownFrame], guesses: Mapping[int, float]) -> Sight:
    """How well a reader sees, by its replies.

    A reader is blind when its easy frames are not right more often than by lot (binomial test), or when it says no more
    often of foils than of easy frames that it cannot tell (Fisher's exact test); both one-sided at 5 %.

    Args:
        guesses: rate of right replies by lot, by number of the frame.
    """
    easy = [frame for frame in frames if frame.number in replies and is_easy(frame)]
    foils = [frame for frame in frames if frame.number in replies and frame.foil]
    right = sum(replies[frame.number] == frame.right for frame in easy)
    told = sum(replies[frame.number] == CANNOT for frame in foils)
    untold = sum(replies[frame.number] == CANNOT for frame in easy)
    chance = sum(guesses[frame.number] for frame in easy) / len(easy) if easy else 1.0
    blind, unchecked = [], []
    if _at_least(len(easy), len(easy), chance) > _SURE:
        unchecked.append(f"only {len(easy)} easy frames")
    elif _at_least(right, len(easy), chance) > _SURE:
        blind.append(f"{right} of {len(easy)} easy frames are right, no more than by lot")
    if 1.0 / math.comb(len(easy) + len(foils), len(foils)) > _SURE:
        unchecked.append(f"only {len(foils)} foils")
    elif _more_often(told, len(foils), untold, len(easy)) > _SURE:
        blind.append(f"{told} of {len(foils)} foils are told, and {untold} of {len(easy)} easy frames taken for such")
    return Sight(len(easy), right, len(foils), told, "; ".join(blind), " and ".join(unchecked))


def _at_least(hits: int, n: int, chance: float) -> float:
    """Probability of so many hits or more of ``n`` by lot."""
    return sum(math.comb(n, k) * chance**k * (1.0 - chance) ** (n - k) for k in range(hits, n + 1))


def _more_often(hits: int, n: int, others: int, m: int) -> float:
    """Probability of so many hits or more among ``n``, where ``hits + others`` fell on ``n + m`` by lot."""
    total = hits + others
    ways = sum(math.comb(n, k) * math.comb(m, total - k) for k in range(hits, min(n, total) + 1))
    return ways / math.comb(n + m, total)
