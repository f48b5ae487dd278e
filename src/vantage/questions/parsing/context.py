"""What was said before a question, put in the place of the pronoun, or of the short name, that goes back to it.

"I hung my hat on the rack. What color is that hat?" asks about the hat on the rack. What a statement says of objects
and of their place is part of the question that goes back to them, so that it can be found false.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions.lexicon import number_word
from vantage.questions.parsing.accounting import closed_class
from vantage.questions.parsing.fronting import LINKS, MEMBER, is_binding
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.nouns import is_kind
from vantage.questions.parsing.patterns import Captures, Chart, Rule, rule
from vantage.questions.parsing.tokens import ASKING, Sentence, Token
from vantage.questions.parsing.vocabulary import CONTAINERS, FURNITURE

_PRONOUNS = frozenset({"it", "they", "them", "these", "those", "that", "this"})
_OWNING = frozenset({"its", "their"})
_BEING = frozenset({"is", "are", "was", "were", "'s", "there"})
_DETERMINERS = frozenset({"the", "that", "this", "these", "those"})
_SHORT = frozenset({"thing", "things", "one", "ones"})
_ELLIPSES = frozenset({("which", "room"), ("what", "room"), ("in", "which", "room"), ("where",), ("what", "color")})
_THEY_ASK = frozenset((who, ask) for who in ("they", "he", "she", "we") for ask in ("ask", "asks", "asked", "wonder"))
_FURTHEST = 60  # readings of one statement
_ASKING = ASKING | {"in", "on", "at", "count", "read"}  # "in which room is it"


@dataclass(frozen=True)
class Mentioned:
    """Objects that a statement speaks of, with what it says of their place, and the tokens that say so."""

    phrase: Phrase
    begin: int
    end: int


def _there(found: Captures) -> Phrase | None:
    phrase: Phrase = found["NPS"]
    return phrase.narrowed((*found.get("PLACE", ()), *found.get("PLACE2", ())))


_BE = "is|are|was|were|'s|have|has|stands|stand|sits|sit|lies|lie|hangs|hang"
RULES: dict[str, Rule] = {
    "MENTIONED": rule(
        ("NPS", _there),
        ("NPS down|up|back|out PLACE", _there),
        (f"NPS {_BE} [been] PLACE", _there),
        (f"NPS [{_BE}] [been] PLACE , PLACE2", _there),
        ("PLACE [,] there is|are [also] NPS", _there),
        ("PLACE [,] NPS is|are|stands|lies|sits|hangs", _there),
        (f"PLACE [,] NPS {_BE} PLACE2", _there),
    ),
}


def mentioned(chart: Chart, end: int) -> list[Mentioned]:
    """What the statements before a comma speak of: the last statement first, kinds that are known, what says most."""
    found: list[Mentioned] = []
    for begin in range(end):
        for read in chart.read("MENTIONED", begin):
            phrase: Phrase = read.value
            bare = (
                begin == 0 and is_kind(phrase.description.label) and bool(phrase.description.places)
            )  # "kettle is on"
            bare = bare or (chart.word(begin - 1) in ("in", "at") and phrase.description.kind in FURNITURE)  # "in bed"
            told = bare or phrase.determiner or phrase.number is not None or phrase.plural
            if (
                read.end <= end
                and _is_whole(chart, read.end, phrase)
                and told
                and not phrase.description.of_rooms
                and not phrase.joined
                and phrase.description.one() is not None
            ):
                found.append(Mentioned(phrase, begin, read.end))
    found.sort(key=lambda each: (each.begin - each.end, each.begin))
    whole: list[Mentioned] = []
    for each in found[:_FURTHEST]:
        if not any(other.begin <= each.begin and each.end <= other.end for other in whole):
            whole.append(each)
    return sorted(whole, key=lambda each: (-chart.words[: each.end].count(","), _is_strange(each.phrase)))


def _is_whole(chart: Chart, end: int, phrase: Phrase) -> bool:
    """Whether a name is not the first half of another: "my Acme" of "my Acme racket bag"."""
    after = chart.word(end)
    return not is_kind(after) and (after in closed_class() or not after or not _is_strange(phrase))


def _is_strange(phrase: Phrase) -> bool:
    label = phrase.description.label
    return bool(label) and not is_kind(label)


def questions_going_back(chart: Chart) -> Iterator[Sentence]:
    """The questions behind a statement, with what they go back to in it named again."""
    tokens, words = chart.sentence.tokens, chart.words
    for comma in (index for index, word in enumerate(words) if word == ","):
        question = tokens[comma + 1 :]
        begin = next((at for at, token in enumerate(question) if token.word not in LINKS), 0)
        begin += 2 * (tuple(token.word for token in question[begin : begin + 2]) in _THEY_ASK)
        if is_binding(words[:comma]) or not question[begin:] or question[begin].word not in _ASKING:
            continue
        rest = replace(chart.sentence, tokens=question[begin:])
        own = Chart(rest, chart.rules)
        for each in mentioned(chart, comma):
            yield from (replace(rest, tokens=moved) for moved in _named_in(own, each, tokens))


def _named_in(chart: Chart, topic: Mentioned, before: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    tokens, words = chart.sentence.tokens, chart.words
    named = tuple(_name(topic, before))
    kind = topic.phrase.description.kind
    if words in _ELLIPSES:
        yield (*named, replace(tokens[0], word=","), *tokens)
        return
    for at, word in enumerate(words):
        after = chart.word(at + 1)
        if word in _DETERMINERS:
            for noun in chart.read("NP", at)[-1:]:
                said = noun.value.description
                if kind and said.is_plain and (said.kind == kind or (not said.label and after in _SHORT)):
                    yield (*tokens[:at], *named, *tokens[noun.end :])
                    return
            if after in _SHORT and word in ("that", "this", "those", "these"):
                yield (*tokens[:at], *named, *tokens[at + 2 :])
                return
            if after == "two" and not chart.read("NP", at):
                yield (*tokens[:at], *named, *tokens[at + 2 :])
                return
        if word in _OWNING:
            yield (*tokens[:at], *named, replace(tokens[at], word="'s"), *tokens[at + 1 :])
            return
        if word in ("which", "how") and topic.phrase.plural and _among(chart, at):
            yield (replace(tokens[at], word="of"), *named, replace(tokens[at], word=","), *_without_them(tokens[at:]))
            return
        placed = _PLACES.get(word) if kind in FURNITURE or kind in CONTAINERS else None
        if word in _PRONOUNS and "or" in words[:at] and any(chart.read("ONE", start) for start in range(at)):
            continue  # "is the mug empty or is there coffee in it"
        if word in _PRONOUNS and not (word in _DETERMINERS and chart.read("NOUN", at + 1)):
            yield (*tokens[:at], *named, *tokens[at + 1 :])
            return
        if placed and chart.word(at - 1) not in (*_BEING, "") and after not in ("is", "are"):
            upon = "in" if placed == "in" or kind in CONTAINERS else "on"
            yield (*tokens[:at], replace(tokens[at], word=upon), *named, *tokens[at + 1 :])
            return


_PLACES = {"there": "on", "inside": "in"}


def _among(chart: Chart, at: int) -> bool:
    """Whether "which" or "how many" asks about some of what was named before."""
    if chart.words[at : at + 2] == ("how", "many"):
        return True
    return chart.words[at] == "which" and chart.word(at + 1) in ("of", "one", "is", "are")


def _without_them(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    words = tuple(token.word for token in tokens)
    for phrase in (("of", "them"), ("of", "these"), ("of", "those"), ("of", "the", "two")):
        for at in range(len(words)):
            if words[at : at + len(phrase)] == phrase:
                return (*tokens[:at], *tokens[at + len(phrase) :])
    return tokens


def _name(topic: Mentioned, before: tuple[Token, ...]) -> Iterator[Token]:
    """The tokens that name objects: "the three" and one token that stands for the rest."""
    begin, end = before[topic.begin], before[topic.end - 1]
    whole = replace(begin, word=MEMBER, end=end.end, quoted=False, stands_for=topic.phrase.description)
    yield replace(begin, word="the", quoted=False)
    if topic.phrase.claimed is not None:
        yield replace(begin, word=number_word(topic.phrase.claimed), quoted=False)
    yield replace(whole, several=topic.phrase.plural)


def appositions(chart: Chart) -> Iterator[Sentence]:
    """A question with ", the one on the desk" put behind the noun that it tells more of."""
    tokens, words = chart.sentence.tokens, chart.words
    for comma in (at for at in range(1, len(words)) if words[at : at + 3] == (",", "the", "one")):
        for place in reversed(chart.read("PLACE", comma + 3)):
            rest = tokens[place.end :]
            if rest and rest[0].word != ",":
                continue
            ends = [found.end for at in range(comma) for found in chart.read("NOUN", at) if found.end <= comma]
            told = tokens[comma + 3 : place.end]
            for end in sorted(set(ends), reverse=True):
                yield replace(chart.sentence, tokens=(*tokens[:end], *told, *tokens[end:comma], *rest))
