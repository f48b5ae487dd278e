"""What the words of a task license: things that they name or that it usually takes, and states that they ask for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from functools import cached_property, lru_cache

from vantage.goals import (
    Goal,
    Literal,
    NodeGoal,
    SceneFacts,
    TaskText,
    kind_of,
    object_key,
    objects_of,
    room_of,
    word_key,
)
from vantage.planning.guard.capabilities import is_agent
from vantage.planning.guard.household_knowledge import ROOMS, asked_states, usual_needs
from vantage.planning.guard.said_places import SaidPlaces
from vantage.planning.guard.task_words import TaskWords, called, written_together
from vantage.planning.wishes import VERBS, lemma, read_clauses
from vantage.questions.lexicon import called_alike, canonical, clear_nouns, near_in_meaning

_EVERYTHING = frozenset({"everything", "all", "item", "thing", "object", "stuff", "content", "rest"})
_SEVERAL = frozenset({"all", "every", "each", "both", "several", "some", "many", "any", "separate", "other", "another"})
_CLEANED = frozenset({"clean"})  # states that the words for using or going to a thing do not ask for
_ENDS = re.compile(r"[.;:!?\n\[\]{}<>]|(?<!\S)--\w+")  # brackets of data and options of a command too
_WORD = re.compile(r"[^\W\d_]+")
_BACK = frozenset({"it", "them", "they", "these", "those", "this", "that", "both", "all", "each", "everything", "two"})
_BEFORE_ORDERS = frozenset({"please", "then", "now", "and", "so", "just", "kindly", "finally", "next", "also"})
_MOST_SENTENCES = 1000
_MOST_TOLD = 3  # missing things for one that takes their place
_ONE = re.compile(r"\b(?:an?|one|single) (\w+)(?: (\w+))?(?: (\w+))?")


class Licence(Enum):
    """By what a thing may be in a goal."""

    NAMED = "named"
    KIND = "kind"
    """The words name what it is a kind of."""
    CONTENTS = "contents"
    """The words ask for all that is somewhere, and it is there."""
    NEEDED = "needed"
    """The words do not name it, and the activity that they name usually takes it."""
    NONE = "none"


class _Sentence:
    def __init__(self, text: str) -> None:
        self._text, self.words = text, TaskWords(text)

    @cached_property
    def orders_those(self) -> bool:
        """Whether it asks for something to be done with what was told of before: "turn it on", "bring both"."""
        if not self.words.say_any(_BACK):
            return False
        first = next((word for word in _WORD.findall(self._text.casefold()) if word not in _BEFORE_ORDERS), "")
        asked = (clause.change is not None and not clause.denied for clause in read_clauses(self._text))
        return lemma(first) in VERBS or any(asked)


class Licences:
    """What a task licenses in a scene. Words for all, for several and for a state count for what their own sentence
    names, or, where it is an order for "it" or "them", for what was named before: "you have permission for any object"
    names nothing and orders nothing, and so widens no request beside it."""

    def __init__(self, task: TaskText, scene: SceneFacts) -> None:
        self._task, self._scene = task, scene
        self._related: dict[str, tuple[str, ...]] = {}
        self.words = TaskWords(f"{task.name}\n{task.text}", wish=not task.name)
        self._said_places = SaidPlaces(task, scene)

    def say_of(self, name: str, words: Iterable[str]) -> bool:
        """Whether one of several words is said of an object; of the agent, which no order names, anywhere."""
        wanted = frozenset(words)
        if is_agent(name) or not self.words.say_any(wanted):
            return self.words.say_any(wanted)
        named = False  # by the newest sentence that names a thing at all
        for sentence in self._sentences:
            here = sentence.words.name(name)
            if sentence.words.say_any(wanted) and (here or (named and sentence.orders_those)):
                return True
            named = here or (named and not sentence.words.things())
        return False

    @cached_property
    def _sentences(self) -> tuple[_Sentence, ...]:
        return tuple(map(_Sentence, _ENDS.split(f"{self._task.name}\n{self._task.text}")[:_MOST_SENTENCES]))

    def of(self, name: str) -> Licence:
        """That of one object."""
        if is_agent(name) or self.words.name_itself(name):
            return Licence.NAMED
        if self.words.name(name):
            return Licence.KIND
        if object_key(name) in self._contents:
            return Licence.CONTENTS
        return Licence.NONE if self._needed.isdisjoint(called(kind_of(name))) else Licence.NEEDED

    def said_elsewhere(self, name: str) -> str:
        """The room in which the words have a thing that is in another one; empty where it may be meant."""
        said = [room for room in self._rooms if self.words.name_in(room, name)]
        here = canonical(kind_of(room_of(self._scene, name)).replace("_", " ")) if said else ""
        if not here or any(canonical(room) == here or called_alike(room, here) for room in said):
            return ""
        return "" if self._said_places.means(name) else said[0]

    def said_otherwise(self, name: str, literals: Iterable[Literal]) -> str:
        """What a wish means instead, in its words, by how it speaks of a thing in the goal's literals; empty where it
        may be meant."""
        firsts = [each.objects for each in literals if each.objects and object_key(each.objects[0]) == object_key(name)]
        places = [place for _, *places in firsts for place in places]
        return self._said_places.instead_of(name, places, changed=bool(firsts), moved=bool(places))

    def stands_for(self, name: str, licence: Licence) -> tuple[str, ...]:
        """Missing things that the words name and whose place a thing may take: whatever is missing where the thing is
        not licensed, things of a related kind where it is merely needed, or one of a kind that is named."""
        if licence is Licence.NONE:
            return self.missing[:_MOST_TOLD]
        if licence not in (Licence.NEEDED, Licence.KIND):
            return ()
        kind = kind_of(name).replace("_", " ")
        if kind not in self._related:
            near = [each for each in self.missing if near_in_meaning(kind, each.replace("_", " "))]
            better = self._better_named(name) if licence is Licence.KIND else ()
            self._related[kind] = (*near, *better)[:_MOST_TOLD]
        return self._related[kind]

    def _better_named(self, name: str) -> tuple[str, ...]:
        """Kinds of the scene whose own names are all the words by which a wish names a thing as one of a kind: the lamp
        is none of the lanterns where there is one."""
        if self._task.name:
            return ()
        said = self.words.said_of(kind_of(name))
        own = {written_together(kind): kind for kind in map(kind_of, self._scene.possible)}
        return tuple(own[word] for word in sorted(said)) if said <= own.keys() else ()

    def asks_for(self, literal: Literal) -> bool:
        """Whether the words ask for such a state; what stands in no table is asked for by whatever names the thing."""
        if not isinstance(literal, NodeGoal):
            return True
        asking = asked_states().get((word_key(literal.state), literal.holds))
        if asking is None:
            return True
        if not self.say_of(literal.object, asking):
            return False
        return word_key(literal.state) not in _CLEANED or not self.words.only_use(literal.object, asking)

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Things that the words name and the scene lacks."""
        return tuple(name for name in self.words.things() if written_together(name) not in self._there)

    @cached_property
    def missing_matter(self) -> tuple[str, ...]:
        """Those that the task is about: the name of the task and its text both speak of them."""
        titled = [name for name in TaskWords(self._task.name).things() if name in self.missing]
        said = TaskWords(self._task.text if titled else "")
        return tuple(filter(said.name, titled))

    def more_than_one(self, goal: Goal) -> tuple[str, ...]:
        """Kinds of which the words ask for one alone, and the goal names several."""
        counts = Counter(map(kind_of, objects_of(Goal(tuple(part[:1] for part in goal.parts)))))  # a choice is for one
        more = [kind for kind, count in counts.items() if count > 1 and not self.say_of(kind, _SEVERAL)]
        if not more:
            return ()
        singles = {
            "".join(found[begin:end])
            for found in _ONE.findall(self._task.text.casefold().replace("_", " "))
            for begin, end in ((0, 1), (0, 2), (1, 2), (1, 3))
        }
        return tuple(kind for kind in more if kind.replace("_", "") in singles)

    @cached_property
    def _rooms(self) -> tuple[str, ...]:
        """Rooms that the words may name."""
        return tuple(room for room in ROOMS if self.words.say_any(room.split()[:1]))

    @cached_property
    def _there(self) -> frozenset[str]:
        return frozenset().union(*(called(kind_of(name)) for name in self._scene.possible))

    @cached_property
    def _needed(self) -> frozenset[str]:
        """What an activity takes unsaid; a wish without the name of one says what it is about."""
        if not self._task.name:
            return frozenset()
        return frozenset().union(*(kinds for words, kinds in _needs() if self.words.say_any(words)))

    @cached_property
    def _contents(self) -> frozenset[str]:
        """Keys of what lies in or on a thing that the words name, where they ask for all of it."""
        if not self.words.say_any(_EVERYTHING):
            return frozenset()
        return frozenset(
            object_key(fact.objects[0])
            for fact in self._scene.facts
            if fact.holds
            and len(fact.objects) == 2
            and self.words.name(fact.objects[1])
            and self.say_of(fact.objects[1], _EVERYTHING)
        )


def load_tables() -> None:
    """Reads the tables of words, so that the first task need not wait for them.

    Raises:
        FormatError: one was damaged.
    """
    for load in (clear_nouns, asked_states, _needs):
        load()
    read_clauses("Put the cup on the table.")


@lru_cache(maxsize=1)
def _needs() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    def names(kinds: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(called(kind.replace(" ", "_")) for kind in kinds))

    return tuple((words, names(kinds)) for words, kinds in usual_needs())
