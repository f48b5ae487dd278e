"""What the CPU renderer holds in memory for clouds of several kinds, each drawn in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vantage.bench.frames import Case, Clouds
from vantage.bench.render_processes import memory_of
from vantage.splats.formats.clouds import save_cloud


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
