"""Figures of the bench of skills, from trials that were made up."""

import math

import pytest

pytest.importorskip("mujoco", reason="MuJoCo is not installed; run: make setup WITH=house")

from vantage.bench.skill_trials import ASSISTED, DOORS, FRICTION, WEIGH, Trial
from vantage.bench.skills import _figures, _is_met, _weighed, skills_table
from vantage.cli.main import main

pytestmark = pytest.mark.needs("house")


def trial(kind=ASSISTED, **values):
    return Trial(**{"home": 1, "kind": kind, "what": "mug 3", "reachable": True, "seen": True, **values})


def test_what_counts_is_within_reach_and_seen():
    found = _figures(
        [
            trial(done=True, seconds=2.0, commands=10),
            trial(failure="blocked", seconds=4.0, commands=30),
            trial(reachable=False, seen=False),
            trial(seen=False, failure="not seen"),
            trial(graspable=False, seen=False),
        ]
    )
    assert (found["share"], found["done"], found["tried"]) == (0.5, 1, 2)
    assert (found["graspable"], found["within_reach"], found["unseen"]) == (0.8, 0.75, 1)
    assert found["failures"] == {"blocked": 1}
    assert (found["seconds"], found["commands"]) == (3.0, 20.0)


def test_what_does_not_count_is_told_by_class():
    found = [
        trial(DOORS, done=True),
        trial(DOORS, reachable=False, seen=False, barred="it meets the cabinet"),
        trial(DOORS, reachable=False, seen=False),
        trial(DOORS, seen=False),
    ]
    figures = _figures(found)
    assert (figures["share"], figures["tried"]) == (1.0, 1)
    assert figures["left_out"] == {"blocked in the home": 1, "not seen": 1, "out of reach": 1}
    (line,) = skills_table({DOORS: figures})
    assert "left out: blocked in the home 1, not seen 1" in line


def test_without_trials_there_is_no_share():
    assert _figures([])["share"] is None
    assert _weighed([])["share"] is None


def test_a_kind_of_which_no_trial_counted_is_not_met():
    done, unseen = _figures([trial(done=True)]), _figures([trial(seen=False)])
    assert _is_met({ASSISTED: done})
    assert not _is_met({ASSISTED: done, FRICTION: unseen})
    assert not _is_met({ASSISTED: _figures([trial(done=True), trial()])})
    assert not _is_met({ASSISTED: done, "random_actions": {"broken": ["home 4: it fell"]}})


def test_only_pairs_that_differ_enough_are_counted():
    masses = [(0.5, 0.52), (0.55, 0.53), (0.7, 0.68), (2.0, 0.6)]  # true, measured: the last is wrong
    found = _weighed([trial(WEIGH, done=True, true=true, measured=measured) for true, measured in masses])
    assert found["pairs"] == 5  # all but 0.5 and 0.55
    assert found["share"] == 0.8
    assert found["mean_error_kg"] == pytest.approx((0.02 + 0.02 + 0.02 + 1.4) / 4)
    assert found["weighed"] == 1.0


def test_what_was_not_weighed_is_in_no_pair():
    found = _weighed(
        [trial(WEIGH, true=1.0, measured=math.nan, failure="blocked"), trial(WEIGH, true=2.0, measured=2.0)]
    )
    assert (found["pairs"], found["share"], found["failures"]) == (0, None, {"": 1, "blocked": 1})


def test_the_table_names_goals_and_failures():
    data = {FRICTION: _figures([trial(FRICTION, failure="slipped"), trial(FRICTION, done=True)])}
    data["random_actions"] = {"homes": 2, "actions": 50, "broken": ["home 4: it fell"]}
    first, second, third = skills_table(data)
    assert "50.0 % (goal 80 %)" in first
    assert "slipped 1" in first
    assert "50 random actions in each of 2 homes: 1 broken" in second
    assert "home 4: it fell" in third


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--skills", "juggle"], "there is no skill 'juggle'"),
        (["--skills", "none"], "nothing is to be tried"),
        (["--homes", "0"], "--homes"),
        (["--seed", "-1"], "--seed"),
    ],
)
def test_what_cannot_be_tried_is_refused(words, said, capsys):
    assert main(["bench", "skills", *words]) == 2
    assert said in capsys.readouterr().err


def test_what_has_no_room_for_the_hand_does_not_count_and_is_told():
    figures = _figures([trial(FRICTION, done=True), trial(FRICTION, seen=False, roomy=False)])
    assert (figures["tried"], figures["left_out"]) == (1, {"no room for the hand": 1})
