from .naming import (
    Names as Names,
    instances as instances,
    is_part as is_part,
    other_sort as other_sort,
)
from .noun_phrases import (
    NounPhrase as NounPhrase,
    Where as Where,
)
from .orders import (
    read_clauses as read_clauses,
)
from .referents import (
    Referents as Referents,
    prefer as prefer,
)
from .sentence import (
    Clause as Clause,
)
from .verbs import (
    ANOTHER as ANOTHER,
    DENIALS as DENIALS,
    EACH as EACH,
    FILLERS as FILLERS,
    LEAVES as LEAVES,
    NUMBERS as NUMBERS,
    POWERS as POWERS,
    PREPOSITIONS as PREPOSITIONS,
    SITUATED as SITUATED,
    STATE_WORDS as STATE_WORDS,
    STATES as STATES,
    SWITCHES as SWITCHES,
    VERBS as VERBS,
    WIDELY as WIDELY,
    WISHED as WISHED,
    Change as Change,
    lemma as lemma,
)
from .wordings import (
    gives as gives,
    is_no_thing as is_no_thing,
    is_room_word as is_room_word,
)
