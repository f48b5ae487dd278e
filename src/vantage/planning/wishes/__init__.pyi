from .naming import Names as Names
from .noun_phrases import NounPhrase as NounPhrase, Where as Where
from .orders import Clause as Clause, read_clauses as read_clauses
from .referents import Referents as Referents
