"""The parts of the rendering benchmark: its room, its clockwork, its processes."""

from __future__ import annotations

import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.bench import render as bench_render, render_processes as bench_processes
from vantage.bench.frame_times import Case, fit_cost, round_of, time_cases
from vantage.bench.render import render_table
from vantage.bench.render_processes import bench_memory, captures, child, first_frames, memory_of
from vantage.bench.step import bench_world
from vantage.bench.stopwatch import Times
from vantage.bench.trained_room import FLOATING, SIZE, lens, orbit, ring_around, trained_room
from vantage.config import Settings
from vantage.errors import SceneError, VantageError
from vantage.splats.formats.clouds import save_cloud
from vantage.splats.rendering.cpu import CpuRenderer


def test_the_room_looks_trained() -> None:
    cloud = trained_room(20_000, degree=3, seed=1)
    assert len(cloud) == 20_000
    assert cloud.degree == 3
    assert 0.1 < np.mean(cloud.opacities > 0.8) < 0.6
    assert 0.1 < np.mean(cloud.opacities < 0.2) < 0.6
    flatness = cloud.scales[:, 2] / cloud.scales[:, :2].max(axis=1)
    assert np.median(flatness) < 0.2
    assert cloud.scales.max() > 10 * np.median(cloud.scales[:, 0])
    assert np.mean(cloud.instances == 0) == pytest.approx(FLOATING, abs=1e-3)
    assert set(range(1, 24)) <= set(cloud.instances.tolist())
    assert np.abs(cloud.sh[:, 1:]).max() > 0
    named = cloud.means[cloud.instances > 0]
    assert ((named > -0.1) & (named < np.array(SIZE) + 0.1)).all()


def test_flat_gaussians_lie_in_their_surface() -> None:
    cloud = trained_room(5000, degree=0)
    floor = cloud.instances == 1
    assert np.abs(np.abs(cloud.rotations()[floor, 2, 2]) - 1).max() < 1e-5
    ceiling = cloud.instances == 2
    assert np.abs(np.abs(cloud.rotations()[ceiling, 2, 2]) - 1).max() < 1e-5


@settings(max_examples=examples(20), deadline=None)
@given(count=st.integers(1, 400), degree=st.integers(0, 3), seed=st.integers(0, 100))
def test_a_room_of_any_size_can_be_had_again(count: int, degree: int, seed: int) -> None:
    first, second = trained_room(count, degree, seed), trained_room(count, degree, seed)
    assert len(first) == count
    assert np.array_equal(first.means, second.means)
    assert np.array_equal(first.sh, second.sh)


def test_the_orbit_sees_the_room() -> None:
    cloud = trained_room(3000, degree=0)
    renderer = CpuRenderer(1)
    for pose in orbit():
        assert (np.array(SIZE) > pose[:3, 3]).all()
        assert (pose[:3, 3] > 0).all()
        assert renderer.render(cloud, pose, lens(48, 36)).alpha.mean() > 0.8


def test_a_round_draws_every_pose_once_after_a_first_picture() -> None:
    drawn: list[float] = []
    times = round_of(lambda pose: drawn.append(float(pose[0, 3])), orbit(5))
    assert len(times) == 5
    assert all(time >= 0 for time in times)
    assert drawn[0] == drawn[-1]
    assert drawn[1:] == [float(pose[0, 3]) for pose in orbit(5)]


def test_cases_take_turns() -> None:
    cases = [Case(100, 0, 16, 12), Case(200, 0, 16, 12)]
    turns: list[int] = []
    clouds = {(case.count, case.degree): trained_room(case.count, case.degree) for case in cases}
    times = time_cases(CpuRenderer(1), clouds, {cases[0]: 3, cases[1]: 1}, lambda: turns.append(1))
    assert [len(times[case].milliseconds) for case in cases] == [24, 8]
    assert len(turns) == 3
    assert cases[0].name == "100, SH 0, 16 x 12"
    assert [Case(n, 3, 640, 480).name for n in (50_000, 1_000_000)] == ["50k, SH 3, 640 x 480", "1M, SH 3, 640 x 480"]


@given(fixed=st.floats(0, 5), per_gaussian=st.floats(1e-6, 1e-4), per_pixel=st.floats(1e-6, 1e-4))
def test_the_fit_finds_the_cost(fixed: float, per_gaussian: float, per_pixel: float) -> None:
    sizes = [(count, w, h) for count in (50_000, 200_000, 1_000_000) for w, h in ((320, 240), (640, 480), (800, 600))]
    times = {Case(n, 3, w, h): Times("", (fixed + per_gaussian * n + per_pixel * w * h,) * 3) for n, w, h in sizes}
    fit = fit_cost(times)
    assert fit["fixed_ms"] == pytest.approx(fixed, abs=1e-3)
    assert fit["ns_per_gaussian"] == pytest.approx(1e6 * per_gaussian, abs=1e-3)
    assert fit["ns_per_pixel"] == pytest.approx(1e6 * per_pixel, abs=1e-3)
    assert fit["residual_rms_ms"] <= 1e-3


