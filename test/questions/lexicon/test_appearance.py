"""Kinds that look alike: of one form and size, and never related in meaning."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hand_made import small

from vantage.questions.lexicon.appearance import appearances, confusable
from vantage.questions.lexicon.related_kinds import related, table
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph


def test_every_kind_of_the_lexicon_has_a_look() -> None:
    assert set(appearances()) == set(table())
    assert all(min(look.extents) >= 0 and max(look.extents) > 0.05 for look in appearances().values())


@pytest.mark.parametrize(
    ("kind", "other"), [("bottle", "vase"), ("apple", "orange"), ("toaster", "box"), ("bear", "statue")]
)
def test_what_looks_alike_can_be_confused(kind: str, other: str) -> None:
    alike = {name for name in appearances() if other in confusable(name) or name in confusable(other)}
    assert kind in alike or related(kind, other)


@pytest.mark.parametrize(("kind", "other"), [("bottle", "book"), ("fork", "fridge"), ("mug", "bin"), ("sofa", "stool")])
def test_what_looks_different_cannot(kind: str, other: str) -> None:
    assert other not in confusable(kind)
    assert kind not in confusable(other)


def test_confusion_goes_both_ways_and_is_never_one_of_meaning() -> None:
    for kind in appearances():
        for other in confusable(kind):
            assert kind in confusable(other)
            assert not related(kind, other)
            assert kind != other


def test_most_kinds_can_be_confused_with_something() -> None:
    assert sum(bool(confusable(kind)) for kind in appearances()) > 0.85 * len(appearances())


def test_the_size_of_the_very_object_counts() -> None:
    usual = small(1, "bottle", 0, 0, 0, "green", "glass", 0, size=0.1)
    usual = replace(usual, bounds_max=(usual.bounds_max[0], usual.bounds_max[1], 0.28))
    huge = replace(usual, bounds_max=(1.0, 1.0, 1.5))
    assert confusable("bottle", usual.extents)
    assert not set(confusable("bottle", usual.extents)) & set(confusable("bottle", huge.extents))


def test_the_color_of_the_very_object_counts() -> None:
    ball = small(1, "ball", 0, 0, 0, "red", "", 0, size=0.12)
    assert "tomato" in confusable("ball", ball.extents, "red")
    assert "tomato" not in confusable("ball", ball.extents, "blue")
    assert "lettuce" not in confusable("ball", ball.extents, "blue")
    assert "tomato" in confusable("ball", ball.extents)


def test_unknown_kinds_look_like_nothing() -> None:
    assert confusable("gizmo") == confusable("") == confusable("gizmo", (0.1, 0.1, 0.1), "red") == ()


def test_sizes_agree_with_those_of_generated_homes() -> None:
    """The typical extents are near those that objects have there; doors stand open, so they are left out."""
    nodes = [node for seed in (1, 3) for node in SceneGraph.from_spec(generate_home(seed, 3)).nodes]
    ratios = []
    for node in nodes:
        if node.label in appearances() and node.label not in ("door", "plant"):
            greatest = max(high - low for low, high in zip(node.bounds_min, node.bounds_max, strict=True))
            ratios.append(greatest / max(appearances()[node.label].extents))
    near = [ratio for ratio in ratios if 0.5 <= ratio <= 2.0]
    assert len(ratios) > 100
    assert len(near) > 0.9 * len(ratios)
