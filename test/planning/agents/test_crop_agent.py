"""A search within one picture: which parts are shown, and how often."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from box_room import BoxRoom, furnished_room
from row_tables import each_row

from vantage.config import AgentSettings, ControlSettings, Settings
from vantage.errors import ModelError
from vantage.planning.agents import single_view_agents
from vantage.planning.agents.crop_agent import CropAgent, box_in, enlarged
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState, Question, Verdict

STOP = json.dumps({"action": "stop", "answer": "red"})


def look(*box: object) -> str:
    return json.dumps({"reasoning": "closer", "action": "look", "box": list(box)})


def searched(monkeypatch, *says, crops=2, text="What color is the mug?", kind="full"):
    told, shown, left = [], [], list(says)

    class Model:
        name = "script"

        def chat(self, prompt, images=(), schema=None, system="", image_names=()):
            told.append(prompt)
            shown.append(dict(zip(image_names, [image.shape for image in images], strict=True)))
            reply = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(reply, ModelError):
                raise reply
            return reply

    monkeypatch.setattr(single_view_agents, "shared_model", lambda which, settings: Model())
    control = ControlSettings(crops=crops, retries=1, prompt=kind)
    settings = replace(Settings(), agent=AgentSettings(model="openai:x"), control=control)
    episode = Episode("e", "search", "boxes", Viewpoint(2.7, 1.6, 1.4, 0.0, 0.0), (Question("q", text),), 25)
    outcome = EpisodeRunner(BoxRoom(furnished_room(), 64, 48), CropAgent(settings)).run(episode, 0)
    assert (outcome.state, outcome.steps) == (EpisodeState.FINISHED, 0)
    return outcome.answers[0], told, shown


def test_parts_are_shown_beside_the_whole_until_it_answers(monkeypatch):
    answer, told, shown = searched(monkeypatch, look(0, 0, 500, 500), STOP)
    assert (answer.text, answer.verdict, answer.noise.explanation) == ("red", Verdict.ANSWERED, "")
    assert [list(each) for each in shown] == [["WHOLE_PICTURE"], ["WHOLE_PICTURE", "ENLARGED_PART"]]
    assert shown[1]["ENLARGED_PART"] == (48, 64, 3)
    assert "Last look: [0, 0, 500, 500]" in told[1]
    assert "may still take: 1" in told[1]


def test_all_looks_are_told_with_the_last_reasoning_and_the_pose(monkeypatch):
    _, told, _ = searched(monkeypatch, look(0, 0, 500, 500), look(9, 9, 99, 99), STOP)
    assert "All looks so far:\nnone" in told[0]
    assert "Z = 1.40" in told[0]
    assert "Your reasoning for the last look: closer" in told[2]
    assert "All looks so far:\n1. [0, 0, 500, 500]\n2. [9, 9, 99, 99]" in told[2]


def test_with_the_papers_prompt_the_last_look_alone_is_told(monkeypatch):
    answer, told, _ = searched(monkeypatch, look(0, 0, 500, 500), STOP, kind="paper")
    assert "Last look: [0, 0, 500, 500]" in told[1]
    assert not any(words in told[1] for words in ("closer", "All looks", "Heading"))
    full, _, _ = searched(monkeypatch, STOP)
    assert answer.model != full.model


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (look(500, 500, 0, 0), 'the field "box" must be [left, top, right, bottom] in whole numbers from 0 to 1000'),
        (look(0, 0, 5, 1000), "right at least 20 above left"),
        (json.dumps({"action": "look"}), 'the field "box" must be'),
        ('{"action": "look", "box": [0, 0', "ended in the middle of the JSON object"),
    ],
)
def test_the_model_is_told_what_was_wrong_and_the_form_again(monkeypatch, reply, kind):
    _, told, _ = searched(monkeypatch, reply, STOP)
    assert kind in told[1]
    assert told[1].endswith('"answer": "a few words with stop, otherwise empty"}')
    assert '"action": "look or stop", "box": [left, top, right, bottom]' in told[1]


def test_looks_are_bounded(monkeypatch):
    answer, told, shown = searched(monkeypatch, look(0, 0, 500, 500))
    assert answer.verdict is Verdict.UNANSWERABLE
    assert [len(each) for each in shown] == [1, 2, 2, 2], "two looks, and two trials for an answer"
    assert "No look is left" in told[-1]
    assert "unknown action 2" in answer.noise.explanation


def test_a_part_that_is_none_is_asked_for_again(monkeypatch):
    answer, _, shown = searched(monkeypatch, look(500, 500, 0, 0), look(0, 0, 100, 100), STOP)
    assert answer.text == "red"
    assert "no box of a part 1" in answer.noise.explanation
    assert [len(each) for each in shown] == [1, 1, 2]


def test_several_actions_are_called_so_though_one_of_them_is_a_look_without_a_part(monkeypatch):
    answer, _, _ = searched(monkeypatch, json.dumps({"action": "look, stop", "answer": "blue"}), STOP)
    assert (answer.text, answer.noise.explanation.partition(": ")[2]) == ("red", "several actions 1.")


def test_a_model_that_fails_is_a_verdict(monkeypatch):
    answer, told, _ = searched(monkeypatch, ModelError("late; try again"))
    assert (answer.verdict, len(told)) == (Verdict.NEEDS_MODEL, 2)


def test_a_question_without_words_is_not_put_to_the_model(monkeypatch):
    answer, told, _ = searched(monkeypatch, STOP, text="?!")
    assert (answer.verdict, told) == (Verdict.UNANSWERABLE, [])


@each_row(
    "box, read",
    [
        ([0, 0, 1000, 1000], (0, 0, 1000, 1000)),
        ([10.4, 20, 300, 400], (10, 20, 300, 400)),
        ([-5, 0, 100, 100], (0, 0, 100, 100)),
        ([0, 0, 5, 1000], None),
        ([0, 0, 1e9, 1000], None),
        ([0, 0, float("nan"), 1000], None),
        ([0, 0, True, 1000], None),
        ([0, 0, 100], None),
        ("0,0,100,100", None),
        (None, None),
    ],
)
def test_a_box_is_read(box, read):
    assert box_in({"box": box}) == read


def test_an_enlarged_part_keeps_its_shape_and_shows_what_is_there():
    picture = np.zeros((100, 200, 3), np.uint8)
    picture[:50, 100:] = (255, 0, 0)
    part = enlarged(picture, (500, 0, 1000, 500))
    assert part.shape == (100, 200, 3)
    assert (part == (255, 0, 0)).all()
    assert enlarged(picture, (0, 0, 100, 1000)).shape == (100, 20, 3)
