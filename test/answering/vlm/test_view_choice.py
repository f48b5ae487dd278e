"""Which views a model is asked about, and when."""

import numpy as np
from scripted_models import RuleModel, share_of

from vantage.answering.vlm.view_choice import choose, named_in
from vantage.answering.vlm.view_confidence import YesNo
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
    assert choice.views[-1].stamp == 2
    assert 0.7 < choice.confidence <= 1.0
    assert not choice.fooled
    assert (choice.asked, choice.known) == (2, 4), "the newest first, until one is enough"


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
    assert choice.views[-1].stamp == 1, "the newest of equals"


def test_one_who_says_no_to_all_needs_no_control():
    model = RuleModel(yes=0.02)
    assert not choose(QUESTION, views_of(0.0, 0.1), YesNo(model)).fooled
    assert len(model.asked) == 2


def test_without_probabilities_the_word_counts():
    model = RuleModel(reply=lambda prompt, image: "Yes." if share_of("red", image) > 0.08 else "No, it does not.")
    choice = choose(QUESTION, views_of(0.1, 0.0), YesNo(model))
    assert (choice.views[-1].stamp, choice.confidence, choice.fooled) == (0, 1.0, False)


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
    assert choice.views[-1].stamp == 31
    assert (choice.asked, choice.known) == (1, 80), "the first that shows a mug is enough"
    choose("What color are the mugs?", views, yes_no)
    assert len(model.asked) == 2, "and a picture of nothing; old views are not asked about bit by bit"


class Album(RuleModel):
    """Takes four pictures in one question, of which the first that is red counts."""

    pictures = 4

    def __init__(self):
        super().__init__(yes=sees_red)
        self.shown = []

    def yes_probability(self, prompt, images=()):
        self.shown.append(len(images))
        return max(super(Album, self).yes_probability(prompt, (image,)) for image in images)


def test_several_go_into_one_call_and_the_best_so_far_with_them():
    views = views_of(0.0, 0.1, 0.0, 0.05, 0.0, 0.0)
    model = Album()
    yes_no = YesNo(model)
    choose(QUESTION, views[:4], yes_no, most=4)
    choice = choose(QUESTION, views, yes_no, most=4, final=True)
    assert model.shown[0] == 4
    assert any(view.stamp == 1 for view in choice.views)
    assert len(model.shown) <= 3


def test_while_the_search_goes_on_only_news_are_asked_about():
    """A mug comes into view late; the chairs before it are nothing that the question names."""
    labels = [["chair"]] * 12 + [["chair", "mug"]] * 5
    views = views_of(*[0.0] * 12, *[0.06] * 5, labels=labels)
    model = RuleModel(yes=sees_red)
    yes_no = YesNo(model)
    asked = []
    for seen in range(1, len(views) + 1):
        choose("What color is the mug?", views[:seen], yes_no)
        asked.append(len(model.asked))
    assert asked[11] == 1, "the first view"
    assert asked[12] == 2, "the first with a mug"
    assert asked[16] == 2, "more of the same are no news yet"
    choose("What color is the mug?", views, yes_no, final=True)
    assert len(model.asked) > 2, "but count in the end"


def test_where_nobody_names_what_views_show_the_gaps_grow():
    views = views_of(*[0.0] * 40)
    model = RuleModel(yes=sees_red)
    yes_no = YesNo(model)
    for seen in range(1, len(views) + 1):
        choose(QUESTION, views[:seen], yes_no, most=4)
    assert len(model.asked) <= 12


def test_names_are_whole_words():
    assert named_in("Is the coffee mug blue?", frozenset({"mug"})) == {"mug"}
    assert named_in("How many mugs?", frozenset({"mug", "sofa"})) == {"mug"}
    assert named_in("Where is the spoon?", frozenset({"knife", "sofa"})) == {"knife"}, "it may be meant"
    assert not named_in("Is it smug?", frozenset({"mug"}))
    assert not named_in("", frozenset())


def test_a_question_that_comes_back_after_many_others_is_asked_anew():
    views = views_of(0.1, 0.18)
    yes_no = YesNo(RuleModel(yes=sees_red))
    questions = [f"{QUESTION} {number}" for number in range(300)]
    for question in (*questions, questions[0]):
        assert choose(question, views, yes_no).views[-1].stamp == 1
