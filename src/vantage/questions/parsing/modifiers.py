"""What is said of objects behind a noun, behind "is", or by another verb; each rule gives a tuple of modifiers.

That includes printed text: "labelled SUGAR", "with the word SUGAR on it", "that says SUGAR".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions.parsing.comparisons import ME
from vantage.questions.parsing.descriptions import (
    Description,
    Either,
    Exceeds,
    Has,
    IsA,
    IsMost,
    Modifier,
    Shares,
    Stands,
)
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.nouns import STUFF, is_kind, singular
from vantage.questions.parsing.patterns import Captures, Chart, Found, Rule, dearer, either, rule, table
from vantage.questions.parsing.vocabulary import (
    ATTRIBUTE_NOUNS,
    COLOR_WORDS,
    MATERIAL_WORDS,
    MOST_WORDS,
    PRINT_NOUNS,
    SHAPE_WORDS,
    SIZE_WORDS,
    STATE_WORDS,
)
from vantage.questions.parsing.word_classes import OWNERS
from vantage.questions.programs import SAMENESS

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


def _written_on(found: Captures) -> Has | None:
    """The print that something has on it; "papers" in small letters are rather things than print."""
    said: Has = found["WORDS"]
    word = said.value.split()[-1]
    return None if said.value.islower() and (is_kind(word) or singular(word)[0] in STUFF) else said


_TEXT_RULES: dict[str, Rule] = {
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
        (f"WORDS {ON_IT}", _written_on),
    ),
}


STANDS = (
    "stand|stands|lie|lies|sit|sits|hang|hangs|rest|rests|stay|stays|live|lives|appear|appears|lay|lays|lean|leans|"
    "reside|resides|belong|belongs|exist|exists|hide|hides|dangle|dangles|lurk|lurks|perch|perches|stood|sat|hung|"
    "nestle|nestles|float|floats|remain|remains|repose|reposes|dwell|dwells|rests|sprawl|sprawls"
)
MADE = either(
    *("made", "built", "constructed", "manufactured", "composed", "fabricated", "made up", "crafted", "produced"),
    *("made out", "built out", "consisting", "consist", "consists", "entirely made", "formed", "fashioned", "carved"),
    *(
        "sewn",
        "woven",
        "knitted",
        "cast",
        "put together",
        "created",
        "assembled",
        "comprised",
        "cut",
        "tailored",
        "covered",
        "upholstered",
    ),
)
_OF = "of|from|with|in"
_SOMEBODY = f"( i|we|you|he|she|they|somebody|someone | my|our|the|your|his|her [little] {'|'.join(sorted(OWNERS))} )"
_PUT = (
    "put|left|leave|keep|kept|placed|dumped|dropped|threw|tossed|stored|set|hung|laid|stuck|parked|stuffed|stowed|shoved|"
    "tucked|leaned|leant|hid|stashed"
)
SAME = either(
    *("[exactly|precisely|just] the [very|exact] same", "[a|an|the|one] identical|equal|common|shared|matching"),
    *("one and the same", "the one"),
)
_SHARED = {word: meaning for word, meaning in ATTRIBUTE_NOUNS.items() if meaning in SAMENESS}
_KINDS = dict.fromkeys(("kind", "type", "sort", "kind of thing", "type of thing", "kind of object"), "label")
_COLORED = either("painted", "colored", "in color", "of color", "with the color", "in")
_DRAWN_UP = ("chair", "stool")  # "the table with the yellow chairs"


def _all(first: tuple[Modifier, ...], rest: tuple[Modifier, ...]) -> tuple[Modifier, ...] | None:
    both = (*first, *rest)
    return None if any(isinstance(item, IsA) or _is_by_anchor(item) for item in both) else both


def _is_by_anchor(modifier: Modifier) -> bool:
    """Whether it is said of an object that it is nearer to a place than another; no set can be told so."""
    return isinstance(modifier, Exceeds) and modifier.anchor is not None


def _shares(found: Captures) -> tuple[Modifier, ...]:
    return (Shares(found["SHARED"], found["ONE"]),)


def _most(found: Captures) -> tuple[Modifier, ...] | None:
    quantity, least = found["MOST"]
    anchor = found.get("ONE")
    return None if anchor is not None and quantity != "distance" else (IsMost(quantity, least, anchor),)


def _nearest(found: Captures) -> tuple[Modifier, ...] | None:
    return _most(found) if found["MOST"][0] == "distance" else None


def _nearby(found: Captures) -> tuple[Modifier, ...]:
    return (IsMost("distance", True, found["ONE"]),)


def _larger(found: Captures) -> tuple[Modifier, ...]:
    """The larger one, of two."""
    return (IsMost(*found["MORE"]),)


def _utmost(found: Captures) -> tuple[Modifier, ...]:
    return (IsMost(found["QUANTITY"], found["UTMOST"]),)


def _free(found: Captures) -> Phrase | None:
    said = next(found[key] for key in ("PREDICATE", "VERBAL", "PLACE") if key in found)
    return Phrase(Description(), "the").narrowed(said) if said else None


def _is_a(phrase: Phrase) -> tuple[Modifier, ...] | None:
    """Behind "is": "a mug", or "the largest object on the table"."""
    description = phrase.description
    if phrase.joined or phrase.other:
        return None
    named = (phrase.determiner == "a" or description.of_rooms) and description.is_plain and bool(description.label)
    return (IsA(description),) if named or description.most is not None else None


def _named_either(found: Captures) -> tuple[Modifier, ...] | None:
    """A cup or a bowl."""
    named = _is_a(found["NP"]), _is_a(found["NP2"])
    labels = [item.description.label for said in named if said for item in said if isinstance(item, IsA)]
    rooms = found["NP"].description.of_rooms or found["NP2"].description.of_rooms
    return (
        (Either(tuple(Has("label", label) for label in labels)),)
        if all(labels) and len(labels) == 2 and not rooms
        else None
    )


def _sized(found: Captures) -> tuple[Modifier, ...] | None:
    said = [choice for item in found["QUALITIES"] for choice in getattr(item, "choices", (item,))]
    return found["QUALITIES"] if all(item.attribute == "size" for item in said) else None


def _bears(borne: Phrase, relation: str) -> tuple[Modifier, ...] | None:
    """What is said of a table "with a lamp on it": that it is under the lamp."""
    one = borne.one(numbered=True)
    return None if one is None or borne.description.of_rooms else (Stands(relation, one),)


def _qualified(phrase: Phrase) -> tuple[Modifier, ...] | None:
    """What "a leather hat" says of a hat, or "the black pair" of shoes."""
    description = phrase.description
    looks = tuple(item for item in description.filters if item.attribute != "label")
    told = description.label and replace(description, filters=()) == Description()
    return looks if looks and told and phrase.determiner in ("a", "the") and not phrase.joined else None


def _either(found: Captures) -> tuple[Modifier, ...] | None:
    kind = next(key for key in ("PLACE", "SUCH", "QUALITIES") if key in found)
    both = (*found[kind], *found[f"{kind}2"])
    attributes = {getattr(item, "attribute", "") for item in both}
    return (Either(both),) if len(both) == 2 and len(attributes) == 1 else None


def _material(found: Captures) -> tuple[Modifier, ...]:
    first = Has("material", found["MATERIAL"])
    other = found.get("MATERIAL2")
    return (first,) if other is None else (Either((first, Has("material", other))),)


RULES: dict[str, Rule] = {
    **_TEXT_RULES,
    "MATERIAL": table(MATERIAL_WORDS),
    "COLOR": table(COLOR_WORDS),
    "SHAPE": table(SHAPE_WORDS),
    "SIZE": table(SIZE_WORDS),
    "LASTING": table(STATE_WORDS),
    "STATE": table({word: state for word, state in STATE_WORDS.items() if " " in word or word.endswith("ed")}),
    "MOST": table(MOST_WORDS),
    "NEAR": table(dict.fromkeys(("nearest", "closest"), True)),
    "UTMOST": table(
        {**dict.fromkeys(("greatest", "largest", "most", "highest", "biggest"), False)}
        | dict.fromkeys(("smallest", "least", "lowest"), True),
        of_form=True,
    ),
    "ASKER": rule((ME, lambda found: True)),
    "SHARED": table({**_SHARED, **_KINDS}),
    "EXTREME": rule(
        (f"[the] [one] MOST [one] [to|from|away|by] [to|from] {ME}", lambda found: _nearest(found)),
        ("[the] [one] MOST [one] to|from ONE", _most),
        ("[the] [one] MOST [one] away from ONE", _most),
        ("[the] NEAR [one] ONE", _nearby),
        ("[the] NEARER [one] [to] ONE", _nearby),
        (
            "[by far] [the] [very|single|absolute] MOST [one] ( of all|them [all] | of the|these two|three|lot "
            "| ) [in size|weight|height|length|volume]",
            _most,
        ),
        ("[the] MORE [one] [of the two|three] [in size|weight|height|length|volume]", _larger),
    ),
    # Said behind a noun as well as behind "is".
    "CLAUSE": rule(
        (f"ADVERBS {MADE} [entirely] {_OF} MATERIAL [or [{_OF}] MATERIAL2]", _material),
        ("of MATERIAL", _material),
        (f"ADVERBS [of|in|with|having|at|sharing] {SAME} SHARED as|with|like|to [that of|in] ONE", _shares),
        (f"{MADE} {_OF} {SAME} SHARED as|like ONE", _shares),
        ("sharing [the|its|their|a] [same] SHARED with|of ONE", _shares),
        ("matching ONE in SHARED", _shares),
        (f"{_COLORED} COLOR", lambda found: (Has("color", found["COLOR"]),)),
        ("with|of|in [a|the] COLOR color", lambda found: (Has("color", found["COLOR"]),)),
        ("with|of|in a|an|the MATERIAL material", lambda found: (Has("material", found["MATERIAL"]),)),
        ("of [a|an|the] SIZE size", lambda found: (Has("size", found["SIZE"]),)),
        ("in [a|an|the] LASTING state|condition|position", lambda found: (Has("state", found["LASTING"]),)),
        ("shaped like a|an SHAPE", lambda found: (Has("shape", found["SHAPE"]),)),
        ("( in | with | of ) [the|a] [shape of a] SHAPE [shape]", lambda found: (Has("shape", found["SHAPE"]),)),
        ("ADVERBS STATE", lambda found: (Has("state", found["STATE"]),)),
        ("SERVING", lambda found: found["SERVING"]),
    ),
    # What is left out of a comparison: the object itself.
    "BESIDES": rule(
        ("[,] besides|except|excluding", lambda found: True),
        (
            "[,] ( apart|aside from | other than | in addition to | except for | not|without counting )",
            lambda found: True,
        ),
    ),
    # The objects among which an object is small or large.
    "CLASS": rule(
        ("[,] for|as a|an NOUN", lambda found: True),
        ("[,] as NOUN go", lambda found: True),
        ("COMPARED [all|any] [of] [the] other|others|rest [of] NOUN", lambda found: True),
        ("COMPARED [all|any] [of] [the] others|rest", lambda found: True),
    ),
    "INSCRIPTION": rule(
        (f"{MARKED} [as|with|,|by] TEXT", lambda found: (found["TEXT"],)),
        (f"[that] {SAYS} TEXT", lambda found: (found["TEXT"],)),
        ("with|bearing|carrying|showing|having|displaying|featuring LABEL", lambda found: (found["LABEL"],)),
        (f"whose|where [the] PRINTED ( {SAYS} | is ) TEXT", lambda found: (found["TEXT"],)),
        (f"on which TEXT is {WRITTEN}", lambda found: (found["TEXT"],)),
    ),
    # More likely said of what a sentence is about than of what that is placed by.
    "REDUCED": dearer(0.2, "CLAUSE"),
    "BYCOMPARISON": dearer(0.5, "COMPARING"),
    "MODIFIER": rule(
        ("PLACE", lambda found: found["PLACE"]),
        ("REDUCED", lambda found: found["REDUCED"]),
        ("BYCOMPARISON", lambda found: _all(found["BYCOMPARISON"], ())),
        ("INSCRIPTION", lambda found: found["INSCRIPTION"]),
        ("PURPOSE", lambda found: found["PURPOSE"]),
        ("MOST [to|from|away] [to|from] ( me | us | you | here )", _nearest),
        ("MOST to|from ONE", _nearest),
        ("MOST away from ONE", _nearest),
        ("NEAR ONE", _nearby),
        ("with|having NP on it|them|top", lambda f: _bears(f["NP"], "under")),
        ("with|having NP at|around|by|near|beside it|them", lambda f: _bears(f["NP"], "near")),
        ("with NP", lambda f: _bears(f["NP"], "near") if f["NP"].description.kind in _DRAWN_UP else None),
        ("of mine|ours|yours|theirs|hers|his", lambda found: ()),
        ("of|with|having the UTMOST QUANTITY", _utmost),
        ("that|which|who is|are|was|were PREDICATE", lambda found: _all(found["PREDICATE"], ())),
        ("that|which|who VERBAL", lambda found: _all(found["VERBAL"], ())),
        (
            f"( that|which | ) {_SOMEBODY} [have|has|had|always|just] {_PUT} [down|up] PLACE",
            lambda found: found["PLACE"],
        ),
        ("( that|which | ) you|i|we ( own|have|keep|bought | [have] got ) [PLACE]", lambda f: f.get("PLACE", ())),
        ("( that | ) ( you|i|we|one [can] see|find|spot | can be seen|found ) [PLACE]", lambda f: f.get("PLACE", ())),
    ),
    "VERBAL": rule(
        (f"ADVERBS {STANDS} PLACE", lambda found: found["PLACE"]),
        (f"ADVERBS {STANDS} QUALITIES", lambda found: found["QUALITIES"]),
        ("SERVES", lambda found: found["SERVES"]),
        ("can|could be seen|found|spotted PLACE", lambda found: found["PLACE"]),
        (f"has|have {SAME} SHARED as|like|with [that of] ONE [does|do|has|have]", _shares),
        ("share|shares|have|has|match|matches ONE 's SHARED", _shares),
        (f"has|have|share|shares {SAME} SHARED BESIDES ONE", _shares),
        (f"is|are of|in|with|at {SAME} SHARED BESIDES ONE", _shares),
        ("has|have|with [got] TRAIT", lambda found: found["TRAIT"]),
        (f"ADVERBS {STANDS} EXTREME", lambda found: found["EXTREME"]),
        (f"ADVERBS {STANDS} COMPARISON [does]", lambda found: found["COMPARISON"]),
        ("share|shares [the|its|their|a] [same] SHARED with|of|as ONE", _shares),
        ("match|matches ONE in SHARED", _shares),
        ("has|have|bear|bears|carry|carries|show|shows|display|displays LABEL", lambda found: (found["LABEL"],)),
        (f"{SAYS} TEXT", lambda found: (found["TEXT"],)),
        ("OUTWEIGHING", lambda found: found["OUTWEIGHING"]),
        ("weigh|weighs [the] most", lambda found: (IsMost("mass", False),)),
        ("weigh|weighs [the] least", lambda found: (IsMost("mass", True),)),
        ("consist|consists of MATERIAL [or [of] MATERIAL2]", _material),
        (f"consist|consists of {SAME} SHARED as|like ONE", _shares),
        (f"come|comes in {SAME} SHARED as|like ONE", _shares),
        ("come|comes in [a|the] COLOR [color]", lambda found: (Has("color", found["COLOR"]),)),
        ("look|looks|seem|seems|appear|appears [to be] QUALITIES", lambda found: found["QUALITIES"]),
        ("has|have COLOR as its|their|the color", lambda found: (Has("color", found["COLOR"]),)),
    ),
    "TRAIT": rule(
        ("a|an|the COLOR color", lambda found: (Has("color", found["COLOR"]),)),
        ("a|an|the shape|form of a|an SHAPE", lambda found: (Has("shape", found["SHAPE"]),)),
        ("a|an|the SHAPE shape|form", lambda found: (Has("shape", found["SHAPE"]),)),
        ("a|an|the SIZE size", lambda found: (Has("size", found["SIZE"]),)),
    ),
    # "what is on the stool" as the name of an object
    "WHATEVER": rule(
        ("what is|are [that is] [there] PREDICATE", _free),
        ("what VERBAL", _free),
        ("what you|i|we|one [can] see|find|have PLACE", _free),
    ),
    "FREE": dearer(0.3, "WHATEVER"),
    "ASSERTION": rule(
        ("ADVERBS QUALITIES", lambda found: found["QUALITIES"]),
        ("PLACE", lambda found: found["PLACE"]),
        ("CLAUSE", lambda found: found["CLAUSE"]),
        ("INSCRIPTION", lambda found: found["INSCRIPTION"]),
        ("ADVERBS EXTREME", lambda found: found["EXTREME"]),
        ("ADVERBS QUALITIES CLASS", _sized),
        ("a|an ADJECTIVES one|specimen|example [CLASS]", lambda found: found["ADJECTIVES"]),
        ("a|an SHAPE", lambda found: (Has("shape", found["SHAPE"]),)),
        ("ADJECTIVES ones", lambda found: found["ADJECTIVES"]),
        ("SUCH", lambda found: found["SUCH"]),
        ("SUCH or SUCH2", _either),
        ("SUCH or QUALITIES", lambda found: _either({"SUCH": found["SUCH"], "SUCH2": found["QUALITIES"]})),
        (f"[of|in|with|at] {SAME} SHARED BESIDES ONE", _shares),
        ("NP or NP2", _named_either),
        ("QUALITIES [,] or is|are it|they QUALITIES2", _either),
        ("PLACE [,] or is|are it|they PLACE2", _either),
        ("COMPARISON", lambda found: found["COMPARISON"]),
        ("NP", lambda found: _is_a(found["NP"])),
    ),
    # "a leather one", "the black pair", of what is called so already
    "SUCH": rule(
        ("a|an|the QUALITIES [one|ones|pair|kind|type]", lambda found: found["QUALITIES"]),
        ("NP", lambda found: _qualified(found["NP"])),
    ),
    # "switched on in the bedroom", "on the floor next to the bed"
    "PLACED": rule(("ASSERTION PLACE", lambda found: _all(found["ASSERTION"], found["PLACE"]))),
    "DOUBLE": dearer(0.4, "PLACED"),
    "PREDICATE": rule(
        ("DOUBLE", lambda found: found["DOUBLE"]),
        ("ASSERTION", lambda found: found["ASSERTION"]),
        (
            "[both] ASSERTION ( and [also|is|are|it is] | as well as | but also | plus ) PREDICATE",
            lambda f: _all(f["ASSERTION"], f["PREDICATE"]),
        ),
    ),
}
