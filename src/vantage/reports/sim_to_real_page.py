"""One self-contained HTML page about a comparison of a rig with the splat model of its room."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vantage.benchmarks.statistics.figure_text import number
from vantage.files import write_whole
from vantage.recording.publishers import encode_image
from vantage.reports.image_metrics import Picture
from vantage.reports.report_style import STYLE
from vantage.reports.report_text import text
from vantage.reports.sim_to_real import ComparedView, Comparison
from vantage.reports.sim_to_real_chart import chart
from vantage.reports.sim_to_real_episodes import Flown

_MOST_SHOWN, _WORST_SHOWN = 24, 8  # views with pictures, and how many of them are the least alike
_WIDTH = 400  # px of one picture
_STRONGER = 3  # times that differences are shown
_MORE_STYLE = """
.charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem; }
@media (max-width: 60rem) { .charts { grid-template-columns: minmax(0, 1fr); } }
.plain { fill: none; stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 4 3; } .dot { fill: var(--path); }
.plain-dot { fill: var(--back); stroke: var(--soft); } .grid { stroke: var(--line); stroke-width: 1; }
"""


def write_page(comparison: Comparison, out: str | Path) -> Path:
    """Write the page, less than 10 MB; returns its path.

    Raises:
        OSError: it cannot be written.
    """
    shown = _shown(comparison)
    sections = [
        _figures(comparison),
        _outcomes(comparison),
        _charts(comparison),
        _table(comparison, {view.number for view in shown}),
        _gallery(comparison, shown),
    ]
    title = f"{comparison.bag.resolve().name} and its model"
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Sim to real: {text(title)}</title><style>{STYLE}{_MORE_STYLE}</style></head><body>"
        f"<header><h1>Sim to real: {text(title)}</h1>"
        f'<p class="soft">{len(comparison.counted)} of {len(comparison.views)} views compared with the scene '
        f"{text(comparison.scene)}, drawn from the same viewpoints with the same intrinsics.</p></header>"
        f"<main>{''.join(sections)}</main></body></html>\n"
    )
    write_whole(out, page.encode("utf-8", "replace"))
    return Path(out)


def _figures(comparison: Comparison) -> str:
    views = comparison.counted
    rows = "".join(
        f'<tr><th scope="row">{name}</th>'
        + _number(_db(mean.psnr))
        + _number(_db(min(item.psnr for item in found)))
        + _number(f"{mean.ssim:.4f}")
        + _number(f"{min(item.ssim for item in found):.4f}")
        + "</tr>"
        for name, mean, found in (
            ("As they are", comparison.raw, [view.raw for view in views]),
            ("Exposure fitted", comparison.fitted, [view.fitted for view in views]),
        )
    )
    gain, bias = comparison.exposure.gain, comparison.exposure.bias
    exposure = ", ".join(
        f"{name} × {a:.3f} {b:+.1f}" for name, a, b in zip(("red", "green", "blue"), gain, bias, strict=True)
    )
    remarks = "".join(f"<li>{text(remark)}</li>" for remark in comparison.remarks)
    return (
        '<section><h2>Likeness</h2><div class="scroll"><table><caption>Over the views that count. PSNR over all '
        "channels; SSIM of the grey pictures, Gaussian window of 11 px (Wang et al. 2004).</caption><thead><tr>"
        '<th scope="col">Pictures</th>'
        + "".join(f'<th scope="col" class="number">{name}</th>' for name in ("PSNR, dB", "lowest", "SSIM", "lowest"))
        + f"</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<p class="soft">Exposure fitted to the drawn pictures, over all views: {exposure}.</p>'
        + (f"<ul>{remarks}</ul>" if remarks else "")
        + "</section>"
    )


def _outcomes(comparison: Comparison) -> str:
    flown = [("On the rig", comparison.rig), ("In the model", comparison.simulated)]
    columns = [(name, item) for name, item in flown if item is not None]
    if not columns:
        return ""
    episodes = [item for _, item in columns]
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
    body = "".join(
        f'<tr><th scope="row">{text(name)}</th>{"".join(f"<td>{text(value)}</td>" for value in values)}</tr>'
        for name, values in rows
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name, _ in columns)
    episode = episodes[0].episode.episode_id
    return (
        f'<section><h2>Outcome of episode {text(episode)}</h2><div class="scroll"><table><thead><tr>'
        f'<th scope="col"></th>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
        + (f"<p>{text(comparison.parting)}</p>" if comparison.parting else "")
        + "</section>"
    )


def _score(item: Flown) -> str:
    score = item.score
    if not score.complete:
        return f"none: {score.incomplete_reason}"
    spl = "" if math.isnan(score.spl) else f", SPL {number(score.spl)}"
    return f"{score.judge_score:g} of 5{spl} ({score.judge_reason})"


def _charts(comparison: Comparison) -> str:
    views = comparison.views
    counted = [not view.problem for view in views]
    psnr = chart("PSNR, dB", [view.raw.psnr for view in views], [view.fitted.psnr for view in views], counted, step=5.0)
    ssim = chart("SSIM", [view.raw.ssim for view in views], [view.fitted.ssim for view in views], counted, step=0.05)
    return (
        f'<section><h2>By view</h2><div class="charts"><div>{psnr}</div><div>{ssim}</div></div>'
        '<p class="soft">Solid: exposure fitted; dashed: as they are; views that do not count are left out.</p>'
        "</section>"
    )


def _table(comparison: Comparison, shown: set[int]) -> str:
    uncounted = any(view.problem for view in comparison.views)
    rows = []
    for view in comparison.views:
        name = f'<a href="#view-{view.number}">{view.number}</a>' if view.number in shown else f"{view.number}"
        rows.append(
            f'<tr><th scope="row">{name}</th><td>{text(view.action or "first look")}</td>'
            + "".join(_number(value) for value in _pose(view))
            + _number(_db(view.raw.psnr))
            + _number(_db(view.fitted.psnr))
            + _number(_share(view.raw.ssim))
            + _number(_share(view.fitted.ssim))
            + _number("" if math.isnan(view.covered) else f"{view.covered:.0%}")
            + (f"<td>{text(view.problem)}</td>" if uncounted else "")
            + "</tr>"
        )
    heads = "".join(
        f'<th scope="col"{css}>{name}</th>'
        for name, css in (
            ("View", ""),
            ("After", ""),
            *(
                (name, ' class="number"')
                for name in ("Place, m", "Yaw, rad", "Pitch", "PSNR", "fitted", "SSIM", "fitted", "Shown")
            ),
            *([("Not counted because", "")] if uncounted else []),
        )
    )
    return (
        '<section><h2>All views</h2><div class="scroll"><table><caption>Shown: share of the picture in which the '
        f"scene shows something.</caption><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        "</section>"
    )


def _gallery(comparison: Comparison, shown: Sequence[ComparedView]) -> str:
    articles = []
    for view in shown:
        pictures = comparison.pictures(view)
        if pictures is None:
            continue
        real, drawn = pictures
        apart = np.abs(real.astype(np.int16) - drawn.astype(np.int16))
        stronger = np.asarray(np.minimum(_STRONGER * apart, 255), np.uint8)
        figures = "".join(
            f'<figure><img src="{_data_url(picture)}" alt="{caption}, view {view.number}" loading="lazy">'
            f"<figcaption>{caption}</figcaption></figure>"
            for caption, picture in (
                ("Rig", real),
                ("Scene, exposure fitted", drawn),
                (f"Difference, {_STRONGER} times", stronger),
            )
        )
        note = f'<p class="bad">Not counted: {text(view.problem)}</p>' if view.problem else ""
        place, yaw, pitch = _pose(view)
        about = f"{text(view.action or 'first look')}, {place} m, yaw {yaw}, pitch {pitch} rad"
        about += f"; PSNR {_db(view.fitted.psnr)} dB, SSIM {_share(view.fitted.ssim)}"
        articles.append(
            f'<article id="view-{view.number}" aria-label="View {view.number}"><header><h3>View {view.number}</h3>'
            f'<span class="soft">{about}</span></header>{note}<div class="frames">{figures}</div></article>'
        )
    left = sum(view.drawn for view in comparison.views) - len(articles)
    more = f'<p class="soft">{left} more views are in the table only, to keep the page small.</p>' if left > 0 else ""
    return f"<section><h2>Pictures</h2>{''.join(articles)}{more}</section>"


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


def _number(value: str) -> str:
    return f'<td class="number">{value}</td>'


def _db(value: float) -> str:
    return "" if math.isnan(value) else "equal" if math.isinf(value) else f"{value:.2f}"


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"


def _data_url(picture: Picture) -> str:
    height = max(1, round(picture.shape[0] * _WIDTH / picture.shape[1]))
    small = (
        cv2.resize(picture, (_WIDTH, height), interpolation=cv2.INTER_AREA) if picture.shape[1] > _WIDTH else picture
    )
    return "data:image/jpeg;base64," + base64.b64encode(encode_image(np.asarray(small, np.uint8))).decode()
