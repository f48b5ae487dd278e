"""Questions about one thing: its color, material, shape, size, state and print."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.generation.drafts import Asking, Draft, ids
from vantage.questions.kinds import OPPOSITES
from vantage.questions.lexicon.inflection import plural
from vantage.questions.programs import Program, Query, Verify

_ALWAYS_THE_SAME = ("basket",)  # things without a lid are open for ever
_MOST_OF_A_SIZE = 4  # things of one class that a view must show together for their sizes to be compared


def ask_color(asking: Asking) -> Iterator[Draft]:
    """What color is the mug on the table?"""
    return _query(asking, "color")


def ask_material(asking: Asking) -> Iterator[Draft]:
    """What is the box next to the sofa made of?"""
    return _query(asking, "material")


def ask_shape(asking: Asking) -> Iterator[Draft]:
    """What shape is the clock in the kitchen?"""
    return _query(asking, "shape")


def ask_text(asking: Asking) -> Iterator[Draft]:
    """What is written on the jar on the counter?"""
    return _query(asking, "text")


def _query(asking: Asking, attribute: str) -> Iterator[Draft]:
    facts = asking.facts
    having = [thing for thing in facts.in_sight if facts.truths.word(thing, attribute) not in ("", thing.label)]
    for thing in asking.evenly(having, lambda thing: facts.truths.word(thing, attribute)):
        phrase = asking.describe(thing, attribute)
        if phrase is not None:
            text = asking.worded(attribute, the=phrase.the)
            yield Draft(text, Query(phrase.one, attribute), (thing.instance_id,))


def ask_size(asking: Asking) -> Iterator[Draft]:
    """Compared with the other boxes, is the red box large or small?

    Only where all things of the class are in one room, since all must be seen.
    """
    facts = asking.facts
    having = [thing for thing in facts.in_sight if facts.truths.word(thing, "size")]
    for thing in asking.evenly(having, lambda thing: facts.truths.word(thing, "size")):
        alike = [facts.node(key) for key in sorted(facts.sharing("label", thing.label))]
        together = len({node.room for node in alike}) == 1
        phrase = asking.describe(thing, "size") if together and len(alike) <= _MOST_OF_A_SIZE else None
        if phrase is not None:
            text = asking.worded("size", the=phrase.the, several=plural(thing.label), noun=thing.label)
            others = [node for node in alike if node is not thing]
            yield Draft(text, Query(phrase.one, "size"), ids([thing, *others]))


def ask_state(asking: Asking) -> Iterator[Draft]:
    """Is the fridge open? Is the lamp on the desk on or off?"""
    whole = asking.chance(0.3)
    having = [
        (thing, state)
        for thing in asking.facts.in_sight
        for state in thing.states
        if state in OPPOSITES and thing.label not in _ALWAYS_THE_SAME
    ]
    for thing, state in asking.evenly(having, lambda pair: (pair[0].label, pair[1])):
        phrase = asking.describe(thing, "state")
        if phrase is None:
            continue
        asked = state if asking.yes else OPPOSITES[state]
        program: Program = Verify(phrase.one, "state", asked)
        text = asking.worded("state", the=phrase.the, state=asked)
        if whole and len(thing.states) == 1:
            program = Query(phrase.one, "state")
            first, second = asking.shuffled((state, OPPOSITES[state]))
            text = asking.worded("which state", the=phrase.the, state=first, other=second)
        yield Draft(text, program, (thing.instance_id,))
