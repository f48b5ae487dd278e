"""Things of a kind that a wish names, which are not where it says that they are."""

from __future__ import annotations

from functools import cached_property

from vantage.goals import SceneFacts, TaskText, object_key, rooms_of
from vantage.planning.wishes import Names, NounPhrase, Referents, read_clauses

_MOST_WORDS = 200  # of a wish; what is said further behind of where things are is not looked at


class SaidPlaces:
    """What a wish says of where things are. Tasks with a name, and scenes without rooms, tell nothing here."""

    def __init__(self, task: TaskText, scene: SceneFacts) -> None:
        self._task, self._scene = task, scene

    def instead_of(self, name: str) -> str:
        """The words for what is meant where a thing of the kind is in another place or state; empty otherwise."""
        return self._others.get(object_key(name), "")

    @cached_property
    def _others(self) -> dict[str, str]:
        """Things by key that a name would mean but for what is said of it, and that no other name means."""
        if self._task.name or not self._task.text.strip() or not rooms_of(self._scene):
            return {}
        things = Referents(self._scene, Names())
        others: dict[str, str] = {}
        meant: set[str] = set()
        for clause in read_clauses(self._task.text, _MOST_WORDS):
            places = (clause.place.place,) if clause.place and clause.place.place else ()
            for phrase in (*clause.things, *places):
                things.note_places(phrase)
                if phrase.words:
                    found = set(map(object_key, things.meant(phrase)))
                    broadly = map(object_key, things.broadly(phrase))
                    others.update({key: _told(phrase) for key in broadly if key not in found})
                    meant |= found
                    things.places += [name for name in things.meant(phrase)[:1] if phrase in places]
        return {key: told for key, told in others.items() if key not in meant}


def _told(phrase: NounPhrase) -> str:
    places = (where.place.text for where in phrase.wheres if where.place is not None and where.relation != "state")
    return " of the ".join(dict.fromkeys((phrase.text, *filter(None, places))))
