"""Sentence patterns of English questions, each with the noun phrase ``np`` that it asks about.

Patterns work on lower-case text with "color" for colour, hue and shade, "what is" for what's and "furniture" for piece
of furniture. A ``tail`` continues the noun phrase ("how many mugs *are there* on the table"); a ``holder`` is a place
that is said to have the thing ("does the table have ...").
"""

from __future__ import annotations

import re

from vantage.questions.kinds import QuestionKind

RELATION = r"(?:on top of|on the top of|on the surface of|atop|upon|on|inside of|inside|within|in|into|onto)"
STANDING = (
    r"(?:located|placed|situated|positioned|standing|sitting|lying|laying|resting|kept|found|put|stored|left|"
    r"to be found)"
)
BE = r"(?:is|are|was|were)"

_NP = r"(?P<np>.+?)"
_TAIL = r"(?P<tail> .+|)"
_WHAT = r"(?:what|which)"
_MANY = r"how many (?:of (?:the|these|those) )?"
_SUBSTANCE = r"(?:(?:kind|type|sort) of )?(?:material|substance|stuff)s?"
_MADE = r"(?:made|built|constructed|manufactured|composed|fabricated)"
_SURFACE = (
    r"(?:(?:what|which) (?:kind of |type of |sort of )?"
    r"(?:furniture|surface|object|thing|place|spot|support|container)|what)"
)
_UPON = r"(?:on top of|on or in|in or on|on|in|inside|upon|at)"
_HOLDER = r"(?P<holder>(?:the|this|that) .+?)"
_HOLD = r"(?:have|hold|contain|carry)"
_ON_IT = r"(?: (?:on|in|inside|on top of) it| inside| on top|)"
_WE = r"(?:i|we|you|one|somebody|someone)"
_IF = r"(?:if |whether |that )?"
_SEE = r"(?:see|spot|find|notice|detect|make out|locate|count|have)"

_SENTENCES: dict[QuestionKind, tuple[str, ...]] = {
    QuestionKind.COUNT: (
        rf"{_MANY}{_NP} (?:can|could|do|did) {_WE} {_SEE}{_TAIL}",
        rf"{_MANY}{_NP} (?:does|do) {_HOLDER} {_HOLD}{_ON_IT}",
        rf"{_MANY}{_NP} {BE} there{_TAIL}",
        rf"{_MANY}{_NP} there {BE}{_TAIL}",
        rf"{_MANY}{_NP} {BE}(?: (?:visible|present|{STANDING}))?{_TAIL}",
        rf"{_MANY}{_NP} (?:stand|lie|sit|rest|exist){_TAIL}",
        rf"{_WHAT} is the (?:total )?(?:number|count|amount|quantity) of {_NP}",
        rf"(?:the )?(?:total )?(?:number|count) of {_NP}",
        rf"what number of {_NP} {BE}{_TAIL}",
        rf"count (?:all |up )?(?:of )?{_NP}",
        rf"{_MANY}{_NP}",
    ),
    QuestionKind.COLOR: (
        rf"(?:in )?{_WHAT} color (?:does|do|did) {_NP} (?:have|has|come in)",
        rf"(?:in |of )?{_WHAT} color {BE} {_NP}(?: painted| in)?",
        rf"{_WHAT} {BE} (?:the |its )?color of {_NP}",
        rf"{_WHAT} {BE} {_NP}'s? color",
        rf"(?:the )?color of {_NP}",
        rf"{_WHAT} color {_NP} (?:is|are|has|have)",
        rf"{_WHAT} the color of {_NP} {BE}",
        rf"how {BE} {_NP} colored",
        rf"{_NP} {BE} (?:of )?{_WHAT} color",
    ),
    QuestionKind.MATERIAL: (
        rf"{_WHAT} {_SUBSTANCE} {BE} {_NP} {_MADE}(?: out)?(?: of| from| with|)",
        rf"{_WHAT} {_SUBSTANCE} {_NP} {BE} {_MADE}(?: out)?(?: of| from|)",
        rf"(?:of|from|out of) {_WHAT}(?: {_SUBSTANCE})? {BE} {_NP} {_MADE}",
        rf"{_WHAT} {_SUBSTANCE} (?:does|do) {_NP} (?:consist of|have)",
        rf"{_WHAT} {_SUBSTANCE} {BE} (?:used (?:for|in|to make) )?{_NP}",
        rf"{_WHAT} {BE} (?:the )?material of {_NP}",
        rf"{_WHAT} {BE} {_NP}'s material",
        rf"(?:the )?material of {_NP}",
        rf"{_WHAT} the material of {_NP} {BE}",
        rf"what {BE} {_NP} {_MADE}(?: out)? (?:of|from)",
        rf"what {_NP} {BE} {_MADE}(?: out)? (?:of|from)",
        rf"what (?:does|do) {_NP} consist of",
    ),
    QuestionKind.LOCATION: (
        rf"where {BE} {_NP}(?: {STANDING})?",
        rf"where (?:can|could|would|should|do|does|did|might|will) {_WE} "
        rf"(?:find|see|look for|locate|leave|put|get|place|spot|have) {_NP}",
        rf"where (?:does|do) {_NP} (?:stand|lie|sit|rest|live|hang)",
        rf"where {_NP} {BE}(?: {STANDING})?",
        rf"{_WHAT} {BE} (?:the )?(?:location|position|place|whereabouts) of {_NP}",
        rf"{_WHAT} {BE} {_NP}'s (?:location|position|place)",
        rf"(?:the )?(?:location|position|whereabouts) of {_NP}",
        rf"{_SURFACE} {BE} {_NP}(?: {STANDING})? {_UPON}",
        rf"{_UPON} {_SURFACE} {BE} {_NP}(?: {STANDING})?",
        rf"{_UPON} {_SURFACE} (?:can|could|do|will) {_WE} (?:find|see) {_NP}",
        rf"{_UPON} {_SURFACE} (?:does|do) {_NP} (?:stand|lie|sit|rest)",
        rf"find {_NP}",
    ),
    QuestionKind.EXISTENCE: (
        rf"{_IF}{BE} there (?:(?:also|actually|really) )?(?P<np>(?!no\b).+?)(?: (?:visible|present|there))?",
        rf"{_IF}there {BE} (?P<np>(?!no\b).+?)",
        rf"{_IF}(?:do|can|could|did|have) you "
        rf"(?:see|spot|find|notice|seen|spotted|found|detect|make out|locate) {_NP}",
        rf"{_IF}you (?:can )?(?:see|spot|find|notice|have seen) {_NP}",
        rf"{_IF}(?:does|do|did) {_HOLDER} {_HOLD} {_NP}{_ON_IT}",
        rf"(?:does|do) (?P<np>(?:a|an|any|some|the) .+?) exist{_TAIL}",
        rf"any {_NP}",
    ),
}

