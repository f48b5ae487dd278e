"""What things are for, as people say it: "cut some bread with", "tells the time", "sitting down".

A use is a verb of ``lexicon.uses`` with what may follow it, whatever small words stand between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from vantage.questions.lexicon import gerund, plural, third_person, uses

Words = Sequence[str]

_LONGEST_PART = 6  # words of a verb, or of what follows it
_BETWEEN = frozenset(
    [
        *("a", "an", "the", "some", "any", "my", "your", "our", "his", "her", "their", "one", "'s", "this", "these"),
        *("few", "fresh", "dirty", "wet", "hot", "cold", "old", "new", "nice", "little", "several", "quick", "good"),
        *("big", "small", "whole", "warm", "used", "all", "that"),
    ]
)
_PORTIONS = frozenset(
    {"slice", "piece", "loaf", "cup", "glass", "mug", "bit", "lot", "couple", "pair", "bunch", "bowl", "pot"}
)
_PORTIONS |= {"load", "handful", "sip", "drop"}
_PARTICLES = frozenset({"away", "up", "down", "out", "off", "in"})
_ENDS = frozenset({"with", "on", "in", "into", "from", "at", "under", "by", "inside", "onto", "upon", "using"})
_LIKE = {"upon": "on", "onto": "on", "inside": "in", "using": "with"}
_OWN = frozenset({"your", "their", "his", "her", "our"})
_SELVES = frozenset({"yourself", "oneself", "himself", "herself", "themselves", "ourselves"})


_INFLECTED: dict[str, Callable[[str], str]] = {"base": str, "ing": gerund, "s": third_person}


@cache
def _verbs(form: str) -> dict[tuple[str, ...], dict[tuple[str, ...], tuple[str, ...]]]:
    """Of each verb in a form, what may follow it, and the uses that both are; the same use once."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], tuple[str, ...]]] = {}
    for use in uses().values():
        pairs = [(verb, rest) for verb in use.verbs for rest in use.objects]
        for verb, rest in (*pairs, *((wording, "") for wording in (use.name, *use.wordings))):
            objects = found.setdefault(tuple(_INFLECTED[form](verb).lower().split()), {})
            for said in dict.fromkeys((rest, plural(rest))) if rest else ("",):
                key = tuple(said.lower().split())
                objects[key] = tuple(dict.fromkeys((*objects.get(key, ()), use.name)))
    return found


def uses_at(words: Words, start: int, form: str = "base") -> Iterator[tuple[str, int]]:
    """The uses that words from ``start`` on say, each with its end; the verb is in a form: base, ing or s."""
    for end in range(min(start + _LONGEST_PART, len(words)), start, -1):
        follows = _verbs(form).get(tuple(words[start:end]))
        if follows is None:
            continue
        for begin in sorted(set(_begins(words, end)), reverse=True):
            for last in range(min(begin + _LONGEST_PART, len(words)), begin - 1, -1):
                said = tuple(map(_mine, words[begin:last]))
                if said or begin == end:
                    for name in follows.get(said, ()):
                        yield from ((name, at) for at in _completed(words, last, name))


def uses_in(words: Words) -> Iterator[tuple[str, int, int]]:
    """Every use that words say, with its first word and where it ends; "it is used for cutting bread" says one."""
    for start in range(len(words)):
        for form in _INFLECTED:
            yield from ((name, start, end) for name, end in uses_at(words, start, form))


def _mine(word: str) -> str:
    """A word about a person as the one who asks would say it of themselves."""
    return "myself" if word in _SELVES else "my" if word in _OWN else word


def _begins(words: Words, end: int) -> Iterator[int]:
    """Where what follows a verb may begin: behind small words, and behind "a slice of"."""
    at = end
    yield at
    while at < len(words):
        if words[at] in _BETWEEN:
            at += 1
        elif words[at] in _PORTIONS and words[at + 1 : at + 2] == ("of",):
            at += 2
        else:
            return
        yield at


def _completed(words: Words, last: int, name: str) -> Iterator[int]:
    """Where a use ends that may be followed by "away" and by one of its prepositions."""
    ends = uses()[name].ends
    particle = last + (words[last : last + 1] != () and words[last] in _PARTICLES)
    for at in dict.fromkeys((last, particle)):
        yield at
        if at < len(words) and words[at] in _ENDS and _LIKE.get(words[at], words[at]) in ends:
            yield at + 1


USED = frozenset({"used", "utilized", "employed"})
EMPLOY = frozenset({"use", "take", "employ", "utilize", "grab", "pick", "get", "choose", "fetch", "need", "want"})
EMPLOY |= {"reach for", "look for", "go for", "make use of", "rely on", "turn to"}
FITTING = frozenset(
    {"meant", "made", "designed", "intended", "good", "suited", "suitable", "useful", "handy", "needed"}
)
FITTING |= {"required", "ideal", "perfect", "right", "best", "built", "fit", "great", "necessary", "appropriate"}
FITTING |= {"helpful", "convenient", "there", "nice", "comfortable", "possible", "okay", "available", "safe"}
HELPING = frozenset({"helps", "help", "lets", "let", "allows", "allow", "enables", "enable", "serves", "works", "does"})
AIM = frozenset({"purpose", "function", "job", "use", "task", "main purpose", "main use"})
WANTING = frozenset({"want", "need", "wish", "plan", "have", "like", "mean", "going", "about", "trying", "hoping"})
_FRAMES = (USED, EMPLOY, FITTING, HELPING, AIM, WANTING, {"place", "spot", "best", "order", "go", "turn", "do"})
FRAME_WORDS = frozenset(word for frame in _FRAMES for phrase in frame for word in phrase.split())
