"""What speaks for and against a model's verdict."""

from dataclasses import replace

import pytest
from colored_views import colored_views
from row_tables import each_row
from scripted_models import RuleModel, share_of

from vantage.answering.vlm import verdicts
from vantage.answering.vlm.model_text import Reply
from vantage.answering.vlm.verdicts import NamedObjects, findings
from vantage.answering.vlm.view_confidence import YesNo
from vantage.types import Detection, NoiseType

COLOR = Reply("ceramic", NoiseType.COLOR, "the mug is red", "the mug is blue")
LATENT = Reply("", NoiseType.LATENT, "there is a red box on the table", "there is no red box on the table")


def named(*views):
    objects = NamedObjects()
    for labels in views:
        objects.add([seen(label) for label in labels])
    return objects


def seen(label, color="", material=""):
    """As a perceiver says it."""
    return Detection(0, label, color, material, 0.9, 400, (0, 0, 9, 9), (0, 0, 0), (0, 0, 0), (1, 1, 1))


def check(model, reply, views=None, objects=None):
    views = views or colored_views("blue")
    return findings(YesNo(model), reply, views[-1:], views, objects or NamedObjects())


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
    assert [view.stamp for view in found.views] == [1]
    assert "sees 'red box on the table' in another view" in found.contradicted[0]
    none = check(RuleModel(yes=sees), LATENT, colored_views("", "blue", ""))
    assert "none of 3 views shows 'red box on the table'" in none.text()


def test_the_perceiver_may_have_named_what_is_called_absent():
    objects = NamedObjects()
    for _ in range(2):
        objects.add([seen("box", "red"), seen("table")])
    anywhere = replace(LATENT, false_claim="there is a red box")
    named_red = "the perceiver named 'red box', which the model calls absent"
    assert named_red in check(RuleModel(yes=0.0), anywhere, objects=objects).contradicted
    elsewhere = check(RuleModel(yes=0.0), LATENT, objects=objects)
    assert not any("the perceiver" in each for each in elsewhere.contradicted), "it may stand elsewhere"


@each_row(
    "phrase, color, material, known",
    [
        ("a blue cabinet", "white", "", False),
        ("the white cabinet", "white", "", True),
        ("the white cabinet", "", "", None),
        ("a wooden cabinet", "white", "wood", True),
        ("a grey cabinet", "gray", "", True),
        ("three cabinets", "white", "", None),
        ("a small white cabinet", "white", "", None),
        ("a metal cabinet", "white", "wood", False),
        ("cabinets", "white", "", True),
    ],
)
def test_a_name_is_compared_with_all_that_is_said_of_it(phrase, color, material, known):
    objects = NamedObjects()
    for _ in range(2):
        objects.add([seen("cabinet", color, material)])
    assert objects.has(phrase) is known
    assert objects.has_kind(phrase) is True


def test_a_correction_of_color_is_not_contradicted_by_a_thing_of_that_kind():
    """ "The blue cabinet is not there, it is white": that a cabinet was named speaks for it, not against it."""
    reply = Reply("white", NoiseType.COLOR, "the cabinet is blue", "the cabinet is white", missing=("blue cabinet",))
    found = check(RuleModel(yes=sees_white), reply, objects=named(["cabinet"], ["cabinet"]))
    assert (found.contradicted, found.doubts) == ([], 0)


def sees_white(prompt, image):
    return 0.9 if prompt.split("A: ")[-1].startswith("the cabinet is white") else 0.1


def test_rooms_are_not_doubted():
    reply = Reply("blue", there=("the kitchen", "mug"))
    assert check(RuleModel(), reply, objects=named(["mug"], ["mug"])).doubts == 0


def test_things_that_nothing_else_names_are_not_verified():
    reply = Reply("blue", there=("the mugs on the table", "unicorn"))
    found = check(RuleModel(), reply, objects=named(["mug"], ["mug"]))
    assert found.verified == ["the perceiver named 'the mugs on the table' too"]
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
        ("a red mug", None),  # nobody said how it looks
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
        objects.add([seen(label) for label in ([f"misread {k}"] if k % 10 else ["lamp", f"misread {k}"])])
    assert len(objects._views) == verdicts._MOST_KINDS
    assert objects.has("the lamp") is True
    assert objects.has("the lamps") is True
    assert objects.has("a misread 19999") is False  # in one view alone
    assert objects.has("a vase") is False
    objects.add([seen("misread 19999"), seen("vase")])
    objects.add([seen("vase")])
    assert objects.has("a misread 19999") is True
    assert objects.has("a vase") is True
