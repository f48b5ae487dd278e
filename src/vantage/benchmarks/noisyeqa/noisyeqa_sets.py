"""Makes sets of pairs: homes are asked for noisy questions and their clean twins, with starts, oracles and goal images.

Everything that is random here is seeded by the set, the home and the place of the pair, so that it does not matter
which process makes which home.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vantage.benchmarks.labelling import (
    Label,
    SceneLabeller,
    StartSettings,
    VisibilitySettings,
    goal_truth,
    open_scene_world,
    unseen_places,
)
from vantage.benchmarks.noisyeqa.noisyeqa_checks import pair_problems
from vantage.benchmarks.noisyeqa.noisyeqa_scores import BENCHMARK
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
from vantage.questions.noise import NoisyPair, Wording, noisy_pair
from vantage.types import Episode, NoiseType, Truth, TruthQuestion
from vantage.workers import WorkerPool

_TRIPS = 4  # how often what one home did not give is asked of others
_TRIES = 12  # pairs of one type that are looked at, before the home counts as giving none


@dataclass(frozen=True)
class HomeSettings:
    """What holds for every home of a set."""

    root: Path
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    starts: StartSettings
    phrasing: Wording
    max_steps: int


@dataclass(frozen=True)
class HomeOrder:
    """What is wanted of one home.

    Attributes:
        place: of the home in the set.
        home: how to make it.
        trip: 0 when the home is to be made first; later it lies there already.
        wanted: noise types, one a pair.
        asked: what it was asked before, as ``asked_before`` has it.
        first: number of the first pair.
    """

    place: int
    home: Home
    trip: int
    wanted: tuple[NoiseType, ...]
    asked: frozenset[str]
    first: int


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
        return save_labelled(root, BENCHMARK, made, bounds, common.seed, common.visibility, common.settings)


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
        for trip in range(_TRIPS):
            orders = [
                _order(k, places[k], trip, types, given[k]) for k, types in enumerate(asked) if types or trip == 0
            ]
            missing: list[NoiseType] = []
            for number, result in enumerate(each(partial(make_home, common), orders), start=1):
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


def make_home(common: HomeSettings, order: HomeOrder) -> HomeYield:
    """Make a home, unless it is there, and the pairs that are wanted of it.

    Raises:
        SceneError, FormatError: no home can be made from its seed or file.
    """
    name = order.home.name
    if order.trip == 0:
        order.home.write(common.root / SCENES)
    settings = common.settings
    with closing(open_scene_world(settings, common.root / SCENES)) as world:
        home = LabelledHome.of(
            world, common.root, name, settings, common.visibility, common.starts, order.home.seed, centered=True
        )
        pairs = _Pairs(Facts(home.graph, settings.relations), home.labeller, common, set(order.asked))
        made: list[tuple[Episode, Truth]] = []
        missing = []
        for turn, noise in enumerate(order.wanted):
            rng = np.random.default_rng([common.seed, order.place, order.trip, turn])
            found = pairs.find(noise, rng)
            if found is None:
                missing.append(noise)
                continue
            number, seed = order.first + len(made) // 2, int(rng.integers(2**31))
            for question, label, half in zip((found[0].noisy, found[0].clean), found[1], (NOISY, CLEAN), strict=True):
                episode_id = episode_name(f"{name}-{number:02d}", half)
                made.append(labelled_episode(episode_id, BENCHMARK, name, question, label, common.max_steps, seed))
                write_goal(common.root / GOALS / f"{episode_id}.png", label)
        return HomeYield(order.place, home.bounds, tuple(made), tuple(missing))


def asked_before(made: Sequence[tuple[Episode, Truth]]) -> frozenset[str]:
    """What is not to be asked of a home again, from what it gave: see ``_asked_of``."""
    halves = [(episode.questions[0].text, truth.questions[0]) for episode, truth in made]
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return frozenset(key for (noisy, false), (clean, true) in pairs for key in _asked_of(noisy, false, clean, true))


def _asked_of(noisy_text: str, noisy: TruthQuestion, clean_text: str, clean: TruthQuestion) -> set[str]:
    """Both questions in words, what the twin asks of which objects, and which noise is about them."""
    objects = " ".join(map(str, clean.target_instances))
    return {noisy_text, clean_text, f"{clean.kind} of {objects}", f"{noisy.noise_type.name} about {objects}"}


class _Pairs:
    """Finds pairs of questions about one home that can be judged from where the camera can go."""

    def __init__(self, facts: Facts, labeller: SceneLabeller, common: HomeSettings, asked: set[str]) -> None:
        self._facts, self._labeller, self._asked = facts, labeller, asked
        self._settings, self._phrasing = common.settings, common.phrasing

    def find(self, noise: NoiseType, rng: np.random.Generator) -> tuple[NoisyPair, tuple[Label, ...]] | None:
        """A new pair of a type with one start for both; None where the home gives none."""
        for pair in self._candidates(noise, rng):
            noisy, clean = pair.noisy.truth, pair.clean.truth
            labels = self._labeller.label_together((goal_truth(noisy, clean), clean), rng)
            if labels is None:
                continue
            if any(unseen_places(noisy, clean, self._facts.graph, self._labeller, labels[0].start)):
                continue
            self._asked |= _keys(pair)
            return pair, labels
        return None

    def _candidates(self, noise: NoiseType, rng: np.random.Generator) -> Iterator[NoisyPair]:
        seen: set[str] = set()
        for _ in range(_TRIES):
            pair = noisy_pair(self._facts, noise, rng, self._phrasing)
            if pair is None:
                return
            new = pair.noisy.text not in seen and not _keys(pair) & self._asked
            if pair.noisy.text != pair.clean.text and new and self._sound(pair):
                yield pair
            seen.add(pair.noisy.text)

    def _sound(self, pair: NoisyPair) -> bool:
        noisy, clean = pair.noisy.truth, pair.clean
        graph, relations = self._facts.graph, self._settings.relations
        return not any(pair_problems(noisy, clean.truth, clean.text, graph, None, relations))


def _keys(pair: NoisyPair) -> set[str]:
    return _asked_of(pair.noisy.text, pair.noisy.truth, pair.clean.text, pair.clean.truth)
