"""Polite words around a question, which say nothing about objects."""

from __future__ import annotations

from collections.abc import Iterator

from vantage.questions.parsing.descriptions import Either, Modifier
from vantage.questions.parsing.patterns import Chart, Found, Rule, either, pattern, rule, table
from vantage.questions.parsing.tokens import Token
from vantage.questions.parsing.word_classes import OWNERS

_LONGEST_CLOSING = 8  # tokens
_IN_OTHER_WORDS = 0.2  # costs more than to be understood
_MODAL = "can|could|would|will|may|might"
_TELL = "tell|inform|show|let|help|give|remind|advise"
_KNOW = either(
    *("know|learn|hear|see|tell|say|remember|recall|check|verify|confirm|determine|establish|understand|ascertain",),
    *("find|figure|work|make out", "be told", "be sure", "ask", "double check", "decide"),
)
_LOOK = either(
    *("check|look|see|say|verify|confirm|determine|describe|report|establish|ascertain|recall|remember|specify",),
    *("find|figure|work|make out", "have|take|cast a [quick|good|close|closer] look [around|round]", "double check"),
    *(
        "make sure|certain",
        "point out",
        "count|tally [up]",
        "spell out",
        "go and",
        "try to|and",
        "look around|closely|carefully",
        "estimate",
        "guess",
        "clarify",
    ),
)
_YOU = "you [please|kindly|possibly|perhaps|quickly|also|just|maybe|be|mind]"
_KIND = either(
    *(f"so {word} as to" for word in ("kind", "good", "nice")), "kind|good enough to", "able to", "a dear and"
)
_WISH = "would|should [really|very much] like|love|appreciate|prefer|want"
_PLEASED = (
    "( grateful|glad|happy|thankful|pleased|delighted|curious|interested|keen|great|nice|good|lovely|helpful|useful )"
)
_THINKING = "thinking|assuming|saying|believing|supposing|presuming|guessing|think|assume|say|believe|suppose|conclude"
_BELIEVE = either(
    *("think|believe|suppose|assume|guess|reckon|presume|bet|imagine|gather|understand|hear|suspect|hope|thought",),
    *(
        "do n't suppose|think|believe|imagine",
        "was|have|had told|heard|been [told]",
        "am [pretty|quite|fairly|almost|rather] sure|certain|convinced|positive",
        "take it",
        "would say|think|guess",
    ),
    *("could have sworn", "could swear", "would have thought", "seem to remember|recall", "remember|recall|trust"),
)
_RIGHT = "right|true|correct|fair|accurate|safe|so|reasonable"
_AS_TO = "( of | about | on | as to | )"
_NOT = "( n't | not | never )"
_UNSURE = either(
    *(f"do|can|could|did {_NOT} [quite|really|seem to] [even] {_KNOW}", "forget|forgot|forgotten", "have forgotten"),
    *(f"have|had [absolutely|really] no idea|clue|notion {_AS_TO}", f"am|was unsure|uncertain {_AS_TO}"),
    *(f"am|was {_NOT} [quite|entirely|really|so|too|all that] sure|certain {_AS_TO}",),
    *(f"have {_NOT} [got] a|the [faintest|foggiest|slightest] idea|clue {_AS_TO}",),
    *("keep forgetting", "always forget", "can never remember", "never know|remember", "no longer know|remember"),
)
_FRIEND = either(
    *("robot", "vantage", "assistant", "mate", "buddy", "pal", "sir", "madam", "dude", "man", "folks", "computer"),
    *(
        "sweetheart",
        "darling",
        "honey",
        "dear",
        "love",
        "friend",
        "sweetie",
        "dearest",
        "old chap|friend|thing",
        "guys",
    ),
)
_SPEAKING = "( [very] roughly|broadly|honestly|strictly|generally|frankly|approximately [speaking] )"

