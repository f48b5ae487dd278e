"""Errors of perceivers and memory against the true home, and the bench that tells them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from box_home import box_home

from vantage.bench.observe import Accuracy, observe_table, perception_errors, plain_pixels
from vantage.config import DegradedSettings, Settings
from vantage.perception.perceivers.degraded import DegradedPerceiver
from vantage.perception.perceivers.instance_pixels import instance_pixels
from vantage.perception.perceivers.privileged import PrivilegedPerceiver

LEAST = 40


@pytest.fixture(scope="module")
def home():
    return box_home(5, 2, 6, 6)


@pytest.fixture(scope="module")
def views(home):
    return [home.world.observe(viewpoint) for viewpoint in home.tour(pitches=(-0.55, -0.1))]


def test_the_privileged_perceiver_makes_no_errors_but_those_of_visibility(home, views):
    found = perception_errors(PrivilegedPerceiver(LEAST), views, home.graph, LEAST)
    assert (found.missed, found.merged, found.split, found.false) == (0, 0, 0, 0)
    assert found.detectable > 0.9 * len(home.graph.objects())
    assert found.attributes["label"] == Accuracy(found.detectable, 0, 0)
    assert found.attributes["color"].wrong == 0
    assert np.median(found.position_m) < 0.04
    assert len(found.position_m) == found.detectable


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_degraded_perceiver_makes_few(home, views, seed):
    found = perception_errors(DegradedPerceiver(LEAST, seed=seed), views, home.graph, LEAST)
    assert found.missed + found.merged + found.split + found.false <= 0.12 * found.detectable
    assert found.attributes["label"].wrong <= 0.12 * found.detectable
    assert np.median(found.position_m) < 0.08
    data = found.data()
    assert data["position_median_m"] <= data["position_p95_m"] < 0.25


def test_hopeless_perception_shows_in_the_report(home, views):
    wild = DegradedSettings(miss=0.5, label=0.8, position=0.6, growth=0.0)
    found = perception_errors(DegradedPerceiver(LEAST, Settings(degraded=wild), 1), views, home.graph, LEAST)
    assert found.split + found.false + found.merged + found.missed > 0.3 * found.detectable
    assert found.attributes["label"].wrong > 0


def test_no_views_no_objects(home):
    found = perception_errors(PrivilegedPerceiver(LEAST), [], home.graph, LEAST)
    assert (found.detectable, found.frames, found.position_m) == (0, 0, ())
    assert math.isnan(found.data()["position_median_m"])


def test_pixels_and_bounds_agree_with_plain_numpy(views):
    agrees = []
    for view in views[::7]:
        plain = plain_pixels(view, LEAST)
        fast = instance_pixels(view, frozenset(view.legend), LEAST)
        assert dict(zip(fast.ids.tolist(), fast.pixels.tolist(), strict=True)) == {k: n for k, (n, _) in plain.items()}
        for key, pixels, bounds in zip(fast.ids, fast.pixels, fast.bounds, strict=True):
            if pixels > 1000:
                expected = plain[int(key)][1]
                slack = 0.05 + 0.06 * (expected[1] - expected[0]).max()
                agrees.append(np.abs(bounds[[0, 2]] - expected).max() < slack)
    assert np.mean(agrees) > 0.9  # borders, which only one of them spares, are much of what is slender


def test_the_table_names_bounds_and_errors(home, views):
    errors = perception_errors(PrivilegedPerceiver(LEAST), views[:3], home.graph, LEAST).data()
    times = {"name": "x", "median_ms": 1.0, "p95_ms": 2.0, "n": 3}
    stages = {"perceive": {**times, "speedup": 40.0, "reference": "plain"}, "whole update": times}
    found = {"stages": stages, "met": True, "errors": errors}
    data = {"size": [64, 48], "things": 9, "views": 3, "bound_ms": 5.0, "reference": times}
    lines = observe_table({**data, "perceivers": {"privileged": found}})
    assert "40 x faster than plain" in lines[2]
    assert "bound 5 ms: met" in lines[3]
    assert "split" in lines[4]
    assert "color" in lines[5]


def test_instances_that_the_legend_does_not_name_are_left_out(views):
    view = replace(views[0], legend={})
    assert perception_errors(PrivilegedPerceiver(LEAST), [view], box_home(5, 1).graph, LEAST).detectable == 0
