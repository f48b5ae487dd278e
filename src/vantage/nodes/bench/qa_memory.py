"""A day of views through what the QA node keeps, in a process of its own: ``python -m vantage.nodes.bench.qa_memory``.

Time is sped up, nothing else is: each view goes through the node's ``ObservedViews``, which leaves out what does not
change, into the memory. The robot walks for 20 s and stands for 100 s, its camera gives 5 frames a second of which
every so many-th is shown, its pose is never twice the same, and people keep asking.
"""

from __future__ import annotations

import gc
import json
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vantage.bench import make_engine, resident_mb
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.nodes.qa import ObservedViews, ViewFilter
from vantage.types import Observation

BOUND_MB = 1024.0  # of the whole process at the end of the day
RATE = 5.0  # frames a second
WALK, STAND = 20.0, 100.0  # s
_JITTER = 0.01  # m by which poses that should be the same differ
ASK_EVERY = 100  # frames
_MARKS = 12
_DEADLINE = 6 * 3600.0  # s of the whole day
_END = 60.0  # s for the process to go
_SEED = 1


def bench_day(
    settings: Settings,
    views: list[Observation],
    texts: list[str],
    hours: float,
    sample: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Resident memory of a process that watches for so long, at marks, from before the first view on.

    Args:
        sample: of so many frames, one is shown.

    Raises:
        VantageError: the process failed, or was not done in time.
    """
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        job = Path(folder) / "day.pickle"
        job.write_bytes(pickle.dumps((settings, views, texts, hours, sample)))
        command = [sys.executable, "-m", "vantage.nodes.bench.qa_memory", str(job)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            marks = []
            watchdog = threading.Timer(_DEADLINE, process.kill)
            watchdog.start()
            try:
                for line in process.stdout:
                    marks.append(json.loads(line))
                    say(f"{marks[-1]['hours']:.1f} h: {marks[-1]['rss_mb']:.0f} MB, {marks[-1]['views']} views")
                status = process.wait(_END)
            finally:
                watchdog.cancel()
                process.kill()
    if status != 0 or len(marks) < 2:
        raise VantageError(f"the process that watched for a day ended with status {status}; run it again")
    last = marks[-1]
    return {
        **{key: last[key] for key in ("hours", "frames", "views", "asked", "objects")},
        "before_mb": marks[0]["rss_mb"],
        "after_mb": last["rss_mb"],
        "sampled": sample,
        "grown_mb": round(last["rss_mb"] - marks[0]["rss_mb"], 1),
        "grown_in_second_half_mb": round(last["rss_mb"] - marks[len(marks) // 2]["rss_mb"], 1),
        "most_mb": max(mark["rss_mb"] for mark in marks),
        "marks": marks,
        "bound_mb": BOUND_MB,
        "met": max(mark["rss_mb"] for mark in marks) <= BOUND_MB,
    }


def watch(
    settings: Settings, views: list[Observation], texts: list[str], hours: float, sample: int = 1
) -> Iterator[dict[str, Any]]:
    """Marks over the day: resident MB, frames that came, views that were looked at, questions, objects in memory."""
    clock = [0.0]
    observed = ObservedViews(make_engine(settings), lambda *told: None)
    observed.view_filter = ViewFilter(lambda: clock[0])
    engine = observed.engine
    frames, asked = max(1, round(hours * 3600 * RATE / sample)), 0
    marked = {round(frames * k / _MARKS) for k in range(_MARKS + 1)}

    def mark(frame: int) -> dict[str, Any]:
        gc.collect()
        return {
            "hours": round(frame * sample / RATE / 3600, 3),
            "rss_mb": round(resident_mb(), 1),
            "frames": frame,
            "views": observed.views,
            "asked": asked,
            "objects": len(engine.memory.objects),
        }

    yield mark(0)
    for number, view in enumerate(_stream(views, frames, sample), start=1):
        clock[0] += sample / RATE
        observed.observe(view)
        if number % ASK_EVERY == 0:
            text = texts[asked % len(texts)] if asked % 2 else f"Is there a thing number {asked}?"
            observed.ask("", f"q{asked}", text)
            asked += 1
        if number in marked:
            yield mark(number)


def _stream(views: list[Observation], frames: int, sample: int) -> Iterator[Observation]:
    rng = np.random.default_rng(_SEED)
    stamp, at, pose = views[0].stamp, 0, views[0].viewpoint
    for number in range(frames):
        stamp += round(1e9 * sample / RATE)
        if number * sample / RATE % (WALK + STAND) < WALK:
            at = int(rng.integers(len(views)))
            dx, dy, dz = rng.normal(0.0, _JITTER, 3)
            there = views[at].viewpoint
            pose = replace(there, x=there.x + dx, y=there.y + dy, z=there.z + dz)
        yield replace(views[at], stamp=stamp, viewpoint=pose)


def main(path: str) -> None:
    settings, views, texts, hours, sample = pickle.loads(Path(path).read_bytes())
    for mark in watch(settings, views, texts, hours, sample):
        print(json.dumps(mark), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
