"""Whether a set is sound: phases and budgets, answers by the scene graph, and whether evidence can be gathered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from vantage.benchmarks.excalibur.evidence import Evidence, RobotPlace, gets_about
from vantage.benchmarks.excalibur.excalibur_sets import PHASES
from vantage.benchmarks.excalibur.houses import DESIGNED, PRACTICE, SPLITS
from vantage.benchmarks.excalibur.offered_questions import WORLD, house_evidence, unpictured
from vantage.benchmarks.excalibur.question_drafts import answer_words, kind_of, relations_of, weighed_pairs
from vantage.benchmarks.labelling import VisibilitySettings, open_scene_world
from vantage.benchmarks.sets import SCENES, EpisodeSet, check_files, load_set, load_truths
from vantage.config import ExcaliburSettings, Settings
from vantage.errors import EpisodeError, FormatError, SceneError
from vantage.questions import Executor, program_text, read_program
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.scenes.spec import load_spec
from vantage.splats import SPEC_FILE
from vantage.types import Episode, Truth, TruthQuestion
from vantage.workers import WorkerPool


def set_problems(folder: str | Path, workers: int = 1) -> list[str]:
    """Everything that is wrong with a set, one sentence each; empty for a sound one.

    Raises:
        FormatError: it cannot be read.
    """
    episode_set = load_set(folder)
    truths = load_truths(folder, episode_set.episodes)
    settings = Settings().with_values(episode_set.info.settings, str(folder))
    visibility = VisibilitySettings.of(episode_set.info.thresholds, str(folder))
    problems = check_files(episode_set, truths)
    for episode in episode_set.episodes:
        problems += episode_problems(episode, truths[episode.episode_id], settings.excalibur)
    judge = partial(house_problems, episode_set.folder, settings, visibility)
    pairs = [
        (episode, truths[episode.episode_id]) for episode in episode_set.episodes if _has_folder(episode_set, episode)
    ]
    with WorkerPool(workers) if workers > 1 and len(pairs) > 1 else nullcontext() as pool:
        found = map(judge, pairs) if pool is None else pool.map(judge, pairs)
        return problems + [problem for one in found for problem in one]


def _has_folder(episode_set: EpisodeSet, episode: Episode) -> bool:
    return episode_set.scene_folder(episode.scene).is_dir()


def episode_problems(episode: Episode, truth: Truth, limits: ExcaliburSettings) -> list[str]:
    """What contradicts the task in the phases, budgets and questions of an episode."""
    name = f"episode '{episode.episode_id}'"
    if tuple(phase.name for phase in episode.phases) != PHASES:
        found = ", ".join(phase.name for phase in episode.phases) or "none"
        return [f"{name} has the phases {found}; they should be {', '.join(PHASES)}"]
    explore, answer, reenter, refine = episode.phases
    problems = []
    for phase, wanted in ((explore, limits.explore_steps), (answer, 0), (reenter, limits.reentry_steps), (refine, 0)):
        if phase.max_steps != wanted:
            problems.append(f"phase '{phase.name}' of {name} allows {phase.max_steps} actions instead of {wanted}")
    if [phase.restored for phase in episode.phases] != [False, False, True, False]:
        problems.append(f"the house of {name} should be put back before phase '{reenter.name}' and at no other time")
    if explore.questions or reenter.questions:
        problems.append(f"{name} asks questions while it explores")
    if [(each.question_id, each.text) for each in answer.questions] != [
        (each.question_id, each.text) for each in refine.questions
    ]:
        problems.append(f"{name} does not ask the same in its two phases of questions")
    if len(answer.questions) < limits.questions:
        problems.append(f"{name} asks {len(answer.questions)} questions, which should be {limits.questions} or more")
    texts = Counter(each.text.lower() for each in answer.questions)
    problems += [f"{name} asks '{text}' {number} times" for text, number in texts.items() if number > 1]
    first, second = (
        [replace(gold, phase="") for gold in truth.questions if gold.phase == each.name] for each in (answer, refine)
    )
    if first != second:
        problems.append(f"the gold data of {name} are not the same in its two phases of questions")
    if truth.split not in (*SPLITS, DESIGNED, PRACTICE):
        problems.append(f"{name} is of no split, but '{truth.split}'")
    return problems


def house_problems(
    root: Path, settings: Settings, visibility: VisibilitySettings, pair: tuple[Episode, Truth]
) -> list[str]:
    """What contradicts a house in the gold data of its episode."""
    episode, truth = pair
    name = f"episode '{episode.episode_id}'"
    folder = root / SCENES / episode.scene
    try:
        home = load_spec(folder / SPEC_FILE)
        graph = SceneGraph.from_spec(home)
        with closing(open_scene_world(unpictured(settings), root / SCENES, WORLD)) as world:
            place = cast(RobotPlace, world.place(episode.scene))
            x, y, _ = episode.start.position
            problems = [] if gets_about(place, x, y) else [f"{name} starts where the robot has no room"]
            evidence = house_evidence(home, place, settings, visibility)
    except (SceneError, FormatError) as error:
        return [f"{name}: {error}"]
    executor = Executor(graph, None, settings.relations, hidden=True)
    nodes = {node.instance_id: node for node in graph.nodes}
    for gold in truth.questions:
        if gold.phase == PHASES[1]:
            where = f"question '{gold.question_id}' of {name}"
            problems += [
                f"{where} {problem}" for problem in gold_problems(gold, executor, nodes, evidence, settings.excalibur)
            ]
    return problems


def gold_problems(
    gold: TruthQuestion,
    executor: Executor,
    nodes: Mapping[int, GraphNode],
    evidence: Evidence,
    limits: ExcaliburSettings,
) -> Iterator[str]:
    """What is wrong with the gold data of one question."""
    try:
        program = read_program(gold.program)
        outcome = executor.run(program)
    except (FormatError, EpisodeError, SceneError) as error:
        yield f"has a program that cannot be executed: {error}"
        return
    if outcome.value is None:
        yield f"has a program without an answer ({outcome.problem}): {program_text(program)}"
    elif answer_words(outcome.value) != gold.answer:
        yield f"has the answer {answer_words(outcome.value)} in its house, not {gold.answer}"
    if kind_of(program) != gold.kind:
        yield f"is of type {kind_of(program)}, not {gold.kind}"
    relations = ", ".join(sorted(relations_of(program)))
    if relations != gold.category:
        yield f"turns on '{relations}', not on '{gold.category}'"
    unseen = sorted(set(gold.target_instances) - evidence.seen)
    if unseen or not gold.target_instances:
        yield f"rests on things that cannot be seen: {unseen}" if unseen else "names nothing that has to be seen"
    unlifted = sorted(set(gold.to_weigh) - evidence.lifted)
    if unlifted:
        yield f"needs the weight of things that cannot be lifted: {unlifted}"
    unopened = sorted(set(gold.to_open) - evidence.opened)
    if unopened:
        yield f"needs the inside of things that cannot be opened: {unopened}"
    hidden = {evidence.holders[key] for key in (*gold.target_instances, *gold.to_weigh) if key in evidence.holders}
    if hidden - set(gold.to_open):
        yield f"does not say that {sorted(hidden - set(gold.to_open))} have to be opened"
    for one, other in weighed_pairs(program, executor, nodes):
        low, high = sorted((one.mass, other.mass))
        if {one.instance_id, other.instance_id} <= evidence.lifted and (
            high < limits.mass_ratio * low or high - low < limits.mass_apart
        ):
            yield f"compares masses that are too near to each other: {low:g} and {high:g} kg"
