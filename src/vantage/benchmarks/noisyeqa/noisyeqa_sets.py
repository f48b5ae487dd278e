"""Makes sets of pairs: homes are asked for noisy questions and their clean twins, with starts, oracles and goal images.

Everything that is random here is seeded by the set, the home and the place of the pair, so that it does not matter
which process makes which home.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
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
from vantage.benchmarks.noisyeqa.pair_drafts import Drafts, asked_before, in_balance, pair_drafts, pair_keys
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

_TRIPS = 4  # how often what one home did not give is asked of others


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
        wanted: noise types, one a pair.
        asked: what it was asked before, as ``asked_before`` has it.
        first: number of the first pair.
        offered: drafts of each wanted pair, in the order in which they are looked at.
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
    """What each home gave, trip by trip: first all are asked for their share, then for what others did not give."""
    given: list[list[HomeYield]] = [[] for _ in places]
    refused: list[set[NoiseType]] = [set() for _ in places]
    asked, left = types_of_homes(numbers, len(places)), []
    workers = min(workers, len(places))
    with WorkerPool(workers) if workers > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        usual = UsualClaims.of_all(each(partial(make_home, common), places))
        for trip in range(_TRIPS):
            orders = [
                _order(k, places[k], trip, types, given[k]) for k, types in enumerate(asked) if types or trip == 0
            ]
            offered = list(each(partial(draft_home, common, usual), orders))
            made = [half for trips in given for one in trips for half in one.made]
            orders = _balanced(orders, offered, np.random.default_rng([common.seed, trip]), made)
            missing: list[NoiseType] = []
            for number, result in enumerate(each(partial(label_home, common), orders), start=1):
                given[result.place].append(result)
                refused[result.place] |= set(result.missing)
                missing += result.missing
                said = f"trip {trip + 1}: home {number} of {len(orders)}, {len(result.made) // 2} pairs"
                progress(said + (f", {len(result.missing)} not found" if result.missing else ""))
            counts = [sum(len(result.made) // 2 for result in results) for results in given]
            asked, hopeless = reassigned_types(missing, refused, counts)
            left += hopeless
            if not any(asked):
                break
    left += [kind for types in asked for kind in types]
    if left and exactly:
        lacking = ", ".join(f"{left.count(kind)} of {numbers[kind]} {kind.name}" for kind in TYPES if kind in left)
        raise SceneError(
            f"{len(places)} homes do not give enough pairs: {lacking} are missing; "
            "ask for more scenes, fewer pairs or other shares"
        )
    return given


def _order(place: int, home: Home, trip: int, wanted: Sequence[NoiseType], before: Sequence[HomeYield]) -> HomeOrder:
    made = [half for result in before for half in result.made]
    return HomeOrder(place, home, trip, tuple(wanted), asked_before(made), len(made) // 2 + 1)


def _balanced(
    orders: Sequence[HomeOrder],
    offered: Sequence[tuple[Drafts, ...]],
    rng: np.random.Generator,
    made: Sequence[tuple[Episode, Truth]],
) -> list[HomeOrder]:
    """The orders with what was drafted for them; lots are drawn for all homes together."""
    owners = [k for k, drafts in enumerate(offered) for _ in drafts]
    ordered = in_balance([each for drafts in offered for each in drafts], owners, rng, made)
    return [
        replace(order, offered=tuple(pairs for pairs, owner in zip(ordered, owners, strict=True) if owner == k))
        for k, order in enumerate(orders)
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


def draft_home(common: HomeSettings, usual: UsualClaims, order: HomeOrder) -> tuple[Drafts, ...]:
    """Drafts of each pair that is wanted of a home.

    Args:
        usual: what is true in the homes of the set.
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
    for pair in drafts:
        if not pair_keys(pair).isdisjoint(asked):
            continue
        noisy, clean = pair.noisy.truth, pair.clean.truth
        labels = home.labeller.label_together((goal_truth(noisy, clean), clean), rng)
        if labels is None or any(unseen_places(noisy, clean, home.graph, home.labeller, labels[0].start)):
            continue
        return pair, labels
    return None
