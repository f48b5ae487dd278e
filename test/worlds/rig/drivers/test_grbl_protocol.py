from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples

from vantage.worlds.rig.drivers.grbl_protocol import (
    FLUIDNC,
    GRBLHAL,
    Alarm,
    Banner,
    Error,
    Garbage,
    Message,
    Ok,
    Report,
    Setting,
    alarm_keeps_position,
    alarm_text,
    error_text,
    parse,
)

REPORT = "<Run|MPos:1.500,-2.000,0.000,10.010,-3.000|Bf:12,100|FS:500,0|Pn:XY|Ov:90,100,100|H:1>"


@each_row(
    "line, reply",
    [
        ("ok", Ok()),
        ("ok\r", Ok()),
        ("error:9", Error(9)),
        ("ALARM:1", Alarm(1)),
        ("$110=5000.000", Setting("110", "5000.000")),
        ("$N0=G54", Setting("N0", "G54")),
        ("$/axes/a/steps_per_mm=80.000", Setting("/axes/a/steps_per_mm", "80.000")),
        ("Grbl 1.1h ['$' for help]", Banner("Grbl 1.1h ['$' for help]")),
        ("GrblHAL 1.1f ['$' or '$HELP' for help]", Banner("GrblHAL 1.1f ['$' or '$HELP' for help]")),
        ("Grbl 3.7 [FluidNC v3.7.8 (wifi) '$' for help]", Banner("Grbl 3.7 [FluidNC v3.7.8 (wifi) '$' for help]")),
        ("[MSG:Caution: Unlocked]", Message("MSG", "Caution: Unlocked")),
        ("[AXS:5:XYZAB]", Message("AXS", "5:XYZAB")),
        (">G54:ok", Message(">", "G54:ok")),
        (REPORT, Report("Run", -1, (1.5, -2.0, 0.0, 10.01, -3.0), 12, 90, True)),
        ("<Hold:1|WPos:1.000,2.000,3.000|WCO:0.500,0.000,-1.000>", Report("Hold", 1, (1.5, 2.0, 2.0))),
        ("<Idle|WPos:1.000,2.000,3.000>", Report("Idle")),
        ("<Alarm:11|MPos:0.000,0.000,0.000|SD:12.5,/a.nc>", Report("Alarm", 11, (0.0, 0.0, 0.0))),
        ("<Idle|MPos:0.000,0.000,0.000|Ln:17|F:0>", Report("Idle", -1, (0.0, 0.0, 0.0))),
    ],
)
def test_lines_are_understood(line, reply):
    assert parse(line.encode()) == reply


@each_row(
    "line",
    [
        "o",
        "okok",
        "error:",
        "error:x",
        "ALARM:-1",
        "<Idle|MPos:0.000,0.0",
        "<Idle|MPos:0.000,0.0x0,1.000>",
        "<Idle|MPos:nan,0.000,1.000>",
        "<Idle|MPos:1_0,0.000,1.000>",
        "<Idle|FS:0,0>",
        "<Nowhere|MPos:0.000,0.000,0.000>",
        "<Hold:|MPos:0.000,0.000,0.000>",
        "<Idle|MPos:0.000|MPos:0.000>",
        "<Idle|MPos:0.000,0.000,0.000|B\x01f:1,2>",
        "<Idle|MPos:0.000,0.000,0.000|Bf:a,2>",
        "<Idle|WPos:0.000,0.000,0.000|WCO:0.000>",
        "[MSG:half",
        "hello",
        "Grbl",
    ],
)
def test_what_no_controller_says_is_garbage(line):
    assert isinstance(parse(line.encode()), Garbage)


def test_garbage_is_shown_in_plain_letters():
    assert parse(b"\xff\x00<") == Garbage("\\xff\\x00<")


def test_empty_lines_say_nothing():
    assert parse(b"\r") is None


@given(st.binary(max_size=200))
@settings(max_examples=examples(300))
def test_any_bytes_can_be_parsed(data):
    reply = parse(data)
    if isinstance(reply, Garbage):
        assert reply.text.isprintable()


@each_row("length", range(1, len(REPORT)))
def test_half_a_report_is_garbage(length):
    assert isinstance(parse(REPORT[:length].encode()), Garbage)


@each_row(
    "state, resting",
    [
        ("Idle", True),
        ("Run", False),
        ("Hold:0", True),
        ("Hold:1", False),
        ("Hold", False),
        ("Door:1", True),
        ("Door:2", False),
        ("Alarm", True),
        ("Alarm:9", True),
        ("Home", False),
        ("Jog", False),
        ("Sleep", True),
    ],
)
def test_whether_a_state_is_at_rest(state, resting):
    reply = parse(f"<{state}|MPos:0.000,0.000,0.000>".encode())
    assert reply.resting is resting


def test_codes_have_words():
    assert "soft limits" in alarm_text(2)
    assert "position is lost" in alarm_text(3)
    assert "emergency stop" in alarm_text(10, GRBLHAL)
    assert "homed first" in alarm_text(14, FLUIDNC)
    assert "manual of Grbl" in alarm_text(77)
    assert "locked out" in error_text(9)
    assert "homed first" in error_text(46, GRBLHAL)
    assert "error 99 in the manual of FluidNC" in error_text(99, FLUIDNC)


def test_only_some_alarms_keep_the_position():
    assert [code for code in range(1, 30) if alarm_keeps_position(code)] == [2, 4, 5]
