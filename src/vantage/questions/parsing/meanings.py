"""Programs of what was read: what is claimed of a phrase, asked about it, or compared."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions import programs as steps
from vantage.questions.parsing.descriptions import (
    Description,
    Either,
    Exceeds,
    Has,
    IsA,
    LiesBetween,
    Modifier,
    Shares,
    Stands,
    united,
)
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.nouns import is_kind
from vantage.questions.parsing.places import room_of
from vantage.questions.parsing.vocabulary import CONTAINERS, CONVERSE, DRINKS, EVERYWHERE

Modifiers = tuple[Modifier, ...]


def exist(phrase: Phrase, *modifiers: Modifier) -> steps.Program | None:
    """Whether there is such an object; of "three mugs", how many there are, for that number to be compared with."""
    if phrase.claimed is not None:
        return count(replace(phrase, number=None), *modifiers)
    if phrase.description.of_rooms and not (phrase.description.label or phrase.determiner or phrase.plural):
        return None  # "is there room on the desk"
    objects = _objects(phrase, modifiers)
    if isinstance(objects, steps.Relate) and objects.relation == "in" and phrase.description.label in DRINKS:
        return steps.Verify(objects.anchor, "state", "full")  # is there water in the bath
    return None if objects is None else steps.Exist(objects)


def elsewise(place: Modifiers, left_out: Phrase) -> Modifiers | None:
    """What is said of others at a place than one object that is there: "on the table besides the mug"."""
    if len(place) != 1 or not isinstance(place[0], (Stands, Has)):
        return None
    same = "room" if isinstance(place[0], Has) else "place" if place[0].relation in ("on", "in", "at") else ""
    there = left_out if left_out.description.whereabouts else left_out.narrowed(place)
    one = None if there is None else there.one()
    return (*place, Shares(same, one)) if same and one is not None else None


def count(phrase: Phrase, *modifiers: Modifier) -> steps.Program | None:
    """How many there are, of "the five books" or "everything" too."""
    some = phrase.determiner in ("the", "every")
    objects = _objects(replace(phrase, determiner="the", number=None) if some else phrase, modifiers)
    return None if objects is None else steps.Count(objects)


def query(phrase: Phrase, attribute: str) -> steps.Program | None:
    """The value of an attribute; of what an object is, only where the question does not say it already."""
    one = phrase.one(numbered=True)
    if one is None or (attribute == "label" and phrase.description.label):
        return None
    return steps.Query(one, attribute)


def identify(phrase: Phrase, *modifiers: Modifier) -> steps.Program | None:
    """What it is of which something is said; of "which mug", where it is, unless that is what is said."""
    narrowed = phrase.narrowed(modifiers)
    if narrowed is None or narrowed.joined or (narrowed.other and not narrowed.description.shared):
        return None
    one = narrowed.description.one()
    if one is None:
        return None
    if not narrowed.description.label:
        return steps.Query(one, "label")
    told = narrowed.description.most is not None or (modifiers and not any(_says_where(item) for item in modifiers))
    return steps.Query(one, _least_told(narrowed.description)) if told else None


def _least_told(description: Description) -> str:
    """What tells "which mug" best: its place, else what is not said of it already."""
    said = {item.attribute for item in description.filters}
    if not description.whereabouts or (description.most is None and not _is_put(description)):
        return "place"
    return next((attribute for attribute in ("color", "size") if attribute not in said), "material")


def _is_put(description: Description) -> bool:
    """Whether it is said on or in what objects are."""
    return any(isinstance(item, Stands) and item.relation in _UPON for item in description.places)


def identify_object(modifiers: Modifiers, other: bool = False) -> steps.Program | None:
    """What it is of which something is said, whatever it is."""
    if not modifiers:
        return None
    if len(modifiers) == 1 and isinstance(modifiers[0], IsA):
        return identify(Phrase(modifiers[0].description, "the"))
    return identify(Phrase(Description(), "the", other=other), *modifiers)


def verify(phrase: Phrase, claimed: Modifiers) -> steps.Program | None:
    """Whether something is so. Of "a mug" or "any mugs": whether there is one of which it is so."""
    if phrase.determiner == "every":
        return verify_all(phrase, claimed)
    if phrase.determiner == "a" or (phrase.plural and not phrase.determiner):
        return exist(phrase, *claimed)
    one = phrase.one(numbered=True)
    if one is None:
        return None
    if phrase.claimed is not None and not all(isinstance(item, (Has, Stands, Either)) for item in claimed):
        return None
    if len(claimed) != 1:
        return exist(phrase, *claimed)
    claim = claimed[0]
    if isinstance(claim, Has):
        if claim.attribute == "weight" and phrase.description.of_rooms:
            return None
        return steps.Verify(one, claim.attribute, claim.value)
    if isinstance(claim, Stands):
        return steps.VerifyRelation(one, claim.relation, claim.anchor, claim.viewer)
    if isinstance(claim, LiesBetween):
        return exist(phrase, claim)
    if isinstance(claim, Shares):
        return steps.CompareAttribute(claim.attribute, one, claim.one)
    if isinstance(claim, Exceeds):
        return _exceeds(one, claim)
    if isinstance(claim, IsA):
        return _is(phrase.description, one, claim.description)
    if not isinstance(claim, Either):
        return None
    asked = _choice(one, claim)
    known = asked == steps.Query(one, "label") and phrase.description.label
    return None if known else asked


def verify_wherever(phrase: Phrase, claimed: Modifiers) -> steps.Program | None:
    """Whether an object is where another is; "on the table where the bowl is" says so of the table."""
    return None if phrase.description.whereabouts else verify(phrase, claimed)


def verify_all(phrase: Phrase, claimed: Modifiers) -> steps.Program | None:
    """Whether it is so of every one of a set: whether as many are so as there are."""
    if phrase.claimed is not None and len(claimed) == 1 and isinstance(claimed[0], (Has, Stands)):
        return verify(replace(phrase, determiner="the"), claimed)  # that number is a premise
    members = replace(phrase, determiner="the", number=None)
    objects, narrowed = _objects(members, ()), _objects(members, claimed)
    if objects is None or narrowed is None or not claimed:
        return None
    return steps.CompareNumber("equal", objects, narrowed)


def compare_numbers(
    relation: str, first: Phrase, second: Phrase, place: Modifiers = (), other_place: Modifiers | None = None
) -> steps.Program | None:
    """Whether one set has more members; both are at ``place``, or the second at another one.

    Where neither is said, what is said of the first alone holds for the second, unless "that are" says it.
    """
    if place and first.description.whereabouts:
        return None
    if (
        not place and other_place is None and not (first.apart or second.description.whereabouts)
    ):  # more mugs on the table than plates: than plates there
        other_place = first.description.whereabouts
    objects = _objects(first, place), _objects(second, place if other_place is None else other_place)
    return None if objects[0] is None or objects[1] is None else steps.CompareNumber(relation, objects[0], objects[1])


def compare(attribute: str, first: Phrase, second: Phrase) -> steps.Program | None:
    """Whether two objects share an attribute."""
    pair = first.one(), second.one()
    if pair[0] is None or pair[1] is None or attribute not in steps.SAMENESS:
        return None
    if first.description.of_rooms != second.description.of_rooms or (
        attribute == "place" and first.description.of_rooms
    ):
        return None
    return steps.CompareAttribute(attribute, pair[0], pair[1])


def all_alike(attribute: str, phrase: Phrase) -> steps.Program | None:
    """Whether several objects, named together, share an attribute."""
    told = phrase.determiner in ("the", "every") or phrase.claimed is not None
    if not phrase.plural or phrase.joined or not told or phrase.description.of_rooms:
        return None
    objects = phrase.description.objects()
    return None if objects is None else steps.Alike(steps.Unique(objects), attribute)


def most_of_two(
    quantity: tuple[str, bool], first: Phrase, second: Phrase, anchor: steps.One | None = None
) -> steps.Program | None:
    """Which of two objects has more."""
    if anchor is not None and quantity[0] != "distance":
        return None
    sets = first.objects(), second.objects()
    telling = None if sets[0] is None or sets[1] is None else _telling(sets[0], sets[1], further=True)
    if sets[0] is None or sets[1] is None or telling is None:
        return None
    return steps.Query(steps.Most(steps.Union(sets[0], sets[1]), *quantity, anchor), telling)


def held(holder: Phrase, verb: str, preposition: str = "") -> Modifiers | None:
    """What is said of an object by "the table has it on it", "the bowl contains it", "the kitchen has it"."""
    room = room_of(holder)
    if room is not None or holder.description.label in EVERYWHERE:
        return room or ()
    one = holder.one()
    if one is None:
        return None
    if holder.description.of_rooms:
        return (Stands("in", one),) if holder.description.is_told_room else None
    inside = verb in ("contain", "contains") or holder.description.kind in CONTAINERS
    return (Stands(preposition or ("in" if inside else "on"), one),)


def converse(relation: str, phrase: Phrase) -> steps.Program | None:
    """What an object is next to, near, under or above."""
    one = phrase.one()
    if one is None or relation not in CONVERSE:
        return None
    return steps.Query(steps.Unique(steps.Relate(steps.Scene(), CONVERSE[relation], one)), "label")


def _says_where(modifier: Modifier) -> bool:
    if isinstance(modifier, Either):
        return any(_says_where(item) for item in modifier.choices)
    return isinstance(modifier, (Stands, LiesBetween)) or (isinstance(modifier, Has) and modifier.attribute == "room")


def _objects(phrase: Phrase, modifiers: Modifiers) -> steps.ObjectSet | None:
    narrowed = phrase.narrowed(modifiers)
    return None if narrowed is None else narrowed.objects()


def _exceeds(one: steps.One, claim: Exceeds) -> steps.Program | None:
    if claim.anchor is None:
        return steps.CompareQuantity(claim.quantity, one, claim.one, claim.least)
    if not isinstance(one, steps.Unique) or not isinstance(claim.one, steps.Unique):
        return None
    telling = _telling(one.objects, claim.one.objects)
    if telling is None:
        return None
    nearest = steps.Most(steps.Union(one.objects, claim.one.objects), claim.quantity, claim.least, claim.anchor)
    return steps.Verify(nearest, telling, _values(one.objects)[telling])


def _is(description: Description, one: steps.One, claimed: Description) -> steps.Program | None:
    if description.of_rooms != claimed.of_rooms:
        return None
    if claimed.most is None:
        if description.label and not is_kind(claimed.label):  # "is the owner a keen reader"
            return None
        return steps.Verify(one, "label", claimed.label)
    most = claimed.one()
    telling = [item for item in description.filters if item.attribute in ("label", "color")]
    if most is None or description.places or not telling:
        return None
    if claimed.label == description.label:
        telling = [item for item in telling if item.attribute != "label"]
    return steps.Verify(most, telling[0].attribute, telling[0].value) if len(telling) == 1 else None


def _choice(one: steps.One, claim: Either) -> steps.Program | None:
    """Of "is it red or blue": its color."""
    if all(isinstance(item, Stands) and item.relation in ("on", "in", "at") for item in claim.choices):
        return steps.Query(one, "place")
    placed = [item for item in claim.choices if isinstance(item, Stands)]
    relations = {item.relation for item in placed if isinstance(item.anchor, steps.Unique)}
    if len(placed) == len(claim.choices) and len(relations) == 1 and relations <= set(CONVERSE):
        relation = relations.pop()  # above which of the two: which of them is under it
        anchors = united([item.anchor.objects for item in placed if isinstance(item.anchor, steps.Unique)])
        return steps.Query(steps.Unique(steps.Relate(anchors, CONVERSE[relation], one)), "label")
    attributes = {item.attribute if isinstance(item, Has) else "" for item in claim.choices}
    attribute = attributes.pop()
    return steps.Query(one, attribute) if attribute and not attributes else None


def told_apart_by(first: Modifiers, second: Modifiers) -> str | None:
    """The attribute by which "the red or the blue one" are told apart; for relations, their place."""
    if len(first) != 1 or len(second) != 1:
        return None
    pair = first[0], second[0]
    if isinstance(pair[0], Has) and isinstance(pair[1], Has):
        return pair[0].attribute if pair[0].attribute == pair[1].attribute else None
    told = (item for item in pair if (isinstance(item, Stands) and item.relation in _UPON) or _says_room(item))
    return "place" if len(list(told)) == 2 else None


_UPON = ("on", "in", "at")


def _says_room(modifier: Modifier) -> bool:
    return isinstance(modifier, Has) and modifier.attribute == "room"


def _telling(first: steps.ObjectSet, second: steps.ObjectSet, further: bool = False) -> str | None:
    """The attribute by whose value two objects are told apart; ``further``: by state or place, too."""
    values = _values(first), _values(second)
    attributes = ("label", "color", "material", "size", "shape", "state", "room")
    for attribute in attributes if further else attributes[:4]:
        if attribute in values[0] and attribute in values[1] and values[0][attribute] != values[1][attribute]:
            return attribute
    placed = isinstance(first, steps.Relate) and isinstance(second, steps.Relate)
    return "place" if further and placed and _is_upon(first) and _is_upon(second) and first != second else None


def _is_upon(objects: steps.ObjectSet) -> bool:
    return isinstance(objects, steps.Relate) and objects.relation in _UPON


def _values(objects: steps.ObjectSet) -> dict[str, str]:
    """The values of attributes that the members of a set have."""
    found: dict[str, str] = {}
    step: steps.ObjectSet = objects
    while isinstance(step, (steps.Filter, steps.Relate, steps.Between)):
        if isinstance(step, steps.Filter):
            found[step.attribute] = step.value
        step = step.objects
    return found
