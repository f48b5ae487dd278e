"""Questions that are answered with yes or no, or with one of the two words they offer."""

from __future__ import annotations

from dataclasses import replace

from vantage.questions.lexicon import names
from vantage.questions.parsing import meanings
from vantage.questions.parsing.descriptions import Description, Exceeds, Has, Stands
from vantage.questions.parsing.modifiers import MADE, SAME, SAYS, STANDS, WRITTEN
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Build, Captures, either
from vantage.questions.parsing.places import room_of
from vantage.questions.parsing.word_classes import OWNERS
from vantage.questions.programs import Program, Query, Unique

BE = "is|are|was|were|'s"
DO = "does|do|did"
CAN = "( can|could|do|did|does|have|has|had|would|might|may|will|should|must|shall|am|are|is [n't] )"
DID = "( do|did|does|have|has|had [n't] )"  # of what is so; where somebody can put an object is another question
_FAMILY = "|".join(sorted(OWNERS))
WE = either(
    "you|i|we|one|somebody|someone|anybody|anyone|everybody|everyone|people|they|he|she [HOME]",
    "any|anyone|anybody|one|either|some|someone|somebody of ( you|us | the people ) [HOME]",
    "the robot",
    "you guys|all|two|folks",
    "[any|one|some|either of] the kids|children|boys|girls|guests|little",
    f"my|our|the|your|his|her [little|older|younger] {_FAMILY} [in law]",
    "the little one|ones",
)
SEE = either(
    *(
        "[ ( [be] able | manage | expect | hope ) to ] "
        "see|spot|find|notice|detect|locate|seen|spotted|found|noticed|observe|identify|got|perceive|recognize|spy",
    ),
    *(
        "make|pick|made|picked out",
        "look at",
        "come|came across",
        "lay eyes on",
        "last see|seen|saw|spot",
        "seeing|spotting|finding|noticing",
    ),
)
OWN = "have|own|possess|keep|got|stock|had|owned"
LEAVE = (
    "left|leave|put|place|placed|keep|kept|set|store|stored|stow|stowed|hide|hid|hidden|drop|dropped|lay|laid|keeping|"
    "leaving|putting|storing|hiding|lose|lost|forget|forgot|stash|stashed|hang|stuck|hung|dump|dumped|stuff|stuffed|lean|"
    "leaned|park|parked|tuck|tucked|shove|shoved"
)
PUT_OFF = "( put|set|lay|laid|place|placed down|away|back|off | kick|kicked|take|took|taken|throw|threw off )"
WITH_IT = either("RELATION it|them|there", "inside", "on top", "in there", "in it")


def _held(found: Captures) -> Program | None:
    place = meanings.held(found["SUBJECT"], found["HAVE"], found.get("RELATION", ""))
    return None if place is None else meanings.exist(found["GROUP"], *place)


def _verify(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], found.get("PREDICATE", ()))


def _verify_named(found: Captures) -> Program | None:
    return _verify(found) if found["SUBJECT"].description.label else None


def _verify_verbal(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], found["VERBAL"])


def _exist(found: Captures) -> Program | None:
    group = found["ANYGROUP"] if "ANYGROUP" in found else found["GROUP"]
    return meanings.exist(group, *found.get("PREDICATE", ()), *found.get("PLACE", ()))


def _exist_or_which(found: Captures) -> Program | None:
    """Is that a mug there; of "is that a cup or a bowl there": which of them it is."""
    group = found["ANYGROUP"]
    if group.joined != "or":
        return _exist(found)
    narrowed = group.narrowed(found["PLACE"])
    objects = None if narrowed is None else narrowed.objects()
    return None if objects is None else Query(Unique(objects), "label")


def _exist_elsewise(found: Captures) -> Program | None:
    others = meanings.elsewise(found["PLACE"], found["NP"])
    return None if others is None or found["GROUP"].determiner == "the" else meanings.exist(found["GROUP"], *others)


