from .answer_marks import (
    MARK_VALUES as MARK_VALUES,
    AnswerToMark as AnswerToMark,
    MarkFile as MarkFile,
    answers_to_mark as answers_to_mark,
)
from .call_sums import estimate as estimate
from .rater_alphas import rater_agreement as rater_agreement
from .ratings import read_ratings as read_ratings
from .report import noise_rows as noise_rows, score_rows as score_rows, write_report as write_report
from .score_table import ScoreTable as ScoreTable
from .scoring import (
    runs_of as runs_of,
    score_bag as score_bag,
    score_by_each as score_by_each,
    score_predictions as score_predictions,
    score_runs as score_runs,
)
from .sim_to_real import compare as compare
from .sim_to_real_page import write_comparison as write_comparison
