"""The random walk, and agents with fewer axes, on a world of boxes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from box_room import BoxRoom, furnished_room

from vantage.config import AgentSettings, ControlSettings, Settings
from vantage.planning.actions import GantryActions
from vantage.planning.agents.baselines import RandomAgent
from vantage.planning.protocol import Agent
from vantage.planning.restricted_actions import axes_named, moved
from vantage.recording.events import EpisodeListener, Outcome
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Answer, Command, Episode, EpisodeState, Question, StepResult, Verdict

SETTINGS = replace(Settings(), agent=AgentSettings(min_pixels=12))  # the pictures are small
SPACE = GantryActions(SETTINGS.actions.translation, SETTINGS.actions.rotation)
START = Viewpoint(2.7, 2.2, 1.2, math.pi / 2, 0.0)  # with its back to the table
ACTIONS = ("y-", "y-", "yaw-", "yaw-", "yaw-", "yaw-", "yaw-", "pitch-")


def episode(text: str = "What color is the mug on the table?", max_steps: int = 40, seed: int = 5) -> Episode:
    return Episode("e", "search", "boxes", START, (Question("q1", text),), max_steps, seed)


class Log(EpisodeListener):
    """Remembers commands and answers."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.results: list[StepResult] = []
        self.answers: list[Answer] = []

    def commanded(self, command: Command, stamp: int) -> None:
        self.commands.append(command)

    def concluded(self, result: StepResult) -> None:
        self.results.append(result)

    def answered(self, answer: Answer, stamp: int) -> None:
        self.answers.append(answer)


def run(agent: Agent, what: Episode, seed: int = 0) -> tuple[Outcome, Log]:
    log = Log()
    return EpisodeRunner(BoxRoom(furnished_room(), 160, 120), agent, [log]).run(what, seed), log


def test_a_random_walk_depends_on_both_seeds_alone() -> None:
    walks = {}
    for name, what, seed in (
        ("first", episode(), 1),
        ("again", episode(), 1),
        ("other run", episode(), 2),
        ("other episode", episode(seed=6), 1),
    ):
        _, log = run(RandomAgent(SETTINGS), what, seed)
        walks[name] = [command.action for command in log.commands]
    assert walks["first"] == walks["again"]
    assert len({tuple(walk) for walk in walks.values()}) == 3


def test_a_random_walk_stays_within_limits_and_budget_and_then_answers() -> None:
    lengths = []
    for seed in range(12):
        outcome, log = run(RandomAgent(SETTINGS), episode(max_steps=15), seed)
        assert outcome.state == EpisodeState.FINISHED
        assert not outcome.reason
        assert all(result.status.name in ("DONE", "COLLIDED") for result in log.results)
        assert len(log.answers) == 1
        lengths.append(outcome.steps)
    assert max(lengths) <= 15
    assert len(set(lengths)) > 3


def test_a_random_walk_draws_no_turn_that_would_need_an_unwind() -> None:
    yaws = []
    for seed in range(6):
        log, world = Log(), BoxRoom(furnished_room(), 160, 120)
        limits = replace(world.info.limits, yaw_min=START.yaw - 1.1, yaw_max=START.yaw + 1.1)
        world.info = replace(world.info, limits=limits)
        EpisodeRunner(world, RandomAgent(SETTINGS), [log]).run(episode(), seed)
        yaws += [result.reached.yaw - START.yaw for result in log.results]
    assert len(yaws) > 20
    assert 1.0 < max(map(abs, map(wrap_angle, yaws))) <= 1.1


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("What color is the teapot?", "white"),
        ("What is the teapot made of?", "wood"),
        ("How many teapots are on the table?", "2"),
        ("Where is the teapot?", "on the table"),
        ("Is there a teapot on the table?", "yes"),
        ("Why?", "yes"),
    ],
)
def test_who_saw_nothing_guesses_what_is_common(text: str, guess: str) -> None:
    _, log = run(RandomAgent(SETTINGS), episode(text, max_steps=0))
    (answer,) = log.answers
    assert (answer.text, answer.verdict, answer.confidence) == (guess, Verdict.ANSWERED, 0.0)


def test_a_walk_that_saw_the_object_answers_from_it() -> None:
    looking = replace(episode(max_steps=0), start=SPACE.replay(START, ACTIONS)[-1])
    _, log = run(RandomAgent(SETTINGS), looking)
    assert log.answers[0].text == "red"


def test_it_is_a_registered_agent() -> None:
    agent = AGENTS.create("random", SETTINGS)
    assert isinstance(agent, Agent)
    assert (agent.name, agent.perception) == ("random", "privileged")


@pytest.mark.parametrize("space", ["gantry", "egocentric"])
@pytest.mark.parametrize("agent", ["search", "coverage", "random", "static"])
@pytest.mark.parametrize("dof", ["3", "4", "x,y,yaw,pitch"])
def test_with_fewer_axes_no_other_one_moves(space: str, agent: str, dof: str) -> None:
    actions = replace(SETTINGS.actions, space=space, frame="heading" if space == "egocentric" else "world")
    settings = replace(SETTINGS, actions=actions, control=ControlSettings(dof=dof))
    outcome, log = run(AGENTS.create(agent, settings), episode("What color is the vase?", max_steps=14))
    assert outcome.state == EpisodeState.FINISHED, outcome.reason
    places = [START, *(result.reached for result in log.results)]
    moving = set().union(*(moved(a, b) for a, b in pairwise(places)))
    assert moving <= set(axes_named(dof) or ())
    assert moving, "it looks for the vase, which is not in the first view"
