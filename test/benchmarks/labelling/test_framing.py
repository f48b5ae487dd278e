"""Size is measured as if a thing lay in the middle of the picture, and gold views have their targets there."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vantage.benchmarks.labelling.framing import MOST_OFF_AXIS, centred, cut_off, is_goal_view, off_axis
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_truths
from vantage.benchmarks.sets.scene_checks import JudgedScene
from vantage.config import Settings
from vantage.errors import FormatError
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import FIRST_VIEW_RULE, VIEW_RULE, TruthQuestion

WIDE = Intrinsics.from_fov(512, 512, math.pi / 2)
BOX = ObjectSpec(1, "box", "red", "wood", (2.0, 0.0, 0.9), 0.0, (Part("box", (0.0, 0.0, 0.1), (0.2,) * 3, (1, 0, 0)),))
HOME = SceneSpec("room", 0, 1, (-3.0, -3.0, 0.0), (3.0, 3.0, 2.5), (BOX,))
ASKED = TruthQuestion("q", "label", "box", target_instances=(1,))


def judge(view_rule: int = VIEW_RULE) -> SceneVisibility:
    return SceneVisibility.of_home(HOME, VisibilitySettings(pixels=150.0, view_rule=view_rule))


def turned(degrees: float) -> Viewpoint:
    return Viewpoint(0.0, 0.0, 1.0, math.radians(degrees), 0.0)


def test_a_thing_has_as_many_pixels_in_a_corner_as_in_the_middle() -> None:
    middle = judge().view(1, turned(0), WIDE)
    assert middle.pixels == pytest.approx((0.2 / 1.9 * WIDE.fx) ** 2, rel=0.02)
    corner = judge().view(1, turned(38), WIDE)
    assert (corner.fraction, corner.cut_off) == (1.0, 0.0)
    assert corner.pixels == pytest.approx(middle.pixels, rel=1e-9)
    older = judge(FIRST_VIEW_RULE)
    assert older.view(1, turned(38), WIDE).pixels > 1.9 * older.view(1, turned(0), WIDE).pixels, "raw pixels"


def test_what_lies_beyond_the_border_counts_for_nothing() -> None:
    half = judge().view(1, turned(45), WIDE)
    assert half.pixels == pytest.approx(0.5 * judge().view(1, turned(0), WIDE).pixels, rel=0.1)
    assert half.cut_off == pytest.approx(0.5, abs=0.05)


def test_a_frame_has_its_targets_whole_and_near_the_axis() -> None:
    rule = judge()
    assert off_axis(rule, ASKED, turned(20)) == pytest.approx(math.radians(20), abs=1e-3)
    assert cut_off(rule, ASKED, turned(20), WIDE) == 0.0
    assert is_goal_view(rule, ASKED, turned(29), WIDE)
    assert not is_goal_view(rule, ASKED, turned(31), WIDE)
    assert not is_goal_view(rule, ASKED, turned(20), Intrinsics.from_fov(512, 512, math.radians(42))), "cut off"
    assert is_goal_view(judge(FIRST_VIEW_RULE), ASKED, turned(44), WIDE), "the first rule did not ask for it"


def test_a_centred_view_stays_where_it_is_and_has_the_middle_of_its_targets_ahead() -> None:
    view = centred(judge(), ASKED, turned(40))
    assert (view.x, view.y, view.z) == (0.0, 0.0, 1.0)
    assert off_axis(judge(), ASKED, view) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("which", ["search_set", "noisy_set"])
def test_a_look_that_centres_its_targets_answers_wherever_a_gold_view_does(
    which: str, request: pytest.FixtureRequest
) -> None:
    made: EpisodeSet = request.getfixturevalue(which)
    camera = Settings().with_values(dict(made.info.settings), "set").camera
    lens = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    truths, compared = load_truths(made.folder, made.episodes), 0
    scenes = {name: JudgedScene.load(made, name).judge for name in made.info.scenes}
    for episode in made.episodes:
        rule, truth = scenes[episode.scene], truths[episode.episode_id]
        for question in truth.questions:
            if truth.goal is None or not question.target_instances or not question.premise_holds:
                continue
            straight = centred(rule, question, truth.goal)
            assert off_axis(rule, question, truth.goal) <= MOST_OFF_AXIS + 1e-6
            assert cut_off(rule, question, truth.goal, lens) == 0.0
            assert rule.answers(question, straight, lens)
            for target in question.target_instances:
                before, after = (rule.view(target, view, lens) for view in (truth.goal, straight))
                assert after.pixels >= before.pixels * (1 - 1e-9)
            compared += 1
    assert compared


def test_a_set_of_a_later_rule_is_not_judged_by_this_one() -> None:
    later = f"set.json: the set was labelled by view rule {VIEW_RULE + 1}, this program knows {VIEW_RULE}"
    with pytest.raises(FormatError, match=later):
        VisibilitySettings.of({}, "set.json", VIEW_RULE + 1)
    kept = VisibilitySettings.of(replace(VisibilitySettings(), pixels=7.0).thresholds, "set.json", FIRST_VIEW_RULE)
    assert (kept.pixels, kept.view_rule) == (7.0, FIRST_VIEW_RULE)
    assert "view_rule" not in kept.thresholds
    with pytest.raises(FormatError, match="there is no 'view_rule'"):
        VisibilitySettings.of({"view_rule": 1.0}, "set.json")


def test_several_targets_are_framed_when_the_worst_of_them_is() -> None:
    beside = replace(BOX, instance_id=2, position=(0.0, 2.0, 0.9))
    rule = SceneVisibility.of_home(replace(HOME, objects=(BOX, beside)), VisibilitySettings())
    both = replace(ASKED, target_instances=(1, 2))
    assert off_axis(rule, both, turned(45)) == pytest.approx(math.radians(45), abs=1e-3)
    assert np.isclose(centred(rule, both, turned(0)).yaw, math.radians(45), atol=1e-3)
