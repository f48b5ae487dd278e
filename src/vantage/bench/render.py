"""What rendering costs: frames, first frame, memory, world steps, and against two named references in the same run."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from vantage.bench.frame_times import Case, Clouds, fit_cost, round_of, time_cases
from vantage.bench.render_processes import AVX2, bench_memory, captures, child, first_frames
from vantage.bench.step import bench_world
from vantage.bench.stopwatch import Times, measure
from vantage.bench.trained_room import lens, orbit, trained_room
from vantage.config import Settings
from vantage.splats.formats import save_cloud
from vantage.splats.rendering import (
    CpuRenderer,
    agreement,
    gpu_obstacle,
    instruction_set,
    missing_packages,
    plain_render,
    psnr,
)

Say = Callable[[str], None]

_USUAL = ("median_ms", "p95_ms")
NO_REFERENCE = "gsplat's torch reference was not measured: the extra gsplat is not installed (make setup WITH=gsplat)"
_COMPARED = ("name", "median_ms", "p95_ms", "reference", "reference_median_ms", "speedup")
_GPU_BATCHES = (1, 16)
_SQUARE = Case(200_000, 3, 512, 512, 1000 / 60)
_TINY = Case(3000, 3, 96, 64)


@dataclass(frozen=True)
class Plan:
    """What is measured; bounds of 0 are none.

    Attributes:
        cases: frames that are looked at one by one; the first is also drawn for AVX2 and from a cold start.
        fitted: further sizes for the fit of the cost.
        headline: the case that is compared with gsplat's reference.
        small: the case in which the slow references are compared and agreement is measured.
        held: the cases in which memory is measured, at the size of the first also real captures where there are any.
    """

    cases: tuple[Case, ...]
    fitted: tuple[Case, ...]
    headline: Case
    small: Case
    held: tuple[Case, ...]
    avx2_ratio: float = 0.0
    reference_speedup: float = 0.0
    first_frame_ms: float = 0.0
    memory_ratio: float = 0.0
    steps_per_s: float = 0.0


FULL = Plan(
    cases=(
        Case(200_000, 3, 640, 480, 16.0, 10.0),
        Case(1_000_000, 3, 640, 480, 36.0, 22.0),
        _SQUARE,
        Case(200_000, 0, 640, 480),
        Case(50_000, 3, 640, 480),
    ),
    fitted=tuple(Case(count, 3, *size) for count in (50_000, 200_000, 1_000_000) for size in ((320, 240), (800, 600))),
    headline=_SQUARE,
    small=Case(20_000, 3, 160, 120),
    held=(Case(200_000, 3, 640, 480), Case(200_000, 0, 640, 480)),
    avx2_ratio=1.5,
    reference_speedup=150.0,
    first_frame_ms=1000.0,
    memory_ratio=3.0,
    steps_per_s=45.0,
)


QUICK = Plan(
    cases=(_TINY, Case(6000, 3, 96, 64)),
    fitted=(Case(3000, 3, 128, 96), Case(6000, 3, 64, 48)),
    headline=_TINY,
    small=Case(1000, 3, 48, 36),
    held=(_TINY, Case(3000, 0, 96, 64)),
)


def bench_render(folder: Path, settings: Settings, plan: Plan, repetitions: int, say: Say) -> dict[str, Any]:
    """All figures, with ``bound`` and ``met`` where something is to be kept.

    Args:
        folder: an empty place for clouds and a scene.
        repetitions: frames per case, at least; they come in rounds of eight.
        say: is told what is being measured.
    """
    threads, main = settings.world.threads, plan.cases[0]
    rounds = max(1, -(-repetitions // len(orbit())))
    say("making clouds")
    wanted = {(case.count, case.degree) for case in (*plan.cases, *plan.fitted, *plan.held, plan.small, plan.headline)}
    clouds = {key: trained_room(*key) for key in wanted}
    saved = folder / "cloud.ply"
    save_cloud(clouds[main.count, main.degree], saved)
    data: dict[str, Any] = {
        "machine": {"cores": os.cpu_count(), "instructions": instruction_set(), "threads": threads},
        "renderer": "cpu",
    }
    with closing(CpuRenderer(threads)) as renderer:
        say(f"frames of {len(plan.cases) + len(plan.fitted)} cases in {rounds} rounds")
        data.update(_frames(renderer, clouds, plan, rounds, saved, threads))
        say("agreement and the plain renderer")
        data.update(_small(renderer, clouds, plan.small))
        say("gsplat's torch reference")
        data["against_gsplat"] = _torch_reference(renderer, clouds, plan)
    say("first frames, memory, world steps")
    first = first_frames(saved, (main.width, main.height), threads, min(5, rounds + 1))
    data["first_frame"] = _judged(first, "median_ms", plan.first_frame_ms)
    memory = bench_memory(folder, clouds, plan.held, captures(), threads)
    data["memory"] = _judged(memory, "ratio", plan.memory_ratio)
    size = (plan.headline.width, plan.headline.height)
    steps = bench_world(folder / "scene", clouds[main.count, main.degree], settings, size, 8 * rounds)
    data["world"] = _judged(steps, "steps_per_s", plan.steps_per_s, at_least=True)
    data["gpu"] = _gpu(clouds, plan, rounds)
    compared = data["against_plain" if "skipped" in data["against_gsplat"] else "against_gsplat"]
    data.update({key: compared[key] for key in _COMPARED})
    return data


def _judged(figures: dict[str, Any], key: str, bound: float, *, at_least: bool = False) -> dict[str, Any]:
    if not bound:
        return figures
    met = figures[key] >= bound if at_least else figures[key] <= bound
    return {**figures, "bound": round(bound, 3), "met": bool(met)}


def _frames(
    renderer: CpuRenderer, clouds: Clouds, plan: Plan, rounds: int, saved: Path, threads: int
) -> dict[str, Any]:
    """Every case, the fit through all of them, and the first case again in a process without AVX-512."""
    main = plan.cases[0]
    older: list[float] = []
    words = ["serve", str(saved), str(main.width), str(main.height), str(threads)]
    with child(words, AVX2) if instruction_set() == "AVX-512" else nullcontext() as process:
        if process is not None:
            process.answer()
        times = time_cases(
            renderer,
            clouds,
            {**dict.fromkeys(plan.cases, rounds), **dict.fromkeys(plan.fitted, max(1, rounds // 3))},
            None if process is None else lambda: older.extend(process.ask()["milliseconds"]),
        )
    figures = []
    for case in plan.cases:
        figure = {**times[case].data(), "frames_per_s": round(1000 / times[case].median_ms, 1)}
        figure = _judged(figure, "median_ms", case.bound_ms)
        figures.append({**figure, "goal": case.goal_ms} if case.goal_ms else figure)
    data: dict[str, Any] = {"frames": figures}
    if older:
        found = Times(f"{main.name}, AVX2", tuple(older))
        ratio = {**found.data(), "ratio": round(found.median_ms / times[main].median_ms, 3)}
        data["avx2"] = _judged(ratio, "ratio", plan.avx2_ratio)
    else:
        data["avx2"] = {"skipped": f"AVX2 was not compared: this machine has {instruction_set()}"}
    data["fit"] = fit_cost({case: found for case, found in times.items() if case.degree == main.degree})
    return data


def _small(renderer: CpuRenderer, clouds: Clouds, case: Case) -> dict[str, Any]:
    """Against the plain renderer, in time and in the picture; against gsplat's reference in the picture."""
    cloud, camera, pose = clouds[case.count, case.degree], lens(case.width, case.height), orbit()[0]
    slow = measure("plain NumPy renderer", lambda: plain_render(cloud, pose, camera), 3, warm_up=1)
    fast = Times(case.name, tuple(round_of(lambda pose: renderer.render(cloud, pose, camera), [pose] * 8)))
    view, linear = renderer.render(cloud, pose, camera), renderer.render_linear(cloud, pose, camera)
    references: dict[str, Any] = {"plain": plain_render}
    if not missing_packages():
        from vantage.splats.rendering import reference_render

        references["gsplat"] = reference_render
    found = {}
    for name, draw in references.items():
        exact = draw(cloud, pose, camera)
        deviation = psnr(np.clip(linear.rgb, 0, 1), np.clip(exact.rgb, 0, 1), peak=1.0)
        found[name] = {"psnr_linear_db": deviation, **asdict(agreement(view, exact))}
    return {"against_plain": fast.data(slow), "agreement": {"name": case.name, **found}}


