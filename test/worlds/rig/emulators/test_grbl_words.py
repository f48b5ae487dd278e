"""Lines of G-code become words, or the error that Grbl has for what is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.worlds.rig.emulators.grbl_settings import RefusalError
from vantage.worlds.rig.emulators.grbl_words import read_number, read_words


def test_a_line_with_everything():
    words = read_words("N12G01G53G93X-1.5Y.25A+3.F60", "XYZAB")
    assert words.commands == {"motion": "G1", "once": "G53", "feed": "G93"}
    assert words.values == {"N": 12.0, "X": -1.5, "Y": 0.25, "A": 3.0, "F": 60.0}
    assert words.axes == ("X", "Y", "A")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("5X", 1),
        ("%", 1),
        ("X", 2),
        ("X--1", 2),
        ("X1.2.3", 1),
        ("XNAN", 2),
        ("F-1", 4),
        ("G2X1", 20),
        ("G38.2X1", 20),
        ("G1.5", 20),
        ("M6", 20),
        ("C1", 20),
        ("O1", 20),
        ("G0G1", 21),
        ("G90G91", 21),
        ("M3.5", 23),
        ("G10G1X1L2P1", 24),
        ("X1X2", 25),
        ("G92", 26),
        ("G10L2P1", 26),
        ("N-1", 27),
        ("N10000000", 27),
        ("N1.5", 27),
        ("G80X1", 31),
    ],
)
def test_what_is_wrong(line, code):
    with pytest.raises(RefusalError) as refusal:
        read_words(line, "XYZAB")
    assert refusal.value.code == code


@given(st.text(alphabet="GMXYZABFNPLST0123456789.-+ %#", max_size=20))
def test_any_line_is_read_or_refused(line):
    code, axes, values = 0, set(), {}
    try:
        words = read_words(line, "XYZAB")
        axes, values = set(words.axes), words.values
    except RefusalError as refusal:
        code = refusal.code
    assert 0 <= code <= 36
    assert axes <= set(values)


@pytest.mark.parametrize("text", ["", "-", ".", "1e3", "inf", "0x1", "1 2"])
def test_numbers_that_are_none(text):
    with pytest.raises(RefusalError):
        read_number(text)
