"""Yes or no of a model.

The confidence question, and who can be trusted with it.
"""

import numpy as np
import pytest
from colored_views import colored_views
from scripted_models import RuleModel, share_of

from vantage.answering.vlm.view_confidence import MOST_ASKED, YesNo, choose, names_any
from vantage.answering.vlm.view_memory import ViewMemory
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

LENS = Intrinsics.from_fov(64, 48, 1.2)
QUESTION = "What is the red thing?"


def views_of(*shares, labels=()):
    """Views from places 1 m apart with a red square over such a share of the picture."""
    memory = ViewMemory()
    for k, share in enumerate(shares):
        rgb = np.full((48, 64, 3), 30, np.uint8)
        side = round((share * rgb[..., 0].size) ** 0.5)
        rgb[:side, :side] = (230, 20, 20)
        memory.add(Observation(k, Viewpoint(1.0 * k, 0, 1, 0, 0), LENS, rgb), labels[k] if labels else ())
    return memory.views


def sees_red(prompt, image):
    return min(1.0, 5.0 * share_of("red", image))


def test_the_view_that_shows_most_is_chosen():
    choice = choose(QUESTION, views_of(0.0, 0.1, 0.18, 0.05), YesNo(RuleModel(yes=sees_red)))
    assert choice.view.stamp == 2
    assert 0.7 < choice.confidence <= 1.0
    assert not choice.fooled
    assert (choice.asked, choice.known) == (4, 4)


def test_each_view_is_asked_about_once():
    model = RuleModel(yes=sees_red)
    yes_no, views = YesNo(model), views_of(0.0, 0.15, 0.05)
    for _ in range(3):
        choose(QUESTION, views, yes_no)
    assert len(model.asked) == 4, "three views and a picture of nothing"
    assert all(f"<question>\n{QUESTION}\n</question>" in prompt for prompt in model.asked)


def test_one_who_says_yes_to_nothing_is_found_out():
    choice = choose(QUESTION, views_of(0.0, 0.1), YesNo(RuleModel(yes=0.97)))
    assert choice.fooled
    assert choice.view.stamp == 1, "the newest of equals"


def test_one_who_says_no_to_all_needs_no_control():
    model = RuleModel(yes=0.02)
    assert not choose(QUESTION, views_of(0.0, 0.1), YesNo(model)).fooled
    assert len(model.asked) == 2


def test_without_probabilities_the_word_counts():
    model = RuleModel(reply=lambda prompt, image: "Yes." if share_of("red", image) > 0.08 else "No, it does not.")
    choice = choose(QUESTION, views_of(0.1, 0.0), YesNo(model))
    assert (choice.view.stamp, choice.confidence, choice.fooled) == (0, 1.0, False)


def test_one_who_says_neither_is_not_believed():
    for reply in ("perhaps", "Yes and no", ""):
        assert choose(QUESTION, views_of(0.1), YesNo(RuleModel(reply=reply))).confidence is None
    assert choose(QUESTION, views_of(0.1), YesNo(RuleModel(yes=float("nan")))).confidence is None
    assert choose(QUESTION, views_of(0.1), YesNo(RuleModel(yes=7.0))).confidence == 1.0


def test_of_many_views_those_are_asked_about_that_show_what_is_named():
    labels = [["mug"] if k == 31 else ["chair"] for k in range(80)]
    views = views_of(*[0.18 if k == 31 else 0.0 for k in range(80)], labels=labels)
    model = RuleModel(yes=sees_red)
    yes_no = YesNo(model)
    choice = choose("What color are the mugs?", views, yes_no)
    assert choice.view.stamp == 31
    assert (choice.asked, choice.known) == (MOST_ASKED, 80)
    choose("What color are the mugs?", views, yes_no)
    assert len(model.asked) == MOST_ASKED + 1, "old views are not asked about bit by bit"


def test_names_are_whole_words():
    assert names_any("Is the coffee mug blue?", frozenset({"mug"}))
    assert names_any("How many mugs?", frozenset({"mug"}))
    assert not names_any("Is it smug?", frozenset({"mug"}))
    assert not names_any("", frozenset())


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
