"""A file of questions that people wrote: one JSON object a line, with what is right and what has to be seen for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vantage.benchmarks.sets import Record
from vantage.errors import FormatError
from vantage.files import MOST_JSON, parse_json, read_text, unreadable
from vantage.questions import QuestionKind
from vantage.types import NoiseType, TruthQuestion

_KINDS = [kind.value for kind in QuestionKind]
_NOISES = [noise.name.lower() for noise in NoiseType if noise is not NoiseType.UNKNOWN]


@dataclass(frozen=True)
class WrittenQuestion:
    """One line of a file.

    Attributes:
        id: names the episode.
        scene: the home that it is about.
        kind: what it asks for, one of ``QuestionKind``.
        answer: the right one, to the question put right where its premise is false; empty for what is not there.
        accepted: other right answers.
        noise: ``none``, or the type of its false premise.
        false_claim, correction, corrected_question: what is false, what is true instead, and the question put right.
        targets: instance ids of what must be seen, the object that is asked about first; of what is not there, where
            one would look for it.
    """

    id: str
    scene: str
    question: str
    kind: str
    answer: str
    targets: tuple[int, ...]
    accepted: tuple[str, ...] = ()
    noise: str = "none"
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""

    def truth(self, question_id: str) -> TruthQuestion:
        """Its gold data."""
        noise = NoiseType[self.noise.upper()]
        return TruthQuestion(
            question_id,
            self.kind,
            self.answer,
            self.accepted,
            noise is NoiseType.NONE,
            noise,
            self.false_claim,
            self.correction,
            self.corrected_question,
            self.targets,
        )


def read_questions(path: str | Path) -> tuple[WrittenQuestion, ...]:
    """The questions of a file, in order.

    Raises:
        FormatError: it cannot be read, a line is no such question or contradicts itself, or an id comes twice; says in
            which line.
    """
    try:
        text = read_text(Path(path), MOST_JSON)
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot read the questions in {path}: {unreadable(error)}") from error
    found: dict[str, WrittenQuestion] = {}
    for line, where in _lines(text, path):
        question = _question(line, where)
        if question.id in found:
            raise FormatError(f"{where}: the id '{question.id}' was there before; make them differ")
        found[question.id] = question
    if not found:
        raise FormatError(f"{path} holds no question; give one JSON object a line")
    return tuple(found.values())


def _lines(text: str, path: str | Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield line, f"{path}, line {number}"


def _question(line: str, where: str) -> WrittenQuestion:
    try:
        value = parse_json(line, where)
    except ValueError as error:
        raise FormatError(f"{where}: not a JSON object: {error}") from error
    record = Record(value, where, WrittenQuestion)
    question = WrittenQuestion(
        id=record.name("id"),
        scene=record.name("scene"),
        question=record.text("question").strip(),
        kind=record.text("kind", choices=_KINDS),
        answer=record.text("answer").strip(),
        targets=record.several("targets", _target),
        accepted=record.texts("accepted", ()),
        noise=record.text("noise", "none", choices=_NOISES),
        false_claim=record.text("false_claim", "").strip(),
        correction=record.text("correction", "").strip(),
        corrected_question=record.text("corrected_question", "").strip(),
    )
    if problem := _problem(question):
        raise FormatError(f"{where}: {problem}")
    return question


def _target(value: object, where: str) -> int:
    if type(value) is not int or value <= 0:
        raise FormatError(f"{where}: expected a positive instance id, got {value!r}")
    return value


def _problem(question: WrittenQuestion) -> str:
    """What of a question contradicts itself; empty where nothing does."""
    told = (question.false_claim, question.correction)
    if not question.question:
        return "'question' is empty"
    if not question.targets:
        return "'targets' is empty; name what has to be seen, or where one would look for what is not there"
    if question.noise == "none":
        if any((*told, question.corrected_question)):
            return "a question whose premise holds has no false claim, no correction and no corrected question"
        return "" if question.answer else "'answer' is empty"
    if not all(told):
        return "a false premise needs 'false_claim' and 'correction'"
    if question.noise == "latent":
        return "a question about what is not there has no answer" if question.answer else ""
    return "" if question.answer and question.corrected_question else "a false premise needs the question put right"
