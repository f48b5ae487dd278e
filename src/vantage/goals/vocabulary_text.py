"""Names that a prompt lists without saying what is there: all that goals may use where pictures alone show the scene.

::

    Names that goals may use, of things and rooms that homes have:
    bed, bedroom, cup, lamp
    ...
    States that goals may ask for: open, closed
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vantage.goals.facts import SceneFacts, SceneObject
from vantage.goals.scene_text import read_scene

NAMES = "Names that goals may use, of things and rooms that homes have:"
_STATES = re.compile(r"^States that goals may ask for: (.*)$", re.MULTILINE)


def vocabulary_lines(names: Iterable[str]) -> str:
    """Names as ``read_known`` reads them."""
    return f"{NAMES}\n{', '.join(names)}"


def read_known(prompt: str) -> SceneFacts:
    """The scene that a prompt tells of; where it tells of none, the names that it lists, as if all of them were there,
    in any of the states that it lists."""
    scene = read_scene(prompt)
    _, found, rest = prompt.partition(f"{NAMES}\n")
    if scene.objects or not found:
        return scene
    states = _STATES.search(prompt)
    possible = _words(states[1]) if states else ()
    return SceneFacts(tuple(SceneObject(name, (), possible) for name in _words(rest.partition("\n")[0])))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
