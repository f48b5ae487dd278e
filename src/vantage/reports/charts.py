"""Charts as SVG elements: coverage over steps, figures by view, reliability of confidence, and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup, escape

from vantage.benchmarks.statistics import Bin, Figure

_WIDTH = 440.0  # px, of charts over steps and views
_LEFT, _RIGHT = 34.0, 10.0  # px
_COVERAGE_HEIGHT, _COVERAGE_TOP, _COVERAGE_BOTTOM = 90.0, 8.0, 20.0  # px
_VIEWS_HEIGHT, _VIEWS_TOP, _VIEWS_BOTTOM = 170.0, 22.0, 22.0  # px
_MOST_DOTS = 60
_HIGHEST = 60.0  # dB: equal pictures are drawn there
_SIDE, _SIDE_LEFT, _SIDE_RIGHT, _SIDE_TOP, _SIDE_BOTTOM = 200.0, 38.0, 10.0, 8.0, 34.0  # px, of a reliability plot


def coverage_chart(known: Sequence[float], steps: int | None = None) -> Markup:
    """A line over the looks of an episode; ``known`` holds shares 0..1, the first look first. Empty for no look.

    Args:
        steps: that were taken between these looks; one before each but the first where it is left out.
    """
    if not known:
        return Markup()
    last = max(len(known) - 1, 1)
    steps = len(known) - 1 if steps is None else steps
    across, down = _WIDTH - _LEFT - _RIGHT, _COVERAGE_HEIGHT - _COVERAGE_TOP - _COVERAGE_BOTTOM
    points = " ".join(
        f"{_LEFT + across * step / last:.0f},{_COVERAGE_TOP + down * (1.0 - min(max(share, 0.0), 1.0)):.1f}"
        for step, share in enumerate(known)
    )
    title = f"Seen of the space: {100 * known[0]:.0f} % at the start, {100 * known[-1]:.0f} % after {steps} steps"
    base = _COVERAGE_TOP + down
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH:.0f} {_COVERAGE_HEIGHT:.0f}" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<path class="axis" d="M{_LEFT:.0f} {_COVERAGE_TOP:.0f}V{base:.0f}H{_WIDTH - _RIGHT:.0f}"/>'
        f'<polyline class="way" points="{points}"/>'
        f'<text x="2" y="{_COVERAGE_TOP + 6:.0f}">100 %</text><text x="2" y="{base:.0f}">0 %</text>'
        f'<text x="{_LEFT:.0f}" y="{_COVERAGE_HEIGHT - 5:.0f}">0</text>'
        f'<text x="{_WIDTH - _RIGHT:.0f}" y="{_COVERAGE_HEIGHT - 5:.0f}" text-anchor="end">'
        f"{steps} steps</text>"
        "</svg>"
    )


def view_chart(
    name: str, plain: Sequence[float], fitted: Sequence[float], counted: Sequence[bool], step: float
) -> Markup:
    """A dashed and a solid line over views 1, 2, 3, ...; those not counted are left out.

    At least one view must count. ``step`` is between two lines of the grid.
    """
    shown = [k for k, counts in enumerate(counted) if counts]
    plain, fitted = [min(value, _HIGHEST) for value in plain], [min(value, _HIGHEST) for value in fitted]
    values = [series[k] for series in (plain, fitted) for k in shown]
    low = step * math.floor(min(values) / step + 1e-9)
    high = step * math.ceil(max(values) / step - 1e-9)
    high = max(high, low + step)
    across, down = _WIDTH - _LEFT - _RIGHT, _VIEWS_HEIGHT - _VIEWS_TOP - _VIEWS_BOTTOM
    base = _VIEWS_TOP + down

    def at(k: int, value: float) -> tuple[float, float]:
        share = k / (len(counted) - 1) if len(counted) > 1 else 0.5
        return _LEFT + across * share, base - down * (value - low) / (high - low)

    parts = []
    levels = round((high - low) / step)
    every = max(1, math.ceil(levels / 5))
    for level in range(0, levels + 1, every):
        _, y = at(0, low + level * step)
        parts.append(
            f'<line class="grid" x1="{_LEFT:.0f}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT:.0f}" y2="{y:.1f}"/>'
            f'<text class="label" x="{_LEFT - 5:.0f}" y="{y + 3:.1f}" text-anchor="end">{low + level * step:g}</text>'
        )
    for series, line, dot in ((plain, "plain", "plain-dot"), (fitted, "way", "dot")):
        places = [(k, *at(k, series[k])) for k in shown]
        points = " ".join(f"{x:.1f},{y:.1f}" for _, x, y in places)
        parts.append(f'<polyline class="{line}" points="{points}"/>')
        if len(places) <= _MOST_DOTS:
            parts += [
                f'<circle class="{dot}" cx="{x:.1f}" cy="{y:.1f}" r="2.4">'
                f"<title>view {k + 1}: {series[k]:.4g}</title></circle>"
                for k, x, y in places
            ]
    mean = sum(fitted[k] for k in shown) / len(shown)
    title = f"{escape(name)} by view: {mean:.4g} in the mean with the exposure fitted, {min(values):.4g} at the lowest"
    last = f'<text x="{_WIDTH - _RIGHT:.0f}" y="{_VIEWS_HEIGHT - 6:.0f}" text-anchor="end">view {len(counted)}</text>'
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH:.0f} {_VIEWS_HEIGHT:.0f}" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<text x="2" y="12">{escape(name)}</text>{"".join(parts)}'
        f'<path class="axis" d="M{_LEFT:.0f} {_VIEWS_TOP:.0f}V{base:.0f}H{_WIDTH - _RIGHT:.0f}"/>'
        f'<text x="{_LEFT:.0f}" y="{_VIEWS_HEIGHT - 6:.0f}">1</text>{last if len(counted) > 1 else ""}</svg>'
    )


def reliability_plot(bins: Sequence[Bin], title: str) -> Markup:
    """Bars of the share right by bin of confidence, their 95 % intervals at the mean confidence, and the diagonal on
    which confidence means what it says. The number of answers stands at the foot of each bar."""
    parts = [_axes()]
    for each in bins:
        left, right, top = _x(each.start), _x(each.end), _y(each.right)
        parts.append(
            f'<rect class="bin" x="{left + 0.5:.1f}" y="{top:.1f}" width="{right - left - 1:.1f}" '
            f'height="{_y(0) - top:.1f}"/>'
            f'<line class="whisker" x1="{_x(each.confidence):.1f}" x2="{_x(each.confidence):.1f}" '
            f'y1="{_y(each.low):.1f}" y2="{_y(each.high):.1f}"/>'
            f'<circle class="mean" cx="{_x(each.confidence):.1f}" cy="{top:.1f}" r="2.6"/>'
            f'<text class="label" x="{0.5 * (left + right):.1f}" y="{_y(0) - 3:.1f}" text-anchor="middle">'
            f"{each.n}</text>"
        )
    told = "; ".join(f"confidence {b.confidence:.2f}: {b.right:.0%} of {b.n} right" for b in bins) or "no answers"
    label = escape(f"{title}: {told}")
    width, height = _SIDE_LEFT + _SIDE + _SIDE_RIGHT, _SIDE_TOP + _SIDE + _SIDE_BOTTOM
    return Markup(
        f'<svg class="reliability" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{label}">'
        f"<title>{label}</title>{''.join(parts)}</svg>"
    )


def _axes() -> str:
    marks = "".join(
        f'<text x="{_x(share):.1f}" y="{_y(0) + 13:.1f}" text-anchor="middle">{share:g}</text>'
        f'<text x="{_SIDE_LEFT - 4:.1f}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:g}</text>'
        for share in (0.0, 0.5, 1.0)
    )
    middle, foot = _x(0.5), _SIDE_TOP + _SIDE + _SIDE_BOTTOM - 5
    return (
        f'<path class="axis" d="M{_SIDE_LEFT:.0f} {_SIDE_TOP:.0f}V{_y(0):.0f}H{_x(1):.0f}"/>'
        f'<line class="ideal" x1="{_x(0):.0f}" y1="{_y(0):.0f}" x2="{_x(1):.0f}" y2="{_y(1):.0f}"/>{marks}'
        f'<text x="{middle:.0f}" y="{foot:.0f}" text-anchor="middle">confidence</text>'
        f'<text transform="translate(11 {_y(0.5):.0f}) rotate(-90)" text-anchor="middle">share right</text>'
    )


def _x(share: float) -> float:
    return _SIDE_LEFT + _SIDE * share


def _y(share: float) -> float:
    return _SIDE_TOP + _SIDE * (1.0 - share)


def interval_bar(figure: Figure) -> Markup:
    """The interval of a figure as a bar over its full scale; empty for figures without a scale."""
    scales = {"1-5": (1.0, 5.0), "0-100": (0.0, 100.0), "0-1": (0.0, 1.0)}
    scale = (0.0, 1.0) if figure.percent else scales.get(figure.unit)
    if scale is None or not math.isfinite(figure.value):
        return Markup()

    def at(value: float) -> float:
        return 4.0 + 92.0 * min(max((value - scale[0]) / (scale[1] - scale[0]), 0.0), 1.0)

    span = ""
    if math.isfinite(figure.low) and math.isfinite(figure.high):
        span = f'<line class="range" x1="{at(figure.low):.1f}" y1="6" x2="{at(figure.high):.1f}" y2="6"/>'
    return Markup(
        '<svg class="bar" viewBox="0 0 100 12" aria-hidden="true"><line class="rail" x1="4" y1="6" x2="96" y2="6"/>'
        f'{span}<circle cx="{at(figure.value):.1f}" cy="6" r="3.2"/></svg>'
    )
