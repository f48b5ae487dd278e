"""What a question asks of an object, and the gold answer to it.

A question has a premise, which is all that it says of the object in naming it, and an asked part. Only the premise can
be false: "Is the blue mug on the desk made of glass?" takes for granted that one mug is on the desk, that it is blue,
and asks whether it is made of glass. Where the mug is blue and not of glass, the answer is no, and nothing was false.

Only what the name of a kind does not tell already is asked, and only what has one right answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from vantage.questions.generation import Facts, QuestionScene, spoken
from vantage.questions.kinds import COLORS, MATERIALS, OPPOSITES, QuestionKind
from vantage.questions.noise.clear_contrasts import clearly_other
from vantage.questions.programs import One, Program, Query, Verify
from vantage.scenes.catalog import CATALOG
from vantage.scenes.graph import GraphNode

_OF_SEVERAL_MATERIALS = frozenset(  # a shade on a foot, bedclothes on a frame, a print behind glass
    {"bed", "clock", "guitar", "lamp", "lantern", "office chair", "picture", "sink", "television", "whiteboard"}
)
_FLAT = 0.3  # of the largest extent: thinner objects are taken for no ball and no cylinder
_SOLID_SHAPES = ("cylindrical", "spherical")


def may_seem(obj: GraphNode, shape: str) -> bool:
    """Whether somebody who remembers an object badly may think that it has a shape."""
    return shape not in _SOLID_SHAPES or min(obj.extents) >= _FLAT * max(obj.extents)


def has_one_material(label: str) -> bool:
    """Whether people who see such an object agree on what it is made of."""
    return label not in _OF_SEVERAL_MATERIALS


@lru_cache(maxsize=4096)
def told_by_name(label: str, attribute: str) -> bool:
    """Whether the name of a kind tells its color, material or shape: plants are green, books are of paper."""
    entries = [entry for entry in CATALOG.values() if entry.label == label]
    values = {
        "color": {color for entry in entries for color in entry.colors},
        "material": {material for entry in entries for material in entry.materials},
        "shape": {entry.shape for entry in entries},
    }.get(attribute, set())
    return len(values) == 1


SHAPES = ("round", "rectangular", "square", "cylindrical", "spherical")

_YES_OR_NO = 0.4  # of the questions that can be asked either way
_EVER_OPEN = ("basket", "crate", "tray", "laundry basket")
_WEIGHTS = {"color": 3.0, "material": 3.0, "place": 2.0, "room": 2.0, "shape": 1.0, "state": 1.0, "text": 1.0}
_KINDS = {
    "color": QuestionKind.COLOR,
    "material": QuestionKind.MATERIAL,
    "shape": QuestionKind.SHAPE,
    "state": QuestionKind.STATE,
    "text": QuestionKind.TEXT,
    "place": QuestionKind.LOCATION,
    "room": QuestionKind.ROOM,
}


@dataclass(frozen=True)
class Asked:
    """An attribute that is asked for or, with a value, asked about with yes or no."""

    attribute: str
    value: str = ""

    @property
    def kind(self) -> str:
        """``TruthQuestion.kind`` of such questions."""
        return _KINDS[self.attribute].value

    @property
    def form(self) -> str:
        """The kind of template that asks so."""
        return f"is {self.attribute}" if self.value else self.attribute

    def program(self, one: One) -> Program:
        return Verify(one, self.attribute, self.value) if self.value else Query(one, self.attribute)

    def answers(self, facts: Facts, obj: GraphNode) -> tuple[str, ...]:
        """The gold answer for an object, and other wordings of it."""
        if self.value:
            holds = facts.truths.has(obj, self.attribute, self.value)
            state = (self.value if holds else OPPOSITES[self.value],) if self.attribute == "state" else ()
            return (spoken(holds), *state)
        others = facts.other_places(obj) if self.attribute == "place" else ()
        return (facts.truths.word(obj, self.attribute), *others)


def askable(asking: QuestionScene, obj: GraphNode, without: Collection[str] = ()) -> Iterator[Asked]:
    """What can be asked of an object, in a random order in which color, material and place tend to come first.

    What its very name tells comes last.

    Args:
        without: attributes that the question itself speaks of; ``place`` stands for all that tells where an object is.
    """
    facts = asking.facts
    for attribute in sorted(_in_turn(asking), key=lambda attribute: told_by_name(obj.label, attribute)):
        if attribute in without or (attribute == "room" and "place" in without):
            continue
        if attribute == "material" and not has_one_material(obj.label):
            continue
        value = facts.truths.word(obj, attribute)
        if attribute == "state":
            states = [state for state in obj.states if state in OPPOSITES and obj.label not in _EVER_OPEN]
            if states:
                state = asking.pick(states)
                yield Asked("state", state if asking.chance(0.5) else OPPOSITES[state])
        elif attribute == "room":
            if facts.named_room(obj):
                yield Asked("room")
        elif attribute == "place":
            if facts.support(obj) is not None and obj in facts.objects:  # nobody says that a table is on the rug
                yield Asked("place")
        elif value not in ("", obj.label):
            values = [other for other in _VALUES.get(attribute, ()) if attribute != "shape" or may_seem(obj, other)]
            others = clearly_other(attribute, value, values)
            if others and asking.chance(_YES_OR_NO):
                yield Asked(attribute, value if asking.chance(0.5) else asking.pick(others))
            else:
                yield Asked(attribute)


def _in_turn(asking: QuestionScene) -> list[str]:
    """All attributes in a random order, likelier ones sooner (Efraimidis and Spirakis 2006)."""
    return sorted(_WEIGHTS, key=lambda attribute: asking.rng.exponential(1.0 / _WEIGHTS[attribute]))


_VALUES = {"color": COLORS, "material": MATERIALS, "shape": SHAPES}
