from .appearance import alike_in_form as alike_in_form, appearances as appearances, confusable as confusable
from .inflection import (
    ALWAYS_SEVERAL as ALWAYS_SEVERAL,
    UNCOUNTED as UNCOUNTED,
    capitalized as capitalized,
    number_word as number_word,
    plural as plural,
    with_article as with_article,
)
from .names_read import could_be_called as could_be_called, read_alike as read_alike
from .other_words import (
    called_alike as called_alike,
    clear_nouns as clear_nouns,
    household_nouns as household_nouns,
    is_kind_of as is_kind_of,
    names_thing as names_thing,
    near_in_meaning as near_in_meaning,
    words_for as words_for,
)
from .related_kinds import (
    kind_of as kind_of,
    may_be_called as may_be_called,
    related as related,
    rows as rows,
    semantic_neighbours as semantic_neighbours,
    share_meaning as share_meaning,
    singular as singular,
    table as table,
)
from .synonyms import (
    SORTS as SORTS,
    canonical as canonical,
    loosely as loosely,
    names as names,
    names_of as names_of,
)
from .things_for_use import (
    Use as Use,
    gerund as gerund,
    is_for as is_for,
    may_serve as may_serve,
    third_person as third_person,
    use_of as use_of,
    uses as uses,
)
