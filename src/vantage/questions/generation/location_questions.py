"""Questions about where objects are, what is there, and how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vantage.questions.generation.drafts import Draft, QuestionScene, ids
from vantage.questions.generation.facts import extent, ids_of
from vantage.questions.generation.referring_expressions import Phrase, called, prepositional
from vantage.questions.generation.visible_colors import shows_its_color
from vantage.questions.kinds import COLORS, PORTABLE
from vantage.questions.lexicon import UNCOUNTED, could_be_called, plural
from vantage.questions.programs import Count, Exist, Query, Relate, Union, Verify
from vantage.scenes.graph import GraphNode

_MOST_COUNTED = 8
_FITS = 0.6  # of the size of a place, beyond which nobody looks for an object there
_ODD_PLACES = ("toilet", "bin", "stove", "microwave", "washing machine", "dishwasher", "bathtub")
_COUNTED_BESIDE = ("next to", "under")


def ask_location(asking: QuestionScene) -> Iterator[Draft]:
    """Where is the red mug? Where is the box labelled TOYS?"""
    facts = asking.facts
    placed = [obj for obj in facts.objects if facts.place(obj)]
    for obj in asking.evenly(placed, facts.place):
        phrase = asking.describe(obj, "place", "relation", "room")
        if phrase is not None:
            text = asking.worded("location", the=phrase.the)
            yield Draft(text, Query(phrase.one, "place"), (obj.instance_id,))


def ask_room(asking: QuestionScene) -> Iterator[Draft]:
    """In which room is the toaster? Is the red ball in the hall?"""
    facts = asking.facts
    rooms = sorted({room.label for room in facts.graph.rooms})
    if len(rooms) < 2:
        return
    verify = asking.chance(0.3)
    for obj in asking.evenly(facts.objects, facts.room):
        # the bed that it is on would tell the room
        phrase = asking.describe(obj, "room", "place", "relation") if facts.room(obj) else None
        if phrase is None:
            continue
        if verify:
            true = facts.room(obj)
            room = true if asking.yes else asking.pick([other for other in rooms if other != true])
            text = asking.worded("in room", the=phrase.the, room=room)
            yield Draft(text, Verify(phrase.one, "room", room), (obj.instance_id,))
        else:
            text = asking.worded("room", the=phrase.the)
            yield Draft(text, Query(phrase.one, "room"), (obj.instance_id,))


def ask_existence(asking: QuestionScene) -> Iterator[Draft]:
    """Is there a red mug on the table?

    A "no" asks about something that is elsewhere in the scene, that has another color there, or that such a place
    often holds; never where something there could be called so.
    """
    return _there(asking) if asking.yes else _not_there(asking)


def _there(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    for obj in asking.evenly(facts.objects, lambda obj: obj.label):
        support = facts.support(obj)
        anchor = None if support is None else asking.describe(support, "place", "relation")
        if support is None or anchor is None:
            continue
        color = obj.color if asking.chance(0.7) and obj.color != obj.label and shows_its_color(obj) else ""
        alike = [node for node in facts.at(support, obj.label) if color in ("", node.color)]
        if len(alike) == 1:
            yield _exists(asking, obj.label, color, obj.relation or "on", anchor, obj)


def _not_there(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    for support in asking.shuffled([support for support in facts.supports if support.label not in _ODD_PLACES]):
        anchor = asking.describe(support, "place", "relation")
        if anchor is None:
            continue
        held = facts.at(support)
        there = {(node.label, node.color) for node in held}
        labels = {label for label, _ in there} | {support.label}
        elsewhere = [
            (obj.label, obj.color if asking.chance(0.7) and obj.color != obj.label else "")
            for obj in facts.objects
            if not any(could_be_called(label, obj.label) for label in labels) and extent(obj) <= _FITS * extent(support)
        ]
        recolored = [
            (label, color)
            for label, known in sorted(there)
            for color in COLORS
            if known and label in PORTABLE and not _may_be_there(held, label, color)
        ]
        options = elsewhere or [
            (label, "") for label in PORTABLE if not any(could_be_called(held, label) for held in labels)
        ]
        if recolored and (not options or asking.chance(0.5)):
            options = recolored
        label, color = asking.pick(options)
        yield _exists(asking, label, color, facts.relation_to(support), anchor, support)


def _may_be_there(held: Sequence[GraphNode], label: str, color: str) -> bool:
    """Whether a reader may find a thing of a color among some things: by its name and, if it has one, its color."""
    return any(
        could_be_called(node.label, label) and (node.color == color or not shows_its_color(node)) for node in held
    )


def _exists(asking: QuestionScene, label: str, color: str, relation: str, anchor: Phrase, target: GraphNode) -> Draft:
    phrase = called(label).with_words("color", color) if color else called(label)
    form = "exist some" if label in UNCOUNTED else "exist"
    place = f"{relation} {anchor.the}"
    text = asking.worded(form, a=phrase.a, several=phrase.several, noun=phrase.words, place=place)
    return Draft(text, Exist(Relate(phrase.objects, relation, anchor.one)), (target.instance_id,))


def ask_count(asking: QuestionScene) -> Iterator[Draft]:
    """How many mugs are on the table? How many chairs are in the kitchen? How many mugs or bowls are on the desk?"""
    makers = asking.shuffled((_count_at, _count_at, _count_in_room, _count_beside, _count_either))
    for maker in makers:
        yield from maker(asking)


def _count_at(asking: QuestionScene) -> Iterator[Draft]:
    groups = [
        (support, group) for support in asking.facts.supports for group in groups_at(asking, support) if len(group) > 1
    ]
    for support, group in asking.evenly(groups, lambda pair: len(pair[1])):
        anchor = asking.describe(support, "place", "relation")
        if anchor is not None:
            relation, label = group[0].relation or "on", group[0].label
            text = asking.worded("count", several=plural(label), place=f"{relation} {anchor.the}")
            yield Draft(text, Count(Relate(called(label).objects, relation, anchor.one)), ids(group))


def _count_in_room(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    groups: dict[tuple[str, str], list[GraphNode]] = {}
    for obj in facts.in_sight:
        room = facts.named_room(obj)
        if room and obj.label not in UNCOUNTED:
            groups.setdefault((room, obj.label), []).append(obj)
    several = [
        (key, group)
        for key, group in groups.items()
        if 2 <= len(group) <= _MOST_COUNTED
        and facts.are_plain(group, [node for node in facts.in_sight if facts.named_room(node) == key[0]])
    ]
    for (room, label), group in asking.evenly(several, lambda item: len(item[1])):
        phrase = called(label).in_room(room)
        text = asking.worded("count", several=plural(label), place=f"in the {room}")
        yield Draft(text, Count(phrase.objects), ids(group))


def _count_beside(asking: QuestionScene) -> Iterator[Draft]:
    facts = asking.facts
    options = []
    for anchor in facts.in_sight:
        for relation in _COUNTED_BESIDE:
            found = [facts.node(key) for key in sorted(facts.related(relation, anchor))]
            for label in sorted({node.label for node in found} - UNCOUNTED):
                group = [node for node in found if node.label == label]
                plain = facts.are_plain(group, found) and ids_of(group) <= facts.clearly(relation, anchor)
                if plain and 2 <= len(group) <= _MOST_COUNTED and not could_be_called(anchor.label, label):
                    options.append((relation, anchor, group))
    for relation, anchor, group in asking.evenly(options, lambda option: len(option[2])):
        phrase = asking.describe(anchor, "relation")
        if phrase is not None:
            label = group[0].label
            text = asking.worded("count", several=plural(label), place=f"{prepositional(relation)} {phrase.the}")
            yield Draft(text, Count(Relate(called(label).objects, relation, phrase.one)), ids([*group, anchor]))


def _count_either(asking: QuestionScene) -> Iterator[Draft]:
    for support in asking.shuffled(asking.facts.supports):
        groups = groups_at(asking, support)
        anchor = asking.describe(support, "place", "relation") if len(groups) > 1 else None
        for first in asking.shuffled(groups) if anchor is not None else ():
            for second in asking.shuffled(groups):
                if second is first or first[0].relation != second[0].relation or anchor is None:
                    continue
                relation, one, other = first[0].relation or "on", first[0].label, second[0].label
                place = f"{relation} {anchor.the}"
                text = asking.worded("count either", several=plural(one), others=plural(other), place=place)
                both = Union(
                    Relate(called(one).objects, relation, anchor.one),
                    Relate(called(other).objects, relation, anchor.one),
                )
                yield Draft(text, Count(both), ids([*first, *second]))


def groups_at(asking: QuestionScene, support: GraphNode) -> list[tuple[GraphNode, ...]]:
    """Objects of one class each that are on a support, or in it, all of them directly and in the same way.

    A class of which something else there could be called is left out: nobody knows how many cups are beside two mugs.
    """
    facts = asking.facts
    found = []
    for label in sorted({node.label for node in facts.at(support)} - UNCOUNTED):
        group = facts.at(support, label)
        direct = {(node.parent, node.relation) for node in group}
        carried = len(direct) == 1 and all(facts.support(node) is support for node in group)
        if carried and len(group) <= _MOST_COUNTED and facts.are_meant(group, facts.at(support)):
            found.append(group)
    return found
