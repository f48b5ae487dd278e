"""Judges goals that a model made of a task, by the words, the scene and the robot's rules alone; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from vantage.goals import (
    RESTING,
    ActionGoal,
    EdgeGoal,
    Fault,
    FaultKind,
    Goal,
    Literal,
    NodeGoal,
    Reason,
    ReasonKind,
    Ruling,
    SceneFacts,
    TaskText,
    contradictions,
    kind_of,
    object_key,
    ungrounded,
    word_key,
)
from vantage.planning.guard.capabilities import FREE, capability_of, is_agent, moved
from vantage.planning.guard.licences import Licence, Licences, load_tables
from vantage.planning.guard.nearest import LookAlikes, nearest
from vantage.planning.guard.robots import Robot, Rule

_FAULTS = {
    FaultKind.MISSING_OBJECT: ReasonKind.MISSING_OBJECT,
    FaultKind.IMPOSSIBLE_STATE: ReasonKind.IMPOSSIBLE_STATE,
    FaultKind.CONTRADICTION: ReasonKind.CONTRADICTION,
}
_MOST_OFFERED = 10  # faults to which something else is offered


class Guard:
    """Rules on goals for one robot.

    The goal is judged as it stands: what is missing is never replaced. Whoever pursues it asks again when the scene has
    changed.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        load_tables()
        self._unsafe, self._confirm = _by_word(robot.unsafe), _by_word(robot.confirm)

    def judge(self, task: TaskText, goal: Goal, scene: SceneFacts, *, complete: bool = True, unread: int = 0) -> Ruling:
        """
        Args:
            task: as somebody gave it, whatever a model made of it.
            complete: all of the scene is known; otherwise only what was seen, and what is missing may be elsewhere.
            unread: parts of the goal that could not be read.
        """
        if not goal.parts:
            kind = ReasonKind.UNREADABLE if unread else ReasonKind.NO_GOAL
            return Ruling.of((Reason(kind),))
        reasons = [Reason(ReasonKind.UNREADABLE, detail=f"{unread} in number")] if unread else []
        reasons += self._impossible(goal, scene, complete)
        literals = tuple({literal.key: literal for literal in goal.literals}.values())
        licences = Licences(task, scene)
        reasons += self._beyond(literals)
        for literal in literals:
            reasons += self._dangers(literal, scene)
            reasons += self._to_confirm(literal, licences, scene)
        reasons += _unasked(goal, literals, licences, scene, self.robot.most_goals)
        return Ruling.of(reasons)

    def dangers(self, literals: Iterable[Literal]) -> Ruling:
        """By the robot's rules of danger and by weights alone, whatever scene it is."""
        return Ruling.of(reason for literal in literals for reason in self._dangers(literal, SceneFacts()))

    def _impossible(self, goal: Goal, scene: SceneFacts, complete: bool) -> Iterator[Reason]:
        for number, fault in enumerate((*ungrounded(goal, scene), *contradictions(goal, scene))):
            kind = _FAULTS[fault.kind]
            if kind is ReasonKind.MISSING_OBJECT and not complete:
                kind = ReasonKind.UNSEEN_OBJECT
            elif kind is ReasonKind.IMPOSSIBLE_STATE and not complete and not scene.possible[object_key(fault.name)]:
                kind = ReasonKind.UNSEEN_STATE  # of a thing of which no state was seen
            near = _offered(fault, scene) if number < _MOST_OFFERED else ()
            yield Reason(kind, fault.name, fault.state, near)

    def _beyond(self, literals: Iterable[Literal]) -> Iterator[Reason]:
        """What nobody or this robot cannot do."""
        for literal in literals:
            capability = capability_of(literal)
            if capability is None:
                yield Reason(ReasonKind.UNKNOWN_WORD, _about(literal), _word(literal))
            elif capability not in self.robot.able:
                yield Reason(ReasonKind.INCAPABLE, _about(literal), capability.value)

    def _dangers(self, literal: Literal, scene: SceneFacts) -> Iterator[Reason]:
        thing = moved(literal)
        mass = self.robot.mass_in(thing, scene) if thing and not is_agent(thing) else 0.0
        if mass > self.robot.lifts:
            yield Reason(ReasonKind.TOO_HEAVY, thing, f"about {mass:g} kg")
        for rule in self._unsafe.get(_rule_word(literal), ()):
            if _falls_under(literal, rule, scene):
                yield Reason(ReasonKind.UNSAFE, _about(literal), rule.name)

    def _to_confirm(self, literal: Literal, licences: Licences, scene: SceneFacts) -> Iterator[Reason]:
        for rule in self._confirm.get(_rule_word(literal), ()):
            if _falls_under(literal, rule, scene) and not _is_said(rule.unless_said, literal, licences):
                yield Reason(ReasonKind.BY_RULE, _about(literal), rule.name)


