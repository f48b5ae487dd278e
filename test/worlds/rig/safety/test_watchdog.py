"""Silences and jumps of the clock stop the rig once, and only when they should."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from vantage.errors import HardwareError
from vantage.worlds.rig.description import WatchdogRules
from vantage.worlds.rig.safety.watchdog import Watchdog

RULES = WatchdogRules(frame=1.0, heartbeat=1.0, command=3.0, state=0.5, clock_jump=0.1)
STEP = 0.02


class Bench:
    """A watchdog whose time passes by hand, with a camera and a controller that send at every step."""

    def __init__(self, rules: WatchdogRules = RULES) -> None:
        self.monotonic, self.jumped = 100.0, 0.0
        self.camera = self.controller = True
        self.frame = self.state = -1
        self.late = 0.0
        self.trips: list[tuple[str, str]] = []
        self.dog = Watchdog(
            rules,
            lambda kind, sentence: self.trips.append((kind, sentence)),
            frame_stamp=lambda: self.frame,
            state_stamp=lambda: self.state,
            now=self.now,
            monotonic=lambda: self.monotonic,
        )

    def now(self) -> int:
        return round((self.monotonic + self.jumped + 1_700_000_000.0) * 1e9)

    def run(self, seconds: float, each: Callable[[], None] = lambda: None) -> None:
        for _ in range(round(seconds / STEP)):
            self.monotonic += STEP
            if self.camera:
                self.frame = self.now() - round(self.late * 1e9)
            if self.controller:
                self.state = self.now()
            each()
            self.dog.check()

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.trips]


def test_a_rig_that_is_heard_goes_on() -> None:
    bench = Bench()
    bench.dog.begin()
    with bench.dog.motion():
        bench.run(10.0, bench.dog.heartbeat)
    bench.run(2.5, bench.dog.heartbeat)
    bench.dog.command()
    bench.run(2.5, bench.dog.heartbeat)
    bench.dog.end()
    bench.run(10.0)
    assert bench.trips == []


def test_frames_that_stop_while_the_rig_moves() -> None:
    bench = Bench()
    with bench.dog.motion():
        bench.run(1.0)
        bench.camera = False
        bench.run(0.98)
        assert bench.trips == []
        bench.run(0.1)
        assert bench.trips == [
            ("frame", "the newest frame of the camera is 1.02 s old while the rig moves (watchdog.frame: 1 s)")
        ]
        bench.run(5.0)
    assert bench.kinds == ["frame"]


def test_states_that_stop_while_the_rig_moves() -> None:
    bench = Bench()
    with bench.dog.motion():
        bench.controller = False
        bench.run(0.48)
        assert bench.trips == []
        bench.run(0.1)
    assert bench.kinds == ["state"]
    assert "(watchdog.state: 0.5 s)" in bench.trips[0][1]


def test_silence_at_rest_does_not_count() -> None:
    bench = Bench()
    bench.run(1.0)
    bench.camera = bench.controller = False
    bench.run(20.0)
    with bench.dog.motion():  # counts from here
        bench.run(0.4)
    bench.run(20.0)
    assert bench.trips == []
    with bench.dog.motion():
        bench.run(1.1)
    assert bench.kinds == ["state", "frame"]


def test_frames_that_come_late_are_stale() -> None:
    bench = Bench()
    bench.late = 1.5
    with bench.dog.motion():
        bench.run(0.9)
        assert bench.trips == []
        bench.run(0.2)
    assert bench.kinds == ["frame"]


def test_stamps_of_the_future_hide_no_silence() -> None:
    bench = Bench()
    bench.late = -60.0
    with bench.dog.motion():
        bench.run(2.0)
        assert bench.trips == []
        bench.camera = False
        bench.run(1.1)
    assert bench.kinds == ["frame"]


def test_a_controller_that_cannot_be_asked_is_silent() -> None:
    def lost() -> int:
        raise HardwareError("not connected; connect first")

    trips: list[tuple[str, str]] = []
    times = [0.0]
    dog = Watchdog(
        RULES,
        lambda kind, sentence: trips.append((kind, sentence)),
        frame_stamp=lambda: round(times[0] * 1e9),
        state_stamp=lost,
        now=lambda: round(times[0] * 1e9),
        monotonic=lambda: times[0],
    )
    dog.check()
    with dog.motion():
        times[0] = 0.3
        dog.check()
        assert trips == []
        times[0] = 0.6
        dog.check()
    assert [kind for kind, _ in trips] == ["state"]
    assert trips[0][1].endswith(": not connected; connect first")


def test_the_first_heartbeat_of_an_episode_arms_it() -> None:
    bench = Bench(WatchdogRules(command=0.0))
    bench.dog.heartbeat()  # before the episode
    bench.run(5.0)
    bench.dog.begin()
    bench.run(5.0)
    assert bench.trips == []
    with bench.dog.motion():
        bench.run(5.0)
    bench.dog.heartbeat()
    bench.run(5.0)  # at rest nobody has to be heard
    with bench.dog.motion():
        bench.run(0.98)
        assert bench.trips == []
        bench.run(5.0)
    assert bench.trips == [
        ("heartbeat", "no heartbeat came for 1.02 s (watchdog.heartbeat: 1 s); whoever commands is gone")
    ]


def test_heartbeats_of_another_episode_do_not_count() -> None:
    bench = Bench(WatchdogRules(command=0.0))
    bench.dog.begin()
    bench.dog.heartbeat()
    bench.dog.begin()
    bench.run(5.0)
    bench.dog.heartbeat()
    bench.dog.end()
    with bench.dog.motion():
        bench.run(5.0)
    assert bench.trips == []


def test_commands_that_stop() -> None:
    bench = Bench()
    bench.dog.begin()
    bench.run(2.9)
    bench.dog.command()
    bench.run(2.9)
    with bench.dog.motion():  # nobody can command while one is carried out
        bench.run(10.0)
    bench.run(2.9)
    assert bench.trips == []
    bench.run(0.2)
    assert bench.kinds == ["command"]
    assert "(watchdog.command: 3 s)" in bench.trips[0][1]


@pytest.mark.parametrize("jump", [0.2, -0.2, 3600.0, -1e6])
def test_a_clock_that_jumps(jump: float) -> None:
    bench = Bench()
    bench.run(1.0)
    bench.jumped += jump
    bench.run(3.0)
    assert bench.kinds == ["clock"]
    assert bench.trips[0][1].startswith(f"the clock jumped by {jump:+.3f} s (watchdog.clock_jump: 0.1 s)")


def test_a_clock_that_jumps_in_small_steps_within_a_second() -> None:
    bench = Bench()

    def drift() -> None:
        bench.jumped += 0.15 * STEP

    bench.run(5.0, drift)
    assert bench.kinds == ["clock"]


def test_a_clock_that_is_slewed_is_no_jump() -> None:
    bench = Bench()

    def drift() -> None:
        bench.jumped += 0.0005 * STEP

    bench.run(300.0, drift)
    bench.monotonic += 30.0  # nobody looked for a while
    bench.run(1.0)
    assert bench.trips == []


def test_a_jump_while_nobody_looked() -> None:
    bench = Bench()
    bench.run(1.0)
    bench.monotonic += 10.0
    bench.jumped += 5.0
    bench.run(STEP)
    assert bench.kinds == ["clock"]


def test_to_be_held_up_between_two_clocks_is_no_jump() -> None:
    trips: list[str] = []
    times, delay = [0.0], [0.0]

    def now() -> int:
        stamp = round(times[0] * 1e9)
        times[0] += delay[0]
        return stamp

    dog = Watchdog(
        RULES,
        lambda kind, sentence: trips.append(kind),
        frame_stamp=lambda: 0,
        state_stamp=lambda: 0,
        now=now,
        monotonic=lambda: times[0],
    )
    for delay[0] in (0.0, 0.5, 0.0, 0.3, 0.0):
        times[0] += STEP
        dog.check()
    assert trips == []


def test_rearmed_it_stops_again() -> None:
    bench = Bench(WatchdogRules(command=0.0))
    bench.dog.begin()
    bench.dog.heartbeat()
    with bench.dog.motion():
        bench.run(1.1)
        assert bench.kinds == ["heartbeat"]
        bench.dog.rearm()
        bench.run(0.98)
        assert bench.kinds == ["heartbeat"]
        bench.run(1.0)
    assert bench.kinds == ["heartbeat", "heartbeat"]
    bench.jumped = 9.0
    bench.run(1.0)
    bench.dog.rearm()
    bench.run(0.5)
    assert bench.kinds == ["heartbeat", "heartbeat", "clock"]
    bench.jumped = 0.0
    bench.run(0.1)
    assert bench.kinds[3:] == ["clock"]


def test_zero_turns_a_rule_off() -> None:
    bench = Bench(WatchdogRules(0.0, 0.0, 0.0, 0.0, 0.0))
    bench.dog.begin()
    bench.dog.heartbeat()
    bench.camera = bench.controller = False
    with bench.dog.motion():
        bench.run(10.0)
    bench.jumped = 50.0
    bench.run(10.0)
    assert bench.trips == []


def test_one_silence_does_not_hide_another() -> None:
    bench = Bench()
    bench.dog.begin()
    bench.dog.heartbeat()
    bench.camera = bench.controller = False
    with bench.dog.motion():
        bench.run(3.0)
    assert sorted(bench.kinds) == ["frame", "heartbeat", "state"]


def heard(trips: list, count: int = 1, within: float = 5.0) -> None:
    ends = time.monotonic() + within
    while len(trips) < count and time.monotonic() < ends:
        time.sleep(0.005)


def watching(trips: list, frame_stamp: Callable[[], int] = time.time_ns) -> Watchdog:
    rules = WatchdogRules(frame=0.2, heartbeat=0.2, command=0.0, state=0.0, clock_jump=5.0)
    return Watchdog(
        rules,
        lambda kind, sentence: trips.append((kind, time.monotonic())),
        frame_stamp=frame_stamp,
        state_stamp=time.time_ns,
    )


def test_the_thread_hears_a_silence_and_ends_with_the_watchdog() -> None:
    trips: list[tuple[str, float]] = []
    with watching(trips) as dog:
        dog.start()  # once is enough
        assert dog.awake
        assert [thread.name for thread in threading.enumerate()].count("watchdog") == 1
        dog.begin()
        begun = time.monotonic()
        dog.heartbeat()
        with dog.motion():
            heard(trips)
        assert [kind for kind, _ in trips] == ["heartbeat"]
        assert 0.2 <= trips[0][1] - begun < 2.0
        time.sleep(0.1)
        assert len(trips) == 1
    assert not dog.awake
    assert "watchdog" not in [thread.name for thread in threading.enumerate()]
    dog.close()


def test_a_stop_may_close_the_watchdog() -> None:
    trips: list[str] = []

    def stop(kind: str, sentence: str) -> None:
        trips.append(kind)
        dog.close()

    dog = Watchdog(RULES, stop, frame_stamp=lambda: 0, state_stamp=lambda: 0, now=lambda: 0)  # a clock that stands
    dog.start()
    heard(trips)
    dog.close()
    assert trips == ["clock"]
    assert not dog.awake


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_watchdog_that_fails_stops_the_rig() -> None:
    def broken() -> int:
        raise ValueError("a bug")

    trips: list[tuple[str, float]] = []
    dog = watching(trips, broken)
    dog.start()
    with dog.motion():
        heard(trips)
    assert [kind for kind, _ in trips] == ["watchdog"]
    dog.close()
    assert not dog.awake
