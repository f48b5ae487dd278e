"""Faults of controller and camera amid the motions of an emulated rig: hangs, silence, and what the bag records."""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vantage.bench.rig_stops import HANG, Bench, Progress, attempt, until
from vantage.config import Settings
from vantage.errors import EpisodeError, WorldError
from vantage.recording import DIAGNOSTICS, BagWriter, Codec, EventPublisher, RosbagsFactory, WorldPublisher, read_bag
from vantage.types import StepResult
from vantage.workers import WorkerPool
from vantage.worlds.rig.cameras import FAULTS as CAMERA_FAULTS

_LOOK = 1.0  # s between two looks at how far the processes are
_TRIES = 3  # to clear a stop and go on, as a person would


@dataclass
class FaultCount:
    """What became of injected faults.

    Attributes:
        outcomes: of the commands, by the kind of fault.
        hangs: kinds after which a command did not come back.
        silent: kinds of which no event told.
        unmended: kinds after which the rig did not go on, and its trouble in words.
        events, recorded: told by the worlds, and found in their bags.
    """

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    hangs: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    unmended: list[str] = field(default_factory=list)
    events: int = 0
    recorded: int = 0

    def add(self, other: FaultCount) -> None:
        for kind, counter in other.outcomes.items():
            self.outcomes.setdefault(kind, Counter()).update(counter)
        for name in ("hangs", "silent", "unmended"):
            getattr(self, name).extend(getattr(other, name))
        self.events, self.recorded = self.events + other.events, self.recorded + other.recorded


def bench_faults(settings: Settings, faults: int, workers: int, out: Path, tell: Progress) -> dict[str, Any]:
    """Inject faults in turn, each amid a motion, on so many rigs at the same time, each in a process of its own."""
    total = FaultCount()
    shares = [faults // workers + (k < faults % workers) for k in range(workers)]
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as scratch, WorkerPool(workers) as pool:
        done = [Path(scratch) / str(worker) for worker in range(workers)]
        for file in done:
            file.touch()
        left = {pool.submit(_inject_all, settings, shares[k], out, k, done[k]) for k in range(workers)}
        while left:
            ended, left = wait(left, timeout=_LOOK)
            for future in ended:
                total.add(future.result())
            tell(min(1.0, sum(file.stat().st_size for file in done) / faults))
    return {
        "faults": sum(sum(counter.values()) for counter in total.outcomes.values()),
        "rigs": workers,
        "hangs": dict(Counter(total.hangs)),
        "silent": dict(Counter(total.silent)),
        "not_mended": total.unmended,
        "events": total.events,
        "events_in_bag": total.recorded,
        "outcomes": {kind: dict(counter) for kind, counter in total.outcomes.items()},
    }


def _inject_all(settings: Settings, faults: int, out: Path, worker: int, done: Path) -> FaultCount:
    """The share of one worker, which adds a byte to the file ``done`` for each fault that it has injected."""
    count, name = FaultCount(), f"faults-{worker}"
    with Bench(settings) as bench, BagWriter(out, name) as bag, done.open("ab", buffering=0) as counter:
        codec = Codec(RosbagsFactory())
        publisher = WorldPublisher(codec, bag.write, lambda topic: not topic.optional)
        events = EventPublisher(codec, bag.write, bench.rig.world)
        kinds = [*bench.rig.emulator.faults, *CAMERA_FAULTS] if bench.rig.emulator is not None else []
        for number in range(faults):
            kind = kinds[(number + 5 * worker) % len(kinds)]
            result = _one(bench, kind, count)
            if isinstance(result, StepResult):
                publisher.observed(result.observation)
                publisher.concluded(result)
            events.tell()
            counter.write(b".")
            if count.hangs or count.unmended:
                break
        events.tell()
        count.events = _newest(bench)
        bag.finish(name)
    count.recorded = sum(len(message.status) for _, _, message in read_bag(out / name, (DIAGNOSTICS,)))
    return count


def _one(bench: Bench, kind: str, count: FaultCount) -> StepResult | WorldError | None:
    """A motion with a fault in it, and the way back to work; None where the command hangs."""
    breaks: Any = bench.rig.camera if kind in CAMERA_FAULTS else bench.rig.emulator
    before = _newest(bench)
    results: list[StepResult | WorldError] = []
    mover = threading.Thread(target=attempt, args=(bench, bench.far(), results), daemon=True)
    mover.start()
    until(lambda: bench.rig.driver.state().moving or bool(results), 5.0)
    time.sleep(float(bench.draw.uniform(0.0, 0.2)))
    breaks.inject(kind)
    mover.join(HANG)
    breaks.mend()
    if not results:
        count.hangs.append(kind)
        return None
    result = results[0]
    name = result.status.name if isinstance(result, StepResult) else "NO PICTURE"
    count.outcomes.setdefault(kind, Counter())[name] += 1
    if not bench.rig.world.events(before):
        count.silent.append(kind)
    if not _mended(bench):
        count.unmended.append(f"{kind}: {bench.rig.world.trouble}")
    return result


def _mended(bench: Bench) -> bool:
    """Clear the stop, home where that is due, and begin anew."""
    for _ in range(_TRIES):
        try:
            bench.rig.world.clear_stop()
            if not bench.rig.driver.state().homed:
                bench.rig.machine.home()
            bench.begin()
        except (EpisodeError, WorldError):
            continue
        return True
    return False


def _newest(bench: Bench) -> int:
    events = bench.rig.world.events(0)
    return events[-1].number if events else 0
