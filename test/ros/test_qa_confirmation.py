"""A corrected question is answered only after a person agreed, over DDS; what nobody confirms lapses and is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from camera_stream import MUG_AT, CameraStream, room_views
from ros_fixtures import call, context_on, eventually, new_domain, parameters, spinning
from vantage_eqa.msg import Answer, Correction
from vantage_eqa.srv import AskQuestion, CancelQuestion, CheckQuestion, ConfirmCorrection

from vantage.nodes.qa.confirm_client import ConfirmClient
from vantage.nodes.qa.correction_messages import correction_message
from vantage.nodes.qa.pending_corrections import Correction as Waiting
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import advertise
from vantage.recording.markers import CORRECTIONS
from vantage.recording.to_messages import Codec
from vantage.recording.topics import CORRECTION, EPISODE, NOISE_REPORT, SEARCH_MARKERS, TF_STATIC, Topic
from vantage.runs.confirmation import Ruling
from vantage.spatial import Viewpoint
from vantage.types import Answer as Proposed, Episode, EpisodeState, NoiseReport, NoiseType, Question, Verdict

pytestmark = pytest.mark.real_time

FALSE = "What is the blue mug on the table made of?"
CONFIRMED = {"agent__require_confirmation": True, "agent__min_pixels": 12}


@contextmanager
def watching(timeout: float = 30.0, domain: int | None = None, **more: object) -> Iterator[CameraStream]:
    """A QA node that needs a person and has seen the room."""
    options = {**CONFIRMED, "agent__confirmation_timeout": timeout, **more}
    with context_on(domain) as context:
        camera, qa = CameraStream(context), QaNode(context, parameters(**options))
        with spinning(context, camera, qa):
            camera.show(room_views())
            yield camera


def ask(camera: CameraStream, question: str = FALSE, question_id: str = "q") -> AskQuestion.Response:
    return call(camera, AskQuestion, "ask_question", question_id=question_id, question=question)


def confirm(camera: CameraStream, accept: bool, question_id: str = "q") -> ConfirmCorrection.Response:
    return call(camera, ConfirmCorrection, "confirm_correction", question_id=question_id, accept=accept)


def states(camera: CameraStream, question_id: str = "q") -> list[int]:
    """What was said of a correction, repetitions left out."""
    said = [item.state for item in camera.heard[CORRECTION] if item.answer.question_id == question_id]
    return [state for k, state in enumerate(said) if k == 0 or state != said[k - 1]]


def test_the_answer_comes_with_a_persons_yes_and_not_before() -> None:
    with watching() as camera:
        asked = ask(camera)
        assert asked.ok
        assert asked.answer.verdict == Answer.NEEDS_CONFIRMATION
        assert "ceramic" not in asked.answer.text
        assert asked.answer.noise.corrected_question == "What is the red mug on the table made of?"
        assert ask(camera, "What color is the mug?", "honest").answer.verdict == Answer.ANSWERED

        eventually(lambda: states(camera) == [Correction.OPEN])
        waits = camera.heard[CORRECTION][0]
        assert (waits.source, waits.question) == ("qa_node", FALSE)
        assert 0.0 < waits.time_left <= 30.0
        assert "ceramic" not in waits.answer.text
        eventually(lambda: camera.heard[SEARCH_MARKERS])
        [marker] = camera.heard[SEARCH_MARKERS][-1].markers
        assert (marker.ns, marker.type, marker.action) == (CORRECTIONS, marker.TEXT_VIEW_FACING, marker.ADD)
        assert "red mug" in marker.text
        at = marker.pose.position
        assert (at.x, at.y) == pytest.approx(MUG_AT[:2], abs=0.1)
        assert at.z > MUG_AT[2]

        answered = confirm(camera, True)
        assert answered.ok, answered.message
        assert answered.answer.verdict == Answer.CORRECTED
        assert answered.answer.text.endswith("Answer: ceramic.")
        eventually(lambda: states(camera) == [Correction.OPEN, Correction.ACCEPTED])
        eventually(lambda: camera.heard[SEARCH_MARKERS][-1].markers[0].action == marker.DELETE)
        again = confirm(camera, True)
        assert not again.ok
        assert "was accepted before; ask again" in again.message


def test_a_persons_no_leaves_the_question_without_an_answer() -> None:
    with watching() as camera:
        checked = call(camera, CheckQuestion, "check_question", question_id="q", question=FALSE)
        assert (checked.ok, checked.understood, checked.premises_hold) == (True, True, False)
        refused = confirm(camera, False)
        assert refused.ok
        assert refused.answer.verdict == Answer.UNANSWERABLE
        assert "ceramic" not in refused.answer.text
        eventually(lambda: states(camera) == [Correction.OPEN, Correction.REFUSED])
        nameless = ask(camera, question_id="")
        assert nameless.answer.question_id == "asked-1", "so that a person can say which one is meant"
        assert confirm(camera, True, "asked-1").answer.text.endswith("Answer: ceramic.")


def test_what_nobody_confirms_lapses_and_is_told_everywhere() -> None:
    with watching(timeout=0.3) as camera:
        assert ask(camera).answer.verdict == Answer.NEEDS_CONFIRMATION
        eventually(lambda: states(camera) == [Correction.OPEN, Correction.LAPSED])
        eventually(lambda: [r for r in camera.heard[NOISE_REPORT] if "Nobody said in time" in r.explanation])
        eventually(lambda: "a correction lapsed: nobody confirmed it in time" in camera.complaints())
        assert camera.diagnosed("corrections lapsed") == "1"
        late = confirm(camera, True)
        assert not late.ok
        assert "has lapsed before; ask again" in late.message
        eventually(lambda: camera.heard[SEARCH_MARKERS][-1].markers[0].action == 2)


def test_a_correction_is_taken_back_and_so_are_all_when_the_node_goes() -> None:
    with watching() as camera:
        ask(camera)
        ask(camera, question_id="other")
        nothing = call(camera, CancelQuestion, "cancel_question", question_id="unknown")
        assert not nothing.ok
        assert "nothing to take back" in nothing.message
        assert call(camera, CancelQuestion, "cancel_question", question_id="q").ok
        eventually(lambda: states(camera) == [Correction.OPEN, Correction.CANCELED])
        assert "was taken back before" in confirm(camera, True).message
        assert states(camera, "other") == [Correction.OPEN]
    with context_on() as context:
        camera, qa = CameraStream(context), QaNode(context, parameters(**CONFIRMED))
        with spinning(context, camera):
            with spinning(context, qa):
                camera.show(room_views())
                assert ask(camera).answer.verdict == Answer.NEEDS_CONFIRMATION
                eventually(lambda: states(camera) == [Correction.OPEN])
            eventually(lambda: states(camera) == [Correction.OPEN, Correction.CANCELED])


@pytest.mark.parametrize("what", [EPISODE, TF_STATIC], ids=["an episode begins", "the world is reset"])
def test_in_another_place_a_correction_waits_no_more(what: Topic) -> None:
    with watching() as camera:
        ask(camera)
        eventually(lambda: states(camera) == [Correction.OPEN])
        codec, told = Codec(RclpyFactory()), advertise(camera, what)
        eventually(told.get_subscription_count)
        stamp = room_views()[-1].stamp + 10**9
        if what is EPISODE:
            episode = Episode("e", "search", "room", Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0), (Question("x", FALSE),), 9)
            told.publish(codec.episode(stamp, episode, EpisodeState.RUNNING))
        else:
            told.publish(codec.static_transforms(stamp))
        eventually(lambda: states(camera) == [Correction.OPEN, Correction.CANCELED])
        assert "was taken back before" in confirm(camera, True).message


def test_a_person_hears_what_each_node_waits_for_and_each_new_proposal() -> None:
    noise = NoiseReport(NoiseType.COLOR, "the mug is blue", "the mug is red", "What is the red mug made of?", 0.9)
    proposed = Proposed("q", "It is red. Did you mean ...?", Verdict.NEEDS_CONFIRMATION, 0.9, noise)
    now = time.monotonic()
    own = Waiting("e", Question("q", FALSE), proposed, "qa_node", now + 60.0, now)
    planners = replace(own, source="planner_node")
    another = replace(planners, answer=replace(proposed, text="It is green. Did you mean ...?"))
    with context_on() as context:
        speaker, client = CameraStream(context), ConfirmClient(context)
        codec, topic = Codec(RclpyFactory()), advertise(speaker, CORRECTION, depth=100)

        def say(item: Waiting, ruling: Ruling) -> None:
            topic.publish(correction_message(codec, 1, item, ruling))

        try:
            eventually(topic.get_subscription_count)
            say(own, Ruling.OPEN)
            first = client.next(10.0, [])
            assert first is not None
            assert first.source == "qa_node"
            say(planners, Ruling.OPEN)
            say(own, Ruling.CANCELED)
            second = client.next(10.0, [first])
            assert second is not None
            assert second.source == "planner_node"
            assert client.is_over(first)
            say(another, Ruling.OPEN)
            third = client.next(10.0, [first, second])
            assert third is not None
            assert third.answer.text.startswith("It is green.")
            assert (client.is_over(second), client.is_over(third)) == (True, False), "what has ended was another's"
            say(another, Ruling.ACCEPTED)
            eventually(lambda: client.is_over(third))
            assert client.next(0.1, []) is None
        finally:
            client.close()


def confirm_command(domain: int, *words: str, keys: str = "") -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "ROS_DOMAIN_ID": str(domain)}
    command = [sys.executable, "-m", "vantage.cli.main", "confirm", *words]
    return subprocess.run(command, input=keys, env=environ, capture_output=True, text=True, timeout=120.0, check=False)


def test_the_command_shows_what_waits_and_takes_a_yes() -> None:
    domain = new_domain()
    with watching(timeout=300.0, domain=domain) as camera:
        ask(camera)
        shown = confirm_command(domain, "--show", "--json", "--wait", "20")
        assert shown.returncode == 0, shown.stderr
        [row] = json.loads(shown.stdout)["corrections"]
        assert (row["question"], row["said"], row["source"]) == (FALSE, "nothing", "qa_node")
        assert row["corrected_question"] == "What is the red mug on the table made of?"
        said = confirm_command(domain, "--json", "--wait", "20", keys="what?\ny\n")
        assert said.returncode == 0, said.stderr
        [row] = json.loads(said.stdout)["corrections"]
        assert (row["said"], row["answer"].endswith("Answer: ceramic.")) == ("yes", True)
        assert "Did you mean" in said.stderr


def test_the_command_ends_where_nothing_waits() -> None:
    none = confirm_command(new_domain(), "--wait", "0.5")
    assert none.returncode == 0, none.stderr
    assert "no correction waited within 0.5 s" in none.stdout
    wrong = confirm_command(new_domain(), "--wait", "nan")
    assert wrong.returncode == 2
    assert "must be finite" in wrong.stderr
