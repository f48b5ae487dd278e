"""Times as figures: medians and 95th percentiles, and ratios to a reference measured in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Times:
    """Durations of one repeated job, ms."""

    name: str
    milliseconds: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        return float(np.median(self.milliseconds))

    @property
    def p95_ms(self) -> float:
        return float(np.percentile(self.milliseconds, 95))

    @property
    def max_ms(self) -> float:
        return max(self.milliseconds)

    def data(self, reference: Times | None = None) -> dict[str, float | str | int]:
        """The figures under their stable names; ``speedup`` is the reference's median over this one."""
        figures: dict[str, float | str | int] = {
            "name": self.name,
            "n": len(self.milliseconds),
            "median_ms": round(self.median_ms, 4),
            "p95_ms": round(self.p95_ms, 4),
            "max_ms": round(self.max_ms, 4),
        }
        if reference is not None:
            figures["reference"] = reference.name
            figures["reference_median_ms"] = round(reference.median_ms, 4)
            figures["speedup"] = round(reference.median_ms / self.median_ms, 3)
        return figures


def measure(name: str, job: Callable[[], object], repetitions: int, warm_up: int = 3) -> Times:
    """Time a job; the first ``warm_up`` calls do not count."""
    [times] = measure_in_turn({name: job}, repetitions, warm_up)
    return times


def measure_in_turn(jobs: Mapping[str, Callable[[], object]], repetitions: int, warm_up: int = 3) -> list[Times]:
    """Time several jobs, one call of each after the other, so that all meet the same load of the machine."""
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(warm_up + repetitions):
        for name, job in jobs.items():
            started = time.perf_counter()
            job()
            if number >= warm_up:
                found[name].append(1e3 * (time.perf_counter() - started))
    return [Times(name, tuple(times)) for name, times in found.items()]
