"""Text to tokens: lower case, contractions resolved, quotations kept whole, polite sentences left out."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from vantage.questions.parsing.descriptions import Description

MAX_CHARACTERS = 300  # a question about a few objects is shorter, and this bounds the time
MAX_TOKENS = 60

_CURLY = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": " - ", "\u2014": " - "})
_SIGNS = ((re.compile(r"(?<=\s)&(?=\s)"), "and"), (re.compile(r"(?<=[a-z])/(?=[a-z])"), " or "))
_THE_ONE = {("the", "one"), ("the", "ones")}
_THAT_IS = re.compile(r"\b(?:i\.\s?e\.?|ie)[,:]?(?=\s)", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<quote>\"[^\"]+\"|(?<![\w'])'[^']+'(?!\w))|(?P<word>[A-Za-z0-9]+(?:['&][A-Za-z0-9]+)*'?)"
    r"|(?P<comma>[,:]|-{2,}|(?<=\s)-(?=\s))|(?P<gap>[\s()]+|-)|(?P<other>.)"
)
_END = re.compile(r"[.!?;]+(?=\s|$)")
_DEFINITE_NEXT = re.compile(r"\s+(?:the|my|our|your|this|that)\b")
_OPEN_ENDED = ("what", "where", "there", "that", "which", "who", "how", "it", "here")
_SPELLINGS = {
    "colour": "color",
    "colours": "colors",
    "coloured": "colored",
    "labelled": "labeled",
    "colouring": "coloring",
    "centre": "center",
    "metre": "meter",
    "whats": "what is",
    "wheres": "where is",
    "cannot": "can not",
    "theres": "there is",
    "thats": "that is",
    "hows": "how is",
    "y'all": "you",
    "yall": "you",
    "ya": "you",
    "yer": "your",
    "d'you": "do you",
    "gimme": "give me",
    "lemme": "let me",
    "dunno": "do n't know",
    "wanna": "want to",
    "gotta": "got to",
    "kinda": "kind of",
    "innit": "is n't it",
    "im": "i am",
    "ive": "i have",
    "r": "are",
    "u": "you",
    "ur": "your",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "favour": "favor",
    "tonite": "tonight",
    "calender": "calendar",
    "calenders": "calendars",
    "whatever": "what",
    "wherever": "where",
    "whichever": "which",
    **{f"{verb}nt": f"{verb} n't" for verb in ("is", "are", "was", "were", "do", "does", "did", "has", "have", "ca")},
}
_POLITE = frozenset(
    {
        *("hello", "hi", "hey", "robot", "vantage", "thanks", "thank", "you", "please", "ok", "okay", "excuse", "me"),
        *("sorry", "there", "quick", "question", "good", "morning", "evening", "afternoon", "well", "so", "now"),
        *("cheers", "in", "advance", "very", "much", "a", "lot", "many", "dear", "assistant", "right", "hmm", "um"),
        *("oh", "ah", "aha", "uh", "er", "erm", "great", "alright", "yes", "no", "help", "pardon", "listen", "wait"),
        *("mate", "buddy", "friend", "my", "darling", "honey", "sweetheart", "love", "night", "day", "everyone"),
    }
)
# A question that only leads in to the next one.
_LEADING = (
    ("can", "you", "help"),
    ("could", "you", "help"),
    ("remember",),
    ("you", "remember"),
    ("you", "see", "the"),
    ("see", "the"),
    ("you", "know", "that"),
    ("you", "know", "my"),
    ("do", "you", "remember", "the"),
    ("you", "know", "the"),
    ("any", "idea"),
    ("guess", "what"),
)
# What a question begins with that has lost its mark.
ASKING = frozenset(
    [
        "where",
        "what",
        "which",
        "how",
        "who",
        "whose",
        "tell",
        "is",
        "are",
        "do",
        "does",
        "did",
        "has",
        "have",
        "can",
        "could",
        "any",
        "let",
    ]
)


@dataclass(frozen=True)
class Token:
    """A word, a comma or a quotation.

    Attributes:
        word: in lower case; of a quotation, empty.
        start, end: where it stands in the text, without quotation marks.
        quoted: it is a quotation.
        capital: it was written with a capital letter or a digit in front.
        stands_for: the objects that were named before, of which this is one or some.
        several: what it stands for was named in the plural.
        stop: a comma in the place of a full stop.
    """

    word: str
    start: int
    end: int
    quoted: bool = False
    capital: bool = False
    stands_for: Description | None = None
    several: bool = False
    stop: bool = False


@dataclass(frozen=True)
class Sentence:
    """Tokens of what ``text`` says beyond courtesy; ``asked``: it ends in a question mark."""

    text: str
    tokens: tuple[Token, ...]
    asked: bool

    def said(self, first: int, end: int) -> str:
        """The words from one token up to another, as they were written."""
        return self.text[self.tokens[first].start : self.tokens[end - 1].end]

    def holds(self, other: Sentence) -> bool:
        """Whether another sentence of the same text is part of this one."""
        return other.tokens[0] in self.tokens


def read_sentence(text: str) -> Sentence | None:
    """The sentence of a question, with the statement that it refers to if there is one.

    None where the text is empty, far too long, in other letters, or says more than that.
    """
    if not isinstance(text, str) or len(text) > 4 * MAX_CHARACTERS:
        return None
    plain = " ".join(unicodedata.normalize("NFKC", text).translate(_CURLY).split())
    for sign, spelled in _SIGNS:
        plain = sign.sub(spelled, plain)
    plain = _THAT_IS.sub("I mean", plain)
    if not 0 < len(plain) <= MAX_CHARACTERS or not plain.isascii() or not plain.isprintable():
        return None
    if len(plain) > 2 and plain[0] == plain[-1] and plain[0] in "\"'" and plain.count(plain[0]) == 2:
        plain = plain[1:-1].strip()
    found = []
    for piece, asked in _pieces(plain):
        tokens = _tokens(plain, *piece)
        if tokens is None:
            return None
        if any(token.word not in _POLITE and token.word != "," for token in tokens):
            found.append(Sentence(plain, tokens, asked))
    whole = _joined(found)
    return whole if whole is not None and len(whole.tokens) <= MAX_TOKENS else None


def _joined(sentences: list[Sentence]) -> Sentence | None:
    """The one question among sentences behind the statements around it, with commas between them."""
    if len(sentences) < 2:
        return sentences[0] if sentences else None
    for at in range(1, len(sentences)):
        if tuple(token.word for token in sentences[at].tokens[:2]) == ("i", "mean"):  # what was asked, in other words
            return _after([*sentences[:at], *sentences[at + 1 :]], sentences[at])
    questions = [sentence for sentence in sentences if sentence.asked and not _leads_in(sentence)]
    last = sentences[-1]
    if len(questions) == 2 and sentences[-2:] == questions and last.tokens[0].word == "or":
        questions = [_after([questions[0]], last)]
    if len(questions) == 2 and sentences == questions:
        return _after([questions[0]], replace(last, tokens=(replace(last.tokens[0], word="and"), *last.tokens)))
    if not questions and last.tokens[0].word in ASKING:
        questions = [last]
    if len(questions) != 1:
        return None
    asked = questions[0]
    if last is not asked and tuple(token.word for token in last.tokens[:2]) in _THE_ONE:  # "... the one in the hall"
        comma = Token(",", asked.tokens[-1].end, last.tokens[0].start)
        asked = replace(asked, tokens=(*asked.tokens, comma, *last.tokens))
    return _after([sentence for sentence in sentences if not asked.holds(sentence)], asked)


def _leads_in(sentence: Sentence) -> bool:
    words = tuple(token.word for token in sentence.tokens)
    return any(words[: len(leading)] == leading for leading in _LEADING)


def _after(statements: list[Sentence], question: Sentence) -> Sentence:
    """Statements and a question as one sentence."""
    tokens: tuple[Token, ...] = ()
    for statement in statements:
        comma = Token(",", statement.tokens[-1].end, question.tokens[0].start, stop=True)
        tokens = (*tokens, *statement.tokens, comma)
    return Sentence(question.text, (*tokens, *question.tokens), True)


def _pieces(plain: str) -> list[tuple[tuple[int, int], bool]]:
    """Where the sentences lie, and whether they are questions; marks inside quotations end none."""
    pieces, start = [], 0
    hidden = re.sub(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)", lambda match: "x" * len(match[0]), plain)
    for mark in _END.finditer(hidden):
        pieces.append(((start, mark.start()), "?" in mark[0]))
        start = mark.end()
    return [*pieces, ((start, len(plain)), False)]


def _tokens(plain: str, start: int, end: int) -> tuple[Token, ...] | None:
    found: list[Token] = []
    for match in _TOKEN.finditer(plain, start, end):
        first, last = match.span()
        if match["other"]:
            return None
        if match["quote"]:
            found.append(Token("", first + 1, last - 1, quoted=True))
        elif match["comma"]:
            found.append(Token(",", first, last))
        elif match["word"]:
            capital = not match["word"][0].islower()
            said_of = bool(found) and found[-1].word in ("is", "are")  # "is round the shape of it"
            around = match["word"] == "round" and not said_of and _DEFINITE_NEXT.match(plain, last)  # "round the table"
            word_said = "around" if around else match["word"].lower()
            found.extend(Token(word, first, last, False, capital) for word in _words(word_said))
    return tuple(found)


def _words(word: str) -> list[str]:
    """A written word as spoken ones: "what's" is two, "mug's" a word and a possessive."""
    if word in _SPELLINGS:
        return _SPELLINGS[word].split()
    base, mark, ending = word.rpartition("'")
    base = _SPELLINGS.get(base, base)
    if not mark:
        return [word]
    if ending == "s":
        return [base, "is"] if base in _OPEN_ENDED else [base, "'s"]
    if ending == "t" and base.endswith("n"):
        return ["can", "n't"] if base == "can" else [base[:-1], "n't"]
    if ending in ("re", "d", "m", "ve", "ll"):
        return [base, {"re": "are", "d": "would", "m": "am", "ve": "have", "ll": "will"}[ending]]
    return [base, "'s"] if not ending and base.endswith("s") else [word]