@pytest.mark.parametrize(
    ("value", "bound", "at_least", "met"),
    [(10.0, 16.0, False, True), (17.0, 16.0, False, False), (50.0, 45.0, True, True), (44.0, 45.0, True, False)],
)
def test_bounds(value: float, bound: float, at_least: bool, met: bool) -> None:
    found = bench_render._judged({"it": value}, "it", bound, at_least=at_least)
    assert found == {"it": value, "bound": bound, "met": met}
    assert bench_render._judged({"it": value}, "it", 0.0, at_least=at_least) == {"it": value}


def test_first_frame_and_memory_in_processes_of_their_own(tmp_path: Path) -> None:
    cloud = trained_room(2000)
    save_cloud(cloud, tmp_path / "cloud.ply")
    first = first_frames(tmp_path / "cloud.ply", (32, 24), 1, 1)
    parts = [first[f"{part}_ms"] for part in ("interpreter", "import", "load", "prepare", "render")]
    assert sum(parts) == pytest.approx(first["median_ms"], rel=0.05)
    assert first["n"] == 1
    memory = memory_of(tmp_path / "cloud.ply", (32, 24), 1)
    assert memory["cloud_bytes"] == 2000 * (11 + 48 + 1) * 4
    assert memory["kept_bytes"] > 0


def test_a_process_that_fails_is_one_error(tmp_path: Path) -> None:
    with child(["memory", str(tmp_path / "none.ply"), "8", "8", "1"]) as process:
        with pytest.raises(VantageError, match=r"measures 'memory' ended with 1: .*none\.ply"):
            process.answer()
        with pytest.raises(VantageError, match="measures 'memory'"):
            process.ask()


def test_a_process_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_cloud(trained_room(50), tmp_path / "cloud.ply")
    with child(["serve", str(tmp_path / "cloud.ply"), "8", "8", "1"]) as process:
        assert process.answer() == {"ready": True}
        assert len(process.ask()["milliseconds"]) == 8
        monkeypatch.setattr(bench_processes, "DEADLINE_S", 0.2)
        with pytest.raises(VantageError, match="ended with -9"):
            process.answer()  # nothing was asked


def test_memory_is_told_for_every_kind_of_cloud_and_the_worst(tmp_path: Path) -> None:
    cases = (Case(2000, 3, 32, 24), Case(2000, 0, 32, 24))
    clouds = {(case.count, case.degree): trained_room(case.count, case.degree) for case in cases}
    save_cloud(clouds[2000, 0], tmp_path / "taken.splat")
    found = bench_memory(tmp_path, clouds, cases, [tmp_path / "taken.splat"], 1)
    rich, plain, taken = found["cases"]
    assert [figure["name"] for figure in found["cases"]] == [*(c.name for c in cases), "capture taken, 32 x 24"]
    assert rich["cloud_bytes"] == 2000 * (11 + 48 + 1) * 4
    assert plain["cloud_bytes"] == taken["cloud_bytes"] == 2000 * (11 + 3 + 1) * 4
    for figure in found["cases"]:
        assert figure["kept_bytes"] > 0
        assert figure["ratio"] == pytest.approx(1 + figure["kept_bytes"] / figure["cloud_bytes"], abs=1e-3)
    assert rich["ratio"] < plain["ratio"]  # what does not depend on the degree weighs more in a small cloud
    assert found["ratio"] == max(figure["ratio"] for figure in found["cases"])
    assert [path.name for path in tmp_path.iterdir()] == ["taken.splat"]


def test_captures_are_those_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VANTAGE_DATA", raising=False)
    assert captures() == []
    monkeypatch.setenv("VANTAGE_DATA", str(tmp_path))
    assert captures() == []
    (tmp_path / "splats" / "plant").mkdir(parents=True)
    (tmp_path / "splats" / "plant" / "plant.splat").touch()
    (tmp_path / "splats" / "plant" / "notes.txt").touch()
    assert [path.name for path in captures()] == ["plant.splat"]


@pytest.mark.parametrize("scale", [0.01, 1.0, 50.0])
def test_the_ring_sees_a_cloud_of_any_size_as_a_whole(scale: float) -> None:
    away = np.eye(4)
    away[:3, 3] = (20.0, -7.0, 3.0)
    cloud = trained_room(2000, 0).transformed(away, scale)
    camera, poses = lens(64, 48), ring_around(cloud)
    for pose in poses:
        seen = (cloud.means - pose[:3, 3]) @ pose[:3, :3]
        u, v = camera.fx * seen[:, 0] / seen[:, 2] + camera.cx, camera.fy * seen[:, 1] / seen[:, 2] + camera.cy
        inside = (seen[:, 2] > 0) & (u > 0) & (u < 64) & (v > 0) & (v < 48)
        assert inside.mean() > 0.9
    assert len({tuple(pose[:3, 3].round(3)) for pose in poses}) == 8


