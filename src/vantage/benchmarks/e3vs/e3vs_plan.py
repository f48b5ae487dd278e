"""What a set consists of: its splits and their sizes, the categories of its questions, and what decides its labels.

Sizes and shares are those of E3VS-Bench (arXiv 2604.17969): 99 scenes, 2,014 episodes of 1,290 question-answer pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.sets import Home
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.questions import QuestionKind
from vantage.scenes.generator import USUAL_LAYOUT, HomeLayout

BENCHMARK = "e3vs"
MAX_STEPS = 25
OS, OST, OA, CGS, SR, CNT = "OS", "OST", "OA", "CGS", "SR", "CNT"
SHARES: Mapping[str, float] = {  # of the published test episodes
    OS: 116 / 377,
    OST: 44 / 377,
    OA: 55 / 377,
    CGS: 30 / 377,
    SR: 32 / 377,
    CNT: 100 / 377,
}
TITLES = {
    OS: "object search",
    OST: "object state",
    OA: "object attribute",
    CGS: "context-guided search",
    SR: "spatial reasoning",
    CNT: "counting",
}
CATEGORIES: Mapping[str, str] = {  # by what ``questions.generation.category_of`` calls them
    "object": OS,
    "state": OST,
    "attribute": OA,
    "use": CGS,
    "relation": SR,
    "count": CNT,
}
KINDS: Mapping[str, tuple[QuestionKind, ...]] = {  # of questions among which those of a category are found
    OS: (QuestionKind.LOCATION, QuestionKind.EXISTENCE, QuestionKind.ROOM),
    OST: (QuestionKind.STATE,),
    OA: (QuestionKind.COLOR, QuestionKind.MATERIAL, QuestionKind.SHAPE, QuestionKind.SIZE, QuestionKind.TEXT),
    CGS: (QuestionKind.USE,),
    SR: (QuestionKind.RELATION, QuestionKind.COMPARISON, QuestionKind.SUPERLATIVE),
    CNT: (QuestionKind.COUNT, QuestionKind.SAMENESS),
}


@dataclass(frozen=True)
class SplitSize:
    """How many homes, episodes and question-answer pairs a split has."""

    name: str
    homes: int
    episodes: int
    pairs: int


PUBLISHED = (SplitSize("train", 68, 1406, 900), SplitSize("val", 10, 231, 132), SplitSize("test", 21, 377, 258))
SPLITS = tuple(size.name for size in PUBLISHED)


def split_sizes(homes: int, episodes: int, pairs: int) -> tuple[SplitSize, ...]:
    """Sizes of the splits of a set, in the shares of the published ones. Few homes are given to test first, then to
    train, then to val; a split without homes is left out.

    Raises:
        UsageError: a split would have no home, or fewer episodes than pairs or pairs than homes.
    """
    if homes < 1 or not homes <= pairs <= episodes:
        raise UsageError(
            f"cannot make {episodes} episodes of {pairs} question-answer pairs in {homes} homes; "
            "give at least one pair a home and one episode a pair"
        )
    whole = SplitSize("all", *(sum(getattr(size, key) for size in PUBLISHED) for key in ("homes", "episodes", "pairs")))
    train, val, test = PUBLISHED
    tested = max(1, round(homes * test.homes / whole.homes))
    tried = min(homes - tested - 1, max(1, round(homes * val.homes / whole.homes))) if homes > tested else 0
    sizes = []
    for size, mine in ((train, homes - tested - tried), (val, tried), (test, tested)):
        usual = homes == whole.homes
        of_episodes = size.episodes / whole.episodes if usual else mine / homes
        of_pairs = size.pairs / whole.pairs if usual else mine / homes
        if mine:
            sizes.append(SplitSize(size.name, mine, math.ceil(episodes * of_episodes), math.ceil(pairs * of_pairs)))
    return tuple(sizes)


@dataclass(frozen=True)
class LabelSettings:
    """What decides which questions and starts a home gives.

    Attributes:
        visibility: what a view must show to answer.
        max_steps: actions of an episode.
        fewest_actions: of an oracle, so that no episode is solved at once.
        most_actions: of an oracle, about half of ``max_steps``, so that who does not know the way can find it in time.
        candidates: views of a question that are labelled answering or not.
        starts: tried for one question. kept: starts of these that the set may choose from.
        things: fewest things of a home. room: fewest positions that its camera has.
        most_words: of an answer.
    """

    visibility: VisibilitySettings
    max_steps: int = MAX_STEPS
    fewest_actions: int = 3
    most_actions: int = 12
    candidates: int = 24
    starts: int = 14
    kept: int = 4
    things: int = 12
    room: int = 150
    most_words: int = 8


@dataclass(frozen=True)
class HomePlan:
    """What a worker needs to know of any home.

    Attributes:
        root: folder of the set.
        quotas: how many questions of each category are to be found in a home.
        model: ``NAME:WHICH`` that asks about captures without a graph; empty where there is none.
        layout: of generated homes.
    """

    root: Path
    seed: int
    settings: Settings
    labels: LabelSettings
    quotas: Mapping[str, int]
    model: str = ""
    layout: HomeLayout = USUAL_LAYOUT

    @property
    def stages(self) -> Path:
        """Where the results of the stages lie; hidden, so that no set counts them among its files."""
        return self.root / ".stages"


@dataclass(frozen=True)
class SetRequest:
    """What set to make.

    Attributes:
        homes: in the order of preference; those that curation refuses are replaced by later ones.
        sizes: of the splits.
        told: what the request is, as plain data, so that another one is not taken for its continuation.
    """

    homes: Sequence[Home]
    sizes: tuple[SplitSize, ...]
    plan: HomePlan
    told: Mapping[str, Any]


def quotas_of(sizes: Sequence[SplitSize], surplus: float = 2.0) -> dict[str, int]:
    """Questions of each category that each home is asked for: ``surplus`` times what the set takes on average, so that
    answers can be balanced."""
    pairs, homes = sum(size.pairs for size in sizes), sum(size.homes for size in sizes)
    return {category: math.ceil(surplus * share * pairs / homes) for category, share in SHARES.items()}
