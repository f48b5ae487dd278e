"""What words show of a false premise that was put into a question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from row_tables import each_row

from vantage.questions.noise.noise_checks import Change, change_problems
from vantage.types import NoiseType

COLOR = Change(
    before="What is the mug on the desk made of?",
    after="What is the blue mug on the desk made of?",
    answer="ceramic",
    noise=NoiseType.COLOR,
    false="the mug on the desk is blue",
    right="the mug on the desk is red",
)
LATENT = Change(
    before="Where is the remote?",
    after="Where is the violin?",
    answer="on the sofa",
    noise=NoiseType.LATENT,
    false="there is a violin",
    right="there is no violin",
)
COUNT = Change(
    before="What color are the chairs in the kitchen?",
    after="What color are the five chairs in the kitchen?",
    answer="white",
    noise=NoiseType.COUNT,
    false="there are five chairs in the kitchen",
    right="there are four chairs in the kitchen",
)
PLACE = Change(
    before="What color is the vase in the living room?",
    after="What color is the vase in the bedroom?",
    answer="white",
    noise=NoiseType.POSITION,
    false="the vase is in the bedroom",
    right="the vase is in the living room",
)
KIND = Change(
    before="What material is the fireplace made of?",
    after="What material is the stove made of?",
    answer="brick",
    noise=NoiseType.SEMANTIC,
    false="the thing that gives warmth is a stove",
    right="the thing that gives warmth is a fireplace",
)
YES = Change(
    before="Is the sofa near the television made of leather?",
    after="Is the bed near the television made of leather?",
    answer="yes",
    noise=NoiseType.PERCEPTION,
    false="there is a bed near the television",
    right="there is a sofa near the television",
)


@pytest.mark.parametrize("change", [COLOR, LATENT, COUNT, PLACE, KIND, YES])
def test_good_changes_pass(change: Change) -> None:
    assert change_problems(change) == []


@each_row(
    "change, problem",
    [
        (replace(COLOR, after=""), "a field is empty"),
        (replace(COLOR, right=""), "a field is empty"),
        (replace(COLOR, after="What is the blue mug made of? " * 40), "longer than 300"),
        (replace(COLOR, after=COLOR.before), "not changed"),
        (replace(COLOR, after="What is a mug on my desk made of?"), "not changed"),
        (replace(COLOR, after="Where is the blue mug on the desk?"), "asks for something else"),
        (replace(YES, after="What is the bed near the television made of?"), "asks for something else"),
        (replace(COLOR, after="What is the blue ceramic mug on the desk made of?"), "gives the answer away"),
        (replace(COLOR, right="the mug on the desk is blue"), "does not say otherwise"),
        (replace(COLOR, right="the mug on the desk"), "does not say otherwise"),
        (replace(COLOR, after="What is the green mug on the desk made of?"), "does not say 'blue'"),
        (replace(COLOR, right="the mug on the desk is purple"), "can be said of the same thing"),
        (replace(KIND, after="What material is the hearth made of?", false="it is a hearth"), "of the same thing"),
        (replace(COUNT, right="there are some chairs in the kitchen"), "does not say otherwise"),
        (replace(COUNT, right="there are few chairs in the kitchen"), "each say a number"),
        (replace(LATENT, right="there is a remote"), "no such thing"),
        (replace(LATENT, false="something is there"), "does not name a thing"),
        (replace(LATENT, after="Where is the remote control?", false="there is a remote"), "does not name a thing"),
    ],
)
def test_bad_changes_are_named(change: Change, problem: str) -> None:
    problems = change_problems(change)
    assert problems
    assert any(problem in found for found in problems)


def test_what_is_there_is_not_latent() -> None:
    assert change_problems(LATENT, ("sofa", "guitar")) == []
    assert change_problems(LATENT, ("sofa", "fiddle")) == ["there is a fiddle"]


def test_answers_that_the_question_already_held_may_stay() -> None:
    change = replace(COLOR, before="Is the mug ceramic or glass?", after="Is the blue mug ceramic or glass?")
    assert change_problems(change) == []