_OPENINGS = (
    "please|hey|hi|hello|ok|okay|sorry|well|so|and|now|just|exactly|also|um|hmm|then|but|say|listen|wait|oh|ah|right",
    "yet|however|anyway|anyhow|plus|actually|seriously|honestly|really|good|alright|pray|kindly|quickly|supposedly",
    "apparently|allegedly|normally|usually|surely|presumably|again|otherwise|still|only|though|maybe|perhaps|first",
    f"[my|you] [dear|good|old|sweet] {_FRIEND}",
    _SPEAKING,
    either(
        "excuse|pardon|forgive me", "by the way", "by any chance", "in your opinion", "according to you", "you know"
    ),
    either(
        "[just] [a|one] [quick|last|simple|short|more] question|one|thing", "one more thing", "quick check", "i say"
    ),
    either("just|only checking|curious|asking|wondering", "out of [mere] curiosity|interest", "just to be|make sure"),
    either("to be honest", "be honest", "to be sure", "for the record", "before i forget", "while you are at it"),
    either(
        "in total",
        "in all",
        "all in all",
        "all told",
        "taken|all together",
        "altogether|overall|combined",
        "at a glance",
        "at the moment",
        "right now",
        "at a guess",
    ),
    "if you do n't|not mind [me|my asking]",
    "if i|you may [ask]",
    "if i remember [correctly|rightly]",
    "if ( you can|could|would|please | possible | it is possible | you know|remember | you get a chance )",
    "as far as you|i can|could see|tell|know|remember",
    "as far as you|i know|see|remember",
    "from what|where you|i [can] see|know|tell|remember|stand",
    "let us|me|'s see|check|look|think",
    "( oh [no|dear|god|man|boy|well] | uh oh | argh | ugh | damn | whoops | oops | gosh | blimey | crikey | yikes )",
    "[i am|we are] [so|very|really] sorry to bother|trouble|disturb|interrupt|pester|ask [you] [again]",
    "[ [a] bit|little|rather|kind of|very|so ] embarrassing|awkward|silly|weird|odd|urgent|random [question|one]",
    "[please] remind|tell me|us of|about",
    "quick as you can",
    "when you have|get a moment|minute|chance|second",
    "do me a|the favor [and]",
    f"{_MODAL} {_YOU} do me a|the favor [and]",
    f"[{_MODAL} {_YOU}] {_KIND}",
    f"be {_KIND}",
    f"{_MODAL} {_YOU} [{_KIND}] {_TELL} [me|us] [know]",
    f"{_MODAL} {_YOU} [{_KIND}] {_LOOK} [for me|us|yourself] [and|to] [see|say]",
    f"{_MODAL} you",
    "[please] tell|inform|remind|show|give [to] me|us",
    "[please] let me|us know",
    "do",
    f"[please] {_LOOK} [and|to] [see|say] [for me]",
    "help me|us [to] find|figure|work out",
    "help me|us [out] [here]",
    "( fancy|care [to] telling|tell | feel like telling ) me|us",
    "do|did|would|might|could|can you [also|still] [happen to] know|remember|recall|notice|see",
    "you would n't|not [happen to] know|remember|recall",
    "[i] do n't|not suppose you know|remember|could tell me",
    "are|were you able to tell|see|say [me]",
    "[do|does|would] anyone|anybody|someone|somebody|any [of you|here] [happen to] know|remember|recall",
    "are you aware",
    "[ ( do you have | have you | you have | have you got ) ] any|an|some|the "
    f"[slightest|faintest|foggiest|remotest] idea|clue|inkling|guess|notion {_AS_TO}",
    "( do|would|will you | ) mind [telling|showing|reminding me|us]",
    "i [just|also|always|keep|still|really] wonder|wondered|wondering",
    "i am|was|have [just|always|also|often|been|still] [been] wondering|wondered|curious|asking|interested ( to "
    "know | in | about | )",
    f"i {_WISH} [for] [you] to {_TELL} me|us",
    f"i {_WISH} [you] [to] {_KNOW}",
    f"i|we {_WISH} [[you] to | knowing|hearing|learning]",
    "i|we want|need [you to]",
    f"i [only|just|also|really] want|need|wish|hope|have|mean|wanted|needed [you] to {_KNOW}",
    f"i am [just|only|still|also] trying|keen|eager|hoping|dying|anxious|supposed to {_KNOW}",
    f"i|it would|should [really|also] be [very|so|most|much|more] {_PLEASED} [for me] to {_KNOW}",
    f"i|it would|should [really|also] be [very|so|most|much] {_PLEASED} if you could|would {_TELL} me|us [know]",
    f"it would|might [really] help|interest [me|us] to {_KNOW}",
    f"( may|can|could|might i {_KNOW} [you] )",
    f"i {_UNSURE}",
    f"i|we {_UNSURE} ,",
    "can n't [quite|really|even] remember|recall|tell|say|think",
    "do n't|not remember|recall|know",
    f"( no idea|clue | not sure|certain | do n't know|remember ) {_AS_TO}",
    f"( is|was [n't] it {_RIGHT} | am i {_RIGHT} | would|might it be {_RIGHT} ) [to|in] [{_THINKING}] [that]",
    "am i wrong|mistaken [to|in] [thinking|assuming|believing|think|assume|believe] [that]",
    "is it ( the case | a fact ) [that]",
    "[ is|are there | might|could|would there be ] [any|a|some|the] [good|fair|real|small|slightest] "
    "chance|possibility|likelihood|risk|danger|hope [that]",
    "( what are | how good|high are ) the chances|odds [that]",
    "( what | how high|great ) is the chance|probability|likelihood|possibility [that]",
    "how likely|probable|possible is it [that]",
    "is it [at all] possible|likely|probable|conceivable|imaginable|plausible [that]",
    "could|might|may|can|would it [possibly] ( be [ the case | true|so|possible|likely ] | happen ) [that]",
    f"any|a chance|way|possibility [that] you {_MODAL} {_TELL} [me|us] [know]",
    "( would|do|did you [really] say|think|believe|reckon|agree|suppose|guess|imagine|assume|figure ) [that]",
    "can|could|may i [safely] ( assume|conclude|infer|say|think | take it ) [that]",
    "does|do it look|seem|appear [to you] ( like | as if|though | that | )",
    "( which|what is it | which one is it | tell me ) ,",
    "what is ( up | happening | going on | the matter|deal ) with",
    "i need [some|your|a bit of] help|assistance|advice [please]",
    "i have [got] a|one|another [quick|small|simple] question [for you]",
    "can|could|would you [please] help|assist [me|us] [out] [please|here]",
    "MENTION it|them|that [TRAIL] ,",
    "am i wrong|mistaken [,] or",
    "GUESS",
    "OFFER",
    f"SPEAKER ( wants|needs|wanted [me|us] to {_KNOW} | would like [me|us] to {_KNOW} )",
    "SPEAKER ( asks|asked|wonders [me|us] | is|are|was asking [me|us] )",
)
_PERSON = "( i|we|he|she|they|you|somebody|someone | my|our|the ANYBODY )"
_AUXILIARY = "is|are|was|were|do|does|did|can|ca|could|would|wo|will|has|have|had|should|must|might"
_CLOSINGS = (
    "please|thanks|robot|vantage|now|exactly|currently|right|correct|then|altogether|overall|yet|anyway|again|perhaps",
    "properly|tightly|firmly|definitely|tonight|already",
    "left|aloud|anywhere|somewhere|yes|no|yeah|yep|eh|huh|ok|okay|true|surely|really|already|precisely|still|approximately",
    "combined|together|today|actually|maybe|possibly|presently|though|instead|roughly|tonight|nowadays|honestly|ever|kindly",
    f"[my] [dear|good|old] {_FRIEND}",
    _SPEAKING,
    "thank you [very much|so much|kindly]",
    either("taken together", "put together", "counted together", "added up", "all told", "would you know"),
    "( not|without counting|including | excluding|except|besides | apart|aside from ) ( it|itself|them | that one )",
    "( not|without counting|including | excluding|except|besides | apart|aside from ) [the] THING itself",
    either("right now", "at the moment", "at present", "as of now", "at all", "by any chance", "by the way", "if any"),
    either(
        "in total",
        "in all",
        "all together",
        "all in all",
        "in view",
        "out loud",
        "for me",
        "to me",
        "for us",
        "to you",
        "to us",
    ),
    either("and all", "all in", "any more|longer", "these days", "this time", "for sure", "for certain", "in fact"),
    "[over|in] here",
    "over there",
    either("or not", "or what", "or so", "or something", "if possible", "if you please", "this minute", "just now"),
    "if you can|could|would|may|will [tell|see|help|say] [me|us]",
    "if you ( know|remember | do n't|not mind [me|my] [asking] )",
    "if i|you may ask",
    "as far as you|i can|could see|tell|know|remember",
    "as far as you|i know|see|remember",
    "in your opinion|view|estimation",
    "[do|does|did|would] you [happen to] know|think|remember|recall|reckon|see|say|agree|suppose|believe",
    f"{_MODAL} you [please|kindly|possibly] [tell|help|check|count|look|say|see|remind|show|inform] "
    "[me|us|them|it|out] [out]",
    "[that] you [can] see",
    "any idea|ideas|clue|clues|guess|guesses|thoughts|suggestions|chance|hint|hints",
    f"i {_UNSURE}",
    "i wonder|ask",
    f"i|we {_WISH} to know",
    "i need|want|have to know|find out",
    "tell|remind|help|show me|us",
    "let me|us know",
    f"{_MODAL} you [please|kindly|maybe] ( have|take a [quick|good|close] look | check | look )",
    f"[or] {_AUXILIARY} [n't] it|they|there|you|we|i|he|she|that|one [not]",
    "is that|it [not] right|so|correct|true|it",
    "( have i got that right | or am i wrong|mistaken | am i right|wrong|correct|mistaken | is this correct|right )",
    "[would|do] [n't] you [not] say|think|agree",
    "not so",
    "[,] ( so [that] i|we can|know|will|could | where i|we can|could | and i|we will|can ) REST",
    f"[,] so|because|cause|since|before|after|when|while|as|but|until {_PERSON} REST",
    ", i|we do|am|are|can|have|will|would|just|really|need|want|hope|keep [n't] REST",
    "the other|this|last|one day|night|morning|evening|afternoon|week|weekend",
    "yesterday [morning|evening]",
    "[,] ( [in] all [the|of|our] rooms [together|combined] | everywhere | all over | all told | all rooms counted )",
)


