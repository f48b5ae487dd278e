"""Questions about the attributes of one object, and questions that compare objects.

Color, material, shape, size, state and text; more mugs than plates, the larger of two, the same color, the tallest.
"""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.generation.drafts import Draft, QuestionScene, ids
from vantage.questions.generation.location_questions import groups_at
from vantage.questions.generation.referring_expressions import called
from vantage.questions.generation.visible_looks import known_of_all, shows_its
from vantage.questions.kinds import OPPOSITES
from vantage.questions.lexicon import plural
from vantage.questions.programs import (
    CompareAttribute,
    CompareNumber,
    CompareQuantity,
    Count,
    Intersect,
    Most,
    Program,
    Query,
    Relate,
    Same,
    Scene,
    Verify,
)
from vantage.scenes.geometry import gap, measure
from vantage.scenes.graph import GraphNode

_ALWAYS_THE_SAME = ("basket", "counter")  # objects without a lid are open for ever, and nobody asks it of a counter
_MOST_OF_A_SIZE = 4  # objects of one class that a view must show together for their sizes to be compared


def ask_color(asking: QuestionScene) -> Iterator[Draft]:
    """What color is the mug on the table?"""
    return _query(asking, "color")


def ask_material(asking: QuestionScene) -> Iterator[Draft]:
    """What is the box next to the sofa made of?"""
    return _query(asking, "material")


def ask_shape(asking: QuestionScene) -> Iterator[Draft]:
    """What shape is the clock in the kitchen?"""
    return _query(asking, "shape")


def ask_text(asking: QuestionScene) -> Iterator[Draft]:
    """What is written on the jar on the counter?"""
    return _query(asking, "text")


def _query(asking: QuestionScene, attribute: str) -> Iterator[Draft]:
    facts = asking.facts
    having = [
        obj
        for obj in facts.in_sight
        if facts.truths.word(obj, attribute) not in ("", obj.label)
        and shows_its(facts, obj, attribute)
        and not known_of_all(obj.label, attribute)
    ]
    for obj in asking.evenly(having, lambda obj: facts.truths.word(obj, attribute)):
        phrase = asking.describe(obj, attribute)
        if phrase is not None:
            text = asking.worded(attribute, the=phrase.the)
            yield Draft(text, Query(phrase.one, attribute), (obj.instance_id,))


def ask_size(asking: QuestionScene) -> Iterator[Draft]:
    """Compared with the other boxes, is the red box large or small?

    Only where all objects of the class are in one room, since all must be seen, and nobody takes others for such.
    """
    facts = asking.facts
    having = [obj for obj in facts.in_sight if facts.truths.word(obj, "size")]
    for obj in asking.evenly(having, lambda obj: facts.truths.word(obj, "size")):
        alike = [facts.node(key) for key in sorted(facts.sharing("label", obj.label))]
        among = [node for node in facts.in_sight if node.room in (0, obj.room)]
        sizes = [measure("size", node) for node in alike if node is not obj]
        apart = all(
            max(each, own) >= _CLEARLY["size"] * min(each, own) for each in sizes for own in (measure("size", obj),)
        )
        together = len({node.room for node in alike}) == 1 and apart and bool(sizes) and facts.are_plain(alike, among)
        phrase = asking.describe(obj, "size") if together and len(alike) <= _MOST_OF_A_SIZE else None
        if phrase is not None:
            text = asking.worded("size", the=phrase.the, several=plural(obj.label), noun=obj.label)
            others = [node for node in alike if node is not obj]
            yield Draft(text, Query(phrase.one, "size"), ids([obj, *others]))


