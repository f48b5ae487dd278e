"""Sets of HEAL: one episode for each base task, whose items are questions that have nothing to do with each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from vantage.benchmarks.heal.base_tasks import BEHAVIOR, BaseTask, TaskData
from vantage.benchmarks.heal.heal_figures import BENCHMARK
from vantage.benchmarks.heal.probing_items import Item, ItemTruth, missing_names, pursuable, read_truth, truth_text
from vantage.benchmarks.heal.prompts import prompt_text
from vantage.benchmarks.heal.transformations import items_of
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import (
    EpisodeSet,
    SceneBounds,
    SetInfo,
    check_files,
    load_set,
    load_truths,
    new_set_folder,
    save_set,
)
from vantage.errors import SceneError
from vantage.goals import read_scene, reply_text, ungrounded
from vantage.planning import GantryActions
from vantage.spatial import Viewpoint
from vantage.types import Episode, NoiseType, Question, Truth, TruthQuestion

WORLD = "none"
FIT, TEST = "fit", "test"
_HERE = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
_BOUNDS = SceneBounds((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))


def split_of(task: BaseTask) -> str:
    """The half to which a task belongs, with all others of its name."""
    digest = hashlib.sha256(f"{task.environment}/{task.name}".encode()).digest()
    return FIT if digest[0] % 2 else TEST


def make_set(folder: str | Path, data: Sequence[TaskData], style: str, seed: int, progress: Progress) -> EpisodeSet:
    """A set of all tasks that have a goal; see ``HealBenchmark.make``."""
    episodes, truths = [], []
    for each in data:
        left_out = len(each.tasks) - len(each.with_goals)
        if left_out:
            progress(f"left out: {left_out} tasks of {each.environment}, which have no goal")
        for task in each.with_goals:
            asked = [_asked(each, task, item, style) for item in items_of(task, each.with_goals, seed)]
            questions = tuple(question for question, _ in asked)
            episodes.append(Episode(task.episode_id, BENCHMARK, each.environment, _HERE, questions, 0, seed))
            truths.append(Truth(task.episode_id, tuple(truth for _, truth in asked), split=split_of(task)))
    if not episodes:
        raise SceneError("no task of these data has a goal; check the folder")
    scenes = {each.environment: _BOUNDS for each in data if each.with_goals}
    actions = GantryActions(0.25, 0.5)
    with new_set_folder(folder) as root:
        root.mkdir(parents=True, exist_ok=True)
        return save_set(root, SetInfo(BENCHMARK, actions, scenes, {"seed": seed}, world=WORLD), episodes, truths)


def _asked(data: TaskData, task: BaseTask, item: Item, style: str) -> tuple[Question, TruthQuestion]:
    faults = item.faults
    sent = prompt_text(task, item.scene, item.text, data.vocabulary, style)
    lists_words = task.environment == BEHAVIOR
    truth = ItemTruth(
        task.environment,
        item.transformation,
        item.gold,
        not faults,
        item.asked_about,
        item.old_names,
        data.vocabulary.all_states,
    )
    answer = reply_text(() if faults else pursuable(item.gold, item.scene), lists_words)
    gold = TruthQuestion(
        item.item_id,
        item.transformation,
        answer,
        premise_holds=not faults,
        noise_type=NoiseType.UNKNOWN if faults else NoiseType.NONE,
        false_claim=", ".join(missing_names(faults)),
        program=truth_text(truth),
        category=task.environment,
    )
    return Question(item.item_id, sent), gold


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set, one sentence each: files, and labels that its own prompts contradict.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    problems = [each for each in check_files(episode_set, truths) if not each.startswith("the folder of scene")]
    for episode in episode_set.episodes:
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True):
            where = f"episode '{episode.episode_id}', item '{question.question_id}'"
            truth, scene = read_truth(gold.program, where), read_scene(question.text)
            if (not ungrounded(truth.gold, scene)) != truth.feasible:
                problems.append(f"{where}: it is labelled as feasible or not against what its prompt tells")
            problems += [
                f"{where}: '{name}' is asked about as absent, but its prompt tells of it"
                for name in truth.asked_about
                if scene.has(name)
            ]
    return problems
