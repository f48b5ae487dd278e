"""How many questions of each noise type a set holds, and which home is asked for which.

The paper gives the shares of its 500 questions only as a picture. Its tables give the numbers away: the accuracy of n
questions is a multiple of 25 / n percent, and the rows of tables 1 and 2 leave one small n for each type but the first
two (position fits in five of seven rows; latent is what remains of 500).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from vantage.errors import UsageError
from vantage.registry import did_you_mean
from vantage.types import NoiseType

TYPES = (
    NoiseType.LATENT,
    NoiseType.POSITION,
    NoiseType.COLOR,
    NoiseType.SHAPE,
    NoiseType.COUNT,
    NoiseType.MATERIAL,
    NoiseType.PERCEPTION,
    NoiseType.SEMANTIC,
)
PAPER: Mapping[NoiseType, float] = dict(zip(TYPES, (91, 150, 55, 31, 29, 25, 70, 49), strict=True))
EVEN: Mapping[NoiseType, float] = dict.fromkeys(TYPES, 1.0)
_NAMED = {"paper": PAPER, "even": EVEN}


def shares_of(text: str) -> Mapping[NoiseType, float]:
    """``paper``, ``even``, or weights such as ``latent=2,color=1``; types that are not named get none.

    Raises:
        UsageError: an unknown name, or weights that are no numbers from 0 with a positive sum.
    """
    if text in _NAMED:
        return _NAMED[text]
    if "=" not in text:
        raise UsageError(f"unknown shares '{text}'{did_you_mean(text, sorted(_NAMED))}; or give latent=2,color=1,...")
    weights: dict[NoiseType, float] = {}
    for part in text.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        known = {kind.name.lower(): kind for kind in TYPES}
        if name.lower() not in known:
            raise UsageError(f"unknown noise type '{name}' in the shares{did_you_mean(name.lower(), sorted(known))}")
        try:
            weights[known[name.lower()]] = float(value)
        except ValueError:
            raise UsageError(f"the share of '{name}' is '{value}', which is no number") from None
    return checked_shares(weights)


def checked_shares(weights: Mapping[NoiseType, float]) -> Mapping[NoiseType, float]:
    """The weights themselves.

    Raises:
        UsageError: one is negative or not finite, of a type that cannot be asked for, or all are 0.
    """
    strange = sorted(kind.name for kind in weights if kind not in TYPES)
    if strange:
        raise UsageError(f"{strange[0]} is no type of false premise; give shares of {', '.join(t.name for t in TYPES)}")
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights.values()) or not sum(weights.values()):
        raise UsageError("shares must be numbers from 0, and one of them above 0")
    return weights


def numbers_of(pairs: int, shares: Mapping[NoiseType, float]) -> dict[NoiseType, int]:
    """How many of ``pairs`` each type gets: by the largest remainder, so that they add up."""
    total = sum(shares.values())
    exact = {kind: pairs * shares.get(kind, 0.0) / total for kind in TYPES}
    numbers = {kind: math.floor(value) for kind, value in exact.items()}
    by_rest = sorted(TYPES, key=lambda kind: (numbers[kind] - exact[kind], TYPES.index(kind)))
    for kind in by_rest[: pairs - sum(numbers.values())]:
        numbers[kind] += 1
    return numbers


def dealt(numbers: Mapping[NoiseType, int], homes: int) -> list[list[NoiseType]]:
    """One type after the other, dealt out like cards: every home gets about its share of each."""
    hands: list[list[NoiseType]] = [[] for _ in range(homes)]
    cards = [kind for kind in TYPES for _ in range(numbers[kind])]
    for place, kind in enumerate(cards):
        hands[place % homes].append(kind)
    return hands


def dealt_again(
    missing: Iterable[NoiseType], refused: Sequence[set[NoiseType]], made: Sequence[int]
) -> tuple[list[list[NoiseType]], list[NoiseType]]:
    """What some homes did not give, dealt to others: to those with the fewest pairs that have not refused the type.

    Returns:
        The new hands of all homes, and what none of them can give.
    """
    hands: list[list[NoiseType]] = [[] for _ in made]
    left: list[NoiseType] = []
    for kind in missing:
        homes = [k for k in range(len(made)) if kind not in refused[k]]
        if not homes:
            left.append(kind)
            continue
        hands[min(homes, key=lambda k: (made[k] + len(hands[k]), hands[k].count(kind), k))].append(kind)
    return hands, left
