"""Sets tell where their gold views have what they show."""

from __future__ import annotations

import math
from dataclasses import replace

from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_truths
from vantage.benchmarks.sets.gold_views import gold_view_line, gold_view_numbers, gold_views


def test_gold_views_have_their_targets_whole_near_the_axis_and_shown_when_centred(search_set: EpisodeSet) -> None:
    told = gold_view_numbers([search_set, search_set])
    number = sum(truth.goal is not None for truth in load_truths(search_set.folder, search_set.episodes).values())
    assert told["gold_views"] == 2 * number > 0
    assert 0.0 < told["off_axis"]["median"] <= math.radians(30) + 1e-6
    assert (told["off_axis"]["over_30_degrees"], told["cut_off"], told["fails_when_centered"]) == (0.0, 0, 0)
    assert gold_view_line(told).startswith(f"targets of {2 * number} gold views: ")


def test_views_at_the_border_are_told(search_set: EpisodeSet) -> None:
    seen = list(gold_views(search_set))
    assert len(seen) == len({view.episode_id for view in seen})
    too_many = dict.fromkeys((name for name in search_set.info.thresholds if name.endswith("pixels")), 1e6)
    assert too_many.keys() >= {"pixels", "colour_pixels", "material_pixels", "count_pixels"}
    strict = replace(search_set, info=replace(search_set.info, thresholds={**search_set.info.thresholds, **too_many}))
    assert gold_view_numbers([strict])["fails_when_centered"] == len(seen)
    narrow = {**search_set.info.settings, "camera.width": 32, "camera.height": 24, "camera.horizontal_fov": 0.05}
    cut = gold_view_numbers([replace(search_set, info=replace(search_set.info, settings=narrow))])
    assert cut["cut_off"] > 0


def test_no_sets_tell_nothing() -> None:
    assert gold_view_numbers([]) == {}
    assert gold_view_line({}) == ""