SENTENCES: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(f"^{sentence}$")) for kind, sentences in _SENTENCES.items() for sentence in sentences
)

YES_NO_MADE_OF = re.compile(rf"^{_IF}{BE} {_NP} {_MADE}(?: out)? (?:of|from) (?P<value>[a-z]+)$")
YES_NO_VALUE = re.compile(rf"^{_IF}{BE} {_NP} (?P<value>[a-z\-]+)(?: in color| colored)?$")
YES_NO_PLACE = re.compile(rf"^{_IF}{BE} {_NP}$")
INDIRECT_PLACE = re.compile(rf"^(?:if |whether ){_NP} {BE}(?P<tail> {RELATION} .+)$")

LOCATED = re.compile(
    rf"^{_NP} (?:(?:that|which|who) {BE} |)(?:(?:currently|right now) )?(?:{STANDING} )?(?:right )?"
    rf"(?P<relation>{RELATION}) (?P<support>.+)$"
)
PLACE_FIRST = re.compile(
    rf"^(?P<relation>{RELATION}) (?P<support>(?:the|this|that|my|our|your) [a-z\- ]+?), (?P<rest>.+)$"
)
MADE_OF = re.compile(
    rf"^(?P<head>.+?) (?:that is |that are |which is |which are )?{_MADE} (?:out )?(?:of|from) "
    r"(?P<material>[a-z]+)(?P<tail> .+|)$"
)

OTHER_RELATIONS = re.compile(
    r"\b(?:under|underneath|beneath|below|near|next to|beside|besides|behind|between|above|over|left of|right of|"
    r"in front of|close to|closest|nearest|left|by the|against|around|farthest|biggest|smallest|largest|tallest)\b"
)

CONTRACTIONS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\b(what|where|there|that|which|who|how|it)'s\b", r"\1 is"),
        (r"\b(what|where|there|that|which|how)'re\b", r"\1 are"),
        (r"\bi'd\b", "i would"),
        (r"\bi'm\b", "i am"),
        (r"\bcan't\b", "can not"),
        (r"\b(is|are|do|does)n't\b", r"\1 not"),
        (r"\bcolou?rs?\b|\bhues?\b|\bshades?\b", "color"),
        (r"\bcoloured\b", "colored"),
        (r"\bpieces? of furniture\b", "furniture"),
        (r"\b(?:trash|garbage|rubbish|waste) can(s?)\b", r"bin\1"),
    )
)

_CAN_YOU = r"(?:could|can|would|will) you (?:please |kindly )?"
OPENING = re.compile(
    r"^(?:(?:please|hey|hi|hello|ok|okay|excuse me|sorry|well|so|and|now|robot|vantage|quick question)[ ,]+"
    rf"|{_CAN_YOU}(?:tell|show|inform|help) (?:me )?(?:(?:to )?find out )?"
    rf"|{_CAN_YOU}(?:check|look|see|find out|say|describe|verify|confirm) "
    rf"|{_CAN_YOU}(?=count )"
    r"|(?:please )?(?:tell|inform) (?:me|us) |do you (?:happen to )?know |(?:please )?let me know |i wonder "
    r"|i am wondering |i (?:would like|want|need) to know |(?:please )?(?:check|find out|look|say|verify|confirm) "
    r"|may i ask (?:you )?|is it (?:true|correct|right) that |is it the case that |any idea "
    r"|do you have any idea |i was wondering |just |exactly )"
)
CLOSING = re.compile(
    r"(?:[ ,]+(?:please|thanks|thank you|right now|now|exactly|currently|at the moment|right|correct|or not|if any"
    r"|(?:that )?you (?:can )?see|do you think|would you say|by the way|(?:is|are) (?:there|it|they)( not)?"
    r"|(?:over |in )?here|over there|at all|anywhere|somewhere|then|can you tell(?: me)?|for me))$"
)
ROOM = re.compile(
    r" (?:(?:that is |that are |located )?(?:in|inside|within|around) )(?:the|this|our|my|that) "
    r"(?:living |dining |bed |bath |whole |entire )?(?:room|house|home|apartment|flat|scene|place|kitchen|bedroom|"
    r"office|view|environment|image|picture)\b"
)
