"""Dialogues with the controller in a time of its own: what it answers, how it moves, and that it stops."""

import math
import random

import pytest
from grbl_console import AXES, GREETING, HOME, Console

TRAPEZOID = 100.0 / 100.0 + 100.0 / 2000.0  # s for 100 mm at 100 mm/s and 2000 mm/s^2


@pytest.fixture
def console():
    return Console()


def test_power_up_is_locked_until_homed_or_unlocked():
    console = Console(homed=False)
    console.controller.power_up()
    assert console.heard() == GREETING
    state, position, fields = console.status()
    assert (state, position) == ("Alarm", (0.0,) * 5)
    assert fields["H"] == "0"
    assert console.ask("G0X1") == ["error:9"]
    assert console.ask("$J=X1F100") == ["error:8"]
    assert console.ask("$X") == ["[MSG:Caution: Unlocked]", "ok"]
    assert console.status()[0] == "Idle"


def test_queries(console):
    assert console.ask("") == ["ok"]
    assert console.ask("$")[0].startswith("[HLP:")
    assert console.ask("$I") == ["[VER:1.1h.20260101:emulated]", "[OPT:VNH,15,128]", "[AXS:5:XYZAB]", "ok"]
    assert console.ask("$G") == ["[GC:G0 G54 G17 G21 G90 G94 M5 M9 T0 F0 S0]", "ok"]
    offsets = console.ask("$#")
    assert offsets[0] == "[G54:0.000,0.000,0.000,0.000,0.000]"
    assert offsets[-1] == "ok"
    settings = console.ask("$$")
    assert "$100=80.000" in settings
    assert settings[-1] == "ok"


def test_it_can_say_that_it_is_grblhal():
    console = Console(homed=False, firmware="grblHAL")
    assert console.ask(b"\x18")[1] == "GrblHAL 1.1f ['$' or '$HELP' for help]"
    assert console.ask("$I")[-2:] == ["[FIRMWARE:grblHAL]", "ok"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("$Q", "error:3"),
        ("$1000=1", "error:3"),
        ("$11=", "error:2"),
        ("$11=-1", "error:4"),
        ("$HC", "error:3"),
        ("$RST=x", "error:3"),
        ("G5", "error:20"),
        ("hello", "error:2"),
        ("G1 X2", "error:22"),
        ("(a comment)", "ok"),
        ("; a comment", "ok"),
        ("g21 (metric) g90 ; yes", "ok"),
        ("X" * 200, "error:11"),
        ("\t ", "ok"),
    ],
)
def test_answers(console, line, answer):
    assert console.ask(line) == [answer]
    assert console.ask("$G")[-1] == "ok"  # it has not lost its step


def test_line_ends(console):
    assert console.ask(b"\n") == ["ok"]
    assert console.ask(b"\r\n\r\n") == ["ok", "ok"]
    assert console.ask(b"G21\rG90\r") == ["ok", "ok"]


def test_a_long_move_takes_the_closed_form(console):
    begin = console.now
    assert console.ask("G1X110F6000") == ["ok"]
    console.wait(0.5 * TRAPEZOID)
    state, position, fields = console.status()
    assert state == "Run"
    assert position[0] == pytest.approx(60.0, abs=0.02)
    assert fields["FS"] == "6000,0"
    assert fields["Bf"] == "14,128"
    console.wait(1.0)
    assert console.status()[:2] == ("Idle", (110.0, *HOME[1:]))
    assert console.motion.rest_times[-1] - begin == pytest.approx(TRAPEZOID)
    assert console.motion.longest_queue == pytest.approx(TRAPEZOID)


def test_inverse_time_moves_all_axes_in_step(console):
    begin = console.now
    console.ask("G93G1X60Y30A-130F30", 0.0)  # 2 s, but for the ramps
    console.wait(1.0)
    _, position, _ = console.status()
    shares = [(position[i] - HOME[i]) / (to - HOME[i]) for i, to in ((0, 60.0), (1, 30.0), (3, -130.0))]
    assert max(shares) - min(shares) < 1e-3
    console.wait(2.0)
    assert console.motion.rest_times[-1] - begin == pytest.approx(2.0, rel=0.05)


def test_mpos_is_steps(console):
    console.ask("G0X100.003", 5.0)
    assert console.motion.mechanism.true[0] * 80 == pytest.approx(8000)


