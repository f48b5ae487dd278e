"""How far a stated confidence can be relied on, learned from answers that were judged.

An answer with confidence p leaves two options: it is right (p), or it is not (1 - p). Split conformal prediction, as in
KnowNo (arXiv 2307.01928), scores each judged answer by ``s = 1 - p(the option that is true)`` and takes the
``ceil((n + 1) (1 - epsilon)) / n`` quantile q of the scores ("higher"). The options with ``p >= 1 - q`` are kept: with
answers like those that it was learned from, the true one is among them in at least ``1 - epsilon`` of all cases, so
that at most the share ``epsilon`` of all questions gets a wrong answer that nobody was asked about. Where anything else
than "it is right" remains, the answer is not sure enough.

The map from stated to observed frequency is isotonic (pool adjacent violators), smoothed by the share of all. The map
is learned on one part of the answers, the quantile on another, and coverage and calibration error are measured on the
rest, so that no answer speaks for itself.

``CalibratedAnswering`` gives an answer where it is sure enough, and otherwise looks further or asks a person.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vantage.answering.protocol import Answering, Assessment, LookFor
from vantage.answering.vlm import ANYWHERE
from vantage.errors import FormatError, UsageError
from vantage.files import read_json, write_whole
from vantage.perception import Perceiver
from vantage.perception.map import CoverageMap, ObservedScene
from vantage.types import Answer, Detection, NoiseReport, Observation, Point, Question, StepResult, Verdict
from vantage.wording import shown

_SCHEMA = "vantage.calibration/1"
_BINS = 10
_SEED = 20240607
LEAST_JUDGED = 20  # answers: with fewer, each part says next to nothing


@dataclass(frozen=True)
class Judged:
    """An answer that was judged.

    Attributes:
        confidence: as stated, 0..1.
        group: answers of one group are not independent (the same scene), and stay together.
    """

    confidence: float
    right: bool
    group: str


@dataclass(frozen=True)
class Calibration:
    """
    Attributes:
        model, perception: whose answers it is for, as answers name them.
        epsilon: share of cases in which the true option may be missing.
        quantile: q above; 1 where there were too few answers for this epsilon, so that both options always remain.
        stated, observed: the map, both ascending; between its points it is linear, beyond them constant.
        learned, measured: numbers of answers.
        coverage: share of the measured answers whose true option was kept.
        sure: share of the measured answers of which only "it is right" remained.
        right: share of the measured answers that were right.
        right_if_sure: the same among the sure ones; 0 where there are none.
        error_before, error_after: expected calibration error of the measured answers, in ten bins.
    """

    model: str
    perception: str
    epsilon: float
    quantile: float
    stated: tuple[float, ...]
    observed: tuple[float, ...]
    learned: int
    measured: int
    coverage: float
    sure: float
    right: float
    right_if_sure: float
    error_before: float
    error_after: float

    def calibrated(self, confidence: float) -> float:
        """How often answers as confident as this one were right, 0..1."""
        return float(np.interp(confidence, self.stated, self.observed))

    def is_sure(self, confidence: float) -> bool:
        """Whether of an answer with this stated confidence only "it is right" remains."""
        return _kept(self.calibrated(confidence), self.quantile) == (True, False)


def calibrate(answers: Sequence[Judged], epsilon: float, model: str = "", perception: str = "") -> Calibration:
    """Learn from a quarter of the answers the map, from another the quantile, and measure on the other half.

    Raises:
        UsageError: too few answers, or an epsilon outside 0..1.
    """
    check_epsilon(epsilon)
    if len(answers) < LEAST_JUDGED:
        raise UsageError(
            f"{len(answers)} judged answers are too few to calibrate by, {LEAST_JUDGED} are needed; run more episodes"
        )
    mapping, scoring, rest = _parts(answers)
    stated, observed = isotonic([item.confidence for item in mapping], [item.right for item in mapping])
    scores = [nonconformity(float(np.interp(i.confidence, stated, observed)), i.right) for i in scoring]
    quantile = conformal_quantile(scores, epsilon)
    before = np.array([item.confidence for item in rest])
    after, right = np.interp(before, stated, observed), np.array([item.right for item in rest])
    kept = [_kept(float(p), quantile) for p in after]
    sure = np.array([options == (True, False) for options in kept])
    return Calibration(
        model=model,
        perception=perception,
        epsilon=epsilon,
        quantile=quantile,
        stated=stated,
        observed=observed,
        learned=len(mapping) + len(scoring),
        measured=len(rest),
        coverage=float(np.mean([options[0 if hit else 1] for options, hit in zip(kept, right, strict=True)])),
        sure=float(sure.mean()),
        right=float(right.mean()),
        right_if_sure=float(right[sure].mean()) if sure.any() else 0.0,
        error_before=calibration_error(before, right),
        error_after=calibration_error(after, right),
    )


def check_epsilon(epsilon: float) -> None:
    """
    Raises:
        UsageError: it is no share between 0 and 1.
    """
    if not 0.0 < epsilon < 1.0:
        raise UsageError(f"epsilon must be between 0 and 1, got {epsilon}; 0.1 keeps the truth in 90 % of all cases")


def nonconformity(probability: float, right: bool) -> float:
    """``1 - p`` of the option that is true."""
    return 1.0 - probability if right else probability


def conformal_quantile(scores: Sequence[float], epsilon: float) -> float:
    """The ``ceil((n + 1) (1 - epsilon)) / n`` quantile, "higher"; 1, the largest there is, where n is too small."""
    rank = math.ceil((len(scores) + 1) * (1.0 - epsilon) - 1e-9)
    if rank > len(scores):
        return 1.0
    return float(np.quantile(np.asarray(scores, np.float64), rank / len(scores), method="higher"))


def calibration_error(confidences: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Expected calibration error: mean distance of confidence and share of right answers over ten even bins, weighted
    by their answers (Naeini et al. 2015)."""
    bins = np.minimum((np.asarray(confidences) * _BINS).astype(int), _BINS - 1)
    gaps = [abs(confidences[bins == k].mean() - right[bins == k].mean()) * (bins == k).mean() for k in np.unique(bins)]
    return float(sum(gaps))


