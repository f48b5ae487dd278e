import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from row_tables import each_row
from small_home import CAN, CARTON, small_home

from vantage.errors import SceneError
from vantage.scenes.looks.glyphs import HEIGHT, glyph
from vantage.scenes.looks.lettering import LARGEST, ink_color, lay_out, text_layout, text_strokes
from vantage.scenes.spec.spec import Part
from vantage.splats.synthesis.from_spec import cloud_from_spec

PLATE = Part("box", (0.05, 0.0, 0.1), (0.002, 0.16, 0.08), (0.95, 0.93, 0.86), look="label", text="RICE 500 G")
SLEEVE = Part("cylinder", (0.0, 0.0, 0.06), (0.09, 0.09, 0.08), (0.2, 0.1, 0.1), ("z-", "z+"), text="SOUP")


def test_ink_lies_flat_before_its_plate_and_within_it():
    strokes = list(text_strokes(PLATE, text_layout(PLATE)))
    places = np.array([stroke.middle for stroke in strokes])
    assert 20 < len(strokes) < 400
    assert (places[:, 0] > 0.051).all()
    assert (places[:, 0] < 0.054).all()
    assert (np.abs(places[:, 1]) < 0.08).all()
    assert (np.abs(places[:, 2] - 0.1) < 0.04).all()
    for stroke in strokes:
        assert np.linalg.norm(stroke.along) == pytest.approx(1.0)
        assert np.dot(stroke.along, stroke.normal) == pytest.approx(0.0)
        assert stroke.length < LARGEST


def test_ink_is_wrapped_around_the_front_of_a_cylinder():
    strokes = list(text_strokes(SLEEVE, text_layout(SLEEVE)))
    places = np.array([stroke.middle for stroke in strokes])
    radius = np.hypot(places[:, 0], places[:, 1])
    assert (radius > 0.045).all()
    assert (radius < 0.048).all()
    assert (places[:, 0] > 0.02).all()
    assert places[:, 1].min() < -0.01
    assert places[:, 1].max() > 0.01


def test_ink_stands_out_from_its_plate():
    assert max(ink_color(PLATE)) < 0.2
    assert min(ink_color(SLEEVE)) > 0.8


def test_words_run_from_left_to_right_for_who_faces_them():
    first = dataclasses.replace(PLATE, text="LI")
    places = np.array([stroke.middle for stroke in text_strokes(first, text_layout(first))])
    low = places[places[:, 2] < places[:, 2].min() + 1e-4]  # the foot of the L
    assert low[:, 1].mean() < 0.0


def test_words_on_a_top_are_read_by_who_stands_before_it():
    top = dataclasses.replace(PLATE, size=(0.2, 0.3, 0.05), text="LI", print_face="z+", letter=0.06)
    strokes = list(text_strokes(top, text_layout(top)))
    places = np.array([stroke.middle for stroke in strokes])
    assert (places[:, 2] > top.center[2] + 0.025).all()
    assert all(stroke.normal == (0.0, 0.0, 1.0) and stroke.along[2] == 0.0 for stroke in strokes)
    assert np.ptp(places[:, 0]) > LARGEST
    low = places[places[:, 0] > places[:, 0].max() - 1e-4]  # the foot of the L, towards the reader
    assert low[:, 1].mean() < top.center[1]


def test_a_label_takes_few_gaussians_and_hides_what_is_behind_it():
    spec = small_home()
    bare = dataclasses.replace(
        spec,
        objects=tuple(
            dataclasses.replace(obj, parts=obj.parts[:1]) if obj.instance_id in (CARTON, CAN) else obj
            for obj in spec.objects
        ),
    )
    printed, plain = cloud_from_spec(spec), cloud_from_spec(bare)
    for instance in (CARTON, CAN):
        assert (printed.instances == instance).sum() - (plain.instances == instance).sum() < 1500
    label = printed.select((printed.instances == CARTON) & (printed.parts == 2))
    body = printed.select((printed.instances == CARTON) & (printed.parts == 1))
    middle = label.means.mean(axis=0)
    assert np.linalg.norm(body.means - middle, axis=1).min() > 0.03
    dark = label.base_colors().mean(axis=1) < 0.25
    assert 50 < dark.sum() < 600


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@each_row("letter", LETTERS)
def test_letters_and_digits_are_as_tall_as_all_others(letter):
    heights = [y for line in glyph(letter) for _, y in line]
    assert max(heights) == HEIGHT
    assert -0.5 <= min(heights) <= 0.3
    assert glyph(letter.lower()) == glyph(letter)
    assert len(set(glyph(letter))) == len(glyph(letter))


def test_no_two_letters_are_alike():
    assert len({glyph(letter) for letter in LETTERS}) == len(LETTERS)


@settings(deadline=None)
@given(
    words=st.lists(st.text(LETTERS, min_size=1, max_size=8), min_size=1, max_size=14),
    width=st.floats(0.02, 0.5),
    height=st.floats(0.01, 0.5),
)
def test_words_fit_their_label(words, width, height):
    setting = lay_out(" ".join(words), width, height, 0.02)
    assert " ".join(setting.lines).split() == words
    assert setting.height <= 0.02 + 1e-9
    assert setting.extent[0] <= width + 1e-6
    assert setting.extent[1] <= height + 1e-6
    for line in setting.strokes():
        for x, y in line:
            assert abs(x) <= 0.5 * width + 1e-6
            assert abs(y) <= 0.5 * setting.extent[1] + 0.2 * setting.height


def test_long_words_are_condensed_and_lines_are_broken_to_gain_height():
    assert lay_out("TOMATO SOUP", 0.10, 0.06, 0.02).lines == ("TOMATO", "SOUP")
    assert lay_out("TOMATO SOUP", 0.30, 0.06, 0.02).lines == ("TOMATO SOUP",)
    assert lay_out("DETERGENT", 0.12, 0.06, 0.02).narrow < 1.0


@pytest.mark.parametrize(("text", "words"), [("SOUP€", "no letter"), ("  ", "no words")])
def test_what_cannot_be_printed_is_refused(text, words):
    with pytest.raises(SceneError, match=words):
        lay_out(text, 0.1, 0.1, 0.02)
