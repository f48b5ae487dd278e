"""What the parser leaves is put into a program by a model, and used only where it is one."""

import json

from question_scenes import hand_made, remembered
from row_tables import each_row
from scripted_models import RuleModel

from vantage.answering.program_writing import written_program
from vantage.errors import ModelError
from vantage.questions import ParsedQuestion
from vantage.types import Question, Verdict

LEFT = "Supposing I wished to sip tea, over which article would my vase be found?"
PLACE = [
    {"step": "scene", "inputs": [], "values": []},
    {"step": "filter", "inputs": [0], "values": ["label", "vase"]},
    {"step": "unique", "inputs": [1], "values": []},
    {"step": "query", "inputs": [2], "values": ["place"]},
]


def reply(steps, understood=True):
    return json.dumps({"understood": understood, "steps": steps})


def asked(model):
    answering = remembered(hand_made(), write_program=lambda text: written_program(model, text))
    return answering, answering.ask(Question("q", LEFT), exhausted=True)


def test_a_program_of_a_model_is_answered_and_asked_for_once():
    model = RuleModel(reply(PLACE))
    answering, answer = asked(model)
    assert (answer.text, answer.verdict) == ("on the table", Verdict.ANSWERED)
    answering.ask(Question("q", LEFT), exhausted=True)
    assert len(model.chats) == 1
    assert LEFT in model.chats[0]


def test_what_the_parser_understands_is_asked_of_no_model():
    model = RuleModel(reply(PLACE))
    answering = remembered(hand_made(), write_program=lambda text: written_program(model, text))
    assert answering.ask(Question("q", "Where is the vase?"), exhausted=True).text == "on the table"
    assert model.chats == []


@each_row(
    "said, reason",
    [
        (reply([{"step": "fly", "inputs": [], "values": []}]), "step 0 of the program is the unknown 'fly'"),
        (reply([]), "has no steps"),
        (reply([], understood=False), "finds no program for it"),
        ("[]", "cannot be used"),
        ("no JSON at all", "cannot be used"),
        ('{"steps": 7, "understood": true}', "cannot be used"),
    ],
)
def test_a_program_that_cannot_be_used_is_told_in_one_sentence(said, reason):
    _, answer = asked(RuleModel(said))
    assert answer.verdict is Verdict.NEEDS_MODEL
    assert answer.text.startswith("I did not understand the question: model 'rule' ")
    assert reason in answer.text
    assert "\n" not in answer.text


def test_a_model_that_is_not_there_is_told():
    def silent(prompt, image):
        raise ModelError("the server is silent")

    model = RuleModel()
    model.chat = lambda prompt, images=(), schema=None: silent(prompt, None)
    assert "could not be asked for a program: the server is silent" in written_program(model, LEFT).reason


def test_without_a_model_the_text_says_so():
    answer = remembered(hand_made()).ask(Question("q", LEFT))
    assert answer.verdict is Verdict.NEEDS_MODEL
    assert "a language model is needed" in answer.text


def test_a_text_that_holds_nothing_is_not_sent():
    model = RuleModel(reply(PLACE))
    assert not isinstance(written_program(model, " \x00 "), ParsedQuestion)
    assert model.chats == []
