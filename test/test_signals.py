"""Signals that come at any moment of a wait end it."""

from __future__ import annotations

import subprocess
import sys
import threading

from vantage.signals import Stop

AT_EVERY_CALL = """
import signal, sys
from vantage.signals import noted

for number in range(12):  # the signal comes at the first, the second ... call within the wait
    with noted() as stop:
        calls = 0

        def tell(frame, event, arg):
            global calls
            if event in ("call", "c_call"):
                calls += 1
                if calls > number:
                    sys.setprofile(None)
                    signal.raise_signal(signal.SIGTERM)

        sys.setprofile(tell)
        stop.wait(0.01)
        sys.setprofile(None)
        assert stop.is_set() or calls <= number
print("ended")
"""


def test_a_signal_amid_a_wait_is_no_deadlock() -> None:
    done = subprocess.run([sys.executable, "-c", AT_EVERY_CALL], capture_output=True, text=True, timeout=60)
    assert done.stdout == "ended\n", done.stderr


def test_a_stop_wakes_all_who_wait_for_it() -> None:
    stop, woken = Stop(), []
    assert not stop.wait(0.001)
    waiting = [threading.Thread(target=lambda: woken.append(stop.wait(60.0)), daemon=True) for _ in range(3)]
    for thread in waiting:
        thread.start()
    stop.set()
    for thread in waiting:
        thread.join(30.0)
    assert woken == [True, True, True]
    assert stop.wait()