def _offers(said: tuple[Modifier, ...]) -> bool | None:
    """Whether it is a choice between answers: "what size is it, small or large?"."""
    return any(isinstance(item, Either) for item in said) or None


def _rest(chart: Chart, start: int) -> Iterator[Found]:
    """All the words up to the end."""
    if start < len(chart.words) and "," not in chart.words[start:]:
        yield Found(chart.words[start:], len(chart.words), _IN_OTHER_WORDS)


def _else(chart: Chart, start: int) -> Iterator[Found]:
    """A few words up to an "or"."""
    for end in range(start + 2, min(start + _LONGEST_CLOSING, len(chart.words))):
        if chart.words[end] == "or":
            yield Found(chart.words[start:end], end, _IN_OTHER_WORDS)


_GUESS = (
    pattern(f"i|we [really|still|also|do] {_BELIEVE} [that]"),
    pattern("SPEAKER says|said|claims|claimed|thinks|thought|believes|reckons|swears|insists [that]"),
    pattern("SPEAKER told|assured|informed me|us [that]"),
)


def _guess(chart: Chart, start: int) -> Iterator[Found]:
    """What somebody believes, where a question mark shows that it is asked."""
    if chart.sentence.asked:
        yield from (Found(True, end) for guess in _GUESS for end, _, _ in guess.match(chart, start))


