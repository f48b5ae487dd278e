"""Leading and trailing clauses of a question, moved to where the grammar expects them.

"From the door, is ..." becomes "is ... from the door", "The backpack, what color is it?" becomes "what color is the
backpack?", and of "On the table, how many ..." the place is said of what the rest asks about.

What a statement ahead of a question claims ("My wife says we own two umbrellas; how many are there?") is not believed.
It tells what "it" and "how many of them" are about, and where the objects are that the question is about, where that
says the same of them; the rest is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions.parsing.descriptions import Description, Modifier
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.nouns import is_kind
from vantage.questions.parsing.patterns import Chart, Found, Rule, either, rule
from vantage.questions.parsing.tokens import ASKING, Sentence, Token
from vantage.questions.parsing.vocabulary import CHANGE_WORDS, RELATION_WORDS
from vantage.questions.parsing.word_classes import COMMANDS, DEFINITE, INDEFINITE

_PRONOUNS = frozenset({"it", "they", "them", "this", "these", "those", "that"})
_POINTING = frozenset({"this", "these", "those", "that"})
_ANY = frozenset({"one", "any", "some"})
_GIVING = frozenset({"there", "have", "got", "see", "own", "find", "spot", "we", "you", "i", "possess"})
_POSSESSIVES = frozenset({"its", "their"})
_BEING = frozenset({"is", "are", "was", "were", "does", "do", "has", "have"})
MEMBER = "of-them"  # no word of any pattern or name
_SOME = {"any": "any", "either": "any", "all": "all", "both": "all", "each": "all"}
_TOWARDS = frozenset({"at", "to", "toward", "towards", "over", "face", "faces", "faced", "facing"})
_WHOSE_SIDE = frozenset({"its", "my", "your"})
_SIDE = frozenset({"hand", "side"})
_BESIDE = frozenset({"of", "behind", "from"})
_NOT = "n't|not|never|hardly|barely"
_I = "i|we"
_MENTIONS = either(
    "[what|how] about",
    "regarding|concerning|consider|see|remember|find|locate|read|check|imagine|recall|inspect|examine",
    "( as for | with regard to | regards | speaking of | talking about | think of | look|peek|glance at | back "
    "to | on to )",
    "( tell me about | i ask about | a question about | look for | check on | when it comes to )",
    "have|take a [quick|good|close] look at|in|on",
    "[can|could|would|will you] [please] help me|us [to] find|locate|look for|with",
    f"[{_I}] can|could [{_NOT}] [quite|really|just] ( find|see|spot|locate|remember|read | recall | make out )",
    f"{_I} ( do [{_NOT}] | can [{_NOT}] | ) [seem to] ( find|see|remember|know|recall|forget|recognize|read )",
    f"{_I} ( have | am | are | was | were | ) [just|still|always] ( lost|forgot|forgotten|misplaced|missed|missing )",
    f"{_I} seem to have ( lost|forgotten|misplaced|mislaid )",
    f"{_I} am|was|are|were [still|just] ( looking|searching for | thinking|wondering|asking about | after )",
    f"{_I} ( have | have got | own|need|want|bought|see|like|found|mean|remember )",
    f"{_I} ( would like|love | want|need|have ) [to buy|get|find|have|order|replace] [more|another|some [of]]",
    f"{_I} could do with|use",
    f"{_I} am|was missing|lacking",
    "( there is|are | here is|are | you [can] see | this|that is | you know|remember )",
)
_REGARDING = either("looking|look at", "considering|consider|given|among|counting|with|of|take|taking")

RULES: dict[str, Rule] = {
    "MENTION": rule((_MENTIONS, lambda found: True)),
    # What may be left to the question to ask: an object, or one of its attributes.
    "TOPIC": rule(
        ("NP", lambda found: True),
        ("NP and NP2", lambda found: True),
        ("the ATTRIBUTE of NP", lambda found: True),
        ("[the] PRINTED on|of NP", lambda found: True),
    ),
    # Said of a topic, and nothing that tells it from others.
    "TRAIL": rule(
        ("anywhere|anymore|properly|clearly|well|today|again|yesterday|lately|somewhere|here|now", lambda found: True),
        ("any longer|more", lambda found: True),
        ("is|are|has|have [n't|not] [been] gone|missing|lost|disappeared|vanished|here|there", lambda found: True),
        ("is|are nowhere [to be found|seen]", lambda found: True),
        ("without|for|because|since|this|last NP", lambda found: True),
        ("( from here|there | from where i am|stand | right now | for ages|hours|days | at all )", lambda found: True),
    ),
    # Belongs behind the question.
    "BEHIND": rule(
        ("VIEW", lambda found: found["VIEW"]),
        ("CLASS", lambda found: True),
        ("COMPARED ONE", lambda found: True),
        ("BESIDES ONE", lambda found: True),
    ),
    "AHEAD": rule(
        ("PLACE", lambda found: found["PLACE"]),
        ("PLACE [,] PLACE2", lambda found: (*found["PLACE"], *found["PLACE2"])),
        (
            f"[{_REGARDING}] [only|just] [all|everything|anything] that|what|which is PLACE",
            lambda found: found["PLACE"],
        ),
        (f"{_REGARDING} [only|just] [all|everything|the THING] PLACE", lambda found: found["PLACE"]),
    ),
}


def turned(chart: Chart) -> Iterator[Sentence]:
    """What belongs behind a question and stands ahead of it, moved there."""
    tokens = chart.sentence.tokens
    for found in chart.read("BEHIND", 0):
        if chart.word(found.end) == "," and found.end + 1 < len(tokens):
            rest = tokens[found.end + 1 :]
            faced = _faced(chart, found) if isinstance(found.value, tuple) and len(found.value) > 1 else None
            if faced is not None:
                rest = _anchored(rest, tokens[slice(*faced)])
            yield replace(chart.sentence, tokens=(*rest, tokens[found.end], *tokens[: found.end]))


def _tagged(chart: Chart) -> Iterator[Sentence]:
    """What is said first and asked by a tag: "made of the same wood, are they" is "are they made of the same wood"."""
    tokens, words = chart.sentence.tokens, chart.words
    if words[-3:-2] == (",",) and words[-2] in _BEING and words[-1] in _PRONOUNS:
        begin = max((at + 1 for at in range(len(words) - 3) if tokens[at].stop), default=0)
        moved = (*tokens[:begin], *tokens[-2:], *tokens[begin:-3])
        if words[begin] not in ASKING:
            yield replace(chart.sentence, tokens=moved)


def _faced(chart: Chart, view: Found) -> tuple[int, int] | None:
    """Where what is looked at is named in a view."""
    for begin in range(1, view.end):
        for found in chart.read("ONE", begin) if chart.word(begin - 1) in _TOWARDS else ():
            if chart.word(found.end) in (",", "from") and found.value == view.value[-1]:
                return begin, found.end
    return None


def _anchored(question: tuple[Token, ...], anchor: tuple[Token, ...]) -> tuple[Token, ...]:
    """A question about what is beside "it", or merely on one side, with the object named that is meant."""
    words = [token.word for token in question]
    for at, word in enumerate(words):
        if word == "it" and words[at - 1] in _BESIDE:
            return (*question[:at], *anchor, *question[at + 1 :])
        if word in _WHOSE_SIDE and words[at + 1 : at + 2] in (["left"], ["right"]):
            end = next((end for end in range(at + 2, len(words)) if words[end] not in _SIDE), len(words))
            the, of = (replace(question[at], word=said) for said in ("the", "of"))
            return (*question[:at], the, question[at + 1], of, *anchor, *question[end:])
    if words[-1] in ("left", "right", "side"):
        return (*question, replace(question[-1], word="of"), *anchor)
    return question


def topics(chart: Chart) -> Iterator[Sentence]:
    """What a question leaves unsaid, named ahead of it or behind it, put in the place of the pronoun."""
    tokens = chart.sentence.tokens
    if not {",", "and"}.intersection(chart.words):
        return
    yield from _tagged(chart)
    for begin, end, comma in _named_ahead(chart):
        if _PRONOUNS.union(_POSSESSIVES, _ANY).intersection(chart.words[comma:]):
            yield from _referred(chart, comma + 1, len(tokens), tokens[begin:end])
        elif begin:
            yield replace(chart.sentence, tokens=(*tokens[begin:end], *tokens[comma:]))
    for comma in (index for index, word in enumerate(chart.words) if word == ","):
        if any(found.end == len(tokens) for found in chart.read("NP", comma + 1)):
            yield from _referred(chart, 0, comma, tokens[comma + 1 :])


def _named_ahead(chart: Chart) -> Iterator[tuple[int, int, int]]:
    """Where the name of an object ahead of a question begins and ends, and the comma behind all that is said of it."""
    begins = (*(found.end for found in chart.read("MENTION", 0)), 0)
    named = [(begin, found.end) for begin in begins for found in chart.read("TOPIC", begin)]
    yield from (
        (begin, end, end) for begin, end in named if chart.word(end) == "," or (begin and chart.word(end) == "and")
    )
    for begin, end in named:
        for trail in chart.read("TRAIL", end):
            if chart.word(trail.end) == ",":
                yield begin, end, trail.end


def _referred(chart: Chart, start: int, end: int, topic: tuple[Token, ...]) -> Iterator[Sentence]:
    """The question with the topic in the place of one of its pronouns."""
    tokens = chart.sentence.tokens
    for at in range(start, end):
        if _stands_for(chart, at):
            owner = (replace(tokens[at], word="'s"),) if chart.words[at] in _POSSESSIVES else ()
            moved = (*tokens[start:at], *topic, *owner, *tokens[at + 1 : end])
            yield replace(chart.sentence, tokens=moved)
            if chart.words[at] != "that":
                return


def _stands_for(chart: Chart, at: int) -> bool:
    """Whether a word stands for a noun that was said before, rather than before a noun: "that", but not "that mug"."""
    word = chart.words[at]
    if word in _ANY and chart.word(at - 1) not in _GIVING:
        return False
    named = word in _POINTING | _ANY and chart.word(at + 1) not in INDEFINITE and bool(chart.read("NOUN", at + 1))
    return word in _PRONOUNS | _POSSESSIVES | _ANY and not named


def shared(chart: Chart) -> Iterator[Sentence]:
    """A question behind the several objects that it is about: "Of the three mugs, is the red one full?"."""
    tokens = chart.sentence.tokens
    for found in chart.read("AMONG", 0):
        several = found.value.plural and found.value.description.most is None
        if several and chart.word(found.end - 1) == ",":
            rest = tuple(_members(chart, found.end, found.value.description))
            if rest != tokens[found.end :]:
                yield replace(chart.sentence, tokens=rest)


def _members(chart: Chart, start: int, objects: Description) -> Iterator[Token]:
    """The tokens of a question, those that mean some of the objects replaced."""
    tokens = chart.sentence.tokens
    for at in range(start, len(tokens)):
        token, before, after = tokens[at], chart.word(at - 1) if at > start else "", chart.word(at + 1)
        meant = replace(token, word=MEMBER, stands_for=objects)
        if token.word in ("them", "these", "those") and before == "of":
            yield from (replace(token, word="the"), meant)
        elif token.word == "ones" or (token.word == "one" and after != "of"):
            alone = token.word == "one" and before in _GIVING | _BEING
            yield from (replace(token, word="a"), meant) if alone else (meant,)
        elif token.word in _SOME and after not in ("of", "one", "ones"):
            named = any(found.cost < 1 for found in chart.read("NOUN", at + 1))
            yield from (token,) if named else (replace(token, word=_SOME[token.word]), meant)
        else:
            yield token


def placed(chart: Chart) -> Iterator[tuple[Sentence, tuple[Modifier, ...]]]:
    """A question behind the place that it is about, and what that says: "On the table, how many mugs are there?"."""
    for found in reversed(chart.read("AHEAD", 0)):
        start = found.end + (chart.word(found.end) == ",")
        if start == found.end and chart.word(start) == "where" and chart.word(start + 1) not in _BEING:
            continue  # it goes on: "what is on the table where the bowl is"
        yield replace(chart.sentence, tokens=chart.sentence.tokens[start:]), found.value


_SPEAKERS = frozenset(["i", "we", "he", "she", "they", "somebody", "someone", "everybody", "everyone", "people"])
_OWNERS = frozenset({"my", "our"})
_SAYING = frozenset(
    [
        "says",
        "say",
        "said",
        "claims",
        "claim",
        "swears",
        "insists",
        "thinks",
        "believes",
        "reckons",
        "told",
        "lists",
        "mentions",
        "states",
    ]
)
# With these a statement may say how the question is to be taken, or give an order.
BINDING = frozenset(
    [
        "you",
        "your",
        "yourself",
        "instructions",
        "prompt",
        "ignore",
        "pretend",
        "disregard",
        "care",
        "mean",
        "talking",
        "question",
        "answer",
        "about",
    ]
)
_NAMING = frozenset({"talking", "speaking", "question", "is", "are", "it", "be"})  # "it is about the mug"
# With these a clause says which objects are meant.
_LIMITING = frozenset(
    [
        *("if", "suppose", "supposing", "assuming", "imagine", "unless", "according", "based", "given", "except"),
        *("besides", "excluding", "ignoring", "apart", "aside", "only", "not", "without", "other", "of", "among"),
    ]
)
# With these a clause says what a question is about, or from where it is to be seen.
_WEIGHING = frozenset(
    [
        *("looking", "considering", "counting", "comparing", "taking", "facing", "standing", "speaking", "talking"),
        *("regarding", "concerning", "judging", "including", "sitting", "seeing", "adding", "going", "being"),
    ]
)
_FINITE = frozenset(
    [
        *("is", "are", "am", "was", "were", "'s", "have", "has", "had", "do", "does", "did", "can", "could", "n't"),
        *("would", "will", "want", "wants", "need", "needs", "got", "went", "said", "says", "starts", "start", "asked"),
        *("asks", "keeps", "keep", "put", "left", "leave", "coming", "comes", "must", "should", "might", "may"),
    ]
)
_REST_WORDS = 3  # of a statement behind the object that it is about
LINKS = frozenset({"but", "so", "and", "then", "now", "yet", "tell", "me", "please", "exactly", "really", ","})
_TIMES = frozenset(
    [
        "last",
        "time",
        "yesterday",
        "earlier",
        "before",
        "once",
        "originally",
        "previously",
        "usually",
        "normally",
        "week",
        "month",
    ]
)
_THERE = frozenset({"it", "them", "there"})
_WITHIN = frozenset({"in", "on", "inside", "under", "at"})


@dataclass(frozen=True)
class LeadingStatement:
    """A question behind a statement, and the objects that the statement is about, if it names any."""

    question: Sentence
    about: Phrase | None = None

    @property
    def place(self) -> tuple[Modifier, ...]:
        """Where the objects are, by the statement."""
        return self.about.description.whereabouts if self.about is not None else ()


def leading_statements(chart: Chart) -> Iterator[LeadingStatement]:
    """The questions behind the statement that a sentence begins with."""
    tokens = chart.sentence.tokens
    for at in (
        index for index in range(2, len(tokens) - 2) if chart.words[index - 1 : index + 2] == (",", "i", "mean")
    ):
        yield LeadingStatement(replace(chart.sentence, tokens=tokens[at + 2 :]))
    for comma in (index for index, word in enumerate(chart.words) if word == ","):
        if not (_is_statement(chart.words[:comma]) or is_aside(chart, comma)):
            continue
        question = tokens[comma + 1 :]
        named = list(_named(chart, comma))
        for begin, end, _ in named[:2]:
            yield from (
                LeadingStatement(replace(chart.sentence, tokens=moved))
                for moved in _put_in(tokens[begin:end], question, tokens[comma])
            )
        about = next((phrase for _, end, phrase in named if end == comma), None)
        yield LeadingStatement(replace(chart.sentence, tokens=question), about)


def _is_statement(words: tuple[str, ...]) -> bool:
    if words[:3] == ("you", "told", "me") or words[:2] == ("you", "said"):
        words = ("i", *words[2:])
    if len(words) < 2 or is_binding(words):
        return False
    words = words[next((at for at, word in enumerate(words) if word not in _TIMES), 0) :]
    if words[0] == "there" or words[0] in _SPEAKERS or words[0] in _OWNERS:
        return True
    return words[0] == "the" and bool(_SAYING.intersection(words[2:4]))


def is_binding(words: tuple[str, ...]) -> bool:
    """Whether clauses before a question ask or order something, or say how it is to be taken."""
    begins = (at for at in range(len(words)) if at == 0 or words[at - 1] == ",")
    firsts = {words[at] for at in begins if words[at + 1 : at + 2] != ("n't",)}
    said = BINDING.intersection(word for at, word in enumerate(words) if word != "about" or words[at - 1] in _NAMING)
    return bool(said or firsts & (ASKING | COMMANDS | frozenset(CHANGE_WORDS)))


def is_aside(chart: Chart, comma: int) -> bool:
    """Whether a clause of its own ends at a comma: a sentence, or what is said by a verb in front of a question."""
    words = chart.words[:comma]
    if not words or is_binding(words) or words[0] in _LIMITING:
        return False
    begin = next((at for at in range(comma + 1, len(chart.words)) if chart.words[at] not in LINKS), comma)
    if chart.sentence.tokens[comma].stop:
        return True
    if words[0] in RELATION_WORDS or words[0] in ASKING or chart.word(begin) not in ASKING:
        return False
    busy = words[0].endswith("ing") and words[0] not in _WEIGHING  # "setting the table: how many ..."
    said = _FINITE.intersection(words[1:]) and not words[0].endswith("ing")
    return bool(busy or said) or not any(word in DEFINITE or is_kind(word) for word in words)


def _named(chart: Chart, comma: int) -> Iterator[tuple[int, int, Phrase]]:
    """The objects that a statement names, those first that are named last word by last word."""
    first = 3 if chart.word(0) in _OWNERS | {"the"} else 1
    for rest in range(_REST_WORDS + 1):
        for begin in range(first, comma - rest):
            for found in chart.read("NPS", begin):
                told = found.value.determiner or found.value.number is not None
                if found.end == comma - rest and told:
                    yield begin, found.end, found.value


def _put_in(topic: tuple[Token, ...], question: tuple[Token, ...], comma: Token) -> Iterator[tuple[Token, ...]]:
    """A question that leaves its objects unsaid, with them said: "how many are there" is "of these, how many ..."."""
    words = [token.word for token in question]
    begin = next((index for index, word in enumerate(words) if word not in LINKS), len(words))
    if words[begin : begin + 2] == ["how", "many"]:
        yield (replace(comma, word="of"), *topic, comma, *question[begin:])
    if "it" in words and "or" not in words[: words.index("it")]:  # "is the mug empty or is there coffee in it"
        at = words.index("it")
        yield (*question[:at], *topic, *question[at + 1 :])


def there_left_out(sentence: Sentence) -> Sentence:
    """A question without "in it" or "on there", where the place is known."""
    tokens = sentence.tokens
    for at in range(1, len(tokens)):
        if tokens[at].word in _THERE and tokens[at - 1].word in _WITHIN:
            return replace(sentence, tokens=(*tokens[: at - 1], *tokens[at + 1 :]))
    return sentence
