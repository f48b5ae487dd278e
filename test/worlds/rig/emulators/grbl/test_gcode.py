"""The parser keeps modes and offsets as Grbl does, and says where each line leads.

Lines of G-code become words, or the error that Grbl has for what is wrong with them.
"""

import math

import pytest
from grbl_console import AXES
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.worlds.rig.emulators.grbl.gcode import Dwell, Move, Parser, Pause, read_number, read_words
from vantage.worlds.rig.emulators.grbl.settings import RefusalError


def test_a_line_with_everything():
    words = read_words("N12G01G53G93X-1.5Y.25A+3.F60", "XYZAB")
    assert words.commands == {"motion": "G1", "once": "G53", "feed": "G93"}
    assert words.values == {"N": 12.0, "X": -1.5, "Y": 0.25, "A": 3.0, "F": 60.0}
    assert words.axes == ("X", "Y", "A")


@each_row(
    "line, code",
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


@each_row("text", ["", "-", ".", "1e3", "inf", "0x1", "1 2"])
def test_numbers_that_are_none(text):
    with pytest.raises(RefusalError):
        read_number(text)


@pytest.fixture
def parser():
    return Parser(AXES)


def targets(parser, line):
    return [action.target for action in parser.read(line) if isinstance(action, Move)]


def test_absolute_and_incremental(parser):
    assert targets(parser, "G0X10Y5") == [(10, 5, 0, 0, 0)]
    assert targets(parser, "G91X1B2") == [(11, 5, 0, 0, 2)]
    assert targets(parser, "G90Z3") == [(11, 5, 3, 0, 2)]


def test_inches_scale_lengths_but_not_angles(parser):
    assert targets(parser, "G20G0X1A90") == [(25.4, 0, 0, 90, 0)]
    (move,) = parser.read("G1X2F10")
    assert move.rate == pytest.approx(254.0)


def test_feed_rates(parser):
    with pytest.raises(RefusalError, match="error:22"):
        parser.read("G1X1")
    assert parser.read("G1X1F600") == [Move((1, 0, 0, 0, 0), 600.0)]
    assert parser.read("X2") == [Move((2, 0, 0, 0, 0), 600.0)]
    assert parser.read("G93X3F30N7") == [Move((3, 0, 0, 0, 0), 30.0, inverse=True, line=7)]
    with pytest.raises(RefusalError, match="error:22"):
        parser.read("X4")
    with pytest.raises(RefusalError, match="error:22"):
        parser.read("G94X4")
    assert parser.position == (3, 0, 0, 0, 0)


def test_rapids_need_no_feed_rate(parser):
    (move,) = parser.read("G93G0X4")
    assert move.rapid
    assert math.isinf(move.rate)
    assert not move.inverse


def test_work_offsets(parser):
    assert parser.read("G10L2P1X100B5") == []
    assert parser.offset == (100, 0, 0, 0, 5)
    assert targets(parser, "G0X1") == [(101, 0, 0, 0, 0)]
    assert targets(parser, "G53G0X1") == [(1, 0, 0, 0, 0)]
    parser.read("G55")
    assert targets(parser, "X1Y1") == [(1, 1, 0, 0, 0)]
    parser.read("G10L20P2Y0")
    assert targets(parser, "Y2") == [(1, 3, 0, 0, 0)]
    parser.read("G92X0")
    assert targets(parser, "X5") == [(6, 3, 0, 0, 0)]
    parser.read("G92.1")
    assert targets(parser, "X5") == [(5, 3, 0, 0, 0)]


def test_stored_positions(parser):
    targets(parser, "G0X7Y8")
    parser.read("G28.1")
    targets(parser, "X1Y1")
    assert targets(parser, "G28Y5") == [(1, 5, 0, 0, 0), (1, 8, 0, 0, 0)]
    assert targets(parser, "G28") == [(7, 8, 0, 0, 0)]


def test_pauses_and_the_end(parser):
    assert parser.read("G4P0.5") == [Dwell(0.5)]
    assert parser.read("G91G0X1M0") == [Move((1, 0, 0, 0, 0), rapid=True), Pause(end=False)]
    assert parser.read("M30") == [Pause(end=True)]
    parser.end_program()
    assert (parser.modes.motion, parser.modes.distance) == ("G1", "G90")


def test_jogs_leave_no_trace(parser):
    parser.read("G1X1F100")
    before = parser.modes
    assert parser.jog("G91X2F300") == Move((3, 0, 0, 0, 0), 300.0, jog=True)
    assert parser.modes == before
    assert parser.position == (1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("line", "code"), [("X1", 22), ("F100", 26), ("G1X1F1", 16), ("X1F1S5", 16), ("X1F1M3", 16), ("XF1", 2)]
)
def test_jogs_that_are_refused(parser, line, code):
    with pytest.raises(RefusalError, match=f"error:{code};"):
        parser.jog(line)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("G4", 28),
        ("G10L2X1", 28),
        ("G10L3P1X1", 20),
        ("G10L2P9X1", 29),
        ("G80G53X1", 31),
        ("G0X1I5", 36),
        ("G0X1P5", 36),
        ("G1X1F0", 22),
    ],
)
def test_lines_that_are_refused(parser, line, code):
    before = parser.modes
    with pytest.raises(RefusalError, match=f"error:{code};"):
        parser.read(line)
    assert parser.modes is before


def test_g53_needs_a_motion(parser):
    parser.read("G80")
    with pytest.raises(RefusalError, match="error:30;"):
        parser.read("G53")
