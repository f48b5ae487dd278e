"""What a robot must be able to do for a goal: a capability for each state, relation and action."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from vantage.goals import ActionGoal, EdgeGoal, Literal, NodeGoal, kind_of, word_key

AGENTS = frozenset({"character", "agent", "robot"})  # kinds of objects that are the robot itself


class Capability(Enum):
    """What robots are able to do, or are not."""

    LOOK = "look"
    GO = "go"
    HOLD = "hold"
    PUT = "put"
    OPEN = "open"
    SWITCH = "switch"
    PLUG = "plug"
    CLEAN = "clean"
    COOK = "cook"
    CUT = "cut"
    WET = "wet"
    POSE = "pose"
    """Sit, lie and stand up."""
    CONSUME = "consume"
    WEAR = "wear"
    OPERATE = "operate"
    """Push, pull, press, type, pour and whatever else hands do."""


FREE = frozenset({Capability.LOOK, Capability.GO})  # nothing is changed by it


def _by_word(table: Mapping[Capability, str]) -> Mapping[str, Capability]:
    return {word_key(word): capability for capability, words in table.items() for word in words.split()}


_STATES = _by_word(
    {
        Capability.SWITCH: "on off toggled_on",
        Capability.OPEN: "open closed",
        Capability.PLUG: "plugged plugged_in plugged_out unplugged",
        Capability.CLEAN: "clean dirty dusty stained",
        Capability.POSE: "sitting lying",
        Capability.COOK: "cooked uncooked burnt burning hot",
        Capability.CUT: "sliced cut peeled",
        Capability.WET: "soaked wet dry",
        Capability.PUT: "frozen cold",
        Capability.WEAR: "dressed",
    }
)
_OWN_RELATIONS = _by_word({Capability.GO: "in inside close on next_to on_floor between", Capability.LOOK: "facing"})
_RELATIONS = _by_word(
    {
        Capability.PUT: "on on_top in inside on_floor next_to under touching close between facing",
        Capability.HOLD: "holds holds_rh holds_lh",
    }
)
_ACTIONS = _by_word(
    {
        Capability.LOOK: "look look_at look_at_short look_at_long point_at turn_to watch read greet",
        Capability.GO: "find walk run go leave follow",
        Capability.HOLD: "grab touch",
        Capability.PUT: "put put_back put_in put_obj_back drop release",
        Capability.OPEN: "open close",
        Capability.SWITCH: "switch_on switch_off",
        Capability.PLUG: "plug_in plug_out",
        Capability.CLEAN: "wipe wash rinse scrub",
        Capability.CUT: "cut",
        Capability.POSE: "sit stand_up lie sleep wake_up",
        Capability.CONSUME: "eat drink",
        Capability.WEAR: "put_on put_off",
        Capability.OPERATE: "pour type push pull move squeeze",
    }
)


def is_agent(name: str) -> bool:
    """Whether an object is the robot itself."""
    return kind_of(name) in AGENTS


def capability_of(literal: Literal) -> Capability | None:
    """None for a relation or an action that nobody knows. A state that a thing can have and that stands in no table
    takes hands."""
    if isinstance(literal, ActionGoal):
        return _ACTIONS.get(word_key(literal.action))
    if isinstance(literal, NodeGoal):
        return _STATES.get(word_key(literal.state), Capability.OPERATE)
    relation = word_key(literal.relation)
    if is_agent(literal.subject) and relation in _OWN_RELATIONS:
        return _OWN_RELATIONS[relation]
    return _RELATIONS.get(relation)


def moved(literal: Literal) -> str:
    """The thing that is moved by hand for a goal; empty where none is."""
    if not isinstance(literal, EdgeGoal):
        return ""
    capability = capability_of(literal)
    if capability is Capability.HOLD:
        return literal.object
    return literal.subject if capability is Capability.PUT else ""
