"""What is said of an object in comparison with another: "heavier than the mug", "weighing less than the box"."""

from __future__ import annotations

from vantage.questions.parsing.descriptions import Exceeds, Modifier
from vantage.questions.parsing.patterns import Captures, Rule, either, rule, table
from vantage.questions.parsing.vocabulary import MORE_WORDS
from vantage.questions.programs import QUANTITIES

ME = either("me", "us", "you", "here", "the camera", "the start", "my position", "where i am|stand", "the robot")
_BY_FAR = "[ much|any|slightly|even|far|clearly | a bit|little|lot ]"
_GREATER = "greater|larger|bigger|higher|more"


def _exceeds(found: Captures) -> tuple[Modifier, ...] | None:
    quantity, least = found["MORE"]
    anchor = found.get("ONE2")
    return None if anchor is not None and quantity != "distance" else (Exceeds(quantity, least, found["ONE"], anchor),)


def _exceeds_in(found: Captures) -> tuple[Modifier, ...] | None:
    """Of a size or an extent, which alone tells what "shorter in length" means."""
    quantity, least = found["MORE"]
    told = found["QUANTITY"]
    if (quantity == "mass") != (told == "mass") or quantity == "distance":
        return None
    return (Exceeds(told, least, found["ONE"]),)


def _nearer(found: Captures) -> tuple[Modifier, ...]:
    return (Exceeds("distance", True, found["ONE"], found["ONE2"]),)


def _greater(found: Captures) -> tuple[Modifier, ...]:
    return (Exceeds(found["QUANTITY"], found["GREATER"], found["ONE"]),)


def _heavier(found: Captures) -> tuple[Modifier, ...]:
    return (Exceeds("mass", False, found["ONE"]),)


def _lighter(found: Captures) -> tuple[Modifier, ...]:
    return (Exceeds("mass", True, found["ONE"]),)


def _surpasses(found: Captures) -> tuple[Modifier, ...]:
    return (Exceeds(found["QUANTITY"], False, found["ONE"]),)


RULES: dict[str, Rule] = {
    "MORE": table(MORE_WORDS),
    "NEARER": table(dict.fromkeys(("nearer", "closer"), True)),
    "GREATER": table(
        {**dict.fromkeys(_GREATER.split("|"), False), **dict.fromkeys(("smaller", "less", "lower", "lesser"), True)},
        of_form=True,
    ),
    "QUANTITY": table(
        {**{word: word for word in QUANTITIES if word != "distance"}, "weight": "mass", "width": "length"}, of_form=True
    ),
    # What an object is compared with.
    "COMPARED": rule(
        ("[,] [when|if|as] compared|relative [with|to]", lambda found: True),
        ("[,] in comparison|relation with|to", lambda found: True),
    ),
    # Behind "is".
    "COMPARISON": rule(
        (f"{_BY_FAR} MORE than|then ONE [is] [to {ME}]", _exceeds),
        (f"{_BY_FAR} MORE COMPARED ONE", _exceeds),
        (f"{_BY_FAR} MORE to|from|away|by [from|to] {ME} than ONE [is]", _exceeds),
        (f"{_BY_FAR} MORE to|from ONE2 than [to] ONE [is]", _exceeds),
        (f"{_BY_FAR} MORE away from ONE2 than ONE [is]", _exceeds),
        (f"{_BY_FAR} NEARER ONE2 than [to] ONE [is]", _nearer),
        (f"{_BY_FAR} MORE in comparison|relation to|with ONE", _exceeds),
        (f"{_BY_FAR} MORE in QUANTITY than|then ONE [is]", _exceeds_in),
        (f"{_BY_FAR} GREATER in QUANTITY than ONE [is]", _greater),
        ("of [a] GREATER QUANTITY than [that of] ONE", _greater),
    ),
    # As a verb.
    "OUTWEIGHING": rule(
        ("has|have a GREATER QUANTITY ( than | COMPARED ) [that of] ONE", _greater),
        (f"weigh|weighs {_BY_FAR} more than ONE [does|do]", _heavier),
        (f"weigh|weighs {_BY_FAR} less than ONE [does|do]", _lighter),
        ("outweigh|outweighs ONE", _heavier),
        ("exceed|exceeds|surpass|surpasses|beat|beats ONE in QUANTITY", _surpasses),
    ),
    # Behind a noun.
    "COMPARING": rule(
        ("COMPARISON", lambda found: found["COMPARISON"]),
        (f"weighing {_BY_FAR} more than ONE", _heavier),
        (f"weighing {_BY_FAR} less than ONE", _lighter),
        ("with|having a GREATER QUANTITY than [that of] ONE", _greater),
    ),
}
