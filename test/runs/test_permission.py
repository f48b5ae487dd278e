"""Who lets an agent manipulate: a person, in episodes of free manipulation, or the guard by warrants of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from arm_world import ArmWorld, hall_episode

from vantage.benchmarks import benchmark_of
from vantage.config import Settings
from vantage.planning import Agent
from vantage.runs.episode import EpisodeRunner
from vantage.runs.permission import Permit, let_manipulate, may_manipulate_freely
from vantage.types import (
    Answer,
    ArmTarget,
    Cause,
    Command,
    Episode,
    EpisodePhase,
    EpisodeState,
    Observation,
    SearchView,
    Status,
    StepResult,
    Verdict,
)
from vantage.worlds.warrants import Warrant, WarrantFault, person_warrant

SMALL = Settings().with_values({"camera.width": 8, "camera.height": 6}, "test")
UP = Command(arm=ArmTarget(joints={"lift": 0.2}))


class Lifter:
    """Lifts its hand so often, then answers."""

    name, perception = "lifter", ""

    def __init__(self, times: int) -> None:
        self._times = times
        self.told: list[StepResult] = []

    def begin(self, episode: Episode, info: Any, seed: int) -> None:
        self._left = self._times
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        self._episode, self._left = episode, self._times

    def act(self, observation: Observation, last: StepResult | None) -> Command | Answer:
        if last is not None:
            self.told.append(last)
        if self._left:
            self._left -= 1
            return UP
        return Answer(self._episode.questions[0].question_id, "yes", Verdict.ANSWERED, 0.9, phase=self._episode.phase)

    def detections(self) -> tuple[()]:
        return ()

    def view(self) -> SearchView:
        return SearchView()


class Carrier(Lifter):
    """Brings warrants of its own."""

    def __init__(self, times: int, *brought: Any) -> None:
        super().__init__(times)
        self._brought = list(brought)

    def act(self, observation: Observation, last: StepResult | None) -> Command | Answer:
        self._seen = observation
        return super().act(observation, last)

    def warrants(self) -> tuple[Warrant, ...]:
        found = tuple(make(self._seen) for make in self._brought)
        self._brought = []
        return found


def run(agent: Agent, permit: Permit | None = None, episode: Episode | None = None) -> ArmWorld:
    world = ArmWorld(SMALL)
    outcome = EpisodeRunner(world, agent, permit=permit).run(episode or hall_episode("e"), 0)
    assert outcome.state == EpisodeState.FINISHED, outcome.reason
    return world


def test_without_a_persons_word_no_agent_manipulates() -> None:
    agent = Lifter(3)
    world = run(agent)
    assert [told.cause for told in agent.told] == [Cause.UNWARRANTED] * 3
    assert world.joints == ArmWorld(SMALL).joints


def test_a_persons_word_lasts_for_the_steps_of_an_episode() -> None:
    agent = Lifter(3)
    run(agent, let_manipulate)
    assert [told.status for told in agent.told] == [Status.DONE] * 3


def test_it_goes_on_in_a_phase_that_is_restored() -> None:
    episode, agent = hall_episode("e"), Lifter(2)
    [question] = episode.questions
    asked = (replace(question, phase="first"), replace(question, question_id="q2", phase="again"))
    phases = tuple(
        EpisodePhase(name, 5, (each,), restored=name == "again")
        for name, each in zip(("first", "again"), asked, strict=True)
    )
    run(agent, let_manipulate, replace(episode, questions=asked, max_steps=10, phases=phases))
    assert [told.status for told in agent.told] == [Status.DONE] * 4


def test_an_agents_own_warrants_are_granted_and_what_is_refused_is_told() -> None:
    episode = hall_episode("e")
    agent = Carrier(2, lambda seen: person_warrant(episode, "planner", seen.stamp, 1))
    run(agent)
    assert [told.cause for told in agent.told] == [Cause.NONE, Cause.UNWARRANTED]
    for spoiled, fault in (
        ({"commands": 9}, WarrantFault.FORGED),
        ({"issued": -1}, WarrantFault.MALFORMED),
        ({"goal": np.nan}, WarrantFault.MALFORMED),
    ):

        def bad(seen: Observation, changes: dict[str, Any] = spoiled) -> Warrant:
            return replace(person_warrant(episode, "planner", seen.stamp, 1), **changes)

        agent = Carrier(1, bad)
        run(agent)
        [told] = agent.told
        assert (told.status, told.cause) == (Status.REJECTED, Cause.UNWARRANTED)
        assert fault.value in told.reason
        assert "no warrant was granted" in told.reason


def test_free_manipulation_is_for_its_benchmarks_and_not_for_agents_with_goals() -> None:
    free = [name for name in ("search", "excalibur", "heal", "noisyeqa", "e3vs", "nobody's") if _free(name)]
    assert free == ["search", "excalibur"]
    assert may_manipulate_freely(Lifter(1), "search")
    assert not may_manipulate_freely(Carrier(1), "search")
    assert not may_manipulate_freely(Lifter(1), "heal")


def _free(name: str) -> bool:
    return benchmark_of(name).free_manipulation
