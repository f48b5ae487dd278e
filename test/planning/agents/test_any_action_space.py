"""Every agent in every action space and frame, on a world of boxes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from box_room import BoxRoom, furnished_room

from vantage.config import ActionSettings, AgentSettings, Settings
from vantage.planning.actions import make_actions
from vantage.planning.agents.oracle_agent import OracleAgent
from vantage.recording.events import EpisodeListener
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Answer, Command, Episode, EpisodeState, Question, Status, StepResult, Truth, TruthQuestion

START = Viewpoint(2.7, 2.2, 1.2, math.pi / 2 + math.pi / 6, 0.0)  # with its back to the table
EPISODE = Episode("e", "search", "boxes", START, (Question("q1", "What color is the mug on the table?"),), 25, 5)
SPACES = [("gantry", "world"), *(("egocentric", frame) for frame in ("world", "heading", "camera"))]


class Log(EpisodeListener):
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


def settings_of(space: str, frame: str) -> Settings:
    actions = ActionSettings(space=space, frame=frame)
    return replace(Settings(), actions=actions, agent=AgentSettings(min_pixels=12))


@pytest.mark.parametrize(("space", "frame"), SPACES)
@pytest.mark.parametrize("name", ["search", "coverage", "static", "random"])
def test_agents_act_in_it_as_the_space_says(name: str, space: str, frame: str) -> None:
    settings, log = settings_of(space, frame), Log()
    actions = make_actions(settings.actions)
    runner = EpisodeRunner(BoxRoom(furnished_room(), 160, 120), AGENTS.create(name, settings), [log])
    outcome = runner.run(EPISODE, 0)
    assert outcome.state == EpisodeState.FINISHED
    assert {command.action for command in log.commands} <= set(actions.names)
    here = START
    for result in log.results:
        assert result.command.target == actions.apply(result.command.action, here)
        here = result.reached if result.status is Status.DONE else here
    if name == "static":
        assert [command.action for command in log.commands] == [actions.turns["yaw", 1]] * 11
    if name == "search":
        assert log.answers[0].text == "red"
        assert outcome.steps < 25


@pytest.mark.parametrize(("space", "frame"), SPACES)
def test_the_oracle_replays_it(space: str, frame: str) -> None:
    settings, log = settings_of(space, frame), Log()
    actions = make_actions(settings.actions)
    way = (actions.turns["yaw", 1], next(name for name, offset in actions.lattice_moves(START) if offset == (0, 0, 1)))
    goal = actions.replay(START, way)[-1]
    truth = Truth("e", (TruthQuestion("q1", "color", "red"),), goal, way, 0.25)
    EpisodeRunner(BoxRoom(furnished_room(), 160, 120), OracleAgent(settings, {"e": truth}), [log]).run(EPISODE, 0)
    assert tuple(command.action for command in log.commands) == way
    assert log.results[-1].reached == goal
