"""What speaks for and against a model's verdict."""

import pytest
from colored_views import colored_views
from scripted_models import RuleModel, share_of

from vantage.answering.vlm import verdicts
from vantage.answering.vlm.model_text import Reply
from vantage.answering.vlm.verdicts import NamedObjects, findings
from vantage.answering.vlm.view_confidence import YesNo
from vantage.types import NoiseType

COLOR = Reply("ceramic", NoiseType.COLOR, "the mug is red", "the mug is blue")
LATENT = Reply("", NoiseType.LATENT, "there is a red box on the table", "there is no red box on the table")


def named(*views):
    objects = NamedObjects()
    for labels in views:
        objects.add(labels)
    return objects


def check(model, reply, views=None, objects=None):
    views = views or colored_views("blue")
    return findings(YesNo(model), reply, views[-1], views, objects or NamedObjects())


def sees(prompt, image):
    """Says yes to statement A where its color is to be seen, and to an object whose color is."""
    first = prompt.split("A: ")[-1].split("\n")[0]
    color = next(word for word in ("red", "blue") if word in first)
    return 0.95 if share_of(color, image) > 0.02 else 0.05


def test_one_who_sees_confirms_his_correction():
    found = check(RuleModel(yes=sees), COLOR)
    assert len(found.verified) == 1
    assert not found.contradicted
    assert not found.unverified


@pytest.mark.parametrize("constant", [0.99, 0.01, 0.5])
def test_one_who_always_says_the_same_contradicts_himself(constant):
    assert check(RuleModel(yes=constant), COLOR).contradicted


def test_one_who_objects_against_what_he_sees_contradicts_himself():
    assert check(RuleModel(yes=sees), COLOR, colored_views("red")).contradicted


def test_one_who_says_neither_confirms_nothing():
    found = check(RuleModel(reply="hm"), COLOR)
    assert found.unverified == ["the correction"]
    assert "Not verified: the correction." in found.text()


def test_an_absent_object_is_looked_for_in_other_views():
    found = check(RuleModel(yes=sees), LATENT, colored_views("", "red", ""))
    assert found.view is not None
    assert found.view.stamp == 1
    assert "sees 'red box' in another view" in found.contradicted[0]
    none = check(RuleModel(yes=sees), LATENT, colored_views("", "blue", ""))
    assert "none of 3 views shows 'red box'" in none.text()


def test_the_perceiver_may_have_named_what_is_called_absent():
    found = check(RuleModel(yes=0.0), LATENT, objects=named(["box"], ["box", "table"]))
    assert found.contradicted[0] == "the perceiver named 'red box', which the model calls absent"


def test_things_that_nothing_else_names_are_not_verified():
    reply = Reply("blue", there=("the coffee mugs on the table", "unicorn"))
    found = check(RuleModel(), reply, objects=named(["mug"], ["mug"]))
    assert found.verified == ["the perceiver named 'the coffee mugs on the table' too"]
    assert found.unverified == ["that there is 'unicorn' (the perceiver did not name it)"]
    assert "no detections" in check(RuleModel(), reply).unverified[0]


def test_an_answer_about_what_is_called_absent_is_not_verified():
    assert "calls absent" in check(RuleModel(), Reply("blue", missing=("mug",))).text()
    assert check(RuleModel(), Reply("no", missing=("mug",))).text() == ""


def test_an_objection_without_what_is_right_is_not_verified():
    assert check(RuleModel(), Reply("x", NoiseType.UNKNOWN, formed=False)).unverified == [
        "the reply was not in the form asked for",
        "the model did not say both what is wrong and what is right",
    ]


@pytest.mark.parametrize(
    ("phrase", "known"),
    [
        ("mug", True),
        ("a red mug", True),
        ("the mugs", True),
        ("rucksack", True),  # a backpack
        ("mug on the shelf", True),
        ("shelf", False),
        ("smug", False),
        ("once", False),  # named in one view alone
        ("", False),
    ],
)
def test_named_objects_by_phrase(phrase, known):
    assert named(["mug", "backpack", "once"], ["mug", "backpack"]).has(phrase) is known


def test_who_named_nothing_knows_nothing():
    assert NamedObjects().has("mug") is None


def test_of_endless_kinds_those_named_last_are_remembered():
    """Days of views: a lamp in every tenth, a vase in the first two alone, and a misreading in each, never twice."""
    objects = named(["vase"], ["vase", "lamp"])
    assert objects.has("a vase")
    for k in range(20000):
        objects.add(["lamp", f"misread {k}"] if k % 10 == 0 else [f"misread {k}"])
    assert len(objects._views) == verdicts._MOST_KINDS
    assert objects.has("the lamp") is True
    assert objects.has("the lamps") is True
    assert objects.has("a misread 19999") is False  # in one view alone
    assert objects.has("a vase") is False
    objects.add(["misread 19999", "vase"])
    objects.add(["vase"])
    assert objects.has("a misread 19999") is True
    assert objects.has("a vase") is True
