"""Corrected answers wait for a person, in process too, and count only as that person said."""

from __future__ import annotations

import os
import pty
import select
from dataclasses import replace

import pytest
from open_field import OpenFieldWorld, make_episode
from scripted_agent import ScriptedAgent

from vantage.config import Settings
from vantage.runs.confirmation import Ruling, Terminal, awaits_person, local_confirm, ruled, unconfirmed, withheld
from vantage.runs.episode import EpisodeRunner
from vantage.types import Answer, EpisodeState, NoiseReport, NoiseType, Verdict

NOISE = NoiseReport(
    NoiseType.COLOR,
    "the mug is blue",
    "the mug is red",
    "What is the red mug made of?",
    0.9,
    "the mug is red, not blue",
)
CORRECTED = Answer("q1", "The mug is red, not blue. Answer: ceramic.", Verdict.CORRECTED, 0.9, NOISE)
REQUIRED = Settings().with_values({"agent.require_confirmation": True, "agent.confirmation_timeout": 0.2}, "test")


class Correcting(ScriptedAgent):
    """Answers each question with a correction."""

    def act(self, observation, last):
        decision = super().act(observation, last)
        if isinstance(decision, Answer):
            return replace(CORRECTED, question_id=decision.question_id)
        return decision


def outcome_of(confirm, canceled=lambda: False, questions=1):
    runner = EpisodeRunner(OpenFieldWorld(), Correcting(["x+"]), confirm=confirm)
    return runner.run(make_episode(questions=questions), 0, canceled)


def test_only_answers_to_another_question_need_a_person():
    assert awaits_person(CORRECTED)
    assert awaits_person(withheld(CORRECTED))
    assert not awaits_person(replace(CORRECTED, verdict=Verdict.ANSWERED))
    latent = NoiseReport(NoiseType.LATENT, "there is a zebra", "there is no zebra")
    assert not awaits_person(Answer("q", "There is no zebra.", Verdict.UNANSWERABLE, 0.9, latent))
    assert not awaits_person(Answer("q", "There is no zebra. Is it so?", Verdict.NEEDS_CONFIRMATION, 0.4, latent))
    assert not awaits_person(Answer("q", "Which mug do you mean?", Verdict.NEEDS_CONFIRMATION, 0.4))


def test_a_correction_that_comes_without_its_question_needs_a_person_too():
    for noise in (replace(NOISE, corrected_question=""), NoiseReport(NoiseType.UNKNOWN)):
        assert awaits_person(replace(CORRECTED, noise=noise))
    bare = replace(CORRECTED, noise=replace(NOISE, corrected_question=""))
    assert withheld(bare).text == 'The mug is red, not blue. Did you mean: "the mug is red"'
    assert awaits_person(withheld(bare))
    assert 'whether "the mug is red" was meant' in ruled(bare, Ruling.LAPSED).text
    assert withheld(replace(bare, noise=NoiseReport())).text == "Did you mean: something else"


def test_a_proposal_does_not_hold_the_answer():
    proposal = withheld(CORRECTED)
    assert proposal.text == 'The mug is red, not blue. Did you mean: "What is the red mug made of?"'
    assert (proposal.verdict, proposal.noise) == (Verdict.NEEDS_CONFIRMATION, NOISE)


@pytest.mark.parametrize(
    ("ruling", "verdict", "words"),
    [
        (Ruling.ACCEPTED, Verdict.CORRECTED, "Answer: ceramic."),
        (Ruling.REFUSED, Verdict.UNANSWERABLE, "has no answer"),
        (Ruling.LAPSED, Verdict.NEEDS_CONFIRMATION, "Nobody said within 5 s"),
        (Ruling.CANCELED, Verdict.UNANSWERABLE, "was taken back"),
    ],
)
def test_what_becomes_of_an_answer(ruling, verdict, words):
    answer = ruled(CORRECTED, ruling, 5.0)
    assert (answer.verdict, answer.noise) == (verdict, NOISE)
    assert words in answer.text
    assert ("ceramic" in answer.text) == (ruling is Ruling.ACCEPTED)


@pytest.mark.parametrize("ruling", [Ruling.ACCEPTED, Ruling.REFUSED, Ruling.LAPSED, Ruling.CANCELED])
def test_an_episode_counts_what_was_ruled(ruling):
    asked = []

    def confirm(question, answer, canceled):
        asked.append((question.question_id, answer.text, canceled()))
        return ruling

    outcome = outcome_of(confirm, questions=2)
    assert asked == [("q1", CORRECTED.text, False), ("q2", CORRECTED.text, False)]
    assert outcome.state == EpisodeState.FINISHED
    assert [answer.verdict for answer in outcome.answers] == [ruled(CORRECTED, ruling).verdict] * 2


