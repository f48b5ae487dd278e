"""Chooses the questions and starts of a split among what its homes offer.

Categories get their shares. Within one, kinds take turns and no answer becomes common, so that words tell little;
homes get about as many questions each, and of what is left the harder episode is taken. No offer is dropped for being
answered rightly without a look: that would make the likely answer wrong.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.benchmarks.e3vs.candidates import Offer
from vantage.benchmarks.e3vs.e3vs_plan import SHARES, SplitSize
from vantage.benchmarks.e3vs.graph_stages import hardness, oracle_steps

_MOST_COMMON = 0.35  # of the questions of a kind, that one answer may have
_UNEVEN = 1.6  # of the mean number of questions of a home, beyond which it gets no more
_LIKELY = (8, 15)  # between which the middle oracle should lie


@dataclass(frozen=True)
class Selection:
    """What was chosen: episodes in the order of their homes, and how many pairs and episodes were left, by the reason."""

    offers: tuple[Offer, ...]
    left: Mapping[str, int]

    @property
    def pairs(self) -> int:
        return len({offer.truth.pair_id for offer in self.offers})


def select(offers: Sequence[Offer], size: SplitSize, rng: np.random.Generator) -> Selection:
    """As many pairs and episodes as a split wants, or all that there are."""
    starts: dict[str, list[Offer]] = defaultdict(list)
    for offer in offers:
        starts[offer.truth.pair_id].append(offer)
    chosen = _pairs(starts, size, rng)
    left = {"pairs that balance leaves": len(starts) - len(chosen)}
    picked = _episodes(starts, chosen, size)
    left["episodes that balance leaves"] = len(offers) - len(picked)
    return Selection(tuple(sorted(picked, key=lambda offer: offer.episode.episode_id)), left)


def shares_of(total: int, available: Mapping[str, int]) -> dict[str, int]:
    """How many of a total each category gets by its share; what one lacks, the others get."""
    wanted = {category: 0 for category in SHARES}
    while sum(wanted.values()) < min(total, sum(available.values())):
        open_ones = [category for category in SHARES if wanted[category] < available.get(category, 0)]
        wanted[min(open_ones, key=lambda category: (wanted[category] + 0.5) / SHARES[category])] += 1
    return wanted


def _pairs(starts: Mapping[str, Sequence[Offer]], size: SplitSize, rng: np.random.Generator) -> list[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for pair, members in starts.items():
        groups[members[0].question.category].append(pair)
    wanted = shares_of(size.pairs, {category: len(members) for category, members in groups.items()})
    homes: Counter[str] = Counter()
    most = math.ceil(_UNEVEN * size.pairs / size.homes)
    lot = dict(zip(starts, rng.random(len(starts)).tolist(), strict=True))
    chosen: list[str] = []
    for category in sorted(groups, key=lambda name: len(groups[name]) - wanted[name]):
        kinds: Counter[str] = Counter()
        answers: Counter[tuple[str, str]] = Counter()
        left = set(groups[category])
        for _ in range(wanted[category]):

            def worth(pair: str) -> tuple[bool, float]:
                first = starts[pair][0]
                kind, answer, home = first.question.kind, first.question.answer, first.episode.scene
                common = answers[kind, answer] > _MOST_COMMON * (kinds[kind] + 1)
                load = 0.6 * homes[home] / most + 0.5 * kinds[kind] / max(1, max(kinds.values(), default=1))
                told = answers[kind, answer] / (kinds[kind] + 1)
                hard = max(hardness(offer.truth) for offer in starts[pair])
                return common or homes[home] >= most, load + told - 0.25 * hard + 0.1 * lot[pair]

            pair = min(left, key=lambda pair: (*worth(pair), pair))
            left.discard(pair)
            first = starts[pair][0]
            kinds[first.question.kind] += 1
            answers[first.question.kind, first.question.answer] += 1
            homes[first.episode.scene] += 1
            chosen.append(pair)
    return chosen


def _episodes(starts: Mapping[str, Sequence[Offer]], chosen: Sequence[str], size: SplitSize) -> list[Offer]:
    """One start of each pair, then further ones by the shares of the categories, the harder ones first."""
    middle = sum(_LIKELY) / 2
    ordered = {
        pair: sorted(starts[pair], key=lambda offer: (-hardness(offer.truth), abs(oracle_steps(offer) - middle)))
        for pair in chosen
    }
    first = [ordered[pair][0] for pair in chosen]
    further: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for pair, members in ordered.items():
        for turn, offer in enumerate(members[1:], start=1):
            further[offer.question.category].append((turn, -hardness(offer.truth), pair))
    available = Counter(offer.question.category for offer in first)
    total = {category: available[category] + len(further[category]) for category in available}
    wanted = shares_of(size.episodes, total)
    picked = list(first)
    for category, options in further.items():
        number = max(0, wanted[category] - available[category])
        picked += [ordered[pair][turn] for turn, _, pair in sorted(options)[:number]]
    return picked
