import math
from itertools import combinations

from row_tables import each_row

from vantage.scenes.spec.palette import COLORS, blend, nearest_color, shade


@each_row("word", sorted(COLORS))
def test_a_color_keeps_its_word_in_the_shade_and_in_the_light(word):
    for factor in (0.7, 0.8, 0.9, 1.0, 1.05):
        assert nearest_color(shade(COLORS[word], factor)) == word


def test_colors_are_clearly_distinct():
    assert min(math.dist(COLORS[a], COLORS[b]) for a, b in combinations(COLORS, 2)) > 0.25


def test_shade_and_blend_stay_in_range():
    assert shade((0.5, 0.9, 0.1), 2.0) == (1.0, 1.0, 0.2)
    assert blend((0.0, 0.0, 0.0), (1.0, 0.5, 0.0), 0.5) == (0.5, 0.25, 0.0)
