"""Yes or no of a model."""

import pytest
from colored_views import colored_views
from scripted_models import RuleModel

from vantage.answering.vlm.view_confidence import YesNo

(VIEW,) = colored_views("red")
LONG = "the mug on the table is what the question speaks of, and it can be seen well from here"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Yes", 1.0),
        ("no.", 0.0),
        ("**Yes**", 1.0),
        ("I think yes", 1.0),
        (f"No, {LONG}. Yes.", 0.0),
        (f"{LONG}: yes", None),
        ("Yes or no", None),
        ("nothing", None),
        ("", None),
    ],
)
def test_words_count_where_there_are_no_probabilities(reply, told):
    assert YesNo(RuleModel(reply)).of("Is it red?", VIEW) == told


@pytest.mark.parametrize(("given", "told"), [(0.3, 0.3), (1.5, 1.0), (-1.0, 0.0), (float("nan"), None)])
def test_probabilities_stay_between_0_and_1(given, told):
    assert YesNo(RuleModel(yes=given)).of("Is it red?", VIEW) == told


def test_each_question_is_put_once():
    model = RuleModel(yes=0.5)
    yes_no = YesNo(model)
    assert not yes_no.is_told("Is it red?", VIEW)
    for _ in range(3):
        yes_no.of("Is it red?", VIEW)
        yes_no.of_nothing("Is it red?", VIEW)
    assert yes_no.is_told("Is it red?", VIEW)
    assert len(model.asked) == 2
