"""The ordinary score of one recording: its answers marked by a judge, its way compared with the oracle's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.judging import Case, EndJudge, Judge
from vantage.benchmarks.statistics import EpisodeScore, least_seen, spl
from vantage.errors import ModelError, RecordingError
from vantage.recording import Recording, frames_at, goal_image
from vantage.types import Status, Truth, TruthQuestion

T = TypeVar("T")


def score_recording(recording: Recording, judge: Judge, by_end: bool = False) -> EpisodeScore:
    """Success at mark 5 of every question, SPL against the oracle, collisions, and what became of false premises.

    Steps, collisions and path are those of all phases together, without the jump back to the start where the world was
    put back; grounding is by what was seen until the phase of the question ended. Where the recording cannot be scored,
    ``complete`` is false and ``incomplete_reason`` says why.

    Args:
        by_end: only the last look of a phase tells whether an answer is grounded, by the judge's rule for that
            (``EndJudge``) where it has one.
    """
    if by_end and isinstance(judge, EndJudge):
        judge = judge.by_end()
    reason, episode, truth = recording.shortfall(), recording.episode, recording.truth
    if episode is None:
        return EpisodeScore(recording.path.name, incomplete_reason=reason, bag=recording.path.name)
    unscored = EpisodeScore(
        episode.episode_id,
        episode.benchmark,
        recording.agent,
        recording.perception,
        judge.name,
        incomplete_reason=reason,
        scene=episode.scene,
        bag=recording.path.name,
        judge_version=judge.version,
        control=recording.control,
    )
    if reason or truth is None:
        return unscored
    given = [recording.answer_to(question) for question in truth.questions]
    try:
        judged = [judge.judge(case_of(recording, question, by_end)) for question in truth.questions]
    except (ModelError, RecordingError) as error:
        return replace(unscored, incomplete_reason=f"no mark: {error}")
    seen = [_visible(recording, question) for question in truth.questions]
    steps = len(recording.motions)
    success = all(judgement.score == 5 for judgement in judged)
    oracle = len(truth.oracle_actions) if truth.oracle_actions is not None else 0
    said = [answer for answer in given if answer is not None]
    return EpisodeScore(
        episode_id=episode.episode_id,
        benchmark=episode.benchmark,
        agent=recording.agent,
        perception=recording.perception,
        judge=judge.name,
        complete=True,
        judge_score=sum(judgement.score for judgement in judged) / len(judged),
        judge_reason="; ".join(judgement.reason for judgement in judged),
        success=success,
        right=_all_known([judgement.right for judgement in judged]),
        shown=_all_told([judgement.shown for judgement in judged]),
        shortfall="; ".join(judgement.shortfall.words for judgement in judged if judgement.shortfall is not None),
        view_rule=recording.view_rule,
        set_view_rule=recording.set_view_rule,
        steps=steps,
        oracle_steps=oracle,
        has_oracle=truth.oracle_actions is not None,
        path_length=sum((a.distance(b) for way in recording.ways() for a, b in pairwise(way)), 0.0),
        collisions=sum(motion.status == Status.COLLIDED for motion in recording.motions),
        spl=spl(success, oracle, steps) if truth.oracle_actions is not None else math.nan,
        noisy=_is_noisy(truth),
        noise_detected=any(judgement.detected for judgement in judged),
        noise_corrected=any(judgement.corrected for judgement in judged),
        false_alarm=any(judgement.false_alarm for judgement in judged),
        messages_dropped=recording.dropped,
        scene=episode.scene,
        kind=", ".join(dict.fromkeys(question.kind for question in truth.questions)),
        noise_type=", ".join(dict.fromkeys(question.noise_type.name for question in truth.questions)),
        question=" ".join(question.text for question in episode.questions),
        answer=" ".join(answer.text for answer in said),
        verdict=", ".join(answer.verdict.name for answer in said),
        visible=min((value for value in seen if value is not None), default=None),
        bag=recording.path.name,
        model=", ".join(dict.fromkeys(answer.model for answer in said if answer.model)),
        confidence=sum(answer.confidence for answer in said) / len(said) if said else math.nan,
        verified=recording.verified,
        judge_version=judge.version,
        control=recording.control,
        category=", ".join(dict.fromkeys(question.category for question in truth.questions if question.category)),
        pair_id=truth.pair_id,
        split=truth.split,
        participant=recording.participant,
    )


def case_of(recording: Recording, truth: TruthQuestion, by_end: bool = False) -> Case:
    """What a judge is given of one question; whether the last look answers it only where that decides."""
    answer, asked = recording.answer_to(truth), recording.asked_as(truth)
    stamps = [evidence.stamp for evidence in answer.evidence] if answer is not None else []
    looks = [motion.observation_stamp for motion in recording.motions_until(truth.phase)] or sorted(
        recording.visibility
    )[:1]
    stamps += looks[-1:]
    return Case(
        truth,
        answer,
        _visible(recording, truth),
        asked.text if asked is not None else "",
        asked.phase if asked is not None else "",
        partial(frames_at, recording.path, stamps),
        partial(goal_image, recording.path),
        _answered_by_end(recording, truth) if by_end else None,
        _of_end(recording.shortfalls, recording, truth) if by_end else None,
        partial(_end_image, recording, truth.phase),
    )


def _answered_by_end(recording: Recording, question: TruthQuestion) -> bool | None:
    """Whether the last look of its phase answers a question; None where that was not recorded or nothing has to be
    seen."""
    return _of_end(recording.answering, recording, question) if question.target_instances else None


def _of_end(rows: Mapping[int, Sequence[T]], recording: Recording, question: TruthQuestion) -> T | None:
    """What rows of all questions, by stamp, say of one at the last look of its phase; None without such a row."""
    known = recording.truth.questions if recording.truth is not None else ()
    row = rows.get(recording.end_of(question.phase), ())
    return row[known.index(question)] if len(row) == len(known) else None


def _all_known(flags: Sequence[bool | None]) -> bool | None:
    """Whether all hold; None where one is not known."""
    return None if None in flags else all(flags)


def _all_told(flags: Sequence[bool | None]) -> bool | None:
    """Whether all that are known hold; None where none is."""
    told = [flag for flag in flags if flag is not None]
    return all(told) if told else None


def _end_image(recording: Recording, phase: str) -> NDArray[np.uint8] | None:
    frames = frames_at(recording.path, (recording.end_of(phase),))
    return frames[0] if frames else None


def _visible(recording: Recording, question: TruthQuestion) -> float | None:
    """What the evidence and the last frame of the phase show of the target that they show least."""
    frames = [recording.last_frame(question.phase)]
    answer = recording.answer_to(question)
    for evidence in answer.evidence if answer is not None else ():
        frames.append(recording.visibility.get(evidence.stamp, {}))
    return least_seen(frames, question.target_instances)


def _is_noisy(truth: Truth) -> bool:
    return any(not question.premise_holds for question in truth.questions)
