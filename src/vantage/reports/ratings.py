"""What people, judges and agents made of the same things, read from bags, saved scores and files of marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from statistics import fmean
from typing import Any

from vantage.benchmarks.judging import Judge
from vantage.benchmarks.review import read_reviews
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, UsageError
from vantage.files import read_json
from vantage.reports.answer_marks import MARKS, read_answer_marks
from vantage.reports.scoring import score_by_each, score_runs
from vantage.runs import Tell, quiet

SCORES = "vantage.score/1"  # of what `vantage score --json` prints
HUMAN = "human"  # the agent that a person is
_TEXTS = ("episode_id", "benchmark", "agent", "perception", "judge", "model", "control", "scene", "verdict")


class Kind(Enum):
    """What is rated: an answer with a mark of 1..5, a question with a verdict or with whether it was answered rightly,
    an item of a set with whether it is accepted."""

    MARK = "mark"
    VERDICT = "verdict"
    CORRECTNESS = "correctness"
    REVIEW = "review"


class Who(Enum):
    """Who rates."""

    PEOPLE = "people"
    JUDGES = "judges"
    AGENTS = "agents"


@dataclass(frozen=True)
class Rating:
    """One value that one rater gave to one unit.

    Attributes:
        about: the benchmark, or the set whose items are reviewed.
        unit: names it within ``about``.
        scene: the home that it is of; empty where that is not known.
        value: a mark, or a word.
    """

    kind: Kind
    about: str
    unit: tuple[str, ...]
    scene: str
    who: Who
    rater: str
    value: float | str


def read_ratings(paths: Sequence[str | Path], judges: Sequence[Judge], tell: Tell = quiet) -> tuple[Rating, ...]:
    """The ratings in bags or folders of bags, which the judges mark, and in files; in any order, none twice.

    Args:
        judges: at least one; the first says which answers of bags are right.

    Raises:
        FormatError: a file is neither a file of marks nor one of scores, or damaged.
        RecordingError: a folder holds no bag.
        UsageError: a rater gave different values to one unit, or two folders hold the same episode of the same setup.
    """
    chosen = list(dict.fromkeys(Path(path).resolve() for path in paths))
    folders = [path for path in chosen if not path.is_file()]
    files = [path for path in chosen if path.is_file()]
    found: list[Rating] = []
    if folders:
        scores = score_by_each(judges, lambda judge: score_runs(folders, judge, tell)).complete
        found += ratings_of(scores)
    for path in files:
        found += _of_file(path, alone=len(files) == 1)
    return _once(found)


def ratings_of(scores: Iterable[EpisodeScore]) -> Iterator[Rating]:
    """Marks of every judge, verdicts, and what is right by the first judge of each episode."""
    first: dict[tuple[str, ...], str] = {}
    for score in scores:
        if not score.complete:
            continue
        setup = (score.agent, score.perception, score.model, score.control)
        answer = (*setup, score.episode_id)
        judge = f"{score.judge} {score.judge_version}".strip()
        if math.isfinite(score.judge_score):
            yield Rating(Kind.MARK, score.benchmark, answer, score.scene, Who.JUDGES, judge, score.judge_score)
        if first.setdefault((score.benchmark, *answer), judge) != judge:
            continue
        who = Who.PEOPLE if score.agent == HUMAN else Who.AGENTS
        rater = score.participant or ", ".join(filter(None, setup))
        question = (score.episode_id,)
        if score.verdict:
            yield Rating(Kind.VERDICT, score.benchmark, question, score.scene, who, rater, score.verdict)
        right = "right" if score.success else "wrong"
        yield Rating(Kind.CORRECTNESS, score.benchmark, question, score.scene, who, rater, right)


def _of_file(path: Path, alone: bool) -> Iterator[Rating]:
    """``alone``: no other file names its reviewers alike."""
    values = read_json(path)
    schema = values.get("schema") if isinstance(values, dict) else None
    if schema == SCORES:
        return ratings_of(_scores(path, values))
    if isinstance(schema, str) and schema.startswith("vantage.review/"):
        return _reviews(path, alone)
    if schema == MARKS:
        return _marks(path, alone)
    raise FormatError(
        f"{path} holds neither marks of people (vantage.review/1 or /2, {MARKS}) nor scores ({SCORES}); give what "
        "`vantage review --out` or `vantage score --json` wrote"
    )


def _reviews(path: Path, alone: bool) -> Iterator[Rating]:
    found = read_reviews(path)
    for reviewer in found.reviewers:
        name = reviewer.name if alone and reviewer.name else f"{path} {reviewer.name}".strip()
        for key, judgement in reviewer.judgements.items():
            unit, scene = (key,), found.scenes.get(key, "")
            yield Rating(Kind.REVIEW, found.set_hash[:12], unit, scene, Who.PEOPLE, name, judgement.verdict)


def _marks(path: Path, alone: bool) -> Iterator[Rating]:
    """The mean of what a person gave the answers of an episode, of which judges tell the mean too, once she marked all
    of them."""
    found = read_answer_marks(path)
    episodes: dict[tuple[str, ...], list[str]] = {}
    for key, unit in found.units.items():
        episodes.setdefault((unit.benchmark, *unit.setup, unit.episode_id), []).append(key)
    for rater, marks in found.raters.items():
        name = rater if alone else f"{path} {rater}"
        for (benchmark, *answer), keys in episodes.items():
            if all(key in marks for key in keys):
                scene, mean = found.units[keys[0]].scene, fmean(marks[key] for key in keys)
                yield Rating(Kind.MARK, benchmark, tuple(answer), scene, Who.PEOPLE, name, mean)


def _scores(path: Path, values: Mapping[str, Any]) -> Iterator[EpisodeScore]:
    episodes = values.get("episodes")
    if not isinstance(episodes, list):
        raise FormatError(f"{path}: 'episodes' must be a list of scores; write it anew by `vantage score --json`")
    known = {item.name for item in fields(EpisodeScore)}
    for number, item in enumerate(episodes):
        yield _score(item, f"{path}: episodes[{number}]", known)


def _score(item: Any, where: str, known: set[str]) -> EpisodeScore:
    if not isinstance(item, dict) or not all(isinstance(item.get(name), str) for name in _TEXTS):
        raise FormatError(f"{where} must have texts for {', '.join(_TEXTS)}; write it anew by `vantage score --json`")
    mark = item.get("judge_score")
    if mark is not None and (isinstance(mark, bool) or not isinstance(mark, (int, float)) or not 1 <= mark <= 5):
        raise FormatError(f"{where}.judge_score must be a mark of 1 to 5; write it anew by `vantage score --json`")
    if not isinstance(item.get("success"), bool):
        raise FormatError(f"{where}.success must be true or false; write it anew by `vantage score --json`")
    version, person = item.get("judge_version", ""), item.get("participant", "")
    texts = {name: item[name] for name in _TEXTS if name in known}
    return EpisodeScore(
        **texts,
        complete=True,
        judge_score=math.nan if mark is None else float(mark),
        success=item["success"],
        judge_version=version if isinstance(version, str) else "",
        participant=person if isinstance(person, str) else "",
    )


def _once(ratings: Iterable[Rating]) -> tuple[Rating, ...]:
    """
    Raises:
        UsageError: a rater gave different values to one unit.
    """
    found: dict[tuple[Any, ...], Rating] = {}
    for rating in ratings:
        key = (rating.kind, rating.about, rating.unit, rating.who, rating.rater)
        other = found.setdefault(key, rating)
        if other.value != rating.value:
            named = " ".join(filter(None, rating.unit))
            raise UsageError(
                f"'{rating.rater}' gave '{named}' of {rating.about} both {other.value} and {rating.value}; give one of "
                "the two"
            )
    return tuple(found.values())
