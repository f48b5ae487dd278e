"""One home of a set about false premises: its pairs of questions with starts, oracles and goal images.

Everything that is random here is seeded by the set, the home and the place of the pair, so that it does not matter
which process makes which home.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vantage.benchmarks.labelling.claimed_places import goal_truth, unseen_places
from vantage.benchmarks.labelling.oracle_views import Label, SceneLabeller, StartSettings
from vantage.benchmarks.labelling.visibility import SceneVisibility, VisibilitySettings
from vantage.benchmarks.noisyeqa.premise_checks import pair_problems
from vantage.benchmarks.search.search_checks import splat_world
from vantage.benchmarks.sets.episodes_io import GOALS, SCENES, SceneBounds
from vantage.benchmarks.sets.noisy_pairs import CLEAN, NOISY, episode_name
from vantage.benchmarks.sets.set_making import QUESTION_ID, write_goal
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.planning.actions import ActionSpace
from vantage.questions.generation.clean_questions import GeneratedQuestion
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.noisy_pairs import noisy_pair
from vantage.questions.noise.pair import NoisyPair
from vantage.questions.noise.pair_templates import Wording
from vantage.splats.synthesis.from_spec import make_scene
from vantage.types import Episode, NoiseType, Question, Truth, TruthQuestion

BENCHMARK = "noisyeqa"
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
        seed, rooms: of the home.
        trip: 0 when the home is to be made first; later it lies there already.
        wanted: noise types, one a pair.
        asked: what it was asked before, as ``asked_before`` has it.
        first: number of the first pair.
    """

    place: int
    seed: int
    rooms: int
    trip: int
    wanted: tuple[NoiseType, ...]
    asked: frozenset[str]
    first: int

    @property
    def name(self) -> str:
        return f"home_{self.seed}"


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


def make_home(common: HomeSettings, order: HomeOrder) -> HomeYield:
    """Make a home, unless it is there, and the pairs that are wanted of it.

    Raises:
        SceneError: no home can be made from its seed.
    """
    name, folder = order.name, common.root / SCENES / order.name
    if order.trip == 0:
        make_scene(order.seed, folder, name, rooms=order.rooms)
    settings = common.settings
    actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
    world = splat_world(settings, common.root)
    try:
        place = world.place(name)
        graph = place.scene.graph
        if graph is None:
            raise SceneError(f"scene '{name}' has no graph to ask about")
        judge = SceneVisibility.of_scene(folder, graph, common.visibility)
        radius = settings.world.body_radius
        labeller = SceneLabeller(world, name, judge, actions, radius, common.starts, seed=order.seed, centered=True)
        pairs = _Pairs(Facts(graph, settings.relations), labeller, common, set(order.asked))
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
                made.append(_episode(episode_id, name, question, label, common.max_steps, seed))
                write_goal(common.root / GOALS / f"{episode_id}.png", label)
        bounds = SceneBounds(place.scene.bounds_min, place.scene.bounds_max)
        return HomeYield(order.place, bounds, tuple(made), tuple(missing))
    finally:
        world.close()


def asked_before(made: Sequence[tuple[Episode, Truth]]) -> frozenset[str]:
    """What is not to be asked of a home again, from what it gave: see ``_asked_of``."""
    halves = [(episode.questions[0].text, truth.questions[0]) for episode, truth in made]
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return frozenset(key for (noisy, false), (clean, true) in pairs for key in _asked_of(noisy, false, clean, true))


def _asked_of(noisy_text: str, noisy: TruthQuestion, clean_text: str, clean: TruthQuestion) -> set[str]:
    """Both questions in words, what the twin asks of which things, and which noise is about them."""
    things = " ".join(map(str, clean.target_instances))
    return {noisy_text, clean_text, f"{clean.kind} of {things}", f"{noisy.noise_type.name} about {things}"}


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


def _episode(
    episode_id: str, scene: str, question: GeneratedQuestion, label: Label, max_steps: int, seed: int
) -> tuple[Episode, Truth]:
    asked = (Question(QUESTION_ID, question.text),)
    episode = Episode(episode_id, BENCHMARK, scene, label.start, asked, max_steps, seed)
    gold = (replace(question.truth, question_id=QUESTION_ID),)
    return episode, Truth(episode_id, gold, label.path.goal, label.path.actions, label.path.length)
