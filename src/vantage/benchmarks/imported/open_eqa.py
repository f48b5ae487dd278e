"""The questions of OpenEQA (``open-eqa-v0.json`` and parts of it), and scores of a file of answers to them.

The questions are a JSON list of records with ``question``, ``answer``, ``category``, ``question_id``,
``episode_history`` and, for some, further right answers as ``extra_answers``. A file of answers is scored without bags,
as the data set does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vantage.benchmarks.imported.imported_set import (
    ImportedBenchmark,
    ImportedQuestion,
    checked,
    read_source,
    scene_name,
)
from vantage.benchmarks.judging import Case, Judge
from vantage.benchmarks.protocol import ScorePredictions
from vantage.benchmarks.statistics import EpisodeScore
from vantage.bounded_json import bounded_json, check_json
from vantage.errors import FormatError, ModelError, UsageError
from vantage.files import refuse_halves, unreadable
from vantage.registry import did_you_mean
from vantage.types import Answer, Verdict

AGENT = "predictions"
_MOST_BYTES = 64 << 20


def read_predictions(path: str | Path) -> dict[str, str]:
    """Answers by question id, from a JSON list of ``{"question_id": ..., "answer": ...}``.

    Further keys are ignored, and an answer of null is a missing one.

    Raises:
        FormatError: the file cannot be read or holds something else.
    """
    source = Path(path)
    try:
        if source.stat().st_size > _MOST_BYTES:
            raise FormatError(f"{path} has more than {_MOST_BYTES} bytes, so it holds no predictions; check the path")
        records = bounded_json(source.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read predictions from {path}: {unreadable(error)}") from error
    if not isinstance(records, list):
        raise FormatError(f"{path}: expected a JSON list of records with 'question_id' and 'answer'")
    found: dict[str, str] = {}
    for number, record in enumerate(records, start=1):
        key, answer = _prediction(record, f"{path}, record {number}")
        if key in found:
            raise FormatError(f"{path}, record {number}: question '{key}' was answered before; keep one answer")
        if answer is not None:
            found[key] = answer
    return found


def score_predictions(
    benchmark: str, asked: Sequence[ImportedQuestion], questions: str | Path, predictions: str | Path, judge: Judge
) -> tuple[EpisodeScore, ...]:
    """Marks of all questions of a file; one that nobody answered gets the mark 1, so that it counts 0.

    Args:
        asked: what the file ``questions`` asks.
        predictions: file of the answers.

    Raises:
        FormatError: the file of answers is damaged.
        UsageError: an answer is to no question of the file.
    """
    answers = read_predictions(predictions)
    known = [question.question_id for question in asked]
    strange = sorted(set(answers).difference(known))
    if strange:
        raise UsageError(
            f"{predictions} answers question '{strange[0]}', which {questions} does not have"
            f"{did_you_mean(strange[0], known[:200]) if len(known) <= 200 else ''}"
        )
    model = Path(predictions).stem
    return tuple(_scored(benchmark, question, answers, model, judge) for question in asked)


def _prediction(record: Any, where: str) -> tuple[str, str | None]:
    if not isinstance(record, Mapping) or not isinstance(record.get("question_id"), str):
        raise FormatError(f"{where}: expected a record with a text 'question_id' and an 'answer'")
    answer = record.get("answer")
    if answer is not None and not isinstance(answer, str):
        raise FormatError(f"{where}: 'answer' must be a text or null")
    return record["question_id"], answer


def _scored(
    benchmark: str, question: ImportedQuestion, answers: Mapping[str, str], model: str, judge: Judge
) -> EpisodeScore:
    said = answers.get(question.question_id)
    answer = None if said is None else Answer(question.question_id, said, Verdict.ANSWERED, math.nan)
    names = (question.question_id, benchmark, AGENT, "", judge.name)
    try:
        judgement = judge.judge(Case(question.truth(), answer, None, question.text))
    except ModelError as error:
        reason, version = f"no mark: {error}", judge.version
        return EpisodeScore(*names, incomplete_reason=reason, scene=question.scene, model=model, judge_version=version)
    return EpisodeScore(
        *names,
        complete=True,
        judge_score=judgement.score,
        judge_reason=judgement.reason,
        success=judgement.score == 5,
        right=judgement.right,
        false_alarm=judgement.false_alarm,
        scene=question.scene,
        kind=question.kind,
        question=question.text,
        answer=said or "",
        verdict="" if answer is None else answer.verdict.name,
        model=model,
        judge_version=judge.version,
    )


BENCHMARK = "open-eqa"
# The seven categories, by what they ask for: kinds of ours where there is one.
CATEGORIES = {
    "object recognition": "recognition",
    "attribute recognition": "attribute",
    "spatial understanding": "spatial",
    "object state recognition": "state",
    "functional reasoning": "function",
    "world knowledge": "knowledge",
    "object localization": "location",
}
_NEEDED = ("question", "answer", "category", "question_id", "episode_history")
_EXTRA = "extra_answers"


class OpenEqaBenchmark(ImportedBenchmark):
    """OpenEQA's questions, without its recordings."""

    name = BENCHMARK

    @property
    def predictions(self) -> ScorePredictions:
        return score_answers

    def read(self, path: str | Path) -> tuple[ImportedQuestion, ...]:
        """Every record of a file.

        Raises:
            FormatError: it is no JSON list of such records, or an id comes twice; says in which line.
        """
        return read_open_eqa(path)


