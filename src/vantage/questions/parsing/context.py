"""What was said before a question, put in the place of the pronoun, or of the short name, that goes back to it.

"I hung my hat on the rack. What color is that hat?" asks about the hat on the rack. What a statement says of objects
and of their place is part of the question that goes back to them, so that it can be found false.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions.kinds import FURNITURE
from vantage.questions.lexicon import number_word
from vantage.questions.parsing.accounting import closed_class
from vantage.questions.parsing.descriptions import Stands
from vantage.questions.parsing.fronting import LINKS, MEMBER, is_binding
from vantage.questions.parsing.noun_phrases import Phrase, label_of
from vantage.questions.parsing.nouns import is_kind
from vantage.questions.parsing.patterns import Captures, Chart, Rule, rule
from vantage.questions.parsing.tokens import ASKING, Sentence, Token
from vantage.questions.parsing.vocabulary import CONTAINERS
from vantage.questions.parsing.word_classes import INDEFINITE

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


def _taken(found: Captures) -> Phrase | None:
    """The teapot from the table."""
    phrase: Phrase = found["NPS"]
    return phrase.narrowed((Stands("at", found["ONE"]),)) if is_kind(label_of(found["ONE"])) else None


_BE = "is|are|was|were|'s|have|has|stands|stand|sits|sit|lies|lie|hangs|hang"
RULES: dict[str, Rule] = {
    "MENTIONED": rule(
        ("NPS", _there),
        ("NPS down|up|back|out PLACE", _there),
        ("NPS from|off ONE", _taken),
        (f"NPS {_BE} [got] [been] PLACE", _there),
        (f"NPS [{_BE}] [been] PLACE , PLACE2", _there),
        ("PLACE [,] there is|are [also] NPS", _there),
        ("PLACE [,] NPS is|are|stands|lies|sits|hangs", _there),
        (f"PLACE [,] NPS {_BE} PLACE2", _there),
    ),
}


def mentioned(chart: Chart, end: int, any_will_do: bool = False) -> list[Mentioned]:
    """What the statements before a comma speak of: the last statement first, kinds that are known, what says most.

    With ``any_will_do``, also what is taken for granted by no word: "a kettle" of a question.
    """
    found: list[Mentioned] = []
    for begin in range(end):
        some = chart.words[max(0, begin - 2) : begin] == ("one", "of")  # nobody knows which of them
        for read in () if some else chart.read("MENTIONED", begin):
            phrase: Phrase = read.value
            bare = (
                begin == 0 and is_kind(phrase.description.label) and bool(phrase.description.places)
            )  # "kettle is on"
            bare = bare or (chart.word(begin - 1) in ("in", "at") and phrase.description.kind in FURNITURE)  # "in bed"
            told = bare or phrase.determiner or phrase.number is not None or phrase.plural
            if (
                read.end <= end
                and _is_whole(chart, read.end, phrase)
                and (told or any_will_do)
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


_RESTATING = (("i", "mean"), ("like",), ("that", "is"), ("meaning",), ("in", "other", "words"), ("or", "rather"))


def restated(words: tuple[str, ...]) -> int:
    """How many words at the beginning say that a question is put anew in other words, and is asked next."""
    return next(
        (
            len(said)
            for said in _RESTATING
            if words[: len(said)] == said and words[len(said) :][:1] and words[len(said)] in ASKING
        ),
        0,
    )


def restatements(chart: Chart) -> Iterator[Sentence]:
    """The second of two questions that ask the same: "Do we own a kettle? I mean, is there one in the kitchen?"."""
    tokens, words = chart.sentence.tokens, chart.words
    for comma in (index for index, word in enumerate(words) if word == ","):
        said = restated(words[comma + 1 :])
        if not said:
            continue
        rest = replace(chart.sentence, tokens=tokens[comma + 1 + said :])
        own = Chart(rest, chart.rules)
        for each in mentioned(chart, comma, any_will_do=True):
            yield from (replace(rest, tokens=moved) for moved in _named_in(own, each, tokens))
            at = next((at for at, word in enumerate(own.words) if word in ("one", "any")), None)
            if at is not None:
                _, *name = _name(each, tokens)
                some = replace(name[-1], several=False)
                article = replace(rest.tokens[at], word="a")
                yield replace(rest, tokens=(*rest.tokens[:at], article, some, *rest.tokens[at + 1 :]))
        yield rest


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
        named_next = word in _DETERMINERS and after not in INDEFINITE and bool(chart.read("NOUN", at + 1))
        if word in _PRONOUNS and not named_next:
            yield (*tokens[:at], *named, *tokens[at + 1 :])
            return
        if placed and chart.word(at - 1) not in (*_BEING, "") and after not in ("is", "are"):
            upon = "in" if placed == "in" or kind in CONTAINERS else "on"
            before_it = at - (chart.word(at - 1) in ("in", "on"))  # "in there"
            yield (*tokens[:before_it], replace(tokens[at], word=upon), *named, *tokens[at + 1 :])
            return


_PLACES = {"there": "on", "inside": "in"}


def _among(chart: Chart, at: int) -> bool:
    """Whether "which" or "how many" asks about some of what was named before."""
    if chart.words[at : at + 2] == ("how", "many"):
        return True
    return chart.words[at] == "which" and chart.word(at + 1) in ("of", "one", "ones", "pair", "is", "are")


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
        for place in reversed((*chart.read("PLACE", comma + 3), *chart.read("MODIFIER", comma + 3))):
            rest = tokens[place.end :]
            if rest and rest[0].word != ",":
                continue
            goes_on = rest[1:] and rest[1].word not in ASKING and words[0] in ASKING  # "is the hat, ..., a red one"
            rest = rest[1:] if goes_on else rest
            ends = [found.end for at in range(comma) for found in chart.read("NOUN", at) if found.end <= comma]
            told = tokens[comma + 3 : place.end]
            for end in sorted(set(ends), reverse=True):
                yield replace(chart.sentence, tokens=(*tokens[:end], *told, *tokens[end:comma], *rest))
