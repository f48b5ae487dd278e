"""Scores from bags alone: the same bags and the same judge always give the same figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from vantage.benchmarks.judging.case import Case
from vantage.benchmarks.judging.judges import Judge
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.statistics.metrics import EpisodeScore, least_seen, spl
from vantage.errors import ModelError, RecordingError, UsageError
from vantage.recording.bags import find_bags
from vantage.recording.partial_bags import PARTIAL
from vantage.recording.recordings import Recording, frames_at, goal_image, read_recording
from vantage.reports.score_table import ScoreTable
from vantage.runs.progress import Tell, paced, quiet
from vantage.types import Status, Truth, TruthQuestion

_NAMED = 200  # characters of a path in a message


def score_runs(
    folders: str | Path | Sequence[str | Path], judge: Judge | None = None, tell: Tell = quiet
) -> ScoreTable:
    """Score every bag of one or several folders; a folder of folders of bags stands for these.

    Partial and damaged recordings are named, never scored. ``tell`` hears how far it is.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
        UsageError: two of the folders hold the same episode of the same setup.
    """
    given = [folders] if isinstance(folders, (str, Path)) else folders
    chosen: dict[Path, Path] = {}
    for folder in given:
        for run in runs_of(folder):
            chosen.setdefault(run.resolve(), run)
    runs = {run: _score_run(run, judge, tell) for run in chosen.values()}
    _refuse_repeats(runs)
    return ScoreTable(tuple(score for scores in runs.values() for score in scores))


def _refuse_repeats(runs: Mapping[Path, Sequence[EpisodeScore]]) -> None:
    """No episode of a setup may count twice."""
    first: dict[tuple[str, ...], Path] = {}
    for run, scores in runs.items():
        for score in scores:
            if not score.complete:
                continue
            key = (score.benchmark, score.agent, score.perception, score.judge, score.model, score.episode_id)
            bag = run / score.bag
            other = first.setdefault(key, bag)
            if other.parent != run:
                raise UsageError(
                    f"episode '{score.episode_id}' of one setup is in both '{other}' and '{bag}'; score one of the runs"
                )


def runs_of(folder: str | Path) -> list[Path]:
    """The folders of bags that a folder stands for: itself, or those in it where it holds no bag.

    Raises:
        RecordingError: there is no such folder, it cannot be read, or neither it nor those in it hold a bag.
    """
    root = Path(folder)
    try:
        return _runs_of(root)
    except (OSError, ValueError) as error:  # a name that is too long or holds a NUL, a folder that may not be read
        said = error.strerror if isinstance(error, OSError) else str(error)
        named = str(root)[:_NAMED]
        raise RecordingError(f"the folder {named!r} cannot be opened: {said}; give a folder of bags") from error


def _runs_of(root: Path) -> list[Path]:
    try:
        find_bags(root)
    except RecordingError:
        inner = sorted(item for item in root.iterdir() if item.is_dir() and _holds_bags(item)) if root.is_dir() else []
        if not inner:
            raise
        return inner
    return [root]


def _holds_bags(folder: Path) -> bool:
    try:
        find_bags(folder)
    except RecordingError:
        return False
    return True


def _score_run(root: Path, judge: Judge | None, tell: Tell) -> list[EpisodeScore]:
    complete, partial = find_bags(root)
    known = {*complete, *partial}
    broken = [
        item for item in sorted(root.iterdir()) if item not in known and item.is_dir() and any(item.glob("*.mcap"))
    ]
    bags = sorted((*complete, *partial, *broken))
    return _with_models([score_bag(path, judge) for path in paced(bags, f"{root}: scored", tell)])


def _with_models(scores: list[EpisodeScore]) -> list[EpisodeScore]:
    """Who answers is said in answers alone: an episode without one counts for the model of its run, if that has one."""
    models: dict[tuple[str, str, str], set[str]] = {}
    for score in scores:
        models.setdefault((score.benchmark, score.agent, score.perception), set()).add(score.model)
    filled = []
    for score in scores:
        others = models[score.benchmark, score.agent, score.perception] - {""}
        filled.append(replace(score, model=next(iter(others))) if not score.model and len(others) == 1 else score)
    return filled


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
    unscored = EpisodeScore(
        episode.episode_id,
        episode.benchmark,
        recording.agent,
        recording.perception,
        judge.name,
        incomplete_reason=reason,
        scene=episode.scene,
        bag=recording.path.name,
    )
    if reason or truth is None:
        return unscored
    given = [recording.answer_to(question) for question in truth.questions]
    try:
        judged = [judge.judge(_case(recording, question)) for question in truth.questions]
    except ModelError as error:
        return replace(unscored, incomplete_reason=f"no mark: {error}")
    seen = [_visible(recording, question) for question in truth.questions]
    steps = len(recording.motions)
    way = [episode.start, *(motion.reached for motion in recording.motions)]
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
        steps=steps,
        oracle_steps=oracle,
        has_oracle=truth.oracle_actions is not None,
        path_length=sum((a.distance(b) for a, b in pairwise(way)), 0.0),
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
    )


def _case(recording: Recording, truth: TruthQuestion) -> Case:
    """What a judge is given of one question."""
    answer, asked = recording.answer_to(truth), recording.asked_as(truth)
    stamps = [evidence.stamp for evidence in answer.evidence] if answer is not None else []
    stamps += [motion.observation_stamp for motion in recording.motions[-1:]]
    return Case(
        truth,
        answer,
        _visible(recording, truth),
        asked.text if asked is not None else "",
        asked.phase if asked is not None else "",
        partial(frames_at, recording.path, stamps),
        partial(goal_image, recording.path),
    )


def _visible(recording: Recording, question: TruthQuestion) -> float | None:
    """What the evidence and the last frame show of the target that they show least."""
    frames = [recording.last_frame()]
    answer = recording.answer_to(question)
    for evidence in answer.evidence if answer is not None else ():
        frames.append(recording.visibility.get(evidence.stamp, {}))
    return least_seen(frames, question.target_instances)


def _is_noisy(truth: Truth) -> bool:
    return any(not question.premise_holds for question in truth.questions)
