"""A reliability plot as SVG: how often answers are right that an agent is so sure of."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from vantage.benchmarks.statistics.calibration_figures import Bin

_SIDE, _LEFT, _RIGHT, _TOP, _BOTTOM = 200.0, 38.0, 10.0, 8.0, 34.0  # px


def reliability_plot(bins: Sequence[Bin], title: str) -> str:
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
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    return (
        f'<svg class="reliability" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{label}">'
        f"<title>{label}</title>{''.join(parts)}</svg>"
    )


def _axes() -> str:
    marks = "".join(
        f'<text x="{_x(share):.1f}" y="{_y(0) + 13:.1f}" text-anchor="middle">{share:g}</text>'
        f'<text x="{_LEFT - 4:.1f}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:g}</text>'
        for share in (0.0, 0.5, 1.0)
    )
    middle, foot = _x(0.5), _TOP + _SIDE + _BOTTOM - 5
    return (
        f'<path class="axis" d="M{_LEFT:.0f} {_TOP:.0f}V{_y(0):.0f}H{_x(1):.0f}"/>'
        f'<line class="ideal" x1="{_x(0):.0f}" y1="{_y(0):.0f}" x2="{_x(1):.0f}" y2="{_y(1):.0f}"/>{marks}'
        f'<text x="{middle:.0f}" y="{foot:.0f}" text-anchor="middle">confidence</text>'
        f'<text transform="translate(11 {_y(0.5):.0f}) rotate(-90)" text-anchor="middle">share right</text>'
    )


def _x(share: float) -> float:
    return _LEFT + _SIDE * share


def _y(share: float) -> float:
    return _TOP + _SIDE * (1.0 - share)
