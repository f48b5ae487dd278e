"""What a person by rote does in a phase that asks nothing."""

from __future__ import annotations

from vantage.planning.agents import Sight
from vantage.web.play.scripted_person import ScriptedPerson

ACTIONS = ("move_forward", "hand_up", "grasp_0.50", "grasp_1.00", "grasp_1.50", "grasp_2.00", "release")


def sight(number, phase="explore", left=9, actions=ACTIONS):
    return Sight(number, (), "", phase, left, "none", "none", actions, True, (1,))


def taken(person, phase="explore", steps=9):
    """The actions until she ends the phase or no step is left."""
    found = []
    for number in range(1, 20):
        left = steps - len(found)
        action = person.decide(sight(number, phase, left, ACTIONS if left else ())).action
        if not action:
            return found
        found.append(action)
    raise AssertionError("she does not end the phase")


def test_every_action_is_tried_once_in_each_phase_and_grasps_by_three_forces():
    person = ScriptedPerson({}, {})
    person.begin("e")
    every = ["move_forward", "hand_up", "release", "grasp_0.50", "grasp_1.50", "grasp_2.00"]
    assert taken(person) == every
    assert taken(person, "reenter") == every
    assert taken(person, "third", steps=2) == every[:2]
    person.begin("other")
    assert taken(person) == every
