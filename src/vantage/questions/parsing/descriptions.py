"""What noun phrases mean, independent of word order: descriptions, and modifiers that narrow them down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from vantage.questions import programs as steps
from vantage.questions.lexicon import canonical

# Attributes in the order in which programs filter by them, those of the object itself before its room.
_SEATS = frozenset({"chair", "armchair", "office chair", "stool", "bench"})
_ORDER = ("label", "use", "color", "material", "shape", "size", "weight", "state", "text")


@dataclass(frozen=True)
class Has:
    """An attribute has a value; of ``room``: it is in such a room."""

    attribute: str
    value: str


@dataclass(frozen=True)
class Stands:
    """It stands in a relation to another object."""

    relation: str
    anchor: steps.One
    viewer: steps.One | None = None


@dataclass(frozen=True)
class LiesBetween:
    """It is between two others."""

    first: steps.One
    second: steps.One


@dataclass(frozen=True)
class Shares:
    """It is another object than ``one``, and shares an attribute with it."""

    attribute: str
    one: steps.One


@dataclass(frozen=True)
class Exceeds:
    """It has more of a quantity than another object, or less. ``anchor``: where distances are measured from."""

    quantity: str
    least: bool
    one: steps.One
    anchor: steps.One | None = None


@dataclass(frozen=True)
class IsMost:
    """It has the most of a quantity, or the least, among all that the rest of the phrase describes."""

    quantity: str
    least: bool
    anchor: steps.One | None = None


@dataclass(frozen=True)
class IsA:
    """It is what a name says."""

    description: Description


@dataclass(frozen=True)
class Either:
    """One of several modifiers holds: "red or blue", "on the table or on the desk"."""

    choices: tuple[Modifier, ...]


@dataclass(frozen=True)
class Description:
    """A set of objects, told by modifiers in any order; or the union of ``members``."""

    base: steps.ObjectSet = field(default_factory=steps.Scene)
    filters: tuple[Has, ...] = ()
    places: tuple[Stands | LiesBetween, ...] = ()
    shared: tuple[Shares, ...] = ()
    compared: tuple[Exceeds, ...] = ()
    either: tuple[Either, ...] = ()
    most: IsMost | None = None
    members: tuple[Description, ...] = ()

    @property
    def label(self) -> str:
        """The label that it is filtered by, empty when it is any object or one of several."""
        return next((item.value for item in self.filters if item.attribute == "label"), "")

    @property
    def kind(self) -> str:
        """The kind of a label that may name a sort: of a coffee table, a table."""
        return canonical(self.label)

    @property
    def is_plain(self) -> bool:
        """Whether nothing but names is said."""
        named = all(item.attribute == "label" for item in self.filters)
        return named and not (self.members or self.places or self.shared or self.compared or self.either or self.most)

    @property
    def of_rooms(self) -> bool:
        """Whether it describes rooms."""
        return isinstance(self.base, steps.Rooms)

    @property
    def is_told_room(self) -> bool:
        """Whether it describes a room by more than its kind: by its size, or by rooms around it."""
        anchors = [item.anchor for item in self.places if isinstance(item, Stands)]
        return self.of_rooms and bool(self.most or (anchors and all(_is_room(one) for one in anchors)))

    @property
    def whereabouts(self) -> tuple[Modifier, ...]:
        """What is said of where it is."""
        return (*self.places, *(item for item in self.filters if item.attribute == "room"))

    def narrowed(self, *modifiers: Modifier) -> Description | None:
        """With more said of it; None where that cannot be said of a set."""
        found = self
        for modifier in modifiers:
            if self.members and not isinstance(modifier, IsMost):
                members = [member.narrowed(modifier) for member in found.members]
                found = replace(found, members=tuple(member for member in members if member is not None))
                if len(found.members) < len(self.members):
                    return None
                continue
            if isinstance(modifier, Has):
                if modifier.attribute in ("use", "weight") and found.of_rooms:
                    return None
                if any(item.attribute == modifier.attribute != "state" for item in found.filters):
                    return None
                found = replace(found, filters=(*found.filters, modifier))
            elif isinstance(modifier, (Stands, LiesBetween)):
                found = replace(found, places=(*found.places, found._seated(modifier)))
            elif isinstance(modifier, Shares):
                found = replace(found, shared=(*found.shared, modifier))
            elif isinstance(modifier, Exceeds) and modifier.anchor is None:
                found = replace(found, compared=(*found.compared, modifier))
            elif isinstance(modifier, Either) and not any(isinstance(item, IsMost) for item in modifier.choices):
                found = replace(found, either=(*found.either, modifier))
            elif isinstance(modifier, IsMost) and found.most is None:
                found = replace(found, most=modifier)
            elif isinstance(modifier, IsA) and modifier.description.is_plain and modifier.description.label:
                if modifier.description.of_rooms != found.of_rooms:
                    return None
                further = found.narrowed(Has("label", modifier.description.label))
                if further is None:
                    return None
                found = further
            else:
                return None
        return found

    def _seated(self, place: Stands | LiesBetween) -> Stands | LiesBetween:
        """A chair at a table stands near it; what else is at one is on it."""
        if isinstance(place, Stands) and place.relation == "at" and self.kind in _SEATS:
            return replace(place, relation="near")
        return place

    def objects(self) -> steps.ObjectSet | None:
        """The set; None where it is told by a superlative, which gives one object."""
        return None if self.most is not None else self._objects()

    def one(self) -> steps.One | None:
        """The one object that is described."""
        objects = self._objects()
        if objects is None:
            return None
        if self.most is None:
            return steps.Unique(objects)
        return steps.Most(objects, self.most.quantity, self.most.least, self.most.anchor)

    def _objects(self) -> steps.ObjectSet | None:
        if self.members:
            parts = [objects for member in self.members if (objects := member._objects()) is not None]
            return united(parts) if len(parts) == len(self.members) else None
        if self.either:
            first, *others = self.either
            sets = []
            for choice in first.choices:
                narrowed = replace(self, either=tuple(others)).narrowed(choice)
                objects = None if narrowed is None else narrowed._objects()
                if objects is None:
                    return None
                sets.append(objects)
            return united(sets)
        objects, shared = self.base, self.shared
        if shared and isinstance(objects, steps.Scene):
            objects, shared = steps.Same(shared[0].one, shared[0].attribute), shared[1:]
        rooms = [item for item in self.filters if item.attribute == "room"]
        own = [item for item in self.filters if item.attribute != "room"]
        for item in sorted(own, key=lambda item: _ORDER.index(item.attribute)):
            objects = steps.Filter(objects, item.attribute, item.value)
        for place in self.places:
            if isinstance(place, Stands):
                objects = steps.Relate(objects, place.relation, place.anchor, place.viewer)
            else:
                objects = steps.Between(objects, place.first, place.second)
        for item in rooms:
            objects = steps.Filter(objects, item.attribute, item.value)
        for exceeded in self.compared:
            objects = steps.Compared(objects, exceeded.quantity, exceeded.one, exceeded.least)
        for same in shared:
            objects = steps.Intersect(objects, steps.Same(same.one, same.attribute))
        return objects


Modifier = Has | Stands | LiesBetween | Shares | Exceeds | IsMost | IsA | Either


def _is_room(one: steps.One) -> bool:
    objects: steps.Step = one
    while isinstance(objects, (steps.Unique, steps.Most, steps.Filter, steps.Relate)):
        objects = objects.objects
    return isinstance(objects, steps.Rooms)


def united(sets: list[steps.ObjectSet]) -> steps.ObjectSet:
    """The union of one or more sets."""
    objects = sets[0]
    for other in sets[1:]:
        objects = steps.Union(objects, other)
    return objects
