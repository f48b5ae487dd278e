"""Pairs of a noisy question and its clean twin: which episodes belong together, and how many a set has of each type.

The paper gives the shares of its 500 questions only as a picture. Its tables give the numbers away: the accuracy of n
questions is a multiple of 25 / n percent, and the rows of tables 1 and 2 leave one small n for each type but the first
two (position fits in five of seven rows; latent is what remains of 500).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.errors import UsageError
from vantage.registry import did_you_mean
from vantage.types import Episode, NoiseType, Truth, TruthQuestion

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


NOISY, CLEAN = "noisy", "clean"


@dataclass(frozen=True)
class PairMember:
    """One question of a pair."""

    episode: Episode
    truth: Truth

    @property
    def text(self) -> str:
        return self.episode.questions[0].text

    @property
    def gold(self) -> TruthQuestion:
        return self.truth.questions[0]


@dataclass(frozen=True)
class Pair:
    """A question with a false premise and its twin."""

    noisy: PairMember
    clean: PairMember


def episode_name(pair_id: str, half: str) -> str:
    """The episode id of one half of a pair."""
    return f"{pair_id}-{half}"


def pair_name(episode_id: str) -> tuple[str, str]:
    """The id of the pair that an episode belongs to, and which half it is; empty where its id tells no half."""
    pair_id, _, half = episode_id.rpartition("-")
    return (pair_id, half) if half in (NOISY, CLEAN) else (episode_id, "")


def pairs_of(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[dict[str, Pair], list[str]]:
    """All pairs by id, and what is wrong with the pairing, one sentence each."""
    halves: dict[str, dict[str, PairMember]] = {}
    problems: list[str] = []
    for episode in episode_set.episodes:
        pair_id, half = pair_name(episode.episode_id)
        if not half:
            problems.append(
                f"episode '{episode.episode_id}' is no half of a pair; its id must end with -noisy or -clean"
            )
        elif len(episode.questions) != 1:
            problems.append(f"episode '{episode.episode_id}' has {len(episode.questions)} questions; it needs one")
        else:
            halves.setdefault(pair_id, {})[half] = PairMember(episode, truths[episode.episode_id])
    pairs: dict[str, Pair] = {}
    for pair_id, found in halves.items():
        lacking = [half for half in (NOISY, CLEAN) if half not in found]
        if lacking:
            problems.append(f"pair '{pair_id}' has no {lacking[0]} half")
            continue
        noisy, clean = found[NOISY].episode, found[CLEAN].episode
        pairs[pair_id] = Pair(found[NOISY], found[CLEAN])
        problems += [
            f"the halves of pair '{pair_id}' differ in their {what}"
            for what, same in (
                ("scene", noisy.scene == clean.scene),
                ("start", noisy.start == clean.start),
                ("number of steps", noisy.max_steps == clean.max_steps),
            )
            if not same
        ]
    return pairs, problems
