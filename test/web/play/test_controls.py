"""Keys of actions, and how hard one grasps by how long a key is held."""

from __future__ import annotations

import pytest

from vantage.config import ActionSettings
from vantage.planning import make_actions
from vantage.web.play.controls import HOLD, KEYS, graded_actions, graded_by, in_words, plain_actions

NAMES = tuple(name for name in make_actions(ActionSettings(space="mobile")).names if name != "done")


def test_every_action_of_base_and_arm_has_a_key_of_its_own_but_grasps():
    keys = [KEYS[name] for name in plain_actions(NAMES)]
    assert len(set(keys)) == len(keys) == 21
    assert not {HOLD, "m"} & set(keys)
    assert in_words("turn_left") == "turn left [Left]"
    assert sorted([*plain_actions(NAMES), *graded_actions(NAMES)]) == sorted(NAMES)


@pytest.mark.parametrize(("seconds", "force"), [(-1.0, 0.0), (0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (60.0, 1.0)])
def test_the_longer_the_key_is_held_the_firmer_the_grasp(seconds, force):
    graded = graded_actions(NAMES[::-1])
    forces = [float(name.removeprefix("grasp_")) for name in graded]
    assert forces == sorted(forces)
    chosen = float(graded_by(seconds, graded).removeprefix("grasp_"))
    assert chosen == pytest.approx(max(forces[0], force * forces[-1]), abs=forces[0])
