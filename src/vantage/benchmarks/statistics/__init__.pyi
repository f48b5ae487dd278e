from .answer_balance import blind_share as blind_share, guesses as guesses
from .answer_columns import (
    BOTH as BOTH,
    COLUMN_RULES as COLUMN_RULES,
    COLUMNS as COLUMNS,
    RIGHT as RIGHT,
    SHOWN as SHOWN,
    AnswerColumn as AnswerColumn,
)
from .calibration_figures import Bin as Bin, calibration_error as calibration_error, reliability as reliability
from .category_figures import ALL as ALL, marks_by_category as marks_by_category
from .episode_score import EpisodeScore as EpisodeScore
from .figure_text import aligned as aligned, cells as cells, interval as interval, number as number
from .krippendorff_alpha import MOST_VALUES as MOST_VALUES, Level as Level, alpha_over_scenes as alpha_over_scenes
from .metrics import (
    Figure as Figure,
    aggregate as aggregate,
    least_seen as least_seen,
    normalised as normalised,
    proportion as proportion,
    spl as spl,
)
from .paired import (
    ScorePair as ScorePair,
    difference as difference,
    run_differences as run_differences,
    same_episodes as same_episodes,
)
from .rank_correlation import spearman_over_scenes as spearman_over_scenes
from .scene_bootstrap import (
    column_over_scenes as column_over_scenes,
    figure_of_sums as figure_of_sums,
    mean_over_scenes as mean_over_scenes,
    middle as middle,
    quotient as quotient,
    resampled_sums as resampled_sums,
    share_over_scenes as share_over_scenes,
)
from .word_shortcut import (
    LabelledQuestion as LabelledQuestion,
    WordShortcut as WordShortcut,
    measure_shortcut as measure_shortcut,
)
