"""Episode sets of the search benchmark: how they are made, and whether they are sound.

The same seed and settings give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from pathlib import Path
from typing import TypeVar

import numpy as np

from vantage.benchmarks.labelling import Label, SceneLabeller, StartSettings, VisibilitySettings, open_scene_world
from vantage.benchmarks.sets import (
    GOALS,
    SCENES,
    USUAL_WORLD,
    Draft,
    EpisodeSet,
    Home,
    JudgedScene,
    LabelledHome,
    SceneBounds,
    SetPlan,
    budget_problems,
    by_balanced_lot,
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
from vantage.questions import USUAL_KINDS, QuestionKind
from vantage.questions.generation import Facts, GeneratedQuestion, clean_question
from vantage.questions.noise import DESCRIBED_TYPES, NoisyPair, UsualClaims, falsified_questions
from vantage.spatial import Intrinsics
from vantage.splats import load_graph
from vantage.types import Episode, NoiseType, Truth

T = TypeVar("T")
BENCHMARK = "search"
_TRIES = 20  # questions of one kind, before another kind takes its place
_OFFERED = 5  # pairs of questions of which a lot draws one


@dataclass(frozen=True)
class _Slot:
    """One episode to make.

    Attributes:
        scene: its place among the homes. number: of the episode in the home.
        noisy: whether its premise is false.
        noise: what is false in it, or in the twin that it would have; NONE in sets without false premises.
    """

    scene: int
    number: int
    kind: QuestionKind
    noisy: bool
    noise: NoiseType


@dataclass(frozen=True)
class SearchSetRequest:
    """What set to make.

    Attributes:
        episodes: how many questions, ``noisy`` of them with a false premise; spread over ``homes``.
        visibility: what counts as answerable.
        starts: where episodes start.
        plan: of homes and budgets.
        world: registered name of the world that starts and oracles are found in.
    """

    homes: Sequence[Home]
    episodes: int
    noisy: int
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    starts: StartSettings
    plan: SetPlan
    world: str = USUAL_WORLD


def make_set(folder: str | Path, request: SearchSetRequest) -> EpisodeSet:
    """Make a set; see ``SearchBenchmark.make``."""
    scenes, episodes, noisy, seed = len(request.homes), request.episodes, request.noisy, request.seed
    if scenes < 1 or episodes < scenes or not 0 <= noisy <= episodes or seed < 0:
        raise UsageError(
            f"cannot make {episodes} episodes ({noisy} noisy) in {scenes} scenes from seed {seed}; "
            "give at least one episode a scene, not more noisy ones than episodes, and a seed from 0"
        )
    with new_set_folder(folder) as root:
        return _make(root, request)


def _make(root: Path, request: SearchSetRequest) -> EpisodeSet:
    settings, seed = request.settings, request.seed
    for place in request.homes:
        place.write(root / SCENES)
    homes = [Facts(load_graph(root / SCENES / place.name), settings.relations) for place in request.homes]
    drafts = list(drafted_questions(homes, request.episodes, request.noisy, seed))
    made: list[tuple[Episode, Truth]] = []
    bounds: dict[str, SceneBounds] = {}
    with closing(open_scene_world(settings, root / SCENES, request.world)) as world:
        for k, place in enumerate(request.homes):
            name = place.name
            home = LabelledHome.of(world, root, name, settings, request.visibility, request.starts, place.seed)
            bounds[name] = home.bounds
            steps = request.plan.budget.steps_in(root / SCENES / name)
            asked: set[str] = set()
            for number, drafted in enumerate((each for scene, each in drafts if scene == k), start=1):
                rng = np.random.default_rng([seed, k, number, 1])
                question, label = _first_labelled(drafted, name, home.labeller, asked, rng)
                asked.add(question.text)
                episode_id, run_seed = f"{name}-{number:02d}", int(rng.integers(2**31))
                made.append(labelled_episode(episode_id, BENCHMARK, name, question, label, steps, run_seed))
                write_goal(root / GOALS / f"{episode_id}.png", label)
    return save_labelled(
        root, BENCHMARK, made, bounds, seed, request.visibility, settings, request.plan, world=request.world
    )


def _slots(scenes: int, episodes: int, noisy: int) -> Iterator[_Slot]:
    """Kinds and noise types in turn, clean and noisy ones alike, dealt out so that every scene gets both."""
    numbers = [0] * scenes
    for k in range(episodes):
        clean = k < episodes - noisy
        place = k if clean else k - (episodes - noisy)
        scene, kind = place % scenes, USUAL_KINDS[place % len(USUAL_KINDS)]
        turn = place + place // len(USUAL_KINDS)  # so that each kind meets each type
        noise = DESCRIBED_TYPES[turn % len(DESCRIBED_TYPES)] if noisy else NoiseType.NONE
        numbers[scene] += 1
        yield _Slot(scene, numbers[scene], kind, not clean, noise)


def drafted_questions(
    homes: Sequence[Facts], episodes: int, noisy: int, seed: int
) -> Iterator[tuple[int, Iterator[GeneratedQuestion]]]:
    """For each episode of a set its home, by place, and what may be asked there, in the order of trial."""
    slots = list(_slots(len(homes), episodes, noisy))
    yield from zip((slot.scene for slot in slots), _drafts(slots, homes, seed), strict=True)


def _drafts(slots: Sequence[_Slot], homes: Sequence[Facts], seed: int) -> list[Iterator[GeneratedQuestion]]:
    """Questions for each slot, in the order in which they are looked at.

    In sets with false premises the clean questions, too, are halves of pairs, and lots decide which pairs come first:
    then no word is likelier in one half than in the other.
    """
    rngs = [np.random.default_rng([seed, slot.scene, slot.number]) for slot in slots]
    if not any(slot.noisy for slot in slots):
        return [_clean(slot.kind, homes[slot.scene], rng) for slot, rng in zip(slots, rngs, strict=True)]
    usual = UsualClaims.of_all(UsualClaims.of(facts) for facts in homes)
    pairs = [_pairs(slot, homes[slot.scene], usual, rng) for slot, rng in zip(slots, rngs, strict=True)]
    offered = [list(islice(each, _OFFERED)) for each in pairs]
    words = [[_words(slot, pair) for pair in each] for slot, each in zip(slots, offered, strict=True)]
    orders = by_balanced_lot(words, np.random.default_rng(seed))
    return [
        _halves(chain([first[k] for k in order], rest), slot.noisy)
        for slot, first, order, rest in zip(slots, offered, orders, pairs, strict=True)
    ]


def _halves(pairs: Iterable[NoisyPair], noisy: bool) -> Iterator[GeneratedQuestion]:
    return (pair.noisy if noisy else pair.clean for pair in pairs)


def _words(slot: _Slot, pair: NoisyPair) -> Draft:
    return Draft(pair.noisy.text, pair.clean.text, slot.noise.name, frozenset({f"{slot.scene}: {pair.clean.text}"}))


def _clean(kind: QuestionKind, facts: Facts, rng: np.random.Generator) -> Iterator[GeneratedQuestion]:
    """Questions of a kind, then of the kinds after it."""
    for each in _turns(USUAL_KINDS, kind):
        for _ in range(_TRIES):
            question = clean_question(facts, each, rng)
            if question is None:
                break
            yield question


def _pairs(slot: _Slot, facts: Facts, usual: UsualClaims, rng: np.random.Generator) -> Iterator[NoisyPair]:
    """Different pairs of the type and kind of a slot, then of other kinds, and then of other types.

    False claims are usual ones, unless the scene gives none of these.
    """
    found: set[str] = set()
    for claimed, noise, kind in product(
        (usual, None), _turns(DESCRIBED_TYPES, slot.noise), _turns(USUAL_KINDS, slot.kind)
    ):
        for pair in islice(falsified_questions(facts, kind, noise, rng, claimed), _OFFERED):
            if pair.noisy.text not in found:
                found.add(pair.noisy.text)
                yield pair


def _turns(group: Sequence[T], first: T) -> list[T]:
    """The members of a group in their order, from one of them on and round."""
    start = group.index(first)
    return [*group[start:], *group[:start]]


def _first_labelled(
    drafts: Iterator[GeneratedQuestion], scene: str, labeller: SceneLabeller, asked: set[str], rng: np.random.Generator
) -> tuple[GeneratedQuestion, Label]:
    """The first new question that has an oracle."""
    refused = set(asked)
    for question in drafts:
        if question.text in refused or not question.truth.target_instances:
            continue
        refused.add(question.text)
        label = labeller.label(question.truth, rng)
        if label is not None:
            return question, label
    raise SceneError(f"scene '{scene}' gives no further question that can be labelled; ask for fewer episodes")


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
    with closing(open_scene_world(small, episode_set.folder / SCENES, episode_set.info.world)) as world:
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
