from .human_agent import HumanAgent as HumanAgent
from .mailbox import (
    MOST_TEXT as MOST_TEXT,
    VERDICTS as VERDICTS,
    Decided as Decided,
    Mailbox as Mailbox,
    Sight as Sight,
    WrittenAnswer as WrittenAnswer,
)
