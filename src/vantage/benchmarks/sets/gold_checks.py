"""Whether gold data agree with the scene they are about: answers, premises and what is false about them."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.benchmarks.judging.answer_text import mentions, words
from vantage.benchmarks.labelling.needed_visibility import needs_of
from vantage.config import RelationSettings
from vantage.errors import FormatError, SceneError
from vantage.questions.execution import Outcome, execute
from vantage.questions.generation.clean_questions import spoken
from vantage.questions.programs import read_program
from vantage.questions.truths import Truths
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.types import NoiseType, Point, TruthQuestion


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
    problems = [] if needs_of(truth).absent else _answer_problems(truth, targets, graph)
    if outcome is not None and outcome.problem != "none":
        problems.append(f"the premise holds: the program '{truth.program}' finds what it asks about")
    return problems + _noise_problems(truth, targets, graph)


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
        NoiseType.POSITION: {_place(node, graph) for node in targets},
    }.get(truth.noise_type, set())
    problems = []
    for value in values:
        if not _states(truth.correction, value):
            problems.append(f"the correction '{truth.correction}' does not say '{value}', which the scene says")
        if _states(truth.false_claim, value):
            problems.append(f"the claim '{truth.false_claim}' is true")
    return problems


def _states(claim: str, value: str) -> bool:
    """Whether a claim ends with, or for a number contains, a value."""
    wanted = words(value)
    return wanted[0] in words(claim) if wanted and wanted[0].isdigit() else words(claim)[-len(wanted) :] == wanted


def _place(node: GraphNode, graph: SceneGraph) -> str:
    """Where it is, in words."""
    return Truths(graph, RelationSettings(), hidden=False).word(node, "place")