def _speaker(chart: Chart, start: int) -> Iterator[Found]:
    """Somebody else: "my wife", "our little son", "someone"."""
    if chart.word(start) in ("somebody", "someone", "everybody", "everyone", "he", "she", "they", "people"):
        yield Found(True, start + 1)
    if chart.word(start) in OWNERS:
        yield Found(True, start + 1)
    if chart.word(start) in ("my", "our", "the", "a", "his", "her", "their"):
        yield from (Found(True, end) for end in range(start + 2, min(start + 5, len(chart.words))))


RULES: dict[str, Rule] = {
    "OPENING": rule(*((f"{text} [,]", lambda found: True) for text in _OPENINGS)),
    "ANYBODY": table({word: word for word in OWNERS}),
    "REST": _rest,
    "ELSE": _else,
    "GUESS": _guess,
    "SPEAKER": _speaker,
    "OFFER": rule(("QUALITIES ,", lambda found: _offers(found["QUALITIES"]))),
    "CLOSING": rule(
        *((f"[,] {text}", lambda found: True) for text in _CLOSINGS),
        (", QUALITIES", lambda found: _offers(found["QUALITIES"])),
        (", PLACE", lambda found: _offers(found["PLACE"])),
    ),
}

FILLERS = frozenset(
    {
        *("on earth", "in the world", "the heck", "the hell", "happen to", "by any chance", "by chance", "actually"),
        *("please", "possibly", "perhaps", "maybe", "again", "right now", "at the moment", "kindly", "basically"),
        *("currently", "in fact", "as it happens", "for some reason", "this time", "so far", "anyway"),
        *("in total", "altogether", "all together", "combined", "do you think", "would you say", "do you suppose"),
        *("do you believe", "do you reckon", "you think", "you know", "really", "truly", "for certain", "by now"),
        *(
            "approximately",
            "roughly",
            "if i may",
            "at all",
            "for me",
            "definitely",
            "still",
            "even",
            "do you guess",
            "i wonder",
            "honestly",
            "just",
            "rather",
            "i mean",
            "finally",
            "maybe",
            "like",
        ),
    }
)
_LONGEST_FILLER = 3  # words


def unpadded(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without what may be slipped in anywhere and says nothing: "where on earth", "do you happen to"."""
    kept: list[Token] = []
    start = 0
    while start < len(tokens):
        spans = range(min(start + _LONGEST_FILLER, len(tokens)), start, -1)
        end = next((end for end in spans if " ".join(token.word for token in tokens[start:end]) in FILLERS), 0)
        if not end:
            kept.append(tokens[start])
        elif kept and kept[-1].word == ",":  # commas around it
            kept.pop()
            end += end < len(tokens) and tokens[end].word == ","
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
