"""The HTML of a report. Every text that comes from a bag is escaped: an answer may hold anything."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vantage.benchmarks.statistics.figure_text import interval, number
from vantage.benchmarks.statistics.metrics import EpisodeScore, Figure
from vantage.reports.report_chart import coverage_chart
from vantage.reports.report_plan import Box, Plan, described, draw
from vantage.reports.report_sections import section_html
from vantage.reports.report_style import STYLE
from vantage.reports.report_text import text
from vantage.reports.score_table import Group, ScoreTable
from vantage.types import Answer, Episode, NoiseType, Truth


@dataclass(frozen=True)
class Card:
    """One episode of a report.

    Attributes:
        room: extent of the scene seen from above, m.
        frames: data URLs by caption.
        known: share of the space seen at each look.
    """

    score: EpisodeScore
    episode: Episode
    truth: Truth
    answers: tuple[Answer, ...]
    plan: Plan
    room: Box
    frames: Mapping[str, str] = field(default_factory=dict)
    known: Sequence[float] = ()


def page(
    name: str,
    table: ScoreTable,
    cards: Sequence[Card],
    drawings: Sequence[str] = (),
    unreadable: Mapping[str, str] | None = None,
) -> str:
    """The whole page.

    Args:
        drawings: those of the scenes, to which plans refer.
        unreadable: why a bag that is scored cannot be shown, by its name.
    """
    done, left = len(table.complete), len(table.incomplete)
    summary = f"{done} episodes scored" + (f", {left} incomplete" if left else "")
    sections = [section_html(section) for section in table.sections]
    sections += [_figures(group) for group in table.groups]
    if table.incomplete:
        reasons = {score.bag or score.episode_id: score.incomplete_reason for score in table.incomplete}
        sections.append(_left_out("Incomplete recordings, not scored", reasons))
    if unreadable:
        sections.append(_left_out("Scored, but not readable as a whole and not shown", unreadable))
    if cards:
        sections.append(_index(cards, done))
        sections.append(
            "<section><h2>Episodes</h2>" + "".join(_article(k, card) for k, card in enumerate(cards)) + "</section>"
        )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Report: {text(name)}</title><style>{STYLE}</style></head><body>"
        f"<header><h1>Report: {text(name)}</h1>"
        f'<p class="soft">{text(summary)}, computed from the bags alone.</p></header>'
        f"{''.join(drawings)}<main>{''.join(sections)}</main></body></html>\n"
    )


def _figures(group: Group) -> str:
    rows = "".join(
        f'<tr><th scope="row">{text(figure.title)}</th><td class="number">{number(figure.value, figure.percent)}</td>'
        f'<td class="number">{interval(figure)}</td><td>{_bar(figure)}</td><td class="number">{figure.n}</td>'
        f'<td class="soft">{text(", ".join(part for part in (figure.unit, figure.note) if part))}</td></tr>'
        for figure in (*group.figures, *group.categories)
    )
    heading = f"{group.benchmark}: agent {group.agent}, perception {group.perception or 'none'}"
    heading += f", model {group.model}" if group.model else ""
    return (
        f'<section><h2>{text(heading)}</h2><div class="scroll"><table><caption>Judge: {text(group.judge)}. Intervals: '
        "95 %, Wilson for shares of episodes, bootstrap over episodes for means and ratios.</caption><thead><tr>"
        '<th scope="col">Figure</th><th scope="col" class="number">Value</th>'
        '<th scope="col" class="number">Interval</th>'
        '<th scope="col"><span class="soft">0 to full scale</span></th><th scope="col" class="number">Episodes</th>'
        f'<th scope="col">Unit, rule</th></tr></thead><tbody>{rows}</tbody></table></div></section>'
    )


def _bar(figure: Figure) -> str:
    """The interval as a bar, for figures with a scale."""
    scales = {"1-5": (1.0, 5.0), "0-100": (0.0, 100.0), "0-1": (0.0, 1.0)}
    scale = (0.0, 1.0) if figure.percent else scales.get(figure.unit)
    if scale is None or not math.isfinite(figure.value):
        return ""

    def at(value: float) -> float:
        return 4.0 + 92.0 * min(max((value - scale[0]) / (scale[1] - scale[0]), 0.0), 1.0)

    span = ""
    if math.isfinite(figure.low) and math.isfinite(figure.high):
        span = f'<line class="range" x1="{at(figure.low):.1f}" y1="6" x2="{at(figure.high):.1f}" y2="6"/>'
    return (
        '<svg class="bar" viewBox="0 0 100 12" aria-hidden="true"><line class="rail" x1="4" y1="6" x2="96" y2="6"/>'
        f'{span}<circle cx="{at(figure.value):.1f}" cy="6" r="3.2"/></svg>'
    )


def _left_out(heading: str, reasons: Mapping[str, str]) -> str:
    rows = "".join(f"<li><b>{text(bag)}</b>: {text(reason)}</li>" for bag, reason in reasons.items())
    return f"<section><h2>{heading}</h2><ul>{rows}</ul></section>"


def _index(cards: Sequence[Card], done: int) -> str:
    shown = "" if len(cards) == done else f" Shown: the {len(cards)} of {done} with the lowest scores."
    rows = "".join(
        f'<tr><th scope="row"><a href="#episode-{k}">{text(card.score.episode_id)}</a></th>'
        f"<td>{text(card.score.question)}</td><td>{text(_noise(card.score))}</td>"
        f'<td class="number">{_mark(card.score)}</td><td>{text(card.score.verdict.lower())}</td>'
        f'<td class="number">{card.score.steps}</td>'
        f'<td class="number">{card.score.oracle_steps if card.score.has_oracle else "-"}</td>'
        f'<td class="number">{number(card.score.spl)}</td><td class="number">{card.score.path_length:.2f}</td>'
        f'<td class="number">{card.score.collisions}</td></tr>'
        for k, card in enumerate(cards)
    )
    heads = "".join(
        f'<th scope="col"{css}>{name}</th>'
        for name, css in (
            ("Episode", ""),
            ("Question", ""),
            ("False premise", ""),
            ("Score", ' class="number"'),
            ("Verdict", ""),
            *((name, ' class="number"') for name in ("Steps", "Oracle", "SPL", "Path, m", "Collisions")),
        )
    )
    return (
        f'<section><h2>All episodes</h2><div class="scroll"><table><caption>Score: 1 to 5.{shown}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _article(k: int, card: Card) -> str:
    score, plan = card.score, card.plan
    frames = "".join(
        f'<figure><img src="{url}" alt="{text(caption)} of episode {text(score.episode_id)}" loading="lazy">'
        f"<figcaption>{text(caption)}</figcaption></figure>"
        for caption, url in card.frames.items()
    )
    oracle = f" (oracle {score.oracle_steps})" if score.has_oracle else ""
    pictures = (
        f'<div class="frames">{frames}</div>'
        if frames
        else '<p class="soft">Frames left out to keep the page small.</p>'
    )
    return (
        f'<article id="episode-{k}" aria-label="Episode {text(score.episode_id)}"><header>'
        f"<h3>{text(score.episode_id)}</h3>{_mark(score)}"
        f'<span class="soft">{text(score.scene)}, {score.steps} steps{oracle}, {score.collisions} collisions</span>'
        "</header>"
        f'<div class="parts"><div>{draw(plan, card.room, described(plan))}'
        '<p class="soft">\u25cb start, \u25a0 end, \u25c7 labelled goal, \u00d7 collision; triangles: where it '
        "looked; filled boxes: what it made out; outlines: what was made out in other episodes.</p>"
        f"{_coverage(card.known)}</div>"
        f"<div><dl>{_facts(card)}</dl>{pictures}</div></div></article>"
    )


def _coverage(known: Sequence[float]) -> str:
    chart = coverage_chart(known)
    return f'{chart}<p class="soft">Share of the space seen, over steps.</p>' if chart else ""


def _facts(card: Card) -> str:
    facts: list[tuple[str, str]] = []
    answers = {answer.key: answer for answer in reversed(card.answers)}
    for question in card.episode.questions:
        facts.append(("Question", question.text))
        answer = answers.get(question.key)
        truth = next((item for item in card.truth.questions if item.is_about(question)), None)
        if answer is None:
            facts.append(("Answer", "none was given"))
        else:
            facts.append(
                ("Verdict", f"{answer.verdict.name.lower().replace('_', ' ')}, confidence {answer.confidence:.2f}")
            )
            facts.append(("Answer", answer.text))
            if answer.noise.noise_type != NoiseType.NONE:
                facts += _report(answer)
        if truth is not None:
            facts.append(("Gold answer", truth.answer or "none: the object is absent"))
            if not truth.premise_holds:
                facts.append(("False premise", f"{truth.noise_type.name.lower()}: {truth.false_claim}"))
                facts.append(("In truth", truth.correction))
    facts.append(("Judge", f"{card.score.judge_score:g} of 5: {card.score.judge_reason}"))
    if card.score.visible is not None:
        facts.append(("Target seen", f"{card.score.visible:.0%} in the evidence or the last frame"))
    return "".join(f"<dt>{name}</dt><dd>{text(value)}</dd>" for name, value in facts)


def _report(answer: Answer) -> list[tuple[str, str]]:
    noise = answer.noise
    parts = [
        ("Noise report", f"{noise.noise_type.name.lower()}: {noise.false_claim}".rstrip(": ")),
        ("Correction", noise.correction),
        ("Corrected question", noise.corrected_question),
        ("Explanation", noise.explanation),
    ]
    return [(name, value) for name, value in parts if value]


def _noise(score: EpisodeScore) -> str:
    return score.noise_type.lower() if score.noisy else "none"


def _mark(score: EpisodeScore) -> str:
    style = "good" if score.judge_score >= 4 else "fair" if score.judge_score >= 2 else "bad"
    return f'<span class="mark {style}">{score.judge_score:g} / 5</span>'