def read_open_eqa(path: str | Path) -> tuple[ImportedQuestion, ...]:
    """Every record of a file, in order; see ``OpenEqaBenchmark.read``."""
    return checked((_question(record, where) for record, where in _records(read_source(path), path)), path)


def score_answers(questions: str | Path, predictions: str | Path, judge: Judge) -> tuple[EpisodeScore, ...]:
    """Marks of a file of answers to the questions of a file.

    Raises:
        FormatError: a file is damaged.
        UsageError: an answer is to no question of the file.
    """
    return score_predictions(BENCHMARK, read_open_eqa(questions), questions, predictions, judge)


def _records(text: str, path: str | Path) -> Iterator[tuple[Any, str]]:
    """The elements of a JSON list, each with file and line."""
    decoder, at, line = json.JSONDecoder(), 0, 1

    def skip(position: int) -> int:
        while position < len(text) and text[position] in " \t\r\n":
            position += 1
        return position

    at = skip(0)
    if text[at] != "[":
        raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, at)}: expected a JSON list of records")
    at, counted = skip(at + 1), 0
    while at < len(text) and text[at] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            begin, (record, at) = at, decoder.raw_decode(text, at)
            check_json(text[begin:at])
        except json.JSONDecodeError as error:
            raise FormatError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from error
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{path}, line {line}: the record is nested too deeply") from error
        refuse_halves(record, f"{path}, line {line}")
        yield record, f"{path}, line {line}"
        at = skip(at)
        if at < len(text) and text[at] == ",":
            at = skip(at + 1)
            if at < len(text) and text[at] == "]":
                raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, at)}: a record is missing after the comma")
        elif at < len(text) and text[at] != "]":
            raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, at)}: expected a comma between two records")
    if at >= len(text):
        raise FormatError(f"{path}, line {1 + text.count(chr(10))}: the list does not end; the file is cut")
    if skip(at + 1) < len(text):
        raise FormatError(f"{path}, line {1 + text.count(chr(10), 0, skip(at + 1))}: something follows the list")


def _question(record: Any, where: str) -> ImportedQuestion:
    if not isinstance(record, dict):
        raise FormatError(f"{where}: expected a record, got {str(record)[:60]!r}")
    known = [*_NEEDED, _EXTRA]
    strange = sorted(set(record) - set(known))
    if strange:
        raise FormatError(f"{where}: unknown key '{strange[0]}'{did_you_mean(strange[0], known)}")
    for key in _NEEDED:
        if not isinstance(record.get(key), str) or not record[key].strip():
            raise FormatError(f"{where}: '{key}' must be a text that is not empty")
    extra = record.get(_EXTRA, [])
    if not isinstance(extra, list) or not all(isinstance(item, str) for item in extra):
        raise FormatError(f"{where}: '{_EXTRA}' must be a list of texts")
    category = record["category"].strip()
    if category not in CATEGORIES:
        raise FormatError(f"{where}: unknown category '{category}'{did_you_mean(category, list(CATEGORIES))}")
    text = record["question"].strip()
    others = tuple(item.strip() for item in extra if item.strip())
    return ImportedQuestion(
        where=where,
        question_id=record["question_id"].strip(),
        scene=scene_name(record["episode_history"].strip()),
        text=text,
        bare=text,
        kind=CATEGORIES[category],
        answer=record["answer"].strip(),
        accepted=others,
    )
