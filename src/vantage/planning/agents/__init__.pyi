from .human_agent import HumanAgent as HumanAgent
from .kept_picture import KeptPicture as KeptPicture
from .mailbox import (
    MOST_TEXT as MOST_TEXT,
    REPLAY as REPLAY,
    VERDICTS as VERDICTS,
    Decided as Decided,
    Mailbox as Mailbox,
    Sight as Sight,
    WrittenAnswer as WrittenAnswer,
)
from .result_words import RESULT_WORDS as RESULT_WORDS
