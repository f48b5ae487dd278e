"""Whether what a set asks about homes agrees with the homes themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vantage.benchmarks.heal.base_tasks import HOMES
from vantage.benchmarks.heal.home_facts import HomeFacts, read_home
from vantage.benchmarks.heal.home_words import HOME_NAMES
from vantage.benchmarks.heal.probing_items import BASE, SYNONYM_SUB, ItemTruth, read_truth
from vantage.benchmarks.heal.transformations import other_names
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import VantageError
from vantage.goals import EdgeGoal, Literal, NodeGoal, SceneFacts, object_key, read_scene, word_key
from vantage.types import Truth


def home_problems(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> list[str]:
    """What is wrong with the items about homes, one sentence each: a prompt that tells another home than the one that
    lies in the set, things that nothing is left out of, and goals that are reached before anything is done.

    Raises:
        FormatError: gold data are damaged.
    """
    homes: dict[str, HomeFacts] = {}
    problems = []
    for name in episode_set.info.scenes:
        folder = episode_set.scene_folder(name)
        if folder.is_dir():
            try:
                homes[name] = read_home(folder)
            except VantageError as error:
                problems.append(f"home '{name}' cannot be read: {error}")
    for episode in episode_set.episodes:
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True):
            where = f"episode '{episode.episode_id}', item '{question.question_id}'"
            truth = read_truth(gold.program, where)
            if truth.environment == HOMES and truth.home in homes:
                told = _item_problems(truth, read_scene(question.text), homes[truth.home])
                problems += [f"{where}: {problem}" for problem in told]
    return problems


def _item_problems(truth: ItemTruth, told: SceneFacts, home: HomeFacts) -> Iterator[str]:
    strange = sorted({*truth.gone} - {*home.names})
    if strange:
        yield f"home '{truth.home}' has no thing {strange[0]} that could be left out"
        return
    if home.carried_by(truth.gone) != truth.gone:
        yield "something is left out of the home, and not what it carries"
    scene = home.without(truth.gone)
    if truth.transformation == SYNONYM_SUB:
        scene = scene.renamed(other_names(scene, HOME_NAMES))
    if told != scene:
        yield f"the prompt does not tell what home '{truth.home}' is without what is left out"
    if truth.transformation == BASE and any(_reached(literal, scene) for literal in truth.gold.literals):
        yield "the goal is reached before anything is done"


def _reached(literal: Literal, scene: SceneFacts) -> bool:
    """Whether the facts say that a goal holds."""
    if isinstance(literal, NodeGoal):
        states = (item.initial for item in scene.objects if object_key(item.name) == object_key(literal.object))
        return any(word_key(literal.state) in map(word_key, each) for each in states)
    pair = tuple(map(object_key, literal.objects))
    return isinstance(literal, EdgeGoal) and any(
        word_key(fact.predicate) == word_key(literal.relation) and tuple(map(object_key, fact.objects)) == pair
        for fact in scene.facts
    )
