"""A figure by view, as a small SVG chart with two lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

_WIDTH, _HEIGHT = 440.0, 170.0  # px
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 10.0, 22.0, 22.0  # px
_MOST_DOTS = 60
_HIGHEST = 60.0  # dB: equal pictures are drawn there


def chart(name: str, plain: Sequence[float], fitted: Sequence[float], counted: Sequence[bool], step: float) -> str:
    """Lines over views 1, 2, 3, ...; those not counted are left out. ``step`` is between two lines of the grid.

    At least one view must count.
    """
    shown = [k for k, counts in enumerate(counted) if counts]
    plain, fitted = [min(value, _HIGHEST) for value in plain], [min(value, _HIGHEST) for value in fitted]
    values = [series[k] for series in (plain, fitted) for k in shown]
    low = step * math.floor(min(values) / step + 1e-9)
    high = step * math.ceil(max(values) / step - 1e-9)
    high = max(high, low + step)
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    base = _TOP + down

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
    title = f"{name} by view: {mean:.4g} in the mean with the exposure fitted, {min(values):.4g} at the lowest"
    last = f'<text x="{_WIDTH - _RIGHT:.0f}" y="{_HEIGHT - 6:.0f}" text-anchor="end">view {len(counted)}</text>'
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<text x="2" y="12">{name}</text>{"".join(parts)}'
        f'<path class="axis" d="M{_LEFT:.0f} {_TOP:.0f}V{base:.0f}H{_WIDTH - _RIGHT:.0f}"/>'
        f'<text x="{_LEFT:.0f}" y="{_HEIGHT - 6:.0f}">1</text>{last if len(counted) > 1 else ""}</svg>'
    )