def test_real_time_bytes_within_a_line(console):
    console.send(b"G1X1?10F60!00\n")
    console.wait(0.0)
    heard = console.heard()
    assert heard[0].startswith("<Idle|")
    assert len(heard) == 1  # the hold came before the line
    assert console.status()[0] == "Hold:0"
    assert console.ask(b"~") == ["ok"]
    assert console.status()[0] == "Run"
    assert list(console.controller.received[ord("!")]) == [console.now]


def test_hold_brakes_and_resumes(console):
    console.ask("G1X210F6000", 1.0)
    console.send(b"!")
    assert console.status()[0] == "Hold:1"
    position = console.status()[1][0]
    console.wait(0.02)
    assert console.ask(b"~") == []  # not while it brakes
    console.wait(100.0 / 2000.0)
    state, held, _ = console.status()
    assert state == "Hold:0"
    assert held[0] - position == pytest.approx(100.0**2 / 2 / 2000.0, abs=0.05)
    assert console.ask("G4P0") == []  # lines wait
    console.send(b"~")
    assert console.status()[0] == "Run"
    console.wait(3.0)
    assert console.heard() == ["ok"]
    assert console.status()[1][0] == 210.0


def test_hold_goes_through_the_borders_of_blocks(console):
    for x in range(11, 41):
        console.send(f"G1X{x}F6000")
        console.wait(0.001)
    assert console.heard() == ["ok"] * 15  # then the planner is full
    console.wait(0.15)
    console.send(b"!")
    begin = console.now
    console.wait(1.0)
    assert console.status()[0] == "Hold:0"
    assert console.motion.rest_times[-1] - begin <= 100.0 / 2000.0 + 1e-9
    console.send(b"~")
    console.wait(2.0)
    assert console.status()[1][0] < 41


def test_reset_at_rest_keeps_the_position(console):
    console.ask("G1X110F6000", 0.5)
    console.ask(b"!", 0.2)
    held = console.status()[1]
    assert console.ask(b"\x18") == GREETING[:2]
    state, position, fields = console.status()
    assert (state, position, fields["H"]) == ("Idle", held, "1")
    console.wait(1.0)
    assert console.status()[1] == held
    assert console.ask("$J=G91X1F600", 1.0) == ["ok"]
    assert console.status()[1][0] == pytest.approx(held[0] + 1.0, abs=0.013)


def test_reset_in_motion_loses_the_position(console):
    console.ask("G1X110F6000", 0.5)
    assert console.ask(b"\x18") == ["ALARM:3", *GREETING]
    state, position, fields = console.status()
    assert (state, fields["H"]) == ("Alarm", "0")
    assert abs(position[0] - console.motion.mechanism.true[0]) > 0.1
    assert console.ask("$H", 10.0) == ["ok"]
    assert console.motion.mechanism.true == pytest.approx(console.status()[1])


def test_settings_outlive_a_reset_and_modes_do_not(console):
    assert console.ask("$110=600") == ["ok"]
    console.ask("G91G20F5", 0.0)
    console.ask(b"\x18")
    assert "$110=600.000" in console.ask("$$")
    assert console.ask("$G")[0] == "[GC:G0 G54 G17 G21 G90 G94 M5 M9 T0 F0 S0]"
    begin = console.now
    console.ask("G0X20", 5.0)
    assert console.motion.rest_times[-1] - begin == pytest.approx(1.0, abs=0.02)  # 10 mm/s
    assert console.ask("$RST=$")[:2] == ["[MSG:Restoring defaults]", "ok"]
    assert "$110=12000.000" in console.ask("$$")


def test_settings_need_rest(console):
    console.ask("G1X110F6000", 0.1)
    for line in ("$110=1", "$$", "$I", "$H", "$SLP"):
        assert console.ask(line) == ["error:8"]
    assert console.ask("$G")[-1] == "ok"


def test_soft_limits_stop_and_alarm(console):
    console.ask("G1X110F6000", 0.5)
    assert console.ask("G1X400") == []
    assert console.status()[0] == "Hold:1"
    console.wait(0.2)
    assert console.heard() == ["ALARM:2", "[MSG:Reset to continue]"]
    stopped = console.status()
    assert stopped[0] == "Alarm"
    assert console.ask("$X") == []  # only a reset helps
    assert console.ask(b"\x18") == GREETING
    assert console.ask("$X") == ["[MSG:Caution: Unlocked]", "ok"]
    assert console.status()[1] == stopped[1]


