"""NoisyEQA's tables, as in the paper and beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from vantage.benchmarks.noisyeqa.noisyeqa_scores import (
    ALL,
    BENCHMARK,
    TYPES,
    Gain,
    NoisyEqaScores,
    Setup,
    SetupFigures,
    noisyeqa_scores,
)
from vantage.benchmarks.sections import ReliabilityPlot, Section, Table
from vantage.benchmarks.statistics import BOTH, COLUMN_RULES, EpisodeScore, Figure, cells

_TITLES = {
    "LATENT": "Latent",
    "POSITION": "Position",
    "COLOR": "Color",
    "SHAPE": "Shape",
    "COUNT": "Count",
    "MATERIAL": "Material",
    "PERCEPTION": "Perception",
    "SEMANTIC": "Semantic",
    ALL: "All",
}
_BY_TYPE = {
    "c": "C, 0-100: mean of (score - 1) / 4 * 100 over noisy questions",
    "detection_rate": "DR, %: share of noisy questions with score >= 3",
    "correction_rate": "CR, %: share of noisy questions with score >= 4",
    "confidence_drop": "Confidence drop, 0-1: clean twin - noisy question, mean over pairs",
}
_OVERALL = (
    "right_clean",
    "shown",
    "clean_accuracy",
    "false_alarm_rate",
    "balanced",
    "ece",
    "confidence_drop",
    "extra_steps",
    "extra_collisions",
)
_GAINS = ("c_gain", "clean_accuracy_gain")
RULES = (
    "In brackets: 95 % intervals by bootstrap over whole scenes, for shares never narrower than Wilson's. "
    f"{COLUMN_RULES} Balanced: harmonic mean of CR and {BOTH.title}, clean. "
    "ECE: calibration error over ten bins of confidence, right meaning score 5. "
    "Extra: noisy question minus clean twin, mean over all pairs but those of Latent. "
    "Gain: moving minus static agent on the same questions. "
    "An episode without an answer scores 1; one that is incomplete or got no mark is left out and listed."
)


def section(episodes: Iterable[EpisodeScore]) -> Section | None:
    """Figures by type of noise and beside the clean twins; None where no episode is half of a pair."""
    scores = noisyeqa_scores(tuple(episodes))
    if not scores.setups:
        return None
    plots = tuple(
        ReliabilityPlot(
            name_of(each.setup),
            f"{name_of(each.setup)} ({each.setup.perception}, {each.setup.reasoner}): "
            f"ECE {each.overall['ece'].value:.3f}",
            tuple(each.reliability),
        )
        for each in scores.setups
    )
    found = tuple((heading, tuple(members)) for heading, members in tables(scores))
    return Section(BENCHMARK, "NoisyEQA", RULES, found, tables_json(scores), plots)


def tables(scores: NoisyEqaScores) -> list[tuple[str, list[Table]]]:
    """The tables of each kind of perception, reasoner and judge, under a heading."""
    found = []
    for key, members in groupby(scores.setups, lambda figures: _family(figures.setup)):
        gains = [gain for gain in scores.gains if _family(gain.setup) == key]
        benchmark, perception, reasoner, judge = key
        heading = "" if benchmark == BENCHMARK else f"pairs of {benchmark}, "
        heading += f"perception {perception or 'none'}, reasoner {reasoner or 'unnamed'}, judge {judge}"
        found.append((heading, _tables(tuple(members), gains)))
    return found


def tables_json(scores: NoisyEqaScores) -> dict[str, Any]:
    """Plain data with every figure; NaN stays NaN."""
    return {
        "setups": [
            {
                **_named(figures.setup),
                "by_type": {
                    key: {kind: asdict(figure) for kind, figure in kinds.items()}
                    for key, kinds in figures.by_type.items()
                },
                "overall": {key: asdict(figure) for key, figure in figures.overall.items()},
                "reliability": [asdict(each) for each in figures.reliability],
                "unpaired": figures.unpaired,
            }
            for figures in scores.setups
        ],
        "gains": [
            {
                **_named(gain.setup),
                "correction_rate": {kind: asdict(figure) for kind, figure in gain.by_type.items()},
                "overall": {key: asdict(figure) for key, figure in gain.overall.items()},
            }
            for gain in scores.gains
        ],
        "rules": RULES,
    }


def name_of(setup: Setup) -> str:
    """How tables call a setup: ``static, NACoT``, with its control where it has one."""
    modes = {"plain": "plain", "nap": "NAP", "nacot": "NACoT"}
    return ", ".join(filter(None, (setup.agent, modes.get(setup.mode, setup.mode), setup.control)))


def _family(setup: Setup) -> tuple[str, str, str, str]:
    return setup.benchmark, setup.perception, setup.reasoner, setup.judge


def _named(setup: Setup) -> dict[str, str]:
    return {**asdict(setup), "reasoner": setup.reasoner, "mode": setup.mode}


def _tables(setups: Sequence[SetupFigures], gains: Sequence[Gain]) -> list[Table]:
    heads = tuple(_TITLES[kind] for kind in TYPES)
    found = [
        Table(
            title,
            ("", *heads),
            tuple((name_of(each.setup), *cells(each.by_type[key][kind] for kind in TYPES)) for each in setups),
        )
        for key, title in _BY_TYPE.items()
    ]
    counts = tuple(
        (name_of(each.setup), *(str(each.by_type["c"][kind].n) for kind in TYPES), *_numbers(each)) for each in setups
    )
    first = setups[0].overall
    found.append(
        Table(
            "Clean questions and pairs",
            ("", *(_headed(first[key]) for key in _OVERALL)),
            tuple(
                (
                    name_of(each.setup),
                    *cells((each.overall[key] for key in _OVERALL), each.overall["clean_accuracy"].n),
                )
                for each in setups
            ),
        )
    )
    if gains:
        overall = gains[0].overall
        found.append(
            Table(
                "Gain of moving: CR, % points",
                ("", *heads, *(_headed(overall[key]) for key in _GAINS)),
                tuple(
                    (
                        name_of(gain.setup),
                        *cells(gain.by_type[kind] for kind in TYPES),
                        *cells(gain.overall[key] for key in _GAINS),
                    )
                    for gain in gains
                ),
            )
        )
    found.append(Table("Questions", ("", *heads, "Clean", "Pairs", "Unpaired"), counts))
    return found


def _numbers(figures: SetupFigures) -> tuple[str, str, str]:
    overall = figures.overall
    return str(overall["clean_accuracy"].n), str(figures.pairs), str(figures.unpaired)


def _headed(figure: Figure) -> str:
    return f"{figure.title}, %" if figure.percent else figure.title
