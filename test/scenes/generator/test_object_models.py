import math

import numpy as np
import pytest

from vantage.errors import UnknownNameError
from vantage.scenes.generator.object_models import design_model


def test_what_is_asked_for_is_kept_and_the_rest_comes_from_the_seed():
    jar = design_model("jar", np.random.default_rng(3), color="blue", text="TEA")
    assert (jar.style.color, jar.style.text) == ("blue", "TEA")
    assert jar == design_model("jar", np.random.default_rng(3), color="blue", text="TEA")
    assert jar != design_model("jar", np.random.default_rng(4), color="blue", text="TEA")


def test_states_are_one_of_each_group():
    stove = design_model("stove", np.random.default_rng(0), states=("on",))
    assert stove.style.states in (("closed", "on"), ("open", "on"))
    seen = {design_model("stove", np.random.default_rng(seed)).style.states for seed in range(40)}
    assert len(seen) == 4


def test_colors_are_avoided_while_others_are_left():
    for seed in range(20):
        assert design_model("apple", np.random.default_rng(seed), avoid=("red",)).style.color == "green"
    assert design_model("apple", np.random.default_rng(0), avoid=("red", "green")).style.color in ("red", "green")


def test_the_placed_object_knows_its_class_mass_and_room():
    model = design_model("fridge", np.random.default_rng(1), states=("open",))
    obj = model.at(7, (1.0, 2.0, 0.0), 2.5 * math.pi, "", 0, room=2)
    assert (obj.instance_id, obj.label, obj.kind, obj.room) == (7, "fridge", "fridge", 2)
    assert obj.mass == model.mass
    assert obj.states == ("open",)
    assert obj.yaw == pytest.approx(0.5 * math.pi, abs=1e-6)
    assert {joint.part for joint in obj.joints} == {"door 1", "door 2"}
    low, high = model.extent()
    assert high[0] - low[0] > 1.0


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ({"color": "grene"}, "no color 'grene'; did you mean 'green'"),
        ({"states": ("opn",)}, "no state 'opn'; did you mean 'open'"),
        ({"text": "BOKS"}, "no print 'BOKS'; did you mean 'BOOKS'"),
    ],
)
def test_what_a_class_does_not_come_in_is_refused(asked, hint):
    with pytest.raises(UnknownNameError, match=hint):
        design_model("box", np.random.default_rng(0), **asked)


def test_an_unknown_name_is_corrected():
    with pytest.raises(UnknownNameError, match="did you mean 'kettle'"):
        design_model("ketle", np.random.default_rng(0))
