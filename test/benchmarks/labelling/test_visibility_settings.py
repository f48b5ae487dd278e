"""The thresholds of sets, older ones among them."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.benchmarks.labelling import VisibilitySettings
from vantage.errors import FormatError
from vantage.types import FIRST_VIEW_RULE, VIEW_RULE


def of_kinds(settings: VisibilitySettings) -> tuple[float, float, float]:
    return settings.colour_pixels, settings.material_pixels, settings.count_pixels


@each_row("rule", [FIRST_VIEW_RULE, VIEW_RULE])
def test_a_set_without_pixels_of_a_kind_of_question_asks_for_those_of_all(rule: int) -> None:
    older = VisibilitySettings.of({"pixels": 900.0}, "set.json", rule)
    assert (older.pixels, *of_kinds(older)) == (900.0, 900.0, 900.0, 900.0)
    one = VisibilitySettings.of({"pixels": 900.0, "count_pixels": 80.0}, "set.json", rule)
    assert of_kinds(one) == (900.0, 900.0, 80.0)
    assert set(of_kinds(VisibilitySettings.of({}, "set.json", rule))) == {VisibilitySettings().pixels}


def test_what_a_set_keeps_gives_the_same_thresholds() -> None:
    kept = VisibilitySettings(pixels=1.0, colour_pixels=2.0, material_pixels=3.0, count_pixels=4.0, samples=50)
    assert VisibilitySettings.of(kept.thresholds, "set.json") == kept


@each_row(
    "given, message", [({"count_pixles": 1.0}, "there is no 'count_pixles'"), ({"count_pixels": -1.0}, "outside")]
)
def test_what_is_no_threshold_is_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        VisibilitySettings.of(given, "set.json")
