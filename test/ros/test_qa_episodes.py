"""``run_episode`` with a person in the loop: the planner proposes, a person rules, and that is what is recorded."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_world
import pytest
from fake_set import fake_set
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, new_domain, spinning
from vantage_eqa.msg import Correction
from vantage_eqa.srv import CancelQuestion, ConfirmCorrection

from vantage.config import Settings
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.nodes.runtime.rclpy_messages import interface
from vantage.nodes.runtime.topics import profile
from vantage.recording.events import Outcome
from vantage.recording.recordings import read_recording
from vantage.recording.topics import CORRECTION
from vantage.registry import AGENTS
from vantage.runs.batch import Job, prepared, run_set
from vantage.types import Answer, EpisodeState, NoiseReport, NoiseType, Observation, StepResult, Verdict

pytestmark = pytest.mark.real_time

NOISE = NoiseReport(
    NoiseType.COLOR,
    "the cup is blue",
    "the cup is red",
    "What is the red cup made of?",
    0.9,
    "the cup is red, not blue",
)


class Corrector(fake_world.Pacer):
    """Turns once and corrects the question."""

    name = "corrector"
    perception = "privileged"

    def act(self, observation: Observation, last: StepResult | None) -> Any:
        if last is None:
            return super().act(observation, last)
        text = "The cup is red, not blue. Answer: ceramic."
        return Answer("one-q", text, Verdict.CORRECTED, 0.9, NOISE, perception="privileged")


fake_world.register()
if "corrector" not in AGENTS.names():
    AGENTS.register("corrector", Corrector)


def settings(timeout: float) -> Settings:
    return Settings().with_values(
        {
            "agent.name": "corrector",
            "agent.require_confirmation": True,
            "agent.confirmation_timeout": timeout,
            "camera.width": 96,
            "camera.height": 72,
        },
        "test",
    )


class Flight:
    """An episode on its way, and a person's ears and voice."""

    def __init__(self, bags: Path, person: Node, outcome: Any, cancel: threading.Event) -> None:
        self.bags, self.person, self.cancel, self._outcome = bags, person, cancel, outcome
        self.heard: list[Any] = []
        self.doing: list[str] = []
        person.create_subscription(
            interface(CORRECTION.type), CORRECTION.name, self.heard.append, profile(CORRECTION, depth=100)
        )

    def waits(self) -> Any:
        """The first word about the correction."""
        return eventually(lambda: next(iter(self.heard), None), 30.0)

    def confirm(self, accept: bool) -> Any:
        """Until the QA node has heard of it."""
        return eventually(lambda: self._confirmed(accept))

    def _confirmed(self, accept: bool) -> Any:
        said = call(self.person, ConfirmCorrection, "confirm_correction", question_id="one-q", accept=accept)
        return said if said.ok else None

    @property
    def outcome(self) -> Outcome:
        flown = self._outcome.result(60.0)
        return flown[0].outcome  # type: ignore[no-any-return]


@contextmanager
def flying(folder: Path, timeout: float) -> Iterator[Flight]:
    made, domain, cancel = fake_set(folder / "set", episodes=1), new_domain(), threading.Event()
    plan = GraphPlan(settings(timeout), "fake", folder / "bags", made.folder)
    with (
        bring_up(plan, domain, 0.0) as client,
        context_on(domain) as context,
        ThreadPoolExecutor(1) as pool,
    ):
        person = Node("person", context=context)
        flight = Flight(folder / "bags", person, None, cancel)
        with spinning(context, person):
            eventually(lambda: person.count_publishers(CORRECTION.name) >= 2)
            flight._outcome = pool.submit(
                lambda: list(
                    client.run(made.episodes, 0, cancel.is_set, lambda _, step, doing: flight.doing.append(doing))
                )
            )
            try:
                yield flight
            finally:
                cancel.set()


@pytest.mark.parametrize("accept", [True, False])
def test_what_a_person_rules_is_recorded(tmp_path: Path, accept: bool) -> None:
    with flying(tmp_path, 60.0) as flight:
        proposal = flight.waits()
        assert (proposal.source, proposal.state) == ("planner_node", Correction.OPEN)
        assert "ceramic" not in proposal.answer.text
        flight.confirm(accept)
        outcome = flight.outcome
        assert outcome.state == EpisodeState.FINISHED
        assert "waiting for a person to confirm: What is the red cup made of?" in flight.doing
    [answer] = read_recording(tmp_path / "bags" / "one").answers
    assert answer == replace(outcome.answers[0], evidence=answer.evidence)
    assert answer.verdict == (Verdict.CORRECTED if accept else Verdict.UNANSWERABLE)
    assert ("ceramic" in answer.text) == accept
    assert answer.noise == NOISE
    assert not read_recording(tmp_path / "bags" / "one").shortfall()


def test_without_a_word_it_lapses_and_that_is_recorded(tmp_path: Path) -> None:
    with flying(tmp_path, 0.5) as flight:
        assert flight.outcome.state == EpisodeState.FINISHED
        eventually(lambda: flight.heard and flight.heard[-1].state == Correction.LAPSED)
    [answer] = read_recording(tmp_path / "bags" / "one").answers
    assert answer.verdict == Verdict.NEEDS_CONFIRMATION
    assert "Nobody said" in answer.text


def test_a_cancel_ends_the_wait(tmp_path: Path) -> None:
    with flying(tmp_path, 600.0) as flight:
        flight.waits()
        flight.cancel.set()
        outcome = flight.outcome
        assert (outcome.state, outcome.answers) == (EpisodeState.CANCELED, [])
        eventually(lambda: flight.heard[-1].state == Correction.CANCELED)


def test_a_question_that_is_taken_back_has_no_answer(tmp_path: Path) -> None:
    with flying(tmp_path, 600.0) as flight:
        flight.waits()
        eventually(lambda: call(flight.person, CancelQuestion, "cancel_question", question_id="one-q").ok)
        assert flight.outcome.state == EpisodeState.FINISHED
        assert "was taken back" in flight.outcome.answers[0].text


def test_in_process_where_nobody_can_be_asked_it_lapses(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=1)
    job, _ = prepared(Job(made.folder, tmp_path / "bags", "fake", "corrector", settings(60.0)))
    [(_, outcome)] = list(run_set(job))
    assert [answer.verdict for answer in outcome.answers] == [Verdict.NEEDS_CONFIRMATION]
