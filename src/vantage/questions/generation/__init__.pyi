from .categories import (
    CATEGORIES as CATEGORIES,
    category_of as category_of,
    category_of_program as category_of_program,
    category_question as category_question,
)
from .clean_questions import (
    GeneratedQuestion as GeneratedQuestion,
    answered_drafts as answered_drafts,
    clean_question as clean_question,
    spoken as spoken,
)
from .drafts import QuestionScene as QuestionScene, ids as ids, shuffled as shuffled
from .facts import Facts as Facts, extent as extent
from .location_questions import groups_at as groups_at
from .program_phrases import told_clearly as told_clearly
from .program_wording import worded_program as worded_program
from .question_templates import worded as worded
from .referring_expressions import Phrase as Phrase, called as called, prepositional as prepositional
from .visible_looks import shows_its as shows_its
from .visible_materials import looks_unlike as looks_unlike, shows_its_material as shows_its_material
