"""Where a premise has to be checked: the objects and rooms that a question names, besides what answers it.

A claim is refuted at the place where it would be true, so that place must be in sight from somewhere too: the table on
which the mug is said to be, the shelf that is said to hold four books.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.benchmarks.labelling.oracle_views import SceneLabeller
from vantage.config import RelationSettings
from vantage.questions import STRUCTURE, Executor, Filter, Relate, Rooms, Step, Truths, Unique, read_program
from vantage.scenes.graph import GraphNode, SceneGraph
from vantage.scenes.spec import holds
from vantage.spatial import Viewpoint
from vantage.types import NoiseType, TruthQuestion

_MISSING = (NoiseType.LATENT, NoiseType.POSITION)  # what is false of them is that something is at a place
_HOLDING = ("on", "in", "at")  # relations to a place that must be seen nearly whole to say what is not there


@dataclass(frozen=True)
class ClaimedPlace:
    """An object at which a claim can be checked.

    Attributes:
        whole: something is said to be on or in it, so that nearly all of its top must be seen.
    """

    instance_id: int
    whole: bool


def goal_truth(noisy: TruthQuestion, clean: TruthQuestion) -> TruthQuestion:
    """The gold data of a noisy question, with those targets only that one look should show.

    That is what the corrected question is about, or one place where the object is missing. Further targets are places,
    which may lie in another room.
    """
    latent = noisy.noise_type == NoiseType.LATENT
    return replace(noisy, target_instances=noisy.target_instances[:1] if latent else clean.target_instances)


def claimed_places(noisy: TruthQuestion, clean: TruthQuestion, graph: SceneGraph) -> tuple[ClaimedPlace, ...]:
    """Where the claim of a question can be checked, besides its ``goal_truth``.

    Raises:
        FormatError: the program cannot be read.
    """
    looked_at = goal_truth(noisy, clean).target_instances
    found = {target: noisy.noise_type in _MISSING for target in noisy.target_instances if target not in looked_at}
    for support in _supports_of_counted(noisy, clean, graph):
        found.setdefault(support, False)
    if noisy.program:
        executor = Executor(graph)
        for step in _steps(read_program(noisy.program)):
            if isinstance(step, Relate) and isinstance(step.anchor, Unique):
                members = executor.members(step.anchor.objects) or ()
                if len(members) == 1:
                    found.setdefault(members[0], noisy.noise_type in _MISSING and step.relation in _HOLDING)
    return tuple(ClaimedPlace(key, whole) for key, whole in found.items() if key > 0 and key not in looked_at)


def claimed_rooms(truth: TruthQuestion, graph: SceneGraph) -> tuple[str, ...]:
    """The kinds of rooms that a question names and the home has.

    Raises:
        FormatError: the program cannot be read.
    """
    steps = _steps(read_program(truth.program)) if truth.program else iter(())
    named = [
        step.value
        for step in steps
        if isinstance(step, Filter)
        and (step.attribute == "room" or (step.attribute == "label" and isinstance(step.objects, Rooms)))
    ]
    known = {room.label for room in graph.rooms}
    return tuple(room for room in dict.fromkeys(named) if room in known)


def claimed_contents(noisy: TruthQuestion, clean: TruthQuestion, graph: SceneGraph) -> tuple[GraphNode, ...]:
    """What is at the place where something is said to be that is not there, apart from what is shut in.

    Empty where nothing of the kind is said, or where nothing is there.

    Raises:
        FormatError: the program cannot be read.
    """
    if noisy.noise_type not in _MISSING:
        return ()
    truths = Truths(graph, RelationSettings(), hidden=False)
    steps = _steps(read_program(noisy.program)) if noisy.program else iter(())
    rooms = () if any(_holds(step) for step in steps) else claimed_rooms(noisy, graph)
    places = [truths.nodes[key] for key in noisy.target_instances if key not in clean.target_instances]
    return tuple(
        node
        for node in truths.objects
        if node.label not in STRUCTURE
        and (truths.word(node, "room") in rooms if rooms else any(truths.is_at(node, place) for place in places))
    )


def unseen_places(
    noisy: TruthQuestion, clean: TruthQuestion, graph: SceneGraph, labeller: SceneLabeller, start: Viewpoint
) -> Iterator[str]:
    """What a camera that begins at ``start`` can never see of the places that a question names, one sentence each."""
    for place in claimed_places(noisy, clean, graph):
        if labeller.reachable_view(_looking_at(place), start) is None:
            label = graph.node(place.instance_id).label
            how = "whole" if place.whole else "well enough"
            yield f"no viewpoint that can be reached shows the {label} ({place.instance_id}) {how}"
    named = claimed_rooms(noisy, graph)
    positions = labeller.reachable_positions(start) if named else ()
    for room in named:
        outlines = [item.outline for item in graph.rooms if item.label == room]
        if not any(holds(outline, float(x), float(y)) for x, y, _ in positions for outline in outlines):
            yield f"no viewpoint that can be reached is in the {room}"


def _looking_at(place: ClaimedPlace) -> TruthQuestion:
    """Gold data that need a look at a place, and at all of its top where something may be missing there."""
    kind, answer = ("existence", "no") if place.whole else ("location", "")
    return TruthQuestion("look", kind, answer, target_instances=(place.instance_id,))


def _supports_of_counted(noisy: TruthQuestion, clean: TruthQuestion, graph: SceneGraph) -> list[int]:
    """What carries the objects that a false number is about: it must be seen to know that there are no more."""
    if noisy.noise_type != NoiseType.COUNT:
        return []
    parents = [graph.node(target).parent for target in clean.target_instances]
    structure = {node.instance_id for node in graph.nodes if node.is_structure}
    return [parent for parent in dict.fromkeys(parents) if parent and parent not in structure]


def _holds(step: Step) -> bool:
    return isinstance(step, Relate) and step.relation in _HOLDING


def _steps(step: Step) -> Iterator[Step]:
    yield step
    for item in dataclasses.fields(step):
        value = getattr(step, item.name)
        if dataclasses.is_dataclass(value):
            yield from _steps(value)  # type: ignore[arg-type]