def _exist_either(found: Captures) -> Program | None:
    """Whether it is so of the one or of the other."""
    if "BARE" in found:
        pair = [found["BARE"].narrowed(found[key]) for key in ("ADJECTIVES", "ADJECTIVES2")]
    else:
        pair = [found["SUBJECT"], found["SUBJECT2"]]
    said = (*found.get("PREDICATE", ()), *found.get("VERBAL", ()))
    if any(phrase is None or phrase.one() is None or phrase.description.of_rooms for phrase in pair):
        return None
    return meanings.exist(Phrase(Description(members=tuple(phrase.description for phrase in pair))), *said)


def _exist_had(found: Captures) -> Program | None:
    """ "Have we any bread?", but not "have you slept?"."""
    group = found["GROUP"]
    told = group.determiner or group.plural or group.description.label in names()
    return _exist(found) if told else None


def _compare(found: Captures) -> Program | None:
    return meanings.compare(found["SHARED"], found["SUBJECT"], found["SUBJECT2"])


def _compare_attributes(found: Captures) -> Program | None:
    other = found.get("ATTRIBUTE2", found["ATTRIBUTE"])
    same = other == found["ATTRIBUTE"]
    return meanings.compare(found["ATTRIBUTE"], found["SUBJECT"], found["SUBJECT2"]) if same else None


def _verify_attribute(found: Captures) -> Program | None:
    program = meanings.verify(found["SUBJECT"], found["QUALITIES"])
    return program if getattr(program, "attribute", "") == found["ATTRIBUTE"] else None


def _greater(found: Captures) -> Program | None:
    """Whether the weight of one object is greater than that of another."""
    quantity = found["QUANTITY"]
    other = found["SUBJECT2"].one()
    if other is None or found.get("QUANTITY2", quantity) != quantity:
        return None
    return meanings.verify(found["SUBJECT"], (Exceeds(quantity, found["GREATER"], other),))


def _changed(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], (Has("state", found["CHANGED"]),))


def _switched(found: Captures) -> Program | None:
    said = found["QUALITIES"]
    return meanings.verify(found["SUBJECT"], said) if said in ((Has("state", "on"),), (Has("state", "off"),)) else None


def _verify_text(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], (found["TEXT"],))


def _verify_spelled(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], (found["SPELLED"],))


def _more_of_two(found: Captures) -> Program | None:
    return meanings.most_of_two(found["MORE"], found["SUBJECT"], found["SUBJECT2"], found.get("ONE"))


def _verify_room(found: Captures) -> Program | None:
    """Of an object that is placed by another: whether that is in a room, rather than whether it is on what is there."""
    place, subject = found["PLACE"], found["SUBJECT"]
    of_room = len(place) == 1 and isinstance(place[0], Has)
    places = subject.description.places if subject.determiner == "the" else ()
    viewed = any(isinstance(item, Stands) and item.viewer for item in places)  # then the viewer is in that room
    return meanings.verify(subject, place) if of_room and places and not viewed else None


def _verify_place(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], found["PLACE"])


def _made_of(found: Captures) -> Program | None:
    return meanings.verify(found["SUBJECT"], (Has("material", found["MATERIAL"]),))


def _verify_bare(found: Captures) -> Program | None:
    """ "Fridge open?": of a bare noun, or of one that is taken for granted."""
    return meanings.verify(replace(found["NP"], determiner="the"), found["QUALITIES"])


def _has(found: Captures) -> Program | None:
    return _held({**found, "HAVE": "have"})


def _compare_size(found: Captures) -> Program | None:
    return meanings.compare("size", found["SUBJECT"], found["SUBJECT2"])


def _compare_shared(found: Captures) -> Program | None:
    return _compare(found) if "SHARED" in found else None


def _room_of(found: Captures) -> Program | None:
    room = room_of(found["NP"])
    return meanings.verify(found["SUBJECT"], room) if room else None


