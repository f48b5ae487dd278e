"""Yes or no of a model about remembered views."""

import pytest
from colored_views import colored_views
from scripted_models import RuleModel

from vantage.answering.vlm.view_confidence import YesNo, filled

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
    for _ in range(3):
        yes_no.of("Is it red?", VIEW)
        yes_no.of_nothing("Is it red?", VIEW)
    assert len(model.asked) == 2


def test_what_was_found_out_about_nothing_holds_for_the_next_place():
    model, blank = RuleModel(yes=0.2), {}
    for question in ("Is it red?", "Is it blue?"):
        assert YesNo(model, blank).of_nothing(question, VIEW) == 0.2
    assert len(model.asked) == 1


def test_prompts_speak_of_one_picture_or_of_several():
    assert "This picture was taken" in filled("nacot", 1, question="What?", form="")
    assert "Does this one picture show all" in filled("confidence", 1, question="What?")
    assert "These 3 pictures, 1 to 3, were taken" in filled("nacot", 3, question="What?", form="")
    assert "Do these pictures together show all" in filled("confidence", 3, question="What?")
    assert "Look at the images. Is there a mug?" in filled("presence", 2, thing="a mug")


def test_several_views_are_asked_about_in_one_call():
    shown = []
    model = RuleModel(yes=0.5)
    model.yes_probability = lambda text, images=(): shown.append(len(images)) or 0.5
    yes_no, views = YesNo(model), colored_views("red", "blue", "")
    assert yes_no.enough("Is it red?", views) == 0.5
    assert [each.views for each in yes_no.asked("Is it red?")] == [views]
    assert shown == [3]
