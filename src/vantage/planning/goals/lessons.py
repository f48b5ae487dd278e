"""What solved tasks teach: other words for things, which words are meant as goals, and which missing things matter.

Everything is counted, so that the same tasks in the same order teach the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from vantage.goals import (
    EdgeGoal,
    Literal,
    NodeGoal,
    SceneFacts,
    TaskText,
    kind_of,
    object_key,
    read_reply,
    read_scene,
    read_task,
)
from vantage.planning.goals.dialects import dialect_of
from vantage.planning.goals.drafts import Lack, draft
from vantage.planning.wishes import Names

_LEAST_RIGHT = 0.34  # share of goals of one reason that must be right, with one right and one wrong added
_LEAST_ODDS = 2.0  # how much oftener something of a reason is lacking where a task cannot be done
_LEAST_SEEN = 2  # lacks of one reason from which these say anything; what can be done is what speaks against one
_LEAST_SHARE = 0.5  # of the tasks that put something in a thing, in which that is asked to be in a state besides
_LEAST_TASKS = 3
_UNSEEN = (0.0, 0.0, 0)
_WEAK = ("unknown", "mentioned", "part")  # reasons that say nothing before they were seen


@dataclass(frozen=True)
class Lesson:
    """A task with its solution.

    Attributes:
        goals: none where the scene cannot support it.
    """

    task: TaskText
    scene: SceneFacts
    goals: tuple[Literal, ...]

    @classmethod
    def of(cls, sent: str, answer: str) -> Lesson:
        """
        Args:
            sent: what a model is sent.
            answer: the right reply.
        """
        return cls(read_task(sent), read_scene(sent), read_reply(answer).goals)


@dataclass(frozen=True)
class Lessons:
    """What was learned; ``Lessons()`` is nothing.

    Attributes:
        words: other words for kinds of things.
        right, asked: how many goals of a reason were right, and how many there were.
        lacking: by reason, the share of the tasks that can be done in which something was lacking, that of those that
            cannot in which something was lacking which those that can do not lack, and in how many of either.
        besides: states in which a kind of thing shall be besides, where something is put there.
    """

    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    right: Mapping[str, float] = field(default_factory=dict)
    asked: Mapping[str, float] = field(default_factory=dict)
    lacking: Mapping[str, tuple[float, float, int]] = field(default_factory=dict)
    besides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def counts(self, reason: str) -> bool:
        """Whether goals of a reason are asked for."""
        return (self.right.get(reason, 0.0) + 1.0) / (self.asked.get(reason, 0.0) + 2.0) >= _LEAST_RIGHT

    def matters(self, reason: str) -> bool:
        """Whether a task cannot be done where something of a reason is lacking."""
        able, unable, seen = self.lacking.get(reason, _UNSEEN)
        if seen < _LEAST_SEEN and reason.endswith(_WEAK):
            able, unable, seen = self.lacking.get(_wider(reason), _UNSEEN)
        if seen < _LEAST_SEEN:
            return not reason.endswith(_WEAK)
        return unable >= _LEAST_ODDS * able


def learn(lessons: Sequence[Lesson]) -> Lessons:
    """What tasks teach."""
    words = _other_words(lessons)
    names = Names(words)
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    able, unable = Counter[str](), Counter[str]()
    tasks = Counter[tuple[str, bool]]()
    first: dict[TaskText, SceneFacts] = {}
    usual: dict[TaskText, frozenset[Lack]] = {}
    for lesson in lessons:
        base = first.setdefault(lesson.task, lesson.scene)
        if base is not lesson.scene and _same_but_for_names(base, lesson.scene):
            continue  # where only words are lacking
        found = draft(lesson.task, lesson.scene, names)
        lacks = frozenset(found.lacks)
        tasks[dialect_of(lesson.scene).name, bool(lesson.goals)] += 1
        if lesson.goals:
            usual.setdefault(lesson.task, lacks)
            able.update(_reasons(lacks))
        else:  # what the same task lacks where it can be done is not why it cannot be done here
            unable.update(_reasons(lacks - usual.get(lesson.task, frozenset())))
        if lesson.goals:
            wanted = {goal.key for goal in lesson.goals}
            for ask in found.asks:
                asked[ask.reason] += 1
                right[ask.reason] += ask.literal.key in wanted
    counted = {
        reason: (
            (able[reason] + reason.endswith(_WEAK)) / (tasks[_dialect(reason), True] + 2),
            (unable[reason] + 1) / (tasks[_dialect(reason), False] + 2),
            able[reason] + unable[reason],
        )
        for reason in {*able, *unable}
    }
    return Lessons(words, dict(right), dict(asked), counted, _besides(lessons))


def _dialect(reason: str) -> str:
    """The name of the way of writing goals in which a reason was found."""
    return re.split("[:,]", reason, maxsplit=1)[0]


def _reasons(lacks: Iterable[Lack]) -> set[str]:
    reasons = {lack.reason for lack in lacks}
    return reasons | {_wider(each) for each in reasons if each.endswith(_WEAK)}


def _wider(reason: str) -> str:
    """All reasons of one way of writing goals that end alike."""
    return f"{reason.partition(':')[0]}, any: {reason.rpartition(' ')[2]}"


def _other_words(lessons: Iterable[Lesson]) -> dict[str, frozenset[str]]:
    """Words for things that one scene calls otherwise than another that is the same in all else."""
    first: dict[TaskText, SceneFacts] = {}
    found: dict[str, set[str]] = {}
    for lesson in lessons:
        base = first.setdefault(lesson.task, lesson.scene)
        if not _same_but_for_names(base, lesson.scene):
            continue
        for one, other in zip(base.objects, lesson.scene.objects, strict=True):
            kinds = _said(one.name), _said(other.name)
            if kinds[0] != kinds[1]:
                found.setdefault(kinds[1], set()).add(kinds[0])
                found.setdefault(kinds[0], set()).add(kinds[1])
    return {word: frozenset(kinds) for word, kinds in found.items()}


def _said(name: str) -> str:
    return kind_of(name).replace("_", " ")


def _same_but_for_names(one: SceneFacts, other: SceneFacts) -> bool:
    return [(item.initial, item.possible) for item in one.objects] == [
        (item.initial, item.possible) for item in other.objects
    ] and [(fact.predicate, fact.holds) for fact in one.facts] == [(fact.predicate, fact.holds) for fact in other.facts]


def _besides(lessons: Iterable[Lesson]) -> dict[str, tuple[str, ...]]:
    """States of what something is put into, in most tasks that do so."""
    tasks: Counter[str] = Counter()
    states: dict[str, Counter[str]] = {}
    for lesson in lessons:
        into = {object_key(goal.object): kind_of(goal.object) for goal in lesson.goals if isinstance(goal, EdgeGoal)}
        for name, kind in into.items():
            tasks[kind] += 1
            nodes = (goal for goal in lesson.goals if isinstance(goal, NodeGoal) and object_key(goal.object) == name)
            states.setdefault(kind, Counter()).update({goal.state for goal in nodes if goal.holds})
    return {
        kind: tuple(sorted(state for state, number in counted.items() if number >= _LEAST_SHARE * tasks[kind]))
        for kind, counted in states.items()
        if tasks[kind] >= _LEAST_TASKS
    }
