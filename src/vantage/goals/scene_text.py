"""Scene facts as lines of text, as prompts show them to a model, and back.

Three ways of writing are read: one of this library, and those in which VirtualHome and BEHAVIOR tell their scenes.
::

    Things in the scene:                                  one of this library
    - lamp | is OFF | can be OFF, ON
    What holds in the scene:
    - inside(cup, sink)
    - not soaked(rag)

    Relevant objects in the scene are:                    VirtualHome, BEHAVIOR
    lamp, initial states: ['OFF'], possible states: ['OFF', 'ON']
    rag.n.01_1: ['Soaked']
    All initial states in the scene are:
    ['inside', 'cup.n.01_1', 'sink.n.01_1']
    ['not', 'soaked', 'rag.n.01_1']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vantage.goals.facts import Fact, SceneFacts, SceneObject

THINGS, FACTS = "Things in the scene:", "What holds in the scene:"
_THING_HEADS = (THINGS, "Relevant objects in the scene are:")
_FACT_HEADS = (FACTS, "All initial states in the scene are:")
_OWN = re.compile(r"- (?P<name>[^|]+?)(?: \| is (?P<initial>[^|]+?))?(?: \| can be (?P<possible>[^|]+))?")
_INITIAL = re.compile(r"(?P<name>.+?), initial states: \[(?P<initial>.*)\], possible states: \[(?P<possible>.*)\]")
_POSSIBLE = re.compile(r"(?P<name>[^:]+): \[(?P<possible>.*)\]")
_OWN_FACT = re.compile(r"- (not )?([^\s()]+)\((.+)\)")
_LISTED = re.compile(r"\[(.+)\]")


def scene_lines(scene: SceneFacts) -> str:
    """A scene in this library's way of writing."""
    things = []
    for item in scene.objects:
        states = [f"is {', '.join(item.initial)}"] if item.initial else []
        states += [f"can be {', '.join(item.possible)}"] if item.possible else []
        things.append(f"- {' | '.join((item.name, *states))}")
    facts = [f"- {'' if fact.holds else 'not '}{fact.predicate}({', '.join(fact.objects)})" for fact in scene.facts]
    return "\n".join((THINGS, *things, *((FACTS, *facts) if facts else ())))


def read_scene(text: str) -> SceneFacts:
    """The scene that a text tells of, under the first heading of each kind; empty where it has none."""
    objects = map(_object, _under(text, _THING_HEADS))
    facts = map(_fact, _under(text, _FACT_HEADS))
    return SceneFacts(tuple(item for item in objects if item), tuple(fact for fact in facts if fact))


def _under(text: str, heads: tuple[str, ...]) -> Iterator[str]:
    """The lines below the first heading, up to an empty one or another heading."""
    lines = iter(text.splitlines())
    if any(line.strip() in heads for line in lines):
        for line in lines:
            if not line.strip() or line.strip() in (*_THING_HEADS, *_FACT_HEADS):
                return
            yield line.strip()


def _object(line: str) -> SceneObject | None:
    for pattern in (_OWN, _INITIAL, _POSSIBLE):
        found = pattern.fullmatch(line)
        if found is not None:
            given = found.groupdict()
            return SceneObject(given["name"], *(_words(given.get(key) or "") for key in ("initial", "possible")))
    return None


def _fact(line: str) -> Fact | None:
    if found := _OWN_FACT.fullmatch(line):
        return Fact(found[2], _words(found[3]), not found[1])
    if found := _LISTED.fullmatch(line):
        words = _words(found[1])
        holds = words[:1] != ("not",)
        predicate, *objects = words if holds else words[1:] or ("",)
        return Fact(predicate, tuple(objects), holds) if objects else None
    return None


def _words(text: str) -> tuple[str, ...]:
    """Words with commas between, in quotes or not."""
    words = (word.strip().strip("'\"") for word in text.split(","))
    return tuple(word for word in words if word)
