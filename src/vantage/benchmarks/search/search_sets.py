"""Episode sets of the search benchmark: how they are made, and whether they are sound.

The same seed and settings give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from vantage.benchmarks.labelling import Label, SceneLabeller, StartSettings, VisibilitySettings, open_scene_world
from vantage.benchmarks.sets import (
    GOALS,
    SCENES,
    EpisodeSet,
    Home,
    JudgedScene,
    LabelledHome,
    SceneBounds,
    SetPlan,
    budget_problems,
    check_files,
    labelled_episode,
    load_set,
    load_truths,
    new_set_folder,
    replay_problems,
    save_labelled,
    write_goal,
)
from vantage.config import Settings
from vantage.errors import SceneError, UsageError
from vantage.questions import QuestionKind
from vantage.questions.generation import Facts, GeneratedQuestion, clean_question
from vantage.questions.noise import UsualClaims, noisy_question
from vantage.spatial import Intrinsics
from vantage.splats import load_graph
from vantage.types import Episode, NoiseType, Truth

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


@dataclass(frozen=True)
class SearchSetRequest:
    """What set to make.

    Attributes:
        episodes: how many questions, ``noisy`` of them with a false premise; spread over ``homes``.
        visibility: what counts as answerable.
        starts: where episodes start.
        plan: of homes and budgets.
    """

    homes: Sequence[Home]
    episodes: int
    noisy: int
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    starts: StartSettings
    plan: SetPlan


def make_set(folder: str | Path, request: SearchSetRequest) -> EpisodeSet:
    """Make a set; see ``SearchBenchmark.make``."""
    scenes, episodes, noisy, seed = len(request.homes), request.episodes, request.noisy, request.seed
    if scenes < 1 or episodes < scenes or not 0 <= noisy <= episodes or seed < 0:
        raise UsageError(
            f"cannot make {episodes} episodes ({noisy} noisy) in {scenes} scenes from seed {seed}; "
            "give at least one episode a scene, not more noisy ones than episodes, and a seed from 0"
        )
    with new_set_folder(folder) as root:
        return _make(root, request, list(_slots(scenes, episodes, noisy)))


def _make(root: Path, request: SearchSetRequest, slots: list[_Slot]) -> EpisodeSet:
    settings, seed = request.settings, request.seed
    for place in request.homes:
        place.write(root / SCENES)
    graphs = (load_graph(root / SCENES / place.name) for place in request.homes)
    usual = UsualClaims.of_all(UsualClaims.of(Facts(graph, settings.relations)) for graph in graphs)
    made: list[tuple[Episode, Truth]] = []
    bounds: dict[str, SceneBounds] = {}
    with closing(open_scene_world(settings, root / SCENES)) as world:
        for k, place in enumerate(request.homes):
            name = place.name
            home = LabelledHome.of(world, root, name, settings, request.visibility, request.starts, place.seed)
            bounds[name] = home.bounds
            facts = Facts(home.graph, settings.relations)
            steps = request.plan.budget.steps_in(root / SCENES / name)
            asked: set[str] = set()
            for slot in (slot for slot in slots if slot.scene == k):
                rng = np.random.default_rng([seed, k, slot.number])
                question, label = _find(slot, facts, usual, home.labeller, asked, rng)
                asked.add(question.text)
                episode_id, run_seed = f"{name}-{slot.number:02d}", int(rng.integers(2**31))
                made.append(labelled_episode(episode_id, BENCHMARK, name, question, label, steps, run_seed))
                write_goal(root / GOALS / f"{episode_id}.png", label)
    return save_labelled(root, BENCHMARK, made, bounds, seed, request.visibility, settings, request.plan)


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
    slot: _Slot,
    facts: Facts,
    usual: UsualClaims,
    labeller: SceneLabeller,
    asked: set[str],
    rng: np.random.Generator,
) -> tuple[GeneratedQuestion, Label]:
    """A new question of the wanted sort that has an oracle; of another kind or noise where the scene gives none.

    False claims are usual ones, unless the scene gives none of these.
    """
    group = _NOISES if isinstance(slot.about, NoiseType) else _KINDS
    first = group.index(slot.about)
    turns = group[first:] + group[:first]
    claims = (usual, None) if isinstance(slot.about, NoiseType) else (None,)
    for about, claimed in product(turns, claims):
        refused = set(asked)
        for _ in range(_TRIES):
            if isinstance(about, NoiseType):
                question = noisy_question(facts, about, rng, claimed)
            else:
                question = clean_question(facts, about, rng)
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


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Checks files and hash, gold data against the scene graph, that starts are free and not yet an answer, and replays
    every oracle in the world.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    problems = [*check_files(episode_set, truths), *budget_problems(episode_set)]
    settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / "set.json"))
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    small = replace(settings, camera=replace(camera, width=32, height=24))
    scenes: dict[str, JudgedScene] = {}
    with closing(open_scene_world(small, episode_set.folder / SCENES)) as world:
        for episode in episode_set.episodes:
            if not episode_set.scene_folder(episode.scene).is_dir():
                continue
            if episode.scene not in scenes:
                scenes[episode.scene] = JudgedScene.load(episode_set, episode.scene)
            truth = truths[episode.episode_id]
            found = [
                *scenes[episode.scene].problems(episode, truth, settings, intrinsics),
                *replay_problems(world, episode, truth, episode_set.info.actions),
            ]
            problems += [f"episode '{episode.episode_id}': {problem}" for problem in found]
    return problems
