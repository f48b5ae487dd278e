"""Verbs and prepositions of household tasks, by what they change."""

from __future__ import annotations

from enum import Enum


class Change(Enum):
    """What a verb does to the things that it is said of."""

    PLACE = "place"
    REMOVE = "remove"
    CLEAN = "clean"
    SWITCH_ON = "switch on"
    SWITCH_OFF = "switch off"
    OPEN = "open"
    CLOSE = "close"
    SLICE = "slice"
    COOK = "cook"
    FREEZE = "freeze"
    THAW = "thaw"
    SOAK = "soak"
    WEAR = "wear"
    USE = "use"
    """A tool, which is not changed."""
    OTHER = "other"
    """Nothing that a goal tells."""


_BY_CHANGE: dict[Change, str] = {
    Change.PLACE: "put place pack load store arrange position leave set move stack insert add lay hang collect bring "
    "carry take throw drop keep stow organize return sort stock gather transfer deliver fetch stash fill stick shove "
    "tuck slide slip plop deposit dump toss relocate transport convey haul lug shift settle pop restore replace belong",
    Change.REMOVE: "remove",
    Change.CLEAN: "clean wash polish scrub wipe dust rinse mop sweep",
    Change.SWITCH_ON: "activate start ignite light",
    Change.SWITCH_OFF: "deactivate stop extinguish kill",
    Change.OPEN: "open",
    Change.CLOSE: "close shut",
    Change.SLICE: "slice cut chop",
    Change.COOK: "cook bake heat fry boil roast",
    Change.FREEZE: "freeze",
    Change.THAW: "thaw defrost",
    Change.SOAK: "soak",
    Change.WEAR: "wear",
    Change.USE: "use",
    Change.OTHER: "walk go enter run find get grab pick look watch face sit stand lie sleep read write type drink eat "
    "listen turn switch flip press push pull touch pet hold relax rest wait work play talk call answer search check "
    "confirm make do need want see observe measure pour prepare plug unplug connect browse click aim enjoy "
    "change flush brush dress show try hear finish begin serve dry have let "
    "ensure complete assemble install bottle scrape seat end live",
}
VERBS: dict[str, Change] = {verb: change for change, verbs in _BY_CHANGE.items() for verb in verbs.split()}
SWITCHES = frozenset(  # with on or off
    (
        "turn",
        "switch",
        "power",
        "flip",
        "turning",
        "switching",
        "powering",
        "turned",
        "switched",
        "flick",
        "toggle",
        "shut",
    )
)
LEAVES = frozenset({"put", "get", "have", "leave", "keep"})  # with on or off behind what they are said of
POWERS = frozenset({"power", "powering", "shut", "shutting", "boot", "fire"})  # with up or down
SITUATED = frozenset({"go", "end", "live", "belong"})  # where something shall be, behind what they are said of
WIDELY = frozenset({"wide", "fully", "completely", "properly", "tightly", "firmly", "slightly", "all", "swung", "left"})
WISHED = frozenset(
    {"sure", "certain", "ensure", "ensuring", "see", "check", "verify", "confirm", "that", "so", "until"}
)
DENIALS = frozenset({"not", "don't", "don’t", "never"})
STATES: dict[str, Change] = {  # "make sure that the lamp is on"
    "on": Change.SWITCH_ON,
    "running": Change.SWITCH_ON,
    "off": Change.SWITCH_OFF,
    "lit": Change.SWITCH_ON,
    "open": Change.OPEN,
    "opened": Change.OPEN,
    "ajar": Change.OPEN,
    "closed": Change.CLOSE,
    "shut": Change.CLOSE,
    "clean": Change.CLEAN,
}
PREPOSITIONS: dict[str, str] = {
    **dict.fromkeys(("on top of", "all over", "on", "onto", "upon", "atop", "on to"), "on"),
    **dict.fromkeys(("inside of", "inside", "into", "in", "in to", "within"), "in"),
    **dict.fromkeys(("next to", "near", "beside", "close to", "by", "alongside", "among", "amongst"), "near"),
    **dict.fromkeys(("from among", "from amongst", "from beside"), "near"),
    **dict.fromkeys(("over to", "over"), "over"),
    **dict.fromkeys(("under", "underneath", "beneath", "below"), "under"),
    **dict.fromkeys(("from", "off", "off of", "out of", "from inside", "from within", "from in"), "from"),
    **dict.fromkeys(("to", "towards", "toward"), "to"),
    "with": "with",
    **dict.fromkeys(("without", "while"), "never"),
    **dict.fromkeys(
        (
            *("past", "in front of", "at", "for", "through", "against", "behind", "between"),
            *("after", "before", "when", "until", "during", "around", "along", "across", "about", "of", "as", "so"),
            "because",
        ),
        "beside the point",
    ),
}
STATE_WORDS: dict[str, str] = {  # before a noun
    **dict.fromkeys(("dusty",), "dusty"),
    **dict.fromkeys(("stained", "dirty", "soiled"), "stained"),
    **dict.fromkeys(("soaked", "wet"), "soaked"),
    **dict.fromkeys(("frozen",), "frozen"),
    **dict.fromkeys(("sliced", "chopped"), "sliced"),
    **dict.fromkeys(("cooked",), "cooked"),
}
EACH = frozenset({"each", "separate", "respective"})
ANOTHER = frozenset({"another", "other"})
NUMBERS: dict[str, int] = {
    word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six", "seven"), 1)
}
FILLERS = frozenset(
    (
        *("a", "again", "all", "also", "an", "any", "appropriate", "are", "away", "back", "be", "been"),
        *("being", "both", "bumping", "can", "carefully", "certain", "could", "different", "dirty", "done"),
        *("down", "either", "entire", "every", "favorite", "favourite", "few", "finally", "finished"),
        *("first", "good", "he", "her", "his", "i", "is", "it's", "item", "items", "its", "just", "kind"),
        *("kinds", "lastly", "make", "making", "many", "may", "me", "more", "must", "my", "neither", "next"),
        *("no", "not", "now", "once", "our", "out", "please", "properly", "remaining", "rest", "same"),
        *("several", "shall", "she", "should", "some", "sure", "that", "the", "their", "then", "there"),
        *("these", "they", "this", "those", "type", "types", "up", "us", "very", "was", "way", "we", "were"),
        *("which", "whole", "will", "would", "you", "your"),
    )
)


def lemma(word: str) -> str:
    """A verb of ``VERBS`` that a word is a form of; the word itself where there is none."""
    if word in VERBS:
        return word
    for ending, stem in (("ing", ""), ("ing", "e"), ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e")):
        if word.endswith(ending) and (found := word[: -len(ending)] + stem) in VERBS:
            return found
        doubled = word[: -len(ending)] if word.endswith(ending) else ""
        if len(doubled) > 3 and doubled[-1] == doubled[-2] and doubled[:-1] in VERBS:
            return doubled[:-1]
    return word
