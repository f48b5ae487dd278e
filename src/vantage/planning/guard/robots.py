"""What a robot can do and which rules hold for it, as ``config/robots`` says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.files import shared_folder
from vantage.goals import RESTING, SceneFacts, kind_of, object_key, word_key
from vantage.planning.guard.capabilities import Capability
from vantage.planning.guard.household_knowledge import CATEGORIES
from vantage.planning.guard.task_words import written_together
from vantage.registry import did_you_mean

_FOLDER, _SUFFIX = "robots", ".yaml"
_MOST_GOALS, _MOST_HANDS, _HEAVIEST = 10_000, 8, 10_000.0
_BORNE = 100.0  # kg beyond which nothing lies on furniture: a car that does so is a toy


@dataclass(frozen=True)
class Kinds:
    """Kinds of things, by the words for them."""

    words: frozenset[str] = frozenset()

    def have(self, name: str) -> bool:
        """Whether an object is one of these: by a name of its own, not by a broader word for it."""
        return not self.words.isdisjoint(own_names(kind_of(name)))


@lru_cache(maxsize=8192)
def own_names(kind: str) -> tuple[str, ...]:
    """What an object itself is called: its whole name, and the last words of it, the longest first."""
    parts = [part for part in kind.split("_") if part] or [kind]
    names = [" ".join(parts[begin:]) for begin in range(len(parts))]
    if parts[0] in CATEGORIES:
        names.append(parts[0])
    return tuple(map(written_together, names))


@dataclass(frozen=True)
class Rule:
    """Goals that are dangerous, or that somebody must confirm.

    Attributes:
        name: in words.
        words: states, relations and actions of such goals, by ``word_key``; ``not`` before one for what is denied.
        things: that the goal is about; any where there are none.
        places: the second thing of a relation; any where there are none.
        holding: what must be in or on the thing already.
        unless_said: words of the task with which it was asked for, so that nobody is asked again.
    """

    name: str
    words: frozenset[str]
    things: Kinds | None = None
    places: Kinds | None = None
    holding: Kinds | None = None
    unless_said: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Robot:
    """
    Attributes:
        lifts: kg that it may lift.
        hands: that hold one thing each; opening and switching take a free one.
        most_goals: that are pursued without asking.
        masses: kg that things of a kind usually weigh, by the word for the kind.
    """

    name: str
    able: frozenset[Capability]
    lifts: float
    most_goals: int
    masses: Mapping[str, float]
    unsafe: tuple[Rule, ...] = ()
    confirm: tuple[Rule, ...] = ()
    hands: int = 1

    def can(self, capability: Capability) -> bool:
        return capability in self.able

    def mass_of(self, name: str) -> float:
        """kg; 0 for what nobody knows the mass of."""
        return next((self.masses[word] for word in own_names(kind_of(name)) if word in self.masses), 0.0)

    def mass_in(self, name: str, scene: SceneFacts) -> float:
        """kg, as things of its kind weigh that are where a scene says it is; 0 for what nobody knows the mass of."""
        mass = self.mass_of(name)
        return 0.0 if mass > _BORNE and _is_borne(name, scene) else mass


def _is_borne(name: str, scene: SceneFacts) -> bool:
    """Whether a thing is on or in another one that is on or in something itself, and so is no room."""
    around = [
        tuple(map(object_key, fact.objects))
        for fact in scene.facts
        if fact.holds and len(fact.objects) == 2 and word_key(fact.predicate) in RESTING
    ]
    resting = {one for one, _ in around}
    return any(one == object_key(name) and other in resting for one, other in around)


def robot_names() -> tuple[str, ...]:
    """Every robot of ``config/robots``."""
    return tuple(sorted(path.stem for path in _folder().glob(f"*{_SUFFIX}")))


def read_robot(which: str) -> Robot:
    """A robot of ``config/robots`` by its name, or that of a file.

    Raises:
        ConfigError: there is none, or its file is wrong.
    """
    path = Path(which) if which.endswith(_SUFFIX) else _folder() / f"{which}{_SUFFIX}"
    if not which.endswith(_SUFFIX) and which not in robot_names():
        raise ConfigError(f"unknown robot '{which}'{did_you_mean(which, list(robot_names()))}")
    document = Section.of_file(path)
    section = document.section("robot")
    document.done()
    rules_path = section.path("rules")
    if rules_path is None:
        raise section.error("rules", "is empty; name a file of rules")
    able = frozenset(Capability(word) for word in _words(section, "able", [each.value for each in Capability]))
    lifts = section.number("lifts", low=0.0, high=_HEAVIEST)
    most = section.whole("most_goals", low=1, high=_MOST_GOALS)
    name, hands = section.text("name"), section.whole("hands", 1, low=0, high=_MOST_HANDS)
    section.done()
    masses, unsafe, confirm = _rules(rules_path)
    return Robot(name, able, lifts, most, masses, unsafe, confirm, hands)


def _folder() -> Path:
    return shared_folder("config") / _FOLDER


def _rules(path: Path) -> tuple[Mapping[str, float], tuple[Rule, ...], tuple[Rule, ...]]:
    document = Section.of_file(path)
    section = document.section("rules")
    document.done()
    named = section.section("kinds")
    kinds = {name: Kinds(frozenset(map(written_together, _words(named, name)))) for name in named.names()}
    weights = section.section("masses")
    masses = {written_together(word): weights.number(word, low=0.0, high=_HEAVIEST) for word in weights.names()}
    unsafe = tuple(_rule(item, kinds) for item in section.sections("unsafe"))
    confirm = tuple(_rule(item, kinds) for item in section.sections("confirm"))
    section.done()
    return masses, unsafe, confirm


def _rule(section: Section, kinds: Mapping[str, Kinds]) -> Rule:
    def of(key: str) -> Kinds | None:
        name = section.text(key, "", choices=["", *kinds])
        return kinds[name] if name else None

    words = frozenset(
        ("not " if word.startswith("not ") else "") + word_key(word.removeprefix("not "))
        for word in _words(section, "goals")
    )
    said = frozenset(_words(section, "unless_said")) if "unless_said" in section else frozenset()
    found = Rule(section.text("name"), words, of("things"), of("places"), of("holding"), said)
    section.done()
    return found


def _words(section: Section, key: str, choices: list[str] | None = None) -> list[str]:
    value = section.value(key)
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        raise section.error(key, "expected a list of words")
    wrong = [word for word in value if choices is not None and word not in choices]
    if wrong:
        raise section.error(key, f"unknown word '{wrong[0]}'{did_you_mean(wrong[0], choices or [])}")
    return value
