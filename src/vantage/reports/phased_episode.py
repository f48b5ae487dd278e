"""An episode of several phases as a page shows it: what happened in each, what was asked and how that was answered, and
what the hand was about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vantage.benchmarks import AnswerMark, benchmark_of
from vantage.recording import LEGEND, Recording, read_bag, read_evidence, read_legend
from vantage.reports.hand_log import HandJob, commands_of, hand_jobs
from vantage.reports.phase_events import phase_events
from vantage.types import Answer, TruthQuestion

_MOST_NAMED = 6  # things of one kind of evidence


@dataclass(frozen=True)
class Given:
    """What became of a question in one phase.

    Attributes:
        answer: None where none was given.
        right: None where the benchmark does not mark single answers.
        missing: what was never gathered for it until then, in words.
    """

    answer: Answer | None
    right: bool | None
    missing: str


@dataclass(frozen=True)
class Asked:
    """A question, in whatever phases it was put.

    Attributes:
        truth: its gold data, None without any.
        given: by phase; None where it was not put in that.
    """

    text: str
    truth: TruthQuestion | None
    given: Mapping[str, Given | None]


@dataclass(frozen=True)
class PhasedEpisode:
    """
    Attributes:
        lines: what happened in each phase, by its name.
        asking: names of the phases that ask.
        asked: the questions, in the order in which they were first put.
        jobs: what the hand was about, in order.
    """

    lines: Mapping[str, str]
    asking: Sequence[str]
    asked: Sequence[Asked]
    jobs: Sequence[HandJob]


def read_phased(recording: Recording) -> PhasedEpisode | None:
    """What a bag tells of an episode of several phases; None for one of a single phase.

    Raises:
        RecordingError: the bag cannot be read.
    """
    if len(recording.phases) < 2 or recording.episode is None:
        return None
    labels = _labels(recording)

    def named(key: int) -> str:
        return f"{labels.get(key, 'thing')} {key}" if key else "something"

    evidence, commands = read_evidence(recording.path), commands_of(recording)
    lines = phase_events(recording, commands, evidence, named)
    marked = benchmark_of(recording.episode.benchmark).answer_marks
    marks = {} if marked is None else marked(recording)
    questions = recording.episode.questions
    asking = tuple(dict.fromkeys(question.phase for question in questions))
    asked = []
    for question_id, text in dict.fromkeys((each.question_id, each.text) for each in questions):
        put = {each.phase: each for each in questions if (each.question_id, each.text) == (question_id, text)}
        golds = recording.truth.questions if recording.truth is not None else ()
        truth = next((gold for gold in golds for each in put.values() if gold.is_about(each)), None)
        given: dict[str, Given | None] = dict.fromkeys(asking)
        for phase, question in put.items():
            mark = marks.get(question.key)
            missing = "" if mark is None else _missing(mark, labels)
            given[phase] = Given(recording.answer_of(question), None if mark is None else mark.right, missing)
        asked.append(Asked(text, truth, given))
    return PhasedEpisode(lines, asking, asked, hand_jobs(commands, evidence, named))


def _missing(mark: AnswerMark, labels: Mapping[int, str]) -> str:
    """What was never gathered, in words: ``not lifted: cup 3, pan 7``."""
    parts = []
    for word, keys in mark.missing.items():
        more = f" and {len(keys) - _MOST_NAMED} more" if len(keys) > _MOST_NAMED else ""
        things = ", ".join(f"{labels.get(key, 'thing')} {key}" for key in keys[:_MOST_NAMED])
        parts.append(f"{word}: {things}{more}")
    return "; ".join(parts)


def _labels(recording: Recording) -> dict[int, str]:
    """Labels of instances, as far as the bag holds a legend."""
    found: dict[int, str] = {}
    for _, _, message in read_bag(recording.path, (LEGEND,)):
        found |= {key: entry.label for key, entry in read_legend(message).items()}
    return found