@pytest.mark.real_time
def test_world_steps_draw_and_take_as_long_as_they_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    eyes: list[tuple[float, ...]] = []
    draw, pause = CpuRenderer.render, 0.03

    def slow(self: CpuRenderer, cloud: Any, pose: Any, *rest: Any, **options: Any) -> Any:
        eyes.append(tuple(pose.ravel().round(6)))
        time.sleep(pause)
        return draw(self, cloud, pose, *rest, **options)

    monkeypatch.setattr(CpuRenderer, "render", slow)
    started = time.perf_counter()
    found = bench_world(tmp_path / "room", trained_room(3000, 0), Settings(), (48, 36), 16)
    wall = time.perf_counter() - started
    assert found["n"] == 16
    assert len(eyes) == 1 + 3 + 16, "the reset, the warm-up, and every step draw"
    assert all(one != other for one, other in pairwise(eyes)), "every step changes the view"
    assert len({eye[3::4] for eye in eyes}) == 4, "and some move: a square is walked"
    assert 8 / wall <= found["steps_per_s"] <= 1 / pause  # half of the steps take the median or longer


def test_a_walk_that_meets_a_wall_is_one_error(tmp_path: Path) -> None:
    far = Settings().with_values({"actions.translation": 2.0}, "this test")
    with pytest.raises(SceneError, match=r"the bench could not go on with 'x\+'"):
        bench_world(tmp_path / "room", trained_room(3000, 0), far, (48, 36), 16)


def test_the_table_says_what_is_met_and_what_was_left_out() -> None:
    times = {"name": "a case", "n": 3, "median_ms": 20.0, "p95_ms": 30.0}
    found = {"psnr_linear_db": None, "same_values": 1.0, "depth_p999": 1e-6, "same_instances": 0.999}
    lines = render_table(
        {
            "machine": {"threads": 2, "cores": 4, "instructions": "AVX2"},
            "frames": [{**times, "frames_per_s": 50.0, "bound": 16.0, "goal": 10.0, "met": False}],
            "avx2": {"skipped": "AVX2 was not compared"},
            "against_gsplat": {"skipped": bench_render.NO_REFERENCE},
            "against_plain": {**times, "speedup": 70.0, "reference": "the slow one", "reference_median_ms": 1400.0},
            "agreement": {"name": "a case", "plain": found},
            "first_frame": {**times, "import_ms": 12.0, "bound": 1000.0, "met": True},
            "memory": {
                **{"name": "an SH 0 room", "ratio": 3.2, "peak_ratio": 3.75, "bound": 3.0, "met": False},
                "cases": [
                    {"name": "an SH 3 room", "ratio": 2.2, "peak_ratio": None},
                    {"name": "an SH 0 room", "ratio": 3.2, "peak_ratio": 3.75},
                ],
            },
            "world": {**times, "steps_per_s": 50.0},
            "fit": {"fixed_ms": 1.0, "ns_per_gaussian": 2.0, "ns_per_pixel": 3.0, "residual_max_share": 0.05},
            "gpu": {"skipped": "no CUDA device: gsplat was not measured (why)"},
        }
    )
    text = "\n".join(lines)
    assert "(bound 16 ms, goal 10: NOT MET)" in lines[1]
    assert "70 x faster than the slow one (1400 ms)" in text
    assert "import 12   (bound 1000 ms: met)" in text
    assert "memory: an SH 3 room" in text
    assert "3.20 x the cloud, with layout and buffers, peak of the process 3.75 x" in text
    assert "3.20 x the cloud   (bound 3 x: NOT MET)" in text
    assert bench_render.NO_REFERENCE in lines
    assert "no CUDA device" in lines[-1]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_render, "missing_packages", lambda: ["gsplat"])
    assert bench_render._torch_reference(CpuRenderer(1), {}, bench_render.QUICK) == {
        "skipped": bench_render.NO_REFERENCE
    }
    assert bench_render._gpu({}, bench_render.QUICK, 1) == {
        "skipped": "no CUDA device: gsplat was not measured (gsplat not installed)"
    }
    monkeypatch.setattr(bench_render, "missing_packages", lambda: [])
    monkeypatch.setattr(bench_render, "gpu_obstacle", lambda: "no NVIDIA driver is loaded")
    assert "no NVIDIA driver" in bench_render._gpu({}, bench_render.QUICK, 1)["skipped"]


@pytest.mark.needs("gsplat")
def test_with_a_gpu_one_camera_and_sixteen_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    from gsplat_on_cpu import gsplat_on_cpu

    from vantage.splats.rendering import gsplat_renderer

    case = Case(60, 1, 16, 12)
    monkeypatch.setattr(bench_render, "gpu_obstacle", lambda: None)
    with gsplat_on_cpu() as kernels:
        on_cpu = partial(gsplat_renderer.GsplatRenderer, "cpu", kernels)
        monkeypatch.setattr("vantage.splats.rendering.GsplatRenderer", on_cpu)
        clouds = {(60, 1): trained_room(60, 1)}
        found = bench_render._gpu(clouds, bench_render.Plan((case,), (), case, case, (case,)), 1)["frames"]
    assert [figure["name"] for figure in found] == ["60, SH 1, 16 x 12, batch 1", "60, SH 1, 16 x 12, batch 16"]
    assert found[1]["ms_per_frame"] == pytest.approx(found[1]["median_ms"] / 16, abs=1e-3)
