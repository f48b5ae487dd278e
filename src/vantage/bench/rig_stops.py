"""How fast and how surely a rig stops, on an emulated controller: delays, limits, accuracy and injected faults."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.decoding import Section
from vantage.errors import VantageError, WorldError
from vantage.spatial import Matrix, Viewpoint
from vantage.types import Command, Episode, Phase, Question, Status, StepResult
from vantage.workers import ending_with_this_process
from vantage.worlds.rig import Assembly, RigDescription, SafetyRules, assemble, load_rig, rig_file
from vantage.worlds.rig.kinematics import PRISMATIC, inverse

Progress = Callable[[float], None]  # called with the share that is done, 0..1

_TRAVEL = 0.4  # m of each slide: what a bench needs, so that homing takes seconds
_SOURCE = "bench"
_CLOCKS = 2.0  # ms that the two marks may be read apart
HANG = 30.0  # s after which a command that has not come back counts as hung


def bench_description() -> RigDescription:
    """The rig of ``config/rig.yaml`` with short slides, nothing around it and a cheap camera."""
    rig = load_rig(rig_file(""))
    joints = tuple(
        replace(joint, lower=0.01, upper=0.01 + _TRAVEL) if joint.kind == PRISMATIC else joint
        for joint in rig.chain.joints
    )
    camera = Section({"name": "mock"}, "bench: camera", rig.path.parent)
    return replace(
        rig,
        chain=replace(rig.chain, joints=joints),
        camera=camera,
        camera_name="mock",
        safety=SafetyRules(),
        look=replace(rig.look, settle=0.05, sharpness=0.0, timeout=1.0, retries=2),
        motion_timeout=20.0,
    )


class Bench:
    """A connected rig with an episode on, and commands that are numbered by themselves."""

    def __init__(self, settings: Settings, mode: str = "emulated") -> None:
        settings = replace(
            settings,
            rig=replace(settings.rig, mode=mode),
            limits=replace(settings.limits, max_translation=10.0, max_rotation=6.3),
        )
        self.rig: Assembly = assemble(settings, bench_description())
        self.chain = self.rig.description.chain
        self.draw = np.random.default_rng(0)
        self._sequence = 0

    def __enter__(self) -> Bench:
        self.rig.world.connect()
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.rig.world.close()

    def begin(self) -> None:
        """An episode from the middle of the rig's space."""
        start = self.chain.viewpoint(0.5 * (self.chain.lower + self.chain.upper))
        question = Question("q1", "Look around.", Phase.EXPLORE.value)
        self.rig.world.reset(Episode(_SOURCE, "", "", start, (question,), 10**9), 0)
        self._sequence = 0

    def send(self, target: Viewpoint) -> StepResult:
        self._sequence += 1
        return self.rig.world.step(self.command(target))

    def command(self, target: Viewpoint) -> Command:
        return Command(target, "", None, _SOURCE, _SOURCE, self._sequence)

    def anywhere(self) -> Viewpoint:
        """A viewpoint within reach, with the pitch that the settings allow."""
        limits = self.rig.world.info.limits
        q = self.draw.uniform(self.chain.lower, self.chain.upper)
        seen = self.chain.viewpoint(q)
        return replace(seen, pitch=min(max(seen.pitch, limits.pitch_min), limits.pitch_max))

    def far(self) -> Viewpoint:
        """A viewpoint to which the way is long."""
        q = self.rig.driver.state().positions
        middle = 0.5 * (self.chain.lower + self.chain.upper)
        target = np.where(q > middle, self.chain.lower + 0.02, self.chain.upper - 0.02)
        target[3:] = self.draw.uniform(-0.5, 0.5, len(target) - 3)
        return self.chain.viewpoint(target)


