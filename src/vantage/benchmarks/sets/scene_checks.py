"""Whether episodes agree with their scene: answers, premises, what views show, and the motions of the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vantage.benchmarks.judging import mentions, words
from vantage.benchmarks.labelling import SceneVisibility, VisibilitySettings
from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.config import RelationSettings, Settings
from vantage.errors import EpisodeError, FormatError, SceneError
from vantage.files import EPISODE_SET
from vantage.planning import ActionSpace
from vantage.questions import (
    Executor,
    Filter,
    Outcome,
    Truths,
    Unique,
    described,
    descriptions,
    execute,
    read_program,
    substituted,
)
from vantage.questions.generation import spoken
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.spatial import Intrinsics
from vantage.splats import load_graph
from vantage.types import Command, Episode, NoiseType, Point, Status, Truth, TruthQuestion
from vantage.worlds import World


def gold_problems(
    truth: TruthQuestion, graph: SceneGraph, asker: Point | None = None, settings: RelationSettings | None = None
) -> list[str]:
    """What contradicts the scene graph, in words; empty for sound gold data.

    Args:
        asker: where the question is asked, m, world frame.
        settings: thresholds of relations, the usual ones when not given.
    """
    try:
        targets = [graph.node(target) for target in truth.target_instances]
        outcome = execute(read_program(truth.program), graph, asker, settings) if truth.program else None
    except (SceneError, FormatError) as error:
        return [str(error)]
    if truth.premise_holds != (truth.noise_type == NoiseType.NONE):
        return [
            f"the premise is said to {'hold' if truth.premise_holds else 'fail'}, the noise is {truth.noise_type.name}"
        ]
    if truth.premise_holds:
        return _clean_problems(truth, targets, outcome)
    problems = (
        []
        if outcome is None or outcome.problem == "none"
        else [f"the premise holds: the program '{truth.program}' finds what it asks about"]
    )
    if truth.noise_type == NoiseType.LATENT:
        return problems + _noise_problems(truth, targets, graph)
    if outcome is None:
        return [*_answer_problems(truth, targets, graph), *_noise_problems(truth, targets, graph)]
    run = Executor(graph, asker, settings)
    return problems + _corrected_problems(truth, targets, run, graph)


def _clean_problems(truth: TruthQuestion, targets: Sequence[GraphNode], outcome: Outcome | None) -> list[str]:
    """The program must give the gold answer, and all that it rests on must be in sight somewhere."""
    if outcome is None:
        return ["a question whose premise holds needs a program"]
    if not targets:
        return ["a question with an answer needs a target"]
    if outcome.value is None:
        return [f"a premise fails: the program '{truth.program}' finds {outcome.problem or 'nothing'}"]
    right = spoken(outcome.value)
    return [] if truth.answer == right else [f"the answer is '{truth.answer}', the scene says '{right}'"]


_FALSE_OF = {  # what conditions of a description a noise type makes false
    NoiseType.COLOR: ("color",),
    NoiseType.MATERIAL: ("material",),
    NoiseType.SHAPE: ("shape",),
    NoiseType.POSITION: ("room", "on", "in", "at"),
}


def _corrected_problems(
    truth: TruthQuestion, targets: Sequence[GraphNode], run: Executor, graph: SceneGraph
) -> list[str]:
    """Without what is false in it, the program must give the gold answer, and name what the correction is about."""
    if not targets:
        return ["a question with an answer needs a target"]
    program = read_program(truth.program)
    for one in descriptions(program):
        if not isinstance(one, Unique) or run.members(one.objects) != ():
            continue
        whole = described(one.objects)
        for condition in whole.conditions:
            said = condition.attribute if isinstance(condition, Filter) else getattr(condition, "relation", "between")
            rest = Unique(whole.without([condition]).objects)
            meant = run.members(rest.objects) or ()
            if said in _FALSE_OF.get(truth.noise_type, ()) and len(meant) == 1:
                value = run.run(substituted(program, one, rest)).value
                right = "" if value is None else spoken(value)
                wrong = [] if truth.answer == right else [f"the answer is '{truth.answer}', the scene says '{right}'"]
                return wrong + _noise_problems(truth, [graph.node(meant[0])], graph)
    return [f"nothing in the program '{truth.program}' is false by {truth.noise_type.name} alone"]


def _answer_problems(truth: TruthQuestion, targets: Sequence[GraphNode], graph: SceneGraph) -> list[str]:
    """Of the corrected question, which asks about the targets."""
    if not targets:
        return ["a question with an answer needs a target"]
    known = {
        "color": sorted({node.color for node in targets}),
        "material": sorted({node.material for node in targets}),
        "location": [_place(targets[0], graph)],
    }
    if truth.kind not in known:
        return [f"the kind '{truth.kind}' is not one of {', '.join(known)}"]
    right = known[truth.kind]
    return [] if [truth.answer] == right else [f"the answer is '{truth.answer}', the scene says '{', '.join(right)}'"]


def _noise_problems(truth: TruthQuestion, targets: Sequence[GraphNode], graph: SceneGraph) -> list[str]:
    if not truth.false_claim or not truth.correction:
        return ["a question with a false premise needs a false claim and a correction"]
    if truth.noise_type == NoiseType.LATENT:
        claimed = truth.false_claim.split(" on ")[0].split(" in ")[0]
        present = sorted({node.label for node in graph.nodes if mentions(claimed, node.label)})
        return [f"the scene does hold a {present[0]}"] if present else []
    values = {
        NoiseType.COLOR: {node.color for node in targets},
        NoiseType.MATERIAL: {node.material for node in targets},
        NoiseType.COUNT: {str(len(targets))},
        NoiseType.POSITION: {place for node in targets for place in _places(node, graph)},
    }.get(truth.noise_type, set())
    problems = []
    if values and not any(_states(truth.correction, value) for value in values):
        first = sorted(values)[0]
        problems.append(f"the correction '{truth.correction}' does not say '{first}', which the scene says")
    if any(_states(truth.false_claim, value) for value in values):
        problems.append(f"the claim '{truth.false_claim}' is true")
    return problems


def _states(claim: str, value: str) -> bool:
    """Whether a claim ends with, or for a number contains, a value."""
    wanted = words(value)
    return wanted[0] in words(claim) if wanted and wanted[0].isdigit() else words(claim)[-len(wanted) :] == wanted


def _place(node: GraphNode, graph: SceneGraph) -> str:
    """Where it is, in words."""
    return Truths(graph, RelationSettings(), hidden=False).word(node, "place")


def _places(node: GraphNode, graph: SceneGraph) -> tuple[str, ...]:
    """What it is on or in, and its room."""
    truths = Truths(graph, RelationSettings(), hidden=False)
    room = truths.word(node, "room")
    return (truths.word(node, "place"), *((f"in the {room}",) if room else ()))


@dataclass(frozen=True)
class JudgedScene:
    """A scene of a set, with what judges views of it."""

    graph: SceneGraph
    judge: SceneVisibility

    @staticmethod
    def load(episode_set: EpisodeSet, name: str) -> JudgedScene:
        """
        Raises:
            FormatError: the set's thresholds are none, or its scene cannot be read.
        """
        folder = episode_set.scene_folder(name)
        visibility = VisibilitySettings.of(
            episode_set.info.thresholds,
            f"{episode_set.folder / EPISODE_SET}: thresholds",
            episode_set.info.view_rule,
        )
        graph = load_graph(folder)
        return JudgedScene(graph, SceneVisibility.of_scene(folder, graph, visibility))

    def problems(self, episode: Episode, truth: Truth, settings: Settings, intrinsics: Intrinsics) -> Iterator[str]:
        """What is wrong with answers, targets, start and goal."""
        asker = (episode.start.x, episode.start.y, episode.start.z)
        for question in truth.questions:
            yield from gold_problems(question, self.graph, asker, settings.relations)
            yield from self._view_problems(question, episode, truth, intrinsics)

    def view_problems(self, episode: Episode, truth: Truth, intrinsics: Intrinsics) -> Iterator[str]:
        """What is wrong with start and goal alone."""
        for question in truth.questions:
            yield from self._view_problems(question, episode, truth, intrinsics)

    def _view_problems(
        self, question: TruthQuestion, episode: Episode, truth: Truth, intrinsics: Intrinsics
    ) -> Iterator[str]:
        if truth.goal is not None and not self.judge.answers(question, truth.goal, intrinsics):
            yield "the goal viewpoint does not show what the question asks for"
        if self.judge.answers(question, episode.start, intrinsics):
            yield "the start shows the answer already"


def budget_problems(episode_set: EpisodeSet) -> list[str]:
    """One sentence for each episode that allows more or fewer actions than the budget that the set states."""
    budget, problems = episode_set.info.budget, []
    if budget is None:
        return []
    for name in episode_set.info.scenes:
        folder = episode_set.scene_folder(name)
        if not folder.is_dir():  # told with the files
            continue
        right = budget.steps_in(folder)
        problems += [
            f"episode '{episode.episode_id}' allows {episode.max_steps} actions, while the budget of the set gives "
            f"{right} in scene '{name}'"
            for episode in episode_set.episodes
            if episode.scene == name and episode.max_steps != right
        ]
    return problems


def replay_problems(world: World, episode: Episode, truth: Truth, actions: ActionSpace) -> list[str]:
    """What happens on the way when the oracle's actions are carried out."""
    try:
        observation = world.reset(episode, episode.seed)
    except EpisodeError as error:
        return [str(error)]
    if truth.oracle_actions is None or truth.goal is None:
        return []
    targets = actions.replay(episode.start, truth.oracle_actions)[1:]
    for number, (action, target) in enumerate(zip(truth.oracle_actions, targets, strict=True), start=1):
        command = Command(target, action, episode_id=episode.episode_id, source="validation", sequence=number)
        result = world.step(command)
        if result.status != Status.DONE:
            return [f"oracle action {number} ({action}) was {result.status.name.lower()}: {result.reason}"]
        observation = result.observation
    miss = observation.viewpoint.distance(truth.goal)
    return [f"the oracle ends {miss:.3f} m from its goal"] if miss > max(1e-6, world.info.tolerance) else []
