"""What people see of a pair on the review page: both questions, the facts, and what their goal views show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from vantage.benchmarks.labelling import claimed_contents, claimed_places, goal_truth
from vantage.benchmarks.review import Outline, ReviewItem, ViewFigure, picture_of
from vantage.benchmarks.sets import EpisodeSet, Pair, PairMember, load_truths, pairs_of
from vantage.config import RelationSettings
from vantage.questions import Truths
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.splats import load_graph
from vantage.types import NoiseType, TruthQuestion


def pair_episodes(episode_set: EpisodeSet) -> Mapping[str, tuple[str, ...]]:
    """Ids of the two episodes of each pair."""
    pairs, _ = pairs_of(episode_set, load_truths(episode_set.folder, episode_set.episodes))
    return {key: (pair.noisy.episode.episode_id, pair.clean.episode.episode_id) for key, pair in pairs.items()}


def pair_items(episode_set: EpisodeSet) -> Iterator[ReviewItem]:
    """The pairs of a set, by the type of the noise.

    Raises:
        FormatError: gold data or a scene graph cannot be read.
    """
    pairs, _ = pairs_of(episode_set, load_truths(episode_set.folder, episode_set.episodes))

    @lru_cache(maxsize=1)
    def graph_of(scene: str) -> SceneGraph:
        return load_graph(episode_set.scene_folder(scene))

    for key, pair in pairs.items():
        graph, gold = graph_of(pair.noisy.episode.scene), pair.noisy.gold
        figures = figures_of(episode_set, pair, graph)
        yield ReviewItem(key, gold.noise_type.name, gold.kind, _rows(pair, graph), figures)


def figures_of(episode_set: EpisodeSet, pair: Pair, graph: SceneGraph) -> tuple[ViewFigure, ...]:
    """The pictures of a pair: one where both questions are judged from one viewpoint.

    Raises:
        FormatError: a program of the gold data cannot be read.
    """
    noisy, clean = pair.noisy, pair.clean
    about = [Outline(graph.node(key), "about") for key in clean.gold.target_instances]
    named = [*goal_truth(noisy.gold, clean.gold).target_instances, *noisy.gold.target_instances]
    named += [place.instance_id for place in claimed_places(noisy.gold, clean.gold, graph)]
    places = [
        Outline(graph.node(key), "place") for key in dict.fromkeys(named) if key not in clean.gold.target_instances
    ]
    if noisy.gold.noise_type != NoiseType.LATENT:
        near = _in_sight(places, about)
        outlines = (*near, *about)
        if noisy.truth.goal == clean.truth.goal:
            return (_goal(episode_set, noisy, "From where both are judged", outlines),)
        return (
            _goal(episode_set, noisy, "Where the noisy one is judged", outlines),
            _goal(episode_set, clean, "Where the twin is judged", outlines),
        )
    there = [Outline(node, "there") for node in claimed_contents(noisy.gold, clean.gold, graph)]
    looked_at = places[:1]
    there = [item for item in there if item.obj.instance_id not in {place.obj.instance_id for place in places}]
    missed = _goal(
        episode_set,
        noisy,
        f"Where {noisy.gold.false_claim.removeprefix('there is ')} would be",
        (*_in_sight(places, looked_at), *_in_sight(there, looked_at)),
    )
    return missed, _goal(episode_set, clean, "Where the twin is judged", tuple(about))


def _goal(episode_set: EpisodeSet, half: PairMember, caption: str, outlines: tuple[Outline, ...]) -> ViewFigure:
    """What the goal of one question shows."""
    taken = partial(picture_of, episode_set.goal_image(half.episode.episode_id))
    return ViewFigure(caption, taken, half.truth.goal, outlines)


def _in_sight(outlines: Sequence[Outline], beside: Sequence[Outline]) -> list[Outline]:
    """Those in the rooms of others; a wall is between the rest and the camera."""
    rooms = {outline.obj.room for outline in beside}
    return [outline for outline in outlines if outline.obj.room in rooms]


def _rows(pair: Pair, graph: SceneGraph) -> tuple[tuple[str, str], ...]:
    """What is told of a pair: names and values."""
    noisy, clean = pair.noisy, pair.clean
    latent = noisy.gold.noise_type == NoiseType.LATENT
    rows: tuple[tuple[str, str], ...] = (
        ("Noisy question", noisy.text),
        ("Twin", clean.text),
        ("Fact about the twin" if latent else "Fact", "; ".join(_facts(clean.gold, graph))),
        ("Falsehood", noisy.gold.false_claim),
        ("Correction", noisy.gold.correction),
        ("Corrected question", noisy.gold.corrected_question or "none: what it asks about is not there"),
        ("Answer to it", _answers(noisy.gold) or "none"),
        ("Answer to the twin", _answers(clean.gold)),
    )
    there = ", ".join(_counted(claimed_contents(noisy.gold, clean.gold, graph)))
    if latent or noisy.gold.noise_type == NoiseType.POSITION:
        rows = (*rows[:4], ("At the claimed place", there or "nothing"), *rows[4:])
    return rows


def _facts(truth: TruthQuestion, graph: SceneGraph) -> Iterator[str]:
    """What the scene graph says of the objects that the twin is about."""
    truths = Truths(graph, RelationSettings(), hidden=False)
    for target in truth.target_instances:
        node = truths.nodes[target]
        room = truths.word(node, "room")
        words = (*node.states, node.color, node.shape, node.material, node.label)
        place = truths.word(node, "place")
        where = place if not room or place == f"in the {room}" else f"{place}, in the {room}"
        yield f"{' '.join(word for word in words if word)} (id {target}) {where}"


def _counted(objects: Iterable[GraphNode]) -> Iterator[str]:
    """The kinds of objects, and how many there are of each."""
    for label, number in sorted(Counter(obj.label for obj in objects).items()):
        yield label if number == 1 else f"{label} ({number})"


def _answers(truth: TruthQuestion) -> str:
    others = f" (or {', '.join(truth.accepted)})" if truth.accepted else ""
    return truth.answer + others if truth.answer else ""
