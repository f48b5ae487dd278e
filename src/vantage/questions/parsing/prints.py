"""What is printed on things: "labelled SUGAR", "with the word SUGAR on it", "that says SUGAR"."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.parsing.descriptions import Has
from vantage.questions.parsing.patterns import Chart, Found, Rule, either, rule, table
from vantage.questions.parsing.vocabulary import PRINT_NOUNS

_LONGEST = 3  # words, where nothing shows which ones are the print
_NEVER_FIRST = frozenset(
    {
        "anything",
        "something",
        "nothing",
        "it",
        "them",
        "the",
        "what",
        "a",
        "an",
        "on",
        "in",
        "same",
        "that",
        "is",
        "are",
        "or",
        "and",
    }
)

MARKED = either(
    *("labeled", "marked", "titled", "entitled", "called", "named", "tagged", "inscribed", "printed", "captioned"),
    *("imprinted", "stamped", "branded", "emblazoned"),
)
SAYS = "says|say|reads|read|saying|reading|spells|spell|spelling"
WRITTEN = "written|printed|painted|stamped|inscribed|shown|lettered"
ON_IT = (
    f"[{WRITTEN}] on|across ( it|them | its|their|the [ ( PRINTED | "
    "side|front|top|outside|surface|spine|cover|lid|back|bottom ) ] )"
)


def _print(chart: Chart, start: int) -> Iterator[Found]:
    """A quotation, a run of words in capitals, or else a few words."""
    tokens = chart.sentence.tokens
    if start >= len(tokens):
        return
    if tokens[start].quoted:
        yield Found(Has("text", chart.sentence.said(start, start + 1)), start + 1)
        return
    run = start
    while run < len(tokens) and tokens[run].capital:
        run += 1
    if run == start or all(token.capital for token in tokens):
        run = 0
    if not run and chart.word(start) in (",", *_NEVER_FIRST):
        return
    longest = run or min(len(tokens), start + _LONGEST)
    for end in range(start + 1, longest + 1):
        if chart.word(end - 1) in (",", "", *(_NEVER_FIRST - {"the", "and", "a"})) and end > start + 1 and not run:
            break
        cost = 0.5 * (longest - end) if run else 0.5 * (end - start)
        yield Found(Has("text", chart.sentence.said(start, end)), end, cost)


RULES: dict[str, Rule] = {
    "PRINTED": table({word: word for word in PRINT_NOUNS}),
    "WORDS": _print,
    # Words that are certainly print.
    "SPELLED": rule(("the word|words|text WORDS", lambda found: found["WORDS"])),
    # Words, and that they are on it.
    "TEXT": rule(
        (f"[the word|words|text|name|letters|label] WORDS [{ON_IT}]", lambda found: found["WORDS"]),
    ),
    # What stands behind "with" or "has".
    "LABEL": rule(
        (
            f"[the|a|an|its] PRINTED [{SAYS}|,|of] [that {SAYS}] [{WRITTEN}] WORDS [{ON_IT}]",
            lambda found: found["WORDS"],
        ),
        (f"WORDS {ON_IT}", lambda found: found["WORDS"]),
    ),
}
