"""The curious agent in a small home with a robot that has an arm: it opens and weighs, and every command is a single
action."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from house_driver import house_settings
from touch_home import CABINET, FRIDGE

from vantage.registry import AGENTS, WORLDS
from vantage.runs.episode import EpisodeRunner
from vantage.runs.permission import let_manipulate
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, EpisodeState, Question, Status

pytestmark = pytest.mark.needs("house", "gl")

START = Viewpoint(0.0, -1.0, 1.4, 0.0, 0.0)
QUESTIONS = ("Is there a fridge?", "What color is the table?")
UNITS = {
    "limits.max_translation": 0.25,
    "limits.max_rotation": 0.2618,
    "house.max_hand_translation": 0.05,
    "house.max_hand_rotation": 0.2618,
    "house.pictures": "all",
    "house.depth_width": 160,
    "house.depth_height": 120,
    "camera.width": 160,
    "camera.height": 120,
    "agent.min_pixels": 20,
    "agent.perception": "privileged",
    "world.instances": True,
    "actions.space": "mobile",
    "actions.frame": "heading",
    "actions.rotation": 0.2617993877991494,
}


def episode(explored: int) -> Episode:
    asked = tuple(Question(f"q{k}", text) for k, text in enumerate(QUESTIONS))
    phases = (EpisodePhase("explore", explored), EpisodePhase("answer", 0, asked))
    return Episode.of_phases("e1", "search", "touch", START, phases)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return house_settings(tmp_path_factory.mktemp("homes")).with_values(UNITS, "test")


def reentered(question: str) -> Episode:
    phases = (
        EpisodePhase("explore", 40),
        EpisodePhase("answer", 0, (Question("q0", question, "answer"),)),
        EpisodePhase("reenter", 900, restored=True),
        EpisodePhase("refine", 0, (Question("q0", question, "refine"),)),
    )
    return Episode.of_phases("e2", "search", "touch", START, phases)


def run(settings, steps):
    """The outcome, the agent, results of commands, and where the joints are in the end."""
    return run_episode(settings, episode(steps))


def run_episode(settings, whole):
    results = []
    with closing(WORLDS.create("house", settings)) as world:
        step = world.step

        def noted(command):
            results.append(step(command))
            return results[-1]

        world.step = noted
        agent = AGENTS.create("curious", settings)
        outcome = EpisodeRunner(world, agent, permit=let_manipulate).run(whole, 0)
        return outcome, agent, results, world.joint_positions()


def test_it_opens_what_is_closed_and_lifts_small_things(settings):
    outcome, _, results, joints = run(settings, 500)
    assert outcome.state is EpisodeState.FINISHED
    assert outcome.answers[0].text == "yes"
    opened = {key for key, position in joints.items() if position > 0.05}
    assert opened & {(CABINET, "drawer"), (FRIDGE, "door")}
    assert any(result.observation.touch.holds for result in results)
    refused = [result.reason for result in results if result.status is Status.REJECTED]
    assert not [reason for reason in refused if "exceeds the limit" in reason]
    assert outcome.phase_steps["explore"] <= 500


def test_hands_off_it_touches_nothing(settings):
    off = replace(settings, agent=replace(settings.agent, hands_off=True))
    outcome, _, results, joints = run(off, 60)
    assert outcome.state is EpisodeState.FINISHED
    assert all(result.command.arm is None for result in results)
    assert not any(joints.values())


def test_it_comes_back_for_what_a_question_turns_on_and_is_done_by_itself(settings):
    told = replace(settings, agent=replace(settings.agent, hidden_contents=True))
    outcome, _, results, _ = run_episode(told, reentered("Is the block heavier than the mug?"))
    assert outcome.state is EpisodeState.FINISHED
    assert outcome.reason == ""  # it was done before its steps were used up
    assert 0 < outcome.phase_steps["reenter"] < 900
    assert any(result.observation.touch.holds for result in results[outcome.phase_steps["explore"] :])
    assert outcome.answers[-1].text.endswith("yes")
    assert outcome.answers[-1].confidence > outcome.answers[0].confidence
