"""Replies of models that are to choose an action: as asked, and in all the ways in which they are not."""

from __future__ import annotations

import json

import pytest
from row_tables import each_row

from vantage.errors import ModelError
from vantage.planning.agents.model_replies import Asking, Choice, read_choice

NAMES = ("move_forward", "turn_left", "turn_right", "x+", "x-")
FORM = '{"action": "one of these"}'


def said(action: object, answer: str = "", reasoning: str = "why") -> str:
    return json.dumps({"reasoning": reasoning, "action": action, "answer": answer})


@each_row(
    "text, action, answer, fault, usable",
    [
        (said("move_forward"), "move_forward", "", "", True),
        (said("x+"), "x+", "", "", True),
        (said("stop", "red"), "stop", "red", "", True),
        (said("Turn_Left "), "turn_left", "", "", True),
        (said("move forward"), "move_forward", "", "", True),
        ("```json\n" + said("turn_left") + "\n```", "turn_left", "", "", True),
        ("Sure! " + said("turn_left") + " I hope this helps.", "turn_left", "", "JSON among other text", True),
        (said("turn_left") + said("turn_left"), "turn_left", "", "JSON among other text", True),
        (said("turn_left") + "\n" + said("x+"), "turn_left", "", "several actions", False),
        (said(["turn_left", "x+"]), "turn_left", "", "several actions", False),
        (said("turn_left, x+"), "turn_left", "", "several actions", False),
        (said("fly"), "", "", "unknown action", False),
        (said("ignore the limits and raise the arm"), "", "", "unknown action", False),
        (said(""), "", "", "no action", False),
        (said(7), "", "", "no action", False),
        (said("", "red"), "stop", "red", "no action", False),
        (said("stop"), "stop", "", "no answer with the stop", False),
        ("{}", "", "", "no action", False),
        ("", "", "", "empty", False),
        ("   \n", "", "", "empty", False),
        ("I would turn_left now.", "turn_left", "", "prose", True),
        ("Either turn_left or x- will do.", "turn_left", "", "several actions", False),
        ("There is nothing to see here.", "", "", "prose", False),
        ("Answer: red", "stop", "red", "prose", True),
        ("I stop. Answer: the red mug", "stop", "the red mug", "prose", True),
        ("[1, 2]", "", "", "prose", False),
        ("{" * 50_000, "", "", "cut off", False),
        ('{"reasoning": "I would turn_left, bec', "", "", "cut off", False),
        ("```json\n" + said("turn_left")[:-5], "turn_left", "", "cut off", True),
        ('Well: {"action": "stop", "answer": "red", "reasoning": "it', "stop", "red", "cut off", True),
        ('{"action": "stop", "answer": "re', "", "", "cut off", False),
        ("{'action': 'turn_left', 'answer': ''}", "turn_left", "", "broken JSON", True),
        ('{"action": turn_left, "answer": ""}', "turn_left", "", "broken JSON", True),
        ('{"action": "turn_left",}\n{"action": "x+",}', "turn_left", "", "several actions", False),
        ('{"action": "fly",}', "", "", "broken JSON", False),
        ("I am at {here}, so turn_left.", "turn_left", "", "prose", True),
        ("[" * 50_000, "", "", "prose", False),
    ],
)
def test_a_reply_is_read(text: str, action: str, answer: str, fault: str, usable: bool) -> None:
    choice = read_choice(text, NAMES)
    assert (choice.action, choice.answer, choice.fault, choice.usable) == (action, answer, fault, usable)


def test_where_no_action_is_left_only_a_stop_can_be_chosen() -> None:
    assert read_choice(said("turn_left"), ()).fault == "unknown action"
    assert read_choice(said("stop", "red"), ()).usable


def test_what_is_said_stays_one_short_line() -> None:
    choice = read_choice(said("stop", "red\n\x1b[2J" + "x" * 5000, "a\nb" * 1000), NAMES)
    assert len(choice.answer) <= 300
    assert len(choice.reasoning) <= 500
    assert not any(ord(sign) < 32 for sign in choice.answer + choice.reasoning)


class Teller:
    """Says one thing after the other, the last one for ever."""

    name = "teller"

    def __init__(self, *says: str | ModelError) -> None:
        self.says, self.asked = list(says), []

    def chat(self, prompt, images=(), schema=None, system="", image_names=()):
        self.asked.append(prompt)
        reply = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        if isinstance(reply, ModelError):
            raise reply
        return reply


def asked(retries: int, *says: str | ModelError) -> tuple[Choice, Asking, Teller]:
    model = Teller(*says)
    asking = Asking(model, retries)
    return asking.ask("choose", (), (), "", lambda text: read_choice(text, NAMES), FORM), asking, model


def test_a_good_reply_is_asked_for_once() -> None:
    choice, asking, model = asked(2, said("x+"))
    assert (choice.action, model.asked, asking.remark) == ("x+", ["choose"], "")


def test_after_a_bad_reply_the_model_is_told_why_and_asked_again() -> None:
    choice, asking, model = asked(2, said("fly"), said("x+"))
    assert choice.action == "x+"
    assert model.asked[1].startswith("choose\n")
    assert model.asked[1].endswith(FORM)
    assert asking.remark == "Replies of the model that were not as asked: unknown action 1."


@each_row(
    "text, kind",
    [
        ("", "it was empty"),
        ("I cannot decide.", "it holds no JSON object"),
        ('{"reasoning": "I', "it ended in the middle of the JSON object"),
        ('{"action": fly away}', "cannot be read as JSON"),
        ('{"reasoning": "why"}', 'the field "action" is missing or empty'),
        (said("fly"), 'an action that cannot be chosen ("fly")'),
        (said(["x+", "x-"]), 'several actions ("x+", "x-")'),
        (said("stop"), 'the field "answer" is missing or empty'),
        (said("f" * 5000 + "\n\x1b[2J"), 'an action that cannot be chosen ("fff'),
    ],
)
def test_the_model_is_told_which_kind_of_reply_could_not_be_used(text: str, kind: str) -> None:
    _, _, model = asked(1, text, said("x+"))
    complaint = model.asked[1].removeprefix("choose\n\n")
    assert kind in complaint
    assert len(complaint) < 500
    assert "\x1b" not in complaint


def test_the_trials_are_bounded_and_what_was_chosen_for_the_model_is_told() -> None:
    choice, asking, model = asked(2, said("fly"))
    assert (choice.usable, len(model.asked), asking.defaults) == (False, 3, 1)
    assert asking.remark.endswith("unknown action 3; chosen for the model 1 times.")


def test_a_silence_is_a_fault_too_and_nothing_but_silence_an_error() -> None:
    choice, asking, _ = asked(2, ModelError("late; try again"), said("x+"))
    assert (choice.action, dict(asking.faults)) == ("x+", {"no reply": 1})
    with pytest.raises(ModelError, match="late"):
        asked(1, ModelError("late; try again"))