def _is_said(words: Iterable[str], literal: Literal, licences: Licences) -> bool:
    """Whether the task says one of several words of what a goal is about; of an action without things, at all."""
    names = literal.objects[:1]
    return licences.say_of(names[0], words) if names else licences.words.say_any(words)


def _offered(fault: Fault, scene: SceneFacts) -> tuple[str, ...]:
    """What is there instead of a missing thing, or things of its kind that can be so."""
    if fault.kind is FaultKind.MISSING_OBJECT:
        return nearest(fault.name, scene)
    if fault.kind is FaultKind.CONTRADICTION:
        return ()
    kind, state = kind_of(fault.name), word_key(fault.state)
    return tuple(name for name, states in scene.possible.items() if state in states and kind_of(name) == kind)


def _by_word(rules: Iterable[Rule]) -> Mapping[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        for word in rule.words:
            found.setdefault(word, []).append(rule)
    return found


def _rule_word(literal: Literal) -> str:
    holds = isinstance(literal, ActionGoal) or literal.holds
    return f"{'' if holds else 'not '}{word_key(_word(literal))}"


def _falls_under(literal: Literal, rule: Rule, scene: SceneFacts) -> bool:
    """Whether a goal is about things such as a rule names; its word is that of the rule."""
    names = literal.objects
    if rule.things is not None and not (names and rule.things.have(names[0])):
        return False
    if rule.places is not None and not (len(names) == 2 and rule.places.have(names[1])):
        return False
    return rule.holding is None or any(map(rule.holding.have, _carried_by(names[0], scene) if names else ()))


def _carried_by(name: str, scene: SceneFacts) -> Iterator[str]:
    for fact in scene.facts:
        carries = fact.holds and len(fact.objects) == 2 and word_key(fact.predicate) in RESTING
        if carries and object_key(fact.objects[1]) == object_key(name):
            yield fact.objects[0]


def _unasked(
    goal: Goal, literals: tuple[Literal, ...], licences: Licences, scene: SceneFacts, most: int
) -> Iterator[Reason]:
    """What the words do not license of what changes something; looking and going there is free."""
    changing = [literal for literal in literals if capability_of(literal) not in FREE]
    names = {object_key(name): name for literal in changing for name in literal.objects}
    if not changing:
        return
    if len(literals) > most:
        yield Reason(ReasonKind.MORE_THAN_ASKED, detail=f"{len(literals)} goals, {most} at most")
    alike_names = LookAlikes(scene)
    carried = {object_key(moved(literal)) for literal in changing if moved(literal)}
    for name in names.values():
        if alike := alike_names.of(name):
            yield Reason(ReasonKind.LOOK_ALIKE, name, "", alike)
        licence = licences.of(name)
        stands_for = licences.stands_for(name, licence)
        if licence is Licence.NONE or (licence in (Licence.NEEDED, Licence.KIND) and stands_for):
            why = ReasonKind.REPURPOSED if stands_for else ReasonKind.UNLICENSED
            yield Reason(why, name, f"instead of {', '.join(stands_for)}" if stands_for else "")
        room = "" if object_key(name) in carried else licences.said_elsewhere(name)
        if room:
            yield Reason(ReasonKind.REPURPOSED, name, f"instead of one of the {room}")
        elif other := licences.said_otherwise(name, changing):
            yield Reason(ReasonKind.REPURPOSED, name, f"instead of the {other}")
    for literal in changing:
        if not licences.asks_for(literal):
            yield Reason(ReasonKind.UNASKED_STATE, _about(literal), _word(literal))
    for name in licences.missing_matter:
        yield Reason(ReasonKind.ASKED_THING_MISSING, name, "", nearest(name, scene))
    for kind in licences.more_than_one(goal):
        yield Reason(ReasonKind.MORE_THAN_ASKED, kind, "several of them")


def _about(literal: Literal) -> str:
    return literal.action if isinstance(literal, ActionGoal) else " ".join(dict.fromkeys(literal.objects))


def _word(literal: Literal) -> str:
    if isinstance(literal, NodeGoal):
        return literal.state
    return literal.relation if isinstance(literal, EdgeGoal) else literal.action
