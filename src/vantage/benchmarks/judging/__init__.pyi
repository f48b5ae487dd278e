from .answer_text import mentions as mentions, words as words
from .judges import (
    Case as Case,
    EndJudge as EndJudge,
    Judge as Judge,
    Judgement as Judgement,
    make_judge as make_judge,
    match_name as match_name,
)
from .look_rules import GROUNDED_AT as GROUNDED_AT
from .rule_judge import RuleJudge as RuleJudge
