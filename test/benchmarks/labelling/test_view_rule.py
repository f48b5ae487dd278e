"""The view rule says why a view fails exactly where it fails: held against a plain statement of the rule."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vantage.benchmarks.labelling.aspects import Aspects, all_aspects
from vantage.benchmarks.labelling.needed_visibility import Needs, needs_of
from vantage.benchmarks.labelling.projection import half_cone, pixels_of, seen_area
from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.surface_samples import sample_surface
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_truths
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.spec.spec import SceneSpec
from vantage.scenes.spec.spec_file import load_spec
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.types import TruthQuestion
from vantage.types.view_shortfalls import UNITS

LENS = Intrinsics.from_fov(160, 120, 1.2)
AT_MOST = frozenset({"off axis", "hidden", "cut off", "print angle", "front angle"})  # all other tests ask for at least
PLACE = "top of the place"
OF_PRINT = {"letter height", "print angle", "print visible"}
OF_STATE = {"front angle", "elevation", "part visible"}
READ, STATE = (f'query(unique(filter(scene(), "label", "box")), "{asked}")' for asked in ("text", "state"))


class PlainRule:
    """The second view rule as one condition after the other, for a home whose shapes are known exactly."""

    def __init__(self, home: SceneSpec, settings: VisibilitySettings) -> None:
        self.judge, self.settings = SceneVisibility.of_home(home, settings), settings
        self.solids, self.aspects = Solids.from_spec(home), all_aspects(home.objects)
        self.objects = {obj.instance_id: obj for obj in home.objects}

    def shows(self, truth: TruthQuestion, eye: Viewpoint, lens: Intrinsics) -> bool:
        needs, targets = needs_of(truth), truth.target_instances
        return (
            bool(targets)
            and all(self.shows_target(target, eye, lens, needs) for target in targets)
            and (not needs.print or all(self.shows_print(target, eye, lens) for target in targets))
            and (not needs.state or self.shows_state(targets[0], eye, lens))
            and (not needs.among or self.shows_place(targets, eye, lens))
        )

    def shows_target(self, target: int, eye: Viewpoint, lens: Intrinsics, needs: Needs) -> bool:
        view, settings = self.judge.view(target, eye, lens), self.settings
        if view.pixels < getattr(settings, needs.pixels):
            return False
        if not needs.absent:
            return view.fraction >= settings.fraction
        samples = sample_surface(self.solids, target, settings.samples)
        points = apply(invert(eye.T_world_camera_optical()), samples.points)
        on_top = pixels_of(points, lens)[0] & samples.top
        top = seen_area(samples, points, eye, lens, on_top, settings.view_rule)
        return view.top_fraction >= settings.top_fraction and top >= settings.pixels

    def shows_print(self, target: int, eye: Viewpoint, lens: Intrinsics) -> bool:
        for words in self.aspects.get(target, NO_ASPECTS).texts:
            way = eye.position - words.points.mean(axis=0)
            distance = float(np.linalg.norm(way))
            cosine = float(np.clip(way @ words.normal / distance, -1.0, 1.0))
            if cosine < 0.0 or distance**2 > (self.settings.print_distance * words.letter / 0.02) ** 2 * cosine:
                return False
            if math.acos(cosine) > self.settings.print_angle:
                return False
            inside, _, _ = pixels_of(apply(invert(eye.T_world_camera_optical()), words.points), lens)
            free = ~self.solids.block(eye.position, words.points[inside], margin=0.002) if inside.any() else inside
            if free.sum() / len(words.points) < self.settings.print_share:
                return False
        return True

    def shows_state(self, target: int, eye: Viewpoint, lens: Intrinsics) -> bool:
        aspects = self.aspects.get(target)
        if aspects is None:
            return True
        x, y, z = eye.position - aspects.rim
        aside = math.acos(np.clip((x * aspects.front[0] + y * aspects.front[1]) / math.hypot(x, y), -1.0, 1.0))
        return (
            self.judge.view(target, eye, lens).pixels >= self.settings.state_pixels
            and (not (aspects.switched and aspects.screen) or aside <= self.settings.front_angle)
            and (not aspects.looked_into or math.atan2(z, math.hypot(x, y)) >= self.settings.look_down)
            and all(
                self.judge._view((target, (part,)), eye, lens, None).fraction >= self.settings.part_fraction
                for part in aspects.moving
            )
        )

    def shows_place(self, targets: tuple[int, ...], eye: Viewpoint, lens: Intrinsics) -> bool:
        carried = {(self.objects[target].relation, self.objects[target].parent) for target in targets}
        if len(carried) > 1:
            return True
        ((relation, place),) = carried
        if relation != "on" or self.objects[place].is_structure:
            return True
        return self.judge.view(place, eye, lens).top_fraction >= self.settings.place_fraction


SMALL = VisibilitySettings(
    pixels=30.0,
    colour_pixels=20.0,
    count_pixels=15.0,
    state_pixels=80.0,
    fraction=0.3,
    part_fraction=0.3,
    print_angle=math.radians(45.0),
)  # for small pictures
NO_ASPECTS = Aspects((), (), False, False, False, np.zeros(3), np.zeros(3))


def agree(rule: PlainRule, truth: TruthQuestion, eye: Viewpoint, lens: Intrinsics) -> str:
    """The test that a view fails, ``PLACE`` where that is of what the targets are on, empty where it fails none;
    asserts that rule and reason say the same.
    """
    why = rule.judge.shortfall(truth, eye, lens)
    assert (why is None) == rule.shows(truth, eye, lens) == rule.judge.answers(truth, eye, lens)
    if why is None:
        return ""
    assert why.measured > why.needed if why.test in AT_MOST else why.measured < why.needed
    assert why.unit
    assert why.words
    if why.target in (0, *truth.target_instances):
        return why.test
    assert why.test == "top visible"
    assert {rule.objects[target].parent for target in truth.target_instances} == {why.target}
    return PLACE


def views(rule: PlainRule, truth: TruthQuestion, random: np.random.Generator, count: int) -> list[Viewpoint]:
    """Some that look about anywhere, most that look at what the question is about from near or far."""
    found = []
    for k in range(count):
        center, radius = rule.judge.sphere(truth.target_instances[k % len(truth.target_instances)])
        way = random.normal(size=3)
        eye = np.array(center) + way / np.linalg.norm(way) * (radius + random.exponential(0.7))
        dx, dy, dz = (np.array(center) - eye + random.normal(scale=0.1, size=3)).tolist()
        yaw, pitch = math.atan2(dy, dx), math.atan2(dz, math.hypot(dx, dy))
        if k % 5 == 0:
            yaw, pitch = random.uniform(-math.pi, math.pi), random.uniform(-1.2, 1.2)
        found.append(Viewpoint(*eye.tolist(), yaw, pitch))
    return found


@pytest.mark.parametrize("which", ["search_set", "noisy_set"])
def test_gold_views_of_a_set_show_what_they_should_and_random_ones_fail_for_a_reason(
    which: str, request: pytest.FixtureRequest
) -> None:
    made: EpisodeSet = request.getfixturevalue(which)
    settings = VisibilitySettings.of(made.info.thresholds, "set")
    random = np.random.default_rng(5)
    failed: Counter[str] = Counter()
    rules = {name: PlainRule(load_spec(made.scene_folder(name) / "spec.json"), settings) for name in made.info.scenes}
    truths = load_truths(made.folder, made.episodes)
    for episode in made.episodes:
        rule, truth = rules[episode.scene], truths[episode.episode_id]
        for question in truth.questions:
            eyes = [episode.start, *([truth.goal] if truth.goal is not None else [])]
            eyes += views(rule, question, random, 30) if question.target_instances else []
            failed.update(agree(rule, question, eye, LENS) for eye in eyes)
    assert failed[""] > 0
    assert {"off axis", "pixels", "hidden"} <= failed.keys()


def test_every_test_fails_some_view_of_a_home(tmp_path: Path) -> None:
    """Of the objects of two homes, until every test has failed one: whatever can be asked, and absence on it."""
    random = np.random.default_rng(3)
    failed: Counter[str] = Counter()
    for seed in (1, 4):
        rule = PlainRule(home := generate_home(seed, 2), SMALL)
        for obj in home.objects:
            if not len(sample_surface(rule.solids, obj.instance_id, 20)) or obj.instance_id not in rule.aspects:
                continue
            aspects = rule.aspects[obj.instance_id]
            truth = TruthQuestion("q", "color", "red", target_instances=(obj.instance_id,))
            asked = [truth] if len(failed) < 6 else []
            if aspects.texts and OF_PRINT - failed.keys():
                asked.append(replace(truth, program=READ))
            if (aspects.moving or aspects.switched or aspects.looked_into) and OF_STATE - failed.keys():
                asked.append(replace(truth, program=STATE))
            if random.random() < 0.1 and "top visible" not in failed:
                asked.append(replace(truth, kind="existence", answer="no"))
            if obj.relation and PLACE not in failed:
                asked.append(replace(truth, kind="count", answer="1"))
            for question in asked:
                failed.update(agree(rule, question, eye, LENS) for eye in views(rule, question, random, 20))
            if {*UNITS, PLACE} - failed.keys() == {"targets"}:
                return
    raise AssertionError(f"no view fails {sorted({*UNITS, PLACE} - failed.keys() - {'targets'})}")


def test_what_looks_away_is_told_by_how_far(search_set: EpisodeSet) -> None:
    home = load_spec(search_set.scene_folder(next(iter(search_set.info.scenes))) / "spec.json")
    judge = SceneVisibility.of_home(home)
    target = next(obj.instance_id for obj in home.objects if obj.parts)
    center, radius = judge.sphere(target)
    eye = Viewpoint(center[0] - radius - 1.0, center[1], center[2], math.pi, 0.0)
    why = judge.shortfall(TruthQuestion("q", "color", "red", target_instances=(target,)), eye, LENS)
    assert why is not None
    assert (why.test, why.needed) == ("off axis", pytest.approx(half_cone(LENS)))
    assert why.measured == pytest.approx(math.pi - math.asin(radius / (radius + 1.0)))


def test_a_question_about_nothing_is_shown_by_no_look(search_set: EpisodeSet) -> None:
    home = load_spec(search_set.scene_folder(next(iter(search_set.info.scenes))) / "spec.json")
    why = SceneVisibility.of_home(home).shortfall(TruthQuestion("q", "color", "red"), Viewpoint(0, 0, 1, 0, 0), LENS)
    assert why is not None
    assert why.test == "targets"