def _torch_reference(renderer: CpuRenderer, clouds: Clouds, plan: Plan) -> dict[str, Any]:
    """Frames in turn with gsplat's reference, without ids on its side, and with the threads that suit it best."""
    if missing_packages():
        return {"skipped": NO_REFERENCE}
    import torch

    from vantage.splats.rendering import reference_render

    case = plan.headline
    cloud, camera, poses = clouds[case.count, case.degree], lens(case.width, case.height), orbit()
    usual = torch.get_num_threads()
    reference_render(trained_room(64), poses[0], lens(32, 32), vote=False)
    fast: list[float] = []
    slow: dict[int, list[float]] = {usual: [], 1: []}
    best = usual
    for threads in (usual, 1, None):  # once each, then the better one again
        torch.set_num_threads(threads or best)
        job = measure("", partial(reference_render, cloud, poses[0], camera, vote=False), 1, warm_up=0)
        slow[threads or best] += job.milliseconds
        best = min(slow, key=lambda count: min(slow[count], default=math.inf))
        fast += round_of(lambda pose: renderer.render(cloud, pose, camera), poses)
    torch.set_num_threads(usual)
    name = f"gsplat's torch reference on the CPU ({best} threads, without ids)"
    figures = Times(case.name, tuple(fast)).data(Times(name, tuple(slow[best])))
    return _judged(figures, "speedup", plan.reference_speedup, at_least=True)


