import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from row_tables import each_row

from vantage.errors import SceneError
from vantage.splats.painting.lettering import HEIGHT, glyph, set_words

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
    setting = set_words(" ".join(words), width, height, 0.02)
    assert " ".join(setting.lines).split() == words
    assert setting.height <= 0.02 + 1e-9
    assert setting.extent[0] <= width + 1e-6
    assert setting.extent[1] <= height + 1e-6
    for line in setting.strokes():
        for x, y in line:
            assert abs(x) <= 0.5 * width + 1e-6
            assert abs(y) <= 0.5 * setting.extent[1] + 0.2 * setting.height


def test_long_words_are_condensed_and_lines_are_broken_to_gain_height():
    assert set_words("TOMATO SOUP", 0.10, 0.06, 0.02).lines == ("TOMATO", "SOUP")
    assert set_words("TOMATO SOUP", 0.30, 0.06, 0.02).lines == ("TOMATO SOUP",)
    assert set_words("DETERGENT", 0.12, 0.06, 0.02).narrow < 1.0


@pytest.mark.parametrize(("text", "words"), [("SOUP€", "no letter"), ("  ", "no words")])
def test_what_cannot_be_printed_is_refused(text, words):
    with pytest.raises(SceneError, match=words):
        set_words(text, 0.1, 0.1, 0.02)
