"""Polite words around a question, which say nothing about things."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.parsing.chart import Chart, Rule
from vantage.questions.parsing.descriptions import Either, Modifier
from vantage.questions.parsing.patterns import either, rule
from vantage.questions.parsing.tokens import Token

_LONGEST_CLOSING = 6  # tokens
_CAN_YOU = "can|could|would|will you [please|kindly]"
_TELL = "tell|inform|show|let|help|give"

_OPENINGS = (
    "please|hey|hi|hello|ok|okay|sorry|well|so|and|now|robot|vantage|just|exactly|also|um|hmm|then [,]",
    "( excuse me | quick question | by the way | by any chance | in your opinion | according to you ) [,]",
    f"{_CAN_YOU} {_TELL} [me|us] [know]",
    f"{_CAN_YOU} ( check|look|see|say|verify|confirm|determine | find|figure out | have a look ) [and see]",
    f"{_CAN_YOU}",
    "[please] tell|inform me|us [,]",
    "[please] let me|us know",
    "[please] check|look|say|verify|confirm|see|determine|find [out]",
    "help me find out",
    "do you [happen to] know",
    "[ ( do you have | have you | you have ) ] any|an idea|clue [of|about]",
    "[do|would you] mind telling me|us",
    "( i wonder | i am wondering | i was wondering | wondering )",
    "i would like|love to know",
    "i would like you to tell me",
    "i want|need|wish to know",
    "i am curious|asking",
    "may|can|could i ask|know [you]",
    "( is it true|correct|right | am i right|correct [that] )",
    "is it the case",
    "( would you say | do you think|believe|reckon ) [that]",
    "( which|what is it | which one is it | tell me ) ,",
)
_CLOSINGS = (
    "please|thanks|robot|vantage",
    "thank you",
    "now|exactly|currently|right|correct|then|altogether|overall|yet|anyway|again|perhaps|left|aloud|anywhere|somewhere",
    "combined|together|today|actually|maybe|possibly|presently|though|instead",
    either("taken together", "put together", "counted together", "added up", "all told", "would you know"),
    "( not|without counting|including | excluding|except|besides | apart|aside from ) ( it|itself|them | that one )",
    "( not|without counting|including | excluding|except|besides | apart|aside from ) [the] THING itself",
    either("right now", "at the moment", "at present", "as of now", "at all", "by any chance", "by the way", "if any"),
    either("in total", "in all", "all together", "all in all", "in view", "out loud", "for me", "to me", "i wonder"),
    "[over|in] here",
    "over there",
    either("or not", "or what", "can you tell [me]", "do you think|know", "would you say", "[that] you [can] see"),
    "could|can|will|would you",
    "is|are|do|does|can|ca [n't] it|they|there|you [not]",
)


def _offers(said: tuple[Modifier, ...]) -> bool | None:
    """Whether it is a choice between answers: "what size is it, small or large?"."""
    return any(isinstance(item, Either) for item in said) or None


RULES: dict[str, Rule] = {
    "OPENING": rule(*((text, lambda found: True) for text in _OPENINGS)),
    "CLOSING": rule(
        *((f"[,] {text}", lambda found: True) for text in _CLOSINGS),
        (", QUALITIES", lambda found: _offers(found["QUALITIES"])),
        (", PLACE", lambda found: _offers(found["PLACE"])),
    ),
}

_FILLERS = frozenset(
    {
        *("on earth", "in the world", "the heck", "the hell", "happen to", "by any chance", "by chance", "actually"),
        *("please", "possibly", "perhaps", "maybe", "again", "right now", "at the moment", "kindly", "basically"),
        *("currently", "in fact", "as it happens", "for some reason", "this time", "so far", "anyway"),
        *("in total", "altogether", "all together", "combined", "do you think", "would you say", "do you suppose"),
        *("do you believe", "do you reckon", "you think", "you know"),
    }
)
_LONGEST_FILLER = 3  # words


def unpadded(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without what may be slipped in anywhere and says nothing: "where on earth", "do you happen to"."""
    kept: list[Token] = []
    start = 0
    while start < len(tokens):
        spans = range(min(start + _LONGEST_FILLER, len(tokens)), start, -1)
        end = next((end for end in spans if " ".join(token.word for token in tokens[start:end]) in _FILLERS), 0)
        if not end:
            kept.append(tokens[start])
        start = end or start + 1
    return tuple(kept)


def cores(chart: Chart) -> Iterator[tuple[int, int]]:
    """Where the question itself may begin and end, the longest first."""
    starts, ends = [0], [len(chart.words)]
    for start in starts:
        starts += [found.end for found in chart.read("OPENING", start) if found.end not in starts]
    for end in ends:
        for begin in range(max(0, end - _LONGEST_CLOSING), end):
            if begin not in ends and any(found.end == end for found in chart.read("CLOSING", begin)):
                ends.append(begin)
    for start, end in sorted(((start, end) for start in starts for end in ends), key=lambda core: core[0] - core[1]):
        if start < end:
            yield start, end
