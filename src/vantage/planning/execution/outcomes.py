"""What a robot did, after one more action: what came off, and what it let go elsewhere than it was told to."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.perception.map import ObservedScene
from vantage.planning.execution.belief import Effect
from vantage.planning.execution.bodies import OBJECT_VERBS, PUTS
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import Failure, SkillResult

_MOVES = frozenset(OBJECT_VERBS[verb] for verb in (*PUTS, Verb.PICK))


def effects_after(
    effects: Sequence[Effect], memory: ObservedScene, action: PlannedAction, keys: Sequence[int], result: SkillResult
) -> list[Effect]:
    """What the robot did so far, with an action that ended.

    A thing that a hand let go, though it was not put where it should be, lies in its room, on nothing that is known.

    Args:
        keys: identities of the objects of the action.
    """
    if result.done:
        return [*effects, Effect(OBJECT_VERBS[action.verb], *keys[:2])] if action.verb in OBJECT_VERBS else [*effects]
    if not is_dropped(memory, action, keys[0], result):
        return [*effects]
    kept = [each for each in effects if each.thing != keys[0] or each.verb not in _MOVES]
    obj = memory.get(keys[0])
    room = None if obj is None else memory.room_of(obj)
    return kept if room is None else [*kept, Effect(OBJECT_VERBS[Verb.PLACE_IN], keys[0], room.key)]


def gone_after(
    memory: ObservedScene, action: PlannedAction, keys: Sequence[int], result: SkillResult
) -> frozenset[int]:
    """What an action that ended tells to be no longer where it was seen; rooms stay where they are.

    Args:
        keys: identities of the objects of the action.
    """
    key = keys[0] if action.verb in (Verb.GO_TO, Verb.PICK) else keys[-1]
    obj = memory.get(key)
    gone = result.failure is Failure.NOT_SEEN and obj is not None and obj.label != "floor"
    return frozenset({key} if gone else ())


def is_dropped(memory: ObservedScene, action: PlannedAction, thing: int, result: SkillResult) -> bool:
    """Whether the hand that should put a thing somewhere is felt not to hold it any more."""
    obj = memory.get(thing)
    if result.done or action.verb not in PUTS or obj is None:
        return False
    return memory.former_place(obj) is not None and memory.held is not obj
