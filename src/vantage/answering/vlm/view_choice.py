"""Which remembered views a model is asked about, when, and which of them it answers from.

A call costs a second or more, and most views of a search show nothing new. So a model is asked about views that show
what the question names, as soon as they do, and about others only now and then; about several in one call where it
takes several pictures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from vantage.answering.vlm.view_confidence import AskedSet, YesNo
from vantage.answering.vlm.view_memory import View, spread
from vantage.questions.lexicon import confusable, names_thing, related, singular

_FOOLED = 0.5  # probability of yes for a picture of nothing from which on yes means nothing
_CALLS, _LAST, _BETWEEN = 6, 3, 2  # at once: at first, in the end, and in between where each takes one picture
EVERY = "every"  # of the setting ``agent.views_asked``: each view is asked about
_EVERY = 24  # of many new views
_AGAIN = 6  # new views of things that the question names, and of which the model has been shown some; later more
_OTHERS = 32  # new views in which nothing is named that the question names
_UNNAMED = 12  # new views, at most, where nobody names what views show


@dataclass(frozen=True)
class Choice:
    """Which views to trust.

    Attributes:
        views: those that a model is to answer from, in the order in which they came.
        confidence: probability that they suffice, 0..1; None where the model cannot tell.
        fooled: the model calls a picture of nothing sufficient, so that the probability says nothing.
        asked, known: views that were asked about, and views in memory.
    """

    views: tuple[View, ...]
    confidence: float | None
    fooled: bool
    asked: int
    known: int


def choose(
    question: str,
    views: Sequence[View],
    yes_no: YesNo,
    enough: float = 0.8,
    most: int = 1,
    final: bool = False,
    every: bool = False,
) -> Choice:
    """The most telling views so far, the newest of equals, after asking about new ones where that is worth a call.

    Args:
        views: at least one, in the order in which they came.
        enough: probability from which on nothing else is asked about.
        most: pictures that go into one call.
        final: no other look can be taken.
        every: ask about each new view in a call of its own, whatever it shows.

    Raises:
        ModelError: the model cannot be asked.
    """
    asked = yes_no.asked(question)
    new = yes_no.newly_seen(question, views, final)
    if every:
        for view in spread(new, _EVERY):
            yes_no.enough(question, (view,))
        yes_no.weighed(question, views, final)
    elif not asked or _is_worth_it(question, asked, new, enough, final):
        between = bool(asked) and not final
        naming = [view for view in new if named_in(question, view.labels)] if between else []
        groups = _groups(question, views, naming or new, best_of(asked), most)
        most_calls = (_BETWEEN if most == 1 else 1) if between else _LAST if asked else _CALLS
        for group in groups[:most_calls]:
            told = yes_no.enough(question, group)
            if told is not None and told >= enough:
                break
        yes_no.weighed(question, views, final)
    best = best_of(yes_no.asked(question))
    assert best is not None  # there is at least one view, and one was asked about
    fooled = (
        best.enough is not None and best.enough >= _FOOLED and yes_no.of_nothing(question, best.views[-1]) >= _FOOLED
    )
    number = len({view.number for each in yes_no.asked(question) for view in each.views})
    return Choice(best.views, best.enough, fooled, number, len(views))


def best_of(asked: Sequence[AskedSet]) -> AskedSet | None:
    """The views that most probably suffice, the newest of equals."""
    return max(
        asked, key=lambda each: (-1.0 if each.enough is None else each.enough, each.views[-1].number), default=None
    )


def _is_worth_it(question: str, asked: Sequence[AskedSet], new: Sequence[View], enough: float, final: bool) -> bool:
    """Whether new views may tell more than those that were asked about."""
    if not new or final:
        return bool(new) and not any(each.enough is not None and each.enough >= enough for each in asked)
    if not any(view.labels for view in new):
        return len(new) >= min(len({view.number for each in asked for view in each.views}), _UNNAMED)
    shown = {name for each in asked for view in each.views for name in named_in(question, view.labels)}
    naming = [named_in(question, view.labels) for view in new]
    seen_again = sum(bool(names) for names in naming) >= max(_AGAIN, 2 * len(asked))
    return seen_again or any(names - shown for names in naming) or len(new) >= _OTHERS


def _groups(
    question: str, views: Sequence[View], new: Sequence[View], best: AskedSet | None, most: int
) -> list[tuple[View, ...]]:
    """Views to ask about, the most telling first, as many at once as a call takes, with some of the best so far."""
    by_number = {view.number: view for view in views}
    kept = (
        [view for view in (best.views if best else ()) if view.number in by_number][-(most // 2) :] if most > 1 else []
    )
    naming = sorted(new, key=lambda view: (len(named_in(question, view.labels)), view.number), reverse=True)
    naming = [view for view in naming if named_in(question, view.labels)]
    room = most - len(kept)
    wanted = _CALLS * room
    chosen = list(spread(new, wanted, naming[: max(1, wanted // 2)]))
    order = {view.number: at for at, view in enumerate(naming)}
    chosen.sort(key=lambda view: (order.get(view.number, len(order)), -view.number))
    groups = []
    for first in range(0, len(chosen), room):
        group = {view.number: view for view in (*kept, *chosen[first : first + room])}
        groups.append(tuple(group[number] for number in sorted(group)))
    return groups


def named_in(text: str, labels: frozenset[str]) -> frozenset[str]:
    """Those of some objects that a text names, or may mean by what it names: people take a knife for a spoon."""
    lowered = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
    nouns = _things_in(lowered)
    return frozenset(label for label in labels if f" {label}" in lowered or any(_akin(noun, label) for noun in nouns))


@lru_cache(maxsize=1024)
def _things_in(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(noun for word in words.split() if names_thing(noun := singular(word))))


@lru_cache(maxsize=65536)
def _akin(noun: str, label: str) -> bool:
    return related(noun, label) or label in confusable(noun)