def isotonic(confidences: Sequence[float], right: Sequence[bool]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Stated confidences and the shares of right answers, both ascending: neighbours that fall are pooled.

    Every share counts two more answers as right as all answers are, so that three right ones are not certainty.
    """
    order = np.argsort(confidences, kind="stable")
    sorted_, hits = np.asarray(confidences, np.float64)[order], np.asarray(right, np.float64)[order]
    blocks: list[list[float]] = []  # right ones, answers, lowest and highest confidence
    for value in np.unique(sorted_):
        same = sorted_ == value
        blocks.append([float(hits[same].sum()), float(same.sum()), float(value), float(value)])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [blocks[-1][0] + last[0], blocks[-1][1] + last[1], blocks[-1][2], last[3]]
    overall = float(hits.mean())
    shares = np.maximum.accumulate([(block[0] + 2.0 * overall) / (block[1] + 2.0) for block in blocks])
    points = [(x, float(y)) for block, y in zip(blocks, shares, strict=True) for x in dict.fromkeys(block[2:])]
    return tuple(x for x, _ in points), tuple(y for _, y in points)


def write_calibration(path: str | Path, calibration: Calibration) -> None:
    """Write a file that ``read_calibration`` reads."""
    write_whole(path, json.dumps({"schema": _SCHEMA, **asdict(calibration)}, indent=1) + "\n")


def read_calibration(path: str | Path) -> Calibration:
    """
    Raises:
        FormatError: the file is missing, no JSON, no calibration, or holds impossible values.
    """
    fields = read_json(path)
    if not isinstance(fields, dict) or fields.get("schema") != _SCHEMA:
        raise FormatError(f"{path} is no calibration; make one with `vantage calibrate`")
    expected = Calibration.__dataclass_fields__
    if strange := sorted(fields.keys() - expected.keys() - {"schema"}):
        raise FormatError(
            f"{path} says {shown(strange[0])}, which is not for a calibration to say; take it out there, and put "
            "settings into your own --config or --set"
        )
    try:
        values = {name: _read(kind.type, fields[name]) for name, kind in expected.items()}
        found = Calibration(**values)
        shares = (*found.stated, *found.observed, found.quantile, found.epsilon)
        ascending = all(list(part) == sorted(part) for part in (found.stated, found.observed))
        if not found.stated or len(found.stated) != len(found.observed) or not ascending:
            raise ValueError("its map does not ascend")
        if not all(0.0 <= value <= 1.0 for value in shares):
            raise ValueError("a probability lies outside 0..1")
    except KeyError as error:
        raise FormatError(f"{path} lacks {error}; make it anew with `vantage calibrate`") from error
    except (TypeError, ValueError) as error:
        raise FormatError(f"{path} cannot be used: {error}; make it anew with `vantage calibrate`") from error
    return found


def _read(kind: Any, value: Any) -> Any:
    if kind == "str":
        if not isinstance(value, str):
            raise ValueError("a name is no text")
        return value
    if kind.startswith("tuple"):
        return tuple(_read("float", item) for item in value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("a number is missing or not finite")
    return int(value) if kind == "int" else float(value)


def _kept(probability: float, quantile: float) -> tuple[bool, bool]:
    """Whether "it is right" and "it is not" are kept. Rounding must not throw out what the quantile was taken from."""
    least = 1.0 - quantile - 1e-12
    return probability >= least, 1.0 - probability >= least


def _parts(answers: Sequence[Judged]) -> tuple[list[Judged], list[Judged], list[Judged]]:
    """A quarter, a quarter and a half, by whole groups where there are enough of them; always the same."""
    by_group = len({item.group for item in answers}) >= 8
    keys = [item.group if by_group else str(number) for number, item in enumerate(answers)]
    names = sorted(set(keys))
    shuffled = [names[k] for k in np.random.default_rng(_SEED).permutation(len(names))]
    quarter = max(1, len(shuffled) // 4)
    first, second = set(shuffled[:quarter]), set(shuffled[quarter : 2 * quarter])
    pairs = list(zip(keys, answers, strict=True))
    return (
        [item for key, item in pairs if key in first],
        [item for key, item in pairs if key in second],
        [item for key, item in pairs if key not in first and key not in second],
    )


SUFFIX = "+calibrated"  # of the name under which such answers are scored
_CLAIMS = (Verdict.ANSWERED, Verdict.CORRECTED, Verdict.UNANSWERABLE)
_Said = TypeVar("_Said", Assessment, Answer)


class CalibratedAnswering:
    """States confidences as they turned out to be. What is not sure enough asks for another look, and for a person's
    consent where no look is left; then the text still proposes the answer."""

    def __init__(self, inner: Answering, calibration: Calibration) -> None:
        self._inner, self._calibration = inner, calibration

    @property
    def perceiver(self) -> Perceiver:
        return self._inner.perceiver

    @property
    def memory(self) -> ObservedScene:
        return self._inner.memory

    @property
    def coverage(self) -> CoverageMap | None:
        return self._inner.coverage

    def reset(self, bounds_min: Point | None = None, bounds_max: Point | None = None) -> None:
        self._inner.reset(bounds_min, bounds_max)

    def observe(self, observation: Observation) -> tuple[Detection, ...]:
        return self._inner.observe(observation)

    def acted(self, result: StepResult) -> None:
        self._inner.acted(result)

    def restored(self) -> None:
        self._inner.restored()

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        found = self._decided(self._inner.assess(text, exhausted), exhausted)
        if found.verdict is Verdict.NEEDS_LOOK and not found.look_for:
            return replace(found, look_for=ANYWHERE)
        return found

    def ask(self, question: Question, exhausted: bool = False, last: bool = False) -> Answer:
        answer = self._decided(self._inner.ask(question, exhausted, last), exhausted or last)
        return replace(answer, model=answer.model + SUFFIX)

    def confirm(self, question: Question, accept: bool) -> Answer:
        """A person settles what the calibration left open; who does not agree leaves it open."""
        answer = self._inner.confirm(question, accept)
        sure = self._calibration.calibrated(answer.confidence)
        answer = replace(answer, confidence=sure, model=answer.model + SUFFIX)
        if accept or answer.verdict is not Verdict.ANSWERED:
            return answer
        text = f"I am {sure:.0%} sure of an answer that was not confirmed."
        noise = NoiseReport(answer.noise.noise_type, explanation=text)
        return replace(answer, text=text, verdict=Verdict.NEEDS_LOOK, noise=noise)

    def check(self, text: str) -> tuple[bool, bool, NoiseReport]:
        found = self.assess(text)
        return found.verdict is not Verdict.NEEDS_MODEL, found.verdict is Verdict.ANSWERED, found.noise

    def look_for(self, text: str) -> tuple[LookFor, ...]:
        return self._inner.look_for(text) or self.assess(text).look_for

    def _decided(self, said: _Said, final: bool) -> _Said:
        """Claims are kept where only "it is right" remains."""
        if said.verdict not in _CLAIMS:
            return said
        certain = self._calibration.is_sure(said.confidence)
        sure = self._calibration.calibrated(said.confidence)
        said = replace(said, confidence=sure, noise=replace(said.noise, confidence=min(sure, said.noise.confidence)))
        if certain:
            return said
        verdict = Verdict.NEEDS_CONFIRMATION if final else Verdict.NEEDS_LOOK
        return replace(said, verdict=verdict, text=_doubted(said.text, sure, final))


def _doubted(text: str, sure: float, final: bool) -> str:
    """The proposal with how sure it is; a bare answer is marked as one."""
    doubt = f"I am only {sure:.0%} sure" + ("; please confirm." if final else ", so I look further.")
    proposal = text if "Answer:" in text or text.endswith(".") else f"Answer: {text}."
    return f"{doubt} {proposal}"
