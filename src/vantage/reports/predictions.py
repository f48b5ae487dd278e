"""Scores of a file of answers to OpenEQA's questions: the protocol of that data set, without bags."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vantage.benchmarks.imported.imported_set import ForeignQuestion
from vantage.benchmarks.imported.open_eqa import BENCHMARK, read_open_eqa
from vantage.benchmarks.judging.case import Case
from vantage.benchmarks.judging.judges import Judge
from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.errors import FormatError, ModelError, UsageError
from vantage.files import unreadable
from vantage.registry import did_you_mean
from vantage.reports.score_table import ScoreTable
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
        records = json.loads(source.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
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


def score_predictions(questions: str | Path, predictions: str | Path, judge: Judge) -> ScoreTable:
    """Marks of all questions of a file; one that nobody answered gets the mark 1, so that it counts 0.

    Raises:
        FormatError: a file is damaged.
        UsageError: an answer is to no question of the file.
    """
    asked, answers = read_open_eqa(questions), read_predictions(predictions)
    known = [question.question_id for question in asked]
    strange = sorted(set(answers).difference(known))
    if strange:
        raise UsageError(
            f"{predictions} answers question '{strange[0]}', which {questions} does not have"
            f"{did_you_mean(strange[0], known[:200]) if len(known) <= 200 else ''}"
        )
    model = Path(predictions).stem
    return ScoreTable(tuple(_scored(question, answers, model, judge) for question in asked))


def _prediction(record: Any, where: str) -> tuple[str, str | None]:
    if not isinstance(record, Mapping) or not isinstance(record.get("question_id"), str):
        raise FormatError(f"{where}: expected a record with a text 'question_id' and an 'answer'")
    answer = record.get("answer")
    if answer is not None and not isinstance(answer, str):
        raise FormatError(f"{where}: 'answer' must be a text or null")
    return record["question_id"], answer


def _scored(question: ForeignQuestion, answers: Mapping[str, str], model: str, judge: Judge) -> EpisodeScore:
    said = answers.get(question.question_id)
    answer = None if said is None else Answer(question.question_id, said, Verdict.ANSWERED, math.nan)
    names = (question.question_id, BENCHMARK, AGENT, "", judge.name)
    try:
        judgement = judge.judge(Case(question.truth(), answer, None, question.text))
    except ModelError as error:
        return EpisodeScore(*names, incomplete_reason=f"no mark: {error}", scene=question.scene, model=model)
    return EpisodeScore(
        *names,
        complete=True,
        judge_score=judgement.score,
        judge_reason=judgement.reason,
        success=judgement.score == 5,
        false_alarm=judgement.false_alarm,
        scene=question.scene,
        kind=question.kind,
        question=question.text,
        answer=said or "",
        verdict="" if answer is None else answer.verdict.name,
        model=model,
    )
