"""Which questions are invalid, by rules: what one look cannot answer, what describes nothing or several things, answers
that are long, and counts that nobody could make.
"""

from __future__ import annotations

from collections.abc import Iterator

from vantage.benchmarks.e3vs.candidates import Candidate
from vantage.benchmarks.e3vs.e3vs_plan import CNT
from vantage.benchmarks.labelling import SceneVisibility
from vantage.benchmarks.sets import gold_problems
from vantage.config import RelationSettings
from vantage.scenes.graph import SceneGraph
from vantage.spatial import Intrinsics, Viewpoint

_LEAST_COUNTED, _MOST_COUNTED = 1, 8
_CLEAR = 0.5  # least visible fraction of a thing that is counted
_HALF_SEEN = 0.03  # visible fraction from which on a thing that is not counted might be


def invalid_because(
    candidate: Candidate,
    view: Viewpoint | None,
    graph: SceneGraph,
    judge: SceneVisibility,
    intrinsics: Intrinsics,
    relations: RelationSettings,
    most_words: int,
) -> str:
    """Why a question is invalid, as a reason that many may share; empty where it is valid.

    Args:
        view: one that answers it, if there is one.
        most_words: of an answer.
    """
    question = candidate.question
    if gold_problems(question, graph, settings=relations):
        return "the description fits nothing, or several things"
    if len(question.answer.split()) > most_words:
        return "the answer is not concise"
    if view is None:
        return "no single view answers it"
    if question.category == CNT:
        return next(_counting_faults(candidate, view, graph, judge, intrinsics), "")
    return ""


def _counting_faults(
    candidate: Candidate, view: Viewpoint, graph: SceneGraph, judge: SceneVisibility, intrinsics: Intrinsics
) -> Iterator[str]:
    """What makes a count doubtful in the view that shows it."""
    question = candidate.question
    targets = set(question.target_instances)
    if not (question.answer.isdigit() and _LEAST_COUNTED <= int(question.answer) <= min(_MOST_COUNTED, len(targets))):
        yield "counting: the number is not plausible"
        return
    shown = judge.fractions(view, intrinsics, None, targets)
    if min(shown.values()) < _CLEAR:
        yield "counting: something counted is hidden or cut off"
        return
    labels = {graph.node(target).label for target in targets}
    alike = [node.instance_id for node in graph.nodes if node.label in labels and node.instance_id not in targets]
    if any(_HALF_SEEN <= share < _CLEAR for share in judge.fractions(view, intrinsics, None, alike).values()):
        yield "counting: something alike is half in sight"
