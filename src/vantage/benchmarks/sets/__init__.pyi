from .balanced_choice import balanced_places as balanced_places
from .episode_json import Record as Record, episode_of as episode_of, to_line as to_line, truth_of as truth_of
from .episodes_io import (
    GOALS as GOALS,
    QUESTION_ID as QUESTION_ID,
    SCENES as SCENES,
    TRAINING as TRAINING,
    EpisodeSet as EpisodeSet,
    check_files as check_files,
    checked_hash as checked_hash,
    is_unchanged as is_unchanged,
    load_set as load_set,
    load_truths as load_truths,
    new_set_folder as new_set_folder,
    save_set as save_set,
)
from .gold_views import gold_view_line as gold_view_line, gold_view_numbers as gold_view_numbers
from .noisy_pairs import (
    CLEAN as CLEAN,
    EVEN as EVEN,
    NOISY as NOISY,
    PAPER as PAPER,
    TYPES as TYPES,
    Pair as Pair,
    PairMember as PairMember,
    checked_shares as checked_shares,
    episode_name as episode_name,
    numbers_of as numbers_of,
    pair_name as pair_name,
    pairs_of as pairs_of,
    shares_of as shares_of,
)
from .pair_quotas import (
    LEAST_OF_TYPE as LEAST_OF_TYPE,
    Quota as Quota,
    quotas_of as quotas_of,
    still_wanted as still_wanted,
)
from .scene_checks import (
    JudgedScene as JudgedScene,
    budget_problems as budget_problems,
    gold_problems as gold_problems,
    replay_problems as replay_problems,
)
from .set_homes import Home as Home, homes_of as homes_of
from .set_info import USUAL_WORLD as USUAL_WORLD, SceneBounds as SceneBounds, SetInfo as SetInfo, read_info as read_info
from .set_making import (
    LabelledHome as LabelledHome,
    SetPlan as SetPlan,
    labelled_episode as labelled_episode,
    own_values as own_values,
    save_labelled as save_labelled,
    stored_values as stored_values,
    write_goal as write_goal,
    write_picture as write_picture,
)
from .step_budget import StepBudget as StepBudget
from .word_balance import Draft as Draft, by_balanced_lot as by_balanced_lot
