"""How much of the space had been seen after each step, as a small SVG chart."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH, _HEIGHT = 440.0, 90.0  # px
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 10.0, 8.0, 20.0  # px


def coverage_chart(known: Sequence[float]) -> str:
    """A line over the looks of an episode; ``known`` holds shares 0..1, the first look first. Empty for no look."""
    if not known:
        return ""
    last = max(len(known) - 1, 1)
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    points = " ".join(
        f"{_LEFT + across * step / last:.0f},{_TOP + down * (1.0 - min(max(share, 0.0), 1.0)):.1f}"
        for step, share in enumerate(known)
    )
    title = (
        f"Seen of the space: {100 * known[0]:.0f} % at the start, {100 * known[-1]:.0f} % after {len(known) - 1} steps"
    )
    base = _TOP + down
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<path class="axis" d="M{_LEFT:.0f} {_TOP:.0f}V{base:.0f}H{_WIDTH - _RIGHT:.0f}"/>'
        f'<polyline class="way" points="{points}"/>'
        f'<text x="2" y="{_TOP + 6:.0f}">100 %</text><text x="2" y="{base:.0f}">0 %</text>'
        f'<text x="{_LEFT:.0f}" y="{_HEIGHT - 5:.0f}">0</text>'
        f'<text x="{_WIDTH - _RIGHT:.0f}" y="{_HEIGHT - 5:.0f}" text-anchor="end">{len(known) - 1} steps</text></svg>'
    )