def ask_state(asking: QuestionScene) -> Iterator[Draft]:
    """Is the fridge open? Is the lamp on the desk on or off?"""
    whole = asking.chance(0.3)
    having = [
        (obj, state)
        for obj in asking.facts.in_sight
        for state in obj.states
        if state in OPPOSITES and obj.label not in _ALWAYS_THE_SAME
    ]
    for obj, state in asking.evenly(having, lambda pair: (pair[0].label, pair[1])):
        phrase = asking.describe(obj, "state")
        if phrase is None:
            continue
        asked = state if asking.yes else OPPOSITES[state]
        program: Program = Verify(phrase.one, "state", asked)
        text = asking.worded("state", the=phrase.the, state=asked)
        if whole and len(obj.states) == 1:
            program = Query(phrase.one, "state")
            first, second = asking.shuffled((state, OPPOSITES[state]))
            text = asking.worded("which state", the=phrase.the, state=first, other=second)
        yield Draft(text, program, (obj.instance_id,))


_TOGETHER = 2.0  # m: objects farther from each other are not compared, since one view should show both
_MOST_SHOWN = 6  # objects that one view must show
_CLEARLY = {"height": 1.25, "size": 2.0}  # ratio of what a view from the side tells apart: of heights, and of volumes
_FORMS = (("larger", "size", False), ("smaller", "size", True), ("taller", "height", False))


def ask_comparison(asking: QuestionScene) -> Iterator[Draft]:
    """Are there more mugs than plates on the table? Is the pot on the stove bigger than the kettle?"""
    for maker in asking.shuffled((_numbers, _sizes, _colors)):
        yield from maker(asking)