def test_soft_limits_take_their_ends(console):
    for i, axis in enumerate(AXES):
        for end in (axis.lower, axis.upper):
            assert console.ask(f"G0{axis.letter}{end}", 10.0) == ["ok"]
            assert console.status()[1][i] == end
        assert console.ask(f"$J={axis.letter}{axis.upper + 0.1}F100") == ["error:15"]


def test_hard_limits_trip_where_nothing_is_homed():
    console = Console(homed=False)
    console.ask("$X")
    assert console.ask("$J=X-100F3000") == ["ok"]
    console.wait(5.0)
    assert console.heard() == ["ALARM:1", "[MSG:Reset to continue]"]
    assert console.motion.mechanism.true[0] == pytest.approx(9.0, abs=1 / 80)
    state, _, fields = console.status()
    assert (state, fields["Pn"]) == ("Alarm", "X")


def test_without_hard_limits_the_axis_is_blocked():
    console = Console(homed=False)
    console.ask("$X")
    console.ask("$21=0")
    console.ask("$J=X-100F3000", 5.0)
    assert console.motion.mechanism.true[0] == 8.0
    console.ask("$J=G91X5F3000", 5.0)
    assert console.motion.mechanism.true[0] == pytest.approx(13.0)


def test_jogs(console):
    assert console.ask("$J=X110F6000") == ["ok"]
    console.wait(0.5)
    assert console.status()[0] == "Jog"
    assert console.ask("G0X0") == ["error:9"]
    assert console.ask("$J=G91X10F6000") == ["ok"]
    console.send(b"!")
    assert console.status()[0] == "Jog"
    console.wait(0.1)
    state, position, _ = console.status()
    assert state == "Idle"
    assert 59.0 < position[0] < 65.0
    console.ask("$J=X110F6000", 0.2)
    console.send(b"\x85")
    console.wait(0.1)
    assert console.status()[0] == "Idle"
    assert console.ask("G0X100", 2.0) == ["ok"]
    assert console.status()[1][0] == 100.0


def test_a_jog_that_is_held_before_it_starts(console):
    console.send(b"$J=X110F6000\n!")
    assert console.status()[0] == "Idle"
    assert console.ask("G0X20", 1.0)[-1] == "ok"
    assert console.status()[1][0] == 20.0


def test_dwell_and_pause(console):
    console.ask("G1X110F6000")
    assert console.ask("G4P0.5", TRAPEZOID + 0.4) == []
    console.wait(0.2)
    assert console.heard() == ["ok"]
    assert console.ask("M0", 0.1) == []
    assert console.status()[0] == "Hold:0"
    assert console.ask(b"~") == ["ok"]
    assert console.ask("M2") == ["[MSG:Pgm End]", "ok"]


def test_the_receive_buffer_overflows_as_the_real_one(console):
    for _ in range(16):
        console.send("G91G1X1F60")
    assert console.status()[2]["Bf"] == "0,128"
    for _ in range(30):
        console.send("G1X1F60")
    assert console.status()[2]["Bf"] == "0,0"
    console.wait(120.0)
    whole, part = divmod(128, len("G1X1F60\n"))
    assert part == 0
    assert console.heard().count("ok") == 16 + whole


def test_overrides(console):
    console.ask("G1X210F3000", 0.5)
    console.send(b"\x91" * 2)
    console.wait(0.2)
    assert console.status()[2]["FS"] == "3600,0"
    console.send(b"\x92" * 30)
    console.wait(0.2)
    fields = console.status()[2]
    assert fields["FS"] == "300,0"
    console.send(b"\x90")
    console.wait(0.2)
    assert console.status()[2]["FS"] == "3000,0"
    console.send(b"\x96")
    console.wait(10.0)
    begin = console.now
    console.ask("G0X110", 5.0)
    assert console.motion.rest_times[-1] - begin == pytest.approx(1.05)
    assert "Ov:100,50,100" in [line for _ in range(3) for line in console.ask(b"?")[0][:-1].split("|")]


def test_reports_follow_the_mask(console):
    console.ask("G10L2P1X100")
    assert console.status()[2]["WCO"] == "100.000,0.000,0.000,0.000,0.000"
    assert console.ask("$10=0") == ["ok"]
    line = console.ask(b"?")[0]
    assert "WPos:-90.000,10.000" in line
    assert "Bf:" not in line
    assert "FS:" not in line
    console.ask("$10=511")
    console.ask("N42 G1X150F600", 0.1)
    assert console.status()[2]["Ln"] == "42"
    console.wait(30.0)
    assert console.ask(b"\x87")[0].count("WCO:") == 1
    counted = [console.ask(b"?")[0] for _ in range(30)]
    assert sum("WCO:" in line for line in counted) == 3


