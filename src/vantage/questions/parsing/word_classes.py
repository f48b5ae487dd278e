"""Words by what they do in a sentence: those before nouns, those that say nothing, and those that name nothing."""

from __future__ import annotations

from vantage.questions.parsing.vocabulary import MORE_WORDS, MOST_WORDS, PRONOUN_OBJECTS, SHADES

DEFINITE = frozenset({"the", "that", "this", "these", "those", "my", "our", "your", "their", "his", "her"})
# Whose an object is says nothing that can be seen.
OWNERS = frozenset(
    [
        "wife",
        "husband",
        "partner",
        "mother",
        "mom",
        "mum",
        "father",
        "dad",
        "son",
        "daughter",
        "brother",
        "sister",
        "grandma",
        "grandpa",
        "granny",
        "kid",
        "child",
        "baby",
        "children",
        "kids",
        "friend",
        "flatmate",
        "roommate",
        "neighbor",
        "neighbour",
        *("niece", "nephew", "aunt", "auntie", "uncle", "cousin", "girlfriend", "boyfriend", "grandson", "grandma"),
        *("granddaughter", "grandmother", "grandfather", "landlord", "colleague", "housemate", "toddler", "daddy"),
        *("mummy", "mommy", "nan", "gran", "nana", "sis", "bro", "buddy", "babysitter", "cleaner", "nanny"),
        "boss",
        "cat",
        "dog",
        "guest",
        "family",
    ]
)
INDEFINITE = frozenset({"a", "an", "any", "some"})
EVERY = frozenset({"all", "every", "each", "all of", "every one", "each one", "both", "each and every", "every single"})
IDLE = frozenset(
    {
        *("nice", "pretty", "lovely", "beautiful", "old", "new", "visible", "certain", "particular", "specific"),
        *("single", "only", "different", "distinct", "individual", "various", "own", "whole", "entire", "ordinary"),
        *("separate", "actual", "given", "mentioned", "favorite", "favourite", "usual", "spare"),
    }
)
ADVERBS = frozenset(
    {
        *("currently", "presently", "now", "right", "just", "directly", "still", "actually", "really"),
        *("exactly", "somewhere", "already", "also", "completely", "both", "mostly", "predominantly", "quite"),
        *("usually", "mainly", "normally", "anywhere", "located", "situated", "positioned", "placed", "primarily"),
        *(
            "standing",
            "sitting",
            "lying",
            "laying",
            "resting",
            "kept",
            "found",
            "put",
            "stored",
            "hiding",
            "housed",
            "suspended",
            "left",
            "stood",
            "set",
        ),
        *("hanging", "hung", "mounted", "attached", "leaning", "fixed", "stacked", "hidden", "seen", "fastened"),
        *("arranged", "displayed", "visible", "present", "contained", "held", "parked", "perched", "leant", "propped"),
        *("directly", "straight", "there", "lined", "tucked", "stashed", "ever", "waiting", "dropped", "laid"),
        *(
            "last",
            "lurking",
            "dangling",
            "nestled",
            "nestling",
            "concealed",
            "balanced",
            "draped",
            "spread",
            "scattered",
            "piled",
        ),
        *("tossed", "thrown", "pinned", "stuck", "wedged", "squeezed", "sandwiched", "installed", "lodged", "poised"),
        *("buried", "tucked", "supposedly", "apparently", "living", "staying", "residing", "floating", "available"),
        *(
            "together",
            "altogether",
            "combined",
            "total",
            "up",
            "down",
            "high",
            "shoved",
            "pushed",
            "crammed",
            "chucked",
        ),
        *("flung", "rolled", "standing", "dumped", "slung", "plonked", "stored", "stowed", "squashed"),
    }
)

