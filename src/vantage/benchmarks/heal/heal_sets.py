"""Sets of HEAL: one episode for each base task, whose items are questions that have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

from vantage.benchmarks.heal.base_tasks import BEHAVIOR, HOMES, VIRTUALHOME, BaseTask, TaskData, Vocabulary, split_of
from vantage.benchmarks.heal.heal_figures import BENCHMARK
from vantage.benchmarks.heal.home_checks import home_problems
from vantage.benchmarks.heal.home_facts import VOCABULARY, HomeFacts
from vantage.benchmarks.heal.home_items import HomeItem, home_items, named_things
from vantage.benchmarks.heal.home_sets import STEPS, HomeViews, PlacedHome, look_at_homes, make_homes, tasks_in
from vantage.benchmarks.heal.probing_items import DIST_INJ, missing_names, pursuable, task_of
from vantage.benchmarks.heal.prompts import prompt_text
from vantage.benchmarks.heal.transformations import items_of
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import (
    EpisodeSet,
    Home,
    SceneBounds,
    SetInfo,
    check_files,
    load_set,
    load_truths,
    new_set_folder,
    save_set,
)
from vantage.benchmarks.statistics import LabelledQuestion
from vantage.errors import SceneError
from vantage.goals import TaskTruth, read_scene, read_task, reply_text, ungrounded
from vantage.planning import GantryActions
from vantage.spatial import Viewpoint
from vantage.types import Episode, NoiseType, Question, Truth, TruthQuestion

WORLD = "none"
_HERE = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
_BOUNDS = SceneBounds((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))


def make_set(
    folder: str | Path,
    data: Sequence[TaskData],
    homes: Sequence[Home],
    style: str,
    seed: int,
    workers: int,
    progress: Progress,
) -> EpisodeSet:
    """A set of all tasks that have a goal; see ``HealBenchmark.make``.

    Args:
        homes: to be made, and tasks in them besides those of the data.
    """
    with new_set_folder(folder) as root:
        made = [*_from_data(data, style, seed, progress)]
        placed = make_homes(root, homes, workers, progress)
        made += _from_homes(root, placed, style, seed, workers, progress)
        if not made:
            raise SceneError("no task of these data has a goal; check the folder")
        scenes = {each.environment: _BOUNDS for each in data if each.with_goals}
        scenes |= {name: home.bounds for name, home in placed.items()}
        info = SetInfo(BENCHMARK, GantryActions(0.25, 0.5), scenes, {"seed": seed}, world=WORLD)
        return save_set(root, info, [episode for episode, _ in made], [truth for _, truth in made])


def _from_data(data: Sequence[TaskData], style: str, seed: int, progress: Progress) -> Iterator[tuple[Episode, Truth]]:
    for each in data:
        left_out = len(each.tasks) - len(each.with_goals)
        if left_out:
            progress(f"left out: {left_out} tasks of {each.environment}, which have no goal")
        for task in each.with_goals:
            items = items_of(task, each.with_goals, seed)
            asked = [_asked(each.vocabulary, task, HomeItem(item), style) for item in items]
            yield _episode(task, asked, each.environment, _HERE, 0, seed)


def _from_homes(
    root: Path, homes: Mapping[str, PlacedHome], style: str, seed: int, workers: int, progress: Progress
) -> Iterator[tuple[Episode, Truth]]:
    known = {name: home.facts for name, home in homes.items()}
    tasks = [
        (task, home_items(task, known, seed))
        for place, (name, home) in enumerate(homes.items())
        for task in tasks_in(home.facts, name, place, seed)
    ]
    wanted: dict[str, set[int]] = {name: set() for name in homes}
    for _, items in tasks:
        for put in items:
            wanted[put.home] |= {*_named(put, known)}
    views = look_at_homes(root, wanted, workers, progress)
    for task, items in tasks:
        asked = [_asked(VOCABULARY, task.base, put, style, _gold_views(put, known, views)) for put in items]
        yield _episode(task.base, asked, task.home, homes[task.home].start, STEPS, seed)


def _named(put: HomeItem, homes: Mapping[str, HomeFacts]) -> tuple[int, ...]:
    return named_things(put.item.gold, homes[put.home], put.gone, put.item.transformation)


def _gold_views(put: HomeItem, homes: Mapping[str, HomeFacts], views: Mapping[str, HomeViews]) -> HomeViews:
    """The views of an item, with what matters in it alone."""
    found = views[put.home]
    return HomeViews(found.views, {thing: found.seen[thing] for thing in _named(put, homes)})


def _episode(
    task: BaseTask,
    asked: Sequence[tuple[Question, TruthQuestion]],
    scene: str,
    start: Viewpoint,
    steps: int,
    seed: int,
) -> tuple[Episode, Truth]:
    questions, golds = (tuple(each) for each in zip(*asked, strict=True))
    episode = Episode(task.episode_id, BENCHMARK, scene, start, questions, steps, seed)
    return episode, Truth(task.episode_id, golds, split=split_of(task.environment, task.name))


def _asked(
    vocabulary: Vocabulary, task: BaseTask, put: HomeItem, style: str, views: HomeViews | None = None
) -> tuple[Question, TruthQuestion]:
    item = put.item
    faults = item.faults
    sent = prompt_text(task, item.scene, item.text, vocabulary, style)
    lists_words = task.environment != VIRTUALHOME
    truth = TaskTruth(
        read_scene(sent),
        item.gold,
        not faults,
        item.asked_about,
        item.old_names,
        vocabulary.all_states,
        vocabulary.relations,
        put.home,
        put.gone,
        *(() if views is None else (views.views, tuple(map(astuple, views.seen.values())))),
    )
    answer = reply_text(() if faults else pursuable(item.gold, item.scene), lists_words)
    gold = TruthQuestion(
        item.item_id,
        item.transformation,
        answer,
        premise_holds=not faults,
        noise_type=NoiseType.UNKNOWN if faults else NoiseType.NONE,
        false_claim=", ".join(missing_names(faults)),
        category=task.environment,
        task=truth,
    )
    return Question(item.item_id, sent), gold


def home_instructions(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> list[LabelledQuestion]:
    """What is asked about homes, without the home: what cannot tell whether it is feasible."""
    return [
        LabelledQuestion(
            read_task(question.text).text,
            "feasible" if gold.premise_holds else "infeasible",
            episode.scene,
            "with distractors" if gold.kind == DIST_INJ else "plain",
        )
        for episode in episode_set.episodes
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True)
        if gold.category == HOMES
    ]


def view_questions(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> list[LabelledQuestion]:
    """From where the pictures of each item are taken, as words, with the home that is shown: what cannot tell whether
    it is feasible either."""
    found = []
    for episode in episode_set.episodes:
        for gold in truths[episode.episode_id].questions:
            truth = task_of(gold, f"episode '{episode.episode_id}'")
            if truth.views:
                places = " ".join(f"{value:.1f}".replace("-", "m").replace(".", "p") for value in _flat(truth.views))
                label = "feasible" if gold.premise_holds else "infeasible"
                found.append(LabelledQuestion(f"views{len(truth.views)} {places}", label, truth.home))
    return found


def _flat(views: Sequence[Viewpoint]) -> Iterator[float]:
    return (value for view in views for value in astuple(view))


def set_problems(folder: str | Path) -> list[str]:
    """Everything that is wrong with a set, one sentence each: files, and labels that its own prompts contradict.

    Raises:
        FormatError: the set cannot be read at all.
    """
    episode_set = load_set(folder)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    data = [f"the folder of scene '{name}' is missing" for name in (VIRTUALHOME, BEHAVIOR)]
    problems = [each for each in check_files(episode_set, truths) if not each.startswith(tuple(data))]
    problems += home_problems(episode_set, truths)
    for episode in episode_set.episodes:
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True):
            where = f"episode '{episode.episode_id}', item '{question.question_id}'"
            truth, scene = task_of(gold, where), read_scene(question.text)
            if scene != truth.scene:
                problems.append(f"{where}: its prompt tells another scene than its gold data")
            if (not ungrounded(truth.goal, scene)) != truth.feasible:
                problems.append(f"{where}: it is labelled as feasible or not against what its prompt tells")
            problems += [
                f"{where}: '{name}' is asked about as absent, but its prompt tells of it"
                for name in truth.asked_about
                if scene.has(name)
            ]
    return problems
