from .answer_text import mentions as mentions, words as words
from .judges import Case as Case, Judge as Judge, make_judge as make_judge
from .rule_judge import RuleJudge as RuleJudge
