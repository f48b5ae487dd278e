"""What the agent knows is told at once while it rests, and at its next decision while it works."""

import threading

from vantage.goals import SceneFacts, SceneObject
from vantage.nodes.planner.scene_knowledge import SceneKnowledge

FACTS = SceneFacts((SceneObject("mug_1"),))


class Knower:
    """Notes by which thread it is asked."""

    def __init__(self) -> None:
        self.asked_by: list[int] = []

    def known_facts(self) -> SceneFacts:
        self.asked_by.append(threading.get_ident())
        return FACTS


def test_at_rest_it_is_told_at_once():
    assert SceneKnowledge(Knower()).facts(0.0) == FACTS
    assert SceneKnowledge(object()).facts(0.0) == SceneFacts()


def test_a_busy_agent_tells_from_its_own_thread():
    agent, over = Knower(), threading.Event()
    knowledge = SceneKnowledge(agent)
    knowledge.begin()

    def work() -> None:
        while not over.wait(0.001):
            knowledge.decided()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert knowledge.facts(60.0) == FACTS
    finally:
        over.set()
        thread.join()
    assert set(agent.asked_by) == {thread.ident}


def test_an_agent_that_decides_nothing_is_not_waited_for():
    knowledge = SceneKnowledge(Knower())
    knowledge.begin()
    assert knowledge.facts(0.01) is None
    knowledge.end()
    assert knowledge.facts(0.0) == FACTS