def _gpu(clouds: Clouds, plan: Plan, rounds: int) -> dict[str, Any]:
    """gsplat's own kernels on the same cases, one camera and several at a time."""
    missing = missing_packages()
    obstacle = f"{' and '.join(missing)} not installed" if missing else gpu_obstacle()
    if obstacle is not None:
        return {"skipped": f"no CUDA device: gsplat was not measured ({obstacle})"}
    from vantage.splats.rendering import GsplatRenderer

    figures = []
    with closing(GsplatRenderer()) as renderer:
        for case in plan.cases:
            cloud, camera = clouds[case.count, case.degree], lens(case.width, case.height)
            for batch in _GPU_BATCHES:
                draw = partial(renderer.render_batch, cloud, orbit(batch), camera)
                job = measure(f"{case.name}, batch {batch}", draw, 4 * rounds)
                figures.append({**job.data(), "ms_per_frame": round(job.median_ms / batch, 3)})
    return {"frames": figures}


def render_table(data: dict[str, Any]) -> list[str]:
    """One line per figure, with its bound and whether it is met."""
    machine = data["machine"]
    lines = [f"renderer cpu, {machine['threads']} threads, {machine['cores']} cores with {machine['instructions']}"]
    lines += [_times(figure, f"{figure['frames_per_s']:.1f} frames/s", "ms") for figure in data["frames"]]
    lines.append(_or_why(data["avx2"], lambda found: _times(found, f"{found['ratio']:.2f} x", "x")))
    for key in ("against_gsplat", "against_plain"):
        lines.append(_or_why(data[key], _compared))
    lines += [_agreement(name, found) for name, found in data["agreement"].items() if name != "name"]
    first = data["first_frame"]
    parts = ", ".join(f"{key[:-3]} {first[key]:.0f}" for key in first if key.endswith("_ms") and key not in _USUAL)
    lines.append(_times(first, parts, "ms"))
    lines += [_memory(figure) for figure in data["memory"]["cases"]]
    worst = data["memory"]
    lines.append(f"{'memory at most':46} {worst['ratio']:.2f} x the cloud{_bound(worst, 'x')}")
    lines.append(_times(data["world"], f"{data['world']['steps_per_s']:.1f} steps/s", "steps/s"))
    fit = data["fit"]
    lines.append(
        f"{'cost of a frame, by least squares':46} {fit['fixed_ms']:.2f} ms + {fit['ns_per_gaussian']:.2f} ns x "
        f"Gaussians + {fit['ns_per_pixel']:.2f} ns x pixels; off by {100 * fit['residual_max_share']:.0f} % at most"
    )
    lines += (
        [data["gpu"]["skipped"]] if "skipped" in data["gpu"] else [_times(f, "", "") for f in data["gpu"]["frames"]]
    )
    return lines


def _times(figure: dict[str, Any], more: str, unit: str) -> str:
    line = f"{figure['name']:46} median {figure['median_ms']:9.3f} ms   p95 {figure['p95_ms']:9.3f} ms   {more}"
    return f"{line.rstrip()}{_bound(figure, unit)}"


def _bound(figure: dict[str, Any], unit: str) -> str:
    if "bound" not in figure:
        return ""
    goal = f", goal {figure['goal']:g}" if "goal" in figure else ""
    return f"   (bound {figure['bound']:g} {unit}{goal}: {'met' if figure['met'] else 'NOT MET'})"


def _or_why(figure: dict[str, Any], line: Any) -> str:
    return str(figure["skipped"]) if "skipped" in figure else str(line(figure))


def _compared(figure: dict[str, Any]) -> str:
    return (
        f"{figure['name']:46} {figure['speedup']:.0f} x faster than {figure['reference']} "
        f"({figure['reference_median_ms']:.0f} ms){_bound(figure, 'x')}"
    )


def _agreement(name: str, found: dict[str, Any]) -> str:
    linear = "without bound" if found["psnr_linear_db"] is None else f"{found['psnr_linear_db']:.1f} dB"
    return (
        f"{f'agreement with {name}':46} PSNR {linear}, {100 * found['same_values']:.3f} % of 8-bit values equal, "
        f"depth 99.9th percentile {found['depth_p999']:.1e} m, ids {100 * found['same_instances']:.3f} %"
    )


def _memory(figure: dict[str, Any]) -> str:
    peak = "" if figure["peak_ratio"] is None else f", peak of the process {figure['peak_ratio']:.2f} x"
    return f"{'memory: ' + figure['name']:46} {figure['ratio']:.2f} x the cloud, with layout and buffers{peak}"
