"""What was put and let go elsewhere lies in its room, on nothing that is known; what came off is believed."""

from dataclasses import replace

import pytest
from skill_runs import CRATE, MUG, Run, toy_home

from vantage.goals import EdgeGoal, Goal, holds_in
from vantage.planning.agents.doer_deeds import Deeds
from vantage.planning.execution import Effect, believed, effects_after, is_dropped
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import Failure, LookAround, Pick, SkillResult
from vantage.planning.skills.holding import release

KEYS = [MUG, CRATE]
SLIPPED, BLOCKED = SkillResult(Failure.SLIPPED, "it was seen elsewhere"), SkillResult(Failure.BLOCKED, "it met a wall")
UNSEEN = SkillResult(unseen="the mug was put on the table and was not seen there; look there")


@pytest.fixture(scope="module")
def carrying():
    home = toy_home()
    home.world.legend[1] = replace(home.world.legend[1], room="kitchen")  # of its floor
    run = Run(home)
    assert run(LookAround()).done
    assert run(Pick(MUG)).done
    return run


class LetGo:
    name = "let go"

    def steps(self, now):
        yield from release(now)
        return SkillResult()


def test_what_is_put_is_believed_until_the_hand_lets_it_go_elsewhere(carrying):
    memory = carrying.now.memory
    names = believed(memory)
    mug, crate = names.name(MUG), names.name(CRATE)
    put = PlannedAction(Verb.PLACE_ON, (mug, crate))
    goal = Goal.of([EdgeGoal(mug, "on", crate)])
    taken = effects_after([], memory, PlannedAction(Verb.PICK, (mug,)), [MUG], SkillResult())
    assert taken == [Effect("take", MUG)]
    assert effects_after(taken, memory, PlannedAction(Verb.GO_TO, (crate,)), [CRATE], SkillResult()) == taken
    assert effects_after(taken, memory, put, KEYS, BLOCKED) == taken, "the hand still has it"
    done = effects_after(taken, memory, put, KEYS, SkillResult())
    assert holds_in(goal, believed(memory, done).facts)

    deeds = Deeds()
    deeds.follow(goal, believed(memory, taken).facts)
    deeds.add(1, PlannedAction(Verb.PICK, (mug,)), SkillResult(), believed(memory, taken).facts, False)
    deeds.add(2, put, UNSEEN, believed(memory, done).facts, False)
    assert (deeds.doubt, deeds.told[-1].reached, deeds.holding) == (UNSEEN.unseen, False, False)
    deeds.add(3, put, SkillResult(), believed(memory, done).facts, False)
    assert (deeds.doubt, deeds.told[-1].reached) == ("", True)

    assert carrying(LetGo()).done
    assert is_dropped(memory, put, MUG, SLIPPED)
    assert not is_dropped(memory, put, MUG, SkillResult())
    dropped = effects_after(done, memory, put, KEYS, SLIPPED)
    assert dropped == [Effect("put_in", MUG, 1)], "in the room of that floor"
    scene = believed(memory, dropped).facts
    assert not holds_in(goal, scene)
    assert not [fact for fact in scene.facts if fact.predicate == "holds"], "it can be taken again"
    deeds.add(4, PlannedAction(Verb.PICK, (mug,)), SkillResult(), scene, False)
    deeds.add(5, put, SLIPPED, scene, False, dropped=True)
    assert not deeds.holding


def test_what_nothing_is_known_of_is_not_dropped(carrying):
    put = PlannedAction(Verb.PLACE_ON, ("unicorn_1", "table_31"))
    assert not is_dropped(carrying.now.memory, put, 0, SLIPPED)
    assert effects_after([], carrying.now.memory, put, [0, CRATE], SLIPPED) == []
