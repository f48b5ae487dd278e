"""A JSON schema of replies that name nothing but what a scene has, in states that it can be in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vantage.goals import SceneFacts, object_key

_NODES, _EDGES, _ACTIONS = "node goals", "edge goals", "action goals"
_WORD = {"type": "string", "minLength": 1, "maxLength": 40}


def scene_schema(scene: SceneFacts, instances: bool) -> dict[str, Any]:
    """
    Args:
        instances: goals are lists of words, and can be denied, instead of mappings; ``vantage.goals.reply_text`` writes
            both.
    """
    names = list(dict.fromkeys(item.name for item in scene.objects))
    states = _by_states(scene)
    if instances:
        nodes = [_words({"enum": list(can)}, {"enum": of}) for can, of in states.items()]
        edges = [_words(_WORD, {"enum": names}, {"enum": names})] if names else []
        return _mapping({_NODES: _array(_or_denied(nodes)), _EDGES: _array(_or_denied(edges))})
    nodes = [_mapping({"name": {"enum": of}, "state": {"enum": list(can)}}) for can, of in states.items()]
    edge = _mapping({"from_name": {"enum": names}, "relation": _WORD, "to_name": {"enum": names}})
    action = _mapping({"action": _WORD, "description": {"type": "string", "maxLength": 200}})
    return _mapping({_NODES: _array(nodes), _EDGES: _array([edge] if names else []), _ACTIONS: _array([action])})


def _by_states(scene: SceneFacts) -> dict[tuple[str, ...], list[str]]:
    """Names of things, by the states that they can be in; without those that can be in none."""
    states: dict[str, list[str]] = {}
    for item in scene.objects:
        states.setdefault(item.name, []).extend((*item.possible, *item.initial))
    for fact in scene.facts:
        for item in scene.objects:
            if tuple(map(object_key, fact.objects)) == (object_key(item.name),):
                states[item.name].append(fact.predicate)
    found: dict[tuple[str, ...], list[str]] = {}
    for name, can in states.items():
        if can:
            found.setdefault(tuple(dict.fromkeys(can)), []).append(name)
    return found


def _mapping(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _words(*each: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "prefixItems": list(each), "minItems": len(each), "maxItems": len(each)}


def _or_denied(kinds: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*kinds, *(_words({"const": "not"}, kind) for kind in kinds)]


def _array(kinds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A list of these, which must be empty where there are none."""
    if not kinds:
        return {"type": "array", "maxItems": 0}
    return {"type": "array", "items": kinds[0] if len(kinds) == 1 else {"anyOf": list(kinds)}}
