"""One self-contained HTML page about a comparison of a rig with the splat model of its room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from markupsafe import Markup

from vantage.benchmarks.statistics import number
from vantage.html_pages import jpeg_url, render, write_page
from vantage.reports.charts import view_chart
from vantage.reports.sim_to_real import ComparedView, Comparison
from vantage.reports.sim_to_real_episodes import EpisodeTrace

_MOST_SHOWN, _WORST_SHOWN = 24, 8  # views with pictures, and how many of them are the least alike
_WIDTH, _QUALITY = 400, 90  # px and JPEG quality of one picture
_STRONGER = 3  # times that differences are shown


def write_comparison(comparison: Comparison, out: str | Path) -> Path:
    """Write the page, less than 10 MB; returns its path.

    Raises:
        OSError: it cannot be written.
    """
    views = comparison.counted
    gallery = [(view, pictures) for view in _shown(comparison) if (pictures := _pictures(comparison, view))]
    sides = (("On the rig", comparison.rig), ("In the model", comparison.simulated))
    episodes = [(name, item) for name, item in sides if item is not None]
    page = render(
        __package__,
        "sim_to_real.html",
        title=f"{comparison.bag.resolve().name} and its model",
        comparison=comparison,
        likenesses=(
            ("As they are", comparison.raw, [view.raw for view in views]),
            ("Exposure fitted", comparison.fitted, [view.fitted for view in views]),
        ),
        exposure=_exposure(comparison),
        episodes=episodes,
        outcomes=_outcomes([item for _, item in episodes]),
        charts=_charts(comparison),
        uncounted=any(view.problem for view in comparison.views),
        pictured={view.number for view, _ in gallery},
        gallery=gallery,
        left=sum(view.drawn for view in comparison.views) - len(gallery),
        pose=_pose,
        decibels=_decibels,
        share=_share,
        percent=lambda value: "" if math.isnan(value) else f"{value:.0%}",
    )
    return write_page(out, page)


def _exposure(comparison: Comparison) -> str:
    gain, bias = comparison.exposure.gain, comparison.exposure.bias
    channels = zip(("red", "green", "blue"), gain, bias, strict=True)
    return ", ".join(f"{name} × {a:.3f} {b:+.1f}" for name, a, b in channels)


def _outcomes(episodes: Sequence[EpisodeTrace]) -> list[tuple[str, list[str]]]:
    """Rows of the table of episodes: a name, and a value for each of them."""
    if not episodes:
        return []
    rows = [
        ("Agent", [item.recording.agent for item in episodes]),
        ("Ended", [item.ended for item in episodes]),
        ("Steps", [str(item.steps) for item in episodes]),
        ("Path, m", [f"{item.path_length:.2f}" for item in episodes]),
        ("Collisions", [str(item.collisions) for item in episodes]),
        ("Score", [_score(item) for item in episodes]),
    ]
    for question in episodes[0].episode.questions:
        rows.append((question.text, [item.answer(question) for item in episodes]))
    return rows


def _score(item: EpisodeTrace) -> str:
    score = item.score
    if not score.complete:
        return f"none: {score.incomplete_reason}"
    spl = "" if math.isnan(score.spl) else f", SPL {number(score.spl)}"
    return f"{score.judge_score:g} of 5{spl} ({score.judge_reason})"


def _charts(comparison: Comparison) -> tuple[Markup, Markup]:
    views = comparison.views
    counted = [not view.problem for view in views]
    psnr = [view.raw.psnr for view in views], [view.fitted.psnr for view in views]
    ssim = [view.raw.ssim for view in views], [view.fitted.ssim for view in views]
    return view_chart("PSNR, dB", *psnr, counted, step=5.0), view_chart("SSIM", *ssim, counted, step=0.05)


def _pictures(comparison: Comparison, view: ComparedView) -> list[tuple[str, Markup]]:
    """Captions and data URLs of what the rig saw, what the scene shows, and how they differ; none where not drawn."""
    pictures = comparison.pictures(view)
    if pictures is None:
        return []
    real, drawn = pictures
    apart = np.abs(real.astype(np.int16) - drawn.astype(np.int16))
    stronger = np.asarray(np.minimum(_STRONGER * apart, 255), np.uint8)
    captions = ("Rig", "Scene, exposure fitted", f"Difference, {_STRONGER} times")
    return [
        (caption, jpeg_url(picture, _WIDTH, _QUALITY))
        for caption, picture in zip(captions, (real, drawn, stronger), strict=True)
    ]


def _shown(comparison: Comparison) -> list[ComparedView]:
    """The views least alike and an even choice of the others, in order."""
    drawn = [view for view in comparison.views if view.drawn]
    if len(drawn) <= _MOST_SHOWN:
        return drawn
    worst = sorted(drawn, key=lambda view: view.fitted.ssim)[:_WORST_SHOWN]
    others = [view for view in drawn if view not in worst]
    even = np.linspace(0, len(others) - 1, _MOST_SHOWN - _WORST_SHOWN).round().astype(int)
    return sorted([*worst, *(others[k] for k in even)], key=lambda view: view.number)


def _pose(view: ComparedView) -> tuple[str, str, str]:
    """Place, yaw and pitch."""
    if view.viewpoint is None:
        return "unknown", "", ""
    v = view.viewpoint
    return f"({v.x:.2f}, {v.y:.2f}, {v.z:.2f})", f"{v.yaw:.2f}", f"{v.pitch:.2f}"


def _decibels(value: float) -> str:
    return "" if math.isnan(value) else "equal" if math.isinf(value) else f"{value:.2f}"


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"
