"""The agent protocol is enough for a person who acts and answers through all phases, at a person's pace: what is shown
comes from ``act``, what is done goes back from it, and a wait ends where the episode is canceled."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Any

import pytest
from four_phases import AGAIN, FIRST, record_four, score_of, whole_episode
from open_field import OpenFieldWorld

from vantage.models import check_cutoff, cutoff
from vantage.planning import GantryActions
from vantage.runs import EpisodeRunner
from vantage.types import (
    Answer,
    Decision,
    Done,
    Episode,
    EpisodeState,
    Observation,
    Question,
    SearchView,
    StepResult,
    Verdict,
)

MOVES = {"explore": ["x+", "y+"], "reenter": ["yaw+"]}
ACTIONS = GantryActions(0.25, 0.26)


class PersonAgent:
    """Hands what it sees to somebody in another thread and waits for what that one decides.

    Attributes:
        shown: what the person is shown: the phase that begins, and each look with what became of the last command.
        said: what the person decides.
    """

    perception = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shown: queue.Queue[Any] = queue.Queue()
        self.said: queue.Queue[Decision] = queue.Queue()

    def begin(self, episode: Episode, info: Any, seed: int) -> None:
        self.shown.put(episode)

    def begin_phase(self, episode: Episode) -> None:
        self.shown.put(episode)

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        self.shown.put((observation, last))
        while True:
            check_cutoff()
            try:
                return self.said.get(timeout=0.02)
            except queue.Empty:
                continue

    def detections(self) -> tuple[()]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="a person looks around")


class Person(threading.Thread):
    """Plays a script by what it is shown, and keeps the pictures, as for a replay."""

    def __init__(self, agent: PersonAgent) -> None:
        super().__init__(daemon=True)
        self._agent = agent
        self.phases: list[Episode] = []
        self.kept: dict[str, list[Observation]] = {}
        self.at_first: list[StepResult | None] = []
        self._open: list[Question] = []
        self._moves: list[str] = []

    def run(self) -> None:
        while not self.phases or self.phases[-1].phase != "refine" or self._open:
            told = self._agent.shown.get(timeout=20.0)
            if isinstance(told, Episode):
                self.phases.append(told)
                self.kept[told.phase] = []
                self._open = list(told.questions)
                self._moves = list(MOVES.get(told.phase, ()))
                continue
            observation, last = told
            if not self.kept[self.phases[-1].phase]:
                self.at_first.append(last)
            self.kept[self.phases[-1].phase].append(observation)
            self._agent.said.put(self._decision(observation))

    def _decision(self, observation: Observation) -> Decision:
        if self._open:
            asked = self._open.pop()  # in whatever order the person likes
            text = (FIRST if asked.phase == "answer" else AGAIN)[asked.question_id]
            return Answer(asked.question_id, text, Verdict.ANSWERED, 1.0, phase=asked.phase)
        return ACTIONS.decision(self._moves.pop(0), observation.viewpoint) if self._moves else Done()


@pytest.mark.parametrize("name", ["human", "human_replay"])
def test_a_person_goes_through_all_phases_and_is_named_in_the_score(tmp_path: Path, name: str) -> None:
    agent = PersonAgent(name)
    person = Person(agent)
    person.start()
    score = score_of(record_four(tmp_path, agent))
    person.join(20.0)
    assert not person.is_alive()
    assert (score.complete, score.agent, score.perception) == (True, name, "")
    assert (score.figures["acc_exp"], score.figures["acc_ref"], score.figures["t3"]) == (0.25, 1.0, 1.0)
    assert [(each.phase, each.max_steps, len(each.questions)) for each in person.phases] == [
        ("explore", 4, 0),
        ("answer", 0, 4),
        ("reenter", 10, 0),
        ("refine", 0, 4),
    ]
    assert [last is None for last in person.at_first] == [True, False, True, False], "after it was put back, anew"
    assert len(person.kept["explore"]) == 3, "the looks of the exploration are there to be shown again"


def test_a_person_who_says_nothing_is_waited_for_until_the_episode_is_canceled() -> None:
    agent, over = PersonAgent("human"), threading.Event()
    canceling = threading.Timer(0.2, over.set)
    canceling.start()
    with cutoff(60.0, over):
        outcome = EpisodeRunner(OpenFieldWorld(), agent).run(whole_episode(), 0, over.is_set)
    canceling.join()
    assert (outcome.state, outcome.reason) == (EpisodeState.CANCELED, "canceled on request")
