"""Makes sets of pairs: homes are asked for noisy questions and their clean twins, with starts, oracles and goal images.

Everything that is random here is seeded by the set, the home and the place of the pair, so that it does not matter
which process makes which home.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vantage.benchmarks.labelling import (
    Label,
    StartSettings,
    VisibilitySettings,
    goal_truth,
    open_scene_world,
    unseen_places,
)
from vantage.benchmarks.noisyeqa.noisyeqa_scores import BENCHMARK
from vantage.benchmarks.noisyeqa.pair_drafts import Offer, in_balance, pair_drafts
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import (
    CLEAN,
    GOALS,
    NOISY,
    SCENES,
    EpisodeSet,
    Home,
    LabelledHome,
    Quota,
    SceneBounds,
    SetPlan,
    episode_name,
    labelled_episode,
    new_set_folder,
    save_labelled,
    still_wanted,
    write_goal,
)
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.questions.generation import Facts
from vantage.questions.noise import NoisyPair, UsualClaims, Wording
from vantage.splats import load_graph
from vantage.types import Episode, NoiseType, Truth
from vantage.workers import WorkerPool

_TRIPS = 8  # how often what was not found at homes is asked of others
_UNEVEN = 1.5  # of the mean number of pairs of a home, beyond which it gets no more
_STAGES = (  # whether claims are usual ones, whether words may not give pairs away, and whether quotas bound the types
    (True, True, True),
    (True, True, False),
    (True, False, False),
    (False, False, False),
)


@dataclass(frozen=True)
class HomeSettings:
    """What holds for every home of a set."""

    root: Path
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    starts: StartSettings
    phrasing: Wording
    plan: SetPlan


@dataclass(frozen=True)
class HomeOrder:
    """What is wanted of one home in a trip.

    Attributes:
        place: of the home in the set.
        home: how to make it.
        pairs: that viewpoints are to be found for.
        first: number of the first pair.
    """

    place: int
    home: Home
    trip: int
    pairs: tuple[NoisyPair, ...]
    first: int


@dataclass(frozen=True)
class HomeYield:
    """What a home gave.

    Attributes:
        made: episodes and gold data, the noisy half of a pair before the clean one.
    """

    place: int
    bounds: SceneBounds
    made: tuple[tuple[Episode, Truth], ...]


def make_set(
    common: HomeSettings,
    places: Sequence[Home],
    quotas: Mapping[NoiseType, Quota],
    workers: int,
    progress: Progress,
    exactly: bool,
) -> EpisodeSet:
    """Make the set in the folder ``common.root``.

    Args:
        places: the homes.
        quotas: how many pairs of each type of noise are wanted.
        workers: processes.
        exactly: whether it is an error that homes do not give as many pairs as are wanted, of whatever types.

    Raises:
        UsageError: the folder is not empty.
        SceneError: the homes do not give that many pairs, or none at all.
    """
    with new_set_folder(common.root) as root:
        given = _ask_homes(common, places, quotas, workers, progress)
        made = [half for trips in given for trip in trips for half in trip.made]
        if not made:
            raise SceneError("the homes give no pair of questions at all; use more scenes or rooms")
        total = _total(quotas)
        if exactly and len(made) // 2 < total:
            raise SceneError(too_few_pairs(len(places), total, len(made) // 2))
        found = _found(made)
        lacking = {kind: quota for kind, quota in quotas.items() if found[kind] < quota.least}
        if lacking:
            told = ", ".join(f"{found[kind]} of {quota.wanted} {kind.name}" for kind, quota in lacking.items())
            progress(f"only {told} pairs could be found that words do not give away; others take their places")
        bounds = {episode.scene: trip.bounds for trips in given for trip in trips for episode, _ in trip.made}
        return save_labelled(
            root, BENCHMARK, made, bounds, common.seed, common.visibility, common.settings, common.plan
        )


def _ask_homes(
    common: HomeSettings, places: Sequence[Home], quotas: Mapping[NoiseType, Quota], workers: int, progress: Progress
) -> list[list[HomeYield]]:
    """What each home gave, trip by trip: what could not be judged at one is made up for by other drafts in the next.

    False claims are usual ones that words do not give away, of each type as many as its quota allows; where homes do
    not give enough of these, more of the types of which they give more, other usual ones, and at last any.
    """
    given: list[list[HomeYield]] = [[] for _ in places]
    total = _total(quotas)
    most = math.ceil(_UNEVEN * total / len(places))
    workers = min(workers, len(places))
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        usual = UsualClaims.of_all(each(partial(make_home, common), places))
        offers: list[Offer] = []
        for stage, (claims, balanced, bounded) in enumerate(_STAGES):
            if stage == 0 or claims != _STAGES[stage - 1][0]:
                drafted = each(partial(draft_home, common, usual if claims else None, tuple(quotas)), enumerate(places))
                offers = [Offer(place, pair) for place, pairs in enumerate(drafted) for pair in pairs]
            for trip in range(stage * _TRIPS, (stage + 1) * _TRIPS):
                made = {place: [half for one in trips for half in one.made] for place, trips in enumerate(given)}
                found = _found([half for halves in made.values() for half in halves])
                limits = {kind: quota.most - found[kind] for kind, quota in quotas.items()} if bounded else None
                rng = np.random.default_rng([common.seed, trip])
                chosen = in_balance(offers, still_wanted(quotas, found), most, rng, made, balanced, limits)
                if not chosen:
                    break
                offers = [offer for offer in offers if not any(offer is one for one in chosen)]
                orders = _orders(places, trip, chosen, made)
                for number, result in enumerate(each(partial(label_home, common), orders), start=1):
                    given[result.place].append(result)
                    lost = len(orders[number - 1].pairs) - len(result.made) // 2
                    said = f"trip {trip + 1}: home {number} of {len(orders)}, {len(result.made) // 2} pairs"
                    progress(said + (f", {lost} not found" if lost else ""))
            if sum(len(one.made) for trips in given for one in trips) >= 2 * total:
                break
    return given


def _total(quotas: Mapping[NoiseType, Quota]) -> int:
    return sum(quota.wanted for quota in quotas.values())


def _found(made: Sequence[tuple[Episode, Truth]]) -> Counter[NoiseType]:
    """How many pairs of each type were made."""
    return Counter(truth.questions[0].noise_type for _, truth in made[::2])


def too_few_pairs(homes: int, wanted: int, found: int) -> str:
    """The sentence that tells that pairs are missing, and how many there can be."""
    return f"{homes} homes do not give {wanted} pairs; ask for at most {found} or for more scenes or noise types"


def _orders(
    places: Sequence[Home],
    trip: int,
    chosen: Sequence[Offer],
    made: Mapping[int, Sequence[tuple[Episode, Truth]]],
) -> list[HomeOrder]:
    """The chosen pairs of each home."""
    pairs = [tuple(offer.pair for offer in chosen if offer.home == place) for place in range(len(places))]
    return [
        HomeOrder(place, home, trip, pairs[place], len(made[place]) // 2 + 1)
        for place, home in enumerate(places)
        if pairs[place]
    ]


def make_home(common: HomeSettings, home: Home) -> UsualClaims:
    """Make a home, and tell what is true in it.

    Raises:
        SceneError, FormatError: no home can be made from its seed or file.
    """
    home.write(common.root / SCENES)
    return UsualClaims.of(_facts(common, home.name))


def _facts(common: HomeSettings, name: str) -> Facts:
    return Facts(load_graph(common.root / SCENES / name), common.settings.relations)


def draft_home(
    common: HomeSettings, usual: UsualClaims | None, types: Sequence[NoiseType], numbered: tuple[int, Home]
) -> tuple[NoisyPair, ...]:
    """Drafts of each type about a home.

    Args:
        usual: what is true in the homes of the set; None for any claims.
        numbered: place of the home in the set, and how to make it.
    """
    place, home = numbered
    facts = _facts(common, home.name)
    stage = int(usual is None)
    rngs = [np.random.default_rng([common.seed, place, turn, stage]) for turn in range(len(types))]
    drafts = (pair_drafts(facts, kind, rng, common.phrasing, usual) for kind, rng in zip(types, rngs, strict=True))
    return tuple(pair for each in drafts for pair in each)


def label_home(common: HomeSettings, order: HomeOrder) -> HomeYield:
    """Those of the wanted pairs that can be judged from where the camera can go."""
    name, settings = order.home.name, common.settings
    with closing(open_scene_world(settings, common.root / SCENES)) as world:
        home = LabelledHome.of(
            world, common.root, name, settings, common.visibility, common.starts, order.home.seed, centered=True
        )
        steps = common.plan.budget.steps_in(common.root / SCENES / name)
        made: list[tuple[Episode, Truth]] = []
        for turn, pair in enumerate(order.pairs):
            rng = np.random.default_rng([common.seed, order.place, order.trip, turn, 1])
            labels = _labels(home, pair, rng)
            if labels is None:
                continue
            number, seed = order.first + len(made) // 2, int(rng.integers(2**31))
            for question, label, half in zip((pair.noisy, pair.clean), labels, (NOISY, CLEAN), strict=True):
                episode_id = episode_name(f"{name}-{number:02d}", half)
                made.append(labelled_episode(episode_id, BENCHMARK, name, question, label, steps, seed))
                write_goal(common.root / GOALS / f"{episode_id}.png", label)
        return HomeYield(order.place, home.bounds, tuple(made))


def _labels(home: LabelledHome, pair: NoisyPair, rng: np.random.Generator) -> tuple[Label, ...] | None:
    """One start for both questions of a pair; None where there is none."""
    noisy, clean = pair.noisy.truth, pair.clean.truth
    labels = home.labeller.label_together((goal_truth(noisy, clean), clean), rng)
    if labels is None or any(unseen_places(noisy, clean, home.graph, home.labeller, labels[0].start)):
        return None
    return labels
