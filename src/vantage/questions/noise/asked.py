"""What a question asks of an object, and the gold answer to it.

A question has a premise, which is all that it says of the object in naming it, and an asked part. Only the premise can
be false: "Is the blue mug on the desk made of glass?" takes for granted that one mug is on the desk, that it is blue,
and asks whether it is made of glass. Where the mug is blue and not of glass, the answer is no, and nothing was false.

Only what the name of a kind does not tell already is asked, and only what has one right answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from vantage.questions.generation import Facts, QuestionScene, shows_its, shows_its_material, spoken
from vantage.questions.kinds import OPPOSITES, QuestionKind
from vantage.questions.lexicon import may_be_called
from vantage.questions.noise.clear_contrasts import called_either, clearly_other
from vantage.questions.noise.possible_looks import PossibleLooks
from vantage.questions.programs import One, Program, Query, Verify
from vantage.scenes.graph import GraphNode

_YES_OR_NO = 0.4  # of the questions that can be asked either way
_EVER_OPEN = ("basket", "crate", "tray", "laundry basket", "desk")  # of a desk nobody says that it is closed, either
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


def askable(
    asking: QuestionScene, looks: PossibleLooks, obj: GraphNode, without: Collection[str] = ()
) -> Iterator[Asked]:
    """What can be asked of an object, in a random order in which color, material and place tend to come first.

    What its very name tells is not asked, nor a place that could be several.

    Args:
        without: attributes that the question itself speaks of; ``place`` stands for all that tells where an object is.
    """
    facts = asking.facts
    for attribute in _in_turn(asking):
        if attribute in without or (attribute == "room" and "place" in without):
            continue
        value = facts.truths.word(obj, attribute)
        if attribute == "state":
            states = [state for state in obj.states if looks.suits(obj.label, "state", state)]
            if states and obj.label not in _EVER_OPEN:
                state = asking.pick(states)
                yield Asked("state", state if asking.chance(0.5) else OPPOSITES[state])
        elif attribute == "room":
            if facts.named_room(obj) and looks.suits(obj.label, "room"):
                yield Asked("room")
        elif attribute == "place":
            if obj in facts.objects and _is_the_only(facts, facts.support(obj)):  # nobody says that a table is on a rug
                yield Asked("place")
        elif attribute == "text":
            if value and value.lower() not in obj.label:  # a milk carton says MILK
                yield Asked("text")
        elif not _is_seen(facts, looks, obj, attribute):
            continue
        elif value not in ("", obj.label) and looks.suits(obj.label, attribute, value):
            others = clearly_other(attribute, value, sorted(looks.of(obj.label, attribute)))
            if others and asking.chance(_YES_OR_NO):
                yield Asked(attribute, value if asking.chance(0.5) else asking.pick(others))
            else:
                yield Asked(attribute)


def _is_seen(facts: Facts, looks: PossibleLooks, obj: GraphNode, attribute: str) -> bool:
    """Whether a look at an object tells an attribute of it, of all that such objects may be."""
    if attribute == "material":
        return shows_its_material(facts, obj, looks.of(obj.label, "material"))
    return shows_its(facts, obj, attribute)


def _is_the_only(facts: Facts, support: GraphNode | None) -> bool:
    """Whether nothing else in sight is called as what something is on or in, so that its name tells the place."""
    return support is not None and not any(
        node is not support and (may_be_called(node.label, support.label) or called_either(node.label, support.label))
        for node in facts.in_sight
    )


def _in_turn(asking: QuestionScene) -> list[str]:
    """All attributes in a random order, likelier ones sooner (Efraimidis and Spirakis 2006)."""
    return sorted(_WEIGHTS, key=lambda attribute: asking.rng.exponential(1.0 / _WEIGHTS[attribute]))
