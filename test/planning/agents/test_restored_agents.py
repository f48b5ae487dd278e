"""Agents that look again in a room that was put back as it was found."""

from __future__ import annotations

from typing import Any

import pytest
from box_room import BoxRoom, furnished_room

from vantage.config import Settings
from vantage.recording.events import EpisodeListener
from vantage.registry import AGENTS
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, EpisodeState, Question

START = Viewpoint(2.5, 1.0, 1.3, 1.5, -0.2)
SETTINGS = Settings().with_values({"agent.perception": "privileged"}, "test")


def four_phases(text: str = "What color is the mug?") -> Episode:
    asked = {name: (Question("q", text, name),) for name in ("answer", "refine")}
    phases = (
        EpisodePhase("explore", 12),
        EpisodePhase("answer", 0, asked["answer"]),
        EpisodePhase("reenter", 12, restored=True),
        EpisodePhase("refine", 0, asked["refine"]),
    )
    return Episode.of_phases("e", "search", "room", START, phases)


class Known(EpisodeListener):
    """Share of the space that was seen, by phase: as the first decision in it tells."""

    def __init__(self) -> None:
        self.by_phase: dict[str, float] = {}

    def started(self, episode: Episode, agent: Any, stamp: int) -> None:
        self._phase = episode.phase

    def phase_began(self, episode: Episode, outcome: Any, stamp: int) -> None:
        self._phase = episode.phase

    def thought(self, view: Any, detections: Any, observation: Any) -> None:
        self.by_phase.setdefault(self._phase, view.known)


@pytest.mark.parametrize("name", ["search", "coverage"])
def test_what_was_seen_is_kept_and_the_agent_goes_on(name: str) -> None:
    restored = []
    agent, known = AGENTS.create(name, SETTINGS), Known()
    begin = agent.begin

    def begin_and_watch(*given: Any) -> None:
        begin(*given)
        memory = agent._qa.memory
        known_how = memory.restored
        memory.restored = lambda *more: (restored.append(agent.view().known), known_how(*more))

    agent.begin = begin_and_watch
    outcome = EpisodeRunner(BoxRoom(furnished_room()), agent, [known]).run(four_phases(), 0)
    assert outcome.state == EpisodeState.FINISHED
    assert [answer.key for answer in outcome.answers] == [("answer", "q"), ("refine", "q")]
    assert len(restored) == 1, "memory hears once that all is as it was found"
    assert known.by_phase["reenter"] >= known.by_phase["answer"] >= known.by_phase["explore"] > 0.0
    assert outcome.phase_steps["explore"] > 0


@pytest.mark.parametrize("name", ["blind", "prior", "random"])
def test_agents_that_do_not_look_are_done_at_once(name: str) -> None:
    outcome = EpisodeRunner(BoxRoom(furnished_room()), AGENTS.create(name, SETTINGS), []).run(four_phases(), 0)
    assert (outcome.state, outcome.reason) == (EpisodeState.FINISHED, "")
    assert outcome.phase_steps == {"explore": 0, "answer": 0, "reenter": 0, "refine": 0}
