"""Scores from bags alone: the same bags and the same judge always give the same figures."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from vantage.benchmarks.metrics import EpisodeScore, spl
from vantage.benchmarks.rule_judge import Judgement, RuleJudge
from vantage.benchmarks.visibility import least_seen
from vantage.errors import RecordingError
from vantage.runs.bags import PARTIAL, find_bags
from vantage.runs.recording import Recording, read_recording
from vantage.runs.score_table import ScoreTable
from vantage.types import Answer, Status, Truth, TruthQuestion


class Judge(Protocol):
    """Marks one answer, 1 to 5."""

    @property
    def name(self) -> str: ...

    def judge(self, truth: TruthQuestion, answer: Answer | None, visible: float | None) -> Judgement: ...


def score_runs(folder: str | Path, judge: Judge | None = None) -> ScoreTable:
    """Score every bag of a folder, or one bag. Partial and damaged recordings are named, never scored.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
    """
    complete, partial = find_bags(folder)
    root = Path(folder)
    known = {*complete, *partial}
    broken = [
        item for item in sorted(root.iterdir()) if item not in known and item.is_dir() and any(item.glob("*.mcap"))
    ]
    scores = [score_bag(path, judge) for path in sorted((*complete, *partial, *broken))]
    return ScoreTable(tuple(scores))


def score_bag(path: str | Path, judge: Judge | None = None) -> EpisodeScore:
    """The score of one bag; where it cannot be scored, ``complete`` is false and ``incomplete_reason`` says why."""
    try:
        recording = read_recording(path)
    except RecordingError as error:
        return EpisodeScore(Path(path).name.removesuffix(PARTIAL), incomplete_reason=str(error), bag=Path(path).name)
    return score_recording(recording, judge or RuleJudge())


def score_recording(recording: Recording, judge: Judge) -> EpisodeScore:
    """The score of a recording that was read."""
    reason, episode, truth = recording.shortfall(), recording.episode, recording.truth
    if episode is None:
        return EpisodeScore(recording.path.name, incomplete_reason=reason, bag=recording.path.name)
    if reason or truth is None:
        return EpisodeScore(
            episode.episode_id,
            episode.benchmark,
            recording.agent,
            recording.perception,
            judge.name,
            incomplete_reason=reason,
            scene=episode.scene,
            bag=recording.path.name,
        )
    answers = {answer.question_id: answer for answer in reversed(recording.answers)}  # the first answer counts
    judged = [
        judge.judge(question, answers.get(question.question_id), _visible(recording, question, answers))
        for question in truth.questions
    ]
    seen = [_visible(recording, question, answers) for question in truth.questions]
    steps = len(recording.motions)
    way = [episode.start, *(motion.reached for motion in recording.motions)]
    success = all(judgement.score == 5 for judgement in judged)
    oracle = len(truth.oracle_actions) if truth.oracle_actions is not None else 0
    said = [answers[question.question_id] for question in truth.questions if question.question_id in answers]
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
        steps=steps,
        oracle_steps=oracle,
        has_oracle=truth.oracle_actions is not None,
        path_length=sum(a.distance(b) for a, b in pairwise(way)),
        collisions=sum(motion.status == Status.COLLIDED for motion in recording.motions),
        spl=spl(success, oracle, steps) if truth.oracle_actions is not None else float("nan"),
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
    )


def _visible(recording: Recording, question: TruthQuestion, answers: Mapping[str, Answer]) -> float | None:
    """What the evidence and the last frame show of the target that they show least."""
    frames = [recording.last_frame()]
    answer = answers.get(question.question_id)
    for evidence in answer.evidence if answer is not None else ():
        frames.append(recording.visibility.get(evidence.stamp, {}))
    return least_seen(frames, question.target_instances)


def _is_noisy(truth: Truth) -> bool:
    return any(not question.premise_holds for question in truth.questions)