def _numbers(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    for support in asking.shuffled(facts.supports):
        groups = groups_at(asking, support)
        anchor = asking.describe(support, "place", "relation") if len(groups) > 1 else None
        pairs = [
            (relation, first, second)
            for first in groups
            for second in groups
            if first is not second and first[0].relation == second[0].relation and len(first) + len(second) > 2
            for relation, holds in (
                ("more", len(first) > len(second)),
                ("fewer", len(first) < len(second)),
                ("equal", len(first) == len(second)),
            )
            if holds == asking.yes
        ]
        for kind, first, second in asking.shuffled(pairs) if anchor is not None else ():
            if anchor is None or len(first) + len(second) > _MOST_SHOWN:
                continue
            relation, one, other = first[0].relation or "on", first[0].label, second[0].label
            text = asking.worded(kind, several=plural(one), others=plural(other), place=f"{relation} {anchor.the}")
            program = CompareNumber(
                kind,
                Relate(called(one).objects, relation, anchor.one),
                Relate(called(other).objects, relation, anchor.one),
            )
            yield Draft(text, program, ids([*first, *second]))


def _sizes(asking: QuestionScene) -> Iterator[Draft]:
    form, quantity, least = asking.pick(_FORMS)
    for first, second in _pairs(asking):
        amounts = measure(quantity, first), measure(quantity, second)
        if max(amounts) < _CLEARLY[quantity] * min(amounts) or (((amounts[0] > amounts[1]) != least) != asking.yes):
            continue
        one, other = asking.describe(first, "size"), asking.describe(second, "size")
        if one is not None and other is not None:
            text = asking.worded(form, the=one.the, other=other.the)
            yield Draft(text, CompareQuantity(quantity, one.one, other.one, least), ids([first, second]))


def _colors(asking: QuestionScene) -> Iterator[Draft]:
    word = asking.facts.truths.word
    for first, second in _pairs(asking):
        values = word(first, "color"), word(second, "color")
        told = all(shows_its(asking.facts, node, "color") for node in (first, second))
        if "" in values or not told or (values[0] == values[1]) != asking.yes:
            continue
        one, other = asking.describe(first, "color"), asking.describe(second, "color")
        if one is not None and other is not None:
            text = asking.worded("same", the=one.the, other=other.the, attribute="color")
            yield Draft(text, CompareAttribute("color", one.one, other.one), ids([first, second]))


def _pairs(asking: QuestionScene) -> Iterator[tuple[GraphNode, GraphNode]]:
    """Two small objects near each other."""
    objects = asking.shuffled(asking.facts.objects)
    for first in objects:
        for second in objects:
            if second is not first and second.room == first.room and gap(first, second) <= _TOGETHER:
                yield first, second


def ask_sameness(asking: QuestionScene) -> Iterator[Draft]:
    """How many other objects on the desk are the same color as the mug?

    Colors alone: readers do not agree on which things have one shape or material.
    """
    facts = asking.facts
    options = []
    for support in facts.supports:
        direct = [node for node in facts.at(support) if facts.support(node) is support]
        alone = len(direct) == len(facts.at(support)) and len({node.relation for node in direct}) == 1
        told = alone and all(shows_its(facts, node, "color") for node in direct)
        for obj in direct if told else ():
            alike = [node for node in direct if node is not obj and facts.truths.same(obj, node, "color")]
            if 1 <= len(alike) < _MOST_SHOWN:
                options.append((support, obj, alike))
    for support, obj, alike in asking.evenly(options, lambda option: len(option[2])):
        anchor = asking.describe(support, "place", "relation")
        phrase = asking.describe(obj, "color", "place") or asking.describe(obj, "color")
        if anchor is not None and phrase is not None:
            relation = obj.relation or "on"
            text = asking.worded("count same", the=phrase.the, attribute="color", place=f"{relation} {anchor.the}")
            others = Intersect(Same(phrase.one, "color"), Relate(Scene(), relation, anchor.one))
            yield Draft(text, Count(others), ids([obj, *alike]))


def ask_superlative(asking: QuestionScene) -> Iterator[Draft]:
    """What is the tallest object on the counter? What color is the largest box in the hall?"""
    for maker in asking.shuffled((_most_of_place, _color_of_most)):
        yield from maker(asking)


_SUPERLATIVES = (("tallest", "height", False), ("largest", "size", False), ("smallest", "size", True))


def _most_of_place(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    options = []
    for support in facts.supports:
        direct = [node for node in facts.at(support) if facts.support(node) is support]
        if len(direct) == len(facts.at(support)) and 2 <= len(direct) <= _MOST_SHOWN:
            options += [(word, direct, support) for word in _SUPERLATIVES if len({n.relation for n in direct}) == 1]
    for (word, quantity, least), direct, support in asking.shuffled(options):
        anchor = asking.describe(support, "place", "relation") if _stands_out(direct, quantity, least) else None
        if anchor is not None:
            relation = direct[0].relation or "on"
            text = asking.worded("most", most=word, place=f"{relation} {anchor.the}")
            most = Most(Relate(Scene(), relation, anchor.one), quantity, least)
            yield Draft(text, Query(most, "label"), ids(direct))


def _color_of_most(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    groups: dict[tuple[str, str], list[GraphNode]] = {}
    for obj in facts.in_sight:
        groups.setdefault((facts.named_room(obj), obj.label), []).append(obj)
    options = [
        (word, room, group)
        for (room, _), group in groups.items()
        if 2 <= len(group) <= _MOST_SHOWN and (room or len(facts.graph.rooms) < 2)
        for word in _SUPERLATIVES
    ]
    for (word, quantity, least), room, group in asking.shuffled(options):
        among = [node for node in facts.in_sight if not room or facts.named_room(node) == room]
        told = facts.are_plain(group, among) and all(shows_its(facts, node, "color") for node in group)
        if told and _stands_out(group, quantity, least):
            phrase = called(group[0].label)
            phrase = phrase.in_room(room) if room else phrase
            text = asking.worded(
                "color of most", most=word, noun=group[0].label, place=f"in the {room}" if room else ""
            )
            yield Draft(text, Query(Most(phrase.objects, quantity, least), "color"), ids(group))


def _stands_out(objects: list[GraphNode], quantity: str, least: bool) -> bool:
    """Whether one of several has clearly the most of a quantity, or the least."""
    amounts = sorted((measure(quantity, obj) for obj in objects), reverse=not least)
    return max(amounts[:2]) >= _CLEARLY[quantity] * min(amounts[:2])
