"""The choice of questions and starts: shares, lengths of oracles, and what limited cameras fail at."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from vantage.benchmarks.e3vs.balanced_selection import Selection, select, shares_of
from vantage.benchmarks.e3vs.candidates import Offer
from vantage.benchmarks.e3vs.e3vs_plan import SHARES, SplitSize
from vantage.benchmarks.labelling import HEIGHT, LEVEL, PITCHED
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question, Truth, TruthQuestion

WAYS = (LEVEL, HEIGHT, PITCHED, "all")
STARTS = (3, 6, 9, 12)  # actions of the oracles of each pair's starts


def offers(steep: frozenset[int] = frozenset(), pairs: int = 24) -> list[Offer]:
    """``pairs`` questions of each category in four homes, with four starts each; a camera that looks up or down is
    needed for those whose numbers are ``steep``."""
    made = []
    for category in SHARES:
        for number in range(pairs):
            home, pair = f"home_{number % 4}", f"{category}-{number:02d}"
            gold = TruthQuestion("q1", "location", f"on the {number % 7}", category=category)
            solved = ("all",) if number in steep else WAYS
            for length in STARTS:
                name = f"{pair}-{length:02d}"
                start = Viewpoint(float(length), 0.0, 1.0, 0.0, 0.0)
                episode = Episode(name, "e3vs", home, start, (Question("q1", pair),), 25)
                actions = ("move_forward",) * length
                truth = Truth(name, (gold,), start, actions, 0.25 * length, pair_id=pair, solved_by=solved)
                made.append(Offer(episode, truth))
    return made


def chosen(given: list[Offer], seed: int = 1) -> Selection:
    return select(given, SplitSize("test", 4, 90, 60), np.random.default_rng(seed))


def test_categories_have_their_shares_and_the_same_seed_gives_the_same_choice() -> None:
    found = chosen(offers())
    assert (len(found.offers), found.pairs) == (90, 60)
    number = Counter(offer.question.category for offer in found.offers)
    for category, share in SHARES.items():
        assert number[category] / 90 == pytest.approx(share, abs=0.03)
    assert chosen(offers()) == found
    assert chosen(offers(), seed=2) != found


def test_the_lengths_of_oracles_are_spread() -> None:
    lengths = Counter(len(offer.truth.oracle_actions or ()) for offer in chosen(offers()).offers)
    assert set(lengths) == set(STARTS)
    assert max(lengths.values()) <= 0.5 * 90


def test_what_only_a_look_up_or_down_shows_comes_first() -> None:
    steep = frozenset(range(0, 24, 8))
    picked = Counter(offer.truth.pair_id for offer in chosen(offers(steep)).offers)
    hard = [number for pair, number in picked.items() if int(pair[-2:]) in steep]
    others = [number for pair, number in picked.items() if int(pair[-2:]) not in steep]
    assert np.mean(hard) > 1.5 * np.mean(others)


def test_each_category_has_one_before_any_has_two() -> None:
    wanted = shares_of(7, dict.fromkeys(SHARES, 10))
    assert set(wanted.values()) == {1, 2}
    assert sum(wanted.values()) == 7
    assert set(shares_of(len(SHARES), dict.fromkeys(SHARES, 10)).values()) == {1}
    assert shares_of(7, {**dict.fromkeys(SHARES, 10), "CGS": 0})["CGS"] == 0


def test_what_one_category_lacks_the_others_get() -> None:
    wanted = shares_of(60, {category: 100 for category in SHARES if category != "CNT"} | {"CNT": 2})
    assert sum(wanted.values()) == 60
    assert wanted["CNT"] == 2
