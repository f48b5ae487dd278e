"""The figures of ``vantage bench render`` as lines of text."""

from __future__ import annotations

from typing import Any


def table(data: dict[str, Any]) -> list[str]:
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


_USUAL = ("median_ms", "p95_ms")


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
