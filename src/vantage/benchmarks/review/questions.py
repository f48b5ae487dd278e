"""The questions of any set as items of a review: answer, category, what the start shows and what the goals show.

Episodes that ask the same of the same scene from several starts are one item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import lru_cache, partial

from vantage.benchmarks.labelling import SceneWorld, open_scene_world
from vantage.benchmarks.review.item import Outline, Picture, ReviewItem, ViewFigure, picture_of
from vantage.benchmarks.sets import SCENES, EpisodeSet, load_truths
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.scenes.graph import SceneGraph
from vantage.splats import load_graph
from vantage.types import Episode, Truth, TruthQuestion


def question_episodes(episode_set: EpisodeSet) -> Mapping[str, tuple[str, ...]]:
    """Ids of the episodes of each item: those of one pair id, or else one each."""
    found: dict[str, tuple[str, ...]] = {}
    for key, truth in load_truths(episode_set.folder, episode_set.episodes).items():
        found[_key(truth)] = (*found.get(_key(truth), ()), key)
    return found


def question_items(episode_set: EpisodeSet) -> Iterator[ReviewItem]:
    """The items of a set in its order. Start views are rendered, goal views are those of the set.

    Raises:
        FormatError: gold data or a scene graph cannot be read.
    """
    truths = load_truths(episode_set.folder, episode_set.episodes)
    episodes = {episode.episode_id: episode for episode in episode_set.episodes}

    @lru_cache(maxsize=1)
    def graph_of(scene: str) -> SceneGraph:
        return load_graph(episode_set.scene_folder(scene))

    settings = Settings().with_values(dict(episode_set.info.settings), str(episode_set.folder))
    with closing(open_scene_world(settings, episode_set.folder / SCENES, episode_set.info.world)) as world:
        for key, names in question_episodes(episode_set).items():
            first, graph = truths[names[0]], graph_of(episodes[names[0]].scene)
            about = _targets(first, graph)
            figures = []
            for number, name in enumerate(names, start=1):
                episode, goal = episodes[name], truths[name].goal
                which = f" {number}" if len(names) > 1 else ""
                start = partial(_start_view, world, episode)
                figures.append(ViewFigure(f"Start{which}", start, episode.start, about))
                shown = partial(picture_of, episode_set.goal_image(name))
                figures.append(ViewFigure(f"Goal{which}", shown, goal, about))
            gold = first.questions[0] if first.questions else None
            rows = tuple(row for episode in [episodes[names[0]]] for row in _rows(episode, first))
            yield ReviewItem(
                key, _group(gold), gold.kind if gold is not None else "", (*rows, *_facts(about)), tuple(figures)
            )


def _key(truth: Truth) -> str:
    return truth.pair_id or truth.episode_id


def _group(gold: TruthQuestion | None) -> str:
    return "" if gold is None else gold.category or gold.kind


def _targets(truth: Truth, graph: SceneGraph) -> tuple[Outline, ...]:
    named = dict.fromkeys(key for question in truth.questions for key in question.target_instances)
    return tuple(Outline(graph.node(key), "about") for key in named)


def _rows(episode: Episode, truth: Truth) -> Iterator[tuple[str, str]]:
    for question in episode.questions:
        yield "Question", question.text
        gold = next((each for each in truth.questions if each.is_about(question)), None)
        if gold is None:
            continue
        others = f" (or {', '.join(gold.accepted)})" if gold.accepted else ""
        yield "Answer", gold.answer + others if gold.answer else "none"
        if not gold.premise_holds:
            yield "Falsehood", gold.false_claim
            yield "Correction", gold.correction


def _facts(about: tuple[Outline, ...]) -> tuple[tuple[str, str], ...]:
    told = []
    for outline in about:
        obj = outline.obj
        words = (*obj.states, obj.color, obj.shape, obj.material, obj.label)
        told.append(f"{' '.join(word for word in words if word)} (id {obj.instance_id})")
    return (("Targets", "; ".join(told)),) if told else ()


def _start_view(world: SceneWorld, episode: Episode) -> Picture | None:
    """What the start shows; None where the world cannot show it."""
    try:
        return world.reset(replace(episode, questions=()), 0).rgb
    except VantageError:
        return None
