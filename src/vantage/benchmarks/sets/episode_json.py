"""Episodes and their gold data as JSON objects, one a line; unknown and missing keys are errors."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vantage.decoding import Section
from vantage.errors import FormatError
from vantage.files import SAFE_NAME, parse_json
from vantage.goals import TaskTruth, task_from_json, task_to_json
from vantage.planning import GantryActions
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, NoiseType, Phase, Question, Truth, TruthQuestion
from vantage.wording import shown

MOST_STEPS, _MOST_SEED = 2**32 - 1, 2**64 - 1  # what their fields in messages hold
_FARTHEST = 1e9  # m, of anything from anywhere
_PHASES = tuple(phase.value for phase in Phase)


def to_line(record: Episode | Truth) -> str:
    """One line of JSON, without the line break."""
    return json.dumps(_plain(record), ensure_ascii=False, separators=(", ", ": "), allow_nan=False)


_IN_PHASES = ("questions", "max_steps")  # of a whole episode of several phases, these follow from them
_NO_KEYS = ("phase", "phases", "restored")  # follow from what else an episode of one phase says
_LEFT_OUT = {  # keys of gold data that are written only where they say something
    TruthQuestion: ("phase", "category", "to_weigh", "to_open", "task"),
    Truth: ("pair_id", "split", "oracle_is_bound", "solved_by"),
}


def _plain(value: Any) -> Any:
    if isinstance(value, Episode):
        left_out = (*_IN_PHASES, "phase", "restored") if value.phases else _NO_KEYS
        return {key: _plain(getattr(value, key)) for key in _names(Episode) if key not in left_out}
    if isinstance(value, EpisodePhase):
        asked = [{"question_id": item.question_id, "text": item.text} for item in value.questions]
        restored = {"restored": True} if value.restored else {}
        return {"name": value.name, "max_steps": value.max_steps, "questions": asked, **restored}
    if isinstance(value, TaskTruth):
        return task_to_json(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        optional = _LEFT_OUT.get(type(value), ())
        given = {key: getattr(value, key) for key in _names(type(value))}
        return {key: _plain(item) for key, item in given.items() if item or key not in optional}
    if isinstance(value, NoiseType):
        return value.name
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _names(kind: type) -> list[str]:
    return [item.name for item in dataclasses.fields(kind)]


def episode_of(text: str, where: str) -> Episode:
    """The episode of one line.

    Raises:
        FormatError: not JSON, unknown or missing keys, values of the wrong kind, phases that contradict each other; the
            message begins with ``where``.
    """
    value = _object(text, where)
    if isinstance(value, Mapping) and "phases" in value:
        return _episode_of_phases(value, where)
    record = Record(value, where, Episode, _NO_KEYS)
    episode = Episode(
        episode_id=record.name("episode_id"),
        benchmark=record.text("benchmark"),
        scene=record.name("scene"),
        start=_viewpoint(record.value("start"), f"{where}: start"),
        questions=record.several("questions", _question),
        max_steps=record.whole("max_steps", low=0, high=MOST_STEPS),
        seed=record.whole("seed", 0, low=0, high=_MOST_SEED),
    )
    if not episode.questions:
        raise FormatError(f"{where}: 'questions' is empty; an episode needs at least one")
    if len({question.question_id for question in episode.questions}) != len(episode.questions):
        raise FormatError(f"{where}: two questions have the same question_id; make them differ")
    return episode


def _episode_of_phases(value: Any, where: str) -> Episode:
    record = Record(value, where, Episode, (*_IN_PHASES, "phase", "restored"))
    try:
        episode = Episode.of_phases(
            record.name("episode_id"),
            record.text("benchmark"),
            record.name("scene"),
            _viewpoint(record.value("start"), f"{where}: start"),
            record.several("phases", _phase),
            record.whole("seed", 0, low=0, high=_MOST_SEED),
        )
    except ValueError as error:
        raise FormatError(f"{where}: {error}") from error
    if not episode.questions:
        raise FormatError(f"{where}: no phase asks a question; an episode needs at least one")
    return episode


def _phase(value: Any, where: str) -> EpisodePhase:
    record = Record(value, where, EpisodePhase)
    name = record.name("name")
    questions = record.several("questions", lambda item, place: _question_of_phase(item, place, name), ())
    restored = record.switch("restored", False)
    return EpisodePhase(name, record.whole("max_steps", low=0, high=MOST_STEPS), questions, restored)


def _question_of_phase(value: Any, where: str, phase: str) -> Question:
    record = Record(value, where, Question, ("phase",))
    return Question(record.text("question_id"), record.text("text"), phase)


def truth_of(text: str, where: str, known: Sequence[str] = GantryActions.names) -> Truth:
    """The gold data of one line.

    Args:
        known: names of the set's actions.

    Raises:
        FormatError: as ``episode_of``.
    """
    record = Record(_object(text, where), where, Truth)
    actions = record.value("oracle_actions", None)
    if actions is not None:
        actions = record.texts("oracle_actions")
        wrong = next((action for action in actions if action not in known), None)
        if wrong is not None:
            raise FormatError(f"{where}: unknown oracle action '{wrong}'; known: {', '.join(known)}")
    goal = record.value("goal", None)
    length = record.value("oracle_path_length", None)
    if (actions is None) != (goal is None):
        raise FormatError(f"{where}: 'goal' and 'oracle_actions' must both be given or both be null")
    return Truth(
        episode_id=record.name("episode_id"),
        questions=record.several("questions", _truth_question),
        goal=None if goal is None else _viewpoint(goal, f"{where}: goal"),
        oracle_actions=actions,
        oracle_path_length=math.nan if length is None else record.length("oracle_path_length"),
        pair_id=record.text("pair_id", ""),
        split=record.text("split", ""),
        oracle_is_bound=record.switch("oracle_is_bound", False),
        solved_by=record.texts("solved_by", ()),
    )


def _question(value: Any, where: str) -> Question:
    record = Record(value, where, Question)
    return Question(record.text("question_id"), record.text("text"), record.text("phase", Phase.ANSWER.value, _PHASES))


def _truth_question(value: Any, where: str) -> TruthQuestion:
    record = Record(value, where, TruthQuestion)
    return TruthQuestion(
        question_id=record.text("question_id"),
        kind=record.text("kind"),
        answer=record.text("answer"),
        accepted=record.texts("accepted", ()),
        premise_holds=record.switch("premise_holds", True),
        noise_type=NoiseType[record.text("noise_type", NoiseType.NONE.name, tuple(NoiseType.__members__))],
        false_claim=record.text("false_claim", ""),
        correction=record.text("correction", ""),
        corrected_question=record.text("corrected_question", ""),
        target_instances=record.several("target_instances", _instance, ()),
        program=record.text("program", ""),
        phase=record.text("phase", ""),
        category=record.text("category", ""),
        to_weigh=record.several("to_weigh", _instance, ()),
        to_open=record.several("to_open", _instance, ()),
        task=None if record.value("task", None) is None else task_from_json(record.value("task"), f"{where}: task"),
    )


def _instance(value: Any, where: str) -> int:
    if type(value) is not int or value <= 0:
        raise FormatError(f"{where}: expected a positive instance id, got {value!r}")
    return value


def _viewpoint(value: Any, where: str) -> Viewpoint:
    record = Record(value, where, Viewpoint)
    return Viewpoint(*(record.length(key) for key in ("x", "y", "z", "yaw", "pitch")))


def _object(text: str, where: str) -> Any:
    try:
        return parse_json(text, where)
    except ValueError as error:
        raise FormatError(f"{where}: not a JSON object: {error}") from error


class Record(Section):
    """A JSON object whose keys are fields of a dataclass; others are refused.

    Args:
        kind: the dataclass.
        besides: fields that are no keys.

    Raises:
        FormatError: no object, or an unknown key.
    """

    fault = FormatError

    def __init__(self, value: Any, where: str, kind: type, besides: tuple[str, ...] = ()) -> None:
        super().__init__(value, where, Path())
        self.skip(*(name for name in _names(kind) if name not in besides))
        self.done()

    def name(self, key: str) -> str:
        """A text that may stand in a file name."""
        found = self.text(key)
        if not SAFE_NAME.fullmatch(found):
            raise self.error(
                key,
                "expected 1 to 100 of the characters A-Z a-z 0-9 . _ - that begin with a letter or digit, "
                f"got {shown(found)}",
            )
        return found

    def length(self, key: str) -> float:
        """A number whose size is that of something in the world."""
        return self.number(key, low=-_FARTHEST, high=_FARTHEST)

    def mapping(self, key: str, default: Any = None) -> dict[str, Any]:
        """An object whose keys are names; without one, ``default`` where it is given."""
        found = self.value(key) if default is None else self.value(key, default)
        if not isinstance(found, Mapping):
            raise self.error(key, f"expected keys with values, got {shown(found)}")
        return dict(found)

    def numbers_by_name(self, key: str, whole: bool = False) -> dict[str, Any]:
        """Numbers by name, or only whole ones from 0 on; none where there is no such key."""
        found = self.mapping(key, {})
        inner = _Numbers(found, self._name(key), Path())
        for name in inner.names():
            if whole:
                inner.whole(name, low=0, high=_MOST_SEED)
            else:
                inner.number(name)
        return found

    def texts(self, key: str, default: Any = None) -> tuple[str, ...]:
        """A list of texts; without one, ``default`` where it is given."""
        found = self.value(key) if default is None else self.value(key, default)
        if not isinstance(found, (list, tuple)) or not all(isinstance(item, str) for item in found):
            raise self.error(key, f"expected a list of texts, got {shown(found)}")
        return tuple(found)

    def several(self, key: str, each: Callable[[Any, str], Any], default: Any = None) -> tuple[Any, ...]:
        """A list, each item of which ``each`` reads; without one, ``default`` where it is given."""
        found = self.value(key) if default is None else self.value(key, default)
        if not isinstance(found, (list, tuple)):
            raise self.error(key, f"expected a list, got {shown(found)}")
        return tuple(each(item, f"{self._name(key)}[{i}]") for i, item in enumerate(found))


class _Numbers(Section):
    """Numbers by any names."""

    fault = FormatError
