"""Times of frames: cases drawn in turn, round by round, and the cost that follows from them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vantage.bench.stopwatch import Times
from vantage.bench.trained_room import lens, orbit
from vantage.spatial import Matrix
from vantage.splats import GaussianCloud
from vantage.splats.rendering import Renderer


@dataclass(frozen=True)
class Case:
    """A picture to be timed, with the times that it should stay below, ms (0 for none)."""

    count: int
    degree: int
    width: int
    height: int
    bound_ms: float = 0.0
    goal_ms: float = 0.0

    @property
    def name(self) -> str:
        count = f"{self.count // 1000}k" if self.count < 1_000_000 else f"{self.count / 1e6:g}M"
        return f"{count if self.count >= 1000 else self.count}, SH {self.degree}, {self.width} x {self.height}"


Clouds = Mapping[tuple[int, int], GaussianCloud]
"""By number of Gaussians and degree."""


def round_of(draw: Callable[[Matrix], object], poses: Sequence[Matrix]) -> list[float]:
    """Times of drawing every pose once, ms; one picture before them brings the caches back."""
    draw(poses[-1])
    found = []
    for pose in poses:
        started = time.perf_counter()
        draw(pose)
        found.append(1e3 * (time.perf_counter() - started))
    return found


def time_cases(
    renderer: Renderer, clouds: Clouds, rounds: Mapping[Case, int], between: Callable[[], None] | None = None
) -> dict[Case, Times]:
    """Times of the cases, each drawn in so many rounds of the orbit, all cases in turn.

    Cases that take turns meet the same disturbances of a busy machine. ``between`` runs once in every turn.
    """
    found: dict[Case, list[float]] = {case: [] for case in rounds}
    poses = orbit()
    for case in rounds:
        renderer.prepare(clouds[case.count, case.degree])
    for turn in range(max(rounds.values())):
        for case, times in found.items():
            if turn < rounds[case]:
                cloud, camera = clouds[case.count, case.degree], lens(case.width, case.height)
                times += round_of(lambda pose: renderer.render(cloud, pose, camera), poses)  # noqa: B023
        if between is not None:
            between()
    return {case: Times(case.name, tuple(times)) for case, times in found.items()}


def fit_cost(times: Mapping[Case, Times]) -> dict[str, Any]:
    """Least squares of ``ms = fixed + per_gaussian * N + per_pixel * pixels`` through the medians."""
    sizes = np.array([[1.0, case.count, case.width * case.height] for case in times])
    medians = np.array([found.median_ms for found in times.values()])
    (fixed, per_gaussian, per_pixel), *_ = np.linalg.lstsq(sizes, medians, rcond=None)
    misses = sizes @ np.array([fixed, per_gaussian, per_pixel]) - medians
    return {
        "cases": len(medians),
        "fixed_ms": round(float(fixed), 4),
        "ns_per_gaussian": round(1e6 * float(per_gaussian), 4),
        "ns_per_pixel": round(1e6 * float(per_pixel), 4),
        "residual_rms_ms": round(float(np.sqrt(np.mean(misses**2))), 4),
        "residual_max_share": round(float(np.max(np.abs(misses) / medians)), 4),
    }
