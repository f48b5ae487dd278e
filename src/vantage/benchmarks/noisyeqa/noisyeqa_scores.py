"""NoisyEQA's figures by type of noise, the clean twins beside them, and what moving gains.

C, DR and CR are the paper's (arXiv 2412.10726, equations 1 to 3) over noisy questions. They alone reward an agent that
always objects, so the same agent's accuracy and false alarms on the clean twins stand beside them. The balanced score
is the harmonic mean of CR and clean accuracy: unlike the arithmetic one it is 0 for an agent that objects to everything
and for one that objects to nothing.

Episodes ``<pair>-noisy`` and ``<pair>-clean`` are a pair. Its twins start at the same place in the same scene and
differ in their premise, so differences within pairs tell what the false premise did. Twins of type LATENT differ in
more: that an object is absent shows only once a whole place was seen, and its twin asks about one object, so their ways
are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.sets import CLEAN, NOISY, pair_name
from vantage.benchmarks.statistics import (
    BOTH,
    RIGHT,
    SHOWN,
    Bin,
    EpisodeScore,
    Figure,
    ScorePair,
    calibration_error,
    column_over_scenes,
    difference,
    figure_of_sums,
    mean_over_scenes,
    normalised,
    quotient,
    reliability,
    same_episodes,
    share_over_scenes,
)


def is_half(episode_id: str) -> bool:
    """Whether an episode is one of a pair, by its name."""
    return pair_name(episode_id)[1] != ""


def twins(scores: Iterable[EpisodeScore]) -> tuple[ScorePair, ...]:
    """(noisy, clean) of every pair of which both are complete and of the same scene, by pair."""
    done = [score for score in scores if score.complete]
    halves: dict[str, dict[str, EpisodeScore]] = {NOISY: {}, CLEAN: {}}
    for score in done:
        pair, half = pair_name(score.episode_id)
        if half:
            halves[half][pair] = score
    noisy, clean = halves[NOISY], halves[CLEAN]
    return tuple(
        ScorePair(noisy[pair], clean[pair])
        for pair in sorted(noisy.keys() & clean.keys())
        if noisy[pair].scene == clean[pair].scene
    )


BENCHMARK = "noisyeqa"
ALL = "ALL"
STATIC = "static"  # the agent that turns on the spot
_PAPER = ("LATENT", "POSITION", "COLOR", "SHAPE", "COUNT", "MATERIAL", "PERCEPTION", "SEMANTIC")
TYPES = (*_PAPER, ALL)  # columns of the paper's tables, then all of them
_MODEL = re.compile(r"(?P<reasoner>.*)/(?P<mode>[^/#+]+)(?:#[^/+]*)?(?P<more>\+[^/]*)?", re.DOTALL)
_MODES = ("plain", "nap", "nacot")


@dataclass(frozen=True)
class Setup:
    """What was run. ``model`` is who answered, as answers say it: ``symbolic/nacot``, ``NAME/nap#1a2b3c4d``."""

    agent: str
    perception: str
    model: str
    judge: str
    benchmark: str = BENCHMARK
    control: str = ""

    @property
    def reasoner(self) -> str:
        """Who answers, without the mode and the version of its prompt; calibrated ones are others."""
        parts = _MODEL.fullmatch(self.model)
        return self.model if parts is None else f"{parts['reasoner']}{parts['more'] or ''}"

    @property
    def mode(self) -> str:
        """``plain``, ``nap`` or ``nacot``, or whatever stands in its place; empty without one."""
        parts = _MODEL.fullmatch(self.model)
        return "" if parts is None else parts["mode"]

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts as the tables do: static before moving agents, plain before NAP before NACoT."""
        mode = _MODES.index(self.mode) if self.mode in _MODES else len(_MODES)
        return (
            self.benchmark,
            self.judge,
            self.perception,
            self.reasoner,
            self.agent != STATIC,
            self.agent,
            mode,
            self.model,
            self.control,
        )


@dataclass(frozen=True)
class SetupFigures:
    """Figures of one setup.

    Attributes:
        by_type: figures of ``c``, ``detection_rate``, ``correction_rate`` and ``confidence_drop`` by type of noise, and
            over all of them under ``ALL``.
        overall: figures of the clean questions, of both together and of the pairs, by key.
        reliability: bins of the reliability plot over all questions.
        unpaired: complete episodes without a complete twin.
    """

    setup: Setup
    by_type: Mapping[str, Mapping[str, Figure]]
    overall: Mapping[str, Figure]
    reliability: tuple[Bin, ...]
    unpaired: int

    @property
    def pairs(self) -> int:
        """How many pairs are complete, those of type LATENT too."""
        return (self.by_type["c"][ALL].n + self.overall["clean_accuracy"].n - self.unpaired) // 2


@dataclass(frozen=True)
class Gain:
    """A moving agent minus the static one, same reasoner, mode, perception, judge and questions: ``correction_rate`` by
    type and over ``ALL``, ``c`` and ``clean_accuracy``."""

    setup: Setup
    by_type: Mapping[str, Figure]
    overall: Mapping[str, Figure]


@dataclass(frozen=True)
class NoisyEqaScores:
    """All setups in the order of the tables, and what moving gained."""

    setups: tuple[SetupFigures, ...]
    gains: tuple[Gain, ...]


def noisyeqa_scores(scores: Iterable[EpisodeScore]) -> NoisyEqaScores:
    """Figures over the complete episodes of the benchmark among ``scores``, and over the pairs of other ones."""
    runs: dict[Setup, list[EpisodeScore]] = {}
    for score in scores:
        if score.complete and (score.benchmark == BENCHMARK or is_half(score.episode_id)):
            setup = Setup(score.agent, score.perception, score.model, score.judge, score.benchmark, score.control)
            runs.setdefault(setup, []).append(score)
    ordered = sorted(runs, key=lambda setup: setup.order)
    gains = []
    for setup in ordered:
        still = replace(setup, agent=STATIC)
        if setup.agent != STATIC and still in runs:
            gains.append(_gain(setup, same_episodes(runs[setup], runs[still])))
    return NoisyEqaScores(tuple(_figures(setup, runs[setup]) for setup in ordered), tuple(gains))


def _figures(setup: Setup, scores: Sequence[EpisodeScore]) -> SetupFigures:
    noisy = [score for score in scores if score.noisy]
    clean = [score for score in scores if not score.noisy]
    pairs = twins(scores)
    by_type = {
        "c": _by_type(noisy, _c),
        "detection_rate": _by_type(noisy, _detection),
        "correction_rate": _by_type(noisy, _correction),
        "confidence_drop": {kind: _drop([p for p in pairs if _is(p.first, kind)]) for kind in TYPES},
    }
    return SetupFigures(
        setup, by_type, _overall(noisy, clean, pairs), reliability(scores), len(scores) - 2 * len(pairs)
    )


def _by_type(noisy: Sequence[EpisodeScore], figure: Callable[[Sequence[EpisodeScore]], Figure]) -> dict[str, Figure]:
    return {kind: figure([score for score in noisy if _is(score, kind)]) for kind in TYPES}


def _is(score: EpisodeScore, kind: str) -> bool:
    return kind in (ALL, score.noise_type)


def _c(scores: Sequence[EpisodeScore]) -> Figure:
    marks = [normalised(score.judge_score) for score in scores]
    note = "mean of (score - 1) / 4 * 100 over noisy questions"
    return mean_over_scenes("c", "C", [score.scene for score in scores], marks, unit="0-100", note=note)


def _detection(scores: Sequence[EpisodeScore]) -> Figure:
    note = "score >= 3, share of noisy questions"
    return _share("detection_rate", "DR", scores, lambda s: s.judge_score >= 3, note)


def _correction(scores: Sequence[EpisodeScore]) -> Figure:
    note = "score >= 4, share of noisy questions"
    return _share("correction_rate", "CR", scores, lambda s: s.judge_score >= 4, note)


def _share(
    key: str, title: str, scores: Sequence[EpisodeScore], flag: Callable[[EpisodeScore], bool], note: str
) -> Figure:
    return share_over_scenes(key, title, [score.scene for score in scores], [flag(score) for score in scores], note)


def _drop(pairs: Sequence[ScorePair]) -> Figure:
    note = "clean twin - noisy, mean over pairs"
    flipped = [ScorePair(pair.second, pair.first) for pair in pairs]
    return difference("confidence_drop", "Confidence drop", flipped, lambda s: s.confidence, unit="0-1", note=note)


def _overall(
    noisy: Sequence[EpisodeScore], clean: Sequence[EpisodeScore], pairs: Sequence[ScorePair]
) -> dict[str, Figure]:
    alike = [pair for pair in pairs if pair.first.noise_type != "LATENT"]
    note = "noisy - clean twin, over pairs other than LATENT"
    figures = (
        column_over_scenes(RIGHT, clean, "right_clean", f"{RIGHT.title}, clean"),
        column_over_scenes(SHOWN, clean),
        column_over_scenes(BOTH, clean, "clean_accuracy", f"{BOTH.title}, clean"),
        _share(
            "false_alarm_rate", "False alarms", clean, lambda s: s.false_alarm, "premise called false, share of clean"
        ),
        _balanced(noisy, clean),
        calibration_error([*noisy, *clean]),
        _drop(pairs),
        difference("extra_steps", "Extra steps", alike, lambda s: s.steps, unit="actions", note=note),
        difference("extra_collisions", "Extra collisions", alike, lambda s: s.collisions, note=note),
    )
    return {figure.key: figure for figure in figures}


def _balanced(noisy: Sequence[EpisodeScore], clean: Sequence[EpisodeScore]) -> Figure:
    rows = np.array(
        [(s.judge_score >= 4, 1.0, 0.0, 0.0) for s in noisy] + [(0.0, 0.0, s.success, 1.0) for s in clean],
        dtype=np.float64,
    ).reshape(-1, 4)
    return figure_of_sums(
        "balanced",
        "Balanced",
        [score.scene for score in (*noisy, *clean)],
        rows,
        _harmonic,
        percent=True,
        note="harmonic mean of CR and success, clean",
    )


def _harmonic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """(B, 4) sums of corrected, noisy, right and clean -> (B,)."""
    corrected, right = quotient(sums[:, 0], sums[:, 1]), quotient(sums[:, 2], sums[:, 3])
    both = corrected + right
    return np.where(both == 0.0, 0.0, quotient(2.0 * corrected * right, both))


def _gain(setup: Setup, pairs: Sequence[ScorePair]) -> Gain:
    noisy = [pair for pair in pairs if pair.first.noisy]
    clean = [pair for pair in pairs if not pair.first.noisy]
    note = f"{setup.agent} - {STATIC}, same questions"

    def corrected(score: EpisodeScore) -> float:
        return float(score.judge_score >= 4)

    by_type = {
        kind: difference(
            "correction_rate_gain",
            "CR gained",
            [pair for pair in noisy if _is(pair.first, kind)],
            corrected,
            percent=True,
            note=note,
        )
        for kind in TYPES
    }
    overall = (
        difference("c_gain", "C gained", noisy, lambda s: normalised(s.judge_score), unit="0-100", note=note),
        difference(
            "clean_accuracy_gain",
            f"{BOTH.title} gained, clean",
            clean,
            lambda s: float(s.success),
            percent=True,
            note=note,
        ),
    )
    return Gain(setup, by_type, {figure.key: figure for figure in overall})
