"""What a panel says of the rule: thresholds, agreement, what nobody could tell, the ceiling, and who does not see."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from small_panel import made_frames, made_reader, seeing

from vantage.errors import UsageError
from vantage.panel import CANNOT, fit_panel


def test_a_reader_with_the_thresholds_of_the_rule_agrees_with_it() -> None:
    known, asked = made_frames()
    found = fit_panel(known, asked, [made_reader(known, seeing(100.0))])
    assert found.agreement.value == 1.0
    assert (found.untold.value, found.refused.value) == (0.0, 0.0)
    assert found.agreement.n == sum(each.half == "test" and not each.foil for each in known)
    for kind in found.kinds:
        assert kind.threshold is not None
        assert kind.threshold.low <= 110.0 <= 1.3 * kind.threshold.high
        assert kind.threshold.frames == 12


def test_a_reader_who_sees_less_shows_what_the_rule_lets_pass() -> None:
    known, asked = made_frames()
    found = fit_panel(known, asked, [made_reader(known, seeing(180.0))])
    passed = [each for each in known if each.half == "test" and each.passes]
    nobody = [each for each in passed if each.value is not None and each.value < 180.0]
    assert found.untold.n == len(passed)
    assert found.untold.value == pytest.approx(len(nobody) / len(passed))
    assert found.untold.high > found.untold.value
    assert found.refused.value == 0.0


def test_readers_against_readers_are_the_ceiling_unless_they_are_one_model() -> None:
    known, asked = made_frames()
    sharp, dull = made_reader(known, seeing(80.0), "sharp"), made_reader(known, seeing(140.0), "dull")
    found = fit_panel(known, asked, [sharp, dull])
    assert found.ceiling is not None
    assert 0.5 < found.ceiling.value < 1.0
    twins = [dataclasses.replace(each, kind="model", model="m") for each in (sharp, dull)]
    found = fit_panel(known, asked, twins)
    assert found.ceiling is None
    assert "same model, m" in found.text()
    assert "the only reader" in fit_panel(known, asked, [sharp]).ceiling_note


def test_blind_readers_are_named_and_left_out() -> None:
    known, asked = made_frames()
    rng = np.random.default_rng(1)
    by_lot = made_reader(known, lambda _: ("a", "b", "c", CANNOT)[int(rng.integers(4))], "lots")
    never = made_reader(known, lambda _: CANNOT, "never")
    trusting = made_reader(known, lambda frame: "a", "trusting")
    good = made_reader(known, seeing(100.0), "good")
    found = fit_panel(known, asked, [by_lot, never, trusting, good])
    assert [bool(each.sight.blind) for each in found.readers] == [True, True, True, False]
    assert found.agreement.value == 1.0
    assert "trusting (person)" in found.text()
    assert "0 of 8 foils are told" in found.text()
    with pytest.raises(UsageError, match="no reader of this panel sees"):
        fit_panel(known, asked, [never])


def test_few_frames_leave_the_sight_of_a_reader_unchecked() -> None:
    known, asked = made_frames(foils=0)
    found = fit_panel(known, asked, [made_reader(known, seeing(100.0))])
    assert "sight not fully checked: only 0 foils" in found.text()


def test_a_part_is_fitted_with_what_is_answered() -> None:
    known, asked = made_frames()
    reader = made_reader(known[:30], seeing(100.0))
    found = fit_panel(known, asked, [reader])
    assert (found.answered, found.frames, found.foils) == (30, 56, 8)
    assert "30 of 56 frames answered" in found.text()
    with pytest.raises(UsageError, match="nobody has answered"):
        fit_panel(known, asked, [])


def test_a_reply_that_could_not_be_used_is_counted_and_not_right() -> None:
    known, asked = made_frames()
    reader = made_reader(known, lambda frame: None if frame.number == 1 else frame.right)
    assert fit_panel(known, asked, [reader]).readers[0].unusable == 1


def test_the_threshold_of_the_rule_is_told_beside_frames_that_fail_another_test() -> None:
    known, asked = made_frames(kinds=("size",))
    known[0] = dataclasses.replace(known[0], value=None, threshold=0.0, unit="")
    assert fit_panel(known, asked, [made_reader(known, seeing(100.0))]).kinds[0].rule == 100.0