def test_report_in_inches(console):
    console.ask("$13=1")
    assert console.status()[1][0] == pytest.approx(10 / 25.4, abs=1e-3)


def test_check_mode_moves_nothing(console):
    assert console.ask("$C") == ["[MSG:Enabled]", "ok"]
    assert console.ask("G0X100", 1.0) == ["ok"]
    assert console.ask("G9") == ["error:20"]
    assert console.status()[:2] == ("Check", HOME)
    assert console.ask("$C")[:2] == ["[MSG:Disabled]", "ok"]
    assert console.status()[:2] == ("Idle", HOME)


def test_sleep_ends_with_a_reset(console):
    assert console.ask("$SLP") == ["[MSG:Sleeping]", "ok"]
    assert console.status()[0] == "Sleep"
    assert console.ask("$X") == []
    assert console.ask(b"\x18") == GREETING


def test_the_door(console):
    console.ask("G1X110F6000", 0.5)
    assert console.ask(b"\x84") == ["[MSG:Check Door]"]
    assert console.status()[0] == "Door:2"
    console.wait(0.1)
    assert console.status()[0] == "Door:0"
    console.send(b"~")
    assert console.status()[0] == "Run"
    console.controller.open_door()
    console.wait(0.1)
    assert console.status()[0] == "Door:1"
    console.send(b"~")
    assert console.status()[0] == "Door:1"
    console.controller.door_open = False
    console.send(b"~")
    console.wait(2.0)
    assert console.status()[:2] == ("Idle", (110.0, *HOME[1:]))


def test_a_line_in_pieces_is_as_fast_as_in_one(console):
    begin = console.now
    console.send("G1X110F6000")
    console.wait(2.0)
    whole = console.motion.rest_times[-1] - begin
    console.ask("G0X10", 5.0)
    begin = console.now
    console.send(b"".join(b"G1X%dF6000\n" % x for x in (20, 30, 45, 60, 75, 80, 95, 110)))
    console.wait(2.0)
    assert console.motion.rest_times[-1] - begin == pytest.approx(whole)


def test_a_stuck_axis_shows_in_the_position(console):
    console.motion.stick()
    console.ask("G0X60A-170", 2.0)
    stuck = console.motion.mechanism.stuck
    assert stuck == 0
    state, position, _ = console.status()
    assert (state, position[0], position[3]) == ("Idle", 10.0, -170.0)
    console.motion.free()
    console.ask("G0X60", 2.0)
    assert console.status()[1][0] == 60.0


def test_random_commands_never_leave_the_limits():
    console, chance = Console(), random.Random(5)
    for number in range(1500):
        axis = chance.choice(AXES)
        wild = chance.random() < 0.15
        span = axis.travel * (2.0 if wild else 1.0)
        place = axis.lower + (chance.random() - (0.5 if wild else 0.0)) * span
        other = chance.choice(AXES)
        text = f"{axis.letter}{place:.3f}" + (
            "" if other is axis else f"{other.letter}{chance.uniform(other.lower, other.upper):.3f}"
        )
        form = chance.choice(("G90G0{}", "G90G94G1{}F9000", "G90G93G1{}F600", "$J=G90{}F9000", "G91G0{}"))
        console.send(form.format(text))
        console.wait(chance.choice((0.0, 0.01, 0.1, 0.5)))
        if chance.random() < 0.15:
            console.send(chance.choice((b"!", b"~", b"\x85", b"\x18", b"\x84~")))
            console.wait(chance.choice((0.01, 0.2)))
        state = console.controller.state
        if state == "Alarm" or number % 50 == 49:
            console.send(b"\x18")
            console.ask("$H", 20.0)
        elif state in ("Hold:0", "Door:0"):
            console.send(b"~")
        for i, axis in enumerate(AXES):
            assert console.motion.mechanism.least[i] >= min(axis.lower, axis.first) - 1e-9
            assert console.motion.mechanism.most[i] <= max(axis.upper, axis.first) + 1e-9
    assert math.isfinite(console.motion.longest_queue)
    assert (
        sum(
            most - least
            for least, most in zip(console.motion.mechanism.least, console.motion.mechanism.most, strict=True)
        )
        > 900.0
    )