_TWO = "[both] SUBJECT and [also] SUBJECT2"
_CALL = "call|consider|describe|judge|deem|find|rate|say"
_AS = "[as | as being | to be | being | is]"
_THE_ROOM = "the|a room|place"
ALIKE = f"[both] [made|built [out]] [of|in|from|at] {SAME} SHARED [as each other]"
_EQUAL = "[both] ( equal|identical|alike | the same ) in SHARED"
_EQUALLY_LARGE = "[both] equally|similarly large|big|small|sized"
_COULD = "would|might|could|may|can|will|must|should|shall"
_SIGN = (
    "any|some|a|the sign|trace|hint|chance|evidence|indication|possibility|glimpse|prospect|hope|risk|danger|"
    "probability|likelihood [of|that|for] "
    "[there is|are]"
)
_FINDING = "( seeing|finding|spotting|discovering|locating|having | there being )"
_PLACED = "the place|room|house|home|area"
IN_COMMON = (
    "( share the|a|one|their|an [same|single|identical|common] SHARED | have a SHARED in common | match in SHARED )"
)

FORMS: tuple[tuple[str, Build], ...] = (
    (f"{BE} [n't] there GROUP", _exist),
    (f"{BE} [n't] there GROUP PREDICATE", _exist),
    (f"{BE} [n't] there GROUP PLACE BESIDES NP", _exist_elsewise),
    (f"{BE} [n't] [there] GROUP BESIDES NP PLACE", _exist_elsewise),
    (f"{BE} [n't] GROUP PLACE BESIDES NP", _exist_elsewise),
    (f"BESIDES NP , {BE} [n't] there GROUP PLACE", _exist_elsewise),
    (f"IF there {BE} GROUP", _exist),
    (f"IF there {BE} GROUP PREDICATE", _exist),
    (f"{BE} [n't] GROUP there", _exist),
    (f"{BE} [n't] GROUP present|available|visible|around|about", _exist),
    (f"{BE} [n't] SUBJECT ADVERBS to be {SEE} PLACE", _verify_place),
    (f"{BE} [n't] GROUP ADVERBS to be {SEE} [PLACE]", _exist),
    (f"{BE} there not GROUP [PREDICATE]", _exist),
    (f"IF {WE} do n't {SEE} GROUP [PREDICATE]", _exist),
    (f"{BE} [n't] that|this ANYGROUP PLACE", _exist_or_which),
    (f"{_COULD} [n't] there be GROUP [PREDICATE]", _exist),
    (f"IF there {_COULD}|ought|has|have|used [to] be|been GROUP [PREDICATE]", _exist),
    ("does|do there exist GROUP [PREDICATE]", _exist),
    (f"is it possible to {SEE} GROUP [PREDICATE]", _exist),
    (f"IF {CAN} {WE} be able to {SEE} GROUP [PREDICATE]", _exist),
    (f"[have|has] [{WE}] [got] {_SIGN} [{_FINDING}] GROUP [PREDICATE]", _exist),
    (f"{BE} [n't] there {_SIGN} [{_FINDING}] GROUP [PREDICATE]", _exist),
    (f"[ {BE} [n't] there | what {BE} | how high|great {BE} ] {_SIGN} SUBJECT being PREDICATE", _verify),
    (f"{BE} [n't] either SUBJECT or SUBJECT2 PREDICATE", _exist_either),
    (f"{DO} [n't] either SUBJECT or SUBJECT2 VERBAL", _exist_either),
    (f"IF either SUBJECT or SUBJECT2 ( {BE} PREDICATE | VERBAL )", _exist_either),
    ("has|have [n't] either SUBJECT or SUBJECT2 been PREDICATE", _exist_either),
    (f"{BE} [n't] either the ADJECTIVES or the ADJECTIVES2 BARE PREDICATE", _exist_either),
    (f"check|search|watch [{_PLACED}] for ANYGROUP [PREDICATE]", _exist),
    ("IF got|seen|spotted|found ANYGROUP [PREDICATE]", _exist),
    ("IF got|seen|spotted|found GROUP [PREDICATE]", _exist),
    ("IF see|spot|notice ANYGROUP [PREDICATE]", _exist),
    (f"have|has [n't] {WE} got GROUP [PREDICATE]", _exist),
    (f"have|has [n't] {WE} GROUP [PREDICATE]", _exist_had),
    (f"IF {WE} {OWN} [got] GROUP [PREDICATE]", _exist),
    (f"IF {WE} do|does [n't] {OWN} GROUP [PREDICATE]", _exist),
    (f"IF {WE} have|has [n't] [got] GROUP [PREDICATE]", _exist),
    (f"{BE} SUBJECT equipped|fitted|furnished|supplied with GROUP", _has),
    (f"IF {WE} [have|has] {LEAVE} SUBJECT PREDICATE", _verify),
    (f"IF {WE} [have|has] CHANGED SUBJECT", _changed),
    (f"did|has|have {WE} remember|remembered|manage|managed|bother to CHANGED SUBJECT", _changed),
    (f"has|have [n't] SUBJECT [got] GROUP [{WITH_IT}]", _has),
    (f"IF SUBJECT has|have got GROUP [{WITH_IT}]", _has),
    ("ANY", lambda found: meanings.exist(found["ANY"])),
    (f"{CAN} {WE} [already|ever] {SEE} SUBJECT PLACE", _verify_room),
    (f"{CAN} {WE} [already|ever] {SEE} GROUP [PREDICATE]", _exist),
    (f"has|have|had|did|do|does [n't] {WE} {LEAVE} SUBJECT PREDICATE", _verify),
    (f"{DID} {WE} {OWN} GROUP [PREDICATE]", _exist),
    (f"IF {WE} [can|could|have] {SEE} GROUP [PREDICATE]", _exist),
    (f"{DO} [n't] SUBJECT HAVE GROUP [{WITH_IT}]", _held),
    (f"IF SUBJECT HAVE GROUP [{WITH_IT}]", _held),
    (f"{DO} GROUP exist [PLACE]", _exist),
    (f"{BE} [n't] SUBJECT PLACE", _verify_room),
    (f"IF SUBJECT {BE} PLACE", _verify_room),
    (f"{BE} [n't] [it] SUBJECT PREDICATE", _verify),
    (f"IF SUBJECT {BE} PREDICATE", _verify),
    ("IF SUBJECT , PREDICATE", _verify_named),
    (f"IF SUBJECT {BE} n't PREDICATE", _verify),
    ("IF NP QUALITIES", _verify_bare),
    ("IF NP , QUALITIES", _verify_bare),
    ("IF QUALITIES , NP", _verify_bare),
    (f"{BE} [n't] {WE} in possession of GROUP [PREDICATE]", _exist),
    ("has|have [n't] SUBJECT [got] TRAIT", lambda found: meanings.verify(found["SUBJECT"], found["TRAIT"])),
    (f"{BE} there such a thing as GROUP [PREDICATE]", _exist),
    (f"IF SUBJECT {_COULD} be PREDICATE", _verify),
    ("IF SUBJECT has|have been PREDICATE", _verify),
    (f"{BE} it PLACE [that|where] SUBJECT {BE} [ADVERBS]", _verify_place),
    (f"{BE} it PLACE [that|where] SUBJECT {STANDS}", _verify_place),
    (f"{BE} MATERIAL what SUBJECT {BE} {MADE} [out] of|from", _made_of),
    (f"{BE} there , PLACE , GROUP", _exist),
    (f"{BE} it MATERIAL [that] SUBJECT {BE} {MADE} [out] of|from", _made_of),
    (f"{BE} it SUBJECT that {BE} PREDICATE", _verify),
    (f"{BE} it SUBJECT that VERBAL", _verify_verbal),
    ("would|might|may|could|should|will|can [n't] SUBJECT be PREDICATE", _verify),
    (f"{DO} [n't] SUBJECT be|look|seem|appear [to be] PREDICATE", _verify),
    (f"IF {WE} would {_CALL} SUBJECT {_AS} PREDICATE", _verify),
    (f"is it right|fair|true|correct|okay to {_CALL} SUBJECT {_AS} PREDICATE", _verify),
    (f"would|can|could|should {WE} {_CALL} SUBJECT {_AS} PREDICATE", _verify),
    (f"{DO} {WE} {_CALL} SUBJECT {_AS} PREDICATE", _verify),
    (
        f"{BE} [n't] NP {_THE_ROOM} ( with|containing|holding | that|which has|contains|holds ) SUBJECT [in it]",
        _room_of,
    ),
    (f"{BE} [n't] NP {_THE_ROOM} ( where | in which | that | ) SUBJECT {BE} ADVERBS [in]", _room_of),
    (f"{BE} [n't] NP {_THE_ROOM} ( where | in which | that | ) SUBJECT {STANDS} [in]", _room_of),
    (f"{BE} [n't] NP {_THE_ROOM} ( where | in which | that | ) {WE} [can] ( {SEE} | {LEAVE} ) SUBJECT [in]", _room_of),
    (f"{BE} [n't] NP where SUBJECT {BE} ADVERBS", _room_of),
    (f"{DO} [n't] SUBJECT VERBAL", _verify_verbal),
    ("IF SUBJECT VERBAL", _verify_verbal),
    (f"can|could SUBJECT be {SEE} PREDICATE", _verify),
    (f"can|could GROUP be {SEE} [PLACE]", _exist),
    ("has|have SUBJECT been PREDICATE", _verify),
    (f"did|has|have [n't] {WE} CHANGED SUBJECT", _changed),
    (f"did|has|have [n't] {WE} turn|turned|switch|switched SUBJECT QUALITIES", _switched),
    (f"{BE} [n't] GROUP all PREDICATE", lambda f: meanings.verify_all(f["GROUP"], f["PREDICATE"])),
    (f"IF GROUP {BE} all PREDICATE", lambda f: meanings.verify_all(f["GROUP"], f["PREDICATE"])),
    (f"{BE} the ATTRIBUTE of SUBJECT QUALITIES", _verify_attribute),
    ("IF the ATTRIBUTE of SUBJECT is QUALITIES", _verify_attribute),
    ("IF SUBJECT 's ATTRIBUTE is QUALITIES", _verify_attribute),
    (f"{BE} [n't] QUALITIES the [right|actual|current] ATTRIBUTE of SUBJECT", _verify_attribute),
    (f"{BE} [n't] QUALITIES SUBJECT 's ATTRIBUTE", _verify_attribute),
    (
        f"{BE} [n't] QUALITIES the ATTRIBUTE SUBJECT has|{BE} [made|painted] [in|of]".replace(
            "has|is|are|was|were|'s", "has|is|are|was|were"
        ),
        _verify_attribute,
    ),
    (f"{BE} SUBJECT 's ATTRIBUTE QUALITIES", _verify_attribute),
    (f"{BE} the ATTRIBUTE of SUBJECT a|an QUALITIES", _verify_attribute),
    (f"{BE} the QUANTITY of SUBJECT GREATER than ( that of | the QUANTITY2 of | ) SUBJECT2", _greater),
    (f"{BE} SUBJECT 's QUANTITY GREATER than ( that of | ) SUBJECT2 ['s [QUANTITY2]]", _greater),
    (f"{BE} the ATTRIBUTE of SUBJECT {SAME} as ( that|the ATTRIBUTE2 | the one ) of SUBJECT2", _compare_attributes),
    (f"{BE} the ATTRIBUTE of SUBJECT {SAME} as that of SUBJECT2", _compare_attributes),
    (f"{BE} the ATTRIBUTE of SUBJECT {SAME} as SUBJECT2 ['s [ATTRIBUTE2]]", _compare_attributes),
    (f"{BE} SUBJECT 's ATTRIBUTE {SAME} as SUBJECT2 ['s [ATTRIBUTE2]]", _compare_attributes),
    (f"{BE} SUBJECT 's ATTRIBUTE {SAME} as ( that | the ATTRIBUTE2 | the one ) of SUBJECT2", _compare_attributes),
    (f"{BE} the ATTRIBUTE of SUBJECT and [of] SUBJECT2 {SAME}", _compare_attributes),
    (f"{DO} the ATTRIBUTE of SUBJECT match|equal ( that | the ATTRIBUTE2 ) of SUBJECT2", _compare_attributes),
    (f"{BE} [n't] {_TWO} {ALIKE}", _compare),
    (f"{BE} [n't] {_TWO} {_EQUAL}", _compare),
    (f"{BE} [n't] SUBJECT equal|identical|similar [in SHARED] to SUBJECT2 [in SHARED]", _compare_shared),
    (f"{BE} [n't] {_TWO} {_EQUALLY_LARGE}", _compare_size),
    (f"{BE} [n't] SUBJECT [just|exactly|equally|about] as large|big|small as SUBJECT2", _compare_size),
    (f"{BE} [n't] SUBJECT the size of SUBJECT2", _compare_size),
    (f"has|have [n't] {_TWO} [got] {ALIKE}", _compare),
    (f"has|have [n't] SUBJECT [got] {SAME} SHARED as|like SUBJECT2", _compare),
    (f"{DO} [n't] {_TWO} ( come in|with | consist of | look | seem ) {ALIKE}", _compare),
    (f"{BE} SUBJECT 's ATTRIBUTE identical|equal to SUBJECT2 ['s [ATTRIBUTE2]]", _compare_attributes),
    (f"{BE} SUBJECT 's ATTRIBUTE identical|equal to that|the ATTRIBUTE2 of SUBJECT2", _compare_attributes),
    (
        f"{BE} the ATTRIBUTE of SUBJECT identical|equal to ( that|the ATTRIBUTE2 of | ) SUBJECT2 ['s [ATTRIBUTE2]]",
        _compare_attributes,
    ),
    (
        f"{DO} SUBJECT 's ATTRIBUTE match|equal ( that|the ATTRIBUTE2 of | ) SUBJECT2 ['s [ATTRIBUTE2]]",
        _compare_attributes,
    ),
    (f"{DO} SUBJECT match SUBJECT2 in SHARED", _compare),
    (f"{DO} [n't] {_TWO} ( have|share|possess {ALIKE} | {IN_COMMON} )", _compare),
    (f"IF {_TWO} ( are|have|share {ALIKE} | are {_EQUAL} | {IN_COMMON} )", _compare),
    (
        f"{BE}|{DO} [n't] {_TWO} [both] [located|kept|placed|{STANDS}] in ( {SAME} | one | one single ) room",
        lambda found: meanings.compare("room", found["SUBJECT"], found["SUBJECT2"]),
    ),
    (
        f"{BE}|{DO} [n't] {_TWO} [both] ADVERBS [{STANDS}] on|in|at {SAME} THING",
        lambda found: meanings.compare("place", found["SUBJECT"], found["SUBJECT2"]),
    ),
    (f"{BE} [it] SUBJECT or SUBJECT2 [that is] [the] MORE [one] [to|from ( ONE | ASKER )]", _more_of_two),
    (f"{DO} the PRINTED on|of SUBJECT say|read|spell TEXT", _verify_text),
    (f"IF the PRINTED on|of SUBJECT {SAYS} TEXT", _verify_text),
    (f"{BE} SPELLED [{WRITTEN}] on SUBJECT", _verify_spelled),
    (f"{DO} SPELLED appear|stand|feature on SUBJECT", _verify_spelled),
    (f"{DO} WORDS appear|stand|feature on SUBJECT", lambda found: meanings.verify(found["SUBJECT"], (found["WORDS"],))),
    ("has|have [n't] SUBJECT got LABEL", lambda found: meanings.verify(found["SUBJECT"], (found["LABEL"],))),
    (
        f"{BE} [n't] WORDS {WRITTEN} on|across SUBJECT",
        lambda found: meanings.verify(found["SUBJECT"], (found["WORDS"],)),
    ),
    (f"{DO} it say TEXT on SUBJECT", _verify_text),
    (f"{BE} the PRINTED on|of SUBJECT TEXT", _verify_text),
    (f"{BE} [n't] SUBJECT WHEREVER", lambda found: meanings.verify_wherever(found["SUBJECT"], found["WHEREVER"])),
)
