"""What is clearly false of an object, and what somebody might rightly say of it."""

from __future__ import annotations

import pytest

from vantage.questions.kinds import COLORS, MATERIALS
from vantage.questions.noise.clear_contrasts import alike, called_either, clearly_other


@pytest.mark.parametrize(
    ("attribute", "one", "other"),
    [
        ("color", "red", "orange"),
        ("color", "black", "gray"),
        ("color", "pink", "purple"),
        ("material", "glass", "ceramic"),
        ("material", "leather", "fabric"),
        ("material", "steel", "metal"),
        ("shape", "round", "cylindrical"),
        ("shape", "square", "rectangular"),
    ],
)
def test_what_looks_alike_is_never_false(attribute: str, one: str, other: str) -> None:
    assert alike(attribute, one, other)
    assert alike(attribute, other, one)
    assert other not in clearly_other(attribute, one, [other])


def test_every_value_has_clearly_other_ones() -> None:
    for attribute, values in (("color", COLORS), ("material", MATERIALS)):
        for true in values:
            others = clearly_other(attribute, true, values)
            assert len(others) >= 3
            assert true not in others


def test_values_of_other_objects_that_could_be_meant_are_not_false() -> None:
    assert "blue" in clearly_other("color", "red", COLORS)
    assert not {"blue", "purple", "green"} & set(clearly_other("color", "red", COLORS, ["blue", ""]))


@pytest.mark.parametrize("unknown", ["", "beige", "striped"])
def test_nothing_is_clearly_other_than_an_unknown_value(unknown: str) -> None:
    assert clearly_other("color", unknown, COLORS) == []
    assert clearly_other("text", "TEA", ["COFFEE"]) == []


def test_some_nouns_are_said_of_the_same_objects() -> None:
    assert called_either("rug", "mat")
    assert called_either("oven", "stove")
    assert not called_either("mug", "vase")
    assert not called_either("mat", "oven")
