"""The processes of ``vantage bench render``, such as those in which the memory of the CPU renderer is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from vantage.bench.frame_times import Case, Clouds
from vantage.bench.stopwatch import Times
from vantage.errors import VantageError
from vantage.splats.formats import save_cloud

DEADLINE_S = 300.0  # of one answer; a first start compiles the kernels
AVX2 = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi,+bmi2,+f16c,+lzcnt,+popcnt"}


@dataclass(frozen=True)
class Child:
    """A process of ``render_child`` that answers with JSON, one line each."""

    job: str
    process: subprocess.Popen[str]
    errors: IO[bytes]

    def ask(self) -> dict[str, Any]:
        """Send a line and wait for the answer."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, of which reading its answer tells
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """Wait for the next line.

        Raises:
            VantageError: the process ended, or did not answer within ``DEADLINE_S``.
        """
        assert self.process.stdout is not None
        watchdog = threading.Timer(DEADLINE_S, self.process.kill)
        watchdog.start()
        try:
            line = self.process.stdout.readline()
        finally:
            watchdog.cancel()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            words = self.errors.read().decode(errors="replace").strip().splitlines() or ["it said nothing"]
            raise VantageError(
                f"the process that measures '{self.job}' ended with {self.process.returncode}: {words[-1]}"
            )
        found: dict[str, Any] = json.loads(line)
        return found


@contextmanager
def child(words: list[str], environ: Mapping[str, str] | None = None) -> Iterator[Child]:
    """A process of ``render_child``; it is ended on leaving the context."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "vantage.bench.render_child", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **(environ or {})},
            text=True,
        )
        try:
            yield Child(words[0], process, errors)
        finally:
            process.kill()
            process.communicate()


def first_frames(cloud: Path, size: tuple[int, int], threads: int, repetitions: int) -> dict[str, Any]:
    """Medians of what a first picture takes from the start of the process on; the first start fills the cache."""
    runs: list[dict[str, float]] = []
    for number in range(repetitions + 1):
        words = ["first", str(cloud), *map(str, size), str(threads), repr(time.monotonic())]
        with child(words) as started:
            answer = started.answer()
        if number > 0:
            runs.append(answer)
    figures = {name: Times(name, tuple(run[name] for run in runs)) for name in runs[0]}
    parts = {name: round(times.median_ms, 2) for name, times in figures.items() if name != "total_ms"}
    return {**figures["total_ms"].data(), "name": "first frame after the start of the process", **parts}


def memory_of(cloud: Path, size: tuple[int, int], threads: int, around: bool = False) -> dict[str, Any]:
    """Bytes as ``bench_child.memory`` counts them."""
    with child(["memory-around" if around else "memory", str(cloud), *map(str, size), str(threads)]) as started:
        return started.answer()


def captures() -> list[Path]:
    """Real captures in the folder that the environment names as VANTAGE_DATA; none where it names none."""
    folder = os.environ.get("VANTAGE_DATA", "")
    return sorted(Path(folder).glob("splats/*/*.splat")) if folder else []


def bench_memory(
    folder: Path, clouds: Clouds, cases: Sequence[Case], real: Sequence[Path], threads: int
) -> dict[str, Any]:
    """The figures of every case and capture under ``cases``, and above them those of the one that needs most.

    ``ratio`` is what is held from picture to picture, the cloud included, in sizes of the cloud; ``peak_ratio`` is the
    same by the growth of the process, and None where the system does not tell. Captures are drawn like ``cases[0]``.

    Args:
        folder: where the clouds are written before other processes read them.
    """
    found = []
    for case in cases:
        saved = folder / f"memory-{case.count}-{case.degree}.ply"
        save_cloud(clouds[case.count, case.degree], saved)
        found.append(_figure(case.name, memory_of(saved, (case.width, case.height), threads)))
        saved.unlink()
    size = (cases[0].width, cases[0].height)
    for path in real:
        name = f"capture {path.stem}, {size[0]} x {size[1]}"
        found.append(_figure(name, memory_of(path, size, threads, around=True)))
    return {**max(found, key=lambda figure: figure["ratio"]), "cases": found}


def _figure(name: str, found: dict[str, Any]) -> dict[str, Any]:
    size, grown = found["cloud_bytes"], found["peak_growth_bytes"]
    return {
        "name": name,
        **found,
        "ratio": round((size + found["kept_bytes"]) / size, 3),
        "peak_ratio": None if grown is None else round((size + grown) / size, 3),
    }
