"""Questions about how objects stand to each other: what is under the desk, is the box to the left of the sofa."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.generation.drafts import Draft, QuestionScene, ids
from vantage.questions.generation.facts import Facts, names_place_of
from vantage.questions.generation.question_templates import seen_from
from vantage.questions.generation.referring_expressions import called, prepositional
from vantage.questions.lexicon import UNCOUNTED, could_be_called
from vantage.questions.programs import Between, Exist, One, Query, Relate, Scene, Unique, VerifyRelation
from vantage.scenes.geometry import GEOMETRIC, SIDES, gap
from vantage.scenes.graph import GraphNode

_LEAST_VIEW = 1.0  # m from an object that somebody looks at
_MOST_VIEW = 6.0  # m
_NEIGHBOURHOOD = 1.5  # m: what is farther from an object is not said to be beside it, not even by mistake
_CLEAR = ("next to", "near", "under")  # relations that geometry sees more often than people do
_MOST_ANCHORS = 30  # that are tried for one question
_WITH_FRONT = (  # from which everybody looks the same way: not a round table, a lamp or a bed
    *(
        "door",
        "window",
        "sofa",
        "armchair",
        "desk",
        "television",
        "monitor",
        "fridge",
        "stove",
        "wardrobe",
        "bookshelf",
    ),
    *("dresser", "sink", "washing machine", "whiteboard", "fireplace", "piano"),
)


def ask_relation(asking: QuestionScene) -> Iterator[Draft]:
    """What is under the desk? Is the lamp next to the bed? What is to the left of the sofa, seen from the door?"""
    for maker in asking.shuffled((_what, _what, _whether, _whether, _there_is, _between)):
        yield from maker(asking)


def _what(asking: QuestionScene) -> Iterator[Draft]:
    """The one object in a relation to another."""
    facts = asking.facts
    options: list[tuple[str, GraphNode, GraphNode, GraphNode | None]] = []
    for anchor in asking.shuffled(facts.in_sight)[:_MOST_ANCHORS]:
        direct = [node for node in facts.at(anchor) if node.parent == anchor.instance_id]
        if len(facts.at(anchor)) == 1 and direct:
            options.append((direct[0].relation or "on", direct[0], anchor, None))
        for relation in GEOMETRIC:
            viewer = _viewer(asking, anchor) if relation in SIDES else None
            if relation in SIDES and viewer is None:
                continue
            found = facts.related(relation, anchor, None if viewer is None else viewer.center)
            for obj in map(facts.node, found) if len(found) == 1 else ():
                if obj is not viewer and _is_said(facts, relation, obj, anchor):
                    options.append((relation, obj, anchor, viewer))
    for relation, obj, anchor, viewer in asking.evenly(options, lambda option: option[0]):
        place = _place(asking, relation, anchor, viewer)
        if place is not None and obj in facts.in_sight and names_place_of(anchor, obj):
            words, one, view = place
            program = Query(Unique(Relate(Scene(), relation, one, view)), "label")
            yield Draft(asking.worded("what", place=words), program, _targets(relation, obj, anchor))


def _whether(asking: QuestionScene) -> Iterator[Draft]:
    """Whether one object stands in a relation to another that is near."""
    facts = asking.facts
    options = []
    for anchor in asking.shuffled(facts.in_sight)[:_MOST_ANCHORS]:
        near = [
            obj
            for obj in facts.in_sight
            if obj.room == anchor.room and names_place_of(anchor, obj) and gap(obj, anchor) <= _NEIGHBOURHOOD
        ]
        for relation in asking.shuffled(GEOMETRIC):
            viewer = _viewer(asking, anchor) if relation in SIDES else None
            if relation in SIDES and viewer is None:
                continue
            found = facts.related(relation, anchor, None if viewer is None else viewer.center)
            fitting = [
                obj
                for obj in near
                if (obj.instance_id in found) == asking.yes
                and obj is not viewer
                and _is_said(facts, relation, obj, anchor)
            ]
            if fitting and (asking.yes or found):
                options.append((relation, asking.pick(fitting), anchor, viewer))
    for relation, obj, anchor, viewer in asking.evenly(options, lambda option: option[0]):
        place = _place(asking, relation, anchor, viewer, "place")  # "the table on the rug" tells where the rug is
        phrase = asking.describe(obj, "relation", "place") if place is not None else None
        if place is not None and phrase is not None:
            words, one, view = place
            text = asking.worded("whether", the=phrase.the, place=words)
            yield Draft(text, VerifyRelation(phrase.one, relation, one, view), ids([obj, anchor]))


def _there_is(asking: QuestionScene) -> Iterator[Draft]:
    """Whether there is an object beside another; only where there is, since no single look shows that nothing is."""
    facts = asking.facts
    for anchor in asking.shuffled(facts.in_sight)[:_MOST_ANCHORS] if asking.yes else ():
        relation = asking.pick(GEOMETRIC)
        viewer = _viewer(asking, anchor) if relation in SIDES else None
        if relation in SIDES and viewer is None:
            continue
        found = facts.related(relation, anchor, None if viewer is None else viewer.center)
        beside = [obj for obj in facts.in_sight if obj.instance_id in found and obj is not viewer]
        said = [obj for obj in beside if names_place_of(anchor, obj) and _is_said(facts, relation, obj, anchor)]
        for obj in asking.shuffled(said):
            place = _place(asking, relation, anchor, viewer)
            if place is None or sum(other.label == obj.label for other in beside) != 1:
                continue
            words, one, view = place
            phrase = called(obj.label)
            form = "exist some" if obj.label in UNCOUNTED else "exist"
            text = asking.worded(form, a=phrase.a, several=phrase.several, noun=phrase.words, place=words)
            yield Draft(text, Exist(Relate(phrase.objects, relation, one, view)), ids([obj, anchor]))


def _between(asking: QuestionScene) -> Iterator[Draft]:
    """The one object between two others."""
    facts = asking.facts
    for first in asking.shuffled(facts.in_sight)[:_MOST_ANCHORS]:
        others = [
            node
            for node in facts.in_sight
            if node.room == first.room and node.label != first.label and 0.2 < gap(node, first) <= _NEIGHBOURHOOD
        ]
        for second in asking.shuffled(others):
            found = [node for node in facts.truths.objects if facts.truths.is_between(node, first, second)]
            if len(found) != 1 or found[0] not in facts.in_sight or facts.is_contained(found[0]):
                continue
            one, other = asking.describe(first, "relation"), asking.describe(second, "relation")
            if one is not None and other is not None:
                text = asking.worded("what", place=f"between {one.the} and {other.the}")
                program = Query(Unique(Between(Scene(), one.one, other.one)), "label")
                yield Draft(text, program, ids([found[0], first, second]))


def _place(
    asking: QuestionScene, relation: str, anchor: GraphNode, viewer: GraphNode | None, *avoid: str
) -> tuple[str, Unique, One | None] | None:
    """``to the left of the sofa, seen from the door`` with the steps for both objects; None where one has no name."""
    phrase = asking.describe(anchor, "relation", *avoid)
    if phrase is None:
        return None
    words = f"{prepositional(relation)} {phrase.the}"
    if viewer is None:
        return words, phrase.one, None
    view = asking.describe(viewer, "relation", "place", "state")
    if view is None:
        return None
    return f"{words}, {seen_from(view.the, asking.rng)}", phrase.one, view.one


def _is_said(facts: Facts, relation: str, obj: GraphNode, anchor: GraphNode) -> bool:
    """Whether people say of an object that it stands, or does not stand, so to an anchor.

    Nothing is said of what a container holds, and nothing holds that not anybody would say. The sides of an anchor are
    named for what shares its support or is not far from it.
    """
    if facts.is_contained(obj):
        return False
    if relation in _CLEAR and obj.instance_id in facts.related(relation, anchor) - facts.clearly(relation, anchor):
        return False
    shared = facts.support_id(obj) == facts.support_id(anchor) != 0
    return relation not in SIDES or shared or gap(obj, anchor) <= _NEIGHBOURHOOD


def _viewer(asking: QuestionScene, anchor: GraphNode) -> GraphNode | None:
    """Something with a front, in the same room, from which people look at an object."""
    options = [
        node
        for node in asking.facts.truths.objects
        if node.label in _WITH_FRONT
        and not could_be_called(node.label, anchor.label)
        and node.room == anchor.room
        and _LEAST_VIEW <= gap(node, anchor) <= _MOST_VIEW
    ]
    return asking.pick(options) if options else None


def _targets(relation: str, obj: GraphNode, anchor: GraphNode) -> tuple[int, ...]:
    """What must be seen: what is on or in an object shows by itself that it is there."""
    return ids([obj] if relation in ("on", "in") else [obj, anchor])
