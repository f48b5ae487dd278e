"""What ``vantage bench render`` measures in processes of its own: ``python -m vantage.bench.render_child JOB ...``.

Each job prints one JSON object on a line; ``serve`` prints one more for every line it reads.
"""

from __future__ import annotations

import time

_BEGUN = time.monotonic()

import json  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402


def main(words: list[str]) -> None:
    """``JOB CLOUD WIDTH HEIGHT THREADS`` and, for ``first``, the time on the monotonic clock at which it was asked."""
    job, path, *numbers = words
    width, height, threads = (int(number) for number in numbers[:3])
    if job == "first":
        _say(first_frame(float(numbers[3]), Path(path), width, height, threads))
    elif job in ("memory", "memory-around"):
        _say(memory(Path(path), width, height, threads, around=job != "memory"))
    else:
        serve(Path(path), width, height, threads)


def first_frame(asked: float, path: Path, width: int, height: int, threads: int) -> dict[str, float]:
    """Milliseconds from the wish for a picture to the picture, and of what it is made up."""
    from vantage.bench.trained_room import lens, orbit
    from vantage.splats.formats import load_cloud
    from vantage.splats.rendering import CpuRenderer

    imported = time.monotonic()
    cloud = load_cloud(path)
    loaded = time.monotonic()
    renderer = CpuRenderer(threads)
    renderer.prepare(cloud)
    prepared = time.monotonic()
    renderer.render(cloud, orbit()[0], lens(width, height))
    drawn = time.monotonic()
    marks = {
        "interpreter_ms": (asked, _BEGUN),
        "import_ms": (_BEGUN, imported),
        "load_ms": (imported, loaded),
        "prepare_ms": (loaded, prepared),
        "render_ms": (prepared, drawn),
        "total_ms": (asked, drawn),
    }
    return {name: 1e3 * (end - start) for name, (start, end) in marks.items()}


def memory(path: Path, width: int, height: int, threads: int, around: bool = False) -> dict[str, int | None]:
    """Bytes of a cloud, of what the renderer keeps for it, and by how much the process grew at most while drawing.

    The last is None where the system does not tell. The camera stands in the room of the bench or, with ``around``,
    outside of what the cloud shows, so that nearly all of it is in view.
    """
    from vantage.bench.trained_room import lens, orbit, ring_around, trained_room
    from vantage.splats.formats import load_cloud
    from vantage.splats.rendering import CpuRenderer

    renderer = CpuRenderer(threads)
    renderer.render(trained_room(64), orbit()[0], lens(32, 32))  # loads the kernels
    cloud = load_cloud(path)
    arrays = (cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances)
    poses = ring_around(cloud) if around else orbit()
    before = _resident()
    for pose in poses:
        renderer.render(cloud, pose, lens(width, height))
    return {
        "cloud_bytes": sum(array.nbytes for array in arrays),
        "kept_bytes": renderer.memory_bytes(cloud),
        "peak_growth_bytes": None if before is None else max(0, _status("VmHWM") - before),
    }


def serve(path: Path, width: int, height: int, threads: int) -> None:
    """Prepare, say so, and then draw one round of the orbit for every line read; each answer holds milliseconds."""
    from vantage.bench.frame_times import round_of
    from vantage.bench.trained_room import lens, orbit
    from vantage.splats.formats import load_cloud
    from vantage.splats.rendering import CpuRenderer

    cloud, renderer, camera = load_cloud(path), CpuRenderer(threads), lens(width, height)
    renderer.render(cloud, orbit()[0], camera)
    _say({"ready": True})
    for _ in sys.stdin:
        _say({"milliseconds": round_of(lambda pose: renderer.render(cloud, pose, camera), orbit())})


def _resident() -> int | None:
    """Bytes in memory now, from which the peak starts anew; None where that cannot be had."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        return _status("VmRSS")
    except OSError:
        return None


def _status(key: str) -> int:
    """Bytes of this process as Linux counts them."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{key}:"):
            return 1024 * int(line.split()[1])
    return 0


def _say(data: dict[str, Any]) -> None:
    print(json.dumps(data), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
