"""Whether what a set asks about homes agrees with the homes themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vantage.benchmarks.heal.base_tasks import HOMES
from vantage.benchmarks.heal.home_facts import HomeFacts, read_home
from vantage.benchmarks.heal.home_items import named_things, told_scene
from vantage.benchmarks.heal.home_views import seen_from
from vantage.benchmarks.heal.probing_items import BASE, sights_of, task_of
from vantage.benchmarks.heal.sights import VIEWS, Seen
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import VantageError
from vantage.goals import EdgeGoal, Literal, NodeGoal, SceneFacts, TaskTruth, object_key, read_scene, word_key
from vantage.spatial import Viewpoint
from vantage.splats import load_scene
from vantage.splats.rendering import make_renderer
from vantage.types import Truth

_SLACK, _SLACK_SHARE = 5, 0.01  # pixels, and share of them


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
    sights = _Sights(episode_set, homes)
    for episode in episode_set.episodes:
        for question, gold in zip(episode.questions, truths[episode.episode_id].questions, strict=True):
            where = f"episode '{episode.episode_id}', item '{question.question_id}'"
            truth = task_of(gold, where)
            if gold.category == HOMES and truth.home in homes:
                told = _item_problems(gold.kind, truth, read_scene(question.text), homes[truth.home])
                problems += [f"{where}: {problem}" for problem in told]
                problems += [f"{where}: {problem}" for problem in sights.problems(gold.kind, truth)]
    return problems


class _Sights:
    """Looks again at homes from where the pictures of their items are taken."""

    def __init__(self, episode_set: EpisodeSet, homes: Mapping[str, HomeFacts]) -> None:
        self._set, self._homes = episode_set, homes
        self._views: dict[str, tuple[Viewpoint, ...]] = {}
        self._seen: dict[str, Mapping[int, Seen] | None] = {}

    def problems(self, transformation: str, truth: TaskTruth) -> Iterator[str]:
        if not truth.views:  # of a set that is older than pictures
            return
        home = truth.home
        if len(truth.views) != VIEWS or self._views.setdefault(home, truth.views) != truth.views:
            yield f"home '{home}' is shown from other places than for other items"
            return
        named = named_things(truth.goal, self._homes[home], truth.left_out, transformation)
        told = sights_of(truth)
        if tuple(each.thing for each in told) != named:
            yield "the gold data do not tell how well pictures show each thing and room that its goal names"
            return
        seen = self._looked(home)
        if seen is None:
            yield f"home '{home}' has no cloud of which pictures could be taken"
            return
        for each in told:
            if not _alike(each.pixels, seen[each.thing].pixels):
                yield (
                    f"pictures of home '{home}' show {seen[each.thing].pixels} pixels of {each.thing}, and the gold "
                    f"data tell {each.pixels}"
                )
            elif abs(each.share - seen[each.thing].share) > 1:
                yield f"pictures of home '{home}' show another share of {each.thing} than the gold data tell"

    def _looked(self, home: str) -> Mapping[int, Seen] | None:
        """How well the views show all things and rooms of a home; None where it cannot be painted."""
        if home not in self._seen:
            facts = self._homes[home]
            renderer = make_renderer("cpu", 1)
            try:
                cloud = load_scene(self._set.scene_folder(home)).cloud
                found = seen_from(facts, cloud, self._views[home], tuple(facts.names), renderer)
                self._seen[home] = {each.thing: each for each in found}
            except VantageError:
                self._seen[home] = None
            finally:
                renderer.close()
        return self._seen[home]


def _alike(told: int, seen: int) -> bool:
    """Whether two numbers of pixels are the same but for last digits of another machine."""
    return abs(told - seen) <= max(_SLACK, _SLACK_SHARE * told)


def _item_problems(transformation: str, truth: TaskTruth, told: SceneFacts, home: HomeFacts) -> Iterator[str]:
    strange = sorted({*truth.left_out} - {*home.names})
    if strange:
        yield f"home '{truth.home}' has no thing {strange[0]} that could be left out"
        return
    if home.carried_by(truth.left_out) != truth.left_out:
        yield "something is left out of the home, and not what it carries"
    scene = told_scene(home, truth.left_out, transformation)
    if told != scene:
        yield f"the prompt does not tell what home '{truth.home}' is without what is left out"
    if transformation == BASE and any(_reached(literal, scene) for literal in truth.goal.literals):
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
