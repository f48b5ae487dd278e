"""Marks of 1 to 5 that people gave to recorded answers: what is marked, and the file that keeps the marks."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from vantage.benchmarks.judging import RuleJudge
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, RecordingError, UsageError
from vantage.files import SoleWriter, read_json
from vantage.recording import Recording, read_recording
from vantage.reports.scoring import runs_of, score_runs
from vantage.types import Answer, TruthQuestion

MARKS = "vantage.marks/1"
MARK_VALUES = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class MarkedUnit:
    """What an answer is part of: an episode of one setup, as judges mark it, and the question."""

    benchmark: str
    setup: tuple[str, ...]
    episode_id: str
    scene: str
    question: tuple[str, str]

    @property
    def key(self) -> str:
        """A name that tells nothing of the setup, and by which answers are in an order that tells nothing either."""
        words = json.dumps([self.benchmark, self.setup, self.episode_id, self.question])
        return hashlib.sha256(words.encode()).hexdigest()[:24]


@dataclass(frozen=True)
class AnswerToMark:
    """A recorded answer as people are shown it, in plain text: neither who gave it nor what a judge made of it."""

    unit: MarkedUnit
    question: str
    gold: str
    answer: str


@dataclass(frozen=True)
class AnswerMarks:
    """The whole file.

    Attributes:
        units: what is marked, by key.
        raters: marks by key, of each person by pseudonym.
    """

    units: Mapping[str, MarkedUnit]
    raters: Mapping[str, Mapping[str, int]]

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": MARKS,
            "answers": {key: asdict(unit) for key, unit in self.units.items()},
            "raters": {name: dict(marks) for name, marks in self.raters.items()},
        }


def answers_to_mark(folder: str | Path) -> tuple[AnswerToMark, ...]:
    """The answers in a folder of bags, or of folders of bags, in an order that does not tell who gave them.

    Raises:
        RecordingError: it holds no finished episode with gold data.
        UsageError: it holds the same episode of one setup twice.
    """
    found: dict[str, AnswerToMark] = {}
    for run in runs_of(folder):
        for score in score_runs(run, RuleJudge()).scores:
            for item in _answers(read_recording(run / score.bag), score) if score.complete else ():
                if found.setdefault(item.unit.key, item) is not item:
                    raise UsageError(
                        f"episode '{score.episode_id}' of one setup is in {folder} twice; give one of them"
                    )
    if not found:
        raise RecordingError(f"{folder} holds no finished episode with gold data; there is nothing to mark")
    return tuple(found[key] for key in sorted(found))


def _setup(score: EpisodeScore) -> tuple[str, ...]:
    return score.agent, score.perception, score.model, score.control


def _answers(recording: Recording, score: EpisodeScore) -> Iterator[AnswerToMark]:
    if recording.truth is None or recording.episode is None:
        return
    asked = recording.episode.questions
    for truth in recording.truth.questions:
        texts = [question.text for question in asked if truth.is_about(question)]
        unit = MarkedUnit(
            score.benchmark, _setup(score), score.episode_id, score.scene, (truth.phase, truth.question_id)
        )
        yield AnswerToMark(unit, texts[0] if texts else "", _gold(truth), _said(recording.answer_to(truth)))


def _gold(truth: TruthQuestion) -> str:
    if truth.premise_holds:
        return "; or ".join(dict.fromkeys((truth.answer, *truth.accepted)))
    parts = [f"The question is mistaken: {truth.false_claim}.", f"True is: {truth.correction}."]
    return " ".join([*parts, *([f"Answer: {truth.answer}"] if truth.answer else [])])


def _said(answer: Answer | None) -> str:
    if answer is None:
        return "no answer was given"
    noise = answer.noise
    wrong = [f"said to be untrue: {noise.false_claim}"] if noise.false_claim else []
    wrong += [f"said to be true: {noise.correction}"] if noise.correction else []
    return "; ".join([answer.text or "no words", answer.verdict.name.lower(), *wrong])


def read_answer_marks(path: str | Path) -> AnswerMarks:
    """
    Raises:
        FormatError: it is no file of marks of answers, or damaged.
    """
    values = read_json(Path(path))
    try:
        if values["schema"] != MARKS:
            raise ValueError(f"its schema is {values['schema']!r}")
        units = {key: _unit(value) for key, value in values["answers"].items()}
        raters = {name: dict(marks) for name, marks in values["raters"].items()}
        if any(unit.key != key for key, unit in units.items()):
            raise ValueError("a key does not fit what it names")
        for marks in raters.values():
            if not set(marks) <= set(units) or not all(map(_is_mark, marks.values())):
                raise ValueError("a mark must be a whole number of 1 to 5, of an answer that it names")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(
            f"{path} holds no marks of answers ({MARKS}): {error}; write it with `vantage review --marks`"
        ) from error
    return AnswerMarks(units, raters)


def _unit(value: Mapping[str, Any]) -> MarkedUnit:
    phase, question_id = value["question"]
    setup = tuple(value["setup"])
    texts = [value["benchmark"], value["episode_id"], value["scene"], phase, question_id, *setup]
    if len(setup) != 4 or not all(isinstance(text, str) for text in texts):
        raise TypeError("an answer must be named by texts")
    return MarkedUnit(value["benchmark"], setup, value["episode_id"], value["scene"], (phase, question_id))


def _is_mark(value: Any) -> bool:
    return type(value) is int and value in MARK_VALUES


class MarkFile:
    """Marks of people who mark the same answers apart from each other, on disk before ``mark`` returns; thread-safe.

    Args:
        path: of the file; one that is there is taken up again.
        answers: all that are marked.
        names: of the raters.

    Raises:
        FormatError: the file that is there is damaged, or marks other answers.
        UsageError: it has other raters, or another process keeps it.
        OSError: it cannot be written.
    """

    def __init__(self, path: str | Path, answers: Sequence[AnswerToMark], names: Sequence[str]) -> None:
        self.path = Path(path)
        self._guard = threading.Lock()
        self._writer = SoleWriter(self.path, "review")
        try:
            self._marks = self._taken_up({item.unit.key: item.unit for item in answers}, names)
            self._writer.write(self._marks.to_json())
        except BaseException:
            self.close()
            raise

    def _taken_up(self, units: Mapping[str, MarkedUnit], names: Sequence[str]) -> AnswerMarks:
        if not self.path.exists():
            return AnswerMarks(units, {name: {} for name in names})
        found = read_answer_marks(self.path)
        if dict(found.units) != dict(units):
            raise FormatError(f"{self.path} marks other answers than those that were given; give another file")
        if list(found.raters) != list(names):
            raise UsageError(
                f"{self.path} holds marks of {', '.join(found.raters)}, not of {', '.join(names)}; give as many "
                "--reviewers as then, or another file"
            )
        return found

    def of(self, rater: str) -> Mapping[str, int]:
        """What one person gave, by key; nothing of what others did."""
        with self._guard:
            return dict(self._marks.raters.get(rater, {}))

    def mark(self, rater: str, key: str, value: int) -> None:
        """
        Raises:
            UsageError: there is no such person or answer, or it is no mark.
            OSError: it cannot be written; then it is not kept.
        """
        with self._guard:
            if rater not in self._marks.raters or key not in self._marks.units or not _is_mark(value):
                raise UsageError("a mark is a whole number of 1 to 5 for an answer that is shown; open the page again")
            raters = {**self._marks.raters, rater: {**self._marks.raters[rater], key: value}}
            marks = AnswerMarks(self._marks.units, raters)
            self._writer.write(marks.to_json())
            self._marks = marks

    def close(self) -> None:
        """Let another process have it; again without effect."""
        with self._guard:
            self._writer.close()

    def __enter__(self) -> MarkFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