def test_nobody_is_asked_where_no_person_is_required():
    assert local_confirm(Settings()) is None
    assert outcome_of(None).answers[0].text == CORRECTED.text


def test_a_cancel_while_a_person_is_asked_ends_the_episode_without_an_answer():
    wanted = []

    def confirm(question, answer, canceled):
        wanted.append(True)
        return Ruling.CANCELED

    outcome = outcome_of(confirm, canceled=lambda: bool(wanted))
    assert (outcome.state, outcome.answers) == (EpisodeState.CANCELED, [])
    assert outcome.reason == "canceled on request"


def test_without_a_terminal_a_correction_lapses_as_it_does_where_nobody_hears_of_it():
    [answer] = outcome_of(local_confirm(REQUIRED)).answers
    assert answer.verdict == Verdict.NEEDS_CONFIRMATION
    assert "Nobody said in time" in answer.text
    assert "ceramic" not in answer.text


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        (b"y\n", Verdict.CORRECTED),
        (b"perhaps\nYES\n", Verdict.CORRECTED),
        (b"n\n", Verdict.UNANSWERABLE),
        (b"", Verdict.NEEDS_CONFIRMATION),
        (b"\xff\xfe\n", Verdict.NEEDS_CONFIRMATION),
    ],
)
def test_a_person_at_a_terminal(typed, verdict, capsys):
    source, keys = os.pipe()
    os.write(keys, typed)
    try:
        outcome = outcome_of(local_confirm(REQUIRED, Terminal(source)))
    finally:
        os.close(source)
        os.close(keys)
    assert outcome.answers[0].verdict == verdict
    told = capsys.readouterr()
    assert "Did you mean" in told.err
    assert told.out == "", "standard output belongs to results"


def test_an_input_that_has_ended_is_not_waited_for():
    source, keys = os.pipe()
    os.write(keys, b"y\nno, or rather\n")
    os.close(keys)
    terminal = Terminal(source)
    try:
        assert terminal.ask("? ", 60.0) is True
        assert terminal.ask("? ", 60.0) is None
        assert terminal.ask("? ", 60.0) is None
    finally:
        os.close(source)


def typed_ahead(keys, screen, data):
    """Type, and wait until the line discipline has taken it."""
    os.write(keys, data)
    readable, _, _ = select.select([screen], [], [], 10.0)
    assert readable


def test_what_was_typed_too_late_answers_no_other_question():
    keys, screen = pty.openpty()
    terminal = Terminal(screen)

    def types_now():
        os.write(keys, b"n\n")
        return False

    try:
        assert terminal.ask("first? ", 0.2) is None
        typed_ahead(keys, screen, b"y\n")
        assert terminal.ask("second? ", 0.3) is None
        typed_ahead(keys, screen, b"y\ny\ny")  # and half a line
        assert terminal.ask("third? ", 30.0, types_now) is False
    finally:
        os.close(keys)
        os.close(screen)


def test_what_is_left_of_an_answer_is_no_answer_to_the_next_question():
    keys, screen = pty.openpty()
    terminal = Terminal(screen)

    def types_two_lines():
        os.write(keys, b"y\ny\n")
        return False

    try:
        assert terminal.ask("first? ", 30.0, types_two_lines) is True
        assert terminal.ask("second? ", 0.3) is None
    finally:
        os.close(keys)
        os.close(screen)


def test_a_pipe_is_read_line_by_line_for_one_question_after_another():
    source, keys = os.pipe()
    os.write(keys, b"y\nn\ny\n")
    os.close(keys)
    terminal = Terminal(source)
    try:
        assert [terminal.ask("? ", 30.0) for _ in range(3)] == [True, False, True]
    finally:
        os.close(source)


def test_a_canceled_question_is_not_waited_for():
    source, keys = os.pipe()
    try:
        assert Terminal(source).ask("? ", 60.0, lambda: True) is None
    finally:
        os.close(source)
        os.close(keys)


def test_whoever_answers_behind_a_gate_holds_nothing_back():
    assert not unconfirmed(REQUIRED).agent.require_confirmation
    assert replace(unconfirmed(REQUIRED), agent=REQUIRED.agent) == REQUIRED
