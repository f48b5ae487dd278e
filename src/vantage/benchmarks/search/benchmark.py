"""The search benchmark: clean and noisy questions about generated homes, asked where they cannot be answered yet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from vantage.benchmarks.labelling.oracle_views import Label, SceneLabeller, StartSettings
from vantage.benchmarks.labelling.visibility import SceneVisibility, VisibilitySettings
from vantage.benchmarks.search.search_checks import set_problems, splat_world
from vantage.benchmarks.sets.episodes_io import (
    GOALS,
    SCENES,
    EpisodeSet,
    SceneBounds,
    SetInfo,
    save_set,
)
from vantage.benchmarks.sets.set_making import (
    QUESTION_ID,
    check_room_numbers,
    homes,
    refuse_used_folder,
    stored_values,
    write_goal,
)
from vantage.config import Settings
from vantage.errors import SceneError, UsageError
from vantage.planning.actions import ActionSpace
from vantage.questions.generation.clean_questions import GeneratedQuestion, clean_question
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import QuestionKind
from vantage.questions.noise.false_premises import noisy_question
from vantage.splats.synthesis.from_spec import make_scene
from vantage.types import Episode, NoiseType, Question, Truth

BENCHMARK = "search"
_TRIES = 20  # questions of one kind, before another kind takes its place
_KINDS: tuple[QuestionKind | NoiseType, ...] = tuple(QuestionKind)
_NOISES: tuple[QuestionKind | NoiseType, ...] = (
    NoiseType.LATENT,
    NoiseType.COLOR,
    NoiseType.POSITION,
    NoiseType.COUNT,
    NoiseType.MATERIAL,
)


@dataclass(frozen=True)
class _Slot:
    """One episode to make: in which scene, and what about."""

    scene: int
    number: int
    about: QuestionKind | NoiseType


class SearchBenchmark:
    """Makes and validates episode sets. The same seed and settings give the same bytes."""

    name = BENCHMARK
    usual_rooms = (1, 4)

    def __init__(
        self, visibility: VisibilitySettings | None = None, starts: StartSettings | None = None, max_steps: int = 60
    ) -> None:
        self._visibility = visibility or VisibilitySettings()
        self._starts = starts or StartSettings()
        self._max_steps = max_steps

    def make(
        self,
        folder: str | Path,
        *,
        scenes: int = 2,
        episodes: int = 12,
        noisy: int = 4,
        rooms: tuple[int, int] = (2, 2),
        seed: int = 0,
        settings: Settings | None = None,
    ) -> EpisodeSet:
        """Make a set of ``episodes`` questions, ``noisy`` of them with a false premise, spread over ``scenes`` homes.

        Args:
            rooms: least and greatest number of rooms of a home; the homes take all numbers between in turn.

        Raises:
            UsageError: impossible numbers, or the folder is not empty.
            SceneError: the homes do not give that many questions.
        """
        root, settings = Path(folder), settings or Settings()
        if scenes < 1 or episodes < scenes or not 0 <= noisy <= episodes or seed < 0:
            raise UsageError(
                f"cannot make {episodes} episodes ({noisy} noisy) in {scenes} scenes from seed {seed}; "
                "give at least one episode a scene, not more noisy ones than episodes, and a seed from 0"
            )
        check_room_numbers(rooms)
        refuse_used_folder(root)
        try:
            return self._make(root, homes(scenes, rooms, seed), list(_slots(scenes, episodes, noisy)), seed, settings)
        except BaseException:
            shutil.rmtree(root, ignore_errors=True)
            raise

    def validate(self, folder: str | Path) -> list[str]:
        """Everything that is wrong with a set, one sentence each; see ``search_checks.set_problems``."""
        return set_problems(folder)

    def _make(
        self, root: Path, homes: list[tuple[int, int]], slots: list[_Slot], seed: int, settings: Settings
    ) -> EpisodeSet:
        names = [f"home_{number}" for number, _ in homes]
        for (number, rooms), name in zip(homes, names, strict=True):
            make_scene(number, root / SCENES / name, name, rooms=rooms)
        actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
        world = splat_world(settings, root)
        made: list[tuple[Episode, Truth]] = []
        bounds: dict[str, SceneBounds] = {}
        try:
            for k, name in enumerate(names):
                place = world.place(name)
                bounds[name] = SceneBounds(place.scene.bounds_min, place.scene.bounds_max)
                graph = place.scene.graph
                if graph is None:
                    raise SceneError(f"scene '{name}' has no graph to ask about")
                judge = SceneVisibility.of_scene(root / SCENES / name, graph, self._visibility)
                radius = settings.world.body_radius
                labeller = SceneLabeller(world, name, judge, actions, radius, self._starts, seed=homes[k][0])
                facts = Facts(graph, settings.relations)
                asked: set[str] = set()
                for slot in (slot for slot in slots if slot.scene == k):
                    rng = np.random.default_rng([seed, k, slot.number])
                    question, label = _find(slot, facts, labeller, asked, rng)
                    asked.add(question.text)
                    episode_id = f"{name}-{slot.number:02d}"
                    made.append(self._episode(episode_id, name, question, label, int(rng.integers(2**31))))
                    write_goal(root / GOALS / f"{episode_id}.png", label)
        finally:
            world.close()
        thresholds = {key: float(value) for key, value in asdict(self._visibility).items()}
        info = SetInfo(BENCHMARK, actions, bounds, {"set": seed}, thresholds, stored_values(settings))
        return save_set(root, info, [episode for episode, _ in made], [truth for _, truth in made])

    def _episode(
        self, episode_id: str, scene: str, question: GeneratedQuestion, label: Label, seed: int
    ) -> tuple[Episode, Truth]:
        asked = (Question(QUESTION_ID, question.text),)
        episode = Episode(episode_id, BENCHMARK, scene, label.start, asked, self._max_steps, seed)
        gold = (replace(question.truth, question_id=QUESTION_ID),)
        return episode, Truth(episode_id, gold, label.path.goal, label.path.actions, label.path.length)


def _slots(scenes: int, episodes: int, noisy: int) -> Iterator[_Slot]:
    """Kinds and noise types in turn, dealt out so that every scene gets clean and noisy ones."""
    numbers = [0] * scenes
    for k in range(episodes):
        clean = k < episodes - noisy
        place = k if clean else k - (episodes - noisy)
        scene = place % scenes
        about = _KINDS[place % len(_KINDS)] if clean else _NOISES[place % len(_NOISES)]
        numbers[scene] += 1
        yield _Slot(scene, numbers[scene], about)


def _find(
    slot: _Slot, facts: Facts, labeller: SceneLabeller, asked: set[str], rng: np.random.Generator
) -> tuple[GeneratedQuestion, Label]:
    """A new question of the wanted sort that has an oracle; of another kind or noise where the scene gives none."""
    group = _NOISES if isinstance(slot.about, NoiseType) else _KINDS
    first = group.index(slot.about)
    for about in group[first:] + group[:first]:
        refused = set(asked)
        for _ in range(_TRIES):
            question = (
                noisy_question(facts, about, rng) if isinstance(about, NoiseType) else clean_question(facts, about, rng)
            )
            if question is None:
                break
            if question.text in refused or not question.truth.target_instances:
                continue
            refused.add(question.text)
            label = labeller.label(question.truth, rng)
            if label is not None:
                return question, label
    raise SceneError(
        f"scene '{facts.graph.name}' gives no further question that can be labelled; ask for fewer episodes"
    )
