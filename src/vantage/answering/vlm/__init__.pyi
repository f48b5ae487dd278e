from .model_answering import ModelAnswering as ModelAnswering
from .model_text import one_line as one_line, prompt_question as prompt_question
from .verdicts import ANYWHERE as ANYWHERE
from .view_choice import EVERY as EVERY
from .view_confidence import filled as filled
