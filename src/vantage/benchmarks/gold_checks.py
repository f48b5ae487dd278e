"""Whether gold data agree with the scene they are about: answers, premises and what is false about them."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.benchmarks.answer_text import mentions, words
from vantage.benchmarks.visibility import claims_absence
from vantage.errors import SceneError
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.types import NoiseType, TruthQuestion


def gold_problems(truth: TruthQuestion, graph: SceneGraph) -> list[str]:
    """What contradicts the scene graph, in words; empty for sound gold data."""
    try:
        targets = [graph.node(target) for target in truth.target_instances]
    except SceneError as error:
        return [str(error)]
    if truth.premise_holds != (truth.noise_type == NoiseType.NONE):
        return [
            f"the premise is said to {'hold' if truth.premise_holds else 'fail'}, the noise is {truth.noise_type.name}"
        ]
    problems = [] if claims_absence(truth) else _answer_problems(truth, targets, graph)
    if not truth.premise_holds:
        problems += _noise_problems(truth, targets, graph)
    return problems


def _answer_problems(truth: TruthQuestion, targets: Sequence[GraphNode], graph: SceneGraph) -> list[str]:
    if not targets:
        return ["a question with an answer needs a target"]
    known = {
        "color": sorted({node.color for node in targets}),
        "material": sorted({node.material for node in targets}),
        "count": [str(len(targets))] if len({node.label for node in targets}) == 1 else [],
        "existence": ["yes"],
        "location": [_place(targets[0], graph)],
    }
    if truth.kind not in known:
        return [f"the kind '{truth.kind}' is not one of {', '.join(known)}"]
    right = known[truth.kind]
    if truth.kind == "location":
        fits = mentions(truth.answer, right[0])
    else:
        fits = [truth.answer] == right
    return [] if fits else [f"the answer is '{truth.answer}', the scene says '{', '.join(right)}'"]


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
    """The name of what a thing is on or in."""
    return graph.node(node.parent).label if node.parent else "floor"
