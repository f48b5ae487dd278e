"""``vantage calibrate``: how far confidence can be relied on, learned from recorded answers that are judged."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, common_options, progress, settings_options

if TYPE_CHECKING:
    from vantage.answering import Calibration
    from vantage.benchmarks.statistics import EpisodeScore

_NO_CLAIM = ("NEEDS_LOOK", "NEEDS_MODEL", "NEEDS_CONFIRMATION")  # verdicts that state nothing to be sure of


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        parents=[common_options(), settings_options()],
        help="learn from bags how far confidence can be relied on",
    )
    parser.add_argument("bags", nargs="+", metavar="BAGS", help="bags, or folders of bags, of one model and mode")
    parser.add_argument(
        "--epsilon", type=float, default=0.1, help="share of cases that may go wrong unnoticed (default %(default)s)"
    )
    parser.add_argument(
        "--judge", default="rules", help="rules (default), or model:NAME:WHICH such as model:openai:llama"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="for --calibration of `vantage run`")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> Result:
    from vantage.answering import Judged, calibrate, check_epsilon, write_calibration
    from vantage.benchmarks.judging import make_judge
    from vantage.cli.json_values import json_value
    from vantage.cli.settings import settings_from
    from vantage.reports import score_runs

    check_epsilon(arguments.epsilon)
    judge = make_judge(arguments.judge, settings_from(arguments))
    scores = [score for folder in arguments.bags for score in score_runs(folder, judge, progress).scores]
    reasons = [_left_out(score) for score in scores]
    used = [score for score, reason in zip(scores, reasons, strict=True) if not reason]
    left_out = Counter(reason for reason in reasons if reason)
    model, perception = _answerer(used)
    answers = [Judged(score.confidence, score.success, score.scene) for score in used]
    calibration = calibrate(answers, arguments.epsilon, model, perception)
    write_calibration(arguments.out, calibration)
    data = {**json_value(calibration), "left_out": dict(left_out), "out": arguments.out}
    return Result(_text(calibration, left_out, arguments.out), data)


def _left_out(score: EpisodeScore) -> str:
    """Why an episode says nothing about confidence; empty where it does."""
    if not score.complete:
        return "not complete"
    if not 0.0 <= score.confidence <= 1.0:
        return "without a confidence"
    if any(verdict in _NO_CLAIM for verdict in score.verdict.split(", ")):
        return "without a claim"
    return ""


def _answerer(scores: Sequence[EpisodeScore]) -> tuple[str, str]:
    """The one model and the one perception behind all answers.

    Raises:
        UsageError: there are several, or their confidence was calibrated before.
    """
    from vantage.answering import SUFFIX
    from vantage.errors import UsageError

    names = sorted({(score.model, score.perception) for score in scores})
    if len(names) > 1:
        listed = ", ".join(f"'{model}' with perception '{perception}'" for model, perception in names)
        raise UsageError(f"the bags hold answers of {listed}; calibrate each alone")
    model, perception = names[0] if names else ("", "")
    if model.endswith(SUFFIX):
        raise UsageError(f"the answers of '{model}' were calibrated before; give bags of a run without --calibration")
    return model, perception


def _text(found: Calibration, left_out: Counter[str], out: str) -> str:
    missing = "".join(f"; {number} {reason} left out" for reason, number in sorted(left_out.items()))
    unsure = "" if found.quantile < 1.0 else "\ntoo few answers for this epsilon: every answer goes to a person"
    return (
        f"{found.model} with perception {found.perception}: {found.learned} answers to learn from, {found.measured} "
        f"held out{missing}\n"
        f"held out: the truth is among what remains in {found.coverage:.1%} (wanted: {1 - found.epsilon:.1%})\n"
        f"held out: {found.sure:.1%} sure, of which {found.right_if_sure:.1%} right; of all {found.right:.1%} right\n"
        f"calibration error (ECE): {found.error_before:.3f} as stated, {found.error_after:.3f} calibrated{unsure}\n"
        f"written to {out}; use it with --calibration {out}"
    )