# Words that are never part of a name.
FUNCTION_WORDS = frozenset(
    {
        *("label", "labels", "inscription", "text", "writing", "lettering", "word", "words", "title", "caption"),
        *(*DEFINITE, *INDEFINITE, *IDLE, *ADVERBS, *SHADES, *PRONOUN_OBJECTS, *MOST_WORDS, *MORE_WORDS),
        *("about", "above", "after", "again", "against", "all", "am", "amount", "and", "another"),
        *("anybody", "anyone", "are", "around", "as", "at", "back", "be", "because", "been", "before"),
        *("careful", "hurry", "quick", "morning", "evening", "afternoon"),
        *("behind", "below", "beneath", "beside", "besides", "between", "bigger", "but", "by", "called"),
        *("can", "close", "closer", "color", "colored", "contain", "contains", "could", "did", "do"),
        *("does", "each", "else", "equal", "every", "everybody", "everyone", "except", "fewer", "fifth"),
        *("first", "for", "fourth", "from", "front", "had", "has", "have", "he", "heavier", "hello"),
        *("here", "hey", "hi", "hold", "holds", "how", "i", "if", "in", "inside", "into", "is", "it"),
        *("its", "labeled", "labelled", "larger", "last", "least", "less", "let", "lie", "lies", "lighter"),
        *("longer", "made", "many", "marked", "material", "may", "me", "might", "mine", "more", "most"),
        *("much", "must", "myself", "n't", "named", "near", "nearer", "next", "no", "nobody", "none"),
        *("not", "nothing", "nowhere", "number", "of", "off", "ok", "okay", "on", "one", "ones", "onto"),
        *("or", "other", "others", "outside", "over", "please", "read", "reads", "s", "same", "say"),
        *("saying", "says", "second", "see", "shall", "share", "shares", "she", "shorter", "should"),
        *("side", "sit", "sits", "smaller", "so", "somebody", "someone", "stand", "stands", "taller"),
        *("than", "thanks", "them", "then", "they", "third", "titled", "to", "too", "top", "under"),
        *("underneath", "upon", "us", "very", "was", "we", "were", "what", "when", "where", "whether"),
        *("which", "while", "who", "why", "will", "with", "within", "without", "would", "yes", "you"),
        *(
            "yours",
            "yourself",
            "yesterday",
            "tomorrow",
            "tonight",
            "shape",
            "size",
            "state",
            "condition",
            "written",
            "printed",
            "got",
            "either",
            "neither",
            "both",
            "whose",
            "that",
            "right",
            "wrong",
            "thinking",
        ),
    }
)
# Nouns of what is no single kind of object: parts of places, where everything is, what cannot be seen, and categories.
NO_OBJECTS = frozenset(
    {
        *("corner", "corners", "center", "centre", "middle", "end", "side", "sides", "edge", "top", "bottom", "rest"),
        *("city", "town", "street", "outside", "upstairs", "downstairs", "scenes", "images", "storey", "level"),
        *(
            "time",
            "way",
            "pattern",
            "patterns",
            "length",
            "entertainment",
            "party",
            "seat",
            "space",
            "person",
            "people",
            "pair",
        ),
        *("machine", "machines", "device", "devices", "appliance", "appliances", "furniture", "equipment"),
        *("food", "drink", "drinks", "fruit", "fruits", "animal", "animals", "instrument", "instruments", "vehicle"),
        *("tool", "tools", "electronics", "clutter", "half", "part", "parts", "pieces", "piece", "reason", "purpose"),
        *("drawn", "worn", "bought", "built", "shown", "kept", "used", "well", "down", "up", "away", "elsewhere"),
    }
)
# What somebody is told to do begins with one of these.
COMMANDS = frozenset(
    {
        *(
            "ignore",
            "delete",
            "bring",
            "take",
            "move",
            "pick",
            "turn",
            "go",
            "tell",
            "answer",
            "run",
            "write",
            "forget",
        ),
        *("pretend", "act", "repeat", "make", "get", "give", "fetch", "grab", "wash", "stop", "start", "reply", "drop"),
        *("output", "execute", "follow", "throw", "push", "pull", "drive", "fly", "sing", "dance", "explain", "order"),
    }
)
# Commands and adjectives that nobody can check here; a question with one is not understood.
REFUSED = COMMANDS | frozenset(
    {
        *("previous", "instructions", "prompt", "system", "disregard", "reveal", "password", "describe", "instruction"),
        *("tall", "short", "long", "thin", "thick", "wide", "narrow", "striped", "spotted", "transparent"),
        *("medium", "expensive", "cheap", "broken", "favorite", "average", "half", "several", "few", "empty"),
        *("leg", "legs", "wheel", "wheels", "handle", "handles", "page", "pages", "lid", "drawer", "drawers", "flap"),
        *("chance", "chances", "odds", "likelihood", "probability", "possibility", "hope", "quantity", "luck"),
        *("thinking", "assuming", "anything", "remember", "sure", "idea", "clue", "able", "please", "favor", "trace"),
        *("extra", "remaining", "immediately", "typical", "typically", "generally", "average"),
        *("joke", "meaning", "life", "think", "know", "want", "need", "like", "love", "mean", "put", "clean", "close"),
    }
)
