"""Sets of written questions: each gets a start from which it cannot be answered, and the shortest way to an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vantage.benchmarks.labelling import Label, SceneLabeller, StartSettings, VisibilitySettings, open_scene_world
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import (
    GOALS,
    QUESTION_ID,
    SCENES,
    EpisodeSet,
    Home,
    LabelledHome,
    SetPlan,
    check_files,
    labelled_episode,
    load_set,
    load_truths,
    new_set_folder,
    replay_problems,
    save_labelled,
    write_goal,
)
from vantage.benchmarks.written.question_file import WrittenQuestion
from vantage.config import Settings
from vantage.errors import SceneError, UsageError
from vantage.questions import QuestionKind
from vantage.questions.generation import GeneratedQuestion
from vantage.registry import did_you_mean
from vantage.splats import load_graph
from vantage.types import NoiseType, TruthQuestion

BENCHMARK = "written"


@dataclass(frozen=True)
class WrittenSetRequest:
    """What set to make.

    Attributes:
        homes: those that the questions are about, and others.
        plan: budget of the episodes.
    """

    questions: Sequence[WrittenQuestion]
    homes: Sequence[Home]
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    starts: StartSettings
    plan: SetPlan


def make_set(folder: str | Path, request: WrittenSetRequest, progress: Progress) -> EpisodeSet:
    """Make a set; see ``WrittenBenchmark.make``."""
    homes = {home.name: home for home in request.homes}
    for question in request.questions:
        if question.scene not in homes:
            raise UsageError(
                f"question '{question.id}' is about scene '{question.scene}', which --scenes does not give"
                f"{did_you_mean(question.scene, list(homes))}"
            )
    with new_set_folder(folder) as root:
        return _make(root, request, homes, progress)


def _make(root: Path, request: WrittenSetRequest, homes: dict[str, Home], progress: Progress) -> EpisodeSet:
    settings, made, bounds = request.settings, [], {}
    names = list(dict.fromkeys(question.scene for question in request.questions))
    for name in names:
        homes[name].write(root / SCENES)
    with closing(open_scene_world(settings, root / SCENES)) as world:
        for name in names:
            home = LabelledHome.of(
                world, root, name, settings, request.visibility, request.starts, homes[name].seed, centered=True
            )
            steps = request.plan.budget.steps_in(root / SCENES / name)
            for number, question in enumerate(request.questions):
                if question.scene != name:
                    continue
                for target in question.targets:
                    home.graph.node(target)
                rng = np.random.default_rng([request.seed, number])
                label = _label(home.labeller, question.truth(QUESTION_ID), rng)
                if label is None:
                    progress(f"left out: '{question.id}': what it is about cannot be seen from any reachable viewpoint")
                    continue
                asked, run_seed = GeneratedQuestion(question.question, _gold(question)), rng.integers(2**31)
                made.append(labelled_episode(question.id, BENCHMARK, name, asked, label, steps, int(run_seed)))
                bounds[name] = home.bounds
                write_goal(root / GOALS / f"{question.id}.png", label)
    if not made:
        raise SceneError("nothing that the questions are about can be seen in the scenes; check their targets")
    return save_labelled(root, BENCHMARK, made, bounds, request.seed, request.visibility, settings, request.plan)


def _gold(question: WrittenQuestion) -> TruthQuestion:
    """Its gold data; an answer that nothing of a kind is there rests on no object, so none has to be in evidence."""
    truth = question.truth(QUESTION_ID)
    absent = truth.kind == QuestionKind.EXISTENCE.value and truth.answer.lower() == "no"
    return replace(truth, target_instances=()) if absent else truth


def _label(labeller: SceneLabeller, truth: TruthQuestion, rng: np.random.Generator) -> Label | None:
    """A start and a goal, which shows all targets where one look can, else what is asked about."""
    return next((label for looked_at in _goals(truth) if (label := labeller.label(looked_at, rng))), None)


def _goals(truth: TruthQuestion) -> Iterator[TruthQuestion]:
    """What one look should show, the most first."""
    yield truth
    first = truth.target_instances[:1]
    yield replace(truth, target_instances=first)
    yield TruthQuestion(QUESTION_ID, "location", "", target_instances=first)


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Checks files and hash, that targets are there, that what is called absent is not, and replays every oracle.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    problems = check_files(episode_set, truths)
    settings = Settings().with_values(episode_set.info.settings, str(episode_set.folder / "set.json"))
    small = replace(settings, camera=replace(settings.camera, width=32, height=24))
    with closing(open_scene_world(small, episode_set.folder / SCENES, episode_set.info.world)) as world:
        for episode in episode_set.episodes:
            scene, truth = episode_set.scene_folder(episode.scene), truths[episode.episode_id]
            if not scene.is_dir():
                continue
            graph = load_graph(scene)
            known = {node.instance_id for node in graph.nodes}
            found = [
                f"the scene has no object {target}"
                for question in truth.questions
                for target in question.target_instances
                if target not in known
            ]
            found += [
                f"'{question.false_claim}' is said to be absent, but the scene holds it"
                for question in truth.questions
                if question.noise_type is NoiseType.LATENT
                and question.false_claim in {node.label for node in graph.nodes}
            ]
            found += replay_problems(world, episode, truth, episode_set.info.actions)
            problems += [f"episode '{episode.episode_id}': {problem}" for problem in found]
    return problems