@contextmanager
def under_load(processes: int) -> Iterator[None]:
    """So many processes keep the machine busy while the block runs."""
    command = ending_with_this_process([sys.executable, "-c", "while True: pass"])
    busy = [subprocess.Popen(command) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait(HANG)


def bench_stop(settings: Settings, trials: int, load: int, tell: Progress) -> dict[str, Any]:
    """From a stop request to the feed hold at the controller, and to rest, ms, against the bare serial line."""
    holds, rests, late = [], [], 0
    with under_load(load), Bench(settings) as bench:
        bare = _bare_line(bench, min(trials, 200))
        emulator: Any = bench.rig.emulator
        for trial in range(trials):
            results: list[StepResult | WorldError] = []
            mover = threading.Thread(target=attempt, args=(bench, bench.far(), results), daemon=True)
            mover.start()
            until(lambda: bench.rig.driver.state().moving, 5.0)
            time.sleep(float(bench.draw.uniform(0.05, 0.3)))
            asked = time.monotonic()
            bench.rig.world.stop("bench")
            mover.join(HANG)
            got = [at for at in emulator.received(b"!") if at >= asked]
            rest = [at for at in emulator.rest_times if at >= asked]
            if got and results and not rest and not np.any(emulator.velocities):
                rest = [got[0]]  # the stop came before the motion had begun
            if not got or not rest or not results:
                raise WorldError(
                    f"trial {trial}: {len(got)} feed holds reached the controller, {len(rest)} motions came to rest "
                    f"and the command gave {told(results)}"
                )
            holds.append(1e3 * (got[0] - asked))
            rests.append(1e3 * (rest[0] - got[0]))
            late += rests[-1] > 1e3 * _braking(bench) + _CLOCKS
            bench.rig.world.clear_stop()
            tell((trial + 1) / trials)
    return {
        "trials": trials,
        "busy_processes": load,
        "hold": _figures(holds),
        "rest": _figures(rests),
        "allowed_rest_ms": round(1e3 * _braking(bench), 1),
        "at_rest_too_late": late,
        "longest_queue_ms": round(1e3 * emulator.longest_queue, 1),
        "reference": {"name": "a byte on the bare serial line", **_figures(bare)},
    }


def _braking(bench: Bench) -> float:
    """s within which every joint can brake from its highest speed."""
    return max(joint.speed / joint.acceleration for joint in bench.chain.joints)


def _bare_line(bench: Bench, trials: int) -> list[float]:
    """ms until a status request that nobody else sends reaches the controller, through a terminal of our own."""
    import os

    from vantage.worlds.rig.emulators.grbl import make_grbl_emulator

    emulator = make_grbl_emulator(bench.rig.description)
    emulator.start()
    line = os.open(str(emulator.overrides["port"]), os.O_RDWR | os.O_NOCTTY)
    times = []
    try:
        for _ in range(trials):
            asked = time.monotonic()
            os.write(line, b"!")
            until(lambda: any(at >= asked for at in emulator.received(b"!")), 5.0)  # noqa: B023
            times.append(1e3 * (next(at for at in emulator.received(b"!") if at >= asked) - asked))
    finally:
        os.close(line)
        emulator.close()
    return times


def bench_accuracy(settings: Settings, moves: int, tell: Progress) -> dict[str, Any]:
    """Steps by which the emulated motors miss where they were sent."""
    worst = 0.0
    with Bench(settings) as bench:
        emulator: Any = bench.rig.emulator
        for move in range(moves):
            target, before = bench.anywhere(), bench.rig.driver.state().positions
            wanted = inverse.solve(bench.chain, target, before)
            result = bench.send(target)
            if result.status != Status.DONE:
                raise WorldError(f"a move was not done: {result.reason}")
            worst = max(worst, float(np.max(np.abs(emulator.positions() - wanted) / bench.chain.resolution)))
            tell((move + 1) / moves)
    return {"moves": moves, "worst_steps": round(worst, 3)}


def bench_kinematics(postures: int) -> dict[str, Any]:
    """m or rad by which inverse and forward kinematics disagree, and the time of one inverse."""
    chain, draw = load_rig(rig_file("")).chain, np.random.default_rng(0)
    worst, seconds = 0.0, 0.0
    for _ in range(postures):
        seen = chain.viewpoint(draw.uniform(chain.lower, chain.upper))
        near = draw.uniform(chain.lower, chain.upper)
        begun = time.perf_counter()
        q = inverse.solve(chain, seen, near)
        seconds += time.perf_counter() - begun
        worst = max(worst, _apart(chain.T_world_camera(q), seen))
    return {"postures": postures, "worst": worst, "inverse_ms": round(1e3 * seconds / postures, 4)}


def _apart(T_world_camera: Matrix, seen: Viewpoint) -> float:
    axis = T_world_camera[:3, 0] - seen.rotation()[:, 0]
    return float(max(np.linalg.norm(T_world_camera[:3, 3] - seen.position), np.linalg.norm(axis)))


def told(results: list[StepResult | WorldError]) -> str:
    if not results:
        return "nothing"
    result = results[0]
    return f"{result.status.name} {result.reason}" if isinstance(result, StepResult) else str(result)


def attempt(bench: Bench, target: Viewpoint, results: list[StepResult | WorldError]) -> None:
    try:
        results.append(bench.send(target))
    except WorldError as error:
        results.append(error)


def until(condition: Callable[[], bool], timeout: float) -> None:
    ends = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > ends:
            raise VantageError(f"the bench waited {timeout:.0f} s for the emulated rig in vain; run it again")
        time.sleep(0.001)


def _figures(milliseconds: list[float]) -> dict[str, float]:
    values = np.array(milliseconds)
    return {
        "median_ms": round(float(np.median(values)), 3),
        "p95_ms": round(float(np.percentile(values, 95)), 3),
        "p99_ms": round(float(np.percentile(values, 99)), 3),
        "worst_ms": round(float(values.max()), 3),
    }
