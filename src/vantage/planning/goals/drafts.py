"""What the words of a task ask of a scene, before it is decided what of it counts: goals with their reasons, and the
names of what the scene lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vantage.goals import (
    ActionGoal,
    EdgeGoal,
    Literal,
    NodeGoal,
    SceneFacts,
    TaskText,
    fault_of,
    kind_of,
    object_key,
    word_key,
)
from vantage.planning.goals.activities import ACTIVITIES, Activity
from vantage.planning.goals.asked_changes import Asked, Phrase
from vantage.planning.goals.clauses import read_changes
from vantage.planning.goals.dialects import AGENT, Dialect, clean_goals, dialect_of, place_goal, state_goals
from vantage.planning.goals.wish_drafts import draft_wish
from vantage.planning.wishes import Change, Names, instances, is_part

_DIRT = {"dust": "dusty", "stain": "stained", "stains": "stained", "dirt": "stained", "spills": "stained"}
_EVERYTHING = frozenset({"everything", "content", "contents", "things", "items", "stuff"})
_EDIBLE = frozenset({"food", "foods", "fruit", "fruits", "vegetables", "ingredients", "meal", "groceries"})
_COOKABLE = "cooked"
_NUMBER = re.compile(r"_(\d+)$")


@dataclass(frozen=True)
class Ask:
    """One goal, and by which kind of words it is asked for."""

    literal: Literal
    reason: str


@dataclass(frozen=True)
class Lack:
    """A name of something that the scene does not have, and where it was said."""

    name: str
    reason: str


@dataclass(frozen=True)
class Draft:
    """What was found; ``asks`` name nothing that is not there."""

    asks: tuple[Ask, ...]
    lacks: tuple[Lack, ...]


def draft(task: TaskText, scene: SceneFacts, names: Names) -> Draft:
    """
    Args:
        names: by which words find things.
    """
    return _Drafting(scene, names).of(task)


class _Drafting:
    def __init__(self, scene: SceneFacts, names: Names) -> None:
        self._scene, self._names = scene, names
        self._dialect: Dialect = dialect_of(scene)
        self._asks: list[Ask] = []
        self._lacks: list[Lack] = []
        self._placed: dict[str, int] = {}  # how many of a kind of place were used
        self._place_before: tuple[str, ...] = ()  # kinds that "another" means
        self._wants_other = False
        self._said = ""  # where words stand, which begins reasons

    def of(self, task: TaskText) -> Draft:
        wish = None if self._dialect.named or self._dialect.numbered else self._wished(task)
        if wish is not None:
            return wish
        named = self._dialect.named and task.name
        if named:
            self._said = f"{self._dialect.name}, name: "
            self._take_all(read_changes(task.name))
        self._said = f"{self._dialect.name}: "
        self._take_all(read_changes(task.text))
        if named:
            for activity in ACTIVITIES:
                if activity.words.search(task.name):
                    self._do(activity)
        distinct = {ask.literal.key: ask for ask in reversed(self._asks) if not fault_of(ask.literal, self._scene)}
        return Draft(tuple(reversed(distinct.values())), tuple(dict.fromkeys(self._lacks)))

    def _wished(self, task: TaskText) -> Draft | None:
        """What the frames of verbs tell of a wish about a home; None where they tell nothing."""
        wish = draft_wish(task.text or task.name, self._scene, self._names, self._dialect)
        if not wish.read:
            return None
        said = f"{self._dialect.name}: wish"
        asks = tuple(Ask(literal, f"{said} {change.value}") for literal, change in wish.goals)
        return Draft(asks, tuple(Lack(name, said) for name in wish.lacks))

    # -- changes

    def _take_all(self, changes: Sequence[Asked]) -> None:
        """All but those in whose stead another is taken, because the scene has no place for them."""
        for asked, after in zip(changes, (*changes[1:], None), strict=False):
            other = after is not None and after.instead
            if asked.instead and not self._wants_other:
                continue
            self._wants_other = other and not any(self._names.meant(place.words, self._scene) for place in asked.places)
            if not self._wants_other:
                self._take(asked)

    def _take(self, asked: Asked) -> None:
        change, reason = asked.change, asked.change.value
        if asked.aside and self._dialect.named:
            return
        if change is Change.WEAR:
            for phrase in asked.things:
                for name in self._things(phrase, reason, True):
                    worn = [EdgeGoal(name, "ON", AGENT)] if self._dialect.named else []
                    self._ask(worn or state_goals(self._dialect, Change.SWITCH_ON, name, self._scene), reason)
            return
        if change is Change.USE:
            for phrase in asked.things:
                self._kinds(phrase, reason, True)
            return
        if change is Change.OTHER and not (asked.aside and asked.relation) and not self._is_wish(asked):
            for phrase in asked.things:
                if self._names.usual(phrase.words) and not is_part(phrase.words) and not self._kinds(phrase, "", False):
                    self._lacks.append(Lack(phrase.text, f"{self._said}mentioned"))
            return
        if change is Change.CLEAN:
            self._clean(asked)
        elif change is Change.REMOVE or asked.relation == "from":
            if change is Change.REMOVE:
                self._remove(asked)
        elif asked.relation and change in (Change.PLACE, Change.OTHER):
            self._place(asked)
        elif change is not Change.PLACE:
            for phrase in asked.things:
                for name in self._things(phrase, reason, not asked.aside):
                    self._ask(state_goals(self._dialect, change, name, self._scene), reason)

    def _is_wish(self, asked: Asked) -> bool:
        """ "I need the cup in the sink": where names are no more than a wish, only in other scenes than those whose
        tasks tell every step."""
        return bool(asked.relation and asked.places and not self._dialect.named and not self._dialect.numbered)

    def _clean(self, asked: Asked) -> None:
        spoken = tuple(_DIRT[phrase.text] for phrase in asked.things if phrase.text in _DIRT)
        phrases = [phrase for phrase in asked.things if phrase.text not in _DIRT]
        if spoken and asked.relation in ("from", "on", "in"):
            phrases += asked.places
        for phrase in phrases:
            for name in self._things(phrase, "clean", True):
                self._ask(clean_goals(self._dialect, name, phrase.state or spoken, self._scene), "clean")
        if asked.relation in ("on", "near", "in", "under") and not spoken:
            self._place(Asked(Change.PLACE, tuple(phrases), asked.relation, asked.places, aside=True))

    def _remove(self, asked: Asked) -> None:
        for place in asked.places:
            for where in self._things(place, "remove from", True)[:1]:
                for phrase in asked.things:
                    for name in self._things(phrase, "remove", True, where):
                        self._ask([EdgeGoal(name, "Inside", where, holds=False)], "remove")

    def _place(self, asked: Asked) -> None:
        needed = not asked.aside
        reason = f"{'place' if needed else 'aside'} {asked.relation}"
        for place in asked.places[:1]:
            meant = self._kinds(place, f"{reason}: where", needed) if place.words else self._place_before
            self._place_before = meant
            where = instances(meant[0], self._scene) if meant else ()
            if needed:
                self._note_gaps(meant[:1])
            for phrase in asked.things:
                names = self._things(phrase, reason, needed)
                if phrase.state and phrase.state[0] == "soaked":
                    for name in names:
                        self._ask(state_goals(self._dialect, Change.SOAK, name, self._scene), reason)
                if not where:
                    continue
                for name, target in self._pairs(phrase, names, place, where):
                    goal = place_goal(self._dialect, name, asked.relation, target, self._scene)
                    self._ask([goal] if goal else [], reason)

    def _pairs(
        self, phrase: Phrase, names: Sequence[str], place: Phrase, where: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """Each thing with its place: one for all, one for each, or another than the last time."""
        if not self._dialect.numbered:
            yield from ((name, where[0]) for name in names[:1])
            return
        if place.each and phrase.number:
            for number, target in enumerate(where):
                yield from ((name, target) for name in names[number * phrase.number : (number + 1) * phrase.number])
            return
        if (phrase.each or place.each or len(where) == len(names)) and len(where) > 1:
            yield from ((name, where[index % len(where)]) for index, name in enumerate(names))
            return
        kind = kind_of(where[0])
        if place.another:
            self._placed[kind] = self._placed.get(kind, 0) + 1
            self._keep_apart(names, where)
        target = where[min(self._placed.get(kind, 0), len(where) - 1)]
        first = self._placed.get(f"{kind} {object_key(phrase.text)}", 0) if phrase.number else 0
        yield from ((name, target) for name in (names[: phrase.number] if phrase.number else names)[first:])

    def _keep_apart(self, names: Sequence[str], where: Sequence[str]) -> None:
        """What is put into one thing and what into another are not together."""
        if len(where) < 2 or not names:
            return
        before = [
            ask.literal for ask in self._asks if isinstance(ask.literal, EdgeGoal) and ask.literal.object == where[0]
        ]
        for literal in before[:1]:
            other = [EdgeGoal(literal.subject, literal.relation, where[1], holds=False)]
            self._ask([*other, EdgeGoal(names[0], literal.relation, where[0], holds=False)], "keep apart")

    # -- activities

    def _do(self, activity: Activity) -> None:
        reason = f"activity {activity.name}"
        for change, kinds in activity.change:
            for name in self._first(kinds, reason):
                self._ask(state_goals(self._dialect, change, name, self._scene), reason)
        for relation, kinds in activity.agent_at:
            for name in self._first(kinds, reason):
                self._ask([EdgeGoal(AGENT, relation, name)], f"{reason} {relation}")
        if activity.agent_state:
            self._ask([NodeGoal(AGENT, activity.agent_state)], f"{reason} state")
        if activity.action:
            self._asks.append(Ask(ActionGoal(activity.action), f"{self._said}{reason} action"))

    def _first(self, kinds: Sequence[str], reason: str) -> tuple[str, ...]:
        """The things of the first of these kinds that the scene has."""
        for kind in kinds:
            if found := self._names.meant(tuple(kind.split("_")), self._scene):
                return instances(found[0], self._scene)[:1]
        self._lacks.append(Lack(kinds[0].replace("_", " "), f"{self._said}{reason}"))
        return ()

    # -- names

    def _kinds(self, phrase: Phrase, reason: str, needed: bool) -> tuple[str, ...]:
        found = self._names.meant(phrase.words, self._scene)
        if not found and len(phrase.words) > 1:
            found = self._names.meant(phrase.words[-1:], self._scene)
            if not found and is_part(phrase.words):  # "washing machine door"
                found = self._names.meant(phrase.words[:-1], self._scene)
        if not found and needed:
            known = " part" if is_part(phrase.words) else "" if self._names.known(phrase.words) else " unknown"
            self._lacks.append(Lack(phrase.text, f"{self._said}{reason}{known}"))
        return found

    def _things(self, phrase: Phrase, reason: str, needed: bool, within: str = "") -> tuple[str, ...]:
        """The names of all things that a phrase means."""
        if not phrase.words:
            return ()
        word = phrase.words[-1]
        if word in _EVERYTHING or (word in _EDIBLE and self._dialect.numbered):
            found = self._names.meant(phrase.words, self._scene) if word in _EDIBLE else ()
            every = [name for kind in found for name in instances(kind, self._scene)] or list(
                self._all(word in _EDIBLE, within)
            )
            self._note_gaps(tuple(dict.fromkeys(map(kind_of, every))))
            if not every and needed:
                self._lacks.append(Lack(phrase.text, f"{self._said}{reason}"))
            return tuple(every)
        kinds = self._kinds(phrase, reason, needed)
        names = tuple(name for kind in kinds for name in instances(kind, self._scene))
        if self._dialect.numbered and needed:
            if not phrase.number:
                self._note_gaps(kinds)
            if phrase.number > len(names) and names:
                self._lacks.append(Lack(f"{phrase.number} {phrase.text}", f"{self._said}number"))
        return names if self._dialect.numbered else names[:1]

    def _all(self, edible: bool, within: str) -> Iterator[str]:
        """Everything that can be eaten, or everything that lies in something."""
        if edible:
            for item in self._scene.objects:
                if _COOKABLE in self._scene.possible[object_key(item.name)]:
                    yield item.name
            return
        for fact in self._scene.facts:
            contained = fact.holds and word_key(fact.predicate) in ("in", "inside") and len(fact.objects) == 2
            if contained and (not within or object_key(fact.objects[1]) == object_key(within)):
                yield fact.objects[0]

    def _note_gaps(self, kinds: Sequence[str]) -> None:
        if self._dialect.numbered:
            self._lacks += [Lack(f"one {kind}", f"{self._said}gap") for kind in kinds if self._has_gap(kind)]

    def _has_gap(self, kind: str) -> bool:
        """Whether the things of a kind are not numbered from 1 on: then one of them was taken away."""
        numbers = {int(found[1]) for name in instances(kind, self._scene) if (found := _NUMBER.search(name))}
        return bool(numbers) and max(numbers) > len(numbers)

    def _ask(self, literals: Sequence[Literal], reason: str) -> None:
        self._asks += [Ask(literal, f"{self._said}{reason}") for literal in literals]
