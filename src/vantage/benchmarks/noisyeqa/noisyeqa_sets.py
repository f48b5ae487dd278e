"""Makes sets of pairs: homes are asked for noisy questions and their clean twins, with starts, oracles and goal images.

Everything that is random here is seeded by the set, the home and the place of the pair, so that it does not matter
which process makes which home.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
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
from vantage.benchmarks.noisyeqa.pair_drafts import Offer, asked_before, in_balance, pair_drafts, pair_keys
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import (
    CLEAN,
    GOALS,
    NOISY,
    SCENES,
    TYPES,
    EpisodeSet,
    Home,
    LabelledHome,
    SceneBounds,
    SetPlan,
    episode_name,
    labelled_episode,
    new_set_folder,
    numbers_of,
    reassigned_types,
    save_labelled,
    types_of_homes,
    write_goal,
)
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.questions.generation import Facts
from vantage.questions.noise import NoisyPair, UsualClaims, Wording
from vantage.splats import load_graph
from vantage.types import Episode, NoiseType, Truth
from vantage.workers import WorkerPool

_TRIPS = 5  # how often what one home did not give is asked of others
_ASKED_OF = 8  # homes whose drafts each wanted pair is drawn from
_LOOKED_AT = 6  # drafts of a wanted pair for which a home looks for viewpoints, before it is asked of another home
_UNEVEN = 1.5  # of the mean number of pairs of a home, beyond which it gets no more if others have drafts


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
    """What is wanted of one home.

    Attributes:
        place: of the home in the set.
        home: how to make it.
        wanted: noise types, each once to draft pairs of it, then once for each pair.
        asked: what it was asked before, as ``asked_before`` has it.
        first: number of the first pair.
        offered: drafts of each wanted pair, in the order in which they are looked at; empty before they are drawn.
    """

    place: int
    home: Home
    trip: int
    wanted: tuple[NoiseType, ...]
    asked: frozenset[str]
    first: int
    offered: tuple[tuple[NoisyPair, ...], ...] = ()

    @property
    def name(self) -> str:
        return self.home.name


@dataclass(frozen=True)
class HomeYield:
    """What a home gave.

    Attributes:
        made: episodes and gold data, the noisy half of a pair before the clean one.
        missing: wanted types for which nothing was found.
    """

    place: int
    bounds: SceneBounds
    made: tuple[tuple[Episode, Truth], ...]
    missing: tuple[NoiseType, ...]


def make_set(
    common: HomeSettings,
    places: Sequence[Home],
    numbers: Mapping[NoiseType, int],
    workers: int,
    progress: Progress,
    exactly: bool,
) -> EpisodeSet:
    """Make the set in the folder ``common.root``.

    Args:
        places: the homes.
        numbers: how many pairs of each type of noise are wanted.
        workers: processes.
        exactly: whether it is an error that homes do not give all that is wanted.

    Raises:
        UsageError: the folder is not empty.
        SceneError: the homes do not give that many pairs of every type, or none at all.
    """
    with new_set_folder(common.root) as root:
        given = _ask_homes(common, places, numbers, workers, progress, exactly)
        made = [half for trips in given for trip in trips for half in trip.made]
        if not made:
            raise SceneError("the homes give no pair of questions at all; use more scenes or rooms")
        bounds = {episode.scene: trip.bounds for trips in given for trip in trips for episode, _ in trip.made}
        return save_labelled(
            root, BENCHMARK, made, bounds, common.seed, common.visibility, common.settings, common.plan
        )


def _ask_homes(
    common: HomeSettings,
    places: Sequence[Home],
    numbers: Mapping[NoiseType, int],
    workers: int,
    progress: Progress,
    exactly: bool,
) -> list[list[HomeYield]]:
    """What each home gave, trip by trip: first all are asked for their share, then for what others did not give.

    False claims are usual ones; in the last trip, or once no home gives more of these, they may be any.
    """
    given: list[list[HomeYield]] = [[] for _ in places]
    refused: list[set[NoiseType]] = [set() for _ in places]
    asked, left = types_of_homes(numbers, len(places)), list[NoiseType]()
    workers = min(workers, len(places))
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        usual: UsualClaims | None = UsualClaims.of_all(each(partial(make_home, common), places))
        for trip in range(_TRIPS):
            orders = _orders(places, trip, asked, refused, given)
            offered = list(each(partial(draft_home, common, usual), orders))
            made = [half for trips in given for one in trips for half in one.made]
            rng = np.random.default_rng([common.seed, trip])
            orders, missing = _drawn(orders, offered, asked, refused, rng, made)
            for number, result in enumerate(each(partial(label_home, common), orders), start=1):
                given[result.place].append(result)
                refused[result.place] |= set(result.missing)
                missing += result.missing
                said = f"trip {trip + 1}: home {number} of {len(orders)}, {len(result.made) // 2} pairs"
                progress(said + (f", {len(result.missing)} not found" if result.missing else ""))
            counts = [sum(len(result.made) // 2 for result in results) for results in given]
            asked, hopeless = reassigned_types(missing, refused, counts)
            left += hopeless
            if usual is not None and (trip == _TRIPS - 2 or not any(asked)):
                usual, refused = None, [set() for _ in places]
                asked, left = reassigned_types([*left, *(kind for types in asked for kind in types)], refused, counts)
            if not any(asked):
                break
    left += [kind for types in asked for kind in types]
    if left and exactly:
        raise SceneError(too_few_pairs(len(places), numbers, left))
    return given


def too_few_pairs(homes: int, numbers: Mapping[NoiseType, int], left: Sequence[NoiseType]) -> str:
    """The sentence that tells what is missing, and how many pairs of the same shares there can be.

    Args:
        numbers: how many pairs of each type were wanted.
        left: the types of those that were not made.
    """
    lacking = ", ".join(f"{left.count(kind)} of {numbers[kind]} {kind.name}" for kind in TYPES if kind in left)
    total = sum(numbers.values())
    found = {kind: number - left.count(kind) for kind, number in numbers.items()}
    shares = {kind: float(number) for kind, number in numbers.items()}
    most = next((n for n in range(total, 0, -1) if _within(numbers_of(n, shares), found)), 0)
    possible = most and all(found[kind] for kind, number in numbers.items() if number)
    fewer = f"at most {most} pairs" if possible else "other shares"
    return f"{homes} homes do not give {total} pairs: {lacking} are missing; ask for {fewer} or more scenes"


def _within(wanted: Mapping[NoiseType, int], found: Mapping[NoiseType, int]) -> bool:
    return all(number <= found[kind] for kind, number in wanted.items())


def _orders(
    places: Sequence[Home],
    trip: int,
    asked: Sequence[Sequence[NoiseType]],
    refused: Sequence[Collection[NoiseType]],
    given: Sequence[Sequence[HomeYield]],
) -> list[HomeOrder]:
    """The types that each home is to draft: those wanted of it and, as a choice, of homes before it."""
    wanted: list[dict[NoiseType, None]] = [{} for _ in places]
    for place, types in enumerate(asked):
        for kind in types:
            for other in _homes_for(place, kind, refused):
                wanted[other][kind] = None
    orders = []
    for k, home in enumerate(places):
        made = [half for result in given[k] for half in result.made]
        orders.append(HomeOrder(k, home, trip, tuple(wanted[k]), asked_before(made), len(made) // 2 + 1))
    return orders


def _homes_for(place: int, kind: NoiseType, refused: Sequence[Collection[NoiseType]]) -> list[int]:
    """The homes that draft a pair: the one that it is wanted of and the next ones that have not refused its type."""
    homes = [(place + k) % len(refused) for k in range(len(refused))]
    return [home for home in homes if kind not in refused[home]][:_ASKED_OF]


def _drawn(
    orders: Sequence[HomeOrder],
    offered: Sequence[tuple[tuple[NoisyPair, ...], ...]],
    asked: Sequence[Sequence[NoiseType]],
    refused: Sequence[set[NoiseType]],
    rng: np.random.Generator,
    made: Sequence[tuple[Episode, Truth]],
) -> tuple[list[HomeOrder], list[NoiseType]]:
    """What is asked of each home now, with its drafts in the order of the lots, and types of which nobody has any."""
    drafts = [dict(zip(order.wanted, pairs, strict=True)) for order, pairs in zip(orders, offered, strict=True)]
    wanted: list[NoiseType] = []
    choices: list[list[Offer]] = []
    missing: list[NoiseType] = []
    for place, types in enumerate(asked):
        for kind in types:
            offers = [Offer(home, pair) for home in _homes_for(place, kind, refused) for pair in drafts[home][kind]]
            if offers:
                wanted.append(kind)
                choices.append(offers)
            else:
                missing.append(kind)
    for home, found in enumerate(drafts):
        refused[home] |= {kind for kind, pairs in found.items() if not pairs}
    taken: list[list[tuple[NoiseType, tuple[NoisyPair, ...]]]] = [[] for _ in orders]
    most = math.ceil(_UNEVEN * len(wanted) / len(orders))
    for kind, offers in zip(wanted, in_balance(choices, rng, made), strict=True):
        home = next((offer.home for offer in offers if len(taken[offer.home]) < most), offers[0].home)
        taken[home].append((kind, tuple(offer.pair for offer in offers if offer.home == home)))
    return [
        replace(order, wanted=tuple(kind for kind, _ in pairs), offered=tuple(drafted for _, drafted in pairs))
        for order, pairs in zip(orders, taken, strict=True)
        if pairs
    ], missing


def make_home(common: HomeSettings, home: Home) -> UsualClaims:
    """Make a home, and tell what is true in it.

    Raises:
        SceneError, FormatError: no home can be made from its seed or file.
    """
    home.write(common.root / SCENES)
    return UsualClaims.of(_facts(common, home.name))


def _facts(common: HomeSettings, name: str) -> Facts:
    return Facts(load_graph(common.root / SCENES / name), common.settings.relations)


def draft_home(common: HomeSettings, usual: UsualClaims | None, order: HomeOrder) -> tuple[tuple[NoisyPair, ...], ...]:
    """Drafts of each type that a home is asked for.

    Args:
        usual: what is true in the homes of the set; None for any claims.
    """
    facts = _facts(common, order.name)
    return tuple(
        pair_drafts(facts, noise, _rng(common, order, turn), common.phrasing, usual, order.asked)
        for turn, noise in enumerate(order.wanted)
    )


def _rng(common: HomeSettings, order: HomeOrder, turn: int, *more: int) -> np.random.Generator:
    return np.random.default_rng([common.seed, order.place, order.trip, turn, *more])


def label_home(common: HomeSettings, order: HomeOrder) -> HomeYield:
    """Of each wanted pair the first draft that can be judged from where the camera can go."""
    name, settings = order.name, common.settings
    with closing(open_scene_world(settings, common.root / SCENES)) as world:
        home = LabelledHome.of(
            world, common.root, name, settings, common.visibility, common.starts, order.home.seed, centered=True
        )
        steps = common.plan.budget.steps_in(common.root / SCENES / name)
        asked = set(order.asked)
        made: list[tuple[Episode, Truth]] = []
        missing = []
        for turn, (noise, drafts) in enumerate(zip(order.wanted, order.offered, strict=True)):
            rng = _rng(common, order, turn, 1)
            found = _first_labelled(home, drafts, asked, rng)
            if found is None:
                missing.append(noise)
                continue
            pair, labels = found
            asked |= pair_keys(pair)
            number, seed = order.first + len(made) // 2, int(rng.integers(2**31))
            for question, label, half in zip((pair.noisy, pair.clean), labels, (NOISY, CLEAN), strict=True):
                episode_id = episode_name(f"{name}-{number:02d}", half)
                made.append(labelled_episode(episode_id, BENCHMARK, name, question, label, steps, seed))
                write_goal(common.root / GOALS / f"{episode_id}.png", label)
        return HomeYield(order.place, home.bounds, tuple(made), tuple(missing))


def _first_labelled(
    home: LabelledHome, drafts: Sequence[NoisyPair], asked: Collection[str], rng: np.random.Generator
) -> tuple[NoisyPair, tuple[Label, ...]] | None:
    """A new pair with one start for both questions; None where there is none."""
    new = (pair for pair in drafts if pair_keys(pair).isdisjoint(asked))
    for pair in islice(new, _LOOKED_AT):
        noisy, clean = pair.noisy.truth, pair.clean.truth
        labels = home.labeller.label_together((goal_truth(noisy, clean), clean), rng)
        if labels is None or any(unseen_places(noisy, clean, home.graph, home.labeller, labels[0].start)):
            continue
        return pair, labels
    return None
