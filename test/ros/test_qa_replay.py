"""Questions about a recorded run, asked while it is played again, get the answers that they got live."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fake_set import room_set
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, new_domain, parameters, spinning
from vantage_eqa.srv import AskQuestion, CheckQuestion

from vantage.config import Settings
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.replay_node import ReplayNode
from vantage.recording.bags import read_bag
from vantage.recording.from_messages import read_answer
from vantage.recording.topics import DETECTIONS
from vantage.runs.batch import Job, prepared
from vantage.types import Answer, Verdict

pytestmark = pytest.mark.real_time

CAMERA = {"camera.width": 96, "camera.height": 72}
ALL_IMAGES = {"run.record_raw": True, "run.record_depth": True, "run.record_instances": True}


def answers(asker: Node, questions: list[str]) -> list[tuple[Answer, bool]]:
    """What the services say, without the stamps of the evidence: looks between two steps are not recorded as such."""
    found = []
    for text in questions:
        asked = call(asker, AskQuestion, "ask_question", question_id="q", question=text)
        assert asked.ok, asked.message
        checked = call(asker, CheckQuestion, "check_question", question_id="q", question=text)
        answer = read_answer(asked.answer)
        still = tuple(replace(item, stamp=0) for item in answer.evidence)
        found.append((replace(answer, evidence=still), bool(checked.premises_hold)))
    return found


def questions_about(bag: Path) -> list[str]:
    """Some about what was seen most of, and some that cannot be answered from it."""
    seen: Counter[tuple[str, str]] = Counter()
    for _, _, message in read_bag(bag, (DETECTIONS,)):
        seen.update({(item.label, item.color): item.pixels for item in message.detections if item.color})
    [(label, color), *_] = [key for key, _ in seen.most_common(1)]
    return [
        f"What color is the {label}?",
        f"Is there a {color} {label}?",
        f"What is the purple {label} made of?",
        f"Is there a {label}?",
        f"How many {label}s are there?",
        "What color is the zebra?",
        "Sing a song.",
    ]


def test_a_replay_is_asked_like_the_run(tmp_path: Path) -> None:
    made = room_set(tmp_path / "set")
    settings = Settings().with_values({"agent.name": "search", **CAMERA, **ALL_IMAGES}, "test")
    job, _ = prepared(Job(made.folder, tmp_path / "bags", "splat", "search", settings))
    domain = new_domain()
    with bring_up(GraphPlan(job.settings, "splat", tmp_path / "bags", made.folder), domain, 0.0) as client:
        list(client.run(made.episodes[:1]))
        questions = questions_about(tmp_path / "bags" / made.episodes[0].episode_id)
        with context_on(domain) as context:
            asker = Node("asker", context=context)
            with spinning(context, asker):
                live = answers(asker, questions)
    with context_on() as context:
        asker, qa = Node("asker", context=context), QaNode(context, parameters())
        replay = ReplayNode(context, parameters(bag=str(tmp_path / "bags"), rate=2.0))
        with spinning(context, asker, qa, replay):
            assert replay.finished.wait(60.0)
            assert replay.failure is None
            again = eventually(lambda: _settled(asker, questions, live), 10.0)
    assert again == live
    verdicts = {answer.verdict for answer, _ in live}
    assert {Verdict.ANSWERED, Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL} <= verdicts


def _settled(asker: Node, questions: list[str], wanted: list[tuple[Answer, bool]]) -> list[tuple[Answer, bool]]:
    """Answers once the last views are taken in; those that differ to the end are compared by the test itself."""
    found = answers(asker, questions)
    return found if found == wanted else []
