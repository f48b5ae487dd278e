"""Scores from bags alone: the same bags and the same judge always give the same figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vantage.benchmarks import all_benchmarks, benchmark_of
from vantage.benchmarks.judging import Judge, RuleJudge
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, RecordingError, UsageError, VantageError
from vantage.recording import PARTIAL, Recording, find_bags, read_calls, read_recording
from vantage.reports.call_sums import CallSum, Key, key_of, sum_of
from vantage.reports.score_table import ScoreTable, setup_of
from vantage.runs import Tell, paced, quiet

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
    calls = {key: found for run, scores in runs.items() for key, found in _calls_of(run, scores)}
    return ScoreTable(tuple(score for scores in runs.values() for score in scores), calls)


def _calls_of(run: Path, scores: Sequence[EpisodeScore]) -> Iterator[tuple[Key, CallSum]]:
    """What models were asked in the complete recordings of a run.

    Raises:
        FormatError: a file of calls is damaged.
    """
    for score in scores:
        calls = read_calls(run / score.bag) if score.complete else []
        if calls:
            yield key_of(score), sum_of(calls)


def score_by_each(judges: Sequence[Judge], score: Callable[[Judge], ScoreTable]) -> ScoreTable:
    """The scores of several judges in one table; what none of them can score is named once.

    Args:
        score: all scores by a judge.
    """
    scores: list[EpisodeScore] = []
    calls: dict[Key, CallSum] = {}
    named: set[tuple[str, ...]] = set()
    for judge in judges:
        table = score(judge)
        calls |= table.calls
        new = [each for each in table.scores if each.complete or _shortfall(each) not in named]
        named |= {_shortfall(each) for each in new if not each.complete}
        scores += new
    return ScoreTable(tuple(scores), calls)


def _shortfall(score: EpisodeScore) -> tuple[str, ...]:
    return score.agent, score.control, score.bag, score.episode_id, score.incomplete_reason


def _refuse_repeats(runs: Mapping[Path, Sequence[EpisodeScore]]) -> None:
    """No episode of a setup may count twice."""
    first: dict[tuple[str, ...], Path] = {}
    for run, scores in runs.items():
        for score in scores:
            if not score.complete:
                continue
            key = (*setup_of(score), score.episode_id)
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
    models: dict[tuple[str, ...], set[str]] = {}
    for score in scores:
        models.setdefault(_runner(score), set()).add(score.model)
    filled = []
    for score in scores:
        others = models[_runner(score)] - {""}
        filled.append(replace(score, model=next(iter(others))) if not score.model and len(others) == 1 else score)
    return filled


def _runner(score: EpisodeScore) -> tuple[str, ...]:
    return score.benchmark, score.agent, score.perception, score.control


def score_bag(path: str | Path, judge: Judge | None = None) -> EpisodeScore:
    """The score of one bag; where it cannot be scored, ``complete`` is false and ``incomplete_reason`` says why."""
    try:
        recording = read_recording(path)
    except RecordingError as error:
        return EpisodeScore(Path(path).name.removesuffix(PARTIAL), incomplete_reason=str(error), bag=Path(path).name)
    return score_recording(recording, judge or RuleJudge())


def score_recording(recording: Recording, judge: Judge) -> EpisodeScore:
    """The score of a recording that was read, by the benchmark that it is of."""
    name = recording.episode.benchmark if recording.episode is not None else ""
    return benchmark_of(name).score(recording, judge)


def score_predictions(questions: str | Path, predictions: str | Path, judge: Judge) -> tuple[EpisodeScore, ...]:
    """Marks of a file of answers to the questions of a file, by the first benchmark that can read the questions.

    Raises:
        FormatError: no benchmark can read a file.
        UsageError: an answer is to no question of the file, or no benchmark scores answers without bags.
    """
    failure: VantageError = UsageError("no benchmark that is installed scores answers without bags")
    for benchmark in all_benchmarks():
        if benchmark.predictions is not None:
            try:
                return benchmark.predictions(questions, predictions, judge)
            except FormatError as error:
                failure = error
    raise failure
